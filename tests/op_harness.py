"""Runs rows for real: arguments of telling floats, spellings called by canonical names, values and gradients taken down."""

from __future__ import annotations

import builtins
import importlib
import inspect
import math
import operator
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from nanlint import ops
from nanlint.interval import Interval, limits, next_down, next_up
from nanlint.ops.spec import MISSING, Bound, Break, Op, Param, Spelling

torch = pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from op_recipes import RECIPES, Recipe  # noqa: E402
from op_recipes_nn import NN_RECIPES  # noqa: E402

RECIPES.update(NN_RECIPES)

torch.set_num_threads(1)
DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32, "float64": torch.float64}
SECOND_TENSORS = {"other", "exponent", "end", "values", "tensor1", "tensor2"}
PLAIN = Recipe()


@dataclass(frozen=True)
class Arg:
    """The Arg of spec.py, made from a real value."""

    range: Interval
    dtype: str | None
    const: Any = MISSING
    count: Interval = Interval(1.0, 1.0)
    marks: frozenset[str] = frozenset()
    term: Any = None
    items: tuple[Any, ...] | None = None
    element: Any = None
    cuts: frozenset[Any] = frozenset()
    kind: str = "tensor"


def arg_of(value: Any) -> Arg:
    """What a row may read of a real value."""
    if isinstance(value, torch.Tensor) or isinstance(value, numpy.ndarray):
        return _arg_of_array(value)
    if isinstance(value, bool):
        return Arg(Interval.point(float(value)), "pybool", value, kind="number")
    if isinstance(value, (int, float)):
        return Arg(Interval.point(float(value)), "pyint" if isinstance(value, int) else "pyfloat", value, kind="number")
    if isinstance(value, (list, tuple)):
        items = tuple(arg_of(item) for item in value)
        hull = items[0].range if items else Interval.everything()
        for item in items:
            hull = hull.join(item.range)
        const = tuple(item.const for item in items)
        known = MISSING if any(c is MISSING for c in const) else const
        return Arg(hull, items[0].dtype if items else None, known, Interval.point(float(len(items))), items=items, kind="sequence")
    kind = "dtype" if isinstance(value, torch.dtype) else "none" if value is None else "string" if isinstance(value, str) else "unknown"
    return Arg(Interval.everything(), None, str(value)[6:] if kind == "dtype" else value, kind=kind)


def _arg_of_array(value: Any) -> Arg:
    tensor = torch.as_tensor(value).detach()
    dtype = str(tensor.dtype)[6:]
    flat = tensor.reshape(-1)
    if tensor.is_complex():
        return Arg(Interval.everything(dtype), dtype, count=Interval.point(float(flat.numel())))
    numbers = [x for x in flat.to(torch.float64).tolist() if x == x]
    if not numbers:
        return Arg(Interval.everything(dtype), dtype, count=Interval.point(float(flat.numel())))
    hole = min(abs(x) for x in numbers)
    return Arg(Interval(min(numbers), max(numbers), hole), dtype, count=Interval.point(float(flat.numel())))


# ---- telling floats ------------------------------------------------------------------------------


def telling(dtype: str) -> list[float]:
    """Floats at which ops change their behaviour, all of the dtype and finite."""
    lim = limits(dtype)
    root = math.sqrt(lim.max)
    sizes = [lim.smallest, lim.tiny, 1 / root, 1e-12, 1e-8, 1e-6, lim.eps, 1e-3, 0.3, 0.5, 1 - lim.eps / 2, 1.0, 1 + lim.eps, 1.5, 2.0, 3.0,
             5.5, 10.0, 17.0, 20.0, 80.0, 88.0, 100.0, 1e4, root / 4, lim.max]
    return _of_dtype([0.0, *sizes, *(-x for x in sizes)], dtype)


def few(dtype: str) -> list[float]:
    """A handful of them, for pairs."""
    lim = limits(dtype)
    return _of_dtype([0.0, lim.smallest, 1e-8, 0.5, 1.0, 2.5, 100.0, lim.max, -0.5, -1.0, -3.0, -1e4, -lim.max], dtype)


