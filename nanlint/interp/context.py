"""One run (Machine) and one activation of a body (Context)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from nanlint.interp.project import FunctionInfo, ModuleInfo, Project
from nanlint.interp.state import State
from nanlint.interp.uses import Frame, Site, Trace
from nanlint.interp.values import Term, Terms, Value
from nanlint.ops.spec import Spelling
from nanlint.source import Fragment

#: Nodes that one function may evaluate before it ends in Unknown, callees included.
FUEL = 60_000
#: Calls inside calls; of these, calls into other files.
DEPTH = 7
FOREIGN = 2
#: Nodes of a whole file, and more for each of its lines, after which calls are followed SHALLOW deep only.
PLENTY = 40_000
PLENTY_A_LINE = 20
SHALLOW = 2
#: Nodes that a class's __init__ or a module's constant may cost whoever asks first: the same for everyone.
SHARED_FUEL = 10_000


#: What the interpreter itself understands, without a row.
BUILT_IN = frozenset("""
    torch.nn.Sequential torch.nn.ModuleList torch.nn.ParameterList torch.nn.modules.container.ModuleList torch.nn.Parameter
    torch.nn.parameter.Parameter torch.nn.UninitializedParameter torch.finfo
""".split())


class OutOfFuel(Exception):
    """A function used up its fuel; its root catches it."""


@dataclass(eq=False)
class Machine:
    """The state of one run over one file."""

    project: Project
    main: ModuleInfo
    trace: Trace
    terms: Terms = field(default_factory=Terms)
    fuel: int = FUEL
    clock: int = 0
    depth: int = 0
    foreign: int = 0
    dry: int = 0
    evaluated: int = 0
    memo: dict[Any, Any] = field(default_factory=dict)
    active: list[Any] = field(default_factory=list)
    called: set[FunctionInfo] = field(default_factory=set)
    places: dict[int, int] = field(default_factory=dict)
    kept: list[cst.CSTNode] = field(default_factory=list)
    instances: dict[Any, Value] = field(default_factory=dict)
    reveal: bool = False
    #: statements of the module itself are evaluated: their calls are no callers
    scripted: bool = False

    def burn(self) -> None:
        self.evaluated += 1
        self.fuel -= 1
        if self.fuel <= 0:
            raise OutOfFuel

    @property
    def deepest(self) -> int:
        """How deep calls are followed: chains of functions that call each other twice would cost 2^DEPTH each."""
        plenty = PLENTY + PLENTY_A_LINE * len(self.main.source.starts)
        return DEPTH if self.evaluated < plenty else SHALLOW

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Evaluates what many may ask for: silently, with fuel and depth of its own; running out ends in Unknown."""
        fuel, depth, foreign, active = self.fuel, self.depth, self.foreign, self.active
        self.fuel, self.depth, self.foreign, self.active = SHARED_FUEL, 0, 0, list(active)
        self.dry += 1
        dry = self.dry
        try:
            yield
        except OutOfFuel:
            self.dry = dry
        finally:
            self.fuel, self.depth, self.foreign, self.active = fuel, depth, foreign, active
            self.dry -= 1

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def place(self, node: cst.CSTNode) -> int:
        """A number of a node that is the same in every pass over it."""
        if id(node) not in self.places:
            self.places[id(node)] = len(self.places)
            self.kept.append(node)  # ids stay unique while the nodes live
        return self.places[id(node)]

    def met(self, name: str, node: Any, spelling: Spelling | None) -> None:
        """Notes a call of torch for the census, once for each place in the file; of a place that was met before, the worse."""
        if self.dry or self.foreign or not name.startswith(("torch.", ".")):
            return
        place = self.place(node)
        if name.startswith(".") and place not in self.trace.calls:
            return  # a method of what may be no tensor
        kind = "row" if spelling is not None or name in BUILT_IN else ""
        kind = "opaque" if spelling is not None and spelling.op.opaque else kind
        if place not in self.trace.calls or not kind:
            self.trace.calls[place] = (name, kind)

    def count(self, what: str) -> None:
        if not self.dry:
            self.trace.census[what] = self.trace.census.get(what, 0) + 1


@dataclass(eq=False)
class Context:
    """An activation: a body of code under evaluation, with its state (None: not reachable)."""

    machine: Machine
    frame: Frame
    module: ModuleInfo
    fragment: Fragment
    state: State | None = field(default_factory=State)
    returns: list[Value] = field(default_factory=list)
    exits: list[State] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    nested: list[Any] = field(default_factory=list)
    loops: list[tuple[list[State | None], list[State | None]]] = field(default_factory=list)
    closure: Context | None = None
    owner: Any = None  # the ClassInfo of a method
    me: str = ""  # the name of its instance parameter
    no_grad: int = 0
    silenced: int = 0
    half: str = ""  # the dtype of an autocast block
    statement: cst.CSTNode | None = None
    is_statement: bool = False

    @property
    def terms(self) -> Terms:
        return self.machine.terms

    def site(self, node: cst.CSTNode) -> Site:
        return Site(node, self.fragment, self.frame, self.machine.clock, self.statement)

    def bind(self, name: str, value: Value) -> None:
        if self.state is not None:
            self.state.set(name, value, self.machine.tick())

    def leaf(self, node: cst.CSTNode, hint: str = "") -> Term:
        """A term of its own for a result that nothing is known of."""
        return self.terms.leaf(hint or type(node).__name__)
