"""Script injection payloads in every text that a network controls. The pages have no Content-Security-Policy, so the test shows whether
the pages themselves are safe.

There is no list of allowed content. A second site has the same threads with harmless words in the same places. An element or attribute
that exists only on the site of payloads was produced by a payload.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import time
from multiprocessing.pool import Pool
from pathlib import Path
from urllib.parse import quote, urlsplit

from playwright.sync_api import Error, Page

from . import hostile, sites
from .loading import head_script
from .report import Report
from .sections import browser, pool
from .server import serving
from .visit import PATIENCE, PHONE

SITE = "payloads"
RUNS = "payloads: no script of a post runs without a policy"
MARKUP = "payloads: only elements and attributes that harmless words also have"
ADDRESSES = "payloads: URLs lead only to the web, to mail and to the site"
REQUESTS = "payloads: only images and videos are requested from other hosts"
LISTED = "payloads: those of OWASP's list are in every text of a post"
FOUND = "payloads: the search shows them unchanged"
CLAIMS = (LISTED, RUNS, MARKUP, ADDRESSES, REQUESTS, FOUND)

# Words in place of payloads: single lines and several, left-to-right and right-to-left, with and without linked URLs.
HARMLESS = ["harmless", "two words", "two\nlines", "two\n\nparagraphs", " - begins like a list", "https://harmless.example/", "https://harmless.example/a?b=c&d#e", "mailto:a@harmless.example", "שלום",
            "مرحبا\nhttps://harmless.example/", "A\u0301 🧵 ﬃ", "&amp; <", "#harmless", "@harmless", "$HARM", "1. one\n2. two", "x" * 400, "example.com/a"]
FIRST_ID = 1_600_000_000_000_000_000
KINDS = ("photo", "photo", "video", "animated_gif")
# The packages have thousands of payloads, most of them variations. This many are selected evenly, a few per thread.
SPREAD = 100
TOGETHER = 10
# Payloads that could become markup or a URL.
DANGER = re.compile(r"[<>\"'`]|script:|&#|on\w+\s*=")
# The number of tag pages to check, in the main theme and in the others. There are as many tag pages as payloads.
TAGS = (60, 12)
# The number of pages that a worker takes at a time.
LOT = 12


def text(payload: str) -> dict[str, object]:
    """The payload as words, then as every kind of text entity."""
    words = f"hostile {payload}\n\n{payload} "
    entities = []
    kinds = ({"type": "link", "url": payload, "short_url": payload}, {"type": "link", "url": f"https://harmless.example/{payload}"}, {"type": "mention", "handle": payload, "url": payload},
             {"type": "hashtag", "tag": payload, "url": payload}, {"type": "cashtag", "symbol": payload, "url": payload}, {"type": "emoji", "shortcode": payload, "url": payload},
             {"type": "emoji", "shortcode": payload, "url": f"https://harmless.example/{payload}"})
    for kind in kinds if payload else ():
        entities.append({**kind, "start": len(words), "end": len(words) + len(payload)})
        words += f"{payload} | "
    return {"text": words, "entities": entities}


def author(number: str, payload: str) -> dict[str, object]:
    bio = text(payload)
    return {"id": number, "handle": payload, "name": payload, "url": payload, "avatar_url": payload, "bio": bio["text"], "bio_entities": bio["entities"], "location": payload, "website": payload, "followers": 3}


def media(payload: str) -> list[dict[str, object]]:
    return [
        {"id": f"{number}", "kind": kind, "alt_text": payload, "url": address, "poster_url": address, "width": 640, "height": 480, "duration_ms": 1000,
         "variants": [{"url": address, "content_type": "video/mp4"}, {"url": payload, "content_type": payload}]}
        for number, (kind, address) in enumerate(zip(KINDS, (f"https://harmless.example/{payload}", payload, f"https://harmless.example/a.mp4?{payload}", payload)))
    ]


def post(number: int, by: str, conversation: int, payload: str, **more: object) -> dict[str, object]:
    values = {
        "id": str(number), "author_id": by, "conversation_id": str(conversation), "created_at": "2024-01-01T00:00:00.000Z", "observed_at": "2024-03-02T07:00:00Z", "url": payload, "title": payload,
        "language": payload[:20] or "en", "content_warning": payload, "withheld": {"countries": [payload], "notice": payload}, **text(payload), **more,
    }
    return {name: value for name, value in values.items() if value is not None}


def conversation(number: int, payloads: list[str]) -> tuple[str, dict[str, object], dict[str, object]]:
    """A thread of these payloads in the store's format, with its ID and its author's profile. Each post contains one payload in all its
    texts."""
    first = FIRST_ID + number * 10_000
    own = str(7_000_000 + number * 1000)
    posts, related, tombstones, authors = [], [], [], [author(own, payloads[0])]
    for index, payload in enumerate(payloads):
        place = first + index * 100
        other = str(int(own) + index + 1)
        authors.append(author(other, payload))
        poll = {"options": [{"label": payload, "votes": 1}, {"label": payload}], "status": payload}
        card = {"url": payload, "title": payload, "summary": payload, "image_url": payload}
        card_of_web = {**card, "url": f"https://harmless.example/{payload}", "image_url": f"https://harmless.example/{payload}"}
        before = {"in_reply_to": str(place - 98), "in_reply_to_author": own} if index else {}
        posts += [
            post(place, own, first, payload, **before, quotes=str(place + 10), poll=poll),
            post(place + 1, own, first, payload, in_reply_to=str(place), in_reply_to_author=own, card=card, media=media(payload), quotes=str(place + 11)),
            post(place + 2, own, first, payload, in_reply_to=str(place + 1), in_reply_to_author=own, card=card_of_web),
            # Below a deleted post, in a side branch, in another author's reply, and in the author's answer to that.
            post(place + 3, own, first, payload, in_reply_to=str(place + 12), in_reply_to_author=own, sensitive=True, media=media(payload)[:1]),
            # The search does not show text behind a warning, so one post has none.
            post(place + 4, own, first, payload, in_reply_to=str(place), in_reply_to_author=own, content_warning=None),
            post(place + 5, other, first, payload, in_reply_to=str(place), in_reply_to_author=own, media=media(payload)),
            post(place + 6, own, first, payload, in_reply_to=str(place + 5), in_reply_to_author=other),
        ]
        related.append(post(place + 10, other, place + 10, payload, poll=poll, card=card_of_web, media=media(payload)))
        tombstones += [{"id": str(place + gone), "reason": "unknown" if gone == 11 else "withheld", "detail": payload, "handle": payload, "author_id": other} for gone in (11, 12)]
    thread = {
        "format": 1, "platform": "x", "id": str(first), "author_id": own, "authors": authors, "posts": posts, "related": related, "tombstones": tombstones,
        "coverage": {"expected_posts": 1000, "limits": [payloads[0] or "x"]}, "provenance": [{"fetched_at": "2024-03-02T07:00:00Z", "source": "x-api"}],
    }
    profile = {"format": 1, "platform": "x", "author": authors[0], "followers": authors[1:4], "observed_at": "2024-03-02T07:00:00Z"}
    return str(first), thread, profile


def build(binary: Path, name: str, threads: list[list[str]], theme: str, per_page: int = 100) -> Path:
    folder = sites.WORK / "sites" / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "threads" / "x" / "mallory").mkdir(parents=True)
    (folder / "threads" / "profiles" / "x").mkdir(parents=True)
    settings = []
    for number, payloads in enumerate(threads):
        # Text that JSON cannot contain is not tested here.
        payloads = [payload.encode("utf-16", "replace").decode("utf-16", "replace") for payload in payloads]
        post, thread, profile = conversation(number, payloads)
        (folder / "threads" / "x" / "mallory" / f"{post}.json").write_text(json.dumps(thread), "utf-8")
        (folder / "threads" / "profiles" / "x" / f"{thread['author_id']}.json").write_text(json.dumps(profile), "utf-8")
        settings.append(f"  - {{ url: https://x.com/mallory/status/{post}, replies: true }}\n")
    (folder / "site.yml").write_text(
        f"title: Payloads\nbase_url: https://payloads.example/\nlanguage: en\ntheme: {theme}\ntimezone: UTC\nmedia: link\npagination: {{ per_page: {per_page} }}\nthreads:\n{''.join(settings)}", "utf-8")
    sites.build(binary, folder / "site.yml", folder / "site")
    return folder / "site"


# Every element with the names of its attributes, and every URL as the browser resolves it.
LOOK = """
() => {
  const shapes = new Set(), addresses = new Set();
  const places = ['href', 'src', 'poster', 'action', 'formaction', 'data', 'cite', 'background', 'ping', 'xlink:href'];
  for (const element of document.querySelectorAll('*')) {
    const name = element.namespaceURI === 'http://www.w3.org/1999/xhtml' ? element.localName : `${element.namespaceURI} ${element.localName}`;
    shapes.add(name);
    // A list of attributes each for itself: which of them come together depends on the words.
    for (const attribute of element.getAttributeNames()) shapes.add(`${name} ${attribute}`);
    if (element.localName === 'script') shapes.add(`script of type ${element.type}`);
    if (element.localName === 'meta') shapes.add(`meta http-equiv ${element.httpEquiv}`);
    if (element.localName === 'link') shapes.add(`link rel ${element.rel}`);
    for (const place of places) {
      if (!element.hasAttribute(place)) continue;
      let address;
      try { address = new URL(element.getAttribute(place), document.baseURI).protocol; } catch { address = 'none'; }
      if (!['http:', 'https:', 'mailto:'].includes(address)) addresses.add(`${name} ${place}: ${element.getAttribute(place).slice(0, 80)}`);
    }
    for (const candidate of (element.getAttribute('srcset') ?? '').split(',').filter(Boolean)) {
      const address = new URL(candidate.trim().split(/\\s/)[0], document.baseURI).protocol;
      if (!['http:', 'https:'].includes(address)) addresses.add(`${name} srcset: ${candidate.slice(0, 80)}`);
    }
  }
  return { shapes: [...shapes], addresses: [...addresses] };
}
"""


# The digest of the inline script in the head of every page, as the browser reports it.
HEAD = hashlib.sha256(head_script().encode()).hexdigest()


class Listener:
    """The scripts, dialogs and requests of a page without a policy."""

    def __init__(self, page: Page, home: str):
        self.scripts: list[str] = []
        self.requests: list[str] = []
        self.own = urlsplit(home).netloc
        self.isListening = True
        session = page.context.new_cdp_session(page)
        session.on("Debugger.scriptParsed", self.parsed)
        session.send("Debugger.enable")
        page.on("dialog", self.opened)
        page.on("popup", lambda popup: self.scripts.append(f"a window: {popup.url[:100]}"))
        page.on("request", self.asked)

    def parsed(self, script: dict) -> None:
        """Each script that the browser compiles: elements, handlers and script URLs. The site's own scripts are known by their files and
        by the head's inline script."""
        url = script.get("url", "")
        if script.get("hash") == HEAD:
            return
        # The driver compiles an empty script of its own.
        if self.isListening and script.get("length") and not (urlsplit(url).netloc == self.own and url.endswith(".js")):
            self.scripts.append(f"a script at {url[:100] or 'nowhere'}:{script.get('startLine')}, {script.get('length')} characters")

    def opened(self, dialog) -> None:
        self.scripts.append(f"a dialog: {dialog.message[:100]}")
        dialog.dismiss()

    def asked(self, request) -> None:
        if urlsplit(request.url).scheme in ("http", "https") and urlsplit(request.url).netloc != self.own and request.resource_type not in ("image", "media"):
            self.requests.append(f"{request.resource_type} {request.url[:100]}")


