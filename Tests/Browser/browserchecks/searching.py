"""Uses the search page: typing, results, following links, going back. Reported as skipped if a site has none."""

from __future__ import annotations

import re
from urllib.parse import unquote, urldefrag, urlsplit

from playwright.sync_api import Error

from . import accessibility, layout
from .pages import kind_of
from .report import Report
from .visit import DESKTOP, PHONE, Visit

IDLE = "search: no part of the index is fetched before a search"
ANSWER = "search: a query has results, with the expected thread first"
ADDRESS = "search: the URL contains the query and restores the results"
RESULT = "search: a result links to the post within the thread"
KEYS = "search: results can be reached and followed with the keyboard"
EXCERPT = "search: results show the post's own words without Markdown syntax"
NOTHING = "search: a query without results is reported, and HTML in a query is shown as text"
STATUS = "search: the number of results is announced to screen readers"
MARKS = "search: matches are marked in titles and texts"
MISTAKE = "search: a typing error is corrected, and the page states the correction"
WITHOUT = "search: excluded words are not in the results"
RESULTS_AXE = "search: with results, the page passes the checks of axe-core, 320 pixels, console and policy"
CLAIMS = (IDLE, ANSWER, ADDRESS, RESULT, EXCERPT, KEYS, NOTHING, STATUS, MARKS, MISTAKE, WITHOUT, RESULTS_AXE)

# A query, and a word in the URL of the thread that should be first.
QUERIES = [("whale", "whale"), ("leap second", "real-time-of-day"), ("alphabet lies", "alphabet"), ("出汁", "出汁"), ("floating", "programming-language")]
# A query, and the text in the first result: next to a gap, in a poll, in a card, in a quote.
EXCERPTS = [("outages from all three", "I know of outages from all three."), ("cake was good", "The cake was good."), ("cache invalidation", "Cache invalidation"), ("burglar alarm", "the burglar alarm")]
# Markdown syntax, and words that pages add around posts.
SIGNS = r"[*\\]|\]\(|<!--|¶|A post is missing|Where it was|votes|Link to this post|\bAuthor ·"
REGIONS = "main [aria-live], main [role=status], main output"
# Whether the outcome was announced since; a repeated announcement counts.
WATCH_STATUS = f"""
() => {{
  window.toldLast = false;
  window.telling?.disconnect();
  window.telling = new MutationObserver(() => toldLast = true);
  for (const region of document.querySelectorAll('{REGIONS}'))
    telling.observe(region, {{ childList: true, characterData: true, subtree: true }});
}}
"""
FIELD = "main input[type=search], main input[type=text], main input:not([type])"


def results(visit: Visit) -> list[str]:
    """URLs of the links in main that lead to threads of the site."""
    return [address for address in visit.page.locator("main a[href]").evaluate_all("links => links.filter(link => link.checkVisibility()).map(link => link.href)") if is_thread(visit, address)]


def is_thread(visit: Visit, address: str) -> bool:
    if not address.startswith(visit.home):
        return False
    file = visit.folder / unquote(urlsplit(address).path).lstrip("/") / "index.html"
    return file.is_file() and kind_of(visit.folder, file) == "thread"


def wait_for_answer(visit: Visit, slug: str) -> list[str]:
    """The results, as soon as the expected one is first or the time limit ends."""
    visit.wait_until(lambda: slug in unquote(next(iter(results(visit)), "")))
    return results(visit)


def ask(visit: Visit, query: str) -> None:
    """Types, and waits until the outcome is announced to screen readers."""
    visit.page.evaluate(WATCH_STATUS)
    visit.page.locator(FIELD).first.fill(query)
    visit.wait_until(lambda: visit.page.evaluate("toldLast"))


def check(visit: Visit, report: Report) -> None:
    page = visit.page
    visit.open()
    before = [url for url in visit.traffic.requests if re.search(r"\.(json|bin|dat|idx|wasm|txt)(\?|$)", url)]
    report.expect_none(IDLE, before, visit)
    field = page.locator(FIELD).first
    if not report.expect(ANSWER, field.count() == 1 and field.is_visible(), visit, "no field"):
        return
    for query, slug in QUERIES:
        field.fill("")
        field.press_sequentially(query)
        found = wait_for_answer(visit, slug)
        report.expect(ANSWER, found and slug in unquote(found[0]), f"{visit} {query!r}", f"{found[:2]}")
    check_excerpts(visit, report)
    check_words(visit, report)
    check_address(visit, report)
    check_results_page(visit, report)
    check_nothing(visit, report)
    check_keys(visit, report)


def check_excerpts(visit: Visit, report: Report) -> None:
    page = visit.page
    for query, words in EXCERPTS:
        page.locator(FIELD).first.fill(query)
        shown = page.locator("main .p-summary", has_text=words).first
        try:
            shown.wait_for()
        except Error:
            report.expect(EXCERPT, False, f"{visit} {query!r}", f"{page.locator('main .p-summary').all_inner_texts()[:1]}")
            continue
        report.expect_none(EXCERPT, [text for text in page.locator("main .p-summary").all_inner_texts() if re.search(SIGNS, text)], f"{visit} {query!r}")


