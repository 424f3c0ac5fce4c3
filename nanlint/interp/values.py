"""What is known of a value: Term (which computation), Value (range, dtype, gradient, origin)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nanlint.interval import Interval
from nanlint.ops.spec import MISSING

if TYPE_CHECKING:
    from nanlint.interp.uses import Use

#: Grounds, weakest first: why the points of a range would ever be taken (HOUSE.md, "Evidence").
#: config  literals, sizes, constructor arguments     unknown  results of opaque calls, attributes
#: data    parameters, batches, layer outputs         closed   both ends are ordinary (softmax, relu)
GROUNDS = ("config", "unknown", "data", "closed")
#: Whether a gradient flows.
GRADIENTS = ("no", "maybe", "assumed", "yes")


class Term:
    """The identity of a computation: op name, argument terms, constant arguments.

    Terms are interned (Terms.make): equal terms are one object. ops are canonical row names, or
    "leaf" (named[0] is a unique key), "const" (named[0] is the constant), "join".
    """

    __slots__ = ("op", "args", "named", "_hash", "size")

    def __init__(self, op: str, args: tuple[Term, ...], named: tuple[tuple[str, Any], ...]):
        self.op, self.args, self.named = op, args, named
        self._hash = hash((op, args, named))
        self.size: int = 1 + sum(a.size for a in args)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Term) and self._hash == other._hash and (self.op, self.args, self.named) == (other.op, other.args, other.named)

    def get(self, name: str, default: Any = None) -> Any:
        """A constant argument by name; Terms given for parameters other than args are stored here too."""
        for key, value in self.named:
            if key == name:
                return value
        return default

    @property
    def const(self) -> Any:
        return self.named[0][1] if self.op == "const" else MISSING

    def __repr__(self) -> str:
        if self.op in ("leaf", "const"):
            return str(self.named[0][1])
        inside = [repr(a) for a in self.args] + [f"{k}={v!r}" for k, v in self.named]
        return f"{self.op}({', '.join(inside)})"


@dataclass(frozen=True, eq=False)
class Value:
    """An abstract value.

    kind    "tensor" | "number" | "sequence" | "mapping" | "string" | "none" | "instance" | "function" | "class"
            | "module" (an imported module) | "layer" (an nn.Module known by its row) | "dtype" | "unknown"
    range   of the elements, in dtype; -inf / inf at an end means that infinities themselves can be there
    grad    whether a gradient flows back through it (GRADIENTS)
    ground  why its points would be taken (GROUNDS)
    marks   words of origin, from the rows (spec.Op.marks) and from names
    count   number of elements (tensors), of items (sequences)
    born    the Uses (with hits) that computed it, through reshapes and elementwise arithmetic
    data    what the kind needs: items of a sequence, dict of a mapping, ClassInfo, function, dotted name ...
    lib     "torch" | "numpy" | "python" | "jax" | "tensorflow" | ""
    """

    kind: str = "unknown"
    range: Interval = Interval.everything("float64")
    dtype: str | None = None
    grad: str = "no"
    ground: str = "unknown"
    marks: frozenset[str] = frozenset()
    count: Interval = Interval(0.0, float("inf"))
    term: Term | None = None
    const: Any = MISSING
    born: tuple[Use, ...] = ()
    data: Any = None
    lib: str = ""
    name: str = ""
    #: the Uses that cut this value from the graph on its way (item, copies)
    cuts: frozenset[Any] = frozenset()
    #: those of them behind a whole summand of this value, which therefore trains nothing
    dead: frozenset[Any] = frozenset()

    def but(self, **changes: Any) -> Value:
        return replace(self, **changes)

    @property
    def items(self) -> tuple[Value, ...] | None:
        return self.data if self.kind == "sequence" and isinstance(self.data, tuple) else None

    @property
    def element(self) -> Value | None:
        """The join of the elements of a sequence whose length is not known."""
        return self.data if self.kind == "sequence" and isinstance(self.data, Value) else None

    @property
    def is_number(self) -> bool:
        return self.kind == "number"

    @property
    def is_default(self) -> bool:
        """Whether its constant is only the default of a parameter, which callers may override."""
        return "default" in self.marks

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for values of which the same is known."""
        return self.keyed(lambda term: term)

    def keyed(self, name: Callable[[Term | None], Any]) -> tuple[Any, ...]:
        """The key with terms named by a function; objects by identity (the caller keeps them alive)."""
        data: Any = self.data
        if isinstance(data, tuple):
            data = tuple(i.keyed(name) if isinstance(i, Value) else id(i) for i in data)
        elif isinstance(data, Value):
            data = data.keyed(name)
        elif isinstance(data, dict):
            data = tuple((repr(k), v.keyed(name) if isinstance(v, Value) else id(v)) for k, v in data.items())
        elif not isinstance(data, str):
            data = id(data)
        return (self.kind, name(self.term), self.range, self.dtype, self.grad, self.ground, self.marks, self.count, repr(self.const), data, self.cuts, self.dead)

    @property
    def numeric(self) -> bool:
        return self.kind in ("number", "tensor", "unknown")


