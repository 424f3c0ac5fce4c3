"""A cross-entropy written by hand from exp and log.

## What it finds

The sum or mean over a batch of `log(exp(x).sum(1)) - x[target]`, or of `-log(softmax(x)[target])`, with the target picked by a one-hot
product, by indexing or by gather, over any number of statements.

## Why it breaks

The exp overflows from a logit of 88.7 in float32 (11.1 in float16) and the loss is inf or NaN; an improbable target has
probability 0 and the loss is inf with a NaN gradient.

## Bad

```python
import torch
import torch.nn.functional as F


def loss(outputs, targets):
    return -torch.log(F.softmax(outputs, dim=1)[torch.arange(len(targets)), targets]).mean()
```

## Good

```python
import torch
import torch.nn.functional as F


def loss(outputs, targets):
    return F.cross_entropy(outputs, targets, reduction="mean")
```

## Fix

`F.cross_entropy` with the same reduction (exact; unsafe where the code compares the targets with a number or speaks of an ignored
index, since cross_entropy raises on targets outside the classes).

## When to ignore it

When the logits are bounded by something outside the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.interp.values import Term
    from nanlint.rewrite import Pen

HEARS = ("cross-entropy-by-hand",)


def check(use: Use, hit: Hit) -> Verdict | None:
    inner = words.covered(use, hit)
    first = min((words.line(u.site) for u in inner), default=words.line(use.site))
    at = f" (from line {first})" if first != words.line(use.site) else ""
    text = (
        f"cross-entropy by hand, {hit.parts['reduction']} form{at}: exp overflows to inf above {words.threshold(words.EXP_INF, use)} and a class of"
        " probability 0 has log -inf; use cross_entropy on the logits"
    )
    return Verdict(text, notes=tuple((f"{words.shown(u)} is part of it", u.site) for u in inner[:3] if u.site.node is not use.site.node), covers=inner)


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    logits, targets = pen.spell(hit.parts["logits"]), pen.spell(hit.parts["targets"])
    if logits is None or targets is None or use.lib != "torch":
        return None
    reduction = f'reduction="{hit.parts["reduction"]}"'
    text, imports = cures.call(pen, "torch.nn.functional.cross_entropy", logits, targets, reduction)
    return cures.put(use, pen, text, imports, "cross_entropy", "unsafe" if _may_be_ignored(use, hit.parts["targets"]) else "exact")


def _may_be_ignored(use: Use, targets: Term) -> bool:
    """Whether the targets are compared with a number, or anything is called an ignored index here."""
    if use.trace is None or any("ignore" in name for name in use.names):
        return True
    return any(_compares(other, targets) for other in use.trace.uses)


def _compares(use: Use, targets: Term) -> bool:
    if use.op.dtype != "bool" or use.op.terms != "elementwise":
        return False
    values = [use.arg(name) for name in use.bound.args]
    return any(v.term == targets for v in values) and any(v.term != targets and words.number(v) is not None for v in values)
