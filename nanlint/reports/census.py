"""What the interpreter did not know in the files of a run: the work list for the tables."""

from __future__ import annotations

from collections.abc import Iterator

from nanlint.engine import Report, Tally


def render(report: Report) -> Iterator[str]:
    tally = Tally()
    for outcome in report.outcomes:
        tally.add(outcome.tally)
    share = 100 * tally.unknown_uses / tally.uses if tally.uses else 0.0
    yield f"{len(report.outcomes)} files, {tally.functions} functions, {len(tally.out_of_fuel)} out of fuel"
    yield f"{tally.uses} uses, {share:.1f} % of them of a value that is not known"
    yield from (f"out of fuel: {name}" for name in tally.out_of_fuel)
    rows = sorted(tally.unknown.items(), key=lambda item: (-item[1], item[0]))
    wide = max((len(str(count)) for _, count in rows), default=0)
    yield from (f"{count:>{wide}}  {what}" for what, count in rows)
