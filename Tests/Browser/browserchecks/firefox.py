"""The same pages in Firefox, which has its own layout, policies and script engine. Repeats the checks that are most likely to differ.

Uses a released Firefox over WebDriver BiDi instead of Playwright's modified one. A running Firefox cannot change the reader's scheme and
font size, so there is one browser per combination.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from multiprocessing.util import Finalize
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

from . import accessibility, layout, loading, preview, searching, sites
from .pages import SitePage, pages_to_visit
from .report import Report
from .server import serving
from .visit import DESKTOP, PATIENCE, PHONE, WATCH, Traffic, Visit

SITE = "firefox"
LOADS = "loading: the console is empty, no request fails or goes to another host, and both policies are in force"
WIDTHS = layout.WIDTHS
LARGE = "layout: text grows with the reader's font size and still fits"
AXE = accessibility.AXE
UNDECIDED = accessibility.UNDECIDED
PAGES = (LOADS, WIDTHS, LARGE, AXE, UNDECIDED)
BROKE = "the browser completed every check"
CLAIMS = tuple(f"firefox, {claim}" for claim in (*PAGES, *searching.CLAIMS, *preview.CLAIMS, BROKE))

BROWSERS = ("firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox")
# The scheme, and the reader's font size in pixels.
Look = tuple[str, int]
LIGHT: Look = ("light", 16)
DARK: Look = ("dark", 16)
LARGE_TEXT: Look = ("light", 32)

# Console messages caused by the checks themselves. Faults of the page are also reported as violations.
STYLE = "blocked an inline style"

playwright: Playwright | None = None
browsers: dict[Look, Browser] = {}


def path() -> str | None:
    named = os.environ.get("THREADSITE_FIREFOX")
    return next(filter(None, map(shutil.which, [named] if named else BROWSERS)), None)


def launch(playwright: Playwright, look: Look = LIGHT) -> Browser:
    scheme, size = look
    preferences = {
        # Going back reloads a page, so the check waits for it.
        "browser.sessionhistory.max_total_viewers": 0,
        "ui.systemUsesDarkTheme": int(scheme == "dark"),
        "layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1,
        **{f"font.size.variable.{script}": size for script in ("x-western", "x-unicode", "ar", "ja", "x-math")},
        **{f"font.size.monospace.{script}": size * 13 // 16 for script in ("x-western", "x-unicode", "ar", "ja", "x-math")},
    }
    return playwright.firefox.launch(channel="moz-firefox", executable_path=path(), firefox_user_prefs=preferences)


def browser(look: Look) -> Browser:
    """The browser of this process: launched when it is first needed or after a crash, and closed when the process ends."""
    global playwright
    playwright = playwright or sync_playwright().start()
    if look not in browsers or not browsers[look].is_connected():
        browsers[look] = launch(playwright, look)
    return browsers[look]


def stop() -> None:
    for one in browsers.values():
        one.close()
    browsers.clear()
    if playwright:
        playwright.stop()


def prepare_worker() -> None:
    """Processes of a pool do not run `atexit`."""
    Finalize(None, stop, exitpriority=10)


class FirefoxVisit(Visit):
    """A page with the scheme of its browser."""

    def show(self, width: int, height: int = 900, scheme: str | None = None) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    @contextmanager
    def looking(self):
        """In Firefox, the page's policy also applies to scripts of checks."""
        violations = len(self.violations)
        self.traffic.ignored = [STYLE]
        yield
        self.page.evaluate("count => { watched.violations.length = count }", violations)


def visit(look: Look, page: SitePage, home: str, folder: Path, site: str, stack: ExitStack) -> Visit:
    context = browser(look).new_context(viewport=PHONE)
    stack.callback(context.close)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    window = context.new_page()
    found = FirefoxVisit(browser(look), context, window, page, home, folder, site, Traffic())
    found.traffic.watch(window, home, found.url if page.kind == "not-found" else None)
    found.open()
    return found


