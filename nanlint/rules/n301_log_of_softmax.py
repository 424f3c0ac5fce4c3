"""The log of a softmax: -inf for an improbable class, NaN in the gradient.

## What it finds

`log(softmax(x))`, by the op or by hand, also over several statements, through `gather`, indexing or a mean, and across functions.

## Why it breaks

In float32 a logit 104 below the largest has probability exactly 0 and its log is -inf; from a gap of 89 on the gradient 1/p
overflows and is NaN. In float16 the gaps are 17 and 11.

## Bad

```python
import torch
import torch.nn.functional as F


def entropy_loss(logits, targets):
    probabilities = F.softmax(logits, dim=1)
    return F.nll_loss(torch.log(probabilities), targets)
```

## Good

```python
import torch
import torch.nn.functional as F


def entropy_loss(logits, targets):
    probabilities = F.softmax(logits, dim=1)
    return F.nll_loss(F.log_softmax(logits, dim=1), targets)
```

## Fix

`log_softmax` with the same dim (exact). Where it cannot be written, a floor under the log (guard).

## When to ignore it

When the logits are known to lie within a few units of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.findings import Fix
from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.findings import Edit
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("log-of-softmax",)
BEFORE = ("log-of-zero", "where-hides-nan-gradient", "guard-after-hazard")


def check(use: Use, hit: Hit) -> Verdict | None:
    made = cures.use_of(use, hit.parts.get("softmax"))
    at = f" (softmax at line {words.line(made.site)})" if made is not None else ""
    text = (
        f"log of a softmax: a logit {words.threshold(words.SOFTMAX_ZERO, use).replace(' in', ' below the largest has probability exactly 0 in')} and"
        f" its log is -inf; the gradient is NaN from a gap of {words.SOFTMAX_GRADIENT[words.dtype_of(use)]}{at}; use log_softmax"
    )
    notes = (("the softmax", made.site),) if made is not None else ()
    return Verdict(text, notes=notes, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    exact = _exact(use, hit, pen) if use.lib == "torch" else None
    return exact or cures.guard_log(use, pen)


def _exact(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    if not hit.parts.get("natural") or hit.parts.get("averaged"):
        return None
    made = cures.use_of(use, hit.parts["softmax"])
    inner = cures.inner_node(use, use.op.lead, hit.parts["softmax"])
    written = _log_softmax(made, hit, pen)
    if written is None:
        return None
    text, imports = written
    if hit.parts.get("direct"):
        return cures.put(use, pen, text, imports, "log_softmax")
    return None if inner is None else _inside(use, inner[0], pen, text, imports)


def _log_softmax(made: Use | None, hit: Hit, pen: Pen) -> tuple[str, tuple[Edit, ...]] | None:
    """log_softmax(logits, dim) as the file writes its softmax."""
    logits, dim = pen.spell(hit.parts["logits"]), cures.dim_text(hit, pen)
    if logits is None or dim is None or isinstance(hit.parts.get("dim"), tuple) or (hit.parts.get("dim") is None and hit.parts.get("by_hand")):
        return None
    if made is not None and made.spelling.startswith(".") and dim:
        return f"{cures.tightened(logits)}.log_softmax({dim})", ()
    return cures.call(pen, cures.form_of(made, "torch.nn.functional.log_softmax", "log_softmax"), logits, dim)


def _inside(use: Use, inner: cst.BaseExpression, pen: Pen, text: str, imports: tuple[Edit, ...]) -> Fix:
    """log(pick(softmax)) becomes pick(log_softmax)."""
    return Fix("exact", "use log_softmax", (*imports, pen.replace(inner, text), *pen.remove_call(use.site.node)))
