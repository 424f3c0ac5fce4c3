"""Trigonometry, hyperbolic functions, and other special functions of one variable."""

from __future__ import annotations

import math
from collections.abc import Callable

from nanlint import interval as iv
from nanlint.interval import INF, Interval, limits, meet_or, monotone, next_down, next_up, round_to
from nanlint.ops import make
from nanlint.ops.make import above, below, beyond, either, even, falling, fixed, from_threshold, number, point, rising, when
from nanlint.ops.pointwise import SINH_OVERFLOW
from nanlint.ops.spec import Bound, Break, Image, Op, Zone

BETWEEN = "ends not attained: the extremes lie between telling floats, far arguments are not followed"
#: Beyond this magnitude the phase of an argument is not followed.
FAR = 1e6


# ---- periodic ------------------------------------------------------------------------------------


def _wave(f: Callable[[float], float], peak: float) -> Image:
    """The image of a wave of period 2 pi between -1 and 1 that has a peak at one phase."""

    def image(b: Bound) -> Interval:
        a = b.r()
        if not a.finite or a.ceiling > FAR or a.hi - a.lo >= 2 * math.pi:
            return Interval(-1.0, 1.0)
        ends = [round_to(f(a.lo), b.dtype), round_to(f(a.hi), b.dtype)]
        top = 1.0 if _reaches(a, peak) else max(ends)
        bottom = -1.0 if _reaches(a, peak + math.pi) else min(ends)
        return meet_or(iv.spread(Interval(bottom, top), b.dtype), Interval(-1.0, 1.0))

    return image


def _reaches(a: Interval, phase: float) -> bool:
    """Whether a range holds a number with this phase."""
    turns = math.ceil((a.lo - phase) / (2 * math.pi))
    return phase + turns * 2 * math.pi <= a.hi


def _tan(b: Bound) -> Interval:
    """Rising between two poles; no float is a pole, but all that follows from that is that it is finite."""
    a = b.r()
    if a.finite and a.ceiling < FAR and not _reaches(Interval(2 * a.lo, 2 * a.hi), math.pi):
        return monotone(math.tan, a, b.dtype)
    return Interval.everything(b.dtype)


PI = {name: round_to(math.pi, name) for name in ("float16", "bfloat16", "float32", "float64")}


def _atan2(b: Bound) -> Interval:
    """Corners where the second argument is positive; the half plane otherwise."""
    pi = PI.get(b.dtype, math.pi)
    y, x = b.r(), b.r("other")
    if x.lo > 0.0:
        return iv.spread(iv.corners(math.atan2, y, x, b.dtype), b.dtype)
    return Interval(-pi if y.lo < 0.0 or y.contains(0.0) else 0.0, pi if y.hi >= 0.0 else 0.0)


ARC = (
    Break("arc-outside", "input", beyond(1.0), says="outside [-1, 1] it is NaN"),
    Break("arc-edge", "input", either(1.0), "gradient", "inf", says="the gradient is infinite at -1 and 1"),
)
POLES = (
    Break("arc-outside", "input", beyond(1.0), says="outside [-1, 1] it is NaN"),
    Break("arc-edge", "input", either(1.0), result="inf", says="at -1 and 1 it is infinite"),
)


PERIODIC = (
    Op("sin", _wave(math.sin, math.pi / 2), dtype="float", ground="closed", note=BETWEEN),
    Op("cos", _wave(math.cos, 0.0), dtype="float", ground="closed", note=BETWEEN),
    Op("tan", _tan, dtype="float", note=f"{BETWEEN}; overflows by magnitude"),
    Op("sinc", fixed(-0.2173, 1.0), dtype="float", note=f"{BETWEEN}; breaks in other ways: NaN at the largest number, pi times which overflows"),
    Op("asin", rising(math.asin, (-1.0, 1.0)), ARC, dtype="float"),
    Op("acos", falling(math.acos, (-1.0, 1.0), floor=0.0), ARC, dtype="float", ground="inherit"),
    Op("atan", rising(math.atan), dtype="float"),
    Op("atan2", _atan2, dtype="float", note="ends not attained: quadrants are not told apart"),
    Op("deg2rad", rising(lambda x: x * (math.pi / 180)), dtype="float"),
    Op("rad2deg", rising(lambda x: x * (180 / math.pi)), dtype="float", note="overflows by magnitude"),
)


# ---- hyperbolic ----------------------------------------------------------------------------------


def _overflow() -> tuple[Break, ...]:
    return (Break("exp-overflow", "input", from_threshold(SINH_OVERFLOW, sign=0), result="inf", says="it overflows to infinity like exp"),)


def _open_unit(f: Callable[[float], float], low: float = -1.0, high: float = 1.0, ulps: int = 2) -> Image:
    """The image of a rising function with poles at both ends of its domain: from the next float to the last before."""

    def image(b: Bound) -> Interval:
        dtype = make.dtype_of(b, "input")
        inside = b.r().meet(Interval(next_up(low, dtype), next_down(high, dtype)))
        return monotone(f, inside, b.dtype, ulps=ulps) if inside is not None else Interval.everything(b.dtype)

    return image


