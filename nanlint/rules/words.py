"""The words of messages: lines, origins, and the thresholds of each dtype (measured with torch 2.13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from nanlint.findings import EVIDENCE
from nanlint.interp.matchers import core
from nanlint.interval import Interval
from nanlint.ops import rows
from nanlint.ops.spec import MISSING, Bound

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
#: The distance to the next number above 1.
OUTSIDE = {"float16": "1e-3", "bfloat16": "8e-3", "float32": "1.2e-7", "float64": "2.2e-16"}
#: 1 + x, 1 - x and exp(x) are exactly 1 for an x smaller than this.
LOST_BESIDE_ONE = {"float16": "2.4e-4", "bfloat16": "1.9e-3", "float32": "2.9e-8", "float64": "1e-17"}
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


def made(value: Value, use: Use) -> tuple[Term, Site] | None:
    """Which computation gave a value, under reshapes and copies, and where; None for parameters and constants."""
    if value.term is None:
        return None
    term = core(value.term, cut=True)
    site = site_of(use, term)
    return None if site is None else (term, site)


def site_of(use: Use, term: Term | None) -> Site | None:
    """Where a term was computed, in the use's own file if it was there."""
    if term is None or use.trace is None:
        return None
    sites = use.trace.sites.get(term, [])
    return next((s for s in sites if s.fragment.source is use.site.fragment.source), sites[0] if sites else None)


def origin(value: Value, use: Use) -> str:
    """" (norm at line 12)": where a value was computed, or nothing if that is the use's own line."""
    found = made(value, use)
    if found is None:
        return f" (`{value.name}`)" if value.name.isidentifier() else ""
    word, where = word_of(found[0]), line(found[1])
    if found[1].fragment.source is not use.site.fragment.source:
        return f" ({word} in {found[1].fragment.source.path}, line {where})"
    return f" ({word} at line {where})" if where != line(use.site) else ""


def word_of(term: Term) -> str:
    """How an op is called in a message: "norm", "difference"."""
    return SIGNS.get(term.op, term.op)


def root_like(term: Term) -> bool:
    """Whether a term is a norm or a standard deviation: never negative, its gradient kept finite at 0."""
    row = rows().get(core(term).op)
    return row is not None and bool({"norm", "std"} & row.marks)


def shown(use: Use) -> str:
    """How an op is called in the code: "norm", "sqrt", "division"."""
    name = use.spelling.rpartition(".")[2]
    return SIGNS.get(name, name) if use.spelling.startswith("operator") else name


SIGNS = {
    "truediv": "division", "div": "division", "add": "sum", "sub": "difference", "mul": "product", "matmul": "matrix product", "pow": "power",
    "getitem": "selection",
}  # fmt: skip


def path(value: Value, use: Use) -> tuple[tuple[str, Site], ...]:
    """The step of the path that made the value, if it stands on another line."""
    found = made(value, use)
    if found is None or found[1].node is use.site.node or line(found[1]) == line(use.site):
        return ()
    return ((f"the {word_of(found[0])} is computed here", found[1]),)


def told(text: str, hit: Hit) -> str:
    """The text, "; " and the reason of the evidence, unless the text says it."""
    return text if not hit.reason or hit.reason in EVIDENCE or hit.reason in text else f"{text}; {hit.reason}"


def gradient_flows(value: Value) -> bool:
    return value.grad != "no"


def culprit(use: Use, hit: Hit) -> Value:
    """The argument that lies in the bad zone."""
    return use.arg(hit.brk.arg)


def behind(use: Use) -> Iterator[Consumer]:
    """The guarding ops that took the result, straight or through arithmetic, in order."""
    return iter(use.consumers)


def straight(consumer: Consumer, use: Use) -> bool:
    """Whether the consumer took the very result of the use, not something computed from it."""
    taken: Any = consumer.bound.args[consumer.arg]
    return taken.term is not None and use.term is not None and core(taken.term, cut=True) == core(use.term, cut=True)


def selects(consumer: Consumer) -> bool:
    """Whether the consumer chooses elements by a test: where, masked_fill."""
    return consumer.op.guard == "select" and bool(test_name(consumer))


def test_name(consumer: Consumer) -> str:
    """The parameter that holds the test of a selecting op, "" if it has none (nan_to_num)."""
    for name in ("condition", "mask"):
        if consumer.bound.has(name) and consumer.arg != name:
            return name
    return ""


def is_root(use: Use) -> bool:
    """Whether a power is a root: its exponent, if it has one, is 1/2 or -1/2."""
    exponent = use.bound.const("exponent", 0.5)
    return isinstance(exponent, float) and abs(exponent) == 0.5


def exponent(use: Use) -> str:
    """The exponent of a power as far as it is known: "0.4", "between 0 and 1", ""."""
    a = use.bound.r("exponent")
    return f"{a.lo:.4g}" if a.is_point else "between 0 and 1" if a.within(0.0, 1.0) else "that can be fractional"


def domain(use: Use) -> tuple[float, float | None]:
    """Between which numbers an inverse function is defined, by the row's zones: (-1, 1), (0, 1), (1, None)."""
    good = [x for x in (-0.5, 0.5, 1.5) if not _outside(use, x)]
    low = good[0] - 0.5 if good else -1.0
    return low, None if 1.5 in good else 1.0


def _outside(use: Use, x: float) -> bool:
    probe = Bound({**use.bound.args, use.op.lead: use.arg(use.op.lead).but(range=Interval.point(x), dtype=use.dtype)}, use.dtype)
    zones = [brk.zone(probe) for brk in use.op.breaks if brk.kind == "arc-outside"]
    return any(zone is not None and zone.contains(x) for zone in zones)


def culprit_term(use: Use, node: Any) -> Term | None:
    """The op of the lead argument, if it is applied at this very node."""
    term = use.arg(use.op.lead).term
    sites = use.trace.sites.get(term, []) if use.trace is not None and term is not None else []
    return term if term is not None and term.op in rows() and any(site.node is node for site in sites) else None


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
