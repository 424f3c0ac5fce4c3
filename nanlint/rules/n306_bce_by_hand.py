"""Binary cross-entropy of a sigmoid: dead or NaN where the sigmoid saturates.

## What it finds

`y * log(p) + (1 - y) * log(1 - p)` with p = sigmoid(x), over several statements and functions; `F.binary_cross_entropy` and `nn.BCELoss` of
a sigmoid.

## Why it breaks

In float32 a sigmoid is exactly 0 below -104 and exactly 1 from 17 on. By hand the log of 0 is -inf and 0 * -inf NaN. torch's own
`binary_cross_entropy` cuts the log at -100: it stays finite, but there the gradient to x is exactly 0, so that a confident mistake is
never unlearned. On the logits the same loss is exact, with a gradient of p - y everywhere.

## Bad

```python
import torch
import torch.nn.functional as F


def loss(logits, labels):
    return F.binary_cross_entropy(torch.sigmoid(logits), labels)
```

## Good

```python
import torch
import torch.nn.functional as F


def loss(logits, labels):
    return F.binary_cross_entropy_with_logits(logits, labels)
```

## Fix

`binary_cross_entropy_with_logits` on what the sigmoid is of: exact for a call; unsafe for the form by hand, which broadcasts and takes
whole-number labels. In NumPy `np.logaddexp(0, x) - y * x` (exact). None for a `BCELoss` object, whose definition and calls change together.

## When to ignore it

When the logits are bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nanlint.rules import cures, leftovers, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Site, Use
    from nanlint.rewrite import Pen

HEARS = ("bce-by-hand",)
BEFORE = ("log-of-sigmoid", "log-of-zero", "where-hides-nan-gradient", "guard-after-hazard")
REDUCTIONS = {"none": 'reduction="none"', "sum": 'reduction="sum"', "mean": ""}
STABLE = "torch.nn.functional.binary_cross_entropy_with_logits"


def check(use: Use, hit: Hit) -> Verdict | None:
    made = words.site_of(use, hit.parts["sigmoid"])
    at = f" (sigmoid at line {words.line(made)})" if made is not None and words.line(made) != words.line(use.site) else ""
    notes = (("the sigmoid", made),) if at and made is not None else ()
    one = words.threshold(words.SIGMOID_ONE, use)
    if hit.parts["called"]:
        text = f"binary cross-entropy of a sigmoid{at}: it is exactly 1 from {one} on, and the gradient of a confident mistake is 0"
    else:
        text = f"binary cross-entropy by hand of a sigmoid{at}: it is exactly 1 from {one} on, the log of 0 is -inf and 0 * -inf NaN"
    numpy = any(inner.lib == "numpy" for inner in words.covered(use, hit))
    better = "np.logaddexp(0, x) - y * x" if numpy else "binary_cross_entropy_with_logits"
    return Verdict(f"{text}; use {better}", notes=notes, covers=words.covered(use, hit))


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    logits = pen.spell(hit.parts["logits"])
    library = next((inner.lib for inner in words.covered(use, hit)), use.lib)  # that of the logs: a sum of them tells none
    if logits is None or hit.parts["turned"] or library not in ("torch", "numpy"):
        return None
    if library == "numpy":
        return _in_numpy(use, hit, pen, logits)
    return _call(use, hit, pen, logits) if hit.parts["called"] else _by_hand(use, hit, pen, logits)


def _call(use: Use, hit: Hit, pen: Pen, logits: str) -> Fix | None:
    """The function's name and the sigmoid in its first argument are replaced; weight, reduction and reshapes stay."""
    call, given = use.site.node, use.nodes.get("input")
    function: Any = getattr(call, "func", None)
    if given is None or function is None or "binary_cross_entropy" not in pen.text(function):
        return None
    made = words.site_of(use, hit.parts["sigmoid"])
    place = made.node if made is not None and _holds(use, given, made) else given
    if place is given and pen.spell(hit.parts["sigmoid"]) != pen.text(given):
        return None  # a reshape of it
    name, imports = pen.name(STABLE)
    gone = leftovers.of(use, logits, use.site.fragment.range(given, parens=True))
    edits = (*imports, *gone, pen.replace(function, name), pen.replace(place, logits))
    return cures.fix_of("exact", "use binary_cross_entropy_with_logits", edits)


def _holds(use: Use, node: cst.CSTNode, site: Site) -> bool:
    """Whether the expression at a site is a part of a node of the use."""
    (start, end), (first, last) = use.site.fragment.range(node, parens=True), site.fragment.range(site.node)
    return site.fragment is use.site.fragment and start <= first and last <= end


def _by_hand(use: Use, hit: Hit, pen: Pen, logits: str) -> Fix | None:
    targets = pen.spell(hit.parts["targets"])
    if targets is None:
        return None
    node, reduction, sign = _whole(use, hit.parts["sign"])
    text, imports = cures.call(pen, STABLE, logits, targets, REDUCTIONS[reduction])
    text = text if sign < 0 else f"-{text}"
    gone = leftovers.of(use, text, use.site.fragment.range(node, parens=True))
    return cures.fix_of("unsafe", "use binary_cross_entropy_with_logits", (*imports, *gone, pen.replace(node, text)))


def _in_numpy(use: Use, hit: Hit, pen: Pen, logits: str) -> Fix | None:
    """log(1 + exp(x)) - y * x, which broadcasts too."""
    targets = pen.spell(hit.parts["targets"])
    if targets is None:
        return None
    text, imports = cures.call(pen, "numpy.logaddexp", "0", logits)
    product = f"{pen.fit(targets, '*')} * {pen.fit(logits, '*', True)}"
    text = f"{text} - {product}" if hit.parts["sign"] < 0 else f"{product} - {text}"
    return cures.put(use, pen, text, imports, "logaddexp")


def _whole(use: Use, sign: int) -> tuple[cst.CSTNode, str, int]:
    """The sum with the mean or sum over it and the minus before it: the node, the reduction, the sign of what it says."""
    parents, node, reduction = use.site.fragment.parents, use.site.node, "none"
    over: Any = parents.get(node, (None, ""))[0]
    call: Any = parents.get(over, (None, ""))[0]
    name = over.attr.value if type(over).__name__ == "Attribute" else ""
    if name in ("mean", "sum") and type(call).__name__ == "Call" and call.func is over and not call.args:
        node, reduction = call, name
    minus: Any = parents.get(node, (None, ""))[0]
    if type(minus).__name__ == "UnaryOperation" and type(minus.operator).__name__ == "Minus":
        return minus, reduction, -sign
    return node, reduction, sign
