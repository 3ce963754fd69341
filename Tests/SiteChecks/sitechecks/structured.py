"""The JSON-LD of every thread, checked against Google's requirements for a DiscussionForumPosting
(https://developers.google.com/search/docs/appearance/structured-data/discussion-forum)."""

from __future__ import annotations

import json
import re

from .feeds import is_date
from .report import Report
from .site import Page, Site

LD = "application/ld+json"


def check(site: Site, report: Report) -> None:
    postings: list[tuple[Page, dict]] = []
    with report.claim("json-ld", "every thread page has one block that parses, and no other page has any") as claim:
        for page in site.pages:
            blocks = [script.text() for script in page.tree.all("script") if script.get("type") == LD]
            if claim.expect(len(blocks) == (1 if page.is_thread else 0), page, f"{len(blocks)} blocks") and blocks:
                try:
                    postings.append((page, json.loads(blocks[0])))
                except ValueError as error:
                    claim.expect(False, page, str(error))
    with report.claim("json-ld", "a DiscussionForumPosting with author.name, datePublished, and text or image") as claim:
        for page, posting in postings:
            author = posting.get("author")
            claim.expect(posting.get("@context") in ("https://schema.org", "https://schema.org/"), page, "@context")
            claim.expect(posting.get("@type") == "DiscussionForumPosting", page, "@type")
            claim.expect(isinstance(author, dict) and author.get("@type") in ("Person", "Organization"), page, "author")
            claim.expect(isinstance(author, dict) and author.get("name"), page, "author.name")
            claim.expect(is_date(posting.get("datePublished")), page, "datePublished")
            claim.expect("dateModified" not in posting or is_date(posting["dateModified"]), page, "dateModified")
            claim.expect(any(posting.get(name) for name in ("text", "image", "video")), page, "text, image or video")
    with report.claim("json-ld", "its URLs are absolute, and url is the page's own") as claim:
        for page, posting in postings:
            claim.expect(posting.get("url") == page.url, page, f"url is {posting.get('url')}")
            for name, value in urls(posting):
                claim.expect(re.match(r"https?://[^/]", str(value)), page, f"{name}: {value}")


def urls(value: object, name: str = "") -> list[tuple[str, object]]:
    """Every value whose name means a URL."""
    if isinstance(value, dict):
        return [found for key, inner in value.items() for found in urls(inner, key)]
    if isinstance(value, list):
        return [found for inner in value for found in urls(inner, name)]
    return [(name, value)] if name in ("url", "image", "mainEntityOfPage", "sameAs", "@id") else []
