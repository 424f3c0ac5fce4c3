"""A guard behind the hazard repairs the value and leaves the gradient NaN or huge.

## What it finds

- `sqrt(x) + eps`, `log(p).clamp(min=...)`, `nan_to_num(x / y)`, `sqrt(x) * mask`: the guard stands behind the root, the log, the
  division.
- A floor below 1e-8 added outside a norm or standard deviation: `x / (x.norm() + 1e-10)`.

## Why it breaks

The derivative is computed where the hazard is: at 0 the root has slope inf and the log 1/0. A guard behind it cannot reach
back: it multiplies that inf by 0 (NaN) or passes it on. A floor of 1e-10 under a division gives finite
values and a gradient of 1e10, which the next step of the optimiser writes into the weights.

## Bad

```python
import torch


def magnitude_loss(x):
    return (torch.sqrt(x.pow(2).sum(dim=1)) + 1e-8).mean()
```

## Good

```python
import torch


def magnitude_loss(x):
    return (torch.sqrt(x.pow(2).sum(dim=1).clamp_min(1e-12)) + 1e-8).mean()
```

## Fix

The floor goes inside, to the argument of the root or log or to the divisor; `+ 1e-10` outside a norm becomes
`.clamp_min(1e-6)` (guard).

## When to ignore it

When nothing is differentiated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nanlint.interp.matchers import core
from nanlint.ops import rows
from nanlint.ops.spec import MISSING
from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    from nanlint.findings import Fix
    from nanlint.interp.uses import Consumer, Hit, Site, Use
    from nanlint.interp.values import Term
    from nanlint.rewrite import Pen

HEARS = (
    "root-negative", "root-zero", "log-zero", "log-negative", "divisor-zero", "divisor-tiny", "exp-overflow", "arc-outside",
    "arc-edge", "power-zero", "power-negative", "power-pole",
)  # fmt: skip
BEFORE = (
    "sqrt-of-negative", "log-of-zero", "division-by-zero", "division-by-norm", "division-by-spread", "division-by-count",
    "arc-outside-domain", "power-outside-domain", "exp-overflow", "sqrt-at-zero", "arc-at-edge", "power-at-zero",
)  # fmt: skip
#: A constant added behind a root that is smaller than this is meant as a guard.
EPS = 1e-2
#: A floor as tall as this under a division is taken as meant: the gradient stays below 1e8.
TALL = 1e-8


def check(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    if not words.gradient_flows(value) or use.lib != "torch":
        return None
    if hit.brk.kind == "divisor-tiny":
        return _tiny(use, hit)
    consumer = _guard(use, hit)
    if consumer is None:
        return None
    guard = words.shown(consumer.use)
    hazard = hit.brk.says or f"{words.shown(use)} at a bad point"
    text = (
        f"the guard ({guard} at line {words.line(consumer.site)}) stands behind the hazard and repairs the value only: {hazard}"
        f"{words.origin(value, use)}, and its gradient is inf or NaN; the floor belongs inside"
    )
    return Verdict(words.told(text, hit), notes=((f"{guard} comes after the hazard", consumer.site),))


def _guard(use: Use, hit: Hit) -> Consumer | None:
    return next((c for c in words.behind(use) if not words.selects(c) and _guards(c, use, hit)), None)


def _guards(consumer: Consumer, use: Use, hit: Hit) -> bool:
    """Whether the op is used as a guard here: a small or limiting constant straight behind, a mask, nan_to_num."""
    others = [value for name, value in consumer.bound.args.items() if name != consumer.arg]
    role = consumer.op.guard
    if role == "mask":
        return any(_is_mask(value) for value in others)
    if role == "floor" and hit.brk.kind == "exp-overflow":
        return words.straight(consumer, use) and consumer.bound.const("max", None) is not None
    if role == "floor":
        limits = consumer.bound.has("min") or consumer.bound.has("max")
        return words.straight(consumer, use) and (limits or any(_small(_amount(value)) for value in others))
    return role == "select" and not words.test_name(consumer) and consumer.arg == consumer.op.lead


def _small(value: float | None) -> bool:
    return value is not None and 0.0 < value <= EPS


def _amount(value: Any) -> float | None:
    """The one value of a constant or of a tensor of a constant."""
    return value.range.lo if value.range.is_point else words.number(value)


def _is_mask(value: Any) -> bool:
    return value.dtype == "bool" or "mask" in value.marks and value.range.within(0.0, 1.0)


# ---- a tiny floor under a division --------------------------------------------------------------


def _tiny(use: Use, hit: Hit) -> Verdict | None:
    value = words.culprit(use, hit)
    floor = _floor(use, hit)
    if floor is None or not 0.0 < value.range.lo < TALL:
        return None
    text = (
        f"a floor of {value.range.lo:.3g} stands outside {_called(value)}: the value at 0 is fine, but in the division at line"
        f" {words.line(use.site)} the gradient at a zero vector is {1 / value.range.lo:.0e}"
    )
    return Verdict(words.told(text, hit), at=floor[1], notes=(("the division by it", use.site),))


def _called(value: Any) -> str:
    inner = next((arg for arg in core(value.term).args if arg.const is MISSING), None) if value.term is not None else None
    return f"a {words.word_of(core(inner))}" if inner is not None and words.root_like(inner) else "a value that can be 0"


def _floor(use: Use, hit: Hit) -> tuple[Term, Site] | None:
    """The op that put the tiny floor under the divisor, in the same file."""
    found = words.made(words.culprit(use, hit), use)
    if found is None or found[1].fragment.source is not use.site.fragment.source:
        return None
    row = rows().get(found[0].op)
    return found if row is not None and row.guard == "floor" else None


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    if hit.brk.kind != "divisor-tiny":
        return cures.guard(use, hit, pen)
    floor = _floor(use, hit)
    return None if floor is None else _taller(use, floor[0], floor[1], pen)


def _taller(use: Use, term: Term, site: Site, pen: Pen) -> Fix | None:
    """`norm + 1e-10` and `norm.clamp(min=1e-10)` become `norm.clamp_min(1e-6)`."""
    rest = [arg for arg in term.args if not _below(arg.const)]
    tiny = len(rest) < len(term.args) or _below(term.get("min"))
    if not tiny or len(rest) != 1 or term.get("max") is not None or not words.root_like(rest[0]):
        return None
    text, eps = pen.spell(rest[0], words.site_of(use, rest[0])), pen.eps("divisor", words.dtype_of(use))
    if text is None:
        return None
    guarded = f"{pen.fit(text, '+')} + {eps}" if pen.add_guard else f"{pen.fit(text, 'primary')}.clamp_min({eps})"
    return cures.fix_of("guard", f"raise the floor to {eps}", (pen.replace(site.node, guarded, site),))


def _below(value: Any) -> bool:
    return isinstance(value, float) and 0.0 < value < TALL
