"""nanlint finds the places where model code can give birth to a NaN, an infinity or a dead gradient.

The public names are imported at their first use: `import nanlint` itself imports nothing.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nanlint.engine import check_paths, check_source, fix_source
    from nanlint.findings import Finding
    from nanlint.settings import Settings

__all__ = ["Finding", "Settings", "__version__", "check_paths", "check_source", "fix_source"]

_HOMES = {
    "check_paths": "nanlint.engine",
    "check_source": "nanlint.engine",
    "fix_source": "nanlint.engine",
    "Finding": "nanlint.findings",
    "Settings": "nanlint.settings",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'nanlint' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
