-- Finding events: what words mean, which events fit a wish, and what people may be typing. What is asked of is in
-- sql/schema/6_search.sql. These run on connections of their own, whose plans are made once and whose time is short.

-- name: matches_of_words
-- What the words of the text $1 are in names: for each owner of a name, which words it has (a bit each), and how much they
-- say about it. For words $2 the words $3 are tried too: those that may have been meant.
-- A word is met as it is, by its stem, and, if it is the last one, as the beginning of a longer one: it is being typed.
-- Two neighbours may be one word that was taken apart. Words that say little are only sought when there are no others. Eight words are enough for anything that has a name.
WITH split AS MATERIALIZED (
    SELECT (place - 1)::integer AS token, word, says_little_v1(word) AS is_little, place = count(*) OVER () AS is_last
      FROM unnest((words_v1($1::text))[1:8]) WITH ORDINALITY AS given (word, place)
), asked AS MATERIALIZED (
    SELECT token, word, is_little, is_last FROM split WHERE NOT is_little OR (SELECT bool_and(is_little) FROM split)
), sought AS (
    SELECT token, word, false AS is_stem, 100 AS share FROM asked
     UNION ALL
    SELECT token, stem, true, 60 FROM asked, unnest(stems_v1(word)) AS stem
     UNION ALL
    SELECT token, meant, false, 50 FROM asked JOIN unnest($2::text[], $3::text[]) AS mended (word, meant) USING (word)
     UNION ALL
    SELECT one.token + half, one.word || other.word, false, 70
      FROM asked AS one JOIN asked AS other ON other.token = one.token + 1, generate_series(0, 1) AS half
), met AS (
    SELECT token, owner, of_id, share * worth / 100 AS worth
      FROM sought
      JOIN search_word USING (word, is_stem)
     UNION ALL
    SELECT token, owner, of_id, 80 * worth * char_length(asked.word) / (100 * char_length(search_word.word))
      FROM asked
      JOIN search_word ON search_word.word > asked.word AND search_word.word < asked.word || U&'\+10FFFF'
     WHERE is_last AND NOT is_little AND NOT search_word.is_stem
), best AS (
    SELECT token, owner, of_id, max(worth) AS worth FROM met GROUP BY token, owner, of_id
), matched AS MATERIALIZED (
    SELECT owner, of_id, bit_or(1 << token) AS tokens, sum(worth)::integer AS worth FROM best GROUP BY owner, of_id
), owners AS MATERIALIZED (
    SELECT owner, bit_or(tokens) AS tokens FROM matched GROUP BY owner
), helped AS MATERIALIZED (
    SELECT one.owner, coalesce(bit_or(other.tokens), 0) AS tokens
      FROM owners AS one LEFT JOIN owners AS other ON other.owner <> one.owner
     GROUP BY one.owner
), useful AS (
    SELECT matched.owner, of_id, matched.tokens, worth
      FROM matched JOIN helped USING (owner)
     WHERE $4::boolean OR matched.tokens | helped.tokens = (SELECT bit_or(tokens) FROM owners)
)
SELECT (SELECT coalesce(array_agg(word ORDER BY token), '{}') FROM split)      AS words,
       (SELECT coalesce(array_agg(is_little ORDER BY token), '{}') FROM split) AS little,
       coalesce((SELECT bit_or(tokens) FROM owners), 0) AS known,
       coalesce(array_agg(owner), '{}')  AS owners,
       coalesce(array_agg(of_id), '{}')  AS ids,
       coalesce(array_agg(tokens), '{}') AS tokens,
       coalesce(array_agg(worth), '{}')  AS worths
  FROM useful;

-- name: words_alike
-- For each of the words $1, the words of names that look a little like it.
SELECT spelt, alike
  FROM unnest($1::text[]) AS spelt
 CROSS JOIN LATERAL words_alike_v1(spelt) AS alike
 WHERE abs(char_length(alike) - char_length(spelt)) <= 2;

