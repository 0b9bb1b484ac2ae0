"""What mails say: a template for the text and one for the same as HTML. Satisfies `flows.ports.Letters`.

The first line of the text is the subject. What goes into the HTML is escaped there.
"""

from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from frontrow.core import wording
from frontrow.core.fans import CODE_SECONDS
from frontrow.core.mail import Letter
from frontrow.core.papers import AboutOrder, Papers

_LETTERS: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "letters"),
    autoescape=select_autoescape(enabled_extensions=("html",)),
    undefined=StrictUndefined,  # a misspelt name is a fault, not an empty place in a mail
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    auto_reload=False,
)


class TemplateLetters:
    """Every letter that Frontrow writes."""

    def sign_in_code(self, code: str) -> Letter:
        return _letter("sign_in_code", code=code, minutes=CODE_SECONDS // 60)

    def tickets(self, papers: Papers) -> Letter:
        return _letter("tickets", papers=papers)

    def lapsed(self, about: AboutOrder) -> Letter:
        return _letter("lapsed", about=about)


def _letter(name: str, **about: object) -> Letter:
    about |= {"wording": wording}
    subject, _, text = _LETTERS.get_template(f"{name}.txt").render(about).partition("\n\n")
    return Letter(" ".join(subject.split()), text, _LETTERS.get_template(f"{name}.html").render(about, subject=subject))
