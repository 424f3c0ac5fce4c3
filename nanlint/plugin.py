"""The flake8 plugin: flake8 --select NAN. Suppression by noqa and the choice of codes are flake8's own."""

from __future__ import annotations

import ast
import logging
import os
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import nanlint
from nanlint.settings import Resolver, Settings, SettingsError

if TYPE_CHECKING:
    from nanlint.engine import Shared

LOG = logging.getLogger("nanlint")


class NanPlugin:
    """One file's check, as flake8 asks for it: the names of the parameters say what it passes."""

    name = "nanlint"
    version = nanlint.__version__
    evidence: ClassVar[str | None] = None
    resolver: ClassVar[Resolver] = Resolver()
    shared: ClassVar[Shared | None] = None

    def __init__(self, tree: ast.Module, lines: Sequence[str], filename: str = "-") -> None:
        self._tree = tree
        self._lines = lines
        self._filename = "-" if filename in ("-", "stdin") else filename

    @staticmethod
    def add_options(manager: Any) -> None:
        """The plugin's options; manager is flake8's OptionManager."""
        manager.add_option(
            "--nan-evidence",
            default=None,
            choices=("reached", "suspected", "unknown"),
            parse_from_config=True,
            help="the weakest evidence that nanlint reports (default: that of [tool.nanlint], else suspected)",
        )

    @classmethod
    def parse_options(cls, options: Namespace) -> None:
        cls.evidence = options.nan_evidence
        cls.resolver = Resolver()
        cls.shared = None

    def run(self) -> Iterator[tuple[int, int, str, type[Any]]]:
        """(line, column from 0, "NAN201 message", type). Never raises: an exception here would end flake8's whole run."""
        try:
            found = self._findings()
        except Exception as error:
            if os.environ.get("NANLINT_RAISE"):
                raise
            from nanlint.engine import internal

            LOG.error("%s: %s", self._filename, internal(error))
            return
        yield from found

    def _findings(self) -> list[tuple[int, int, str, type[Any]]]:
        from nanlint import engine
        from nanlint.source import Source, SourceError

        source = Source.from_text("".join(self._lines), self._filename, tree=self._tree)
        try:
            found = engine.check(source, self._settings(), self._share(), fixes=False, noqa=False)
        except SourceError as error:
            LOG.warning("%s: not checked: %s", self._filename, error)
            return []
        return [(f.span.row, f.span.column, f"{f.code} {f.message}", type(self)) for f in found]

    @classmethod
    def _share(cls) -> Shared:
        """What the files of one run (of one worker of it) know of their project."""
        from nanlint.engine import Shared

        cls.shared = cls.shared or Shared()
        return cls.shared

    def _settings(self) -> Settings:
        """Those of the file's pyproject.toml; the defaults if they cannot be read."""
        from nanlint.engine import validate

        try:
            settings = self.resolver.of_file(self._filename)
            validate(settings, "pyproject.toml")
        except SettingsError as error:
            LOG.error("%s: %s", self._filename, error)
            settings = Settings()
        return settings if self.evidence is None else replace(settings, evidence=self.evidence)