-- name: venues_near
-- The venues at most $3 metres from the place at $1, $2, and how far each is. A degree of latitude is 111 km everywhere,
-- so what is near lies in a band of an index.
SELECT venue_id, metres
  FROM (SELECT venue_id, round(metres_v1($1, $2, latitude, longitude))::integer AS metres
          FROM venue
         WHERE latitude BETWEEN $1::double precision - $3::double precision / 111000 AND $1 + $3 / 111000
        OFFSET 0) AS around
 WHERE metres <= $3
 ORDER BY venue_id;

-- name: place_of_postal_code
-- Where letters with a code of $1 are brought to, in the country $2 if it is not NULL. The codes are the same one, written
-- ever more roughly: the first that is known counts. Where several countries have it, the one that is closest to a city of
-- ours.
SELECT latitude, longitude
  FROM postal_code
 WHERE code = ANY ($1::text[])
   AND ($2::text IS NULL OR country = $2)
 ORDER BY array_position($1, code),
          (SELECT min(metres_v1(postal_code.latitude, postal_code.longitude, city.latitude, city.longitude)) FROM city),
          country
 LIMIT 1;

-- name: found_by_matches
-- Events that fit the wish $1 and that the matches lead to, $19 of them after the position $16, $17, $18 in the order $15;
-- and where $20 says so, how all of them are spread over categories, genres, cities and days.
-- Matches are given as columns, owner after owner: production, venue, city, category, event, and venues that are near. $3
-- says where each owner's end, $4 are ids, $5 the words they have, as bits, $6 their worth, $7 whether they lead to events:
-- those that cannot have all words without another match need not. $8 to $12 are the ids of those that do, for each of
-- the first five owners. An event has the words of all its matches; of the words $13 it must have at least $14. The worth
-- of what is near is its distance; where there is any, nothing else counts. $2 is `genre` or `start` where no match leads
-- to events, but the wish itself does. An event that several matches lead to counts for the first of them.
WITH entered AS (
    SELECT 1 AS led_by, search_event.*
      FROM search_event
     WHERE production_id = ANY ($8::bigint[])
       AND starts_at BETWEEN ($1::search_wish).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
     UNION ALL
    SELECT 2, search_event.*
      FROM search_event
     WHERE venue_id = ANY ($9::bigint[])
       AND starts_at BETWEEN ($1).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
     UNION ALL
    SELECT 3, search_event.*
      FROM search_event
     WHERE city_id = ANY ($10::bigint[])
       AND starts_at BETWEEN ($1).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
     UNION ALL
    SELECT 4, search_event.*
      FROM search_event
     WHERE category = ANY (ARRAY(SELECT category FROM search_category WHERE category_id = ANY ($11::bigint[])))
       AND starts_at BETWEEN ($1).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
     UNION ALL
    SELECT 5, search_event.*
      FROM unnest($12::bigint[]) AS of_id
      JOIN search_event ON event_id = of_id
     WHERE starts_at BETWEEN ($1).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
     UNION ALL
    SELECT 0, search_event.*
      FROM search_event
     WHERE $2::text = 'genre' AND genre = ($1).genre
       AND starts_at BETWEEN ($1).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
     UNION ALL
    SELECT 0, search_event.*
      FROM search_event
     WHERE $2 = 'start'
       AND starts_at BETWEEN ($1).starts_after AND ($1).starts_before AND fits_v1(search_event, $1)
), matched AS (
    SELECT event.*, near.worth AS metres,
           coalesce(production.worth, 0) + coalesce(venue.worth, 0) + coalesce(city.worth, 0) + coalesce(category.worth, 0)
               + coalesce(named.worth, 0) AS worth,
           (coalesce(production.has, 0) | coalesce(venue.has, 0) | coalesce(city.has, 0) | coalesce(category.has, 0)
               | coalesce(named.has, 0)) & $13::integer AS has,
           CASE WHEN production.leads THEN 1
                WHEN venue.leads      THEN 2
                WHEN city.leads       THEN 3
                WHEN category.leads   THEN 4
                WHEN named.leads      THEN 5
                ELSE 0 END AS first_led_by
      FROM entered AS event
      LEFT JOIN matches_of_v1(1, $3, $4, $5, $6, $7) AS production ON production.of_id = event.production_id
      LEFT JOIN matches_of_v1(2, $3, $4, $5, $6, $7) AS venue      ON venue.of_id      = event.venue_id
      LEFT JOIN matches_of_v1(3, $3, $4, $5, $6, $7) AS city       ON city.of_id       = event.city_id
      LEFT JOIN (SELECT search_category.category, matched.has, matched.worth, matched.leads
                   FROM matches_of_v1(4, $3::integer[], $4::bigint[], $5::integer[], $6::integer[], $7::boolean[]) AS matched
                   JOIN search_category ON category_id = of_id) AS category ON category.category = event.category
      LEFT JOIN matches_of_v1(5, $3, $4, $5, $6, $7) AS named      ON named.of_id      = event.event_id
      LEFT JOIN matches_of_v1(6, $3, $4, $5, $6, $7) AS near       ON near.of_id       = event.venue_id
    OFFSET 0  -- whatever is left out below, the joins are planned for all
), found AS MATERIALIZED (
    SELECT event_id, starts_at, category, genre, city_id, starts_on, metres,
           CASE $15::text
               WHEN 'price'    THEN price_minor
               WHEN 'rating'   THEN by_rating
               WHEN 'distance' THEN metres
               WHEN 'date'     THEN 0
               ELSE CASE $13
                   WHEN 0 THEN by_popularity
                   ELSE -worth::bigint * (6000 - by_popularity / 333 + 30000 / (30 + greatest(0, starts_on - ($1).today)))
                        / CASE WHEN is_cancelled THEN 2 ELSE 1 END
                   END
               END::bigint AS place
      FROM matched
     WHERE led_by = first_led_by
       AND bit_count(has::bit(8)) >= $14::integer
       AND (metres IS NOT NULL OR $3[6] = $3[5])
       AND NOT (($1).with_seats
                AND seats <= (SELECT held + sold + blocked FROM lane WHERE lane.event_id = matched.event_id))
), page AS MATERIALIZED (
    SELECT event_id, place, starts_at, metres
      FROM found
     WHERE (place, starts_at, event_id) > ($16::bigint, $17::timestamptz, $18::bigint)
     ORDER BY place, starts_at, event_id
     LIMIT $19::integer
), spread AS MATERIALIZED (
    SELECT CASE grouping(category, genre, city_id, starts_on)
               WHEN 7  THEN 'category'
               WHEN 11 THEN 'genre'
               WHEN 13 THEN 'city'
               WHEN 14 THEN 'day'
               ELSE 'all' END AS by_what,
           coalesce(category, genre, city_id::text, starts_on::text, '') AS value, city_id, count(*)::integer AS events
      FROM found
     WHERE $20::boolean
     GROUP BY GROUPING SETS ((category), (genre), (city_id), (starts_on), ())
)
SELECT page.*, spread.*
  FROM (SELECT coalesce(array_agg(event_id), '{}') AS events, array_agg(place) AS places, array_agg(starts_at) AS starts,
               array_agg(metres) AS metres
          FROM page) AS page,
       (SELECT array_agg(by_what) AS spread_by, array_agg(value) AS spread_values, array_agg(city.name) AS spread_cities,
               array_agg(city.country) AS spread_countries, array_agg(events) AS spread_events
          FROM spread
          LEFT JOIN LATERAL (SELECT name, country FROM city WHERE city.city_id = spread.city_id OFFSET 0) AS city ON true) AS spread;

