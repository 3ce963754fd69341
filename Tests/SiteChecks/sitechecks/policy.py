"""The Content-Security-Policy of every page, and whether the page follows it."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
from urllib.parse import urlsplit

from .report import Report
from .site import Page, Site
from .structured import LD
from .tree import Element

SECTION = "policy"
# Elements that a reading page does not need.
UNWANTED = ("iframe", "object", "embed", "applet", "base", "form", "style", "frame", "portal", "template")


def directives(policy: str) -> dict[str, list[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {part[0].lower(): part[1:] for part in parts}


def subresources(page: Page):
    """The resources that a browser loads with the page: the element, the directive that applies to it, the URL."""
    for element, name, address in page.addresses():
        directive = directive_of(element, name)
        if directive:
            yield element, directive, site_url(page, address)


def site_url(page: Page, address: str) -> str:
    return page.site.resolve(page, address)


def directive_of(element: Element, attribute: str) -> str | None:
    if attribute == "poster":
        return "img-src"
    if attribute == "data-src" and element.name == "script":
        return "script-src"
    if attribute in ("src", "srcset"):
        inside_picture = element.parent is not None and element.parent.name == "picture"
        if element.name == "img" or inside_picture:
            return "img-src"
        return {"script": "script-src", "video": "media-src", "audio": "media-src", "source": "media-src", "track": "media-src"}.get(element.name, "default-src")
    if element.name == "link" and attribute == "href":
        relations = element.words("rel")
        if "stylesheet" in relations:
            return "style-src"
        if {"icon", "apple-touch-icon"} & set(relations):
            return "img-src"
        if "manifest" in relations:
            return "manifest-src"
        if "preload" in relations and element.get("as") == "style":
            return "style-src"
        if {"preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch"} & set(relations):
            return "default-src"
    return None


def allows(sources: list[str], url: str, base_url: str) -> bool:
    parts, base = urlsplit(url), urlsplit(base_url)
    if (parts.scheme, parts.netloc) == (base.scheme, base.netloc):
        return "'self'" in sources
    return f"{parts.scheme}://{parts.netloc.lower()}" in [source.lower() for source in sources]


def is_search(page: Page) -> bool:
    """The only page with a form, and with a script of the site."""
    return page.path == "search/index.html"


def elements_before_policy(page: Page) -> list[Element]:
    """The elements of the head that the policy does not govern, because they precede it; all of them if there is no policy."""
    elements = page.tree.all("head")[0].all("meta", "link", "script", "style", "base")
    return list(itertools.takewhile(lambda element: (element.get("http-equiv") or "").lower() != "content-security-policy", elements))


def is_request_for_style_sheet(element: Element, page: Page) -> bool:
    """Whether an element only requests the site's style sheet, which applies through a link after the policy. A request applies no styles."""
    is_request = element.name == "link" and element.get("rel") == "preload" and element.get("as") == "style"
    sheets = [link.get("href") for link in page.tree.all("link") if link.get("rel") == "stylesheet"]
    return is_request and element.get("href") in sheets and urlsplit(element.get("href") or "").netloc == ""


# The file of the look, which is the same on all pages.
LOOK = re.compile(r"(?:(?:\.\./|\./)*|/(?:[^/?#:]+/)*)assets/look\.[0-9a-f]+\.js")
# The pages with another script, and the beginning of the script's path.
SCRIPTS = {"search/index.html": "../assets/search.", "index.html": "./assets/wander."}


def check(site: Site, report: Report) -> None:
    with report.claim(SECTION, "one policy that starts from nothing, before anything except the request for the page's style sheet") as claim:
        for page in site.pages:
            found = page.metas("http-equiv", "content-security-policy")
            if claim.expect(len(found) == 1, page, f"{len(found)} policies"):
                rules = directives(found[0])
                claim.expect(rules.get("default-src") == ["'none'"], page, "default-src is not 'none'")
                forms = ["'self'"] if is_search(page) else ["'none'"]
                claim.expect(rules.get("base-uri") == ["'none'"], page, "base-uri is not 'none'")
                claim.expect(rules.get("form-action") == forms, page, f"form-action is not {forms[0]}")
                before = elements_before_policy(page)
                unwanted = [element.name for element in before if element.name != "meta" and not is_request_for_style_sheet(element, page)]
                claim.expect(len(before) < 4 and not unwanted, page, f"before the policy: {[element.name for element in before[:4]]}")
    with report.claim(SECTION, "it allows neither inline code, nor eval, nor every host") as claim:
        for page in site.pages:
            sources = [source for rule in directives("".join(page.metas("http-equiv", "content-security-policy"))).values() for source in rule]
            wrong = [source for source in sources if "unsafe" in source or "*" in source or source in ("data:", "blob:", "http:", "https:")]
            claim.expect(sources and not wrong, page, str(wrong))
    with report.claim(SECTION, "it names no host that the page does not load from") as claim:
        for page in site.pages:
            rules = directives("".join(page.metas("http-equiv", "content-security-policy")))
            hosts = {source for rule in rules.values() for source in rule if "://" in source}
            used = {f"{urlsplit(url).scheme}://{urlsplit(url).netloc}" for _, _, url in subresources(page)}
            claim.expect(hosts <= used, page, str(sorted(hosts - used)))
    with report.claim(SECTION, "everything that a page loads is allowed, and comes over https") as claim:
        for page in site.pages:
            rules = directives("".join(page.metas("http-equiv", "content-security-policy")))
            for element, directive, url in subresources(page):
                sources = rules.get(directive, rules.get("default-src", []))
                claim.expect(allows(sources, url, site.base_url), page.at(element), f"{directive} does not allow {url}")
                claim.expect(not url.startswith("http:") or site.base_url.startswith("http:"), page.at(element), url)
    check_code(site, report)


def digest(element: Element) -> str:
    """The content of a script as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(element.text().encode()).digest()).decode()}'"


def is_look(script: Element) -> bool:
    """Whether a script is the theme head's. It requests the file of the look after the first frame, so that the file does not delay pages."""
    return set(script.attributes) == {"data-src"} and LOOK.fullmatch(script.get("data-src") or "") is not None


def check_code(site: Site, report: Report) -> None:
    with report.claim(SECTION, "no script except JSON-LD, the theme head's and the file of the look, no inline style and no event handler") as claim:
        for page in site.pages:
            rules = directives("".join(page.metas("http-equiv", "content-security-policy")))
            named = [source for source in rules.get("script-src", []) if source.startswith("'sha")]
            # One script, the same on all pages, in a place that no text of others can precede.
            inline = [digest(element) for element in page.tree.all("head")[0].all("script") if is_look(element)]
            claim.expect(inline == named and len(named) <= 1, page, f"{inline} within, {named} allowed")
            for element in page.tree.elements():
                handlers = [name for name in element.attributes if name.startswith("on") or name in ("style", "srcdoc")]
                claim.expect(not handlers, page.at(element), f"<{element.name}> has {handlers}")
                if element.name == "script":
                    is_own = page.path in SCRIPTS and element.get("type") == "module" and (element.get("src") or "").startswith(SCRIPTS[page.path])
                    is_head = is_look(element) and element.parent is not None and element.parent.name == "head" and digest(element) in named
                    claim.expect(is_own or is_head or element.get("type") == LD and "src" not in element.attributes, page.at(element), "a script")
                claim.expect(element.name not in UNWANTED or is_search(page) and element.name == "form", page.at(element), f"<{element.name}>")
                refresh = (element.get("http-equiv") or "").lower()
                claim.expect(refresh in ("", "content-security-policy"), page.at(element), f"http-equiv={refresh}")
