"""What a call does: rows, functions and classes of the project, layers, containers; else Unknown, counted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import libcst as cst

from nanlint import ops
from nanlint.interp import attributes, containers, functions
from nanlint.interp.apply import apply
from nanlint.interp.context import Context
from nanlint.interp.values import GRADIENTS, UNKNOWN, Value, constant, elements, sequence, strongest
from nanlint.interval import Interval
from nanlint.ops.spec import Param, Spelling

#: Classes whose instances are lists of modules.
MODULE_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.ParameterList", "torch.nn.modules.container.ModuleList"})
SEQUENTIAL = "torch.nn.Sequential"
PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.UninitializedParameter"})
LIMITS = frozenset({"torch.finfo", "numpy.finfo", "jax.numpy.finfo"})


@dataclass
class Arguments:
    """The arguments of a call, evaluated: (value, node) by position and by name."""

    positional: list[tuple[Value, Any]] = field(default_factory=list)
    keywords: dict[str, tuple[Value, Any]] = field(default_factory=dict)
    loose: bool = False  # a * or ** of unknown length

    @property
    def values(self) -> list[Value]:
        return [v for v, _ in (*self.positional, *self.keywords.values())]

    def after(self, value: Value, node: Any = None) -> Arguments:
        """The same with one more positional argument in front."""
        return Arguments([(value, node), *self.positional], self.keywords, self.loose)


@dataclass(frozen=True, eq=False)
class Layer:
    """An nn.Module that is known by its row (constructor arguments by canonical name) or by its parts."""

    spelling: Spelling | None = None
    init: Mapping[str, Value] = field(default_factory=dict)
    parts: tuple[Value, ...] = ()


def call(ctx: Context, node: cst.Call) -> Value:
    from nanlint.interp.expressions import evaluate

    statement, ctx.is_statement = ctx.is_statement, False
    func = node.func
    if isinstance(func, cst.Attribute):
        name = attributes.dotted(func)
        stored = ctx.state.names.get(name) if ctx.state is not None and name is not None else None
        base = None if stored is not None else evaluate(ctx, func.value)
        arguments = gather(ctx, node.args)
        ctx.is_statement = statement
        if base is not None:
            result = _method(ctx, base, func, arguments, node)
        else:
            result = invoke(ctx, stored or UNKNOWN, arguments, node)
    else:
        callee = evaluate(ctx, func)
        arguments = gather(ctx, node.args)
        ctx.is_statement = statement
        result = invoke(ctx, callee, arguments, node)
    ctx.is_statement = False
    return result


def gather(ctx: Context, nodes: Any) -> Arguments:
    from nanlint.interp.expressions import evaluate

    arguments = Arguments()
    for arg in nodes:
        value = evaluate(ctx, arg.value)
        if arg.star == "*":
            if value.items is None:
                arguments.loose = True
            arguments.positional += [(v, None) for v in elements(value)]
        elif arg.star == "**":
            entries = value.data if value.kind == "mapping" and isinstance(value.data, dict) else None
            arguments.loose = arguments.loose or entries is None
            arguments.keywords.update({k: (v, None) for k, v in (entries or {}).items() if isinstance(k, str)})
        elif arg.keyword is not None:
            arguments.keywords[arg.keyword.value] = (value, arg.value)
        else:
            arguments.positional.append((value, arg.value))
    return arguments


def _method(ctx: Context, base: Value, func: cst.Attribute, arguments: Arguments, node: cst.Call) -> Value:
    """base.name(...)"""
    name = func.attr.value
    if base.kind == "instance" and name in REGISTERS and len(arguments.values) > 1:
        return _register(ctx, base, name, func, arguments)
    if base.kind in ("sequence", "mapping", "string"):
        return containers.method(ctx, base, name, arguments, func)
    if base.kind in ("tensor", "unknown", "number"):
        if name == "backward":
            ctx.machine.trace.flows |= base.cuts
            ctx.machine.trace.dead |= base.dead
        found = _tensor_method(ctx, base, name, func, arguments, node)
        if found is not None:
            return found
        if base.kind == "unknown":
            return unknown_call(ctx, arguments, node, name, base)
    return invoke(ctx, attributes.get(ctx, base, name, func), arguments, node, base)


REGISTERS = frozenset({"register_buffer", "register_parameter", "add_module"})


def _register(ctx: Context, base: Value, name: str, func: cst.Attribute, arguments: Arguments) -> Value:
    """self.register_buffer("name", value) sets self.name."""
    receiver, key, value = attributes.dotted(func.value), arguments.values[0].const, arguments.values[1]
    if receiver is not None and isinstance(key, str):
        ctx.bind(f"{receiver}.{key}", value.but(grad="no") if name == "register_buffer" else value)
    return UNKNOWN


def _tensor_method(ctx: Context, base: Value, name: str, func: cst.Attribute, arguments: Arguments, node: cst.Call) -> Value | None:
    spelling = ops.find_method(name, base.lib or ctx.module.library)
    if spelling is None and base.kind == "unknown" and base.grad != "no":
        spelling = _leaving(name)
    if base.kind == "tensor" and base.lib == "torch":
        ctx.machine.met(f"torch.Tensor.{name}", node, spelling)
    if spelling is None or (base.kind == "unknown" and not _tensor_like(base, spelling, arguments)):
        return None
    return use_row(ctx, spelling, arguments.after(base, func.value), node, func.value)


def _leaving(name: str) -> Spelling | None:
    """detach of a value that may be a torch tensor, in a module that knows NumPy alone."""
    found = ops.find_method(name, "torch")
    return found if found is not None and found.op.gradient == "stops" else None


def _tensor_like(base: Value, spelling: Spelling, arguments: Arguments) -> bool:
    """Whether an unknown receiver may well be a tensor: calls with strings, or with more than the op takes, are other objects'."""
    places = [p for p in spelling.params if p.kind in ("either", "positional")]
    if len(arguments.positional) >= len(places) + arguments.loose and not any(p.kind == "rest" for p in spelling.params) and not spelling.overloads:
        return False
    return not any(v.kind == "string" and p.canonical not in STRING_PARAMETERS for v, p in zip(arguments.values, spelling.params[1:]))


