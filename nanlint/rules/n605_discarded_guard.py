"""A guard whose result is thrown away.

## What it finds

`x.clamp(min=0)`, `torch.nan_to_num(x)`, `x.masked_fill(...)`, `np.clip(x, ...)` as a whole statement.

## Why it breaks

These return a new tensor and leave `x` as it was: the guard guards nothing.

## Bad

```python
import torch


def safe_log(x):
    x.clamp(min=1e-6)
    return torch.log(x + 1)
```

## Good

```python
import torch


def safe_log(x):
    x = x.clamp(min=1e-6)
    return torch.log(x + 1)
```

## Fix

The result is assigned to the name that was guarded (unsafe: the code behind it now sees the guarded value).

## When to ignore it

Never; remove the statement if it is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.findings import Edit, Fix
from nanlint.rules import words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("discarded",)


def check(use: Use, hit: Hit) -> Verdict | None:
    if use.inplace or not use.discarded:
        return None
    return Verdict(f"the result of {words.shown(use)} is thrown away: it returns a new value and changes nothing; assign it")


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    node = use.nodes.get(use.op.lead)
    target = pen.text(node) if node is not None else ""
    if not target.replace(".", "").replace("_", "").isalnum():
        return None
    start = use.site.fragment.span(use.site.node).start
    return Fix("unsafe", "assign the result", (Edit(start, start, f"{target} = "),))
