"""How often each rule was met: count, code, name; the commonest first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from nanlint.engine import Report


def render(report: Report, form: str) -> Iterator[str]:
    counts = Counter((finding.code, finding.name) for finding in report.findings)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if form == "json":
        yield json.dumps([{"code": code, "name": name, "count": count} for (code, name), count in rows], indent=2)
        return
    wide = max((len(str(count)) for _, count in rows), default=0)
    for (code, name), count in rows:
        yield f"{count:>{wide}}  {code}  {name}"
