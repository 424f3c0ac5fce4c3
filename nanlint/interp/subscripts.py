"""What indexing gives, and what it says of the elements that are left."""

from __future__ import annotations

from typing import Any

import libcst as cst

from nanlint import ops
from nanlint.interp import attributes, conditions
from nanlint.interp.apply import apply
from nanlint.interp.calls import in_library
from nanlint.interp.context import Context
from nanlint.interp.values import ANY_COUNT, UNKNOWN, Value, elements, join, sequence
from nanlint.ops.spec import MISSING


def subscript(ctx: Context, node: cst.Subscript) -> Value:
    from nanlint.interp.expressions import evaluate

    base = evaluate(ctx, node.value)
    parts = [_part(ctx, e.slice) for e in node.slice]
    if base.kind == "sequence":
        return _of_sequence(ctx, base, parts)
    if base.kind == "mapping":
        return _of_mapping(ctx, base, parts)
    if base.kind in ("unknown", "mapping") and len(parts) == 1 and isinstance(parts[0], Value) and parts[0].kind == "string":
        missing = base.kind == "unknown" or parts[0].const not in base.data
        if missing and str(parts[0].const).lower() in attributes.EPSILONS:
            return attributes.small(ctx, ctx.terms.make("attr", (base.term,), name=parts[0].const) if base.term is not None else ctx.leaf(node))
    if base.kind in ("tensor", "unknown"):
        return select(ctx, base, parts, node)
    if base.kind == "layer" and base.items is None and isinstance(base.data, tuple):
        return UNKNOWN
    return Value("string", lib="python") if base.kind == "string" else UNKNOWN


class Slice:
    """lower:upper:step of an index."""

    def __init__(self, bounds: tuple[Value | None, Value | None, Value | None]):
        self.bounds = bounds

    @property
    def constants(self) -> tuple[Any, ...] | None:
        known = tuple(None if b is None else b.const for b in self.bounds)
        return None if MISSING in known else known

    @property
    def text(self) -> str:
        constants = self.constants
        if constants is None:
            return "?:?"
        return ":".join("" if c is None else str(c) for c in constants[: 3 if constants[2] is not None else 2])


def _part(ctx: Context, node: cst.BaseSlice) -> Value | Slice:
    from nanlint.interp.expressions import evaluate

    if isinstance(node, cst.Slice):
        return Slice(tuple(evaluate(ctx, b) if b is not None else None for b in (node.lower, node.upper, node.step)))  # type: ignore[arg-type]
    if isinstance(node, cst.Index):
        return Value("ellipsis", const="...") if isinstance(node.value, cst.Ellipsis) else evaluate(ctx, node.value)
    return UNKNOWN


def _of_sequence(ctx: Context, base: Value, parts: list[Value | Slice]) -> Value:
    part = parts[0]
    if isinstance(part, Slice):
        return _sliced(base, part)
    index = part.const
    if base.items is not None and isinstance(index, int) and -len(base.items) <= index < len(base.items):
        return base.items[index]
    found = elements(base)
    result = found[0] if found else UNKNOWN
    for value in found[1:]:
        result = join(result, value, ctx.terms)
    if base.name == "shape" and isinstance(index, int) and base.term is not None:
        return result.but(term=ctx.terms.make("size", (base.term,), dim=index))
    return result


def _sliced(base: Value, part: Slice) -> Value:
    bounds = part.constants
    if base.items is not None and bounds is not None and all(b is None or isinstance(b, int) for b in bounds) and bounds[2] != 0:
        return sequence(base.items[slice(*bounds)])
    found = elements(base)
    return sequence(None, found[0] if found else UNKNOWN, ANY_COUNT).but(name=base.name)


def _of_mapping(ctx: Context, base: Value, parts: list[Value | Slice]) -> Value:
    part = parts[0]
    entries = base.data if isinstance(base.data, dict) else {}
    if isinstance(part, Value) and part.const is not MISSING and part.const in entries:
        found: Value = entries[part.const]
        return found
    result: Value | None = None
    for value in entries.values():
        result = value if result is None else join(result, value, ctx.terms)
    return result if result is not None and isinstance(part, Value) and part.const is MISSING else UNKNOWN


def select(ctx: Context, base: Value, parts: list[Value | Slice], node: cst.CSTNode) -> Value:
    """Elements of a tensor: the row getitem, and what a boolean index says of what is left."""
    spelling = ops.find("operator.getitem")
    if spelling is None:
        return UNKNOWN
    tensors = [p for p in parts if isinstance(p, Value) and _is_tensor_index(p)]
    nodes = {"input": node.value} if isinstance(node, cst.Subscript) else {}
    named = Value("unknown", const=tuple(_spelled(p) for p in parts), ground="config")
    args: dict[str, Value] = {"input": base, "index": named}
    for position, tensor in enumerate(tensors):
        args[f"index{position}"] = tensor
    result = apply(ctx, in_library(ctx, spelling, [base]), node, args, nodes)
    masks = [t for t in tensors if is_mask(t)]
    if base.term is None or not masks:
        found = any("selection" in t.marks for t in tensors)  # indices found by nonzero
        return result.but(marks=result.marks | {"picked"}, count=ANY_COUNT) if found else result
    fact = None
    for mask in masks:
        fact = conditions.about(mask.term, True, base.term) or fact
    narrowed = result.range.meet(fact) if fact is not None else None
    return _selection(result.but(range=narrowed or result.range))


def _selection(value: Value) -> Value:
    """Chosen elements, none perhaps; chosen counts were counted before the choice."""
    counted = frozenset() if "mask" in value.marks else frozenset({"count"})
    return value.but(marks=(value.marks - counted) | {"selection"}, count=ANY_COUNT)


def _is_tensor_index(value: Value) -> bool:
    return value.kind in ("tensor", "unknown", "sequence", "number") and value.const is MISSING


def is_mask(value: Value) -> bool:
    """Whether a value is a boolean tensor, or the result of a test."""
    return value.dtype == "bool" or ("mask" in value.marks and value.range.within(0.0, 1.0))


def _spelled(part: Value | Slice) -> Any:
    if isinstance(part, Slice):
        return part.text
    return "@" if part.const is MISSING else part.const
