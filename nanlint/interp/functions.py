"""Functions, methods and classes of the project: names, bindings, bodies, instances."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

import libcst as cst

from nanlint.interp import attributes, parameters
from nanlint.interp.context import DEPTH, FOREIGN, Context, Machine
from nanlint.interp.memo import remembered
from nanlint.interp.project import ClassInfo, FunctionInfo, Instance, ModuleInfo
from nanlint.interp.uses import Frame
from nanlint.interp.values import ANY_COUNT, NONE, UNKNOWN, Value, constant, join, sequence

#: Decorators that leave the function what it is.
KEEPING = frozenset(
    "staticmethod classmethod property abstractmethod override wraps jit.script script compile no_grad inference_mode enable_grad "
    "autocast custom_fwd custom_bwd cached_property lru_cache cache njit jit_ignore ignore export unused torch_jit_script".split()
)
NO_GRAD = frozenset({"no_grad", "inference_mode"})
CONSTANTS = {"True": True, "False": False, "None": None}


@dataclass(frozen=True, eq=False)
class Bound:
    """A method with the object that it is called on (None: an unbound or static one)."""

    info: FunctionInfo
    me: Value | None


@dataclass(frozen=True, eq=False)
class Partial:
    """functools.partial: a callee with arguments."""

    callee: Value
    positional: tuple[tuple[Value, Any], ...]
    keywords: dict[str, tuple[Value, Any]] = field(default_factory=dict)


def look_up(ctx: Context, name: str) -> Value:
    """The value of a name: local, closed over, of the module, builtin."""
    if name in CONSTANTS:
        return constant(CONSTANTS[name], ctx.terms.const(CONSTANTS[name]))
    here: Context | None = ctx
    while here is not None:
        if here.state is not None and name in here.state.names:
            return here.state.narrowed(here.state.names[name])
        here = here.closure
    return module_value(ctx.machine, ctx.module, name)


def module_value(machine: Machine, module: ModuleInfo, name: str) -> Value:
    """The value of a module's name, evaluated at the first asking."""
    if name in module.values:
        return module.values[name]
    if name in module.evaluating:
        return UNKNOWN
    module.evaluating.add(name)
    value = _module_value(machine, module, name)
    module.evaluating.discard(name)
    module.values[name] = value
    return value


def _module_value(machine: Machine, module: ModuleInfo, name: str) -> Value:
    definition = module.definitions.get(name)
    if isinstance(definition, ast.ClassDef):
        return Value("class", data=module.classes[name], lib="python")
    if definition is not None and name in module.functions:
        return Value("function", data=Bound(module.functions[name], None), lib="python")
    if definition is not None:
        return _assigned(machine, module, definition, name)
    if name in module.source.imports:
        return import_value(machine, module, module.source.imports[name])
    return Value("module", data=f"builtins.{name}")


def _assigned(machine: Machine, module: ModuleInfo, statement: ast.stmt, name: str) -> Value:
    from nanlint.interp import statements

    fragment = module.source.fragment(statement)
    if fragment is None:
        return UNKNOWN
    ctx = module_context(machine, module, fragment)
    with machine.apart():
        statements.execute_all(ctx, fragment.statements)
    if ctx.state is None or name not in ctx.state.names:
        return UNKNOWN
    return ctx.state.names[name]


def module_context(machine: Machine, module: ModuleInfo, fragment: Any, role: str = "") -> Context:
    return Context(machine, Frame("<module>", module.source, role=role), module, fragment)


def import_value(machine: Machine, module: ModuleInfo, dotted: str) -> Value:
    found = machine.project.module(dotted, module.source)
    if found is not None:
        return Value("module", data=found)
    parent, _, last = dotted.rpartition(".")
    holder = machine.project.module(parent or dotted, module.source) if parent.strip(".") or dotted.startswith(".") else None
    if holder is not None and holder.source.path != module.source.path:
        return module_value(machine, holder, last)
    top = dotted.lstrip(".")
    name = top.rpartition(".")[2]
    prefix = top.rpartition(".")[0]
    if prefix in attributes.LIBRARIES:
        return attributes.get(Context(machine, Frame("", module.source), module, None), Value("module", data=prefix), name, cst.Pass())  # type: ignore[arg-type]
    return Value("module", data=top)


