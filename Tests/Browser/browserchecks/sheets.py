"""Contact sheets of themes for docs/images/themes: pages of the sample site at two widths, light and dark, one picture per theme."""

from __future__ import annotations

import base64
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from . import sites
from .pages import site_page
from .server import serving
from .visit import DESKTOP, PHONE, SCROLL_THROUGH, launch

FOLDER = sites.ROOT / "docs" / "images" / "themes"
# The path of each kind of page in the sample site; for threads, the beginning of the folder's name.
PAGES = {
    "Home": "index.html",
    "Thread": "x/maren_example/the-sea-*/index.html",
    "Author": "x/maren_example/index.html",
    "Archive": "archive/index.html",
    "Search": "search/index.html",
    "Statistics": "statistics/index.html",
}
# Width and height of a window, and the width of its picture on the sheet.
WINDOWS = ((DESKTOP["width"], 1000, 330), (PHONE["width"], 844, 106))
SCHEMES = ("light", "dark")
# Files in a repository stay forever.
MOST_BYTES = 150_000


def make(binary: Path, themes: list[str]) -> list[Path]:
    """Writes the sheet of each theme and returns the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for theme in themes:
            folder = sites.build_sample(binary, theme)
            with serving(folder) as home:
                pictures = {
                    (scheme, width): shoot(browser, home, folder, scheme, width, height)
                    for scheme in SCHEMES
                    for width, height, _ in WINDOWS
                }
            file = FOLDER / f"{theme}.jpg"
            file.write_bytes(sheet(browser, pictures))
            files.append(file)
        browser.close()
    return files


def shoot(browser: Browser, home: str, folder: Path, scheme: str, width: int, height: int) -> list[bytes]:
    """A picture of each page in one window."""
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    pictures = []
    for pattern in PAGES.values():
        file = next(iter(sorted(folder.glob(pattern))))
        page.goto(home + site_page(folder, "", file, False).address)
        page.evaluate(SCROLL_THROUGH)
        # The blinking cursor of the search field would differ from picture to picture.
        page.evaluate("document.activeElement?.blur()")
        pictures.append(page.screenshot())
    context.close()
    return pictures


def sheet(browser: Browser, pictures: dict[tuple[str, int], list[bytes]]) -> bytes:
    """One JPEG of all pictures: a row for each page."""
    rows = []
    for index in range(len(PAGES)):
        cells = [
            f'<img width="{shown}" src="data:image/png;base64,{base64.b64encode(pictures[scheme, width][index]).decode()}">'
            for scheme in SCHEMES
            for width, _, shown in WINDOWS
        ]
        rows.append(f"<div>{''.join(cells)}</div>")
    context = browser.new_context(viewport={"width": 100, "height": 100})
    page = context.new_page()
    page.set_content(
        "<style>body{margin:0;padding:12px;background:#8a8a8a;width:max-content}div{display:flex;gap:8px;margin-block-end:12px}"
        f"div:last-child{{margin:0}}img{{display:block;height:229px;object-fit:cover;object-position:top}}</style>{''.join(rows)}"
    )
    page.evaluate("Promise.all([...document.images].map(image => image.decode()))")
    data = fitting(page)
    context.close()
    return data


def fitting(page: Page) -> bytes:
    """The best JPEG of a page that is small enough."""
    for quality in range(85, 20, -5):
        data = page.locator("body").screenshot(type="jpeg", quality=quality)
        if len(data) <= MOST_BYTES:
            return data
    raise SystemExit(f"the sheet has more than {MOST_BYTES:,} bytes in any quality")
