"""The door of the interpreter: run(source, project) evaluates one file and gives its Trace."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from nanlint import ops
from nanlint.interp import evidence, functions, statements
from nanlint.interp.context import FUEL, Machine, OutOfFuel
from nanlint.interp.project import FunctionInfo, FunctionNode, ModuleInfo, Project, module_statements
from nanlint.interp.uses import Trace
from nanlint.source import Source

__all__ = ["Project", "Trace", "run"]

_OPERATORS = (ast.Div, ast.Pow, ast.FloorDiv, ast.Mod)


def run(source: Source, project: Project | None = None, *, reveal: bool = False) -> Trace:
    """Evaluates the definitions of a file that can hold a hazard, and judges what they meet.

    reveal keeps the value of every expression (Trace.revealed), and evaluates every definition.
    """
    module = ModuleInfo(source, source.tree)
    machine = Machine(project or Project(), module, Trace(), reveal=reveal)
    tokens = None if reveal else ops.hazard_tokens() | {"reveal"}
    _run_module(machine, module, tokens)
    roots = list(_roots(module, tokens))
    machine.trace.functions = len(roots)
    for info in roots:
        _run_root(machine, info)
    for info in roots:
        if not info.public and info not in machine.called:
            _run_open(machine, info)
    evidence.judge(machine.trace)
    return machine.trace


def _run_root(machine: Machine, info: FunctionInfo) -> None:
    """A private function is judged by its callers, if it has any."""
    if info.public or not _has_callers(machine.main, info):
        _run_open(machine, info)
        machine.called.add(info)


def _run_open(machine: Machine, info: FunctionInfo) -> None:
    machine.fuel = FUEL
    depth, dry, foreign = machine.depth, machine.dry, machine.foreign
    try:
        ctx = functions.open_context(machine, info)
        if ctx is not None:
            functions.run_body(ctx, info)
    except OutOfFuel:
        machine.depth, machine.dry, machine.foreign = depth, dry, foreign
        machine.active.clear()
        machine.trace.fuel_out.append(info.name)


def _run_module(machine: Machine, module: ModuleInfo, tokens: frozenset[str] | None) -> None:
    """Statements of the module itself that can hold a hazard."""
    machine.fuel, machine.scripted = FUEL, True
    try:
        for statement in module_statements(module.tree.body):
            if isinstance(statement, (*FunctionNode, ast.ClassDef, ast.Import, ast.ImportFrom)) or not _may_break(statement, tokens):
                continue
            fragment = module.source.fragment(statement)
            if fragment is not None:
                statements.execute_all(functions.module_context(machine, module, fragment), fragment.statements)
    except OutOfFuel:
        machine.trace.fuel_out.append("<module>")
    machine.scripted = False


def _has_callers(module: ModuleInfo, info: FunctionInfo) -> bool:
    return any(info.short in names_in(other.node) for other in module.all_functions() if other is not info and other.node is not None)


def _roots(module: ModuleInfo, tokens: frozenset[str] | None) -> Iterator[FunctionInfo]:
    """Definitions that can hold a hazard, and those that mention one, through any number of steps."""
    every = list(module.all_functions())
    chosen = {id(f): f for f in every if f.node is not None and _may_break(f.node, tokens)}
    makers: list[ast.AST] = [f.node for f in chosen.values() if f.node is not None]
    makers += [s for s in module_statements(module.tree.body) if isinstance(s, (ast.Assign, ast.AnnAssign))]
    grown, layers = True, {n for node in makers for n in _layers(node, tokens)}
    while grown:
        names = {n for f in chosen.values() for n in (f.short, f.owner.name if f.owner is not None else f.short)}
        wanted = names - {"__init__", "forward"} | layers
        more = [f for f in every if id(f) not in chosen and f.node is not None and names_in(f.node) & wanted]
        grown = bool(more)
        chosen.update((id(f), f) for f in more)
    return (f for f in every if id(f) in chosen)


def _layers(node: ast.AST, tokens: frozenset[str] | None) -> Iterator[str]:
    """Attributes and names that hold a layer which can break: criterion of self.criterion = nn.BCELoss()."""
    for inner in ast.walk(node):
        call = inner.value if isinstance(inner, (ast.Assign, ast.AnnAssign)) else None
        if isinstance(inner, (ast.Assign, ast.AnnAssign)) and isinstance(call, ast.Call) and tokens is not None:
            name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
            targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
            if name in tokens and name[:1].isupper():
                yield from (t.attr if isinstance(t, ast.Attribute) else t.id for t in targets if isinstance(t, (ast.Attribute, ast.Name)))


def _may_break(node: ast.AST, tokens: frozenset[str] | None) -> bool:
    if tokens is None:
        return True
    for inner in ast.walk(node):
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, _OPERATORS):
            return True
        if isinstance(inner, ast.AugAssign) and isinstance(inner.op, _OPERATORS):
            return True
        if isinstance(inner, ast.Attribute) and inner.attr in tokens or isinstance(inner, ast.Name) and inner.id in tokens:
            return True
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value in tokens:
            return True
    return False


_NAMES: dict[int, tuple[Any, frozenset[str]]] = {}


def names_in(node: ast.AST) -> frozenset[str]:
    """Names and attributes that a definition mentions."""
    known = _NAMES.get(id(node))
    if known is not None and known[0] is node:
        return known[1]
    found = frozenset(n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)))
    if len(_NAMES) > 5000:
        _NAMES.clear()
    _NAMES[id(node)] = (node, found)
    return found
