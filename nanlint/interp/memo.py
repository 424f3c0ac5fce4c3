"""Calls that are alike are evaluated once: alike but for the names of the leaves in their arguments' terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from nanlint.interp.values import Term, Terms, Value


@dataclass(eq=False)
class Leaves:
    """Numbers the leaves of the terms of a call in the order of their appearance."""

    order: dict[Term, int] = field(default_factory=dict)

    def name(self, term: Term | None) -> Any:
        """The form of a term with its leaves numbered."""
        if term is None or term.op == "const":
            return term
        if not term.args and term.op == "leaf":
            return (self.order.setdefault(term, len(self.order)), term.get("default"))
        return (term.op, tuple(self.name(a) for a in term.args), term.named)


@dataclass(eq=False)
class Entry:
    """What one evaluation gave: a value, attributes set; the leaves that went in, the ones made meanwhile."""

    value: Value
    stored: dict[str, Value]
    leaves: tuple[Term, ...]
    first: int
    last: int
    alive: Any  # what the key names by identity must not be freed


class Renaming:
    """Carries a result over to another call: leaves of the arguments are exchanged, leaves made inside are made anew."""

    def __init__(self, entry: Entry, leaves: Iterable[Term], terms: Terms) -> None:
        self.entry, self.terms = entry, terms
        self.known: dict[Term, Term] = dict(zip(entry.leaves, leaves))

    def value(self, value: Value) -> Value:
        data = value.data
        if isinstance(data, Value):
            data = self.value(data)
        elif isinstance(data, tuple):
            data = tuple(self.value(v) if isinstance(v, Value) else v for v in data)
        elif isinstance(data, dict):
            data = {k: self.value(v) if isinstance(v, Value) else v for k, v in data.items()}
        term = self.term(value.term) if value.term is not None else None
        return value if term is value.term and data is value.data else value.but(term=term, data=data)

    def term(self, term: Term) -> Term:
        if term not in self.known:
            self.known[term] = self._renamed(term)
        return self.known[term]

    def _renamed(self, term: Term) -> Term:
        if term.op == "leaf":
            number = term.get("number", 0)
            return self.terms.leaf("again") if self.entry.first < number <= self.entry.last else term
        args = tuple(self.term(a) for a in term.args)
        same = all(a is b for a, b in zip(args, term.args))
        return term if same else self.terms.intern(Term(term.op, args, term.named))


def remembered(
    memo: dict[Any, Any], terms: Terms, key: Any, values: list[Value], alive: Any, compute: Callable[[], tuple[Value, dict[str, Value]]]
) -> tuple[Value, dict[str, Value]]:
    """The outcome of compute for a key and arguments, computed once for arguments that are alike."""
    leaves = Leaves()
    full = (key, tuple(v.keyed(leaves.name) for v in values))
    entry: Entry | None = memo.get(full)
    if entry is None:
        first = terms.made
        value, stored = compute()
        memo[full] = Entry(value, stored, tuple(leaves.order), first, terms.made, (alive, values))
        return value, stored
    renaming = Renaming(entry, leaves.order, terms)
    return renaming.value(entry.value), {n: renaming.value(v) for n, v in entry.stored.items()}
