"""A division by a norm that is 0 for a zero vector.

## What it finds

A division by `norm`, `vector_norm` or the root of a sum of squares without a floor, also where the norm was made earlier and reshaped.

## Why it breaks

A zero vector is ordinary: padding, a dead relu, an empty map, two equal points. Its norm is 0 and 0/0 is NaN in the value and in
the gradient. An eps added behind the division comes too late.

## Bad

```python
import torch


def unit(x):
    return x / torch.norm(x, dim=1, keepdim=True)
```

## Good

```python
import torch


def unit(x):
    return x / torch.norm(x, dim=1, keepdim=True).clamp_min(1e-6)
```

## Fix

`.clamp_min(1e-6)` (4e-3 in float16) on the divisor, or once where the norm is made if every use needs it (guard). Not `F.normalize`:
its floor of 1e-12 gives a gradient of 1e12 at zero, and in float16 it is 0.

## When to ignore it

When no vector can be zero for a reason outside the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("divisor-zero",)
BEFORE = ("division-by-zero",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if words.family(value) != "norm" or use.lib == "python":
        return None
    text = f"division by a norm{words.origin(value, use)}: a zero vector has norm 0 and 0/0 is NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
