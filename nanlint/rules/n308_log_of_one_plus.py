"""log(1 + x) and exp(x) - 1: exactly 0 for a tiny x, where something divides by it or takes its log.

## What it finds

`exp(x) - 1`, `1 - exp(x)`, `log(1 + x)` and `log(1 - x)`, over several statements, that are a divisor or stand under a log or a root, and
`(exp(x) - 1) / x`, `log(1 + x) / x`. Elsewhere the loss is one of digits only.

## Why it breaks

In float32 1 + x is exactly 1 for every x below 6e-8, so both are exactly 0 there, though the result is x to the first order: the log is
-inf where it is log(x), a quotient with x is inf or 0 where it is 1. At 1e-4 three of seven digits are left.

## Bad

```python
import torch


def bernoulli_function(x):
    return x / (torch.exp(x) - 1)
```

## Good

```python
import torch


def bernoulli_function(x):
    return x / torch.expm1(x)
```

## Fix

`expm1(x)`, `-expm1(x)`, `log1p(x)`, `log1p(-x)` (exact).

## When to ignore it

When x is known to stay away from 0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nanlint.rules import cures, leftovers, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Site, Use
    from nanlint.rewrite import Pen

HEARS = ("log-of-one-plus",)
FORMS = {("expm1", 1): "exp(x) - 1", ("expm1", -1): "1 - exp(x)", ("log1p", 1): "log(1 + x)", ("log1p", -1): "log(1 - x)"}


def check(use: Use, hit: Hit) -> Verdict | None:
    evidence = _evidence(use, hit)
    site = words.site_of(use, hit.parts["inner"])
    if evidence is None or site is None or use.lib == "python" or _is_softplus(use, hit):
        return None
    form = FORMS[hit.parts["exact"], hit.parts["sign"]]
    away = f" at line {words.line(use.site)}" if words.line(site) != words.line(use.site) else ""
    text = (
        f"{form} is exactly 0 for x below {words.threshold(words.LOST_BESIDE_ONE, use)}, which the {words.shown(use)}{away} cannot bear;"
        f" use {hit.parts['exact']}"
    )
    return Verdict(text, at=site, evidence=evidence, covers=(use,))


def _evidence(use: Use, hit: Hit) -> str | None:
    """That of the 0 in the divisor, log or root; a quotient with x itself is a sign of a tiny x."""
    found = {other.evidence for other in use.hits if other is not hit and other.brk.arg == hit.parts["of"]}
    if "reached" in found:
        return "reached"
    return "suspected" if "suspected" in found or hit.parts["shared"] else None


def _is_softplus(use: Use, hit: Hit) -> bool:
    inner = use.trace.by_term.get(hit.parts["inner"], ()) if use.trace is not None else ()
    return any(other.brk.kind in ("softplus-by-hand", "log-of-sigmoid", "log-of-softmax") for u in inner for other in u.hits)


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    site, x = words.site_of(use, hit.parts["inner"]), pen.spell(hit.parts["x"])
    if site is None or x is None or use.lib not in ("torch", "numpy") or not _holds_there(use, site, x) or pen.loses_comment(site.node, x, site):
        return None
    exact, sign = hit.parts["exact"], hit.parts["sign"]
    name, imports = pen.name(f"{use.lib}.{exact}", site)
    text = f"-{name}({x})" if exact == "expm1" and sign < 0 else f"{name}({x})" if sign > 0 else f"{name}({_negative(pen, x)})"
    gone = leftovers.of(use, text, site.fragment.range(site.node))
    return cures.fix_of("exact", f"use {exact}", (*imports, *gone, pen.replace(site.node, text, site)))


def _negative(pen: Pen, x: str) -> str:
    return x[1:] if re.fullmatch(r"-\w+", x) else f"-{pen.fit(x, 'primary')}"


def _holds_there(use: Use, site: Site, text: str) -> bool:
    """Whether the text means at a site what it means at the use: the same function, no name bound in between."""
    same = site.frame.name == use.site.frame.name and site.fragment.source is use.site.fragment.source
    return same and all(use.stamps.get(name, 0) <= site.clock for name in re.findall(r"[A-Za-z_][\w.]*", text))
