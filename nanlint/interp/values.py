"""What is known of a value: Term (which computation), Value (range, dtype, gradient, origin)."""

from __future__ import annotations

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
        self.size = 1 + sum(a.size for a in args)

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
    born    the Use that computed it, through reshapes and copies
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
    born: Use | None = None
    data: Any = None
    lib: str = ""
    name: str = ""

    def but(self, **changes: Any) -> Value:
        return replace(self, **changes)

    @property
    def items(self) -> tuple[Value, ...] | None:
        return self.data if self.kind == "sequence" and isinstance(self.data, tuple) else None

    @property
    def is_number(self) -> bool:
        return self.kind == "number"

    @property
    def numeric(self) -> bool:
        return self.kind in ("number", "tensor", "unknown")
