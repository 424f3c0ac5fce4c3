"""What an expression equals: one recursion over libcst's expression nodes."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import libcst as cst

from nanlint import ops
from nanlint.interp import attributes, calls, conditions, functions, subscripts
from nanlint.interp.apply import apply
from nanlint.interp.context import Context
from nanlint.interp.project import FunctionInfo
from nanlint.interp.state import merge
from nanlint.interp.values import ANY_COUNT, UNKNOWN, Value, constant, elements, join, sequence
from nanlint.interval import Interval
from nanlint.ops.spec import MISSING, Spelling

#: Sequences of at most so many items are unrolled.
UNROLL = 8
BOOLEAN = Interval(0.0, 1.0)


def evaluate(ctx: Context, node: cst.BaseExpression) -> Value:
    """The abstract value of an expression in the state of the context."""
    ctx.machine.burn()
    handler = HANDLERS.get(type(node))
    value = handler(ctx, node) if handler is not None and ctx.state is not None else UNKNOWN
    if ctx.state is not None and ctx.state.facts:
        value = ctx.state.narrowed(value)
    if ctx.machine.reveal and not ctx.machine.dry:
        ctx.machine.trace.revealed.append((ctx.site(node), value))
    return value


def _name(ctx: Context, node: cst.Name) -> Value:
    return functions.look_up(ctx, node.value)


@lru_cache(maxsize=4096)
def _evaluated(text: str) -> Any:
    """The value of a number's or string's text; None if Python refuses it (too many digits)."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None


def _literal(ctx: Context, node: Any) -> Value:
    value = _evaluated(node.value)
    if value is None:
        return UNKNOWN
    return constant(value, ctx.terms.const(value)) if not isinstance(value, complex) else UNKNOWN


def _string(ctx: Context, node: cst.BaseExpression) -> Value:
    value = _evaluated(node.value) if isinstance(node, cst.SimpleString) else getattr(node, "evaluated_value", None)
    return constant(value) if isinstance(value, (str, bytes)) else Value("string", lib="python")


def _formatted(ctx: Context, node: cst.FormattedString) -> Value:
    for part in node.parts:
        if isinstance(part, cst.FormattedStringExpression):
            evaluate(ctx, part.expression)
    return Value("string", lib="python")


BINARY: dict[type, tuple[str, Callable[[Any, Any], Any]]] = {
    cst.Add: ("add", operator.add), cst.Subtract: ("sub", operator.sub), cst.Multiply: ("mul", operator.mul),
    cst.Divide: ("truediv", operator.truediv), cst.FloorDivide: ("floordiv", operator.floordiv), cst.Modulo: ("mod", operator.mod),
    cst.Power: ("pow", operator.pow), cst.MatrixMultiply: ("matmul", operator.matmul), cst.BitAnd: ("and_", operator.and_),
    cst.BitOr: ("or_", operator.or_), cst.BitXor: ("xor", operator.xor), cst.LeftShift: ("lshift", operator.lshift),
    cst.RightShift: ("rshift", operator.rshift),
}
AUGMENTED: dict[type, type] = {
    cst.AddAssign: cst.Add, cst.SubtractAssign: cst.Subtract, cst.MultiplyAssign: cst.Multiply, cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide, cst.ModuloAssign: cst.Modulo, cst.PowerAssign: cst.Power,
    cst.MatrixMultiplyAssign: cst.MatrixMultiply, cst.BitAndAssign: cst.BitAnd, cst.BitOrAssign: cst.BitOr, cst.BitXorAssign: cst.BitXor,
}
UNARY: dict[type, str] = {cst.Minus: "neg", cst.Plus: "pos", cst.BitInvert: "invert"}
COMPARE: dict[type, str] = {
    cst.Equal: "eq", cst.NotEqual: "ne", cst.LessThan: "lt", cst.LessThanEqual: "le", cst.GreaterThan: "gt", cst.GreaterThanEqual: "ge",
}


def _binary(ctx: Context, node: cst.BinaryOperation) -> Value:
    """Left spines are folded by a loop."""
    spine = [node]
    while isinstance(spine[-1].left, cst.BinaryOperation):
        spine.append(spine[-1].left)
    left = evaluate(ctx, spine[-1].left)
    for part in reversed(spine):
        right = evaluate(ctx, part.right)
        left = combine(ctx, part, type(part.operator), left, right, part.left, part.right)
    return left


