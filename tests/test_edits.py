"""Edits: parentheses, f-strings, comments, arguments, imports, spelling, and how edits are put together."""

from __future__ import annotations

import ast
import glob
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nanlint.findings import Edit
from nanlint.fragments import Fragment
from nanlint.grammar import enclosed, fit, level
from nanlint.interp.uses import Frame, Site, Trace, Use
from nanlint.interp.values import Term, Value
from nanlint.interval import Interval
from nanlint.ops.spec import Bound, Op
from nanlint.rewrite import EPS, Pen, apply_edits, compatible, number
from nanlint.source import Source

ROW = Op("anything", lambda bound: Interval.everything())


@dataclass(frozen=True)
class Wishes:
    eps: float | None = None
    guard: str = "clamp"


class Desk:
    """A text, and a pen for the expression in it that is written as `at` (the last one, if several are)."""

    def __init__(self, text: str, at: str, wishes: Wishes = Wishes(), **of_use: Any):
        self.source = Source.from_text(text)
        self.at = self.site(at)
        self.node: Any = self.at.node
        self.pen = Pen(Use(ROW, "anything", Bound({}), of_use.pop("nodes", {}), self.at, Value(), **of_use), wishes)

    def site(self, text: str, clock: int = 0) -> Site:
        for statement in reversed(self.source.tree.body):
            fragment = self.source.fragment(statement)
            assert fragment is not None
            for node in sorted(expressions(fragment), key=lambda n: fragment.range(n)[0], reverse=True):
                if fragment.text(node) == text:
                    return Site(node, fragment, Frame("f", self.source), clock)
        raise AssertionError(f"{text!r} is not there")

    def after(self, *edits: Edit | None) -> str:
        made = [edit for edit in edits if edit is not None]
        assert len(made) == len(edits)
        return apply_edits(self.source.text, made)

    def replaced(self, text: str) -> str:
        return self.after(self.pen.replace(self.node, text))

    def wrapped(self, suffix: str, prefix: str = "") -> str:
        edits = self.pen.wrap(self.node, suffix, prefix)
        assert edits is not None
        return self.after(*edits)


def expressions(fragment: Fragment) -> list[cst.CSTNode]:
    """Expressions whose place is an expression's (no keyword names, attribute names, patterns)."""
    names = {("Attribute", "attr"), ("Arg", "keyword"), ("Param", "name"), ("FunctionDef", "name"), ("ClassDef", "name")}
    found = []
    for node, (parent, field) in fragment.parents.items():
        if isinstance(node, cst.BaseExpression) and (type(parent).__name__, field) not in names and not _imported(fragment, node):
            found.append(node)
    return found


def _imported(fragment: Fragment, node: cst.CSTNode) -> bool:
    while node in fragment.parents and not isinstance(node, (cst.ImportAlias, cst.ImportFrom)):
        node = fragment.parents[node][0]
    return isinstance(node, (cst.ImportAlias, cst.ImportFrom))


# -- parentheses


