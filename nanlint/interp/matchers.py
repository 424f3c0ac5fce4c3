"""What terms are, whatever way they are written: differences, maxima, sums of exp, softmax."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nanlint import ops
from nanlint.interp.values import Term
from nanlint.ops.spec import MISSING


def core(term: Term, cut: bool = False) -> Term:
    """The term under reshapes, copies and casts to floats; with cut also under detach."""
    while term.args and _keeps_value(term, cut):
        term = term.args[0]
    return term


def _keeps_value(term: Term, cut: bool) -> bool:
    if term.op == "getitem":
        return _only_new_axes(term)
    row = ops.rows().get(term.op)
    if row is None or row.terms != "keeps":
        return False
    if row.gradient != "flows" and not cut:
        return False
    return not _whole_numbers(term)


def _whole_numbers(term: Term) -> bool:
    dtype = str(term.get("dtype", ""))
    return "int" in dtype or "bool" in dtype or term.op in ("long", "int", "bool")


def _only_new_axes(term: Term) -> bool:
    """x[:, None], x[..., None]: the same elements."""
    index = term.get("index")
    parts = index if isinstance(index, tuple) else (index,)
    return len(term.args) == 1 and None in parts and all(_whole_slice(p) for p in parts)


def _whole_slice(part: Any) -> bool:
    return part is None or part in ("...", ":")


def is_const(term: Term, value: float) -> bool:
    const = core(term).const
    return isinstance(const, (int, float)) and not isinstance(const, bool) and const == value


def dim_of(term: Term) -> Any:
    """The dim of a reduction or softmax: an int, a tuple, None (all), a Term (its second operand: no constant), or MISSING."""
    dim = term.get("dim")
    if isinstance(dim, Term):
        dim = dim if dim.const is MISSING else dim.const
    if isinstance(dim, (tuple, list)) and len(dim) == 1:
        dim = dim[0]
    if dim is None and len(term.args) > 1:
        return term.args[1] if len(term.args) == 2 else MISSING
    return tuple(dim) if isinstance(dim, list) else dim


def same_dim(one: Term, other: Term) -> bool:
    first, second = dim_of(one), dim_of(other)
    return first is not MISSING and first == second


def minuend(term: Term) -> tuple[Term, Term] | None:
    """(a, b) of a - b, also written a + (-b)."""
    if len(term.args) != 2 or not is_unit(term.get("alpha", 1)):
        return None
    left, right = term.args
    if term.op == "sub":
        return left, right
    if term.op == "rsub":
        return right, left
    if term.op == "add":
        return _minus(left, right) or _minus(right, left)
    return None


def _minus(left: Term, right: Term) -> tuple[Term, Term] | None:
    inner = negated(right)
    return None if inner is None else (left, inner)


def negated(term: Term) -> Term | None:
    """x of -x, -1 * x, 0 - x, -x / 1."""
    term = core(term)
    if term.op == "neg" and term.args:
        return term.args[0]
    if term.op == "mul" and len(term.args) == 2:
        left, right = term.args
        return right if is_const(left, -1) else left if is_const(right, -1) else None
    if term.op == "sub" and len(term.args) == 2 and is_const(term.args[0], 0):
        return term.args[1]
    return None


def is_unit(value: Any) -> bool:
    return value == 1 or isinstance(value, Term) and is_const(value, 1)


def maximum_of(term: Term) -> Term | None:
    """The reduction max(x, dim) under detach, keepdim and new axes ([0] and .values of its pair have its term)."""
    term = _finite_part(core(term, cut=True))
    if term.op == "join":
        return _same_maximum([maximum_of(a) for a in term.args])
    return term if term.op in TOPS and term.args and dim_of(term) is not MISSING else None


def _same_maximum(tops: list[Term | None]) -> Term | None:
    """The maximum that several ways compute, one of them of x with something put beside it."""
    known = [t for t in tops if t is not None]
    of = {core(t.args[0]) for t in known}
    plain = {t for t in of if t.op != "cat"}
    padded = all(t.op != "cat" or bool(t.args) and core(t.args[0]) in plain for t in of)
    return next(t for t in known if core(t.args[0]) in plain) if len(known) == len(tops) and len(plain) == 1 and padded else None


def _finite_part(term: Term) -> Term:
    """m of where(isfinite(m), m, 0), m.masked_fill(m.abs() == inf, 0), nan_to_num(m)."""
    if term.op == "nan_to_num":
        return core(term.args[0], cut=True)
    if term.op not in ("where", "masked_fill") or not any(_asks_finite(core(a)) for a in term.args):
        return term
    return next((top for top in (core(a, cut=True) for a in term.args) if top.op in TOPS), term)


def _asks_finite(test: Term) -> bool:
    told = test.op in ("isfinite", "isinf", "isneginf", "isposinf", "isnan")
    return told or test.op in ("eq", "ne") and any(core(a).const in (math.inf, -math.inf) for a in test.args) or _inverted(test)


def _inverted(test: Term) -> bool:
    return test.op in ("bitwise_not", "logical_not") and bool(test.args) and _asks_finite(core(test.args[0]))


#: Ops that give the largest of the elements, along dims or over windows.
TOPS = frozenset({"max", "amax", "adaptive_max_pool"})


def shifted_by_max(logits: Term, dim_holder: Term) -> bool:
    """Whether logits is x - max(x, d) with the d of dim_holder."""
    both = minuend(core(logits))
    if both is None:
        return False
    top = maximum_of(both[1])
    return top is not None and core(top.args[0], cut=True) is core(both[0], cut=True) and same_dim(top, dim_holder)


def one_less(term: Term) -> Term | None:
    """s of 1 - s."""
    both = minuend(core(term))
    return both[1] if both is not None and is_const(both[0], 1) else None


def exp_of(term: Term) -> Term | None:
    term = core(term)
    return term.args[0] if term.op == "exp" and len(term.args) == 1 else None


@dataclass(frozen=True)
class SumExp:
    """sum(exp(logits), dim): the terms of it."""

    logits: Term
    exp: Term
    sum: Term

    @property
    def stable(self) -> bool:
        return shifted_by_max(self.logits, self.sum)


def sum_exp(term: Term) -> SumExp | None:
    total = core(term)
    if total.op != "sum" or not total.args:
        return None
    logits = exp_of(total.args[0])
    return None if logits is None else SumExp(logits, core(total.args[0]), total)


@dataclass(frozen=True)
class Softmax:
    """softmax(logits, dim), by the op or by hand: dim_holder has its dim."""

    logits: Term
    dim_holder: Term
    term: Term
    parts: tuple[Term, ...] = ()
    floor: bool = False
    stable: bool = True


def softmax_of(term: Term) -> Softmax | None:
    term = core(term)
    if term.op == "softmax" and term.args:
        return Softmax(term.args[0], term, term)
    return by_hand(term)


def by_hand(term: Term) -> Softmax | None:
    """exp(x) / sum(exp(x), d), with or without x - max(x, d) and a floor under the divisor."""
    if term.op != "div" or len(term.args) != 2 or term.get("rounding_mode"):
        return None
    top, bottom = core(term.args[0]), core(term.args[1])
    inner, floor = _without_floor(bottom)
    below = sum_exp(inner)
    if below is None or below.exp is not top or dim_of(below.sum) is MISSING:
        return None
    logits = unshifted(below.logits) if below.stable else below.logits
    return Softmax(logits, below.sum, term, (below.exp, below.sum), floor, below.stable)


def unshifted(logits: Term) -> Term:
    both = minuend(core(logits))
    return both[0] if both is not None else logits


def _without_floor(term: Term) -> tuple[Term, bool]:
    if term.op == "add" and len(term.args) == 2:
        left, right = term.args
        for one, other in ((left, right), (right, left)):
            if isinstance(core(other).const, (int, float)):
                return core(one), True
    if term.op in ("clamp", "clamp_min") and term.args:
        return core(term.args[0]), True
    return term, False
