"""Bytes to text, rows and offsets, fragments and spans, noqa, imports, depth."""

from __future__ import annotations

import ast
import glob
import os
import stat
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path

import libcst as cst
import pytest

from nanlint import atomic
from nanlint.fragments import KINDS, Fragment
from nanlint.source import LIMIT, Source, SourceError

LIBRARY = [Path(p) for p in sorted(glob.glob(str(Path(ast.__file__).parent / "*.py")))[::6]]


def fragment_of(text: str, index: int = 0) -> Fragment:
    source = Source.from_text(text)
    fragment = source.fragment(source.tree.body[index])
    assert fragment is not None
    return fragment


def nodes(fragment: Fragment, kind: type[cst.CSTNode]) -> list[cst.CSTNode]:
    found = [node for node in fragment.parents if isinstance(node, kind)]
    return sorted(found, key=lambda node: fragment.range(node))


def texts(fragment: Fragment, kind: type[cst.CSTNode]) -> list[str]:
    return [fragment.text(node) for node in nodes(fragment, kind)]


# -- decoding


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"x = 1\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n", "utf-8"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n", "utf-8"),
        ("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'\n", "iso-8859-1"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '€'\n".encode("cp1252"), None, "cp1252"),
        (b"", "", "utf-8"),
    ],
)
def test_bytes_come_back(data: bytes, text: str | None, encoding: str) -> None:
    source = Source.from_bytes(data, "f.py")
    assert source.encoding == encoding
    assert text is None or source.text == text
    assert source.encode(source.text) == data
    assert isinstance(source.tree, ast.Module)


@pytest.mark.parametrize(
    ("data", "row", "column"),
    [
        (b"x = 1\ny = '\xff'\n", 2, 5),
        (b"# coding: nonsense\nx = 1\n", 1, 0),
        (b"# coding: rot13\nx = 1\n", 1, 0),
        (b"\xef\xbb\xbf# coding: latin-1\nx = 1\n", 1, 0),
        (b"x = 1\ny = \x00\n", 2, 4),
        (b"x = 1\n  y = 2\n", 2, 2),
        (b"a\nb\n\n\n\n\nprint('\xff')\n", 7, 7),
    ],
)
def test_what_cannot_be_read_says_where(data: bytes, row: int, column: int) -> None:
    source = Source.from_bytes(data, "f.py")
    with pytest.raises(SourceError) as caught:
        source.tree
    assert caught.value.message
    if b"  y" not in data:  # Python versions disagree on the column of an unexpected indent
        assert (caught.value.row, caught.value.column) == (row, column)
    assert caught.value.row == row


def test_undecodable_text_is_never_written() -> None:
    with pytest.raises(SourceError):
        Source.from_bytes(b"x = '\xff'\n").encode("x = 1\n")


def test_what_the_encoding_lacks_is_never_written() -> None:
    source = Source.from_bytes("# coding: latin-1\nx = 'é'\n".encode("latin-1"))
    with pytest.raises(SourceError, match="iso-8859-1"):
        source.encode(source.text + "y = '€'\n")


