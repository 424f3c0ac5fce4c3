"""Every row against the real library: telling floats in each dtype, one element and 64.

Per row: the result lies in the image (of the points, and of wide ranges), the image's ends are
attained, every stated break breaks, nothing else does for finite inputs, every spelling exists and
its parameters are the real ones. What a row cannot keep it says in its note, in these words:

    "overflows by magnitude"   large or tiny finite inputs give an infinity (never NaN for ordinary ones)
    "ends not attained"        the image is wider than what comes out
    "not everywhere"           a break's zone holds some harmless values
    "breaks in other ways"     the row knows of values or gradients that it does not state
"""

from __future__ import annotations

import inspect
import math
from typing import Any

import pytest

from nanlint import ops
from nanlint.interval import Interval, limits, next_down, next_up
from nanlint.ops.spec import MISSING, Bound, Break, Op, Spelling

torch = pytest.importorskip("torch")

from op_harness import (  # noqa: E402
    DTYPES, PARTS, PLAIN, RECIPES, SPELLINGS, Arg, Outcome, arg_of, chosen, flatten, invoke, outcomes, resolve, run, settled, show, tensor,
    tensor_arguments,
)
from op_recipes import Recipe  # noqa: E402

__all__ = ["Arg", "arg_of"]


# ---- the checks ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ran() -> dict[str, list[Outcome]]:
    return {}


def cached(ran: dict[str, list[Outcome]], name: str) -> list[Outcome]:
    if name not in ran:
        ran[name] = outcomes(ops.rows()[name])
    return ran[name]


ROWS = sorted(ops.rows())


@pytest.mark.parametrize("name", ROWS)
def test_result_lies_in_image(name: str, ran: dict[str, list[Outcome]]) -> None:
    """Every finite result lies in the image of the points that it was computed from."""
    op = ops.rows()[name]
    for o in cached(ran, name):
        image = op.image(o.bound)
        outside = [x for x in o.numbers if math.isfinite(x) and not image.contains(x)]
        assert not outside, f"{outside[0]!r} not in {image}: {show(o)}"


@pytest.mark.parametrize("name", ROWS)
def test_nothing_unstated_breaks(name: str, ran: dict[str, list[Outcome]]) -> None:
    """Finite inputs outside every zone give finite values and gradients, except by magnitude."""
    op = ops.rows()[name]
    if op.opaque or "breaks in other ways" in op.note:
        return
    for o in cached(ran, name):
        if o.raised is not None or any(o.touched(brk) for brk in op.breaks if brk.where in ("value", "precision")):
            continue
        by_magnitude = "overflows by magnitude" in op.note
        for x in o.numbers:
            assert math.isfinite(x) or by_magnitude and not (math.isnan(x) and o.moderate), f"unstated {x}: {show(o)}"
        if not o.finite or not o.moderate or any(o.touched(brk) for brk in op.breaks if brk.where == "gradient"):
            continue
        assert all(math.isfinite(g) for g in o.grads) or by_magnitude and not any(map(math.isnan, o.grads)), f"unstated gradient: {show(o)}"


@pytest.mark.parametrize("name", [name for name in ROWS if ops.rows()[name].breaks])
def test_stated_breaks_break(name: str, ran: dict[str, list[Outcome]]) -> None:
    """Where a whole argument lies in a zone, the value or the gradient is not finite; each break is seen at least once."""
    op = ops.rows()[name]
    for brk in op.breaks:
        if brk.where not in ("value", "gradient", "precision"):
            continue
        met = [o for o in cached(ran, name) if o.inside(brk) and o.raised is None or o.raised is not None and o.touched(brk)]
        broken = [o for o in met if _broke(o, brk)]
        assert broken, f"{brk.kind} of {brk.arg} was never seen to break ({len(met)} tried)"
        if "not everywhere" in op.note:
            continue
        for o in met:
            first = not any(o.touched(other) for other in op.breaks if other is not brk and other.where == "value")
            crowd = all(a.count.lo != 1 for a in o.bound.args.values() if a.dtype in DTYPES) or brk.of == "count"
            assert _broke(o, brk) or not (first and crowd), f"{brk.kind} does not break: {show(o)}"


def _broke(o: Outcome, brk: Break) -> bool:
    if o.raised is not None:
        return True
    if brk.where in ("value", "precision"):
        return not o.finite
    if brk.kind == "divisor-tiny":
        return any(not abs(g) < 1e7 for g in o.grads)
    return any(not math.isfinite(g) for g in o.grads)


@pytest.mark.parametrize("name", [name for name in ROWS if any(b.where == "second" for b in ops.rows()[name].breaks)])
def test_second_gradients_break(name: str) -> None:
    """Where a break is stated for the second gradient, it is not finite there."""
    op, recipe = ops.rows()[name], RECIPES.get(name, PLAIN)
    bad = []
    for x in recipe.second or (0.0,):
        x = tensor([x] * 3, "float32")
        values = {**(recipe.make(x) if recipe.make else {op.lead: x}), **recipe.variants[0]}
        result = recipe.call(**values) if recipe.call else invoke(chosen(op), dict(values))
        (first,) = torch.autograd.grad(flatten(result)[0].sum(), x, create_graph=True)
        assert torch.isfinite(first).all()
        (second,) = torch.autograd.grad(first.sum(), x)
        bad.append(not bool(torch.isfinite(second).all()))
    assert any(bad)


