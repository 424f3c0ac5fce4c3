"""The forms of a report, one file each: `render` gives the lines of the chosen one."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nanlint.engine import Report
    from nanlint.reports.style import Style


def render(form: str, report: Report, style: Style) -> Iterator[str]:
    """The lines of a report, without line ends. form is a module of this folder: "full", "concise", "json"."""
    lines: Iterator[str] = importlib.import_module(f"nanlint.reports.{form}").render(report, style)
    return lines
