"""The report as a JSON array, as ruff writes it: rows and columns count from 1, in characters; ends are exclusive."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from nanlint.engine import Report
from nanlint.findings import Finding, Fix, Span
from nanlint.reports.style import Style
from nanlint.source import Source


def render(report: Report, style: Style) -> Iterator[str]:
    rows = [as_dict(finding, outcome.text) for outcome in report.outcomes for finding in outcome.findings]
    yield json.dumps(rows, indent=2)


def as_dict(finding: Finding, text: str) -> dict[str, Any]:
    """A finding as it is written; text is what its fix's edits are measured in."""
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": _absolute(finding.filename),
        **_range(finding.span),
        "evidence": finding.evidence,
        "notes": [{"message": n.message, "filename": _absolute(n.filename), **_range(n.span)} for n in finding.notes],
        "fix": None if finding.fix is None else _fix(finding.fix, text),
        "noqa_row": finding.noqa_row or finding.span.row,
    }


def _fix(fix: Fix, text: str) -> dict[str, Any]:
    source = Source.from_text(text)
    edits = [{"content": edit.content, **_range(source.span(edit.start, edit.end))} for edit in fix.edits]
    return {"applicability": fix.applicability, "kind": fix.kind, "message": fix.message, "edits": edits}


def _range(span: Span) -> dict[str, Any]:
    return {"location": _place(span.row, span.column), "end_location": _place(span.end_row, span.end_column)}


def _place(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column + 1}


def _absolute(filename: str) -> str:
    """stdin without a name stays "-"."""
    return filename if filename == "-" else os.path.abspath(filename)
