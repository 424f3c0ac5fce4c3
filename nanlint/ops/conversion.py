"""Conversions of dtype, device and kind, and what leaves the graph: to, item, numpy, detach, clone."""

from __future__ import annotations

from nanlint import interval as iv
from nanlint.interval import Interval, is_integer, limits, next_up, round_to
from nanlint.ops import make
from nanlint.ops.make import same
from nanlint.ops.spec import Bound, Break, Op


def _beyond_target(b: Bound) -> Interval | None:
    """Numbers of the source that are infinite in the target: from half an ulp above its largest on."""
    source = make.dtype_of(b, "input")
    if is_integer(b.dtype) or source not in iv.LIMITS:
        return None
    top, edge = limits(source).max, limits(b.dtype).max
    if top <= edge:
        return None
    first = edge
    while round_to(first, b.dtype) <= edge and first < top:
        first = _next_overflow(edge, first, source, b.dtype)
    return Interval(-top, top, first) if first <= top else None


def _next_overflow(edge: float, first: float, source: str, target: str) -> float:
    """The first number of the source that rounds beyond edge: the middle between edge and the next power of two, or after it."""
    ulp = edge - iv.next_down(edge, target)
    middle = edge + ulp / 2
    return round_to(middle, source) if round_to(round_to(middle, source), target) > edge else next_up(max(first, middle), source)


OVERFLOW = Break("cast-overflow", "input", _beyond_target, "precision", "inf", says="beyond the target's largest number it is infinite")


def _narrowing(b: Bound) -> frozenset[str]:
    """What comes out of a cast that can overflow may hold infinities."""
    zone = _beyond_target(b)
    return frozenset({"narrowed"}) if zone is not None and b.r().touches(zone) else frozenset()


def _cut(kind: str, says: str) -> tuple[Break, ...]:
    return (Break(kind, "input", make.everything, "graph", "cut", says=says),)


def _converted(b: Bound) -> Interval:
    return iv.cast(b.r(), b.dtype)


CASTS = (
    Op("to", _converted, (OVERFLOW,), terms="keeps", dtype="arg", marking=_narrowing, note="overflows by magnitude"),
    Op("type_as", _converted, (OVERFLOW,), terms="keeps", dtype="arg", marking=_narrowing, note="overflows by magnitude"),
    Op("complex", make.everything, dtype="complex64", gradient="flows", opaque=True, note="overflows by magnitude"),
)

LEAVING = (
    Op("item", _converted, _cut("item-cut", "item() leaves the graph: no gradient flows"), terms="keeps", gradient="cuts", count="one",
       returns="number", dtype="pyfloat"),
    Op("tolist", same, _cut("item-cut", "tolist() leaves the graph: no gradient flows"), terms="keeps", gradient="cuts", returns="tensor"),
    Op("float", _converted, _cut("item-cut", "float() leaves the graph: no gradient flows"), terms="keeps", gradient="cuts", count="one",
       returns="number", dtype="pyfloat"),
    Op("int", _converted, terms="keeps", gradient="cuts", count="one", returns="number", dtype="pyint"),
    Op("bool", _converted, terms="keeps", gradient="cuts", count="one", returns="number", dtype="pybool", ground="closed"),
    Op("numpy", same, _cut("detach-cut", "numpy() leaves the graph: no gradient flows"), terms="keeps", gradient="cuts"),
    Op("detach", same, _cut("detach-cut", "detach() stops the gradient"), terms="keeps", gradient="stops"),
    Op("data", same, _cut("detach-cut", ".data stops the gradient"), terms="keeps", gradient="stops"),
)

KEEPING = (
    Op("clone", same, terms="keeps"),
    Op("contiguous", same, terms="keeps"),
    Op("device", same, terms="keeps"),
    Op("requires_grad", same, terms="keeps"),
    Op("positive", same),
    Op("real", same, terms="keeps"),
    Op("conj", same, terms="keeps"),
)


def _grad(b: Bound) -> Interval:
    return Interval.everything(b.dtype)


ATTRIBUTES = (
    Op("grad", _grad, terms="opaque", gradient="stops", ground="opaque", marks=frozenset({"grad"}), opaque=True),
)

ROWS = (*CASTS, *LEAVING, *KEEPING, *ATTRIBUTES)
