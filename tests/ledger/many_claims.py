"""A season with many claims, and what is asked of it: each statement of the ledger and the journal at least once.

A hundred events of 12,000 seats. Where an event is filled, 10,000 of them are claimed by holds of two: of ten holds one
is in checkout, three are held (a few of them are over) and six are sold.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, LiteralString
from uuid import UUID

EVENT: Final = 7  # the one that is asked about
HOLDS: Final = 5_000  # of an event; hold k has the seats 2k and 2k + 1
CLAIMED: Final = 2 * HOLDS
REQUESTS: Final = 15  # in a batch; as many holds of an event are over

EVENTS: Final[LiteralString] = """
INSERT INTO city (name, country, time_zone, latitude, longitude) VALUES ('City', 'CH', 'Europe/Zurich', 47, 8);
INSERT INTO venue (city_id, name, street, postal_code, latitude, longitude) VALUES (1, 'Venue', '', '', 47, 8);
INSERT INTO hall (venue_id, name) VALUES (1, 'Hall');
INSERT INTO seat_map (sha256, name, seats, document)
SELECT encode(sha256(document), 'hex'), 'Map', 12000, document
  FROM convert_to('{"format": "frontrow-seat-map/1", "name": "Map"}', 'UTF8') AS document;
INSERT INTO hall_seat_map (hall_id, version, seat_map) SELECT hall_id, 1, sha256 FROM hall, seat_map;
INSERT INTO organizer (name, email) VALUES ('Organizer', 'organizer@example.org');
INSERT INTO production (organizer_id, name, performers, category, genre, about, minutes, popularity)
VALUES (1, 'Production', '{}', 'film', '', '', 90, 0.5);
INSERT INTO event (production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
                   waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
SELECT 1, 1, sha256, 'Event ' || n, 'announced', '2000-01-01', '2100-01-01', '2100-01-02', 'CHF', false, 300, 6, 8
  FROM generate_series(1, 100) AS n, seat_map;
INSERT INTO lane (event_id) SELECT event_id FROM event;
"""

ALL: Final[LiteralString] = "CREATE TEMPORARY TABLE filled AS SELECT event_id FROM event;"
ONE: Final[LiteralString] = "CREATE TEMPORARY TABLE filled AS SELECT 7 AS event_id;"
CLAIMS: Final[LiteralString] = """
INSERT INTO hold (hold_id, event_id, fan_id, state, seats, tickets, placed_at, expires_at)
SELECT id, event_id, id, CASE WHEN number % 10 = 0 THEN 'checkout' WHEN number % 10 < 4 THEN 'held' ELSE 'sold' END,
       ARRAY[2 * number, 2 * number + 1], 2, now() - interval '5 min', now() + (number % 1000 - 10) * interval '1 s'
  FROM generate_series(0, 4999) AS number, filled,
       LATERAL (SELECT (lpad(to_hex(100 * number + event_id), 16, '0') || repeat('0', 16))::uuid AS id) AS made;
INSERT INTO claim (event_id, seat_no, state, hold_id, expires_at)
SELECT event_id, seat_no, CASE state WHEN 'sold' THEN 'sold' ELSE 'held' END, hold_id,
       CASE state WHEN 'held' THEN expires_at ELSE 'infinity' END
  FROM hold, unnest(seats) AS seat_no;
INSERT INTO journal (event_id, update_no, at, seats, states, holders, expires_at)
SELECT event_id, row_number() OVER (PARTITION BY event_id), placed_at, seats, 'hh',
       holder_v1(hold_id) || holder_v1(hold_id), expires_at
  FROM hold;
UPDATE lane SET update_no = 5000, held = 4000, sold = 6000 FROM filled WHERE lane.event_id = filled.event_id;
"""


def hold_of(number: int) -> UUID:
    """One of EVENT's, by its number. It is its fan's id too."""
    return UUID(int=(100 * number + EVENT) << 64)


def some(residue: int) -> Sequence[int]:
    """Numbers of holds: 0 are in checkout, 1 to 3 held, the others sold. None of them is over."""
    return range(500 + residue, 500 + residue + 10 * REQUESTS, 10)


def ids(numbers: Sequence[int]) -> list[UUID]:
    return [hold_of(number) for number in numbers]


def seats(numbers: Sequence[int]) -> list[int]:
    return [seat for number in numbers for seat in (2 * number, 2 * number + 1)]


OVER: Final = [number for number in range(HOLDS) if number % 1000 < 10 and number % 10 in {1, 2, 3}]
NEW: Final = [UUID(int=number) for number in range(1, REQUESTS + 1)]
TWO_EACH: Final = [number for number in range(1, REQUESTS + 1) for _ in range(2)]
FREE: Final = list(range(CLAIMED, CLAIMED + 2 * REQUESTS))

# What is decided, by the names of statements: in a batch of REQUESTS, each of two seats or one hold.
DECIDED: Final[Mapping[str, Mapping[str, Sequence[object]]]] = MappingProxyType(
    {
        "hold_seats": {
            "free ones": (EVENT, NEW, NEW, TWO_EACH, FREE),
            "sold ones": (EVENT, NEW, NEW, TWO_EACH, seats(some(5))),
            "of holds that are over": (EVENT, NEW, NEW, TWO_EACH, seats(OVER)),
            "once more": (EVENT, ids(some(1)), ids(some(1)), TWO_EACH, seats(some(1))),
            "by fans who hold some": (EVENT, NEW, ids(some(1)), TWO_EACH, FREE),
            "by fans who bought some": (EVENT, NEW, ids(some(5)), TWO_EACH, FREE),
        },
        "release_holds": {"": (EVENT, ids(some(1)), ids(some(1)))},
        "begin_checkouts": {"": (EVENT, ids(some(2)), ids(some(2)), 90)},
        "move_hold": {"": (EVENT, ids(some(1))[0], ids(some(1))[0], NEW[0])},
        "sell_holds": {"": (EVENT, ids(some(0)))},
        "end_checkouts": {"": (EVENT, ids(some(0)), "expired")},
        "sell_again": {"": (EVENT, ids(some(1))[0])},
        "return_seats": {"": (EVENT, ids(some(5)), TWO_EACH, seats(some(5)))},
        "block_seats": {
            "free ones": (EVENT, REQUESTS, TWO_EACH, FREE),
            "of holds that are over": (EVENT, REQUESTS, TWO_EACH, seats(OVER)),
        },
        "unblock_seats": {"": (EVENT, seats(some(5)))},
        "expire_holds": {"": (EVENT, ids(OVER))},
    }
)

# What is read: asked with, and how many rows there are to tell of.
READ: Final[Mapping[str, tuple[Sequence[object], int]]] = MappingProxyType(
    {
        "hold_of_fan": ([hold_of(7), hold_of(7)], 1),
        "live_hold_of_fan": ([EVENT, hold_of(501)], 1),
        "holds_over": ([[], len(OVER)], len(OVER)),
        "claims_of_event": ([EVENT], CLAIMED),
        "updates_after": ([[EVENT], [HOLDS - 10], 500], 10),
    }
)
