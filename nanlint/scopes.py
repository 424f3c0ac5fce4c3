"""Who binds which name: imports, assignments and parameters of each scope of a file, from the scout's tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property


def bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements (and of handlers and cases) right below a node."""
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        body = getattr(node, name, None)
        if isinstance(body, list):
            yield body


def module_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, class bodies excepted, in order."""
    work: list[ast.AST] = list(reversed(tree.body))
    while work:
        node = work.pop()
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            work.extend(reversed([inner for body in bodies(node) for inner in body]))


def origin(node: ast.ImportFrom) -> str:
    """The module that names are imported from, with the dots of a relative import."""
    return "." * node.level + (node.module or "")


def bound_by(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """The local names and dotted names that an import statement binds; nothing for other statements."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        start = origin(node)
        start = start if start.endswith(".") else start + "."
        yield from ((alias.asname or alias.name, start + alias.name) for alias in node.names if alias.name != "*")


@dataclass(frozen=True)
class Binding:
    """One binding of a name in a scope.

    dotted   what an import binds it to; None for everything else
    row      the row of the binding
    mild     a stand-in that does not take the name from an import: `torch = None`, a handler's assignment
    typing   under `if TYPE_CHECKING`: not there at run time
    """

    dotted: str | None
    row: int
    mild: bool = False
    typing: bool = False


Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_OWN = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Scopes:
    """The scopes of one tree."""

    def __init__(self, tree: ast.Module):
        self.tree = tree
        self._memo: dict[Scope, dict[str, list[Binding]]] = {}

    def chain(self, row: int) -> list[Scope]:
        """The scopes around a row, the module first: functions, and a class only if it is the innermost."""
        found: list[Scope] = [self.tree]
        body: list[ast.AST] = list(self.tree.body)
        while body:
            node = body.pop()
            if not getattr(node, "lineno", row) <= row <= (getattr(node, "end_lineno", None) or row):
                continue
            body = [inner for inners in bodies(node) for inner in inners] + ([] if isinstance(node, _OWN) else body)
            if isinstance(node, _OWN):
                found.append(node)
        return [scope for scope in found if not isinstance(scope, ast.ClassDef) or scope is found[-1]]

    def bindings(self, scope: Scope) -> Mapping[str, list[Binding]]:
        """The names that a scope binds itself (comprehensions and lambdas count with it)."""
        if scope not in self._memo:
            found: dict[str, list[Binding]] = {}
            for name, binding in _bindings(scope):
                found.setdefault(name, []).append(binding)
            self._memo[scope] = found
        return self._memo[scope]

    def seen(self, name: str, row: int) -> list[Binding]:
        """The bindings of a name that code at this row sees; none for a builtin or an unknown name."""
        for scope in reversed(self.chain(row)):
            found = self.bindings(scope).get(name)
            if found:
                return found
        return []

    def aliases(self, row: int) -> dict[str, str]:
        """The imported names that code at this row can use, each with what it stands for."""
        found: dict[str, str] = {}
        chain = self.chain(row)
        for scope in chain:
            late = row if scope is chain[-1] else 0
            for name, bindings in self.bindings(scope).items():
                found.pop(name, None)
                dotted = _import_of(bindings, late)
                if dotted is not None:
                    found[name] = dotted
        return found

    @cached_property
    def mentioned(self) -> frozenset[str]:
        """Every name that occurs anywhere in the file, bound or not."""
        return frozenset(name for node in ast.walk(self.tree) for name in _mentions(node))

    @cached_property
    def loaded(self) -> frozenset[str]:
        """The modules that import statements anywhere in the file load."""
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module or "")
        return frozenset(found)


def _import_of(bindings: list[Binding], late: int) -> str | None:
    """What a name stands for if imports alone decide, and (late > 0) one of them stands no later than that row."""
    if any(binding.dotted is None and not binding.mild for binding in bindings):
        return None
    usable = [b for b in bindings if b.dotted is not None and not b.typing and (not late or b.row <= late)]
    targets = {binding.dotted for binding in bindings if binding.dotted is not None}
    return usable[0].dotted if usable and len(targets) == 1 else None


def _bindings(scope: Scope) -> Iterator[tuple[str, Binding]]:
    if isinstance(scope, FUNCTIONS):
        for arg in _arguments(scope.args):
            yield arg.arg, Binding(None, arg.lineno)
    work: list[tuple[ast.AST, bool, bool]] = [(node, False, False) for node in reversed(scope.body)]
    while work:
        node, mild, typing = work.pop()
        yield from _bound_here(node, mild, typing)
        if isinstance(node, _OWN):
            continue
        if isinstance(node, ast.If) and _is_typing(node.test):
            work.extend((inner, mild, True) for inner in node.body)
            work.extend((inner, mild, typing) for inner in node.orelse)
            continue
        mild = mild or isinstance(node, ast.ExceptHandler) or _assigns_none(node)
        work.extend((inner, mild, typing) for inner in reversed(list(ast.iter_child_nodes(node))))


def _bound_here(node: ast.AST, mild: bool, typing: bool) -> Iterator[tuple[str, Binding]]:
    row = getattr(node, "lineno", 0)
    if isinstance(node, ast.stmt):
        for name, dotted in bound_by(node):
            yield name, Binding(dotted, row, mild, typing)
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id, Binding(None, row, mild, typing)
    elif isinstance(node, ast.arg):
        yield node.arg, Binding(None, row)
    elif isinstance(node, (*_OWN, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name, Binding(None, row, mild and isinstance(node, _OWN), typing)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, Binding(None, row)


def _arguments(args: ast.arguments) -> Iterator[ast.arg]:
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from (arg for arg in (args.vararg, args.kwarg) if arg is not None)


def _is_typing(test: ast.expr) -> bool:
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def _assigns_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None


def _mentions(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names
    elif not isinstance(node, ast.keyword):
        values = (getattr(node, field, None) for field in ("id", "arg", "name", "rest"))
        yield from (value for value in values if isinstance(value, str))
