"""A small reader of the HTML that the tests look into: ids, links, elements and visible text."""

from html.parser import HTMLParser

_VOID = frozenset({"meta", "br", "link", "img", "input", "hr"})


class Page(HTMLParser):
    """Collects what the tests ask about."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.links: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.unbalanced: list[str] = []
        self.feed(text)
        self.close()

    @property
    def text(self) -> str:
        """All text outside the style element."""
        return " ".join(" ".join(self.words).split())

    def names(self) -> set[str]:
        """Names of all elements."""
        return {name for name, _ in self.elements}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element."""
        found = dict(attrs)
        self.elements.append((tag, found))
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself, as in SVG."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Check the nesting."""
        if not self._open or self._open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        if not self._open or self._open[-1] != "style":
            self.words.append(data)
