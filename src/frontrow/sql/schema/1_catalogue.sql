-- The schema of Frontrow as it stands, for reading, in files that build on each other in the order of their numbers.
-- They are the sum of migrations/*.sql, and a test holds the two equal; nothing loads them in production: `frontrow db
-- migrate` runs the migrations.
--
-- Conventions, kept by every table:
--   * Ids are bigint identities. Whoever writes many rows draws the ids first, so they are known before the rows are.
--   * Times are timestamptz, and finite where it does not say what infinity means. Amounts are whole minor units (cents) of the event's currency.
--   * A state is text with a CHECK that names its values: a new value is one expand migration.
--   * Whatever must be true is a constraint. What a constraint cannot say is a view inv_*: it returns no row as long as
--     the sentence above it is true. `frontrow audit` reads them all.

-- What ran, and the hash of what ran -------------------------------------------------------------------------------

CREATE TABLE schema_migration (
    number      integer     NOT NULL CONSTRAINT schema_migration_pkey PRIMARY KEY,
    name        text        NOT NULL,
    sha256      text        NOT NULL,  -- of the file as it ran: a file that changes afterwards is refused
    applied_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT schema_migration_number_positive CHECK (number >= 1),
    CONSTRAINT schema_migration_sha256_hex      CHECK (sha256 ~ '^[0-9a-f]{64}$')
);

-- The oldest program that still works with the database as it is, named by the last migration that program has.
-- Expand migrations leave it alone, so yesterday's program runs on; a contract migration raises it.
CREATE TABLE schema_compat (
    only_row       boolean NOT NULL DEFAULT true CONSTRAINT schema_compat_pkey PRIMARY KEY,
    oldest_program integer NOT NULL,
    CONSTRAINT schema_compat_one_row CHECK (only_row),
    CONSTRAINT schema_compat_oldest_program_positive CHECK (oldest_program >= 1)
);

-- Places ---------------------------------------------------------------------------------------------------------------

CREATE TABLE city (
    city_id   bigint           GENERATED ALWAYS AS IDENTITY CONSTRAINT city_pkey PRIMARY KEY,
    name      text             NOT NULL,
    country   text             NOT NULL,  -- ISO 3166-1, two letters
    time_zone text             NOT NULL,  -- IANA name; that of every venue in the city
    latitude  double precision NOT NULL,
    longitude double precision NOT NULL,
    also_known_as text[]       NOT NULL DEFAULT '{}',  -- in other languages, or as people say it
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
CREATE INDEX venue_by_city     ON venue (city_id, name);
CREATE INDEX venue_by_latitude ON venue (latitude);  -- what is near lies in a band

CREATE TABLE hall (
    hall_id  bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT hall_pkey PRIMARY KEY,
    venue_id bigint NOT NULL CONSTRAINT hall_venue REFERENCES venue,
    name     text   NOT NULL,
    CONSTRAINT hall_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT hall_name_in_venue UNIQUE (venue_id, name)  -- two halls of one name are one hall to a visitor
);

-- Geometry: immutable, and named by its content. The document is the canonical form (JSON, UTF-8), byte for byte what
-- browsers fetch and cache for ever. name and seats repeat what it says, so that lists need not open it; the number of
-- seats is a sum over its rows, which is more than a CHECK can say: inv_seat_map_miscounted says it.
CREATE TABLE seat_map (
    sha256   text    NOT NULL CONSTRAINT seat_map_pkey PRIMARY KEY,
    name     text    NOT NULL,
    seats    integer NOT NULL,
    document bytea   NOT NULL,
    CONSTRAINT seat_map_named_by_content CHECK (sha256 = encode(sha256(document), 'hex')),
    CONSTRAINT seat_map_size             CHECK (octet_length(document) <= 4194304),  -- ten times a 100,000-seat stadium
    CONSTRAINT seat_map_format           CHECK (
        (convert_from(document, 'UTF8')::jsonb ->> 'format') IS NOT DISTINCT FROM 'frontrow-seat-map/1'),
    CONSTRAINT seat_map_own_name         CHECK (
        (convert_from(document, 'UTF8')::jsonb ->> 'name') IS NOT DISTINCT FROM name),
    CONSTRAINT seat_map_name_length      CHECK (char_length(name) BETWEEN 1 AND 120),
    CONSTRAINT seat_map_seats_range      CHECK (seats BETWEEN 1 AND 200000)
);

-- The seat maps a hall has had, numbered from 1. An event keeps the one it was made with.
CREATE TABLE hall_seat_map (
    hall_id  bigint      NOT NULL CONSTRAINT hall_seat_map_hall REFERENCES hall,
    version  integer     NOT NULL,
    seat_map text        NOT NULL CONSTRAINT hall_seat_map_seat_map REFERENCES seat_map,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT hall_seat_map_pkey PRIMARY KEY (hall_id, version),
    CONSTRAINT hall_seat_map_once UNIQUE (hall_id, seat_map),
    CONSTRAINT hall_seat_map_version_positive CHECK (version >= 1)
);

-- What is shown, and when ----------------------------------------------------------------------------------------------

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
    rating        double precision,  -- NULL: not rated yet
    also_known_as text[]           NOT NULL DEFAULT '{}',  -- in other languages, or as people say it
    CONSTRAINT production_name_length      CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT production_performers_known CHECK (array_position(performers, NULL) IS NULL),
    CONSTRAINT production_performers_count CHECK (cardinality(performers) <= 100),
    CONSTRAINT production_category_known   CHECK (category IN ('concert', 'film', 'theatre', 'sport', 'comedy', 'family')),
    CONSTRAINT production_genre_length     CHECK (char_length(genre) <= 100),
    CONSTRAINT production_about_length     CHECK (char_length(about) <= 10000),
    CONSTRAINT production_minutes_range    CHECK (minutes BETWEEN 1 AND 44640),  -- 31 days, as event_length
    CONSTRAINT production_popularity_range CHECK (popularity BETWEEN 0 AND 1),
    CONSTRAINT production_rating_range     CHECK (rating BETWEEN 0 AND 5)
);
CREATE INDEX production_by_organizer  ON production (organizer_id);
CREATE INDEX production_by_popularity ON production ((-popularity), production_id);  -- the most popular first

-- One production, one hall, one time, one on-sale time. What people see of it (on sale, sold out, ended) is never
-- stored: it follows from publication, the clock and the seats left, so it cannot be stale.
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
    currency            text        NOT NULL,  -- ISO 4217; of all amounts of this event
    waiting_room        boolean     NOT NULL,
    hold_seconds        integer     NOT NULL,
    seats_per_hold_max  integer     NOT NULL,
    tickets_per_fan_max integer     NOT NULL,
    -- The map is one of the hall's own. This also keeps a map that is in use from leaving its hall.
    CONSTRAINT event_seat_map_of_hall FOREIGN KEY (hall_id, seat_map) REFERENCES hall_seat_map (hall_id, seat_map),
    CONSTRAINT event_name_length               CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT event_publication_known         CHECK (publication IN ('draft', 'announced', 'cancelled')),
    CONSTRAINT event_times_finite              CHECK (isfinite(on_sale_at) AND isfinite(starts_at) AND isfinite(ends_at)),
    CONSTRAINT event_starts_before_it_ends     CHECK (starts_at < ends_at),
    CONSTRAINT event_on_sale_before_it_ends    CHECK (on_sale_at < ends_at),
    -- A festival's season, and a bound that lists use: what started more than 31 days ago has ended.
    CONSTRAINT event_length                    CHECK (ends_at - starts_at <= interval '31 days'),
    CONSTRAINT event_currency_code             CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT event_hold_seconds_range        CHECK (hold_seconds BETWEEN 1 AND 3600),  -- seconds in tests; an hour is no hold
    CONSTRAINT event_seats_per_hold_max_range  CHECK (seats_per_hold_max BETWEEN 1 AND 10),
    CONSTRAINT event_tickets_per_fan_max_range CHECK (tickets_per_fan_max BETWEEN 1 AND 100)
);
CREATE INDEX event_by_production   ON event (production_id, starts_at);
CREATE INDEX event_by_hall         ON event (hall_id, starts_at);  -- a venue's events: those of its few halls
-- ends_at is last: it orders nothing, but what is over is told from the index, without a look at the table.
CREATE INDEX event_public_by_start ON event (starts_at, event_id, ends_at) WHERE publication <> 'draft';

-- What a seat of one level costs at one event. The seat map says which seats are of which level.
CREATE TABLE price_level (
    event_id     bigint NOT NULL CONSTRAINT price_level_event REFERENCES event,
    level        text   NOT NULL,  -- as the seat map names it
    name         text   NOT NULL,  -- as people read it
    amount_minor bigint NOT NULL,
    fee_minor    bigint NOT NULL,  -- on top of the amount; shown all-in everywhere
    CONSTRAINT price_level_pkey PRIMARY KEY (event_id, level),
    CONSTRAINT price_level_level_length CHECK (char_length(level) BETWEEN 1 AND 12),
    CONSTRAINT price_level_name_length  CHECK (char_length(name) BETWEEN 1 AND 200),
    CONSTRAINT price_level_amount_range CHECK (amount_minor BETWEEN 0 AND 100000000),
    CONSTRAINT price_level_fee_range    CHECK (fee_minor BETWEEN 0 AND 100000000)
);
