"""Common NaN bugs as runnable cases: fixtures/real/ID.

bad.py holds the bug (marked lines), good.py its repair, run.py shows both under torch: trigger(m) gives what goes
wrong, ordinary(m) values to keep. nanlint must find every mark and nothing else, stay silent on good.py, and what its
fixes make of bad.py must run finite and keep the ordinary values.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import nanlint
from nanlint.findings import Finding
from nanlint.settings import Settings

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "real"
CASES = sorted(p.parent.name for p in FOLDER.glob("*/meta.json"))
MARK = re.compile(r"[ \t]*# BAD:[^\r\n]*")
#: (case, what fails) with its reason; what is "find", "extra", "good" or "fix". An entry that starts to work fails.
KNOWN_GAPS: dict[tuple[str, str], str] = {
    ("panel-seterr-shares", "find"): "np.asarray of a constructor's argument counts as configuration",
    ("seismic-half-mask", "find"): "no rule of fills that overflow",
    ("tutor-argmax-reward", "find"): "no rule of argmax in a loss",
    ("audio-text-contrast", "fix"): "an overflowing exp has no repair",
    ("bandit-reward-scale", "fix"): "not found",
    ("crop-yield-missing-plots", "fix"): "a mask cast by .to(dtype) is not known to be >= 0",
    ("lidar-foreground-mean", "fix"): "not found",
    ("microscope-vae-logvar", "fix"): "an overflowing exp has no repair",
    ("seismic-half-mask", "fix"): "not found",
    ("wind-gust-variance", "fix"): "moments that a layer pools are no known cancellation, the clamp only unsafe",
}


def meta(case: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / case / "meta.json").read_text()))


def text_of(case: str, name: str) -> str:
    """A file of a case as the analyser sees it: without marks."""
    return MARK.sub("", (FOLDER / case / name).read_text())


def found(case: str, name: str) -> list[Finding]:
    return nanlint.check_source(text_of(case, name), str(FOLDER / case / name))


def marked(case: str) -> dict[int, list[int]]:
    """The marked rows, each with the rows where a report is as right."""
    other = meta(case).get("alt_lines", {})
    lines = (FOLDER / case / "bad.py").read_text().splitlines()
    return {row: [row, *other.get(str(row), [])] for row, line in enumerate(lines, 1) if "# BAD:" in line}


def statement_row(text: str, row: int) -> int:
    """The first row of the innermost statement that covers a row."""
    spans = [(n.lineno, n.end_lineno or n.lineno) for n in ast.walk(ast.parse(text)) if isinstance(n, ast.stmt)]
    return min((s for s in spans if s[0] <= row <= s[1]), key=lambda s: s[1] - s[0], default=(row, row))[0]


def touches(finding: Finding, rows: list[int], text: str) -> bool:
    """Whether a finding, short and not begun before the statement, covers one of the rows."""
    span = finding.span
    return span.end_row - span.row < 5 and any(span.row <= row <= span.end_row and span.row >= statement_row(text, row) for row in rows)


def told(findings: list[Finding]) -> list[str]:
    return [f"{f.span.row}: {f.code} {f.message} ({f.evidence})" for f in findings]


@contextmanager
def modules(case: str) -> Iterator[Any]:
    """Gives a loader of module texts that stand in the case's folder; what it loads is forgotten again."""
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER / case))

    def load(name: str, text: str) -> ModuleType:
        spec = importlib.util.spec_from_loader(name, loader=None)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        exec(compile(text, f"{case}/{name}.py", "exec"), module.__dict__)
        return module

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield load
        finally:
            sys.path.remove(str(FOLDER / case))
            for name in set(sys.modules) - before:
                if name in ("run", "bad", "good", "repaired", "helpers"):
                    del sys.modules[name]
            import numpy

            numpy.seterr(all="warn")


def numbers(values: list[Any]) -> list[Any]:
    import numpy

    plain = [float("nan") if v is None else v.detach().double().numpy() if hasattr(v, "detach") else v for v in values]
    return [numpy.asarray(v, dtype=float) for v in plain]


def is_finite(values: list[Any]) -> bool:
    import numpy

    return all(bool(numpy.isfinite(v).all()) for v in numbers(values))


def is_same(one: list[Any], other: list[Any]) -> bool:
    import numpy

    a, b = numbers(one), numbers(other)
    return len(a) == len(b) and all(x.shape == y.shape and numpy.allclose(x, y, rtol=2e-3, atol=1e-5) for x, y in zip(a, b))


def verdict(case: str, what: str, wrong: str | None) -> None:
    """Fails where something is wrong, unless it is a known gap; fails where a known gap works."""
    if (case, what) in KNOWN_GAPS:
        assert wrong is not None, f"{case}: {what} works now: take it out of KNOWN_GAPS"
        return
    assert wrong is None, f"{case}: {wrong}"


@pytest.mark.parametrize("case", CASES)
def test_bad_triggers_and_good_does_not(case: str) -> None:
    pytest.importorskip("torch")
    with modules(case) as load:
        run = load("run", text_of(case, "run.py"))
        bad, good = load("bad", text_of(case, "bad.py")), load("good", text_of(case, "good.py"))
        assert not is_finite(run.trigger(bad))
        assert is_finite(run.trigger(good))
        ordinary = run.ordinary(bad)
        assert is_finite(ordinary)
        assert is_same(ordinary, run.ordinary(good))


@pytest.mark.parametrize("case", CASES)
def test_every_mark_is_found(case: str) -> None:
    text, findings = text_of(case, "bad.py"), found(case, "bad.py")
    missed = [row for row, rows in marked(case).items() if not any(touches(f, rows, text) for f in findings)]
    assert marked(case)
    verdict(case, "find", f"missed {missed}, found {told(findings)}" if missed else None)


@pytest.mark.parametrize("case", CASES)
def test_nothing_else_is_found(case: str) -> None:
    text, right = text_of(case, "bad.py"), list(marked(case).values())
    extra = [f for f in found(case, "bad.py") if not any(touches(f, rows, text) for rows in right)]
    verdict(case, "extra", f"extra {told(extra)}" if extra else None)


@pytest.mark.parametrize("case", CASES)
def test_good_is_silent(case: str) -> None:
    findings = found(case, "good.py")
    verdict(case, "good", f"in good.py {told(findings)}" if findings else None)


def fix_complaint(case: str) -> str | None:
    """What is wrong with the repair of a case's bad.py, or None."""
    before = text_of(case, "bad.py")
    after = nanlint.fix_source(before, str(FOLDER / case / "bad.py"), Settings(unsafe_fixes=meta(case)["phase"] == "graph"))
    if after == before:
        return "nothing was repaired"
    with modules(case) as load:
        run = load("run", text_of(case, "run.py"))
        bad, repaired = load("bad", before), load("repaired", after)
        if not is_finite(run.trigger(repaired)):
            return f"the repaired file is not finite:\n{after}"
        if not is_same(run.ordinary(bad), run.ordinary(repaired)):
            return f"the repair changed ordinary values:\n{after}"
    return None


@pytest.mark.parametrize("case", [c for c in CASES if meta(c)["fixable"]])
def test_the_repair_runs(case: str) -> None:
    pytest.importorskip("torch")
    verdict(case, "fix", fix_complaint(case))


def test_gaps_are_cases() -> None:
    assert len(CASES) >= 30
    assert {case for case, _ in KNOWN_GAPS} <= set(CASES)
    assert {what for _, what in KNOWN_GAPS} <= {"find", "extra", "good", "fix"}
    assert all(meta(case)["id"] == case for case in CASES)