def _of_dtype(values: list[float], dtype: str) -> list[float]:
    rounded = torch.tensor(values, dtype=torch.float64).to(DTYPES[dtype]).to(torch.float64).tolist()
    return sorted({x for x in rounded if math.isfinite(x)})


def zone_ends(op: Op, base: dict[str, Any], dtype: str) -> list[float]:
    """Where the zones of a row's breaks begin and end, and one float beyond."""
    found: list[float] = []
    bound = Bound({name: arg_of(value) for name, value in base.items()}, dtype)
    for brk in op.breaks:
        zone = brk.zone(bound) if brk.of == "range" else None
        for low, high in zone.pieces if zone is not None else ():
            found += [x for end in (low, high) for x in (end, next_up(end, dtype), next_down(end, dtype))]
    return _of_dtype([x for x in found if math.isfinite(x)], dtype)


# ---- calling -------------------------------------------------------------------------------------


def resolve(spelling: Spelling) -> Any:
    """The real function, method or class of a spelling; AttributeError if there is none."""
    if spelling.name.startswith("."):
        owner = {"torch": torch.Tensor, "numpy": numpy.ndarray, "python": float}[spelling.lib]
        name = spelling.name[1:]
        if spelling.lib == "python" and not hasattr(owner, name):
            return getattr(int, name)
        return getattr(owner, name)
    head, *rest = spelling.name.split(".")
    known: dict[str, Any] = {"torch": torch, "numpy": numpy, "math": math, "builtins": builtins, "operator": operator}
    found = known.get(head) or importlib.import_module(head)
    for index, part in enumerate(rest):
        if not hasattr(found, part) and inspect.ismodule(found):
            importlib.import_module(".".join([head, *rest[: index + 1]]))
        found = getattr(found, part)
    return found


def invoke(spelling: Spelling, values: dict[str, Any]) -> Any:
    """Call a spelling with arguments by canonical name; TypeError if it has no parameter for one."""
    target = resolve(spelling)
    left = {name: value for name, value in values.items() if spelling.preset.get(name, MISSING) is MISSING}
    if spelling.init is not None:
        args, kwargs = _arrange(spelling.init, left)
        target = target(*args, **kwargs)
    args, kwargs = _arrange(spelling.params, left)
    if left:
        raise TypeError(f"{spelling.name} has no parameter for {sorted(left)}")
    if spelling.name.startswith("."):
        receiver, *args = args
        attribute = getattr(receiver, spelling.name[1:])
        return attribute(*args, **kwargs) if callable(attribute) else attribute
    return target(*args, **kwargs)


