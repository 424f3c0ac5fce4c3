"""Fragments: single statements of a file, parsed by libcst at the first asking, and the places of their nodes."""

from __future__ import annotations

import ast
import io
import re
import sys
import threading
import tokenize
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from nanlint.findings import Span

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.source import Source

#: libcst's parser kills the process on deep input: what is nested deeper never reaches it.
DEPTH = 200
#: What is nested no deeper is parsed on the main thread's own stack.
SHALLOW = 40
#: Bytes of stack for any other parse; threading.stack_size is one for all, hence the lock.
STACK = 16 << 20
_ROOM = threading.Lock()
#: What stands between two statements of one line.
SAME_LINE = re.compile(r"[ \t\f]*;(?:[ \t\f]|\\(?:\r\n|\r|\n))*")
#: Kinds of nodes that libcst and ast have one to one.
KINDS: dict[str, type[ast.AST]] = {
    "Call": ast.Call, "BinaryOperation": ast.BinOp, "UnaryOperation": ast.UnaryOp, "Comparison": ast.Compare,
    "Subscript": ast.Subscript, "IfExp": ast.IfExp, "Lambda": ast.Lambda, "AugAssign": ast.AugAssign,
}  # fmt: skip
#: Fields of libcst's nodes in the order of the source, where libcst declares them in another one.
ORDER = {
    "IfExp": ("body", "test", "orelse"),
    "FunctionDef": ("decorators", "name", "type_parameters", "params", "returns", "body"),
    "ClassDef": ("decorators", "name", "type_parameters", "bases", "keywords", "body"),
    "Parameters": ("posonly_params", "posonly_ind", "params", "star_arg", "kwonly_params", "star_kwarg"),
    "Arg": ("keyword", "value"),
    "AsName": ("name",),
    "MatchKeywordElement": ("key", "pattern"),
}
#: Fields that hold no expression.
TRIVIA = re.compile(r"whitespace.*|leading_lines|lines_after.*|[lr](par|bracket|brace)|comma|semicolon|colon|header|footer|equal|dot|operator|indent")
#: Before Python 3.12 ast misplaces what stands inside f-strings.
TRUST_F_STRINGS = sys.version_info >= (3, 12)
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
    decorators: list[ast.expr] = getattr(statement, "decorator_list", None) or []
    if not decorators:
        return source.offset(statement.lineno, statement.col_offset)
    expression = source.offset(decorators[0].lineno, decorators[0].col_offset)
    return source.text.rfind("@", 0, expression)


def depth_of(source: Source, statements: Sequence[ast.stmt]) -> int:
    """How many expressions and statements libcst's tree of these statements is nested deep (any number above DEPTH is the same)."""
    deepest = 0
    work: list[tuple[ast.AST, int]] = [(statement, 0) for statement in statements]
    while work and deepest <= DEPTH:
        node, depth = work.pop()
        depth += _steps(source, node)
        deepest = max(deepest, depth)
        work.extend((inner, depth) for inner in ast.iter_child_nodes(node))
    return deepest