STRING_PARAMETERS = frozenset({"dtype", "reduction", "rounding_mode", "equation", "approximate", "p", "ord", "device", "mode"})


def invoke(ctx: Context, callee: Value, arguments: Arguments, node: cst.Call, base: Value | None = None) -> Value:
    """Calls a value."""
    if callee.kind == "module" and isinstance(callee.data, str):
        return _library(ctx, callee.data, arguments, node)
    if callee.kind == "function":
        return functions.call(ctx, callee.data, arguments, node)
    if callee.kind == "class":
        return functions.instantiate(ctx, callee.data, arguments, node)
    if callee.kind == "layer":
        return run_layer(ctx, callee.data, arguments, node)
    if callee.kind == "instance":
        return functions.call_instance(ctx, callee, arguments, node)
    if callee.kind == "sequence" and callee.name == "module":
        return unknown_call(ctx, arguments, node, "module", callee)
    return unknown_call(ctx, arguments, node, callee.name, callee)


def _library(ctx: Context, full: str, arguments: Arguments, node: cst.Call) -> Value:
    ctx.machine.met(full, node, ops.find(full))
    if full == SEQUENTIAL:
        return _sequential(ctx, arguments)
    if full in MODULE_LISTS:
        return arguments.positional[0][0] if arguments.positional else sequence((), None)
    if full in PARAMETERS:
        return _parameter(ctx, arguments, node)
    if full in LIMITS:
        given = arguments.positional[0][0] if arguments.positional else UNKNOWN
        return Value("finfo", data=given.data if given.kind == "dtype" else given.dtype)
    special = containers.FUNCTIONS.get(full)
    if special is not None:
        result = special(ctx, arguments, node)
        if result is not None:
            return result
    spelling = ops.find(full)
    if spelling is None:
        return unknown_call(ctx, arguments, node, full)
    if spelling.init is not None:
        return _layer(ctx, spelling, arguments)
    return use_row(ctx, spelling, arguments, node)


def _sequential(ctx: Context, arguments: Arguments) -> Value:
    parts = arguments.values
    if len(parts) == 1 and parts[0].kind == "mapping" and isinstance(parts[0].data, dict):
        parts = list(parts[0].data.values())
    if arguments.loose:  # how many layers a *list holds is not known; the last one written is
        last = arguments.positional[-1] if arguments.positional else (UNKNOWN, None)
        return Value("layer", data=Layer(parts=(UNKNOWN, last[0] if last[1] is not None else UNKNOWN)))
    return Value("layer", data=Layer(parts=tuple(parts)), term=ctx.terms.leaf("module"))


