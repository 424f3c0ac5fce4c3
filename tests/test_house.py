"""The house rules that can be counted: floors, sizes, codes, pages, generated tables, the package files."""

from __future__ import annotations

import ast
import configparser
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import nanlint
from nanlint import manual, ops, rules
from nanlint.rules.base import SECTIONS
from nanlint.settings import keys, spelled

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nanlint"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: The floors of the parts of nanlint/, lowest first; a module imports from its own floor and those below.
FLOORS = (
    ("interval", "settings"),
    ("findings", "scopes", "fragments", "grammar", "source", "atomic"),
    ("ops",),
    ("interp",),
    ("imports", "rewrite", "rules"),
    ("files", "repair", "engine"),
    ("reports", "manual", "plugin", "cli"),
    ("__main__",),
)
FLOOR_OF = {name: number for number, floor in enumerate(FLOORS) for name in floor}
#: Libraries that one file alone may know.
ONLY_IN = {"flake8": ("plugin",), "click": ("cli",), "pathspec": ("files",), "rich": ("reports",)}
NEVER = ("torch", "numpy", "jax", "tensorflow")


def imports(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, at any depth and for types too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def home(path: Path) -> str:
    """The part of nanlint/ that a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))


@pytest.mark.parametrize("path", [p for p in MODULES if p != PACKAGE / "__init__.py"], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_down(path: Path) -> None:
    here = FLOOR_OF[home(path)]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "nanlint" and len(parts) > 1 and not parts[1].startswith("__"):
            assert FLOOR_OF[parts[1]] <= here, f"{path.name} imports {name}"
        assert parts[0] not in NEVER, f"{path.name} imports {name}"
        assert home(path) in ONLY_IN.get(parts[0], (home(path),)), f"{path.name} imports {name}"


def test_the_package_itself_imports_nothing() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    run_at_import = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    assert [n.module for n in run_at_import if isinstance(n, ast.ImportFrom)] == ["__future__"] and len(run_at_import) == 1
    assert all(getattr(nanlint, name) is not None for name in nanlint.__all__)
    with pytest.raises(AttributeError):
        nanlint.nothing  # type: ignore[attr-defined]


def test_sizes() -> None:
    assert len(MODULES) > 30
    long_files = {p.name: n for p in MODULES if (n := len(p.read_text(encoding="utf-8").splitlines())) > 600}
    long_functions = {f"{p.name}:{f.name}": n for p in MODULES for f in functions(p) if (n := (f.end_lineno or 0) - f.lineno + 1) > 60}
    assert (long_files, long_functions) == ({}, {})


def test_nothing_is_left_unfinished() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    assert [(p.name, w) for p in MODULES for w in words if w in p.read_text(encoding="utf-8")] == []
    stubs = [f"{p.name}:{f.name}" for p in MODULES for f in functions(p) if "NotImplementedError" in ast.unparse(f)]
    assert stubs == []


def test_the_boundary_is_one() -> None:
    """`except Exception` stands in engine (CLI) and plugin (flake8) only; nothing is caught bare."""
    wide: set[str] = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")):
                passed_on = any(isinstance(n, ast.Raise) and n.exc is None for n in ast.walk(node)) or "set_exception(" in ast.unparse(node)
                wide |= set() if passed_on and path.name not in ("engine.py", "plugin.py") else {path.name}
    assert wide == {"engine.py", "plugin.py"}


def test_codes_and_names() -> None:
    found = list(rules.ALL.values())
    assert len(found) >= 21
    assert all(re.fullmatch(r"NAN\d{3}", rule.code) for rule in found)
    assert len({rule.code for rule in found}) == len({rule.name for rule in found}) == len(found)
    assert all(rule.hears for rule in found if rule.code != "NAN900")
    assert all(rules.find(name) is not None for rule in found for name in rule.before)


@pytest.mark.parametrize("code", list(rules.ALL))
def test_pages_are_complete(code: str) -> None:
    rule = rules.ALL[code]
    sections = rule.sections()
    assert list(sections) == list(SECTIONS)
    assert all(sections.values())
    assert rule.summary.endswith(".")
    assert rule.example("Bad") and rule.example("Good")
    page = manual.page(rule.name)
    assert page == manual.page(rule.code.lower()) and page is not None
    assert page.startswith(f"# {rule.code} {rule.name}\n\n{rule.page.rstrip()}\n")
    heard = {brk.says for op in ops.rows().values() for brk in op.breaks if brk.kind in rule.hears}
    assert all(says in page for says in heard) and ("## Where ops break" in page) == bool(heard)


def test_the_readme_is_current() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert manual.update(readme) == readme, "run: python -m nanlint.manual README.md"
    for name in manual.TABLES:
        assert readme.count(f"<!-- {name}: start -->") == readme.count(f"<!-- {name}: end -->") == 1
    assert all(f"| {rule.code} | {rule.name} |" in readme for rule in rules.ALL.values())
    assert all(f"| `{spelled(key.name)}` |" in readme for key in keys())


def test_stale_tables_are_made_anew() -> None:
    stale = "a\n<!-- rules: start -->\nold\n<!-- rules: end -->\nb\n"
    assert manual.update(stale) == f"a\n<!-- rules: start -->\n{manual.rules_table()}\n<!-- rules: end -->\nb\n"


def test_package_files() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.10"
    names = {re.split(r"[<>=;\s]", line)[0] for line in project["dependencies"]}
    assert names == {"libcst", "click", "pathspec", "rich", "tomli"}
    assert not any("torch" in line for line in project["optional-dependencies"]["test"])
    assert project["entry-points"]["flake8.extension"] == {"NAN": "nanlint.plugin:NanPlugin"}
    tox = configparser.ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    assert "flake8" in tox["testenv"]["extras"] and "flake8" not in tox["testenv:noflake8"]["extras"]
    assert "mypy --strict nanlint" in tox["testenv:lint"]["commands"]
    assert (PACKAGE / "py.typed").exists() and "MIT License" in (ROOT / "LICENSE").read_text()
    assert nanlint.__version__ in (ROOT / "CHANGELOG.md").read_text()
