"""Checks that a page fits windows of every width, large text, and readers who prefer no motion. Saves screenshots."""

from __future__ import annotations

from .report import Report
from .sites import WORK
from .visit import RENDER_ALL, Visit

WIDTHS = "layout: nothing scrolls sideways at 320, 390, 820, 1120 and 1440 pixels"
APART = "layout: the date of a post overlaps no other text"
LARGE = "layout: text grows with the reader's font size and still fits, at 200%"
MOTION = "layout: nothing moves for readers who prefer reduced motion"
TARGETS = "layout: targets are 24 pixels wide and high, in a sentence, or have that space (WCAG 2.5.8)"
CLAIMS = (WIDTHS, APART, LARGE, MOTION, TARGETS)
PICTURED = (390, 820, 1440)
# A phone, and the smallest window in which themes use the margins (70rem): there they have the least room.
NARROW = (320, 1120)

# Elements wider than the window or than a box that clips them; elements in a scrolling box are allowed.
OVERFLOW = "() => {" + RENDER_ALL + """
  const width = document.documentElement.clientWidth, faults = [];
  const name = element => `${element.localName}.${element.className} "${element.textContent.trim().slice(0, 40)}"`;
  // Of drawings, the words: to a shape's box Firefox adds what the mitres of its strokes could need at most, where there are none.
  const shape = element => element.ownerSVGElement && !element.closest('text');
  const hidden = element =>
    element.closest('.skip') || element.tagName === 'METER' || shape(element) || !element.checkVisibility({ visibilityProperty: true });
  const scrolls = element => {
    for (let outer = element; outer; outer = outer.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(outer).overflowX)) return true;
    return false;
  };
  const root = document.scrollingElement;
  if (root.scrollWidth > width) faults.push(`the page is ${root.scrollWidth} wide in a window of ${width}`);
  for (const element of document.body.querySelectorAll('*')) {
    if (hidden(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > width + 1 || box.left < -1) && !scrolls(element)) faults.push(`sticks out: ${name(element)}`);
    const style = getComputedStyle(element);
    // A picture may be cropped, text may not.
    // An excerpt that the browser ends with an ellipsis is one that ends sooner.
    if (!['none', ''].includes(style.webkitLineClamp ?? '')) continue;
    const clips = [style.overflowX, style.overflowY].some(overflow => ['hidden', 'clip'].includes(overflow));
    if (clips && element.innerText?.trim() && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1))
      faults.push(`cuts off text: ${name(element)}`);
  }
  return faults.slice(0, 5);
}
"""

# Dates that are hidden until the pointer is on their post count, because readers without a pointer always see them.
OVERLAP = "() => {" + RENDER_ALL + """
  const lines = new Map();
  for (const block of document.querySelectorAll('.permalink, .post-text, .thread-header, .pause, .gap, .branch, .note')) {
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT), boxes = [];
    while (walk.nextNode()) {
      const within = walk.currentNode.parentElement;
      if (!walk.currentNode.data.trim() || !within.checkVisibility() || parseFloat(getComputedStyle(within).fontSize) === 0) continue;
      const range = document.createRange();
      range.selectNodeContents(walk.currentNode);
      boxes.push(...range.getClientRects());
    }
    lines.set(block, boxes);
  }
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  const faults = [], name = element => `"${element.textContent.trim().slice(0, 40)}"`;
  for (const [one, boxes] of lines)
    for (const [other, others] of one.matches('.permalink') ? lines : [])
      if (!(other.matches('.permalink') && one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) && !one.contains(other) && !other.contains(one) && boxes.some(box => others.some(against => meet(box, against))))
        faults.push(`${name(one)} overlaps ${name(other)}`);
  return faults.slice(0, 5);
}
"""

