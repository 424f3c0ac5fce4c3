"""What the interpreter knows of each expression of a line: value, range, dtype, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nanlint.interp.uses import Trace
    from nanlint.interp.values import Value


def render(trace: Trace, row: int) -> Iterator[str]:
    """A line for each expression that starts in a row, in the order of their places; one for each different answer."""
    rows = []
    for site, value in trace.revealed:
        span = site.fragment.span(site.node)
        if span.row == row:
            text = " ".join(site.fragment.text(site.node).split())
            rows.append((span, f"{span.row}:{span.column + 1} {text}: {describe(value)}"))
    yield from dict.fromkeys(line for _, line in sorted(rows))


def describe(value: Value) -> str:
    """A value in words: "tensor float32 [0, 1], gradient assumed, closed (softmax)"."""
    if not value.numeric:
        return value.kind
    words = [value.kind, value.dtype or "", _range(value)]
    line = " ".join(word for word in words if word)
    if value.kind == "tensor" and value.grad != "no":
        line += f", gradient {value.grad}"
    line += f", {value.ground}"
    return f"{line} ({', '.join(sorted(value.marks))})" if value.marks else line


def _range(value: Value) -> str:
    low, high, away = value.range.lo, value.range.hi, value.range.away
    if low == high:
        return f"{low:g}"
    hole = f" without (-{away:g}, {away:g})" if away else ""
    return f"[{low:g}, {high:g}]{hole}"
