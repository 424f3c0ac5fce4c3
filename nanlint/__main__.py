"""python -m nanlint: as the console script, but the working directory is on sys.path.

It is taken off before anything is imported: a linted click.py would run otherwise. Only where the working directory is the
interpreter's own site-packages it stays, behind: what nanlint needs lives there.
"""

from __future__ import annotations

import os
import sys

HERE = os.getcwd()
OWN = os.path.basename(HERE) == "site-packages" and HERE.startswith(os.path.join(sys.prefix, ""))
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != HERE] + [HERE] * OWN

from nanlint.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
