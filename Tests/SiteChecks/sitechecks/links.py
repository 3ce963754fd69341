"""No link inside the site is broken, and the site can be moved anywhere."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote, urldefrag, urlsplit

from .report import Report
from .site import Site


def check(site: Site, report: Report) -> None:
    with report.claim("links", "every URL inside the site leads to a file") as files, \
            report.claim("links", "every fragment leads to an id") as fragments:
        for page in site.pages:
            for element, name, address in page.addresses():
                url = site.resolve(page, address)
                if not site.is_own(url):
                    continue
                where = f"{page.at(element)}, <{element.name} {name}=\"{address}\">"
                target = site.file_of(url)
                files.expect(target, where)
                fragment = urldefrag(url).fragment
                if target in site.page_at and fragment:
                    fragments.expect(unquote(fragment) in site.page_at[target].ids, where)
    with report.claim("links", "every id is unique on its page") as claim:
        for page in site.pages:
            for id in page.ids:
                claim.expect(id and page.ids.count(id) == 1, page, f"id \"{id}\"")
    with report.claim("links", "preview images are elsewhere or existing files of the site", may_be_empty=True) as claim:
        for page in site.pages:
            for url in page.metas("property", "og:image") + page.metas("property", "og:url"):
                claim.expect(url.startswith("https://") and (not site.is_own(url) or site.file_of(url)), page, url)
    check_kinds(site, report)
    check_paths(site, report)


def check_kinds(site: Site, report: Report) -> None:
    with report.claim("links", "relative within the site, so that it works in any folder; from the base path in 404.html") as claim:
        for page in site.pages:
            for element, name, address in page.addresses():
                parts = urlsplit(address)
                if parts.scheme or address.startswith("//"):
                    continue
                if page.is_not_found:
                    holds = address.startswith((site.base_path, "#"))
                else:
                    holds = address and not address.startswith("/")
                claim.expect(holds, page.at(element), f"<{element.name} {name}=\"{address}\">")
    with report.claim("links", "only http:, https: and mailto:, and no URL without its scheme") as claim:
        for page in site.pages:
            for element, name, address in page.addresses():
                # Browsers drop white space and control characters before they parse the scheme.
                bare = re.sub(r"[\x00-\x20]", "", address)
                scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", bare)
                holds = scheme.group(1).lower() in ("http", "https", "mailto") if scheme else True
                claim.expect(holds and not bare.replace("\\", "/").startswith("//"), page.at(element), address)


def check_paths(site: Site, report: Report) -> None:
    """Folders of this machine, unescaped; file names in posts do not matter."""
    parents = [site.folder, site.folder.parent, os.path.realpath(os.path.dirname(__file__) + "/../../..")]
    folders = {str(folder) for folder in parents if str(folder).count("/") > 1}
    with report.claim("links", "no file contains a path of the building machine") as claim:
        for file in sorted(site.folder.rglob("*")):
            if file.is_file():
                content = file.read_bytes()
                found = [folder for folder in folders if folder.encode() in content]
                claim.expect(not found, file.relative_to(site.folder), str(found))
