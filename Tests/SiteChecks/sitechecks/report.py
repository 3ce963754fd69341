"""The results by claim."""

from __future__ import annotations

from contextlib import contextmanager

# The number of places printed per fault; the rest are counted.
SHOWN = 12


class Claim:
    """A property that should hold everywhere, and the places where it does not."""

    def __init__(self) -> None:
        self.seen = 0
        self.faults: list[str] = []

    def expect(self, holds: object, where: object, why: str = "") -> bool:
        """Counts one checked thing; `where` names it if the claim does not hold for it."""
        self.seen += 1
        if not holds:
            self.faults.append(f"{where}: {why}" if why else str(where))
        return bool(holds)


class Report:
    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.failures: list[str] = []

    @contextmanager
    def claim(self, section: str, text: str, may_be_empty: bool = False):
        """Prints and counts one claim; `may_be_empty` for optional parts of a site."""
        claim = Claim()
        yield claim
        if not claim.seen and not may_be_empty:
            claim.faults.append("nothing was looked at")
        if claim.faults:
            self.failed += 1
            self.failures.append(f"{section}: {text}")
        else:
            self.passed += 1
        print(f"  {'FAIL' if claim.faults else 'ok  '} {section}: {text} ({claim.seen})")
        for fault in claim.faults[:SHOWN]:
            print(f"         {fault}")
        if len(claim.faults) > SHOWN:
            print(f"         and {len(claim.faults) - SHOWN} more")
