"""What a test says on each side, read from the terms of its value: through variables and calls."""

from __future__ import annotations

from collections.abc import Iterator

from nanlint.interp.matchers import core
from nanlint.interp.context import Context
from nanlint.interp.state import State
from nanlint.interp.values import NONE, Term, Value, constant
from nanlint.interval import Interval, next_down, next_up
from nanlint.ops.spec import MISSING

INF = float("inf")
#: What a comparison says of its left side where it holds: (bounded above?, strict?); None: equality.
MIRROR = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq"}
EVERYWHERE = frozenset({"all"})
SOMEWHERE = frozenset({"any"})
COUNTS = frozenset({"numel", "len", "size", "count_nonzero"})
#: What "not 0" leaves: float32's smallest number, 1 for counts.
SMALLEST = 1.4e-45


def split(ctx: Context, test: Value) -> tuple[State | None, State | None]:
    """The states in which a test holds and does not; None for a side that cannot be reached."""
    state = ctx.state
    if state is None:
        return None, None
    known = truth(test)
    if known is None and test.term is not None:
        known = state.truths.get(test.term)
    yes = None if known is False else _assume(ctx, state.fork(), test, True)
    no = None if known is True else _assume(ctx, state.fork(), test, False)
    if yes is None and no is None:
        return state.fork(), state.fork()
    return yes, no


def truth(value: Value) -> bool | None:
    """Whether a value is known to be true or false."""
    if value.const is not MISSING and not value.is_default:
        return bool(value.const)
    if value.kind in ("function", "class", "module", "instance", "layer", "dtype"):
        return True
    if value.kind == "sequence" and value.items is not None:
        return bool(value.items)
    return None


def _assume(ctx: Context, state: State, test: Value, holds: bool) -> State | None:
    if test.term is None:
        return state
    for term, interval in facts(test.term, holds):
        if not state.learn(term, interval):
            return None
    state.truths[test.term] = holds
    _refine_names(ctx, state, test.term, holds)
    return state


def _refine_names(ctx: Context, state: State, term: Term, holds: bool) -> None:
    """Names whose value the test decides: x is None, a bare flag."""
    for inner, positive in _conjuncts(term, holds):
        if inner.op == "is_none" and inner.args:
            for name, value in list(state.names.items()):
                if value.term is not None and value.term is inner.args[0]:
                    state.names[name] = NONE if positive else value.but(marks=value.marks - {"optional"})


def _conjuncts(term: Term, holds: bool) -> Iterator[tuple[Term, bool]]:
    """The parts of a test that are all decided by its outcome."""
    if term.op in ("not", "logical_not", "bitwise_not", "invert") and term.args:
        yield from _conjuncts(term.args[0], not holds)
    elif term.op in ("and", "logical_and", "bitwise_and") and holds or term.op in ("or", "logical_or", "bitwise_or") and not holds:
        for arg in term.args:
            yield from _conjuncts(arg, holds)
    elif term.op == "bool" and term.args:
        yield from _conjuncts(term.args[0], holds)
    else:
        yield term, holds


def facts(test: Term, holds: bool) -> Iterator[tuple[Term, Interval]]:
    """Ranges of terms that follow from the outcome of a test in an if: of scalars, and of all elements."""
    for term, positive in _conjuncts(test, holds):
        if term.op in SOMEWHERE and term.args:
            yield from _any(term, positive)
        elif term.op in EVERYWHERE and positive and term.args:
            yield from _elements(term.args[0], True)
        elif term.op in MIRROR:
            yield from _comparison(term, positive)
        elif term.op in ("item", "float", "int") and term.args:
            yield from facts(term.args[0], positive)
        else:
            yield from _truthy(term, positive)


def _truthy(term: Term, positive: bool) -> Iterator[tuple[Term, Interval]]:
    """A number used as a test."""
    if term.op in ("leaf", "isnan", "isinf", "isfinite", "is_none", "in", "is", "or", "and") and term.op != "leaf":
        return
    yield term, Interval(-INF, INF, 1.0 if term.op in COUNTS else SMALLEST) if positive else Interval.point(0.0)
    if positive:
        yield from _counted(term, Interval(1.0, INF))


def _any(term: Term, positive: bool) -> Iterator[tuple[Term, Interval]]:
    """any(mask): its sum is at least 1; not any(mask): nothing of it holds anywhere."""
    mask = term.args[0]
    if term.get("dim") is not None:
        return
    if positive:
        yield Term("sum", (mask,), ()), Interval(1.0, INF)
        yield Term("count_nonzero", (mask,), ()), Interval(1.0, INF)
        yield Term("selected", (core(mask),), ()), Interval(1.0, INF)
    else:
        yield from _elements(mask, False)


def _elements(test: Term, holds: bool) -> Iterator[tuple[Term, Interval]]:
    for term, positive in _conjuncts(test, holds):
        if term.op in MIRROR:
            yield from _comparison(term, positive)


