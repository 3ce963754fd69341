"""Pages in WebKit, the engine of Safari and every browser on iPhones: layout, color scheme, search, the reader's settings, and the
preview.

Uses WebKitGTK's small browser over WebDriver on a virtual display. Its driver cannot change the reader's font size or reduced motion, and
does not report requests; the other browsers check these. A GTK theme without padding around buttons allows a window as narrow as a phone.
"""

from __future__ import annotations

import base64
import glob
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing.util import Finalize
from pathlib import Path
from urllib.parse import unquote, urldefrag

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import ActionChains, WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from urllib3.exceptions import HTTPError

from . import accessibility, layout, look, preview, searching, sites, without_script
from .pages import WITH_SCRIPT, SitePage, pages_to_visit
from .report import Report
from .server import serving
from .visit import PATIENCE, READY, RENDER_ALL

SITE = "webkit"
WIDTHS = layout.WIDTHS
TARGETS = layout.TARGETS
AXE = accessibility.AXE
IMAGES = accessibility.IMAGES
SCHEMES = "look: the dark scheme has a different background than the light one"
LARGE = "a clicked image opens large over the page, and closes"
FOLDED = "without script, warnings open with the keyboard, and sensitive media are blurred until the box beside its label is checked"
PAGES = (WIDTHS, TARGETS, AXE, IMAGES, SCHEMES, LARGE, without_script.COMPLETE, without_script.NOTHING, without_script.HONEST, FOLDED)
SEARCH = (searching.ANSWER, searching.ADDRESS, searching.RESULT, searching.EXCERPT, searching.MARKS, searching.MISTAKE, searching.WITHOUT, searching.NOTHING, searching.STATUS)
PREVIEW = (preview.FOLLOWS, preview.STYLES, preview.MISTAKES)
BROKE = "the browser completed every check"
CLAIMS = tuple(f"webkit, {claim}" for claim in (*PAGES, *SEARCH, look.CHOSEN, *PREVIEW, BROKE))

BARE = "* { padding: 0; margin: 0; min-width: 0; min-height: 0; border-width: 0; font-size: 1px; -gtk-icon-transform: scale(0) }"
HEIGHT = 1000
# Exceptions that are raised if the browser or its driver ended or does not work.
ENDS = (WebDriverException, HTTPError, AssertionError)


def programs() -> list[str] | None:
    """The driver, the browser and the display; `None` if one is missing."""
    found = [shutil.which("WebKitWebDriver"), next(iter(glob.glob("/usr/lib*/*/webkit2gtk-4*/MiniBrowser")), None), shutil.which("Xvfb")]
    return found if all(found) else None


