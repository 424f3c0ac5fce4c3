"""The laws of intervals, by enumeration over telling floats of each dtype."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Callable, Iterator

import pytest

from nanlint import interval as iv
from nanlint.interval import INF, LIMITS, Interval, limits, next_down, next_up, round_to

DTYPES = ("float16", "bfloat16", "float32", "float64")


def telling(dtype: str) -> list[float]:
    lim = limits(dtype)
    sizes = [lim.smallest, lim.tiny, 1e-3, 0.5, 1.0, 3.0, lim.max]
    return sorted(round_to(x, dtype) for x in [0.0, *sizes, *(-x for x in sizes)])


def intervals(dtype: str, hole: bool = True) -> Iterator[Interval]:
    """Every range between telling floats, with and without a hole around 0."""
    points = telling(dtype)
    for lo, hi in itertools.combinations_with_replacement(points, 2):
        yield Interval(lo, hi)
        if hole and lo < 0 < hi:
            yield Interval(lo, hi, min(-lo, hi))


def members(a: Interval, dtype: str) -> list[float]:
    return [x for x in {*telling(dtype), a.lo, a.hi} if a.contains(x)]


def few(dtype: str) -> list[Interval]:
    """Every seventh interval, for pairs."""
    return list(intervals(dtype))[::7]


# ---- rounding ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_round_to_is_nearest_and_idempotent(dtype: str) -> None:
    for x in (0.1, -0.3, 1 / 3, 1e-8, 3e-8, 65519.9, 65520.0, 1e38, 3.4e38, 1e-45, 7e-46, 5e-324, -2.7):
        near = round_to(x, dtype)
        assert round_to(near, dtype) == near
        if math.isfinite(near):
            assert abs(x - near) <= abs(x - next_up(near, dtype)) and abs(x - near) <= abs(x - next_down(near, dtype))


def test_known_roundings() -> None:
    """Facts of torch: eps lost in half precision, 1 - 1e-8 in float32, overflow to infinity."""
    assert round_to(1e-8, "float16") == 0.0 and round_to(1e-8, "bfloat16") > 0.0
    assert round_to(1 - 1e-8, "float32") == 1.0 and round_to(1 - 1e-7, "float32") < 1.0
    assert round_to(65520.0, "float16") == INF and round_to(-65519.0, "float16") == -65504.0
    assert round_to(3.5e38, "float32") == INF and round_to(3.39e38, "bfloat16") == limits("bfloat16").max
    assert round_to(2.7, "int64") == 2.0 and round_to(-2.7, "pyint") == -2.0
    assert math.isnan(round_to(math.nan, "float16")) and round_to(-INF, "int8") == -INF


def test_limits_are_those_of_the_formats() -> None:
    assert limits("float16").max == 65504.0 and limits("float16").smallest == struct.unpack("e", b"\x01\x00")[0]
    assert limits("float32").max == struct.unpack("f", b"\xff\xff\x7f\x7f")[0]
    assert limits("float32").smallest == struct.unpack("f", b"\x01\x00\x00\x00")[0]
    assert limits("bfloat16").max == struct.unpack("f", b"\x00\x00\x7f\x7f")[0] and limits("bfloat16").eps == 2.0**-7
    assert limits("float64").max == 1.7976931348623157e308 and limits("float64").smallest == 5e-324
    assert Interval.everything() == Interval.everything("float32") and Interval.everything("int8") == Interval(-128, 127)
    assert set(DTYPES) <= set(LIMITS)


@pytest.mark.parametrize("dtype", DTYPES)
def test_next_is_the_neighbour(dtype: str) -> None:
    for x in telling(dtype):
        up, down = next_up(x, dtype), next_down(x, dtype)
        assert down < x < up
        assert next_down(up, dtype) == x if math.isfinite(up) else x == limits(dtype).max
        middle = x / 2 + up / 2
        assert not math.isfinite(up) or round_to(middle, dtype) in (x, up)
    assert next_up(limits(dtype).max, dtype) == INF and next_up(-INF, dtype) == -limits(dtype).max and next_up(INF, dtype) == INF
    assert next_up(3.0, "int32") == 4.0 and next_up(2.5, "int32") == 3.0


# ---- sets ----------------------------------------------------------------------------------------


def test_an_interval_is_always_sound() -> None:
    """NaN ends are open, swapped ends put in order, a hole that lies outside is dropped, one that eats an end moves it."""
    assert Interval(math.nan, 1.0) == Interval(-INF, 1.0) and Interval(0.0, math.nan) == Interval(0.0, INF)
    assert Interval(2.0, 1.0) == Interval(1.0, 2.0)
    assert Interval(1.0, 2.0, 0.5) == Interval(1.0, 2.0)
    assert Interval(0.0, 2.0, 0.5) == Interval(0.5, 2.0) and Interval(-2.0, 0.1, 0.5) == Interval(-2.0, -0.5)
    assert Interval(-1.0, 1.0, 2.0) == Interval(-1.0, 1.0) and math.copysign(1.0, Interval(-0.0, 0.0).lo) == 1.0


def test_join_and_meet_are_a_lattice() -> None:
    """join holds both, meet lies in both, both absorb; a meet is None exactly where no member is shared."""
    for a, b in itertools.product(few("float32"), repeat=2):
        join, meet = a.join(b), a.meet(b)
        assert join == b.join(a) and meet == b.meet(a)
        for x in {*members(a, "float32"), *members(b, "float32")}:
            assert join.contains(x)
            assert not (a.contains(x) and b.contains(x)) or meet is not None and meet.contains(x)
        assert a.join(a) == a and a.meet(a) == a and a.meet(join) == a
        assert a.touches(b) == (meet is not None)
        assert join.lo in (a.lo, b.lo) and join.hi in (a.hi, b.hi)


def test_without_removes_the_zone_and_nothing_that_matters() -> None:
    """Members outside the zone stay; an end that lies in the zone moves behind it."""
    for a, zone in itertools.product(few("float32"), repeat=2):
        rest = a.without(zone, "float32")
        kept = [x for x in members(a, "float32") if not zone.contains(x)]
        if rest is None:
            assert not kept
            continue
        assert all(rest.contains(x) for x in kept)
        assert not (zone.contains(rest.lo) and zone.contains(rest.hi)) or not rest.is_point
        assert not zone.contains(rest.lo) and not zone.contains(rest.hi)


def test_without_zero() -> None:
    zero = Interval.point(0.0)
    assert Interval(-1.0, 1.0).without(zero) == Interval(-1.0, 1.0, 5e-324)
    assert Interval(0.0, 1.0).without(zero, "float32") == Interval(limits("float32").smallest, 1.0)
    assert zero.without(zero) is None and Interval(1.0, 2.0).without(zero) == Interval(1.0, 2.0)
    assert Interval(0.0, 1.0).without(Interval(-INF, INF)) is None
    assert Interval(-INF, 0.0).without(Interval(-INF, -INF)).lo == -limits("float64").max  # type: ignore[union-attr]
    tiny = Interval(-1e-8, 1e-8, 5e-324)
    assert Interval(0.0, 1.0).without(tiny) == Interval(0.0, 1.0) and Interval(1e-9, 1.0).without(tiny) == Interval(next_up(1e-8), 1.0)


def test_widen_ends() -> None:
    """A growing range comes to rest at thresholds, then at the dtype's limits, and holds what it was widened by."""
    a, steps = Interval(0.0, 1.0), 0
    for n in range(1, 50):
        wider = a.widen(Interval(-float(n), 1.0 + n), (0.0, 1.0, 10.0), "float32")
        assert wider.contains(-float(n)) and wider.contains(1.0 + n)
        steps += wider != a
        a = wider
    assert steps <= 3 and a == Interval.everything("float32")
    assert Interval(0.0, 1.0).widen(Interval(0.0, 5.0), (0.0, 1.0, 10.0)) == Interval(0.0, 10.0)
    assert Interval(0.0, 1.0).widen(Interval(0.5, 1.0)) == Interval(0.0, 1.0)