def check_page(job: tuple[str, Path, str, SitePage]) -> Report:
    site, folder, home, page = job
    report = Report()
    where = f"{site}/{page.name}"
    try:
        with ExitStack() as stack:
            light = visit(LIGHT, page, home, folder, site, stack)
            check_loading(light, report)
            for width in (320, *layout.PICTURED):
                light.show(width)
                report.expect_none(WIDTHS, light.page.evaluate(layout.OVERFLOW), f"{where} at {width}")
                keep_picture(light, width, "light")
            dark = visit(DARK, page, home, folder, site, stack)
            for size in (PHONE, DESKTOP):
                for scheme, one in (("light", light), ("dark", dark)):
                    one.show(**size)
                    accessibility.run_axe(one, report, f"{size['width']} {scheme}", looks_only=(size is PHONE) == (scheme == "dark"))
                    if scheme == "dark":
                        keep_picture(one, size["width"], scheme)
            check_large_text(light, visit(LARGE_TEXT, page, home, folder, site, stack), report)
            if page.kind == "search":
                light.show(**PHONE)
                searching.check(light, report)
        report.expect(BROKE, True, where)
    except Error as error:
        report.expect(BROKE, False, where, str(error).splitlines()[0][:300])
    return report


def keep_picture(visit: Visit, width: int, scheme: str) -> None:
    if width not in layout.PICTURED:
        return
    picture = sites.WORK / "pictures" / "firefox" / visit.theme / f"{visit.site_page.name}-{width}-{scheme}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    visit.page.screenshot(path=picture)


def check_loading(visit: Visit, report: Report) -> None:
    report.expect_none(LOADS, [*visit.violations, *visit.traffic.messages, *visit.traffic.failures, *visit.traffic.hosts], visit)
    with visit.looking():
        policies = visit.page.evaluate(loading.PROBE)
    report.expect(LOADS, policies == 2, visit, f"{policies} policies instead of the page's and the server's")


def check_large_text(usual: Visit, large: Visit, report: Report) -> None:
    for one in (usual, large):
        one.show(1280)
    before, after = (one.page.evaluate(layout.TEXT_SIZES) for one in (usual, large))
    small = [f"{name} from {before[name]} to {size} pixels" for name, size in after.items() if size < 1.75 * before[name]]
    report.expect_none(LARGE, small, large)
    for width in (1280, 640):
        large.show(width)
        report.expect_none(LARGE, large.page.evaluate(layout.OVERFLOW), f"{large} at {width}")


def check(binary: Path) -> Report:
    report = Report()
    if not path():
        for claim in CLAIMS:
            report.skip(claim, "there is no Firefox; THREADSITE_FIREFOX may name one")
        return report
    from .sections import pool

    found = Report()
    names = [*sites.themes(), "paper-ar"]
    folders = {site: sites.build_sample(binary, site) for site in names}
    pages = 0
    with ExitStack() as servers, pool(prepare_worker) as workers:
        jobs = []
        for site in names:
            home = servers.enter_context(serving(folders[site]))
            # For other themes, enough pages to check their layout.
            jobs += [(site, folders[site], home, page) for page in pages_to_visit(folders[site], 3 if site == "paper" else 1)]
        for part in workers.imap_unordered(check_page, jobs):
            found.add(part)
            pages += 1
    with sync_playwright() as own:
        one = launch(own)
        try:
            preview.look(one, binary, found)
        finally:
            one.close()
    for claim, seen in found.claims.items():
        report.claims[f"firefox, {claim}"] = seen
    report.require(CLAIMS)
    print(f"{SITE}: {pages} pages")
    return report


# CSS that is added to the style sheet, and the claim that should fail.
BREAKAGES = (
    ("main { min-width: 330px }", WIDTHS),
    ("main p { font-size: 16px !important }", LARGE),
    ("@media (prefers-color-scheme: dark) { main p { color: #444 !important } }", AXE),
    ("main { background-image: url(nowhere.png) }", LOADS),
)


def try_it(binary: Path) -> list[str]:
    """Checks whether a faulty style sheet is noticed."""
    if not path():
        return []
    sound = sites.build_sample(binary, "paper")
    missed = []
    for css, claim in BREAKAGES:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "site")
            shutil.copytree(sound, folder)
            sheet = next(folder.glob("assets/style.*.css"))
            sheet.write_text(f"{sheet.read_text('utf-8')}\n{css}", "utf-8")
            page = next(page for page in pages_to_visit(folder) if page.kind == "home")
            with serving(folder) as home:
                report = check_page(("paper", folder, home, page))
        if claim not in report.failures:
            missed.append(f"firefox, {claim}: {css} {report.failures}")
    stop()
    return missed
