"""What an attribute is: of modules, of objects of the project, of tensors."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

import libcst as cst

from nanlint import ops
from nanlint.interp import functions
from nanlint.interp.apply import apply
from nanlint.interp.context import Context
from nanlint.interp.project import ClassInfo, Instance, ModuleInfo
from nanlint.interp.values import NONE, ONE, SOME, UNKNOWN, Term, Value, constant, join, sequence
from nanlint.interval import LIMITS, Interval
from nanlint.ops.spec import MISSING

CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "tau": math.tau, "Inf": math.inf, "NaN": math.nan, "infty": math.inf}
LIBRARIES = ("torch", "numpy", "math", "jax.numpy", "tensorflow")
DTYPES = {
    "float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32", "short": "int16", "bool_": "bool",
    "float_": "float64", "single": "float32", "cfloat": "complex64", "cdouble": "complex128", "FloatTensor": "float32",
    "HalfTensor": "float16", "DoubleTensor": "float64", "LongTensor": "int64", "BoolTensor": "bool", "BFloat16Tensor": "bfloat16",
}
KNOWN_DTYPES = frozenset("float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 bool complex64 complex128".split())
FIELDS = {"values": 0, "indices": 1, "sign": 0, "logabsdet": 1, "solution": 0, "eigenvalues": 0, "eigenvectors": 1}
#: Attributes of a tensor that are ops without a call.
VIEWS = frozenset({"T", "mT", "H", "mH", "data", "real", "imag"})
#: Settings that are small positive numbers by their name.
EPSILONS = frozenset({"eps", "epsilon", "_eps", "tiny", "variance_epsilon", "layer_norm_eps", "norm_eps", "layernorm_eps", "rms_norm_eps"})
EPSILON = Interval(1e-12, 0.1)
SIZE = Interval(0.0, 2.0**31)
LENGTH = Interval(1.0, 2.0**31)


def attribute(ctx: Context, node: cst.Attribute) -> Value:
    name = dotted(node)
    if name is not None and ctx.state is not None and name in ctx.state.names:
        return ctx.state.narrowed(ctx.state.names[name])
    from nanlint.interp.expressions import evaluate

    return get(ctx, evaluate(ctx, node.value), node.attr.value, node)


def dotted(node: cst.BaseExpression) -> str | None:
    """"a.b.c" of a chain of names, else None."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return None
    return ".".join([node.value, *reversed(parts)])


def get(ctx: Context, base: Value, name: str, node: cst.CSTNode) -> Value:
    """The attribute of a value."""
    if base.kind == "module":
        return _of_module(ctx, base, name)
    if base.kind == "instance":
        return _of_instance(ctx, base, name, node)
    if base.kind == "class":
        return _of_class(ctx, base.data, name)
    if base.kind == "finfo":
        return _limit(ctx, base.data, name)
    if base.kind == "sequence":
        return _of_sequence(ctx, base, name)
    if base.kind in ("tensor", "unknown", "number"):
        return _of_tensor(ctx, base, name, node)
    if base.kind == "layer":
        return _of_layer(ctx, base, name)
    return UNKNOWN


def _of_module(ctx: Context, base: Value, name: str) -> Value:
    if isinstance(base.data, ModuleInfo):
        return functions.module_value(ctx.machine, base.data, name)
    full = f"{base.data}.{name}"
    library = base.data in LIBRARIES
    if library and base.data != "builtins" and name in CONSTANTS:
        return constant(CONSTANTS[name], ctx.terms.const(CONSTANTS[name]))
    if library and base.data != "math" and (name in KNOWN_DTYPES or (name in DTYPES and ops.find(full) is None)):
        return dtype_value(name, base.data)
    if base.data == "numpy" and name == "newaxis":
        return NONE
    return Value("module", data=full)


def dtype_value(name: str, lib: str = "torch") -> Value:
    """The Value of a dtype by its name in a library."""
    known = name if name in KNOWN_DTYPES else DTYPES.get(name)
    if lib == "numpy" and name in ("float", "int"):
        known = "float64" if name == "float" else "int64"
    return Value("dtype", data=known)


def _of_instance(ctx: Context, base: Value, name: str, node: cst.CSTNode) -> Value:
    value = _held(ctx, base, name, node)
    constraint = constraint_of(base.data.cls, name) if value.numeric else ""
    said = CONSTRAINTS.get(constraint, value.range)
    return value.but(range=value.range.meet(said) or said, ground="unknown") if constraint else value


#: What torch.distributions.constraints say of a distribution's parameter (checked by validate_args).
CONSTRAINTS = {
    "positive": Interval(1e-45, LIMITS["float32"].max), "nonnegative": Interval(0.0, LIMITS["float32"].max), "positive_integer": LENGTH,
    "nonnegative_integer": SIZE, "unit_interval": Interval(0.0, 1.0), "simplex": Interval(0.0, 1.0),
}


def constraint_of(cls: ClassInfo, name: str) -> str:
    """"positive" of arg_constraints = {"scale": constraints.positive} in a class body, or returned by a property."""
    table = next((d for d in _constraint_tables(cls) if isinstance(d, ast.Dict)), None)
    pairs = zip(table.keys, table.values) if table is not None else ()
    found = next((v for k, v in pairs if isinstance(k, ast.Constant) and k.value == name), None)
    while isinstance(found, ast.Call):  # independent(positive, 1), greater_than(0)
        found = found.args[0] if ast.unparse(found.func).endswith("independent") and found.args else found.func
    return ast.unparse(found).rpartition(".")[2] if found is not None else ""


