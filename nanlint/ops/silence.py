"""What keeps numerical errors quiet: NumPy's error modes."""

from __future__ import annotations

from nanlint.interval import Interval
from nanlint.ops.images import always, when
from nanlint.ops.spec import Bound, Break, Op

#: Modes that tell of a NaN or inf; underflow ("under") is harmless.
TELLING = ("divide", "over", "invalid")


def _ignored(b: Bound, name: str) -> bool:
    """Whether a parameter is "ignore"; `all` counts where it decides for at least one telling mode."""
    if b.const(name) != "ignore":
        return False
    return name != "all" or not all(b.has(mode) for mode in TELLING)


def _silence(name: str) -> Break:
    return Break(
        "silence", name, when(lambda b: _ignored(b, name), always(name)), where="silence", result="lost",
        says="NumPy says nothing where a NaN or inf is born",
    )


BREAKS = tuple(_silence(name) for name in ("all", *TELLING))


def _nothing(b: Bound) -> Interval:
    return Interval(0.0, 0.0)


ROWS: tuple[Op, ...] = (
    Op("seterr", _nothing, BREAKS, terms="opaque", gradient="stops", returns="none", lead="all", opaque=True),
    Op("errstate", _nothing, BREAKS, terms="opaque", gradient="stops", returns="none", lead="all", opaque=True),
)