def check_words(visit: Visit, report: Report) -> None:
    page, slug = visit.page, QUERIES[2][1]
    ask(visit, QUERIES[2][0])
    title = wait_for_answer(visit, slug) and page.locator("main .p-name").first
    marks = title.locator("mark").all_inner_texts() if title else []
    report.expect(MARKS, [mark.lower() for mark in marks] == QUERIES[2][0].split(), visit, f"{marks}")
    report.expect(MARKS, visit.wait_until(lambda: page.locator("main .p-summary mark").count() > 0), visit, "no mark in a text")
    ask(visit, "wahle")
    slug = QUERIES[0][1]
    report.expect(MISTAKE, slug in unquote(next(iter(wait_for_answer(visit, slug)), "")), visit, f"{results(visit)[:1]}")
    said = page.locator("main [role=status]").inner_text()
    report.expect(MISTAKE, "wahle" in said and "whale" in said, visit, said)
    ask(visit, "leap")
    found = wait_for_answer(visit, "real-time-of-day")
    ask(visit, "leap -second")
    report.expect(WITHOUT, any("real-time-of-day" in unquote(address) for address in found), visit, f"{found}")
    report.expect(WITHOUT, visit.wait_until(lambda: not any("real-time-of-day" in unquote(address) for address in results(visit))), visit, f"{results(visit)}")


def check_address(visit: Visit, report: Report) -> None:
    page, query, slug = visit.page, *QUERIES[1]
    field = page.locator(FIELD).first
    field.fill(query)
    wait_for_answer(visit, slug)
    # A page may wait until typing has ended.
    report.expect(ADDRESS, visit.wait_until(lambda: set(query.split()) <= set(words_of_address(page.url))), visit, page.url)
    page.reload()
    report.expect(ADDRESS, any(slug in unquote(address) for address in wait_for_answer(visit, slug)), visit, "no answer after loading again")
    report.expect(ADDRESS, page.locator(FIELD).first.input_value() == query, visit, "the field is empty after loading again")


def words_of_address(address: str) -> list[str]:
    return re.split(r"[\s+]+", unquote(urlsplit(address).query + " " + urlsplit(address).fragment).replace("=", " "))


def check_results_page(visit: Visit, report: Report) -> None:
    """A page with results must have the properties of every page."""
    found = Report()
    for size in (PHONE, DESKTOP):
        for scheme in ("light", "dark"):
            visit.show(**size, scheme=scheme)
            accessibility.run_axe(visit, found, f"{size['width']} {scheme}")
    visit.show(320, scheme="light")
    found.expect_none(layout.WIDTHS, visit.page.evaluate(layout.OVERFLOW), visit)
    visit.show(**PHONE)
    faults = [fault for claim in found.claims.values() for fault in claim.faults]
    report.expect_none(RESULTS_AXE, [*faults, *visit.violations, *visit.traffic.messages, *visit.traffic.failures], visit)
    # Results that are not shown are not announced.
    regions = visit.page.locator(REGIONS).all()
    live = [region.inner_text() for region in regions if region.is_visible()]
    # Some languages write one and two as words.
    number = r"\d" if page_language(visit) == "en" else r"\S"
    report.expect(STATUS, any(re.search(number, text) for text in live), visit, f"{live}")


def page_language(visit: Visit) -> str:
    return visit.page.evaluate("document.documentElement.lang")


def check_nothing(visit: Visit, report: Report) -> None:
    for query in ("zzxqj", "<img src=x onerror=alert(1)>", '"', "from:", "\\"):
        ask(visit, query)
        report.expect(NOTHING, visit.page.locator("main img[src=x]").count() == 0, visit, query)
        report.expect(NOTHING, not visit.traffic.messages, f"{visit} {query!r}", f"{visit.traffic.messages}")
    ask(visit, "zzxqj")
    report.expect(NOTHING, not results(visit), visit, "results for what is nowhere")


def check_keys(visit: Visit, report: Report) -> None:
    page, query, slug = visit.page, *QUERIES[0]
    field = page.locator(FIELD).first
    field.focus()
    field.fill("")
    page.keyboard.type(query)
    wait_for_answer(visit, slug)
    address = ""
    for _ in range(8):
        page.keyboard.press("Tab")
        address = page.evaluate("document.activeElement?.href ?? ''")
        if is_thread(visit, address):
            break
    if not report.expect(KEYS, is_thread(visit, address), visit, f"after eight Tabs: {address!r}"):
        return
    # The post number comes with the text around the words.
    visit.wait_until(lambda: "#" in page.evaluate("document.activeElement.href"))
    address = page.evaluate("document.activeElement.href")
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press("Enter")
    report.expect(KEYS, urldefrag(page.url).url == urldefrag(address).url, visit, page.url)
    report.expect(RESULT, "#" in page.url and page.locator(":target").count() == 1, visit, f"{page.url} names no post")
    seen = "() => { const box = document.querySelector(':target')?.getBoundingClientRect(); return !!box && box.top < innerHeight && box.bottom > 0 }"
    report.expect(RESULT, visit.wait_until(lambda: page.evaluate(seen)), visit, "the post is not in the window")
    page.go_back(wait_until="load")
    report.expect(ADDRESS, any(slug in unquote(found) for found in wait_for_answer(visit, slug)), visit, "no answer after going back")
