"""`threadsite serve` in a browser: files of a site change, and the open page follows on its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, sync_playwright

from . import sites
from .report import Report
from .visit import DESKTOP, PATIENCE, WATCH, Traffic, launch

SITE = "preview"
FOLLOWS = "preview: the open page shows changes of a thread, a template and a setting"
STYLES = "preview: a changed style sheet is replaced without reloading the page"
MISTAKES = "preview: an error is shown over the page with its file and line until it is fixed"
FIRST = "preview: after a failed first build, a page shows the error and waits until it is fixed"
POLICY = "preview: the policies of the page and the server are in force and not violated"
QUIET = "preview: no error or warning in the console, no request to another host"
CLEAN = "preview: no file of the site contains the preview's additions to pages"
CLAIMS = (FOLLOWS, STYLES, MISTAKES, FIRST, POLICY, QUIET, CLEAN)

ID, HANDLE = "1500000000000000000", "ada"
CONFIG = "title: {title}\nlanguage: en\ntheme: paper\ntimezone: UTC\nmedia: none\nbase_url: https://ada.example/below/\n"
THREAD = Path("threads", "x", HANDLE, f"{ID}.json")


def thread(text: str) -> str:
    post = {
        "author_id": "7", "conversation_id": ID, "created_at": "2024-01-01T00:00:00.000Z", "id": ID, "observed_at": "2024-03-02T07:00:00Z",
        "text": text, "url": f"https://x.com/{HANDLE}/status/{ID}",
    }
    second = post | {"id": str(int(ID) + 1), "text": "And more.", "in_reply_to": ID, "in_reply_to_author": "7"}
    return json.dumps({
        "author_id": "7", "authors": [{"handle": HANDLE, "id": "7", "name": "Ada", "url": f"https://x.com/{HANDLE}"}], "format": 1, "id": ID,
        "platform": "x", "posts": [post, second], "provenance": [{"fetched_at": "2024-03-02T07:00:00Z", "source": "x-api"}],
    }, sort_keys=True)


class Site:
    """A site that is being edited."""

    def __init__(self) -> None:
        self.folder = sites.WORK / "sites" / SITE
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.write("site.yml", CONFIG.format(title="One"))
        self.write(THREAD, thread("The first words of a thread."))

    def write(self, name: str | Path, text: str) -> None:
        """As many editors save: writes a temporary file and then replaces the file."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.tmp")
        beside.write_text(text, "utf-8")
        beside.replace(file)

    @property
    def page(self) -> str:
        """The thread's URL below the home page."""
        built = self.folder / ".threadsite" / "preview" / "site"
        return next(file.parent.relative_to(built).as_posix() for file in (built / "x" / HANDLE).glob("*/index.html")) + "/"


