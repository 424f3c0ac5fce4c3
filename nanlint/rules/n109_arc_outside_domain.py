"""acos, asin, atanh, acosh or logit of a value that can leave the domain.

## What it finds

An inverse function with a bounded domain (acos, asin, atanh, erfinv: [-1, 1]; acosh: from 1 on; logit: [0, 1]) whose argument is
not kept inside: a cosine computed by hand, a matrix product of unit vectors, an inner product of hyperbolic points.

## Why it breaks

Rounding lifts the cosine of a vector with itself to 1.0000001 in float32, and acos of it is NaN; an inner product that should
be 1 comes out as 0.9999998 and acosh of it is NaN. In float16 the error is 1e-3. And at the edge itself the gradient is infinite.

## Bad

```python
import torch


def angle(a, b):
    cosine = (a * b).sum(-1) / (a.norm(dim=-1) * b.norm(dim=-1)).clamp_min(1e-6)
    return torch.acos(cosine)
```

## Good

```python
import torch


def angle(a, b):
    cosine = (a * b).sum(-1) / (a.norm(dim=-1) * b.norm(dim=-1)).clamp_min(1e-6)
    return torch.acos(cosine.clamp(-1 + 1e-6, 1 - 1e-6))
```

## Fix

A clamp strictly inside the domain: 1e-6 from the edge, 1e-3 in float16, 1e-2 in bfloat16 (guard; unsafe where the argument is
no cosine, since bad data would be hidden).

## When to ignore it

When NaN is the answer that you want for a value outside. For angles `atan2(sin, cos)` needs no clamp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("arc-outside",)
BEFORE = ("arc-at-edge",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python":
        return None
    low, high = words.domain(use)
    limits = f"in [{low:g}, {high:g}]" if high is not None else f"at or above {low:g}"
    dtype = words.dtype_of(use)
    text = (
        f"{words.shown(use)} of a value that nothing keeps {limits}{words.origin(value, use)}: NaN from {words.OUTSIDE[dtype]} beyond"
        f" the edge on, one rounding in {dtype}"
    )
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.inside(use, hit, pen)
