"""Reductions: sum, mean, std, max, logsumexp, softmax, cumulative sums, quantiles, counts."""

from __future__ import annotations

import math

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
from nanlint.ops.spec import MISSING, Bound, Break, Op

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
    "std-one", "input", when(lambda b: correction(b) == 1.0, at(1.0)), of="count", says="with one element, n - 1 is 0 and the result is NaN"
)
SPREAD_BREAKS = (STD_ONE, NO_ELEMENT)


# ---- extremes --------------------------------------------------------------------------------------


def _pair_along_dim(b: Bound) -> str:
    return "pair" if given(b, "dim") else "tensor"


ARGMAX_CUT = Break("argmax-cut", "input", always(), where="graph", result="cut", says="an index has no gradient")


def _argmax(name: str) -> Op:
    return Op(name, index_image, (ARGMAX_CUT,), terms="reduces", gradient="cuts", dtype="int64", count="reduces", marks=frozenset({"index"}))


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


def _logcumsumexp(b: Bound) -> Interval:
    return _logsumexp(b)


MASKED = Break("softmax-masked", "input", at(-INF), says="softmax of a row that is -inf everywhere is NaN")
MASKED_GRADIENT = Break(
    "softmax-masked", "input", at(-INF), where="gradient", says="the gradient of logsumexp of a row that is -inf everywhere is NaN"
)
SOFTMAX_MARKS = frozenset({"softmax", "probability"})
LOG_SOFTMAX_MARKS = frozenset({"log", "logprobability"})


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


def _size(name: str, returns: object = "number") -> Op:
    return Op(
        name, _along, terms="creates", gradient="stops", ground="config", marks=frozenset({"size", "count"}), dtype="pyint", count="one",
        returns=returns if isinstance(returns, str) else _size_returns, marking=_size_marks,
    )


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


