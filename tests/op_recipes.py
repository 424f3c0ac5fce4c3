"""How tests/test_ops.py calls rows whose arguments are not simply `input` (and `other`).

A row without a recipe is called with one telling tensor as `input`, and a second one for each other
required parameter called other, exponent, end or values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from nanlint.ops import plumbing


@dataclass(frozen=True)
class Recipe:
    """How to run one row.

    variants  constants by canonical name, one dict a variant (each is run with every telling tensor); a function
              is called with the telling tensor
    make      from a tensor of telling floats, shape (n,), the arguments by canonical name; replaces `input`
    spelling  the name of the spelling to run (default: the first that can be run)
    call      runs the row itself, by canonical names; replaces the spelling
    within    only telling floats between these two
    sizes     numbers of equal elements
    dtypes    names; default all four
    gradient  whether gradients are looked at
    second    telling floats at which second gradients are looked at (Break.where == "second")
    """

    variants: Sequence[dict[str, Any]] = ({},)
    make: Callable[[torch.Tensor], dict[str, Any]] | None = None
    spelling: str = ""
    call: Callable[..., Any] | None = None
    within: tuple[float, float] = (float("-inf"), float("inf"))
    sizes: tuple[int, ...] = (1, 64)
    dtypes: tuple[str, ...] = ("float16", "bfloat16", "float32", "float64")
    gradient: bool = True
    second: tuple[float, ...] = ()


def _each(name: str, *values: Any) -> list[dict[str, Any]]:
    return [{name: value} for value in values]


def full(x: float) -> Callable[[torch.Tensor], torch.Tensor]:
    """A tensor like the telling one, filled with one number."""
    return lambda like: torch.full_like(like.detach(), x).requires_grad_(True)


def _alternating(like: torch.Tensor) -> torch.Tensor:
    return torch.arange(like.numel()) % 2 == 0


def _integers(like: torch.Tensor) -> dict[str, torch.Tensor]:
    whole = like.detach().clamp(0, 100).to(torch.int64)
    return {"input": whole, "other": whole.flip(0) % 5}


INTEGERS = Recipe(make=_integers, gradient=False)
TARGETS = _each("dtype", torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int64)

#: rows that say nothing: any object stands for them
SILENT = {row.name: Recipe(call=lambda args: args, make=lambda x: {"args": x}, dtypes=("float32",)) for row in plumbing.ROWS if row.opaque}

RECIPES: dict[str, Recipe] = {
    **SILENT,
    "predicate": Recipe(call=lambda args: torch.is_tensor(args), make=lambda x: {"args": x}, dtypes=("float32",), sizes=(1,)),
    "world_size": Recipe(call=lambda group: 1, make=lambda x: {"group": None}, dtypes=("float32",), sizes=(1,)),
    "scalar_tensor": Recipe(make=lambda x: {"data": x.detach()[0].item()}, sizes=(1,), dtypes=("float32",), gradient=False),
    "pow": Recipe(variants=_each("exponent", 0.0, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, -0.5, -1.0, -2.0, 2, -1)),
    "float_power": Recipe(variants=_each("exponent", 0.5, 2.0, -1.0)),
    "div": Recipe(variants=({}, {"rounding_mode": "floor"}, {"rounding_mode": "trunc"})),
    "mul": Recipe(variants=({}, {"other": math.inf}, {"other": -math.inf}, {"input": torch.tensor(math.inf)})),
    "rsub": Recipe(spelling="torch.rsub"),
    "cbrt": Recipe(dtypes=("float16", "float32", "float64")),
    "clamp": Recipe(variants=({"min": 0.0}, {"max": 1.0}, {"min": 1e-8}, {"min": -1.0, "max": 0.3}, {"min": full(0.5)})),
    "nan_to_num": Recipe(variants=({}, {"nan": 1.0, "posinf": 2.0})),
    "where": Recipe(variants=[{"condition": _alternating, name: value} for name in ("input", "other") for value in (0.0, -1e9, 1e300, full(0.5))]),
    "masked_fill": Recipe(variants=[{"mask": _alternating, "value": value} for value in (0.0, -1e9, 1e300)]),
    "fill": Recipe(variants=_each("value", 0.0, 2.5, -1e9, 1e300),
                   call=lambda input, value: input.detach().clone().fill_(value), make=lambda x: {"input": x}),
    "zero": Recipe(call=lambda input: input.detach().clone().zero_(), make=lambda x: {"input": x}),
    "copy": Recipe(call=lambda input, other: input.detach().clone().copy_(other), make=lambda x: {"input": x, "other": x.detach() / 2}),
    "bitwise_and": INTEGERS,
    "bitwise_or": INTEGERS,
    "bitwise_xor": INTEGERS,
    "bitwise_left_shift": INTEGERS,
    "bitwise_right_shift": INTEGERS,
    "bitwise_not": Recipe(make=lambda x: {"input": _integers(x)["input"]}, gradient=False),
    "round": Recipe(variants=({}, {"decimals": 2})),
    "lerp": Recipe(variants=[{"end": full(end), "weight": weight} for end in (0.0, -3.0, 100.0) for weight in (0.0, 0.3, 0.999, 1.5)]),
    "addcmul": Recipe(variants=({"tensor1": full(3.0), "tensor2": full(0.1)}, {"input": full(1.0), "tensor1": full(-2.0), "value": 0.1})),
    "addcdiv": Recipe(variants=({"tensor1": full(3.0), "tensor2": full(0.1)}, {"input": full(1.0), "tensor1": full(-2.0), "value": 0.1})),
    "logit": Recipe(variants=({}, {"eps": 1e-6}, {"eps": 1e-3}, {"eps": 1e-9})),
    "polygamma": Recipe(variants=_each("n", 1, 2)),
    **{name: Recipe(dtypes=("float32", "float64")) for name in ("ndtri", "log_ndtr", "erfcx", "i0e", "i1", "i1e")},
    "softplus": Recipe(variants=({}, {"beta": 10.0}, {"beta": 0.5, "threshold": 5.0})),
    "elu": Recipe(variants=({}, {"alpha": 0.3})),
    "celu": Recipe(variants=({}, {"alpha": 0.3})),
    "gelu": Recipe(variants=({}, {"approximate": "tanh"})),
    "hardtanh": Recipe(variants=({}, {"min_val": 0.1, "max_val": 6.0})),
    "leaky_relu": Recipe(variants=({}, {"negative_slope": 0.2})),
    "prelu": Recipe(variants=[{"weight": lambda x: torch.full((1,), 0.25, dtype=x.dtype, requires_grad=True)}]),
    "rrelu": Recipe(variants=({}, {"training": True})),
    "threshold": Recipe(variants=({"threshold": 0.5, "value": 2.0}, {"threshold": -1.0, "value": 0.0})),
    "softshrink": Recipe(variants=({}, {"lambd": 2.0})),
    "hardshrink": Recipe(variants=({}, {"lambd": 2.0})),
    "to": Recipe(variants=TARGETS),
    "type_as": Recipe(variants=[{"dtype": lambda x: torch.zeros(1, dtype=torch.float16)}]),
    "complex": Recipe(dtypes=("float32", "float64")),
    "numpy": Recipe(call=lambda input: input.detach().numpy(), make=lambda x: {"input": x}, dtypes=("float16", "float32", "float64")),
    "item": Recipe(sizes=(1,)),
    "float": Recipe(sizes=(1,)),
    "int": Recipe(sizes=(1,)),
    "bool": Recipe(sizes=(1,)),
    "device": Recipe(spelling=".cpu"),
    "grad": Recipe(call=lambda input: torch.zeros_like(input), make=lambda x: {"input": x}),
}