@pytest.mark.parametrize(
    ("text", "at", "new", "after"),
    [
        ("x = a * b", "b", "c + d", "x = a * (c + d)"),
        ("x = a + b", "a", "c + d", "x = c + d + b"),
        ("x = a - b", "b", "c + d", "x = a - (c + d)"),
        ("x = a ** b", "a", "-c", "x = (-c) ** b"),
        ("x = a ** b", "b", "-c", "x = a ** -c"),
        ("x = -a", "a", "b ** 2", "x = -b ** 2"),
        ("x = -a", "a", "b * 2", "x = -(b * 2)"),
        ("x = a.b", "a", "c + d", "x = (c + d).b"),
        ("x = a.b", "a", "1", "x = (1).b"),
        ("x = a(b)", "b", "c if d else e", "x = a(c if d else e)"),
        ("x = a(b)", "b", "c, d", "x = a((c, d))"),
        ("x = a(b, c)", "b", "i for i in c", "x = a((i for i in c), c)"),
        ("x = (a + b) * c", "a + b", "d", "x = d * c"),
        ("x = (a + b) * c", "a + b", "d + e", "x = (d + e) * c"),
        ("x = (\n  a + b\n)", "a + b", "d", "x = d"),
        ("x = (\n  a + b\n)", "a + b", "d +\n e", "x = (d +\n e)"),
        ("x = a", "a", "(b) + (c)", "x = (b) + (c)"),
        ("x = a * 2", "a", "(b) + (c)", "x = ((b) + (c)) * 2"),
        ("x = a < b", "b", "c < d", "x = a < (c < d)"),
        ("x = not a", "a", "b or c", "x = not (b or c)"),
        ("x = a and b", "b", "c or d", "x = a and (c or d)"),
        ("x = a if b else c", "b", "d if e else f", "x = a if (d if e else f) else c"),
        ("x = a if b else c", "c", "d if e else f", "x = a if b else d if e else f"),
        ("x = [i for i in a if b]", "a", "c if d else e", "x = [i for i in (c if d else e) if b]"),
        ("def f(): return(a)", "a", "b", "def f(): return b"),
        ("x = (a)if(b)else(c)", "b", "d", "x = (a)if d else(c)"),
        ("x = 1 if(b)else c", "b", "(d)", "x = 1 if(d)else c"),
        ("x = a", "a", "b, c", "x = b, c"),
        ("x += a", "a", "yield", "x += (yield)"),
        ("x = [*a]", "a", "b or c", "x = [*(b or c)]"),
        ("f(*a, **b)", "b", "c or d", "f(*a, **c or d)"),
        ("x = a[b]", "a", "await c", "x = (await c)[b]"),
        ("x = lambda: a", "a", "b if c else d", "x = lambda: b if c else d"),
        ("x = y @ a", "a", "b @ c", "x = y @ (b @ c)"),
    ],
)  # fmt: skip
def test_replace(text: str, at: str, new: str, after: str) -> None:
    result = Desk(text + "\n", at).replaced(new)
    assert result == after + "\n"
    ast.parse(result)


@pytest.mark.parametrize(
    ("text", "at", "after"),
    [
        ("x = a / b", "b", "x = a / b.clamp_min(1e-6)"),
        ("x = a / (b + c)", "b + c", "x = a / (b + c).clamp_min(1e-6)"),
        ("x = a + b", "a + b", "x = (a + b).clamp_min(1e-6)"),
        ("x = -a", "-a", "x = (-a).clamp_min(1e-6)"),
        ("x = a ** 2", "a ** 2", "x = (a ** 2).clamp_min(1e-6)"),
        ("x = f(a)[0].b", "f(a)[0].b", "x = f(a)[0].b.clamp_min(1e-6)"),
        ("async def f(): return await a", "await a", "async def f(): return (await a).clamp_min(1e-6)"),
        ("x = f(a\n .b())", "a\n .b()", "x = f(a\n .b().clamp_min(1e-6))"),
        ("x = f(a +\n b)", "a +\n b", "x = f((a +\n b).clamp_min(1e-6))"),
        ("x = f(2)", "2", "x = f((2).clamp_min(1e-6))"),
        ("x = f(2.0)", "2.0", "x = f(2.0.clamp_min(1e-6))"),
        ("x = f(i for i in a)", "i for i in a", "x = f((i for i in a).clamp_min(1e-6))"),
        ("x = f(a if b else c)", "a if b else c", "x = f((a if b else c).clamp_min(1e-6))"),
        ("é = '数', a / b", "b", "é = '数', a / b.clamp_min(1e-6)"),
        ("if x:\r\n\ty = a / b\r\n\tz = 1\r", "b", "if x:\r\n\ty = a / b.clamp_min(1e-6)\r\n\tz = 1\r"),
    ],
)  # fmt: skip
def test_wrap(text: str, at: str, after: str) -> None:
    result = Desk(text + "\n", at).wrapped(".clamp_min(1e-6)")
    assert result == after + "\n"
    ast.parse(result)


def test_wrap_in_a_call() -> None:
    assert Desk("x = a / -b\n", "-b").wrapped(", 1e-6)", "np.maximum(") == "x = a / np.maximum(-b, 1e-6)\n"
    assert Desk("x = a / (b + c)\n", "b + c").wrapped(", 1e-6)", "np.maximum(") == "x = a / np.maximum((b + c), 1e-6)\n"
    assert Desk("x = f(i for i in a)\n", "i for i in a").wrapped(", 1)", "max(") == "x = f(max((i for i in a), 1))\n"


