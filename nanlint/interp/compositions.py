"""Unstable compositions, recognised on terms: through variables, statements and calls, never by syntax.

find() is asked after each application of an op and gives the compositions that this op completes:

    log-of-softmax         log(softmax(x, d)), also behind gather, indexing, mean
    log-of-sigmoid         log(sigmoid(x)), log(1 - sigmoid(x))
    log-of-sum-of-exp      log(sum(exp(x), d)) without x - max(x, d)
    softmax-by-hand        exp(x) / sum(exp(x), d) without x - max(x, d)
    cross-entropy-by-hand  sum or mean of log-sum-exp minus the picked logit, or of the picked log of a softmax

Hit.parts: "logits" and "targets" are Terms; "dim" is an int, a tuple, None (over all) or a Term, and is absent
where it is not known; "keepdim" a bool; "reduction" "sum" or "mean"; "complement" whether it is 1 - sigmoid;
"softmax" the Term of the softmax; "path" the words between it and the log; "floor" whether an eps stands in
the divisor; "natural" whether the log is to base e; "direct" whether no reshape stands between the parts, so that the
whole expression can be replaced; "averaged" whether a mean stands between; "covers" the Terms whose own findings this one speaks for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nanlint import ops
from nanlint.interp import cancellations, forms
from nanlint.interp.matchers import Softmax, by_hand, core, dim_of, minuend, negated, one_less, softmax_of, sum_exp
from nanlint.interp.uses import Hit, Trace
from nanlint.interp.values import Term
from nanlint.ops.spec import MISSING, Bound, Break, Op

NATURAL = ("log", "log1p")
#: Logs of less have gradients beyond float32.
TINY = 1.2e-38


def find(op: Op, bound: Bound, term: Term, trace: Trace) -> list[Hit]:
    """The compositions that the op just applied completes (at most one of a kind)."""
    seekers = _SEEKERS.get(op.name, ())
    hits = (seek(term, bound, trace) for seek in seekers)
    return [hit for hit in hits if hit is not None]


# ---- seekers ------------------------------------------------------------------------------


def _never(_: Bound) -> None:
    return None


def _break(kind: str, arg: str, result: str, says: str) -> Break:
    return Break(kind, arg, _never, "value", result, says=says)


LOG_SOFTMAX = _break("log-of-softmax", "input", "-inf", "log of a softmax")
LOG_SIGMOID = _break("log-of-sigmoid", "input", "-inf", "log of a sigmoid")
LOG_SUM_EXP = _break("log-of-sum-of-exp", "input", "inf", "log of a sum of exp")
SOFTMAX = _break("softmax-by-hand", "other", "nan", "softmax by hand")
CROSS_ENTROPY = _break("cross-entropy-by-hand", "input", "inf", "cross-entropy by hand")


def _hit(brk: Break, reason: str, **parts: Any) -> Hit:
    return Hit(brk, "reached", reason, {key: value for key, value in parts.items() if value is not MISSING})


def _lowest(bound: Bound, name: str = "input") -> float:
    return bound.r(name).lo if bound.has(name) else 0.0


def _overflows(exp: Term, trace: Trace) -> bool:
    """Whether an exp that was computed can be inf in its dtype."""
    return any(hit.brk.kind == "exp-overflow" for use in trace.by_term.get(exp, ()) for hit in use.hits)


def seek_log_softmax(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    if _lowest(bound) > TINY or not term.args:
        return None
    for inner, path in _picked(term.args[0]):
        found = softmax_of(inner)
        if found is not None:
            return _log_softmax_hit(term, found, path)
    return None


def _log_softmax_hit(log: Term, found: Softmax, path: tuple[str, ...]) -> Hit:
    reason = "a softmax is exactly 0 for a logit far below the largest"
    parts = {"logits": found.logits, "dim": dim_of(found.dim_holder), "softmax": found.term, "by_hand": bool(found.parts)}
    direct = log.args[0] is found.term and not (found.parts and found.term.args[0] is not found.parts[0])
    return _hit(LOG_SOFTMAX, reason, **parts, path=path, direct=direct, averaged="mean" in path, natural=log.op == "log")


_PICKS = ("gather", "getitem", "index_select", "select", "take_along_dim", "masked_select", "mean", "max", "amax", "min", "amin", "diagonal")


def _picked(term: Term) -> Iterator[tuple[Term, tuple[str, ...]]]:
    """The term itself, then what it picks from or averages, outermost word first."""
    path: tuple[str, ...] = ()
    term = core(term)
    while True:
        yield term, path
        if term.op not in _PICKS or not term.args:
            return
        path = (*path, term.op)
        term = core(term.args[0])


def seek_log_sigmoid(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    if _lowest(bound) > TINY or not term.args:
        return None
    inner = core(term.args[0])
    rest = one_less(inner)
    sigmoid = core(inner if rest is None else rest)
    if sigmoid.op != "sigmoid" or not sigmoid.args:
        return None
    return _sigmoid_hit(sigmoid, rest is not None, term)


def seek_log1p_sigmoid(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """log1p(-sigmoid(x))."""
    inner = negated(term.args[0]) if term.args and _lowest(bound) <= -1.0 else None
    if inner is None or core(inner).op != "sigmoid":
        return None
    return _sigmoid_hit(core(inner), True, term)


def _sigmoid_hit(sigmoid: Term, complement: bool, term: Term) -> Hit:
    reason = "a sigmoid is exactly 1 from 17 on in float32" if complement else "a sigmoid is exactly 0 below -89 in float32"
    inner = one_less(term.args[0]) or negated(term.args[0]) if complement else term.args[0]
    return _hit(LOG_SIGMOID, reason, logits=sigmoid.args[0], complement=complement, sigmoid=sigmoid, direct=inner is sigmoid, natural=term.op in NATURAL)


def seek_log_sum_exp(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    found = sum_exp(term.args[0]) if term.args else None
    if found is None or found.stable or dim_of(found.sum) is MISSING:
        return None
    if _lowest(bound) > TINY and not _overflows(found.exp, trace):
        return None
    keepdim = found.sum.get("keepdim", False)
    covers = (found.exp, found.sum)
    reason = "exp of a logit above 88.7 is inf in float32, and a sum of exp far below 0 is 0"
    direct = term.args[0] is found.sum and found.sum.args[0] is found.exp
    return _hit(LOG_SUM_EXP, reason, logits=found.logits, dim=dim_of(found.sum), keepdim=keepdim is True, covers=covers, direct=direct)


def seek_softmax(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    found = by_hand(term)
    if found is None or found.stable or not _breaks_by_hand(found, bound, trace):
        return None
    reason = "exp of a logit above 88.7 is inf in float32, and inf / inf is NaN"
    dim = dim_of(found.dim_holder)
    keepdim = found.dim_holder.get("keepdim", False) is True
    reshaped = term.args[1] is not found.parts[1]
    direct = term.args[0] is found.parts[0] and (keepdim or reshaped or dim in (None, 0, -1))
    return _hit(SOFTMAX, reason, logits=found.logits, dim=dim, keepdim=keepdim, floor=found.floor, softmax=term, covers=found.parts, direct=direct)


def _breaks_by_hand(found: Softmax, bound: Bound, trace: Trace) -> bool:
    if any(use.bound.args["input"].ground == "config" for use in trace.by_term.get(found.parts[0], ())):  # type: ignore[attr-defined]
        return False  # a window or kernel of settings
    if _overflows(found.parts[0], trace):
        return True
    shifted = {"shifted"} & set(bound.marks("input"))
    top = bound.r("input").hi  # an exp that is at most 1 underflows only
    return not shifted and top > 1.001 and _lowest(bound, "other") <= TINY


# ---- cross-entropy ------------------------------------------------------------------------


@dataclass(frozen=True)
class Loss:
    """A negative log-likelihood, a number a sample: sign -1 where it is still a log-likelihood."""

    logits: Term
    targets: Term
    sign: int
    covers: tuple[Term, ...]
    reduced: str = ""

    def but(self, sign: int = 1, reduced: str = "") -> Loss:
        return Loss(self.logits, self.targets, self.sign * sign, self.covers, reduced or self.reduced)


def seek_cross_entropy(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    loss = _loss(term)
    if loss is None or loss.sign < 0 or not loss.reduced or not _dangerous(loss, trace):
        return None
    reason = "its log of a sum of exp is inf from a logit of 88.7 in float32"
    return _hit(CROSS_ENTROPY, reason, logits=loss.logits, targets=loss.targets, dim=1, reduction=loss.reduced, covers=loss.covers)


def _dangerous(loss: Loss, trace: Trace) -> bool:
    """Whether some inner use breaks; not where the ranges keep all of them away from their ends."""
    return any(trace.by_term.get(term) for term in loss.covers)


def _loss(term: Term) -> Loss | None:
    """A (reduced) loss: sums, means and signs around the loss of the samples."""
    term = core(term)
    inner = negated(term)
    if inner is not None:
        loss = _loss(inner)
        return loss.but(sign=-1) if loss is not None else None
    if term.op in ("sum", "mean") and len(term.args) == 1:
        loss = _reduced(term)
        if loss is not None:
            return loss
    return _sample_loss(term)


def _reduced(term: Term) -> Loss | None:
    if dim_of(term) not in (None, 0):
        return None
    summed = core(term.args[0])
    if term.op == "sum" and dim_of(term) is None:
        whole = _product_loss(summed, over_all=True)
        if whole is not None:
            return whole.but(reduced="sum")
    loss = _loss(summed)
    return loss.but(reduced=term.op) if loss is not None and not loss.reduced else None


def _sample_loss(term: Term) -> Loss | None:
    """One number a sample: logsumexp - picked logit, or the picked log of a softmax."""
    return _difference(term) or _picked_log(term) or _summed_product(term)


def _difference(term: Term) -> Loss | None:
    """log(sum(exp(x), 1)) - picked, sign 1; picked - log(sum(exp(x), 1)), sign -1."""
    both = minuend(term)
    if both is None:
        return None
    return _log_minus_pick(*both) or _turned(_log_minus_pick(both[1], both[0]))


def _turned(loss: Loss | None) -> Loss | None:
    return loss.but(sign=-1) if loss is not None else None


def _log_minus_pick(log: Term, pick: Term) -> Loss | None:
    log = core(log)
    found = sum_exp(log.args[0]) if log.op == "log" and log.args else None
    if found is None or found.stable:
        return None
    chosen = _pick(pick)
    if chosen is None or core(chosen[0]) is not core(found.logits) or not _class_dim(dim_of(found.sum), chosen[2]):
        return None
    return Loss(found.logits, chosen[1], 1, (log, found.exp, found.sum))


def _class_dim(dim: Any, flat: bool) -> bool:
    """Whether the classes lie along dim 1: given so, or last of two axes where indexing shows that there are two."""
    return dim == 1 and type(dim) is int or flat and dim == -1


def _pick(term: Term) -> tuple[Term, Term, bool] | None:
    """(scores, targets, whether the scores have two axes) of a pick of one score a sample."""
    term = core(term)
    if term.op == "getitem" and len(term.args) == 3 and term.get("index") == ("@", "@") and _counts_up(term.args[1]):
        return term.args[0], term.args[2], True
    if term.op == "gather" and len(term.args) == 2:
        return _gathered(term)
    if term.op == "sum" and term.args:
        return _one_hot_sum(term)
    return None


def _counts_up(term: Term) -> bool:
    return core(term).op in ("arange", "range")


def _gathered(term: Term) -> tuple[Term, Term, bool] | None:
    scores, index = term.args
    index = core(index)
    return (scores, index, True) if dim_of_gather(term) == 1 and index is not term.args[1] else None


def dim_of_gather(term: Term) -> Any:
    dim = term.get("dim")
    return dim.const if isinstance(dim, Term) else dim


def _one_hot_sum(term: Term) -> tuple[Term, Term, bool] | None:
    if dim_of(term) not in (1, -1):
        return None
    both = _one_hot_product(core(term.args[0]))
    return None if both is None or dim_of(term) != 1 else (both[0], both[1], False)


def _one_hot_product(term: Term) -> tuple[Term, Term] | None:
    """(scores, targets) of one_hot(targets) * scores."""
    if term.op != "mul" or len(term.args) != 2:
        return None
    left, right = core(term.args[0]), core(term.args[1])
    for hot, scores in ((left, right), (right, left)):
        if hot.op == "one_hot" and hot.args:
            return scores, hot.args[0]
    return None


def _picked_log(term: Term) -> Loss | None:
    """log(pick(softmax)) or pick(log(softmax)); the picked log-likelihood has sign -1."""
    if term.op == "log" and term.args:
        chosen = _pick(term.args[0])
        return None if chosen is None else _softmax_loss(softmax_of(chosen[0]), chosen, (term,))
    chosen = _pick(term)
    return None if chosen is None else _log_loss(chosen)


def _log_loss(chosen: tuple[Term, Term, bool]) -> Loss | None:
    log = core(chosen[0])
    if log.op == "log" and log.args:
        return _softmax_loss(softmax_of(log.args[0]), chosen, (log,))
    return _shifted_loss(log, chosen)


def _shifted_loss(term: Term, chosen: tuple[Term, Term, bool]) -> Loss | None:
    """Picked x - log(sum(exp(x), 1)), the log of a softmax by hand."""
    both = minuend(term)
    log = core(both[1]) if both is not None else None
    if both is None or log is None or log.op != "log" or not log.args:
        return None
    found = sum_exp(log.args[0])
    if found is None or found.stable or core(both[0]) is not core(found.logits):
        return None
    return Loss(found.logits, chosen[1], -1, (log, found.exp, found.sum)) if _class_dim(dim_of(found.sum), chosen[2]) else None


def _softmax_loss(found: Softmax | None, chosen: tuple[Term, Term, bool], logs: tuple[Term, ...]) -> Loss | None:
    if found is None or found.floor or not _class_dim(dim_of(found.dim_holder), chosen[2]):
        return None
    return Loss(found.logits, chosen[1], -1, (*logs, found.term, *found.parts))


def _summed_product(term: Term) -> Loss | None:
    """sum(one_hot * log(softmax), 1) with the log inside the product is a pick; here with a sign inside."""
    if term.op != "sum" or dim_of(term) != 1 or not term.args:
        return None
    inner = negated(term.args[0])
    return None if inner is None else _turned(_product_loss(core(inner), over_all=False))


def _product_loss(term: Term, over_all: bool) -> Loss | None:
    """one_hot * log(softmax), still with all its elements; sign -1."""
    inner = negated(term) if over_all else None
    if inner is not None:
        return _turned(_product_loss(core(inner), over_all=False))
    both = _one_hot_product(term)
    if both is None:
        return None
    sign = 1
    scores = both[0]
    if negated(scores) is not None:
        sign, scores = -1, core(negated(scores) or scores)
    loss = _log_loss((scores, both[1], False))
    return None if loss is None else loss.but(sign=sign)


Seeker = Callable[[Term, Bound, Trace], "Hit | None"]
_SEEKERS: dict[str, tuple[Seeker, ...]] = {
    "log": (seek_log_softmax, seek_log_sigmoid, seek_log_sum_exp, forms.seek_softplus, forms.seek_log_determinant, cancellations.seek_lost),
    "log2": (seek_log_softmax, seek_log_sigmoid, forms.seek_log_determinant, cancellations.seek_lost),
    "log10": (seek_log_softmax, seek_log_sigmoid, forms.seek_log_determinant, cancellations.seek_lost),
    "log1p": (seek_log1p_sigmoid, forms.seek_softplus_log1p),
    "add": (forms.seek_bce,),
    "sub": (forms.seek_bce, cancellations.seek_variance),
    "rsub": (cancellations.seek_variance,),
    "sqrt": (cancellations.seek_lost,),
    "rsqrt": (cancellations.seek_lost,),
    "reciprocal": (cancellations.seek_lost,),
    "binary_cross_entropy": (forms.seek_bce_call,),
    "div": (seek_softmax, cancellations.seek_ratio),
    "sum": (seek_cross_entropy,),
    "mean": (seek_cross_entropy,),
    "neg": (seek_cross_entropy,),
    "mul": (seek_cross_entropy, forms.seek_x_log_x),
}
