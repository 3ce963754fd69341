"""Checks the sample site in a real browser, with every theme and in other languages: `check.py [--site NAME]… BINARY`, started by `run`,
which installs the requirements. `--quick` checks one page of each kind in one theme; `--try` breaks the site to test the checks;
`--weight` prints the page-weight table; `--sheets` takes the pictures of docs/images/themes."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import breakages
from browserchecks import firefox, hostile, payloads, preview, sheets, sites, webkit, weight
from browserchecks.pages import REQUIRED, SitePage, pages_to_visit
from browserchecks.report import Report
from browserchecks.sections import CLAIMS, check_page, pool, skip_absent, skip_rare
from browserchecks.server import serving

KINDS = "pages: every kind of page exists"


def check_sites(binary: Path, names: list[str], others: list[str], one_of_each: bool = False) -> int:
    """Checks every page of the sites, or with `one_of_each` one page per kind, and the modules in `others`."""
    shutil.rmtree(sites.WORK, ignore_errors=True)
    started = time.monotonic()
    weighed = sites.build_weighed(binary, names)
    folders = {site: sites.build_sample(binary, site) for site in names}
    # For a site in another language, two threads are as good as all.
    most = {site: 1 if one_of_each else 2 if site in sites.TRANSLATED else 100 for site in names}
    found = {site: pages_to_visit(folder, most[site]) for site, folder in folders.items()}
    reports = {site: check_site(site, found[site], weighed[site]) for site in names}
    jobs = []
    with ExitStack() as servers, pool() as workers:
        for site in names:
            home = servers.enter_context(serving(folders[site]))
            # The largest pages first, so that no worker has a large one at the end.
            pages = sorted(found[site], key=lambda page: -page.file.stat().st_size)
            jobs += [(site, folders[site], home, page) for page in pages]
        left = {site: len(found[site]) for site in names}
        for site, part in workers.imap_unordered(check_page, jobs):
            reports[site].add(part)
            left[site] -= 1
            if not left[site]:
                if one_of_each or site in sites.TRANSLATED:
                    skip_rare(reports[site])
                reports[site].require(CLAIMS)
                print(f"{site}: {len(found[site])} pages")
                reports[site].show((KINDS, *CLAIMS))
    # After the others, because one of them depends on time.
    for module in (firefox, webkit, preview, payloads, hostile):
        if module.SITE in others:
            reports[module.SITE] = module.check(binary)
            reports[module.SITE].show(module.CLAIMS)
    failed = sum(len(report.failures) for report in reports.values())
    passed = sum(len(report.claims) for report in reports.values()) - failed
    checks = sum(report.seen for report in reports.values())
    pages = sum(map(len, found.values()))
    pictures = len(list((sites.WORK / "pictures").rglob("*.[jp][pn]g")))
    print(f"{pictures} pictures in {sites.WORK.relative_to(sites.ROOT)}/pictures, {time.monotonic() - started:.0f} seconds")
    result = "all passed" if not failed else f"{failed} claims failed"
    themes = len({sites.settings(site)["theme"] for site in names})
    languages = len({sites.settings(site).get("language", "en") for site in names})
    print(f"{pages} pages, {themes} themes, {languages} languages, {checks} checks: {result}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def check_site(site: str, found: list[SitePage], weighed: Path) -> Report:
    """Claims about a site that need no browser."""
    report = Report()
    kinds = {page.kind for page in found}
    for kind in REQUIRED:
        report.expect(KINDS, kind in kinds, f"{site}/{kind}")
    weight.check(weighed, site, report)
    skip_absent(kinds, report)
    return report


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="Tests/Browser/run")
    parser.add_argument("binary", type=Path, help="threadsite, built")
    parser.add_argument("--site", action="append", help="only this one, such as paper, paper-ar, firefox, webkit, preview, payloads or hostile; may be given again")
    parser.add_argument("--try", dest="breaks", action="store_true", help="break the site, to see that the checks notice")
    parser.add_argument("--weight", action="store_true", help="print the page-weight table of docs/explanation/weight.md")
    parser.add_argument("--sheets", action="store_true", help="take the pictures of docs/images/themes, of all themes or those of --site")
    parser.add_argument("--quick", action="store_true", help="one page of each kind, in one theme, in Chromium alone")
    options = parser.parse_args(arguments)
    own = [firefox.SITE, webkit.SITE, preview.SITE, payloads.SITE, hostile.SITE]
    names = [name for name in options.site or sites.names() if name not in own]
    binary = options.binary.resolve()
    if options.weight:
        print(weight.table(sites.build_weighed(binary, options.site or sites.themes())))
        return 0
    if options.sheets:
        for file in sheets.make(binary, options.site or sites.themes()):
            print(f"{file.relative_to(sites.ROOT)}: {file.stat().st_size:,} bytes")
        return 0
    if options.breaks:
        return breakages.try_all(binary, names[0] if options.site and names else "paper")
    if options.quick:
        return check_sites(binary, names[:1] if options.site else ["paper"], others=[], one_of_each=True)
    return check_sites(binary, names, others=options.site or own)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
