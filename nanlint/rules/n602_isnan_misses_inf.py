"""A check with isnan lets inf pass.

## What it finds

`isnan` as the only test of values that can hold inf: after a cast to a smaller dtype, an overflow, a division.

## Why it breaks

An overflow gives inf, not NaN: 1e100 cast to float32, exp(89), 1/0. The check passes it, and the next `inf - inf` or `inf / inf` is NaN.

## Bad

```python
import numpy as np


def narrowed(rows):
    batch = np.asarray(rows, dtype=np.float64)
    batch = batch.astype(np.float32)
    if np.isnan(batch).any():
        raise ValueError("missing values")
    return batch
```

## Good

```python
import numpy as np


def narrowed(rows):
    batch = np.asarray(rows, dtype=np.float64)
    batch = batch.astype(np.float32)
    if (~np.isfinite(batch)).any():
        raise ValueError("missing values")
    return batch
```

## Fix

`isnan(x)` becomes `(~isfinite(x))` (unsafe: inf is now rejected too).

## When to ignore it

When inf is a value of its own there, such as a distance that means "not connected".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Edit, Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("isnan-only",)


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    text = f"a check with {words.shown(use)} lets inf pass{words.origin(value, use)}: an overflow gives inf, and NaN only one step later; use isfinite"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    node = use.nodes.get(hit.brk.arg)
    if node is None:
        return None
    text, sign = pen.text(node), "not " if use.lib == "python" else "~"
    imports: tuple[Edit, ...] = ()
    if use.spelling.startswith("."):
        call = f"{pen.fit(text, 'primary')}.isfinite()"
    else:
        call, imports = cures.call(pen, f"{use.spelling.rpartition('.')[0]}.isfinite", text)
    return cures.fix_of("unsafe", "use isfinite", (*imports, pen.replace(use.site.node, f"{sign}{call}")))
