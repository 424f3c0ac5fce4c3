"""Clamps, choices, comparisons, roundings, and functions of two tensors that are no arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable

from nanlint import interval as iv
from nanlint.interval import INF, Interval, limits, next_down, next_up
from nanlint.ops import make
from nanlint.ops.make import below, point, when, zero
from nanlint.ops.spec import Bound, Break, Image, Op, Zone

MASK = frozenset({"mask"})


# ---- clamps --------------------------------------------------------------------------------------


def _given(b: Bound, name: str) -> bool:
    return b.has(name) and b.const(name) is not None


def _clamp(b: Bound) -> Interval:
    """min first, then max, as torch does where they cross; limits are rounded to the dtype."""
    a = b.r()
    if _given(b, "min"):
        a = iv.maximum(a, iv.cast(b.r("min"), b.dtype), b.dtype)
    if _given(b, "max"):
        a = iv.minimum(a, iv.cast(b.r("max"), b.dtype), b.dtype)
    return a


def _scrubbed(b: Bound) -> Interval:
    """NaN becomes nan (0), infinities posinf and neginf (the largest numbers)."""
    top = limits(b.dtype).max
    kept = b.r().meet(Interval(-top, top))
    parts = [iv.cast(b.r("nan"), b.dtype) if _given(b, "nan") else iv.ZERO]
    if b.r().hi == INF:
        parts.append(iv.cast(b.r("posinf"), b.dtype) if _given(b, "posinf") else Interval.point(top))
    if b.r().lo == -INF:
        parts.append(iv.cast(b.r("neginf"), b.dtype) if _given(b, "neginf") else Interval.point(-top))
    for part in parts:
        kept = part if kept is None else kept.join(part)
    return kept or iv.ZERO


CLAMPS = (
    Op("clamp", _clamp, gradient="select", ground="closed", guard="floor"),
    Op("maximum", lambda b: iv.maximum(b.r(), b.r("other"), b.dtype), gradient="select", guard="floor"),
    Op("minimum", lambda b: iv.minimum(b.r(), b.r("other"), b.dtype), gradient="select", guard="floor"),
    Op("fmax", lambda b: iv.maximum(b.r(), b.r("other"), b.dtype), gradient="select", guard="floor"),
    Op("fmin", lambda b: iv.minimum(b.r(), b.r("other"), b.dtype), gradient="select", guard="floor"),
    Op("nan_to_num", _scrubbed, gradient="select", guard="select", note="ends not attained: no NaN came in"),
)


# ---- choices -------------------------------------------------------------------------------------


def _where(b: Bound) -> Interval:
    test = b.const("condition")
    if isinstance(test, bool):
        return iv.cast(b.r("input" if test else "other"), b.dtype)
    return iv.cast(b.r(), b.dtype).join(iv.cast(b.r("other"), b.dtype))


def _masked_fill(b: Bound) -> Interval:
    return b.r().join(iv.cast(b.r("value"), b.dtype))


def too_large(arg: str) -> Zone:
    """Finite numbers beyond the largest of the result's dtype; None where there are none."""

    def zone(b: Bound) -> Interval | None:
        top, edge = limits("float64").max, limits(b.dtype).max
        return Interval(-top, top, next_up(edge)) if edge < top else None

    return zone


def _number(b: Bound, arg: str) -> bool:
    return make.dtype_of(b, arg) in ("pyfloat", "pyint")


def _fill(arg: str) -> Break:
    return Break("fill-overflow", arg, when(lambda b: _number(b, arg), too_large(arg)), "precision", "inf",
                 says="the fill is beyond the largest number of the dtype")


CHOICES = (
    Op("where", _where, (_fill("input"), _fill("other")), gradient="select", guard="select", note="ends not attained: the choice is not followed"),
    Op("masked_fill", _masked_fill, (_fill("value"),), gradient="select", guard="select", note="ends not attained: the choice is not followed"),
    Op("fill", lambda b: iv.cast(b.r("value"), b.dtype), (_fill("value"),), gradient="stops"),
    Op("zero", lambda b: iv.ZERO, gradient="stops"),
    Op("copy", lambda b: iv.cast(b.r("other"), b.dtype), gradient="flows"),
)


# ---- comparisons ---------------------------------------------------------------------------------

