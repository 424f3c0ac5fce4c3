"""The summands of a loss: which of them carry no gradient any more, because of a cut (detach, data, numpy, item)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nanlint.interp.matchers import core
from nanlint.interp.values import NOTHING, Value, elements
from nanlint.ops.spec import Bound, Op

if TYPE_CHECKING:
    from nanlint.interp.uses import Use
    from nanlint.interp.values import Term

SUMS = frozenset({"add", "sub"})
FACTORS = frozenset({"mul", "div"})
#: What leaves the summands of its argument summands of its result.
LINEAR = frozenset({"neg", "mean", "sum", "nansum", "nanmean"})
#: Names of what a prediction is compared with.
TARGETS = frozenset({"target", "targets", "tgt", "label", "labels", "y", "gt", "truth", "ground", "teacher", "reference", "true"})
#: Names of what is seldom meant to be trained through.
GIVEN = TARGETS | frozenset({"t", "ema", "momentum", "old", "baseline", "returns", "advantage", "advantages", "reward", "rewards", "ref", "frozen"})

Cuts = frozenset[Any]


def dead(op: Op, bound: Bound) -> Cuts:
    """The cuts behind summands of the result through which no gradient flows."""
    values = {n: v for n, v in bound.args.items() if isinstance(v, Value)}
    if op.name in SUMS:
        return _of_sum(values.get("input"), values.get("other"))
    passed: Cuts = frozenset().union(*(v.dead for v in values.values()))
    if op.name in FACTORS:
        carrying = [v for v in values.values() if v.grad != "no"]
        return passed if passed and len(carrying) <= 1 else NOTHING
    if "loss" in op.marks:
        return _of_prediction(values.get(op.lead), values.get("target"))
    return passed if op.name in LINEAR or op.terms in ("keeps", "permutes", "joins", "selects") and op.gradient == "flows" else NOTHING


def _of_sum(one: Value | None, other: Value | None) -> Cuts:
    """A summand without a gradient beside one that has it."""
    if one is None or other is None:
        return NOTHING
    return one.dead | other.dead | beside(one, other) | beside(other, one)


def beside(value: Value, other: Value) -> Cuts:
    """The cuts of a summand without a gradient, unless they keep the value of the other one (straight through, shifts by a maximum)."""
    if value.grad != "no" or other.grad == "no" or not value.cuts:
        return NOTHING
    if any(_belongs(cut, other) for cut in value.cuts):
        return NOTHING
    return culprits(value.cuts)


def _belongs(cut: Use, other: Value) -> bool:
    """x + (y - x).detach(), m.detach() + log(sum(exp(x - m.detach())))"""
    before, after = _data(cut).term, cut.result.term
    if other.term is None or before is None:
        return True
    return cut in other.cuts or mentions(before, core(other.term)) or after is not None and mentions(other.term, after)


def _of_prediction(value: Value | None, target: Value | None) -> Cuts:
    """A loss between a detached prediction and a target that is given: nothing is trained."""
    if value is None or value.grad != "no" or not value.cuts or value.lib == "numpy":
        return NOTHING
    given = target is None or target.grad == "no" or "parameter" in target.marks and bool(words(target.name) & TARGETS)
    return culprits(value.cuts) if given and not words(value.name) & GIVEN else NOTHING


def of_loss(value: Value) -> Cuts:
    """The cuts behind summands of what a loss returns; all of them if nothing of it carries a gradient."""
    if value.kind == "mapping" and isinstance(value.data, dict):
        return frozenset().union(*(v.dead for v in value.data.values()))
    if value.kind == "sequence":
        return frozenset().union(*(v.dead for v in elements(value)))
    whole = value.kind == "tensor" and value.lib == "torch" and value.grad == "no" and value.dtype not in ("bool", "int64")
    if not whole or value.term is None or core(value.term) is not core(value.term, cut=True):
        return value.dead
    return value.dead | culprits(value.cuts)


def culprits(cuts: Cuts) -> Cuts:
    """The outermost cuts of what carries a gradient, but for those of targets and of losses that are only told."""
    first = {c for c in cuts if _data(c).grad != "no"}
    inner = {d for c in first for d in _data(c).cuts}
    return frozenset(c for c in first - inner if not given(c))


def given(cut: Use) -> bool:
    value = _data(cut)
    named = words(value.name) | words(_name(value.term))
    return bool(named & GIVEN)


def _name(term: Term | None) -> str:
    if term is None:
        return ""
    term = core(term, cut=True)
    return str(term.get("name") or term.get("key", "")).rpartition(":")[2].partition("#")[0]


def words(name: str) -> set[str]:
    return set(name.lower().strip("_").split("_"))


def _data(cut: Use) -> Value:
    brk = next(h.brk for h in cut.hits if h.brk.where == "graph")
    return cut.arg(brk.arg)


def mentions(term: Term, part: Term, depth: int = 16) -> bool:
    if core(term) is part or term is part:
        return True
    return depth > 0 and any(mentions(a, part, depth - 1) for a in term.args)