def combine(ctx: Context, node: cst.CSTNode, kind: type, left: Value, right: Value, left_node: Any, right_node: Any) -> Value:
    """left OP right at a node."""
    name, fold = BINARY[kind]
    folded = _folded(ctx, fold, left, right)
    if folded is not None:
        return folded
    if left.kind in ("sequence", "string") or right.kind == "string" or "sequence" == right.kind:
        return _containers(name, left, right, ctx)
    spelling = ops.find(f"operator.{name}")
    if spelling is None or not (left.numeric and right.numeric):
        return UNKNOWN.but(cuts=left.cuts | right.cuts, grad=max(left.grad, right.grad, key=("no", "maybe", "assumed", "yes").index))
    return operate(ctx, node, spelling, [left, right], [left_node, right_node])


def operate(ctx: Context, node: cst.CSTNode, spelling: Spelling, values: list[Value], nodes: list[Any]) -> Value:
    """Applies an operator's spelling to its operands."""
    spelling = ops.choose(spelling, [v.kind for v in values])
    spelling = calls.in_library(ctx, spelling, values)
    names = [p.canonical for p in spelling.params]
    args = {n: constant(c, ctx.terms.const(c)) for n, c in spelling.preset.items()}
    args = {**dict(zip(names, values)), **args}
    return apply(ctx, spelling, node, args, {n: c for n, c in zip(names, nodes) if c is not None})


def _folded(ctx: Context, fold: Callable[..., Any], *values: Value) -> Value | None:
    """The constant of an operation on constants, unless a caller may override one of them."""
    if any(v.const is MISSING or v.const is None or v.is_default or v.kind in ("tensor", "sequence") for v in values):
        return None
    if any(isinstance(v.const, (str, bytes)) for v in values) and fold is not operator.add:
        return None
    if fold is operator.pow and abs(values[-1].range.hi) > 64 or fold is operator.lshift:
        return None
    try:
        result = fold(*(v.const for v in values))
    except (ArithmeticError, TypeError, ValueError, MemoryError):
        return None
    if not isinstance(result, (bool, int, float, str)):
        return None
    return constant(result, ctx.terms.const(result))


def _containers(name: str, left: Value, right: Value, ctx: Context) -> Value:
    if "string" in (left.kind, right.kind):
        return Value("string", lib="python")
    if name == "add" and left.kind == right.kind == "sequence":
        if left.items is not None and right.items is not None:
            return sequence(left.items + right.items)
        parts = elements(left) + elements(right)
        return sequence(None, _joined(ctx, parts), ANY_COUNT)
    if name == "mul":
        whole = left if left.kind == "sequence" else right
        return sequence(None, _joined(ctx, elements(whole)), ANY_COUNT)
    return UNKNOWN


def _joined(ctx: Context, values: tuple[Value, ...]) -> Value:
    result = values[0] if values else UNKNOWN
    for value in values[1:]:
        result = join(result, value, ctx.terms)
    return result


def _unary(ctx: Context, node: cst.UnaryOperation) -> Value:
    value = evaluate(ctx, node.expression)
    if isinstance(node.operator, cst.Not):
        folded = _folded(ctx, operator.not_, value)
        return folded if folded is not None else truth_of(ctx, "not", value)
    name = UNARY[type(node.operator)]
    folded = _folded(ctx, getattr(operator, name), value)
    spelling = ops.find(f"operator.{name}")
    if folded is not None or spelling is None or not value.numeric:
        return folded if folded is not None else UNKNOWN
    return operate(ctx, node, spelling, [value], [node.expression])


def truth_of(ctx: Context, op: str, *values: Value) -> Value:
    """A Python truth value with the term that conditions read."""
    terms = tuple(v.term if v.term is not None else ctx.terms.leaf(op) for v in values)
    return Value("number", BOOLEAN, "pybool", ground="config", term=ctx.terms.make(op, terms), count=Interval.point(1.0), lib="python")


def _compare(ctx: Context, node: cst.Comparison) -> Value:
    left, left_node = evaluate(ctx, node.left), node.left
    results = []
    for target in node.comparisons:
        right = evaluate(ctx, target.comparator)
        single = len(node.comparisons) == 1
        results.append(_compared(ctx, node if single else target, type(target.operator), left, right, left_node, target.comparator))
        left, left_node = right, target.comparator
    result = results[0]
    for other in results[1:]:
        result = truth_of(ctx, "and", result, other)
    return result


