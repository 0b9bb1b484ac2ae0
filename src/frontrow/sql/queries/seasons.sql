-- What of a season is in the catalogue already, and whose turn it is to plant one. Things are known by the names that
-- people know them by; where two have the same name, the older one counts.

-- name: limit_turn_wait
-- How long to wait for another planter: not quite as long as the program waits for an answer.
SET LOCAL lock_timeout = '7s';
SET LOCAL statement_timeout = '7500ms';

-- name: take_turn
-- One planter at a time, until the end of the SQL transaction. The number is ours by agreement; it means nothing.
SELECT pg_advisory_xact_lock(7226370012);

-- name: organizers_with_dates_ahead
-- Which of the organizers with the mail addresses $1 have an event that is announced and starts after $2.
SELECT DISTINCT organizer.email
  FROM organizer
  JOIN production USING (organizer_id)
  JOIN event      USING (production_id)
 WHERE organizer.email = ANY ($1::text[])
   AND event.publication = 'announced'
   AND event.starts_at > $2::timestamptz;

-- name: cities_named
-- The cities with a name of $1.
SELECT city_id, country, name FROM city WHERE name = ANY ($1::text[]) ORDER BY city_id DESC;

-- name: venues_in
-- The venues of the cities $1.
SELECT venue_id, city_id, name FROM venue WHERE city_id = ANY ($1::bigint[]) ORDER BY venue_id DESC;

-- name: halls_in
-- The halls of the venues $1.
SELECT hall_id, venue_id, name FROM hall WHERE venue_id = ANY ($1::bigint[]) ORDER BY hall_id DESC;

-- name: organizers_reached_at
-- The organizers with a mail address of $1.
SELECT organizer_id, email FROM organizer WHERE email = ANY ($1::text[]) ORDER BY organizer_id DESC;

-- name: productions_of
-- The productions of the organizers $1.
SELECT production_id, organizer_id, name FROM production WHERE organizer_id = ANY ($1::bigint[]) ORDER BY production_id DESC;
