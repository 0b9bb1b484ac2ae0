-- The catalogue: places, seat maps, organizers, productions, events and their prices; the bookkeeping of migrations
-- themselves; and the function behind `frontrow audit`.
--
-- Expand: everything here is new. sql/schema says why each table is as it is.

CREATE TABLE schema_migration (
    number      integer     NOT NULL CONSTRAINT schema_migration_pkey PRIMARY KEY,
    name        text        NOT NULL,
    sha256      text        NOT NULL,
    applied_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT schema_migration_number_positive CHECK (number >= 1),
    CONSTRAINT schema_migration_sha256_hex      CHECK (sha256 ~ '^[0-9a-f]{64}$')
);

CREATE TABLE schema_compat (
    only_row       boolean NOT NULL DEFAULT true CONSTRAINT schema_compat_pkey PRIMARY KEY,
    oldest_program integer NOT NULL,
    CONSTRAINT schema_compat_one_row CHECK (only_row),
    CONSTRAINT schema_compat_oldest_program_positive CHECK (oldest_program >= 1)
);

INSERT INTO schema_compat (oldest_program) VALUES (1);

CREATE TABLE city (
    city_id   bigint           GENERATED ALWAYS AS IDENTITY CONSTRAINT city_pkey PRIMARY KEY,
    name      text             NOT NULL,
    country   text             NOT NULL,
    time_zone text             NOT NULL,
    latitude  double precision NOT NULL,
    longitude double precision NOT NULL,
    CONSTRAINT city_name_length     CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT city_country_code    CHECK (country ~ '^[A-Z]{2}$'),
    CONSTRAINT city_time_zone_name  CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
    CONSTRAINT city_latitude_range  CHECK (latitude BETWEEN -90 AND 90),
    CONSTRAINT city_longitude_range CHECK (longitude BETWEEN -180 AND 180)
);

CREATE TABLE venue (
    venue_id    bigint           GENERATED ALWAYS AS IDENTITY CONSTRAINT venue_pkey PRIMARY KEY,
    city_id     bigint           NOT NULL CONSTRAINT venue_city REFERENCES city,
    name        text             NOT NULL,
    street      text             NOT NULL,
    postal_code text             NOT NULL,
    latitude    double precision NOT NULL,
    longitude   double precision NOT NULL,
    CONSTRAINT venue_name_length        CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT venue_street_length      CHECK (char_length(street) <= 200),
    CONSTRAINT venue_postal_code_length CHECK (char_length(postal_code) <= 16),
    CONSTRAINT venue_latitude_range     CHECK (latitude BETWEEN -90 AND 90),
    CONSTRAINT venue_longitude_range    CHECK (longitude BETWEEN -180 AND 180)
);
CREATE INDEX venue_by_city ON venue (city_id, name);

CREATE TABLE hall (
    hall_id  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT hall_pkey PRIMARY KEY,
    venue_id bigint NOT NULL CONSTRAINT hall_venue REFERENCES venue,
    name     text   NOT NULL,
    CONSTRAINT hall_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT hall_name_in_venue UNIQUE (venue_id, name)
);

CREATE TABLE seat_map (
    sha256   text    NOT NULL CONSTRAINT seat_map_pkey PRIMARY KEY,
    name     text    NOT NULL,
    seats    integer NOT NULL,
    document bytea   NOT NULL,
    CONSTRAINT seat_map_named_by_content CHECK (sha256 = encode(sha256(document), 'hex')),
    CONSTRAINT seat_map_size             CHECK (octet_length(document) <= 4194304),
    CONSTRAINT seat_map_format           CHECK (
        (convert_from(document, 'UTF8')::jsonb ->> 'format') IS NOT DISTINCT FROM 'frontrow-seat-map/1'),
    CONSTRAINT seat_map_own_name         CHECK (
        (convert_from(document, 'UTF8')::jsonb ->> 'name') IS NOT DISTINCT FROM name),
    CONSTRAINT seat_map_name_length      CHECK (char_length(name) BETWEEN 1 AND 120),
    CONSTRAINT seat_map_seats_range      CHECK (seats BETWEEN 1 AND 200000)
);

CREATE TABLE hall_seat_map (
    hall_id  bigint      NOT NULL CONSTRAINT hall_seat_map_hall REFERENCES hall,
    version  integer     NOT NULL,
    seat_map text        NOT NULL CONSTRAINT hall_seat_map_seat_map REFERENCES seat_map,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT hall_seat_map_pkey PRIMARY KEY (hall_id, version),
    CONSTRAINT hall_seat_map_once UNIQUE (hall_id, seat_map),
    CONSTRAINT hall_seat_map_version_positive CHECK (version >= 1)
);