def _comparison(term: Term, positive: bool) -> Iterator[tuple[Term, Interval]]:
    op = term.op if positive else OPPOSITE[term.op]
    if len(term.args) != 2:
        return
    left, right = term.args
    for subject, other, relation in ((left, right, op), (right, left, MIRROR[op])):
        bound = core(other).const
        bound = bound if bound is not MISSING else core(other).get("default")
        if isinstance(bound, (int, float)) and subject.op != "const":
            subject = _as_tensor(subject)
            yield from _bounded(subject, relation, float(bound), _is_count(subject))
    if op in ("gt", "ge") and positive:
        yield from _ordered(left, right, op)


def _ordered(left: Term, right: Term, op: str) -> Iterator[tuple[Term, Interval]]:
    """a > b says a - b > 0."""
    floor = SMALLEST if op == "gt" else 0.0
    yield Term("sub", (left, right), ()), Interval(floor, INF)


def _bounded(subject: Term, relation: str, bound: float, whole: bool) -> Iterator[tuple[Term, Interval]]:
    interval = _range_of(relation, bound, 1.0 if whole else 0.0)
    if relation == "ne" and bound == 1.0 and subject.op == "size":
        interval = Interval(2.0, INF)  # a dim of no elements is no batch
    if interval is None:
        return
    yield subject, interval
    inner = core(subject)
    if inner is not subject:
        yield inner, interval
    if subject.op == "abs" and subject.args and relation in ("gt", "ge") and bound >= 0:
        yield subject.args[0], Interval(-INF, INF, next_up(bound, "float32") if relation == "gt" else bound)
    if subject.op in ("amin", "min") and subject.args and relation in ("gt", "ge") and subject.get("dim") is None:
        yield subject.args[0], interval
    if subject.op in ("amax", "max") and subject.args and relation in ("lt", "le") and subject.get("dim") is None:
        yield subject.args[0], interval
    if interval.lo >= 1.0 or whole and relation == "ne" and bound == 0.0:
        yield from _counted(subject, Interval(max(interval.lo, 1.0), interval.hi))
    elif subject.op == "sum" and len(subject.args) == 1 and (interval.lo > 0.0 or relation == "ne" and bound == 0.0):
        yield Term("selected", (core(subject.args[0]),), ()), Interval(1.0, INF)  # asked for where this indexes: as a mask


def _counted(subject: Term, interval: Interval) -> Iterator[tuple[Term, Interval]]:
    """A count that is at least 1: of what it counts."""
    if subject.op in ("sum", "count_nonzero") and len(subject.args) == 1 and subject.get("dim") is None:
        yield Term("selected", (core(subject.args[0]),), ()), interval
        yield Term("sum", subject.args, ()), interval


def _as_tensor(term: Term) -> Term:
    """The count of int(mask.sum()), mask.sum().item()."""
    inner = term
    while inner.op in ("int", "float", "item") and inner.args:
        inner = inner.args[0]
    return inner if _is_count(inner) else term


def _is_count(term: Term) -> bool:
    """Whether a term is a whole number: a length, or the sum of a mask."""
    if term.op in COUNTS:
        return True
    return term.op == "sum" and bool(term.args) and _is_test(core(term.args[0]))


TESTS = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_not", "bitwise_and", "bitwise_or", "bitwise_not", "isnan",
                   "isfinite", "isinf"})


def _is_test(term: Term) -> bool:
    while term.op in ("fill_diagonal", "masked_fill", "tril", "triu", "repeat") and term.args:
        term = core(term.args[0])
    return term.op in TESTS


def _range_of(relation: str, bound: float, step: float) -> Interval | None:
    """The values x with x RELATION bound; step 1 for whole numbers."""
    if relation == "eq":
        return Interval.point(bound)
    if relation == "ne":
        return Interval(-INF, INF, step or SMALLEST) if bound == 0.0 else None
    if relation in ("gt", "ge"):
        strict = bound + step if step else next_up(bound, "float32")
        return Interval(strict if relation == "gt" else bound, INF)
    strict = bound - step if step else next_down(bound, "float32")
    return Interval(-INF, strict if relation == "lt" else bound)


def about(test: Term | None, holds: bool, subject: Term) -> Interval | None:
    """What an elementwise test says of one term where it holds (in where, masked selection)."""
    result: Interval | None = None
    if test is None:
        return None
    subjects = {subject, core(subject)}
    for term, interval in _elements(test, holds):
        if term in subjects or core(term) in subjects:
            result = interval if result is None else result.meet(interval) or result
    return result


def known_to_be(value: Value, outcome: bool) -> Value:
    """A value that decided an and/or by being true or false."""
    if outcome:
        if value.numeric and not value.range.is_point:
            met = value.range.meet(Interval(-INF, INF, SMALLEST))
            return value.but(range=met or value.range)
        return value
    return value if value.const is not MISSING else constant(False) if value.dtype == "pybool" else value.but(range=Interval.point(0.0) if value.numeric else value.range)
