"""Settings: one table of keys for [tool.nanlint], the flags and the flake8 plugin; and who reads them.

A key is a field of Settings. Its metadata say how it is checked and described; the flags of the
command line and the table of the README are made from them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import Any

#: Never entered by a walk; patterns as in .gitignore.
EXCLUDE = (
    ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pytest_cache", ".ruff_cache",
    ".svn", ".tox", ".venv", "__pycache__", "__pypackages__", "_build", "build", "dist", "node_modules", "site-packages", "venv",
)  # fmt: skip

#: A folder that holds one of these is the top of a repository: no settings are looked for above it.
TOPS = (".git", ".hg")


class SettingsError(Exception):
    """Settings that cannot be read; the message names the file and the key."""


@dataclass(frozen=True)
class Kind:
    """How a key's value is checked: what it must be, in words, and the value in the form that Settings hold (or None)."""

    words: str
    read: Callable[[Any], Any]
    choices: tuple[str, ...] = ()


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _positive(value: Any) -> float | None:
    """A finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0.0 < value < float("inf") else None


TEXTS = Kind("a list of strings", _texts)
FLAG = Kind("true or false", _flag)
POSITIVE = Kind("a number above 0", _positive)


def one_of(*choices: str) -> Kind:
    return Kind("one of " + ", ".join(f'"{c}"' for c in choices), lambda value: value if value in choices else None, choices)


def _key(kind: Kind, default: Any, help: str) -> Any:
    return field(default=default, metadata={"kind": kind, "help": help})


@dataclass(frozen=True)
class Settings:
    """What a run is asked for. Codes are not checked here: settings know no rules."""

    select: tuple[str, ...] = _key(TEXTS, ("ALL",), "rules to report: codes, names, prefixes of either, or ALL")
    extend_select: tuple[str, ...] = _key(TEXTS, (), "rules to report besides the selected ones")
    ignore: tuple[str, ...] = _key(TEXTS, (), "rules not to report; stronger than both of the above")
    evidence: str = _key(one_of("reached", "suspected", "unknown"), "suspected", "the weakest evidence that is reported")
    fix: bool = _key(FLAG, False, "repair the files: fixes that keep the meaning (exact and guard)")
    exact_only: bool = _key(FLAG, False, "of the fixes, apply only the exact ones")
    unsafe_fixes: bool = _key(FLAG, False, "apply also fixes that may change the meaning or lose a comment")
    eps: float | None = _key(POSITIVE, None, "the floor of a divisor in float32 (1e-6 if not set); the other guards scale with it")
    guard: str = _key(one_of("clamp", "add"), "clamp", "how values >= 0 are kept off 0: `clamp` writes clamp_min(eps), `add` writes + eps")
    exclude: tuple[str, ...] = _key(TEXTS, EXCLUDE, "files and folders that a walk leaves out, as in .gitignore")
    extend_exclude: tuple[str, ...] = _key(TEXTS, (), "files and folders to leave out besides the excluded ones")
    force_exclude: bool = _key(FLAG, False, "leave out excluded files though they are given by name")
    respect_gitignore: bool = _key(FLAG, True, "leave out what .gitignore files name")
    output_format: str = _key(one_of("full", "concise", "json"), "full", "the form of the report")
    statistics: bool = _key(FLAG, False, "report how often each rule was met, not where")
    exit_zero: bool = _key(FLAG, False, "exit with 0 though findings remain (2 stays 2)")
    exit_non_zero_on_fix: bool = _key(FLAG, False, "exit with 1 if anything was repaired, though nothing remains")

    @property
    def excluded(self) -> tuple[str, ...]:
        return self.exclude + self.extend_exclude


def keys() -> tuple[Field[Any], ...]:
    """The fields of Settings in order; metadata hold "kind" (Kind) and "help"."""
    return fields(Settings)


def spelled(name: str) -> str:
    """A field's name as a key: extend_select is extend-select."""
    return name.replace("_", "-")


def from_table(table: Mapping[str, Any], file: str) -> Settings:
    """Settings of a [tool.nanlint] table; file is named in errors. Keys may be written with - or _."""
    known = {spelled(f.name): f for f in keys()}
    given: dict[str, Any] = {}
    for key, raw in table.items():
        found = known.get(spelled(key))
        if found is None:
            raise SettingsError(f"{file}: unknown key {key!r} in [tool.nanlint]")
        value = found.metadata["kind"].read(raw)
        if value is None:
            raise SettingsError(f"{file}: {key!r} in [tool.nanlint] must be {found.metadata['kind'].words}, not {raw!r}")
        given[found.name] = value
    return replace(Settings(), **given)


def read_table(file: str) -> Mapping[str, Any] | None:
    """The [tool.nanlint] table of a TOML file; None if it has none. Raises SettingsError."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with open(file, "rb") as stream:
            tool = tomllib.load(stream).get("tool", {})
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: {error}") from error
    table = tool.get("nanlint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{file}: tool.nanlint must be a table")
    return table


def settings_file(folder: str) -> str | None:
    """The nearest pyproject.toml of a folder and its parents, up to the top of the repository."""
    here = os.path.abspath(folder)
    while True:
        file = os.path.join(here, "pyproject.toml")
        if os.path.isfile(file):
            return file
        parent = os.path.dirname(here)
        if parent == here or any(os.path.exists(os.path.join(here, top)) for top in TOPS):
            return None
        here = parent


@dataclass(frozen=True)
class Scope:
    """The settings in force in a folder, and the folder that their patterns are relative to."""

    settings: Settings
    base: str


class Resolver:
    """Gives each folder its scope: flags over the nearest pyproject.toml, or over one given file, or over nothing.

    flags     field names and values that win everywhere
    config    a file that is read in place of every pyproject.toml
    isolated  no file is read
    validate  called once for each Settings with the file it came from; raises SettingsError
    """

    def __init__(
        self,
        flags: Mapping[str, Any] | None = None,
        config: str | None = None,
        isolated: bool = False,
        validate: Callable[[Settings, str], None] | None = None,
    ) -> None:
        self._flags = dict(flags or {})
        self._config = config
        self._isolated = isolated
        self._validate = validate
        self._folders: dict[str, Scope] = {}
        self._files: dict[str, Settings] = {}

    def of(self, folder: str) -> Scope:
        """The scope of a folder. Raises SettingsError."""
        here = os.path.abspath(folder)
        if here not in self._folders:
            self._folders[here] = self._find(here)
        return self._folders[here]

    def of_file(self, path: str) -> Settings:
        return self.of(os.path.dirname(os.path.abspath(path))).settings

    def _find(self, here: str) -> Scope:
        if self._isolated:
            return Scope(self._read(None), here)
        if self._config is not None:
            return Scope(self._read(self._config), os.getcwd())
        file = settings_file(here)
        return Scope(self._read(file), os.path.dirname(file) if file else here)

    def _read(self, file: str | None) -> Settings:
        where = file or ""
        if where not in self._files:
            table = read_table(file) if file else None
            if table is None and file is not None and file == self._config:
                raise SettingsError(f"{file}: no [tool.nanlint] table")
            settings = from_table(table, where) if table is not None else Settings()
            if self._validate is not None:
                self._validate(settings, where)
            self._files[where] = replace(settings, **self._flags)
        return self._files[where]