CREATE TABLE organizer (
    organizer_id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT organizer_pkey PRIMARY KEY,
    name         text   NOT NULL,
    email        text   NOT NULL,
    CONSTRAINT organizer_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT organizer_email_shape CHECK (email ~ '^[^@[:space:]]+@[^@[:space:]]+$' AND char_length(email) <= 254)
);

CREATE TABLE production (
    production_id bigint           GENERATED ALWAYS AS IDENTITY CONSTRAINT production_pkey PRIMARY KEY,
    organizer_id  bigint           NOT NULL CONSTRAINT production_organizer REFERENCES organizer,
    name          text             NOT NULL,
    performers    text[]           NOT NULL,
    category      text             NOT NULL,
    genre         text             NOT NULL,
    about         text             NOT NULL,
    minutes       integer          NOT NULL,
    popularity    double precision NOT NULL,
    rating        double precision,
    CONSTRAINT production_name_length      CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT production_performers_known CHECK (array_position(performers, NULL) IS NULL),
    CONSTRAINT production_performers_count CHECK (cardinality(performers) <= 100),
    CONSTRAINT production_category_known   CHECK (category IN ('concert', 'film', 'theatre', 'sport', 'comedy', 'family')),
    CONSTRAINT production_genre_length     CHECK (char_length(genre) <= 100),
    CONSTRAINT production_about_length     CHECK (char_length(about) <= 10000),
    CONSTRAINT production_minutes_range    CHECK (minutes BETWEEN 1 AND 44640),
    CONSTRAINT production_popularity_range CHECK (popularity BETWEEN 0 AND 1),
    CONSTRAINT production_rating_range     CHECK (rating BETWEEN 0 AND 5)
);
CREATE INDEX production_by_organizer ON production (organizer_id);

CREATE TABLE event (
    event_id            bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT event_pkey PRIMARY KEY,
    production_id       bigint      NOT NULL CONSTRAINT event_production REFERENCES production,
    hall_id             bigint      NOT NULL CONSTRAINT event_hall REFERENCES hall,
    seat_map            text        NOT NULL,
    name                text        NOT NULL,
    publication         text        NOT NULL,
    on_sale_at          timestamptz NOT NULL,
    starts_at           timestamptz NOT NULL,
    ends_at             timestamptz NOT NULL,
    currency            text        NOT NULL,
    waiting_room        boolean     NOT NULL,
    hold_seconds        integer     NOT NULL,
    seats_per_hold_max  integer     NOT NULL,
    tickets_per_fan_max integer     NOT NULL,
    CONSTRAINT event_seat_map_of_hall FOREIGN KEY (hall_id, seat_map) REFERENCES hall_seat_map (hall_id, seat_map),
    CONSTRAINT event_name_length               CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT event_publication_known         CHECK (publication IN ('draft', 'announced', 'cancelled')),
    CONSTRAINT event_times_finite              CHECK (isfinite(on_sale_at) AND isfinite(starts_at) AND isfinite(ends_at)),
    CONSTRAINT event_starts_before_it_ends     CHECK (starts_at < ends_at),
    CONSTRAINT event_on_sale_before_it_ends    CHECK (on_sale_at < ends_at),
    CONSTRAINT event_length                    CHECK (ends_at - starts_at <= interval '31 days'),
    CONSTRAINT event_currency_code             CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT event_hold_seconds_range        CHECK (hold_seconds BETWEEN 1 AND 3600),
    CONSTRAINT event_seats_per_hold_max_range  CHECK (seats_per_hold_max BETWEEN 1 AND 10),
    CONSTRAINT event_tickets_per_fan_max_range CHECK (tickets_per_fan_max BETWEEN 1 AND 100)
);
CREATE INDEX event_by_production   ON event (production_id, starts_at);
CREATE INDEX event_by_hall         ON event (hall_id, starts_at);
CREATE INDEX event_public_by_start ON event (starts_at, event_id, ends_at) WHERE publication <> 'draft';

