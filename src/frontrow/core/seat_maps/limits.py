"""How large a seat map may be. Each limit has a unit and a reason; docs/seat-map-format.md lists them all."""

from typing import Final

FORMAT: Final = "frontrow-seat-map/1"

DOCUMENT_BYTES_MAX: Final = 4 * 1024 * 1024  # ten times the 100,000-seat stadium
SEATS_MAX: Final = 200_000  # a third more than the largest ground ever filled
SECTIONS_MAX: Final = 1_000  # four times the stadium's; each is a shape on the overview
ROWS_MAX: Final = 20_000  # three times the stadium's
SEATS_PER_ROW_MAX: Final = 1_000  # a straight kilometre of bench would be one row of half of them
OUTLINE_POINTS_MAX: Final = 60  # enough for a circle that looks round
PRICE_LEVELS_MAX: Final = 20  # more than a fan can tell apart
GAP_SEATS_MAX: Final = 100  # one gap, in seat widths: the width of a stage

NAME_CHARS_MAX: Final = 120
LABEL_CHARS_MAX: Final = 40  # must fit on a ticket
SEAT_NUMBER_CHARS_MAX: Final = 12
PRICE_LEVEL_CHARS_MAX: Final = 12

COORDINATE_CM_MAX: Final = 100_000  # a kilometre either way from the origin
SEAT_NUMBER_MAX: Final = 99_999
SEAT_SPACING_CM_MIN: Final = 20  # closer than this, somebody mistook the unit

FLAWS_MAX: Final = 20  # what a person mends before reading the file again
DIGITS_MAX: Final = 9  # longer numbers are refused before they are converted
