"""What a rule says (Verdict) and how it is found (Rule).

A rule is a module ``nNNN_some_name.py``: its docstring is its page, HEARS names the kinds of breaks it
hears, BEFORE the rules that are silent at the same node when this one speaks, `check(use, hit)`
gives a Verdict or None, `fix(use, hit, pen)`, if there is one, a Fix or None.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Site, Use
    from nanlint.rewrite import Pen

#: The sections of a page, in order.
SECTIONS = ("What it finds", "Why it breaks", "Bad", "Good", "Fix", "When to ignore it")


@dataclass(frozen=True)
class Verdict:
    """A rule's word on one hit.

    message    what goes wrong, where it comes from, when
    at         where the finding stands (None: at the use's own expression)
    evidence   replaces the hit's evidence
    notes      steps of the value's path, from its origin to the hazard
    covers     inner uses whose findings this one speaks for
    """

    message: str
    at: Site | None = None
    evidence: str | None = None
    notes: tuple[tuple[str, Site], ...] = ()
    covers: tuple[Use, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A rule by its code ("NAN201") and name ("sqrt-at-zero"); its module is imported at first use."""

    code: str
    name: str
    module_name: str

    @cached_property
    def module(self) -> ModuleType:
        return importlib.import_module(self.module_name)

    @property
    def page(self) -> str:
        """The rule's page in Markdown, without a trailing newline."""
        return (self.module.__doc__ or "").strip()

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]

    @property
    def hears(self) -> tuple[str, ...]:
        kinds: tuple[str, ...] = self.module.HEARS
        return kinds

    @property
    def before(self) -> tuple[str, ...]:
        """Names of the rules that this one silences at the same node."""
        names: tuple[str, ...] = getattr(self.module, "BEFORE", ())
        return names

    @property
    def fixes(self) -> bool:
        return hasattr(self.module, "fix")

    def check(self, use: Use, hit: Hit) -> Verdict | None:
        verdict: Verdict | None = self.module.check(use, hit)
        return verdict

    def fix(self, use: Use, hit: Hit, pen: Pen) -> Fix | None:
        if not self.fixes:
            return None
        fix: Fix | None = self.module.fix(use, hit, pen)
        return fix

    def sections(self) -> dict[str, str]:
        """The page's sections by heading, in order."""
        return dict(_split(self.page))

    def example(self, heading: str) -> str:
        """The code of the fenced python block of a section ("Bad", "Good")."""
        return _fenced(self.sections()[heading])


def _split(page: str) -> list[tuple[str, str]]:
    """Headings are lines underlined by dashes or opened by ``## ``."""
    found: list[tuple[str, list[str]]] = []
    for line in page.splitlines():
        if line.startswith("## "):
            found.append((line[3:].strip(), []))
        elif found:
            found[-1][1].append(line)
    return [(heading, "\n".join(lines).strip()) for heading, lines in found]


def _fenced(section: str) -> str:
    inside: list[str] = []
    taking = False
    for line in section.splitlines():
        if line.startswith("```"):
            if taking:
                break
            taking = line.startswith("```python")
        elif taking:
            inside.append(line)
    return "".join(line + "\n" for line in inside)


def rule_of(module_name: str) -> Rule:
    """The rule of a module "nanlint.rules.n201_sqrt_at_zero"."""
    stem = module_name.rpartition(".")[2]
    number, _, words = stem.partition("_")
    return Rule(f"NAN{number[1:]}", words.replace("_", "-"), module_name)


def silent(*_: Any) -> None:
    """The check of a rule that the engine itself emits."""