HYPERBOLIC = (
    Op("sinh", rising(math.sinh), _overflow(), dtype="float",
       note="overflows by magnitude: a vectorised kernel from exp's threshold on, half a unit before the zone"),
    Op("cosh", even(math.cosh, floor=1.0), _overflow(), dtype="float",
       note="overflows by magnitude: a vectorised kernel from exp's threshold on, half a unit before the zone"),
    Op("asinh", rising(math.asinh), dtype="float"),
    Op("acosh", rising(math.acosh, (1.0, INF), floor=0.0),
       (Break("arc-outside", "input", below(1.0), says="below 1 it is NaN"),
        Break("arc-edge", "input", point(1.0), "gradient", "inf", says="the gradient is infinite at 1")), dtype="float"),
    Op("atanh", _open_unit(math.atanh), POLES, dtype="float"),
)


# ---- errors, gammas ------------------------------------------------------------------------------


def _inverse_erf(x: float) -> float:
    """erf's inverse by Newton's method from Winitzki's start; odd, for |x| < 1."""
    if x == 0.0:
        return 0.0
    size = abs(x)
    log = math.log1p(-size * size)
    a = 0.147
    middle = 2 / (math.pi * a) + log / 2
    guess = math.sqrt(math.sqrt(middle * middle - log / a) - middle)
    for _ in range(12):
        slope = 2 / math.sqrt(math.pi) * math.exp(-guess * guess)
        if slope == 0.0:
            break
        error = (math.erfc(guess) - (1.0 - size)) if size > 0.5 else (size - math.erf(guess))
        guess += error / slope
    return math.copysign(guess, x)


def _erf(b: Bound) -> Interval:
    """Kernels of half precision are off by 2e-7."""
    exact = monotone(math.erf, b.r(), b.dtype)
    slack = 2.4e-7 if b.dtype in ("float16", "bfloat16") else 0.0
    return meet_or(iv.spread(Interval(exact.lo - slack, exact.hi + slack), b.dtype), Interval(-1.0, 1.0))


def _lgamma(b: Bound) -> Interval:
    """Above 0 a valley (least value -0.1215 at 1.4616); below 0 anything."""
    if b.r().lo <= 0.0:
        return Interval(-limits(b.dtype).max, limits(b.dtype).max)
    exact = make.valley(math.lgamma, 1.4616321, -0.1214863)(b)
    return iv.spread(Interval(exact.lo - 8 * limits(b.dtype).eps, exact.hi + 8 * limits(b.dtype).eps), b.dtype, 8)


#: Poles of the gamma function lie at all whole numbers below 1; the zone names the one that matters.
GAMMA_POLE = Break("gamma-pole", "input", point(0.0), result="inf", says="the gamma function has a pole at 0")
BELOW_ZERO = "breaks in other ways: poles at whole numbers below 0 too; ends not attained: below 0 nothing is followed"
LOOSE = "ends not attained: a wide range for all arguments"
#: pi as the coarsest dtype writes it (bfloat16: 3.140625, float16: 3.140625; float32 rounds it up), and a little more.
ANGLE = 3.1416
QUANTILE = (
    Break("arc-outside", "input", below(0.0), says="outside [0, 1] the normal quantile is NaN"),
    Break("arc-outside", "input", above(1.0), says="outside [0, 1] the normal quantile is NaN"),
    Break("arc-edge", "input", point(0.0), result="-inf", says="the normal quantile of 0 is -inf"),
    Break("arc-edge", "input", point(1.0), result="inf", says="the normal quantile of 1 is infinite"),
)


def _eps(b: Bound) -> float | None:
    """The eps of logit in the dtype; None where none is given."""
    eps = number(b, "eps", -1.0)
    return None if eps is None or eps < 0.0 else round_to(eps, b.dtype)


def _no_eps(b: Bound) -> bool:
    return _eps(b) is None


def _logit_edge(low: bool) -> Zone:
    """0 or 1, and what eps clamps to it in the dtype (1 - 1e-8 is 1 in float32)."""

    def zone(b: Bound) -> Interval | None:
        eps, whole = _eps(b), Interval.everything(make.dtype_of(b, "input"))
        if eps is None:
            return Interval.point(0.0 if low else 1.0)
        if low:
            return Interval(whole.lo, 0.0) if eps == 0.0 else None
        return Interval(1.0, whole.hi) if round_to(1.0 - eps, b.dtype) == 1.0 else None

    return zone


def _logit_of(x: float) -> float:
    return math.log(x) - math.log1p(-x)


