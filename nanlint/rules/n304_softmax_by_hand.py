"""A softmax written by hand without subtracting the maximum: inf / inf is NaN.

## What it finds

`exp(x) / exp(x).sum(dim)` over any number of statements, also with an eps in the divisor.

## Why it breaks

A logit above 88.7 makes exp inf in float32 (11.1 in float16), and inf / inf is NaN; if all logits are below -104 it is 0 / 0.

## Bad

```python
import torch


def attention(scores):
    weights = torch.exp(scores)
    return weights / weights.sum(dim=1, keepdim=True)
```

## Good

```python
import torch


def attention(scores):
    return torch.softmax(scores, dim=1)
```

## Fix

`softmax` with the same dim (exact; unsafe where an eps in the divisor made the weights sum to less than 1).

## When to ignore it

When the scores are bounded by something outside the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("softmax-by-hand",)
BEFORE = ("division-by-zero", "division-by-count", "division-by-norm", "division-by-spread", "guard-after-hazard")


def check(use: Use, hit: Hit) -> Verdict | None:
    made = words.site_of(use, hit.parts["covers"][0])
    at = f" (exp at line {words.line(made)})" if made is not None and words.line(made) != words.line(use.site) else ""
    notes = (("the exp", made),) if at and made is not None else ()
    text = f"softmax by hand: exp overflows to inf above {words.threshold(words.EXP_INF, use)}{at} and inf / inf is NaN; use softmax, or subtract the maximum"
    return Verdict(text, notes=notes, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    logits, dim = pen.spell(hit.parts["logits"]), cures.dim_text(hit, pen)
    if use.lib != "torch" or logits is None or dim is None or not hit.parts.get("direct") or isinstance(hit.parts.get("dim"), tuple):
        return None
    text, imports = cures.call(pen, "torch.softmax", logits if dim else f"{pen.fit(logits, 'primary')}.flatten()", dim or "dim=0")
    if not dim:
        text = f"{text}.view_as({logits})"
    return cures.put(use, pen, text, imports, "softmax", "unsafe" if hit.parts.get("floor") else "exact")