def _steps(source: Source, node: ast.AST) -> int:
    """How many levels a node is for libcst, which nests what ast keeps flat: terms of `and`, clauses of comprehensions,
    adjacent strings, dotted modules."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return len(node.generators)
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))):
        return _strings(source, node)
    if isinstance(node, ast.match_case):
        return _brackets(source, node)
    if isinstance(node, (ast.alias, ast.ImportFrom)):
        name = node.name if isinstance(node, ast.alias) else node.module or ""
        return 1 + name.count(".")
    return 1 if isinstance(node, (ast.expr, ast.stmt)) else 0


def _brackets(source: Source, case: ast.match_case) -> int:
    """How many levels the brackets of a pattern count for: libcst tries each twice (mappings four times) as often as the one around."""
    start = source.offset(case.pattern.lineno, 0)
    text = source.text[start:source.node_range(case.body[0])[0]]
    depth = deepest = 0
    for bracket in re.findall(r"[][(){}]", text):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    return deepest * (DEPTH // 7 if "{" in text else DEPTH // 14)


def _strings(source: Source, node: ast.expr) -> int:
    """How many adjacent strings make a literal."""
    if node.end_lineno is None or node.end_col_offset is None:
        return 1
    if node.end_lineno == node.lineno and node.end_col_offset - node.col_offset < DEPTH:  # too short for many
        return 1
    start, end = source.node_range(node)
    text = source.text[start:end]
    if text.count("'") + text.count('"') < DEPTH:
        return 1
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline))
    except (tokenize.TokenError, SyntaxError):  # a part of an f-string, misplaced before Python 3.12
        return 1
    return sum(tokenize.tok_name[token.type] in ("STRING", "FSTRING_START", "TSTRING_START") for token in tokens)


def parse(source: Source, block: Block) -> Fragment | None:
    """Parse a block by libcst; None when it is too deep, or a syntax that libcst does not know."""
    depth = depth_of(source, block.statements)
    if depth > DEPTH:
        return None
    import libcst as cst

    text = block.prefix + source.text[block.start:block.end]
    try:
        return Fragment(source, block, _with_room(cst.parse_module, text, depth))
    except cst.ParserSyntaxError:
        return None


def _with_room(read: Callable[[str], cst.Module], text: str, depth: int) -> cst.Module:
    """Parse with enough stack: the main thread has 2 MB on Windows, others as little as 128 KB."""
    if depth <= SHALLOW and "((((((((" not in text and threading.current_thread() is threading.main_thread():
        return read(text)
    outcome: Future[cst.Module] = Future()

    def work() -> None:
        try:
            outcome.set_result(read(text))
        except BaseException as error:
            outcome.set_exception(error)

    with _ROOM:
        before = threading.stack_size(STACK)
        try:
            thread = threading.Thread(target=work)
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()
    return outcome.result()


@lru_cache(maxsize=None)
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    if kind.__name__ in ORDER:
        return ORDER[kind.__name__]
    return tuple(field.name for field in fields(kind) if not TRIVIA.fullmatch(field.name))


def children(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    """The nodes right below a node that are or hold expressions and statements, in source order, with their field."""
    for name in _fields(type(node)):
        value: Any = getattr(node, name)
        if isinstance(value, (list, tuple)):
            yield from ((name, inner) for inner in value)
        elif value.__class__.__module__.startswith("libcst."):
            if value.__class__.__name__ != "MaybeSentinel":
                yield name, value


def _collect(node: cst.CSTNode, found: dict[str, list[cst.CSTNode]]) -> bool:
    """Sort a subtree's nodes by kind, in source order; False if that order cannot be told."""
    work = [node]
    while work:
        node = work.pop()
        kind = type(node).__name__
        if kind in found:
            found[kind].append(node)
        elif kind == "FormattedString" and not TRUST_F_STRINGS:
            continue
        elif kind == "ClassDef" and _mixes_bases(node):
            return False
        work.extend(reversed([inner for _, inner in children(node)]))
    return True


def _mixes_bases(definition: Any) -> bool:
    """Whether starred bases could stand behind keywords."""
    return bool(definition.keywords) and any(arg.star for arg in (*definition.bases, *definition.keywords))


def _collect_scouted(node: ast.AST, found: dict[type[ast.AST], list[ast.expr]]) -> None:
    work = [node]
    while work:
        node = work.pop()
        if type(node) in found:
            found[type(node)].append(node)  # type: ignore[arg-type]
        if not isinstance(node, ast.JoinedStr) or TRUST_F_STRINGS:
            work.extend(ast.iter_child_nodes(node))


def _source_order(node: ast.expr) -> tuple[int, int, int, int]:
    """Outer nodes before inner ones that start at the same place."""
    return (node.lineno, node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0))


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
        if parens:
            left: Sequence[cst.CSTNode] = getattr(node, "lpar", ())
            right: Sequence[cst.CSTNode] = getattr(node, "rpar", ())
            if left and right:
                return self._slow(left[0])[0], self._slow(right[-1])[1]
        if type(node).__name__ in KINDS and node in self._fast:
            return self._fast[node]
        return self._slow(node)

    @cached_property
    def _fast(self) -> dict[cst.CSTNode, tuple[int, int]]:
        """Places of the kinds that libcst and ast have one to one: the n-th here is the n-th there."""
        ours: dict[str, list[cst.CSTNode]] = {name: [] for name in KINDS}
        theirs: dict[type[ast.AST], list[ast.expr]] = {kind: [] for kind in KINDS.values()}
        if not all(_collect(statement, ours) for statement in self.statements):
            return {}
        for statement in self.block.statements:
            _collect_scouted(statement, theirs)
        found: dict[cst.CSTNode, tuple[int, int]] = {}
        for name, kind in KINDS.items():
            if len(ours[name]) == len(theirs[kind]):
                found.update(zip(ours[name], map(self.source.node_range, sorted(theirs[kind], key=_source_order))))
        return found

    @cached_property
    def parents(self) -> dict[cst.CSTNode, tuple[cst.CSTNode, str]]:
        """Each node below the statements: the node that holds it, and in which field."""
        found: dict[cst.CSTNode, tuple[cst.CSTNode, str]] = {}
        work: list[cst.CSTNode] = list(self.statements)
        while work:
            node = work.pop()
            for name, inner in children(node):
                found[inner] = (node, name)
                work.append(inner)
        return found

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
