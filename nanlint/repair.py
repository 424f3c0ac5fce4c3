"""Fix to rest: rounds of text edits, each parsed and checked again before it counts."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from nanlint.findings import Edit, Finding, Judged, Place
from nanlint.rewrite import apply_edits, compatible
from nanlint.settings import Settings
from nanlint.source import Source, SourceError

#: Rounds after which the repair of a file ends, though fixes may be left.
ROUNDS = 10

Check = Callable[[Source], Judged]


@dataclass
class Repaired:
    """The source at rest, what was found before and is found now, and the fixes that were taken back."""

    source: Source
    before: list[Finding]
    now: Judged
    undone: list[str] = field(default_factory=list)

    @property
    def findings(self) -> list[Finding]:
        return self.now.findings

    @property
    def fixed(self) -> int:
        return max(len(self.before) - len(self.findings), 0)


def _place(finding: Finding) -> Place:
    return Place.of(finding.code, finding.span)


def allowed(settings: Settings) -> frozenset[str]:
    """The kinds of fixes that may be applied."""
    if settings.exact_only:
        return frozenset({"exact"})
    return frozenset({"exact", "guard", "unsafe"} if settings.unsafe_fixes else {"exact", "guard"})


def to_rest(source: Source, check: Check, kinds: frozenset[str]) -> Repaired:
    """Applies fixes of these kinds, round by round, until none is left. Raises SourceError if the source is no Python."""
    now = check(source)
    done = Repaired(source, now.findings, now)
    refused: list[Place] = []
    for _ in range(ROUNDS):
        wanted = [f for f in done.findings if f.fix is not None and f.fix.kind in kinds and _place(f) not in refused]
        chosen = _disjoint(wanted)
        if not chosen or not _round(done, chosen, refused, check):
            break
    return done


def _round(done: Repaired, chosen: list[Finding], refused: list[Place], check: Check) -> bool:
    """One round; when it fails its fixes are tried one by one, and those that fail alone are refused. Whether to go on."""
    step = _attempt(done, chosen, check)
    if isinstance(step, str) and len(chosen) > 1:
        good = []
        for finding in chosen:
            alone = _attempt(done, [finding], check)
            if isinstance(alone, str):
                _refuse(done, finding, alone, refused)
            else:
                good.append(finding)
        chosen = good
        step = _attempt(done, chosen, check) if chosen else "nothing left"
        if isinstance(step, str) and len(chosen) > 1:  # they fail together only
            chosen = chosen[:1]
            step = _attempt(done, chosen, check)
    elif isinstance(step, str):
        _refuse(done, chosen[0], step, refused)
    if isinstance(step, str):
        return True
    edits = _edits(chosen)
    refused[:] = [place.moved(edits) for place in refused]
    done.source, done.now = step
    return True


def _refuse(done: Repaired, finding: Finding, reason: str, refused: list[Place]) -> None:
    refused.append(_place(finding))
    row, column = finding.span.row, finding.span.column + 1
    done.undone.append(f"{finding.filename}:{row}:{column}: fix of {finding.code} undone: {reason}")


def _edits(findings: Iterable[Finding]) -> list[Edit]:
    """The edits of findings, equal ones once, in order."""
    every = {edit for f in findings if f.fix is not None for edit in f.fix.edits}
    return sorted(every, key=lambda e: (e.start, e.end, e.content))


def _disjoint(findings: Iterable[Finding]) -> list[Finding]:
    """The findings in order whose edits do not meet those of one before; the others wait for the next round."""
    chosen: list[Finding] = []
    for finding in findings:
        if finding.fix is not None and compatible(finding.fix.edits, _edits(chosen)):
            chosen.append(finding)
    return chosen


def _attempt(done: Repaired, chosen: Sequence[Finding], check: Check) -> tuple[Source, Judged] | str:
    """The source and what is found after these fixes; or in words why they must not be applied."""
    source, edits = done.source, _edits(chosen)
    try:
        new = Source.from_bytes(source.encode(apply_edits(source.text, edits)), source.path)
        new.tree
    except SourceError as error:
        return f"the repaired code does not parse ({error.message})"
    if _compiles(source.tree) and not _compiles(new.tree):
        return "the repaired code does not compile"
    after = check(new)
    known = [_place(f) for f in done.findings if f not in chosen] + done.now.silenced
    stray = _strays(after.findings, [place.moved(edits) for place in known])
    if not stray:
        return new, after
    cured = [_place(f).moved(edits) for f in chosen]
    if any(place.meets(_place(stray[0])) for place in cured):
        return "the finding is still there"
    return f"it brings {stray[0].code} at line {stray[0].span.row}"


def _strays(after: Iterable[Finding], expected: list[Place]) -> list[Finding]:
    """The findings that were not there before; each expected place answers for one finding."""
    left, stray = list(expected), []
    for finding in after:
        place = _place(finding)
        near = min((p for p in left if p.meets(place)), key=lambda p: abs(p.start - place.start), default=None)
        if near is None:
            stray.append(finding)
        else:
            left.remove(near)
    return stray


def _compiles(tree: ast.Module) -> bool:
    """Whether Python takes a tree beyond its grammar (a misplaced __future__ import parses)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(tree, "<repaired>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return False
    return True
