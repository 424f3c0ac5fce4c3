"""What happens next: statements of libcst, one after the other, with the states that they leave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from nanlint import ops
from nanlint.interp import attributes, conditions, functions, subscripts, summands
from nanlint.interp.apply import apply
from nanlint.interp.context import Context
from nanlint.interp.expressions import AUGMENTED, combine, element_of, evaluate, iterated
from nanlint.interp.project import FunctionInfo
from nanlint.interp.state import State, merge, merge_all, widen
from nanlint.interp.values import UNKNOWN, Value, elements, join, sequence
from nanlint.ops.spec import MISSING

#: Context managers under which no gradient flows.
NO_GRAD = frozenset({"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad", "torch.autograd.inference_mode"})


def execute_all(ctx: Context, statements: Sequence[Any]) -> None:
    for statement in statements:
        if ctx.state is None:
            return
        execute(ctx, statement)


def execute_block(ctx: Context, body: cst.BaseSuite) -> None:
    execute_all(ctx, body.body)


def execute(ctx: Context, node: Any) -> None:
    """Evaluates one statement; the context's state becomes what holds behind it."""
    ctx.machine.burn()
    if isinstance(node, cst.SimpleStatementLine):
        for small in node.body:
            if ctx.state is not None:
                execute(ctx, small)
        return
    handler = HANDLERS.get(type(node))
    if handler is not None:
        ctx.statement = node
        handler(ctx, node)


def _expression(ctx: Context, node: cst.Expr) -> None:
    ctx.is_statement = isinstance(node.value, cst.Call)
    evaluate(ctx, node.value)
    ctx.is_statement = False


def _assign(ctx: Context, node: cst.Assign) -> None:
    value = evaluate(ctx, node.value)
    for target in node.targets:
        assign(ctx, target.target, value)


def _annotated(ctx: Context, node: cst.AnnAssign) -> None:
    if node.value is not None:
        assign(ctx, node.target, evaluate(ctx, node.value))


def _augmented(ctx: Context, node: cst.AugAssign) -> None:
    kind = AUGMENTED.get(type(node.operator))
    left, right = evaluate(ctx, node.target), evaluate(ctx, node.value)
    value = combine(ctx, node, kind, left, right, node.target, node.value) if kind is not None else UNKNOWN
    assign(ctx, node.target, value)


def assign(ctx: Context, target: Any, value: Value) -> None:
    """Binds a target of any form."""
    if isinstance(target, cst.Name):
        ctx.bind(target.value, value)
    elif isinstance(target, cst.Attribute):
        name = attributes.dotted(target)
        if name is not None:
            ctx.bind(name, value)
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(ctx, target, value)
    elif isinstance(target, cst.Subscript):
        _store_item(ctx, target, value)
    elif isinstance(target, cst.StarredElement):
        assign(ctx, target.value, value)


def _unpack(ctx: Context, target: cst.Tuple | cst.List, value: Value) -> None:
    parts = target.elements
    items = value.items
    starred = any(isinstance(p, cst.StarredElement) for p in parts)
    if items is not None and len(items) == len(parts) and not starred:
        for part, item in zip(parts, items):
            assign(ctx, part.value, item)
        return
    for index, part in enumerate(parts):
        item = unpacked(ctx, value, index)
        assign(ctx, part.value, sequence(None, item) if isinstance(part, cst.StarredElement) else item)


def unpacked(ctx: Context, value: Value, index: int) -> Value:
    """One part of a value that is unpacked: of a list its element, of a tensor a row, of the unknown something of its kind."""
    item = element_of(ctx, value)
    if item.kind in ("tensor", "unknown"):
        term = ctx.terms.make("part", (value.term,), index=index) if value.term is not None else ctx.terms.leaf("part")
        return item.but(term=term)
    if item.kind == "number" and value.name == "shape":
        return item.but(term=ctx.terms.leaf("size"))
    return item


