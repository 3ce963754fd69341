"""A page without a mouse: where Tab leads, whether the focus is visible, and whether Enter follows links."""

from __future__ import annotations

from urllib.parse import urldefrag

from .report import Report
from .visit import Visit

SKIP = "keyboard: Tab first reaches a visible skip link, which Enter follows to main"
ORDER = "keyboard: Tab reaches every control in page order and leaves at the end"
FOCUS = "keyboard: the focus is visible with a contrast of 3:1 and not covered"
ENTER = "keyboard: Enter follows a link"
LARGE = "keyboard: Enter opens a large image with its description, Escape and its button close it, and the focus returns"
FOLDED = "keyboard: content behind a warning is hidden until a key opens it, and sensitive images are blurred until a box is checked"
CLAIMS = (SKIP, ORDER, FOCUS, ENTER, LARGE, FOLDED)

# Records the focused elements and their appearance. Kept in the page, because a query after every key would take long.
WATCH_FOCUS = """
() => {
  const usable = 'a[href], button, input, select, textarea, summary, video[controls], audio[controls], [tabindex]';
  const all = [...document.querySelectorAll(usable)].filter(element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }));
  const name = element => `${element.localName} "${(element.ariaLabel || element.textContent).trim().slice(0, 40)}" ${element.getAttribute('href') ?? ''}`;
  const look = element => {
    const style = getComputedStyle(element);
    return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.backgroundColor, style.color].join(' ');
  };
  const looks = new Map(all.map(element => [element, look(element)]));
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = colour => {
    const [red, green, blue] = rgba(colour).map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ground = element => {
    for (let outer = element; outer; outer = outer.parentElement) {
      const colour = getComputedStyle(outer).backgroundColor;
      if (rgba(colour)[3] > 200) return colour;
    }
    return 'Canvas';
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const covered = element => {
    const box = element.getClientRects()[0];
    if (!box || box.bottom < 0 || box.top > innerHeight) return 'it is outside of the window';
    const top = document.elementFromPoint(box.left + Math.min(box.width / 2, 40), box.top + box.height / 2);
    for (let outer = top; outer && !outer.contains(element); outer = outer.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(outer).position)) return `${name(outer)} covers it`;
    return '';
  };
  const fault = element => {
    const style = getComputedStyle(element);
    if (look(element) === looks.get(element)) return 'it looks as it did';
    if (style.outlineStyle !== 'none') {
      if (parseFloat(style.outlineWidth) < 1.5) return `an outline of ${style.outlineWidth}`;
      const inside = parseFloat(style.outlineOffset) < 0;
      const ratio = contrast(style.outlineColor, ground(inside ? element : element.parentElement));
      if (style.outlineStyle !== 'auto' && ratio < 3) return `its outline has a contrast of ${ratio.toFixed(1)}`;
    }
    return covered(element);
  };
  window.focused = { count: all.length, names: all.map(name), steps: [], faults: [] };
  document.addEventListener('focusin', ({ target }) => {
    const index = all.indexOf(target);
    focused.steps.push(index);
    if (index < 0) return; // a box that scrolls: the browser's own doing, with its own ring
    const why = fault(target);
    if (why) focused.faults.push(`${name(target)}: ${why}`);
  });
  return all.length;
}
"""

# Tab stops within one element: the controls of a video or of a date field.
STOPS_WITHIN = 8


def check(visit: Visit, report: Report) -> None:
    """Leaves another page open."""
    visit.page.emulate_media(reduced_motion="reduce")
    visit.show(820)
    walk(visit, report)
    skip(visit, report)
    large(visit, report)
    folded(visit, report)
    enter(visit, report)


def large(visit: Visit, report: Report) -> None:
    page = visit.page
    pictures = page.locator(".images figure > button")
    if not pictures.count():
        if visit.theme == "plain":
            report.skip(LARGE, "the theme shows no pictures")
        return
    from_the_top(visit)
    for picture in [one for one in pictures.all() if one.is_visible()][:2]:
        alt = picture.locator("xpath=preceding-sibling::a/img").get_attribute("alt")
        for close in ("Escape", "Enter"):
            picture.focus()
            page.keyboard.press("Enter")
            opened = page.locator(".large:popover-open")
            report.expect(LARGE, opened.count() == 1, visit, "nothing opens")
            if not opened.count():
                return
            report.expect(LARGE, not alt or opened.inner_text().startswith(alt), visit, f"it does not say {alt!r}")
            box = opened.bounding_box()
            fits = box and box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= 820 and box["height"] <= page.viewport_size["height"]
            report.expect(LARGE, fits, visit, f"it does not fit the window: {box}")
            if close == "Enter":
                page.keyboard.press("Tab")
            page.keyboard.press(close)
            report.expect(LARGE, page.locator(":popover-open").count() == 0, visit, f"{close} does not close it")
            report.expect(LARGE, picture.evaluate("element => element === document.activeElement"), visit, "the focus is elsewhere")