def _compared(ctx: Context, node: cst.CSTNode, kind: type, left: Value, right: Value, left_node: Any, right_node: Any) -> Value:
    if kind in (cst.Is, cst.IsNot):
        return _identity(ctx, kind is cst.Is, left, right)
    if kind not in COMPARE:
        return truth_of(ctx, "in", left, right)
    name = COMPARE[kind]
    folded = _folded_comparison(ctx, name, left, right)
    spelling = ops.find(f"operator.{name}")
    if folded is not None or spelling is None:
        return folded if folded is not None else UNKNOWN
    if not (left.numeric and right.numeric):
        return truth_of(ctx, name, left, right)
    return operate(ctx, node, spelling, [left, right], [left_node, right_node])


def _folded_comparison(ctx: Context, name: str, left: Value, right: Value) -> Value | None:
    strings = isinstance(left.const, str) and isinstance(right.const, str) and not (left.is_default or right.is_default)
    if strings and name in ("eq", "ne"):
        return constant((left.const == right.const) == (name == "eq"))
    return _folded(ctx, getattr(operator, name), left, right)


def _identity(ctx: Context, positive: bool, left: Value, right: Value) -> Value:
    if right.kind == "none" and not left.is_default:
        if left.kind == "none":
            return constant(positive)
        if left.kind in ("tensor", "number", "sequence", "instance", "layer", "function") and "optional" not in left.marks:
            return constant(not positive)
    value = truth_of(ctx, "is_none" if right.kind == "none" else "is", left, right)
    return value if positive else truth_of(ctx, "not", value)


def _boolean(ctx: Context, node: cst.BooleanOperation) -> Value:
    """a and b, a or b: the right side is evaluated where the left lets it."""
    left = evaluate(ctx, node.left)
    conjunction = isinstance(node.operator, cst.And)
    before = ctx.state
    yes, no = conditions.split(ctx, left)
    ctx.state = yes if conjunction else no
    if ctx.state is None:
        ctx.state = before
        return left
    right = evaluate(ctx, node.right)
    short = no if conjunction else yes
    kept = short.narrowed(left) if short is not None else None
    ctx.state = merge(ctx.state, short, ctx.terms) if short is not None else ctx.state
    joined = join(conditions.known_to_be(kept, not conjunction), right, ctx.terms) if kept is not None else right
    named = truth_of(ctx, "and" if conjunction else "or", left, right)
    return joined.but(term=named.term) if joined.numeric else joined


def _choice(ctx: Context, node: cst.IfExp) -> Value:
    test = evaluate(ctx, node.test)
    yes, no = conditions.split(ctx, test)
    ctx.state, arms, states = yes, [], []
    for state, arm in ((yes, node.body), (no, node.orelse)):
        if state is not None:
            ctx.state = state
            arms.append(evaluate(ctx, arm))
            states.append(ctx.state)
    ctx.state = states[0] if len(states) == 1 else merge(states[0], states[1], ctx.terms)
    return arms[0] if len(arms) == 1 else join(arms[0], arms[1], ctx.terms)


def _items(ctx: Context, node: Any) -> Value:
    items: list[Value] = []
    loose = False
    for element in node.elements:
        value = evaluate(ctx, element.value)
        if isinstance(element, cst.StarredElement):
            loose = loose or value.items is None
            items += elements(value) or (UNKNOWN,)
        else:
            items.append(value)
    if loose:
        return sequence(None, _joined(ctx, tuple(items)), ANY_COUNT)
    return sequence(tuple(items))


def _dict(ctx: Context, node: cst.Dict) -> Value:
    entries: dict[Any, Value] = {}
    for element in node.elements:
        value = evaluate(ctx, element.value)
        if not isinstance(element, cst.DictElement):
            entries.update(value.data if value.kind == "mapping" and isinstance(value.data, dict) else {})
        else:
            key = evaluate(ctx, element.key)
            entries[key.const if key.const is not MISSING else None] = value
    cuts = frozenset().union(*(v.cuts for v in entries.values()))
    return Value("mapping", data=entries, cuts=cuts, lib="python")


def _comprehension(ctx: Context, node: Any) -> Value:
    """List, set and generator: the element joined over the items, or one by one if they are few and known."""
    saved = ctx.state
    if ctx.state is None:
        return UNKNOWN
    ctx.state = ctx.state.fork()
    results: list[Value] = []
    exact = _generate(ctx, node.for_in, lambda: results.append(evaluate(ctx, node.elt)))
    ctx.state = saved
    if exact:
        return sequence(tuple(results))
    return sequence(None, _joined(ctx, tuple(results)), ANY_COUNT)


