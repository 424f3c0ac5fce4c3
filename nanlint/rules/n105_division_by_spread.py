"""A division by a standard deviation, variance or range that is 0 for constant data.

## What it finds

A division by `std`, `var`, their roots, or `max - min` without a floor: standardisation of features, batches, advantages, images.

## Why it breaks

A constant column, a blank image, a group of equal rewards has spread 0: (x - mean) / 0 is 0/0, NaN.

## Bad

```python
import torch


def standardise(x):
    return (x - x.mean(dim=0)) / x.std(dim=0, unbiased=False)
```

## Good

```python
import torch


def standardise(x):
    return (x - x.mean(dim=0)) / x.std(dim=0, unbiased=False).clamp_min(1e-6)
```

## Fix

A floor under the divisor: `.clamp_min(1e-6)`, in NumPy `np.maximum(d, 1e-6)` (guard).

## When to ignore it

When the data cannot be constant for a reason outside the code.
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

NAMES = (("std", "standard deviation"), ("variance", "variance"), ("spread", "range"))


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if words.family(value) != "spread" or use.lib == "python":
        return None
    name = next(text for mark, text in NAMES if mark in value.marks)
    text = f"division by a {name}{words.origin(value, use)}: it is 0 where all values are equal, and 0/0 is NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
