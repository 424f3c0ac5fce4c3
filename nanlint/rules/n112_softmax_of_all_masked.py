"""The softmax of a row that is masked everywhere.

## What it finds

`softmax` and `log_softmax` of scores that a mask of data (padding, neighbours, valid pixels) fills with -inf, where nothing says that one
entry of each row is left. Masks of sizes alone, as causal ones, are silent.

## Why it breaks

A row of -inf has no largest element: exp(-inf - -inf) is NaN, for the whole row, and in the backward pass for all that it is made of. A
sequence that is all padding, a node without a neighbour, are enough.

## Bad

```python
import torch


def attend(scores, padding):
    scores = scores.masked_fill(padding, float("-inf"))
    return torch.softmax(scores, dim=-1)
```

## Good

```python
import torch


def attend(scores, padding):
    scores = scores.masked_fill(padding, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1)
```

## Fix

The largest negative number of the dtype in place of -inf: the same softmax wherever one entry is left, and equal weights in a row that is
masked everywhere (guard).

## When to ignore it

When the data guarantee at least one entry in each row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nanlint.interp.matchers import core
from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("softmax-masked",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    text = f"{words.shown(use)} of scores that a mask fills with -inf{words.origin(value, use)}: a row that is masked everywhere is NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    value = words.culprit(use, hit)
    filled = core(value.term) if value.term is not None else None
    site = words.site_of(use, filled)
    if filled is None or filled.op != "masked_fill" or site is None or use.lib != "torch" or site.fragment.source is not use.site.fragment.source:
        return None
    call: Any = site.node
    given = [a.value for a in getattr(call, "args", ()) if a.keyword is None or a.keyword.value == "value"]
    scores = getattr(getattr(call, "func", None), "value", None) if len(given) < 3 else given[0]
    text = pen.text(scores, site=site) if scores is not None else ""
    if not given or not text.replace(".", "").replace("_", "").isalnum():
        return None
    name, imports = pen.name("torch.finfo", site)
    edit = pen.replace(given[-1], f"{name}({text}.dtype).min", site)
    return cures.fix_of("guard", "fill with the least finite number", (*imports, edit))
