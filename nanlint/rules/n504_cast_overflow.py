"""A cast to a smaller dtype turns large numbers into inf.

## What it finds

`.half()`, `.to(torch.float16)`, `astype(np.float32)` of data from outside whose range in the wider dtype passes the largest number
of the smaller one.

## Why it breaks

float16 ends at 65504 and float32 at 3.4e38: 70000 becomes inf in float16, 1e100 in float32, without an error. The next
difference or product is NaN, and a check with isnan before it lets inf pass.

## Bad

```python
import numpy as np


def load(path):
    rows = np.loadtxt(path)
    table = np.asarray(rows, dtype=np.float64)
    return table.astype(np.float32)
```

## Good

```python
import numpy as np


def load(path):
    rows = np.loadtxt(path)
    table = np.asarray(rows, dtype=np.float64)
    return np.clip(table, -1e30, 1e30).astype(np.float32)
```

## Fix

None: whether to clip, to reject or to scale is the reader's decision.

## When to ignore it

When the data are known to be small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.interp.uses import Hit, Use

HEARS = ("cast-overflow",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    target = use.result.dtype or use.dtype
    largest = words.LARGEST.get(target)
    if largest is None:
        return None
    source = f"{value.dtype} " if value.dtype else ""
    text = f"cast of {source}values{words.origin(value, use)} to {target}: numbers beyond {largest} become inf without an error"
    return Verdict(words.told(text, hit), notes=words.path(value, use))
