"""The standard deviation of one element, with n - 1 below the line.

## What it finds

`std` and `var` with their default correction of 1 over a batch (dim 0, a mini-batch's advantages or rewards), over groups, over what a mask
selects, where no test says that there are two elements.

## Why it breaks

torch divides by n - 1 by default. For one element that is 0/0: NaN, also in the gradient. An eps added behind does not help: NaN + eps
is NaN. The last mini-batch of an epoch, a group of one, a prompt with one variant are enough.

## Bad

```python
def normalise(advantages):
    return (advantages - advantages.mean()) / (advantages.std() + 1e-8)
```

## Good

```python
def normalise(advantages):
    return (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
```

## Fix

`correction=0` divides by n: 0 for one element, and a little smaller for all others (unsafe, as it changes the value). It is not written
where the call names a correction already.

## When to ignore it

When the batch always holds at least two elements (`drop_last=True`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nanlint.rules import words
from nanlint.rules.base import Verdict
from nanlint.rules.cures import fix_of

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("std-one",)
BEFORE = ("mean-of-empty",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python":
        return None
    text = f"{words.shown(use)} with n - 1 below the line{words.origin(value, use)}: of one element it is 0/0, NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    call: Any = use.site.node
    if use.lib != "torch" or use.bound.has("unbiased") or use.bound.has("correction"):
        return None
    return fix_of("unsafe", "divide by n", (pen.argument(call, "correction", "0"),))
