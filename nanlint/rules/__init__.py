"""The door of the rules: ALL by code, found by listing this folder; find, select, hearing."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping

from nanlint.rules.base import Rule, Verdict, rule_of

__all__ = ["ALL", "Rule", "UnknownRule", "Verdict", "find", "hearing", "select"]

_MODULE = re.compile(r"n\d{3}_[a-z0-9_]+")


class UnknownRule(ValueError):
    """No rule has this code, name or prefix."""


class _Rules(Mapping[str, Rule]):
    """The rules by code, in the order of codes; the folder is listed at the first look."""

    def __init__(self) -> None:
        self._rules: dict[str, Rule] | None = None

    def _all(self) -> dict[str, Rule]:
        if self._rules is None:
            names = sorted(m.name for m in pkgutil.iter_modules(__path__) if _MODULE.fullmatch(m.name))
            self._rules = {rule.code: rule for rule in (rule_of(f"{__name__}.{name}") for name in names)}
        return self._rules

    def __getitem__(self, code: str) -> Rule:
        return self._all()[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


ALL: Mapping[str, Rule] = _Rules()


def find(code_or_name: str) -> Rule | None:
    """The rule with this code ("NAN201", in any case) or name ("sqrt-at-zero")."""
    for rule in ALL.values():
        if code_or_name.upper() == rule.code or code_or_name.lower() == rule.name:
            return rule
    return None


def select(patterns: Iterable[str]) -> frozenset[str]:
    """Codes of the rules that match a code, a name, a prefix of either, or ALL. Raises UnknownRule."""
    codes: set[str] = set()
    for pattern in patterns:
        codes |= _matching(pattern.strip())
    return frozenset(codes)


def _matching(pattern: str) -> set[str]:
    if pattern.upper() == "ALL":
        return set(ALL)
    found = {rule.code for rule in ALL.values() if pattern and _begins(rule, pattern)}
    if not found:
        raise UnknownRule(f"no rule has the code, name or prefix {pattern!r}")
    return found


def _begins(rule: Rule, pattern: str) -> bool:
    exact = find(pattern)
    if exact is not None:
        return rule is exact
    return rule.code.startswith(pattern.upper()) or rule.name.startswith(pattern.lower())


_heard: dict[str, tuple[Rule, ...]] = {}


def hearing(kind: str) -> tuple[Rule, ...]:
    """The rules that hear a kind of break, in the order of codes."""
    if not _heard:
        for rule in ALL.values():
            for heard in rule.hears:
                _heard[heard] = (*_heard.get(heard, ()), rule)
    return _heard.get(kind, ())