#: Comparisons have no gradient: a loss that counts them does not learn.
CUT = Break("argmax-cut", "input", make.everything, "graph", "cut", says="a comparison has no gradient")
TRUE, FALSE, EITHER = Interval.point(1.0), Interval.point(0.0), Interval(0.0, 1.0)


def _decided(yes: Callable[[Interval, Interval], bool], no: Callable[[Interval, Interval], bool]) -> Image:
    def image(b: Bound) -> Interval:
        one, other = b.r(), b.r("other")
        return TRUE if yes(one, other) else FALSE if no(one, other) else EITHER

    return image


def _apart(a: Interval, b: Interval) -> bool:
    return not a.touches(b)


def _one(a: Interval, b: Interval) -> bool:
    return a.is_point and b.is_point and a.lo == b.lo


def _compare(name: str, yes: Callable[[Interval, Interval], bool], no: Callable[[Interval, Interval], bool]) -> Op:
    return Op(name, _decided(yes, no), (CUT,), gradient="cuts", ground="closed", dtype="bool", marks=MASK)


def _flag(name: str, image: Image = lambda b: EITHER, breaks: tuple[Break, ...] = ()) -> Op:
    return Op(name, image, breaks, gradient="cuts", ground="closed", dtype="bool", marks=MASK, note="ends not attained: the truth is not followed")


def _infinities(b: Bound) -> Interval:
    return Interval(-INF, INF, INF)


COMPARISONS = (
    _compare("eq", _one, _apart),
    _compare("ne", _apart, _one),
    _compare("lt", lambda a, b: a.hi < b.lo, lambda a, b: a.lo >= b.hi),
    _compare("le", lambda a, b: a.hi <= b.lo, lambda a, b: a.lo > b.hi),
    _compare("gt", lambda a, b: a.lo > b.hi, lambda a, b: a.hi <= b.lo),
    _compare("ge", lambda a, b: a.lo >= b.hi, lambda a, b: a.hi < b.lo),
    _flag("isclose"),
    _flag("allclose"),
    _flag("isnan", breaks=(Break("isnan-only", "input", _infinities, "silence", "lost", says="isnan lets infinities through"),)),
    _flag("isinf", lambda b: FALSE if b.r().finite else EITHER),
    _flag("isfinite"),
    _flag("logical_not", lambda b: EITHER if b.r().contains(0.0) and not b.r().is_point else TRUE if b.r().is_point and b.r().lo == 0.0 else FALSE),
    _flag("logical_and"),
    _flag("logical_or"),
    _flag("logical_xor"),
    _flag("is_floating_point"),
    _flag("equal"),
    _flag("isin"),
    _flag("signbit", lambda b: TRUE if b.r().hi < 0.0 else FALSE if b.r().lo > 0.0 else EITHER),
)


# ---- bits ----------------------------------------------------------------------------------------


def _bits(b: Bound) -> Interval:
    """Any number of the dtype, without a sign where neither argument has one."""
    whole = Interval.everything(b.dtype)
    signless = b.r().nonneg and b.r("other").nonneg
    return Interval(0.0, whole.hi) if signless else whole


def _bit_and(b: Bound) -> Interval:
    """Not above a non-negative argument."""
    tops = [a.hi for a in (b.r(), b.r("other")) if a.nonneg]
    return Interval(0.0, min(tops)) if tops else Interval.everything(b.dtype)


def _bit_not(b: Bound) -> Interval:
    if b.dtype == "bool":
        return Interval(1.0 - b.r().hi, 1.0 - b.r().lo)
    return Interval(-1.0 - b.r().hi, -1.0 - b.r().lo) if b.dtype != "uint8" else Interval.everything(b.dtype)


def _bit(name: str, image: Image) -> Op:
    return Op(name, image, gradient="cuts", marks=MASK, note="ends not attained: bits are not followed")


BITS = (
    _bit("bitwise_and", _bit_and),
    _bit("bitwise_or", _bits),
    _bit("bitwise_xor", _bits),
    _bit("bitwise_not", _bit_not),
    _bit("bitwise_left_shift", make.everything),
    _bit("bitwise_right_shift", lambda b: b.r().join(iv.ZERO) if b.r("other").nonneg else Interval.everything(b.dtype)),
)


# ---- roundings -----------------------------------------------------------------------------------


def _whole(f: Callable[[float], int]) -> Callable[[float], float]:
    return lambda x: float(f(x)) if math.isfinite(x) else x


