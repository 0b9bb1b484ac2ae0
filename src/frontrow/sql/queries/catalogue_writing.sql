-- Adding to the catalogue. Ids are drawn before the rows are written (draw_ids), so many rows go in one round trip and
-- nobody depends on the order in which an INSERT returns them; that is why identity values are overridden here.

-- name: draw_ids
-- $3 fresh ids of the table $1, whose identity column is $2. Ids of an attempt that failed are never used again.
SELECT nextval(pg_get_serial_sequence($1, $2)) AS id
  FROM generate_series(1, $3::integer);

-- name: add_city
-- One city.
INSERT INTO city (city_id, name, country, time_zone, latitude, longitude, also_known_as)
OVERRIDING SYSTEM VALUE
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: add_venue
-- One venue of a city.
INSERT INTO venue (venue_id, city_id, name, street, postal_code, latitude, longitude)
OVERRIDING SYSTEM VALUE
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: add_hall
-- One hall of a venue.
INSERT INTO hall (hall_id, venue_id, name)
OVERRIDING SYSTEM VALUE
VALUES ($1, $2, $3);

-- name: add_organizer
-- One organizer.
INSERT INTO organizer (organizer_id, name, email)
OVERRIDING SYSTEM VALUE
VALUES ($1, $2, $3);

-- name: add_seat_map
-- A seat map, named by the hash of its content: adding it again changes nothing.
INSERT INTO seat_map (sha256, name, seats, document)
VALUES ($1, $2, $3, $4)
ON CONFLICT (sha256) DO NOTHING;

-- name: take_hall
-- Take the hall's row, so that two writers number its seat maps one after the other.
SELECT hall_id FROM hall WHERE hall_id = $1 FOR NO KEY UPDATE;

-- name: give_hall_seat_map
-- Make a seat map the hall's next version; a map that it has had already keeps its number. Answers the version.
-- Safe only after take_hall in the same SQL transaction: the next number is one more than the newest it can see.
WITH added AS (
    INSERT INTO hall_seat_map (hall_id, version, seat_map)
    SELECT $1, coalesce(max(version), 0) + 1, $2
      FROM hall_seat_map
     WHERE hall_id = $1
    ON CONFLICT (hall_id, seat_map) DO NOTHING
    RETURNING version
)
SELECT version FROM added
UNION ALL
SELECT version FROM hall_seat_map WHERE hall_id = $1 AND seat_map = $2;

-- name: add_production
-- One production of an organizer.
INSERT INTO production (production_id, organizer_id, name, performers, category, genre, about, minutes, popularity, rating,
                        also_known_as)
OVERRIDING SYSTEM VALUE
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: add_events
-- Events with their lanes, given as columns; their price levels follow in the same SQL transaction. One statement, so that
-- search looks at them once.
WITH added AS (
    INSERT INTO event (event_id, production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at,
                       currency, waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max)
    OVERRIDING SYSTEM VALUE
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[],
                         $7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::text[], $11::boolean[],
                         $12::integer[], $13::integer[], $14::integer[])
    RETURNING event_id
)
INSERT INTO lane (event_id) SELECT event_id FROM added;

-- name: add_price_levels
-- Price levels of events, given as columns.
INSERT INTO price_level (event_id, level, name, amount_minor, fee_minor)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]);
