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


@dataclass(frozen=True)
class Recipe:
    """How to run one row.

    variants  constants by canonical name, one dict a variant (each is run with every telling tensor)
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


RECIPES: dict[str, Recipe] = {
    "pow": Recipe(variants=_each("exponent", 0.0, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, -0.5, -1.0, -2.0, 2, -1)),
    "float_power": Recipe(variants=_each("exponent", 0.5, 2.0, -1.0)),
    "div": Recipe(variants=({}, {"rounding_mode": "floor"}, {"rounding_mode": "trunc"})),
    "mul": Recipe(variants=({}, {"other": math.inf}, {"other": -math.inf}, {"input": torch.tensor(math.inf)})),
    "rsub": Recipe(spelling="torch.rsub"),
}
