"""A page printed to PDF: its text and the URLs of its links, without elements that are useful only on screens."""

from __future__ import annotations

import re
import subprocess

from .pages import WITH_SCRIPT
from .report import Report
from .sites import WORK
from .visit import Visit

PDF = "print: the PDF has at least one page, and as many as the text needs"
TEXT = "print: the PDF contains the text of the posts"
LINKS = "print: the URLs of links in texts and cards are printed"
CHROME = "print: no navigation, skip link, player (a video is its image) or field, except on the search page"
CLAIMS = (PDF, TEXT, LINKS, CHROME)
# Kinds of pages that people print.
PRINTED = ("thread", "home")

CHROME_SHOWN = """
fields => [...document.querySelectorAll('nav, .skip, video:not([poster]), button' + fields)]
  .filter(element => element.checkVisibility({ visibilityProperty: true }))
  .map(element => `${element.localName}.${element.className} ${element.ariaLabel ?? ''}`)
"""
# Posts in right-to-left scripts, or in scripts without spaces, are extracted from a PDF in another order or other pieces.
WORDS = """
() => [...document.querySelectorAll('.post-text')].filter(post => post.closest('[dir]')?.dir !== 'rtl' && getComputedStyle(post).direction === 'ltr')
  .flatMap(post => post.innerText.match(/(?<![\\p{L}\\p{M}])[A-Za-z]{4,}(?![\\p{L}\\p{M}])/gu) ?? [])
"""
# Links of names and topics lead to the network and are not sources for a reader of paper.
ADDRESSES = """
() => [...document.querySelectorAll('.post-text a[href^=http], .card a[href^=http]')]
  .filter(link => !/^[@#$＠＃]/u.test(link.textContent.trim())).map(link => link.getAttribute('href'))
"""


def squeezed(text: str) -> str:
    """Removes characters that a line break may add or remove: blanks, hyphens (pdftotext treats each at the end of a line as a
    hyphenation), and direction marks."""
    return re.sub(r"[-\s\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069]+", "", text)


def check(visit: Visit, report: Report) -> None:
    visit.page.emulate_media(media="print")
    report.expect_none(CHROME, visit.page.evaluate(CHROME_SHOWN, "" if visit.site_page.kind in WITH_SCRIPT else ", form, input"), visit)
    visit.page.emulate_media(media="null")
    if visit.site_page.kind not in PRINTED:
        return
    words, addresses = visit.page.evaluate(WORDS), visit.page.evaluate(ADDRESSES)
    file = WORK / "print" / visit.theme / f"{visit.site_page.name}.pdf"
    file.parent.mkdir(parents=True, exist_ok=True)
    visit.page.pdf(path=file, format="A4")
    text = subprocess.run(["pdftotext", "-enc", "UTF-8", str(file), "-"], check=True, capture_output=True).stdout.decode()
    pages = text.count("\f")
    # A page of A4 has about 3,000 characters; images and polls also need space.
    report.expect(PDF, 1 <= pages <= 6 + len(text) / 1000, visit, f"{pages} pages for {len(text)} characters")
    held = squeezed(text)
    lost = [word for word in words if word not in held]
    if words:
        report.expect(TEXT, not lost, visit, f"lost: {lost[:8]}")
    for address in addresses:
        # "https://" and a final slash may be missing.
        shown = squeezed(re.sub(r"^https?://(www\.)?|/$", "", address))
        report.expect(LINKS, shown in held, visit, address)
