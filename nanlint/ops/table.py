"""Reads the spelling tables (their form: see nanlint/ops/__init__.py)."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from nanlint.ops.spec import MISSING, Op, Param, Spelling

_START = re.compile(r"\s*([A-Za-z_][\w.]*)\(")
_PRESET = re.compile(r"([A-Za-z_]\w*)=(\S+)$")
_PARAM = re.compile(r"(\*{0,2}\w+)(?::(\w+))?(?:@([\w|]+))?(?:=(.+))?$", re.DOTALL)
#: short for the long module names in tables
_SHORT = {"F.": "torch.nn.functional.", "nn.": "torch.nn.", "S.": "torch.special.", "np.": "numpy."}
_WORDS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan, "e": math.e, "pi": math.pi}


def parse_table(text: str, lib: str, rows: Mapping[str, Op]) -> tuple[list[Spelling], list[str]]:
    """The spellings of a table, and a sentence for each line that is wrong."""
    found: list[Spelling] = []
    wrong: list[str] = []
    for line in _lines(text):
        try:
            found += _parse_line(line, lib, rows)
        except ValueError as error:
            wrong.append(f"{line!r}: {error}")
    return found, wrong


def _lines(text: str) -> Iterator[str]:
    """Logical lines: comments cut, continuations joined."""
    current = ""
    for raw in text.splitlines():
        line = re.sub(r"(^|\s)#.*", "", raw).rstrip()
        if _START.match(line):
            if current:
                yield current
            current = line.strip()
        elif line.strip():
            current += " " + line.strip()
    if current:
        yield current


def _parse_line(line: str, lib: str, rows: Mapping[str, Op]) -> list[Spelling]:
    match = _START.match(line)
    if match is None:
        raise ValueError("no row(signature)")
    op = rows.get(match[1])
    if op is None:
        raise ValueError(f"no row {match[1]}")
    signature, rest = _bracketed(line, match.end())
    init = None
    if rest.lstrip().startswith("<-"):
        init_text, rest = _bracketed(rest, rest.index("(") + 1)
        init = tuple(_params(init_text))
    preset: dict[str, Any] = {}
    names = []
    for word in rest.split():
        given = _PRESET.match(word)
        if given:
            preset[given[1]] = _constant(given[2])
        else:
            names.append(_full(word))
    if not names:
        raise ValueError("no spelling")
    params = tuple(_params(signature))
    return [Spelling(name, op, params, preset, _in_place(name), init, lib) for name in names]


def _full(word: str) -> str:
    for short, long in _SHORT.items():
        if word.startswith(short):
            return long + word[len(short):]
    if word.startswith("numpy.ndarray."):
        return word[len("numpy.ndarray"):]
    return word


def _in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__") and not name.startswith("operator.")


def _bracketed(text: str, start: int) -> tuple[str, str]:
    """The text from start to the bracket that closes before it, and the rest."""
    depth = 1
    for index in range(start, len(text)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if depth == 0:
            return text[start:index], text[index + 1:]
    raise ValueError("a bracket is not closed")


def _split(text: str) -> Iterator[str]:
    """Parts between commas that stand outside brackets."""
    depth, start = 0, 0
    for index, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            yield text[start:index].strip()
            start = index + 1
    if text[start:].strip():
        yield text[start:].strip()


def _params(text: str) -> Iterator[Param]:
    parts = list(_split(text))
    positional = parts.index("/") if "/" in parts else 0
    kind = "either"
    for index, part in enumerate(parts):
        if part == "/":
            continue
        if part == "*":
            kind = "keyword"
            continue
        yield _param(part, "positional" if index < positional else kind)
        if part.startswith("*"):
            kind = "keyword"


def _param(part: str, kind: str) -> Param:
    match = _PARAM.match(part)
    if match is None:
        raise ValueError(f"no parameter: {part}")
    name, canonical, takes, default = match[1].lstrip("*"), match[2], match[3] or "", match[4]
    if match[1].startswith("*"):
        kind = "rest"
    optional = default is not None and default.strip() == "?"
    value = MISSING if default is None or optional else _constant(default.strip())
    return Param(name, canonical or name, kind, value, takes, optional)


def _constant(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise ValueError(f"no constant: {text}") from None
