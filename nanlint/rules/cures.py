"""The repairs that several rules share: guards at a hazard's argument, exact calls in place of a composition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from nanlint.findings import Edit, Fix
from nanlint.interp.matchers import core
from nanlint.interval import INF
from nanlint.ops import rows
from nanlint.rules import leftovers, words

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.interp.uses import Hit, Site, Use
    from nanlint.interp.values import Term, Value
    from nanlint.rewrite import Pen

#: Edits that may not be possible to write.
Edits = Iterable["Edit | None"] | None

#: The bad point of each kind of break that a floor on the argument cures: the kind of eps (HOUSE.md, "Fix kinds").
FLOORS = {
    "divisor-zero": "divisor",
    "divisor-tiny": "divisor",
    "log-zero": "log",
    "log-negative": "log",
    "root-zero": "root",
    "root-negative": "root",
    "power-zero": "root",
    "power-negative": "root",
    "power-pole": "divisor",
}
#: A value at which an op is finite with a finite gradient, where that is not 1.
HARMLESS = {"exp-overflow": "0.0", "arc-outside": "0.0", "arc-edge": "0.0"}
WHOLE = frozenset({"int8", "int16", "int32", "int64", "uint8", "bool"})


def fix_of(kind: str, message: str, edits: Edits) -> Fix | None:
    """A Fix, or None where an edit cannot be written."""
    written = [] if edits is None else list(edits)
    sure = tuple(edit for edit in written if edit is not None)
    return Fix(kind, message, tuple(dict.fromkeys(sure))) if sure and len(sure) == len(written) else None


# ---- guards -----------------------------------------------------------------------------------


def guard(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    """A floor under the argument that meets the bad point, at the hazard."""
    kind, node = FLOORS.get(hit.brk.kind), use.nodes.get(hit.brk.arg)
    if kind is None or node is None:
        return None
    value = words.culprit(use, hit)
    return divisor(use, value, node, pen) if kind == "divisor" else floor(use, value, node, pen, kind)


def guard_log(use: Use, pen: Pen) -> Fix | None:
    """A floor under the argument of a log."""
    node = use.nodes.get(use.op.lead)
    return None if node is None else floor(use, use.arg(use.op.lead), node, pen, "log")


def floor(use: Use, value: Value, node: cst.BaseExpression, pen: Pen, kind: str) -> Fix | None:
    """`.clamp_min(eps)`; unsafe where the value may be truly negative, since bad data would be hidden."""
    if kind == "root" and value.marks & {"square", "variance", "norm"}:
        kind = "root-of-squares"
    eps = pen.eps(kind, words.dtype_of(use))
    safe = value.range.lo >= 0.0 or "cancel" in value.marks
    message, edits = _raised(use, value, node, pen, eps)
    return fix_of("guard" if safe else "unsafe", message, edits)


def _raised(use: Use, value: Value, node: cst.CSTNode, pen: Pen, eps: str, site: Site | None = None) -> tuple[str, Edits]:
    """What it does and the edits of `d.clamp_min(eps)`, `d + eps` (if the settings say so and d >= 0), `np.maximum(d, eps)`."""
    if pen.add_guard and value.range.lo >= 0.0 and value.dtype not in WHOLE:
        return f"add {eps}", (pen.replace(node, f"{pen.text(node, '+', site)} + {eps}", site),)
    message = f"keep it at or above {eps}"
    if use.lib == "numpy":
        name, imports = pen.name("numpy.maximum", site)
        return message, (*imports, pen.replace(node, f"{name}({pen.text(node, site=site)}, {eps})", site))
    return message, pen.wrap(node, f".clamp_min({eps})", site=site) if use.lib == "torch" else None


def divisor(use: Use, value: Value, node: cst.CSTNode, pen: Pen) -> Fix | None:
    """The guard of a divisor: once at its birth if all its uses need it, else where it divides."""
    if value.kind not in ("tensor", "unknown"):
        return None
    site = common_birth(use, value)
    node = node if site is None else site.node
    eps = "1" if value.dtype in WHOLE else pen.eps("divisor", words.dtype_of(use))
    if value.range.lo < 0.0:
        return fix_of("guard", f"keep it {eps} away from 0", _kept_off_zero(use, node, pen, eps, site))
    message, edits = _raised(use, value, node, pen, eps, site)
    return fix_of("guard", message, edits)


def _kept_off_zero(use: Use, node: cst.CSTNode, pen: Pen, eps: str, site: Site | None) -> Edits:
    """where(abs(d) < eps, eps, d): for short texts without calls, since d is written twice more."""
    text = pen.text(node, site=site)
    if "(" in text.strip("()") or "\n" in text or len(text) > 40 or use.lib not in ("torch", "numpy"):
        return None
    name, imports = pen.name(f"{use.lib}.where", site)
    if use.lib == "numpy":
        absolute, more = pen.name("numpy.abs", site)
        return (*imports, *more, pen.replace(node, f"{name}({absolute}({text}) < {eps}, {eps}, {text})", site))
    return (*imports, pen.replace(node, f"{name}({pen.fit(text, 'primary')}.abs() < {eps}, {eps}, {text})", site))


def inside(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    """A clamp strictly inside the domain; unsafe where the argument may be truly outside, since bad data would be hidden."""
    node, value, eps = use.nodes.get(hit.brk.arg), words.culprit(use, hit), pen.eps("edge", words.dtype_of(use))
    if node is None or value.kind not in ("tensor", "unknown"):
        return None
    low, high = words.domain(use)
    lower = eps if low == 0.0 else f"{low:g} + {eps}"
    if high is None:
        message, limits, name = f"keep it at or above {lower}", lower, "clamp_min"
    else:
        message, limits, name = f"keep it {eps} inside its domain", f"{lower}, {high:g} - {eps}", "clamp"
    safe = value.range.within(low, INF if high is None else high)
    edits = _tighter(use, node, pen, f".{name}({limits})") if (value.range.lo, value.range.hi) == (low, high) else None
    return fix_of("guard" if safe else "unsafe", message, edits or _clamped(use, node, pen, name, limits))


def _tighter(use: Use, node: cst.BaseExpression, pen: Pen, suffix: str) -> Edits:
    """`x.clamp(-1, 1)` that stands in the argument's place becomes `x.clamp(-1 + 1e-6, 1 - 1e-6)`."""
    term = words.culprit_term(use, node)
    text = pen.spell(term.args[0]) if term is not None and term.args and rows()[term.op].guard == "floor" else None
    if text is None or use.lib != "torch" or pen.loses_comment(node, text):
        return None
    return (pen.replace(node, pen.fit(text, "primary") + suffix),)


