"""Postal codes: how the same one is written, and the lines of a file that has many of them.

The files are those that GeoNames gives away: a line a code, fields separated by tabs, in UTF-8.
"""

import re
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Final

from frontrow.core.catalogue import Place

FIELDS_MIN: Final = 11  # the twelfth says how exact the place is, and is often left out
NAME_CHARS_MAX: Final = 200

_COUNTRY, _CODE, _NAME, _LATITUDE, _LONGITUDE = 0, 1, 2, 9, 10
_FORM: Final = re.compile(r"[A-Z0-9]{1,16}")
_COUNTRY_CODE: Final = re.compile(r"[A-Z]{2}")
_BRITISH: Final = re.compile(r"(([A-Z]{1,2})[0-9][A-Z0-9]?)(?:[0-9][A-Z]{2})?")
_LATITUDE_MAX: Final = 90
_LONGITUDE_MAX: Final = 180


@dataclass(frozen=True, slots=True)
class PostalCode:
    """Where letters with this code are brought to."""

    country: str  # ISO 3166-1, two letters
    code: str  # capitals and digits alone
    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class BadLine:
    """What is wrong with a line."""

    why: str


def plain(code: str) -> str:
    """A code without what people put between its letters and digits."""
    return re.sub(r"[\s.-]+", "", code).upper()


def spellings(code: str) -> tuple[str, ...]:
    """The same code ever more roughly; none, where it can be no code.

    What follows a blank or a hyphen tells streets apart. The British write the last three without a blank as well; what
    is left may end with a letter for a part of the district, and begins with those of the area.
    """
    whole = plain(code)
    if not _FORM.fullmatch(whole):
        return ()
    found = [whole]
    before, between, _ = re.sub(r"[\s.-]+", " ", code.strip()).upper().partition(" ")
    british = _BRITISH.fullmatch(whole)
    if british:
        found += [british[1], british[1].rstrip(ascii_uppercase), british[2]]
    elif between:
        found.append(before)
    return tuple(dict.fromkeys(found))


def postal_code(line: str) -> PostalCode | BadLine:
    """One line of a file."""
    fields = line.rstrip("\r\n").split("\t")
    if len(fields) < FIELDS_MIN:
        return BadLine(f"has {len(fields)} fields, where GeoNames has 12 with tabs between them")
    country, code, name = fields[_COUNTRY].strip(), plain(fields[_CODE]), fields[_NAME].strip()
    place = _place(fields[_LATITUDE], fields[_LONGITUDE])
    if not _COUNTRY_CODE.fullmatch(country):
        return BadLine("field 1 is no country of two capital letters")
    if not _FORM.fullmatch(code):
        return BadLine("field 2 is no postal code of at most 16 letters and digits")
    if len(name) > NAME_CHARS_MAX or not name.isprintable():
        return BadLine(f"field 3 is no name of at most {NAME_CHARS_MAX} characters")
    if place is None:
        return BadLine("fields 10 and 11 are no latitude and longitude in degrees")
    return PostalCode(country, code, name, place)


def _place(latitude: str, longitude: str) -> Place | None:
    try:
        north, east = float(latitude), float(longitude)
    except ValueError:
        return None
    is_on_earth = abs(north) <= _LATITUDE_MAX and abs(east) <= _LONGITUDE_MAX  # nan is not
    return Place(north, east) if is_on_earth else None