def test_large_files_are_refused() -> None:
    source = Source.from_bytes(b"x = 1\n" * (LIMIT // 6 + 1))
    with pytest.raises(SourceError, match="larger"):
        source.tree


def test_lines_end_at_newlines_only() -> None:
    text = "a = 1\r\nb = '\x0c\x1c\u2028'\rc = 3\n\x0cd = 4"
    source = Source.from_text(text)
    assert source.lines == ["a = 1\r\n", "b = '\x0c\x1c\u2028'\r", "c = 3\n", "\x0cd = 4"]
    assert [source.fragment(s).row for s in source.tree.body] == [1, 2, 3, 4]  # type: ignore[union-attr]


def test_a_tree_that_is_given_is_used() -> None:
    tree = ast.parse("x = 1\n")
    assert Source.from_text("x = 1\n", "f.py", tree).tree is tree


# -- the prefilter


@pytest.mark.parametrize(
    ("text", "tokens", "holds"),
    [
        ("x.sqrt()", {"sqrt"}, True),
        ("x.sqrt_()", {"sqrt"}, True),
        ("x.sqrtm()", {"sqrt"}, False),
        ("x / y", {"/"}, True),
        ("x * y", {"/", "**"}, False),
        ("x = 1  # nanlint: skip-file", {"sqrt"}, True),
        ("x = 1  # noqa: E501, NAN101", {"sqrt"}, True),
        ("x = 1  # noqa: E501", {"sqrt"}, False),
    ],
)
def test_prefilter(text: str, tokens: set[str], holds: bool) -> None:
    assert Source.from_text(text).may_hold(frozenset(tokens)) is holds


# -- fragments


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_spans_in_any_newlines(newline: str) -> None:
    text = newline.join(["# é", "class A:", "\tdef f(self, x):", "\t\tdoc = '''a", "  b'''", "\t\treturn '数', torch.log(x)", ""])
    source = Source.from_text(text)
    method = source.tree.body[0].body[0]  # type: ignore[attr-defined]
    fragment = source.fragment(method)
    assert fragment is not None and isinstance(fragment.statements[0], cst.FunctionDef)
    call, = nodes(fragment, cst.Call)
    span = fragment.span(call)
    assert (span.row, span.column, span.end_row, span.end_column) == (6, 14, 6, 26)
    assert text[span.start:span.end] == fragment.text(call) == "torch.log(x)"
    string = nodes(fragment, cst.SimpleString)[0]
    assert fragment.span(string).end_row == 5


def test_decorators_belong_to_the_fragment() -> None:
    text = "x = 0\n@(\n  torch.jit.script\n)\n@g(2)\ndef f(): pass\n"
    fragment = fragment_of(text, 1)
    assert fragment.row == 2
    assert texts(fragment, cst.Call) == ["g(2)"]


def test_statements_of_one_line_are_one_fragment() -> None:
    source = Source.from_text("if c:\n    a = f(1); b = g('''\n'''); \\\n  c = h(3)  # end\n    d = 4\n")
    first, second, third, fourth = source.tree.body[0].body  # type: ignore[attr-defined]
    fragment = source.fragment(second)
    assert fragment is not None
    assert source.fragment(first) is fragment is source.fragment(third)
    assert source.fragment(fourth) is not fragment
    assert texts(fragment, cst.Call) == ["f(1)", "g('''\n''')", "h(3)"]


def test_the_rest_of_a_line_is_a_fragment() -> None:
    source = Source.from_text("for i in x: a = f(i); b = -i\nelse: c = g(2)\n")
    loop = source.tree.body[0]
    assert isinstance(loop, ast.For)
    fragment = source.fragment(loop.body[1])
    assert fragment is not None and texts(fragment, cst.UnaryOperation) == ["-i"]
    other = source.fragment(loop.orelse[0])
    assert other is not None and other.span(nodes(other, cst.Call)[0]).column == 10


def test_elif_is_a_fragment() -> None:
    source = Source.from_text("def f():\n    if a:\n        pass\n    elif g(b):\n        x = h(1)\n    else:\n        y = k(2)\n")
    outer = source.tree.body[0].body[0]  # type: ignore[attr-defined]
    fragment = source.fragment(outer.orelse[0])
    assert fragment is not None and texts(fragment, cst.Call) == ["g(b)", "h(1)", "k(2)"]


def test_form_feeds_before_code() -> None:
    source = Source.from_text("x = 1\n\x0c\ndef f():\n\x0c    return g(1)\n\x0cy = h(2)\n")
    inner = source.fragment(source.tree.body[1].body[0])  # type: ignore[attr-defined]
    assert inner is not None and texts(inner, cst.Call) == ["g(1)"]
    last = source.fragment(source.tree.body[2])
    assert last is not None and last.span(nodes(last, cst.Call)[0]).column == 5


def test_parentheses_are_told_apart() -> None:
    fragment = fragment_of("x = (  # why\n  (a +\n   b)\n)\n")
    binary, = nodes(fragment, cst.BinaryOperation)
    assert fragment.text(binary) == "a +\n   b"
    assert fragment.text(binary, parens=True) == "(  # why\n  (a +\n   b)\n)"


def test_inside_of_f_strings() -> None:
    fragment = fragment_of("'数' + f'é{f(x)=} {g(-y):>{w}}'\n")
    assert texts(fragment, cst.Call) == ["f(x)", "g(-y)"]
    assert texts(fragment, cst.UnaryOperation) == ["-y"]


def test_library_spans_equal_the_scout() -> None:
    """Every fast place is the slow one, every fragment parses, and outside of f-strings none is missing."""
    outcome: Counter[str] = Counter()
    for path in LIBRARY:
        source = Source.read(path)
        for statement in source.tree.body:
            fragment = source.fragment(statement)
            assert fragment is not None, (path, statement.lineno)
            for node in fragment.parents:
                if type(node).__name__ in KINDS:
                    place = fragment._fast.get(node)
                    outcome["missing" if place is None else "right" if place == fragment._slow(node) else "wrong"] += 1
    assert outcome["wrong"] == 0
    assert outcome["right"] > 2000 and outcome["missing"] < outcome["right"] / 100


def test_library_statements_are_fragments_at_any_depth() -> None:
    count = 0
    for path in LIBRARY[::3]:
        source = Source.read(path)
        for node in ast.walk(source.tree):
            if isinstance(node, ast.stmt):
                fragment = source.fragment(node)
                assert fragment is not None, (path, node.lineno)
                count += 1
                assert node in fragment.block.statements
    assert count > 500


# -- depth


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "+".join(["a"] * 300),
        "x = a" + "(b)" * 300,
        "x = " + "-" * 300 + "a",
        "x = a" + ".b" * 300,
        "".join(f"{'if' if not i else 'elif'} a == {i}:\n    pass\n" for i in range(300)),
        "x = " + " or ".join("a" * 3000),
        "x = 'a'" + " 'b'" * 3000,
        "x = [a " + "for a in b " * 500 + "]",
        "import a" + ".b" * 3000,
        "match a:\n    case " + "{1: " * 9 + "b" + "}" * 9 + ": pass",
        "match a:\n    case " + "(" * 40 + "b" + ")" * 40 + ": pass",
    ],
    ids=["sum", "calls", "signs", "attributes", "elif", "or", "strings", "clauses", "import", "mappings", "patterns"],
)
def test_deep_statements_never_reach_libcst(text: str) -> None:
    source = Source.from_text(text + "\ny = f(1)\n")
    assert source.fragment(source.tree.body[0]) is None
    assert source.fragment(source.tree.body[1]) is not None


