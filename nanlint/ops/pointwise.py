"""Arithmetic, roots and powers, exponentials and logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable

from nanlint import interval as iv
from nanlint.interval import INF, Interval, is_integer
from nanlint.ops import make
from nanlint.ops.make import below, falling, from_threshold, point, rising, tiny, when, zero
from nanlint.ops.spec import Bound, Break, Op

#: From here on exp(x) is infinite (facts/torch_thresholds.csv; one ulp earlier it is finite).
EXP_OVERFLOW = {"float16": 11.09375, "bfloat16": 89.0, "float32": 88.72283935546875, "float64": 709.7827128933841, "pyfloat": 709.7827128933841}
EXP2_OVERFLOW = {"float16": 16.0, "bfloat16": 128.0, "float32": 128.0, "float64": 1024.0, "pyfloat": 1024.0}
#: From here on sinh and cosh of a vectorised kernel are infinite (one element alone lasts 0.7 longer in float32).
SINH_OVERFLOW = {"float16": 11.7890625, "bfloat16": 89.5, "float32": 89.41598629223294, "float64": 710.4758600739439, "pyfloat": 710.4758600739439}


# ---- arithmetic ----------------------------------------------------------------------------------


def _scaled_other(b: Bound) -> Interval:
    """alpha * other; other where alpha is not given."""
    if not b.has("alpha") or b.const("alpha") == 1:
        return b.r("other")
    return iv.mul(b.r("alpha"), b.r("other"), b.dtype)


def _add(b: Bound) -> Interval:
    return iv.add(b.r(), _scaled_other(b), b.dtype)


def _sub(b: Bound) -> Interval:
    if b.same("input", "other") and b.const("alpha", 1) == 1:
        return iv.ZERO
    return iv.sub(b.r(), _scaled_other(b), b.dtype)


def _rsub(b: Bound) -> Interval:
    scaled = b.r() if b.const("alpha", 1) == 1 else iv.mul(b.r("alpha"), b.r(), b.dtype)
    return iv.sub(b.r("other"), scaled, b.dtype)


def _mul(b: Bound) -> Interval:
    return iv.square(b.r(), b.dtype) if b.same("input", "other") else iv.mul(b.r(), b.r("other"), b.dtype)


def _div(b: Bound) -> Interval:
    if b.same("input", "other"):
        return Interval.point(1.0)
    mode = b.const("rounding_mode", None)
    if mode in ("floor", "trunc"):
        return _rounded_quotient(b, _floor if mode == "floor" else _trunc)
    quotient = iv.div(b.r(), b.r("other"), b.dtype)
    return quotient if mode is None else quotient.join(_rounded_quotient(b, _floor))


def _rounded_quotient(b: Bound, cut: Callable[[float], float]) -> Interval:
    """Quotients cut to whole numbers before they are rounded to the dtype."""
    divisors = b.r("other").without(iv.ZERO)
    if divisors is None:
        return Interval.everything(b.dtype)
    return iv.spread(iv.corners(lambda x, y: _cut_quotient(x, y, cut), b.r(), divisors, b.dtype), b.dtype)


def _cut_quotient(x: float, y: float, cut: Callable[[float], float]) -> float:
    """The whole number for x / y: floor is that of the exact quotient, trunc that of the rounded one."""
    if cut is _floor and x != 0.0 and y != 0.0 and math.isfinite(x) and math.isfinite(y):
        return x // y
    return cut(iv.quotient(x, y))


def _floor(x: float) -> float:
    return float(math.floor(x)) if math.isfinite(x) else x


def _ceil(x: float) -> float:
    return float(math.ceil(x)) if math.isfinite(x) else x


def _trunc(x: float) -> float:
    return float(math.trunc(x)) if math.isfinite(x) else x


def _floor_divide(b: Bound) -> Interval:
    return _rounded_quotient(b, _floor)


def _remainder(b: Bound) -> Interval:
    """The sign of the divisor, and below it in magnitude (rounding may reach it)."""
    d = b.r("other")
    return Interval(min(d.lo, 0.0), max(d.hi, 0.0))


def _fmod(b: Bound) -> Interval:
    """The sign of the dividend, below the divisor and not above the dividend in magnitude."""
    size, a = b.r("other").ceiling, b.r()
    return Interval(max(min(a.lo, 0.0), -size), min(max(a.hi, 0.0), size))


def _unrounded(b: Bound) -> bool:
    return b.const("rounding_mode", None) is None


def _cbrt(x: float) -> float:
    if x == 0.0 or math.isinf(x):
        return x
    mantissa, exponent = math.frexp(abs(x))
    mantissa = math.ldexp(mantissa, exponent % 3)
    root = mantissa ** (1.0 / 3.0)
    root -= (root * root * root - mantissa) / (3.0 * root * root)
    return math.copysign(math.ldexp(root, (exponent - exponent % 3) // 3), x)


DIVISOR_ZERO = Break("divisor-zero", "other", zero("other"), says="division by 0 is infinite, 0 / 0 is NaN")
DIVISOR_TINY = Break(
    "divisor-tiny", "other", when(_unrounded, tiny(1e-8, "other")), "gradient", "inf", says="the gradient of a division by less than 1e-8 exceeds 1e8"
)


def _infinite(b: Bound, arg: str) -> bool:
    return not b.r(arg).finite


ZERO_TIMES_INFINITY = (
    Break("zero-times-infinity", "input", when(lambda b: _infinite(b, "other"), point(0.0)), says="0 times infinity is NaN"),
    Break("zero-times-infinity", "other", when(lambda b: _infinite(b, "input"), point(0.0)), says="0 times infinity is NaN"),
)

ARITHMETIC = (
    Op("add", _add, guard="floor", marks=frozenset({"addition"}), note="overflows by magnitude"),
    Op("sub", _sub, marks=frozenset({"subtraction"}), note="overflows by magnitude"),
    Op("rsub", _rsub, marks=frozenset({"subtraction"}), note="overflows by magnitude"),
    Op("mul", _mul, ZERO_TIMES_INFINITY, guard="mask", note="overflows by magnitude"),
    Op("div", _div, (DIVISOR_ZERO, DIVISOR_TINY), dtype="float", note="overflows by magnitude"),
    Op("floor_divide", _floor_divide, (DIVISOR_ZERO,), gradient="cuts", note="overflows by magnitude"),
    Op("remainder", _remainder, (DIVISOR_ZERO,), note="overflows by magnitude; ends not attained: below the divisor"),
    Op("fmod", _fmod, (DIVISOR_ZERO,), note="overflows by magnitude; ends not attained: below the divisor"),
    Op("neg", lambda b: iv.neg(b.r())),
    Op("abs", lambda b: iv.absolute(b.r()), marks=frozenset({"abs"})),
    Op("reciprocal", lambda b: iv.div(Interval.point(1.0), b.r(), b.dtype),
       (Break("divisor-zero", "input", zero(), result="inf", says="1 / 0 is infinite"),
        Break("divisor-tiny", "input", tiny(1e-8, "input"), "gradient", "inf", says="the gradient of 1 / x below 1e-8 exceeds 1e16")),
       dtype="float", note="overflows by magnitude"),
    Op("cbrt", rising(_cbrt), dtype="float", marks=frozenset({"root"})),
    Op("square", lambda b: iv.square(b.r(), b.dtype), marks=frozenset({"square"}), ground="closed", note="overflows by magnitude"),
)


# ---- roots and powers ----------------------------------------------------------------------------


def _sqrt_image(b: Bound) -> Interval:
    inside = b.r().meet(Interval(0.0, INF))
    return iv.monotone(math.sqrt, inside, b.dtype, ulps=1) if inside is not None else Interval.everything(b.dtype)


def _rsqrt(x: float) -> float:
    return 1.0 / math.sqrt(x) if x > 0.0 else INF


def _power(b: Bound) -> Interval:
    """Kernels round the exponent to their dtype (0.3 is 0.3008 in bfloat16), except some paths of float32."""
    exponent = b.r("exponent")
    rounded = iv.power(b.r(), iv.cast(exponent, b.dtype), b.dtype)
    return rounded if b.dtype in ("float16", "bfloat16", "float64") else rounded.join(iv.power(b.r(), exponent, b.dtype))


def _fractional(b: Bound) -> bool:
    """Whether the exponent can be no whole number."""
    exponent = b.r("exponent")
    if is_integer(make.dtype_of(b, "exponent")):
        return False
    return not (exponent.is_point and math.isfinite(exponent.lo) and exponent.lo == math.floor(exponent.lo))


def _negative_exponent(b: Bound) -> bool:
    return b.r("exponent").lo < 0.0


def _between_zero_and_one(b: Bound) -> bool:
    return not is_integer(make.dtype_of(b, "exponent")) and b.r("exponent").touches(Interval(5e-324, math.nextafter(1.0, 0.0)))


POWER_BREAKS = (
    Break("power-pole", "input", when(_negative_exponent, point(0.0)), result="inf", says="0 to a negative power is infinite"),
    Break("power-negative", "input", when(_fractional, below(0.0)), says="a negative number to a fractional power is NaN"),
    Break("power-zero", "input", when(_between_zero_and_one, point(0.0)), "gradient", "inf",
          says="the gradient of x ** p with p below 1 is infinite at 0"),
)

ROOTS = (
    Op("sqrt", _sqrt_image,
       (Break("root-negative", "input", below(0.0), says="the root of a negative number is NaN"),
        Break("root-zero", "input", point(0.0), "gradient", "inf", says="the gradient of sqrt is infinite at 0")),
       dtype="float", marks=frozenset({"root"})),
    Op("rsqrt", falling(_rsqrt, (5e-324, INF), floor=0.0),
       (Break("root-negative", "input", below(0.0), says="the root of a negative number is NaN"),
        Break("divisor-zero", "input", point(0.0), result="inf", says="1 / sqrt(0) is infinite")),
       dtype="float", note="overflows by magnitude"),
    Op("pow", _power, POWER_BREAKS, note="overflows by magnitude"),
    Op("float_power", lambda b: iv.power(b.r(), b.r("exponent"), "float64"), POWER_BREAKS, dtype="float64", note="overflows by magnitude"),
)


# ---- exponentials and logarithms -----------------------------------------------------------------


def _exp2(x: float) -> float:
    return math.pow(2.0, x)


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0.0 else -INF


def _log2(x: float) -> float:
    return math.log2(x) if x > 0.0 else -INF


def _log10(x: float) -> float:
    return math.log10(x) if x > 0.0 else -INF


def _log1p(x: float) -> float:
    return math.log1p(x) if x > -1.0 else -INF


LOG_BREAKS = (
    Break("log-zero", "input", point(0.0), result="-inf", says="the log of 0 is -inf"),
    Break("log-negative", "input", below(0.0), says="the log of a negative number is NaN"),
)
LOG1P_BREAKS = (
    Break("log-zero", "input", point(-1.0), result="-inf", says="log1p of -1 is the log of 0, -inf"),
    Break("log-negative", "input", below(-1.0), says="log1p below -1 is the log of a negative number, NaN"),
)


def _overflow(thresholds: dict[str, float], sign: int = 1) -> tuple[Break, ...]:
    return (Break("exp-overflow", "input", from_threshold(thresholds, sign=sign), result="inf", says="the exponential overflows to infinity"),)


def _logs(name: str, f: Callable[[float], float], breaks: tuple[Break, ...], lowest: float) -> Op:
    def image(b: Bound) -> Interval:
        inside = b.r().without(Interval(-INF, lowest), "float64" if is_integer(make.dtype_of(b, "input")) else make.dtype_of(b, "input"))
        if inside is None:
            return Interval.everything(b.dtype)
        found = iv.monotone(f, inside, b.dtype)
        return iv.div(found, iv.monotone(f, b.r("base"), b.dtype), b.dtype) if b.has("base") else found

    return Op(name, image, breaks, dtype="float", marks=frozenset({"log"}))


EXPONENTIALS = (
    Op("exp", rising(math.exp, floor=0.0), _overflow(EXP_OVERFLOW), dtype="float", marks=frozenset({"exp"})),
    Op("exp2", rising(_exp2, floor=0.0), _overflow(EXP2_OVERFLOW), dtype="float", marks=frozenset({"exp"})),
    Op("expm1", rising(math.expm1, floor=-1.0), _overflow(EXP_OVERFLOW), dtype="float"),
    _logs("log", _logarithm, LOG_BREAKS, 0.0),
    _logs("log2", _log2, LOG_BREAKS, 0.0),
    _logs("log10", _log10, LOG_BREAKS, 0.0),
    _logs("log1p", _log1p, LOG1P_BREAKS, -1.0),
)

ROWS = (*ARITHMETIC, *ROOTS, *EXPONENTIALS)