Found = dict[str, list[str]]


def look(job: tuple[str, list[str]]) -> list[tuple[str, Found]]:
    """Visits some pages of a site in order; returns their elements and the problems found."""
    home, addresses = job
    context = browser().new_context(viewport=PHONE, locale="en-GB", bypass_csp=True)
    context.set_default_timeout(PATIENCE)
    result = []
    try:
        for address in addresses:
            # A new page each time, because requests of the previous page could still arrive.
            page = context.new_page()
            listener = Listener(page, home)
            page.goto(home + address, wait_until="load")
            # From here on, requests of the check are scripts, too.
            listener.isListening = False
            if address == "search/":
                search(page)
            seen = page.evaluate(LOOK)
            result.append((address, {"scripts": listener.scripts, "requests": listener.requests, "left": [] if page.url == home + address or address == "search/" else [page.url], **seen}))
            page.close()
    except Error as error:
        result.append((addresses[len(result)], {"scripts": [], "requests": [], "left": [str(error).splitlines()[0][:200]], "shapes": [], "addresses": []}))
    finally:
        context.close()
    return result


def search(page: Page) -> None:
    """Searches for the word in all posts, and waits for all results and their excerpts."""
    page.locator("main input").first.fill("hostile")
    page.locator("#search ol > li").first.wait_for()
    while page.locator("button[data-more]:visible").count():
        before = page.locator("#search ol > li").count()
        # Uses the keyboard, because results above move the button and a click could miss it.
        page.locator("button[data-more]").press("Enter")
        page.wait_for_function("before => document.querySelectorAll('#search ol > li').length > before", arg=before)
    items = page.locator("#search ol > li")
    for number in range(items.count()):
        items.nth(number).scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.querySelectorAll('#search .p-summary')].every(summary => summary.textContent)")


