"""What a parameter is: bound by a caller, or open; what its name, annotation and default say."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from nanlint.interp import attributes
from nanlint.interp.context import Context
from nanlint.interp.project import ClassInfo, FunctionInfo
from nanlint.interp.uses import Frame
from nanlint.interp.values import ONE, SOME, UNKNOWN, Value, constant, sequence
from nanlint.interval import Interval
from nanlint.ops.spec import MISSING

if TYPE_CHECKING:
    from nanlint.interp.calls import Arguments

NUMBERS = {"float": "pyfloat", "int": "pyint", "bool": "pybool", "Number": "pyfloat", "NumberType": "pyfloat", "Real": "pyfloat", "float|int": "pyfloat",
           "int|float": "pyfloat", "Union[int,float]": "pyfloat", "Union[float,int]": "pyfloat"}
TENSORS = ("Tensor", "ndarray", "Array", "FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor", "IntTensor", "BoolTensor", "ByteTensor", "TensorLike", "TensorLikeType", "ArrayLike", "NDArray")
#: Words of a name, by their beginning, that say that a loss is returned.
LOSS_WORDS = ("loss", "criterion", "crossentropy", "nll", "bce", "penalty", "objective", "elbo", "regulariz", "regularis", "kld", "divergence")
#: Parameters of functions that update weights.
OPTIMISER = frozenset({"params", "grads", "lr", "exp_avgs", "exp_avg_sqs", "exp_avg", "exp_avg_sq", "state_steps", "momentum_buffer_list"})
FORWARD = frozenset({"forward", "__call__", "call", "training_step", "apply"})
#: Methods that no gradient flows through, by the class that they are of.
STEPS = {"Optimizer": ("step",), "Metric": ("update", "compute")}


def frame_of(info: FunctionInfo, context: str) -> Frame:
    source = info.module.source
    public = info.public and not (info.owner is not None and info.owner.name.startswith("_"))
    return Frame(info.name, source, (), context, public, role_of(info))


def role_of(info: FunctionInfo) -> str:
    """Whether gradients are to be expected: "forward", "loss", "step" or ""."""
    if info.owner is not None and _is_step(info.owner, info.short):
        return "step"
    if "backward" in info.short.lower():
        return "step"  # a gradient written by hand: none flows through it
    if names_loss(info.short):
        return "loss"
    if info.node is not None and len(OPTIMISER & {a.arg for a in (*info.node.args.args, *info.node.args.kwonlyargs)}) > 1:
        return "step"
    if info.owner is not None and info.short in FORWARD:
        lossy = names_loss(info.owner.name) or any(b.endswith("Loss") for b in info.owner.bases)
        return "loss" if lossy else "forward"
    return ""


def names_loss(name: str) -> bool:
    """Whether a word of a name (snake_case or CamelCase) says that it is a loss."""
    words = [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)]
    joined = " ".join(words)
    return "cross entropy" in joined or any(w.startswith(stem) for w in words for stem in LOSS_WORDS)


def _is_step(owner: ClassInfo, method: str) -> bool:
    return any(base.rpartition(".")[2] == word and method in methods for word, methods in STEPS.items() for base in owner.bases)


def all_params(params: cst.Parameters) -> Iterator[tuple[cst.Param, str]]:
    """Parameters in order with their kind: "positional", "star", "keyword", "stars"."""
    for param in (*params.posonly_params, *params.params):
        yield param, "positional"
    if isinstance(params.star_arg, cst.Param):
        yield params.star_arg, "star"
    for param in params.kwonly_params:
        yield param, "keyword"
    if params.star_kwarg is not None:
        yield params.star_kwarg, "stars"


def bind_call(ctx: Context, params: cst.Parameters, arguments: Arguments, skip_self: bool) -> None:
    """Binds a caller's arguments; what is not given takes its default."""
    pending = [v for v, _ in arguments.positional]
    named = {n: v for n, (v, _) in arguments.keywords.items()}
    for param, kind in all_params(params):
        name = param.name.value
        if kind == "star":
            value, pending = sequence(tuple(pending)), []
        elif kind == "stars":
            value = Value("mapping", data=dict(named), lib="python")
        elif kind == "positional" and pending:
            value = pending.pop(0)
        elif name in named:
            value = named.pop(name)
        else:
            value = _default(ctx, param, certain=not arguments.loose)
        if value.numeric and value.term is None:  # tests speak of terms
            value = value.but(term=ctx.terms.leaf(name))
        ctx.bind(name, value)
        if skip_self and not ctx.me:
            ctx.me = name


def _default(ctx: Context, param: cst.Param, certain: bool) -> Value:
    """The default of a parameter that the caller leaves out; opaque where there is none or it may be given."""
    if param.default is None:
        return opaque(ctx, param)
    value = default_value(ctx, param.default)
    return value if certain else as_default(ctx, param, value)


