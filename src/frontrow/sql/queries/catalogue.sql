-- What pages read of the catalogue. The view `listing` joins an event with all that lists show of it.

-- name: listings_upcoming
-- Announced and cancelled events that have not ended at $1, soonest first, at most $2.
-- No event is longer than 31 days (constraint event_length), so the index event_public_by_start is entered there and
-- the whole past is never read.
SELECT event_id, name, production_id, production, performers, category, genre, venue_id, venue, hall,
       city_id, city, country, time_zone, publication, on_sale_at, starts_at, ends_at, waiting_room,
       price_from_minor, currency, seats, seats_left, rating
  FROM listing
 WHERE publication <> 'draft'
   AND starts_at > $1::timestamptz - interval '31 days'
   AND ends_at > $1::timestamptz
 ORDER BY starts_at, event_id
 LIMIT $2;

-- name: listings_of_productions
-- Of each of the productions $1, announced and cancelled events in the city $2 (NULL: anywhere) that have not ended at $3,
-- soonest first, at most $4 of each. Each production is entered by itself, in event_by_production.
SELECT found.*
  FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (production_id, place)
 CROSS JOIN LATERAL (
        SELECT event_id, name, production_id, production, performers, category, genre, venue_id, venue, hall,
               city_id, city, country, time_zone, publication, on_sale_at, starts_at, ends_at, waiting_room,
               price_from_minor, currency, seats, seats_left, rating
          FROM listing
         WHERE publication <> 'draft'
           AND production_id = wanted.production_id
           AND starts_at > $3::timestamptz - interval '31 days'
           AND ends_at > $3::timestamptz
           AND ($2::bigint IS NULL OR city_id = $2)
         ORDER BY starts_at, event_id
         LIMIT $4
       ) AS found
 ORDER BY place, starts_at, event_id;

-- name: listing_of_event
-- One event as the public knows it: a draft is not there.
SELECT event_id, name, production_id, production, performers, category, genre, venue_id, venue, hall,
       city_id, city, country, time_zone, publication, on_sale_at, starts_at, ends_at, waiting_room,
       price_from_minor, currency, seats, seats_left, rating
  FROM listing
 WHERE publication <> 'draft'
   AND event_id = $1;

-- name: listings_of_production
-- Announced and cancelled events of the production $1 that have not ended at $2, soonest first, at most $3.
SELECT event_id, name, production_id, production, performers, category, genre, venue_id, venue, hall,
       city_id, city, country, time_zone, publication, on_sale_at, starts_at, ends_at, waiting_room,
       price_from_minor, currency, seats, seats_left, rating
  FROM listing
 WHERE publication <> 'draft'
   AND production_id = $1
   AND starts_at > $2::timestamptz - interval '31 days'
   AND ends_at > $2::timestamptz
 ORDER BY starts_at, event_id
 LIMIT $3;

-- name: event
-- One event as the public knows it, without its prices: a draft is not there.
SELECT event_id, production_id, hall_id, seat_map, name, publication, on_sale_at, starts_at, ends_at, currency,
       waiting_room, hold_seconds, seats_per_hold_max, tickets_per_fan_max, presale.until AS codes_until
  FROM event
  LEFT JOIN presale USING (event_id)
 WHERE publication <> 'draft'
   AND event_id = $1;

-- name: price_levels_of_event
-- What a seat costs at the event $1, the dearest level first.
SELECT level, name, amount_minor, fee_minor
  FROM price_level
 WHERE event_id = $1
 ORDER BY amount_minor + fee_minor DESC, level;

-- name: production
-- One production. One whose events are all drafts is not there: its name may be a secret yet.
SELECT production_id, organizer_id, name, performers, category, genre, about, minutes, popularity, rating, also_known_as
  FROM production
 WHERE production_id = $1
   AND EXISTS (SELECT FROM event WHERE event.production_id = $1 AND publication <> 'draft');

-- name: city
-- One city.
SELECT city_id, name, country, time_zone, latitude, longitude, also_known_as
  FROM city
 WHERE city_id = $1;

-- name: venue
-- One venue.
SELECT venue_id, city_id, name, street, postal_code, latitude, longitude
  FROM venue
 WHERE venue_id = $1;

-- name: seat_map
-- The canonical form of the seat map $1.
SELECT document
  FROM seat_map
 WHERE sha256 = $1;
