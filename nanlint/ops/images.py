"""Images and zones that many rows share: what comes out of keeping, adding up, averaging, measuring.

Counts are those of the whole argument; along a dim a group holds at least one element (batches are
not empty) and at most all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from nanlint.interval import INF, Interval, absolute, is_integer, limits, round_to, spread
from nanlint.ops.spec import Arg, Bound, Image, Zone

ZERO = Interval(0.0, 0.0)
UNIT = Interval(0.0, 1.0)
SIGNED_UNIT = Interval(-1.0, 1.0)
#: No tensor is longer along one dim: bounds what softmax and logsumexp spread over.
LONGEST = 2.0**20


# ---- arguments -------------------------------------------------------------------------------------


def given(b: Bound, name: str) -> bool:
    """Whether an argument was given and is not None."""
    return name in b.args and b.args[name].const is not None


def setting(b: Bound, name: str, default: Any = None) -> Any:
    """The constant of a parameter; the default if it was not given or is None; MISSING if it is no constant."""
    value = b.const(name, default)
    return default if value is None else value


def number(b: Bound, name: str, default: float) -> float | None:
    """A numeric setting; None if it is no constant number."""
    value = setting(b, name, default)
    return float(value) if isinstance(value, (int, float)) else None


def is_tensor(arg: Arg) -> bool:
    """Whether an argument is a tensor (not: a Python number, a list, something unknown)."""
    return arg.kind == "tensor"


def is_mask(arg: Arg) -> bool:
    """Whether an argument is a boolean tensor (used as an index it selects)."""
    return arg.dtype == "bool" or "mask" in arg.marks and arg.dtype not in ("pyint", "int64", "int32")


def leaves(arg: Arg) -> Iterable[Arg]:
    """The elements of nested lists, or the argument itself."""
    inner = arg.items if arg.items is not None else (arg.element,) if arg.element is not None else None
    if inner is None:
        yield arg
        return
    for item in inner:
        yield from leaves(item)


def range_of(b: Bound, name: str) -> Interval:
    """The range of an argument, of all elements if it is a list."""
    if name not in b.args:
        return Interval.everything(b.dtype)
    found: Interval | None = None
    for leaf in leaves(b.args[name]):
        found = leaf.range if found is None else found.join(leaf.range)
    return found if found is not None else Interval.everything(b.dtype)


# ---- images ----------------------------------------------------------------------------------------


def kept(name: str = "input") -> Image:
    """The same elements."""
    return lambda b: range_of(b, name)


def fixed(lo: float, hi: float) -> Image:
    return lambda b: Interval(lo, hi)


def unknown(b: Bound) -> Interval:
    """All finite numbers."""
    return Interval.everything(b.dtype)


def nonnegative(b: Bound) -> Interval:
    return Interval(0.0, limits(b.dtype).max)


def with_zero(name: str = "input") -> Image:
    """The same elements and zeros (padding, masks)."""
    return lambda b: range_of(b, name).join(ZERO)


def group(b: Bound, name: str = "input") -> Interval:
    """How many elements one result is made of: all of them, or, along a dim, one to all of them."""
    count = b.count(name)
    low = count.lo if not given(b, "dim") else min(count.lo, 1.0)
    return Interval(max(low, 0.0), max(count.hi, low))


def total(a: Interval, n: Interval, dtype: str) -> Interval:
    """The range of a sum of n elements of a; a finite overflow stays finite."""
    low = min(_times(a.lo, n.lo), _times(a.lo, n.hi))
    high = max(_times(a.hi, n.lo), _times(a.hi, n.hi))
    return grown(_clamped(low, high, a, dtype), dtype, 64)


def _times(x: float, n: float) -> float:
    return 0.0 if x == 0.0 or n == 0.0 else x * n


def _clamped(lo: float, hi: float, source: Interval, dtype: str) -> Interval:
    """Ends rounded to the dtype; infinite only where the source is."""
    whole = Interval.everything(dtype)
    low = lo if source.lo == -INF else max(round_to(lo, dtype), whole.lo)
    high = hi if source.hi == INF else min(round_to(hi, dtype), whole.hi)
    return Interval(low, high)


def grown(a: Interval, dtype: str, steps: int) -> Interval:
    """Ends moved outwards for the rounding of long sums: some eps of the dtype, never over 0 or over finite."""
    if is_integer(dtype):
        return a
    slack, top = steps * min(limits(dtype).eps, 2.0**-20), limits(dtype).max
    lo = a.lo if math.isinf(a.lo) else max(a.lo - slack * abs(a.lo), -top)
    hi = a.hi if math.isinf(a.hi) else min(a.hi + slack * abs(a.hi), top)
    return spread(Interval(lo, hi), dtype)


def averaged(a: Interval, dtype: str) -> Interval:
    """The range of a mean. Powers of two are kept: means of 0..1 stay in 0..1."""
    wide = grown(a, dtype, 16)
    return Interval(a.lo if _exact(a.lo) else wide.lo, a.hi if _exact(a.hi) else wide.hi)


def _exact(x: float) -> bool:
    return x == 0.0 or math.isinf(x) or abs(math.frexp(x)[0]) == 0.5


def mean_of(name: str = "input") -> Image:
    return lambda b: averaged(range_of(b, name), b.dtype)


def summed(b: Bound) -> Interval:
    """sum along dim: of non-negative elements non-negative, of positive ones (and not selected ones) positive."""
    return total(range_of(b, "input"), group(b), b.dtype)


def count_image(b: Bound) -> Interval:
    """A number of elements of the input."""
    return Interval(0.0, min(b.count().hi, 2.0**63))


def counted(b: Bound) -> Interval:
    """numel: the number of elements of the input."""
    count = b.count()
    return Interval(count.lo, min(count.hi, 2.0**63))


def index_image(b: Bound) -> Interval:
    """An index into the input."""
    return Interval(0.0, max(min(b.count().hi, 2.0**63) - 1.0, 0.0))


def products(a: Interval, c: Interval, dtype: str) -> Interval:
    """Sums of products of elements of a and c (matmul, einsum, conv): only the sign is known."""
    top = limits(dtype).max
    if a.lo >= 0 and c.lo >= 0 or a.hi <= 0 and c.hi <= 0:
        return Interval(0.0, top)
    if a.lo >= 0 and c.hi <= 0 or a.hi <= 0 and c.lo >= 0:
        return Interval(-top, 0.0)
    return Interval.everything(dtype)


def spread_of(a: Interval, least: float, dtype: str) -> Interval:
    """Standard deviations of elements of a: from 0 to (hi - lo) / least (least: 2 for all, sqrt 2 for the unbiased).

    Equal elements give not 0 but what the mean is rounded by.
    """
    width = (a.hi - a.lo) / least + 4 * limits(dtype).eps * min(a.ceiling, limits(dtype).max)
    return grown(Interval(0.0, min(width, limits(dtype).max)), dtype, 64)


def length(a: Interval, n: Interval, p: float | None, dtype: str) -> Interval:
    """The p-norm of n elements of a, or a matrix norm (inf: sums of rows); p None: only the sign is known.

    Powers that underflow give 0.
    """
    size, top = absolute(a), limits(dtype).max
    if p is None or p < 1.0:
        return Interval(0.0, INF if size.hi == INF else top)
    least = size.lo if size.lo and min(size.lo, 1.0) ** min(p, 8.0) > 1e-36 and n.lo >= 1.0 else 0.0
    most = size.hi * _root(n.hi, 1.0 if p == INF else p) if size.hi else 0.0
    if 0.0 < size.hi and min(size.hi, 1.0) ** min(p, 8.0) < 1e-30:
        most *= 2.0  # powers that are rounded to few digits
    return grown(Interval(least, INF if size.hi == INF else min(most, top)), dtype, 64)


def _root(n: float, p: float) -> float:
    return INF if n == INF else max(n, 1.0) ** (1.0 / p)


# ---- zones -----------------------------------------------------------------------------------------


def at(x: float) -> Zone:
    """One bad value."""
    spot = Interval(x, x)
    return lambda b: spot


def always(name: str = "input") -> Zone:
    """Whatever the argument is."""
    return lambda b: b.r(name)


def when(test: Callable[[Bound], bool], zone: Zone) -> Zone:
    """A zone that is there for some calls only."""
    return lambda b: zone(b) if test(b) else None
