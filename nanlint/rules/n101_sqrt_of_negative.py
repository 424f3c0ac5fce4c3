"""The square root of a negative number is NaN.

## What it finds

`sqrt`, `rsqrt` and `** 0.5` of a value whose range goes below 0: a variance computed as `E[x^2] - E[x]^2`, a
pairwise distance `|a|^2 + |b|^2 - 2ab`, `1 - c**2`, a difference of two outputs.

## Why it breaks

In real numbers `E[x^2] - E[x]^2` is never negative. In float32 both terms are rounded, and for 7 copies of 1000.1 their
difference is below 0: the root is NaN, and one NaN in a batch makes the loss and all gradients NaN.

## Bad

```python
import torch


def spread(x):
    variance = (x * x).mean(dim=1) - x.mean(dim=1) ** 2
    return torch.sqrt(variance)
```

## Good

```python
import torch


def spread(x):
    variance = (x * x).mean(dim=1) - x.mean(dim=1) ** 2
    return torch.sqrt(variance.clamp_min(1e-12))
```

## Fix

A floor inside the root (guard). Where the argument may be truly negative, the floor hides bad data and the fix is unsafe.

## When to ignore it

When the argument cannot be negative for a reason that is not in the code: a table of measured energies, a validated input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("root-negative", "power-negative")
BEFORE = ("sqrt-at-zero",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python" or not words.is_root(use):
        return None
    where = words.origin(value, use)
    if "cancel" in value.marks:
        text = f"root of a difference that rounding can bring below 0{where}: the root of a negative number is NaN"
    else:
        text = f"root of a value that can be negative{where}: NaN below 0"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
