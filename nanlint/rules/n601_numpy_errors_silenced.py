"""NumPy's floating-point warnings are switched off.

## What it finds

`np.seterr(...)` and `np.errstate(...)` with "ignore" for division by zero, overflow or invalid values.

## Why it breaks

"divide by zero" and "invalid value" are the only sign that NumPy gives when a NaN or inf is born. Switched off, the NaN shows up hours
later in a loss, without a place.

## Bad

```python
import numpy as np

np.seterr(all="ignore")
```

## Good

```python
import numpy as np

np.seterr(divide="raise", over="raise", invalid="raise")
```

## Fix

"ignore" becomes "raise"; `all` is written out as divide, over and invalid, since underflow is harmless (unsafe: the program now
stops where it went on).

## When to ignore it

Around one expression whose bad lanes are replaced right behind it, as in `with np.errstate(divide="ignore"): y = np.where(d > 0, n / d, 0)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nanlint.rules import cures, words
from nanlint.rules.base import Verdict

if TYPE_CHECKING:
    import libcst as cst

    from nanlint.findings import Fix
    from nanlint.interp.uses import Hit, Use
    from nanlint.rewrite import Pen

HEARS = ("silence",)
#: What `all` stands for, without the harmless underflow.
TELLING = ("divide", "over", "invalid")


def check(use: Use, hit: Hit) -> Verdict | None:
    silenced = [name for name in _modes(use) if name not in ("all", "under")]
    what = "all floating-point warnings" if "all" in _modes(use) else ", ".join(silenced)
    if not what:
        return None
    text = f"{words.shown(use)} silences {what}: where a NaN or inf is born nothing is said any more"
    return Verdict(words.told(text, hit))


def _modes(use: Use) -> list[str]:
    """The parameters that are set to "ignore"."""
    return [name for name in use.bound.args if use.bound.const(name) == "ignore"]


def fix(use: Use, hit: Hit, pen: Pen) -> Fix | None:
    call: cst.Call = use.site.node  # type: ignore[assignment]
    given = {name: use.bound.const(name) for name in use.nodes}
    if not all(isinstance(mode, str) for mode in given.values()):
        return None
    whole = given.pop("all", None)
    raised = {name: "raise" for name in TELLING} if whole == "ignore" else {} if whole is None else {"all": whole}
    modes = {**raised, **{name: "raise" if mode == "ignore" and name != "under" else mode for name, mode in given.items()}}
    arguments = ", ".join(f'{name}="{mode}"' for name, mode in modes.items())
    return cures.fix_of("unsafe", "raise instead", (pen.replace(call, f"{pen.text(call.func)}({arguments})"),))
