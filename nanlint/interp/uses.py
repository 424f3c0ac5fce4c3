"""What the interpreter emits: Use (one application of an op), where it stands, what stands behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import libcst as cst

from nanlint.interp.values import Term, Value
from nanlint.ops.spec import Bound, Break, Op

if TYPE_CHECKING:
    from nanlint.source import Fragment, Source


@dataclass(frozen=True, eq=False)
class Frame:
    """The function (or module or class body) whose code is evaluated, and how it came to be.

    name     qualified name in the file ("Loss.forward", "<module>")
    params   its parameter names
    context  "open" (parameters unknown) | "called" (with a caller's arguments)
    public   no leading underscore, not nested
    role     "forward" | "loss" (its result is a loss or is differentiated in the file) | "step" (metric or
             optimiser method) | ""
    """

    name: str
    source: Source
    params: tuple[str, ...] = ()
    context: str = "open"
    public: bool = True
    role: str = ""


@dataclass(frozen=True, eq=False)
class Site:
    """A node of the tree: the expression, its fragment, and when it was evaluated."""

    node: cst.CSTNode
    fragment: Fragment
    frame: Frame
    clock: int = 0
    #: the node that holds this expression as a whole statement's value, if any
    statement: cst.CSTNode | None = None


@dataclass(frozen=True, eq=False)
class Consumer:
    """An op with a guarding role (Op.guard) that took the result of a Use."""

    op: Op
    site: Site
    bound: Bound
    arg: str  # the parameter that took the result
    #: the Use of the consumer itself (its own consumers go on from there)
    use: Use


@dataclass(eq=False)
class Hit:
    """A Break of the row that this Use can meet. evidence and reason are decided after the run."""

    brk: Break
    evidence: str = "unknown"
    reason: str = ""
    #: what a composition was recognised from ("logits": Term, "dim": 1, "targets": Term, "reduction": "mean" ...)
    parts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Use:
    """One application of an op to abstract values at a node: all that a rule may read.

    op, bound   the row and the arguments by canonical name (Values)
    nodes       the libcst expression that gave each argument, by canonical name; absent for defaults
    result      the Value that evaluation goes on with
    hits        the breaks that can be met, judged
    consumers   guarding ops that took the result afterwards, in order
    discarded   the call is a whole expression statement
    names       at this point, which names and dotted attributes hold which term
    spelling    the name of the spelling ("torch.sqrt", ".sqrt", "operator.truediv", "math.log")
    """

    op: Op
    spelling: str
    bound: Bound
    nodes: Mapping[str, cst.BaseExpression]
    site: Site
    result: Value
    hits: list[Hit] = field(default_factory=list)
    consumers: list[Consumer] = field(default_factory=list)
    discarded: bool = False
    #: a later division has this value above and in what it divides by (exp(x) / sum(exp(x)))
    normalised: bool = False
    names: Mapping[str, Term] = field(default_factory=dict)
    stamps: Mapping[str, int] = field(default_factory=dict)
    inplace: bool = False
    lib: str = "torch"
    trace: Trace | None = None

    def arg(self, name: str) -> Value:
        return cast(Value, self.bound.args[name])

    @property
    def term(self) -> Term | None:
        return self.result.term

    @property
    def dtype(self) -> str:
        return self.bound.dtype


@dataclass(eq=False)
class Trace:
    """The outcome of one run: uses in source order, where each term was computed, what was not known."""

    uses: list[Use] = field(default_factory=list)
    sites: dict[Term, list[Site]] = field(default_factory=dict)
    by_term: dict[Term, list[Use]] = field(default_factory=dict)
    census: dict[str, int] = field(default_factory=dict)
    #: calls of torch's functions, methods and layers: name, and "row" | "opaque" | "" (no row, or its arguments do not fit)
    calls: dict[int, tuple[str, str]] = field(default_factory=dict)
    revealed: list[tuple[Site, Value]] = field(default_factory=list)
    fuel_out: list[str] = field(default_factory=list)
    functions: int = 0
    #: cutting Uses whose value flows into what a loss returns, or into what backward() is called on
    flows: set[Use] = field(default_factory=set)
    #: those of them behind a whole summand of the loss
    dead: set[Use] = field(default_factory=set)
    #: what functions return, itself or in a tuple
    returned: set[Term] = field(default_factory=set)
    #: functions of the file that other functions of it call, by qualified name
    called: set[str] = field(default_factory=set)
