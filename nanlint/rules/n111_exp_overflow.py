"""exp of a number above 88.7 is inf in float32, above 11.1 in float16.

## What it finds

`exp`, `expm1`, `sinh`, `cosh`, `2 ** x` of a value that can pass the threshold of its dtype: cosine scores divided by a small
temperature, an unclamped log-variance or log-scale.

## Why it breaks

The result is inf; inf / inf and inf - inf are NaN, inf * 0 in the gradient is NaN. At a temperature of 0.01 a cosine
of 0.9 gives exp(90), which is inf in float32.

## Bad

```python
import torch
import torch.nn.functional as F


def similarity(a, b, temperature=0.01):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    return torch.exp((a * b).sum(dim=1) / temperature)
```

## Good

```python
import torch
import torch.nn.functional as F


def similarity(a, b, temperature=0.1):
    a, b = F.normalize(a, dim=1), F.normalize(b, dim=1)
    return torch.exp((a * b).sum(dim=1) / temperature)
```

## Fix

None by itself: stay in the log domain (`logsumexp`, `log_softmax`, `cross_entropy`), subtract the maximum, or clamp the argument
where the value is a scale.

## When to ignore it

When the argument is bounded by something outside the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.interp.uses import Hit, Use

HEARS = ("exp-overflow",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python" and hit.evidence != "suspected":
        return None
    top = f", here up to {value.range.hi:.4g}" if value.range.hi < 1e6 else ""
    text = f"{words.shown(use)} overflows to inf above {words.threshold(words.EXP_INF, use)}{top}{words.origin(value, use)}"
    return Verdict(words.told(text, hit), notes=words.path(value, use))