-- name: found_by_start
-- Events that fit the wish $1, soonest first: $5 of them after the position $2, $3, $4. The order is an index's, so no more
-- is read than has to be passed over. The three statements below are the same in other orders.
SELECT event_id, 0::bigint AS place, starts_at
  FROM search_event
 WHERE starts_at BETWEEN ($1::search_wish).starts_after AND ($1).starts_before
   AND (0::bigint, starts_at, event_id) > ($2::bigint, $3::timestamptz, $4::bigint)
   AND starts_at >= CASE WHEN $2 < 0 THEN ($1).starts_after ELSE $3 END
   AND fits_v1(search_event, $1)
   AND NOT (($1).with_seats
            AND seats <= (SELECT held + sold + blocked FROM lane WHERE lane.event_id = search_event.event_id))
 ORDER BY starts_at, event_id
 LIMIT $5;

-- name: found_by_popularity
-- As found_by_start, the most popular first.
SELECT event_id, by_popularity::bigint AS place, starts_at
  FROM search_event
 WHERE (by_popularity, starts_at, event_id) > (greatest($2::bigint, -2147483648)::integer, $3::timestamptz, $4::bigint)
   AND starts_at BETWEEN ($1::search_wish).starts_after AND ($1).starts_before
   AND fits_v1(search_event, $1)
   AND NOT (($1).with_seats
            AND seats <= (SELECT held + sold + blocked FROM lane WHERE lane.event_id = search_event.event_id))
 ORDER BY by_popularity, starts_at, event_id
 LIMIT $5;

