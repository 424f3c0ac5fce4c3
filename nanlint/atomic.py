"""Replacing a file in one step, and only if it still holds what was read."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class ReplaceError(OSError):
    """A file that was not replaced; the message names it and says why. Its content is as it was found."""


def replace(path: str | Path, read: bytes, changed: bytes) -> None:
    """Put changed bytes in a file's place, if it still holds the bytes that were read.

    Symbolic links stay, their target is replaced; the mode is kept; at any moment the path holds the
    old or the new content. Raises ReplaceError.
    """
    target = Path(os.path.realpath(path))
    try:
        if not _swap(target, read, changed):
            raise ReplaceError(f"{path}: changed on disk since it was read; not written")
    except FileNotFoundError:
        raise ReplaceError(f"{path}: is gone since it was read; not written") from None
    except ReplaceError:
        raise
    except OSError as error:
        raise ReplaceError(f"{path}: cannot be written: {error.strerror or error}") from error


def _swap(target: Path, read: bytes, content: bytes) -> bool:
    """Write a temporary file beside the target, and rename it; False if the target changed meanwhile."""
    if not os.access(target, os.W_OK):  # a rename would not ask the file itself
        raise PermissionError(13, "permission denied")
    mode = target.stat().st_mode & 0o7777
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        same = target.read_bytes() == read
        if same:
            os.replace(temporary, target)
        return same
    finally:
        Path(temporary).unlink(missing_ok=True)
