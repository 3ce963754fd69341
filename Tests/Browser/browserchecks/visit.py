"""An open page in the browser, and the problems found while it loaded."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from .pages import SitePage

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}
# Smaller shifts are ignored; 0.1 counts as good. On a busy machine, a page is painted while its header is still being read. Text at the end of
# a line and entries of a centered menu then move: by 0.0032 in the largest case seen.
LEAST_SHIFT = 0.01
# The longest wait in milliseconds: ten times as long as a slow machine needs for successful checks.
PATIENCE = 60_000
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

# Runs before any script of the page. A policy does not apply to it, so it sees the policy's violations.
WATCH = """
window.watched = { violations: [], shifts: [] };
document.addEventListener('securitypolicyviolation', event =>
  watched.violations.push(`${event.violatedDirective} forbids ${event.blockedURI}`));
if (PerformanceObserver.supportedEntryTypes.includes('layout-shift')) new PerformanceObserver(list => {
  for (const shift of list.getEntries())
    watched.shifts.push({
      value: shift.value,
      what: shift.sources.map(source => source.node?.nodeName + '.' + (source.node?.className ?? '')).join(', '),
    });
}).observe({ type: 'layout-shift', buffered: true });
"""

# Scrolls to the end and back to load lazy content, then waits two frames for the layout.
SCROLL_THROUGH = """
async () => {
  const frame = () => new Promise(requestAnimationFrame);
  document.documentElement.style.scrollBehavior = 'auto';
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) { scrollTo(0, y); await frame(); }
  const ended = image => new Promise(done => { image.onload = image.onerror = done; if (image.complete) done(); })
    .then(() => image.decode()).catch(() => {});
  await Promise.all([...document.images].filter(image => image.getClientRects().length).map(ended));
  await frame(); await frame();
  scrollTo(0, 0);
  document.documentElement.style.removeProperty('scroll-behavior');
  if (!document.documentElement.getAttribute('style')) document.documentElement.removeAttribute('style');
  await frame();
}
"""

# Whether the script of the reading controls has run. The page requests it at its first frame.
READY = "() => !document.querySelector('script[data-src]') || document.querySelector('.look [aria-pressed=true]') !== null"

# Renders content that is far below the window, too. Until then it has no text and no valid position.
RENDER_ALL = """
  const rendered = new CSSStyleSheet();
  rendered.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets.push(rendered);
"""


def browser_path() -> str:
    named = os.environ.get("THREADSITE_BROWSER")
    for candidate in [named] if named else BROWSERS:
        found = shutil.which(candidate)
        if found:
            return found
    raise SystemExit(f"no browser: {named or ', '.join(BROWSERS)} not found. THREADSITE_BROWSER may name one.")


def launch(playwright: Playwright) -> Browser:
    """The browser, which can reach only loopback."""
    return playwright.chromium.launch(
        executable_path=browser_path(), args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    )


@dataclass
class Traffic:
    """The browser's messages and requests."""

    messages: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """Parts of messages that the checks themselves cause."""

    def watch(self, page: Page, home: str, expected_missing: str | None) -> None:
        """`expected_missing` is the URL whose response should be the 404 page."""
        own = urlsplit(home).netloc

        def said(message) -> None:
            missing = expected_missing and message.location.get("url") == expected_missing
            if message.type in ("error", "warning") and not missing:
                self.messages.append(f"{message.type}: {message.text}")

        def asked(request) -> None:
            self.requests.append(request.url)
            if urlsplit(request.url).scheme != "data" and urlsplit(request.url).netloc != own:
                self.hosts.append(request.url)

        def answered(response) -> None:
            if response.status >= 400 and response.url != expected_missing:
                self.failures.append(f"{response.status} {response.url}")

        def failed(request) -> None:
            # The browser itself cancels requests: for the rest of a video, for the image of a removed search result, and for everything
            # that is still loading (such as the icon) when it leaves a page. A request that the server breaks off or a policy forbids has
            # another error.
            if request.failure not in ("net::ERR_ABORTED", "NS_BINDING_ABORTED"):
                self.failures.append(f"{request.failure} {request.url}")

        def failed_script(error) -> None:
            if not any(part in str(error) for part in self.ignored):
                self.messages.append(f"uncaught: {error}")

        page.on("console", said)
        page.on("pageerror", failed_script)
        page.on("request", asked)
        page.on("response", answered)
        page.on("requestfailed", failed)


def load(page: Page, url: str) -> None:
    """Loads a page and the script of its reading controls."""
    page.goto(url, wait_until="load")
    wait_until_ready(page)


def wait_until_ready(page: Page) -> None:
    """Waits for the script of the reading controls. If it never runs, the claims about it fail."""
    end = time.monotonic() + PATIENCE / 4000
    while not page.evaluate(READY) and time.monotonic() < end:
        page.wait_for_timeout(10)


@dataclass
class Visit:
    browser: Browser
    context: BrowserContext
    page: Page
    site_page: SitePage
    home: str
    """The URL of the site's home page, with a slash at the end."""
    folder: Path
    theme: str
    traffic: Traffic

    def __str__(self) -> str:
        return f"{self.theme}/{self.site_page.name}"

    @property
    def url(self) -> str:
        return self.home + self.site_page.address

    def open(self, lazy: bool = False) -> None:
        """Loads the whole page; content far below the window may be missing if it is not needed."""
        load(self.page, self.url)
        if not lazy:
            self.page.evaluate(SCROLL_THROUGH)

    def wait_until(self, holds: Callable[[], object]) -> bool:
        """Evaluates repeatedly until the condition holds or the time limit ends."""
        end = time.monotonic() + PATIENCE / 1000
        while not holds():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(30)
        return True

    def show(self, width: int, height: int = 900, scheme: str | None = None) -> None:
        if scheme:
            self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size({"width": width, "height": height})

    @contextmanager
    def looking(self):
        """While a check's own script runs in the page, its policy violations are not the page's."""
        yield

    @property
    def shifts(self) -> list[str]:
        return [f"{shift['value']:.4f} of {shift['what'] or 'something'}" for shift in self.page.evaluate("watched.shifts") if shift["value"] >= LEAST_SHIFT]

    @property
    def violations(self) -> list[str]:
        return self.page.evaluate("watched.violations")


@contextmanager
def visiting(browser: Browser, site_page: SitePage, home: str, folder: Path, theme: str):
    """A page in a new window with the size of a phone, in the light scheme."""
    context = browser.new_context(viewport=PHONE, color_scheme="light", locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    page = context.new_page()
    visit = Visit(browser, context, page, site_page, home, folder, theme, Traffic())
    visit.traffic.watch(page, home, visit.url if site_page.kind == "not-found" else None)
    try:
        visit.open()
        yield visit
    finally:
        context.close()
