"""nanlint over code that nobody wrote for it: the standard library, its own files, and random ruins of both."""

from __future__ import annotations

import os
import random
import sysconfig
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from nanlint.engine import Ask, Session
from nanlint.files import SUFFIXES
from nanlint.interp import context, run
from nanlint.settings import Settings
from nanlint.source import Source

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


def test_numbers_that_no_machine_holds() -> None:
    text = "import torch\n\ndef f(x):\n    return range(10**30), [0] * 10**12, 'a' * 10**12, 10**400 * 1.0, 1 << 10**9, x.log() / 1e400, x['\\ud800'].sqrt()\n"
    assert Session(Ask("diff")).run("numbers.py", EVERYTHING, text.encode()).problems == []


def test_functions_that_call_each_other_twice_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a budget for the file calls are followed two deep: the cost stays linear in the number of functions."""
    monkeypatch.setattr(context, "PLENTY", 500)
    rows = ["def f1(x): return x.softmax(-1).log()", "def f0(x): return x.softmax(-1)"]
    rows += [f"def f{i}(x): return f{i - 1}(x) + f{i - 1}(x * 2) + f{i - 2}(x.relu()).log()" for i in range(2, 40)]
    source = Source.from_text("import torch\n" + "\n".join(rows) + "\n", "chain.py")
    burnt = 0

    def burn(machine: context.Machine, original: Callable[[context.Machine], None] = context.Machine.burn) -> None:
        nonlocal burnt
        burnt += 1
        original(machine)

    monkeypatch.setattr(context.Machine, "burn", burn)
    trace = run(source)
    assert trace.uses and not trace.fuel_out and burnt < 6_000


@pytest.mark.slow
@pytest.mark.parametrize("part", ["nn/modules", "nn/functional.py", "optim", "distributions", "autograd"])
def test_torch_itself(part: str) -> None:
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    place = Path(spec.origin).parent / part
    check([place] if place.is_file() else sample(place, 15, part))
