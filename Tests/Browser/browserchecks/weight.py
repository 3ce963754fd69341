"""The bytes that a reader's browser needs before it can show a thread, and the part that fits the first round trip.

A server may send ten packets of 1,460 bytes before it waits for an acknowledgment (RFC 6928, section 2): 14,600 bytes.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import brotli

from .report import Report

FLIGHT = 14_600
WEIGHT = f"weight: HTML and CSS of a thread of twelve posts are under {FLIGHT:,} bytes, compressed"
ALONE = "weight: such a page waits only for HTML and CSS"
CLAIMS = (WEIGHT, ALONE)

STYLESHEET = re.compile(r'<link rel="stylesheet" href="([^"]*)"')
# Anything else that blocks rendering. An inline script is part of the HTML and waits for nothing, because no style sheet precedes it.
BLOCKING = re.compile(r'<script (?!type="application/ld\+json"|data-src=)|<link rel="stylesheet"[^>]*>(?=.*<script(?:>| data-src=))|<link rel="(?:modulepreload|preload(?!" as="style")|import)"|<style|@import|@font-face', re.DOTALL)


@dataclass(frozen=True)
class Weight:
    """The bytes of one page and of its style sheets."""

    html: int
    css: int
    html_gzip: int
    css_gzip: int
    html_brotli: int
    css_brotli: int

    @property
    def flight(self) -> int:
        return self.html_gzip + self.css_gzip


def weigh(page: Path) -> tuple[Weight, list[str]]:
    """A page's weight, and other resources that it waits for."""
    html = page.read_bytes()
    text = html.decode()
    sheets = [(page.parent / unquote(address)).read_bytes() for address in STYLESHEET.findall(text)]
    css = b"".join(sheets)
    waits = BLOCKING.findall(text) + BLOCKING.findall(css.decode())
    # Each file is compressed separately, as a server does.
    return Weight(
        len(html), len(css), len(squeeze(html)), sum(len(squeeze(sheet)) for sheet in sheets),
        len(brotli.compress(html)), sum(len(brotli.compress(sheet)) for sheet in sheets),
    ), waits


def squeeze(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def threads(folder: Path) -> list[Path]:
    return sorted(file.with_name("index.html") for file in folder.rglob("index.md"))


def check(folder: Path, theme: str, report: Report) -> None:
    for page in threads(folder):
        weight, waits = weigh(page)
        where = f"{theme}/{page.parent.name[:40]}"
        report.expect(WEIGHT, weight.flight < FLIGHT, where, f"{weight.flight} bytes")
        report.expect_none(ALONE, waits, where)


def table(folders: dict[str, Path]) -> str:
    """The table of docs/explanation/weight.md."""
    lines = [
        "| Theme | Page | HTML | CSS | HTML, gzip | CSS, gzip | Together, gzip | Together, brotli |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for theme, folder in folders.items():
        weights = sorted((weigh(page)[0] for page in threads(folder)), key=lambda weight: weight.flight)
        for name, weight in (("median", weights[len(weights) // 2]), ("heaviest", weights[-1])):
            numbers = [
                weight.html, weight.css, weight.html_gzip, weight.css_gzip, weight.flight,
                weight.html_brotli + weight.css_brotli,
            ]
            lines.append(f"| `{theme}` | {name} | " + " | ".join(f"{number:,}" for number in numbers) + " |")
    return "\n".join(lines)
