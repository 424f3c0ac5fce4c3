"""Float intervals per dtype: what values an expression can take in floating point.

An Interval is a closed range of floats with an optional hole around 0 (`away`). -inf or inf as an
end means that infinities themselves can occur; "unknown but finite" is [-max, max] of the dtype.
NaN is never a member: what gives NaN is a break of a row, and evaluation goes on without it.

Everything here is plain Python and total: nothing raises for any float. Images of + - * / are
rounded to the dtype exactly like one kernel would round them; a finite overflow is clamped to the
largest finite number (magnitude overflow is no break unless a row says so).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass

INF = math.inf


@dataclass(frozen=True)
class Limits:
    """Of a dtype: largest finite number, smallest normal, smallest positive, distance from 1 to the next."""

    max: float
    tiny: float
    smallest: float
    eps: float


def _float_limits(digits: int, low: int, high: int) -> Limits:
    """From digits of the significand (with the hidden one) and the exponents of tiny and of max."""
    top = math.ldexp(2.0 - math.ldexp(1.0, 1 - digits), high)
    return Limits(top, math.ldexp(1.0, low), math.ldexp(1.0, low - digits + 1), math.ldexp(1.0, 1 - digits))


#: digits of the significand, exponent of the smallest normal, exponent of the largest number
_FORMATS = {"float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127), "float64": (53, -1022, 1023)}
_FLOATS = {name: _float_limits(*form) for name, form in _FORMATS.items()}
_INTS = {
    "bool": (0.0, 1.0), "pybool": (0.0, 1.0), "uint8": (0.0, 255.0), "int8": (-128.0, 127.0), "int16": (-32768.0, 32767.0),
    "int32": (-(2.0**31), 2.0**31 - 1), "int64": (-(2.0**63), 2.0**63), "uint16": (0.0, 65535.0), "uint32": (0.0, 2.0**32 - 1),
    "uint64": (0.0, 2.0**64),
}
_FLOAT_OF = {"pyfloat": "float64", "pyint": "float64", "complex64": "float32", "complex128": "float64"}

LIMITS: dict[str, Limits] = {
    **_FLOATS,
    **{name: _FLOATS[base] for name, base in _FLOAT_OF.items() if name != "pyint"},
    "pyint": Limits(_FLOATS["float64"].max, 1.0, 1.0, 1.0),
    **{name: Limits(high, 1.0, 1.0, 1.0) for name, (_, high) in _INTS.items()},
}


def limits(dtype: str | None) -> Limits:
    """The limits of a dtype; float32's for None and for names that are not known."""
    return LIMITS.get(dtype or "float32", LIMITS["float32"])


def is_integer(dtype: str | None) -> bool:
    """Whether the dtype holds whole numbers only (bool and Python's int among them)."""
    return dtype in _INTS or dtype == "pyint"


def _format(dtype: str | None) -> str:
    """The float format that holds a dtype's values."""
    return _FLOAT_OF.get(dtype or "float32", dtype if dtype in _FORMATS else "float64") or "float64"


def round_to(x: float, dtype: str | None) -> float:
    """The nearest float of the dtype (ties to even; beyond the largest: inf); ints truncate, NaN stays."""
    if is_integer(dtype):
        return float(math.trunc(x)) if math.isfinite(x) else x
    form = _format(dtype)
    if form == "float64" or not math.isfinite(x):
        return x
    if form == "float32":
        try:
            return float(struct.unpack("f", struct.pack("f", x))[0])
        except OverflowError:
            return math.copysign(INF, x)
    return _round_by_hand(x, form)


def _round_by_hand(x: float, form: str) -> float:
    digits, low, _ = _FORMATS[form]
    quantum = math.ldexp(1.0, max(math.frexp(x)[1] - digits, low - digits + 1))
    rounded = round(x / quantum) * quantum
    return math.copysign(INF if abs(rounded) > _FLOATS[form].max else abs(rounded), x)