def _store_item(ctx: Context, target: cst.Subscript, value: Value) -> None:
    """base[index] = value: elements of base become value."""
    base = evaluate(ctx, target.value)
    parts = [e.slice for e in target.slice]
    indices = [evaluate(ctx, p.value) for p in parts if isinstance(p, cst.Index)]
    name = attributes.dotted(target.value)
    if name is None:
        return
    if base.kind == "mapping":
        key = indices[0].const if indices and indices[0].const is not MISSING else None
        entries = base.data if isinstance(base.data, dict) else {}
        ctx.bind(name, base.but(data={**entries, key: value}))
    elif base.kind == "sequence":
        ctx.bind(name, _with_item(ctx, base, indices[0].const if indices else MISSING, value))
    elif base.kind in ("tensor", "unknown"):
        ctx.bind(name, _masked(ctx, target, base, indices, value))


def _with_item(ctx: Context, base: Value, index: Any, value: Value) -> Value:
    if base.items is not None and isinstance(index, int) and -len(base.items) <= index < len(base.items):
        items = list(base.items)
        items[index] = value
        return sequence(tuple(items))
    result = value
    for element in elements(base):
        result = join(result, element, ctx.terms)
    return sequence(None, result, base.count)


def _masked(ctx: Context, target: cst.Subscript, base: Value, indices: list[Value], value: Value) -> Value:
    """x[mask] = v is where(mask, v, x)."""
    spelling = ops.find("torch.where")
    masks = [i for i in indices if subscripts.is_mask(i)]
    if not masks or spelling is None:
        both = join(base, value, ctx.terms)
        marks = both.marks - ({"selection"} - base.marks)
        return both.but(term=ctx.leaf(target, "store"), born=base.born, marks=marks, count=base.count)
    value = value.but(marks=value.marks - {"selection"}, count=base.count)
    args = {"condition": masks[0], "input": value, "other": base}
    return apply(ctx, spelling, target, args, {"other": target.value})


def _return(ctx: Context, node: cst.Return) -> None:
    value = evaluate(ctx, node.value) if node.value is not None else Value("none", const=None)
    if ctx.frame.role == "loss" and not ctx.machine.dry:
        ctx.machine.trace.flows |= flowing(value)
        ctx.machine.trace.dead |= summands.of_loss(value)
    ctx.returns.append(value)
    if not ctx.machine.dry:
        ctx.machine.trace.returned |= {v.term for v in (value, *elements(value)) if v.term is not None}
    if ctx.state is not None:
        ctx.exits.append(ctx.state)
    ctx.state = None


def flowing(value: Value) -> frozenset[Any]:
    """The cuts that a returned loss carries; numbers beside it are for the log."""
    if value.kind in ("tensor", "unknown"):
        return value.cuts
    if value.kind == "mapping" and isinstance(value.data, dict):
        return frozenset().union(*(flowing(v) for v in value.data.values()))
    return frozenset().union(*(flowing(v) for v in elements(value)))


def _raise(ctx: Context, node: cst.Raise) -> None:
    if node.exc is not None:
        evaluate(ctx, node.exc)
    ctx.state = None


def _assert(ctx: Context, node: cst.Assert) -> None:
    test = evaluate(ctx, node.test)
    ctx.state = conditions.split(ctx, test)[0]


def _delete(ctx: Context, node: cst.Del) -> None:
    targets = [e.value for e in node.target.elements] if isinstance(node.target, cst.Tuple) else [node.target]
    for target in targets:
        name = attributes.dotted(target)
        if name is not None and ctx.state is not None:
            ctx.state.forget(name, ctx.machine.tick())


def _break(ctx: Context, node: cst.Break) -> None:
    if ctx.loops:
        ctx.loops[-1][0].append(ctx.state)
    ctx.state = None


def _continue(ctx: Context, node: cst.Continue) -> None:
    if ctx.loops:
        ctx.loops[-1][1].append(ctx.state)
    ctx.state = None


def _if(ctx: Context, node: cst.If) -> None:
    test = evaluate(ctx, node.test)
    yes, no = conditions.split(ctx, test)
    ctx.state = yes
    if yes is not None:
        execute_block(ctx, node.body)
    after = ctx.state
    ctx.state = no
    if no is not None and node.orelse is not None:
        execute(ctx, node.orelse) if isinstance(node.orelse, cst.If) else execute_block(ctx, node.orelse.body)
    ctx.state = merge(after, ctx.state, ctx.terms)


