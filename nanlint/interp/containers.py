"""Python's own containers and functions, as far as values go through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from nanlint.interp.context import Context
from nanlint.interp.values import ANY_COUNT, NONE, UNKNOWN, Value, constant, elements, join, sequence
from nanlint.interval import Interval
from nanlint.ops.spec import MISSING

if TYPE_CHECKING:
    from nanlint.interp.calls import Arguments

LENGTH = Interval(0.0, 2.0**31)
ROWS = Interval(1.0, 2.0**31)


def joined(ctx: Context, values: tuple[Value, ...]) -> Value:
    result = values[0] if values else UNKNOWN
    for value in values[1:]:
        result = join(result, value, ctx.terms)
    return result


def method(ctx: Context, base: Value, name: str, arguments: Arguments, func: cst.Attribute) -> Value:
    """base.name(...) of a list, dict or string."""
    if base.kind == "string":
        return Value("string", lib="python") if name not in ("split", "splitlines") else sequence(None, Value("string"), ANY_COUNT)
    values = arguments.values
    if base.kind == "sequence" and name in ("append", "extend", "insert", "add"):
        _grow(ctx, base, values[-1] if values else UNKNOWN, name == "extend", func)
        return NONE
    if base.kind == "sequence":
        return joined(ctx, elements(base)) if name == "pop" else UNKNOWN
    entries = base.data if isinstance(base.data, dict) else {}
    if name in ("values", "items"):
        found = joined(ctx, tuple(entries.values()))
        return sequence(None, found if name == "values" else sequence((Value("string"), found)), ANY_COUNT)
    if name in ("get", "pop", "setdefault") and values:
        known = entries.get(values[0].const) if values[0].const is not MISSING else None
        default = values[1] if len(values) > 1 else NONE
        return known if known is not None else default if values[0].const is not MISSING and base.name == "exact" else UNKNOWN
    return UNKNOWN


def _grow(ctx: Context, base: Value, value: Value, many: bool, func: cst.Attribute) -> None:
    """append and extend: in a loop the list becomes one element that stands for all."""
    from nanlint.interp.calls import write_back

    added = elements(value) if many else (value,)
    if base.items is not None and not ctx.loops and not (many and value.items is None):
        write_back(ctx, func.value, sequence(base.items + added))
        return
    write_back(ctx, func.value, sequence(None, joined(ctx, (*elements(base), *added)), ANY_COUNT))


def _number(ctx: Context, node: cst.CSTNode, interval: Interval, hint: str) -> Value:
    return Value("number", interval, "pyint", ground="config", count=Interval.point(1.0), term=ctx.leaf(node, hint), lib="python")


def _len(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    value = arguments.values[0] if arguments.values else UNKNOWN
    if value.items is not None:
        return constant(len(value.items), ctx.terms.const(len(value.items)))
    term = ctx.terms.make("len", (value.term,)) if value.term is not None else ctx.leaf(node, "len")
    fact = ctx.state.facts.get(term) if ctx.state is not None else None
    length = ROWS if value.kind in ("tensor", "unknown") and "selection" not in value.marks else LENGTH
    return _number(ctx, node, (length.meet(fact) or length) if fact is not None else length, "len").but(term=term, marks=frozenset({"size"}))


def _range(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    values = arguments.values
    bounds: list[Any] = [v.const if not v.is_default else MISSING for v in values]
    if bounds and all(isinstance(b, int) for b in bounds) and (len(bounds) < 3 or bounds[2]):
        numbers = range(*bounds)
        if not numbers[8:]:
            return sequence(tuple(constant(i, ctx.terms.const(i)) for i in numbers))
    low = values[0].range.lo if len(values) > 1 else 0.0
    return sequence(None, _number(ctx, node, Interval(min(low, 2.0**31), 2.0**31), "index"), ANY_COUNT)


def _zip(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    from nanlint.interp.expressions import element_of

    values = arguments.values
    if arguments.loose or not values:
        return sequence(None, UNKNOWN, ANY_COUNT)
    if all(v.items is not None and len(v.items) <= 8 for v in values):
        return sequence(tuple(sequence(row) for row in zip(*(v.items or () for v in values))))
    return sequence(None, sequence(tuple(element_of(ctx, v) for v in values)), ANY_COUNT)


def _enumerate(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    from nanlint.interp.expressions import element_of

    values = arguments.values
    start = arguments.keywords.get("start", (values[1] if len(values) > 1 else constant(0), None))[0]
    index = _number(ctx, node, Interval(start.range.lo, 2.0**31), "index")
    if values and values[0].items is not None and len(values[0].items) <= 8 and isinstance(start.const, int):
        first = start.const
        return sequence(tuple(sequence((constant(first + i, ctx.terms.const(first + i)), v)) for i, v in enumerate(values[0].items)))
    return sequence(None, sequence((index, element_of(ctx, values[0]) if values else UNKNOWN)), ANY_COUNT)


def _list(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    value = arguments.values[0] if arguments.values else sequence(())
    from nanlint.interp.expressions import element_of

    return value if value.kind == "sequence" else sequence(None, element_of(ctx, value), ANY_COUNT)


def _dict(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    return Value("mapping", data={n: v for n, (v, _) in arguments.keywords.items()}, lib="python")


def _isinstance(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    return _number(ctx, node, Interval(0.0, 1.0), "isinstance").but(dtype="pybool")


def _first(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    return arguments.values[0] if arguments.values else UNKNOWN


def _sum(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    """sum(items) of a list is + over its elements."""
    from nanlint import ops
    from nanlint.interp.expressions import operate

    value = arguments.values[0] if arguments.values else UNKNOWN
    found = elements(value)
    add = ops.find("operator.add")
    if value.kind != "sequence" or not found or add is None or not all(v.numeric for v in found):
        return None
    if value.items is None:
        element = found[0]
        big = Interval.everything("float32")
        wide = Interval(0.0 if element.range.nonneg else big.lo, big.hi)
        return element.but(range=wide, const=MISSING, term=ctx.leaf(node, "sum"), born=())
    result = found[0]
    for item in found[1:]:
        result = operate(ctx, node, add, [result, item], [None, None])
    return result


def _float(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    """float("inf"), int(3.5): constants of constants; tensors are the row's business."""
    value = arguments.values[0] if len(arguments.values) == 1 else UNKNOWN
    name = node.func.value if isinstance(node.func, cst.Name) else ""
    if value.const is MISSING or value.is_default or value.kind not in ("number", "string") or name not in ("float", "int", "bool"):
        return None
    try:
        result = {"float": float, "int": int, "bool": bool}[name](value.const)
    except (ValueError, OverflowError, TypeError):
        return None
    return constant(result, ctx.terms.const(result))


