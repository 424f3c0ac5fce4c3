"""The mean of a selection that can be empty.

## What it finds

`mean`, `median`, `std` and losses with `reduction="mean"` of what a mask, a comparison or `nonzero` selects, where no test on the way
says that something is selected.

## Why it breaks

The mean of no elements is 0/0: NaN. One batch without a positive, a valid pixel or a labelled row is enough, and the NaN goes through
the backward pass into every weight.

## Bad

```python
import torch.nn.functional as F


def labelled_loss(logits, labels):
    keep = labels != -100
    return F.cross_entropy(logits[keep], labels[keep])
```

## Good

```python
import torch.nn.functional as F


def labelled_loss(logits, labels):
    keep = labels != -100
    if not keep.any():
        return logits.sum() * 0
    return F.cross_entropy(logits[keep], labels[keep])
```

## Fix

None is written: what the mean of nothing should be (0, the previous value, no step at all) is for the author to say. Common repairs are
a test as above, or the sum divided by a count that is kept at 1 or above.

## When to ignore it

When the sampler guarantees at least one element in each batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.interp.uses import Hit, Use

HEARS = ("mean-empty",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if use.lib == "python":
        return None
    text = f"{words.shown(use)} of a selection{words.origin(value, use)}: of no elements it is NaN"
    return Verdict(words.told(text, hit), notes=words.path(value, use))
