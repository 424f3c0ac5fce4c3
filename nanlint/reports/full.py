"""Each finding with its lines of source: the path of the value, from its origin to the hazard marked by carets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nanlint.engine import Outcome, Report
from nanlint.findings import Finding, Span
from nanlint.reports.concise import headline
from nanlint.reports.style import Style, width

#: Rows of a marked expression that are shown.
ROWS = 6
_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Mark:
    """A piece of the source to underline."""

    span: Span
    label: str
    sign: str


def render(report: Report, style: Style) -> Iterator[str]:
    for outcome in report.outcomes:
        rows = _NEWLINE.split(outcome.text) if outcome.findings else []
        for finding in outcome.findings:
            yield from _one(finding, outcome, rows, style)
            yield ""


def _one(finding: Finding, outcome: Outcome, rows: list[str], style: Style) -> Iterator[str]:
    yield headline(finding, style)
    here = [Mark(n.span, n.message, "-") for n in finding.notes if n.filename == outcome.path]
    marks = sorted([*here, Mark(finding.span, "", "^")], key=lambda m: (m.span, m.sign))
    gutter = len(str(max(mark.span.end_row for mark in marks)))
    yield f"{' ' * gutter}{style.paint('-->', 'blue')} {finding.filename}:{finding.span.row}:{finding.span.column + 1}"
    yield _gutter("", gutter, style)
    yield from _frame(marks, rows, gutter, style)
    yield _gutter("", gutter, style)
    for note in finding.notes:
        if note.filename != outcome.path:
            yield _remark(f"note: {note.message} ({note.filename}:{note.span.row}:{note.span.column + 1})", gutter, style)
    if finding.fix is not None:
        yield _remark(f"{finding.fix.kind} fix: {finding.fix.message}", gutter, style)


def _frame(marks: list[Mark], rows: list[str], gutter: int, style: Style) -> Iterator[str]:
    """The rows of all marks in order, each once, with dots where rows are left out."""
    last = 0
    for row in sorted({row for mark in marks for row in _rows_of(mark.span, len(rows))}):
        if last and row > last + 1:
            yield style.paint("." * 3, "blue")
        yield _gutter(str(row), gutter, style, _plain(rows[row - 1]))
        for mark in marks:
            if row in _rows_of(mark.span, len(rows)):
                yield _gutter("", gutter, style, _underline(mark, row, rows[row - 1], style))
        last = row


def _rows_of(span: Span, count: int) -> range:
    """The rows of a span that are shown."""
    return range(span.row, min(span.end_row, span.row + ROWS - 1, count) + 1)


def _underline(mark: Mark, row: int, text: str, style: Style) -> str:
    start = mark.span.column if row == mark.span.row else len(text) - len(text.lstrip())
    end = mark.span.end_column if row == mark.span.end_row else len(text)
    signs = mark.sign * max(width(_plain(text[start:end])), 1)
    label = f" {mark.label}" if mark.label and row == mark.span.row else ""
    return " " * width(_plain(text[:start])) + style.paint(signs + label, "red" if mark.sign == "^" else "blue")


def _plain(text: str) -> str:
    """A row as it is shown: tabs as four blanks, other control characters as one."""
    return "".join("    " if c == "\t" else " " if ord(c) < 32 or 127 <= ord(c) < 160 else c for c in text)


def _gutter(number: str, gutter: int, style: Style, text: str = "") -> str:
    return (style.paint(f"{number:>{gutter}} |", "blue") + " " + text).rstrip()


def _remark(text: str, gutter: int, style: Style) -> str:
    return f"{' ' * gutter} {style.paint('=', 'blue')} {text}"