@contextmanager
def serving(binary: Path, site: Site):
    """Runs `threadsite serve`; yields the URL of the site's host, and reports how the program ended."""
    log = sites.WORK / "preview.log"
    environment = {**os.environ, "THREADSITE_SHARE": str(sites.ROOT)}
    with log.open("w") as errors:
        process = subprocess.Popen(
            [str(binary), "serve", "--port", "0"], cwd=site.folder, env=environment, stdin=subprocess.DEVNULL, stderr=errors
        )
    try:
        end = time.monotonic() + PATIENCE / 1000
        while not (address := re.search(r"http://127\.0\.0\.1:\d+/", log.read_text("utf-8"))):
            if time.monotonic() > end or process.poll() is not None:
                raise SystemExit(f"threadsite serve does not serve: {log.read_text('utf-8')}")
            time.sleep(0.02)
        yield address.group()
        process.send_signal(signal.SIGINT)
        if process.wait(30) != 0:
            raise SystemExit(f"threadsite serve ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


def comes(page: Page, holds: Callable[[], object], patience: float) -> bool:
    """Whether a condition becomes true; a reloading page is queried again."""
    end = time.monotonic() + patience
    while True:
        try:
            if holds():
                return True
        except Error:
            pass  # What was asked for is not there yet, or the page that was asked is there no more.
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(20)


# Every policy forbids an event handler in an attribute. Returns the number of policies.
PROBE = """
() => new Promise(done => {
  let policies = 0;
  document.addEventListener('securitypolicyviolation', () => { if (++policies === 2) done(policies) });
  setTimeout(() => done(policies), 5_000);
  document.createElement('p').setAttribute('style', 'color: red');
})
"""


def look(browser: Browser, binary: Path, report: Report, patience: float = PATIENCE / 1000, broken: Callable[[str], str] | None = None) -> None:
    """`broken` changes the script that updates pages."""
    site = Site()
    context = browser.new_context(viewport=DESKTOP, color_scheme="light", locale="en-GB")
    context.set_default_timeout(patience * 1000)
    context.add_init_script(WATCH)
    page = context.new_page()
    if broken:
        def change(route) -> None:
            answer = route.fetch()
            changed = broken(answer.text())
            assert changed != answer.text(), "the script does not hold what should be broken"
            route.fulfill(response=answer, body=changed)

        context.route("**/.threadsite/reload.js*", change)
    try:
        with serving(binary, site) as home:
            traffic = Traffic()
            traffic.watch(page, home, None)
            follow(page, site, home, traffic, report, patience)
        site = Site()
        site.write("site.yml", "tilte: One\n")
        with serving(binary, site) as home:
            wait_for_first(page, site, home, report, patience)
    finally:
        context.close()


def violations(page: Page, report: Report, where: str) -> None:
    report.expect_none(POLICY, page.evaluate("watched.violations"), where)


def follow(page: Page, site: Site, home: str, traffic: Traffic, report: Report, patience: float) -> None:
    sheets = sites.ROOT / "themes" / "paper" / "static" / "style.css"
    template = (sites.ROOT / "templates" / "text.mustache").read_text("utf-8")
    main = page.locator("main")
    message = page.locator("threadsite-messages pre")

    # `/` redirects to the path of the site.
    page.goto(home, wait_until="load")
    report.expect(FOLLOWS, page.url == f"{home}below/", "the home page", page.url)
    page.goto(f"{home}below/{site.page}", wait_until="load")
    violations(page, report, "the thread's page")

    def expect(claim: str, where: str, holds: Callable[[], object]) -> None:
        report.expect(claim, comes(page, holds, patience), where, "it never came")

    site.write(THREAD, thread("The first words of a thread, changed."))
    expect(FOLLOWS, "a thread", lambda: "words of a thread, changed." in main.inner_text())
    violations(page, report, "after a thread")
    site.write("templates/text.mustache", template.replace("{{{text}}}", "{{{text}}}\n\nA word of the template's."))
    expect(FOLLOWS, "a template", lambda: "A word of the template" in main.inner_text())
    site.write("site.yml", CONFIG.format(title="Two"))
    expect(FOLLOWS, "a setting", lambda: page.title().endswith("Two"))

    # Twice: a replaced style sheet is replaced again.
    page.evaluate("window.mark = 1")
    for width in (5, 7):
        site.write("themes/paper/static/style.css", f"{sheets.read_text('utf-8')}\nmain {{ outline: {width}px solid }}")
        expect(STYLES, f"{width} pixels", lambda: page.evaluate("getComputedStyle(document.querySelector('main')).outlineWidth") == f"{width}px")
        report.expect(STYLES, page.evaluate("window.mark") == 1, f"{width} pixels", "the page was loaded again")
        report.expect(STYLES, comes(page, lambda: page.locator("link[rel=stylesheet]").count() == 1, patience), f"{width} pixels", "the old one is still there")

    mistakes = [
        ("site.yml", CONFIG.format(title="Two") + "tilte: Three\n", "site.yml:7:1: error: tilte:", CONFIG.format(title="Three")),
        ("templates/text.mustache", "{{#open}}", "templates/text.mustache:1:", template),
        (str(THREAD), "{", f"{THREAD}:1:2: error:", thread("The last words of a thread.")),
    ]
    for name, wrong, words, mended in mistakes:
        title = page.title()
        site.write(name, wrong)
        expect(MISTAKES, name, lambda: words in message.inner_text(timeout=1000) if message.count() else False)
        box = message.bounding_box() if message.count() else None
        report.expect(MISTAKES, box and box["y"] + box["height"] <= DESKTOP["height"] and box["width"] > 600, name, f"it is not where it is seen: {box}")
        report.expect(MISTAKES, page.title() == title and main.is_visible(), name, "the page below has changed")
        # A newly opened page also shows it.
        page.reload(wait_until="load")
        expect(MISTAKES, f"{name}, loaded again", lambda: words in message.inner_text(timeout=1000) if message.count() else False)
        violations(page, report, name)
        site.write(name, mended)
        expect(MISTAKES, f"{name}, mended", lambda: message.count() == 0 and page.title().endswith("Three") and main.is_visible())
    expect(MISTAKES, "the page, mended", lambda: "The last words" in main.inner_text())

    violations(page, report, "in the end")
    report.expect_none(QUIET, traffic.messages, "the console")
    report.expect_none(QUIET, traffic.hosts, "requests")
    policies = page.evaluate(PROBE)
    report.expect(POLICY, policies == 2, "the thread's page", f"{policies} policies instead of the page's and the server's")
    built = site.folder / ".threadsite" / "preview" / "site"
    added = [str(file) for file in built.rglob("*.html") if "reload.js" in file.read_text("utf-8")]
    report.expect_none(CLEAN, added, "the preview's folder")
    report.expect(CLEAN, not (site.folder / "site").exists(), "the output folder", "it was written to")


def wait_for_first(page: Page, site: Site, home: str, report: Report, patience: float) -> None:
    page.goto(f"{home}below/", wait_until="load")
    text = page.locator("body")
    said = "site.yml:1:1: error: tilte:"
    report.expect(FIRST, said in text.inner_text(), "a site that was never built", "the page does not say what is wrong")
    site.write("site.yml", "title: One\nlanguage: en\ntehme: paper\n")
    changed = comes(page, lambda: "site.yml:3:1: error: tehme:" in page.locator("threadsite-messages pre").inner_text(timeout=1000), patience)
    report.expect(FIRST, changed, "another mistake", "it never came")
    site.write("site.yml", CONFIG.format(title="One"))
    report.expect(FIRST, comes(page, lambda: page.title() == "One" and page.locator("main").is_visible(), patience), "mended", "the site never came")


def check(binary: Path) -> Report:
    report = Report()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        try:
            look(browser, binary, report)
        finally:
            browser.close()
    report.require(CLAIMS)
    print(f"{SITE}: a site that is worked on")
    return report


# The broken code in the script, and the claims that should fail.
BREAKAGES: tuple[tuple[Callable[[str], str], tuple[str, ...]], ...] = (
    (lambda text: text.replace("return location.reload();\n    }\n    show", "return;\n    }\n    show"), (FOLLOWS, FIRST)),
    (lambda text: text.replace("          exchangeStyles();", "location.reload();"), (STYLES,)),
    (lambda text: text.replace("link.after(next);", ""), (STYLES,)),
    (lambda text: text.replace("show(state.messages);", ""), (MISTAKES,)),
    (lambda text: text.replace("shown?.remove();", ""), (FIRST,)),
    (lambda text: text.replace("root.adoptedStyleSheets = [sheet];", "root.innerHTML = '<style>section { color: red }</style>';"), (MISTAKES, POLICY, QUIET)),
    (lambda text: text + "\nfetch('https://elsewhere.example/');", (POLICY, QUIET)),
)


def try_it(binary: Path) -> list[str]:
    """Checks whether a faulty script is noticed."""
    missed = []
    with sync_playwright() as playwright:
        browser = launch(playwright)
        try:
            for number, (broken, claims) in enumerate(BREAKAGES):
                report = Report()
                look(browser, binary, report, patience=4, broken=broken)
                missed += [f"{claim}: breakage {number}" for claim in claims if claim not in report.failures]
        finally:
            browser.close()
    return missed
