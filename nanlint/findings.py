"""What nanlint reports: Finding, Note, Fix, Edit; their order and their selection.

Spans are measured in the decoded text: rows from 1, columns from 0 in characters, the end
exclusive; offsets are characters from the start of the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

#: Evidence words, weakest first (HOUSE.md, "Evidence").
EVIDENCE = ("excluded", "unknown", "suspected", "reached")


def at_least(evidence: str, minimum: str) -> bool:
    """Whether one evidence word is as strong as another."""
    return EVIDENCE.index(evidence) >= EVIDENCE.index(minimum)


@dataclass(frozen=True, order=True)
class Span:
    """A range of the text: start row (1-based) and column (0-based), end (exclusive), offsets."""

    row: int
    column: int
    end_row: int
    end_column: int
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Edit:
    """Replace text[start:end] by content; start == end inserts."""

    start: int
    end: int
    content: str


@dataclass(frozen=True)
class Fix:
    """A repair. kind is "exact", "guard" or "unsafe"; message says what it does."""

    kind: str
    message: str
    edits: tuple[Edit, ...]

    @property
    def applicability(self) -> str:
        return "unsafe" if self.kind == "unsafe" else "safe"


@dataclass(frozen=True)
class Note:
    """One step of the path from the origin of a value to its hazard."""

    message: str
    filename: str
    span: Span


@dataclass(frozen=True)
class Finding:
    """One defect: identified by (filename, span, code); the rest describes it."""

    code: str
    name: str
    message: str
    filename: str
    span: Span
    evidence: str = "reached"
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    noqa_row: int = 0
    #: codes of the rules whose finding at the same place this one speaks for
    covers: frozenset[str] = field(default_factory=frozenset)

    @property
    def identity(self) -> tuple[str, Span, str]:
        return (self.filename, self.span, self.code)

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        return (self.filename, self.span.row, self.span.column, self.code, self.message)


@dataclass(frozen=True)
class Place:
    """Where a rule speaks, in offsets of a text."""

    code: str
    start: int
    end: int

    @classmethod
    def of(cls, code: str, span: Span) -> Place:
        return cls(code, span.start, span.end)

    def moved(self, edits: Iterable[Edit]) -> Place:
        """The same place after edits."""
        edits = tuple(edits)
        return Place(self.code, _moved(self.start, edits), _moved(self.end, edits))

    def meets(self, other: Place) -> bool:
        return self.code == other.code and self.start <= other.end and other.start <= self.end


def _moved(offset: int, edits: Iterable[Edit]) -> int:
    return offset + sum(len(e.content) - (e.end - e.start) for e in edits if e.end <= offset)


@dataclass
class Judged:
    """What the rules say of a source: findings in the order of their places, and the places of what these speak for."""

    findings: list[Finding] = field(default_factory=list)
    silenced: list[Place] = field(default_factory=list)
