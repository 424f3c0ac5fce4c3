"""The repairs that several rules share: guards at a hazard's argument, exact calls in place of a composition."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from nanlint.findings import Edit, Fix
from nanlint.rules import words

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.interp.uses import Hit, Site, Use
    from nanlint.interp.values import Term, Value
    from nanlint.rewrite import Pen

#: The bad point of each kind of break that a floor on the argument cures: the kind of eps (HOUSE.md, "Fix kinds").
FLOORS = {
    "divisor-zero": "divisor",
    "divisor-tiny": "divisor",
    "norm-zero": "divisor",
    "log-zero": "log",
    "log-negative": "log",
    "root-zero": "root",
    "root-negative": "root",
}

#: A value at which an op is finite with a finite gradient.
HARMLESS = {"exp-overflow": "0.0", "arc-outside": "0.0", "arc-edge": "0.0"}


def text_of(pen: Pen, node: cst.CSTNode) -> str:
    return pen.text(node)


def guard(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    """A floor under the argument that meets the bad point, at the hazard."""
    kind = FLOORS.get(hit.brk.kind)
    node = use.nodes.get(hit.brk.arg)
    if kind is None or node is None:
        return None
    value = words.culprit(use, hit)
    if kind == "divisor":
        return divisor(use, value, node, pen)
    return floor(use, value, node, pen, eps_kind(kind, value), use.site)


def eps_kind(kind: str, value: Value) -> str:
    """A root over squares or a variance takes the square of the divisor's eps."""
    squares = value.marks & {"square", "variance", "norm"}
    return "root-of-squares" if kind == "root" and squares else kind


def floor(use: Use, value: Value, node: cst.BaseExpression, pen: Pen, kind: str, site: Site) -> Fix | None:
    """`.clamp_min(eps)`; unsafe where the value may be negative, since bad data would be hidden."""
    eps = pen.eps(kind, words.dtype_of(use))
    never_negative = value.range.lo >= 0.0 or "cancel" in value.marks
    added = pen.add_guard and value.range.lo >= 0.0
    edits = _added(pen, node, eps) if added else _clamped(use, pen, node, eps)
    message = f"{'add' if added else 'keep it at or above'} {eps}"
    return None if edits is None else Fix("guard" if never_negative else "unsafe", message, edits)


def _added(pen: Pen, node: cst.BaseExpression, eps: str) -> tuple[Edit, ...]:
    return pen.wrap(node, f" + {eps}")


def _clamped(use: Use, pen: Pen, node: cst.BaseExpression, eps: str) -> tuple[Edit, ...] | None:
    if use.lib == "numpy":
        name, imports = pen.name("numpy.maximum")
        return (*imports, pen.replace(node, f"{name}({pen.text(node)}, {eps})"))
    if use.lib != "torch":
        return None
    return pen.wrap(node, f".clamp_min({eps})")


def divisor(use: Use, value: Value, node: cst.BaseExpression, pen: Pen) -> Fix | None:
    """The guard of a divisor: at its birth if all its uses need it, else where it divides."""
    if value.kind != "tensor" and use.lib == "torch" and not node_of_tensor(value):
        return None
    birth = common_birth(use, value)
    if birth is not None:
        node = birth.site.node  # type: ignore[assignment]
    eps = "1" if value.dtype in WHOLE else pen.eps("divisor", words.dtype_of(use))
    if value.range.lo >= 0.0:
        edits = _added(pen, node, eps) if pen.add_guard and value.dtype not in WHOLE else _clamped(use, pen, node, eps)
    else:
        edits = _kept_off_zero(use, pen, node, eps)
    return None if edits is None else Fix("guard", f"keep the divisor at or above {eps}" if value.range.lo >= 0.0 else f"keep the divisor {eps} away from 0", edits)


WHOLE = frozenset({"int8", "int16", "int32", "int64", "uint8", "bool"})


def node_of_tensor(value: Value) -> bool:
    """An unknown may be a tensor; a number has no clamp_min."""
    return value.kind == "unknown"


def _kept_off_zero(use: Use, pen: Pen, node: cst.BaseExpression, eps: str) -> tuple[Edit, ...] | None:
    """where(abs(d) < eps, eps, d): for short texts without calls, since d is written twice more."""
    text = pen.text(node)
    if "(" in text.strip("()") or "\n" in text or len(text) > 40 or use.lib not in ("torch", "numpy"):
        return None
    name, imports = pen.name(f"{use.lib}.where")
    if use.lib == "numpy":
        absolute, more = pen.name("numpy.abs")
        return (*imports, *more, pen.replace(node, f"{name}({absolute}({text}) < {eps}, {eps}, {text})"))
    tight = text if text.replace("_", "").replace(".", "").isalnum() else f"({text.strip()})"
    return (*imports, pen.replace(node, f"{name}({tight}.abs() < {eps}, {eps}, {text})"))


