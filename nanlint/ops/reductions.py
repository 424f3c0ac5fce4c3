"""Reductions: sum, mean, std, max, logsumexp, softmax, cumulative sums, quantiles, counts."""

from __future__ import annotations

import math
from typing import Any

from nanlint.interval import INF, Interval, limits, round_to, spread
from nanlint.ops.images import (
    LONGEST,
    SIGNED_UNIT,
    UNIT,
    always,
    at,
    averaged,
    count_image,
    counted,
    fixed,
    given,
    grown,
    index_image,
    kept,
    mean_of,
    nonnegative,
    number,
    range_of,
    setting,
    spread_of,
    summed,
    total,
    unknown,
    when,
)
from nanlint.ops.spec import MISSING, Bound, Break, Image, Op

EMPTY = Break("mean-empty", "input", at(0.0), of="count", says="the mean of no elements is NaN")
NO_ELEMENT = Break("mean-empty", "input", at(0.0), of="count", says="of no elements it is NaN")


# ---- sums ------------------------------------------------------------------------------------------


def _counting(b: Bound) -> frozenset[str]:
    """A sum of a mask counts its true elements."""
    kept_marks = b.marks() & {"mask", "selection", "onehot"}
    return kept_marks | {"count"} if kept_marks & {"mask", "onehot"} or b.args["input"].dtype == "bool" else kept_marks


def _prod(b: Bound) -> Interval:
    a, whole = range_of(b, "input"), Interval.everything(b.dtype)
    for region in (UNIT, SIGNED_UNIT):
        if a.within(region.lo, region.hi):
            return region
    if a.nonneg:
        return Interval(min(a.lo, 1.0) if a.lo >= 1.0 else 0.0, INF if a.hi == INF else whole.hi)
    return Interval(-INF if math.isinf(a.ceiling) else whole.lo, INF if math.isinf(a.ceiling) else whole.hi)


def _cumsum(b: Bound) -> Interval:
    """Partial sums: of one element up to all of them."""
    return total(range_of(b, "input"), Interval(1.0, max(b.count().hi, 1.0)), b.dtype)


def _selected(b: Bound) -> frozenset[str]:
    return b.marks() & {"selection", "mask", "probability", "softmax", "sigmoid"}


def _trapezoid(b: Bound) -> Interval:
    return nonnegative(b) if b.r().nonneg and not given(b, "x") else unknown(b)


# ---- spreads ---------------------------------------------------------------------------------------


def correction(b: Bound) -> float | None:
    """What std and var subtract from the count: unbiased (1 or 0) or correction; None if it is no constant."""
    for name in ("unbiased", "dim"):
        flag = setting(b, name, None)
        if isinstance(flag, bool):
            return 1.0 if flag else 0.0
        if name == "unbiased" and flag is MISSING:
            return None
    return number(b, "correction", 1.0)


def _least(b: Bound) -> float:
    """The smallest ratio of the range's width to the standard deviation."""
    c = correction(b)
    return 2.0 if c == 0.0 else math.sqrt(2.0) if c == 1.0 else 1e-3


def _std(b: Bound) -> Interval:
    return spread_of(range_of(b, "input"), _least(b), b.dtype)


def _var(b: Bound) -> Interval:
    deviation, top = spread_of(range_of(b, "input"), _least(b), b.dtype).hi, limits(b.dtype).max
    return grown(Interval(0.0, min(deviation * deviation, top)), b.dtype, 64)


def _std_mean(b: Bound) -> Interval:
    return _std(b).join(mean_of()(b))


def _var_mean(b: Bound) -> Interval:
    return _var(b).join(mean_of()(b))


STD_ONE = Break(
    "std-one", "input", when(lambda b: correction(b) == 1.0, at(1.0)), of="count",
    says="with one element, n - 1 is 0 and the result is NaN",
)


# ---- extremes --------------------------------------------------------------------------------------


def _pair_along_dim(b: Bound) -> str:
    return "pair" if given(b, "dim") else "tensor"


ARGMAX_CUT = Break("argmax-cut", "input", always(), where="graph", result="cut", says="an index has no gradient")


# ---- exponentials ----------------------------------------------------------------------------------


def _length(b: Bound) -> float:
    """An upper bound of what one softmax spreads over."""
    return max(1.0, min(b.count().hi, LONGEST))


def _logits(b: Bound) -> Interval:
    """The argument without infinities (fully masked rows are the break)."""
    a, top = range_of(b, "input"), limits(b.dtype).max
    return Interval(max(a.lo, -top), min(a.hi, top)) if a.lo <= top and a.hi >= -top else Interval(-top, top)


