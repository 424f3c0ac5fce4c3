"""From a source to its findings, and from many files to a Report.

`check` is the pure core: the uses of a source go to the rules that hear them, what they say is merged,
suppressed and selected. `Session` wraps it for files on disk: repairs them, catches internal errors.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import nanlint
from nanlint.files import Problem, discover, is_left_out, is_pattern
from nanlint.findings import EVIDENCE, Finding, Judged, Note, Place, Span, at_least
from nanlint.settings import Resolver, Settings, SettingsError, spelled
from nanlint.source import Source, SourceError

if TYPE_CHECKING:
    from nanlint.interp.project import Project
    from nanlint.interp.uses import Hit, Site, Trace, Use
    from nanlint.rules import Rule, Verdict

#: The rule of files that cannot be read as Python; emitted here, by no use.
INVALID = ("NAN900", "invalid-syntax")


# -- one source


@dataclass(eq=False)
class Draft:
    """What a rule said of one hit of one use, before it is merged with what the same rule said of the same place."""

    rule: Rule
    use: Use
    hit: Hit
    verdict: Verdict
    evidence: str
    span: Span

    @property
    def place(self) -> tuple[Span, str]:
        return (self.span, self.rule.code)

    @property
    def rank(self) -> tuple[int, int]:
        """Strongest evidence first, then the shortest path."""
        return (-EVIDENCE.index(self.evidence), len(self.verdict.notes))


class Shared:
    """What the files of one run share: the project, made when the first file needs the interpreter (its import is slow)."""

    def __init__(self) -> None:
        self._project: Project | None = None

    def project(self) -> Project:
        if self._project is None:
            from nanlint.interp.project import Project

            self._project = Project()
        return self._project

    def forget(self) -> None:
        """A file was written: what is known of the project may not be true any more."""
        self._project = None


def check(source: Source, settings: Settings, shared: Shared | None = None, fixes: bool = True, noqa: bool = True) -> list[Finding]:
    """The findings of a source, in the order of their places. Raises SourceError where there is no tree.

    fixes   whether the findings carry their fixes
    noqa    whether noqa comments count (flake8 reads them itself)
    """
    return judge(source, settings, evaluate(source, shared), fixes, noqa).findings


def evaluate(source: Source, shared: Shared | None = None, reveal: bool = False) -> Trace | None:
    """What the interpreter sees in a source; None if no word of it can be a hazard. Raises SourceError."""
    from nanlint import ops

    source.tree  # a file that is no Python is named, whatever words it holds
    if not reveal and not source.may_hold(ops.hazard_tokens()):
        return None
    from nanlint import interp

    return interp.run(source, (shared or Shared()).project(), reveal=reveal)


def judge(source: Source, settings: Settings, trace: Trace | None, fixes: bool = True, noqa: bool = True) -> Judged:
    """What the rules say of a trace: merged, suppressed, selected, in order."""
    if trace is None or source.skip_file:
        return Judged()
    drafts, silenced = _merge(_drafts(trace, source, settings.evidence))
    chosen = [d for d in drafts if is_selected(d.rule.code, settings) and not _is_ignored(source, d.rule.code, d.rule.name)]
    kept = [d for d in chosen if not (noqa and source.silenced(d.span.row, d.rule.code))]
    findings = sorted((_finding(d, source, settings, fixes) for d in kept), key=lambda f: f.key)
    return Judged(findings, [Place.of(d.rule.code, d.span) for d in silenced])


def invalid(source: Source, error: SourceError, settings: Settings) -> list[Finding]:
    """NAN900 for a source that has no tree, unless it is suppressed or not selected."""
    code, name = INVALID
    if not is_selected(code, settings) or source.skip_file or _is_ignored(source, code, name) or source.silenced(error.row, code):
        return []
    span = Span(error.row, error.column, error.row, error.column + 1)
    return [Finding(code, name, error.message, source.path, span, noqa_row=error.row)]


def _drafts(trace: Trace, source: Source, minimum: str) -> Iterator[Draft]:
    from nanlint import rules

    for use in trace.uses:
        for hit in use.hits:
            if at_least(hit.evidence, minimum):
                for rule in rules.hearing(hit.brk.kind):
                    yield from _say(rule, use, hit, source, minimum)


def _say(rule: Rule, use: Use, hit: Hit, source: Source, minimum: str) -> Iterator[Draft]:
    """A rule's word on a hit, if it has one, it is strong enough, and it stands in this file."""
    verdict = rule.check(use, hit)
    if verdict is None:
        return
    evidence = verdict.evidence or hit.evidence
    site = verdict.at or use.site
    if at_least(evidence, minimum) and site.fragment.source is source:
        yield Draft(rule, use, hit, verdict, evidence, site.fragment.span(site.node))


