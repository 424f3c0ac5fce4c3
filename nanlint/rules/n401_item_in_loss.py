"""A tensor is turned into a Python number inside a loss: the gradient is cut, silently.

## What it finds

`.item()`, `float(t)`, `.tolist()` and `torch.tensor(t)` of a value that carries a gradient, where the number flows into what a loss
returns or what `backward()` is called on. `history.append(loss.item())` is none.

## Why it breaks

A number has no graph. The loss can be printed and even falls a little, but the model behind the cut learns nothing;
`torch.tensor(total, requires_grad=True)` only silences the error that would have said so.

## Bad

```python
import torch


def loss(rows, targets):
    total = 0.0
    for row, target in zip(rows, targets):
        total = total + (torch.logsumexp(row, dim=0) - row[target]).item()
    return torch.tensor(total, requires_grad=True)
```

## Good

```python
import torch


def loss(rows, targets):
    total = 0.0
    for row, target in zip(rows, targets):
        total = total + (torch.logsumexp(row, dim=0) - row[target])
    return total
```

## Fix

The cut is taken out, and with it every other cut on the value's way to the loss: `.item()` and `torch.tensor(total, requires_grad=True)`
(unsafe: a loss that was constant begins to train the model).

## When to ignore it

When the number is meant as a constant weight; then write `.detach()`, which says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, leftovers, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.findings import Edit, Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.interp.values import Value
    from nanlint.rewrite import Pen

HEARS = ("item-cut", "copy-cut")


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    copied = hit.brk.kind == "copy-cut"
    if not words.gradient_flows(value) and not (copied and _cut_before(use)):
        return None
    name = words.shown(use)
    if copied:
        text = f"{name} copies a value{words.origin(value, use)} that flows into a loss: the copy has no graph and nothing behind it is trained"
    else:
        text = f"{name} makes a number of a value{words.origin(value, use)} that flows into a loss: the gradient ends here and nothing behind it is trained"
    return Verdict(words.told(text, hit), notes=words.path(value, use))


def _cut_before(use: Use) -> bool:
    """Whether another cut stands on the way to this copy, in the same function."""
    return any(hit.brk.kind == "item-cut" for other in _cuts(use) for hit in other.hits)


def _cuts(use: Use) -> list[Use]:
    """All cuts of the function that flow into its loss, this one among them, one a node, in source order."""
    found: dict[int, Use] = {}
    for other in use.trace.uses if use.trace is not None else [use]:
        if other.site.frame.name == use.site.frame.name and any(h.brk.kind in HEARS and h.evidence in ("reached", "suspected") for h in other.hits):
            found.setdefault(id(other.site.node), other)
    return list(found.values())


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    edits: list[Edit | None] = []
    for cut in _cuts(use):
        brk = next(h.brk for h in cut.hits if h.brk.kind in HEARS)
        node = cut.nodes.get(brk.arg)
        if node is None:
            return None
        edits += [pen.remove_call(cut.site.node, cut.site)] if brk.kind == "item-cut" else _uncopied(cut, cut.arg(brk.arg), node, pen)
    return cures.fix_of("unsafe", "keep the graph", edits)


def _uncopied(cut: Use, value: Value, node: cst.BaseExpression, pen: Pen) -> list[Edit | None]:
    """`torch.tensor(total)` becomes `total`, of a list `torch.stack(parts)`; `total = torch.tensor(total)` goes."""
    site, text = cut.site, pen.text(node, site=cut.site)
    if value.kind == "sequence":
        name, imports = pen.name("torch.stack", site)
        return [*imports, pen.replace(site.node, f"{name}({text})", site)]
    return [leftovers.itself(site, text) or pen.replace(site.node, text, site)]