-- name: found_by_rating
-- As found_by_start, the best rated first, those that are not rated last.
SELECT event_id, by_rating::bigint AS place, starts_at
  FROM search_event
 WHERE (by_rating, starts_at, event_id) > (greatest($2::bigint, -2147483648)::integer, $3::timestamptz, $4::bigint)
   AND starts_at BETWEEN ($1::search_wish).starts_after AND ($1).starts_before
   AND fits_v1(search_event, $1)
   AND NOT (($1).with_seats
            AND seats <= (SELECT held + sold + blocked FROM lane WHERE lane.event_id = search_event.event_id))
 ORDER BY by_rating, starts_at, event_id
 LIMIT $5;

-- name: found_by_price
-- As found_by_start, the cheapest first.
SELECT event_id, price_minor AS place, starts_at
  FROM search_event
 WHERE (price_minor, starts_at, event_id) > ($2::bigint, $3::timestamptz, $4::bigint)
   AND starts_at BETWEEN ($1::search_wish).starts_after AND ($1).starts_before
   AND fits_v1(search_event, $1)
   AND NOT (($1).with_seats
            AND seats <= (SELECT held + sold + blocked FROM lane WHERE lane.event_id = search_event.event_id))
 ORDER BY price_minor, starts_at, event_id
 LIMIT $5;

-- name: spread_of_all
-- How all events that fit the wish $1 are spread over categories, genres, cities and days.
WITH spread AS MATERIALIZED (
    SELECT CASE grouping(category, genre, city_id, starts_on)
               WHEN 7  THEN 'category'
               WHEN 11 THEN 'genre'
               WHEN 13 THEN 'city'
               WHEN 14 THEN 'day'
               ELSE 'all' END AS by_what,
           coalesce(category, genre, city_id::text, starts_on::text, '') AS value, city_id, count(*)::integer AS events
      FROM search_event
     WHERE starts_at BETWEEN ($1::search_wish).starts_after AND ($1).starts_before
       AND fits_v1(search_event, $1)
       AND NOT (($1).with_seats
                AND seats <= (SELECT held + sold + blocked FROM lane WHERE lane.event_id = search_event.event_id))
     GROUP BY GROUPING SETS ((category), (genre), (city_id), (starts_on), ())
)
SELECT by_what, value, city.name, city.country, events
  FROM spread
  LEFT JOIN LATERAL (SELECT name, country FROM city WHERE city.city_id = spread.city_id OFFSET 0) AS city ON true;

