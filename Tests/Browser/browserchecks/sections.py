"""All sections in order, in a browser that a process keeps."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from contextlib import contextmanager
from multiprocessing.util import Finalize
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from . import accessibility, keyboard, layout, loading, look, printing, recovering, searching, wandering, weight, without_script
from .pages import SitePage
from .report import Report
from .visit import launch, visiting

SECTIONS = {
    "loading": loading, "accessibility": accessibility, "layout": layout, "print": printing,
    "without script": without_script, "search": searching, "recovery": recovering, "wander": wandering, "look": look,
    # The last one, because it leaves the page.
    "keyboard": keyboard,
}
CLAIMS = tuple(claim for section in (*SECTIONS.values(), weight) for claim in section.CLAIMS)
BROKE = "the browser completed every check"

Job = tuple[str, Path, str, SitePage]

started: tuple[Playwright, Browser] | None = None


def browser() -> Browser:
    """The browser of this process: launched when it is first needed or after a crash, and closed when the process ends."""
    global started
    if started is None or not started[1].is_connected():
        playwright = started[0] if started else sync_playwright().start()
        started = (playwright, launch(playwright))
    return started[1]


def stop() -> None:
    if started:
        started[1].close()
        started[0].stop()


@contextmanager
def pool(prepare: Callable[[], None] | None = None):
    """Workers with a browser each; `prepare` is called first in each of them."""
    # A fork would copy threads of the servers.
    workers = multiprocessing.get_context("spawn").Pool(min(os.cpu_count() or 1, 4), prepare or prepare_worker)
    try:
        yield workers
    except BaseException:
        workers.terminate()
        raise
    # Ends the workers, which end their browsers.
    workers.close()
    workers.join()


def prepare_worker() -> None:
    """Processes of a pool do not run `atexit`."""
    Finalize(None, stop, exitpriority=10)


def skip_absent(kinds: set[str], report: Report) -> None:
    """Claims without a page on this site are reported as skipped."""
    if "search" not in kinds:
        for claim in (*searching.CLAIMS, *recovering.CLAIMS, without_script.HONEST):
            report.skip(claim, without_script.ABSENT)


def skip_rare(report: Report) -> None:
    """Skips the claims for which none of a few pages has anything to check. Among all pages, some have."""
    for claim in (loading.PARTS, printing.LINKS, keyboard.LARGE, keyboard.FOLDED, look.FACE, look.KEYS, look.RESUMED, look.QUOTED, look.COPY, look.PICTURES):
        if claim not in report.claims:
            report.skip(claim, "none of the checked pages has any")


def check_page(job: Job, sections: list[str] | None = None) -> tuple[str, Report]:
    """Takes a page through the given sections, by default all. Returns the theme for callers with many."""
    theme, folder, home, page = job
    report = Report()
    where = f"{theme}/{page.name}"
    try:
        with visiting(browser(), page, home, folder, theme) as visit:
            for name in sections or SECTIONS:
                where = f"{theme}/{page.name}, {name}"
                if page.kind == {"search": "search", "recovery": "search", "wander": "home"}.get(name, page.kind):
                    SECTIONS[name].check(visit, report)
        report.expect(BROKE, True, where)
    except Error as error:
        # If the browser fails on a page, it is a fault of the page, and the others are still checked.
        report.expect(BROKE, False, where, str(error).splitlines()[0][:300])
    return theme, report
