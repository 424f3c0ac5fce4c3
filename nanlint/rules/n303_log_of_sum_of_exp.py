"""The log of a sum of exp overflows where the result would be ordinary.

## What it finds

`log(exp(x).sum(dim))` without subtracting the maximum over the same dim, over several statements and functions.

## Why it breaks

`exp(89)` is inf in float32 (11.1 in float16), although the whole expression is near 89; and when all x are below -104 the sum is 0 and
the log -inf.

## Bad

```python
import torch


def free_energy(x):
    return -torch.log(torch.exp(x).sum(dim=1))
```

## Good

```python
import torch


def free_energy(x):
    return -torch.logsumexp(x, dim=1)
```

## Fix

`logsumexp` with the same dim and keepdim, in NumPy `np.logaddexp.reduce` (exact).

## When to ignore it

When x is bounded by something outside the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Edit, Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("log-of-sum-of-exp",)
BEFORE = ("log-of-zero", "guard-after-hazard")


def check(use: Use, hit: Hit) -> Verdict | None:
    made = words.site_of(use, hit.parts["covers"][0])
    at = f" (exp at line {words.line(made)})" if made is not None and words.line(made) != words.line(use.site) else ""
    notes = (("the exp", made),) if at and made is not None else ()
    text = f"log of a sum of exp: exp overflows to inf above {words.threshold(words.EXP_INF, use)}{at}, and a sum of tiny exp is 0 with log -inf; use logsumexp"
    return Verdict(text, notes=notes, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    logits, dim = pen.spell(hit.parts["logits"]), cures.dim_text(hit, pen)
    if logits is None or dim is None or not hit.parts.get("direct"):
        return None
    if use.lib == "numpy":
        return _numpy(use, hit, pen, logits)
    text, imports = _torch(hit, pen, logits, dim)
    return cures.put(use, pen, text, imports, "logsumexp") if use.lib == "torch" else None


def _torch(hit: Hit, pen: Pen, logits: str, dim: str) -> tuple[str, tuple[Edit, ...]]:
    if not dim:
        return cures.call(pen, "torch.logsumexp", f"{pen.fit(logits, 'primary')}.flatten()", "dim=0")
    return cures.call(pen, "torch.logsumexp", logits, dim, "keepdim=True" if hit.parts.get("keepdim") else "")


def _numpy(use: Use, hit: Hit, pen: Pen, logits: str) -> Fix | None:
    """logaddexp.reduce takes axis 0 where none is given, so None is written."""
    dim = (cures.dim_text(hit, pen) or "dim=None").replace("dim=", "axis=", 1)
    text, imports = cures.call(pen, "numpy.logaddexp.reduce", logits, dim, "keepdims=True" if hit.parts.get("keepdim") else "")
    return cures.put(use, pen, text, imports, "logaddexp.reduce")
