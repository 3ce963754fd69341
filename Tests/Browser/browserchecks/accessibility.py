"""axe-core checks the part of WCAG that a program can decide. Additional checks cover the page's outline."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import axe_playwright_python

from .report import Report
from .visit import DESKTOP, PHONE, Visit

AXE = "accessibility: axe-core finds no violation of WCAG 2.2 A and AA"
UNDECIDED = "accessibility: text that axe-core leaves undecided has a contrast of 4.5:1 and is not a target"
OUTLINE = "accessibility: one h1, no skipped heading level, one of each landmark, and a unique label for each nav"
IMAGES = "accessibility: every image has an alt attribute, and a size if it loads lazily; videos have controls and never start on their own"
CLAIMS = (AXE, UNDECIDED, OUTLINE, IMAGES)

OPTIONS = {
    "runOnly": {
        "type": "tag",
        # The rules for outlines are among axe's best practices.
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"],
    },
    "rules": {
        name: {"enabled": True}
        for name in (
            "target-size", "region", "landmark-one-main", "landmark-unique", "landmark-no-duplicate-banner",
            "landmark-no-duplicate-contentinfo", "heading-order", "page-has-heading-one", "empty-heading", "skip-link", "tabindex",
        )
    },
    "resultTypes": ["violations", "incomplete"],
}
# Rules that depend on colors and the window's width; the others are checked once for both schemes.
OF_LOOKS = ["color-contrast", "target-size", "link-in-text-block"]

# The contrast of text whose background axe cannot determine, for example because an invisible area enlarges a link. Uses the nearest
# background color in the tree; 0 if the background may be an image.
CONTRAST = """
selector => {
  const element = document.querySelector(selector);
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = colour => {
    const [red, green, blue] = rgba(colour).map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  for (let outer = element; outer; outer = outer.parentElement) {
    const style = getComputedStyle(outer);
    if (style.backgroundImage !== 'none') return 0;
    if (rgba(style.backgroundColor)[3] < 255 && outer.parentElement) continue;
    const [light, dark] = [luminance(getComputedStyle(element).color), luminance(style.backgroundColor)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }
}
"""

LOOK = """
() => {
  const outline = [], images = [];
  const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(heading => Number(heading.localName[1]));
  if (levels.filter(level => level === 1).length !== 1) outline.push(`levels of headings: ${levels}`);
  levels.reduce((before, level) => { if (level > before + 1) outline.push(`h${level} after h${before}`); return level }, 0);
  const inner = 'article, section, aside, nav, main';
  for (const name of ['header', 'main', 'footer']) {
    const found = [...document.querySelectorAll(name)].filter(element => !element.parentElement.closest(inner));
    if (found.length !== 1) outline.push(`${found.length} ${name} of the page`);
  }
  const labels = [...document.querySelectorAll('nav')].map(nav => nav.ariaLabel);
  if (labels.some(label => !label?.trim()) || new Set(labels).size !== labels.length) outline.push(`labels of nav: ${labels}`);
  for (const image of document.images) {
    if (!image.hasAttribute('alt')) images.push(`no alt: ${image.getAttribute('src')}`);
    if (image.loading === 'lazy' && !(image.hasAttribute('width') && image.hasAttribute('height')))
      images.push(`lazy without a size: ${image.getAttribute('src')}`);
    if (image.complete && image.getClientRects().length && !image.naturalWidth) images.push(`broken: ${image.getAttribute('src')}`);
  }
  for (const video of document.querySelectorAll('video'))
    if (!video.controls || video.autoplay) images.push(`video: controls ${video.controls}, autoplay ${video.autoplay}`);
  return { outline, images };
}
"""


@lru_cache(maxsize=1)
def axe_source() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


def run_axe(visit: Visit, report: Report, how: str, looks_only: bool = False) -> None:
    """The script is injected by the debugger, so the page's policy need not allow it."""
    options = {**OPTIONS, "runOnly": {"type": "rule", "values": OF_LOOKS}, "rules": {}} if looks_only else OPTIONS
    with visit.looking():
        if not visit.page.evaluate("typeof axe === 'object'"):
            visit.page.evaluate(axe_source() + "; 0")
        found = visit.page.evaluate("options => axe.run(options)", options)
    where = f"{visit} at {how}"
    report.expect_none(AXE, [told(fault) for fault in found["violations"]], where)
    # Only a person can check the rest of axe's findings, such as captions of a silent video.
    undecided = []
    for fault in found["incomplete"]:
        if fault["id"] == "target-size":
            undecided.append(told(fault))
        elif fault["id"] == "color-contrast":
            contrasts = [(node["html"][:120], visit.page.evaluate(CONTRAST, node["target"][0])) for node in fault["nodes"]]
            undecided += [f"{contrast:.1f} : 1 of {html}" for html, contrast in contrasts if contrast < 4.5]
    report.expect_none(UNDECIDED, undecided, where)


def told(fault) -> str:
    nodes = fault["nodes"]
    checks = [*nodes[0]["any"], *nodes[0]["all"], *nodes[0]["none"]]
    why = checks[0]["message"] if checks else fault["help"]
    return f"{fault['id']} ({len(nodes)} times): {nodes[0]['html'][:160]} {why}"


def check(visit: Visit, report: Report) -> None:
    for size in (PHONE, DESKTOP):
        for scheme in ("light", "dark"):
            visit.show(**size, scheme=scheme)
            run_axe(visit, report, f"{size['width']} {scheme}", looks_only=(size is PHONE) == (scheme == "dark"))
    look = visit.page.evaluate(LOOK)
    report.expect_none(OUTLINE, look["outline"], visit)
    report.expect_none(IMAGES, look["images"], visit)