@pytest.mark.parametrize("name", [name for name in ROWS if any(b.where == "graph" for b in ops.rows()[name].breaks)])
def test_cuts_cut(name: str, ran: dict[str, list[Outcome]]) -> None:
    """A row that says that it cuts the graph gives a result without gradient."""
    met = [o for o in cached(ran, name) if o.raised is None]
    assert met and all(o.cut or o.grads and all(g == 0.0 for g in o.grads) for o in met)


def _attained(end: float, results: list[float], dtype: str, ulps: int = 16) -> bool:
    """Whether some result is an end of an image, up to some ulps and what is below the normal numbers."""
    nearest = min(results, key=lambda x: abs(x - end))
    return abs(nearest - end) <= max(ulps * (next_up(abs(end), dtype) - abs(end)), 4 * limits(dtype).tiny)


@pytest.mark.parametrize("name", [n for n in ROWS if ops.rows()[n].terms == "elementwise"])
def test_ends_of_wide_images_are_attained(name: str, ran: dict[str, list[Outcome]]) -> None:
    """The image of a wide range of the lead argument holds all results within, and its ends are among them."""
    op = ops.rows()[name]
    for group in _groups(op, cached(ran, name)).values():
        good = sorted((o for o in group if o.finite and o.numbers), key=lambda o: o.bound.r(op.lead).lo)
        gaps = [o.bound.r(op.lead).lo for o in group if not o.finite]
        for low, high in _ranges(len(good)):
            _check_range(op, good[low:high + 1], gaps)


def _check_range(op: Op, part: list[Outcome], gaps: list[float]) -> None:
    """The image of all that lies between the first and the last outcome; gaps are where nothing finite came out."""
    first = part[0].bound
    hull = Interval(first.r(op.lead).lo, part[-1].bound.r(op.lead).hi)
    bound = Bound({**first.args, op.lead: Arg(hull, first.args[op.lead].dtype, count=first.count(op.lead))}, first.dtype)
    image = op.image(bound)
    results = [x for o in part for x in o.numbers]
    outside = [x for x in results if not image.contains(x)]
    assert not outside, f"{outside[0]!r} not in {image} of {hull} in {first.dtype}, {show(part[0])}"
    if "ends not attained" in op.note or any(hull.contains(x) for x in gaps):
        return
    for end in (image.lo, image.hi):
        clamped = abs(end) >= next_down(limits(first.dtype).max, first.dtype)
        assert clamped or _attained(end, results, first.dtype), (
            f"{end} of {image} of {hull} in {first.dtype} not attained: {sorted(set(results))[:5]}, {show(part[0])}")


def _groups(op: Op, found: list[Outcome]) -> dict[Any, list[Outcome]]:
    """Outcomes that differ in the lead argument only."""
    groups: dict[Any, list[Outcome]] = {}
    for o in found:
        if o.raised is None and op.lead in o.bound.args:
            rest = tuple((k, a.range, a.const if a.const is not MISSING and not isinstance(a.const, list) else "", a.dtype)
                         for k, a in o.bound.args.items() if k != op.lead)
            lead = o.bound.args[op.lead]
            groups.setdefault((lead.count, lead.dtype, str(rest)), []).append(o)
    return groups


