"""Every rule against its page and its fixtures: the marks matched both ways, the golden repairs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nanlint
from nanlint import rules
from nanlint.findings import Finding
from nanlint.rules.base import SECTIONS, Rule
from nanlint.settings import Settings

FIXTURES = Path(__file__).parent.parent / "fixtures" / "rules"
MARK = re.compile(r"\s*# BAD: (?P<names>[\w-]+(?:, [\w-]+)*)$", re.MULTILINE)
#: Rules that the engine emits itself; a file has one of these at most.
BARE = {"invalid-syntax"}

RULES = list(rules.ALL.values())
FULL = [rule for rule in RULES if rule.name not in BARE]
PAIRS = [(rule, suffix) for rule in FULL for suffix in ("", "2")]


def name_of(item: object) -> str | None:
    return item.name if isinstance(item, Rule) else None


def marked(text: str) -> list[tuple[int, str]]:
    """(row, rule name) of every mark, a name as often as it is written."""
    found = []
    for row, line in enumerate(text.splitlines(), 1):
        match = MARK.search(line)
        found += [(row, name) for name in match["names"].split(", ")] if match else []
    return sorted(found)


def seen(findings: list[Finding]) -> list[tuple[int, str]]:
    return sorted((finding.span.row, finding.name) for finding in findings)


def read(rule: Rule, stem: str) -> str:
    return (FIXTURES / rule.name / f"{stem}.py").read_text()


def repaired(text: str) -> str:
    """The text after all fixes, unsafe ones too."""
    return nanlint.fix_source(text, settings=Settings(unsafe_fixes=True))


def check(text: str) -> list[Finding]:
    return nanlint.check_source(text)


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_the_page_has_all_its_sections(rule: Rule) -> None:
    assert tuple(rule.sections()) == SECTIONS
    assert all(rule.sections().values())
    assert len(rule.summary) < 100 and rule.summary.endswith(".")


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_the_bad_example_gives_the_finding_and_the_good_one_none(rule: Rule) -> None:
    bad, good = ({finding.name for finding in check(rule.example(heading))} for heading in ("Bad", "Good"))
    assert rule.name in bad
    assert rule.name not in good and good < bad  # what else is wrong there stands in both: the inf that isnan misses


@pytest.mark.parametrize("rule", [rule for rule in FULL if rule.fixes], ids=name_of)
def test_the_bad_example_repaired_is_the_good_one(rule: Rule) -> None:
    assert bare(repaired(rule.example("Bad"))) == bare(rule.example("Good"))


def bare(text: str) -> str:
    """Without the imports that a repair leaves unused or a page writes for both sides."""
    return re.sub(r"^(import|from) .*\n", "", text, flags=re.MULTILINE).strip()


@pytest.mark.parametrize(("rule", "suffix"), PAIRS, ids=name_of)
def test_marks_and_findings_are_the_same(rule: Rule, suffix: str) -> None:
    text = read(rule, f"bad{suffix}")
    assert sum(name == rule.name for _, name in marked(text)) >= 3
    assert seen(check(MARK.sub("", text))) == marked(text)


@pytest.mark.parametrize(("rule", "suffix"), PAIRS, ids=name_of)
def test_look_alikes_are_silent(rule: Rule, suffix: str) -> None:
    text = read(rule, f"good{suffix}")
    assert len(re.findall(r"^ {4,}(return|yield|\w+ = |\w+\.|with |if |assert )", text, re.MULTILINE)) >= 3
    assert seen(check(text)) == []


@pytest.mark.parametrize(("rule", "suffix"), PAIRS, ids=name_of)
def test_repairs_are_golden(rule: Rule, suffix: str, pytestconfig: pytest.Config) -> None:
    text = repaired(MARK.sub("", read(rule, f"bad{suffix}")))
    golden = FIXTURES / rule.name / f"fixed{suffix}.py"
    if pytestconfig.getoption("--rewrite-golden"):
        golden.write_text(text)
    assert text == golden.read_text()


def test_codes_and_names_are_found_and_selected() -> None:
    assert rules.find("NAN201") is rules.find("sqrt-at-zero") is rules.ALL["NAN201"]
    assert rules.find("sqrt-at") is None
    assert rules.select(["NAN30"]) == {code for code in rules.ALL if code.startswith("NAN30")} > {"NAN301", "NAN305"}
    assert rules.select(["log-of-s"]) == {"NAN301", "NAN302", "NAN303"}
    assert rules.select(["ALL"]) == set(rules.ALL)
    with pytest.raises(rules.UnknownRule, match="NAN999"):
        rules.select(["NAN999"])


def test_rules_that_are_silenced_exist() -> None:
    names = {rule.name for rule in RULES}
    assert all(set(rule.before) <= names - {rule.name} for rule in RULES)


def test_every_kind_that_a_rule_hears_is_stated_by_a_row_or_a_composition() -> None:
    from nanlint import ops
    from nanlint.interp import cancellations, compositions, forms
    from nanlint.ops.spec import Break

    stated = {brk.kind for op in ops.rows().values() for brk in op.breaks} | {"discarded"}
    stated |= {value.kind for module in (compositions, forms, cancellations) for value in vars(module).values() if isinstance(value, Break)}
    heard = {kind for rule in RULES for kind in rule.hears}
    assert heard <= stated
