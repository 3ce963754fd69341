"""Checks feed.xml with feedparser, feed.json by its specification, and compares the two."""

from __future__ import annotations

import json
import re
from datetime import datetime
from xml.etree import ElementTree

import feedparser

from .report import Report
from .site import Site, addresses
from .tree import parse

ATOM = "{http://www.w3.org/2005/Atom}"
URN = re.compile(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z")


def is_date(text: object) -> bool:
    """RFC 3339, which requires an offset."""
    if not isinstance(text, str) or not re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\Z", text):
        return False
    try:
        datetime.fromisoformat(re.sub(r"\.\d+", "", text).replace("Z", "+00:00"))
        return True
    except ValueError:
        return False


def check(site: Site, report: Report) -> None:
    home = site.page_at[site.folder / "index.html"]
    files = [name for name in ("feed.xml", "feed.json") if (site.folder / name).exists()]
    with report.claim("feeds", "the home page names the existing ones") as claim:
        named = [link.get("href") for link in home.links("alternate") if link.get("type") != "text/markdown"]
        claim.expect(named == [f"./{name}" for name in files], "index.html", f"names {named}, and there are {files}")
    # A site may have no feeds.
    if files:
        check_feeds(site, report)
        check_lists(site, report)


def check_lists(site: Site, report: Report) -> None:
    """Feeds of authors, tags and collections."""
    with report.claim("feeds", "those of lists are Atom that needs no guessing, and their pages name them", may_be_empty=True) as claim:
        for file in sorted(site.folder.rglob("feed.xml")):
            if file.parent == site.folder:
                continue
            where = file.relative_to(site.folder).as_posix()
            feed = feedparser.parse(str(file))
            claim.expect(not feed.bozo and feed.version == "atom10" and feed.entries, where, str(feed.get("bozo_exception", feed.version)))
            claim.expect(all(entry.get("summary") and entry.get("link") for entry in feed.entries), where, "an entry without words or address")
            page = (file.parent / "index.html").read_text("utf-8")
            claim.expect('type="application/atom+xml"' in page and f'href="{"../" * (where.count("/"))}' in page and "feed.xml" in page, where, "its page does not name it")


def check_feeds(site: Site, report: Report) -> None:
    atom = check_atom(site, report)
    items = check_json(site, report)
    with report.claim("feeds", "Atom and JSON list the same threads in the same order") as claim:
        pairs = [(entry.get("id"), entry.get("link"), entry.get("title")) for entry in atom]
        others = [(item.get("id"), item.get("url"), item.get("title")) for item in items]
        claim.expect(pairs and pairs == others, "feed.xml, feed.json", f"{len(pairs)} and {len(others)} entries differ")
    with report.claim("feeds", "newest first") as claim:
        dates = [item.get("date_published", "") for item in items]
        claim.expect(dates == sorted(dates, reverse=True), "feed.json")
    check_content(site, report, items)


def check_atom(site: Site, report: Report) -> list[dict]:
    file = site.folder / "feed.xml"
    with report.claim("feeds", "feed.xml is well-formed Atom") as claim:
        try:
            root = ElementTree.parse(file).getroot()
        except (OSError, ElementTree.ParseError) as error:
            claim.expect(False, "feed.xml", str(error))
            return []
        claim.expect(root.tag == ATOM + "feed", "feed.xml", root.tag)
        for name in ["id", "title", "updated"]:
            claim.expect(len(root.findall(ATOM + name)) == 1, "feed.xml", f"one {name} is needed")
        own = [link.get("href") for link in root.findall(ATOM + "link") if link.get("rel") == "self"]
        claim.expect(own == [site.base_url + "feed.xml"], "feed.xml", f"its link to itself is {own}")
        for updated in root.iter(ATOM + "updated"):
            claim.expect(is_date(updated.text), "feed.xml", f"{updated.text} is no date of RFC 3339")
    feed = feedparser.parse(str(file))
    with report.claim("feeds", "feed.xml needs no guessing by feedparser") as claim:
        claim.expect(not feed.bozo and feed.version == "atom10", "feed.xml", str(feed.get("bozo_exception", feed.version)))
    with report.claim("feeds", "entries have id, link, title, updated, content and author") as claim:
        for number, entry in enumerate(feed.entries, 1):
            for name in ["id", "link", "title", "updated_parsed", "content", "author"]:
                claim.expect(entry.get(name), f"feed.xml, entry {number}", f"no {name}")
    with report.claim("feeds", "IDs are urn:uuid: and unique") as claim:
        ids = [entry.get("id", "") for entry in feed.entries]
        for id in ids:
            claim.expect(URN.match(id) and ids.count(id) == 1, id)
    return feed.entries


def check_json(site: Site, report: Report) -> list[dict]:
    """https://www.jsonfeed.org/version/1.1/"""
    with report.claim("feeds", "feed.json is a JSON Feed 1.1") as claim:
        try:
            feed = json.loads((site.folder / "feed.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            claim.expect(False, "feed.json", str(error))
            return []
        claim.expect(feed.get("version") == "https://jsonfeed.org/version/1.1", "version")
        claim.expect(feed.get("feed_url") == site.base_url + "feed.json", "feed_url")
        claim.expect(feed.get("home_page_url") == site.base_url, "home_page_url")
        types(claim, "feed.json", feed, {"title": str, "items": list}, {"description": str, "language": str, "icon": str})
        items = feed.get("items") or []
        for number, item in enumerate(items, 1):
            where = f"feed.json, item {number}"
            types(
                claim, where, item, {"id": str, "url": str, "title": str, "authors": list},
                {"content_html": str, "content_text": str, "summary": str, "image": str, "tags": list, "language": str},
            )
            claim.expect(item.get("content_html") or item.get("content_text"), where, "no content")
            for name in ["date_published", "date_modified"]:
                claim.expect(name not in item or is_date(item[name]), where, f"{name} is no date of RFC 3339")
            for author in item.get("authors", []):
                claim.expect(author.get("name") and author.get("url", "").startswith("https://"), where, "author")
            for tag in item.get("tags", []):
                claim.expect(isinstance(tag, str), where, "a tag is no string")
    return items


def types(claim, where: str, value: dict, needed: dict[str, type], allowed: dict[str, type]) -> None:
    for name, kind in needed.items():
        claim.expect(isinstance(value.get(name), kind), where, f"{name} is missing or no {kind.__name__}")
    for name, kind in allowed.items():
        claim.expect(name not in value or isinstance(value[name], kind), where, f"{name} is no {kind.__name__}")


def check_content(site: Site, report: Report, items: list[dict]) -> None:
    with report.claim("feeds", "their HTML has only absolute URLs, and those of the site have a target") as claim:
        for item in items:
            for element, name, address in addresses(parse(item.get("content_html") or "")):
                where = f"{item.get('url')}, <{element.name} {name}>"
                claim.expect(re.match(r"(https?|mailto):", address), where, address)
                if site.is_own(address):
                    target = site.file_of(address)
                    claim.expect(target, where, f"{address} leads nowhere")
                    page, fragment = site.page_at.get(target), address.partition("#")[2]
                    if page and fragment:
                        claim.expect(fragment in page.ids, where, f"{address}: no such id")
    with report.claim("feeds", "their HTML contains no script, style or event handler") as claim:
        for item in items:
            for element in parse(item.get("content_html") or "").elements():
                claim.expect(
                    element.name not in ("script", "style", "iframe", "object", "embed", "form")
                    and not any(name.startswith("on") or name == "style" for name in element.attributes),
                    item.get("url"), f"<{element.name}> {sorted(element.attributes)}",
                )