# ---- one edit where the value is born -------------------------------------------------------


def common_birth(use: Use, value: Value) -> Use | None:
    """The use that made the value, if it feeds two or more divisions of the same function and nothing else."""
    born = value.born
    if born is None or use.trace is None or not _same_place(born, use):
        return None
    needing: set[int] = set()
    sparing: set[int] = set()
    for taker in _takers(use.trace.uses, born):
        (needing if _needs(taker, born) else sparing).add(id(taker.site.node))
    return born if len(needing) > 1 and not sparing - needing else None


def _same_place(born: Use, use: Use) -> bool:
    return born.site.frame.name == use.site.frame.name and born.site.fragment.source is use.site.fragment.source


def _takers(uses: Iterable[Use], born: Use) -> list[Use]:
    return [use for use in uses if use.op.terms != "keeps" and any(_is_born(v, born) for v in use.bound.args.values())]


def _is_born(value: Any, born: Use) -> bool:
    maker = getattr(value, "born", None)
    return maker is not None and (maker is born or maker.site.node is born.site.node)


def _needs(use: Use, born: Use) -> bool:
    return any(FLOORS.get(hit.brk.kind) == "divisor" and _is_born(use.bound.args.get(hit.brk.arg), born) for hit in use.hits)


# ---- exact calls ----------------------------------------------------------------------------


def dim_text(hit: Hit, pen: Pen) -> str | None:
    """"dim=1", "" for an op that takes all; None where the dim is not known or cannot be spelled."""
    if "dim" not in hit.parts:
        return None
    dim = hit.parts["dim"]
    if dim is None or isinstance(dim, int):
        return "" if dim is None else f"dim={dim}"
    if isinstance(dim, tuple):
        return f"dim={dim!r}"
    spelled = pen.spell(dim)
    return None if spelled is None else f"dim={spelled}"


def call(pen: Pen, dotted: str, *arguments: str) -> tuple[str, tuple[Edit, ...]]:
    """The text of a call in the file's own spelling, and the imports it needs."""
    name, imports = pen.name(dotted)
    return f"{name}({', '.join(a for a in arguments if a)})", imports


def put(use: Use, pen: Pen, text: str, imports: tuple[Edit, ...], what: str, kind: str = "exact") -> Fix:
    """The use's whole expression becomes the text."""
    return Fix(kind, f"use {what}", (*imports, pen.replace(use.site.node, text)))


def form_of(use: Use | None, default: str, name: str) -> str:
    """The dotted name of a sister function: beside torch.softmax stands torch.log_softmax."""
    if use is None or use.spelling.startswith(".") or "." not in use.spelling or use.spelling.startswith("torch.nn.Softmax"):
        return default
    home = use.spelling.rpartition(".")[0]
    return f"{home}.{name}" if home in ("torch", "torch.nn.functional", "torch.special") else default


def use_of(use: Use, term: Term | None) -> Use | None:
    """The use that computed a term, in the same function if there is one."""
    if term is None or use.trace is None:
        return None
    made = use.trace.by_term.get(term, [])
    here = [u for u in made if u.site.frame.name == use.site.frame.name]
    return (here or made or [None])[0]


def inner_node(use: Use, name: str, term: Term) -> tuple[cst.BaseExpression, tuple[Use, ...]] | None:
    """The node with a term's value inside the expression of an argument, and the uses in between."""
    between: list[Use] = []
    node, value = use.nodes.get(name), use.bound.args.get(name)
    while node is not None and value is not None:
        if value.term == term:
            return node, tuple(between)
        step = _use_at(use, node)
        if step is None or step.op.lead not in step.nodes:
            return None
        between.append(step)
        node, value = step.nodes[step.op.lead], step.bound.args.get(step.op.lead)
    return None


def _use_at(use: Use, node: cst.CSTNode) -> Use | None:
    trace = use.trace
    return next((u for u in trace.uses if u.site.node is node), None) if trace is not None else None


def tightened(text: str) -> str:
    """The text of an expression so that a dot or a minus may stand before or behind it."""
    plain = text.replace("_", "").replace(".", "").isalnum() and not text[0].isdigit()
    return text if plain else f"({text})"


def guard_log(use: Use, pen: Pen) -> Fix | None:
    """A floor under the argument of a log."""
    node = use.nodes.get(use.op.lead)
    return None if node is None else floor(use, use.arg(use.op.lead), node, pen, "log", use.site)
