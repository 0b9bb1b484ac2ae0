"""What the forms on our pages send: read here, and only when they are ours.

A browser brings the fan's cookie with our own forms only (SameSite=Lax), and says where a form stands (Origin). Both
are asked for, so that no other site can hold or release anything in a fan's name.
"""

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from frontrow.web import reading
from frontrow.web.problems import Problem, problem

FIELDS_MAX: Final = 64  # ten seats and everything else there is need twenty
MEDIA_TYPE: Final = "application/x-www-form-urlencoded"

Form = Mapping[str, Sequence[str]]


async def sent(request: Request) -> Form | Problem:
    """The fields of a form of ours, or what is wrong with it."""
    if reading.is_foreign(request.scope):
        return problem("forbidden", detail=_FOREIGN)
    if request.headers.get("content-type", MEDIA_TYPE).partition(";")[0].strip().lower() != MEDIA_TYPE:
        return problem("wrong-media-type")
    try:
        return parse_qs((await request.body()).decode(), max_num_fields=FIELDS_MAX, errors="strict")
    except ValueError:  # too many fields, or no UTF-8
        return problem("bad-request")


_FOREIGN: Final = (
    "This form was sent from a page that is not ours, so we did nothing. "
    "Your seats are as they were. Go to the event's page here, and choose again."
)
