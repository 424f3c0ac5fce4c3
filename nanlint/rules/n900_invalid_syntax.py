"""The file cannot be read as Python, so nothing in it was checked.

## What it finds

Syntax errors, bytes that cannot be decoded, and files that are too deep or too large to be parsed.

## Why it breaks

A file that nanlint cannot read may hold any hazard. It is named, so that a clean report means that all was seen. In flake8
the rule is silent: E999 says the same.

## Bad

```python
def loss(x:
    return x
```

## Good

```python
def loss(x):
    return x
```

## Fix

None.

## When to ignore it

When the file is no Python, such as a template: exclude it.
"""

from __future__ import annotations

from nanlint.rules.base import silent as check

__all__ = ["check"]

HEARS = ()
