"""The requests and console messages of a page while it loads, and whether anything moves."""

from __future__ import annotations

import re

from .pages import WITH_SCRIPT
from .report import Report
from .sites import ROOT, themes
from .visit import DESKTOP, PHONE, RENDER_ALL, Visit

QUIET = "loading: no error or warning in the console"
POLICY = "loading: the Content-Security-Policy is in force and not violated"
ANSWERED = "loading: no request fails"
HOSTS = "loading: no request to another host"
SCRIPTS = "loading: a reading page has no handler, and no script except the head's and the file of the look"
FONTS = "loading: fonts are the system's"
SHIFTS = "loading: nothing moves while it loads, at 390 and 1440 pixels"
PARTS = "loading: the part of a page that has arrived is where it is on the whole page"
CLAIMS = (QUIET, POLICY, ANSWERED, HOSTS, SCRIPTS, FONTS, SHIFTS, PARTS)

SCRIPTS_OF_PAGE = """
() => {
  const scripts = [...document.scripts].filter(script => !['application/ld+json', 'application/json'].includes(script.type));
  const handlers = [...document.querySelectorAll('*')].flatMap(element =>
    element.getAttributeNames().filter(name => name.startsWith('on')).map(name => `${element.localName} ${name}`));
  return [...scripts.map(script => `script ${script.src || script.textContent}`), ...handlers];
}
"""

# A policy that starts from nothing forbids a style attribute, which shows that it is in force. Returns the number of such policies.
PROBE = """
() => new Promise(done => {
  let policies = 0;
  document.addEventListener('securitypolicyviolation', () => { if (++policies === 2) done(policies) });
  setTimeout(() => done(policies), 10_000);
  document.createElement('p').setAttribute('style', 'color: red');
})
"""

# The places of the elements that are painted before their page is complete: the header, headings, and what posts consist of. The entries
# of lists are in columns of equal height, which are known only at the end.
PLACES = "() => {" + RENDER_ALL + """
  const names = '.site-header, main, h1, .thread > *, .post, .post > *';
  return [...document.querySelectorAll(names)].filter(element => element.getClientRects().length).map(element => {
    const box = element.getBoundingClientRect();
    return [`${element.localName}.${element.className}`, Math.round(box.left), Math.round(box.top + scrollY)];
  });
}
"""
# The number of parts of a page that are compared with the whole page.
MOST_PARTS = 4


def head_script() -> str:
    """The inline script in the head of every page, which belongs to the themes."""
    return (ROOT / "themes" / "paper" / "head.js").read_text("utf-8").strip()


def check(visit: Visit, report: Report) -> None:
    loads(visit, report, "390 light")
    visit.show(**DESKTOP, scheme="dark")
    visit.open()
    loads(visit, report, "1440 dark")
    if visit.site_page.kind not in WITH_SCRIPT:
        # The home page has a script that does nothing before it is used.
        own = [f"script {visit.home}assets/{name}." for name in ("look", *(["wander"] if visit.site_page.kind == "home" else []))]
        found = visit.page.evaluate(SCRIPTS_OF_PAGE)
        head = f"script {head_script()}"
        report.expect(SCRIPTS, found.count(head) == 1, visit, "the head has not the theme's script")
        report.expect_none(SCRIPTS, [text[:100] for text in found if text != head and not text.startswith(tuple(own))], visit)
    fonts = [url for url in visit.traffic.requests if url.endswith((".woff2", ".woff", ".ttf", ".otf"))]
    report.expect(FONTS, not fonts and visit.page.evaluate("document.fonts.size") == 0, visit, ", ".join(fonts))
    report.expect_none(QUIET, visit.traffic.messages, visit)
    report.expect_none(ANSWERED, visit.traffic.failures, visit)
    report.expect_none(HOSTS, visit.traffic.hosts, visit)
    if visit.theme in themes() and visit.site_page.kind not in WITH_SCRIPT:
        arrives(visit, report)
    visit.show(**PHONE, scheme="light")


def arrives(visit: Visit, report: Report) -> None:
    """Loads the page up to the end of its heading, and up to some places after it. Browsers paint such a part if the rest arrives late."""
    whole = visit.site_page.file.read_text("utf-8")
    places = visit.page.evaluate(PLACES)
    # The home page has its heading in the header.
    heading = max(whole.index("</h1>"), whole.index("<main"))
    ends = [found.end() for found in re.finditer(r"</(?:h1|p|div|figure|section|details|blockquote)>", whole) if found.start() >= heading]
    ends = ends[:: -(-len(ends) // MOST_PARTS)]
    part = ""
    visit.page.route(visit.url, lambda route: route.fulfill(body=part, content_type="text/html; charset=utf-8"))
    for end in ends:
        part = whole[:end]
        visit.open()
        pairs = zip(places, visit.page.evaluate(PLACES))
        moved = next(((before, after) for after, before in pairs if max(abs(after[1] - before[1]), abs(after[2] - before[2])) > 1), None)
        report.expect(PARTS, moved is None, visit, moved and f"{moved[0]} is later at {moved[1][1:]}, after …{whole[end - 60 : end]!r}")
    visit.page.unroute(visit.url)
    visit.open()


def loads(visit: Visit, report: Report, how: str) -> None:
    """Data that must be read before leaving the page."""
    report.expect_none(SHIFTS, visit.shifts, f"{visit} at {how}")
    report.expect_none(POLICY, visit.violations, visit)
    inline = [text for text in visit.traffic.messages if "inline style" in text]
    report.expect_none(QUIET, inline, visit)
    policies = visit.page.evaluate(PROBE)
    report.expect(POLICY, policies == 2, visit, f"{policies} policies instead of the page's and the server's")
    # The browser also reports it on the console.
    visit.traffic.messages[:] = [text for text in visit.traffic.messages if "inline style" not in text]
