"""p log p by hand is NaN where p is 0.

## What it finds

`p * log(p)`, `p * log(p / q)` and `p * (log(p) - log(q))` where p can be exactly 0: entropies, KL divergences, over several statements.

## Why it breaks

The limit of p log p at 0 is 0, but 0 * log(0) is 0 * -inf: NaN. One-hot labels, normalised counts and thresholded maps hold exact zeros.

## Bad

```python
import torch


def entropy(labels, size):
    p = torch.nn.functional.one_hot(labels, size).float().mean(0)
    return -(p * torch.log(p)).sum()
```

## Good

```python
import torch


def entropy(labels, size):
    p = torch.nn.functional.one_hot(labels, size).float().mean(0)
    return -torch.xlogy(p, p).sum()
```

## Fix

`torch.xlogy(p, p / q)` where no gradient flows (exact): it is 0 for p = 0. With a gradient there is no exact one, since the gradient of
xlogy at 0 is infinite or NaN; there a floor goes under the log (guard), if p is known not to be negative.

## When to ignore it

When p is known to be positive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("x-log-x-by-hand",)
BEFORE = ("log-of-zero", "guard-after-hazard")


def check(use: Use, hit: Hit) -> Verdict | None:
    log = words.site_of(use, hit.parts["covers"][0])
    at = f" (log at line {words.line(log)})" if log is not None and words.line(log) != words.line(use.site) else ""
    text = f"p log p by hand{at}: where p is exactly 0 it is 0 * -inf, NaN"
    return Verdict(words.told(text, hit), covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    weight, argument = pen.spell(hit.parts["weight"]), pen.spell(hit.parts["argument"])
    exact = use.lib == "torch" and use.result.grad == "no" and hit.parts["whole"] and hit.parts["covers"][0].op == "log"
    if weight is None or argument is None or not exact:
        log = next((u for u in words.covered(use, hit) if u.site.fragment is use.site.fragment), None)
        return cures.guard_log(log, pen) if log is not None and log.arg("input").range.lo >= 0.0 else None
    text, imports = cures.call(pen, "torch.xlogy", weight, argument)
    return cures.put(use, pen, text if hit.parts["sign"] > 0 else f"-{text}", imports, "xlogy")