@contextmanager
def display():
    """A virtual display; yields its name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [programs()[2], "-displayfd", str(writing), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


class Window:
    """The browser in one scheme. On pages without script, those of checks still run."""

    def __init__(self, screen: str, scheme: str, script: bool = True) -> None:
        self.has_script = script
        self.home = tempfile.TemporaryDirectory()
        settings = Path(self.home.name, "config", "gtk-3.0")
        settings.mkdir(parents=True)
        (settings / "gtk.css").write_text(BARE, "utf-8")
        environment = {
            **os.environ, "DISPLAY": screen, "HOME": self.home.name, "XDG_CONFIG_HOME": str(settings.parent), "LIBGL_ALWAYS_SOFTWARE": "1",
            "GTK_THEME": "Adwaita:dark" if scheme == "dark" else "Adwaita", "LANG": "C.UTF-8",
        }
        driver, browser, _ = programs()
        options = Options()
        options.binary_location = browser
        options.add_argument("--automation")
        if not script:
            options.add_argument("--enable-javascript=false")
        self.driver = WebKitGTK(options=options, service=Service(driver, env=environment))
        self.driver.set_page_load_timeout(PATIENCE / 1000)
        self.driver.set_script_timeout(PATIENCE / 1000)

    def close(self) -> None:
        try:
            self.driver.quit()
        except (WebDriverException, HTTPError):
            pass  # One that has crashed has no end to be asked for.
        self.home.cleanup()

    def evaluate(self, function: str, *arguments):
        """The awaited result of a JavaScript function."""
        return self.driver.execute_script(f"return ({function})(...arguments)", *arguments)

    def load(self, url: str) -> None:
        """Loads a page, and waits for the script of its reading controls."""
        self.driver.get(url)
        if self.has_script:
            wait_until(lambda: self.evaluate(READY))

    def show(self, width: int) -> None:
        self.driver.set_window_rect(0, 0, width, HEIGHT)
        assert wait_until(lambda: self.evaluate("() => innerWidth") == width), f"the window is {self.evaluate('() => innerWidth')} wide, and not {width}"

    def all(self, selector: str):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def keys(self, key: str) -> None:
        """Presses a key at the focused element."""
        ActionChains(self.driver).send_keys(key).perform()

    def texts(self, selector: str) -> list[str]:
        return self.evaluate("selector => [...document.querySelectorAll(selector)].filter(one => one.checkVisibility()).map(one => one.innerText)", selector)

    def picture(self, name: str) -> None:
        file = sites.WORK / "pictures" / "webkit" / f"{name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(self.driver.get_screenshot_as_base64()))


def wait_until(holds: Callable[[], object], patience: float = PATIENCE / 1000) -> bool:
    end = time.monotonic() + patience
    while True:
        try:
            if holds():
                return True
        except WebDriverException:
            pass  # The page that was asked is being loaded anew.
        if time.monotonic() > end:
            return False
        time.sleep(0.03)


opened = ExitStack()
windows: list[Window] = []


def start() -> list[Window]:
    """The windows of this process: opened when they are first needed or after a crash, and closed when the process ends."""
    if not windows:
        screen = opened.enter_context(display())
        for scheme, script in (("light", True), ("dark", True), ("light", False)):
            windows.append(Window(screen, scheme, script))
            opened.callback(windows[-1].close)
    return windows


def stop() -> None:
    windows.clear()
    opened.close()


def prepare_worker() -> None:
    """Processes of a pool do not run `atexit`."""
    Finalize(None, stop, exitpriority=10)


@dataclass
class Visit:
    """A page that is checked in both schemes and without script."""

    light: Window
    dark: Window
    bare: Window
    page: SitePage
    home: str
    folder: Path
    site: str

    def __str__(self) -> str:
        return f"{self.site}/{self.page.name}"

    @property
    def url(self) -> str:
        return self.home + self.page.address


def check_page(visit: Visit, report: Report) -> None:
    light, dark = visit.light, visit.dark
    grounds = []
    for window, scheme in ((light, "light"), (dark, "dark")):
        window.show(390)
        window.load(visit.url)
        grounds.append(window.evaluate(f"() => {look.GROUND}"))
        axe(visit, window, scheme, report)
        window.picture(f"{visit.site}/{visit.page.name}-390-{scheme}")
    report.expect(SCHEMES, grounds[0] != grounds[1], visit, f"{grounds}")
    report.expect_none(TARGETS, light.evaluate(layout.SMALL), visit)
    for width in (320, *layout.PICTURED):
        light.show(width)
        report.expect_none(WIDTHS, light.evaluate(layout.OVERFLOW), f"{visit} at {width}")
    light.picture(f"{visit.site}/{visit.page.name}-1440-light")
    report.expect_none(IMAGES, light.evaluate(accessibility.LOOK)["images"], visit)
    check_without_script(visit, report)
    if visit.page.kind == "thread":
        for window in (light, visit.bare):
            open_large(visit, window, report)
        open_folded(visit, report)


def axe(visit: Visit, window: Window, scheme: str, report: Report) -> None:
    """All rules once, and those about colors again in the dark scheme."""
    options = accessibility.OPTIONS if scheme == "light" else {"runOnly": {"type": "rule", "values": accessibility.OF_LOOKS}, "resultTypes": ["violations"]}
    window.driver.execute_script(RENDER_ALL)
    window.driver.execute_script(accessibility.axe_source())
    found = window.evaluate("options => axe.run(options)", options)
    report.expect_none(AXE, [accessibility.told(fault) for fault in found["violations"]], f"{visit}, {scheme}")


def check_without_script(visit: Visit, report: Report) -> None:
    window = visit.bare
    for one in (window, visit.light):
        one.show(390)
    window.load(visit.url)
    report.expect_none(without_script.NOTHING, window.texts(".look, button[name]"), visit)
    if visit.page.kind not in WITH_SCRIPT:
        without, with_script = window.evaluate(without_script.TEXT), visit.light.evaluate(without_script.TEXT)
        report.expect(without_script.COMPLETE, len(without) > 40 and without == with_script, visit, f"{len(without)} characters instead of {len(with_script)}")
        return
    words = " ".join(window.texts("main"))
    report.expect(without_script.HONEST, "script" in words.lower(), visit, f"it says: {words[:200]!r}")
    report.expect(without_script.HONEST, not window.texts("main input:enabled"), visit, "a field can be typed into")
    links = window.evaluate("() => [...document.querySelectorAll('main a[href]')].filter(link => link.checkVisibility()).map(link => link.getAttribute('href'))")
    for index in ("archive/", "tags/", "authors/"):
        report.expect(without_script.HONEST, any(link.endswith(index) for link in links), visit, f"no link to {index}")


SEEN = "warning => warning.querySelector('.post-text, figure').checkVisibility()"
BLURRED = """box => [...box.closest('.sensitive').querySelectorAll(':is(figure, a) > :is(img, video)')]
  .map(element => getComputedStyle(element).filter.includes('blur'))"""
# Whether a video, audio or link beside the box is visible; hidden elements cannot be reached with the keyboard.
REACHED = """box => [...box.closest('.sensitive').querySelectorAll('video, audio, a')]
  .some(element => element.getClientRects().length && getComputedStyle(element).visibility === 'visible')"""
# Whether the label beside a box is on its line.
BESIDE = """box => {
  const range = document.createRange();
  range.selectNodeContents(box.nextSibling);
  const word = [...range.getClientRects()].pop(), own = box.getBoundingClientRect();
  return word.top < own.bottom && word.bottom > own.top;
}"""


def open_folded(visit: Visit, report: Report) -> None:
    window = visit.bare
    for warning in window.all("details.warning"):
        report.expect(FOLDED, not window.evaluate(SEEN, warning), visit, "what is warned of is seen")
        window.evaluate("warning => warning.querySelector('summary').focus()", warning)
        window.keys(Keys.ENTER)
        report.expect(FOLDED, wait_until(lambda: window.evaluate(SEEN, warning), 5), visit, "Enter does not open a warning")
    for box in window.all(".sensitive input"):
        blurred = window.evaluate(BLURRED, box)
        report.expect(FOLDED, blurred and all(blurred), visit, "sensitive media are not blurred")
        for width in (320, 390):
            window.show(width)
            report.expect(FOLDED, window.evaluate(BESIDE, box), f"{visit} at {width}", "the box stands apart from its word")
        report.expect(FOLDED, not window.evaluate(REACHED, box), visit, "what is not shown yet can be started by keys")
        window.evaluate("box => box.focus()", box)
        window.keys(Keys.SPACE)
        report.expect(FOLDED, wait_until(lambda: not any(window.evaluate(BLURRED, box)), 5), visit, "they stay blurred")
        window.picture(f"{visit.site}/{visit.page.name}-unfolded")


def open_large(visit: Visit, window: Window, report: Report) -> None:
    window.show(390)
    buttons = [button for button in window.all(".images figure > button") if button.is_displayed()]
    if not buttons:
        return
    button = buttons[0]
    # Uses the keyboard, because the driver does not click elements without text.
    window.evaluate("button => button.focus()", button)
    window.keys(Keys.ENTER)
    if report.expect(LARGE, wait_until(lambda: window.all(".large:popover-open"), 5), visit, "nothing opens"):
        box = window.evaluate("() => { const box = document.querySelector('.large:popover-open').getBoundingClientRect(); return [box.left, box.right, box.top, box.bottom] }")
        report.expect(LARGE, box[0] >= 0 and box[1] <= 390 and box[2] >= 0 and box[3] <= HEIGHT, visit, f"it does not fit the window: {box}")
        window.picture(f"{visit.site}/{visit.page.name}-large")
        window.evaluate("() => document.querySelector('.large:popover-open button').focus()")
        window.keys(Keys.ENTER)
        report.expect(LARGE, wait_until(lambda: not window.all(":popover-open"), 5), visit, "it stays")


def results(visit: Visit) -> list[str]:
    links = visit.light.evaluate("() => [...document.querySelectorAll('main a[href]')].filter(link => link.checkVisibility()).map(link => link.href)")
    return [unquote(link) for link in links if searching.is_thread(visit, link)]


def ask(visit: Visit, query: str) -> None:
    """Types, and waits until the outcome is announced to screen readers."""
    visit.light.evaluate(searching.WATCH_STATUS)
    field = visit.light.all(searching.FIELD)[0]
    field.clear()
    field.send_keys(query)
    wait_until(lambda: visit.light.evaluate("() => toldLast"))


def comes_first(visit: Visit, slug: str) -> bool:
    return wait_until(lambda: slug in next(iter(results(visit)), ""))


def check_search(visit: Visit, report: Report) -> None:
    window = visit.light
    window.show(390)
    window.load(visit.url)
    for query, slug in searching.QUERIES:
        ask(visit, query)
        report.expect(searching.ANSWER, comes_first(visit, slug), f"{visit} {query!r}", f"{results(visit)[:2]}")
        report.expect(searching.STATUS, any(text.strip() for text in window.texts(searching.REGIONS)), f"{visit} {query!r}", "nothing is said")
    for query, words in searching.EXCERPTS:
        ask(visit, query)
        shown = wait_until(lambda: any(words in text for text in window.texts("main .p-summary")))
        report.expect(searching.EXCERPT, shown, f"{visit} {query!r}", f"{window.texts('main .p-summary')[:1]}")
    query, slug = searching.QUERIES[2]
    ask(visit, query)
    comes_first(visit, slug)
    marks = window.evaluate("() => [...document.querySelector('main .p-name').querySelectorAll('mark')].map(mark => mark.innerText.toLowerCase())")
    report.expect(searching.MARKS, marks == query.split(), visit, f"{marks}")
    ask(visit, "wahle")
    report.expect(searching.MISTAKE, comes_first(visit, "whale"), visit, f"{results(visit)[:1]}")
    ask(visit, "leap -second")
    report.expect(searching.WITHOUT, wait_until(lambda: not any("real-time-of-day" in link for link in results(visit))), visit, f"{results(visit)}")
    ask(visit, "tag:typography")
    kept = wait_until(lambda: any("alphabet" in link for link in results(visit)) and not any("whale" in link for link in results(visit)))
    report.expect(searching.WITHOUT, kept, f"{visit} of a tag", f"{results(visit)}")
    ask(visit, "<img src=x onerror=alert(1)>")
    report.expect(searching.NOTHING, not window.all("main img[src=x]"), visit, "what is typed became an element")
    ask(visit, "zzxqj")
    report.expect(searching.NOTHING, wait_until(lambda: not results(visit)), visit, f"{results(visit)}")
    query, slug = searching.QUERIES[1]
    ask(visit, query)
    comes_first(visit, slug)
    report.expect(searching.ADDRESS, wait_until(lambda: set(query.split()) <= set(searching.words_of_address(window.driver.current_url))), visit, window.driver.current_url)
    for width in (320, *layout.PICTURED):
        window.show(width)
        report.expect_none(WIDTHS, window.evaluate(layout.OVERFLOW), f"{visit} with results at {width}")
    window.show(390)
    axe(visit, window, "light", report)
    window.picture(f"{visit.site}/{visit.page.name}-results")
    window.driver.refresh()
    report.expect(searching.ADDRESS, comes_first(visit, slug), visit, "no answer after loading again")
    # The post number comes with the text around the words.
    first = "() => [...document.querySelectorAll('main a[href]')].find(link => link.href.includes('#post-'))"
    if report.expect(searching.RESULT, wait_until(lambda: window.evaluate(f"() => !!({first})()")), visit, "no result names a post"):
        link = window.evaluate(first)
        address = link.get_attribute("href")
        link.send_keys(Keys.ENTER)
        report.expect(searching.RESULT, wait_until(lambda: urldefrag(window.driver.current_url).fragment == urldefrag(address).fragment and window.all(":target")), visit, window.driver.current_url)
        seen = "() => { const box = document.querySelector(':target')?.getBoundingClientRect(); return !!box && box.top < innerHeight && box.bottom > 0 }"
        report.expect(searching.RESULT, wait_until(lambda: window.evaluate(seen)), visit, "the post is not in the window")


def check_choices(visit: Visit, report: Report) -> None:
    """A selected scheme and size, on this page and on the next."""
    window = visit.light
    window.show(390)
    window.load(visit.url)
    usual = window.evaluate(f"() => {look.GROUND}")
    window.all(".look summary")[0].send_keys(Keys.ENTER)
    report.expect(look.CHOSEN, wait_until(lambda: window.all(".look[open]"), 5), visit, "it does not open")
    for position in (2, 5):
        window.all(".look button")[position].send_keys(Keys.ENTER)
    expected = "dark 18.72px dark 117 auto on"

    def now() -> str:
        # It counts in 64ths of a pixel.
        return re.sub(r"\d+\.\d+", lambda number: f"{float(number.group()):.2f}", window.evaluate(look.NOW))

    report.expect(look.CHOSEN, wait_until(lambda: now() == expected, 5), visit, now())
    report.expect(look.CHOSEN, window.evaluate(f"() => {look.GROUND}") != usual, visit, "the ground is as it was")
    report.expect_none(look.CHOSEN, window.evaluate(look.BOX), visit)
    window.picture(f"{visit.site}/chosen")
    window.load(visit.home + "archive/")
    report.expect(look.CHOSEN, now() == expected, f"{visit.site}/archive", now())
    # The next site is on another port, where nothing is selected.


def check_preview(window: Window, binary: Path, report: Report) -> None:
    site = preview.Site()
    sheet = (sites.ROOT / "themes" / "paper" / "static" / "style.css").read_text("utf-8")
    with preview.serving(binary, site) as home:
        window.show(820)
        window.driver.get(f"{home}below/{site.page}")

        def expect(claim: str, where: str, holds: Callable[[], object]) -> None:
            report.expect(claim, wait_until(holds), where, "it never came")

        def words() -> str:
            return window.texts("main")[0]

        site.write(preview.THREAD, preview.thread("The first words of a thread, changed."))
        expect(preview.FOLLOWS, "a thread", lambda: "words of a thread, changed." in words())
        site.write("site.yml", preview.CONFIG.format(title="Two"))
        expect(preview.FOLLOWS, "a setting", lambda: window.driver.title.endswith("Two"))
        window.evaluate("() => { window.mark = 1 }")
        site.write("themes/paper/static/style.css", f"{sheet}\nmain {{ outline: 5px solid }}")
        expect(preview.STYLES, "a style sheet", lambda: window.evaluate("() => getComputedStyle(document.querySelector('main')).outlineWidth") == "5px")
        report.expect(preview.STYLES, window.evaluate("() => window.mark") == 1, "a style sheet", "the page was loaded again")
        site.write("site.yml", preview.CONFIG.format(title="Two") + "tilte: Three\n")
        expect(preview.MISTAKES, "site.yml", lambda: window.all("threadsite-messages"))
        window.picture("preview-mistake")
        site.write("site.yml", preview.CONFIG.format(title="Three"))
        expect(preview.MISTAKES, "site.yml, mended", lambda: not window.all("threadsite-messages") and window.driver.title.endswith("Three"))
        window.driver.get("about:blank")


def chosen(site: str, folder: Path) -> list[SitePage]:
    """The largest threads, and those with folded or blurred content."""
    pages = pages_to_visit(folder, 1)
    files = {page.file for page in pages}
    threads = [page for page in pages_to_visit(folder) if page.kind == "thread" and page.file not in files]
    return pages + [page for page in threads if re.search('class="(warning|sensitive)"', page.file.read_text("utf-8"))]


def look_at(job: tuple[str, Path, str, SitePage]) -> Report:
    site, folder, home, page = job
    report = Report()
    where = f"{site}/{page.name}"
    try:
        visit = Visit(*start(), page, home, folder, site)
        check_page(visit, report)
        if page.kind == "search":
            check_search(visit, report)
        if page.kind == "home":
            check_choices(visit, report)
            visit.light.evaluate("() => localStorage.clear()")
        report.expect(BROKE, True, where)
    except ENDS as error:
        report.expect(BROKE, False, where, str(error).partition("\n")[0][:300])
        stop()
    return report


def check(binary: Path) -> Report:
    report = Report()
    if not programs():
        for claim in CLAIMS:
            report.skip(claim, "there is no WebKitGTK with a driver; Debian has it in webkit2gtk-driver, and a display in xvfb")
        return report
    from .sections import pool

    found = Report()
    count = 0
    names = [*sites.themes(), "paper-ar"]
    folders = {site: sites.build_sample(binary, site) for site in names}
    with ExitStack() as servers, pool(prepare_worker) as workers:
        jobs = []
        for site in names:
            home = servers.enter_context(serving(folders[site]))
            jobs += [(site, folders[site], home, page) for page in chosen(site, folders[site])]
        # The longest first, so that no worker has a long one at the end.
        jobs.sort(key=lambda job: job[3].kind != "search")
        for part in workers.imap_unordered(look_at, jobs):
            found.add(part)
            count += 1
    try:
        check_preview(start()[0], binary, found)
        found.expect(BROKE, True, "the preview")
    except ENDS as error:
        found.expect(BROKE, False, "the preview", str(error).partition("\n")[0][:300])
    finally:
        stop()
    for claim, seen in found.claims.items():
        report.claims[f"webkit, {claim}"] = seen
    report.require(CLAIMS)
    print(f"{SITE}: {count} pages")
    return report


# CSS that is added to the style sheet, the kind of page that it affects, and the claim that should fail.
BREAKAGES = (
    ("main { min-width: 330px }", "home", WIDTHS),
    ("@media (prefers-color-scheme: dark) { main p { color: #444 !important } }", "home", AXE),
    ("body { background: #fff !important; color: #000 !important }", "home", SCHEMES),
    (
        "main li a { display: inline-block !important; font-size: 6px !important; line-height: 1 !important; padding: 0 !important } main li { padding: 0 !important; margin: 0 !important; font-size: 6px !important; line-height: 1 !important } main ul { gap: 0 !important }",
        "tags", TARGETS,
    ),
    (".large { transform: translateX(40px) }", "thread", LARGE),
    (".sensitive input { display: block }", "thread", FOLDED),
    (".look[hidden] { display: block !important }", "home", without_script.NOTHING),
)


def try_it(binary: Path) -> list[str]:
    """Checks whether a faulty style sheet is noticed."""
    if not programs():
        return []
    sound = sites.build_sample(binary, "paper")
    missed = []
    try:
        for css, kind, claim in BREAKAGES:
            with tempfile.TemporaryDirectory() as scratch:
                folder = Path(scratch, "site")
                shutil.copytree(sound, folder)
                sheet = next(folder.glob("assets/style.*.css"))
                sheet.write_text(f"{sheet.read_text('utf-8')}\n{css}", "utf-8")
                pages = [page for page in pages_to_visit(folder) if page.kind == kind]
                # The thread with every kind of openable content.
                page = next((page for page in pages if all(f'class="{name}"' in page.file.read_text("utf-8") for name in ("large", "sensitive"))), pages[0])
                report = Report()
                with serving(folder) as home:
                    check_page(Visit(*start(), page, home, folder, "paper"), report)
            if claim not in report.failures:
                missed.append(f"webkit, {claim}: {css} {report.failures}")
    finally:
        stop()
    return missed
