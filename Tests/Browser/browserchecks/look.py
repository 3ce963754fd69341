"""The reader's settings (color scheme, text size, typeface, keys), the button that copies a thread's URL, and what the same script adds to
reading. Pages also work without this script."""

from __future__ import annotations

from dataclasses import replace

from . import accessibility
from .pages import pages_to_visit
from .report import Report
from .visit import PATIENCE, PHONE, Visit, load, wait_until_ready

CHOSEN = "look: a color scheme and a text size are selected with the keyboard, exposed as pressed, and kept after reloading and on other pages"
FIRST = "look: the selection applies before the first paint"
OPENED = "look: the menu fits windows of 320 to 1440 pixels, closes with Escape and with a click beside it, and has targets of 24 pixels"
COPIED = "look: a thread's URL is copied with a confirmation"
FACE = "look: a typeface is selected and kept"
KEYS = "look: keys lead to the next post, to search and to their list, and not while typing, with modifiers, or when switched off"
RESUMED = "look: a long thread offers to continue where the reader stopped"
QUOTED = "look: a copied passage ends with the URL of its place"
COPY = "look: a copied passage has only what the reader sees, and absolute URLs"
PICTURES = "look: keys and buttons lead from picture to picture, and the focus returns"
CLAIMS = (CHOSEN, FIRST, OPENED, COPIED, FACE, KEYS, RESUMED, QUOTED, COPY, PICTURES)
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
# Whether the page keeps an arrow key from scrolling.
PREVENTED = "() => !document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }))"
GROUND = "getComputedStyle(document.body).backgroundColor"
BOX = """() => {
  const box = document.querySelector('.look > div').getBoundingClientRect();
  const small = [...document.querySelectorAll('.look summary, .look button')].map(one => one.getBoundingClientRect())
    .filter(one => one.width < 24 || one.height < 24).map(one => `${one.width} by ${one.height}`);
  return [...small, ...(box.left < 0 || box.right > document.documentElement.clientWidth ? [`from ${box.left} to ${box.right}`] : [])];
}"""
# Selects all visible text of the thread, and returns the HTML that the page puts on the clipboard.
COPY_ALL = """() => {
  const walker = document.createTreeWalker(document.querySelector('.e-content'), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim() && walker.currentNode.parentElement.checkVisibility({ visibilityProperty: true })) texts.push(walker.currentNode);
  getSelection().setBaseAndExtent(texts[0], 0, texts.at(-1), texts.at(-1).length);
  const clipboardData = new DataTransfer();
  document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData.getData('text/html');
}"""
# What is wrong with copied HTML: hidden parts, controls, relative URLs, and texts that the page does not show.
COPY_FAULTS = """html => {
  const copy = new DOMParser().parseFromString(html, 'text/html');
  const shown = document.querySelector('.e-content').innerText.replace(/\\s+/g, '');
  const words = [...copy.querySelectorAll('p')].slice(0, -1).map(p => p.textContent.replace(/\\s+/g, ''));
  return [
    ...[...copy.querySelectorAll('button, input, [popover], [hidden]')].map(one => one.outerHTML.slice(0, 80)),
    ...[...copy.querySelectorAll('[href], [src], [poster], [srcset]')].flatMap(one => ['href', 'src', 'poster', 'srcset'].map(name => one.getAttribute(name))
      .filter(value => value && !/^(https?:|mailto:|data:)/.test(value))),
    ...words.filter(text => !shown.includes(text)).map(text => `not shown: ${text.slice(0, 60)}`),
    ...[...document.querySelectorAll('.sensitive:has(> label) :is(img, video)')].filter(one => one.src && copy.querySelector(`[src="${one.src}"]`)).map(one => one.src),
    ...copy.querySelector('.e-content .post-text, .post-text p, p') ? [] : ['there is no text'],
  ];
}"""
COLORS = "() => [...document.querySelectorAll('[name=theme-color]')].filter(meta => matchMedia(meta.media || 'all').matches).map(meta => meta.content)"


