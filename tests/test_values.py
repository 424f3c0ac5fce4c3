"""The interpreter alone: each `reveal(x)  # is: ...` of fixtures/values gives what its comment says.

The comment is an optional dtype and one of
    [lo, hi]      the range, ends compared to five digits; "max" and "-max" are the dtype's largest finite numbers
    in [lo, hi]   the range lies inside
    >= a, <= a    every element is; "nonneg" and "nonpos" are >= 0 and <= 0
    = 3           the Python constant
A line that is evaluated several times (loops, joined contexts) is judged by the join of what it revealed.
"""

from __future__ import annotations

import ast
import math
import re
from functools import lru_cache
from pathlib import Path

import pytest

from nanlint import interp
from nanlint.interp.values import Value
from nanlint.interval import LIMITS, Interval
from nanlint.ops.spec import MISSING
from nanlint.source import Source

FOLDER = Path(__file__).parent.parent / "fixtures" / "values"
MARK = re.compile(r"reveal\(.*\)  # is: (.+)$")
SPEC = re.compile(r"(?:(?P<dtype>[a-z]+\d*)\b)?\s*(?P<rest>.*)$")
WORDS = {"nonneg": ">= 0", "nonpos": "<= 0"}
#: Lines that the interpreter does not see yet, "file:row", each with its reason. An entry that starts to work fails.
KNOWN_GAPS: dict[str, str] = {
    "activations.py:22": "the closed end -1 of elu is widened by two ulp",
    "functions.py:42": "a starred target joins all items",
    "modules.py:37": "math.sqrt of a constant is no constant",
    "numpy_values.py:14": "np.where of two Python floats is taken for float32",
    "numpy_values.py:21": "np.float16(...) as a call does not cast",
    "relations.py:42": "a softmax summed along its own dim is not known to be about 1",
}


def marks() -> list[tuple[str, int, str]]:
    """(file, row, comment) of every reveal in the folder."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        for row, line in enumerate(path.read_text().splitlines(), 1):
            match = MARK.search(line)
            if match:
                found.append((path.name, row, match.group(1).strip()))
    return found


@lru_cache(maxsize=None)
def revealed(file: str) -> dict[int, list[Value]]:
    """The values that a file reveals, by row."""
    trace = interp.run(Source.read(str(FOLDER / file)))
    rows: dict[int, list[Value]] = {}
    for site, value in trace.revealed:
        rows.setdefault(site.fragment.span(site.node).row, []).append(value)
    return rows


def dtype_of(value: Value) -> str:
    """The dtype; None (what depends on a parameter of unknown dtype) is the library's default."""
    return value.dtype or ("float64" if value.lib in ("numpy", "python") else "float32")


def joined(values: list[Value]) -> Interval:
    result = values[0].range
    for value in values[1:]:
        result = result.join(value.range)
    return result


def number(text: str, dtype: str) -> float:
    """A number of a comment; max is the largest finite number of the dtype."""
    text = text.strip()
    if text.lstrip("-") == "max":
        return math.copysign(LIMITS[dtype].max, -1.0 if text.startswith("-") else 1.0)
    return float(text)


def close(a: float, b: float) -> bool:
    return a == b or math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-12)


def complaint(values: list[Value], comment: str) -> str | None:
    """What is wrong with the revealed values, or None."""
    if not values:
        return "never evaluated"
    if comment.startswith("="):
        return constant_complaint(values, ast.literal_eval(comment[1:].strip().replace("inf", "1e999")))
    match = SPEC.match(comment)
    assert match is not None
    word = match["dtype"] or ""
    dtype, rest = (None, comment) if word in (*WORDS, "in") else (word or None, match["rest"])
    if dtype and any(dtype_of(v) != dtype for v in values):
        return f"dtype {sorted({dtype_of(v) for v in values})} is not {dtype}"
    return range_complaint(joined(values), WORDS.get(rest, rest), dtype or "float32")


def constant_complaint(values: list[Value], wanted: object) -> str | None:
    for value in values:
        if value.const is MISSING or type(value.const) is not type(wanted) or value.const != wanted:
            return f"constant {value.const!r} ({value.kind} {value.range}) is not {wanted!r}"
    return None


def range_complaint(seen: Interval, rest: str, dtype: str) -> str | None:
    shown = f"[{seen.lo:.8g}, {seen.hi:.8g}]"
    if rest.startswith(">="):
        bound = number(rest[2:], dtype)
        return None if seen.lo >= bound or close(seen.lo, bound) else f"{shown} goes below {bound:g}"
    if rest.startswith("<="):
        bound = number(rest[2:], dtype)
        return None if seen.hi <= bound or close(seen.hi, bound) else f"{shown} goes above {bound:g}"
    if not rest:
        return None if seen.lo < 0 < seen.hi else f"{shown} leaves out numbers that occur"
    lo, hi = (number(part, dtype) for part in rest.split("[")[1].rstrip("]").split(","))
    if rest.startswith("in"):
        return None if lo <= seen.lo and seen.hi <= hi else f"{shown} is not inside [{lo:g}, {hi:g}]"
    return None if close(seen.lo, lo) and close(seen.hi, hi) else f"{shown} is not [{lo:g}, {hi:g}]"


@pytest.mark.parametrize(("file", "row", "comment"), marks(), ids=lambda part: str(part).replace(" ", "_"))
def test_reveals(file: str, row: int, comment: str) -> None:
    wrong = complaint(revealed(file).get(row, []), comment)
    if f"{file}:{row}" in KNOWN_GAPS:
        assert wrong is not None, f"{file}:{row} works now: take it out of KNOWN_GAPS"
        return
    assert wrong is None, f"{file}:{row}: {wrong}"


def test_gaps_are_marks() -> None:
    places = {f"{file}:{row}" for file, row, _ in marks()}
    assert set(KNOWN_GAPS) <= places
    assert len(places) >= 150


@pytest.mark.parametrize(
    ("comment", "good", "bad"),
    [
        ("float32 [0, 1]", Interval(0.0, 1.0), Interval(0.0, 1.1)),
        ("float32 nonneg", Interval(0.0, 5.0), Interval(-1e-6, 5.0)),
        ("float32 in [-1, 1]", Interval(-0.5, 0.5), Interval(-1.5, 0.5)),
        ("float32 <= 5", Interval(-9.0, 5.0), Interval(-9.0, 6.0)),
        ("float32", Interval(-9.0, 9.0), Interval(0.0, 9.0)),
        ("float32 [0, max]", Interval(0.0, LIMITS["float32"].max), Interval(0.0, 9.0)),
    ],
)
def test_the_comments_can_fail(comment: str, good: Interval, bad: Interval) -> None:
    assert complaint([Value("tensor", good, "float32")], comment) is None
    assert complaint([Value("tensor", bad, "float32")], comment) is not None
    assert complaint([Value("tensor", good, "float64")], comment) is not None
    assert complaint([], comment) is not None
