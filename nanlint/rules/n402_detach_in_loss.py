"""A summand of a loss is cut from the graph: it is counted, but it trains nothing.

## What it finds

`.detach()`, `.data`, `.numpy()` and what is computed from them, where a whole summand of what a loss returns carries no gradient any more:
a penalty of `weight.data`, a distillation term whose student side is detached, a prediction that went through NumPy and back.
Detached targets, factors, shifts and straight-through differences are none: beside them the gradient goes on.

## Why it breaks

`loss + weight * penalty.detach()` has the right value and the gradient of `loss` alone. The penalty is printed, even falls now and then,
and its weight changes nothing.

## Bad

```python
import torch
import torch.nn.functional as F


def total_loss(model, x, y):
    scores = model(x)
    size = scores.detach().abs().mean()
    return F.cross_entropy(scores, y) + 0.1 * size
```

## Good

```python
import torch
import torch.nn.functional as F


def total_loss(model, x, y):
    scores = model(x)
    size = scores.abs().mean()
    return F.cross_entropy(scores, y) + 0.1 * size
```

## Fix

`.detach()` and `.data` are taken out, where that alone gives the summand its gradient back (unsafe: the loss begins to train what it did not).

## When to ignore it

When a constant is added on purpose, so that the number that is shown is complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("detach-cut", "return-cut")


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    name = words.shown(use)
    if hit.brk.kind == "return-cut":
        text = f"{name} makes a tensor of numbers{words.origin(value, use)} that were cut from the graph: a summand of the loss has no gradient and trains nothing"
        return Verdict(words.told(text, hit), notes=words.path(value, use))
    text = f"{name} cuts a value{words.origin(value, use)} from the graph, so that a summand of the loss has no gradient: it trains nothing"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    """One edit, where the op does nothing but cut and no other cut stands in the summand."""
    value = words.culprit(use, hit)
    if hit.brk.kind != "detach-cut" or use.op.gradient != "stops" or not words.gradient_flows(value) or not _alone(use):
        return None
    return cures.fix_of("unsafe", "keep the graph", [pen.remove_call(use.site.node, use.site)])


def _alone(use: Use) -> bool:
    """Whether no NumPy stands behind: taking detach() out alone would make numpy() raise."""
    uses = use.trace.uses if use.trace is not None else ()
    return not any(other.op.gradient == "cuts" and use in other.result.cuts for other in uses if other is not use)
