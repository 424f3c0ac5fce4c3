"""The closing lines of a report: how much was found, repaired, and can be."""

from __future__ import annotations

from collections.abc import Iterator

from nanlint.engine import Report
from nanlint.findings import Finding


def render(report: Report, kinds: frozenset[str], repaired: bool) -> Iterator[str]:
    """Closing lines of a run; kinds are those that --fix would apply, repaired says that it was asked for."""
    left, fixed = len(report.findings), report.fixed
    if not left and not fixed:
        if not report.failed:
            yield "All checks passed!"
        return
    counted = f" ({fixed} fixed, {left} remaining)" if repaired else ""
    yield f"Found {_errors(left + fixed)}{counted}."
    yield from _fixable(report.findings, kinds)


def _fixable(findings: list[Finding], kinds: frozenset[str]) -> Iterator[str]:
    ready = sum(f.fix is not None and f.fix.kind in kinds for f in findings)
    unsafe = sum(f.fix is not None and f.fix.kind == "unsafe" for f in findings) if "unsafe" not in kinds else 0
    if ready:
        more = f" ({_fixes(unsafe)} available with `--fix --unsafe-fixes`)" if unsafe else ""
        yield f"[*] {ready} fixable with `--fix`{more}."
    elif unsafe:
        yield f"{_fixes(unsafe)} available with `--fix --unsafe-fixes`."


def would_fix(report: Report) -> str:
    """The closing line of --diff."""
    return f"Would fix {_errors(report.fixed)}." if report.fixed else "Nothing to fix."


def _errors(count: int) -> str:
    return f"{count} error{'' if count == 1 else 's'}"


def _fixes(count: int) -> str:
    return f"{count} unsafe fix{'' if count == 1 else 'es'}"
