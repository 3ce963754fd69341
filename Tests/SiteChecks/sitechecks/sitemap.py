"""sitemap.xml and robots.txt."""

from __future__ import annotations

from xml.etree import ElementTree

from .feeds import is_date
from .report import Report
from .site import Site

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def check(site: Site, report: Report) -> None:
    addresses: list[str] = []
    with report.claim("sitemap", "well-formed, in its namespace, with standard dates") as claim:
        read(site, claim, "sitemap.xml", addresses)
    with report.claim("sitemap", "every URL is of the site, leads to a page, and is unique") as claim:
        for address in addresses:
            claim.expect(site.is_own(address) and site.file_of(address), address)
        claim.expect(len(set(addresses)) == len(addresses), "sitemap.xml", "an address stands there twice")
    with report.claim("sitemap", "it lists exactly the pages that may be indexed") as claim:
        listed = {site.file_of(address) for address in addresses if site.is_own(address)}
        for page in site.pages:
            claim.expect((page.file in listed) == page.is_indexable, page)
    with report.claim("sitemap", "robots.txt names it") as claim:
        robots = site.folder / "robots.txt"
        lines = robots.read_text("utf-8").splitlines() if robots.exists() else []
        claim.expect(f"Sitemap: {site.base_url}sitemap.xml" in lines, "robots.txt")


def read(site: Site, claim, name: str, addresses: list[str]) -> None:
    """Adds the URLs of one file, or of the files that a sitemap index names."""
    try:
        root = ElementTree.parse(site.folder / name).getroot()
    except (OSError, ElementTree.ParseError) as error:
        claim.expect(False, name, str(error))
        return
    claim.expect(root.tag in (SITEMAP + "urlset", SITEMAP + "sitemapindex"), name, root.tag)
    claim.expect(len(root) <= 50_000, name, "more than 50,000 addresses")
    for changed in root.iter(SITEMAP + "lastmod"):
        claim.expect(is_date(changed.text), name, f"{changed.text} is no date")
    for element in root:
        location = element.findtext(SITEMAP + "loc") or ""
        claim.expect(location, name, f"{element.tag} without a loc")
        if root.tag == SITEMAP + "urlset":
            addresses.append(location)
        elif claim.expect(site.is_own(location) and location.endswith(".xml"), name, location):
            read(site, claim, location[len(site.base_url) :], addresses)
