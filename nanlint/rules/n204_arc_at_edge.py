"""The gradient of acos at the edge of its domain is infinite, atanh and logit are infinite there.

## What it finds

acos, asin, atanh, acosh, erfinv, logit of a value that can be exactly at the edge: a clamp to [-1, 1], a cosine similarity, a tanh, a
sigmoid, a clamp whose eps is lost (`1 - 1e-8` is 1 in float32).

## Why it breaks

`clamp(-1, 1)` keeps the value finite but lets the gradient through at 1, where that of acos is -1 / sqrt(1 - 1) = -inf; the factors
behind it make NaN of it. A perfect prediction has a cosine of exactly 1. `atanh(1)` and `logit(1)` are themselves inf.

## Bad

```python
import torch
import torch.nn.functional as F


def angular_loss(a, b):
    cosine = F.cosine_similarity(a, b, dim=-1)
    return torch.acos(cosine.clamp(-1, 1)).mean()
```

## Good

```python
import torch
import torch.nn.functional as F


def angular_loss(a, b):
    cosine = F.cosine_similarity(a, b, dim=-1)
    return torch.acos(cosine.clamp(-1 + 1e-6, 1 - 1e-6)).mean()
```

## Fix

A clamp strictly inside the domain, in place of one at its edges: 1e-6 from the edge, 1e-3 in float16, 1e-2 in bfloat16 (guard). There the clamp's gradient is 0.

## When to ignore it

When the angle is a metric and never differentiated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("arc-edge",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value, gradient = words.culprit(use, hit), hit.brk.where in words.NEEDS_GRADIENT
    if use.lib == "python" or gradient and (use.lib != "torch" or not words.gradient_flows(value)):
        return None
    low, high = words.domain(use)
    edge = f"{low:g}" if high is None else f"{low:g} or {high:g}"
    what = "the gradient is inf there" if gradient else "it is infinite there"
    text = f"{words.shown(use)} of a value that can be exactly {edge}{words.origin(value, use)}: {what}"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.inside(use, hit, pen)