def test_texts_fit_their_place() -> None:
    desk = Desk("x = f(a +\n b, c * d)\n", "a +\n b")
    assert desk.pen.text(desk.node) == "a +\n b"
    assert desk.pen.text(desk.node, "primary") == "(a +\n b)"
    product = desk.site("c * d").node
    assert [desk.pen.text(product, place) for place in ("argument", "+", "*", "**", "primary")] == [
        "c * d", "c * d", "c * d", "(c * d)", "(c * d)",
    ]  # fmt: skip
    assert fit("a - b", "-") == "a - b" and fit("a - b", "-", tight=True) == "(a - b)"


@pytest.mark.parametrize(
    ("text", "whole"), [("(a)", True), ("(a) + (b)", False), ("[a][b]", False), ("(')', a)", True), ("a(b)", False), ("()", True), ("", False)]
)
def test_enclosed(text: str, whole: bool) -> None:
    assert enclosed(text) is whole


def _library() -> list[str]:
    """Top-level functions of library files, none of them long."""
    found = []
    for path in sorted(glob.glob(str(Path(ast.__file__).parent / "*.py")))[::9]:
        source = Source.read(path)
        for node in source.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.Assign)) and (node.end_lineno or 0) - node.lineno < 25:
                found.append("".join(source.lines[node.lineno - 1:node.end_lineno]))
    return found[::3]


def test_over_library_files_the_same_ast() -> None:
    """Any expression replaced by its own text, or wrapped by a call and unwrapped again, is the same program."""
    count = 0
    for text in _library():
        source = Source.from_text(text)
        before = _normal(text)
        fragment = source.fragment(source.tree.body[0])
        assert fragment is not None
        for node in expressions(fragment):
            pen = Pen(Use(ROW, "", Bound({}), {}, Site(node, fragment, Frame("f", source)), Value()), Wishes())
            parent = type(fragment.parents[node][0]).__name__
            if parent in STRANGE or parent.startswith("Match") or isinstance(node, cst.StarredElement):
                continue
            edit = pen.replace(node, pen.text(node))
            if edit is None:
                continue
            count += 1
            assert _normal(apply_edits(text, [edit])) == before, (text, fragment.text(node))
            if parent not in TARGETS:
                edits = pen.wrap(node, ".zzz") or ()
                assert _normal(apply_edits(text, edits)) == before, (text, fragment.text(node))
    assert count > 1000


#: Parents whose expressions cannot be any expression: what is deleted or imported, parts of strings.
STRANGE = {"ConcatenatedString", "Del", "Global", "Nonlocal", "NameItem", "AsName", "ExceptHandler", "Param", "Annotation"}
#: Here an attribute would be a target or something else than a wrapped value.
TARGETS = {"AssignTarget", "For", "CompFor", "AugAssign", "NamedExpr", "Element", "Tuple", "AnnAssign", "Expr", "Decorator", "Subscript"}


