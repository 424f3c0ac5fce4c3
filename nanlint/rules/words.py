"""The words of messages: lines, origins, and the thresholds of each dtype (measured with torch 2.13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from nanlint.ops.spec import MISSING

if TYPE_CHECKING:
    from nanlint.interp.uses import Consumer, Hit, Site, Use
    from nanlint.interp.values import Term, Value

#: exp(x) is inf from here on.
EXP_INF = {"float16": 11.1, "bfloat16": 89, "float32": 88.7, "float64": 709.8}
#: softmax is exactly 0 at this distance below the largest logit.
SOFTMAX_ZERO = {"float16": 17.4, "bfloat16": 93, "float32": 104, "float64": 746}
#: 1 / softmax overflows, so the gradient of its log is NaN, from this distance on.
SOFTMAX_GRADIENT = {"float16": 11.1, "bfloat16": 89, "float32": 89, "float64": 710}
#: sigmoid is exactly 1 from here on, exactly 0 down from here.
SIGMOID_ONE = {"float16": 8.4, "bfloat16": 6.3, "float32": 16.7, "float64": 36.8}
SIGMOID_ZERO = {"float16": -17.4, "bfloat16": -89, "float32": -88.8, "float64": -709.8}
#: The largest finite number.
LARGEST = {"float16": "65504", "bfloat16": "3.4e38", "float32": "3.4e38", "float64": "1.8e308"}

#: Kinds of value, the most telling first: the words of marks that show it.
FAMILIES: Mapping[str, frozenset[str]] = {
    "norm": frozenset({"norm"}),
    "spread": frozenset({"std", "variance", "spread"}),
    "count": frozenset({"count", "mask", "numel"}),
}

NEEDS_GRADIENT = ("gradient", "second")


def dtype_of(use: Use) -> str:
    """The float dtype whose thresholds count: the result's, float32 for what is no float of these."""
    return use.dtype if use.dtype in EXP_INF else "float64" if use.dtype.startswith("py") else "float32"


def threshold(table: Mapping[str, float | str], use: Use) -> str:
    """"88.7 in float32" from a table of thresholds."""
    dtype = dtype_of(use)
    return f"{table[dtype]} in {dtype}"


def line(site: Site) -> int:
    return site.fragment.span(site.node).row


def family(value: Value) -> str:
    """"norm", "spread", "count" or "" by the value's marks."""
    for name, marks in FAMILIES.items():
        if marks & value.marks:
            return name
    return ""


def origin(value: Value, use: Use) -> str:
    """" (norm at line 12)": where a value was computed, or nothing if that is the use's own line."""
    born = value.born
    if born is None or born is use:
        return f" (`{value.name}`)" if value.name else ""
    where = line(born.site)
    if born.site.fragment.source is not use.site.fragment.source:
        return f" ({shown(born)} in {born.site.fragment.source.path}, line {where})"
    return f" ({shown(born)} at line {where})" if where != line(use.site) else ""


def shown(use: Use) -> str:
    """How an op is called in the code: "norm", "sqrt", "/"."""
    name = use.spelling.rpartition(".")[2]
    return SIGNS.get(name, name) if use.spelling.startswith("operator") else name


SIGNS = {"truediv": "division", "add": "sum", "sub": "difference", "mul": "product", "matmul": "matrix product", "pow": "power", "getitem": "selection"}


def path(value: Value, use: Use) -> tuple[tuple[str, Site], ...]:
    """The step of the path that made the value, if it stands elsewhere."""
    born = value.born
    if born is None or born is use or born.site.node is use.site.node:
        return ()
    return ((f"{shown(born)} is computed here", born.site),)


def because(hit: Hit) -> str:
    """"; " and the reason of the evidence."""
    return f"; {hit.reason}" if hit.reason else ""


def gradient_flows(value: Value) -> bool:
    return value.grad != "no"


def culprit(use: Use, hit: Hit) -> Value:
    """The argument that lies in the bad zone."""
    return use.arg(hit.brk.arg)


def behind(use: Use) -> Iterator[Consumer]:
    """The guarding ops that took the result, and those that took theirs, nearest first."""
    waiting, seen = list(use.consumers), set()
    while waiting:
        consumer = waiting.pop(0)
        if id(consumer) in seen:
            continue
        seen.add(id(consumer))
        yield consumer
        waiting.extend(consumer.use.consumers)


def selects(consumer: Consumer) -> bool:
    """Whether the consumer chooses elements by a test: where, masked_fill."""
    return consumer.op.guard == "select" and bool(test_name(consumer))


def test_name(consumer: Consumer) -> str:
    """The parameter that holds the test of a selecting op, "" if it has none (nan_to_num)."""
    for name in ("condition", "mask"):
        if consumer.bound.has(name) and consumer.arg != name:
            return name
    return ""


def number(value: Any) -> float | None:
    """The constant of an argument if it is a number."""
    const = getattr(value, "const", MISSING)
    return float(const) if isinstance(const, (int, float)) and not isinstance(const, bool) else None


def covered(use: Use, hit: Hit) -> tuple[Use, ...]:
    """The inner uses of a composition."""
    if use.trace is None:
        return ()
    terms: tuple[Term, ...] = hit.parts.get("covers", ())
    return tuple(inner for term in terms for inner in use.trace.by_term.get(term, ()) if inner is not use)