def check(visit: Visit, report: Report) -> None:
    kind = visit.site_page.kind
    first_thread = next(page for page in pages_to_visit(visit.folder) if page.kind == "thread")
    if visit.theme == "plain":
        report.skip(PICTURES, "the theme shows no pictures")
    text = visit.site_page.file.read_text("utf-8") if kind == "thread" else ""
    is_long, has_pictures = 'class="contents"' in text, text.count("popovertarget=") > 1
    is_folded = 'class="warning"' in text or 'class="sensitive"' in text
    if kind not in LOOKED_AT and visit.site_page != first_thread and not is_long and not has_pictures and not is_folded:
        return
    context = visit.browser.new_context(viewport=PHONE, color_scheme="light", locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    try:
        page = context.new_page()
        load(page, visit.url)
        own = replace(visit, context=context, page=page)
        if is_folded:
            report.expect_none(COPY, page.evaluate(COPY_FAULTS, page.evaluate(COPY_ALL)), visit)
        if is_long:
            read(own, report)
        if has_pictures:
            see(own, report)
        if kind not in LOOKED_AT and visit.site_page != first_thread:
            return
        # The checks above have changed what the device remembers.
        page.evaluate("() => localStorage.clear()")
        load(page, visit.url)
        if kind == "statistics":
            report.expect(KEYS, not page.evaluate(PREVENTED), visit, "an arrow key is prevented on a page without a newer and an older one")
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
    expected = "dark 18.72px dark 117 auto on"
    report.expect(CHOSEN, page.evaluate(NOW) == expected, visit, f"{page.evaluate(NOW)} when pressed")
    report.expect(CHOSEN, page.evaluate(GROUND) != usual, visit, "the ground is as it was")
    report.expect(CHOSEN, len(page.evaluate(COLORS)) == 1 and page.evaluate(COLORS) != page.evaluate("() => [document.querySelector('[name=theme-color]').content]"), visit, f"theme-color is {page.evaluate(COLORS)}")
    accessibility.run_axe(visit, report, "a dark scheme that was chosen, opened")
    page.keyboard.press("Escape")
    closed = not page.locator(".look[open]").count() and summary.evaluate("element => element === document.activeElement")
    report.expect(OPENED, closed, visit, "Escape does not close it, or the focus is elsewhere")
    other = visit.home + ("" if visit.site_page.kind != "home" else "archive/")
    for address in (visit.url, other):
        load(page, address)
        report.expect(CHOSEN, page.evaluate(NOW) == expected, visit, f"{page.evaluate(NOW)} on {address}")
        report.expect(FIRST, page.evaluate("window.first") == "dark 18.72px", visit, f"{page.evaluate('window.first')} at first")
    # A reader with a dark system selects light.
    page.emulate_media(color_scheme="dark")
    page.locator(".look summary").click()
    press(visit, "Light")
    report.expect(CHOSEN, page.evaluate(GROUND) == usual, visit, "light is not as it was")
    accessibility.run_axe(visit, report, "a light scheme that was chosen, opened")
    load(page, other)
    report.expect(FIRST, (page.evaluate("window.first") or "").startswith("light "), visit, f"{page.evaluate('window.first')} at first")
    page.locator(".look summary").click()
    press(visit, "Automatic")
    report.expect(CHOSEN, page.evaluate(GROUND) != usual, visit, "what the system has is not as it was")


def press(visit: Visit, name: str) -> None:
    """Uses the keyboard. The labels are in the site's language, so the button is found by its position."""
    order = ("Automatic", "Light", "Dark", "Small", "Normal", "Large", "Larger", "Any", "Serif", "Sans", "Keys", "No keys")
    button = visit.page.locator(".look button").nth(order.index(name))
    button.focus()
    visit.page.keyboard.press("Enter")


def copy(visit: Visit, report: Report) -> None:
    page = visit.page
    load(page, visit.url)
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


def read(visit: Visit, report: Report) -> None:
    """A long thread: the keys, the place where the reader stopped, a quote, and a typeface."""
    page = visit.page
    post = "document.activeElement.closest('.post')?.id"
    page.keyboard.press("Control+j")
    report.expect(KEYS, page.evaluate("scrollY") == 0, visit, "Control and j scroll")
    seen = []
    for key in "jjj":
        page.keyboard.press(key)
        seen.append(page.evaluate(post))
    report.expect(KEYS, None not in seen and len(set(seen)) == 3, visit, f"j leads to {seen}")
    page.keyboard.press("k")
    report.expect(KEYS, page.evaluate(post) == seen[1], visit, f"k leads to {page.evaluate(post)}")
    page.keyboard.press("?")
    report.expect(KEYS, page.locator("dialog.keys kbd").count() == 6, visit, "there is no list of keys")
    accessibility.run_axe(visit, report, "with the list of keys")
    page.keyboard.press("Escape")
    report.expect(KEYS, visit.wait_until(lambda: not page.locator("dialog").count()), visit, "Escape does not close the list of keys")
    page.keyboard.press("j")
    page.keyboard.press("j")
    place = page.evaluate(post)
    # Scrolling is smooth.
    near = "() => Math.abs(document.activeElement.closest('.post').getBoundingClientRect().top) < 200"
    report.expect(KEYS, visit.wait_until(lambda: page.evaluate(near)), visit, "j does not scroll to the post")
    page.evaluate("() => getSelection().selectAllChildren(document.activeElement.closest('.post').querySelector('.post-text p'))")
    page.keyboard.press("Control+c")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    report.expect(QUOTED, place and f"#{place}:~:text=" in copied.split()[-1], visit, f"copied: {copied[-200:]}")
    load(page, visit.home + "search/")
    page.locator("#search-words").press_sequentially("?j/")
    report.expect(KEYS, page.input_value("#search-words") == "?j/" and not page.locator("dialog").count(), visit, "a key acts in a field")
    load(page, visit.url)
    link = page.locator(".resume")
    if not link.count():
        report.expect(RESUMED, False, visit, "nothing is offered")
    else:
        accessibility.run_axe(visit, report, "with the offer to continue")
        link.focus()
        page.keyboard.press("Enter")
        distance = "() => Math.abs(document.getElementById(location.hash.slice(1))?.getBoundingClientRect().top ?? 9999)"
        there = visit.wait_until(lambda: page.evaluate(distance) < 844 and not link.count())
        report.expect(RESUMED, there, visit, f"{page.evaluate(distance)} pixels beside the place")
    page.evaluate("scrollTo(0, 0)")
    page.locator(".look summary").click()
    usual = page.evaluate("getComputedStyle(document.querySelector('.post-text')).fontFamily")
    press(visit, "Sans")
    sans = page.evaluate("getComputedStyle(document.querySelector('.post-text')).fontFamily")
    press(visit, "Serif")
    page.reload(wait_until="load")
    wait_until_ready(page)
    serif = page.evaluate("getComputedStyle(document.querySelector('.post-text')).fontFamily")
    report.expect(FACE, serif != sans and usual in (serif, sans), visit, f"{usual}; {sans}; {serif}")
    page.locator(".look summary").click()
    press(visit, "No keys")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    report.expect(KEYS, not page.locator("dialog").count(), visit, "a key acts although keys are off")


def see(visit: Visit, report: Report) -> None:
    """A thread with several pictures: from one to the next with a key, and with the button."""
    page = visit.page
    opened = "document.querySelector('.large:popover-open')?.id"
    buttons = page.locator(".images button[popovertarget]:visible")
    if buttons.count() < 2:
        return
    forward = "ArrowLeft" if page.evaluate("document.dir === 'rtl'") else "ArrowRight"
    buttons.first.focus()
    page.keyboard.press("Enter")
    first = visit.wait_until(lambda: page.locator(".large:popover-open [name=next]").count()) and page.evaluate(opened)
    page.keyboard.press(forward)
    second = visit.wait_until(lambda: page.evaluate(opened) != first) and page.evaluate(opened)
    if not second:
        report.expect(PICTURES, False, visit, f"no picture comes after {first}")
        return
    page.locator(".large:popover-open [name=previous]").click()
    back = visit.wait_until(lambda: page.evaluate(opened) == first)
    report.expect(PICTURES, first and second and back, visit, f"{first}, {second}, {back}")
    page.keyboard.press("Escape")
    focus = page.evaluate("document.activeElement.getAttribute('popovertarget')")
    report.expect(PICTURES, focus == first, visit, f"the focus is at {focus}")
