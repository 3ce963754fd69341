"""The files and tags for browsers and phones: icons, the web manifest, the search description, colors."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

from .report import Report
from .site import Site

SECTION = "browser"
OPENSEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


def png_size(file: Path) -> str | None:
    """The size of a PNG, for example `192x192`."""
    start = file.read_bytes()[:24]
    return "{}x{}".format(*struct.unpack(">II", start[16:])) if start[:8] == b"\x89PNG\r\n\x1a\n" and len(start) == 24 else None


def file_of(site: Site, base: str, address: str | None) -> Path | None:
    """The file of the site that a URL leads to, relative to another URL."""
    url = urljoin(base, address or "")
    if not address or not url.startswith(site.base_url):
        return None
    file = site.folder / unquote(urlsplit(url).path[len(site.base_path) :])
    return file if file.is_file() else None


def check(site: Site, report: Report) -> None:
    with report.claim(SECTION, "icons are files of the site with the stated size and type") as claim:
        for page in site.pages:
            for link in [*page.links("icon"), *page.links("apple-touch-icon")]:
                file = file_of(site, page.url, link.get("href"))
                if claim.expect(file is not None, page.at(link), str(link.get("href"))) and file.suffix == ".png":
                    claim.expect(link.get("sizes") in (None, png_size(file)), page.at(link), f"{link.get('sizes')} is {png_size(file)}")
    with report.claim(SECTION, "theme-color is a color for each scheme") as claim:
        for page in site.pages:
            colors = [(meta.get("media"), meta.get("content") or "") for meta in page.tree.all("meta") if meta.get("name") == "theme-color"]
            if not colors and page.tree.all("link") == []:
                continue  # leads to another page, and shows nothing
            claim.expect([media for media, _ in colors] == [f"(prefers-color-scheme: {scheme})" for scheme in ("light", "dark")], page, str(colors))
            claim.expect(all(re.fullmatch("#[0-9a-f]{6}", color) for _, color in colors), page, str(colors))
    check_manifest(site, report)
    check_search(site, report)


def check_manifest(site: Site, report: Report) -> None:
    with report.claim(SECTION, "the web manifest has a name, colors, the site as its start, and icons that exist") as claim:
        home = site.page_at[site.folder / "index.html"]
        links = home.links("manifest")
        file = file_of(site, home.url, links[0].get("href")) if len(links) == 1 else None
        if not claim.expect(file is not None, home, "no manifest"):
            return
        try:
            manifest = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            claim.expect(False, file.name, str(error))
            return
        base = urljoin(home.url, links[0].get("href") or "")
        for name in ("name", "lang", "theme_color", "background_color"):
            claim.expect(isinstance(manifest.get(name), str) and manifest[name], file.name, name)
        for name in ("start_url", "scope"):
            claim.expect(urljoin(base, manifest.get(name) or "/") == site.base_url, file.name, name)
        for icon in manifest.get("icons") or [{}]:
            image = file_of(site, base, icon.get("src"))
            if claim.expect(image is not None, file.name, str(icon)):
                claim.expect(icon.get("sizes") == (png_size(image) or "any"), file.name, str(icon))
    with report.claim(SECTION, "every page names the same manifest") as claim:
        named = {(page.path, urljoin(page.url, link.get("href") or "")) for page in site.pages for link in page.links("manifest")}
        for path, url in sorted(named):
            claim.expect(url == site.base_url + "site.webmanifest", path, url)


def check_search(site: Site, report: Report) -> None:
    """According to OpenSearch 1.1, draft 6: https://github.com/dewitt/opensearch"""
    if not (site.folder / "search/index.html").exists():
        return
    with report.claim(SECTION, "the OpenSearch description leads to the search page, and pages name it") as claim:
        home = site.page_at[site.folder / "index.html"]
        links = [link for link in home.links("search") if link.get("type") == "application/opensearchdescription+xml"]
        file = file_of(site, home.url, links[0].get("href")) if len(links) == 1 else None
        if not claim.expect(file is not None, home, "no description"):
            return
        claim.expect(links[0].get("title"), home, "no title")
        try:
            root = ElementTree.parse(file).getroot()
        except ElementTree.ParseError as error:
            claim.expect(False, file.name, str(error))
            return
        claim.expect(root.tag == OPENSEARCH + "OpenSearchDescription", file.name, root.tag)
        claim.expect(0 < len(root.findtext(OPENSEARCH + "ShortName") or "") <= 16, file.name, "ShortName")
        claim.expect(0 < len(root.findtext(OPENSEARCH + "Description") or "") <= 1024, file.name, "Description")
        templates = [url.get("template") or "" for url in root.iter(OPENSEARCH + "Url") if url.get("type") == "text/html"]
        claim.expect(templates == [site.base_url + "search/?q={searchTerms}"], file.name, str(templates))
        for image in root.iter(OPENSEARCH + "Image"):
            claim.expect(file_of(site, "", image.text) is not None, file.name, str(image.text))
