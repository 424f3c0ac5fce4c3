"""The gradient of a power with an exponent between 0 and 1 is infinite at 0.

## What it finds

`x ** p` and `pow(x, p)` with 0 < p < 1, by a constant or by a default, of a value that can be exactly 0 where a gradient flows:
gamma correction, compressed spectra, a focal weight `(1 - p) ** gamma` with a fractional gamma.

## Why it breaks

The value at 0 is 0, but the derivative is p * 0 ** (p - 1) = inf. Behind a square or a softmax it meets a 0 and becomes
NaN. The forward pass never shows it. A
relu protects: its backward selects, and passes nothing at 0. Square roots are told by sqrt-at-zero.

## Bad

```python
import torch


def gamma_loss(image, target):
    shown = image.clamp(min=0) ** 0.4
    return (shown - target).abs().mean()
```

## Good

```python
import torch


def gamma_loss(image, target):
    shown = image.clamp(min=0).clamp_min(1e-12) ** 0.4
    return (shown - target).abs().mean()
```

## Fix

A floor under the power: `.clamp_min(1e-12)`, 1e-6 in float16, with `guard = "add"` in the settings `+ 1e-12` (guard).

## When to ignore it

When the result is never differentiated, or the base is a count that is at least 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("power-zero",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib != "torch" or words.is_root(use) or not words.gradient_flows(value):
        return None
    text = f"power {words.exponent(use)} of a value that can be 0{words.origin(value, use)}: the gradient at 0 is inf"
    if value.marks & {"square", "softmax", "sigmoid"}:
        text += ", and 0 * inf = NaN behind it"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
