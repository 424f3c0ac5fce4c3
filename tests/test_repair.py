"""Fix to rest, with small checks in place of the rules: what is applied, what waits, what is taken back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from nanlint.findings import Edit, Finding, Fix, Judged, Place
from nanlint.repair import ROUNDS, allowed, to_rest
from nanlint.settings import Settings
from nanlint.source import Source, SourceError

ALL = frozenset({"exact", "guard", "unsafe"})
Check = Callable[[Source], "list[Finding]"]


def finding(source: Source, code: str, start: int, end: int, edits: Sequence[Edit] | None, kind: str = "exact") -> Finding:
    fix = None if edits is None else Fix(kind, "mend it", tuple(edits))
    return Finding(code, code.lower(), "bad", source.path, source.span(start, end), fix=fix)


def words(source: Source, code: str, pattern: str, content: str | None, kind: str = "exact") -> list[Finding]:
    """A finding at each match, whose fix puts content in its place."""
    found = []
    for match in re.finditer(pattern, source.text):
        edits = None if content is None else [Edit(match.start(), match.end(), content)]
        found.append(finding(source, code, match.start(), match.end(), edits, kind))
    return found


def rest(text: str, check: Check, kinds: frozenset[str] = ALL) -> tuple[str, list[str], int, list[str]]:
    """The text at rest, the codes that remain, the number fixed, the reasons of what was undone."""
    done = to_rest(Source.from_text(text, "a.py"), lambda s: Judged(check(s)), kinds)
    return done.source.text, [f.code for f in done.findings], done.fixed, done.undone


def test_fixes_are_applied_at_once_and_the_text_kept() -> None:
    result = rest("x = bad  # ü\r\ny = bad\r\n", lambda s: words(s, "NAN101", "bad", "good"))
    assert result == ("x = good  # ü\r\ny = good\r\n", [], 2, [])


def test_kinds_that_are_not_allowed_stay() -> None:
    def check(source: Source) -> list[Finding]:
        return words(source, "NAN101", "bad", "good") + words(source, "NAN401", "cut", "kept", "unsafe")

    assert rest("bad, cut\n", check, frozenset({"exact", "guard"})) == ("good, cut\n", ["NAN401"], 1, [])
    assert rest("bad, cut\n", check) == ("good, kept\n", [], 2, [])


def test_allowed_kinds_follow_the_settings() -> None:
    assert allowed(Settings()) == {"exact", "guard"}
    assert allowed(Settings(unsafe_fixes=True)) == ALL
    assert allowed(Settings(exact_only=True, unsafe_fixes=True)) == {"exact"}


def test_one_edit_that_cures_two_findings_is_made_once() -> None:
    def check(source: Source) -> list[Finding]:
        at = source.text.find("norm()")
        if at < 0:
            return []
        edit = Edit(at, at + 6, "safe()")
        return [finding(source, "NAN104", m.start(), m.end(), [edit]) for m in re.finditer("/ n", source.text)]

    assert rest("n = norm()\na / n\nb / n\n", check) == ("n = safe()\na / n\nb / n\n", [], 2, [])


def test_overlapping_fixes_wait_for_the_next_round() -> None:
    def check(source: Source) -> list[Finding]:
        return words(source, "NAN301", r"log\(soft\(x\)\)", "both(x)") + words(source, "NAN102", r"soft\(x\)", "s(x)")

    assert rest("log(soft(x))\n", check) == ("both(x)\n", [], 2, [])


def test_a_fix_that_does_not_parse_is_undone_alone() -> None:
    def check(source: Source) -> list[Finding]:
        return words(source, "NAN101", "bad", "good") + words(source, "NAN102", "worse", "worse(")

    text, left, fixed, undone = rest("bad\nworse\nbad\n", check)
    assert (text, left, fixed) == ("good\nworse\ngood\n", ["NAN102"], 2)
    assert len(undone) == 1 and undone[0].startswith("a.py:2:1: fix of NAN102 undone: the repaired code does not parse")


def test_a_fix_that_only_compiles_wrongly_is_undone() -> None:
    text = "from __future__ import annotations\nbad\n"
    check: Check = lambda s: [finding(s, "NAN101", m.start(), m.end(), [Edit(0, 0, "import x\n")]) for m in re.finditer("bad", s.text)]  # noqa: E731
    result = rest(text, check)
    assert result[0] == text and "does not compile" in result[3][0]


def test_a_fix_that_keeps_its_finding_is_undone_once() -> None:
    text, left, fixed, undone = rest("pad; bad\n", lambda s: words(s, "NAN101", r"\bbad(\.x)*", "bad.x"))
    assert (text, left, fixed) == ("pad; bad\n", ["NAN101"], 0)
    assert undone == ["a.py:1:6: fix of NAN101 undone: the finding is still there"]


def test_a_fix_that_brings_another_finding_is_undone() -> None:
    def check(source: Source) -> list[Finding]:
        return words(source, "NAN101", "bad", "evil") + words(source, "NAN103", "evil", None)

    text, left, fixed, undone = rest("x\nbad\n", check)
    assert (text, left, fixed) == ("x\nbad\n", ["NAN101"], 0)
    assert undone == ["a.py:2:1: fix of NAN101 undone: it brings NAN103 at line 2"]


def test_findings_that_were_there_are_no_news_though_they_move() -> None:
    def check(source: Source) -> list[Finding]:
        return words(source, "NAN101", "bad", "much + better") + words(source, "NAN103", "evil", None)

    assert rest("evil; bad; evil; bad; evil\n", check)[1:] == (["NAN103"] * 3, 2, [])


def test_what_a_finding_spoke_for_is_no_news() -> None:
    """A composition is cured at its log; its division stays, is a finding of its own then, and is cured in the next round."""

    def check(source: Source) -> Judged:
        outer, inner = words(source, "NAN305", "by_hand", "exact"), words(source, "NAN304", "division", "softmax")
        return Judged(outer, [Place.of(f.code, f.span) for f in inner]) if outer else Judged(inner)

    done = to_rest(Source.from_text("p = division\ny = by_hand\n", "a.py"), check, ALL)
    assert (done.source.text, done.findings, done.undone) == ("p = softmax\ny = exact\n", [], [])


def test_fixes_that_fail_together_only_are_tried_alone() -> None:
    def check(source: Source) -> list[Finding]:
        clash = words(source, "NAN103", "good.*good", None) if source.text.count("good") > 1 else []
        return words(source, "NAN101", "bad", "good") + clash

    text, left, fixed, undone = rest("bad\nx; bad\n".replace("\n", ";") + "\n", check)
    assert text.count("good") == 1 and left == ["NAN101"] and fixed == 1 and len(undone) == 1


def test_it_ends_though_each_fix_gives_a_new_one() -> None:
    seen: list[int] = []

    def check(source: Source) -> list[Finding]:
        seen.append(1)
        at = source.text.rfind("a")
        return [finding(source, "NAN101", at, at + 1, [Edit(at + 1, at + 1, "\nx\na")])]

    done = to_rest(Source.from_text("a\n", "a.py"), lambda s: Judged(check(s)), ALL)
    assert done.findings and len(seen) <= 2 * ROUNDS + 2


def test_no_python_is_not_repaired() -> None:
    def check(source: Source) -> list[Finding]:
        source.tree
        return []

    with pytest.raises(SourceError):
        rest("def f(:\n", check)


def test_encoding_and_mark_are_kept() -> None:
    data = "# coding: latin-1\nx = bad  # é\n".encode("latin-1")
    done = to_rest(Source.from_bytes(data, "a.py"), lambda s: Judged(words(s, "NAN101", "bad", "good")), ALL)
    assert done.source.data == data.replace(b"bad", b"good")
    marked = b"\xef\xbb\xbfbad\r\n"
    done = to_rest(Source.from_bytes(marked, "a.py"), lambda s: Judged(words(s, "NAN101", "bad", "good")), ALL)
    assert done.source.data == b"\xef\xbb\xbfgood\r\n"