def _step(name: str, f: Callable[[float], int], breaks: tuple[Break, ...] = ()) -> Op:
    def image(b: Bound) -> Interval:
        low, high = (_whole(f)(x) for x in (b.r().lo, b.r().hi))
        return iv.cast(Interval(low, high), b.dtype)

    return Op(name, image, breaks, gradient="cuts")


def _round(b: Bound) -> Interval:
    """Half to even; with decimals the neighbourhood of half a unit."""
    decimals = make.number(b, "decimals", 0.0)
    if decimals == 0.0:
        return Interval(_whole(round)(b.r().lo), _whole(round)(b.r().hi))
    if decimals is None:
        return Interval.everything(b.dtype)
    unit = 10.0**-decimals
    return iv.spread(iv.add(b.r(), Interval(-unit, unit), b.dtype), b.dtype)


def _frac(b: Bound) -> Interval:
    a = b.r()
    if a.finite and math.trunc(a.lo) == math.trunc(a.hi) and (a.lo >= 0.0 or a.hi <= 0.0):
        return Interval(a.lo - math.trunc(a.lo), a.hi - math.trunc(a.hi))
    edge = next_down(1.0, b.dtype)
    return Interval(0.0 if a.lo >= 0.0 else -edge, 0.0 if a.hi <= 0.0 else edge)


def _sign(b: Bound) -> Interval:
    a = b.r()
    return Interval(math.copysign(1.0, a.lo) if a.lo else 0.0, math.copysign(1.0, a.hi) if a.hi else 0.0, 1.0 if a.floor > 0.0 else 0.0)


ROUNDINGS = (
    _step("floor", math.floor),
    _step("ceil", math.ceil),
    _step("trunc", math.trunc),
    Op("round", _round, (Break("argmax-cut", "input", make.everything, "graph", "dead", says="the gradient of round is 0 everywhere"),),
       gradient="cuts", note="ends not attained with decimals; overflows by magnitude"),
    Op("frac", _frac, note="ends not attained: between whole numbers"),
    Op("sign", _sign, gradient="cuts", ground="closed"),
)


# ---- of two and three ----------------------------------------------------------------------------


def _lerp(b: Bound) -> Interval:
    """Between start and end for weights in [0, 1], up to rounding; computed wider than the dtype beyond."""
    start, end, weight = b.r(), b.r("end"), b.r("weight")
    if weight.within(0.0, 1.0):
        found = start.join(end)
    else:
        step = iv.mul(weight, iv.sub(end, start, "float64"), "float64")
        found = iv.add(start, step, "float64") if step.ceiling < limits("float64").max / 4 else Interval.everything("float64")
    slack = 4 * limits(b.dtype).eps * min(max(start.ceiling, end.ceiling, found.ceiling), limits(b.dtype).max / 8)
    slack += 2 * limits(b.dtype).smallest
    return iv.cast(Interval(found.lo - slack, found.hi + slack), b.dtype)


def _scaled(b: Bound, f: Callable[[Interval, Interval, str], Interval]) -> Interval:
    """input + f(value * tensor1, tensor2), computed wider than the dtype, up to rounding."""
    scaled = iv.mul(b.r("value"), b.r("tensor1"), "float64") if b.has("value") else b.r("tensor1")
    step = f(scaled, b.r("tensor2"), "float64")
    found = iv.add(b.r(), step, "float64")
    slack = 4 * limits(b.dtype).eps * min(max(b.r().ceiling, step.ceiling), limits(b.dtype).max / 8) + 2 * limits(b.dtype).smallest
    return iv.cast(Interval(found.lo - slack, found.hi + slack), b.dtype)


def _logaddexp(x: float, y: float) -> float:
    high, low = max(x, y), min(x, y)
    return high if math.isinf(high) else high + math.log1p(math.exp(low - high))


def _logaddexp2(x: float, y: float) -> float:
    high, low = max(x, y), min(x, y)
    return high if math.isinf(high) else high + math.log1p(math.pow(2.0, low - high)) / math.log(2.0)


def _log_sum(f: Callable[[float, float], float]) -> Image:
    def image(b: Bound) -> Interval:
        found = iv.corners(f, b.r(), b.r("other"), b.dtype)
        slack = 4 * limits(b.dtype).eps
        return iv.spread(Interval(found.lo - slack, found.hi + slack), b.dtype)

    return image


