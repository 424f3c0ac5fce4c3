"""nanlint over code that nobody wrote for it: the standard library, its own files, and random ruins of both."""

from __future__ import annotations

import os
import random
import sysconfig
from importlib.util import find_spec
from pathlib import Path

import pytest

from nanlint.engine import Ask, Session
from nanlint.files import SUFFIXES
from nanlint.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
EVERYTHING = Settings(evidence="unknown")


def sample(folder: Path, count: int, seed: str) -> list[Path]:
    """Some files below a folder, the same in every run of one version of it."""
    files = sorted(p for p in folder.rglob("*.py") if p.suffix in SUFFIXES and "site-packages" not in p.relative_to(folder).parts)
    return sorted(random.Random(seed).sample(files, min(count, len(files))))


def check(paths: list[Path], ask: Ask = Ask()) -> int:
    """Runs over files in memory (nothing is written); an internal error is raised. The number of findings."""
    assert os.environ.get("NANLINT_RAISE") and paths
    session = Session(ask)
    outcomes = [session.run(str(path), EVERYTHING, path.read_bytes()) for path in paths]
    assert [p for o in outcomes for p in o.problems] == []
    return sum(len(o.findings) for o in outcomes)


def test_the_standard_library() -> None:
    check(sample(Path(sysconfig.get_paths()["stdlib"]), 60, "stdlib"))


def test_its_own_code_is_clean_of_syntax_errors() -> None:
    session = Session(Ask())
    for path in sorted((ROOT / "nanlint").rglob("*.py")):
        outcome = session.run(str(path), Settings())
        assert not [f for f in outcome.findings if f.code == "NAN900"] and not outcome.problems


def test_fixtures_are_repaired_in_memory() -> None:
    check(sorted((ROOT / "fixtures").rglob("*.py")), Ask("diff"))


@pytest.mark.parametrize("seed", range(4))
def test_ruins(seed: int, tmp_path: Path) -> None:
    """Files cut, doubled and shaken at random places: mostly no Python, never an internal error."""
    chance = random.Random(seed)
    session = Session(Ask("diff"))
    for path in sample(ROOT / "fixtures", 12, f"ruins {seed}"):
        data = path.read_bytes()
        start, end = sorted(chance.sample(range(len(data) + 1), 2))
        for ruin in (data[:start], data[start:], data[:end] + data[start:], data[:start] + bytes([chance.randrange(256)]) + data[end:]):
            assert session.run("ruin.py", EVERYTHING, ruin).problems == []


def test_lines_taken_out() -> None:
    """Still Python, often without its definitions."""
    chance = random.Random(5)
    session = Session(Ask("diff"))
    for path in sample(ROOT / "fixtures", 20, "lines"):
        rows = path.read_bytes().splitlines(keepends=True)
        gone = set(chance.sample(range(len(rows)), max(len(rows) // 8, 1))) if rows else set()
        assert session.run("lines.py", EVERYTHING, b"".join(r for n, r in enumerate(rows) if n not in gone)).problems == []


@pytest.mark.slow
@pytest.mark.parametrize("part", ["nn/modules", "nn/functional.py", "optim", "distributions", "autograd"])
def test_torch_itself(part: str) -> None:
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    place = Path(spec.origin).parent / part
    check([place] if place.is_file() else sample(place, 15, part))
