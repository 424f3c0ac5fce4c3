"""Where a value goes: whether all that is made of it ends in comparisons, tests and cuts, through which no gradient comes back."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from nanlint import ops
from nanlint.fragments import Fragment
from nanlint.interp.uses import Site

#: Variables that are followed one after the other.
LONGEST = 3
#: Builtins whose result carries no gradient.
NUMBERS = frozenset({"int", "float", "bool", "len", "str", "print"})
#: Attributes that say nothing of the elements.
METADATA = frozenset({"shape", "dtype", "device", "ndim", "is_cuda", "size", "dim", "numel"})


def only_compared(site: Site) -> bool:
    """Whether no gradient comes back to an expression, nor any value but the outcome of comparisons."""
    return _ends(site.fragment, site.node, LONGEST)


def _ends(fragment: Fragment, node: cst.CSTNode, names: int) -> bool:
    while node in fragment.parents:
        parent, field = fragment.parents[node]
        if isinstance(parent, cst.Comparison) or isinstance(parent, (cst.If, cst.While, cst.Assert, cst.IfExp)) and field == "test":
            return True
        if isinstance(parent, cst.Attribute):
            if _cuts(fragment, parent):
                return True
        elif isinstance(parent, cst.Call):
            if isinstance(parent.func, cst.Name) and parent.func.value in NUMBERS and node is not parent.func:
                return True
        elif isinstance(parent, cst.Assign):
            return _name_ends(fragment, parent, names)
        elif not isinstance(parent, (cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Arg, cst.Subscript, cst.IfExp)):
            return False
        node = parent
    return False


def _cuts(fragment: Fragment, attribute: cst.Attribute) -> bool:
    """x.detach(), x.item(), x.long(), x.round(), x.shape."""
    name = attribute.attr.value
    row = ops.find_method(name, "torch")
    return name in METADATA or row is not None and row.op.gradient in ("stops", "cuts")


def _name_ends(fragment: Fragment, assign: cst.Assign, names: int) -> bool:
    """Whether every read of the one name that a statement gives, in its function, ends so."""
    target = assign.targets[0].target
    function = _function(fragment, assign)
    if len(assign.targets) != 1 or not isinstance(target, cst.Name) or function is None or not names:
        return False
    reads = list(_reads(fragment, function, target.value))
    return bool(reads) and all(_ends(fragment, read, names - 1) for read in reads)


def _function(fragment: Fragment, node: cst.CSTNode) -> cst.CSTNode | None:
    while not isinstance(node, cst.FunctionDef):
        if node not in fragment.parents:
            return next((s for s in fragment.statements if s is node and isinstance(s, cst.FunctionDef)), None)
        node = fragment.parents[node][0]
    return node


def _reads(fragment: Fragment, function: cst.CSTNode, name: str) -> Iterator[cst.CSTNode]:
    """Where a function reads a name."""
    for node, (parent, field) in fragment.parents.items():
        if not isinstance(node, cst.Name) or node.value != name or not _inside(fragment, node, function):
            continue
        if field not in ("attr", "keyword") and not (isinstance(parent, (cst.AssignTarget, cst.Param)) and field in ("target", "name")):
            yield node


def _inside(fragment: Fragment, node: cst.CSTNode, function: cst.CSTNode) -> bool:
    while node in fragment.parents:
        node = fragment.parents[node][0]
        if node is function:
            return True
    return False


def part_is_read(site: Site, index: int) -> bool:
    """Whether an item of a tuple that an expression gives is read: `_, mean = var_mean(x)` drops the first."""
    fragment, (parent, _) = site.fragment, site.fragment.parents.get(site.node, (site.node, ""))
    target = parent.targets[0].target if isinstance(parent, cst.Assign) and len(parent.targets) == 1 else None
    if not isinstance(target, cst.Tuple) or index >= len(target.elements):
        return True
    name, function = target.elements[index].value, _function(fragment, parent)
    if not isinstance(name, cst.Name) or function is None:
        return True
    return any(read not in [e.value for e in target.elements] for read in _reads(fragment, function, name.value))
