"""Breaks copies of a valid site in different ways to test the checks: `run --try SITE_FOLDER`.

A breakage consists of the claim that should fail (the beginning of its text, with its section), the files, and the text to replace in the
first file that contains it.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import tempfile
from pathlib import Path

from sitechecks import SECTIONS
from sitechecks.report import Report
from sitechecks.site import Site

THREADS = "x/*/*/index.html"

BREAKAGES: list[tuple[str, str, str, str]] = [
    ("html: the Nu Html Checker", "index.html", r"</main>", "</p></main>"),
    ("html: the Nu Html Checker", THREADS, r'(<section) class="post"', r'\1 class="other"'),
    ("html: every exclusion", "*", r"", ""),
    ("feeds: the home page", "index.html", r' href="\./feed\.json"', ' href="./feed.xml"'),
    ("feeds: feed.xml is well-formed", "feed.xml", r"</feed>", ""),
    ("feeds: feed.xml is well-formed", "feed.xml", r"<updated>[^<]*", "<updated>yesterday"),
    ("feeds: feed.xml needs no guessing", "feed.xml", r"http://www.w3.org/2005/Atom", "https://atom.example/"),
    ("feeds: entries have", "feed.xml", r"(?s)<content.*?</content>", ""),
    ("feeds: IDs are", "feed.xml", r"urn:uuid:", "tag:"),
    ("feeds: feed.json is", "feed.json", r'"https://jsonfeed.org/version/1.1"', '"1.1"'),
    ("feeds: Atom and JSON", "feed.xml", r"(?s)(<entry>.*?</entry>)\s*(<entry>.*?</entry>)", r"\2\1"),
    ("feeds: newest first", "feed.json", r'("date_published": *")\d{4}', r"\g<1>1999"),
    ("feeds: their HTML has only absolute", "feed.json", r'href=\\"https://threads[^"#]*#', r'href=\\"#'),
    ("feeds: their HTML contains no", "feed.json", r"<strong>", "<strong onclick=x>"),
    ("sitemap: well-formed", "sitemap.xml", r"schemas/sitemap/0.9", "schemas/sitemap/0.8"),
    ("sitemap: every URL", "sitemap.xml", r"/authors/<", "/author/<"),
    ("sitemap: it lists exactly", "sitemap.xml", r"(?s)<url>.*?</url>", ""),
    ("sitemap: robots.txt", "robots.txt", r"sitemap.xml", "map.xml"),
    ("browser: icons are", "index.html", r'sizes="192x192"', 'sizes="180x180"'),
    ("browser: icons are", "index.html", r'rel="apple-touch-icon" href="[^"]*', 'rel="apple-touch-icon" href="./icon.png'),
    ("browser: theme-color", "index.html", r'(name="theme-color"[^>]*content=")[^"]*', r"\1paper"),
    ("browser: the web manifest", "site.webmanifest", r'"src": *"[^"]*', '"src":"icon.png'),
    ("browser: the web manifest", "site.webmanifest", r'"start_url": *"[^"]*', '"start_url":"/elsewhere'),
    ("browser: every page names", "archive/index.html", r'rel="manifest" href="[^"]*', 'rel="manifest" href="site.webmanifest'),
    ("browser: the OpenSearch", "opensearch.xml", r"searchTerms", "words"),
    ("json-ld: every thread page", THREADS, r'application/ld\+json">', r'application/ld+json">,'),
    ("json-ld: a DiscussionForumPosting", THREADS, r'"datePublished"', '"published"'),
    ("json-ld: its URLs", THREADS, r'("url": *)"[^"]*"', r'\1"./"'),
    ("links: every URL inside", "index.html", r'href="\./archive/', 'href="./archives/'),
    ("links: every fragment", THREADS, r'href="#post-', 'href="#posts-'),
    ("links: every id", THREADS, r'id="post-[^"]*"', 'id="main"'),
    ("links: preview images", THREADS, r'"og:url" content="', '"og:url" content="http://x/'),
    ("links: relative within", "index.html", r'href="\./tags/"', 'href="/tags/"'),
    ("links: relative within", "404.html", r'href="/[^"]*tags/"', 'href="./tags/"'),
    ("links: only http", "index.html", r'href="\./tags/"', 'href="java\tscript:alert(1)"'),
    ("links: only http", "index.html", r'href="\./tags/"', 'href="//elsewhere.example/"'),
    ("links: no file contains a path", "index.html", r"</main>", "{folder}</main>"),
    ("pages: html has a language", "index.html", r'<html lang="[^"]*"', "<html"),
    ("pages: one title", "index.html", r"<title>[^<]*", "<title>"),
    ("pages: canonical", "archive/index.html", r'rel="canonical" href="[^"]*', 'rel="canonical" href="https://x.example/'),
    ("pages: one h1", "index.html", r"</main>", "<h1>Again</h1></main>"),
    ("pages: headings begin", "archive/index.html", r"<(/?)h2", r"<\1h3"),
    ("pages: one header", "index.html", r' aria-label="Site"', ""),
    ("pages: the first link", "index.html", r'href="#main"', 'href="./"'),
    ("pages: the current page", "index.html", r'aria-current="[^"]*"', 'aria-current="yes"'),
    ("pages: every image", THREADS, r"(<img [^>]*?) alt=", r"\1 data-alt="),
    ("pages: every link", THREADS, r' aria-label="Link to this post"', ""),
    ("pages: every video", "*/*/*/index.html", r"(<video [^>]*?) aria-label=", r"\1 data-label="),
    ("policy: one policy", "index.html", r"default-src [^;]*", "default-src 'self'"),
    ("policy: one policy", "index.html", r"<head>", '<head><link rel="preload" as="image" href="./assets/logo.svg">'),
    ("policy: one policy", "index.html", r'<link rel="preload" as="style" href="[^"]*', '<link rel="preload" as="style" href="./assets/other.css'),
    ("policy: one policy", "index.html", r'<link rel="preload" as="style"', '<link rel="stylesheet"'),
    ("policy: one policy", "index.html", r'<link rel="preload" as="style"', '<script src="./assets/look.0.js"></script><link rel="preload" as="style"'),
    ("policy: it allows", "index.html", r"style-src ", "style-src 'unsafe-inline' "),
    ("policy: it names", "index.html", r"img-src ", "img-src https://elsewhere.example "),
    ("policy: everything", "index.html", r"</main>", '<img src="https://elsewhere.example/1.png" alt=""></main>'),
    ("policy: no script", "index.html", r"</main>", "<script>1</script></main>"),
    ("policy: no script", "index.html", r"(<script data-src=[^>]*>)", r"\1 1;"),
    ("policy: no script", "index.html", r"(?s)<script data-src=.*?</script>", ""),
    ("policy: no script", "index.html", r'<script data-src="[^"]*', '<script data-src="https://elsewhere.example/look.js'),
    ("policy: everything", "index.html", r'<script data-src="[^"]*', '<script data-src="https://elsewhere.example/look.js'),
    ("links: every URL", "index.html", r'<script data-src="[^"]*', '<script data-src="./assets/look.0.js'),
    ("policy: no script", "index.html", r"<main", '<main style="color:red"'),
]


def failures(folder: Path, section: str) -> list[str]:
    """The findings of one section, without printing them."""
    report = Report()
    with contextlib.redirect_stdout(io.StringIO()):
        SECTIONS[section].check(Site(folder), report)
    return report.failures


def broken(folder: Path, pattern: str, search: str, replacement: str) -> bool:
    """Replaces text in the first file that contains it; returns whether one did."""
    for file in sorted(folder.glob(pattern)):
        if file.is_file():
            text = file.read_text("utf-8")
            replaced, count = re.subn(search, replacement.replace("{folder}", str(folder)), text, count=1)
            if count and replaced != text:
                file.write_text(replaced, "utf-8")
                return True
    return False


def try_all(sound: Path) -> int:
    """Prints the missed faults; returns their number."""
    missed = 0
    for claim, pattern, search, replacement in BREAKAGES:
        section = claim.partition(":")[0]
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch, "site").resolve()
            shutil.copytree(sound, folder)
            if claim == "html: every exclusion":
                # A site of one page without posts.
                for file in folder.rglob("*.html"):
                    if file != folder / "404.html" and file != folder / "index.html":
                        file.unlink()
                changed = True
            else:
                changed = broken(folder, pattern, search, replacement)
            found = changed and any(failure.startswith(claim) for failure in failures(folder, section))
        if not found:
            missed += 1
            print(f"  MISSED {claim} ({pattern}: {search!r}{'' if changed else ', which no file holds'})")
    with tempfile.TemporaryDirectory() as scratch:
        # A thread without a link to it: a copy under another path.
        folder = Path(scratch, "site").resolve()
        shutil.copytree(sound, folder)
        thread = sorted(folder.glob(THREADS))[0].parent
        shutil.copytree(thread, thread.with_name("nowhere-1"))
        if len(failures(folder, "reach")) != 2:
            missed += 1
            print("  MISSED reach")
    print(f"{len(BREAKAGES) + 1 - missed} breakages found, {missed} missed")
    return missed
