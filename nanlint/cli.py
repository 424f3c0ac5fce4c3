"""The command line: flags, what is printed where, exit codes.

Exit codes: 0 nothing left, 1 findings remain (or a diff is not empty), 2 the run could not do all
that it was asked for, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

import nanlint
from nanlint.settings import FLAG, POSITIVE, TEXTS, Resolver, Settings, SettingsError, keys, spelled

if TYPE_CHECKING:
    from nanlint.engine import Ask, Report
    from nanlint.reports.style import Style

F = TypeVar("F", bound=Callable[..., Any])

#: Keys that are no flag of their own.
_HIDDEN = ("respect_gitignore",)


def _of_settings(command: F) -> F:
    """A flag for each key of the settings; None when it is not given."""
    for key in reversed(keys()):
        kind, name = key.metadata["kind"], spelled(key.name)
        words = key.metadata["help"].replace("`", "")
        extra: dict[str, Any] = {"help": words[0].upper() + words[1:] + ".", "default": None}
        flag = f"--{name}"
        if kind is FLAG:
            flag = f"--{name}/--no-{name}"
        elif kind is TEXTS:
            extra.update(multiple=True, metavar="LIST", callback=_split)
        elif kind is POSITIVE:
            extra.update(type=float, callback=_positive, metavar="NUMBER")
        else:
            extra.update(type=click.Choice(kind.choices))
        command = click.option(flag, key.name, hidden=key.name in _HIDDEN, **extra)(command)
    return command


def _split(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...] | None:
    """"A,B" and repeated flags alike; None when the flag was not given."""
    if not value:
        return None
    return tuple(part.strip() for text in value for part in text.split(",") if part.strip())


def _positive(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and POSITIVE.read(value) is None:
        raise click.BadParameter(f"must be {POSITIVE.words}")
    return value


@click.command(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.argument("paths", nargs=-1, metavar="[PATHS or -]...")
@_of_settings
@click.option("--diff", is_flag=True, help="Show what --fix would change, write nothing; exit with 1 if that is not empty.")
@click.option("--stdin-filename", metavar="NAME", help="The file that the code on stdin stands for.")
@click.option("--config", metavar="FILE", help="Read the settings from this file instead of each file's pyproject.toml.")
@click.option("--isolated", is_flag=True, help="Read no settings file.")
@click.option("--explain", metavar="RULE", help="Print the page of a rule.")
@click.option("--list-rules", is_flag=True, help="Print all rules.")
@click.option("--census", is_flag=True, help="Print what the interpreter did not know, the commonest first.")
@click.option("--reveal", metavar="FILE:LINE", help="Print what is known of each expression of a line.")
@click.option("-q", "--quiet", is_flag=True, help="Print no summary.")
@click.option("-v", "--verbose", is_flag=True, help="Name each file on stderr.")
@click.version_option(nanlint.__version__, message="%(prog)s %(version)s")
def command(paths: tuple[str, ...], **options: Any) -> int:
    """Find the places where model code can give birth to a NaN, an infinity or a dead gradient.

    PATHS are files and folders (default: the working directory); - reads stdin.
    """
    if options["explain"] is not None:
        return _explain(options["explain"])
    if options["list_rules"]:
        return _list_rules()
    flags = {key.name: options[key.name] for key in keys() if options[key.name] is not None}
    try:
        resolver = _resolver(flags, options)
        if options["reveal"] is not None:
            return _reveal(options["reveal"])
        return _check(paths or (".",), options, resolver)
    except SettingsError as error:
        return _fail(str(error))


def _resolver(flags: dict[str, Any], options: dict[str, Any]) -> Resolver:
    """The settings of the run; wrong flags are found before any file is read."""
    from nanlint.engine import validate

    if options["config"] is not None and options["isolated"]:
        raise SettingsError("--config and --isolated exclude each other")
    validate(Settings(**flags), "")
    return Resolver(flags, options["config"], options["isolated"], validate)


def _check(paths: tuple[str, ...], options: dict[str, Any], resolver: Resolver) -> int:
    from nanlint import engine

    top = resolver.of(os.getcwd()).settings
    stdin = _stdin(options["stdin_filename"]) if "-" in paths else None
    report = engine.run(paths, resolver, _ask(options), stdin)
    _say_problems(report, options["verbose"])
    if options["diff"]:
        _print_diff(report, options["quiet"])
        return _exit_code(report, top, any(o.before != o.text for o in report.outcomes))
    if options["census"]:
        from nanlint.reports import census

        _print(census.render(report))
        return 2 if report.failed else 0
    repaired = stdin is not None and resolver.of_file(stdin[0]).fix
    if stdin is not None and repaired:  # the repaired code goes to stdout, the report to stderr
        sys.stdout.buffer.write(next((o.data for o in report.outcomes if o.path == stdin[0]), stdin[1]))
        sys.stdout.flush()
    _print_report(report, top, options["quiet"], err=repaired)
    return _exit_code(report, top, bool(report.findings) or (top.exit_non_zero_on_fix and report.fixed > 0))


def _ask(options: dict[str, Any]) -> Ask:
    from nanlint.engine import Ask

    if options["diff"]:
        return Ask("diff")
    return Ask(census=True, fixes=False) if options["census"] else Ask("given")


def _stdin(name: str | None) -> tuple[str, bytes]:
    """The name of the code on stdin as reports show it, and its bytes."""
    from nanlint.files import shown

    return "-" if name is None else shown(name), sys.stdin.buffer.read()


def _exit_code(report: Report, top: Settings, anything: bool) -> int:
    if report.failed:
        return 2
    return 1 if anything and not top.exit_zero else 0


# -- printing


def _print(lines: Iterable[str], err: bool = False) -> None:
    stream = sys.stderr if err else sys.stdout
    for line in lines:
        stream.write(line + "\n")


def _print_report(report: Report, top: Settings, quiet: bool, err: bool) -> None:
    """The report and its summary; with JSON nothing but the report."""
    from nanlint import reports
    from nanlint.repair import allowed
    from nanlint.reports import statistics, summary

    kinds = allowed(top)
    if top.statistics:
        _print(statistics.render(report, top.output_format), err)
    else:
        _print(reports.render(top.output_format, report, _style(kinds, err)), err)
    if top.output_format != "json" and not quiet:
        _print(summary.render(report, kinds, top.fix or report.fixed > 0), err)


def _print_diff(report: Report, quiet: bool) -> None:
    from nanlint.reports import diff, summary

    for row in diff.render(report):
        sys.stdout.write(row)
    sys.stdout.flush()
    if not quiet:
        _print([summary.would_fix(report)], err=True)


def _style(kinds: frozenset[str], err: bool) -> Style:
    from nanlint.reports.style import Style, wants_colour

    stream = sys.stderr if err else sys.stdout
    return Style(wants_colour(dict(os.environ), stream.isatty()), kinds)


def _say_problems(report: Report, verbose: bool) -> None:
    """What could not be done goes to stderr, one line each."""
    for outcome in report.outcomes:
        if verbose:
            print(f"nanlint: checked {outcome.path}", file=sys.stderr)
        for words in outcome.undone:
            print(f"nanlint: {words}", file=sys.stderr)
    for problem in report.all_problems:
        print(f"nanlint: {'error' if problem.fatal else 'warning'}: {problem}", file=sys.stderr)


def _fail(message: str) -> int:
    print(f"nanlint: error: {message}", file=sys.stderr)
    return 2


# -- other questions


def _explain(rule: str) -> int:
    from nanlint import manual

    page = manual.page(rule)
    if page is None:
        return _fail(f"--explain: no rule has the code or name {rule!r}")
    _print([page])
    return 0


def _list_rules() -> int:
    from nanlint import manual

    _print(manual.list_rules())
    return 0


def _reveal(place: str) -> int:
    """--reveal FILE:LINE."""
    from nanlint import engine
    from nanlint.reports import reveal
    from nanlint.source import Source, SourceError

    file, _, line = place.rpartition(":")
    if not file or not line.isdecimal():
        raise SettingsError(f"--reveal: {place!r} is not FILE:LINE")
    try:
        trace = engine.evaluate(Source.read(file), reveal=True)
    except OSError as error:
        return _fail(f"{file}: cannot be read: {(error.strerror or str(error)).lower()}")
    except SourceError as error:
        return _fail(f"{file}:{error.row}:{error.column + 1}: {error.message}")
    if trace is not None:
        _print(reveal.render(trace, int(line)))
    return 0


def main() -> None:
    """The console script. Any terminal takes the output: what it cannot show is escaped."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        code = command.main(prog_name="nanlint", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = 2
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:  # the reader has seen enough; nothing more can be printed, at exit neither
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
