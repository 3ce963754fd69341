"""Every page can be reached from the home page by links alone, without a script."""

from __future__ import annotations

from .report import Report
from .site import Site


def check(site: Site, report: Report) -> None:
    start = site.page_at[site.folder / "index.html"]
    seen = {start}
    ways = [start]
    while ways:
        page = ways.pop()
        for link in page.tree.all("a"):
            url = site.resolve(page, link.get("href") or "")
            target = site.page_at.get(site.file_of(url)) if site.is_own(url) else None
            if target and target not in seen:
                seen.add(target)
                ways.append(target)
    with report.claim("reach", "every thread can be reached by links from the home page") as claim:
        for page in site.threads:
            claim.expect(page in seen, page)
    with report.claim("reach", "so is every other page that may be indexed") as claim:
        for page in site.pages:
            claim.expect(page in seen or not page.is_indexable, page)