def _arrange(params: tuple[Param, ...], left: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Positional arguments up to the first gap, keywords after it; takes from left what it uses."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    gap = False
    for param in params:
        if param.canonical not in left or param.canonical in kwargs:
            gap = True
            continue
        value = left.pop(param.canonical)
        if param.kind == "rest":
            args += list(value) if isinstance(value, (list, tuple)) else [value]
        elif param.kind == "keyword" or gap:
            kwargs[param.name] = value
        else:
            args.append(value)
    return args, kwargs


def all_spellings() -> dict[str, list[Spelling]]:
    table: dict[str, list[Spelling]] = {}
    for spelling in ops.spellings():
        table.setdefault(spelling.op.name, []).append(spelling)
    return table


SPELLINGS = all_spellings()
#: rows that are only items of what another row returns
PARTS = {part for op in ops.rows().values() for part in op.parts} - set(SPELLINGS)
ORDER = {"torch": 0, "python": 1, "numpy": 2}


def chosen(op: Op) -> Spelling:
    """The spelling that a row is tested with: torch before Python before NumPy, functions before methods before modules."""
    recipe = RECIPES.get(op.name, PLAIN)
    usable = [s for s in SPELLINGS.get(op.name, []) if not s.inplace]
    if recipe.spelling:
        return next(s for s in usable if s.name == recipe.spelling)
    usable.sort(key=lambda s: (ORDER.get(s.lib, 3), bool(s.preset), s.init is not None, s.name.startswith(".")))
    if not usable and recipe.call is not None:
        return Spelling(op.name, op, ())
    assert usable, f"row {op.name} has no spelling"
    return usable[0]


# ---- samples -------------------------------------------------------------------------------------


@dataclass
class Outcome:
    """One real call: arguments, bound, the numbers that came out, the gradients' numbers."""

    values: dict[str, Any]
    bound: Bound
    numbers: list[float]
    grads: list[float]
    raised: Exception | None = None
    cut: bool = False

    def touched(self, brk: Break) -> bool:
        zone, part = self._meets(brk)
        return zone is not None and part.touches(zone)

    def inside(self, brk: Break) -> bool:
        """Whether the whole argument lies in the break's zone."""
        zone, part = self._meets(brk)
        return zone is not None and part.without(zone, self.bound.args[brk.arg].dtype if brk.of == "range" else "int64") is None

    def _meets(self, brk: Break) -> tuple[Interval | None, Interval]:
        if brk.arg not in self.bound.args:
            return None, Interval.point(0.0)
        arg = self.bound.args[brk.arg]
        return brk.zone(self.bound), arg.range if brk.of == "range" else arg.count

    @property
    def finite(self) -> bool:
        return all(math.isfinite(x) for x in self.numbers)

    @property
    def moderate(self) -> bool:
        """Whether no argument is so large or so small that a square of it overflows or underflows."""
        for arg in self.bound.args.values():
            if arg.dtype not in DTYPES:
                continue
            root = math.sqrt(limits(arg.dtype).max)
            if arg.range.ceiling > root / 4 or 0.0 < arg.range.floor < 4 / root:
                return False
        return True


def tensor_arguments(op: Op, spelling: Spelling, variant: dict[str, Any]) -> list[str]:
    """The required parameters that telling tensors are put in."""
    required = [p.canonical for p in spelling.params if p.required and p.canonical not in variant]
    strange = [name for name in required if name not in SECOND_TENSORS and name != op.lead]
    assert not strange, f"row {op.name} needs a recipe for {strange}"
    return required


def settled(variant: dict[str, Any], like: Any) -> dict[str, Any]:
    """A variant's constants, its functions called with the telling tensor."""
    return {name: value(like) if callable(value) else value for name, value in variant.items()}


def samples(op: Op, dtype: str) -> Iterator[dict[str, Any]]:
    """Arguments by canonical name, for each variant, telling float and size."""
    recipe, spelling = RECIPES.get(op.name, PLAIN), chosen(op)
    for variant in recipe.variants:
        if recipe.make is not None:
            for x in _telling_for(op, recipe, variant, dtype):
                for n in recipe.sizes:
                    like = tensor([x] * n, dtype)
                    yield {**recipe.make(like), **settled(variant, like)}
            continue
        names = [] if recipe.call is not None else tensor_arguments(op, spelling, variant)
        if len(names) <= 1:
            for x in _telling_for(op, recipe, variant, dtype) if names else [0.0]:
                for n in recipe.sizes:
                    like = tensor([x] * n, dtype)
                    yield {**{name: like for name in names}, **settled(variant, like)}
        else:
            yield from _pairs(op, recipe, names, variant, dtype)


def _telling_for(op: Op, recipe: Recipe, variant: dict[str, Any], dtype: str) -> list[float]:
    like = tensor([1.0], dtype)
    base = {**(recipe.make(like) if recipe.make else dict.fromkeys((op.lead, *SECOND_TENSORS, *{b.arg for b in op.breaks}), like))}
    base.update(settled(variant, like))
    values = {*telling(dtype), *zone_ends(op, base, dtype)}
    return [x for x in sorted(values) if recipe.within[0] <= x <= recipe.within[1]]


def _pairs(op: Op, recipe: Recipe, names: list[str], variant: dict[str, Any], dtype: str) -> Iterator[dict[str, Any]]:
    base = {**{name: tensor([1.0], dtype) for name in names}, **settled(variant, tensor([1.0], dtype))}
    values = sorted({*few(dtype), *[x for x in zone_ends(op, base, dtype)]})
    values = [x for x in values if recipe.within[0] <= x <= recipe.within[1]]
    for x in values:
        for y in values:
            for n in recipe.sizes if x in (0.0, 1.0) else recipe.sizes[:1]:
                first = tensor([x] * n, dtype)
                yield {names[0]: first, **{name: tensor([y] * n, dtype) for name in names[1:]}, **settled(variant, first)}


def tensor(values: list[float], dtype: str) -> Any:
    return torch.tensor(values, dtype=torch.float64).to(DTYPES[dtype]).requires_grad_(True)


def run(op: Op, values: dict[str, Any], spelling: Spelling | None = None) -> Outcome:
    """Call a row for real, with gradients."""
    recipe, spelling = RECIPES.get(op.name, PLAIN), spelling or chosen(op)
    seen = dict(values)
    if spelling.lib == "numpy" and recipe.call is None:
        seen = {k: v.detach().numpy() if isinstance(v, torch.Tensor) else v for k, v in values.items()}
    elif spelling.lib == "python" and spelling.name.startswith(("math.", "builtins.", ".")):
        seen = {k: v.detach().item() if isinstance(v, torch.Tensor) else v for k, v in values.items()}
    args = {k: arg_of(v) for k, v in {**seen, **spelling.preset}.items()}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = recipe.call(**seen) if recipe.call is not None else invoke(spelling, dict(seen))
    except (OverflowError, ZeroDivisionError, ValueError, RuntimeError, NotImplementedError, IndexError, AssertionError) as error:
        return Outcome(seen, Bound(args), [], [], error)
    flat = flatten(result)
    first = flat[0] if flat else None
    outcome = Outcome(seen, Bound(args, _dtype_of(first)), _numbers(first), [], cut=_is_cut(first))
    if recipe.gradient and not outcome.cut:
        outcome.grads = _gradients(flat, values)
    return outcome


def flatten(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)) and not isinstance(result, torch.Size):
        return [x for part in result for x in flatten(part)]
    return [result]


