"""From nodes to text edits: what a rule's fix writes with (Pen), and how edits are put together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from nanlint.findings import Edit
from nanlint.grammar import RANK, fit, level, place_of, strings_around, writable
from nanlint.imports import spelled
from nanlint.ops import find, find_method, rows

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.interp.uses import Site, Use
    from nanlint.interp.values import Term

#: eps by use and dtype (float32 stands for float64 too), proven by torch in the tests. A divisor's: 1/eps**2 stays finite in
#: float16; an edge's: 1 - eps is not 1; under the root of a sum of squares stands the square of the divisor's.
EPS = {
    "divisor": {"float32": 1e-6, "float16": 4e-3, "bfloat16": 1e-6},
    "edge": {"float32": 1e-6, "float16": 1e-3, "bfloat16": 1e-2},
    "log": {"float32": 1e-12, "float16": 1e-4, "bfloat16": 1e-12},
    "root": {"float32": 1e-12, "float16": 1e-6, "bfloat16": 1e-12},
}
#: Expressions that are not written a second time.
_ONCE = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Wishes(Protocol):
    """The settings that a pen obeys."""

    @property
    def eps(self) -> float | None: ...

    @property
    def guard(self) -> str: ...


class Pen:
    """Writes the edits of one use's fix. Methods give None where the edit cannot be written.

    Nodes are nodes of the use's own fragment, or of `site`'s where one is given.
    """

    def __init__(self, use: Use, settings: Wishes):
        self.use, self.settings = use, settings
        self.fragment = use.site.fragment
        self.source = self.fragment.source

    @property
    def add_guard(self) -> bool:
        """The settings want `+ eps` where a value is known to be >= 0."""
        return self.settings.guard == "add"

    # -- reading

    def text(self, node: cst.CSTNode, place: str = "argument", site: Site | None = None) -> str:
        """The source text of an expression, fit for a place: "argument" (between commas), "primary" (before .name, (...)),
        or an operator ("+", "*", "**" ...) whose left operand it becomes."""
        fragment = (site or self.use.site).fragment
        text = fragment.text(node)
        if level(text, bracketed=True) == "loose" or (place != "argument" and level(text) == "loose"):
            return f"({text})"
        return text if place == "argument" else fit(text, place)

    @staticmethod
    def fit(text: str, place: str, tight: bool = False) -> str:
        """A text, in parentheses if a place ("argument", "primary", "+" ...) needs them; tight for the right operand."""
        return fit(text, place, tight)

    def loses_comment(self, node: cst.CSTNode, text: str = "", site: Site | None = None) -> bool:
        """Whether replacing a node by a text drops a comment."""
        fragment = (site or self.use.site).fragment
        start, end = fragment.range(node, parens=True)
        source = fragment.source
        if "#" not in source.text[start:end]:
            return False
        return any(start <= left and right <= end and source.text[left:right] not in text for left, right in source.comments)

    def eps(self, kind: str, dtype: str | None) -> str:
        """The eps of a guard as it is written: kind "divisor", "edge", "log", "root" or "root-of-squares"."""
        column = dtype if dtype in ("float16", "bfloat16") else "float32"
        divisor = EPS["divisor"][column]
        if self.settings.eps is not None:
            divisor = max(self.settings.eps, divisor) if column == "float16" else self.settings.eps
        if kind == "divisor":
            return number(divisor)
        return number(divisor * divisor if kind == "root-of-squares" else EPS[kind][column])

    # -- writing

    def replace(self, node: cst.CSTNode, text: str, site: Site | None = None) -> Edit | None:
        """A text in a node's place, its own parentheses included; in parentheses if that place needs them."""
        fragment = (site or self.use.site).fragment
        start, end = fragment.range(node, parens=True)
        place, tight = place_of(fragment, node)
        own = level(text)
        multi = own == "loose" and ("\n" in text or "\r" in text)
        text = f"({text})" if multi else text if place == "loose" else fit(text, place, tight)
        if not writable(fragment, node, text):
            return None
        return Edit(start, end, _apart(fragment.source.text, start, end, text, bool(strings_around(fragment, node))))

    def wrap(self, node: cst.CSTNode, suffix: str = "", prefix: str = "", site: Site | None = None) -> tuple[Edit, ...] | None:
        """Insertions around a node: `.clamp_min(1e-6)` behind it, `torch.exp(` before and `)` behind."""
        fragment = (site or self.use.site).fragment
        start, end = fragment.range(node, parens=True)
        inside = fragment.source.text[start:end]
        place = "argument" if prefix.endswith("(") and suffix.startswith((")", ",")) else "primary"
        if RANK[level(inside, bracketed=True)] < RANK[place] or (place == "primary" and inside.isdigit()):
            prefix, suffix = f"{prefix}(", f"){suffix}"
        if not writable(fragment, node, prefix + suffix):
            return None
        if prefix and strings_around(fragment, node):
            return (Edit(start, end, prefix + inside + suffix),)
        opened = _apart(fragment.source.text, start, start, prefix) if prefix else ""
        return (*((Edit(start, start, opened),) if opened else ()), Edit(end, end, suffix))

    def argument(self, call: cst.Call, name: str, text: str, site: Site | None = None) -> Edit | None:
        """Set an argument of a call by its canonical name: the one that is there replaced, else a keyword added."""
        if call is self.use.site.node and name in self.use.nodes:
            given = self.use.nodes[name]
            if any(arg.value is given for arg in call.args):
                return self.replace(given, text, site)
        theirs = self._theirs(call, name)
        for arg in call.args:
            if arg.keyword is not None and arg.keyword.value == theirs:
                return self.replace(arg.value, text, site)
        if theirs is None or any(arg.star == "**" for arg in call.args):
            return None
        return self._add_keyword(call, theirs, fit(text, "argument"), site)

    def _add_keyword(self, call: cst.Call, name: str, text: str, site: Site | None) -> Edit | None:
        fragment = (site or self.use.site).fragment
        if not call.args:
            end = fragment.range(call)[1] - 1
            content = f"{name}={text}"
        else:
            last = call.args[-1]
            if type(last.value).__name__ == "GeneratorExp" and not last.value.lpar:
                return None
            end = fragment.range(last.value, parens=True)[1]
            content = f", {name}={text}"
        return Edit(end, end, content) if writable(fragment, call, content) else None

    def _theirs(self, call: cst.Call, name: str) -> str | None:
        """The keyword that this call has for a canonical name; None if it takes no such keyword."""
        if call is not self.use.site.node:
            return name
        spelling = self.use.spelling
        found = find_method(spelling[1:], self.use.lib) if spelling.startswith(".") else find(spelling)
        if found is None:
            return name
        for one in (found, *found.overloads):
            for param in (*one.params, *(one.init or ())):
                if param.canonical == name:
                    return param.name if param.kind in ("either", "keyword") else None
        return None

    def remove_call(self, node: cst.CSTNode, site: Site | None = None) -> Edit | None:
        """`x.item()` -> `x`, `x.data` -> `x`, `float(x)` -> `x`."""
        fragment = (site or self.use.site).fragment
        outer: Any = node
        if type(node).__name__ == "Call" and type(outer.func).__name__ == "Attribute":
            outer = outer.func
        if type(outer).__name__ == "Attribute":
            return Edit(fragment.range(outer.value, parens=True)[1], fragment.range(node)[1], "")
        if type(node).__name__ == "Call" and len(outer.args) == 1 and not outer.args[0].star:
            return self.replace(node, fragment.text(outer.args[0].value, parens=True), site)
        return None

    def name(self, dotted: str, site: Site | None = None) -> tuple[str, tuple[Edit, ...]]:
        """How this place writes "torch.nn.functional.log_softmax", and the edits that import it if need be."""
        where = site or self.use.site
        return spelled(where.fragment.source, dotted, where.fragment.span(where.node).row)

    # -- spelling values

    def spell(self, term: Term | None, site: Site | None = None) -> str | None:
        """An expression that has this value at the use's place: a name bound to it, the text of the expression that
        computed it if that still holds there, a constant."""
        if term is None:
            return None
        names = [name for name, held in self.use.names.items() if held == term and all(map(str.isidentifier, name.split(".")))]
        if names:
            return min(names, key=lambda name: (name.count("."), len(name), name))
        for one in [site] if site is not None else self._sites(term):
            text = self._respelled(term, one)
            if text is not None:
                return text
        return _constant(term.const)

    def _sites(self, term: Term) -> list[Site]:
        trace = self.use.trace
        return list(trace.sites.get(term, ())) if trace is not None else []

    def _respelled(self, term: Term, site: Site) -> str | None:
        here = self.use.site
        if site.frame.source is not here.frame.source or site.frame.name != here.frame.name:
            return None
        if self._is_half(term, site):
            return None
        text = site.fragment.text(site.node)
        if level(text, bracketed=True) == "loose":
            text = f"({text})"
        if self._inside(site):
            return text
        return text if self._still_holds(text, site.clock) and self._repeatable(term) else None

    def _is_half(self, term: Term, site: Site) -> bool:
        """Whether the expression goes on with the term: self.net(x) has the value of its last layer, not of those before."""
        trace = self.use.trace
        later = ((t, s) for t, sites in trace.sites.items() if term in t.args for s in sites) if trace is not None else ()
        return any(other.node is site.node for _, other in later)

    def _inside(self, site: Site) -> bool:
        """Whether an expression is a part of the use's own."""
        (start, end), (first, last) = self.fragment.range(self.use.site.node), site.fragment.range(site.node)
        return start <= first and last <= end

    def _still_holds(self, text: str, clock: int) -> bool:
        """Whether no name in the text was bound again since."""
        tree = ast.parse(f"(\n{text}\n)", mode="eval")
        if any(isinstance(node, _ONCE) for node in ast.walk(tree)):
            return False
        return all(self.use.stamps.get(name, 0) <= clock for name in _dotted(tree))

    def _repeatable(self, term: Term) -> bool:
        """Whether computing it again gives the same: nothing random, no call that is not understood."""
        row = rows().get(term.op)
        if row is not None and (row.terms in ("random", "opaque") or row.opaque):
            return False
        if term.op == "leaf":
            return not any(type(site.node).__name__ == "Call" for site in self._sites(term))
        return all(self._repeatable(inner) for inner in term.args)


