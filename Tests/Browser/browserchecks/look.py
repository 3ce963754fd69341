"""The reader's settings (color scheme and text size) and the button that copies a thread's URL. Pages also work without this script."""

from __future__ import annotations

from dataclasses import replace

from . import accessibility
from .pages import pages_to_visit
from .report import Report
from .visit import PATIENCE, PHONE, Visit

CHOSEN = "look: a color scheme and a text size are selected with the keyboard, exposed as pressed, and kept after reloading and on other pages"
FIRST = "look: the selection applies before the first paint"
OPENED = "look: the menu fits windows of 320 to 1440 pixels, closes with Escape and with a click beside it, and has targets of 24 pixels"
COPIED = "look: a thread's URL is copied with a confirmation"
CLAIMS = (CHOSEN, FIRST, OPENED, COPIED)
# Kinds of pages with different headers; all threads have the same header.
LOOKED_AT = ("home", "archive", "search", "statistics")

# Nothing can have been painted when the body begins.
WATCH = """
new MutationObserver((_, observer) => {
  if (!document.body) return;
  observer.disconnect();
  const style = getComputedStyle(document.documentElement);
  window.first = `${style.colorScheme} ${style.fontSize}`;
}).observe(document, { childList: true, subtree: true });
"""
NOW = """() => {
  const style = getComputedStyle(document.documentElement);
  const pressed = [...document.querySelectorAll('.look [aria-pressed=true]')].map(button => button.value).join(' ');
  return `${style.colorScheme} ${style.fontSize} ${pressed}`;
}"""
GROUND = "getComputedStyle(document.body).backgroundColor"
BOX = """() => {
  const box = document.querySelector('.look > div').getBoundingClientRect();
  const small = [...document.querySelectorAll('.look summary, .look button')].map(one => one.getBoundingClientRect())
    .filter(one => one.width < 24 || one.height < 24).map(one => `${one.width} by ${one.height}`);
  return [...small, ...(box.left < 0 || box.right > document.documentElement.clientWidth ? [`from ${box.left} to ${box.right}`] : [])];
}"""
COLORS = "() => [...document.querySelectorAll('[name=theme-color]')].filter(meta => matchMedia(meta.media || 'all').matches).map(meta => meta.content)"


def check(visit: Visit, report: Report) -> None:
    kind = visit.site_page.kind
    first_thread = next(page for page in pages_to_visit(visit.folder) if page.kind == "thread")
    if kind not in LOOKED_AT and visit.site_page != first_thread:
        return
    context = visit.browser.new_context(viewport=PHONE, color_scheme="light", locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    try:
        page = context.new_page()
        page.goto(visit.url, wait_until="load")
        own = replace(visit, context=context, page=page)
        if page.locator(".look summary").is_visible():
            choose(own, report)
        else:
            report.expect(CHOSEN, False, visit, "there is nothing to press")
        if kind == "thread":
            copy(own, report)
    finally:
        context.close()


def choose(visit: Visit, report: Report) -> None:
    page = visit.page
    usual = page.evaluate(GROUND)
    summary = page.locator(".look summary")
    for width in (320, 390, 820, 1440):
        visit.show(width)
        summary.click()
        report.expect_none(OPENED, page.evaluate(BOX), f"{visit} at {width}")
        page.mouse.click(5, 880)
        report.expect(OPENED, not page.locator(".look[open]").count(), visit, "a press beside it leaves it open")
    visit.show(**PHONE)
    summary.focus()
    page.keyboard.press("Enter")
    press(visit, "Dark")
    press(visit, "Large")
    expected = "dark 18.72px dark 117"
    report.expect(CHOSEN, page.evaluate(NOW) == expected, visit, f"{page.evaluate(NOW)} when pressed")
    report.expect(CHOSEN, page.evaluate(GROUND) != usual, visit, "the ground is as it was")
    report.expect(CHOSEN, len(page.evaluate(COLORS)) == 1 and page.evaluate(COLORS) != page.evaluate("() => [document.querySelector('[name=theme-color]').content]"), visit, f"theme-color is {page.evaluate(COLORS)}")
    accessibility.run_axe(visit, report, "a dark scheme that was chosen, opened")
    page.keyboard.press("Escape")
    closed = not page.locator(".look[open]").count() and summary.evaluate("element => element === document.activeElement")
    report.expect(OPENED, closed, visit, "Escape does not close it, or the focus is elsewhere")
    other = visit.home + ("" if visit.site_page.kind != "home" else "archive/")
    for address in (visit.url, other):
        page.goto(address, wait_until="load")
        report.expect(CHOSEN, page.evaluate(NOW) == expected, visit, f"{page.evaluate(NOW)} on {address}")
        report.expect(FIRST, page.evaluate("window.first") == "dark 18.72px", visit, f"{page.evaluate('window.first')} at first")
    # A reader with a dark system selects light.
    page.emulate_media(color_scheme="dark")
    page.locator(".look summary").click()
    press(visit, "Light")
    report.expect(CHOSEN, page.evaluate(GROUND) == usual, visit, "light is not as it was")
    accessibility.run_axe(visit, report, "a light scheme that was chosen, opened")
    page.goto(other, wait_until="load")
    report.expect(FIRST, (page.evaluate("window.first") or "").startswith("light "), visit, f"{page.evaluate('window.first')} at first")
    page.locator(".look summary").click()
    press(visit, "Automatic")
    report.expect(CHOSEN, page.evaluate(GROUND) != usual, visit, "what the system has is not as it was")


def press(visit: Visit, name: str) -> None:
    """Uses the keyboard. The labels are in the site's language, so the button is found by its position."""
    order = ("Automatic", "Light", "Dark", "Small", "Normal", "Large", "Larger")
    button = visit.page.locator(".look button").nth(order.index(name))
    button.focus()
    visit.page.keyboard.press("Enter")


def copy(visit: Visit, report: Report) -> None:
    page = visit.page
    page.goto(visit.url, wait_until="load")
    button = page.locator("button[name=copy]")
    if not button.is_visible():
        report.expect(COPIED, False, visit, "there is nothing to press")
        return
    button.focus()
    page.keyboard.press("Enter")
    said = visit.wait_until(lambda: page.locator(".links [role=status]").inner_text().strip())
    report.expect(COPIED, said, visit, "nothing is said")
    address = page.evaluate("() => navigator.clipboard.readText()")
    report.expect(COPIED, address == page.evaluate("() => document.querySelector('[rel=canonical]').href"), visit, f"copied: {address}")
    report.expect(COPIED, page.locator("button[name=share]").is_visible() == page.evaluate("() => 'share' in navigator"), visit, "sharing is offered where there is none")
