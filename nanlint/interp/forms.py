"""More unstable compositions on terms: softplus, binary cross-entropy and the log of a determinant written by hand.

    softplus-by-hand       log(1 + exp(x)), log1p(exp(x)) where exp can overflow
    bce-by-hand            y log(p) + (1 - y) log(1 - p) of p = sigmoid(x), and binary_cross_entropy of a sigmoid
    log-of-determinant     log(det(A)), log(|det(A)|)
    x-log-x-by-hand        p log(p), p log(p / q), p (log(p) - log(q)) where p can be exactly 0

Hit.parts: "logits", "targets" and "matrix" are Terms; "called" whether it is a call of binary_cross_entropy; "sigmoid" the Term of
the sigmoid; "sign" 1 of the log-likelihood, -1 of the loss; "absolute" whether the absolute value of the determinant is taken; "weight" and
"argument" what p and what the log is of, "whole" whether the log is the other factor itself; "covers" the Terms of which nothing more
is said.
"""

from __future__ import annotations

from typing import NamedTuple

from nanlint.interp.matchers import core, is_const, minuend, negated, one_less
from nanlint.interp.uses import Hit, Trace
from nanlint.interp.values import Term
from nanlint.ops.spec import MISSING, Bound, Break


def _never(_: Bound) -> None:
    return None


SOFTPLUS = Break("softplus-by-hand", "input", _never, "value", "inf", says="softplus by hand")
BCE = Break("bce-by-hand", "input", _never, "value", "-inf", says="binary cross-entropy by hand")
BCE_CALL = Break("bce-by-hand", "input", _never, "gradient", "dead", says="binary cross-entropy of a sigmoid")
X_LOG_X = Break("x-log-x-by-hand", "input", _never, "value", "nan", says="p log p by hand")
DETERMINANT = Break("log-of-determinant", "input", _never, "value", "-inf", says="log of a determinant")