def _xlogy(shift: float) -> Image:
    """input * log(other + shift), 0 where input is 0."""

    def image(b: Bound) -> Interval:
        dtype = make.dtype_of(b, "other")
        inside = b.r("other").meet(Interval(next_up(-shift, dtype), INF))
        if inside is None:
            return Interval.everything(b.dtype)
        log = iv.monotone(math.log1p if shift else math.log, inside, "float64" if b.dtype == "float64" else "float32")
        product = iv.spread(iv.mul(b.r(), log, b.dtype), b.dtype, 3)
        return product.join(iv.ZERO) if b.r().contains(0.0) else product

    return image


def _not_zero(b: Bound) -> bool:
    """Whether the factor of the log is other than 0 where the log is taken of 0."""
    return b.r() != iv.ZERO and not b.same("input", "other")


def _factor(b: Bound) -> bool:
    return b.r() != iv.ZERO


def _not_itself(b: Bound) -> bool:
    """Whether the factor can be other than 0 where the argument of the log is 0: not in xlogy(p, p)."""
    return _not_zero(b) and not b.same("input", "other")


def _may_be_zero(b: Bound) -> bool:
    return b.r().contains(0.0)


def _xlogy_breaks(edge: float) -> tuple[Break, ...]:
    return (
        Break("log-zero", "other", when(_not_zero if edge else _not_itself, point(edge)), result="-inf", says="the log of 0 is -inf"),
        Break("log-negative", "other", when(_factor, below(edge, "other")), says="the log of a negative number is NaN"),
        Break("log-zero", "other", when(_may_be_zero, point(edge)), "gradient", "nan", says="the gradient of 0 * log(0) is 0 / 0, NaN"),
    )


def _hypot(b: Bound) -> Interval:
    return iv.spread(iv.corners(math.hypot, iv.absolute(b.r()), iv.absolute(b.r("other")), b.dtype), b.dtype, floor=0.0)


def _other_may_be_zero(b: Bound) -> bool:
    return b.r("other").contains(0.0)


def _copysign(b: Bound) -> Interval:
    size = iv.absolute(b.r())
    if b.r("other").lo > 0.0:
        return size
    return size.join(iv.neg(size)) if b.r("other").hi >= 0.0 else iv.neg(size)


def _heaviside(b: Bound) -> Interval:
    return b.r("values").join(Interval(0.0, 1.0))


PAIRS = (
    Op("lerp", _lerp, note="overflows by magnitude; ends not attained: rounding is over-estimated"),
    Op("addcmul", lambda b: _scaled(b, iv.mul),
       note="overflows by magnitude; ends not attained: rounding is over-estimated"),
    Op("addcdiv", lambda b: _scaled(b, iv.div),
       (Break("divisor-zero", "tensor2", zero("tensor2"), says="division by 0 is infinite, 0 / 0 is NaN"),
        Break("divisor-tiny", "tensor2", make.tiny(1e-8, "tensor2"), "gradient", "inf",
              says="the gradient of a division by less than 1e-8 exceeds 1e8")),
       note="overflows by magnitude; ends not attained: rounding is over-estimated"),
    Op("logaddexp", _log_sum(_logaddexp), dtype="float", note="ends not attained: near 0 kernels cancel"),
    Op("logaddexp2", _log_sum(_logaddexp2), dtype="float", note="ends not attained: near 0 kernels cancel"),
    Op("xlogy", _xlogy(0.0), _xlogy_breaks(0.0), dtype="float", note="overflows by magnitude"),
    Op("xlog1py", _xlogy(1.0), _xlogy_breaks(-1.0), dtype="float",
       note="overflows by magnitude; ends not attained: the log of tiny numbers is spread"),
    Op("hypot", _hypot,
       (Break("root-zero", "input", when(_other_may_be_zero, point(0.0)), "gradient", "nan", says="the gradient of hypot is NaN at (0, 0)"),),
       dtype="float", marks=frozenset({"norm"}), note="overflows by magnitude"),
    Op("copysign", _copysign, dtype="float", note="ends not attained: the sign of 0 is not followed"),
    Op("heaviside", _heaviside, gradient="cuts", ground="closed", note="ends not attained: the step is not followed"),
)

ROWS = (*CLAMPS, *CHOICES, *COMPARISONS, *BITS, *ROUNDINGS, *PAIRS)
