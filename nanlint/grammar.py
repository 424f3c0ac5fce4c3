"""How tightly Python's expressions bind: which text needs parentheses in which place, and what an f-string takes."""

from __future__ import annotations

import ast
import io
import tokenize
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.fragments import Fragment

#: Levels from loosest to tightest. "loose" is what needs parentheses nearly everywhere: bare tuples, yield,
#: `:=`, generators, text of several lines outside brackets.
LEVELS = (
    "loose", "argument", "or", "and", "not", "comparison", "|", "^", "&", "<<", "+", "*", "unary", "**", "await", "primary", "atom",
)  # fmt: skip
RANK = {name: rank for rank, name in enumerate(LEVELS)}
RANK.update({">>": RANK["<<"], "-": RANK["+"], "/": RANK["*"], "//": RANK["*"], "%": RANK["*"], "@": RANK["*"]})
_BINARY: dict[type[ast.AST], str] = {
    ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: "<<", ast.Add: "+", ast.Sub: "+", ast.Mult: "*",
    ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.MatMult: "*", ast.Pow: "**", ast.Or: "or", ast.And: "and",
}  # fmt: skip
_OTHER: dict[type[ast.AST], str] = {
    ast.IfExp: "argument", ast.Lambda: "argument", ast.Compare: "comparison", ast.Await: "await", ast.Tuple: "loose", ast.Yield: "loose",
    ast.YieldFrom: "loose", ast.NamedExpr: "loose", ast.GeneratorExp: "loose", ast.Starred: "loose",
    ast.Attribute: "primary", ast.Call: "primary", ast.Subscript: "primary",
}  # fmt: skip
#: libcst's binary operators by class name.
_OPERATORS = {
    "BitOr": "|", "BitXor": "^", "BitAnd": "&", "LeftShift": "<<", "RightShift": "<<", "Add": "+", "Subtract": "+", "Multiply": "*",
    "Divide": "*", "FloorDivide": "*", "Modulo": "*", "MatrixMultiply": "*", "Power": "**", "Or": "or", "And": "and",
}  # fmt: skip
#: What a field takes without parentheses; other fields take "argument".
_PLACES = {
    ("Attribute", "value"): "primary", ("Call", "func"): "primary", ("Subscript", "value"): "primary", ("Await", "expression"): "primary",
    ("IfExp", "body"): "or", ("IfExp", "test"): "or", ("Comparison", "left"): "|", ("ComparisonTarget", "comparator"): "|",
    ("CompFor", "iter"): "or", ("CompIf", "test"): "or", ("StarredElement", "value"): "|", ("StarredDictElement", "value"): "|",
    ("FormattedStringExpression", "expression"): "or",
}  # fmt: skip


@lru_cache(maxsize=1024)
def enclosed(text: str) -> bool:
    """Whether the text is one bracketed whole: (...), [...] or {...}."""
    if not text or text[0] not in "([{" or text[-1] not in ")]}":
        return False
    depth = 0
    last = (0, 0)
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    ops = [token for token in tokens if token.type == tokenize.OP]
    for token in ops:
        depth += (token.string in "([{") - (token.string in ")]}")
        last = token.end
        if depth == 0:
            break
    return depth == 0 and last == ops[-1].end


@lru_cache(maxsize=1024)
def level(text: str, bracketed: bool = False) -> str:
    """How tightly an expression's text binds. bracketed: it stands inside brackets, so it may hold newlines.

    Raises SyntaxError when it is no expression.
    """
    text = text.strip()
    try:
        if "\n" in text or "\r" in text:
            raise SyntaxError
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        node = ast.parse(f"(\n{text}\n)", mode="eval").body
        if not bracketed and not enclosed(text):
            return "loose"
    return "atom" if enclosed(text) else _level_of(node)


def _level_of(node: ast.expr) -> str:
    if isinstance(node, (ast.BinOp, ast.BoolOp)):
        return _BINARY[type(node.op)]
    if isinstance(node, ast.UnaryOp):
        return "not" if isinstance(node.op, ast.Not) else "unary"
    return _OTHER.get(type(node), "atom")


def fit(text: str, place: str, tight: bool = False) -> str:
    """The text, in parentheses if it binds looser than the place needs (tight: or equally)."""
    own, need = RANK[level(text)], RANK[place]
    number = place == "primary" and text.strip().isdigit()  # 1.real does not parse
    return f"({text})" if own < need or (tight and own == need) or number else text


def place_of(fragment: Fragment, node: cst.CSTNode) -> tuple[str, bool]:
    """What stands at a node's place without parentheses: the level, and whether it must bind tighter than that."""
    if node not in fragment.parents:
        return "loose", False
    parent, field = fragment.parents[node]
    kind = type(parent).__name__
    inner: Any = parent
    if kind in ("BinaryOperation", "BooleanOperation"):
        name = _OPERATORS[type(inner.operator).__name__]
        return _operand(name, field)
    if kind == "UnaryOperation":
        return ("not" if type(inner.operator).__name__ == "Not" else "unary"), False
    if kind in ("Expr", "Assign", "Return"):
        return "loose", False
    return _PLACES.get((kind, field), "argument"), False


def _operand(operator: str, field: str) -> tuple[str, bool]:
    """Operators group to the left, except ** whose right side may be unary."""
    if operator == "**":
        return ("await", False) if field == "left" else ("unary", False)
    return operator, field == "right"


def strings_around(fragment: Fragment, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The f-strings that a node stands in, innermost first."""
    found: list[cst.CSTNode] = []
    while node in fragment.parents:
        node = fragment.parents[node][0]
        if type(node).__name__ in ("FormattedString", "TemplatedString"):
            found.append(node)
    return found


def shown_literally(fragment: Fragment, node: cst.CSTNode) -> bool:
    """Whether a node stands in `{x=}`, where its text is part of the value."""
    while node in fragment.parents:
        node = fragment.parents[node][0]
        if getattr(node, "equal", None) is not None and type(node).__name__.endswith("StringExpression"):
            return True
    return False


def writable(fragment: Fragment, node: cst.CSTNode, text: str) -> bool:
    """Whether a text can be put at a node's place: into f-strings no quotes of theirs, no backslash, newline or comment
    (Python before 3.12), and nothing into `{x=}`."""
    around: list[Any] = strings_around(fragment, node)
    if not around:
        return True
    quotes = {string.start[-1] for string in around}
    return not quotes & set(text) and not set("\\\n\r#") & set(text) and not shown_literally(fragment, node)