def test_input_that_is_deeper_than_ast_can_take() -> None:
    """Ten thousand terms, two thousand brackets: an error or no fragment, never the end of the process."""
    code = textwrap.dedent("""
        from nanlint.source import Source, SourceError
        for text in ("+".join(["a"] * 10_000), "(" * 2000 + ")" * 2000, "[" * 190 + "]" * 190, "-" * 5000 + "a", "a" + ".b()" * 5000):
            source = Source.from_text(text)
            try:
                print(source.fragment(source.tree.body[0]) is None)
            except SourceError as error:
                print("error", error.message)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=Path(__file__).parents[1])
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5
    assert done.stdout.splitlines()[2] in ("True", "False")


@pytest.mark.parametrize("text", ["x = " + "[" * 190 + "]" * 190, "x = " + "(" * 190 + "a" + ")" * 190, "x = a" + "(b)" * 190])
def test_small_stacks_are_enough(text: str) -> None:
    """A thread of 512 KB (macOS) parses what the main thread parses (in a process of its own: it would die)."""
    code = f"""
import threading
from nanlint.source import Source
def work():
    source = Source.from_text({text!r})
    print(source.fragment(source.tree.body[0]) is not None)
threading.stack_size(512 * 1024)
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[1])
    assert done.stdout == "True\n", done.stderr


def test_the_deepest_that_is_taken_has_places() -> None:
    fragment = fragment_of("x = " + "+".join(f"f({i})" for i in range(150)) + "\n")
    assert len(set(map(fragment._slow, nodes(fragment, cst.BinaryOperation)))) == 149


# -- suppressions