def _parameter(ctx: Context, arguments: Arguments, node: cst.Call) -> Value:
    """A trained parameter: its initial value says where it starts, not where it goes."""
    given = arguments.positional[0][0] if arguments.positional else UNKNOWN
    frozen = arguments.keywords.get("requires_grad", (UNKNOWN, None))[0].const is False
    if frozen:
        return given
    marks = frozenset({"trained"})
    return Value("tensor", Interval.everything(given.dtype), given.dtype, "yes", "data", marks, given.count, ctx.leaf(node, "parameter"), lib="torch")


def _layer(ctx: Context, spelling: Spelling, arguments: Arguments) -> Value:
    found = bind(spelling.init or (), arguments)
    init = found[0] if found is not None else {}
    return Value("layer", data=Layer(spelling, init), term=ctx.terms.leaf(spelling.op.name), lib="torch")


def run_layer(ctx: Context, layer: Layer, arguments: Arguments, node: cst.Call) -> Value:
    """The forward of a known layer; of a Sequential, one part after the other."""
    if layer.spelling is None:
        for part in layer.parts:
            result = invoke(ctx, part, arguments, node) if part.kind != "unknown" else _output(ctx, arguments, node)
            arguments = Arguments([(result, None)])
        return arguments.positional[0][0] if arguments.positional else UNKNOWN
    found = bind(layer.spelling.params, arguments)
    ctx.machine.met(layer.spelling.name, node, layer.spelling if found is not None else None)
    if found is None:
        return unknown_call(ctx, arguments, node, layer.spelling.name)
    args, nodes = found
    presets = {n: constant(c, ctx.terms.const(c)) for n, c in layer.spelling.preset.items()}
    result = apply(ctx, layer.spelling, node, {**args, **layer.init, **presets}, nodes)
    return _trained(ctx, layer.spelling, result)


def _trained(ctx: Context, spelling: Spelling, result: Value) -> Value:
    """Layers with weights: their outputs carry gradient whatever goes in, and are data."""
    if spelling.op.terms not in ("product", "opaque") or result.kind != "tensor" or ctx.no_grad:
        return result
    return result.but(grad="yes", ground="data", marks=result.marks | {"layer"})


def _output(ctx: Context, arguments: Arguments, node: cst.Call) -> Value:
    """The output of an unknown module: an opaque tensor."""
    grad = "no" if ctx.no_grad else "yes"
    return Value("unknown", Interval.everything("float32"), None, grad, "data", frozenset({"layer", "callee"}), term=ctx.leaf(node, "output"), lib="torch")


def use_row(ctx: Context, spelling: Spelling, arguments: Arguments, node: cst.CSTNode, receiver: Any = None) -> Value:
    """Applies a row to a call's arguments; Unknown if they do not fit its parameters."""
    if spelling.op.returns == "unknown":
        return _unknown(ctx, arguments, node, spelling.name)
    arguments = _torch_names(spelling, arguments)
    kinds = [v.kind for v, _ in arguments.positional]
    spelling = ops.choose(spelling, kinds, {n: v.kind for n, (v, _) in arguments.keywords.items()})
    found = bind(spelling.params, arguments)
    if found is None or "where" in arguments.keywords:  # where= leaves elements out
        ctx.machine.met(spelling.name, node, None)
        return unknown_call(ctx, arguments, node, spelling.name)
    args, nodes = found
    ctx.machine.count("row " + spelling.op.name)
    folded = _folded(ctx, spelling.name, arguments)
    if folded is not None:
        return folded
    args = {n: v for n, v in args.items() if n != "out"} | {n: constant(c, ctx.terms.const(c)) for n, c in spelling.preset.items()}
    result = apply(ctx, in_library(ctx, spelling, list(args.values())), node, _with_dtypes(args, spelling), nodes)
    if (spelling.inplace or _says_inplace(arguments)) and receiver is not None:
        write_back(ctx, receiver, result)
    if "out" in arguments.keywords and arguments.keywords["out"][1] is not None:
        write_back(ctx, arguments.keywords["out"][1], result)
    return result


def _torch_names(spelling: Spelling, arguments: Arguments) -> Arguments:
    """torch takes NumPy's names too: axis for dim, keepdims for keepdim."""
    if spelling.lib != "torch" or not arguments.keywords.keys() & TWINS.keys():
        return arguments
    taken = {p.name for one in spelling.overloads or (spelling,) for p in one.params}
    named = {TWINS[n] if n not in taken and TWINS.get(n) in taken else n: pair for n, pair in arguments.keywords.items()}
    return Arguments(arguments.positional, named, arguments.loose)


TWINS = {"axis": "dim", "keepdims": "keepdim"}


