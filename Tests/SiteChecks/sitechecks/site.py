"""A built site: its files, its pages, and the file of each URL."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Iterator
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

from .tree import Element, parse

# Attributes that contain one URL; `srcset` contains several.
ADDRESSES = {"href", "src", "data-src", "poster", "action", "formaction", "cite", "data", "background", "ping", "manifest", "longdesc"}


class SiteError(Exception):
    """The folder does not contain a site that can be checked."""


class Page:
    def __init__(self, site: "Site", file: Path) -> None:
        self.site = site
        self.file = file
        self.path = file.relative_to(site.folder).as_posix()
        self.tree: Element = parse(file.read_text(encoding="utf-8"))

    def __str__(self) -> str:
        return self.path

    def at(self, element: Element) -> str:
        return f"{self.path}:{element.line}"

    @property
    def is_not_found(self) -> bool:
        return self.path == "404.html"

    @property
    def is_thread(self) -> bool:
        """A thread is published as Markdown beside its page in every theme."""
        return self.path.endswith("/index.html") and self.file.with_name("index.md").exists()

    @cached_property
    def url(self) -> str:
        """The page's own URL, the base for its links."""
        path = self.path[: -len("index.html")] if self.path.endswith("index.html") else self.path
        return self.site.base_url + quote(path, safe="/@")

    @cached_property
    def ids(self) -> list[str]:
        return [element.attributes["id"] for element in self.tree.elements() if "id" in element.attributes]

    def metas(self, key: str, name: str) -> list[str]:
        return [meta.get("content") or "" for meta in self.tree.all("meta") if (meta.get(key) or "").lower() == name]

    def links(self, relation: str) -> list[Element]:
        return [link for link in self.tree.all("link") if relation in link.words("rel")]

    @property
    def is_indexable(self) -> bool:
        return not any("noindex" in content for content in self.metas("name", "robots"))

    def addresses(self) -> Iterator[tuple[Element, str, str]]:
        """Every URL on the page: the element, the attribute, the URL as written."""
        yield from addresses(self.tree)


class Site:
    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        index = self.folder / "index.html"
        if not index.is_file():
            raise SiteError(f"{folder} is not a built site: it has no index.html.")
        canonical = [link.get("href") or "" for link in parse(index.read_text("utf-8")).all("link") if link.get("rel") == "canonical"]
        if len(canonical) != 1 or not canonical[0].endswith("/"):
            raise SiteError(f"{index} has no canonical address: build the site with a base_url.")
        self.base_url = canonical[0]
        self.base_path = urlsplit(self.base_url).path
        self.pages = [Page(self, file) for file in sorted(self.folder.rglob("*.html"))]
        self.page_at = {page.file: page for page in self.pages}

    @property
    def threads(self) -> list[Page]:
        return [page for page in self.pages if page.is_thread]

    def file_of(self, url: str) -> Path | None:
        """The file that a server returns for an absolute URL of this site, if any. A folder without its slash is not a file: a server
        redirects, and a file system returns nothing."""
        path = urlsplit(urldefrag(url).url).path
        name = unquote(path[len(self.base_path) :])
        file = self.folder / (name + "index.html" if name.endswith("/") or not name else name)
        inside = self.folder in file.resolve().parents
        return file if inside and file.is_file() else None

    def is_own(self, url: str) -> bool:
        return url.startswith(self.base_url)

    def resolve(self, page: Page, address: str) -> str:
        return urljoin(page.url, address)


def addresses(tree: Element) -> Iterator[tuple[Element, str, str]]:
    for element in tree.elements():
        for name, value in element.attributes.items():
            if name in ADDRESSES:
                yield element, name, value
            elif name == "srcset":
                for candidate in srcset(value):
                    yield element, name, candidate


def srcset(value: str) -> list[str]:
    """The URLs of a srcset: the text before each descriptor, without the comma after the previous one."""
    found = []
    for candidate in value.replace("\n", " ").split(", "):
        words = candidate.split()
        if words:
            found.append(words[0].rstrip(","))
    return found