# A separate check of success criterion 2.5.8, because axe-core omits undecided cases.
SMALL = "() => {" + RENDER_ALL + """
  const usable = 'a[href], button, input, select, textarea, summary, video[controls], audio[controls]';
  const least = 23.9;
  const name = element => `${element.localName}.${element.className} "${(element.ariaLabel || element.textContent).trim().slice(0, 30)}"`;
  const targets = [...document.body.querySelectorAll(usable)].filter(element =>
    !element.closest('.skip') && element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true })).map(element => {
    // A box and the words beside it are pressed as one.
    const pressed = element.closest('label') ?? element;
    // What an inline link holds, such as a picture, may be larger than its line; a pseudo-element over all of a card is.
    const boxes = [pressed, ...pressed.querySelectorAll('img')].map(one => one.getBoundingClientRect()).filter(box => box.width && box.height);
    const cover = getComputedStyle(element, '::after').position === 'absolute' && element.closest('.card');
    if (cover) boxes.push(cover.getBoundingClientRect());
    const left = Math.min(...boxes.map(box => box.left)), right = Math.max(...boxes.map(box => box.right));
    const top = Math.min(...boxes.map(box => box.top)), bottom = Math.max(...boxes.map(box => box.bottom));
    return { element, left, right, top, bottom, small: right - left < least || bottom - top < least };
  });
  const sentence = element => {
    if (getComputedStyle(element).display !== 'inline') return false;
    let block = element.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    const walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      if (/[\\p{L}\\p{N}]/u.test(text.data) && !text.parentElement.closest(usable) && text.parentElement.checkVisibility()) return true;
    }
    return false;
  };
  const faults = [];
  for (const one of targets.filter(target => target.small && !sentence(target.element))) {
    const x = (one.left + one.right) / 2, y = (one.top + one.bottom) / 2;
    for (const other of targets) {
      if (other === one || other.element.contains(one.element) || one.element.contains(other.element)) continue;
      const away = other.small
        ? Math.hypot((other.left + other.right) / 2 - x, (other.top + other.bottom) / 2 - y) / 2
        : Math.hypot(Math.max(other.left - x, 0, x - other.right), Math.max(other.top - y, 0, y - other.bottom));
      if (away >= least / 2) continue;
      faults.push(`${name(one.element)}, ${Math.round(one.right - one.left)} by ${Math.round(one.bottom - one.top)}, beside ${name(other.element)}`);
      break;
    }
  }
  return faults.slice(0, 5);
}
"""

TEXT_SIZES = """
() => Object.fromEntries(['body', 'main p', 'h1', 'nav a', 'footer a'].flatMap(selector => {
  const element = document.querySelector(selector);
  return element ? [[selector, parseFloat(getComputedStyle(element).fontSize)]] : [];
}))
"""

MOVING = """
() => {
  const seconds = list => Math.max(...list.split(',').map(time => parseFloat(time) * (time.trim().endsWith('ms') ? 0.001 : 1)));
  const faults = document.getAnimations().map(animation => `running: ${animation.animationName ?? animation.transitionProperty ?? 'an animation'}`);
  for (const element of document.querySelectorAll('*'))
    for (const part of [null, '::before', '::after']) {
      const style = getComputedStyle(element, part);
      const what = `${element.localName}.${element.className}${part ?? ''}`;
      if (part && style.content === 'none') continue;
      if (seconds(style.transitionDuration) > 0) faults.push(`transition of ${style.transitionDuration}: ${what}`);
      if (style.animationName !== 'none' && seconds(style.animationDuration) > 0) faults.push(`animation of ${style.animationDuration}: ${what}`);
      if (style.scrollBehavior === 'smooth') faults.push(`smooth scrolling: ${what}`);
    }
  return faults.slice(0, 5);
}
"""


def check(visit: Visit, report: Report) -> None:
    check_widths(visit, report)
    check_large_text(visit, report)
    visit.page.emulate_media(reduced_motion="reduce")
    report.expect_none(MOTION, visit.page.evaluate(MOVING), visit)
    visit.page.emulate_media(reduced_motion="null")


def check_widths(visit: Visit, report: Report) -> None:
    for width in (*NARROW, *PICTURED):
        visit.show(width, scheme="light")
        report.expect_none(WIDTHS, visit.page.evaluate(OVERFLOW), f"{visit} at {width}")
        report.expect_none(APART, visit.page.evaluate(OVERLAP), f"{visit} at {width}")
        report.expect_none(TARGETS, visit.page.evaluate(SMALL), f"{visit} at {width}")
        if width in PICTURED:
            for scheme in ("light", "dark"):
                visit.page.emulate_media(color_scheme=scheme)
                picture = WORK / "pictures" / visit.theme / f"{visit.site_page.name}-{width}-{scheme}.jpg"
                visit.page.screenshot(path=picture, full_page=True, type="jpeg", quality=80)
    visit.page.emulate_media(color_scheme="light")


def check_large_text(visit: Visit, report: Report) -> None:
    """Doubles the reader's font size in the browser's settings, from 16 to 32 pixels. A page with text sizes in pixels ignores it.
    (Zooming a page to 200% is different: it is equivalent to a window of half the width.)"""
    visit.show(1280)
    before = visit.page.evaluate(TEXT_SIZES)
    browser = visit.context.new_cdp_session(visit.page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    after = visit.page.evaluate(TEXT_SIZES)
    # Sizes that also depend on the window grow slightly less.
    small = [f"{name} from {before[name]} to {size} pixels" for name, size in after.items() if size < 1.75 * before[name]]
    report.expect_none(LARGE, small, visit)
    for width in (1280, 640):
        visit.show(width)
        report.expect_none(LARGE, visit.page.evaluate(OVERFLOW), f"{visit} at {width}")
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    browser.detach()
