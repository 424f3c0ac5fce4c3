"""What a row may say: Op, Break, Spelling; and what it may read of a call: Arg, Bound.

Everything here is data and small functions of intervals. Rows are proven against the real
library by tests/test_ops.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from nanlint.interval import Interval


class _Missing:
    """The value of a parameter that was not given, or of an argument that is no constant."""

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING = _Missing()


class Arg(Protocol):
    """What a row may read of one argument."""

    @property
    def range(self) -> Interval:
        """The elements' range, in the argument's dtype."""

    @property
    def dtype(self) -> str | None:
        """"float32", ... "bool"; "pyfloat", "pyint", "pybool" for Python numbers; None unknown."""

    @property
    def const(self) -> Any:
        """The Python constant (number, bool, str, None, tuple of these) or MISSING."""

    @property
    def count(self) -> Interval:
        """The number of elements."""

    @property
    def marks(self) -> frozenset[str]:
        """Where the value comes from, in single words (see Op.marks)."""

    @property
    def term(self) -> Any:
        """The identity of the computation; equal terms are equal values."""

    @property
    def items(self) -> tuple[Any, ...] | None:
        """The elements (Args) of a list or tuple whose length is known, else None."""

    @property
    def element(self) -> Any:
        """The join of the elements (an Arg) of a list whose length is not known, else None."""

    @property
    def cuts(self) -> frozenset[Any]:
        """What cut it from the graph on its way."""

    @property
    def kind(self) -> str:
        """ "tensor" | "number" | "sequence" | "string" | "none" | "dtype" | "unknown" ..."""


@dataclass(frozen=True)
class Bound:
    """One call of an op: its arguments by canonical parameter name, and the result's dtype."""

    args: Mapping[str, Arg]
    dtype: str = "float32"

    def has(self, name: str) -> bool:
        return name in self.args

    def r(self, name: str = "input") -> Interval:
        """The range of an argument; everything if it was not given."""
        return self.args[name].range if name in self.args else Interval.everything(self.dtype)

    def const(self, name: str, default: Any = MISSING) -> Any:
        """The constant given for a parameter; the default if none was given; MISSING if it is no constant."""
        return self.args[name].const if name in self.args else default

    def count(self, name: str = "input") -> Interval:
        return self.args[name].count if name in self.args else Interval(0.0, float("inf"))

    def marks(self, name: str = "input") -> frozenset[str]:
        return self.args[name].marks if name in self.args else frozenset()

    def same(self, one: str, other: str) -> bool:
        """Whether two arguments are the same computation."""
        both = one in self.args and other in self.args
        return both and self.args[one].term is not None and self.args[one].term == self.args[other].term


Image = Callable[[Bound], Interval]
Zone = Callable[[Bound], "Interval | None"]


@dataclass(frozen=True)
class Break:
    """One way in which an op goes wrong.

    kind    what rules hear: "log-zero", "divisor-zero", "root-zero", ...
    arg     the parameter whose value is bad
    zone    the bad values of that argument in this call (a closed interval of its dtype), or
            None where this call cannot go wrong in this way (exponent 2, eps given, ...)
    where   "value" | "gradient" | "second" (second gradient) | "precision" | "graph" | "silence"
    result  what comes out: "nan" | "inf" | "-inf" | "cut" | "dead" | "lost"
    of      what of the argument lies in the zone: its "range" or its "count" of elements
    says    a phrase for messages: "log of 0 is -inf"
    """

    kind: str
    arg: str
    zone: Zone
    where: str = "value"
    result: str = "nan"
    of: str = "range"
    says: str = ""


@dataclass(frozen=True)
class Op:
    """One row: what an op computes and where it breaks.

    name     canonical; torch's name of the op where there is one
    image    range of the result for these argument ranges (of their unbroken part)
    breaks   every way to go wrong for finite, in-dtype arguments
    terms    what it does to elements: "elementwise" | "keeps" (same elements, other shape or dtype)
             | "selects" (some of the elements) | "permutes" | "reduces" (along dim) | "joins" (cat, stack)
             | "creates" | "random" | "product" (matmul, conv ...) | "opaque"
    gradient "flows" | "stops" (detach: on purpose) | "cuts" (item, numpy, argmax, comparison) | "select"
             (flows only where selected: relu, where, masked_fill, clamp)
    ground   of the result: "closed" (both ends of its image are ordinary: softmax, relu, rand, comparisons),
             "inherit" (weakest of the arguments), "opaque" (says nothing), "config" (sizes)
    marks    words put on the result: "softmax" "sigmoid" "probability" "exp" "relu" "square" "norm" "std"
             "variance" "spread" "count" "mask" "subtraction" "sum" "mean" "rand" "log" "selection" "determinant"
             "cancel" ...; "keeps"/"selects"/"permutes"/"joins" inherit the argument's marks
    dtype    "same" (promotion of the tensor arguments) | "float" (integers become the default float) | "bool"
             | "int64" | "arg" (the dtype argument if given, else same) | "pyfloat" | "pyint" | a dtype's name
             | "sum" (as arg, but bool and integers become int64) | "created" (the dtype argument if given, else the default float)
    count    number of elements of the result: "same" (of input) | "reduces" | "any" | "one"; or a function of Bound that says which
    returns  "tensor" | "number" | "pair" (values and indices) | "list" (of such tensors) | "none"
             | "unknown" (any object: the call is not followed); or a
             function of Bound that says which
    guard    role when it stands behind a hazard: "" | "floor" (add, clamp, maximum) | "select" (where,
             masked_fill, nan_to_num) | "mask" (mul)
    lead     the parameter that holds the main tensor
    opaque   the row is known to say nothing about values
    """

    name: str
    image: Image
    breaks: tuple[Break, ...] = ()
    terms: str = "elementwise"
    gradient: str = "flows"
    ground: str = "inherit"
    marks: frozenset[str] = frozenset()
    dtype: str = "same"
    count: str | Callable[[Bound], str] = "same"
    returns: str | Callable[[Bound], str] = "tensor"
    guard: str = ""
    lead: str = "input"
    opaque: bool = False
    note: str = ""
    #: further words for this call, beside marks
    marking: Callable[[Bound], frozenset[str]] | None = None
    #: rows that give the items of a returned tuple for the same arguments (std_mean: std, mean); "" is unknown
    parts: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Op({self.name})"


@dataclass(frozen=True)
class Param:
    """One parameter of a spelling: the name in the code and the row's name for it.

    takes    what kinds of argument this overload is for ("tensor", "number|unknown"; "" any): see ops.choose
    optional may be left out although no default value is known (`=?` in a table)
    """

    name: str
    canonical: str
    kind: str = "either"  # "either" | "positional" | "keyword" | "rest" (*args)
    default: Any = MISSING
    takes: str = ""
    optional: bool = False

    @property
    def required(self) -> bool:
        return self.default is MISSING and not self.optional and self.kind != "rest"


@dataclass(frozen=True)
class Spelling:
    """A way to write an op.

    Qualified names are written in full ("torch.nn.functional.softmax"); methods as ".softmax".
    preset   arguments that the spelling implies (square_root -> exponent 0.5)
    inplace  the spelling writes its result into its lead argument
    init     for a module class ("torch.nn.Softmax"): parameters of the constructor; call holds
             the parameters of its forward
    overloads  other spellings of the same name with other parameters, this one first; () if it has none
    """

    name: str
    op: Op
    params: tuple[Param, ...]
    preset: Mapping[str, Any] = field(default_factory=dict)
    inplace: bool = False
    init: tuple[Param, ...] | None = None
    lib: str = "torch"
    overloads: tuple[Spelling, ...] = ()
