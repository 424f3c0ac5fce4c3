"""Tensors from nothing or from Python values: zeros, full, arange, one_hot, windows, tensor."""

from __future__ import annotations

import math
from typing import Any

from nanlint.interval import INF, Interval, cast, limits
from nanlint.ops.images import fixed, given, is_tensor, leaves, range_of, setting, unknown
from nanlint.ops.spec import MISSING, Arg, Bound, Break, Op, Zone
from nanlint.ops.shapes import listing


def _cast(name: str, b: Bound) -> Interval:
    """The range of an argument in the dtype of the result; infinities stay."""
    return cast(range_of(b, name), b.dtype)


def _arange(b: Bound) -> Interval:
    """start .. end without end; arange(n) is 0 .. n. An end that rounds up can be reached by floats."""
    start, end = (range_of(b, "start"), range_of(b, "end")) if given(b, "end") else (Interval.point(0.0), range_of(b, "start"))
    step = range_of(b, "step") if given(b, "step") else Interval.point(1.0)
    whole = b.dtype.startswith("int") or b.dtype in ("pyint", "uint8")
    if step.lo > 0:
        last = end.hi - (1.0 if whole else 0.0)
        return Interval(start.lo, max(start.lo, last))
    if step.hi < 0:
        return Interval(min(start.hi, end.lo), start.hi)
    return _between(start, end)


def _between(start: Interval, end: Interval) -> Interval:
    """All from one to the other: no hole around 0."""
    return Interval(min(start.lo, end.lo), max(start.hi, end.hi))


def _linspace(b: Bound) -> Interval:
    """Rounded to the dtype at both ends; between them it grows."""
    return cast(_between(range_of(b, "start"), range_of(b, "end")), b.dtype)


def _powers(b: Bound) -> Interval:
    """base ** start .. base ** end."""
    exponents, base = _linspace(b), setting(b, "base", 10.0)
    if not isinstance(base, (int, float)) or base <= 1.0:
        return Interval(0.0, limits(b.dtype).max)
    low, high = (_power(float(base), x) for x in (exponents.lo, exponents.hi))
    top = limits(b.dtype).max
    return Interval(min(low, top) * (1 - 1e-6), min(high * (1 + 1e-6), top))


def _power(base: float, exponent: float) -> float:
    return math.pow(base, exponent) if exponent * math.log(base) < 709.0 else INF


# ---- copies ----------------------------------------------------------------------------------------


def _copied(alone: bool) -> Zone:
    """torch.tensor cuts a tensor, a list of tensors and a Python number that was one; as_tensor only lists."""

    def zone(b: Bound) -> Interval | None:
        data = b.args.get("data")
        if data is None or data.kind != "sequence" and not alone:
            return None
        cut = any(is_tensor(leaf) or _wanted_back(b, leaf) for leaf in leaves(data))
        return range_of(b, "data") if cut else None

    return zone


def _wanted_back(b: Bound, leaf: Arg) -> bool:
    """A computed value that is to carry a gradient again: tensor(total, requires_grad=True)."""
    computed = leaf.kind == "unknown" or leaf.kind == "number" and leaf.dtype != "pyint" and leaf.const is MISSING
    return computed and setting(b, "requires_grad", False) is True


def _cut(alone: bool) -> Break:
    return Break("copy-cut", "data", _copied(alone), where="graph", result="cut",
                 says="a copy by value: no gradient flows back into its data")


def _returning(b: Bound) -> Interval | None:
    data = b.args.get("data")
    return range_of(b, "data") if data is not None and data.kind != "sequence" and data.cuts else None


#: Numbers that left the graph come back as a tensor: as_tensor(values.numpy()[0]).
RETURNING = Break("return-cut", "data", _returning, where="graph", result="cut", says="numbers that left the graph come back without it")


def _created(name: str, lo: float, hi: float, marks: frozenset[str] = frozenset()) -> Op:
    return Op(name, fixed(lo, hi), terms="creates", gradient="stops", dtype="created", count="any", marks=marks, lead="size")


def _like(name: str, lo: float, hi: float) -> Op:
    return Op(name, fixed(lo, hi), terms="creates", gradient="stops", dtype="arg")


def _filled(name: str, lead: str) -> Op:
    count = "any" if lead == "size" else "same"
    return Op(name, lambda b: _cast("fill_value", b), terms="creates", gradient="stops", dtype="arg", count=count, lead=lead)


def _uninitialised(name: str, **fields: Any) -> Op:
    """Memory as it was: another one at each call."""
    note = "breaks in other ways: memory as it was, NaN among it"
    return Op(name, unknown, terms="random", gradient="stops", marks=frozenset({"empty"}), note=note, **fields)


WINDOW = frozenset({"window"})

ROWS: tuple[Op, ...] = (
    _created("zeros", 0, 0, frozenset({"zeros"})),
    _created("ones", 1, 1),
    _uninitialised("empty", dtype="created", count="any", lead="size"),
    _created("eye", 0, 1),
    _filled("full", "size"),
    _like("zeros_like", 0, 0),
    _like("ones_like", 1, 1),
    _uninitialised("empty_like", dtype="arg"),
    _filled("full_like", "input"),
    Op("new_zeros", fixed(0, 0), terms="creates", gradient="stops", dtype="arg", count="any"),
    Op("new_ones", fixed(1, 1), terms="creates", gradient="stops", dtype="arg", count="any"),
    _uninitialised("new_empty", dtype="arg", count="any"),
    _filled("new_full", "input"),
    Op("new_tensor", lambda b: _cast("data", b), (_cut(True),), terms="opaque", gradient="stops", dtype="arg", count="any", lead="data"),
    Op("arange", _arange, terms="creates", gradient="stops", dtype="arg", count="any", lead="start"),
    Op("linspace", _linspace, terms="creates", gradient="stops", dtype="created", count="any", lead="start"),
    Op("logspace", _powers, terms="creates", gradient="stops", dtype="created", count="any", lead="start"),
    Op("tensor", lambda b: _cast("data", b), (_cut(True),), terms="keeps", gradient="cuts", dtype="arg", lead="data", marking=listing("data")),
    Op("scalar_tensor", lambda b: _cast("data", b), terms="creates", gradient="stops", dtype="created", count="one", lead="data"),
    Op("as_tensor", lambda b: _cast("data", b), (_cut(False), RETURNING), terms="keeps", dtype="arg", lead="data"),
    Op("asarray", lambda b: _cast("data", b), terms="opaque", dtype="arg", lead="data",
       note="NumPy: an array from lists or outside numbers"),
    Op("load", unknown, terms="random", gradient="stops", ground="opaque", dtype="created", count="any", lead="file", opaque=True,
       note="numbers of a file: infinities and NaN among them"),
    Op("one_hot", fixed(0, 1), terms="opaque", gradient="cuts", ground="closed", dtype="int64", count="any",
       marks=frozenset({"mask", "onehot"})),
    _created("hann_window", 0, 1, WINDOW),
    _created("hamming_window", 0.08 - 1e-6, 1, WINDOW),
    _created("blackman_window", -1e-6, 1, WINDOW),
    _created("bartlett_window", 0, 1, WINDOW),
    *(Op(name, fixed(0, 2.0**31), terms="creates", gradient="stops", dtype="int64", count="any", lead="size")
      for name in ("tril_indices", "triu_indices")),
    Op("vander", unknown, terms="opaque", count="any", note="overflows by magnitude"),
    Op("parameter", lambda b: range_of(b, "data"), terms="keeps", lead="data", marks=frozenset({"parameter"})),
)