def addresses(folder: Path) -> list[str]:
    """All pages, the largest first, and some tag pages."""
    files = sorted(folder.rglob("*.html"), key=lambda file: -file.stat().st_size)
    found = [quote(file.relative_to(folder).as_posix().removesuffix("index.html"), safe="/@") for file in files]
    tags = [address for address in found if address.startswith("tags/")]
    left_out = set(tags[TAGS[0 if "paper" in folder.parent.name else 1] :])
    return [address for address in found if address not in left_out]


def look_at_all(folder: Path, workers: Pool) -> dict[str, Found]:
    """The pages of a site by path."""
    with serving(folder) as home:
        pages = addresses(folder)
        # The search takes longest; the other pages are divided so that each batch has large and small ones.
        rest = [page for page in pages if page != "search/"]
        count = max(1, len(rest) // LOT)
        lots = [rest[start::count] for start in range(count)]
        jobs = [(home, lot) for lot in (["search/"], *lots) if lot]
        return dict(found for lot in workers.imap_unordered(look, jobs) for found in lot)


def judge(site: str, found: dict[str, Found], allowed: set[str], pages: int, report: Report) -> None:
    report.expect(RUNS, len(found) == pages, site, f"{pages - len(found)} of {pages} pages were not looked at")
    for address, page in found.items():
        where = f"{site}/{address}"
        report.expect_none(RUNS, page["scripts"] + [f"left for {url}" for url in page["left"]], where)
        report.expect_none(MARKUP, sorted(set(page["shapes"]) - allowed), where)
        report.expect_none(ADDRESSES, page["addresses"], where)
        report.expect_none(REQUESTS, page["requests"], where)


def grouped(texts: list[str], size: int) -> list[list[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def payloads(report: Report) -> tuple[list[str], list[str]]:
    """OWASP's payloads and those of packages. Missing ones are reported."""
    listed: list[str] = []
    if hostile.FIXTURES.is_file():
        listed = json.loads(hostile.FIXTURES.read_text("utf-8"))
        report.expect(LISTED, len(listed) >= 100, hostile.FIXTURES, f"only {len(listed)}")
    else:
        report.skip(LISTED, f"{hostile.FIXTURES} is not there")
    more = [text for package, below, keyword in hostile.PACKAGES for text in hostile.of_package(package, below, keyword) or [] if DANGER.search(text) and len(text) < 1000]
    return listed, more[:: max(1, len(more) // SPREAD)]


def shapes_of_harmless(binary: Path, theme: str, workers: Pool) -> set[str]:
    """The elements of pages with harmless posts: some words in separate threads, and all of them in one."""
    folder = build(binary, f"harmless-{theme}", [[word] for word in HARMLESS[:9]] + [HARMLESS], theme, per_page=2)
    found = look_at_all(folder, workers)
    return {shape for page in found.values() for shape in page["shapes"]}


def check(binary: Path) -> Report:
    report = Report()
    started = time.monotonic()
    listed, more = payloads(report)
    pages = 0
    with pool() as workers:
        for theme in sites.themes():
            # In one theme, each payload has a thread and is also its author's name. In the others, the same pages are rendered with other
            # templates.
            posts = grouped(listed, 1) + grouped(more, TOGETHER) if theme == "paper" else grouped(listed or more[:TOGETHER], TOGETHER)
            if not posts:
                continue
            allowed = shapes_of_harmless(binary, theme, workers)
            folder = build(binary, f"{SITE}-{theme}", posts, theme)
            found = look_at_all(folder, workers)
            judge(f"{SITE}-{theme}", found, allowed, len(addresses(folder)), report)
            report.expect(FOUND, "search/" in found, theme, "the page for searching was not looked at")
            pages += len(found)
    if not pages:
        for claim in CLAIMS:
            report.skip(claim, "no payloads are there")
    report.require(CLAIMS)
    print(f"{SITE}: {len(listed):,} and {len(more):,} payloads on {pages:,} pages in {time.monotonic() - started:.0f} seconds")
    return report


# A missing escape, an unchecked URL, and a script from elsewhere: the broken code and the claims that should fail.
BREAKAGES = (
    (lambda text: text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&#34;", '"'), (RUNS, MARKUP)),
    (lambda text: text.replace('href="https://harmless.example/', 'href="javascript:alert(1)//'), (ADDRESSES,)),
    (lambda text: text.replace("</main>", '<script src="https://elsewhere.example/x.js"></script></main>'), (MARKUP, REQUESTS)),
)


def try_it(binary: Path) -> list[str]:
    """Checks whether a missing escape is noticed."""
    missed = []
    texts = ["<img src=x onerror=alert(1)>", '" onmouseover="alert(1)', "<script>alert(1)</script>"]
    with pool() as workers:
        allowed = shapes_of_harmless(binary, "plain", workers)
        sound = build(binary, SITE, [texts], "plain")
        page = next(file for file in sound.rglob("index.html") if file.with_name("index.md").exists() and file.parent != sound)
        text = page.read_text("utf-8")
        for number, (change, claims) in enumerate(BREAKAGES):
            report = Report()
            page.write_text(change(text), "utf-8")
            judge(SITE, look_at_all(sound, workers), allowed, len(addresses(sound)), report)
            missed += [f"{claim}: breakage {number}" for claim in claims if claim not in report.failures]
        report = Report()
        page.write_text(text, "utf-8")
        judge(SITE, look_at_all(sound, workers), allowed, len(addresses(sound)), report)
        missed += [f"{claim}: fails on a sound site" for claim in report.failures]
    return missed