def _constraint_tables(cls: ClassInfo) -> Iterator[ast.AST | None]:
    yield getattr(cls.constants.get("arg_constraints"), "value", None)
    method = cls.methods.get("arg_constraints")
    if method is not None and method.node is not None:
        yield from (n.value for n in ast.walk(method.node) if isinstance(n, ast.Return))


def _held(ctx: Context, base: Value, name: str, node: cst.CSTNode) -> Value:
    instance: Instance = base.data
    known = instance.attributes.get(name)
    if known is not None and name not in instance.cls.setters:
        return known
    if known is not None and known.kind != "none":
        return _changing(ctx, base, known, name)
    method = functions.find_method(ctx.machine, instance.cls, name)
    if method is not None:
        return functions.bound(ctx, method, base)
    value = functions.class_constant(ctx.machine, instance.cls, name)
    if value is None:
        value = functions.attribute_by_setter(ctx.machine, instance.cls, name)
    if value is not None:
        return value
    ctx.machine.count("attribute unknown")
    if name.lower() in EPSILONS:
        return small(ctx, ctx.terms.make("attr", (base.term,), name=name) if base.term is not None else ctx.leaf(node))
    term = ctx.terms.make("attr", (base.term,), name=name) if base.term is not None else None
    return UNKNOWN.but(term=term, marks=frozenset({"attribute"}), range=Interval.everything("float32"), grad="maybe", name=name)


def _changing(ctx: Context, base: Value, known: Value, name: str) -> Value:
    """An attribute that __init__ sets and other methods change: what holds of it whenever it is read."""
    later = functions.attribute_by_setter(ctx.machine, base.data.cls, name)
    both = join(known, later, ctx.terms) if later is not None else known
    if not both.numeric:
        return both
    term = ctx.terms.make("attr", (base.term,), name=name) if base.term is not None else None
    ground = "unknown" if both.ground == "config" and both.kind != "number" else both.ground
    return both.but(range=known.range.widen(both.range, (0.0, 1.0)), const=MISSING, term=term, ground=ground, marks=both.marks | {"attribute"})


def _of_class(ctx: Context, cls: ClassInfo, name: str) -> Value:
    method = functions.find_method(ctx.machine, cls, name)
    if method is not None:
        kind = functions.method_kind(method)
        return Value("function", data=functions.Bound(method, None if kind == "static" else Value("class", data=cls) if kind == "class" else None))
    return functions.class_constant(ctx.machine, cls, name) or UNKNOWN


def _limit(ctx: Context, dtype: str | None, name: str) -> Value:
    limits = LIMITS.get(dtype or "float32")
    if limits is None:
        return UNKNOWN
    names = {"eps": limits.eps, "max": limits.max, "min": -limits.max, "tiny": limits.tiny, "smallest_normal": limits.tiny}
    if name not in names:
        return UNKNOWN
    value = constant(names[name], ctx.terms.const(names[name]))
    return value if dtype else value.but(const=value.const, marks=value.marks | {"finfo"})


def _of_sequence(ctx: Context, base: Value, name: str) -> Value:
    index = FIELDS.get(name)
    if index is not None and base.items is not None and index < len(base.items):
        return base.items[index]
    return base.data if isinstance(base.data, Value) and index is not None else UNKNOWN


def _of_tensor(ctx: Context, base: Value, name: str, node: cst.CSTNode) -> Value:
    if name == "shape":
        return sequence(None, _size(ctx, base), SOME).but(name="shape", term=base.term)
    if name == "dtype":
        return Value("dtype", data=base.dtype)
    if name in ("device", "is_cuda", "requires_grad", "layout"):
        return UNKNOWN
    if name in ("ndim", "size", "nelement"):
        length = ctx.terms.make("numel", (base.term,)) if name != "ndim" and base.term is not None else ctx.leaf(node)
        return constant(1).but(const=UNKNOWN.const, range=LENGTH if name == "ndim" else SIZE, term=length)
    if name in VIEWS and base.kind != "number":
        spelling = ops.find_method(name, base.lib or "torch")
        if spelling is not None:
            return apply(ctx, spelling, node, {spelling.params[0].canonical: base}, {"input": node.value} if isinstance(node, cst.Attribute) else {})
    term = ctx.terms.make("attr", (base.term,), name=name) if base.term is not None else None
    if name.lower() in EPSILONS:
        return small(ctx, term)
    grad = "maybe" if base.grad != "no" else "no"
    ground = "unknown" if base.ground in ("data", "closed") else base.ground
    return UNKNOWN.but(term=term, grad=grad, ground=ground, cuts=base.cuts, name=name, marks=frozenset({"attribute"}), range=Interval.everything("float32"))


def small(ctx: Context, term: Term | None) -> Value:
    """A setting that is called eps: a small positive number."""
    return Value("number", EPSILON, "pyfloat", ground="config", marks=frozenset({"eps"}), count=ONE, term=term, lib="python")


def _size(ctx: Context, base: Value) -> Value:
    return constant(1).but(const=UNKNOWN.const, range=LENGTH, marks=frozenset({"size"}), term=ctx.terms.leaf("size"))


def _of_layer(ctx: Context, base: Value, name: str) -> Value:
    """Weights of a layer are trained parameters."""
    if name in ("weight", "bias"):
        term = ctx.terms.make("attr", (base.term,), name=name) if base.term is not None else ctx.terms.leaf(name)
        return Value("tensor", Interval.everything("float32"), "float32", "yes", "data", frozenset({"trained"}), SOME, term, lib="torch", name=name)
    return UNKNOWN