def _getattr(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    from nanlint.interp import attributes

    values = arguments.values
    if len(values) >= 2 and isinstance(values[1].const, str):
        return attributes.get(ctx, values[0], values[1].const, node)
    return UNKNOWN


def _reveal(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    value = arguments.values[0] if arguments.values else UNKNOWN
    if not ctx.machine.dry and ctx.state is not None:
        ctx.machine.trace.revealed.append((ctx.site(node), ctx.state.narrowed(value)))
    return value


def _partial(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    from nanlint.interp.functions import Partial

    if not arguments.positional:
        return UNKNOWN
    (callee, _), *rest = arguments.positional
    return Value("function", data=Partial(callee, tuple(rest), dict(arguments.keywords)), lib="python")


def _backward(ctx: Context, arguments: Arguments, node: cst.Call) -> Value | None:
    for value in arguments.values[:1]:
        ctx.machine.trace.flows |= value.cuts
    return UNKNOWN




FUNCTIONS: dict[str, Callable[[Context, Any, cst.Call], Value | None]] = {
    "builtins.len": _len, "builtins.range": _range, "builtins.zip": _zip, "builtins.enumerate": _enumerate, "builtins.list": _list,
    "builtins.tuple": _list, "builtins.sorted": _list, "builtins.reversed": _list, "builtins.set": _list, "builtins.iter": _first,
    "builtins.dict": _dict, "builtins.isinstance": _isinstance, "builtins.hasattr": _isinstance, "builtins.callable": _isinstance,
    "builtins.issubclass": _isinstance, "builtins.sum": _sum, "builtins.getattr": _getattr, "builtins.reveal": _reveal,
    "builtins.float": _float, "builtins.int": _float, "builtins.bool": _float,
    "functools.partial": _partial, "torch.autograd.backward": _backward, "torch.autograd.grad": _backward,
    "copy.deepcopy": _first, "copy.copy": _first, "torch.compile": _first, "torch.jit.script": _first, "tqdm.tqdm": _first,
    "typing.cast": lambda ctx, arguments, node: arguments.values[-1] if arguments.values else UNKNOWN,
}
