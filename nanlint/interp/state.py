"""What is known at a point of a function: names and attributes, when they were set, facts about terms."""

from __future__ import annotations

import math
from collections.abc import Iterable

from nanlint.interp.values import NONE, UNKNOWN, Term, Terms, Value, join
from nanlint.interval import Interval
from nanlint.ops.spec import MISSING

#: Dtypes of whole numbers: above 0 is at least 1.
WHOLE = frozenset({"pyint", "int8", "int16", "int32", "int64", "uint8"})
#: Where a widened range may rest before it becomes everything.
THRESHOLDS = (0.0, 1.0)


class State:
    """Names (and dotted attributes) to values, the clock of their last assignment, facts by term.

    facts narrow the range of a term on this path; truths are terms of tests that hold (True) or not.
    """

    __slots__ = ("names", "stamps", "facts", "truths")

    def __init__(self) -> None:
        self.names: dict[str, Value] = {}
        self.stamps: dict[str, int] = {}
        self.facts: dict[Term, Interval] = {}
        self.truths: dict[Term, bool] = {}

    def fork(self) -> State:
        other = State()
        other.names, other.stamps = dict(self.names), dict(self.stamps)
        other.facts, other.truths = dict(self.facts), dict(self.truths)
        return other

    def set(self, name: str, value: Value, clock: int) -> None:
        """Binds a name; what was known of its attributes is forgotten."""
        prefix = name + "."
        for other in [n for n in self.names if n.startswith(prefix)]:
            del self.names[other]
        self.names[name] = value
        self.stamps[name] = clock

    def forget(self, name: str, clock: int) -> None:
        self.names.pop(name, None)
        self.stamps[name] = clock

    def learn(self, term: Term, interval: Interval) -> bool:
        """Adds a fact; False if it contradicts what is known (the path is dead)."""
        known = self.facts.get(term)
        met = interval if known is None else known.meet(interval)
        if met is None:
            return False
        self.facts[term] = met
        return True

    def narrowed(self, value: Value) -> Value:
        """The value with what the path's facts say of its term."""
        if value.term is None or not self.facts:
            return value
        fact = self.facts.get(value.term)
        if fact is None:
            return value
        met = value.range.meet(fact)
        if met is None and value.is_default:
            return value.but(range=fact, const=MISSING)  # a caller gave something else
        if met is not None and value.dtype in WHOLE:
            met = Interval(math.ceil(met.lo) if abs(met.lo) < 2**53 else met.lo, math.floor(met.hi) if abs(met.hi) < 2**53 else met.hi, math.ceil(met.away))
        return value if met is None or met == value.range else value.but(range=met)

    def terms(self) -> dict[str, Term]:
        return {n: v.term for n, v in self.names.items() if v.term is not None}


def merge(one: State | None, other: State | None, terms: Terms) -> State | None:
    """The state behind two paths; None is a path that does not get there."""
    if one is None or other is None:
        return other if one is None else one
    result = State()
    for name in {**one.names, **other.names}:
        a, b = one.names.get(name), other.names.get(name)
        if a is not None and b is not None:
            result.names[name] = join(one.narrowed(a), other.narrowed(b), terms) if a is not b or one.facts or other.facts else a
        elif "." not in name:
            result.names[name] = a or b or UNKNOWN
    for name in {**one.stamps, **other.stamps}:
        result.stamps[name] = max(one.stamps.get(name, 0), other.stamps.get(name, 0))
    for term in one.facts.keys() & other.facts.keys():
        result.facts[term] = one.facts[term].join(other.facts[term])
    result.truths = {t: v for t, v in one.truths.items() if other.truths.get(t) is v}
    return result


def merge_all(states: Iterable[State | None], terms: Terms) -> State | None:
    result: State | None = None
    for state in states:
        result = merge(result, state, terms)
    return result


def widen(before: State, after: State | None, terms: Terms, thresholds: tuple[float, ...], place: int) -> State:
    """A state that holds at a loop's head: what one pass changed is widened and gets a term of the loop."""
    if after is None:
        return before.fork()
    result = before.fork()
    for name, new in after.names.items():
        old = before.names.get(name)
        if old is None:
            if "." not in name:
                result.names[name] = new
        elif old is not new and old.key != new.key:
            result.names[name] = _widened(old, new, terms, thresholds, f"loop{place}:{name}")
        result.stamps[name] = max(before.stamps.get(name, 0), after.stamps.get(name, 0))
    result.facts = {t: before.facts[t].join(f) for t, f in after.facts.items() if t in before.facts}
    result.truths = {t: v for t, v in before.truths.items() if after.truths.get(t) is v}
    return result


def _widened(old: Value, new: Value, terms: Terms, thresholds: tuple[float, ...], key: str) -> Value:
    both = join(old, new, terms)
    if both.kind == "none":
        return NONE
    if not both.numeric:
        return both
    wide = old.range.widen(both.range, (*THRESHOLDS, *thresholds))
    return both.but(range=wide, term=terms.known(key), const=MISSING)