def _merge(drafts: Iterable[Draft]) -> tuple[list[Draft], list[Draft]]:
    """One draft for each place and rule: those that speak, and those that another one speaks for."""
    best: dict[tuple[Span, str], Draft] = {}
    covered: dict[int, set[str]] = {}
    before: set[tuple[Span, str]] = set()
    for draft in drafts:
        known = best.get(draft.place)
        if known is None or draft.rank < known.rank:
            best[draft.place] = draft
        for use in draft.verdict.covers:
            covered.setdefault(id(use.site.node), set()).add(draft.rule.code)
        before |= {(draft.span, name) for name in draft.rule.before}
    speak: list[Draft] = []
    silenced: list[Draft] = []
    for draft in best.values():
        others = covered.get(id(draft.use.site.node), set()) - {draft.rule.code}
        (silenced if others or (draft.span, draft.rule.name) in before else speak).append(draft)
    return speak, silenced


def _finding(draft: Draft, source: Source, settings: Settings, fixes: bool) -> Finding:
    rule, verdict = draft.rule, draft.verdict
    notes = tuple(_note(message, site) for message, site in verdict.notes)
    finding = Finding(rule.code, rule.name, verdict.message, source.path, draft.span, draft.evidence, notes, noqa_row=draft.span.row)
    if not fixes or not rule.fixes:
        return finding
    from nanlint.rewrite import Pen

    return replace(finding, fix=rule.fix(draft.use, draft.hit, Pen(draft.use, settings)))


def _note(message: str, site: Site) -> Note:
    return Note(message, site.fragment.source.path, site.fragment.span(site.node))


def _is_ignored(source: Source, code: str, name: str) -> bool:
    """Whether a file-ignore comment names a rule, by code, prefix or name."""
    return any(code.startswith(i.upper()) or name == i for i in source.file_ignores)


# -- selection


def is_selected(code: str, settings: Settings) -> bool:
    return code in _selected(settings.select + settings.extend_select, settings.ignore)


@lru_cache(maxsize=64)
def _selected(select: tuple[str, ...], ignore: tuple[str, ...]) -> frozenset[str]:
    from nanlint import rules

    return rules.select(select) - rules.select(ignore)


def validate(settings: Settings, file: str) -> None:
    """Checks what settings alone cannot: codes and patterns. Raises SettingsError naming the file ("" for flags) and the key."""
    from nanlint import rules

    where = f"{file}: " if file else ""
    for name in ("select", "extend_select", "ignore"):
        try:
            rules.select(getattr(settings, name))
        except rules.UnknownRule as error:
            raise SettingsError(f"{where}{spelled(name)}: {error}") from error
    for name in ("exclude", "extend_exclude"):
        for pattern in getattr(settings, name):
            if not is_pattern(pattern):
                raise SettingsError(f"{where}{spelled(name)}: {pattern!r} is no pattern of .gitignore")


# -- many files


@dataclass(frozen=True)
class Ask:
    """What a run does with each file.

    repair   "" (report only) | "fix" (write) | "diff" (show) | "given" (by the settings of each file)
    census   whether what the interpreter did not know is counted
    fixes    whether findings carry their fixes
    """

    repair: str = ""
    census: bool = False
    fixes: bool = True


@dataclass
class Tally:
    """What the interpreter saw of files: counts, and how often each thing was not known."""

    functions: int = 0
    fragments: int = 0
    uses: int = 0
    unknown_uses: int = 0
    out_of_fuel: list[str] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)
    #: calls of torch: of a row that says something, of an opaque row, and by name those without a row
    rows: int = 0
    opaque: int = 0
    without: dict[str, int] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        self.functions += other.functions
        self.fragments += other.fragments
        self.rows += other.rows
        self.opaque += other.opaque
        for name, count in other.without.items():
            self.without[name] = self.without.get(name, 0) + count
        self.uses += other.uses
        self.unknown_uses += other.unknown_uses
        self.out_of_fuel += other.out_of_fuel
        for what, count in other.unknown.items():
            self.unknown[what] = self.unknown.get(what, 0) + count


@dataclass
class Outcome:
    """What became of one file; plain data.

    text      the decoded text that findings are measured in (after repairs); "" for a file on disk that has nothing to show
    before    the text before repairs
    data      the bytes of text
    fixed     how many findings the repairs cured
    undone    fixes that were taken back, in words
    """

    path: str
    text: str = ""
    before: str = ""
    data: bytes = b""
    findings: list[Finding] = field(default_factory=list)
    fixed: int = 0
    undone: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


@dataclass
class Report:
    """The outcomes of a run in the order of the files, and the paths that could not be checked."""

    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def findings(self) -> list[Finding]:
        return [f for outcome in self.outcomes for f in outcome.findings]

    @property
    def fixed(self) -> int:
        return sum(outcome.fixed for outcome in self.outcomes)

    @property
    def all_problems(self) -> list[Problem]:
        return self.problems + [p for outcome in self.outcomes for p in outcome.problems]

    @property
    def failed(self) -> bool:
        return any(problem.fatal for problem in self.all_problems)