-- name: listings_of_events
-- The events $1 as the view `listing` has them, in no order. What search_event knows is taken from it: seats and prices need
-- no other table then.
SELECT event.event_id, event.name, search_event.production_id, production.name AS production, production.performers,
       search_event.category, search_event.genre, search_event.venue_id, venue.name AS venue, hall.name AS hall,
       search_event.city_id, city.name AS city, city.country, city.time_zone, event.publication, event.on_sale_at,
       event.starts_at, event.ends_at, event.waiting_room, search_event.price_minor AS price_from_minor,
       search_event.currency, search_event.seats, search_event.seats - lane.held - lane.sold - lane.blocked AS seats_left,
       production.rating
  FROM search_event
  JOIN event      USING (event_id)
  JOIN lane       USING (event_id)
  JOIN production ON production.production_id = search_event.production_id
  JOIN hall       USING (hall_id)
  JOIN venue      ON venue.venue_id = search_event.venue_id
  JOIN city       ON city.city_id = search_event.city_id
 WHERE event_id = ANY ($1::bigint[]);

-- name: cities_with_events
-- Cities where something is on that ends after $1, and how many events there are in each.
SELECT city.city_id, city.name, city.country, counted.events
  FROM (SELECT city_id, count(*)::integer AS events
          FROM search_event
         WHERE starts_at > $1::timestamptz - interval '31 days' AND ends_at > $1
         GROUP BY city_id) AS counted
  JOIN city USING (city_id)
 ORDER BY city.name, city.city_id;

-- name: productions_anywhere
-- Productions of the category $1 (NULL: of any) with events that end after $2, the most popular first: $5 of them after the
-- one with the popularity $3 and the id $4.
SELECT production_id, organizer_id, name, performers, category, genre, about, minutes, popularity, rating, also_known_as
  FROM production
 WHERE ($1::text IS NULL OR category = $1)
   AND (-popularity, production_id) > (-$3::double precision, $4::bigint)
   AND (SELECT true
          FROM search_event
         WHERE search_event.production_id = production.production_id
           AND starts_at > $2::timestamptz - interval '31 days' AND ends_at > $2
         LIMIT 1)
 ORDER BY -popularity, production_id
 LIMIT $5;

-- name: productions_in_city
-- As productions_anywhere, with events in the city $6.
SELECT production_id, organizer_id, name, performers, category, genre, about, minutes, popularity, rating, also_known_as
  FROM production
 WHERE ($1::text IS NULL OR category = $1)
   AND (-popularity, production_id) > (-$3::double precision, $4::bigint)
   AND production_id IN (
           SELECT search_event.production_id
             FROM search_event
            WHERE city_id = $6::bigint
              AND starts_at > $2::timestamptz - interval '31 days' AND ends_at > $2)
 ORDER BY -popularity, production_id
 LIMIT $5;

-- name: venues_with_events
-- Venues in the city $1 (NULL: anywhere) with events of the production $2 (NULL: of any) that end after $3, by name: $6 of
-- them after the one with the name $4 and the id $5.
SELECT venue_id, city_id, venue.name, street, postal_code, venue.latitude, venue.longitude, city.name AS city, country
  FROM venue
  JOIN city USING (city_id)
 WHERE ($1::bigint IS NULL OR city_id = $1)
   AND (venue.name, venue_id) > ($4::text, $5::bigint)
   AND (SELECT true
          FROM search_event
         WHERE search_event.venue_id = venue.venue_id
           AND starts_at > $3::timestamptz - interval '31 days' AND ends_at > $3
           AND ($2::bigint IS NULL OR search_event.production_id = $2)
         LIMIT 1)
 ORDER BY venue.name, venue_id
 LIMIT $6;