def _dotted(tree: ast.AST) -> Iterator[str]:
    """The names and dotted attributes that an expression reads."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)):
            text = ast.unparse(node)
            if re.fullmatch(r"[\w.]+", text):
                yield text


def _constant(value: Any) -> str | None:
    if value is None or isinstance(value, (bool, int, str)):
        return repr(value)
    if isinstance(value, float):
        return number(value) if value == value and abs(value) != float("inf") else f'float("{value}")'
    if isinstance(value, tuple):
        items = [_constant(item) for item in value]
        if all(item is not None for item in items):
            return "(" + ", ".join(str(item) for item in items) + ("," if len(items) == 1 else "") + ")"
    return None


def number(value: float) -> str:
    """A float as a person writes it: 1e-6, 1.6e-5, 0.5."""
    if value and not 1e-2 <= abs(value) < 1e6:
        exact = (text for text in (f"{value:.{digits}e}" for digits in range(17)) if abs(float(text) - value) <= abs(value) * 1e-15)
        mantissa, _, exponent = next(exact).partition("e")
        return f"{mantissa}e{int(exponent)}"
    return repr(value)


def _apart(whole: str, start: int, end: int, text: str, string: bool = False) -> str:
    """The text with spaces where it would run into a word before or behind it (`return(x)`, `(x)if`), or `{{` in an f-string."""
    before, behind = whole[start - 1:start], whole[end:end + 1]
    if start > 0 and (_wordy(before) and _wordy(text[:1]) or _wordy(before) and text[:1] in "\"'" or string and before == "{" and text[:1] == "{"):
        text = " " + text
    return text + " " if _wordy(text[-1:]) and _wordy(behind) and end > start else text


def _wordy(character: str) -> bool:
    return character.isalnum() or character == "_"


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; identical ones once. Raises ValueError where two overlap or insert at one place."""
    pieces: list[str] = []
    at = 0
    previous: Edit | None = None
    for edit in sorted(set(edits), key=lambda e: (e.start, e.end, e.content)):
        clash = previous is not None and (edit.start, edit.end) == (previous.start, previous.end)
        if edit.start < at or clash or not edit.start <= edit.end <= len(text):
            raise ValueError(f"edits overlap or lie outside the text: {previous} {edit}")
        pieces += [text[at:edit.start], edit.content]
        at, previous = edit.end, edit
    return "".join([*pieces, text[at:]])


def compatible(edits: Iterable[Edit], taken: Iterable[Edit]) -> bool:
    """Whether a fix's edits can be made together with those of other fixes: all the same, or apart from them (not even
    touching); an import that both need may be shared."""
    mine, others = set(edits), set(taken)
    if mine <= others:
        return True
    shared = mine & others
    if any("import " not in edit.content for edit in shared):
        return False
    return all(edit.end < other.start or other.end < edit.start for edit in mine - shared for other in others - shared)
