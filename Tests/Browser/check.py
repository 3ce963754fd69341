"""Looks at the sample site in a real browser, with every theme: `check.py [--theme NAME]… BINARY`, started by `run`, which
brings what this needs. `--try` breaks the site instead, to see that the checks notice; `--weight` prints the page-weight table."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import breakages
from browserchecks import sites, weight
from browserchecks.pages import REQUIRED, SitePage, pages_to_visit
from browserchecks.report import Report
from browserchecks.sections import CLAIMS, check_page, pool, skip_absent
from browserchecks.server import serving

KINDS = "pages: every kind of page is there"


def check_themes(binary: Path, themes: list[str]) -> int:
    shutil.rmtree(sites.WORK, ignore_errors=True)
    started = time.monotonic()
    weighed = sites.build_weighed(binary, themes)
    folders = {theme: sites.build_sample(binary, theme) for theme in themes}
    found = {theme: pages_to_visit(folder) for theme, folder in folders.items()}
    reports = {theme: check_site(theme, found[theme], weighed[theme]) for theme in themes}
    jobs = []
    with ExitStack() as servers, pool() as workers:
        for theme in themes:
            home = servers.enter_context(serving(folders[theme]))
            # The heaviest first, so that no worker is left with one at the end.
            pages = sorted(found[theme], key=lambda page: -page.file.stat().st_size)
            jobs += [(theme, folders[theme], home, page) for page in pages]
        left = {theme: len(found[theme]) for theme in themes}
        for theme, part in workers.imap_unordered(check_page, jobs):
            reports[theme].add(part)
            left[theme] -= 1
            if not left[theme]:
                reports[theme].require(CLAIMS)
                print(f"{theme}: {len(found[theme])} pages")
                reports[theme].show((KINDS, *CLAIMS))
    failed = sum(len(report.failures) for report in reports.values())
    passed = sum(len(report.claims) for report in reports.values()) - failed
    checks = sum(report.seen for report in reports.values())
    pages = sum(map(len, found.values()))
    pictures = len(list((sites.WORK / "pictures").rglob("*.jpg")))
    print(f"{pictures} pictures in {sites.WORK.relative_to(sites.ROOT)}/pictures, {time.monotonic() - started:.0f} seconds")
    result = "all passed" if not failed else f"{failed} claims failed"
    print(f"{pages} pages, {len(themes)} {'theme' if len(themes) == 1 else 'themes'}, {checks} checks: {result}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def check_site(theme: str, found: list[SitePage], weighed: Path) -> Report:
    """What a site is asked without a browser."""
    report = Report()
    kinds = {page.kind for page in found}
    for kind in REQUIRED:
        report.expect(KINDS, kind in kinds, f"{theme}/{kind}")
    weight.check(weighed, theme, report)
    skip_absent(kinds, report)
    return report


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="Tests/Browser/run")
    parser.add_argument("binary", type=Path, help="threadsite, built")
    parser.add_argument("--theme", action="append", help="only this theme; may be given again")
    parser.add_argument("--try", dest="breaks", action="store_true", help="break the site, to see that the checks notice")
    parser.add_argument("--weight", action="store_true", help="print the page-weight table of docs/weight.md")
    options = parser.parse_args(arguments)
    themes = options.theme or sites.themes()
    binary = options.binary.resolve()
    if options.weight:
        print(weight.table(sites.build_weighed(binary, themes)))
        return 0
    if options.breaks:
        return breakages.try_all(binary, themes[0] if options.theme else "paper")
    return check_themes(binary, themes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
