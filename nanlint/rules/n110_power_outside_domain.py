"""A negative power of 0 is infinite, a fractional power of a negative number NaN.

## What it finds

`x ** p` with p < 0 of a value that can be 0 (a degree, a count, a norm, a variance), and with a fractional p of a value that can be
negative (a difference, a centred value). The exponent is a constant or a default.

## Why it breaks

`0 ** -1` and `0 ** -0.5` are inf: an isolated node has degree 0, an empty mask a count of 0. `(-1e-8) ** 0.3` is NaN, and rounding
brings a difference that should be 0 that far below it. Square roots of negative numbers are told by sqrt-of-negative.

## Bad

```python
import torch


def normalise(adjacency, features):
    links = (adjacency > 0).float().sum(dim=1)
    scale = links ** -0.5
    return scale[:, None] * (adjacency @ features)
```

## Good

```python
import torch


def normalise(adjacency, features):
    links = (adjacency > 0).float().sum(dim=1)
    scale = links.clamp_min(1e-6) ** -0.5
    return scale[:, None] * (adjacency @ features)
```

## Fix

A floor under a base that is never negative: `.clamp_min(1e-6)` for negative powers, `.clamp_min(1e-12)` for fractional ones (guard).
For negative powers of either sign `torch.where(x.abs() < 1e-6, 1e-6, x)`; a floor under a base that may be truly negative is unsafe.

## When to ignore it

When the infinities are replaced afterwards and no gradient flows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("power-pole", "power-negative")
BEFORE = ("sqrt-of-negative", "power-at-zero")


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python":
        return None
    power, where = words.exponent(use), words.origin(value, use)
    if hit.brk.kind == "power-pole":
        text = f"power {power} of a value that can be 0{where}: inf at 0, its gradient too"
        return Verdict(words.told(text, hit), notes=words.path(value, use))
    if words.is_root(use) or any(other.brk.kind == "power-pole" and other.evidence == hit.evidence for other in use.hits):
        return None
    text = f"power {power} of a value that can be negative{where}: NaN below 0"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
