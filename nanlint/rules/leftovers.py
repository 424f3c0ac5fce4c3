"""Statements that an exact repair leaves without a reader: `e = torch.exp(x)` once softmax(x) stands in its place.

They go with the repair, for they would still be computed, and reported. A statement goes only if it gives one name to an
op that was part of the replaced computation, stands in the same block, on lines of its own without a comment, and every reader
of the name goes too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from nanlint.findings import Edit

if TYPE_CHECKING:
    from nanlint.interp.uses import Site, Use
    from nanlint.interp.values import Term
    from nanlint.source import Source

Range = tuple[int, int]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def of(use: Use, text: str, replaced: Range) -> tuple[Edit, ...]:
    """Edits that delete what nobody reads once `text` stands in the replaced range."""
    source = use.site.fragment.source
    function, block = _around(source, replaced)
    if function is None or use.term is None or use.trace is None:
        return ()
    parts = _places(use, use.term)
    kept = {node.id for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.Name)}
    waiting = [(s, name) for s, name in _named(block) if name not in kept and source.node_range(s.value) in parts and _alone(source, s)]
    gone: list[Range] = [replaced]
    edits: list[Edit] = []
    for statement, name in reversed(waiting):
        if _unread(source, function, name, gone):
            start, end = _lines(source, statement)
            gone.append((start, end))
            edits.append(Edit(start, end, ""))
    return tuple(edits)


def itself(site: Site, text: str) -> Edit | None:
    """The edit that deletes a whole line `name = ...` whose value is about to become the name itself."""
    source = site.fragment.source
    start, end = site.fragment.range(site.node, parens=True)
    first, last = source.place(start)[0], source.place(end)[0]
    left = source.starts[first - 1]
    right = source.starts[last] if last < len(source.starts) else len(source.text)
    alone = source.text[left:start].strip() == f"{text} =" and not source.text[end:right].strip()
    return Edit(left, right, "") if alone else None


def _holds(outer: Range, inner: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _around(source: Source, inner: Range) -> tuple[Function | None, list[ast.stmt]]:
    """The innermost function that holds a range, and the innermost list of statements one of which does."""
    holder: ast.AST = source.tree
    function: Function | None = None
    block: list[ast.stmt] = []
    while True:
        found = next(((b, s) for b in _blocks(holder) for s in b if _holds(source.node_range(s), inner)), None)
        if found is None:
            return function, block
        block, holder = found
        function = holder if isinstance(holder, Function) else function


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements right below a node: of except clauses and cases too."""
    for part in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        for name in ("body", "orelse", "finalbody"):
            yield getattr(part, name, None) or []


def _named(block: list[ast.stmt]) -> Iterator[tuple[ast.Assign, str]]:
    for statement in block:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
            yield statement, statement.targets[0].id


def _places(use: Use, term: Term) -> set[Range]:
    """Where the terms within a term were computed in the use's function."""
    found: set[Range] = set()
    waiting, seen = [term], set()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        waiting += part.args
        for site in use.trace.sites.get(part, ()) if use.trace is not None else ():
            if site.frame.name == use.site.frame.name and site.fragment.source is use.site.fragment.source:
                found.add(site.fragment.range(site.node))
    return found


def _alone(source: Source, statement: ast.stmt) -> bool:
    """Whether a statement's lines hold nothing else, no comment either."""
    start, end = _lines(source, statement)
    first, last = source.node_range(statement)
    return not source.text[start:first].strip() and not source.text[last:end].strip() and "#" not in source.text[start:end]


def _lines(source: Source, statement: ast.stmt) -> Range:
    first, last = source.node_range(statement)
    start = source.starts[source.place(first)[0] - 1]
    row = source.place(last)[0]
    return start, source.starts[row] if row < len(source.starts) else len(source.text)


def _unread(source: Source, function: Function, name: str, gone: list[Range]) -> bool:
    """Whether a local name is given once and read within the ranges only."""
    names, elsewhere = _mentions(function)
    mentions = names.get(name, [])
    if name in elsewhere or sum(not isinstance(node.ctx, ast.Load) for node in mentions) != 1:
        return False
    return all(not isinstance(n.ctx, ast.Load) or any(_holds(part, source.node_range(n)) for part in gone) for n in mentions)


@lru_cache(maxsize=4)
def _mentions(function: Function) -> tuple[dict[str, list[ast.Name]], frozenset[str]]:
    """Where a function mentions each name; the names that are global or nonlocal in it."""
    names: dict[str, list[ast.Name]] = {}
    elsewhere: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            elsewhere.update(node.names)
        elif isinstance(node, ast.Name):
            names.setdefault(node.id, []).append(node)
    return names, frozenset(elsewhere)