def next_up(x: float, dtype: str | None = "float64") -> float:
    """The smallest number of the dtype above x (x need not be one); next_up(-inf) is -max."""
    if math.isnan(x) or x == INF:
        return x
    if x == -INF:
        return -limits(dtype).max
    if is_integer(dtype):
        return math.floor(x) + 1.0
    form = _format(dtype)
    if form == "float64":
        return math.nextafter(x, INF)
    if x == 0.0:
        return _FLOATS[form].smallest
    digits, low, _ = _FORMATS[form]
    mantissa, exponent = math.frexp(x)
    exponent -= mantissa == -0.5
    quantum = math.ldexp(1.0, max(exponent - digits, low - digits + 1))
    above = (math.floor(x / quantum) + 1) * quantum
    return INF if above > _FLOATS[form].max else above


def next_down(x: float, dtype: str | None = "float64") -> float:
    """The largest number of the dtype below x."""
    return -next_up(-x, dtype)


@dataclass(frozen=True, slots=True)
class Interval:
    """The closed range lo..hi; with away > 0 also |x| >= away (normalised to 0.0 where 0 is outside).

    Ends given as NaN become infinities, ends in the wrong order are swapped: every call makes a
    sound interval.
    """

    lo: float
    hi: float
    away: float = 0.0

    def __post_init__(self) -> None:
        if self.lo < self.hi and self.lo != 0.0 != self.hi and not self.away:
            return  # already in order
        lo, hi = (-INF if self.lo != self.lo else self.lo + 0.0), (INF if self.hi != self.hi else self.hi + 0.0)
        if lo > hi:
            lo, hi = hi, lo
        away = self.away if self.away > 0.0 else 0.0
        if away:
            lo, hi, away = _fit(lo, hi, away)
        for name, value in (("lo", lo), ("hi", hi), ("away", away)):
            object.__setattr__(self, name, value)

    @staticmethod
    def everything(dtype: str | None = None) -> Interval:
        """All finite numbers of a dtype (None: float32)."""
        if dtype in _INTS:
            return Interval(*_INTS[dtype])
        top = limits(dtype).max
        return Interval(-top, top)

    @staticmethod
    def point(x: float) -> Interval:
        return Interval(x, x)

    @property
    def pieces(self) -> tuple[tuple[float, float], ...]:
        """The range as one or two ranges without a hole, in order."""
        if self.away == 0.0:
            return ((self.lo, self.hi),)
        return ((self.lo, -self.away), (self.away, self.hi))

    @property
    def is_point(self) -> bool:
        return self.lo == self.hi

    @property
    def nonneg(self) -> bool:
        return self.lo >= 0.0

    @property
    def finite(self) -> bool:
        return -INF < self.lo and self.hi < INF

    @property
    def floor(self) -> float:
        """The smallest magnitude of a member."""
        return min(max(low, -high, 0.0) for low, high in self.pieces)

    @property
    def ceiling(self) -> float:
        """The largest magnitude of a member."""
        return max(abs(self.lo), abs(self.hi))

    def within(self, lo: float, hi: float) -> bool:
        """Whether every member lies in lo..hi."""
        return lo <= self.lo and self.hi <= hi

    def contains(self, x: float) -> bool:
        return self.lo <= x <= self.hi and abs(x) >= self.away

    def touches(self, zone: Interval) -> bool:
        """Whether some member lies in the zone."""
        return self.meet(zone) is not None

    def join(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        return _hull((*self.pieces, *other.pieces)) or self

    def meet(self, other: Interval) -> Interval | None:
        """What lies in both; None if nothing does."""
        return _hull((max(a, c), min(b, d)) for a, b in self.pieces for c, d in other.pieces if max(a, c) <= min(b, d))

    def without(self, zone: Interval, dtype: str | None = "float64") -> Interval | None:
        """What is left without a zone (to the next number of the dtype beyond it); None if nothing is."""
        left = list(self.pieces)
        for low, high in zone.pieces:
            below, above = next_down(low, dtype), next_up(high, dtype)
            if low == -INF:
                below = -INF if high == -INF else low
            cut: list[tuple[float, float]] = []
            for a, b in left:
                if b < low or high < a:
                    cut.append((a, b))
                    continue
                if a < low:
                    cut.append((a, min(b, below)))
                if high < b:
                    cut.append((max(a, above), b))
            left = [(a, b) for a, b in cut if a <= b]
        return _hull(left)

    def widen(self, newer: Interval, thresholds: Iterable[float] = (), dtype: str | None = "float64") -> Interval:
        """A join that ends after few steps: an end that moves jumps to the next threshold, then to the dtype's limit."""
        both, everything = self.join(newer), Interval.everything(dtype)
        stops = sorted({*thresholds, everything.lo, everything.hi, -INF, INF})
        lo = self.lo if both.lo == self.lo else max(t for t in stops if t <= both.lo)
        hi = self.hi if both.hi == self.hi else min(t for t in stops if t >= both.hi)
        if both.away == self.away or (lo > 0 or hi < 0):
            return Interval(lo, hi, both.away)
        return Interval(lo, hi)

    def __str__(self) -> str:
        hole = f" away {self.away:.6g}" if self.away else ""
        return f"[{self.lo:.6g}, {self.hi:.6g}]{hole}"


def meet_or(a: Interval, other: Interval) -> Interval:
    """What lies in both; where nothing does, the point of `other` nearest to a (a was spread by an ulp beyond it)."""
    both = a.meet(other)
    if both is not None:
        return both
    return Interval.point(other.hi if a.lo > other.hi else other.lo)


def _fit(lo: float, hi: float, away: float) -> tuple[float, float, float]:
    """lo, hi, away with ends moved out of the hole; the hole is dropped where 0 is outside or nothing would be left."""
    if lo > 0.0 or hi < 0.0:
        return lo, hi, 0.0
    negative, positive = lo <= -away, hi >= away
    if negative and positive:
        return lo, hi, away
    if positive:
        return away, hi, 0.0
    if negative:
        return lo, -away, 0.0
    return lo, hi, 0.0


def _hull(pieces: Iterable[tuple[float, float]]) -> Interval | None:
    """The smallest Interval over ranges; None for no range."""
    parts = list(pieces)
    if not parts:
        return None
    away = min(max(low, -high, 0.0) for low, high in parts)
    return Interval(min(low for low, _ in parts), max(high for _, high in parts), away)


# ---- arithmetic ----------------------------------------------------------------------------------


def _operand(x: float, dtype: str | None) -> float:
    """A number as a kernel takes it: float16 and bfloat16 are computed in float32."""
    return x if is_integer(dtype) or _format(dtype) == "float64" else round_to(x, "float32")


def _settle(x: float, dtype: str | None, finite: bool) -> float:
    """Rounded to the dtype; a finite overflow is the largest finite number."""
    rounded = round_to(x, dtype)
    if finite and math.isinf(rounded):
        return math.copysign(limits(dtype).max, rounded)
    return rounded


def corners(f: Callable[[float, float], float], a: Interval, b: Interval, dtype: str | None) -> Interval:
    """The hull of f over two ranges, piece by piece, for f monotone in each argument; NaN corners add nothing."""
    parts = []
    for low, high in a.pieces:
        for left, right in b.pieces:
            found = []
            for x in (low, high):
                for y in (left, right):
                    value = f(_operand(x, dtype), _operand(y, dtype))
                    if value == value:
                        found.append(_settle(value, dtype, math.isfinite(x) and math.isfinite(y)))
            if found:
                parts.append((min(found), max(found)))
    return _hull(parts) or Interval(-INF, INF)


def add(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    return _hull_sum(a, b, dtype)


def _hull_sum(a: Interval, b: Interval, dtype: str | None) -> Interval:
    """Sums keep a hole only if both sides are on one side of 0, so whole ranges do; inf - inf leaves the end open."""
    ends = []
    for x, y, open_end in ((a.lo, b.lo, -INF), (a.hi, b.hi, INF)):
        total = _operand(x, dtype) + _operand(y, dtype)
        ends.append(open_end if total != total else _settle(total, dtype, math.isfinite(x) and math.isfinite(y)))
    hole = _kept_hole(a, b, dtype)
    return Interval(ends[0], ends[1], hole)


def _kept_hole(a: Interval, b: Interval, dtype: str | None) -> float:
    """The hole of x + y where y is smaller than the hole of x: 0 stays out of reach."""
    if a.away > b.ceiling:
        return max(0.0, round_to(a.away - b.ceiling, dtype))
    if b.away > a.ceiling:
        return max(0.0, round_to(b.away - a.ceiling, dtype))
    return 0.0


def sub(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    return add(a, neg(b), dtype)


def mul(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    """Products; 0 times infinity adds nothing."""
    return corners(lambda x, y: x * y, a, b, dtype)


def div(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    """Quotients for divisors other than 0 (all finite numbers where there is no other)."""
    rest = b.without(ZERO, _format(dtype) if not is_integer(dtype) else "float64")
    if rest is None:
        return Interval.everything(dtype)
    return corners(quotient, a, rest, dtype)


def quotient(x: float, y: float) -> float:
    if y == 0.0:  # an operand that the kernel's own format rounds to 0
        return math.nan if x == 0.0 else math.copysign(INF, x)
    return x / y


ZERO = Interval(0.0, 0.0)


def minimum(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    return corners(min, a, b, dtype)


def maximum(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    return corners(max, a, b, dtype)


def neg(a: Interval, dtype: str | None = None) -> Interval:
    return Interval(-a.hi, -a.lo, a.away)


def absolute(a: Interval, dtype: str | None = None) -> Interval:
    return Interval(a.floor, a.ceiling)


def square(a: Interval, dtype: str | None = None) -> Interval:
    """x * x, rounded: it reaches 0 for small x in the dtype."""
    magnitude = absolute(a)
    low, high = _operand(magnitude.lo, dtype), _operand(magnitude.hi, dtype)
    return Interval(_settle(low * low, dtype, math.isfinite(low)), _settle(high * high, dtype, math.isfinite(high)))


def power(a: Interval, b: Interval, dtype: str | None = None) -> Interval:
    """x ** y where that is a number: without 0 to a negative power and negatives to a fraction."""
    if b.is_point:
        return _constant_power(a, b.lo, dtype)
    below = a.meet(Interval(-INF, 0.0))
    above = a.meet(Interval(0.0, INF))
    found = corners(_pow, above, b, dtype) if above is not None else None
    found = spread(found, dtype, floor=0.0) if found is not None else None
    if above is not None and above.contains(1.0) and found is not None:
        found = found.join(Interval.point(1.0))
    if below is None or below.is_point and below.lo == 0.0:
        return found or Interval.everything(dtype)
    mirror = spread(corners(_pow, neg(below), b, dtype), dtype, floor=0.0)  # whole exponents: either sign
    signed = mirror.join(neg(mirror))
    return signed.join(found) if found is not None else signed


def _constant_power(a: Interval, exponent: float, dtype: str | None) -> Interval:
    """x ** exponent for one exponent: exact for 0, 1, 2, 1/2, -1, spread by 2 ulp otherwise."""
    if exponent == 0.0:
        return Interval.point(1.0)
    if exponent == 1.0:
        return a
    if exponent == 2.0:
        return square(a, dtype)
    if exponent == -1.0:
        return div(Interval.point(1.0), a, dtype)
    if exponent == -2.0:  # kernels divide by the square, which may be subnormal
        by_square = div(Interval.point(1.0), square(a, "float64" if _format(dtype) == "float64" else "float32"), dtype)
        return spread(_general_power(a, exponent, dtype).join(by_square), dtype, floor=0.0)
    return _general_power(a, exponent, dtype)


def _general_power(a: Interval, exponent: float, dtype: str | None) -> Interval:
    whole = math.isfinite(exponent) and exponent == math.floor(exponent)
    domain: Interval | None = a if whole else a.meet(Interval(0.0, INF))
    if domain is not None and exponent < 0.0:
        domain = domain.without(ZERO, _format(dtype) if not is_integer(dtype) else dtype)
    if domain is None:
        return Interval.everything(dtype)
    if whole and exponent % 2 == 0:
        domain = absolute(domain)
    parts = [_power_of_piece(piece, exponent, dtype) for piece in _split_at_zero(domain)]
    found = _hull(parts) or Interval.everything(dtype)
    return spread(found, dtype, floor=0.0) if found.lo >= 0.0 else spread(found, dtype)


def _split_at_zero(a: Interval) -> list[tuple[float, float]]:
    if a.lo < 0.0 < a.hi and not a.away:
        return [(a.lo, 0.0), (0.0, a.hi)]
    return list(a.pieces)


def _power_of_piece(piece: tuple[float, float], exponent: float, dtype: str | None) -> tuple[float, float]:
    ends = [_settle(_pow(_operand(x, dtype), exponent), dtype, math.isfinite(x)) for x in piece]
    known = [x for x in ends if x == x] or [-INF, INF]
    return min(known), max(known)


def _pow(x: float, y: float) -> float:
    """x ** y as C's pow: never raises; NaN for a negative number to a fraction."""
    try:
        if x == 0.0 and y < 0.0:
            return INF
        return math.sqrt(x) if y == 0.5 and x >= 0.0 else math.pow(x, y)
    except OverflowError:
        return -INF if x < 0.0 and y % 2 == 1 else INF
    except ValueError:
        return math.nan


def spread(a: Interval, dtype: str | None, ulps: int = 2, floor: float = -INF, ceiling: float = INF) -> Interval:
    """Both ends moved outwards by some ulps (0 and infinities stay), not beyond floor and ceiling, finite ends stay finite."""
    lo, hi, top = a.lo, a.hi, limits(dtype).max
    for _ in range(ulps):
        lo = lo if lo == 0.0 or math.isinf(lo) else max(next_down(lo, dtype), -top)
        hi = hi if hi == 0.0 or math.isinf(hi) else min(next_up(hi, dtype), top)
    lo, hi = max(lo, floor), min(hi, ceiling)
    away = a.away
    for _ in range(ulps if away else 0):
        away = max(next_down(away, dtype), 0.0)
    return Interval(lo, hi, away) if lo <= hi else a


def monotone(f: Callable[[float], float], a: Interval, dtype: str | None = None, rising: bool = True, ulps: int = 2) -> Interval:
    """The image of a monotone function of floats, rounded to the dtype and widened by some ulps.

    f may raise: an OverflowError is the dtype's largest number (in the direction of growth), a
    ValueError (outside the domain) leaves that end open.
    """
    parts = []
    for low, high in a.pieces:
        first, last = _end(f, low, dtype, rising, False), _end(f, high, dtype, rising, True)
        low_image, high_image = (first, last) if rising else (last, first)
        parts.append((min(low_image, high_image), max(low_image, high_image)))
    return spread(_hull(parts) or Interval.everything(dtype), dtype, ulps)


def _end(f: Callable[[float], float], x: float, dtype: str | None, rising: bool, upper: bool) -> float:
    """f at one end of a range, settled in the dtype."""
    top = limits(dtype).max
    try:
        value = f(x)
    except OverflowError:
        value = INF if x > 0 or not rising else -INF
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if value != value:
        return top if upper == rising else -top
    return _settle(value, dtype, math.isfinite(x))


def cast(a: Interval, dtype: str | None) -> Interval:
    """The range after a conversion: rounded, clamped to finite; ints truncate (out of their range: everything)."""
    if dtype in ("bool", "pybool"):
        return Interval.point(1.0) if not a.contains(0.0) else ZERO if a.is_point else Interval(0.0, 1.0)
    if is_integer(dtype):
        cut = Interval(round_to(a.lo, dtype), round_to(a.hi, dtype), round_to(a.away, dtype))
        whole = Interval.everything(dtype)
        return cut if cut.within(whole.lo, whole.hi) else whole
    lo, hi = (_settle(x, dtype, math.isfinite(x)) for x in (a.lo, a.hi))
    return Interval(lo, hi, round_to(a.away, dtype))
