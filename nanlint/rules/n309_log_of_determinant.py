"""The log of a determinant that underflows or overflows.

## What it finds

`log(det(A))` and `log(abs(det(A)))`, over several statements and functions.

## Why it breaks

A determinant is a product of n factors: for a 200 x 200 covariance with eigenvalues of 0.1 it is 1e-200, which is 0 in float32, and its log
is -inf where -460 is meant. Its gradient is NaN.

## Bad

```python
import torch


def log_volume(jacobian):
    return torch.log(torch.abs(torch.det(jacobian)))
```

## Good

```python
import torch


def log_volume(jacobian):
    return torch.linalg.slogdet(jacobian)[1]
```

## Fix

`torch.linalg.slogdet(A)[1]`, `np.linalg.slogdet(A)[1]` for the absolute value, `torch.logdet(A)` without it (exact).

## When to ignore it

For matrices of 2 x 2 or 3 x 3 with ordinary entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("log-of-determinant",)
BEFORE = ("log-of-zero", "where-hides-nan-gradient", "guard-after-hazard")
SLOGDET = {"torch": "torch.linalg.slogdet", "numpy": "numpy.linalg.slogdet"}


def check(use: Use, hit: Hit) -> Verdict | None:
    better = "slogdet" if hit.parts["absolute"] or use.lib == "numpy" else "logdet"
    text = f"log of a determinant: the determinant of a large matrix is 0 or inf in {words.dtype_of(use)} where its log is ordinary; use {better}"
    return Verdict(text, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    matrix = pen.spell(hit.parts["matrix"])
    if matrix is None or use.lib not in SLOGDET or not hit.parts["direct"]:
        return None
    if hit.parts["absolute"] or use.lib == "numpy":
        text, imports = cures.call(pen, SLOGDET[use.lib], matrix)
        return cures.put(use, pen, f"{text}[1]", imports, "slogdet")
    text, imports = cures.call(pen, "torch.logdet", matrix)
    return cures.put(use, pen, text, imports, "logdet")
