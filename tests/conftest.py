"""What all tests share: internal errors are raised, and torch's tests may not be skipped where they are required."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: Set in CI: a test that is skipped for want of these fails.
REQUIRED = ("torch", "numpy") if os.environ.get("NANLINT_REQUIRE_TORCH") == "1" else ()

os.environ.setdefault("NANLINT_RAISE", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite-golden", action="store_true", help="write the golden files anew (fixtures/rules/*/fixed.py)")


def pytest_configure(config: pytest.Config) -> None:
    missing = [name for name in REQUIRED if find_spec(name) is None]
    if missing:
        raise pytest.UsageError(f"NANLINT_REQUIRE_TORCH is set, but not installed: {', '.join(missing)}")


def _fail_if_required(report: Any) -> None:
    """A skip whose reason names a required library becomes a failure."""
    reason = str(report.longrepr)
    if report.skipped and not hasattr(report, "wasxfail") and any(re.search(rf"\b{name}\b", reason.rpartition("Skipped")[2]) for name in REQUIRED):
        report.outcome = "failed"
        report.longrepr = f"skipped though required: {reason}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    outcome: Any = yield
    _fail_if_required(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    outcome: Any = yield
    _fail_if_required(outcome.get_result())


@pytest.fixture
def root() -> Path:
    """The top of the repository."""
    return ROOT
