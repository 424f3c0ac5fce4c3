"""Random numbers. rand reaches 0 and never 1 (facts/README.md 28); randn is bounded by its method."""

from __future__ import annotations

from nanlint.interval import Interval, limits, next_down
from nanlint.ops.images import fixed, given, range_of, unknown
from nanlint.ops.spec import Bound, Image, Op

#: Box-Muller and inverse methods from 24 to 53 random bits stay within this.
FARTHEST = 9.0
RAND = frozenset({"rand"})


def _rand(b: Bound) -> Interval:
    """0 to the largest number below 1 (float16 and bfloat16 draw 11 and 8 bits)."""
    return Interval(0.0, next_down(1.0, b.dtype))


def _uniform(b: Bound) -> Interval:
    """from .. to; rounding can reach to."""
    low = range_of(b, "low") if given(b, "low") else Interval.point(0.0)
    high = range_of(b, "high") if given(b, "high") else Interval.point(1.0)
    if low.is_point and high.is_point and (low.lo, high.hi) == (0.0, 1.0):
        return _rand(b)
    return Interval(low.lo, max(low.lo, high.hi))


def _randint(b: Bound) -> Interval:
    """low .. high - 1; randint(n) is 0 .. n - 1."""
    low, high = (range_of(b, "low"), range_of(b, "high")) if given(b, "high") else (Interval.point(0.0), range_of(b, "low"))
    return Interval(low.lo, max(low.lo, high.hi - 1.0))


def _up_to_n(b: Bound) -> Interval:
    return Interval(0.0, max(range_of(b, "n").hi - 1.0, 0.0))


def _normal(b: Bound) -> Interval:
    """mean + std * randn, without overflow."""
    mean = range_of(b, "mean") if given(b, "mean") else Interval.point(0.0)
    std = range_of(b, "std") if given(b, "std") else Interval.point(1.0)
    top, reach = limits(b.dtype).max, std.ceiling * FARTHEST
    return Interval(max(mean.lo - reach, -top), min(mean.hi + reach, top))


def _draw(name: str, image: Image, dtype: str, lead: str, ground: str = "closed", marks: frozenset[str] = RAND) -> Op:
    count = "same" if lead == "input" else "any"
    return Op(name, image, terms="random", gradient="stops", ground=ground, dtype=dtype, count=count, marks=marks, lead=lead)


def _positions(b: Bound) -> Interval:
    return Interval(0.0, max(min(b.count().hi, 2.0**63) - 1.0, 0.0))


def _positive(b: Bound) -> Interval:
    return Interval(0.0, limits(b.dtype).max)


ROWS: tuple[Op, ...] = (
    _draw("rand", _rand, "created", "size"),
    _draw("rand_like", _rand, "arg", "input"),
    _draw("uniform", _uniform, "same", "input"),
    _draw("random_uniform", _uniform, "created", "size"),
    _draw("randn", fixed(-FARTHEST, FARTHEST), "created", "size", "opaque", frozenset({"randn"})),
    _draw("randn_like", fixed(-FARTHEST, FARTHEST), "arg", "input", "opaque", frozenset({"randn"})),
    _draw("normal", _normal, "float", "input", "opaque", frozenset({"randn"})),
    _draw("random_normal", _normal, "created", "size", "opaque", frozenset({"randn"})),
    _draw("randint", _randint, "int64", "size", "closed", frozenset({"index"})),
    _draw("randint_like", _randint, "arg", "input", "closed", frozenset({"index"})),
    _draw("randperm", _up_to_n, "int64", "n", "opaque", frozenset({"index"})),
    _draw("multinomial", _positions, "int64", "input", "opaque", frozenset({"index"})),
    _draw("bernoulli", fixed(0, 1), "same", "input", "closed", frozenset({"mask"})),
    _draw("exponential", _positive, "same", "input", "opaque"),
    _draw("poisson", _positive, "same", "input", "closed", frozenset({"count"})),
    _draw("gamma", _positive, "created", "size", "opaque"),
    _draw("shuffled", lambda b: range_of(b, "input"), "same", "input", "inherit", frozenset()),
    _draw("choice", lambda b: range_of(b, "input"), "same", "input", "inherit", frozenset()),
    Op("init", unknown, terms="random", gradient="stops", ground="opaque", note="torch.nn.init: weights of a model"),
    Op("seed", unknown, terms="opaque", gradient="stops", returns="none", opaque=True),
)