def default_value(ctx: Context, node: cst.BaseExpression) -> Value:
    from nanlint.interp.expressions import evaluate
    from nanlint.interp.functions import module_context

    return evaluate(module_context(ctx.machine, ctx.module, ctx.fragment), node)


def bind_open(ctx: Context, params: cst.Parameters, me: Value | None) -> None:
    """Binds parameters of which nothing but name, annotation and default is known."""
    for param, kind in all_params(params):
        name = param.name.value
        if me is not None and kind == "positional":
            ctx.bind(name, me)
            ctx.me, me = name, None
        elif kind in ("star", "stars"):
            element = opaque(ctx, param)
            ctx.bind(name, sequence(None, element) if kind == "star" else Value("mapping", data={}, lib="python"))
        else:
            ctx.bind(name, _open(ctx, param))


def _open(ctx: Context, param: cst.Param) -> Value:
    if param.default is None:
        return opaque(ctx, param)
    value = default_value(ctx, param.default)
    if value.kind == "none":
        value = opaque(ctx, param)
        return value.but(marks=frozenset({"parameter", "optional"}), grad="maybe" if value.grad == "assumed" else value.grad)
    return as_default(ctx, param, value)


def as_default(ctx: Context, param: cst.Param, value: Value) -> Value:
    """A default that a caller may override: its constant decides no test."""
    number = value.const if isinstance(value.const, (int, float)) and not isinstance(value.const, bool) else None
    term = ctx.terms.known(f"{ctx.frame.name}:{param.name.value}", number)
    if value.const is MISSING and value.kind not in ("number", "tensor"):
        return value if value.kind in ("function", "class", "instance", "layer", "dtype", "module") else UNKNOWN.but(term=term)
    return value.but(marks=value.marks | {"default"}, term=term, name=param.name.value)


def opaque(ctx: Context, param: cst.Param) -> Value:
    """A parameter of which nothing is given."""
    name = param.name.value
    text = _annotation(ctx, param)
    term = ctx.terms.known(f"{ctx.frame.name}:{name}")
    if name.lower() in attributes.EPSILONS:
        return attributes.small(ctx, term)
    if text in NUMBERS or text.startswith("Optional[") and text[9:-1] in NUMBERS:
        dtype = NUMBERS.get(text) or NUMBERS[text[9:-1]]
        return Value("number", Interval.everything(dtype), dtype, "no", "config", frozenset({"parameter"}), ONE, term, lib="python", name=name)
    if text in ("str", "Optional[str]"):
        return Value("string", term=term, lib="python")
    found = _object(ctx, text)
    if found is not None:
        return found
    if _foreign(ctx, param) or text.endswith("Tensor") and text not in TENSORS:  # a tensor class with arithmetic of its own
        return Value("unknown", ground="unknown", term=term, name=name)
    tensor = any(re.search(rf"\b{word}\b", text) for word in TENSORS) and not any(w in text for w in ("List", "list", "Tuple", "Dict", "Sequence", "Callable", "Iterable"))
    ground = "config" if ctx.frame.name.endswith("__init__") and not tensor else "data"
    kind = "tensor" if tensor else "unknown"
    marks = frozenset({"parameter"})
    return Value(kind, Interval.everything("float32"), None, _gradient(ctx), ground, marks, SOME, term, name=name)


def _object(ctx: Context, annotation: str) -> Value | None:
    """An object of a class of the project, by its annotation."""
    from nanlint.interp import functions

    if not annotation.isidentifier() or annotation not in ctx.module.definitions and annotation not in ctx.module.source.imports:
        return None
    value = functions.module_value(ctx.machine, ctx.module, annotation)
    return functions.self_value(ctx.machine, value.data) if value.kind == "class" else None


#: Modules of Python's library whose names may stand for arrays and numbers.
ABSTRACT = frozenset({"typing", "numbers", "collections", "types", "abc", "__future__", "builtins"})


def _foreign(ctx: Context, param: cst.Param) -> bool:
    """Whether the annotation is a class of Python's own library, or a symbolic expression: no array."""
    node = param.annotation.annotation if param.annotation is not None else None
    name = attributes.dotted(node) if node is not None else None
    root = ctx.module.source.imports.get(name.partition(".")[0], "").partition(".")[0] if name else ""
    return root == "sympy" or root in sys.stdlib_module_names and root not in ABSTRACT


def _annotation(ctx: Context, param: cst.Param) -> str:
    if param.annotation is None:
        return ""
    node = param.annotation.annotation
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.SimpleString):
        return str(node.evaluated_value)
    text = cst.Module([]).code_for_node(node).replace(" ", "")
    for union in ("|None", "None|"):
        text = text.replace(union, "")
    return text.rpartition(".")[2] if "[" not in text else text


def _gradient(ctx: Context) -> str:
    if ctx.no_grad or ctx.frame.role == "step" or ctx.module.library == "numpy":
        return "no"
    return "assumed" if ctx.frame.role in ("forward", "loss") else "maybe"
