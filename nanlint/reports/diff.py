"""What --fix would change, as unified diffs that `patch -p0` takes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from nanlint.engine import Outcome, Report

_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def render(report: Report) -> Iterator[str]:
    for outcome in report.outcomes:
        yield from of(outcome)


def of(outcome: Outcome) -> Iterator[str]:
    """The diff of one file; its rows keep their line ends."""
    if outcome.before == outcome.text:
        return
    rows = difflib.unified_diff(_ROW.findall(outcome.before), _ROW.findall(outcome.text), outcome.path, outcome.path)
    for row in rows:
        yield row if row.endswith(("\n", "\r")) else row + "\n\\ No newline at end of file\n"