def _folded(ctx: Context, name: str, arguments: Arguments) -> Value | None:
    """math.log(2): a constant."""
    function = getattr(math, name[5:], None) if name.startswith("math.") else None
    values = arguments.values
    if function is None or any(not isinstance(v.const, (int, float)) or v.is_default for v in values):
        return None
    try:
        result = function(*(v.const for v in values))
    except (ArithmeticError, TypeError, ValueError):
        return None
    return constant(result, ctx.terms.const(result)) if isinstance(result, (int, float)) else None


def _says_inplace(arguments: Arguments) -> bool:
    return arguments.keywords.get("inplace", (UNKNOWN, None))[0].const is True


def _with_dtypes(args: dict[str, Value], spelling: Spelling) -> dict[str, Value]:
    """dtype arguments written as a string, a Python type or a NumPy name."""
    given = args.get("dtype")
    if given is None or given.kind == "dtype":
        return args
    if given.kind == "string" and isinstance(given.const, str):
        return {**args, "dtype": attributes.dtype_value(given.const, spelling.lib)}
    if given.kind == "module" and isinstance(given.data, str):
        return {**args, "dtype": attributes.dtype_value(given.data.rpartition(".")[2], spelling.lib)}
    return {n: v for n, v in args.items() if n != "dtype"} if given.kind in ("none", "unknown") else args


def in_library(ctx: Context, spelling: Spelling, values: list[Value]) -> Spelling:
    """Operators compute in the library of their arguments; if that is not known, in the one that the file imports."""
    if spelling.lib != "python":
        return spelling
    libs = {v.lib for v in values if v.kind in ("tensor", "unknown")} - {"", "python"}
    if len(libs) == 1:
        return replace(spelling, lib=libs.pop())
    return replace(spelling, lib=ctx.module.library) if any(v.kind in ("tensor", "unknown") for v in values) else spelling


def bind(params: tuple[Param, ...], arguments: Arguments) -> tuple[dict[str, Value], dict[str, Any]] | None:
    """Arguments by canonical name, and their nodes; None if the call does not fit."""
    args: dict[str, Value] = {}
    nodes: dict[str, Any] = {}
    places = [p for p in params if p.kind in ("either", "positional", "rest")]
    pending = list(arguments.positional)
    for param in places:
        if param.kind == "rest":
            args[param.canonical] = sequence(tuple(v for v, _ in pending))
            pending = []
        elif pending:
            args[param.canonical], nodes[param.canonical] = pending.pop(0)
    by_name = {p.name: p.canonical for p in params if p.kind in ("either", "keyword")}
    for name, (value, node) in arguments.keywords.items():
        if name in by_name:
            args[by_name[name]], nodes[by_name[name]] = value, node
        elif name not in IGNORED:
            return None
    missing = any(p.required and p.canonical not in args for p in params)
    if missing or (pending and not arguments.loose):
        return None
    return args, {n: c for n, c in nodes.items() if c is not None}


#: Keyword arguments that change nothing about values.
IGNORED = frozenset(
    "device requires_grad out inplace memory_format layout pin_memory non_blocking copy order subok generator name track_running_stats "
    "affine elementwise_affine bias momentum where".split()
)


def write_back(ctx: Context, target: Any, value: Value) -> None:
    """An op in place changes what its receiver's name holds."""
    name = attributes.dotted(target)
    if name is not None:
        ctx.bind(name, value)


def unknown_call(ctx: Context, arguments: Arguments, node: cst.CSTNode, name: str = "", base: Value | None = None) -> Value:
    """The result of a call that nothing is known of."""
    ctx.machine.count("unknown " + (name or "call"))
    return _unknown(ctx, arguments, node, name, base)


def _unknown(ctx: Context, arguments: Arguments, node: cst.CSTNode, name: str = "", base: Value | None = None) -> Value:
    values = arguments.values + ([base] if base is not None else [])
    grad = strongest(GRADIENTS, [v.grad for v in values if v.kind != "function"])
    tensors = any(v.kind in ("tensor", "unknown") and v.ground in ("data", "closed") for v in arguments.values)
    module = base is not None and ("parameter" in base.marks or "attribute" in base.marks and tensors)
    if ctx.no_grad:
        grad = "no"
    elif module and ctx.frame.role in ("forward", "loss"):
        grad = "yes"
    return Value(
        "unknown",
        Interval.everything("float32"),
        None,
        grad,
        "unknown",
        frozenset({"callee"}),
        term=ctx.leaf(node, "call"),
        name=name.rpartition(".")[2],
        cuts=frozenset().union(*(v.cuts for v in values)),
    )
