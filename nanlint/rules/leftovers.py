"""Statements that an exact repair leaves without a reader: `e = torch.exp(x)` once softmax(x) stands in its place.

They go with the repair, for they would still be computed, and reported. A statement goes only if it gives one name to an
op that was part of the replaced computation, stands in the same block, on lines of its own without a comment, and every reader
of the name goes too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
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
    function = _around(source, replaced)
    if function is None or use.term is None or use.trace is None:
        return ()
    block = _block_of(source, function, replaced)
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


def _around(source: Source, inner: Range) -> Function | None:
    """The innermost function that holds a range."""
    found = [n for n in ast.walk(source.tree) if isinstance(n, Function) and _holds(source.node_range(n), inner)]
    return max(found, key=lambda n: n.lineno) if found else None


def _holds(outer: Range, inner: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _block_of(source: Source, function: Function, inner: Range) -> list[ast.stmt]:
    """The innermost list of statements one of which holds the range."""
    block: list[ast.stmt] = []
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list) and any(_holds(source.node_range(s), inner) for s in statements):
                block = statements
    return block


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
    given = 0
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return False
        if isinstance(node, ast.Name) and node.id == name:
            if not isinstance(node.ctx, ast.Load):
                given += 1
            elif not any(_holds(part, source.node_range(node)) for part in gone):
                return False
    return given == 1
