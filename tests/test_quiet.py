"""Ordinary, well-guarded model code (fixtures/quiet): not one finding, and nothing for --fix to change."""

from __future__ import annotations

from pathlib import Path

import pytest

import nanlint
from nanlint.findings import Finding
from nanlint.settings import Settings

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "quiet"
FILES = sorted(p.name for p in FOLDER.glob("*.py"))
#: (file, source line without indentation) of false alarms that are not cured yet, each with its reason.
#: An entry that falls silent fails.
KNOWN_GAPS: dict[tuple[str, str], str] = {
}


def findings(file: str) -> list[tuple[str, Finding]]:
    """Each finding of a file with the line that it starts on."""
    text = (FOLDER / file).read_text()
    lines = text.splitlines()
    return [(lines[f.span.row - 1].strip(), f) for f in nanlint.check_source(text, str(FOLDER / file))]


@pytest.mark.parametrize("file", FILES)
def test_not_one_finding(file: str) -> None:
    alarms = findings(file)
    known = {line for name, line in KNOWN_GAPS if name == file}
    wrong = [f"{f.span.row}: {f.code} ({f.evidence}) {f.message}\n    {line}" for line, f in alarms if line not in known]
    assert not wrong, "\n".join([file, *wrong])
    silent = known - {line for line, _ in alarms}
    assert not silent, f"{file}: silent now, take out of KNOWN_GAPS: {sorted(silent)}"


@pytest.mark.parametrize("file", [f for f in FILES if f not in {name for name, _ in KNOWN_GAPS}])
def test_nothing_is_repaired(file: str) -> None:
    text = (FOLDER / file).read_text()
    assert nanlint.fix_source(text, str(FOLDER / file), Settings(unsafe_fixes=True)) == text


@pytest.mark.parametrize("file", FILES)
def test_the_file_is_model_code_that_runs(file: str) -> None:
    """The fixtures are real code: they import under torch and are of some length."""
    pytest.importorskip("torch")
    text = (FOLDER / file).read_text()
    assert 60 <= len(text.splitlines()) <= 150
    import sys
    from types import ModuleType

    module = ModuleType("quiet_" + file[:-3])
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, file, "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 15
    assert {name for name, _ in KNOWN_GAPS} <= set(FILES)