def seek_softplus(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    exp = _exp_plus_one(core(term.args[0])) if term.args else None
    overflows = exp is not None and any(h.brk.kind == "exp-overflow" for use in trace.by_term.get(exp, ()) for h in use.hits)
    if exp is None or not overflows or not exp.args:
        return None
    reason = "exp of a value above 88.7 is inf in float32"
    return Hit(SOFTPLUS, "reached", reason, {"logits": exp.args[0], "covers": (exp,)})


def seek_softplus_log1p(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    exp = core(term.args[0]) if term.args else None
    if exp is None or exp.op != "exp" or not exp.args:
        return None
    if not any(h.brk.kind == "exp-overflow" for use in trace.by_term.get(exp, ()) for h in use.hits):
        return None
    return Hit(SOFTPLUS, "reached", "exp of a value above 88.7 is inf in float32", {"logits": exp.args[0], "covers": (exp,)})


def _exp_plus_one(term: Term) -> Term | None:
    """exp(x) of 1 + exp(x)."""
    if term.op != "add" or len(term.args) != 2:
        return None
    for one, other in (term.args, term.args[::-1]):
        if is_const(one, 1) and core(other).op == "exp":
            return core(other)
    return None


def seek_bce_call(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """binary_cross_entropy(sigmoid(x), y)."""
    sigmoid = core(term.args[0]) if term.args else None
    if sigmoid is None or sigmoid.op != "sigmoid" or not sigmoid.args:
        return None
    reason = "where the sigmoid is exactly 0 or 1 the log is cut at -100 and its gradient is 0"
    return Hit(BCE_CALL, "reached", reason, {"logits": sigmoid.args[0], "sigmoid": sigmoid, "called": True})


def seek_bce(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """-(y log(p) + (1 - y) log(1 - p)), said at its sum."""
    if len(term.args) != 2 or term.op not in ("add", "sub") or term.get("alpha", 1) != 1:
        return None
    one, other = (_weighted_log(core(arg)) for arg in term.args)
    if one is None or other is None or one.sign != other.sign * (1 if term.op == "add" else -1):
        return None
    for first, second in ((one, other), (other, one)):
        sigmoid = _sigmoid_of(first.log, False)
        if sigmoid is not None and _sigmoid_of(second.log, True) is sigmoid and _is_complement(second.weight, first.weight):
            parts = {"logits": sigmoid.args[0], "targets": first.weight, "sigmoid": sigmoid, "sign": one.sign, "called": False}
            reason = "a sigmoid is exactly 0 below -89 and exactly 1 from 17 on in float32"
            return Hit(BCE, "reached", reason, {**parts, "covers": (first.log, second.log)})
    return None


class WeightedLog(NamedTuple):
    """sign * weight * log(...)."""

    sign: int
    weight: Term
    log: Term


def _weighted_log(term: Term) -> WeightedLog | None:
    """y * log(p), -y * log(p), y * -log(p)."""
    sign, term = _signed(term)
    if term.op != "mul" or len(term.args) != 2:
        return None
    for weight, log in (term.args, term.args[::-1]):
        outer, bare = _signed(weight)
        inner, found = _signed(log)
        if found.op in ("log", "log1p") and found.args:
            return WeightedLog(sign * outer * inner, bare, found)
    return None


def _signed(term: Term) -> tuple[int, Term]:
    inner = negated(term)
    return (1, core(term)) if inner is None else (-1, core(inner))


def _sigmoid_of(log: Term, complement: bool) -> Term | None:
    """The sigmoid of log(sigmoid), or with complement of log(1 - sigmoid), log1p(-sigmoid)."""
    inner = log.args[0]
    if log.op == "log1p":
        found = negated(inner) if complement else None
    else:
        found = one_less(inner) if complement else inner
    sigmoid = core(found) if found is not None else None
    return sigmoid if sigmoid is not None and sigmoid.op == "sigmoid" and sigmoid.args else None


def _is_complement(rest: Term, weight: Term) -> bool:
    inner = one_less(rest)
    return inner is not None and core(inner) is core(weight)


def seek_log_determinant(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    inner = core(term.args[0]) if term.args else None
    absolute = inner is not None and inner.op == "abs"
    found = core(inner.args[0]) if inner is not None and absolute and inner.args else inner
    if found is None or found.op != "det" or not found.args or term.get("dim", MISSING) is not MISSING:
        return None
    reason = "the determinant of a large matrix is 0 or inf in float32 where its log is ordinary"
    return Hit(DETERMINANT, "reached", reason, {"matrix": found.args[0], "absolute": absolute, "covers": ()})


def seek_x_log_x(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """p * log(p), p * log(p / q), p * (log(p) - log(q)) where p can be exactly 0."""
    for weight, factor in (term.args, term.args[::-1]) if len(term.args) == 2 else ():
        weight, log = core(weight), _log_of(core(factor), core(weight))
        uses = trace.by_term.get(log, ()) if log is not None else ()
        kinds = {h.brk.kind for use in uses for h in use.hits}
        if log is None or "log-zero" not in kinds or kinds & {"log-of-softmax", "log-of-sigmoid"}:
            continue
        closed = any(v.term is not None and core(v.term) is weight and v.ground == "closed" for v in bound.args.values())  # type: ignore[attr-defined]
        parts = {"weight": weight, "argument": log.args[0], "whole": core(factor) is log, "covers": (log,)}
        return Hit(X_LOG_X, "reached" if closed else "suspected", "a probability of exactly 0 gives 0 * -inf", parts)
    return None


def _log_of(factor: Term, weight: Term) -> Term | None:
    """The log in a factor whose argument is 0 wherever the weight is."""
    both = minuend(factor)
    log = core(both[0]) if both is not None else factor
    if log.op not in ("log", "log2", "log10") or not log.args:
        return None
    inner = core(log.args[0])
    if inner.op in ("div", "mul") and inner.args:
        inner = next((core(a) for a in inner.args[: 1 if inner.op == "div" else 2] if core(a) is weight), inner)
    return log if inner is weight else None