def _generate(ctx: Context, clause: cst.CompFor, produce: Callable[[], None]) -> bool:
    """Runs produce for the items of a comprehension; True if each item was gone through by itself."""
    items, exact = iterated(ctx, evaluate(ctx, clause.iter))
    for item in items:
        assign_target(ctx, clause.target, item)
        for condition in clause.ifs:
            ctx.state = conditions.split(ctx, evaluate(ctx, condition.test))[0] or ctx.state
        if clause.inner_for_in is not None:
            exact = _generate(ctx, clause.inner_for_in, produce) and exact
        else:
            produce()
    return exact and not clause.ifs


def iterated(ctx: Context, value: Value) -> tuple[list[Value], bool]:
    """What iterating a value gives: its items if they are few and known, else one joined element."""
    if value.items is not None and len(value.items) <= UNROLL:
        return list(value.items), True
    return [element_of(ctx, value)], False


def element_of(ctx: Context, value: Value) -> Value:
    """One item of an iterated value."""
    if value.kind == "sequence":
        return _joined(ctx, elements(value))
    if value.kind == "mapping":
        return Value("string", lib="python")
    if value.kind == "tensor":
        row = ctx.terms.leaf("row")
        unique = value.term is not None and value.term.op.startswith("unique")
        return value.but(term=ctx.terms.make("row", (value.term, row)) if unique and value.term is not None else row, const=MISSING)
    if value.kind == "unknown":
        return UNKNOWN.but(ground=value.ground if value.ground != "config" else "unknown", grad=value.grad, cuts=value.cuts,
                           range=Interval.everything("float32"), marks=value.marks & {"batch"}, term=ctx.terms.leaf("item"))
    return UNKNOWN


def assign_target(ctx: Context, target: Any, value: Value) -> None:
    """Binds a comprehension's or loop's target (statements does this for assignments)."""
    from nanlint.interp import statements

    statements.assign(ctx, target, value)


def _dict_comprehension(ctx: Context, node: cst.DictComp) -> Value:
    saved = ctx.state
    if ctx.state is None:
        return UNKNOWN
    ctx.state = ctx.state.fork()
    values: list[Value] = []

    def produce() -> None:
        evaluate(ctx, node.key)
        values.append(evaluate(ctx, node.value))

    _generate(ctx, node.for_in, produce)
    ctx.state = saved
    return Value("mapping", data={None: _joined(ctx, tuple(values))}, lib="python")


def _lambda(ctx: Context, node: cst.Lambda) -> Value:
    info = FunctionInfo(f"{ctx.frame.name}.<lambda>", ctx.module, None, inner=node, closure=ctx)
    return Value("function", data=info, lib="python")


def _walrus(ctx: Context, node: cst.NamedExpr) -> Value:
    value = evaluate(ctx, node.value)
    assign_target(ctx, node.target, value)
    return value


def _yield(ctx: Context, node: cst.Yield) -> Value:
    if isinstance(node.value, cst.From):
        value = element_of(ctx, evaluate(ctx, node.value.item))
    else:
        value = evaluate(ctx, node.value) if node.value is not None else UNKNOWN
    ctx.yields.append(value)
    return UNKNOWN


def _await(ctx: Context, node: cst.Await) -> Value:
    evaluate(ctx, node.expression)
    return UNKNOWN


HANDLERS: dict[type, Callable[[Context, Any], Value]] = {
    cst.Name: _name, cst.Integer: _literal, cst.Float: _literal, cst.SimpleString: _string, cst.ConcatenatedString: _string,
    cst.FormattedString: _formatted, cst.BinaryOperation: _binary, cst.UnaryOperation: _unary, cst.Comparison: _compare,
    cst.BooleanOperation: _boolean, cst.IfExp: _choice, cst.Tuple: _items, cst.List: _items, cst.Set: _items, cst.Dict: _dict,
    cst.ListComp: _comprehension, cst.SetComp: _comprehension, cst.GeneratorExp: _comprehension, cst.DictComp: _dict_comprehension,
    cst.Lambda: _lambda, cst.NamedExpr: _walrus, cst.Yield: _yield, cst.Await: _await,
    cst.Attribute: attributes.attribute, cst.Subscript: subscripts.subscript, cst.Call: calls.call,
}
