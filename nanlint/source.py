"""From bytes to a Source: decoding, newlines, the prefilter, the scout's tree, comments.

Rows count from 1 and columns from 0 in characters of the decoded text without its byte order
mark; rows end at \\r\\n, \\r and \\n only. Offsets are characters from the start of that text.
"""

from __future__ import annotations

import ast
import codecs
import re
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Collection, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path

from nanlint.findings import Span
from nanlint.fragments import Block, Fragment, cut, parse
from nanlint.scopes import Scopes, bodies, bound_by, module_level, origin

__all__ = ["Fragment", "LIMIT", "Source", "SourceError"]

#: Files of more bytes than this are not read (no person wrote them).
LIMIT = 2_000_000
NEWLINE = re.compile(r"\r\n|\r|\n")
WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
#: flake8's own forms: the inline comment (also inside a string), and the line that skips the file.
NOQA = re.compile(r"# noqa(?::[\s]?(?P<codes>([A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
SKIP_FILE = re.compile(r"\s*# (?:flake8[:=]\s*noqa|nanlint:\s*skip-file\b)", re.IGNORECASE)
FILE_IGNORE = re.compile(r"\s*# nanlint:\s*file-ignore\[([^\]]*)\]", re.IGNORECASE)


class SourceError(Exception):
    """The file cannot be analysed: message, row (from 1) and column (from 0, in characters)."""

    def __init__(self, message: str, row: int = 1, column: int = 0):
        super().__init__(message)
        self.message, self.row, self.column = message, row, column

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, int, int]]:
        return (SourceError, (self.message, self.row, self.column))


