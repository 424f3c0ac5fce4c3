"""Compositions that lose digits, on terms: differences of nearly equal numbers where it matters.

    log-of-one-plus          log(1 + x), exp(x) - 1 in a divisor, log or root, or divided by its own x
    variance-by-subtraction  E[x^2] - E[x]^2, also with weights or with sums over a count

Hit.parts: "x" the Term of the small number, "exact" the op that keeps its digits, "sign" -1 of log(1 - x) and of 1 - exp(x), "inner" the
Term that loses them, "shared" whether x itself stands in the quotient, "of" the parameter that takes the loss (for a variance the Term x);
"plain" whether a variance is one of all elements along "dim", with "keepdim", with equal weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nanlint.interp.matchers import core, dim_of, exp_of, is_const, is_unit, minuend, negated, one_less, same_dim
from nanlint.interp.relations import squared, variance_by_subtraction
from nanlint.interp.uses import Hit, Trace
from nanlint.interp.values import Term, Value
from nanlint.interval import Interval
from nanlint.ops.spec import MISSING, Bound, Break


def _never(_: Bound) -> None:
    return None


ONE_PLUS = Break("log-of-one-plus", "input", _never, "value", "lost", says="a difference that is exactly 0 for a tiny number")
VARIANCE = Break("variance-by-subtraction", "input", _never, "value", "lost", says="variance by subtraction")


def _hit(brk: Break, **parts: Any) -> Hit:
    return Hit(brk, "reached", brk.says, parts)


# ---- digits lost beside 1 -----------------------------------------------------------------


@dataclass(frozen=True)
class BesideOne:
    """log(1 + x) or exp(x) - 1, with the op that keeps the digits of a tiny x; sign -1 of log(1 - x), of 1 - exp(x)."""

    exact: str
    x: Term
    sign: int
    term: Term


def beside_one(term: Term) -> BesideOne | None:
    term = core(term)
    if term.op == "log" and term.args:
        return _log_beside_one(term)
    both = minuend(term)
    if both is None:
        return None
    sign = 1 if is_const(both[1], 1) else -1 if is_const(both[0], 1) else 0
    x = exp_of(both[0] if sign == 1 else both[1]) if sign else None
    return None if x is None else BesideOne("expm1", x, sign, term)


def _log_beside_one(log: Term) -> BesideOne | None:
    rest = one_less(log.args[0])
    if rest is not None:
        return BesideOne("log1p", rest, -1, log)
    inner = core(log.args[0])
    if inner.op != "add" or len(inner.args) != 2 or not is_unit(inner.get("alpha", 1)):
        return None
    found = [other for one, other in (inner.args, inner.args[::-1]) if is_const(one, 1) and core(other).const is MISSING]
    return BesideOne("log1p", found[0], 1, log) if found else None


def seek_ratio(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """A divisor that is 0 for a tiny x, or log(1 + x) / x, (exp(x) - 1) / x."""
    if len(term.args) != 2 or term.get("rounding_mode"):
        return None
    above, below = beside_one(term.args[0]), beside_one(term.args[1])
    if below is not None:
        return _one_plus(below, bound, "other", _unsigned(term.args[0]) is _unsigned(below.x))
    if above is not None and _unsigned(term.args[1]) is _unsigned(above.x) and bound.r("other").contains(0.0):
        return _one_plus(above, bound, "input", True)
    return None


def seek_lost(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """The log or root of what is 0 for a tiny x."""
    found = beside_one(term.args[0]) if term.args else None
    return None if found is None else _one_plus(found, bound, "input", False)


def _one_plus(found: BesideOne, bound: Bound, name: str, shared: bool) -> Hit | None:
    value = bound.args[name]
    if not isinstance(value, Value) or value.ground == "config" or value.kind == "number" or not value.range.touches(Interval.point(0.0)):
        return None
    return _hit(ONE_PLUS, x=found.x, exact=found.exact, sign=found.sign, inner=found.term, shared=shared, of=name)


def _unsigned(term: Term) -> Term:
    """x of x and of -x."""
    inner = negated(term)
    return core(term if inner is None else inner)


# ---- variances ----------------------------------------------------------------------------


def seek_variance(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """E[x^2] - E[x]^2: the rule speaks where nothing behind it does."""
    both = minuend(term)
    found = None if both is None else variance_by_subtraction(core(both[0]), core(both[1]))
    if found is None or both is None or all(v.grad == "no" and v.ground == "config" for v in bound.args.values() if isinstance(v, Value)):
        return None
    first, inner = core(both[0]), found
    mean = core(squared(core(both[1])) or both[1])
    plain = first.op == mean.op == "mean" and same_dim(first, mean) and dim_of(first) is not MISSING
    same_shape = first.get("keepdim", False) == mean.get("keepdim", False)
    keepdim = first.get("keepdim", False) is True
    return _hit(VARIANCE, of=inner, plain=plain and same_shape, dim=dim_of(first), keepdim=keepdim)