def _least_probability(b: Bound) -> float:
    """The smallest softmax of bounded logits; 0 where exp underflows or an element can be -inf."""
    a = range_of(b, "input")
    least = math.exp(max(_logits(b).lo - _logits(b).hi, -800.0)) / _length(b)
    return 0.0 if a.lo == -INF or least < 2 * limits(b.dtype).tiny else round_to(least, b.dtype)


def _softmax(b: Bound) -> Interval:
    return grown(Interval(_least_probability(b), 1.0), b.dtype, 64).meet(UNIT) or UNIT


def _log_softmax(b: Bound) -> Interval:
    a, logits = range_of(b, "input"), _logits(b)
    if a.lo == -INF:
        return Interval(-INF, 0.0)
    lowest = max(logits.lo - logits.hi - math.log(_length(b)), -limits(b.dtype).max)
    return grown(Interval(lowest, 0.0), b.dtype, 64)


def _logsumexp(b: Bound) -> Interval:
    a = range_of(b, "input")
    high = min(a.hi + math.log(_length(b)), limits(b.dtype).max) if a.hi < INF else INF
    return _leaning(Interval(a.lo, max(high, a.lo)), b.dtype)


def _leaning(a: Interval, dtype: str) -> Interval:
    """Rounding of exp and log around ends near 0: some absolute eps as well."""
    slack, top = 16 * limits(dtype).eps, limits(dtype).max
    wide = grown(a, dtype, 64)
    lo = wide.lo if math.isinf(wide.lo) else max(wide.lo - slack, -top)
    hi = wide.hi if math.isinf(wide.hi) else min(wide.hi + slack, top)
    return Interval(lo, hi)


MASKED = Break("softmax-masked", "input", at(-INF), says="softmax of a row that is -inf everywhere is NaN")
MASKED_MIN = Break("softmax-masked", "input", at(INF), says="softmin of a row that is inf everywhere is NaN")
MASKED_GRADIENT = Break(
    "softmax-masked", "input", at(-INF), where="gradient", says="the gradient of logsumexp of a row that is -inf everywhere is NaN"
)
SOFTMAX = "softmax probability"


# ---- sizes and counts ------------------------------------------------------------------------------


def _size_marks(b: Bound) -> frozenset[str]:
    """A size says whether it is that of a selection."""
    return b.marks() & {"selection"}


def _size_returns(b: Bound) -> str:
    return "number" if given(b, "dim") else "list"


def _along(b: Bound) -> Interval:
    """A size along a dim: at least one unless all elements can be missing."""
    count = b.count()
    return Interval(min(count.lo, 1.0), min(count.hi, 2.0**63))


def _bincount(b: Bound) -> Interval:
    return unknown(b) if given(b, "weights") else Interval(0.0, min(b.count().hi, 2.0**63))


def _diff(b: Bound) -> Interval:
    a, top = range_of(b, "input"), limits(b.dtype).max
    width = a.hi - a.lo
    return grown(Interval(-min(width, top), min(width, top)), b.dtype, 16) if number(b, "n", 1.0) == 1.0 else unknown(b)


def _corr(b: Bound) -> Interval:
    return spread(SIGNED_UNIT, b.dtype, 16)


def _average(b: Bound) -> Interval:
    return averaged(range_of(b, "input"), b.dtype) if not given(b, "weights") or b.r("weights").nonneg else unknown(b)


def _ptp(b: Bound) -> Interval:
    a, top = range_of(b, "input"), limits(b.dtype).max
    return Interval(0.0, min(a.hi - a.lo, top) if a.hi - a.lo < INF else INF)


BY_MAGNITUDE = "overflows by magnitude"


def _row(name: str, image: Image, *breaks: Break, marks: str = "", **rest: Any) -> Op:
    """A reduction along dim (or of all); rest are further fields of Op."""
    return Op(name, image, breaks, marks=frozenset(marks.split()), **{"terms": "reduces", "count": "reduces", **rest})


def _along_dim(name: str, image: Image, *breaks: Break, marks: str = "", **rest: Any) -> Op:
    """An op along dim that keeps the shape: cumulative sums, softmax."""
    return Op(name, image, breaks, marks=frozenset(marks.split()), **{"terms": "opaque", **rest})


def _spread(name: str, image: Image, marks: str = "", **rest: Any) -> Op:
    return _row(name, image, STD_ONE, NO_ELEMENT, marks=marks, dtype="float", note=BY_MAGNITUDE, **rest)


def _flag(name: str) -> Op:
    return _row(name, fixed(0, 1), marks="mask", gradient="cuts", ground="closed", dtype="bool")


def _argmax(name: str) -> Op:
    return _row(name, index_image, ARGMAX_CUT, marks="index", gradient="cuts", dtype="int64")