def _ranges(count: int) -> list[tuple[int, int]]:
    """Index pairs: points, everything, and ranges with ends spread over the list."""
    marks = sorted({0, count // 4, count // 3, count // 2, 2 * count // 3, 3 * count // 4, count - 1} & set(range(count)))
    return [(i, i) for i in range(count)] + [(i, j) for i in marks for j in marks if i < j]


@pytest.mark.parametrize("name", ROWS)
def test_spellings_agree(name: str) -> None:
    """Every spelling that takes the same arguments gives the same result, so argument orders are right."""
    op, recipe = ops.rows()[name], RECIPES.get(name, PLAIN)
    if recipe.call is not None or op.terms == "random":
        return
    main = chosen(op)
    values = _ordinary(op, recipe, main)
    expected = run(op, values, main)
    for spelling in SPELLINGS[name]:
        if spelling.lib != main.lib or spelling.preset or spelling.inplace or spelling.init is not None:
            continue
        receiver = values.get(spelling.params[0].canonical)
        if spelling.name.startswith(".") and main.name.startswith("torch.") and not isinstance(receiver, torch.Tensor):
            continue
        if spelling.name[-2:] != main.name[-2:] and {spelling.name[-2:], main.name[-2:]} <= {"1d", "2d", "3d"}:
            continue  # for tensors of another rank
        try:
            got = run(op, values, spelling)
        except TypeError:
            continue
        if isinstance(got.raised, AssertionError) and "CUDA" in str(got.raised) or "pin" in spelling.name:
            continue  # no such device here
        assert got.raised is None or expected.raised is not None, f"{spelling.name}: {got.raised!r}"
        assert sorted(got.numbers) == pytest.approx(sorted(expected.numbers), rel=1e-5, nan_ok=True), spelling.name


def _ordinary(op: Op, recipe: Recipe, spelling: Spelling) -> dict[str, Any]:
    variant = recipe.variants[0]
    x = tensor([0.25, 0.5, 0.75, 0.625][: 4 if max(recipe.sizes) > 1 else 1], "float32")
    if recipe.make is not None:
        return {**recipe.make(x), **settled(variant, x)}
    names = tensor_arguments(op, spelling, variant)
    return {**{n: (x + 0.125 * i).detach().requires_grad_(True) for i, n in enumerate(names)}, **settled(variant, x)}


ELSEWHERE = [s for s in ops.spellings() if s.lib in ("python", "numpy") and s.name.startswith(("math.", "builtins.", "numpy."))]


@pytest.mark.parametrize("spelling", ELSEWHERE, ids=lambda s: s.name)
def test_other_libraries_agree(spelling: Spelling) -> None:
    """math, builtins and NumPy give what the row's image holds, where they take the same arguments."""
    recipe = RECIPES.get(spelling.op.name, PLAIN)
    if recipe.call is not None or recipe.make is not None or spelling.op.terms != "elementwise" or spelling.preset:
        return
    variant = {name: value for name, value in recipe.variants[0].items() if not callable(value)}
    required = [p.canonical for p in spelling.params if p.required or p.kind == "rest"]
    for x, y in ((0.25, 0.5), (0.75, 0.25), (0.5, 0.5)):
        values = {**dict(zip([n for n in required if n not in variant], (tensor([z], "float64") for z in (x, y)))), **variant}
        try:
            o = run(spelling.op, values, spelling)
        except TypeError:  # this spelling lacks a parameter of the variant
            return
        if o.raised is not None or any(o.touched(brk) for brk in spelling.op.breaks if brk.where == "value"):
            continue
        image = spelling.op.image(o.bound)
        assert o.numbers and all(image.contains(z) for z in o.numbers), f"{image}: {show(o)}"


# ---- the tables ----------------------------------------------------------------------------------


def test_tables_have_no_problems() -> None:
    assert not ops.problems()


@pytest.mark.parametrize("name", ROWS)
def test_row_has_a_spelling_and_all_exist(name: str) -> None:
    """Each spelling is the name of something real."""
    assert SPELLINGS.get(name) or name in PARTS, f"row {name} has no spelling"
    missing = []
    for spelling in SPELLINGS.get(name, ()):
        try:
            resolve(spelling)
        except (AttributeError, ImportError):
            missing.append(spelling.name)
    assert not missing, missing


@pytest.mark.parametrize("name", ROWS)
def test_parameters_are_the_real_ones(name: str) -> None:
    """Where Python knows a signature, the table's parameters are among its own, in their order."""
    for spelling in SPELLINGS.get(name, ()):
        target = resolve(spelling)
        for params, real in ((spelling.params, _signature(target.forward if spelling.init is not None else target)),
                             (spelling.init or (), _signature(target.__init__) if spelling.init is not None else None)):
            if real is None:
                continue
            unnamed = real.count("")
            names = [p.name for p in params if p.kind != "rest"][1 if spelling.name.startswith(".") else 0:]
            names = names[unnamed:]
            assert set(names) <= set(real), f"{spelling.name}: {sorted(set(names) - set(real))} not in {real}"
            places = [real.index(p.name) for p in params if p.kind == "either" and p.name in names]
            assert places == sorted(places), f"{spelling.name}: order is {real}"


def _signature(target: Any) -> list[str] | None:
    try:
        params = inspect.signature(target).parameters
    except (ValueError, TypeError):
        return None
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in params.values()):
        return None
    return ["" if p.kind is p.POSITIONAL_ONLY else n for n, p in params.items() if n != "self"]


@pytest.mark.parametrize("name", ROWS)
def test_words_are_known(name: str) -> None:
    """A row uses the words of spec.py only."""
    op = ops.rows()[name]
    assert op.gradient in ("flows", "stops", "cuts", "select")
    assert op.ground in ("closed", "inherit", "opaque", "config")
    assert op.terms in ("elementwise", "keeps", "selects", "permutes", "reduces", "joins", "creates", "random", "product", "opaque")
    assert op.guard in ("", "floor", "select", "mask")
    for brk in op.breaks:
        assert brk.where in ("value", "gradient", "second", "precision", "graph", "silence")
        assert brk.result in ("nan", "inf", "-inf", "cut", "dead", "lost") and brk.of in ("range", "count")
        assert brk.says, f"{brk.kind} says nothing"