def test_floor_and_ceiling() -> None:
    assert Interval(-3.0, 2.0).floor == 0.0 and Interval(-3.0, 2.0).ceiling == 3.0
    assert Interval(-3.0, 2.0, 0.5).floor == 0.5 and Interval(-3.0, -2.0).floor == 2.0
    assert Interval(1.0, 2.0).nonneg and not Interval(-1.0, 2.0).nonneg and Interval(1.0, INF).finite is False
    assert Interval(1.0, 2.0).within(1.0, 2.0) and not Interval(1.0, 2.0).within(1.5, 2.0)


# ---- arithmetic ----------------------------------------------------------------------------------

BINARY: dict[str, tuple[Callable[..., Interval], Callable[[float, float], float]]] = {
    "add": (iv.add, lambda x, y: x + y),
    "sub": (iv.sub, lambda x, y: x - y),
    "mul": (iv.mul, lambda x, y: x * y),
    "div": (iv.div, lambda x, y: x / y if y else math.nan),
    "minimum": (iv.minimum, min),
    "maximum": (iv.maximum, max),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", sorted(BINARY))
def test_binary_images_are_sound_and_attained(name: str, dtype: str) -> None:
    """f(x, y), rounded to the dtype, lies in the image for all members; each end of the image is such a value or the limit."""
    image_of, f = BINARY[name]
    for a, b in itertools.product(few(dtype), repeat=2):
        image = image_of(a, b, dtype)
        values = [round_to(f(x, y), dtype) for x in members(a, dtype) for y in members(b, dtype)]
        finite = [x for x in values if math.isfinite(x)]
        assert all(image.contains(x) for x in finite), (a, b, image, [x for x in finite if not image.contains(x)])
        if len(finite) < len(values) or name == "div" and b.contains(0.0):
            continue  # the image is clamped, or closed at what a divisor next to 0 gives
        assert image.lo in finite and image.hi in finite, (a, b, image)


@pytest.mark.parametrize("dtype", DTYPES)
def test_unary_images_are_sound_and_attained(dtype: str) -> None:
    for a in intervals(dtype):
        for image, f in ((iv.neg(a), lambda x: -x), (iv.absolute(a), abs), (iv.square(a, dtype), lambda x: round_to(x * x, dtype))):
            values = [f(x) for x in members(a, dtype)]
            finite = [x for x in values if math.isfinite(x)]
            assert all(image.contains(x) for x in finite)
            assert len(finite) < len(values) or image.lo in finite and image.hi in finite


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 1.5, -0.5])
def test_constant_powers_are_sound(exponent: float, dtype: str) -> None:
    for a in intervals(dtype):
        image = iv.power(a, Interval.point(exponent), dtype)
        for x in members(a, dtype):
            if x == 0.0 and exponent < 0 or x < 0.0 and exponent != math.floor(exponent):
                continue
            try:
                value = round_to(math.pow(x, exponent), dtype)
            except OverflowError:
                continue
            assert image.contains(value) or not math.isfinite(value), (a, x, value, image)