def _dtype_of(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return str(value.dtype)[6:]
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return str(value.dtype)
    return {bool: "pybool", int: "pyint", float: "pyfloat"}.get(type(value), "float32")


def _numbers(value: Any) -> list[float]:
    if isinstance(value, torch.Tensor):
        value = value.detach()
        value = value.abs() if value.is_complex() else value
        return _distinct(value.reshape(-1).to(torch.float64).tolist())
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        return _distinct(numpy.asarray(value).reshape(-1).astype(float).tolist())
    return [float(value)] if isinstance(value, (bool, int, float)) else []


def _distinct(numbers: list[float]) -> list[float]:
    """Each number once, NaN last: most tensors hold equal elements."""
    kept = [x for x in dict.fromkeys(numbers) if x == x]
    return kept + [math.nan] * (len(kept) == 0 and len(numbers) > 0 or any(x != x for x in numbers))


def _is_cut(value: Any) -> bool:
    return not (isinstance(value, torch.Tensor) and value.requires_grad)


def _gradients(flat: list[Any], values: dict[str, Any]) -> list[float]:
    """The gradients of the sum of the first differentiable result, of every tensor argument."""
    leaves = [v for v in flatten(list(values.values())) if isinstance(v, torch.Tensor) and v.requires_grad]
    total = flat[0].sum()
    total = total.real if total.is_complex() else total
    try:
        found = torch.autograd.grad(total, leaves, allow_unused=True)
    except (RuntimeError, NotImplementedError):
        return []
    return [x for g in found if g is not None for x in _numbers(g)]


def outcomes(op: Op) -> list[Outcome]:
    recipe = RECIPES.get(op.name, PLAIN)
    found = [run(op, values) for dtype in recipe.dtypes for values in samples(op, dtype)]
    assert any(o.raised is None for o in found), f"row {op.name} cannot be run: {found[0].raised!r}" if found else op.name
    return found


def show(o: Outcome) -> str:
    args = {k: (str(a.range), a.dtype, int(a.count.hi) if math.isfinite(a.count.hi) else "") for k, a in o.bound.args.items()}
    return f"{args} -> {o.numbers[:4]} grads {o.grads[:4]}"
