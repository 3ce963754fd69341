"""Selects the pages of a built site: every kind of page and every thread of the sample, because each is difficult in its own way.

Pages are identified by their paths, which are the same in every theme.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

# The kind of a page by its path; the first match counts. A thread is recognized by the Markdown beside its page.
KINDS = [
    ("home", r"index\.html"),
    ("not-found", r"404\.html"),
    ("search", r"search/index\.html"),
    ("tags", r"tags/index\.html"),
    ("tag-page-2", r"tags/[^/]+/page/\d+/index\.html"),
    ("tag", r"tags/[^/]+/index\.html"),
    ("authors", r"authors/(page/\d+/)?index\.html"),
    ("archive", r"archive/index\.html"),
    ("statistics", r"statistics/index\.html"),
    ("month", r"\d{4}/\d\d/index\.html"),
    ("year", r"\d{4}/index\.html"),
    ("collections", r"collections/index\.html"),
    ("collection", r"collections/[^/]+/index\.html"),
    ("home-page-2", r"page/\d+/index\.html"),
    ("author", r"(x|bluesky|mastodon)/[^/]+/index\.html"),
]
# Kinds that every site has.
REQUIRED = ("home", "home-page-2", "not-found", "thread", "author", "authors", "tag", "tags", "archive", "statistics", "year", "month")
# The number of pages per kind; one by default. The largest pages come first.
SEVERAL = {"thread": 100, "author": 2, "tag": 2}
# Kinds that may contain a script.
WITH_SCRIPT = ("search",)


@dataclass(frozen=True)
class SitePage:
    kind: str
    name: str
    """A short name, unique on the site and valid as a file name."""
    file: Path
    address: str
    """The path relative to the site's home page; for 404.html, a path without a page."""


def kind_of(folder: Path, file: Path) -> str:
    path = file.relative_to(folder).as_posix()
    if file.with_name("index.md").exists() and path != "index.html":
        return "thread"
    for kind, pattern in KINDS:
        if re.fullmatch(pattern, path):
            return kind
    return "other"


def pages_to_visit(folder: Path, most: int = 100) -> list[SitePage]:
    """The largest pages of each kind, up to a limit, and one whose path is not ASCII, if any."""
    kinds: dict[str, list[Path]] = {}
    for file in sorted(folder.rglob("*.html")):
        kinds.setdefault(kind_of(folder, file), []).append(file)
    found = []
    for kind, files in sorted(kinds.items()):
        files.sort(key=lambda file: (-file.stat().st_size, str(file)))
        chosen = files[: min(SEVERAL.get(kind, 1), most)]
        if all(str(file.relative_to(folder)).isascii() for file in chosen):
            chosen += [file for file in files if not str(file.relative_to(folder)).isascii()][:1]
        found += [site_page(folder, kind, file, len(chosen) > 1) for file in chosen]
    return found


def site_page(folder: Path, kind: str, file: Path, one_of_several: bool) -> SitePage:
    path = file.relative_to(folder).as_posix()
    address = "nothing/is/here" if kind == "not-found" else quote(path.removesuffix("index.html"), safe="/@")
    last = file.parent.name
    if kind == "thread":
        # The last digits of the ID keep names unique; the first words identify the thread.
        words, _, number = last.rpartition("-")
        last = "-".join(words.split("-")[:4]) + "-" + number[-4:]
    return SitePage(kind, f"{kind}-{last}" if one_of_several else kind, file, address)