def test_powers_of_ranges() -> None:
    both = iv.power(Interval(0.5, 2.0), Interval(-1.0, 2.0), "float64")
    assert both.contains(0.5) and both.contains(4.0) and both.contains(0.25**0.5) and both.lo >= 0.0
    assert iv.power(Interval(-2.0, 2.0), Interval(0.0, 3.0), "float64").contains(-8.0)


def test_infinities() -> None:
    """0 times infinity and infinity minus infinity leave what else there is."""
    assert iv.mul(Interval(0.0, 1.0), Interval(INF, INF)) == Interval(INF, INF)
    assert iv.mul(Interval(0.0, 1.0), Interval(1.0, INF)) == Interval(0.0, INF)
    assert iv.sub(Interval(0.0, INF), Interval(0.0, INF)) == Interval(-INF, INF)
    assert iv.add(Interval(-INF, 0.0), Interval(1.0, 2.0)) == Interval(-INF, 2.0)
    assert iv.div(Interval(1.0, 1.0), Interval(1.0, INF)) == Interval(0.0, 1.0)
    assert iv.div(Interval(1.0, 1.0), Interval(0.0, 0.0)) == Interval.everything()


def test_division_by_what_touches_zero() -> None:
    """0 itself is no divisor; next to it quotients grow to the largest number, on both sides only if it lies inside."""
    top = limits("float32").max
    assert iv.div(Interval.point(1.0), Interval(0.0, 2.0), "float32") == Interval(0.5, top)
    assert iv.div(Interval.point(1.0), Interval(-2.0, 0.0), "float32") == Interval(-top, -0.5)
    assert iv.div(Interval.point(1.0), Interval(-1.0, 1.0), "float32") == Interval(-top, top, 1.0)
    assert iv.div(Interval.point(1.0), Interval(-1.0, 1.0, 0.25), "float32") == Interval(-4.0, 4.0, 1.0)