CREATE TABLE price_level (
    event_id     bigint NOT NULL CONSTRAINT price_level_event REFERENCES event,
    level        text   NOT NULL,
    name         text   NOT NULL,
    amount_minor bigint NOT NULL,
    fee_minor    bigint NOT NULL,
    CONSTRAINT price_level_pkey PRIMARY KEY (event_id, level),
    CONSTRAINT price_level_level_length CHECK (char_length(level) BETWEEN 1 AND 12),
    CONSTRAINT price_level_name_length  CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT price_level_amount_range CHECK (amount_minor BETWEEN 0 AND 100000000),
    CONSTRAINT price_level_fee_range    CHECK (fee_minor BETWEEN 0 AND 100000000)
);

CREATE VIEW listing AS
SELECT event.event_id,
       event.name,
       production.production_id,
       production.name AS production,
       production.performers,
       production.category,
       production.genre,
       venue.venue_id,
       venue.name AS venue,
       hall.name AS hall,
       city.city_id,
       city.name AS city,
       city.country,
       city.time_zone,
       event.publication,
       event.on_sale_at,
       event.starts_at,
       event.ends_at,
       event.waiting_room,
       price.all_in_minor AS price_from_minor,
       event.currency,
       seat_map.seats,
       seat_map.seats AS seats_left
  FROM event
  JOIN production USING (production_id)
  JOIN hall       USING (hall_id)
  JOIN venue      USING (venue_id)
  JOIN city       USING (city_id)
  JOIN seat_map   ON seat_map.sha256 = event.seat_map
 CROSS JOIN LATERAL (
        SELECT price_level.amount_minor + price_level.fee_minor AS all_in_minor
          FROM price_level
         WHERE price_level.event_id = event.event_id
         ORDER BY all_in_minor
         LIMIT 1
       ) AS price;

CREATE VIEW seat_map_level AS
SELECT seat_map.sha256 AS seat_map, named.level #>> '{}' AS level
  FROM seat_map
 CROSS JOIN LATERAL jsonb_path_query(convert_from(seat_map.document, 'UTF8')::jsonb, '$.price_levels[*]') AS named (level);

CREATE VIEW inv_price_level_missing AS
WITH named AS MATERIALIZED (SELECT seat_map, level FROM seat_map_level)
SELECT event.event_id, named.level, event.name
  FROM event
  JOIN named USING (seat_map)
  LEFT JOIN price_level USING (event_id, level)
 WHERE price_level.event_id IS NULL;

CREATE VIEW inv_price_level_unknown AS
WITH named AS MATERIALIZED (SELECT seat_map, level FROM seat_map_level)
SELECT price_level.event_id, price_level.level, event.name
  FROM price_level
  JOIN event USING (event_id)
  LEFT JOIN named USING (seat_map, level)
 WHERE named.level IS NULL;

CREATE VIEW inv_seat_map_miscounted AS
SELECT seat_map.sha256, seat_map.name, seat_map.seats, counted.seats AS seats_in_document
  FROM seat_map
 CROSS JOIN LATERAL (
        SELECT coalesce(sum(number::numeric), 0) AS seats
          FROM (SELECT convert_from(seat_map.document, 'UTF8')::jsonb AS map OFFSET 0) AS opened
         CROSS JOIN LATERAL (
                SELECT jsonb_path_query(map, '$.sections[*].rows[*].seats')
                 UNION ALL
                SELECT jsonb_path_query(map, '$.sections[*].capacity')
               ) AS written (number)
         WHERE jsonb_typeof(number) = 'number'
       ) AS counted
 WHERE counted.seats <> seat_map.seats;

CREATE VIEW inv_hall_seat_map_version_missing AS
SELECT hall_id, count(*) AS versions, max(version) AS newest
  FROM hall_seat_map
 GROUP BY hall_id
HAVING count(*) <> max(version);

CREATE VIEW inv_schema_migration_missing AS
SELECT count(*) AS migrations, max(number) AS newest
  FROM schema_migration
HAVING count(*) <> max(number);

-- violations_v1: what each view inv_* returns, at most limit_per_invariant rows of each.
CREATE FUNCTION violations_v1(limit_per_invariant integer)
RETURNS TABLE (invariant text, violation text)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    FOR invariant IN
        SELECT viewname FROM pg_views WHERE schemaname = current_schema() AND starts_with(viewname, 'inv_') ORDER BY 1
    LOOP
        FOR violation IN EXECUTE format(
            $query$
            SELECT (SELECT string_agg(format('%%s=%%s', key, value), ' ' ORDER BY ordinality)
                      FROM json_each(to_json(found)) WITH ORDINALITY)
              FROM %I AS found
             LIMIT $1
            $query$, invariant)
            USING limit_per_invariant
        LOOP
            RETURN NEXT;
        END LOOP;
    END LOOP;
END;
$$;