# Whether the focus is within the hidden media of a box. Uses Tab: in Chromium, scripts can focus a hidden video and keys cannot.
REACHED = "box => box.closest('.sensitive').contains(document.activeElement) && document.activeElement !== box"
BLURRED = "elements => elements.map(element => getComputedStyle(element).filter).filter(filter => filter.includes('blur')).length"


def folded(visit: Visit, report: Report) -> None:
    page = visit.page
    from_the_top(visit)
    for warning in page.locator("details.warning").all():
        text = warning.locator(".post-text, figure").first
        report.expect(FOLDED, not text.is_visible(), visit, "what is warned of is seen")
        warning.locator("summary").focus()
        page.keyboard.press("Enter")
        report.expect(FOLDED, text.is_visible(), visit, "Enter does not open a warning")
    for box in page.locator(".sensitive input").all():
        media = box.locator("xpath=ancestor::div[contains(@class, 'sensitive')]").locator(":is(figure, a) > :is(img, video)")
        report.expect(FOLDED, media.evaluate_all(BLURRED) == media.count() > 0, visit, "sensitive media are not blurred")
        box.focus()
        page.keyboard.press("Tab")
        report.expect(FOLDED, not box.evaluate(REACHED), visit, "what is not shown yet can be started by keys")
        box.focus()
        page.keyboard.press("Space")
        report.expect(FOLDED, media.evaluate_all(BLURRED) == 0, visit, "they stay blurred")


def from_the_top(visit: Visit) -> None:
    """Opens the page and moves the focus to the start; a search page may have focused its field."""
    visit.open(lazy=True)
    # Tab continues from the element that had the focus last. A click would begin in the header if that is as wide as the window.
    visit.page.evaluate(
        "document.activeElement === document.body"
        " || (document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute('tabindex'))"
    )


def walk(visit: Visit, report: Report) -> None:
    from_the_top(visit)
    page = visit.page
    count = page.evaluate(WATCH_FOCUS)
    videos = page.locator("video, audio").count()
    pressed = 0
    while pressed < count + STOPS_WITHIN * (videos + 2):
        batch = max(1, count - pressed) if pressed < count else 1
        # A held key repeats; releasing it each time would take twice as long.
        for _ in range(batch):
            page.keyboard.down("Tab")
        page.keyboard.up("Tab")
        pressed += batch
        if pressed > count and page.evaluate("document.activeElement === document.body || focused.steps.slice(1).includes(0)"):
            break
    found = page.evaluate("focused")
    # Once around: without a window around the page, the browser starts again.
    steps = found["steps"]
    around = steps.index(0, 1) if 0 in steps[1:] else len(steps)
    order = list(dict.fromkeys(step for step in steps[:around] if step >= 0))
    missed = [found["names"][index] for index in range(count) if index not in order]
    report.expect(ORDER, order == sorted(order), visit, f"not in the order of the page: {order}")
    report.expect(ORDER, not missed, visit, f"not reached, or behind a trap: {missed[:5]}")
    report.expect_none(FOCUS, list(dict.fromkeys(found["faults"]))[:5], visit)


def skip(visit: Visit, report: Report) -> None:
    page = visit.page
    from_the_top(visit)
    page.keyboard.press("Tab")
    first = page.evaluate(
        """() => {
          const link = document.activeElement, box = link.getBoundingClientRect();
          const seen = box.width > 24 && box.height >= 24 && box.left >= 0 && box.top >= 0 && getComputedStyle(link).clipPath === 'none'
            && document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2) === link;
          return { href: link.getAttribute('href'), main: '#' + document.querySelector('main')?.id, seen };
        }"""
    )
    report.expect(SKIP, first["href"] == first["main"], visit, f"the first is {first['href']}")
    report.expect(SKIP, first["seen"], visit, "it cannot be seen")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = page.evaluate(
        """() => {
          const main = document.querySelector('main'), now = document.activeElement;
          return main.contains(now) || !main.querySelector('a[href], button, input, summary, video') && now !== document.querySelector('a[href]');
        }"""
    )
    report.expect(SKIP, inside, visit, "the next Tab is not in main")


def enter(visit: Visit, report: Report) -> None:
    """Follows the first link of main that leads to another page of the site."""
    page = visit.page
    target = page.evaluate(
        """() => {
          const here = location.href.split('#')[0];
          const link = [...document.querySelectorAll('main a[href], footer a[href]')].find(link =>
            link.origin === location.origin && link.href.split('#')[0] !== here && link.pathname.endsWith('/') && link.checkVisibility({ visibilityProperty: true }));
          link?.focus();
          return link?.href ?? null;
        }"""
    )
    if not target:
        report.expect(ENTER, False, visit, "no link to another page of the site")
        return
    with page.expect_navigation(wait_until="commit"):
        page.keyboard.press("Enter")
    report.expect(ENTER, urldefrag(page.url).url == urldefrag(target).url, visit, f"{page.url} instead of {target}")