def _tally(name: str, image: Image, marks: str = "count", **rest: Any) -> Op:
    fields = {"terms": "opaque", "gradient": "stops", "dtype": "int64", "count": "any", **rest}
    return Op(name, image, marks=frozenset(marks.split()), **fields)


def _size(name: str, image: Image = _along, marks: str = "size count", returns: Any = "number", **rest: Any) -> Op:
    """A size: configuration, a Python number."""
    return Op(
        name, image, terms="creates", gradient="stops", ground="config", marks=frozenset(marks.split()), dtype="pyint", count="one",
        returns=returns, **rest,
    )


ROWS: tuple[Op, ...] = (
    _row("sum", summed, marks="sum", dtype="sum", marking=_counting, note=BY_MAGNITUDE),
    _row("nansum", summed, marks="sum", dtype="sum", marking=_counting, guard="select", note=BY_MAGNITUDE),
    _row("mean", mean_of(), EMPTY, marks="mean", dtype="float", marking=_selected, note=BY_MAGNITUDE),
    _row("nanmean", mean_of(), EMPTY, marks="mean", dtype="float", guard="select", note=BY_MAGNITUDE),
    _row("average", _average, EMPTY, marks="mean", dtype="float", note=BY_MAGNITUDE),
    _row("median", kept(), NO_ELEMENT, returns=_pair_along_dim),
    _row("nanmedian", kept(), NO_ELEMENT, returns=_pair_along_dim, guard="select"),
    _row("middle", mean_of(), NO_ELEMENT, dtype="float", note="overflows by magnitude; NumPy: the mean of the middle two"),
    _row("mode", kept(), returns="pair"),
    _row("quantile", mean_of(), dtype="float", count="any"),
    _row("nanquantile", mean_of(), dtype="float", count="any", guard="select"),
    _row("prod", _prod, marks="product", dtype="sum", note=BY_MAGNITUDE),
    _row("trapezoid", _trapezoid, dtype="float", terms="opaque", note=BY_MAGNITUDE),
    _spread("std", _std, "std spread"),
    _spread("var", _var, "variance spread"),
    _spread("std_mean", _std_mean, returns="list", parts=("std", "mean")),
    _spread("var_mean", _var_mean, returns="list", parts=("var", "mean")),
    _row("ptp", _ptp, marks="spread", note=BY_MAGNITUDE),
    _row("amax", kept(), marks="max"),
    _row("amin", kept(), marks="min"),
    _row("aminmax", kept(), returns="list", parts=("amin", "amax")),
    _row("max", kept(), marks="max", returns=_pair_along_dim),
    _row("min", kept(), marks="min", returns=_pair_along_dim),
    _argmax("argmax"),
    _argmax("argmin"),
    _flag("any"),
    _flag("all"),
    _row("logsumexp", _logsumexp, MASKED_GRADIENT, marks="log", dtype="float", note=BY_MAGNITUDE),
    _along_dim("logcumsumexp", _logsumexp, marks="log", dtype="float"),
    _along_dim("cumsum", _cumsum, marks="sum", dtype="sum", note=BY_MAGNITUDE),
    _along_dim("cumprod", _prod, marks="product", dtype="sum", note=BY_MAGNITUDE),
    _along_dim("cummax", kept(), returns="pair"),
    _along_dim("cummin", kept(), returns="pair"),
    _along_dim("diff", _diff, marks="subtraction", count="any", note=BY_MAGNITUDE),
    _along_dim("softmax", _softmax, MASKED, marks=SOFTMAX, ground="closed", dtype="arg"),
    _along_dim("softmin", _softmax, MASKED_MIN, marks=SOFTMAX, ground="closed", dtype="arg"),
    _along_dim("log_softmax", _log_softmax, MASKED, marks="log logprobability", dtype="arg"),
    _along_dim("gumbel_softmax", fixed(0, 1), MASKED, marks=SOFTMAX, ground="closed", terms="random",
               note="breaks in other ways: a small tau overflows"),
    _along_dim("masked_softmax", fixed(0, 1), marks=SOFTMAX, ground="closed", note="0 where all is -inf"),
    _size("numel", counted, marking=_size_marks),
    _size("size", returns=_size_returns, marking=_size_marks),
    _size("len", marking=_size_marks),
    _size("shape", returns="list", marking=_size_marks),
    _size("dim", fixed(0, 64), marks="size"),
    _row("count_nonzero", count_image, marks="count mask", gradient="stops", dtype="int64"),
    _tally("bincount", _bincount),
    _tally("histogram", nonnegative, dtype="same", returns="list"),
    _tally("histc", nonnegative, dtype="same"),
    _row("cov", unknown, terms="opaque", dtype="float", count="any", note=BY_MAGNITUDE),
    _row("corrcoef", _corr, terms="opaque", dtype="float", count="any", note="breaks in other ways: constant rows give NaN"),
)
