"""Looks at the sample site in a real browser, with every theme: `check.py [--theme NAME]… BINARY`, started by `run`, which
brings what this needs. `--try` breaks the site instead, to see that the checks notice; `--weight` prints the page-weight table."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import time
from pathlib import Path

import breakages
from browserchecks import sites, weight
from browserchecks.pages import REQUIRED, pages_to_visit
from browserchecks.report import Report
from browserchecks.sections import CLAIMS, check_pages, skip_absent
from browserchecks.server import serving

KINDS = "pages: every kind of page is there"
# Pages that one worker takes at a time.
CHUNK = 4


def check_themes(binary: Path, themes: list[str]) -> int:
    shutil.rmtree(sites.WORK, ignore_errors=True)
    started = time.monotonic()
    weighed = sites.build_weighed(binary, themes)
    pages = checks = passed = failed = 0
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(os.cpu_count() or 1, 4)) as workers:
        for theme in themes:
            folder = sites.build_sample(binary, theme)
            found = pages_to_visit(folder)
            report = Report()
            kinds = {page.kind for page in found}
            for kind in REQUIRED:
                report.expect(KINDS, kind in kinds, f"{theme}/{kind}")
            weight.check(weighed[theme], theme, report)
            skip_absent(kinds, report)
            # The heaviest first, so that no worker is left with one at the end.
            found.sort(key=lambda page: -page.file.stat().st_size)
            chunks = len(found) // CHUNK + 1
            with serving(folder) as home:
                jobs = [(theme, folder, home, found[start::chunks]) for start in range(chunks)]
                for part in workers.imap_unordered(check_pages, jobs):
                    report.add(part)
            report.require(CLAIMS)
            print(f"{theme}: {len(found)} pages")
            report.show((KINDS, *CLAIMS))
            pages += len(found)
            checks += report.seen
            failed += len(report.failures)
            passed += len(report.claims) - len(report.failures)
    pictures = len(list((sites.WORK / "pictures").rglob("*.jpg")))
    print(f"{pictures} pictures in {sites.WORK.relative_to(sites.ROOT)}/pictures, {time.monotonic() - started:.0f} seconds")
    result = "all passed" if not failed else f"{failed} claims failed"
    print(f"{pages} pages, {len(themes)} {'theme' if len(themes) == 1 else 'themes'}, {checks} checks: {result}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


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