-- name: names_begun
-- Names of productions, artists, venues and cities that somebody who has typed $1 may be typing, $5 of them, the likeliest
-- first; only of what is on after $4. For words $2 the words $3 are tried too. A name has every word that was typed, all
-- but $6 of them, the last one perhaps longer. What begins with all that was typed is likelier than what has it somewhere,
-- what is popular likelier than what is not; of a city or venue its size is taken for that. A single letter finds what
-- begins with it, but nothing by itself after other words. Of a thousand names the rest is not looked at, and only of the
-- two hundred likeliest whether anything is on: another letter will follow.
WITH split AS MATERIALIZED (
    SELECT (place - 1)::integer AS token, word, place = count(*) OVER () AS is_last
      FROM unnest((words_v1($1::text))[1:8]) WITH ORDINALITY AS given (word, place)
), asked AS MATERIALIZED (
    SELECT token, word, is_last, char_length(word) = 1 AS is_letter
      FROM split
     WHERE token = 0 OR NOT is_last OR char_length(word) > 1
), sought AS (
    SELECT token, word, 100 AS share FROM asked
     UNION ALL
    SELECT token, meant, 50 FROM asked JOIN unnest($2::text[], $3::text[]) AS mended (word, meant) USING (word)
), met AS (
    SELECT token, name_id, share * worth / 100 AS worth
      FROM sought
      JOIN search_word USING (word)
     WHERE NOT is_stem AND owner IN ('production', 'venue', 'city')
     UNION ALL
    SELECT token, name_id, 80 * worth * char_length(asked.word) / (100 * char_length(search_word.word))
      FROM asked
      JOIN search_word ON search_word.word > asked.word AND search_word.word < asked.word || U&'\+10FFFF'
     WHERE is_last AND NOT is_letter AND NOT is_stem AND owner IN ('production', 'venue', 'city')
     UNION ALL
    SELECT token, name_id, 500
      FROM asked
      JOIN search_name ON folded >= asked.word AND folded < asked.word || U&'\+10FFFF'
     WHERE is_last AND is_letter
), best AS (
    SELECT name_id, token, max(worth) AS worth FROM met GROUP BY name_id, token
), whole AS (
    SELECT name_id, sum(worth) AS worth
      FROM best
     GROUP BY name_id
    HAVING count(*) >= (SELECT count(*) FROM asked) - $6::integer
     ORDER BY 2 DESC, name_id
     LIMIT 1000
), known AS (
    SELECT search_name.kind, search_name.of_id, search_name.name, search_name.owner,
           whole.worth
           + CASE WHEN starts_with(search_name.folded, (SELECT string_agg(word, ' ' ORDER BY token) FROM split)) THEN 500 ELSE 0 END
           + CASE search_name.owner
                 WHEN 'production' THEN 400 * production.popularity
                 WHEN 'city' THEN least(400, 100 + 20 * (SELECT count(*) FROM venue WHERE venue.city_id = search_name.of_id))
                 ELSE 100 END AS likelihood
      FROM whole
      JOIN search_name USING (name_id)
      LEFT JOIN production ON search_name.owner = 'production' AND production.production_id = search_name.of_id
     WHERE search_name.kind IN ('production', 'artist', 'venue', 'city')
     ORDER BY likelihood DESC, search_name.name_id
     LIMIT 200
), once AS (
    SELECT DISTINCT ON (kind, name, CASE WHEN owner = 'production' THEN 0 ELSE of_id END) *
      FROM known
     WHERE CASE owner
               WHEN 'production' THEN (SELECT true FROM search_event
                                        WHERE search_event.production_id = known.of_id
                                          AND starts_at > $4::timestamptz - interval '31 days' AND ends_at > $4 LIMIT 1)
               WHEN 'venue' THEN (SELECT true FROM search_event
                                   WHERE search_event.venue_id = known.of_id
                                     AND starts_at > $4 - interval '31 days' AND ends_at > $4 LIMIT 1)
               ELSE (SELECT true FROM search_event
                      WHERE search_event.city_id = known.of_id
                        AND starts_at > $4 - interval '31 days' AND ends_at > $4 LIMIT 1) END
     ORDER BY kind, name, CASE WHEN owner = 'production' THEN 0 ELSE of_id END, likelihood DESC, of_id
)
SELECT kind, of_id, name FROM once ORDER BY likelihood DESC, name, of_id LIMIT $5;
