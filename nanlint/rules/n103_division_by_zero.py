"""The divisor can be 0.

## What it finds

A division of tensors or arrays whose divisor's range holds 0: a difference, a relu, a softmax, a maximum of absolute values, a
product. Divisions by a norm, by a std or range, and by a count have rules of their own (NAN104, NAN105, NAN106).
A Python number raises ZeroDivisionError and is no finding.

## Why it breaks

`x / 0` is inf, `0 / 0` NaN; the gradient to the divisor is x / d**2 and overflows long before.

## Bad

```python
import torch


def normalise(weights):
    scores = torch.relu(weights)
    return scores / scores.amax(dim=1, keepdim=True)
```

## Good

```python
import torch


def normalise(weights):
    scores = torch.relu(weights)
    return scores / scores.amax(dim=1, keepdim=True).clamp_min(1e-6)
```

## Fix

A divisor that is never negative gets a floor, `.clamp_min(1e-6)`; one of either sign is kept away from 0 by
`torch.where(d.abs() < 1e-6, 1e-6, d)`: `d + eps` would only move the pole (guard).

## When to ignore it

When the divisor is kept away from 0 by something outside the code, such as a validated configuration.
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


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if words.family(value) or use.lib == "python":
        return None
    text = f"division by a value that can be 0{words.origin(value, use)}: x/0 is inf, 0/0 NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
