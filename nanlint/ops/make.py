"""What rows are made of: images (Bound -> Interval) and zones (Bound -> Interval | None)."""

from __future__ import annotations

import math
from collections.abc import Callable

from nanlint.interval import INF, Interval, is_integer, limits, meet_or, monotone, next_down, next_up, round_to
from nanlint.ops.spec import Bound, Image, Zone

#: Both signs of the domain of real numbers that is no argument's business.
REALS = (-INF, INF)


# ---- images --------------------------------------------------------------------------------------


def fixed(lo: float, hi: float) -> Image:
    """Always this range."""
    return lambda b: Interval(lo, hi)


def same(b: Bound) -> Interval:
    """The range of the input, in the dtype of the result."""
    return b.r()


def everything(b: Bound) -> Interval:
    """Any finite number of the result's dtype."""
    return Interval.everything(b.dtype)


def rising(f: Callable[[float], float], domain: tuple[float, float] = REALS, floor: float = -INF, ceiling: float = INF) -> Image:
    """The image of a rising function on a domain, between floor and ceiling."""
    return _monotone(f, domain, floor, ceiling, True)


def falling(f: Callable[[float], float], domain: tuple[float, float] = REALS, floor: float = -INF, ceiling: float = INF) -> Image:
    """The image of a falling function on a domain, between floor and ceiling."""
    return _monotone(f, domain, floor, ceiling, False)


def _monotone(f: Callable[[float], float], domain: tuple[float, float], floor: float, ceiling: float, up: bool) -> Image:
    low, high, bottom, top = domain[0], domain[1], floor, ceiling

    def image(b: Bound) -> Interval:
        inside = b.r().meet(Interval(low, high))
        if inside is None:
            return meet_or(Interval.everything(b.dtype), Interval(bottom, top))
        return meet_or(monotone(f, inside, b.dtype, up), Interval(bottom, top))

    return image


def even(f: Callable[[float], float], floor: float = -INF) -> Image:
    """The image of f(|x|) for f rising."""
    return lambda b: meet_or(monotone(f, Interval(b.r().floor, b.r().ceiling), b.dtype), Interval(floor, INF))


# ---- zones ---------------------------------------------------------------------------------------


def dtype_of(b: Bound, arg: str) -> str:
    """The dtype of an argument; that of the result where it is not known."""
    given = b.args[arg].dtype if arg in b.args else None
    return given or b.dtype


def zero(arg: str = "input") -> Zone:
    """0; for a Python number that meets tensors, also what is 0 in the kernel's float32."""

    def zone(b: Bound) -> Interval:
        if dtype_of(b, arg) in ("pyfloat", "pyint") and b.dtype in ("float32", "float16", "bfloat16"):
            half = limits("float32").smallest / 2
            return Interval(-half, half)
        return Interval(0.0, 0.0)

    return zone


def point(x: float) -> Zone:
    return lambda b: Interval(x, x)


def below(x: float, arg: str = "input") -> Zone:
    """All finite numbers of the argument's dtype below x; None where the dtype has none."""

    def zone(b: Bound) -> Interval | None:
        dtype = dtype_of(b, arg)
        low, high = Interval.everything(dtype).lo, next_down(x, dtype)
        return Interval(low, high) if low <= high else None

    return zone


def above(x: float, arg: str = "input") -> Zone:
    """All finite numbers of the argument's dtype above x."""

    def zone(b: Bound) -> Interval | None:
        dtype = dtype_of(b, arg)
        low, high = next_up(x, dtype), Interval.everything(dtype).hi
        return Interval(low, high) if low <= high else None

    return zone


def beyond(x: float, arg: str = "input") -> Zone:
    """All finite numbers of the argument's dtype with a magnitude above x."""

    def zone(b: Bound) -> Interval | None:
        whole = Interval.everything(dtype_of(b, arg))
        return Interval(whole.lo, whole.hi, next_up(x, dtype_of(b, arg))) if whole.hi > x else None

    return zone


def either(x: float) -> Zone:
    """-x and x."""
    return lambda b: Interval(-x, x, x)


def tiny(size: float, arg: str) -> Zone:
    """Numbers other than 0 whose magnitude is below size as the dtype writes it; None where the dtype has none."""

    def zone(b: Bound) -> Interval | None:
        dtype = dtype_of(b, arg)
        if is_integer(dtype):
            return None
        low, high = limits(dtype).smallest, next_down(round_to(size, dtype), dtype)
        return Interval(-high, high, low) if low <= high else None

    return zone


def when(test: Callable[[Bound], bool], zone: Zone) -> Zone:
    """A zone for calls that pass a test."""
    return lambda b: zone(b) if test(b) else None


def from_threshold(thresholds: dict[str, float], arg: str = "input", sign: int = 1) -> Zone:
    """The finite numbers from a threshold that depends on the result's dtype; sign -1: below the negative one, 0: both."""

    def zone(b: Bound) -> Interval | None:
        edge, top = thresholds.get(b.dtype, thresholds["float32"]), Interval.everything(dtype_of(b, arg)).hi
        if top < edge:
            return None
        return Interval(-top, top, edge) if sign == 0 else Interval(edge, top) if sign > 0 else Interval(-top, -edge)

    return zone


def total(f: Callable[[float], float]) -> Callable[[float], float]:
    """A function of floats that never raises: overflow is infinity, outside the domain NaN."""

    def safe(x: float) -> float:
        try:
            return f(x)
        except OverflowError:
            return math.copysign(INF, x)
        except (ValueError, ZeroDivisionError):
            return math.nan

    return safe


def on(b: Bound, f: Callable[[float], float], floor: float = -INF, ceiling: float = INF, arg: str = "input") -> Interval:
    """The image of a rising function on one argument, between floor and ceiling."""
    return meet_or(monotone(f, b.r(arg), b.dtype), Interval(floor, ceiling))


def valley(f: Callable[[float], float], bottom: float, floor: float, ceiling: float = INF) -> Image:
    """The image of a function that falls to its least value (floor) at bottom and rises from there."""

    def image(b: Bound) -> Interval:
        a = b.r()
        left, right = a.meet(Interval(-INF, bottom)), a.meet(Interval(bottom, INF))
        parts = [monotone(f, left, b.dtype, rising=False)] if left is not None else []
        parts += [monotone(f, right, b.dtype)] if right is not None else []
        hull = parts[0].join(parts[-1])
        return meet_or(hull, Interval(next_down(round_to(floor, b.dtype), b.dtype), ceiling))

    return image


def number(b: Bound, name: str, default: float) -> float | None:
    """A numeric setting of a call: the default where it is not given or None; None where it is no constant number."""
    value = b.const(name, default)
    value = default if value is None else value
    return float(value) if isinstance(value, (int, float)) else None
