"""How a file writes a dotted name: by an import that it has, or by a new one in the right place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nanlint.findings import Edit

if TYPE_CHECKING:
    from nanlint.source import Source

#: What is there once the package itself is imported: prefix -> its submodules need no import of their own.
COMPLETE = ("torch", "numpy", "tensorflow", "jax.numpy", "jax.nn", "jax.lax", "jax.random")
#: The imports that people write, with the name that they bind.
CUSTOM = {
    "torch.nn.functional": ("import torch.nn.functional as F", "F"),
    "torch": ("import torch", "torch"),
    "numpy": ("import numpy as np", "np"),
    "jax.numpy": ("import jax.numpy as jnp", "jnp"),
    "jax": ("import jax", "jax"),
    "tensorflow": ("import tensorflow as tf", "tf"),
}


def spelled(source: Source, dotted: str, row: int) -> tuple[str, tuple[Edit, ...]]:
    """How code at a row writes a dotted name, and the edits that import it if need be."""
    plain = dotted.removeprefix("builtins.")
    if "." not in plain:
        if not source.scopes.seen(plain, row):
            return plain, ()
        dotted = f"builtins.{plain}"
    known = sorted(_known(source, dotted, row), key=lambda text: (len(text), text))
    if known:
        return known[0], ()
    for statement, text in _new(dotted):
        if text.partition(".")[0] not in source.scopes.mentioned:
            return text, (_placed(source, statement, dotted),)
    return _fresh(source, dotted)


def _known(source: Source, dotted: str, row: int) -> Iterator[str]:
    """The ways in which names that are imported already reach the dotted name."""
    module = dotted.rpartition(".")[0]
    for name, target in source.scopes.aliases(row).items():
        if target == dotted:
            yield name
        elif dotted.startswith(target + ".") and (target == module or _loaded(source, module)):
            yield name + dotted[len(target):]


def _loaded(source: Source, module: str) -> bool:
    """Whether a module is there as an attribute of its package without an import of its own."""
    return module in source.scopes.loaded or any(module == root or module.startswith(root + ".") for root in COMPLETE)


def _new(dotted: str) -> Iterator[tuple[str, str]]:
    """Import statements for a dotted name, the customary ones first, each with the text that it makes possible."""
    module = dotted.rpartition(".")[0]
    root = module
    while root:
        if root in CUSTOM:
            statement, name = CUSTOM[root]
            yield statement, name + dotted[len(root):]
        root = root.rpartition(".")[0]
    yield f"import {module}", dotted


def _fresh(source: Source, dotted: str) -> tuple[str, tuple[Edit, ...]]:
    """All customary names are taken: the module under a name of its own."""
    module, _, last = dotted.rpartition(".")
    name = module.replace(".", "_")
    while name in source.scopes.mentioned:
        name += "_"
    return f"{name}.{last}", (_placed(source, f"import {module} as {name}", dotted),)


def _placed(source: Source, statement: str, dotted: str) -> Edit:
    """The edit that adds an import: behind the leading imports (of the same package, if there are some)."""
    body, newline = source.tree.body, source.newline
    head = _head(body)
    end = head
    while end < len(body) and isinstance(body[end], (ast.Import, ast.ImportFrom)):
        end += 1
    anchor = _anchor(body, head, end, dotted.partition(".")[0])
    if anchor is not None and _ends_row(body, anchor):
        gap = newline if anchor < head else ""
        return _after(source, body[anchor], gap + statement)
    if head and not _ends_row(body, head - 1):  # the docstring shares its row with code
        start = source.node_range(body[head])[0]
        return Edit(start, start, f"{statement}; ")
    return _before(source, body[head] if head < len(body) else None, statement, gap="" if end > head else newline)


def _head(body: list[ast.stmt]) -> int:
    """How many statements must stay first: the docstring and the imports from __future__."""
    head = 0
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
        head = 1
    while head < len(body) and _is_future(body[head]):
        head += 1
    return head


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level


def _anchor(body: list[ast.stmt], head: int, end: int, package: str) -> int | None:
    """The index of the statement behind which the import goes; None: before all others."""
    absolute = [i for i in range(head, end) if not _is_relative(body[i])]
    same = [i for i in absolute if package in _packages(body[i])]
    if same or absolute:
        return (same or absolute)[-1]
    return head - 1 if head and end == head else None


def _is_relative(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.level > 0


def _packages(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    return {(node.module or "").partition(".")[0]} if isinstance(node, ast.ImportFrom) else set()


def _ends_row(body: list[ast.stmt], index: int) -> bool:
    return index + 1 == len(body) or _first_row(body[index + 1]) > (body[index].end_lineno or 0)


def _first_row(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", None) or []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _after(source: Source, node: ast.stmt, statement: str) -> Edit:
    row = node.end_lineno or node.lineno
    if row < len(source.starts):
        return Edit(source.starts[row], source.starts[row], statement + source.newline)
    return Edit(len(source.text), len(source.text), source.newline + statement)


def _before(source: Source, node: ast.stmt | None, statement: str, gap: str) -> Edit:
    """Before a statement and the comments right above it, but below the comments that open the file."""
    row = first = _first_row(node) if node is not None else len(source.starts)
    while row > 1 and source.lines[row - 2].lstrip().startswith("#"):
        row -= 1
    start = source.starts[(first if row == 1 else row) - 1]
    return Edit(start, start, statement + source.newline + gap)