class Source:
    """One file: its bytes, its text, and what is read from them at the first asking.

    Making one never raises for what the bytes hold; `tree`, `fragment` and `encode` raise SourceError.
    """

    def __init__(self, data: bytes, path: str, text: str, encoding: str, bom: bytes, error: SourceError | None = None):
        self.data, self.path, self.text = data, path, text
        self.encoding, self.bom, self.error = encoding, bom, error
        self._given: ast.Module | None = None
        self._fragments: dict[ast.stmt, Fragment | None] = {}

    # -- making

    @classmethod
    def read(cls, path: str | Path) -> Source:
        """The file at this path; raises OSError."""
        return cls.from_bytes(Path(path).read_bytes(), str(path))

    @classmethod
    def from_bytes(cls, data: bytes, path: str = "<bytes>") -> Source:
        """Decoded by byte order mark or cookie, as Python does; undecodable bytes make `tree` raise."""
        bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
        try:
            encoding = tokenize.detect_encoding(BytesIO(data).readline)[0].replace("utf-8-sig", "utf-8")
            text = data[len(bom):].decode(encoding)
        except UnicodeDecodeError as error:
            return cls._broken(data, path, bom, f"cannot be decoded: {error.reason}", error.start + len(bom))
        except (SyntaxError, LookupError, ValueError) as error:  # ValueError: UnicodeError of odd codecs
            return cls._undecodable(data, path, bom, str(error))
        return cls(data, path, text, encoding, bom)

    @classmethod
    def from_text(cls, text: str, path: str = "<text>", tree: ast.Module | None = None) -> Source:
        """From decoded text; tree is its ast.parse, when the caller has it already (flake8)."""
        bom = codecs.BOM_UTF8 if text.startswith("\ufeff") else b""
        text = text.removeprefix("\ufeff")
        source = cls(bom + text.encode("utf-8", "surrogatepass"), path, text, "utf-8", bom)
        source._given = tree
        return source

    @classmethod
    def _undecodable(cls, data: bytes, path: str, bom: bytes, message: str) -> Source:
        """detect_encoding gives no place: look for the byte that is not UTF-8."""
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return cls._broken(data, path, bom, message, error.start)
        return cls._broken(data, path, bom, message, 0)

    @classmethod
    def _broken(cls, data: bytes, path: str, bom: bytes, message: str, at: int) -> Source:
        source = cls(data, path, data[len(bom):].decode("utf-8", "replace"), "utf-8", bom)
        before = data[len(bom):at].decode("utf-8", "replace")
        row, column = source.place(min(len(before), len(source.text)))
        source.error = SourceError(message, row, column)
        return source

    # -- places

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each row starts (rows - 1 is the index)."""
        return [0, *(match.end() for match in NEWLINE.finditer(self.text))]

    @cached_property
    def lines(self) -> list[str]:
        """The rows with their line ends; the last is missing when the text ends with a newline."""
        ends = [*self.starts[1:], len(self.text)]
        rows = [self.text[start:end] for start, end in zip(self.starts, ends)]
        return rows if rows[-1] else rows[:-1]

    @cached_property
    def newline(self) -> str:
        """The line end of the first row."""
        match = NEWLINE.search(self.text)
        return match.group() if match else "\n"

    def place(self, offset: int) -> tuple[int, int]:
        """Row and column of an offset."""
        row = bisect_right(self.starts, offset)
        return row, offset - self.starts[row - 1]

    def span(self, start: int, end: int) -> Span:
        """The Span of text[start:end]."""
        return Span(*self.place(start), *self.place(end), start, end)

    def offset(self, row: int, utf8_column: int) -> int:
        """The offset of a place as ast gives it: columns in bytes of UTF-8."""
        start = self.starts[row - 1]
        line = self.text[start:start + utf8_column]
        if line.isascii():
            return start + utf8_column
        return start + len(line.encode("utf-8", "surrogatepass")[:utf8_column].decode("utf-8", "ignore"))

    def node_span(self, node: ast.expr | ast.stmt) -> Span:
        """The Span of a node of the scout's tree."""
        return self.span(*self.node_range(node))

    def node_range(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Start and end offsets of a node of the scout's tree."""
        start = self.offset(node.lineno, node.col_offset)
        return start, self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    # -- the scout

    def may_hold(self, tokens: Collection[str]) -> bool:
        """Whether the bytes hold one of these words (`sqrt_` counts as sqrt) or symbols, or a suppression to be judged."""
        if b"nanlint:" in self.data or re.search(rb"(?i)noqa:\s?[\w, ]*NAN", self.data):
            return True
        if any(token.encode() in self.data for token in tokens if not token.isidentifier()):
            return True
        words = {word.decode().rstrip("_") for word in WORD.findall(self.data)}
        return not words.isdisjoint(tokens)

    @cached_property
    def tree(self) -> ast.Module:
        """The scout's tree; raises SourceError where there is none."""
        if self.error is not None:
            raise self.error
        if len(self.data) > LIMIT:
            raise SourceError(f"larger than {LIMIT} bytes")
        if self._given is not None:
            return self._given
        if "\0" in self.text:
            raise SourceError("null byte", *self.place(self.text.find("\0")))
        try:
            return self._parse()
        except SyntaxError as error:
            raise self._syntax(error) from None
        except (RecursionError, MemoryError):
            raise SourceError("nested too deeply") from None
        except ValueError as error:  # lone surrogates
            raise SourceError(str(error)) from None

    def _parse(self) -> ast.Module:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(self.text)

    def _syntax(self, error: SyntaxError) -> SourceError:
        row = min(max(error.lineno or 1, 1), len(self.starts))
        return SourceError(error.msg or "invalid syntax", row, max((error.offset or 1) - 1, 0))

    @cached_property
    def _home(self) -> dict[ast.stmt, tuple[list[ast.stmt], int]]:
        """Where each statement stands: the list of statements and its index in it."""
        found: dict[ast.stmt, tuple[list[ast.stmt], int]] = {}
        work: list[ast.AST] = [self.tree]
        while work:
            for body in bodies(work.pop()):
                work.extend(body)
                found.update((node, (body, index)) for index, node in enumerate(body) if isinstance(node, ast.stmt))
        return found

    def block(self, statement: ast.stmt) -> Block:
        """The statements that share a line with this one, and the text to be parsed for them."""
        body, index = self._home[statement]
        return cut(self, body, index)

    @property
    def parsed(self) -> int:
        """How many fragments were parsed so far."""
        return len({id(fragment) for fragment in self._fragments.values() if fragment is not None})

    def fragment(self, statement: ast.stmt) -> Fragment | None:
        """The libcst parse of a statement of `tree`, at any depth of nesting; one for each group of
        statements that share a line. None when it is nested too deeply for libcst, or beyond it."""
        if statement not in self._fragments:
            block = self.block(statement)
            fragment = parse(self, block)
            self._fragments.update(dict.fromkeys(block.statements, fragment))
        return self._fragments[statement]

    # -- names

    @cached_property
    def imports(self) -> Mapping[str, str]:
        """What the imports of the module's own level bind: local name -> dotted name (relative ones
        keep their leading dots; `import a.b` binds a to "a"); the last binding counts."""
        return {name: dotted for node in module_level(self.tree) for name, dotted in bound_by(node)}

    @cached_property
    def scopes(self) -> Scopes:
        """Who binds which name in this file."""
        return Scopes(self.tree)

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """The modules whose names are imported by a star."""
        nodes = [node for node in module_level(self.tree) if isinstance(node, ast.ImportFrom)]
        return tuple(origin(node) for node in nodes if any(alias.name == "*" for alias in node.names))

    # -- comments

    @cached_property
    def _physical(self) -> dict[int, tuple[int, int]]:
        """Row -> the first and last row of its physical line (widened by strings and backslashes)."""
        found: dict[int, tuple[int, int]] = {}
        first, last = len(self.starts) + 2, -1
        for token in self._tokens():
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first, last = min(first, token.start[0]), max(last, token.end[0])
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                found.update((row, (first, last)) for row in range(first, last + 1))
                first, last = len(self.starts) + 2, -1
        return found

    def _tokens(self) -> list[tokenize.TokenInfo]:
        rows = (NEWLINE.sub("\n", line) for line in self.lines)
        try:
            return list(tokenize.generate_tokens(lambda: next(rows, "")))
        except (tokenize.TokenError, SyntaxError):  # flake8 then has no physical lines either
            return []

    def noqa(self, row: int) -> None | frozenset[str]:
        """The codes that a noqa comment of this row's physical line names; empty: all; None: no comment.

        A code silences every code that it is a prefix of, as in flake8.
        """
        if b"noqa" not in self.data.lower():
            return None
        first, last = self._physical.get(row, (row, row))
        found = NOQA.search("".join(self.lines[first - 1:last]))
        if found is None:
            return None
        return frozenset(re.split(r"[,\s]+", (found["codes"] or "").strip(", \t\r\n"))) - {""}

    def silenced(self, row: int, code: str) -> bool:
        """Whether a noqa comment of this row speaks of this code."""
        codes = self.noqa(row)
        return codes is not None and (not codes or code.startswith(tuple(codes)))

    @cached_property
    def skip_file(self) -> bool:
        """A row starts with `# flake8: noqa` or `# nanlint: skip-file`."""
        low = self.data.lower()
        return (b"flake8" in low or b"skip-file" in low) and any(map(SKIP_FILE.match, self.lines))

    @cached_property
    def file_ignores(self) -> frozenset[str]:
        """The codes and names in rows that start with `# nanlint: file-ignore[...]`."""
        if b"file-ignore" not in self.data.lower():
            return frozenset()
        found = [match[1] for match in map(FILE_IGNORE.match, self.lines) if match]
        return frozenset(name.strip() for names in found for name in names.split(",") if name.strip())

    @cached_property
    def comments(self) -> list[tuple[int, int]]:
        """Start and end offsets of every comment."""
        tokens = [token for token in self._tokens() if token.type == tokenize.COMMENT]
        starts = [self.starts[token.start[0] - 1] + token.start[1] for token in tokens]
        return [(start, start + len(token.string)) for start, token in zip(starts, tokens)]

    def encode(self, text: str) -> bytes:
        """The bytes of a changed text, in this file's encoding; raises SourceError when they cannot be written."""
        if self.error is not None:
            raise self.error
        try:
            same = self.bom + self.text.encode(self.encoding) == self.data
            changed = self.bom + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            raise SourceError(f"cannot be written in {self.encoding}: {error.reason}") from None
        if not same:
            raise SourceError(f"cannot be written back in {self.encoding} byte for byte")
        return changed
