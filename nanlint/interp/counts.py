"""How sure a break of too few elements is: the mean of none, the standard deviation of one."""

from __future__ import annotations

from nanlint import ops
from nanlint.interp.liveness import part_is_read
from nanlint.interp.matchers import core
from nanlint.interp.relations import as_many, base_of, called_mask, name_of
from nanlint.interp.telling import TELLING_BATCHES, TELLING_GROUPS, tells, words_of
from nanlint.interp.uses import Consumer, Hit, Use
from nanlint.interp.values import Term, Value

Judgement = tuple[str, str]
#: Ops that make an array of a list.
LISTS = frozenset({"stack", "tensor"})


def of_count(use: Use, hit: Hit, value: Value) -> Judgement:
    alone = hit.brk.kind == "std-one"
    if use.op.parts and not any(part_is_read(use.site, i) for i in _broken_parts(use, hit)):
        return "excluded", "the part that breaks is not used"
    if not alone and any(_replaces(c, use, value) for c in use.consumers):
        return "excluded", "it is replaced behind, and a mean of nothing has no gradient"
    if value.marks & {"selection", "picked"} and _along_selected(use, value):
        return "reached", "a selection can hold one element" if alone else "a selection can be empty"
    if value.term is not None and called_mask(value.term) is not None and _along_selected(use, value):
        return "suspected", "a mask can select one element" if alone else "a mask can select nothing"
    return _of_one(use, value) if alone else ("unknown", "")


def _broken_parts(use: Use, hit: Hit) -> list[int]:
    """Which items of a returned tuple have the break: the first of std_mean for std-one."""
    rows = [ops.rows().get(name) for name in use.op.parts]
    return [i for i, row in enumerate(rows) if row is not None and any(b.kind == hit.brk.kind for b in row.breaks)]


def _replaces(consumer: Consumer, use: Use, value: Value) -> bool:
    """nan_to_num(mean), where(mask.any(), mean, 0): no element is there that a NaN could come back to."""
    taken = consumer.bound.args[consumer.arg].term
    if consumer.op.guard != "select" or consumer.op.terms != "elementwise" or taken is None or use.term is None or core(taken) is not core(use.term):
        return False
    tests = [consumer.bound.args[n].term for n in ("condition", "mask") if consumer.bound.has(n)]
    about = {core(use.term), *(core(a) for t in as_many(value.term) for a in t.args[1:])} if value.term is not None else {core(use.term)}
    return consumer.arg not in ("condition", "mask") and all(t is not None and _mentions(t, about) for t in tests)


def _mentions(term: Term, subjects: set[Term], depth: int = 8) -> bool:
    return core(term) in subjects or depth > 0 and any(_mentions(a, subjects, depth - 1) for a in term.args)

def _along_selected(use: Use, value: Value) -> bool:
    """Whether a reduction goes along what was selected: over all, or over the dim that the mask stands in."""
    dim = use.bound.const("dim", None)
    if dim is None or isinstance(dim, bool):
        return True
    found = next((t for t in as_many(value.term) if t.op == "getitem"), None) if value.term is not None else None
    index = found.get("index") if found is not None else None
    return bool(dim == (index.index("@") if isinstance(index, tuple) and "@" in index else 0))


def _of_one(use: Use, value: Value) -> Judgement:
    """std and var with n - 1: over a batch, over groups, over what its name calls a mini-batch's data."""
    if value.ground == "config" or value.kind not in ("tensor", "unknown"):
        return "unknown", ""
    dim = use.bound.const("dim", None)
    dim = dim[0] if isinstance(dim, tuple) and len(dim) == 1 else dim
    if dim is None or isinstance(dim, bool):
        if "listed" in value.marks and value.term is not None and any(t.op in LISTS for t in as_many(value.term)):
            return "suspected", "the list can hold one number"
        told = tells(words_of(use.nodes.get("input")), TELLING_BATCHES)
        return ("suspected", "a mini-batch can hold one element") if told else ("unknown", "")
    if dim == 0 or dim == 1 and use.bound.const("keepdim", False) is not True:
        return "suspected", f"along dim {dim} there can be one element"
    if dim in (1, -1) and value.term is not None and _in_groups(value.term):
        return "suspected", "a group can hold one element"
    return "unknown", ""


def _in_groups(term: Term) -> bool:
    """x.view(-1, n) with n a parameter: rows of a group each, by the name of x or of n."""
    for view in as_many(term):
        if view.op in ("view", "reshape") and len(view.args) == 3 and view.args[1].const == -1:
            if tells({name_of(view.args[2])}, TELLING_GROUPS) or view.args[2].op == "leaf" and tells({name_of(base_of(view.args[0]))}, TELLING_BATCHES):
                return True
    return False
