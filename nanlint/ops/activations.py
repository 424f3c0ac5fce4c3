"""Activations: what squashes, cuts and bends (torch.nn.functional)."""

from __future__ import annotations

import math
from collections.abc import Callable

from nanlint import interval as iv
from nanlint.interval import INF, Interval, limits, meet_or, monotone
from nanlint.ops.make import number, on, rising, valley
from nanlint.ops.spec import Bound, Op

CLOSE_TO_ZERO = "ends not attained: kernels cancel where the result is small"


def _word(*words: str) -> frozenset[str]:
    return frozenset(words)


# ---- squashing -----------------------------------------------------------------------------------


def logistic(x: float) -> float:
    """1 / (1 + exp(-x)), never raising."""
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    grown = math.exp(x)
    return grown / (1.0 + grown)


def _sigmoid(b: Bound) -> Interval:
    """Kernels compute 1 / (1 + exp(-x)): exactly 0 as soon as exp(-x) overflows (facts: -88.73 in float32)."""
    lowest = -709.78 if b.dtype in ("float64", "pyfloat") else -88.72
    image = on(b, logistic, 0.0, 1.0)
    return Interval(0.0, image.hi) if b.r().lo < lowest else image


def _hardsigmoid(x: float) -> float:
    return min(max(x + 3.0, 0.0), 6.0) / 6.0


def _tanh_image(b: Bound) -> Interval:
    return on(b, math.tanh, -1.0, 1.0)


def _softsign(x: float) -> float:
    return x / (1.0 + abs(x)) if math.isfinite(x) else math.copysign(1.0, x)


SQUASHING = (
    Op("sigmoid", _sigmoid, dtype="float", ground="closed", marks=_word("sigmoid", "probability")),
    Op("hardsigmoid", rising(_hardsigmoid, floor=0.0, ceiling=1.0), dtype="float", ground="closed", marks=_word("probability"), gradient="select",
       note="ends not attained: the kernel rounds (x + 3) first"),
    Op("tanh", _tanh_image, dtype="float", ground="closed", marks=_word("tanh")),
    Op("softsign", rising(_softsign, floor=-1.0, ceiling=1.0), dtype="float", ground="closed"),
)


# ---- softened relus ------------------------------------------------------------------------------


def softplus(x: float) -> float:
    """log(1 + exp(x)), never raising."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _softplus(b: Bound) -> Interval:
    beta, threshold = number(b, "beta", 1.0), number(b, "threshold", 20.0)
    if beta is None or threshold is None or beta <= 0.0:
        return Interval(0.0, limits(b.dtype).max)

    def bent(x: float) -> float:
        return x if x * beta > threshold else softplus(x * beta) / beta

    image = iv.spread(on(b, bent, floor=0.0), b.dtype, 4, floor=0.0)
    edge = threshold / beta
    if b.r().lo <= edge <= b.r().hi:  # just below the threshold the curve is higher than just above it
        image = image.join(Interval.point(iv.round_to(softplus(edge * beta) / beta, b.dtype)))
    return image


def _logsigmoid(x: float) -> float:
    return -softplus(-x)


def _elu(b: Bound) -> Interval:
    alpha = number(b, "alpha", 1.0)
    if alpha is None or alpha < 0.0:
        return b.r().join(Interval.everything(b.dtype))
    return on(b, lambda x: x if x > 0.0 else alpha * math.expm1(x), floor=iv.next_down(-alpha, b.dtype))


def _celu(b: Bound) -> Interval:
    alpha = number(b, "alpha", 1.0)
    if alpha is None or alpha <= 0.0:
        return Interval.everything(b.dtype)
    return on(b, lambda x: x if x > 0.0 else alpha * math.expm1(x / alpha))


SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def _selu(x: float) -> float:
    return SELU_SCALE * (x if x > 0.0 else SELU_ALPHA * math.expm1(x))


def _silu(x: float) -> float:
    return x * logistic(x) if x > -700.0 else -0.0


def _mish(x: float) -> float:
    return x * math.tanh(softplus(x)) if x > -700.0 else -0.0


def _faint(f: Callable[[float], float], bottom: float, floor: float) -> Callable[[Bound], Interval]:
    """A valley whose kernel loses what is smaller than float32's normal numbers: below -87 it may be exactly 0."""
    exact = valley(f, bottom, floor)

    def image(b: Bound) -> Interval:
        found, slack = exact(b), 8.0 * limits("float64" if b.dtype == "float64" else "float32").tiny
        low = found.lo - slack if b.r().lo < 0.0 else found.lo
        return Interval(low, min(found.hi + slack, 0.0) if b.r().hi <= 0.0 else found.hi)

    return image


def _gelu(x: float) -> float:
    return 0.5 * x * math.erfc(-x / math.sqrt(2.0)) if math.isfinite(x) else max(x, 0.0)


def _gelu_image(b: Bound) -> Interval:
    """Kernels add erf to 1: an error of some eps times |x| where the result is small."""
    exact = valley(_gelu, -0.7517915, -0.1700408)(b)
    if b.const("approximate", "none") != "none":  # the tanh form is off by 5e-4
        exact = Interval(exact.lo - 5e-4, min(exact.hi + 5e-4, 0.0) if b.r().hi <= 0.0 else exact.hi + 5e-4)
        return exact if b.r().lo < 0.0 else Interval(max(exact.lo, 0.0), exact.hi)
    slack = max(4.0 * limits(b.dtype).eps * min(b.r().ceiling, 30.0), 8.0 * limits("float64" if b.dtype == "float64" else "float32").tiny)
    if b.r().lo >= 0.0:
        return Interval(max(exact.lo - 8.0 * limits("float32").tiny, 0.0), exact.hi) if exact.lo < 1e-30 else exact
    return Interval(exact.lo - slack, min(exact.hi + slack, 0.0) if b.r().hi <= 0.0 else exact.hi)


