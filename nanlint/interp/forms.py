"""More unstable compositions on terms: softplus, binary cross-entropy and the log of a determinant written by hand.

    softplus-by-hand       log(1 + exp(x)), log1p(exp(x)) where exp can overflow
    bce-by-hand            y log(p) + (1 - y) log(1 - p) of p = sigmoid(x), and binary_cross_entropy of a sigmoid
    log-of-determinant     log(det(A)), log(|det(A)|)
    x-log-x-by-hand        p log(p), p log(p / q), p (log(p) - log(q)) where p can be exactly 0

Hit.parts: "logits", "targets" and "matrix" are Terms; "called" whether it is a call of binary_cross_entropy; "sigmoid" the Term of
the sigmoid; "sign" 1 of the log-likelihood and of p log p, -1 of the loss and of -p log p; "turned" whether it is sigmoid(-logits); "absolute" whether
the absolute value of the determinant is taken, "direct" whether nothing else stands between it and a natural log; "weight" and
"argument" what p and what the log is of, "whole" whether the log is the other factor itself; "covers" the Terms of which nothing more
is said.
"""

from __future__ import annotations

from typing import NamedTuple

from nanlint.interp.matchers import core, is_const, minuend, negated, one_less
from nanlint.interp.uses import Hit, Trace
from nanlint.interp.values import Term, Value
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
    """binary_cross_entropy(sigmoid(x), y) where a gradient flows and the sigmoid saturates."""
    sigmoid = core(term.args[0]) if term.args else None
    value = bound.args["input"]
    if sigmoid is None or sigmoid.op != "sigmoid" or not sigmoid.args or not isinstance(value, Value) or value.grad == "no":
        return None
    if not (value.range.contains(0.0) or value.range.contains(1.0)):
        return None  # of bounded logits
    reason = "where the sigmoid is exactly 0 or 1 the log is cut at -100 and its gradient is 0"
    evidence = "suspected" if value.grad == "maybe" else "reached"
    return Hit(BCE_CALL, evidence, reason, {"logits": sigmoid.args[0], "turned": False, "sigmoid": sigmoid, "called": True})


def seek_bce(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """-(y log(p) + (1 - y) log(1 - p)), said at its sum."""
    if len(term.args) != 2 or term.op not in ("add", "sub") or term.get("alpha", 1) != 1:
        return None
    one, other = (_weighted_log(core(arg)) for arg in term.args)
    if one is None or other is None or one.sign != other.sign * (1 if term.op == "add" else -1):
        return None
    if not any(trace.by_term.get(weighted.log) for weighted in (one, other)):
        return None  # a floor or bounded logits
    for first, second in ((one, other), (other, one)):
        sigmoid = _sigmoid_of(first.log, False)
        found = logits_of(sigmoid) if sigmoid is not None else None
        if found is not None and _sigmoid_of(second.log, True) is sigmoid and _is_complement(second.weight, first.weight):
            parts = {"logits": found[0], "turned": found[1], "targets": first.weight, "sigmoid": sigmoid, "sign": one.sign, "called": False}
            reason = "a sigmoid is exactly 0 below -89 and exactly 1 from 17 on in float32"
            return Hit(BCE, "reached", reason, {**parts, "covers": (first.log, second.log)})
    return None


def logits_of(term: Term) -> tuple[Term, bool] | None:
    """(x, False) of sigmoid(x) and 1 / (1 + exp(-x)), (x, True) of 1 / (1 + exp(x)), which is sigmoid(-x)."""
    if term.op == "sigmoid" and term.args:
        return term.args[0], False
    if term.op != "div" or len(term.args) != 2 or not is_const(term.args[0], 1) or term.get("rounding_mode"):
        return None
    exp = _exp_plus_one(core(term.args[1]))
    inner = negated(exp.args[0]) if exp is not None else None
    return None if exp is None else (exp.args[0], True) if inner is None else (inner, False)


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
    """p of log(p), or with complement of log(1 - p), log1p(-p)."""
    inner = log.args[0]
    if log.op == "log1p":
        found = negated(inner) if complement else None
    else:
        found = one_less(inner) if complement else inner
    return core(found) if found is not None else None


def _is_complement(rest: Term, weight: Term) -> bool:
    inner = one_less(rest)
    return inner is not None and core(inner) is core(weight)


def seek_log_determinant(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """log(det(A)), unless the determinant is kept away from 0 or is that of a setting."""
    value = bound.args["input"]
    found, path = _determinant(term.args[0]) if term.args else (None, ())
    if found is None or not isinstance(value, Value) or value.ground == "config" or value.range.lo > 0.0:
        return None
    reason = "the determinant of a large matrix is 0 or inf in float32 where its log is ordinary"
    parts = {"matrix": found.args[0], "absolute": "abs" in path, "direct": term.op == "log" and set(path) <= {"abs"}, "covers": ()}
    return Hit(DETERMINANT, "reached", reason, parts)


def _determinant(term: Term) -> tuple[Term | None, tuple[str, ...]]:
    """The determinant under absolute values, roots and constant factors, and the words of these."""
    path: tuple[str, ...] = ()
    while True:
        term = core(term)
        if term.op == "det" and term.args:
            return term, path
        inner = [a for a in term.args if core(a).const is MISSING]
        if term.op not in ("abs", "sqrt", "mul") or len(inner) != 1:
            return None, path
        path = (*path, term.op)
        term = inner[0]


def seek_x_log_x(term: Term, bound: Bound, trace: Trace) -> Hit | None:
    """p * log(p), p * log(p / q), p * (log(p) - log(q)) where p can be exactly 0."""
    for given, factor in (term.args, term.args[::-1]) if len(term.args) == 2 else ():
        (sign, weight), (turn, inner) = _signed(given), _signed(factor)
        log = _log_of(inner, weight)
        uses = trace.by_term.get(log, ()) if log is not None else ()
        kinds = {h.brk.kind for use in uses for h in use.hits}
        values = [v for v in bound.args.values() if isinstance(v, Value) and v.term is given]
        if log is None or "log-zero" not in kinds or kinds & {"log-of-softmax", "log-of-sigmoid"}:
            continue
        closed = any(v.ground == "closed" for v in values)
        if all(v.ground == "config" for v in values) or not closed and any(v.marks & {"selection", "picked"} for v in values):
            continue  # counts of what is there, elements chosen by a test
        parts = {"weight": weight, "sign": sign * turn, "argument": log.args[0], "whole": inner is log, "covers": (log,)}
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
