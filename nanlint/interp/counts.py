"""How sure a break of too few elements is: the mean of none, the standard deviation of one."""

from __future__ import annotations

from nanlint.interp.relations import as_many
from nanlint.interp.telling import TELLING_BATCHES, tells, words_of
from nanlint.interp.uses import Hit, Use
from nanlint.interp.values import Value

Judgement = tuple[str, str]


def of_count(use: Use, hit: Hit, value: Value) -> Judgement:
    alone = hit.brk.kind == "std-one"
    if value.marks & {"selection", "picked"} and _along_selected(use, value):
        return "reached", "a selection can hold one element" if alone else "a selection can be empty"
    return _of_one(use, value) if alone else ("unknown", "")


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
        told = tells(words_of(use.nodes.get("input")), TELLING_BATCHES)
        return ("suspected", "a mini-batch can hold one element") if told else ("unknown", "")
    if dim == 0 or dim == 1 and use.bound.const("keepdim", False) is not True:
        return "suspected", f"along dim {dim} there can be one element"
    return "unknown", ""