def find_method(machine: Machine, cls: ClassInfo, name: str, depth: int = 0) -> FunctionInfo | None:
    """A method of a class or of its bases in the project."""
    if name in cls.methods:
        return cls.methods[name]
    if depth > DEPTH:
        return None
    for base in base_classes(machine, cls):
        found = find_method(machine, base, name, depth + 1)
        if found is not None:
            return found
    return None


def base_classes(machine: Machine, cls: ClassInfo) -> list[ClassInfo]:
    found = []
    for name in cls.bases:
        value = module_value(machine, cls.module, name.partition(".")[0])
        if value.kind == "module" and isinstance(value.data, ModuleInfo) and "." in name:
            value = module_value(machine, value.data, name.rpartition(".")[2])
        if value.kind == "class" and value.data is not cls:
            found.append(value.data)
    return found


def inherits(cls: ClassInfo, name: str) -> bool:
    """Whether a class or one of its bases, as written, ends in a name."""
    return cls.name == name or any(b.rpartition(".")[2] == name for b in cls.bases)


def method_kind(info: FunctionInfo) -> str:
    """"static", "class", "property" or "" for a plain method."""
    for decorator in info.decorators:
        last = decorator.partition("(")[0].rpartition(".")[2]
        if last in ("staticmethod", "classmethod", "property", "cached_property"):
            return {"staticmethod": "static", "classmethod": "class"}.get(last, "property")
    return ""


def bound(ctx: Context, info: FunctionInfo, me: Value) -> Value:
    """A method read from an object; a property is called."""
    kind = method_kind(info)
    if kind == "property":
        from nanlint.interp.calls import Arguments

        return call(ctx, Bound(info, me), Arguments(), cst.Pass())
    receiver = None if kind == "static" else Value("class", data=info.owner) if kind == "class" else me
    return Value("function", data=Bound(info, receiver), lib="python")


def class_constant(machine: Machine, cls: ClassInfo, name: str, depth: int = 0) -> Value | None:
    """An attribute of a class body, or of its bases."""
    if name in cls.constants:
        return _assigned(machine, cls.module, cls.constants[name], name)
    if depth <= DEPTH:
        for base in base_classes(machine, cls):
            found = class_constant(machine, base, name, depth + 1)
            if found is not None:
                return found
    return None


def class_attributes(machine: Machine, cls: ClassInfo) -> dict[str, Value]:
    """What __init__ with its defaults and otherwise open parameters leaves on an object."""
    if cls.attributes is None:
        if cls.evaluating:
            return {}
        cls.evaluating = True
        with machine.apart():
            cls.attributes = _initialised(machine, cls, None)
        cls.evaluating = False
    return cls.attributes if cls.attributes is not None else {}


def _initialised(machine: Machine, cls: ClassInfo, arguments: Any) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for base in base_classes(machine, cls):
        found.update(class_attributes(machine, base))
    init = find_method(machine, cls, "__init__")
    if init is None:
        return found
    me = Value("instance", data=Instance(cls, dict(found)), term=machine.terms.known(f"{cls.name}.self"))
    if arguments is None:
        ctx = open_context(machine, init, me)
        run_body(ctx, init) if ctx is not None else None
    else:
        ctx = _activation(machine, Bound(init, me), arguments, None)
    return {**found, **_stored(ctx)} if ctx is not None else found


def _stored(ctx: Context) -> dict[str, Value]:
    """Attributes of self at the exit of a method."""
    from nanlint.interp.state import merge_all

    state = merge_all([*ctx.exits, ctx.state], ctx.terms)
    prefix = ctx.me + "."
    if state is None or not ctx.me:
        return {}
    return {n[len(prefix):]: v for n, v in state.names.items() if n.startswith(prefix) and "." not in n[len(prefix):]}


def attribute_by_setter(machine: Machine, cls: ClassInfo, name: str) -> Value | None:
    """An attribute that other methods assign: joined over them (one that is just being evaluated says nothing)."""
    result: Value | None = None
    for method in cls.setters.get(name, [])[:4]:
        stored = _after_method(machine, cls, method).get(name)
        if stored is not None:
            result = stored if result is None else join(result, stored, machine.terms)
    return result


