"""`where` picks the good value, but the gradient of the other arm is NaN.

## What it finds

`sqrt`, `log`, a division, `acos`, `exp` whose result is an arm of `where` or is filled by `masked_fill`: the test keeps the bad lanes out
of the value, not out of the gradient.

## Why it breaks

Both arms are computed for all elements. In the backward pass `where` gives the arm that was not chosen the gradient 0, and
0 * inf (the derivative of sqrt, log or 1/x at the bad point) is NaN.

## Bad

```python
import torch
from torch import nn


class Magnitude(nn.Module):
    def forward(self, power):
        return torch.where(power > 0, torch.sqrt(power), 0.0)
```

## Good

```python
import torch
from torch import nn


class Magnitude(nn.Module):
    def forward(self, power):
        return torch.where(power > 0, torch.sqrt(torch.where(power > 0, power, 1.0)), 0.0)
```

## Fix

A second `where` inside the hazard puts a harmless number into the lanes that are not meant for it (guard).

## When to ignore it

When no gradient flows through the arm; nanlint is silent where it can see that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.findings import Fix
    from nanlint.interp.uses import Consumer, Hit, Use
    from nanlint.rewrite import Pen

HEARS = (
    "root-negative", "root-zero", "log-zero", "log-negative", "divisor-zero", "exp-overflow", "arc-outside", "arc-edge",
    "power-zero", "power-negative", "power-pole",
)  # fmt: skip
BEFORE = (
    "sqrt-of-negative", "log-of-zero", "division-by-zero", "division-by-norm", "division-by-spread", "division-by-count",
    "arc-outside-domain", "power-outside-domain", "exp-overflow", "sqrt-at-zero", "arc-at-edge", "power-at-zero", "guard-after-hazard",
)  # fmt: skip


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if not words.gradient_flows(value) or use.lib != "torch":
        return None
    consumer = _selector(use)
    if consumer is None:
        return None
    select = words.shown(consumer.use)
    text = (
        f"{select} at line {words.line(consumer.site)} hides only the value: {hit.brk.says or words.shown(use) + ' at a bad point'}"
        f"{words.origin(value, use)}, and in the backward pass 0 * inf is NaN for the lanes that are not chosen"
    )
    return Verdict(words.told(text, hit), notes=((f"{select} chooses here, after the hazard", consumer.site),))


def _selector(use: Use) -> Consumer | None:
    return next((c for c in words.behind(use) if words.selects(c)), None)


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    consumer, node = _selector(use), use.nodes.get(hit.brk.arg)
    if consumer is None or node is None:
        return None
    test = _test_text(consumer, pen)
    if test is None:
        return cures.guard(use, hit, pen)
    return cures.fix_of("guard", "choose before the hazard too", _inner_select(consumer, hit, pen, node, test))


def _test_text(consumer: Consumer, pen: Pen) -> str | None:
    """The test as it can be written at the hazard: its names must already hold what they hold at the where."""
    term = consumer.bound.args[words.test_name(consumer)].term
    return pen.spell(term) if term is not None else None


def _inner_select(consumer: Consumer, hit: Hit, pen: Pen, node: cst.BaseExpression, test: str) -> cures.Edits:
    harmless, text = cures.HARMLESS.get(hit.brk.kind, "1.0"), pen.text(node)
    name, imports = pen.name("torch.where")
    kept_where_true = words.test_name(consumer) == "condition" and consumer.arg == "input"
    arms = f"{text}, {harmless}" if kept_where_true else f"{harmless}, {text}"
    return (*imports, pen.replace(node, f"{name}({test}, {arms})"))
