"""The pages of the rules and the tables of the README, made from what they describe.

`python -m nanlint.manual README.md` rewrites what stands between `<!-- NAME: start -->` and `<!-- NAME: end -->`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

from nanlint import ops, rules
from nanlint.ops.spec import Op
from nanlint.settings import EXCLUDE, keys, spelled


def page(code_or_name: str) -> str | None:
    """The page of a rule under its heading; None if there is no such rule."""
    rule = rules.find(code_or_name)
    return None if rule is None else f"# {rule.code} {rule.name}\n\n{rule.page.rstrip()}\n{_heard(rule.hears)}"


def _heard(kinds: tuple[str, ...]) -> str:
    """The ops that a rule hears, by what happens to them; from the rows. Ops of one fate share a line."""
    fates: dict[tuple[str, str], list[str]] = {}
    for op in ops.rows().values():
        for brk in op.breaks:
            if brk.kind in kinds:
                fates.setdefault((brk.where, f"`{brk.arg}`: {brk.says}"), []).append(_spelled(op))
    if not fates:
        return ""
    lines = [f"- {says} ({where}): {', '.join(sorted(set(names)))}" for (where, says), names in sorted(fates.items())]
    return "\n## Where ops break\n\n" + "\n".join(lines) + "\n"


def _spelled(op: Op) -> str:
    """The commonest way to write an op: a function of torch, else an operator, a function of another library, a method."""
    order = {"torch": 0, "python": 1}
    names = [(s.name.startswith("."), order.get(s.lib, 2), i, s.name) for i, s in enumerate(ops.spellings()) if s.op.name == op.name]
    return f"`{min(names)[3]}`" if names else f"`{op.name}`"


def list_rules() -> Iterator[str]:
    """A line for each rule: code, name, what it finds."""
    wide = max((len(rule.name) for rule in rules.ALL.values()), default=0)
    for rule in rules.ALL.values():
        yield f"{rule.code}  {rule.name:<{wide}}  {rule.summary}"


def rules_table() -> str:
    rows = ["| code | name | what it finds | fix |", "| --- | --- | --- | --- |"]
    for rule in rules.ALL.values():
        rows.append(f"| {rule.code} | {rule.name} | {_cell(rule.summary)} | {'yes' if rule.fixes else ''} |")
    return "\n".join(rows)


def settings_table() -> str:
    rows = ["| key and flag | value | default | meaning |", "| --- | --- | --- | --- |"]
    for key in keys():
        kind = key.metadata["kind"]
        rows.append(f"| `{spelled(key.name)}` | {_cell(kind.words)} | {_default(key.default)} | {_cell(key.metadata['help'])} |")
    return "\n".join(rows)


def _default(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if value == EXCLUDE:
        return "`.git`, `.venv`, `build` ... (below)"
    return f"`{list(value) if isinstance(value, tuple) else value}`".replace("'", '"')


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def excludes() -> str:
    return ", ".join(f"`{pattern}`" for pattern in EXCLUDE)


TABLES = {"rules": rules_table, "settings": settings_table, "excludes": excludes}


def update(text: str) -> str:
    """The text with its generated parts made anew."""
    for name, make in TABLES.items():
        between = re.compile(rf"(<!-- {name}: start -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
        text = between.sub(lambda match, body=make(): f"{match[1]}{body}\n{match[2]}", text)  # type: ignore[misc]
    return text


def main(paths: list[str]) -> None:
    for path in paths:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(update(text))


if __name__ == "__main__":
    main(sys.argv[1:])
