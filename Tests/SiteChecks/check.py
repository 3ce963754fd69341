"""Checks built sites and books: `check.py (SITE_FOLDER | BOOK.epub)…`, started by `run`, which installs the requirements.

Every section checks one aspect of a site and prints each of its claims once, with the number of checked things and the places where the
claim does not hold. A claim without checked things also fails, because otherwise a check that finds nothing to check would always pass.
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
