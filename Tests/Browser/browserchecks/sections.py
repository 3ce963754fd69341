"""All sections, in the order in which a page goes through them."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

from . import accessibility, keyboard, layout, loading, printing, searching, weight, without_script
from .pages import SitePage
from .report import Report
from .visit import launch, visiting

SECTIONS = {
    "loading": loading, "accessibility": accessibility, "layout": layout, "keyboard": keyboard,
    "without script": without_script, "print": printing, "search": searching,
}
CLAIMS = tuple(claim for section in (*SECTIONS.values(), weight) for claim in section.CLAIMS)
BROKE = "the browser came to the end of every check"

Job = tuple[str, Path, str, list[SitePage]]


def skip_absent(kinds: set[str], report: Report) -> None:
    """What this site has no page for is said, and not passed over."""
    if "search" not in kinds:
        for claim in (*searching.CLAIMS, without_script.HONEST):
            report.skip(claim, without_script.ABSENT)


def check_pages(job: Job, sections: list[str] | None = None) -> Report:
    """Looks at some pages in a browser of its own; at all sections, if none are named."""
    theme, folder, home, pages = job
    report = Report()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for page in pages:
            check_page(browser, page, home, folder, theme, sections or list(SECTIONS), report)
        browser.close()
    return report


def check_page(
    browser: Browser, page: SitePage, home: str, folder: Path, theme: str, sections: list[str], report: Report
) -> None:
    where = f"{theme}/{page.name}"
    try:
        with visiting(browser, page, home, folder, theme) as visit:
            for name in sections:
                where = f"{theme}/{page.name}, {name}"
                if name != "search" or page.kind == "search":
                    SECTIONS[name].check(visit, report)
        report.expect(BROKE, True, where)
    except Error as error:
        # A page on which the browser gives up is a fault of the page, and the others are still to be looked at.
        report.expect(BROKE, False, where, str(error).splitlines()[0][:300])
