"""Fragments: single statements of a file, parsed by libcst at the first asking, and the places of their nodes."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from nanlint.findings import Span

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.source import Source

#: libcst's parser kills the process on deep input: what is nested deeper never reaches it.
DEPTH = 200
#: What stands between two statements of one line.
SAME_LINE = re.compile(r"[ \t\f]*;(?:[ \t\f]|\\(?:\r\n|\r|\n))*")
BLANK = re.compile(r"[ \t\f]*")


@dataclass(frozen=True)
class Block:
    """Statements that share a line, and the text that is parsed for them: prefix + text[start:end].

    indented    the prefix opens an `if 1:` above them
    """

    statements: tuple[ast.stmt, ...]
    prefix: str
    start: int
    end: int

    @property
    def indented(self) -> bool:
        return self.prefix.startswith("if 1:")


def cut(source: Source, body: Sequence[ast.stmt], index: int) -> Block:
    """The block of body[index]: from the row of its first decorator to the end of its last row, never dedented."""
    first = last = index
    while first > 0 and _share_line(source, body[first - 1], body[first]):
        first -= 1
    while last + 1 < len(body) and _share_line(source, body[last], body[last + 1]):
        last += 1
    group = tuple(body[first:last + 1])
    start = statement_start(source, group[0])
    row = source.place(start)[0]
    end_row = source.place(source.node_range(group[-1])[1])[0]
    end = source.starts[end_row] if end_row < len(source.starts) else len(source.text)
    before = source.text[source.starts[row - 1]:start]
    if not BLANK.fullmatch(before):  # `if x: a = 1`: the rest of a line, simple statements only
        return Block(group, "", start, end)
    prefix = f"if 1:\n{before}" if before.strip("\f") else before
    skip = 2 if isinstance(group[0], ast.If) and source.text.startswith("elif", start) else 0
    return Block(group, prefix, start + skip, end)


def _share_line(source: Source, one: ast.stmt, other: ast.stmt) -> bool:
    between = source.text[source.node_range(one)[1]:source.node_range(other)[0]]
    return SAME_LINE.fullmatch(between) is not None


def statement_start(source: Source, statement: ast.stmt) -> int:
    """The offset of a statement, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    if not decorators:
        return source.offset(statement.lineno, statement.col_offset)
    expression = source.offset(decorators[0].lineno, decorators[0].col_offset)
    return source.text.rfind("@", 0, expression)


def depth_beyond(statements: Sequence[ast.AST], limit: int) -> bool:
    """Whether expressions and statements are nested deeper than a limit."""
    level: list[ast.AST] = list(statements)
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        level = [inner for node in level for inner in _below(node)]
    return False


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions and statements right below a node; what lies between (arguments, clauses) is looked through."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, (ast.expr, ast.stmt)):
            yield inner
        elif not isinstance(inner, (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)):
            yield from _below(inner)


def parse(source: Source, block: Block) -> Fragment | None:
    """Parse a block by libcst; None when it is too deep, or a syntax that libcst does not know."""
    if depth_beyond(block.statements, DEPTH):
        return None
    import libcst as cst

    text = block.prefix + source.text[block.start:block.end]
    try:
        return Fragment(source, block, cst.parse_module(text))
    except cst.ParserSyntaxError:
        return None


class Fragment:
    """A block and its libcst tree.

    source, block   where it comes from
    row             the file's row in which it starts
    statements      the libcst statements (without the `if 1:` that holds indented ones)
    """

    def __init__(self, source: Source, block: Block, module: cst.Module):
        self.source, self.block, self.module = source, block, module
        self.row = source.place(block.start)[0]
        self.statements: tuple[cst.BaseStatement | cst.BaseSmallStatement, ...] = tuple(module.body)
        if block.indented:
            wrapper: Any = module.body[0]
            self.statements = tuple(wrapper.body.body)

    def span(self, node: cst.CSTNode, parens: bool = False) -> Span:
        """The place of a node in the file; with its own parentheses if asked."""
        return self.source.span(*self.range(node, parens))

    def text(self, node: cst.CSTNode, parens: bool = False) -> str:
        """The source text of a node."""
        start, end = self.range(node, parens)
        return self.source.text[start:end]

    def range(self, node: cst.CSTNode, parens: bool = False) -> tuple[int, int]:
        """Start and end offsets of a node in the file's text."""
        outer: Any = node
        if parens and getattr(node, "lpar", ()):
            return self._slow(outer.lpar[0])[0], self._slow(outer.rpar[-1])[1]
        return self._slow(node)

    def _slow(self, node: cst.CSTNode) -> tuple[int, int]:
        place = self._positions[node]
        shift = self.block.start - len(self.block.prefix)
        starts = self._starts
        return (starts[place.start.line - 1] + place.start.column + shift, starts[place.end.line - 1] + place.end.column + shift)

    @cached_property
    def _starts(self) -> list[int]:
        text = self.block.prefix + self.source.text[self.block.start:self.block.end]
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]

    @cached_property
    def _positions(self) -> Any:
        from libcst.metadata import MetadataWrapper, PositionProvider

        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 40 * DEPTH))
        try:
            return MetadataWrapper(self.module, unsafe_skip_copy=True).resolve(PositionProvider)
        finally:
            sys.setrecursionlimit(limit)
