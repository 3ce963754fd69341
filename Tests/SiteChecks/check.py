"""Checks built sites and books: `check.py (SITE_FOLDER | BOOK.epub)…`, started by `run`, which brings what this needs.

Every section looks at one side of a site and says each of its claims once: how many things were looked at, and where
the claim does not hold. A claim about nothing at all fails too: a check that looks at nothing would pass for ever.
"""

from __future__ import annotations

import sys
from pathlib import Path

import breakages
from sitechecks import SECTIONS, books
from sitechecks.report import Report
from sitechecks.site import Site, SiteError


def main(folders: list[str]) -> int:
    if folders[0] == "--try":
        return 1 if breakages.try_all(Path(folders[1])) else 0
    report = Report()
    for folder in folders:
        print(f"{folder}:")
        if folder.endswith(".epub"):
            books.check(Path(folder), report)
            continue
        try:
            site = Site(Path(folder))
        except SiteError as error:
            print(f"error: {error}", file=sys.stderr)
            return 66
        for section in SECTIONS.values():
            section.check(site, report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
