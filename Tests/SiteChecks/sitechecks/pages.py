"""The needs of readers who use a screen reader or read in another language, on every page."""

from __future__ import annotations

import re

from .report import Report
from .site import Page, Site

SECTION = "pages"
# Signs that themes often use as the text of links. Any other sign may be a person's name.
SIGNS = "¶ § # * ∞ → ← ↑ ↓ ↗ 🔗".split()
HEADING = re.compile(r"h([1-6])\Z")
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z")


def check(site: Site, report: Report) -> None:
    check_head(site, report)
    check_headings(site, report)
    check_landmarks(site, report)
    check_names(site, report)


def check_head(site: Site, report: Report) -> None:
    with report.claim(SECTION, "html has a language and a direction") as claim:
        for page in site.pages:
            html = page.tree.all("html")[0]
            claim.expect(LANGUAGE.match(html.get("lang") or "") and html.get("dir") in ("ltr", "rtl"), page)
    with report.claim(SECTION, "one title and one viewport that lets readers zoom") as claim:
        for page in site.pages:
            # Parts of images also have titles.
            titles = [title.text().strip() for head in page.tree.all("head") for title in head.all("title")]
            claim.expect(len(titles) == 1 and titles[0], page, f"titles: {titles}")
            viewport = page.metas("name", "viewport")
            claim.expect(len(viewport) == 1 and not re.search("user-scalable|maximum-scale", viewport[0]), page, str(viewport))
    with report.claim(SECTION, "canonical is the page's own URL, and missing on pages that may not be indexed") as claim:
        for page in site.pages:
            found = [link.get("href") for link in page.links("canonical")]
            claim.expect(found == ([page.url] if page.is_indexable else []), page, str(found))


def check_headings(site: Site, report: Report) -> None:
    with report.claim(SECTION, "one h1, with words in it") as claim:
        for page in site.pages:
            headings = page.tree.all("h1")
            claim.expect(len(headings) == 1 and headings[0].text().strip(), page, f"{len(headings)} h1")
    with report.claim(SECTION, "headings begin with h1 and skip no level") as claim:
        for page in site.pages:
            level = 0
            for element in page.tree.elements():
                match = HEADING.match(element.name)
                if match:
                    claim.expect(int(match[1]) <= level + 1, page.at(element), f"h{match[1]} after h{level}")
                    level = int(match[1])


def check_landmarks(site: Site, report: Report) -> None:
    with report.claim(SECTION, "one header, one main and one footer of the page, and navs with unique labels") as claim:
        for page in site.pages:
            for name in ("header", "main", "footer"):
                found = [element for element in page.tree.all(name) if is_of_page(element)]
                claim.expect(len(found) == 1, page, f"{len(found)} {name}")
            labels = [(nav.get("aria-label") or "").strip() for nav in page.tree.all("nav")]
            claim.expect(labels and all(labels), page, f"labels of nav: {labels}")
            claim.expect(len(set(labels)) == len(labels), page, f"labels of nav: {labels}")
    with report.claim(SECTION, "the first link skips the navigation and leads to main") as claim:
        for page in site.pages:
            first = (page.tree.all("a") or [page.tree])[0]
            mains = page.tree.all("main")
            claim.expect(mains and first.get("href") == "#" + (mains[0].get("id") or ""), page, str(first.get("href")))
    with report.claim(SECTION, "the current page in a nav has aria-current with a known value", may_be_empty=True) as claim:
        for page in site.pages:
            for element in page.tree.elements():
                if "aria-current" in element.attributes:
                    claim.expect(element.get("aria-current") in ("page", "true", "location"), page.at(element), element.get("aria-current") or "")


def is_of_page(element) -> bool:
    """A header within an article or a section is not a landmark."""
    return not any(outer.name in ("article", "section", "aside", "nav", "main") for outer in element.ancestors())


def check_names(site: Site, report: Report) -> None:
    with report.claim(SECTION, "every image has an alt", may_be_empty=True) as claim:
        for page in site.pages:
            for image in page.tree.all("img"):
                claim.expect("alt" in image.attributes, page.at(image), image.get("src") or "")
    with report.claim(SECTION, "every link has a meaningful name") as claim:
        for page in site.pages:
            for link in page.tree.all("a"):
                # An image beside a title that leads to the same page is hidden from screen readers and the keyboard.
                if link.get("aria-hidden") == "true" and link.get("tabindex") == "-1":
                    continue
                name = link.accessible_name()
                claim.expect(name and name not in SIGNS, page.at(link), f"\"{name}\" to {link.get('href')}")
    with report.claim(SECTION, "every video has a name and a size", may_be_empty=True) as claim:
        for page in site.pages:
            for video in page.tree.all("video"):
                claim.expect((video.get("aria-label") or "").strip(), page.at(video), "no aria-label")
                claim.expect("width" in video.attributes and "height" in video.attributes, page.at(video), "no size")
                claim.expect("controls" in video.attributes, page.at(video), "no controls")
