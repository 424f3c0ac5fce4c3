"""The log of 0 is -inf, of a negative number NaN.

## What it finds

`log`, `log2`, `log10`, `log1p` of a value that can be exactly 0: a probability that was normalised by hand, a product of
probabilities, `1 - p`, `torch.rand`, a relu, a count.

## Why it breaks

`log(0)` is -inf and its gradient 1/0 is inf; as soon as it meets a 0 (a mask, a one-hot target) the product is NaN.
`1 - p` is exactly 0 in float32 once p is above 1 - 6e-8; an eps of 1e-8 is 0 in float16.

## Bad

```python
import torch


def log_gate(x):
    gate = torch.relu(x)
    return torch.log(gate).sum()
```

## Good

```python
import torch


def log_gate(x):
    gate = torch.relu(x)
    return torch.log(gate.clamp_min(1e-12)).sum()
```

## Fix

A floor under the argument: `.clamp_min(1e-12)`, 1e-4 in float16 (guard). Unsafe where the argument may be truly negative.

## When to ignore it

When -inf is what you mean, as in a mask that is added to logits, and no gradient flows through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("log-zero", "log-negative")


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python":
        return None
    where = words.origin(value, use)
    if hit.brk.kind == "log-negative":
        if any(other.brk.kind == "log-zero" and other.evidence == hit.evidence for other in use.hits):
            return None
        return Verdict(words.told(f"log of a value that can be negative{where}: NaN below 0", hit), notes=words.path(value, use))
    gradient = ", its gradient inf" if words.gradient_flows(value) else ""
    return Verdict(words.told(f"log of a value that can be 0{where}: -inf there{gradient}", hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return cures.guard(use, hit, pen)