ROWS: tuple[Op, ...] = (
    Op("sum", summed, terms="reduces", dtype="sum", count="reduces", marks=frozenset({"sum"}), marking=_counting, note="overflows by magnitude"),
    Op("nansum", summed, terms="reduces", dtype="sum", count="reduces", marks=frozenset({"sum"}), marking=_counting, guard="select", note="overflows by magnitude"),
    Op("mean", mean_of(), (EMPTY,), terms="reduces", dtype="float", count="reduces", marks=frozenset({"mean"}), marking=_selected, note="overflows by magnitude"),
    Op("nanmean", mean_of(), (EMPTY,), terms="reduces", dtype="float", count="reduces", marks=frozenset({"mean"}), guard="select", note="overflows by magnitude"),
    Op("average", _average, (EMPTY,), terms="reduces", dtype="float", count="reduces", marks=frozenset({"mean"}), note="overflows by magnitude"),
    Op("median", kept(), (NO_ELEMENT,), terms="reduces", count="reduces", returns=_pair_along_dim),
    Op("nanmedian", kept(), (NO_ELEMENT,), terms="reduces", count="reduces", returns=_pair_along_dim, guard="select"),
    Op("middle", mean_of(), (NO_ELEMENT,), terms="reduces", dtype="float", count="reduces", note="overflows by magnitude; NumPy: the mean of the middle two"),
    Op("mode", kept(), terms="reduces", count="reduces", returns="pair"),
    Op("quantile", mean_of(), terms="reduces", dtype="float", count="any"),
    Op("nanquantile", mean_of(), terms="reduces", dtype="float", count="any", guard="select"),
    Op("prod", _prod, terms="reduces", dtype="sum", count="reduces", marks=frozenset({"product"}), note="overflows by magnitude"),
    Op("cumsum", _cumsum, terms="opaque", dtype="sum", marks=frozenset({"sum"}), note="overflows by magnitude"),
    Op("cumprod", _prod, terms="opaque", dtype="sum", marks=frozenset({"product"}), note="overflows by magnitude"),
    Op("cummax", kept(), terms="opaque", returns="pair"),
    Op("cummin", kept(), terms="opaque", returns="pair"),
    Op("diff", _diff, terms="opaque", count="any", marks=frozenset({"subtraction"}), note="overflows by magnitude"),
    Op("trapezoid", _trapezoid, terms="opaque", count="reduces", dtype="float", note="overflows by magnitude"),
    Op("std", _std, SPREAD_BREAKS, terms="reduces", dtype="float", count="reduces", marks=frozenset({"std", "spread"}), note="overflows by magnitude"),
    Op("var", _var, SPREAD_BREAKS, terms="reduces", dtype="float", count="reduces", marks=frozenset({"variance", "spread"}), note="overflows by magnitude"),
    Op("std_mean", _std_mean, SPREAD_BREAKS, terms="reduces", dtype="float", count="reduces", returns="list", parts=("std", "mean"), note="overflows by magnitude"),
    Op("var_mean", _var_mean, SPREAD_BREAKS, terms="reduces", dtype="float", count="reduces", returns="list", parts=("var", "mean"), note="overflows by magnitude"),
    Op("ptp", _ptp, terms="reduces", count="reduces", marks=frozenset({"spread"}), note="overflows by magnitude"),
    Op("amax", kept(), terms="reduces", count="reduces", marks=frozenset({"max"})),
    Op("amin", kept(), terms="reduces", count="reduces", marks=frozenset({"min"})),
    Op("aminmax", kept(), terms="reduces", count="reduces", returns="list", parts=("amin", "amax")),
    Op("max", kept(), terms="reduces", count="reduces", marks=frozenset({"max"}), returns=_pair_along_dim),
    Op("min", kept(), terms="reduces", count="reduces", marks=frozenset({"min"}), returns=_pair_along_dim),
    _argmax("argmax"),
    _argmax("argmin"),
    Op("any", fixed(0, 1), terms="reduces", gradient="cuts", ground="closed", dtype="bool", count="reduces", marks=frozenset({"mask"})),
    Op("all", fixed(0, 1), terms="reduces", gradient="cuts", ground="closed", dtype="bool", count="reduces", marks=frozenset({"mask"})),
    Op("count_nonzero", count_image, terms="reduces", gradient="stops", dtype="int64", count="reduces", marks=frozenset({"count", "mask"})),
    Op("logsumexp", _logsumexp, (MASKED_GRADIENT,), terms="reduces", dtype="float", count="reduces", marks=frozenset({"log"}), note="overflows by magnitude"),
    Op("logcumsumexp", _logcumsumexp, terms="opaque", dtype="float", marks=frozenset({"log"})),
    Op("softmax", _softmax, (MASKED,), terms="opaque", ground="closed", dtype="arg", marks=SOFTMAX_MARKS),
    Op("softmin", _softmax, terms="opaque", ground="closed", dtype="arg", marks=SOFTMAX_MARKS),
    Op("log_softmax", _log_softmax, (MASKED,), terms="opaque", dtype="arg", marks=LOG_SOFTMAX_MARKS),
    Op("gumbel_softmax", fixed(0, 1), (MASKED,), terms="random", ground="closed", marks=SOFTMAX_MARKS, note="breaks in other ways; overflows by magnitude"),
    Op("masked_softmax", fixed(0, 1), terms="opaque", ground="closed", marks=SOFTMAX_MARKS, note="0 where the mask is false everywhere"),
    Op("numel", counted, terms="creates", gradient="stops", ground="config", marks=frozenset({"size", "count"}), dtype="pyint", count="one",
       returns="number", marking=_size_marks),
    _size("size", _size_returns),
    _size("len"),
    _size("shape", "list"),
    Op("dim", fixed(0, 64), terms="creates", gradient="stops", ground="config", marks=frozenset({"size"}), dtype="pyint", count="one", returns="number"),
    Op("bincount", _bincount, terms="opaque", gradient="stops", dtype="int64", count="any", marks=frozenset({"count"})),
    Op("histogram", nonnegative, terms="opaque", gradient="stops", count="any", marks=frozenset({"count"}), returns="list"),
    Op("histc", nonnegative, terms="opaque", gradient="stops", count="any", marks=frozenset({"count"})),
    Op("cov", unknown, terms="opaque", dtype="float", count="any", note="overflows by magnitude"),
    Op("corrcoef", _corr, terms="opaque", dtype="float", count="any", note="breaks in other ways; overflows by magnitude"),
)