def _normal(text: str) -> str:
    """The program without `.zzz`; `(a and b) and c` as `a and b and c`."""

    class Normal(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            self.generic_visit(node)
            return node.value if node.attr == "zzz" else node

        def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
            self.generic_visit(node)
            first, *rest = node.values
            if isinstance(first, ast.BoolOp) and type(first.op) is type(node.op):
                node.values = [*first.values, *rest]
            return node

    return ast.dump(Normal().visit(ast.parse(text)))


# -- f-strings and comments


@pytest.mark.parametrize(
    ("text", "at", "new", "after"),
    [
        ("x = f'{a}'", "a", "b + c", "x = f'{b + c}'"),
        ("x = f'{a}'", "a", "{1: b}", "x = f'{ {1: b}}'"),
        ("x = f'{a}'", "a", "b if c else d", "x = f'{(b if c else d)}'"),
        ("x = f'{a:.3f}'", "a", "lambda: 0", "x = f'{(lambda: 0):.3f}'"),
        ("x = f'{a}'", "a", 'b["k"]', "x = f'{b[\"k\"]}'"),
        ("x = f'{a}'", "a", "b['k']", None),
        ("x = f'''{a}'''", "a", "b['k']", None),
        ("x = f'{a}'", "a", 'b["\\n"]', None),
        ("x = f'{a}'", "a", "f(b,\n c)", None),
        ("x = f'{a=}'", "a", "b", None),
        ("x = f'{f(a)=}'", "a", "b", None),
        ("x = f'{a:{w}}'", "w", "v + 1", "x = f'{a:{v + 1}}'"),
    ],
)
def test_replace_in_f_strings(text: str, at: str, new: str, after: str | None) -> None:
    desk = Desk(text + "\n", at)
    edit = desk.pen.replace(desk.node, new)
    assert (desk.after(edit) if edit else None) == (after and after + "\n")
    if after:
        ast.parse(after)


def test_wrap_in_f_strings() -> None:
    assert Desk("x = f'{a + b!r}'\n", "a + b").wrapped(".clamp_min(1e-6)") == "x = f'{(a + b).clamp_min(1e-6)!r}'\n"
    desk = Desk("x = f'{a=}'\n", "a")
    assert desk.pen.wrap(desk.node, ".clamp_min(1e-6)") is None


@pytest.mark.parametrize(
    ("text", "at", "new", "loses"),
    [
        ("x = (a +  # why\n  b)", "a +  # why\n  b", "c", True),
        ("x = (  # why\n  a + b)", "a + b", "c", True),
        ("x = (a +  # why\n  b)", "a +  # why\n  b", "f(a +  # why\n  b)", False),
        ("x = f('#') + b  # why", "f('#') + b", "c", False),
        ("x = a + b  # why", "a + b", "c", False),
    ],
)
def test_comments_in_a_replaced_range(text: str, at: str, new: str, loses: bool) -> None:
    desk = Desk(text + "\n", at)
    assert desk.pen.loses_comment(desk.node, new) is loses


# -- calls


@pytest.mark.parametrize(
    ("call", "after"),
    [
        ("f()", "f(eps=1e-6)"),
        ("f( )", "f( eps=1e-6)"),
        ("f(a)", "f(a, eps=1e-6)"),
        ("f(a,)", "f(a, eps=1e-6,)"),
        ("f(\n  a,  # c\n)", "f(\n  a, eps=1e-6,  # c\n)"),
        ("f(a, eps=1e-8)", "f(a, eps=1e-6)"),
        ("f(eps=(1e-8), b=2)", "f(eps=1e-6, b=2)"),
        ("f(*a)", "f(*a, eps=1e-6)"),
        ("f((i for i in a))", "f((i for i in a), eps=1e-6)"),
        ("f(**a)", None),
        ("f(i for i in a)", None),
    ],
)
def test_arguments(call: str, after: str | None) -> None:
    desk = Desk(f"x = ({call}) + 1\n", call)
    other = Desk("y = 0\n", "0")  # the pen of another use: names are taken as they are
    edit = other.pen.argument(desk.node, "eps", "1e-6", desk.at)
    assert (desk.after(edit) if edit else None) == (f"x = ({after}) + 1\n" if after else None)


def test_positional_arguments_are_replaced() -> None:
    desk = Desk("x = f(a, 0)\n", "f(a, 0)")
    call: cst.Call = desk.node
    pen = Pen(Use(ROW, "f", Bound({}), {"correction": call.args[1].value}, desk.at, Value()), Wishes())
    assert desk.after(pen.argument(call, "correction", "1")) == "x = f(a, 1)\n"


def test_keywords_are_written_as_the_call_has_them() -> None:
    desk = Desk("x = np.sum(a)\n", "np.sum(a)")
    pen = Pen(Use(ROW, "numpy.sum", Bound({}), {}, desk.at, Value(), lib="numpy"), Wishes())
    assert desk.after(pen.argument(desk.node, "dim", "-1")) == "x = np.sum(a, axis=-1)\n"


@pytest.mark.parametrize(
    ("text", "at", "after"),
    [
        ("x = loss.item()", "loss.item()", "x = loss"),
        ("x = (a + b).item() * 2", "(a + b).item()", "x = (a + b) * 2"),
        ("x = (a\n  .item())", "a\n  .item()", "x = (a)"),
        ("x = a.data * 2", "a.data", "x = a * 2"),
        ("x = float(a + b) * 2", "float(a + b)", "x = (a + b) * 2"),
        ("x = float((a + b)) * 2", "float((a + b))", "x = (a + b) * 2"),
    ],
)
def test_remove_call(text: str, at: str, after: str) -> None:
    desk = Desk(text + "\n", at)
    assert desk.after(desk.pen.remove_call(desk.node)) == after + "\n"


# -- imports

F = "torch.nn.functional.log_softmax"


@pytest.mark.parametrize(
    ("imports", "dotted", "text"),
    [
        ("import torch.nn.functional as F\nimport torch", F, "F.log_softmax"),
        ("from torch.nn import functional as F", F, "F.log_softmax"),
        ("from torch.nn import functional", F, "functional.log_softmax"),
        ("from torch.nn.functional import log_softmax as ls", F, "ls"),
        ("from torch import nn", F, "nn.functional.log_softmax"),
        ("import torch.nn as nn", F, "nn.functional.log_softmax"),
        ("import torch", F, "torch.nn.functional.log_softmax"),
        ("import torch.nn", F, "torch.nn.functional.log_softmax"),
        ("import torch as t", "torch.where", "t.where"),
        ("import numpy as np", "numpy.maximum", "np.maximum"),
        ("import numpy", "numpy.maximum", "numpy.maximum"),
        ("import jax.numpy as jnp\nimport jax", "jax.numpy.where", "jnp.where"),
        ("import scipy.special", "scipy.special.logsumexp", "scipy.special.logsumexp"),
        ("try:\n    import torch\nexcept ImportError:\n    torch = None", "torch.where", "torch.where"),
        ("import os", "max", "max"),
        ("import os", "builtins.max", "max"),
    ],
)
def test_names_that_the_file_has(imports: str, dotted: str, text: str) -> None:
    desk = Desk(f"{imports}\nx = g(1)\n", "g(1)")
    assert desk.pen.name(dotted) == (text, ())


@pytest.mark.parametrize(
    ("before", "dotted", "text", "after"),
    [
        ("x = g(1)", F, "F.log_softmax", "import torch.nn.functional as F\n\nx = g(1)"),
        ("F = 2\nx = g(1)", F, "torch.nn.functional.log_softmax", "import torch\n\nF = 2\nx = g(1)"),
        ("F = torch = 2\nx = g(1)", F, "torch_nn_functional.log_softmax", "import torch.nn.functional as torch_nn_functional\n\nF = torch = 2\nx = g(1)"),
        ('"""Doc."""\n\nx = g(1)', "torch.log", "torch.log", '"""Doc."""\n\nimport torch\n\nx = g(1)'),
        (
            '"""Doc."""\nfrom __future__ import annotations\n\nx = g(1)', "torch.log", "torch.log",
            '"""Doc."""\nfrom __future__ import annotations\n\nimport torch\n\nx = g(1)',
        ),
        (
            '"""Doc."""\nfrom __future__ import annotations\nimport os\n\nx = g(1)', "torch.log", "torch.log",
            '"""Doc."""\nfrom __future__ import annotations\nimport os\nimport torch\n\nx = g(1)',
        ),
        ("import os\nfrom torch.utils import data\nfrom . import a\n\nx = g(1)", F, "F.log_softmax",
         "import os\nfrom torch.utils import data\nimport torch.nn.functional as F\nfrom . import a\n\nx = g(1)"),
        ("from . import a\nx = g(1)", "torch.log", "torch.log", "import torch\nfrom . import a\nx = g(1)"),
        ("#!/usr/bin/python\n# coding: utf-8\n\n# about x\nx = g(1)", "torch.log", "torch.log",
         "#!/usr/bin/python\n# coding: utf-8\n\nimport torch\n\n# about x\nx = g(1)"),
        ("#!/usr/bin/python\nx = g(1)", "torch.log", "torch.log", "#!/usr/bin/python\nimport torch\n\nx = g(1)"),
        ('"""Doc."""; x = g(1)', "torch.log", "torch.log", '"""Doc."""; import torch; x = g(1)'),
        ("import os; x = g(1)", "torch.log", "torch.log", "import torch\nimport os; x = g(1)"),
        ("from scipy import stats\nx = g(1)", "scipy.special.xlogy", "scipy.special.xlogy",
         "from scipy import stats\nimport scipy.special\nx = g(1)"),
        ("@d\n# why\ndef f(): return g(1)", "math.log", "math.log", "import math\n\n@d\n# why\ndef f(): return g(1)"),
        ("def f(max): return g(1)", "max", "builtins.max", "import builtins\n\ndef f(max): return g(1)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_names_that_need_an_import(before: str, dotted: str, text: str, after: str, newline: str) -> None:
    desk = Desk((before + "\n").replace("\n", newline), "g(1)")
    name, edits = desk.pen.name(dotted)
    result = desk.after(*edits)
    assert name == text
    assert result == (after + "\n").replace("\n", newline)
    again = Desk(result, "g(1)")
    assert again.pen.name(dotted) == (text, ())  # never a second import


SCOPES = """
import torch
import torch.nn.functional as F
if TYPE_CHECKING:
    import numpy as np
def outer(F):
    def inner(x):
        return g(1)
    return inner
def local():
    import jax.numpy as jnp
    return g(2)
def shadow():
    for torch in x:
        pass
    return g(3)
class A:
    F = 1
    y = g(4)
    def method(self):
        return g(5)
z = g(6)
import math
"""


@pytest.mark.parametrize(
    ("call", "dotted", "text"),
    [
        ("g(1)", F, "torch.nn.functional.log_softmax"),
        ("g(2)", "jax.numpy.where", "jnp.where"),
        ("g(3)", "torch.nn.functional.relu", "F.relu"),
        ("g(4)", F, "torch.nn.functional.log_softmax"),
        ("g(5)", F, "F.log_softmax"),
        ("g(5)", "math.log", "math.log"),
    ],
)
def test_names_by_scope(call: str, dotted: str, text: str) -> None:
    assert Desk(SCOPES, call).pen.name(dotted) == (text, ())


@pytest.mark.parametrize(
    ("call", "dotted", "text"), [("g(3)", "torch.log", "torch_.log"), ("g(1)", "numpy.log", "numpy.log"), ("g(6)", "math.log", "math_.log")]
)
def test_names_that_a_scope_hides(call: str, dotted: str, text: str) -> None:
    name, edits = Desk(SCOPES, call).pen.name(dotted)
    assert name == text and len(edits) == 1


# -- spelling values


def leaf(name: str) -> Term:
    return Term("leaf", (), (("key", name),))


X, Y = leaf("x"), leaf("y")
SUM = Term("sum", (X,), (("dim", 1),))
SPELL = "a = net(x)\nb = x.sum(1)\nc = torch.rand(3)\nd = f(b, y.abs())\n"


def spelling_desk(names: Mapping[str, Term], stamps: Mapping[str, int]) -> Desk:
    desk = Desk(SPELL, "f(b, y.abs())")
    absolute, opaque, random = Term("abs", (Y,), ()), leaf("net(x)"), Term("rand", (), (("n", 1),))
    sites = {
        SUM: [desk.site("x.sum(1)", 2)], absolute: [desk.site("y.abs()", 9)], opaque: [desk.site("net(x)", 1)],
        random: [desk.site("torch.rand(3)", 3)], Term("neg", (opaque,), ()): [desk.site("net(x)", 1)],
    }  # fmt: skip
    use = Use(ROW, "", Bound({}), {}, desk.at, Value(), names=names, stamps=stamps, trace=Trace(sites=sites))
    desk.pen = Pen(use, Wishes())
    return desk


@pytest.mark.parametrize(
    ("term", "names", "stamps", "text"),
    [
        (SUM, {"self.total": SUM, "b": SUM}, {}, "b"),
        (SUM, {"self.total": SUM}, {}, "self.total"),
        (SUM, {"<0>": SUM}, {"x": 1}, "x.sum(1)"),
        (SUM, {}, {"x": 2}, "x.sum(1)"),
        (SUM, {}, {"x": 3}, None),
        (Term("abs", (Y,), ()), {}, {"y": 20}, "y.abs()"),
        (leaf("net(x)"), {}, {}, None),
        (Term("neg", (leaf("net(x)"),), ()), {}, {}, None),
        (Term("const", (), (("value", 1e-8),)), {}, {}, "1e-8"),
        (Term("const", (), (("value", -1),)), {}, {}, "-1"),
        (Term("const", (), (("value", (1, None)),)), {}, {}, "(1, None)"),
        (Term("const", (), (("value", float("inf")),)), {}, {}, 'float("inf")'),
        (Term("const", (), (("value", object),)), {}, {}, None),
        (leaf("unheard"), {}, {}, None),
        (None, {}, {}, None),
    ],
)
def test_spell(term: Term | None, names: Mapping[str, Term], stamps: Mapping[str, int], text: str | None) -> None:
    assert spelling_desk(names, stamps).pen.spell(term) == text


# -- eps


def test_eps_by_use_dtype_and_settings() -> None:
    pen = Desk("x = 0\n", "0").pen
    assert [pen.eps("divisor", dtype) for dtype in ("float32", "float64", None, "float16", "bfloat16")] == ["1e-6", "1e-6", "1e-6", "4e-3", "1e-6"]
    assert [pen.eps("root-of-squares", dtype) for dtype in ("float32", "float16")] == ["1e-12", "1.6e-5"]
    assert [pen.eps(kind, "float16") for kind in ("edge", "log", "root")] == ["1e-3", "1e-4", "1e-6"]
    scaled = Desk("x = 0\n", "0", Wishes(eps=1e-5)).pen
    assert [scaled.eps("divisor", dtype) for dtype in ("float32", "float16")] == ["1e-5", "4e-3"]
    assert [scaled.eps(kind, "float32") for kind in ("root-of-squares", "log")] == ["1e-10", "1e-12"]
    assert Desk("x = 0\n", "0", Wishes(guard="add")).pen.add_guard and not pen.add_guard


def test_eps_hold_in_their_dtype() -> None:
    torch = pytest.importorskip("torch")
    for column in ("float32", "float16", "bfloat16"):
        dtype = getattr(torch, column)
        one = torch.ones((), dtype=dtype)
        assert one - EPS["edge"][column] < 1
        for kind in ("divisor", "log", "root"):
            eps = torch.tensor(EPS[kind][column], dtype=dtype)
            assert eps > 0
            assert torch.isfinite(0.5 / eps.sqrt() if kind == "root" else 1 / eps), (kind, column)
        divisor = torch.tensor(EPS["divisor"][column], dtype=dtype)
        assert torch.isfinite(1 / divisor**2)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_read_back(value: float) -> None:
    assert float(number(value)) == pytest.approx(value, rel=1e-14, abs=0.0)


# -- putting edits together


def test_edits_are_made_once_and_in_order() -> None:
    assert apply_edits("abcdef", [Edit(4, 5, "E"), Edit(0, 1, "A"), Edit(4, 5, "E"), Edit(2, 2, "-"), Edit(6, 6, "!")]) == "Ab-cdEf!"


@pytest.mark.parametrize("edits", [[Edit(0, 3, "x"), Edit(2, 4, "y")], [Edit(1, 1, "x"), Edit(1, 1, "y")], [Edit(0, 3, ""), Edit(1, 1, "y")], [Edit(5, 9, "")]])
def test_overlaps_are_refused(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abcdef", edits)


OPEN, CLOSE, IMPORT = Edit(10, 10, "("), Edit(20, 20, ").x()"), Edit(0, 0, "import torch\n")


@pytest.mark.parametrize(
    ("edits", "taken", "fits"),
    [
        ([OPEN, CLOSE], [OPEN, CLOSE], True),
        ([OPEN, CLOSE], [], True),
        ([OPEN, CLOSE], [OPEN, Edit(30, 30, ").y()")], False),
        ([OPEN, CLOSE], [Edit(20, 25, "z")], False),
        ([OPEN, CLOSE], [Edit(12, 15, "z")], True),
        ([OPEN, CLOSE], [Edit(5, 25, "z")], False),
        ([IMPORT, OPEN, CLOSE], [IMPORT, Edit(30, 40, "z")], True),
        ([IMPORT, OPEN, CLOSE], [Edit(0, 0, "import math\n")], False),
    ],
)
def test_compatible(edits: list[Edit], taken: list[Edit], fits: bool) -> None:
    assert compatible(edits, taken) is fits


def test_levels() -> None:
    assert [level(t) for t in ("a", "-a", "a.b", "a + b", "a, b", "(a, b)", "a if b else c", "not a", "f'{a}'", "[a]", "x := 1")] == [
        "atom", "unary", "primary", "+", "loose", "atom", "argument", "not", "atom", "atom", "loose",
    ]  # fmt: skip
    with pytest.raises(SyntaxError):
        level("a +")


def test_dedented_texts_keep_their_strings() -> None:
    text = textwrap.dedent('''
        class A:
            def f(self):
                x = g(1, """
            no indent
                """)
    ''')
    desk = Desk(text, 'g(1, """\n    no indent\n        """)')
    assert desk.replaced("h(2)") == '\nclass A:\n    def f(self):\n        x = h(2)\n'
