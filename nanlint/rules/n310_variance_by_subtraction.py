"""A variance computed as E[x^2] - E[x]^2: below 0 by rounding.

## What it finds

A function that returns `mean(x * x) - mean(x) ** 2`, also with weights or with sums over a count, and no guard. Where a root, a log
or a division in the same file takes it, the finding stands there.

## Why it breaks

Two large numbers cancel. In float32 values near 1000 with a spread of 0.1 have squares near 1e6, which are 0.06 apart: the difference
can be -0.0625 where the variance is 0.01. The root of it is NaN, its log too, and a division turns the sign.

## Bad

```python
import torch


def moments(x):
    mean = x.mean(dim=0)
    variance = (x * x).mean(dim=0) - mean ** 2
    return mean, variance
```

## Good

```python
import torch


def moments(x):
    mean = x.mean(dim=0)
    variance = torch.var(x, dim=0, unbiased=False)
    return mean, variance
```

## Fix

`torch.var(x, dim, unbiased=False)`, in NumPy `np.var(x, axis)` (exact); of weighted means or sums `.clamp_min(0)`, `np.maximum(..., 0)`
(guard).

## When to ignore it

When the mean is known to be small beside the spread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.interp.matchers import core
from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.interp.values import Term
    from nanlint.rewrite import Pen

HEARS = ("variance-by-subtraction",)


def check(use: Use, hit: Hit) -> Verdict | None:
    term = use.term
    if use.lib == "python" or use.trace is None or term is None or not any(core(t, cut=True) is core(term) for t in use.trace.returned):
        return None
    if any(words.straight(consumer, use) and consumer.op.name != "add" for consumer in use.consumers) or _spoken_of(use, term):
        return None
    return Verdict("variance as a difference of means: rounding brings it below 0 where the mean is large beside the spread; use var")


def _spoken_of(use: Use, term: Term) -> bool:
    """Whether something behind is reported for being given it."""
    uses = use.trace.uses if use.trace is not None else ()
    heard = ((other, hit) for other in uses for hit in other.hits if hit is not None and hit.evidence in ("reached", "suspected"))
    return any(other is not use and "cancel" in other.arg(hit.brk.arg).marks and _made_of(other.arg(hit.brk.arg).term, term) for other, hit in heard)


def _made_of(whole: Term | None, part: Term, depth: int = 8) -> bool:
    if whole is None or depth == 0:
        return False
    return whole is part or any(_made_of(inner, part, depth - 1) for inner in whole.args)


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    return _exact(use, hit, pen) or _raised(use, pen)


def _exact(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    """var of the same elements along the same dims."""
    of, dim = pen.spell(hit.parts["of"]), cures.dim_text(hit, pen)
    if of is None or dim is None or not hit.parts["plain"]:
        return None
    keepdim = hit.parts["keepdim"]
    if use.lib == "numpy":
        axis = dim.replace("dim=", "axis=")
        return cures.put(use, pen, *cures.call(pen, "numpy.var", of, axis, "keepdims=True" if keepdim else ""), "var")
    arguments = (of, dim, "unbiased=False", "keepdim=True" if keepdim else "")
    return cures.put(use, pen, *cures.call(pen, "torch.var", *arguments), "var") if use.lib == "torch" else None


def _raised(use: Use, pen: Pen) -> Fix | None:
    node = use.site.node
    if use.lib == "numpy":
        name, imports = pen.name("numpy.maximum")
        return cures.fix_of("guard", "keep it at or above 0", (*imports, pen.replace(node, f"{name}({pen.text(node)}, 0)")))
    return cures.fix_of("guard", "keep it at or above 0", pen.wrap(node, ".clamp_min(0)")) if use.lib == "torch" else None
