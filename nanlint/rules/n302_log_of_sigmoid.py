"""The log of a sigmoid, or of 1 - sigmoid: -inf where the sigmoid saturates.

## What it finds

`log(sigmoid(x))`, `log(1 - sigmoid(x))`, `log1p(-sigmoid(x))`, over several statements and functions.

## Why it breaks

In float32 a sigmoid is exactly 1 from x = 16.7 on, so `log(1 - sigmoid(x))` is -inf there, and exactly 0 below -88.8. A GAN's
discriminator reaches 17 easily. In float16 the ends are 8.4 and -17.4.

## Bad

```python
import torch
import torch.nn.functional as F


def discriminator_loss(real, fake):
    return -(torch.log(torch.sigmoid(real)) + torch.log(1 - torch.sigmoid(fake))).mean()
```

## Good

```python
import torch
import torch.nn.functional as F


def discriminator_loss(real, fake):
    return -(F.logsigmoid(real) + F.logsigmoid(-fake)).mean()
```

## Fix

`logsigmoid(x)`, for the complement `logsigmoid(-x)` (exact). Where it cannot be written, a floor under the log (guard).

## When to ignore it

When x is bounded by something outside the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("log-of-sigmoid",)
BEFORE = ("log-of-zero", "where-hides-nan-gradient", "guard-after-hazard")


def check(use: Use, hit: Hit) -> Verdict | None:
    made = words.site_of(use, hit.parts["sigmoid"])
    at = f" (sigmoid at line {words.line(made)})" if made is not None and words.line(made) != words.line(use.site) else ""
    notes = (("the sigmoid", made),) if at and made is not None else ()
    if hit.parts.get("complement"):
        text = f"log of 1 - sigmoid: the sigmoid is exactly 1 from {words.threshold(words.SIGMOID_ONE, use)} on{at} and the log is -inf; use logsigmoid(-x)"
    else:
        text = f"log of a sigmoid: it is exactly 0 below {words.threshold(words.SIGMOID_ZERO, use)}{at} and the log is -inf; use logsigmoid"
    return Verdict(text, notes=notes, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    logits = pen.spell(hit.parts["logits"])
    if use.lib == "torch" and logits is not None and hit.parts.get("natural") and hit.parts.get("direct"):
        argument = f"-{pen.fit(logits, 'primary')}" if hit.parts.get("complement") else logits
        text, imports = cures.call(pen, "torch.nn.functional.logsigmoid", argument)
        return cures.put(use, pen, text, imports, "logsigmoid")
    return cures.guard_log(use, pen) if use.arg(use.op.lead).range.lo >= 0.0 else None