def _logit(b: Bound) -> Interval:
    eps, dtype = _eps(b), b.dtype
    low, high = next_up(0.0, dtype), next_down(1.0, dtype)
    if eps is not None:
        low, high = max(eps, low), min(round_to(1.0 - eps, dtype), high)
        exact = monotone(_logit_of, meet_or(b.r(), Interval(low, high)), dtype)
    else:
        inside = b.r().meet(Interval(low, high))
        if inside is None:
            return Interval.everything(dtype)
        exact = monotone(_logit_of, inside, dtype)
    slack = 4 * limits(dtype).eps
    return Interval(exact.lo - slack, exact.hi + slack)


def _normal(x: float) -> float:
    """The normal distribution's probability of less than x."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def _ndtr(b: Bound) -> Interval:
    """Kernels of half precision add erf to 1: an eps is lost."""
    exact, slack = monotone(_normal, b.r(), b.dtype), limits(b.dtype).eps
    return meet_or(Interval(exact.lo - slack, exact.hi + slack), Interval(0.0, 1.0))


def _entropy(b: Bound) -> Interval:
    """-x log x: a hump of 1/e at 1/e, 0 at 0 and 1, falling beyond."""
    inside = b.r().meet(Interval(0.0, INF))
    if inside is None:
        return Interval.everything(b.dtype)
    ends = [-x * math.log(x) if x > 0.0 else 0.0 for x in (inside.lo, inside.hi)]
    top = math.exp(-1.0) if inside.contains(math.exp(-1.0)) else max(ends)
    hull = iv.cast(Interval(min(ends), top), b.dtype)
    slack = 2 * limits(b.dtype).eps * min(abs(hull.lo) + 1.0, 2.0)
    return iv.spread(Interval(hull.lo - slack if inside.hi > 0.9 else hull.lo, hull.hi + slack), b.dtype, 4)


SPECIAL = (
    Op("erf", _erf, dtype="float", ground="closed", note="ends not attained: near 0 half precision is coarse"),
    Op("erfc", falling(math.erfc, floor=0.0, ceiling=2.0), dtype="float", ground="closed", marks=frozenset({"probability"})),
    Op("erfinv", _open_unit(_inverse_erf, ulps=8), POLES, dtype="float"),
    Op("lgamma", _lgamma, (GAMMA_POLE,), dtype="float", note=f"overflows by magnitude; {BELOW_ZERO}"),
    Op("digamma", make.everything, (GAMMA_POLE,), dtype="float", note=f"overflows by magnitude; {BELOW_ZERO}"),
    Op("polygamma", make.everything, (GAMMA_POLE,), dtype="float", note=f"overflows by magnitude; {BELOW_ZERO}"),
    Op("logit", _logit,
       (Break("arc-outside", "input", when(_no_eps, below(0.0)), says="outside [0, 1] the log-odds are NaN"),
        Break("arc-outside", "input", when(_no_eps, above(1.0)), says="outside [0, 1] the log-odds are NaN"),
        Break("arc-edge", "input", _logit_edge(True), result="-inf", says="the log-odds of 0 are -inf"),
        Break("arc-edge", "input", _logit_edge(False), result="inf", says="the log-odds of 1 are infinite")),
       dtype="float", marks=frozenset({"log"}), note="ends not attained: near 1/2 kernels cancel"),
    Op("ndtr", _ndtr, dtype="float", ground="closed", marks=frozenset({"probability"}),
       note="ends not attained: the lower tail cancels"),
    Op("ndtri", fixed(-39.0, 39.0), QUANTILE, dtype="float", note=f"overflows by magnitude; {LOOSE}"),
    Op("log_ndtr", lambda b: Interval(Interval.everything(b.dtype).lo, 0.0), dtype="float", marks=frozenset({"log"}),
       note=f"overflows by magnitude; {LOOSE}"),
    Op("erfcx", lambda b: Interval(0.0, Interval.everything(b.dtype).hi), dtype="float", note=f"overflows by magnitude; {LOOSE}"),
    Op("i0", lambda b: Interval(0.99, Interval.everything(b.dtype).hi), dtype="float", note=f"overflows by magnitude; {LOOSE}"),
    Op("i0e", fixed(0.0, 1.01), dtype="float", note=LOOSE),
    Op("i1", make.everything, dtype="float", note=f"overflows by magnitude; {LOOSE}"),
    Op("i1e", fixed(-0.22, 0.22), dtype="float", note=LOOSE),
    Op("angle", fixed(-ANGLE, ANGLE), dtype="float", note=f"{LOOSE}; a real number's is 0 or pi"),
    Op("entr", _entropy,
       (Break("log-zero", "input", point(0.0), "gradient", "inf", says="the gradient of -x log x is infinite at 0"),
        Break("log-negative", "input", below(0.0), result="-inf", says="the entropy of a negative number is -inf")),
       dtype="float", note="overflows by magnitude; ends not attained: the hump lies between telling floats"),
)


ROWS = (*PERIODIC, *HYPERBOLIC, *SPECIAL)
