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
    return F.nll_loss(F.log_softmax(logits, dim=1), targets)
```

## Fix

`log_softmax` with the same dim (exact). Where it cannot be written, a floor under the log (guard).

## When to ignore it

When the logits are known to lie within a few units of each other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nanlint.rules import cures, leftovers, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.findings import Edit, Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("log-of-softmax",)
BEFORE = ("log-of-zero", "where-hides-nan-gradient", "guard-after-hazard")


def check(use: Use, hit: Hit) -> Verdict | None:
    made, dtype = words.site_of(use, hit.parts["softmax"]), words.dtype_of(use)
    at = f" (softmax at line {words.line(made)})" if made is not None else ""
    text = (
        f"log of a softmax: a logit {words.SOFTMAX_ZERO[dtype]} below the largest has probability exactly 0 in {dtype} and its log is -inf;"
        f" the gradient is NaN from a gap of {words.SOFTMAX_GRADIENT[dtype]}{at}; use log_softmax"
    )
    return Verdict(text, notes=(("the softmax", made),) if made is not None else (), covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    exact = _exact(use, hit, pen) if use.lib == "torch" else None
    return exact or cures.guard_log(use, pen)


def _exact(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    if not hit.parts["natural"] or hit.parts["averaged"]:
        return None
    written = _log_softmax(use, hit, pen)
    if written is None:
        return None
    text, imports = written
    if hit.parts["direct"]:
        return cures.put(use, pen, text, imports, "log_softmax")
    inner = _inner(use, hit, pen)
    if inner is None:
        return None
    gone = leftovers.of(use, text, use.site.fragment.range(inner))
    return cures.fix_of("exact", "use log_softmax", (*imports, *gone, pen.replace(inner, text), *cures.bared(use)))


def _log_softmax(use: Use, hit: Hit, pen: Pen) -> tuple[str, tuple[Edit, ...]] | None:
    """log_softmax(logits, dim) in the form that the file's softmax has: torch., F. or a method."""
    logits, dim = pen.spell(hit.parts["logits"]), cures.dim_text(hit, pen)
    if logits is None or not dim or isinstance(hit.parts["dim"], tuple):
        return None
    head = "" if hit.parts["by_hand"] else _head(use, hit)
    if re.fullmatch(r"(torch|F|nn)\.[\w.]*|", head) and head:
        return f"{head}log_softmax({logits}, {dim})", ()
    if head:
        return f"{pen.fit(logits, 'primary')}.log_softmax({dim})", ()
    return cures.call(pen, "torch.nn.functional.log_softmax", logits, dim)


def _head(use: Use, hit: Hit) -> str:
    """What stands before "softmax(" in this file: "torch.", "F.", or the logits of a method; "" for a module."""
    site = words.site_of(use, hit.parts["softmax"])
    if site is None or site.fragment.source is not use.site.fragment.source:
        return ""
    found = re.match(r"(.*)\bsoftmax\(", site.fragment.text(site.node), re.DOTALL)
    return found[1] if found else ""


def _inner(use: Use, hit: Hit, pen: Pen) -> cst.CSTNode | None:
    """The softmax inside the log's own expression: written there, or by a name."""
    site, outer = words.site_of(use, hit.parts["softmax"]), use.nodes.get(use.op.lead)
    name = pen.spell(hit.parts["softmax"])
    if site is not None and site.fragment is use.site.fragment and outer is not None:
        span, whole = site.fragment.span(site.node), site.fragment.span(outer)
        if whole.start <= span.start and span.end <= whole.end:
            return site.node
    return cures.named_inside(outer, name or "") if use.op.lead in use.nodes else None