def _for(ctx: Context, node: cst.For) -> None:
    iterable = evaluate(ctx, node.iter)
    items, exact = iterated(ctx, iterable)
    if exact:
        _unrolled(ctx, node, items)
    else:
        _loop(ctx, node, lambda: assign(ctx, node.target, items[0]), None)
    _loop_else(ctx, node)


def _unrolled(ctx: Context, node: cst.For, items: list[Value]) -> None:
    """A loop over few known items, one pass each."""
    breaks: list[State | None] = []
    for item in items:
        if ctx.state is None:
            break
        assign(ctx, node.target, item)
        found, continues = _pass(ctx, node.body)
        breaks += found
        ctx.state = merge_all([ctx.state, *continues], ctx.terms)
    ctx.state = merge_all([ctx.state, *breaks], ctx.terms)


def _while(ctx: Context, node: cst.While) -> None:
    _loop(ctx, node, lambda: None, node.test)
    _loop_else(ctx, node)


def _loop_else(ctx: Context, node: Any) -> None:
    if node.orelse is not None and ctx.state is not None:
        execute_block(ctx, node.orelse.body)


def _pass(ctx: Context, body: cst.BaseSuite) -> tuple[list[State | None], list[State | None]]:
    """One pass over a loop's body: the states of its breaks and continues."""
    ctx.loops.append(([], []))
    execute_block(ctx, body)
    return ctx.loops.pop()


def _loop(ctx: Context, node: Any, bind: Callable[[], None], test: Any) -> None:
    """One silent pass to see what changes, widening, and one pass that counts."""
    before = ctx.state
    if before is None:
        return
    ctx.machine.dry += 1
    ctx.state = _entered(ctx, before.fork(), bind, test)
    _, continues = _pass(ctx, node.body)
    after = merge_all([ctx.state, *continues], ctx.terms)
    ctx.machine.dry -= 1
    head = widen(before, after, ctx.terms, (), ctx.machine.place(node))
    ctx.state = _entered(ctx, head.fork(), bind, test)
    if ctx.machine.dry:
        breaks: list[State | None] = []
        ctx.state = merge(head, after, ctx.terms)
    else:
        breaks, continues = _pass(ctx, node.body)
        ctx.state = merge_all([head, ctx.state, *continues], ctx.terms)
    if test is not None and ctx.state is not None:
        ctx.state = conditions.split(ctx, evaluate(ctx, test))[1]
    ctx.state = merge_all([ctx.state, *breaks], ctx.terms)


def _entered(ctx: Context, state: State, bind: Callable[[], None], test: Any) -> State | None:
    ctx.state = state
    bind()
    if test is None:
        return ctx.state
    return conditions.split(ctx, evaluate(ctx, test))[0]


def _with(ctx: Context, node: cst.With) -> None:
    off, half = 0, ctx.half
    for item in node.items:
        name = _context_name(ctx, item.item)
        if name in NO_GRAD:
            off += 1
            continue
        value = evaluate(ctx, item.item)
        if name.endswith("autocast"):
            half = _autocast_dtype(ctx, item.item, name)
        if item.asname is not None:
            assign(ctx, item.asname.name, value)
    before, ctx.half = ctx.half, half
    ctx.no_grad += off
    execute_block(ctx, node.body)
    ctx.no_grad -= off
    ctx.half = before


def _autocast_dtype(ctx: Context, node: Any, name: str) -> str:
    """The dtype that products have inside an autocast block: bfloat16 on the CPU, else float16; "" if it is off."""
    given = {a.keyword.value if a.keyword is not None else str(i): evaluate(ctx, a.value) for i, a in enumerate(node.args)}
    if given.get("enabled", UNKNOWN).const is False:
        return ""
    dtype = given.get("dtype")
    if dtype is not None and dtype.kind == "dtype":
        return str(dtype.data)
    device = given.get("device_type", given.get("0", UNKNOWN)).const
    return "bfloat16" if device == "cpu" or ".cpu." in name else "float16"