class Session:
    """Checks files one after another; files of one project share what is known of it."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._shared = Shared()

    def run(self, path: str, settings: Settings, data: bytes | None = None) -> Outcome:
        """The outcome of a file, or of bytes that stand in its place (nothing is written then). Never raises for what a file holds."""
        outcome = Outcome(path)
        try:
            source = Source.read(path) if data is None else Source.from_bytes(data, path)
        except OSError as error:
            outcome.problems.append(Problem(path, f"cannot be read: {(error.strerror or str(error)).lower()}"))
            return outcome
        outcome.text = outcome.before = source.text
        outcome.data = source.data
        try:
            self._run(source, settings, outcome, written=data is None)
        except SourceError as error:
            outcome.findings = invalid(source, error, settings)
        except Exception as error:
            if os.environ.get("NANLINT_RAISE"):
                raise
            outcome.problems.append(Problem(path, internal(error)))
        if data is None and not outcome.findings and outcome.text == outcome.before:
            outcome.text = outcome.before = ""  # nobody will look at it; runs can have many files
            outcome.data = b""
        return outcome

    def _run(self, source: Source, settings: Settings, outcome: Outcome, written: bool) -> None:
        repair = self._ask.repair
        if repair == "given":
            repair = "fix" if settings.fix else ""
        if repair:
            self._repair(source, settings, outcome, write=written and repair == "fix")
        else:
            outcome.findings = self._check(source, settings, outcome.tally if self._ask.census else None).findings

    def _check(self, source: Source, settings: Settings, tally: Tally | None = None) -> Judged:
        trace = evaluate(source, self._shared)
        if tally is not None and trace is not None:
            _count(trace, source, tally)
        return judge(source, settings, trace, self._ask.fixes)

    def _repair(self, source: Source, settings: Settings, outcome: Outcome, write: bool) -> None:
        from nanlint import repair

        done = repair.to_rest(source, lambda s: self._check(s, settings), repair.allowed(settings))
        outcome.undone = done.undone
        if write and done.source.data != source.data:
            from nanlint import atomic

            self._shared.forget()
            try:
                atomic.replace(source.path, source.data, done.source.data)
            except OSError as error:
                outcome.findings = done.before
                outcome.problems.append(Problem("", str(error)))
                return
        outcome.findings, outcome.fixed = done.findings, done.fixed
        outcome.text, outcome.data = done.source.text, done.source.data


def _count(trace: Trace, source: Source, tally: Tally) -> None:
    tally.fragments += source.parsed
    tally.functions += trace.functions
    tally.uses += len(trace.uses)
    tally.unknown_uses += sum(_is_blind(use) for use in trace.uses)
    tally.out_of_fuel += [f"{source.path}: {name}" for name in trace.fuel_out]
    tally.unknown = dict(trace.census)
    for name, kind in trace.calls.values():
        tally.rows += kind == "row"
        tally.opaque += kind == "opaque"
        if not kind:
            tally.without[name] = tally.without.get(name, 0) + 1


def _is_blind(use: Use) -> bool:
    """Whether nothing is known of the main argument of a use."""
    lead = use.bound.args.get(use.op.lead)
    return getattr(lead, "kind", "unknown") == "unknown"


def internal(error: BaseException) -> str:
    """One line on an error of nanlint itself: what, where, which version."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else "?"
    words = " ".join(str(error).split())[:200]
    python = ".".join(map(str, sys.version_info[:3]))
    return f"internal error at {where}: {type(error).__name__}: {words} (nanlint {nanlint.__version__}, Python {python})"


def run(paths: Iterable[str], resolver: Resolver, ask: Ask, stdin: tuple[str, bytes] | None = None) -> Report:
    """Checks files and folders; "-" stands for stdin, a name and its bytes."""
    given = list(paths)
    listing = discover((p for p in given if p != "-"), resolver)
    report = Report(problems=listing.problems)
    session = Session(ask)
    jobs: list[tuple[str, bytes | None]] = [(path, None) for path in listing.files]
    if stdin is not None and "-" in given:
        jobs.insert(0, stdin)
    for path, data in jobs:
        try:
            settings = resolver.of_file(path)
            if data is not None and is_left_out(path, resolver):
                continue
        except SettingsError as error:
            report.problems.append(Problem("", str(error)))
            continue
        report.outcomes.append(session.run(path, settings, data))
    report.problems = list(dict.fromkeys(report.problems))
    return report


# -- for programs


def check_source(text: str, filename: str = "<string>", settings: Settings | None = None) -> list[Finding]:
    """The findings of a piece of code (NAN900 if it is no Python). Reads no settings file."""
    source, settings = Source.from_text(text, filename), settings or Settings()
    try:
        return check(source, settings)
    except SourceError as error:
        return invalid(source, error, settings)


def check_paths(paths: Iterable[str | os.PathLike[str]], settings: Settings | None = None) -> Report:
    """The report on files and folders. Without settings each file's pyproject.toml is read."""
    resolver = Resolver(validate=validate) if settings is None else Resolver({f: getattr(settings, f) for f in vars(settings)}, isolated=True)
    return run([os.fspath(p) for p in paths], resolver, Ask())


def fix_source(text: str, filename: str = "<string>", settings: Settings | None = None) -> str:
    """The repaired text of a piece of code; the text itself if nothing can be repaired. Raises SourceError if it is no Python."""
    from nanlint import repair

    settings = settings or Settings()
    done = repair.to_rest(Source.from_text(text, filename), lambda s: judge(s, settings, evaluate(s)), repair.allowed(settings))
    return done.source.text