NOTHING: frozenset[str] = frozenset()
ONE = Interval(1.0, 1.0)
#: A tensor whose size nothing is known of: batches are not empty.
SOME = Interval(1.0, float("inf"))
ANY_COUNT = Interval(0.0, float("inf"))
UNKNOWN = Value()
NONE = Value(kind="none", const=None)


def strongest(order: tuple[str, ...], words: list[str]) -> str:
    """The last of the words in an order."""
    return max(words, key=order.index) if words else order[0]


def constant(value: Any, term: Term | None = None) -> Value:
    """The Value of a Python constant."""
    if value is None:
        return NONE
    if isinstance(value, (bool, int, float)):
        dtype = "pybool" if isinstance(value, bool) else "pyint" if isinstance(value, int) else "pyfloat"
        return Value("number", Interval.point(to_float(value)), dtype, ground="config", count=ONE, term=term, const=value, lib="python")
    kind = "string" if isinstance(value, (str, bytes)) else "unknown"
    return Value(kind, const=value, ground="config", term=term, lib="python")


def to_float(value: float) -> float:
    """float(value), an infinity for integers beyond float64."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def sequence(items: tuple[Value, ...] | None, element: Value | None = None, count: Interval = ANY_COUNT) -> Value:
    """A list or tuple: its items if their number is known, else the join of its elements."""
    if items is not None:
        count = Interval.point(float(len(items)))
    found = items if items is not None else (element,) if element is not None else ()
    return Value(
        "sequence",
        marks=common_marks([i.marks for i in found]),
        grad=strongest(GRADIENTS, [i.grad for i in found]),
        ground=common_ground([i.ground for i in found]),
        count=count,
        const=_constants(items),
        data=items if items is not None else element,
        cuts=frozenset().union(*(i.cuts for i in found)),
        dead=frozenset().union(*(i.dead for i in found)),
        lib="python",
    )


#: Words that a collection has only if all its items have them.
SHARED = frozenset({"normalized", "probability"})


def common_marks(marks: list[frozenset[str]]) -> frozenset[str]:
    """The words of a collection: of any item, but for those that must hold for all."""
    if not marks:
        return NOTHING
    return (frozenset().union(*marks) - SHARED) | (frozenset.intersection(*marks) & SHARED)


def _constants(items: tuple[Value, ...] | None) -> Any:
    """The tuple of constants of a sequence of constants, else MISSING."""
    known = items is not None and all(i.const is not MISSING and not i.is_default for i in items)
    return tuple(i.const for i in items or ()) if known else MISSING


def common_ground(grounds: list[str]) -> str:
    """The ground of what is made of several values: data beats unknown beats closed beats configuration."""
    return next((g for g in ("data", "unknown", "closed") if g in grounds), GROUNDS[0])


def join(one: Value, other: Value, terms: Terms) -> Value:
    """What holds on both of two paths."""
    if one is other or one.key == other.key:
        return one
    if one.kind == "none" or other.kind == "none":
        known = other if one.kind == "none" else one
        return known.but(const=MISSING, marks=known.marks | {"optional"})
    if one.kind != other.kind and not (one.numeric and other.numeric):
        return UNKNOWN.but(cuts=one.cuts | other.cuts, dead=one.dead | other.dead)
    if one.kind == "sequence":
        return _join_sequences(one, other, terms)
    if one.kind not in ("number", "tensor", "unknown"):
        return one if one.data is other.data and one.const == other.const else UNKNOWN
    return _join_numeric(one, other, terms)


def _join_sequences(one: Value, other: Value, terms: Terms) -> Value:
    if one.items is not None and other.items is not None and len(one.items) == len(other.items):
        return sequence(tuple(join(a, b, terms) for a, b in zip(one.items, other.items)))
    parts = [e for v in (one, other) for e in elements(v)]
    element = parts[0] if parts else UNKNOWN
    for part in parts[1:]:
        element = join(element, part, terms)
    return sequence(None, element, one.count.join(other.count))


def elements(value: Value) -> tuple[Value, ...]:
    """The known items of a sequence, or its one element."""
    if value.items is not None:
        return value.items
    return (value.data,) if isinstance(value.data, Value) else ()


def _join_numeric(one: Value, other: Value, terms: Terms) -> Value:
    same = one.const is not MISSING and type(one.const) is type(other.const) and one.const == other.const
    kind = one.kind if one.kind == other.kind else "tensor" if "tensor" in (one.kind, other.kind) else "unknown"
    lead = one if one.kind == "tensor" else other
    return Value(
        kind=kind,
        range=one.range.join(other.range),
        dtype=one.dtype if one.dtype == other.dtype else lead.dtype if kind == "tensor" else None,
        grad=strongest(GRADIENTS, [one.grad, other.grad]),
        ground=strongest(GROUNDS, [one.ground, other.ground]),
        marks=(one.marks | other.marks) - ({"default"} if not (one.is_default and other.is_default) else NOTHING),
        count=one.count.join(other.count),
        term=one.term if one.term is other.term else terms.join(one.term, other.term),
        const=one.const if same else MISSING,
        born=one.born if one.born == other.born else tuple(dict.fromkeys((*one.born, *other.born)))[:4],
        lib=lead.lib,
        name=one.name if one.name == other.name else "",
        cuts=one.cuts | other.cuts,
        dead=one.dead | other.dead,
    )


class Terms:
    """Makes and interns the terms of one run."""

    LIMIT = 150

    def __init__(self) -> None:
        self._known: dict[Term, Term] = {}
        self.made = 0

    def make(self, op: str, args: tuple[Term, ...] = (), /, **named: Any) -> Term:
        return self.intern(Term(op, args, tuple(named.items())))

    def intern(self, term: Term) -> Term:
        if term.size > self.LIMIT:
            return self.leaf("large")
        return self._known.setdefault(term, term)

    def leaf(self, name: str) -> Term:
        """A new term, equal to no other."""
        self.made += 1
        return Term("leaf", (), (("key", f"{name}#{self.made}"), ("number", self.made)))

    def known(self, name: str, default: float | None = None) -> Term:
        """The leaf of a name that means the same wherever it is read (a parameter, with its default)."""
        named: tuple[tuple[str, Any], ...] = (("key", name),) if default is None else (("key", name), ("default", default))
        return self.intern(Term("leaf", (), named))

    def const(self, value: Any) -> Term:
        return self.intern(Term("const", (), (("value", value), ("type", type(value).__name__))))

    def join(self, one: Term | None, other: Term | None) -> Term | None:
        if one is None or other is None:
            return None
        return self.intern(Term("join", (one, other), ()))