def test_holes_survive_arithmetic() -> None:
    holed = Interval(-4.0, 4.0, 1.0)
    assert iv.mul(holed, Interval.point(2.0), "float32") == Interval(-8.0, 8.0, 2.0)
    assert iv.add(holed, Interval(0.0, 0.25), "float32").away == 0.75 and iv.add(holed, Interval(0.0, 2.0), "float32").away == 0.0
    assert iv.absolute(holed) == Interval(1.0, 4.0) and iv.neg(holed) == holed
    assert iv.square(holed, "float32") == Interval(1.0, 16.0)


def test_eps_in_the_dtype() -> None:
    """x + 1e-8 keeps 0 away in float32 and bfloat16, not in float16; x + 1e-8 at 1 is 1."""
    positive, eps = Interval(0.0, 1.0), Interval.point(1e-8)
    assert iv.add(positive, eps, "float32").lo > 0.0 and iv.add(positive, eps, "bfloat16").lo > 0.0
    assert iv.add(positive, eps, "float16").lo == 0.0 and iv.add(positive, eps, "float32").hi == 1.0
    assert iv.sub(Interval.point(1.0), eps, "float32") == Interval.point(1.0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_monotone_images_are_sound(dtype: str) -> None:
    for a in intervals(dtype):
        image = iv.monotone(math.atan, a, dtype)
        falling = iv.monotone(lambda x: -math.atan(x), a, dtype, rising=False)
        for x in members(a, dtype):
            assert image.contains(round_to(math.atan(x), dtype)) and falling.contains(round_to(-math.atan(x), dtype))
        assert image.lo >= next_down(next_down(round_to(math.atan(a.lo), dtype), dtype), dtype)


def test_monotone_is_total() -> None:
    """What raises gives the largest number or an open end."""
    top = limits("float32").max
    assert iv.monotone(math.exp, Interval(0.0, 1e30), "float32").hi == top
    assert iv.monotone(math.log, Interval(-1.0, 1.0), "float32").lo == -top
    assert iv.monotone(math.exp, Interval(-INF, INF), "float32") == Interval(0.0, INF)


def test_cast() -> None:
    assert iv.cast(Interval(1e-9, 1e9), "float16") == Interval(0.0, 65504.0)
    assert iv.cast(Interval(-INF, 0.5), "float16") == Interval(-INF, 0.5)
    assert iv.cast(Interval(-2.7, 2.7), "int64") == Interval(-2.0, 2.0) and iv.cast(Interval(0.0, 300.0), "uint8") == Interval(0.0, 255.0)
    assert iv.cast(Interval(1.0, 2.0), "bool") == Interval.point(1.0) and iv.cast(Interval(-1.0, 2.0), "bool") == Interval(0.0, 1.0)
    assert iv.cast(Interval.point(0.0), "bool") == Interval.point(0.0)


def test_nothing_raises() -> None:
    """Every operation on every pair of odd intervals gives an interval, for every dtype."""
    odd = [Interval(-INF, INF), Interval(INF, INF), Interval(-INF, -INF), Interval(0.0, 0.0), Interval(math.nan, math.nan),
           Interval(-1.7e308, 1.7e308), Interval(-INF, INF, INF), Interval(-5e-324, 5e-324, 5e-324), Interval(-1.0, 1.0)]
    for dtype in (*LIMITS, None, "unheard-of"):
        for a, b in itertools.product(odd, repeat=2):
            for f in (iv.add, iv.sub, iv.mul, iv.div, iv.minimum, iv.maximum, iv.power):
                assert isinstance(f(a, b, dtype), Interval)
            assert isinstance(a.join(b), Interval) and isinstance(a.widen(b, (), dtype), Interval)
            assert a.without(b, dtype) is None or a.meet(b) is not None or a.without(b, dtype) == a
        for a in odd:
            assert isinstance(iv.cast(a, dtype), Interval) and isinstance(iv.square(a, dtype), Interval)
            assert isinstance(iv.monotone(math.lgamma, a, dtype), Interval)