NOQA = '''\
a = f(1)  # noqa
b = f(1)  # noqa: NAN1
c = f(1)  # noqa:NAN101,E501 W1
d = f(1)  # noqa : NAN101
e = f(1)  # noqa NAN101
g = """
  text  """ + f(2)  # noqa: NAN2
h = f(  # noqa: NAN3
    1)
i = 1 + \\
    f(1)  # noqa: NAN4
j = f(
    1)  # NOQA: nan101
k = "# noqa: NAN5" + f(2)
m = f(1)
'''


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        (1, set()), (2, {"NAN1"}), (3, {"NAN101", "E501", "W1"}), (4, set()), (5, set()), (6, {"NAN2"}), (7, {"NAN2"}), (8, {"NAN3"}),
        (9, None), (10, {"NAN4"}), (11, {"NAN4"}), (12, None), (13, {"nan101"}), (14, {"NAN5"}), (15, None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_noqa_by_physical_lines(row: int, codes: set[str] | None, newline: str) -> None:
    source = Source.from_text(NOQA.replace("\n", newline))
    assert source.noqa(row) == codes


def test_noqa_agrees_with_flake8(tmp_path: Path) -> None:
    """Undefined names on every row that calls: the rows that flake8 reports are those that we do not silence."""
    pytest.importorskip("flake8")
    (tmp_path / "case.py").write_text(NOQA)
    command = [sys.executable, "-m", "flake8", "--isolated", "--select=F821", "case.py"]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    reported = {int(line.split(":")[1]) for line in shown.splitlines()}
    source = Source.from_text(NOQA)
    calls = {node.func.lineno for node in ast.walk(source.tree) if isinstance(node, ast.Call)}
    assert reported == {row for row in calls if not source.silenced(row, "F821")}
    assert reported


def test_a_code_is_a_prefix() -> None:
    source = Source.from_text(NOQA)
    assert source.silenced(2, "NAN101") and not source.silenced(2, "NAN201")
    assert source.silenced(1, "NAN201") and not source.silenced(15, "NAN101")


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        ("# flake8: noqa\nx = 1\n", True),
        ("x = 1\n  # flake8: noqa: NAN101\n", True),
        ("x = 1  # flake8: noqa\n", False),
        ("# nanlint: skip-file\n", True),
        ("x = 1  # nanlint: skip-file\n", False),
        ("# nanlint: skip-files\n", False),
        ("x = 1\n", False),
    ],
)
def test_files_can_be_skipped(text: str, skipped: bool) -> None:
    assert Source.from_text(text).skip_file is skipped


def test_file_ignores() -> None:
    source = Source.from_text("# nanlint: file-ignore[NAN101, sqrt-at-zero]\nx = 1\n# nanlint: file-ignore[NAN2]\n")
    assert source.file_ignores == {"NAN101", "sqrt-at-zero", "NAN2"}
    assert Source.from_text("x = 1\n").file_ignores == frozenset()


# -- names


def test_imports_of_the_module() -> None:
    text = """
        import numpy as np, os.path
        import torch.nn.functional as F
        from torch import nn, special as sp
        from . import ops
        from ..a.b import c as d
        from math import *
        try:
            import jax
        except ImportError:
            jax = None
        def f():
            import hidden
    """
    source = Source.from_text(textwrap.dedent(text))
    assert source.imports == {
        "np": "numpy", "os": "os", "F": "torch.nn.functional", "nn": "torch.nn", "sp": "torch.special", "ops": ".ops", "d": "..a.b.c", "jax": "jax",
    }  # fmt: skip
    assert source.stars == ("math",)


# -- replacing files


def test_replace_keeps_links_and_mode(tmp_path: Path) -> None:
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_bytes(b"old")
    real.chmod(0o754)
    link.symlink_to(real)
    atomic.replace(link, b"old", b"new")
    assert link.is_symlink() and real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o754
    assert sorted(os.listdir(tmp_path)) == ["link.py", "real.py"]


@pytest.mark.parametrize("found", [b"else", None])
def test_replace_refuses_what_changed(tmp_path: Path, found: bytes | None) -> None:
    path = tmp_path / "a.py"
    if found is not None:
        path.write_bytes(found)
    with pytest.raises(atomic.ReplaceError, match="a.py"):
        atomic.replace(path, b"old", b"new")
    assert (path.read_bytes() if path.exists() else None) == found
    assert os.listdir(tmp_path) == (["a.py"] if found is not None else [])
