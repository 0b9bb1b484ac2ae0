"""How heavy pages and their scripts may become: a phone on a train is to have them in one second."""

import gzip
import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from tests.web.pages.listings import NOW, listing

from frontrow.core.catalogue import Category, CityId, ProductionId
from frontrow.web.pages.browsing import DATES_OF_EACH, PRODUCTIONS_MAX
from frontrow.web.pages.drawing import draw
from frontrow.web.pages.programme import arrange
from frontrow.web.pages.site import GZIP_LEVEL
from frontrow.web.pages.static_files import FOLDER, sent, with_imports

GZIP_BYTES_MAX: Final = 60_000
EVENT_SCRIPTS_MAX: Final = 15_000  # bytes, gzip; so are those below
SEAT_MAP_SCRIPTS_MAX: Final = 35_000
STYLES_MAX: Final = 12_000


def gzipped(names: Iterable[str]) -> int:
    """Each file is sent by itself."""
    return sum(len(gzip.compress(sent(name), GZIP_LEVEL)) for name in names)


def modules(name: str) -> list[str]:
    """A module and all it imports, by their plain names."""
    return [re.sub(r"/static/(.+)\.[0-9a-f]{12}\.js", r"\1.js", address) for address in with_imports(name)]


def test_the_scripts_of_an_event_page_are_light():
    names = {name for script in ("suggest.js", "account.js", "countdown.js") for name in modules(script)}
    assert gzipped(names) <= EVENT_SCRIPTS_MAX


def test_the_scripts_of_the_seat_map_are_light():
    names = {name for script in ("seat-map.js", "account.js") for name in modules(script)}
    assert "seat-codec.js" in names
    assert gzipped(names) <= SEAT_MAP_SCRIPTS_MAX


def test_remarks_stay_with_the_source():
    for name in modules("seat-map.js"):
        assert (FOLDER / name).read_bytes().startswith(b"//")
        assert not re.search(rb"^\s*(//|/\*\*(?![^\n]*\*/ *\S)| \*)", sent(name), re.MULTILINE), name


def test_the_styles_are_light():
    for styles in (["site.css", "seats.css"], ["site.css", "forms.css", "search.css"]):
        assert gzipped(styles) <= STYLES_MAX


def test_a_full_home_page_is_light():
    listings = [
        listing(
            production * DATES_OF_EACH + date,
            production_id=ProductionId(production),
            production=f"Production number {production}",
            category=Category.FILM if production % 2 else Category.THEATRE,
            city_id=CityId(date % 7),
            city=f"City number {date % 7}",
            starts_at=NOW + timedelta(minutes=(production + date) * 20),
        )
        for production in range(1, PRODUCTIONS_MAX + 1)
        for date in range(DATES_OF_EACH)
    ]
    page = draw(
        "home.html",
        programme=arrange(listings, now=NOW),
        city=None,
        kinds=(),
        venues=(),
        cities=(),
        has_more_cities=False,
        several_zones=True,
        now=NOW,
    )
    assert page.count("<article") >= PRODUCTIONS_MAX
    assert len(gzip.compress(page.encode(), GZIP_LEVEL)) <= GZIP_BYTES_MAX
