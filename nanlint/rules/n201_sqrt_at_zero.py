"""The gradient of a square root at 0 is infinite.

## What it finds

`sqrt`, `rsqrt`, `** 0.5` of a value that can be exactly 0 where a gradient flows: the root of a sum of squares written by hand, of
a variance, of a clamp at 0, of a squared distance.

## Why it breaks

The value is 0, but the derivative is 1 / (2 * sqrt(0)) = inf; the sum of squares below multiplies it by 2 * 0 and the gradient is
NaN. The loss looks fine until the optimiser has written NaN into the weights. `norm` and `std` are protected in
PyTorch, a root by hand is not; eps outside the root does not help.

## Bad

```python
import torch


def energy_loss(x):
    return torch.sqrt(x.pow(2).sum(dim=1)).mean()
```

## Good

```python
import torch


def energy_loss(x):
    return torch.sqrt(x.pow(2).sum(dim=1).clamp_min(1e-12)).mean()
```

## Fix

A floor inside the root: `.clamp_min(1e-12)`, with `guard = "add"` in the settings `+ 1e-12` (guard).

## When to ignore it

When the result is never differentiated: a metric, a log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("root-zero", "power-zero")


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib in ("numpy", "python") and hit.brk.where != "value":
        return None
    if not words.is_root(use) or hit.brk.where in words.NEEDS_GRADIENT and not words.gradient_flows(value):
        return None
    what = "a sum of squares" if "square" in value.marks else "a variance" if "variance" in value.marks else "a value"
    inner = "inf * 0 = NaN behind it" if what != "a value" else "inf there"
    text = f"root of {what} that can be 0{words.origin(value, use)}: the gradient at 0 is {inner}"
    if hit.brk.where == "value":
        text = f"1 / root of {what} that can be 0{words.origin(value, use)}: inf at 0, its gradient NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
