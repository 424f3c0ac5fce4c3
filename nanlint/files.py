"""Which files a run checks: walks folders, leaves out what is excluded or ignored, names what cannot be read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pathspec import GitIgnoreSpec

from nanlint.settings import TOPS, Resolver, Scope, SettingsError

SUFFIXES = (".py", ".pyi")


@dataclass(frozen=True)
class Problem:
    """A path that is not checked, and why. A fatal one makes the run exit with 2."""

    path: str
    message: str
    fatal: bool = True

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


@dataclass
class Listing:
    """The files to check, as they are shown, in order and once each; and the paths that cannot be."""

    files: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def discover(paths: Iterable[str], resolver: Resolver) -> Listing:
    """The files that the given paths stand for. Settings that cannot be read are problems, once for each path or folder."""
    listing = Listing()
    walker = _Walker(resolver, listing)
    for path in paths:
        walker.given(path)
    return listing


def is_left_out(path: str, resolver: Resolver) -> bool:
    """Whether a file given by name is excluded, and excludes are forced. Raises SettingsError."""
    return _Walker(resolver, Listing()).left_out(os.path.abspath(path))


def shown(path: str) -> str:
    """A path as reports show it: from the working directory, if it lies below it."""
    below = os.path.relpath(path)
    return os.path.normpath(path) if below.startswith("..") else below


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _is_ignored(specs: Iterable[tuple[str, GitIgnoreSpec]], path: str, folder: bool) -> bool:
    """Whether git would ignore a path: of the patterns that match, the last one of the deepest file decides."""
    ignored = False
    for base, spec in specs:
        inside = os.path.relpath(path, base).replace(os.sep, "/")
        if not inside.startswith("../"):
            verdict = spec.check_file(inside + "/" * folder).include
            ignored = ignored if verdict is None else verdict
    return ignored


class _Walker:
    """One discovery: the specs that were read, the files that were seen."""

    def __init__(self, resolver: Resolver, listing: Listing) -> None:
        self._resolver = resolver
        self._listing = listing
        self._seen: set[str] = set()
        self._excludes: dict[tuple[str, tuple[str, ...]], GitIgnoreSpec] = {}

    def given(self, path: str) -> None:
        """A path of the command line: a folder is walked, a file is taken whatever its name."""
        try:
            self._take(path, os.stat(path).st_mode)
        except OSError as error:
            self._problem(path, _reason(error))
        except SettingsError as error:
            self._listing.problems.append(Problem("", str(error)))

    def _take(self, path: str, mode: int) -> None:
        if stat.S_ISDIR(mode):
            self._walk(os.path.abspath(path))
        elif not stat.S_ISREG(mode):
            self._problem(path, "not a regular file")
        elif not self.left_out(os.path.abspath(path)):
            self._add(path)

    def left_out(self, path: str) -> bool:
        """Whether a file given by name is excluded, and excludes are forced."""
        scope = self._resolver.of(os.path.dirname(path))
        return scope.settings.force_exclude and self._is_excluded(scope, scope.base, path, False)

    def _walk(self, top: str) -> None:
        """A folder that is itself excluded or ignored was asked for by name: patterns start below it then."""
        scope = self._resolver.of(top)
        forced_in = self._is_excluded(scope, scope.base, top, True)
        if forced_in and scope.settings.force_exclude:
            return
        specs = list(_parent_ignores(top)) if scope.settings.respect_gitignore else []
        if _is_ignored(specs, top, True):
            specs = []
        self._enter(top, top if forced_in else "", specs)

    def _enter(self, folder: str, base: str, specs: list[tuple[str, GitIgnoreSpec]]) -> None:
        try:
            scope = self._resolver.of(folder)
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda e: e.name)
        except OSError as error:
            self._problem(folder, _reason(error))
            return
        except SettingsError as error:
            self._listing.problems.append(Problem("", str(error)))
            return
        if scope.settings.respect_gitignore:
            specs = specs + list(_ignore_file(folder, ".gitignore"))
        for entry in found:
            self._entry(entry, scope, base, specs)

    def _entry(self, entry: os.DirEntry[str], scope: Scope, base: str, specs: list[tuple[str, GitIgnoreSpec]]) -> None:
        folder = entry.is_dir(follow_symlinks=False)
        if not folder and not entry.name.endswith(SUFFIXES):
            return
        respected = specs if scope.settings.respect_gitignore else []
        if self._is_excluded(scope, base or scope.base, entry.path, folder) or _is_ignored(respected, entry.path, folder):
            return
        if folder:
            self._enter(entry.path, base, specs)
        else:
            self._file(entry)

    def _file(self, entry: os.DirEntry[str]) -> None:
        """A link to a folder is not followed: it may lead back."""
        try:
            mode = entry.stat().st_mode
        except OSError as error:
            self._problem(entry.path, f"skipped: {_reason(error)}", fatal=False)
            return
        if stat.S_ISREG(mode):
            self._add(entry.path)
        elif not stat.S_ISDIR(mode):
            self._problem(entry.path, "skipped: not a regular file", fatal=False)

    def _is_excluded(self, scope: Scope, base: str, path: str, folder: bool) -> bool:
        """Whether a path below base, or one of its parents there, is excluded."""
        key = (base, scope.settings.excluded)
        if key not in self._excludes:
            self._excludes[key] = _spec(scope.settings.excluded)
        inside = os.path.relpath(path, base).replace(os.sep, "/")
        if inside == "." or inside.startswith("../"):
            return False
        return self._excludes[key].match_file(inside + "/" * folder)

    def _add(self, path: str) -> None:
        if os.path.abspath(path) not in self._seen:
            self._seen.add(os.path.abspath(path))
            self._listing.files.append(shown(path))

    def _problem(self, path: str, message: str, fatal: bool = True) -> None:
        self._listing.problems.append(Problem(shown(path), message, fatal))


def _parent_ignores(folder: str) -> Iterator[tuple[str, GitIgnoreSpec]]:
    """The ignore files above a folder, from the top of its repository down; none outside a repository."""
    above: list[str] = []
    here = folder
    while not any(os.path.exists(os.path.join(here, top)) for top in TOPS):
        parent = os.path.dirname(here)
        if parent == here:
            return
        above.append(parent)
        here = parent
    yield from _ignore_file(here, os.path.join(".git", "info", "exclude"))
    for parent in reversed(above):
        yield from _ignore_file(parent, ".gitignore")


def _ignore_file(folder: str, name: str) -> Iterator[tuple[str, GitIgnoreSpec]]:
    """The spec of an ignore file with the folder its patterns are relative to; nothing if there is no such file."""
    path = os.path.join(folder, name)
    if os.path.isfile(path):
        with open(path, encoding="utf-8", errors="replace") as stream:
            yield folder, _spec(line.rstrip("\r\n") for line in stream)


def _spec(patterns: Iterable[str]) -> GitIgnoreSpec:
    """As git reads them: a pattern that is none ("!", a trailing backslash) matches nothing."""
    return GitIgnoreSpec.from_lines(p for p in patterns if is_pattern(p))


def is_pattern(text: str) -> bool:
    """Whether .gitignore could hold this line."""
    try:
        GitIgnoreSpec.from_lines([text])
    except ValueError:
        return False
    return True
