"""Uses "On this day" and "A random thread" on the home page. Only in Chromium, whose clock and time zone can be set."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace

from .report import Report
from .visit import PATIENCE, Visit, load

DAY = "wander: the threads of this day are those with this date on the site, in every time zone of readers, and only those of other years"
RANDOM = "wander: a random thread is a thread of the site"
CLAIMS = (DAY, RANDOM)

# A date of a list: in UTC, the time zone of the sample site.
PUBLISHED = re.compile(r'class="u-url" href="([^"]*)".*?class="dt-published" datetime="(\d{4})-(\d\d)-(\d\d)T(\d\d):', re.DOTALL)
# The first and the last time zone: with one of them, most times are on another day.
EAST, WEST = "Pacific/Kiritimati", "Pacific/Pago_Pago"
FOUND = "() => [...document.querySelectorAll('#wander ul a')].map(link => new URL(link.href).pathname)"


def dates(visit: Visit) -> list[tuple[str, datetime.datetime]]:
    """The path of each thread in the lists of months, and when it began."""
    found = []
    for file in sorted(visit.folder.glob("[0-9][0-9][0-9][0-9]/[0-9][0-9]/index.html")):
        for entry in file.read_text("utf-8").split('class="h-entry')[1:]:
            if published := PUBLISHED.search(entry):
                path, *numbers = published.groups()
                found.append((path.removeprefix("../../"), datetime.datetime(*map(int, numbers))))
    return found


def check(visit: Visit, report: Report) -> None:
    if 'id="wander"' not in visit.site_page.file.read_text("utf-8"):
        for claim in CLAIMS:
            report.skip(claim, "the theme has none")
        return
    wander(visit, report)
    found = dates(visit)
    late = next(((path, date) for path, date in found if date.hour >= 10), None)
    early = next(((path, date) for path, date in found if date.hour < 11), None)
    for zone, entry in ((EAST, late), (WEST, early)):
        if not report.expect(DAY, entry, visit, f"no thread has another date in {zone}"):
            continue
        path, date = entry
        same = {other for other, day in found if (day.month, day.day) == (date.month, date.day)}
        for year in (date.year + 1, date.year):
            expected = {other for other, day in found if other in same and day.year != year}
            paths = of_day(visit, zone, date.replace(year=year))
            report.expect(DAY, paths == expected, visit, f"{zone}, {date:%d %B} {year}: {sorted(paths)} instead of {sorted(expected)}")


def of_day(visit: Visit, zone: str, date: datetime.datetime) -> set[str]:
    """The threads that the page shows to a reader at noon of a day."""
    context = visit.browser.new_context(locale="en-GB", timezone_id=zone)
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.clock.set_fixed_time(f"{date:%Y-%m-%d}T12:00:00{'+14:00' if zone == EAST else '-11:00'}")
        load(page, visit.url)
        button = page.locator("#wander [data-day]")
        if not button.is_visible():
            return {"there is nothing to press"}
        button.click()
        own = replace(visit, context=context, page=page)
        own.wait_until(lambda: page.evaluate(FOUND) or page.locator("#wander [role=status]").inner_text().strip())
        base = re.sub(r"[^/]*$", "", re.sub(r"^https?://[^/]*", "", visit.url))
        return {path.removeprefix(base) for path in page.evaluate(FOUND)}
    finally:
        context.close()


def wander(visit: Visit, report: Report) -> None:
    context = visit.browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        load(page, visit.url)
        button = page.locator("#wander [data-random]")
        if report.expect(RANDOM, button.is_visible(), visit, "there is nothing to press"):
            button.click()
            is_there = replace(visit, context=context, page=page).wait_until(lambda: page.url != visit.url and page.locator("article.thread").count())
            report.expect(RANDOM, is_there, visit, f"it leads to {page.url}")
    finally:
        context.close()
