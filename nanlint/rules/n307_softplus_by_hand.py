"""softplus written by hand overflows where its result would be ordinary.

## What it finds

`log(1 + exp(x))` and `log1p(exp(x))` where nothing keeps x below the overflow of exp.

## Why it breaks

`exp(89)` is inf in float32 (11.1 in float16), although softplus(89) is 89. The gradient there is inf / inf: NaN.

## Bad

```python
import torch


def rate(x):
    return torch.log(1 + torch.exp(x))
```

## Good

```python
import torch


def rate(x):
    return torch.nn.functional.softplus(x)
```

## Fix

`softplus(x)`, in NumPy `np.logaddexp(0, x)` (exact).

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

HEARS = ("softplus-by-hand",)
BEFORE = ("log-of-zero", "where-hides-nan-gradient", "guard-after-hazard")
#: Each library's own softplus, and what stands before x in its arguments.
OWN = {"torch": ("torch.nn.functional.softplus", ""), "numpy": ("numpy.logaddexp", "0")}


def check(use: Use, hit: Hit) -> Verdict | None:
    made = words.site_of(use, hit.parts["covers"][0])
    at = f" (exp at line {words.line(made)})" if made is not None and words.line(made) != words.line(use.site) else ""
    notes = (("the exp", made),) if at and made is not None else ()
    text = f"softplus by hand: exp overflows to inf above {words.threshold(words.EXP_INF, use)}{at}, where the result is ordinary; use softplus"
    return Verdict(text, notes=notes, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    logits = pen.spell(hit.parts["logits"])
    if logits is None or use.lib not in OWN:
        return None
    name, first = OWN[use.lib]
    text, imports = cures.call(pen, name, first, logits)
    return cures.put(use, pen, text, imports, name.rpartition(".")[2])
