"""The results by claim. Reports can be sent between processes and merged."""

from __future__ import annotations

from dataclasses import dataclass, field

# The number of places printed per fault; the rest are counted.
SHOWN = 12


@dataclass
class Claim:
    """A property that should hold everywhere, and the places where it does not."""

    seen: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass
class Report:
    claims: dict[str, Claim] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def expect(self, claim: str, holds: object, where: object, why: str = "") -> bool:
        """Counts one checked thing; `where` names it if the claim does not hold for it."""
        entry = self.claims.setdefault(claim, Claim())
        entry.seen += 1
        if not holds:
            entry.faults.append(f"{where}: {why}" if why else str(where))
        return bool(holds)

    def expect_none(self, claim: str, faults: list[str], where: object) -> None:
        """Counts one checked thing, in which nothing should have been found."""
        entry = self.claims.setdefault(claim, Claim())
        entry.seen += 1
        entry.faults += [f"{where}: {fault}" for fault in faults]

    def skip(self, claim: str, why: str) -> None:
        self.skipped[claim] = why

    def add(self, other: "Report") -> None:
        for text, claim in other.claims.items():
            mine = self.claims.setdefault(text, Claim())
            mine.seen += claim.seen
            mine.faults += claim.faults
        self.skipped.update(other.skipped)

    def require(self, claims: tuple[str, ...]) -> None:
        """A claim without checked things fails, because otherwise a check that finds nothing to check would always pass."""
        for text in claims:
            if text not in self.claims and text not in self.skipped:
                self.claims[text] = Claim(0, ["nothing was looked at"])

    @property
    def failures(self) -> list[str]:
        return [text for text, claim in self.claims.items() if claim.faults]

    @property
    def seen(self) -> int:
        return sum(claim.seen for claim in self.claims.values())

    def show(self, order: tuple[str, ...]) -> None:
        for text in [*order, *(text for text in self.claims if text not in order)]:
            if text in self.skipped:
                print(f"  skip {text}: {self.skipped[text]}")
            if text not in self.claims:
                continue
            claim = self.claims[text]
            print(f"  {'FAIL' if claim.faults else 'ok  '} {text} ({claim.seen})")
            for fault in claim.faults[:SHOWN]:
                print(f"         {fault}")
            if len(claim.faults) > SHOWN:
                print(f"         and {len(claim.faults) - SHOWN} more")