SOFTENED = (
    Op("softplus", _softplus, dtype="float", marks=_word("softplus")),
    Op("logsigmoid", rising(_logsigmoid, ceiling=0.0), dtype="float", marks=_word("log")),
    Op("elu", _elu, dtype="float", note="overflows by magnitude"),
    Op("celu", _celu, dtype="float"),
    Op("selu", rising(_selu), dtype="float", note="overflows by magnitude"),
    Op("silu", _faint(_silu, -1.2784645, -0.2784646), dtype="float", note=CLOSE_TO_ZERO),
    Op("mish", _faint(_mish, -1.1924, -0.3088402), dtype="float", note=CLOSE_TO_ZERO),
    Op("gelu", _gelu_image, dtype="float", note=f"{CLOSE_TO_ZERO}; overflows by magnitude; breaks in other ways: approximate tanh squares x"),
)


# ---- cutting -------------------------------------------------------------------------------------


def _cut(lowest: str, highest: str, low: float, high: float) -> Callable[[Bound], Interval]:
    """Between two settings of the call, given defaults."""

    def image(b: Bound) -> Interval:
        bottom, top = number(b, lowest, low), number(b, highest, high)
        if bottom is None or top is None:
            return Interval.everything(b.dtype)
        return meet_or(b.r(), Interval(iv.round_to(bottom, b.dtype), iv.round_to(top, b.dtype)))

    return image


def _hardswish(x: float) -> float:
    return x * min(max(x + 3.0, 0.0), 6.0) / 6.0 if x > -3.0 else -0.0


def _leaky(name: str, default: float) -> Callable[[Bound], Interval]:
    def image(b: Bound) -> Interval:
        slope = number(b, name, default)
        if slope is None:
            return b.r().join(iv.mul(b.r(), b.r(name), b.dtype))
        return b.r().join(iv.ZERO) if slope < 0.0 else on(b, lambda x: x if x > 0.0 else iv.round_to(slope, "float32") * x if _half(b) else slope * x)

    return image


def _half(b: Bound) -> bool:
    return b.dtype in ("float16", "bfloat16", "float32")


def _prelu(b: Bound) -> Interval:
    negative = b.r().meet(Interval(-INF, 0.0))
    kept = b.r().meet(Interval(0.0, INF))
    bent = iv.mul(negative, b.r("weight"), b.dtype) if negative is not None else None
    return kept.join(bent) if kept is not None and bent is not None else kept or bent or Interval.everything(b.dtype)


def _rrelu(b: Bound) -> Interval:
    low, high = number(b, "lower", 1 / 8), number(b, "upper", 1 / 3)
    if low is None or high is None:
        return Interval.everything(b.dtype)
    kept = meet_or(b.r(), Interval(0.0, INF))
    bent = iv.mul(meet_or(b.r(), Interval(-INF, 0.0)), Interval(low, high), b.dtype)
    return iv.spread(kept.join(bent), b.dtype)


def _shrunk(b: Bound, move: bool) -> Interval:
    """Values within lambd become 0, others move towards 0 by it (soft) or stay (hard)."""
    size = number(b, "lambd", 0.5)
    if size is None or size < 0.0:
        return Interval.everything(b.dtype)
    step = size if move else 0.0
    return on(b, lambda x: x - math.copysign(step, x) if abs(x) > size else 0.0)


def _threshold(b: Bound) -> Interval:
    kept = b.r().meet(Interval(iv.next_up(b.r("threshold").lo, b.dtype), INF))
    value = iv.cast(b.r("value"), b.dtype)
    if kept is None:
        return value
    return kept if b.r().lo > b.r("threshold").hi else kept.join(value)


def _tanhshrink(b: Bound) -> Interval:
    """x - tanh(x): what is left of small x is rounding."""
    exact = monotone(lambda x: x - math.tanh(x), b.r(), b.dtype)
    slack = 2.0 * limits(b.dtype).eps * min(1.0, b.r().ceiling)
    return Interval(exact.lo - slack, exact.hi + slack)


CUTTING = (
    Op("relu", lambda b: meet_or(b.r(), Interval(0.0, INF)), gradient="select", ground="closed", marks=_word("relu")),
    Op("relu6", lambda b: meet_or(b.r(), Interval(0.0, 6.0)), gradient="select", ground="closed", marks=_word("relu")),
    Op("hardtanh", _cut("min_val", "max_val", -1.0, 1.0), gradient="select", ground="closed"),
    Op("hardswish", valley(_hardswish, -1.5, -0.375), dtype="float", note=f"{CLOSE_TO_ZERO}; overflows by magnitude"),
    Op("leaky_relu", _leaky("negative_slope", 0.01)),
    Op("prelu", _prelu, note="overflows by magnitude"),
    Op("rrelu", _rrelu, note="ends not attained: slopes are drawn"),
    Op("softshrink", lambda b: _shrunk(b, True), gradient="select"),
    Op("hardshrink", lambda b: _shrunk(b, False), gradient="select"),
    Op("threshold", _threshold, gradient="select", ground="closed", note="ends not attained: the first float above the threshold is no telling one"),
    Op("tanhshrink", _tanhshrink, dtype="float", note=CLOSE_TO_ZERO),
)

ROWS = (*SQUASHING, *SOFTENED, *CUTTING)
