"""What a terminal can show: colour and the width of characters."""

from __future__ import annotations

from dataclasses import dataclass

_CODES = {"bold": "1", "red": "31", "blue": "34", "cyan": "36", "green": "32"}


@dataclass(frozen=True)
class Style:
    """How a report is painted.

    colour   whether escape codes may be written
    kinds    the kinds of fixes that --fix would apply, for the mark [*]
    """

    colour: bool = False
    kinds: frozenset[str] = frozenset({"exact", "guard"})

    def paint(self, text: str, *looks: str) -> str:
        if not self.colour or not text:
            return text
        return f"\033[{';'.join(_CODES[look] for look in looks)}m{text}\033[0m"


def wants_colour(environ: dict[str, str], is_terminal: bool) -> bool:
    """NO_COLOR beats FORCE_COLOR beats what the stream is."""
    if environ.get("NO_COLOR"):
        return False
    return bool(environ.get("FORCE_COLOR")) or (is_terminal and environ.get("TERM") != "dumb")


def width(text: str) -> int:
    """Columns that a text takes on a terminal (wide characters take two)."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
