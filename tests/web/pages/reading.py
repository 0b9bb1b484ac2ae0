"""A page as a browser and a screen reader take it apart: its elements, its links, its words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

VOID: Final = {"br", "img", "link", "meta", "hr", "input"}


@dataclass
class Element:
    """One start tag, what is said inside, and the form it stands in."""

    name: str
    attributes: dict[str, str | None]
    form: "Element | None" = None
    said: list[str] = field(default_factory=list[str])

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.said).split())


@dataclass
class Page(HTMLParser):
    """A page, read strictly: every element that is opened is closed, in order."""

    source: str
    elements: list[Element] = field(default_factory=list[Element])
    words: list[str] = field(default_factory=list[str])
    open: list[Element] = field(default_factory=list[Element])

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(self.elements[-1])

    def handle_startendtag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        form = next((element for element in reversed(self.open) if element.name == "form"), None)
        self.elements.append(Element(tag, dict(attrs), form))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop().name == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        for element in self.open:
            element.said.append(data)

    def form_of(self, element: Element) -> Element | None:
        """The form that a field or a button is of: the one it names, or the one it stands in."""
        named = element.attributes.get("form")
        if named is None:
            return element.form
        return next(form for form in self.all("form") if form.attributes.get("id") == named)

    def written(self, form: Element) -> list[tuple[str, str]]:
        """What a form would send as it is, buttons aside."""
        found: list[tuple[str, str]] = []
        for element in self.elements:
            name = element.attributes.get("name")
            if name is None or "disabled" in element.attributes or self.form_of(element) is not form:
                continue
            if element.name == "select":
                found.append((name, self._chosen(element)))
            elif element.name == "input" and (
                element.attributes.get("type") not in {"radio", "checkbox"} or "checked" in element.attributes
            ):
                found.append((name, element.attributes.get("value") or ""))
        return found

    def _chosen(self, select: Element) -> str:
        begins = self.elements.index(select) + 1
        options: list[Element] = []
        for element in self.elements[begins:]:
            if element.name not in {"option", "optgroup"}:
                break
            if element.name == "option":
                options.append(element)
        chosen = next((option for option in options if "selected" in option.attributes), options[0])
        value = chosen.attributes.get("value")
        return chosen.words if value is None else value

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, name: str) -> list[Element]:
        return [element for element in self.elements if element.name == name]

    def values(self, attribute: str) -> list[str]:
        return [value for element in self.elements if (value := element.attributes.get(attribute)) is not None]
