"""Telling names lift *unknown* to *suspected* only: what is reached stays reached whatever the variables are called."""

from __future__ import annotations

import ast
import builtins
import io
import re
import tokenize
from pathlib import Path

import pytest

import nanlint
from nanlint.settings import Settings

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
FILES = sorted(str(p.relative_to(FIXTURES)) for folder in ("real", "rules") for p in (FIXTURES / folder).glob("*/bad*.py"))
MARK = re.compile(r"[ \t]*# BAD:[^\r\n]*")
#: Files in which a name still decides, each with its reason. An entry that starts to work fails.
KNOWN_GAPS: dict[str, str] = {}


def variables(tree: ast.Module) -> list[str]:
    """Local names and parameters in order of appearance, without those that are keywords of a call, imports, functions, classes."""
    bound: dict[str, None] = {}
    taken = set(dir(builtins)) | {"self", "cls"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] = None
        elif isinstance(node, ast.arg):
            bound[node.arg] = None
        elif isinstance(node, ast.keyword) and node.arg:
            taken.add(node.arg)
        elif isinstance(node, ast.alias):
            taken.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            taken.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            taken.update(node.names)
    bodies = [s for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for s in c.body if isinstance(s, (ast.Assign, ast.AnnAssign))]
    taken |= {n.id for s in bodies for n in ast.walk(s) if isinstance(n, ast.Name)}
    return [name for name in bound if name not in taken]


def renamed(text: str) -> str:
    """The text with every variable called v1, v2 ...; rows stay where they are."""
    new = {name: f"v{i}" for i, name in enumerate(variables(ast.parse(text)), 1)}
    lines = text.splitlines(keepends=True)
    before = ""
    edits: list[tuple[int, int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME and token.string in new and before != ".":
            edits.append((token.start[0], token.start[1], token.string))
        before = token.string
    for row, column, name in reversed(edits):
        line = lines[row - 1]
        lines[row - 1] = line[:column] + new[name] + line[column + len(name) :]
    return "".join(lines)


def reached(text: str, path: str) -> list[tuple[int, str]]:
    return sorted((f.span.row, f.code) for f in nanlint.check_source(text, path, Settings(evidence="reached")))


def test_renaming_changes_variables_only() -> None:
    text = "import torch\nEPS = 1\ndef f(mask, x):\n    count = mask.sum(dim=x)\n    return torch.log(count)\n"
    assert renamed(text) == "import torch\nv1 = 1\ndef f(v2, v3):\n    v4 = v2.sum(dim=v3)\n    return torch.log(v4)\n"
    assert renamed("def f(mask): return g(mask=mask)\n") == "def f(mask): return g(mask=mask)\n"


@pytest.mark.parametrize("file", FILES)
def test_what_is_reached_needs_no_names(file: str) -> None:
    text = MARK.sub("", (FIXTURES / file).read_text())
    before, after = reached(text, str(FIXTURES / file)), reached(renamed(text), str(FIXTURES / file))
    if file in KNOWN_GAPS:
        assert set(before) - set(after), f"{file} works now: take it out of KNOWN_GAPS"
        return
    assert set(before) <= set(after), f"{file}: lost {sorted(set(before) - set(after))}"


def test_there_is_something_to_lose() -> None:
    assert sum(bool(reached(MARK.sub("", (FIXTURES / file).read_text()), str(FIXTURES / file))) for file in FILES) >= 30