def _clamped(use: Use, node: cst.BaseExpression, pen: Pen, name: str, limits: str) -> Edits:
    """`x.clamp(low, high)`, `np.clip(x, low, high)`, `np.maximum(x, low)`."""
    if use.lib != "numpy":
        return pen.wrap(node, f".{name}({limits})") if use.lib == "torch" else None
    called, imports = pen.name("numpy.clip" if name == "clamp" else "numpy.maximum")
    return (*imports, pen.replace(node, f"{called}({pen.text(node)}, {limits})"))


# ---- one edit where the value is born -----------------------------------------------------------


def common_birth(use: Use, value: Value) -> Site | None:
    """Where the value was made, if it feeds two or more divisions of the same function and nothing else."""
    found, trace = words.made(value, use), use.trace
    if found is None or trace is None or not _same_place(found[1], use.site):
        return None
    term, site = found
    needing = [other for other in trace.uses if _needs(other, term)]
    if len({id(other.site.node) for other in needing}) < 2 or len(trace.sites[term]) > 1:
        return None
    cured = {other.term for other in needing}
    return site if all(taker in cured for taker in _takers(trace.sites, term)) else None


def _same_place(one: Site, other: Site) -> bool:
    return one.frame.name == other.frame.name and one.fragment.source is other.fragment.source


def _needs(use: Use, term: Term) -> bool:
    """Whether a use divides by the term."""
    for hit in use.hits:
        if FLOORS.get(hit.brk.kind) == "divisor" and hit.evidence in ("reached", "suspected"):
            given = words.culprit(use, hit).term
            if given is not None and core(given, cut=True) == term:
                return True
    return False


def _takers(terms: Iterable[Term], term: Term) -> Iterator[Term]:
    """The terms computed from a term, beside its reshapes and copies."""
    for other in terms:
        if any(core(arg, cut=True) == term for arg in other.args) and core(other, cut=True) != term:
            yield other


# ---- exact calls ---------------------------------------------------------------------------------


def dim_text(hit: Hit, pen: Pen) -> str | None:
    """"dim=1", "" where all dims are meant; None where the dim is not known or cannot be spelled."""
    if "dim" not in hit.parts:
        return None
    dim = hit.parts["dim"]
    if dim is None:
        return ""
    if isinstance(dim, (int, tuple)):
        return f"dim={dim!r}"
    spelled = pen.spell(dim)
    return None if spelled is None else f"dim={spelled}"


def call(pen: Pen, dotted: str, *arguments: str) -> tuple[str, tuple[Edit, ...]]:
    """The text of a call in the file's own spelling, and the imports it needs."""
    name, imports = pen.name(dotted)
    return f"{name}({', '.join(a for a in arguments if a)})", imports


def put(use: Use, pen: Pen, text: str, imports: tuple[Edit, ...], what: str, kind: str = "exact") -> Fix | None:
    """The use's whole expression becomes the text; unsafe if a comment is lost."""
    kind = "unsafe" if pen.loses_comment(use.site.node, text) else kind
    gone = leftovers.of(use, text, use.site.fragment.range(use.site.node, parens=True))
    return fix_of(kind, f"use {what}", (*imports, *gone, pen.replace(use.site.node, text)))


def bared(use: Use) -> tuple[Edit, ...]:
    """`torch.log(p[i])` and `p[i].log()` become `p[i]`; nothing inside the argument is touched."""
    start, end = use.site.fragment.range(use.site.node)
    first, last = use.site.fragment.range(use.nodes[use.op.lead], parens=True)
    return tuple(Edit(a, b, "") for a, b in ((start, first), (last, end)) if a < b)


def named_inside(node: cst.CSTNode | None, name: str) -> cst.CSTNode | None:
    """The one place in an expression where a name stands; None if there is none or more than one."""
    if node is None:
        return None
    found = list(_names(node, name))
    return found[0] if len(found) == 1 else None


def _names(node: cst.CSTNode, name: str) -> Iterator[cst.CSTNode]:
    if type(node).__name__ == "Name" and getattr(node, "value", "") == name:
        yield node
    for child in node.children:
        yield from _names(child, name)