def _after_method(machine: Machine, cls: ClassInfo, method: str) -> dict[str, Value]:
    key = ("after", cls, method)
    if key not in machine.memo:
        machine.memo[key] = {}
        with machine.apart():
            ctx = open_context(machine, cls.methods[method])
            if ctx is not None:
                run_body(ctx, cls.methods[method])
                machine.memo[key] = _stored(ctx)
    found: dict[str, Value] = machine.memo[key]
    return found


def self_value(machine: Machine, cls: ClassInfo) -> Value:
    """self of a method that is judged by itself."""
    key = ("self", cls)
    if key not in machine.memo:
        instance = Instance(cls, class_attributes(machine, cls))
        machine.memo[key] = Value("instance", data=instance, term=machine.terms.known(f"{cls.name}.self"), lib="python")
    found: Value = machine.memo[key]
    return found


def instantiate(ctx: Context, cls: ClassInfo, arguments: Any, node: cst.CSTNode) -> Value:
    """An object of a project class; its __init__ is evaluated with the arguments given."""
    abroad = cls.module is not ctx.module and ctx.machine.foreign >= FOREIGN
    if ctx.machine.depth >= ctx.machine.deepest or cls.evaluating or abroad:
        return Value("instance", data=Instance(cls, class_attributes(ctx.machine, cls)), term=ctx.leaf(node, cls.name))
    machine = ctx.machine

    def compute() -> tuple[Value, dict[str, Value]]:
        found = _dataclass_fields(ctx, cls, arguments) or _initialised(machine, cls, arguments)
        return Value("instance", data=Instance(cls, found)), {}

    key = ("instance", cls, len(arguments.positional), tuple(arguments.keywords), bool(machine.dry))
    value, _ = remembered(machine.memo, ctx.terms, key, arguments.values, None, compute)
    return value.but(term=ctx.leaf(node, cls.name), lib="python")


