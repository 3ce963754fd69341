"""HTML as a small tree. The HTML checker decides about syntax; this is for questions about meaning."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Iterator

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())


class Element:
    def __init__(self, name: str, attributes: dict[str, str], parent: "Element | None", line: int) -> None:
        self.name = name
        self.attributes = attributes
        self.parent = parent
        self.line = line
        self.children: list[Element | str] = []

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    def words(self, name: str) -> list[str]:
        return (self.get(name) or "").split()

    def elements(self) -> Iterator["Element"]:
        """All descendants of this element in document order."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.elements()

    def all(self, *names: str) -> list["Element"]:
        return [element for element in self.elements() if element.name in names]

    def ancestors(self) -> Iterator["Element"]:
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def accessible_name(self) -> str:
        """A link's accessible name as far as pages need it: aria-label, otherwise text and alternative texts."""
        label = (self.get("aria-label") or "").strip()
        return label or " ".join(self._spoken().split())

    def _spoken(self) -> str:
        if self.get("aria-hidden") == "true":
            return ""
        if self.name == "img":
            return self.get("alt") or ""
        return "".join(
            child if isinstance(child, str) else ((child.get("aria-label") or "").strip() or child._spoken())
            for child in self.children
        )


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#document", {}, None, 0)
        self.open = self.root

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        # The first of two attributes with one name counts, as in browsers.
        values: dict[str, str] = {}
        for key, value in attributes:
            values.setdefault(key, value or "")
        element = Element(name, values, self.open, self.getpos()[0])
        self.open.children.append(element)
        if name not in VOID:
            self.open = element

    def handle_startendtag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(name, attributes)

    def handle_endtag(self, name: str) -> None:
        for element in [self.open, *self.open.ancestors()]:
            if element.name == name and element.parent is not None:
                self.open = element.parent
                return

    def handle_data(self, text: str) -> None:
        self.open.children.append(text)


def parse(html: str) -> Element:
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.root
