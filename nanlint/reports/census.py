"""What the interpreter did not know in the files of a run: the work list for the tables."""

from __future__ import annotations

from collections.abc import Iterator

from nanlint.engine import Report, Tally


def render(report: Report) -> Iterator[str]:
    tally = Tally()
    for outcome in report.outcomes:
        tally.add(outcome.tally)
    share = 100 * tally.unknown_uses / tally.uses if tally.uses else 0.0
    yield f"{len(report.outcomes)} files, {tally.fragments} fragments, {tally.functions} functions, {len(tally.out_of_fuel)} out of fuel"
    yield f"{tally.uses} uses, {share:.1f} % of them of a value that is not known"
    yield from _calls(tally)
    yield from (f"out of fuel: {name}" for name in tally.out_of_fuel)
    yield from _ranked(tally.unknown)


def _calls(tally: Tally) -> Iterator[str]:
    """How many calls of torch (functions, methods of known tensors, layers; each place once) have a row."""
    found = tally.rows + tally.opaque
    every = found + sum(tally.without.values())
    if not every:
        return
    opaque = 100 * tally.opaque / found if found else 0.0
    yield f"{every} calls of torch, {100 * found / every:.1f} % of them have a row; {opaque:.1f} % of these rows are opaque"
    if tally.without:
        yield "without a row, or with arguments that do not fit it:"
        yield from _ranked(tally.without)
        yield "rows used and things not known, every evaluation counted:"


def _ranked(counts: dict[str, int]) -> Iterator[str]:
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    wide = max((len(str(count)) for _, count in rows), default=0)
    yield from (f"{count:>{wide}}  {what}" for what, count in rows)
