"""One line a finding: path:row:column: CODE [*] message."""

from __future__ import annotations

from collections.abc import Iterator

from nanlint.engine import Report
from nanlint.findings import Finding
from nanlint.reports.style import Style


def render(report: Report, style: Style) -> Iterator[str]:
    for finding in report.findings:
        place = f"{style.paint(finding.filename, 'bold')}:{finding.span.row}:{finding.span.column + 1}:"
        yield f"{place} {headline(finding, style)}"


def headline(finding: Finding, style: Style) -> str:
    """Code, the mark [*] of a finding that --fix would cure, and the message."""
    code = style.paint(finding.code, "bold", "red")
    if finding.fix is not None and finding.fix.kind in style.kinds:
        code += " [" + style.paint("*", "cyan") + "]"
    return f"{code} {finding.message}"