def _dataclass_fields(ctx: Context, cls: ClassInfo, arguments: Any) -> dict[str, Value] | None:
    """Fields of a dataclass or NamedTuple from the arguments given."""
    named = inherits(cls, "NamedTuple") or any("dataclass" in ast.unparse(d) for d in cls.node.decorator_list)
    if not named:
        return None
    names = [s.target.id for s in cls.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
    given = {n: v for n, (v, _) in zip(names, arguments.positional)}
    return {**given, **{n: v for n, (v, _) in arguments.keywords.items()}}


def call_instance(ctx: Context, callee: Value, arguments: Any, node: cst.CSTNode) -> Value:
    """obj(...): __call__, or forward of a module."""
    from nanlint.interp import calls

    cls = callee.data.cls
    for name in ("__call__", "forward", "call"):
        method = find_method(ctx.machine, cls, name)
        if method is not None:
            return call(ctx, Bound(method, callee), arguments, node)
    return calls.unknown_call(ctx, arguments, node, cls.name, callee)


def call(ctx: Context, function: Any, arguments: Any, node: Any) -> Value:
    """Calls a function of the project with abstract arguments; memoised, bounded in depth."""
    from nanlint.interp import calls

    if isinstance(function, Partial):
        merged = calls.Arguments([*function.positional, *arguments.positional], {**function.keywords, **arguments.keywords}, arguments.loose)
        return calls.invoke(ctx, function.callee, merged, node)
    target = function if isinstance(function, Bound) else Bound(function, None)
    info, machine = target.info, ctx.machine
    abroad = info.module is not ctx.module
    if machine.depth >= machine.deepest or (abroad and machine.foreign >= FOREIGN) or any(a is info for a in machine.active) or not _keeps(info):
        return calls.unknown_call(ctx, arguments, node, info.short)
    machine.called.add(info)
    if not machine.dry and not machine.scripted and not ctx.frame.name.startswith("test"):
        machine.trace.called.add(info.name)
    value, stored = _evaluated(ctx, target, arguments)
    _store_back(ctx, target, stored, node)
    return value


def _evaluated(ctx: Context, target: Bound, arguments: Any) -> tuple[Value, dict[str, Value]]:
    """What a body returns and which attributes it sets; once for calls that are alike."""
    machine, info = ctx.machine, target.info

    def compute() -> tuple[Value, dict[str, Value]]:
        inner = _activation(machine, target, arguments, ctx)
        return (_returned(inner), _stored(inner)) if inner is not None else (UNKNOWN, {})

    if info.closure is not None:
        return compute()
    values = arguments.values + ([target.me] if target.me is not None else [])
    key = (info, len(arguments.positional), tuple(arguments.keywords), arguments.loose, bool(ctx.no_grad), ctx.half)
    return remembered(machine.memo, ctx.terms, (key, bool(machine.dry)), values, target, compute)


def _keeps(info: FunctionInfo) -> bool:
    """Whether the decorators leave the function what it is."""
    for decorator in info.decorators:
        last = decorator.partition("(")[0].rpartition(".")[2]
        if last not in KEEPING and not last.endswith("setter"):
            return False
    return True


def _store_back(ctx: Context, target: Bound, stored: dict[str, Value], node: Any) -> None:
    """Attributes that a method set are set on the caller's name for the object."""
    if not stored or ctx.state is None or not isinstance(node, cst.Call):
        return
    receiver = node.func.value if isinstance(node.func, cst.Attribute) else None
    name = attributes.dotted(receiver) if receiver is not None else None
    if name is not None and target.info.short != "__init__":
        for attribute, value in stored.items():
            ctx.state.names[f"{name}.{attribute}"] = value


def _activation(machine: Machine, target: Bound, arguments: Any, caller: Context | None) -> Context | None:
    """Evaluates a body with a caller's arguments."""
    info = target.info
    found = definition(info)
    if found is None:
        return None
    node, fragment = found
    frame = parameters.frame_of(info, "called")
    ctx = Context(machine, frame, info.module, fragment, closure=info.closure, owner=info.owner)
    ctx.no_grad = (caller.no_grad if caller is not None else 0) + grad_off(info)
    ctx.half = caller.half if caller is not None else ""
    full = arguments.after(target.me) if target.me is not None else arguments
    parameters.bind_call(ctx, node.params, full, skip_self=target.me is not None)
    run_body(ctx, info)
    return ctx


def grad_off(info: FunctionInfo) -> int:
    names = [d.partition("(")[0].rpartition(".")[2] for d in info.decorators]
    return sum(n in NO_GRAD for n in names)


def definition(info: FunctionInfo) -> tuple[Any, Any] | None:
    """The libcst node of a function and its fragment; None if it is too deep to parse."""
    if info.inner is not None and info.closure is not None:
        return info.inner, info.closure.fragment
    fragment = info.module.source.fragment(info.node) if info.node is not None else None
    if fragment is None or not fragment.statements:
        return None
    for statement in fragment.statements:
        if isinstance(statement, cst.FunctionDef):
            return statement, fragment
    return None


def open_context(machine: Machine, info: FunctionInfo, me: Value | None = None) -> Context | None:
    """An activation with open parameters."""
    found = definition(info)
    if found is None:
        return None
    node, fragment = found
    ctx = Context(machine, parameters.frame_of(info, "open"), info.module, fragment, closure=info.closure, owner=info.owner)
    ctx.no_grad = grad_off(info)
    if info.owner is not None and me is None:
        kind = method_kind(info)
        me = None if kind == "static" else Value("class", data=info.owner) if kind == "class" else self_value(machine, info.owner)
    parameters.bind_open(ctx, node.params, me)
    return ctx


def run_body(ctx: Context, info: FunctionInfo) -> None:
    """Evaluates a body in its context."""
    from nanlint.interp import statements
    from nanlint.interp.expressions import evaluate

    machine = ctx.machine
    found = definition(info)
    if found is None:
        return
    node = found[0]
    abroad = info.module is not machine.main
    machine.depth, machine.foreign = machine.depth + 1, machine.foreign + abroad
    machine.active.append(info)
    try:
        if isinstance(node, cst.Lambda):
            ctx.returns.append(evaluate(ctx, node.body))
        else:
            statements.execute_block(ctx, node.body)
            statements.run_uncalled(ctx)
    finally:
        machine.active.pop()
        machine.depth, machine.foreign = machine.depth - 1, machine.foreign - abroad


def _returned(ctx: Context) -> Value:
    """What a call of the body gives."""
    if ctx.yields:
        element = ctx.yields[0]
        for value in ctx.yields[1:]:
            element = join(element, value, ctx.terms)
        return sequence(None, element, ANY_COUNT)
    values = ctx.returns
    if not values:
        return NONE
    result = values[0]
    for value in values[1:]:
        result = join(result, value, ctx.terms)
    return result
