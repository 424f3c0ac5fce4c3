"""A division by a count that can be 0: an empty mask, no positive pair, nothing selected.

## What it finds

A division by the sum of a mask, of a comparison, of a one-hot row, by `numel()` or a length held in a tensor, without a floor.

## Why it breaks

One day a batch has no valid pixel, no positive, no foreground: the sum above is 0 as well, and 0/0 is NaN.

## Bad

```python
import torch


def masked_mean(loss, labels):
    mask = (labels > 0).float()
    return (loss * mask).sum() / mask.sum()
```

## Good

```python
import torch


def masked_mean(loss, labels):
    mask = (labels > 0).float()
    return (loss * mask).sum() / mask.sum().clamp_min(1e-6)
```

## Fix

A floor under the count: `.clamp_min(1)` for whole numbers, `.clamp_min(1e-6)` for floats, which may be fractions (guard).

## When to ignore it

When the sampler guarantees at least one element in each batch.
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
    if words.family(value) != "count" or use.lib == "python":
        return None
    what = "sum of a mask" if "mask" in value.marks else "count"
    text = f"division by a {what}{words.origin(value, use)}: a mask can select nothing, and 0/0 is NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
