"""Uses the search page while the site is published again, and while the network fails. Only in Chromium, in which requests can be replaced."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route

from . import searching
from .report import Report
from .visit import PATIENCE, Visit

RECOVERS = "recovery: after the site was published again, the next search reads the new index"
MORE = "recovery: a failure to show more results is reported"
CLAIMS = (RECOVERS, MORE)

RESULTS = "() => document.querySelectorAll('.results > li').length"
STATUS = "() => document.querySelector('main [role=status]').textContent"
FAILED = "() => document.querySelector('main [role=status]').dataset.failed"
# A beginning of words that more threads have than the page shows at once.
COMMON = "th"


def check(visit: Visit, report: Report) -> None:
    for section in (publish_again, lose_network):
        context = visit.browser.new_context(locale="en-GB")
        context.set_default_timeout(PATIENCE)
        try:
            section(replace(visit, context=context, page=context.new_page()), report)
        finally:
            context.close()


def type_query(page: Page, query: str) -> None:
    page.locator(searching.FIELD).first.fill(query)


def publish_again(visit: Visit, report: Report) -> None:
    """The first index names files that are gone."""
    page = visit.page
    index = json.loads((visit.folder / "search" / "index.json").read_text("utf-8"))
    old = {**index, "files": [f"x{name}" for name in index["files"]]}
    read = []

    def answer(route: Route) -> None:
        read.append(route.request.url)
        if len(read) == 1:
            route.fulfill(json=old)
        else:
            route.continue_()

    page.route("**/search/index.json", answer)
    page.goto(visit.url, wait_until="load")
    type_query(page, searching.QUERIES[0][0])
    is_said = visit.wait_until(lambda: page.evaluate(STATUS) == page.evaluate(FAILED))
    report.expect(RECOVERS, is_said and not page.evaluate(RESULTS), visit, f"missing files of the index: {page.evaluate(STATUS)!r}")
    type_query(page, searching.QUERIES[1][0])
    report.expect(RECOVERS, visit.wait_until(lambda: page.evaluate(RESULTS) > 0), visit, f"{len(read)} times read: {page.evaluate(STATUS)!r}")


def records(search: Path) -> list[list[str]]:
    index = json.loads((search / "index.json").read_text("utf-8"))
    found: list[list[str]] = []
    for first in range(0, index["documents"], index["records"]):
        file = search / index["folders"][first // index["folder"]] / f"{first // index['records']}.json"
        found += json.loads(file.read_text("utf-8"))
    return found


def lose_network(visit: Visit, report: Report) -> None:
    """Each record is a file of its own, so that further results have to be fetched."""
    page = visit.page
    documents = records(visit.folder / "search")
    index = json.loads((visit.folder / "search" / "index.json").read_text("utf-8"))
    is_online = True

    def answer(route: Route) -> None:
        number = re.search(r"/(\d+)\.json$", urlsplit(route.request.url).path)
        if not is_online:
            route.abort()
        elif number:
            route.fulfill(json=[documents[int(number[1])]])
        else:
            route.fulfill(json={**index, "records": 1})

    page.route(re.compile(r"/search/.*\.json$"), answer)
    page.goto(visit.url, wait_until="load")
    type_query(page, COMMON)
    more = page.locator("button[data-more]")
    if not report.expect(MORE, visit.wait_until(more.is_visible), visit, f"{page.evaluate(RESULTS)} results for {COMMON}"):
        return
    is_online = False
    before = page.evaluate(RESULTS)
    more.click()
    report.expect(MORE, visit.wait_until(lambda: page.evaluate(STATUS) == page.evaluate(FAILED)), visit, f"{page.evaluate(STATUS)!r}")
    is_online = True
    more.click()
    report.expect(MORE, visit.wait_until(lambda: page.evaluate(RESULTS) > before), visit, "there are no more results when the network is back")
    report.expect(MORE, page.evaluate(STATUS) != page.evaluate(FAILED), visit, "the failure is still reported after it is over")