def _context_name(ctx: Context, node: Any) -> str:
    """The full name of a context manager that is called."""
    func = node.func if isinstance(node, cst.Call) else node
    if attributes.dotted(func) is None:
        return ""
    value = evaluate(ctx, func)
    return value.data if value.kind == "module" and isinstance(value.data, str) else ""


def _try(ctx: Context, node: Any) -> None:
    before = ctx.state
    execute_block(ctx, node.body)
    if node.orelse is not None and ctx.state is not None:
        execute_block(ctx, node.orelse.body)
    after = ctx.state
    ends: list[State | None] = [after]
    for handler in node.handlers:
        ctx.state = merge(before.fork() if before is not None else None, after, ctx.terms)
        if ctx.state is not None:
            execute_block(ctx, handler.body)
        ends.append(ctx.state)
    ctx.state = merge_all(ends, ctx.terms)
    if node.finalbody is not None and ctx.state is not None:
        execute_block(ctx, node.finalbody.body)


def _match(ctx: Context, node: cst.Match) -> None:
    evaluate(ctx, node.subject)
    before, ends = ctx.state, []
    for case in node.cases:
        ctx.state = before.fork() if before is not None else None
        if ctx.state is not None:
            execute_block(ctx, case.body)
        ends.append(ctx.state)
    ctx.state = merge_all([before, *ends], ctx.terms)


def _function(ctx: Context, node: cst.FunctionDef) -> None:
    """A nested function: its body is evaluated when it is called, or by itself if nobody does."""
    name = node.name.value
    info = FunctionInfo(f"{ctx.frame.name}.{name}", ctx.module, None, inner=node, closure=ctx)
    ctx.nested.append(info)
    ctx.bind(name, Value("function", data=functions.Bound(info, None), lib="python"))


def run_uncalled(ctx: Context) -> None:
    """Nested functions that nobody called are judged with open parameters."""
    end = ctx.state
    for info in ctx.nested:
        if info in ctx.machine.called or ctx.frame.context != "open":
            continue
        ctx.state = end if end is not None else ctx.exits[-1] if ctx.exits else None
        inner = functions.open_context(ctx.machine, info) if ctx.state is not None else None
        if inner is not None and not any(a is info for a in ctx.machine.active):
            functions.run_body(inner, info)
    ctx.state = end


def _nothing(ctx: Context, node: Any) -> None:
    """pass, import, global: nothing that values depend on."""


def _import(ctx: Context, node: Any) -> None:
    """An import inside a function binds its names."""
    for local, dotted in imported_names(node):
        ctx.bind(local, functions.import_value(ctx.machine, ctx.module, dotted))


def imported_names(node: Any) -> list[tuple[str, str]]:
    """(local name, dotted name) of an import statement."""
    if isinstance(node.names, cst.ImportStar):
        return []
    found = []
    prefix = ""
    if isinstance(node, cst.ImportFrom):
        prefix = "." * len(node.relative) + ((attributes.dotted(node.module) or "") if node.module is not None else "")
    for alias in node.names:
        full = attributes.dotted(alias.name) or ""
        local = alias.asname.name.value if alias.asname is not None else full if prefix else full.partition(".")[0]
        dotted = f"{prefix}.{full}" if prefix and not prefix.endswith(".") else prefix + full
        found.append((local, dotted if prefix or alias.asname is not None else full.partition(".")[0]))
    return found


HANDLERS: dict[type, Callable[[Context, Any], None]] = {
    cst.Expr: _expression, cst.Assign: _assign, cst.AnnAssign: _annotated, cst.AugAssign: _augmented, cst.Return: _return,
    cst.Raise: _raise, cst.Assert: _assert, cst.Del: _delete, cst.Break: _break, cst.Continue: _continue, cst.If: _if, cst.For: _for,
    cst.While: _while, cst.With: _with, cst.Try: _try, cst.TryStar: _try, cst.Match: _match, cst.FunctionDef: _function,
    cst.Import: _import, cst.ImportFrom: _import, cst.Pass: _nothing, cst.Global: _nothing, cst.Nonlocal: _nothing, cst.ClassDef: _nothing,
}
