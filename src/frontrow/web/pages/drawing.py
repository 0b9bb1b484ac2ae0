"""From what a page is about to its HTML: the templates, and the words they may use.

What goes into a template is escaped there, and nothing is ever marked as safe.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from frontrow.core.ticket_qr import qr
from frontrow.web.pages import seat_words, words
from frontrow.web.pages.hall_plan import LEVEL_SHAPES
from frontrow.web.pages.posters import poster_of, poster_of_production
from frontrow.web.pages.static_files import static, with_imports
from frontrow.web.pages.what_is_left import how_much
from frontrow.web.problems import Problem

_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,  # a misspelt name is a fault, not an empty place on a page
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)

# What every template may say.
_EVERYWHERE: Final[Mapping[str, object]] = MappingProxyType(
    {
        "category_words": words.CATEGORIES,
        "how_much": how_much,
        "level_shapes": LEVEL_SHAPES,
        "poster_of": poster_of,
        "poster_of_production": poster_of_production,
        "qr": qr,
        "seat_words": seat_words,
        "static": static,
        "status_words": words.STATUSES,
        "with_imports": with_imports,
        "words": words,
    }
)


def draw(template: str, **about: object) -> str:
    """A whole page."""
    return _TEMPLATES.get_template(template).render(_EVERYWHERE | about)


def draw_problem(refused: Problem, request_id: str) -> str:
    """What happened, whether anything was lost, what to do now. Fits `refusals.DrawProblem`; needs no database."""
    work = asked_of(refused)
    return draw("problem.html", kind=refused.kind, detail=refused.detail, request_id=request_id, work=work)


@dataclass(frozen=True, slots=True)
class WorkAsked:
    """What a device is asked for before it goes on, as a page needs it."""

    challenge: str  # for the script that does it
    waited: str  # the proof of who has none, once they have waited
    wait_seconds: int


def asked_of(refused: Problem) -> WorkAsked | None:
    """The work that a problem asks for, if it is one that does."""
    if refused.kind.slug != "proof-needed":
        return None
    challenge = msgspec.json.encode(refused.fields["challenge"])
    waited = base64.b64encode(b'{"challenge":%b,"solution":null}' % challenge).decode()
    return WorkAsked(challenge.decode(), waited, _CHALLENGE.decode(challenge).parameters.data.wait)


class _Data(msgspec.Struct):
    wait: int


class _Parameters(msgspec.Struct):
    data: _Data


class _Challenge(msgspec.Struct):
    parameters: _Parameters


_CHALLENGE: Final = msgspec.json.Decoder(_Challenge)
