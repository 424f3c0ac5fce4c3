"""python -m nanlint: as the console script, but the working directory is on sys.path.

It is taken off before anything is imported: a linted click.py would run otherwise.
"""

from __future__ import annotations

import os
import sys

sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.getcwd()]

from nanlint.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
