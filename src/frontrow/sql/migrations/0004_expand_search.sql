-- Search: the other names of things, which price levels have seats left, the index of names and events, its triggers.
--
-- Expand: tables, columns with a default, and one column more at the end of the view `listing`; yesterday's program runs on.
-- sql/schema says why each is as it is.

-- Both come with PostgreSQL (Debian: in the package postgresql), and may be had by whoever owns the database.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

ALTER TABLE city       ADD COLUMN also_known_as text[] NOT NULL DEFAULT '{}';
ALTER TABLE production ADD COLUMN also_known_as text[] NOT NULL DEFAULT '{}';

-- squawk-ignore require-concurrent-index-creation -- no index of a partitioned table can be made so
CREATE INDEX journal_by_time ON journal (at);
-- squawk-ignore require-concurrent-index-creation -- venues are few
CREATE INDEX venue_by_latitude ON venue (latitude);
-- squawk-ignore require-concurrent-index-creation -- nor are productions many
CREATE INDEX production_by_popularity ON production ((-popularity), production_id);

CREATE TABLE levels_gone (
    event_id  bigint NOT NULL CONSTRAINT levels_gone_pkey PRIMARY KEY
                              CONSTRAINT levels_gone_event REFERENCES event ON DELETE CASCADE,
    update_no bigint NOT NULL,
    levels    text[] NOT NULL,
    CONSTRAINT levels_gone_update_no_counts CHECK (update_no >= 0)
) WITH (fillfactor = 50);

CREATE OR REPLACE VIEW listing AS
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
       seat_map.seats - lane.held - lane.sold - lane.blocked AS seats_left,
       production.rating
  FROM event
  JOIN lane       USING (event_id)
  JOIN production USING (production_id)
  JOIN hall       USING (hall_id)
  JOIN venue      USING (venue_id)
  JOIN city       USING (city_id)
  JOIN seat_map   ON seat_map.sha256 = event.seat_map
  LEFT JOIN levels_gone ON levels_gone.event_id = event.event_id
 CROSS JOIN LATERAL (
        SELECT price_level.amount_minor + price_level.fee_minor AS all_in_minor
          FROM price_level
         WHERE price_level.event_id = event.event_id
         ORDER BY price_level.level = ANY (levels_gone.levels) IS TRUE, all_in_minor
         LIMIT 1
       ) AS price;

-- Where letters are brought ---------------------------------------------------------------------------------------------

-- Postal codes and where they are, for people who search near theirs. `frontrow postal-codes import` adds a country's.
CREATE TABLE postal_code (
    code      text             NOT NULL,  -- capitals and digits alone
    country   text             NOT NULL,  -- ISO 3166-1, two letters
    name      text             NOT NULL,  -- of the place
    latitude  double precision NOT NULL,
    longitude double precision NOT NULL,
    CONSTRAINT postal_code_pkey PRIMARY KEY (code, country),
    CONSTRAINT postal_code_form            CHECK (code ~ '^[A-Z0-9]{1,16}$'),
    CONSTRAINT postal_code_country_code    CHECK (country ~ '^[A-Z]{2}$'),
    CONSTRAINT postal_code_name_length     CHECK (char_length(name) <= 200),
    CONSTRAINT postal_code_latitude_range  CHECK (latitude BETWEEN -90 AND 90),
    CONSTRAINT postal_code_longitude_range CHECK (longitude BETWEEN -180 AND 180)
);

-- metres_v1: how far apart two places are, on a ball as large as the earth.
CREATE FUNCTION metres_v1(
    latitude double precision, longitude double precision, to_latitude double precision, to_longitude double precision)
RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 12742000 * asin(sqrt(least(1, power(sind((to_latitude - latitude) / 2), 2)
    + cosd(latitude) * cosd(to_latitude) * power(sind((to_longitude - longitude) / 2), 2))));

-- Words --------------------------------------------------------------------------------------------------------------------

-- fold_v1: a text as search compares it: without accents, without capitals, in one form.
CREATE FUNCTION fold_v1(said text)
RETURNS text
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN lower(unaccent(normalize(said, NFKC)));

-- words_v1: the words of a text, folded, in order. A word is letters and digits; whatever is beyond ASCII is a letter, in
-- whichever language the server takes itself to be. Of all signs only & is read aloud.
CREATE FUNCTION words_v1(said text)
RETURNS text[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN array_remove(regexp_split_to_array(replace(fold_v1(said), '&', ' and '), U&'[^a-z0-9\0080-\+10FFFF]+'), '');

-- stems_v1: what is left of a word without its endings, in the languages of the demo's cities and the most spoken around
-- them. Languages are not told apart: a name has a few words, too few to tell by.
CREATE FUNCTION stems_v1(word text)
RETURNS text[]
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN ARRAY(
    SELECT DISTINCT stem
      FROM unnest('{english_stem,german_stem,french_stem,spanish_stem,portuguese_stem,italian_stem,dutch_stem}'::regdictionary[])
               AS dictionary,
           unnest(ts_lexize(dictionary, word)) AS stem);

-- says_little_v1: a word like "the" or "der" in one of those languages, or a single letter: nobody is sought by it alone.
CREATE FUNCTION says_little_v1(word text)
RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN char_length(word) = 1 OR '{}' = ANY (ARRAY[
    ts_lexize('english_stem', word)::text, ts_lexize('german_stem', word)::text, ts_lexize('french_stem', word)::text,
    ts_lexize('spanish_stem', word)::text, ts_lexize('portuguese_stem', word)::text,
    ts_lexize('italian_stem', word)::text, ts_lexize('dutch_stem', word)::text]);

-- What things are called -------------------------------------------------------------------------------------------------

-- The shelves of the shop in the words of each language: who types one of them means all that stands there.
CREATE TABLE search_category (
    category_id bigint NOT NULL CONSTRAINT search_category_pkey PRIMARY KEY,
    category    text   NOT NULL CONSTRAINT search_category_once UNIQUE,
    said        text   NOT NULL
);
INSERT INTO search_category (category_id, category, said) VALUES
    (1, 'concert', 'concert concerts konzert konzerte concerto concertos concierto conciertos concerti music musik musique '
                   'música musica muziek gig gigs'),
    (2, 'film',    'film films filme filmes movie movies cinema cinéma kino cine película películas bioscoop'),
    (3, 'theatre', 'theatre theater théâtre teatro play plays stage schauspiel stück pièce peça obra toneel spettacolo'),
    (4, 'sport',   'sport sports match matches spiel spiele game games jogo jogos partido partidos partita partite wedstrijd'),
    (5, 'comedy',  'comedy comedian kabarett comédie comedia comédia commedia humor humour cabaret'),
    (6, 'family',  'family families familie familien famille familles familia família famiglia children kids kinder enfants '
                   'niños crianças bambini kinderen');

-- A name, and whose it is: of a production (its own, its performers', its genre's), a venue, a city, a category, or an
-- event that is called otherwise than its production. name is how it is written where people read it; said is what they
-- may type instead: the same, or another of its names.
CREATE TABLE search_name (
    name_id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT search_name_pkey PRIMARY KEY,
    owner   text   NOT NULL,
    of_id   bigint NOT NULL,
    kind    text   NOT NULL,
    name    text   NOT NULL,
    said    text   NOT NULL,
    folded  text   COLLATE "C" NOT NULL,  -- the words of said, with a blank between them
    CONSTRAINT search_name_owner_known CHECK (owner IN ('production', 'venue', 'city', 'category', 'event')),
    CONSTRAINT search_name_kind_known  CHECK (
        CASE owner WHEN 'production' THEN kind IN ('production', 'artist', 'genre') ELSE kind = owner END),
    CONSTRAINT search_name_once UNIQUE (owner, of_id, kind, said)
);
CREATE INDEX search_name_by_folded ON search_name (folded);

-- A word of a name, and how much it says about whose name it is, in thousandths: all words of one name together say as
-- much as the only word of another. A stem is no word that anybody reads; it is met by words with the same stem.
CREATE TABLE search_word (
    word    text COLLATE "C" NOT NULL,
    is_stem boolean NOT NULL,
    name_id bigint  NOT NULL CONSTRAINT search_word_name REFERENCES search_name ON DELETE CASCADE,
    owner   text    NOT NULL,
    of_id   bigint  NOT NULL,
    worth   integer NOT NULL,
    CONSTRAINT search_word_pkey PRIMARY KEY (word, is_stem, name_id) INCLUDE (owner, of_id, worth),
    CONSTRAINT search_word_worth_positive CHECK (worth > 0)
);
CREATE INDEX search_word_by_name ON search_word (name_id);

-- How words of names are spelt, for those that are spelt otherwise. Each is here once, or more often where two added it at
-- one time: neither waits for the other. One that no name has any more stays until all is made anew, and is passed over.
CREATE TABLE search_spelling (
    spelling_id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT search_spelling_pkey PRIMARY KEY,
    word        text COLLATE "C" NOT NULL
);
CREATE INDEX search_spelling_by_word ON search_spelling (word);
CREATE INDEX search_spelling_alike   ON search_spelling USING gin (word gin_trgm_ops);

-- index_spellings_v1: note how the words of some names are spelt.
CREATE FUNCTION index_spellings_v1(names text[])
RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO search_spelling (word)
    SELECT DISTINCT spelt.word COLLATE "C"
      FROM unnest(names) AS said, unnest(words_v1(said)) AS spelt (word)
     WHERE char_length(spelt.word) BETWEEN 4 AND 64
       AND NOT EXISTS (SELECT FROM search_spelling AS there WHERE there.word = spelt.word);
$$;

-- words_of_name_v1: what belongs in search_word for one name.
--
-- Two neighbours are a word together too, for whoever leaves out the blank between them; so are all words of a short name.
CREATE FUNCTION words_of_name_v1(kind text, said text)
RETURNS TABLE (word text, is_stem boolean, worth integer)
LANGUAGE sql STABLE
AS $$
    WITH spelt AS (
        SELECT given.word, given.place, lead(given.word) OVER (ORDER BY given.place) AS next, cardinality(words) AS words,
               CASE WHEN kind IN ('production', 'artist') THEN 1000
                    WHEN kind IN ('venue', 'city')        THEN 900
                    WHEN kind = 'event'                   THEN 800
                    ELSE 500 END
               / CASE WHEN kind = 'category' THEN 1 ELSE sqrt(cardinality(words)) END AS worth
          FROM words_v1(said) AS words, unnest(words) WITH ORDINALITY AS given (word, place)
    ), found AS (
        SELECT spelt.word, false AS is_stem, spelt.worth FROM spelt
         UNION ALL
        SELECT spelt.word || spelt.next, false, 1.4 * spelt.worth
          FROM spelt
         WHERE spelt.next IS NOT NULL AND kind <> 'category'
         UNION ALL
        SELECT string_agg(spelt.word, '' ORDER BY spelt.place), false, sum(spelt.worth)
          FROM spelt
         WHERE spelt.words BETWEEN 3 AND 5 AND kind <> 'category'
        HAVING count(*) > 0
         UNION ALL
        SELECT stem, true, spelt.worth
          FROM spelt, unnest(stems_v1(spelt.word)) AS stem
         WHERE kind IN ('production', 'genre', 'category', 'event') AND NOT says_little_v1(spelt.word)
    )
    SELECT found.word, found.is_stem, greatest(1, round(max(found.worth)))::integer
      FROM found
     WHERE char_length(found.word) <= 64
     GROUP BY found.word, found.is_stem;
$$;

-- words_alike_v1: words that names have and that look a little like this one, for what is spelt otherwise than anything
-- is. Which of them was meant is not decided here.
CREATE FUNCTION words_alike_v1(spelt text)
RETURNS SETOF text
LANGUAGE sql STABLE
SET pg_trgm.similarity_threshold = 0.2  -- five letters, of which two have changed places
AS $$
    SELECT DISTINCT word
      FROM search_spelling
     WHERE word % spelt
       AND EXISTS (SELECT FROM search_word WHERE search_word.word = search_spelling.word AND NOT search_word.is_stem);
$$;

-- What belongs in search_name.
CREATE VIEW search_name_now AS
SELECT 'production' AS owner, production_id AS of_id, 'production' AS kind, name, left(said, 200) AS said
  FROM production, unnest(array_prepend(name, also_known_as)) AS said
 UNION
SELECT 'production', production_id, 'artist', left(performer, 200), left(performer, 200)
  FROM production, unnest(performers) AS performer
 UNION
SELECT 'production', production_id, 'genre', genre, genre
  FROM production
 UNION
SELECT 'venue', venue_id, 'venue', name, name
  FROM venue
 UNION
SELECT 'city', city_id, 'city', name, left(said, 200)
  FROM city, unnest(array_prepend(name, also_known_as)) AS said
 UNION
SELECT 'category', category_id, 'category', category, said
  FROM search_category
 UNION
SELECT 'event', event_id, 'event', event.name, event.name
  FROM event
  JOIN production USING (production_id)
 WHERE event.publication <> 'draft' AND event.name <> production.name;

-- What belongs in search_word.
CREATE VIEW search_word_now AS
SELECT words.word COLLATE "C" AS word, words.is_stem, search_name.name_id, search_name.owner, search_name.of_id, words.worth
  FROM search_name
 CROSS JOIN LATERAL words_of_name_v1(search_name.kind, search_name.said) AS words;

-- Events -------------------------------------------------------------------------------------------------------------------

-- A public event as search filters and sorts it. How many of its seats are left is asked of its lane.
CREATE TABLE search_event (
    event_id      bigint      NOT NULL CONSTRAINT search_event_pkey PRIMARY KEY
                                       CONSTRAINT search_event_event REFERENCES event ON DELETE CASCADE,
    production_id bigint      NOT NULL,
    venue_id      bigint      NOT NULL,
    city_id       bigint      NOT NULL,
    category      text        NOT NULL,
    genre         text        NOT NULL,
    is_cancelled  boolean     NOT NULL,
    starts_at     timestamptz NOT NULL,
    ends_at       timestamptz NOT NULL,
    starts_on     date        NOT NULL,  -- by the calendar on the venue's wall
    seats         integer     NOT NULL,
    price_minor   bigint      NOT NULL,  -- all-in, of the cheapest seat that is left; when none is, of the cheapest there was
    currency      text        NOT NULL,
    by_popularity integer     NOT NULL,  -- what is sorted by: the more popular, the less
    by_rating     integer     NOT NULL   -- the better rated, the less; not rated: 0
);
CREATE INDEX search_event_by_start      ON search_event (starts_at, event_id);
CREATE INDEX search_event_by_production ON search_event (production_id, starts_at);
CREATE INDEX search_event_by_venue      ON search_event (venue_id, starts_at);
CREATE INDEX search_event_by_city       ON search_event (city_id, starts_at);
CREATE INDEX search_event_by_category   ON search_event (category, starts_at);
CREATE INDEX search_event_by_genre      ON search_event (genre, starts_at);
CREATE INDEX search_event_by_price      ON search_event (price_minor, starts_at, event_id);
CREATE INDEX search_event_by_popularity ON search_event (by_popularity, starts_at, event_id);
CREATE INDEX search_event_by_rating     ON search_event (by_rating, starts_at, event_id);

-- What belongs in search_event.
CREATE VIEW search_event_now AS
SELECT event.event_id,
       event.production_id,
       hall.venue_id,
       venue.city_id,
       production.category,
       production.genre,
       event.publication = 'cancelled' AS is_cancelled,
       event.starts_at,
       event.ends_at,
       (event.starts_at AT TIME ZONE city.time_zone)::date AS starts_on,
       seat_map.seats,
       price.all_in_minor AS price_minor,
       event.currency,
       -round(production.popularity * 1000000)::integer AS by_popularity,
       -round(coalesce(production.rating, 0) * 1000)::integer AS by_rating
  FROM event
  JOIN production USING (production_id)
  JOIN hall       USING (hall_id)
  JOIN venue      USING (venue_id)
  JOIN city       USING (city_id)
  JOIN seat_map   ON seat_map.sha256 = event.seat_map
  LEFT JOIN levels_gone ON levels_gone.event_id = event.event_id
 CROSS JOIN LATERAL (
        SELECT price_level.amount_minor + price_level.fee_minor AS all_in_minor
          FROM price_level
         WHERE price_level.event_id = event.event_id
         ORDER BY price_level.level = ANY (levels_gone.levels) IS TRUE, all_in_minor
         LIMIT 1
       ) AS price
 WHERE event.publication <> 'draft';

-- Keeping up ---------------------------------------------------------------------------------------------------------------

-- index_names_v1: bring the names of some productions, venues, cities or events up to date. What is right stays as it is.
CREATE FUNCTION index_names_v1(of_owner text, ids bigint[])
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    said_now text[];
BEGIN
    DELETE FROM search_name
     WHERE search_name.owner = of_owner AND search_name.of_id = ANY (ids)
       AND NOT EXISTS (
           SELECT FROM search_name_now AS now_
            WHERE now_.owner = of_owner AND now_.of_id = search_name.of_id
              AND (now_.kind, now_.name, now_.said) = (search_name.kind, search_name.name, search_name.said));
    WITH added AS (
        INSERT INTO search_name (owner, of_id, kind, name, said, folded)
        SELECT now_.owner, now_.of_id, now_.kind, now_.name, now_.said, array_to_string(words_v1(now_.said), ' ')
          FROM search_name_now AS now_
         WHERE now_.owner = of_owner AND now_.of_id = ANY (ids)
        ON CONFLICT (owner, of_id, kind, said) DO NOTHING
        RETURNING name_id, owner, of_id, kind, said
    ), taken_apart AS (
        INSERT INTO search_word (word, is_stem, name_id, owner, of_id, worth)
        SELECT words.word, words.is_stem, added.name_id, added.owner, added.of_id, words.worth
          FROM added
         CROSS JOIN LATERAL words_of_name_v1(added.kind, added.said) AS words
    )
    SELECT array_agg(DISTINCT said) INTO said_now FROM added;
    PERFORM index_spellings_v1(said_now);
END;
$$;

-- index_events_v1: bring some events up to date.
--
-- Their rows are taken first, in the order of their ids, and what they become is computed after that: of two changes that
-- meet at one event (its production's and its venue's, say), the second one sees the first. What is_new says: whoever
-- changes a production or a venue at this moment does not see these events yet, so that change is waited for.
CREATE FUNCTION index_events_v1(ids bigint[], is_new boolean)
RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM event WHERE event.event_id = ANY (ids) ORDER BY event.event_id FOR NO KEY UPDATE;
    IF is_new THEN
        PERFORM FROM production
          WHERE production_id IN (SELECT event.production_id FROM event WHERE event.event_id = ANY (ids))
          ORDER BY production_id FOR SHARE;
        PERFORM FROM hall
          WHERE hall_id IN (SELECT event.hall_id FROM event WHERE event.event_id = ANY (ids))
          ORDER BY hall_id FOR SHARE;
        PERFORM FROM venue
          WHERE venue_id IN (SELECT hall.venue_id FROM event JOIN hall USING (hall_id) WHERE event.event_id = ANY (ids))
          ORDER BY venue_id FOR SHARE;
        PERFORM FROM city
          WHERE city_id IN (SELECT venue.city_id
                              FROM event JOIN hall USING (hall_id) JOIN venue USING (venue_id)
                             WHERE event.event_id = ANY (ids))
          ORDER BY city_id FOR SHARE;
    END IF;
    DELETE FROM search_event
     WHERE search_event.event_id = ANY (ids)
       AND NOT EXISTS (SELECT FROM search_event_now AS now_ WHERE now_.event_id = search_event.event_id);
    INSERT INTO search_event
    SELECT now_.* FROM search_event_now AS now_ WHERE now_.event_id = ANY (ids)
    ON CONFLICT (event_id) DO UPDATE
       SET production_id = excluded.production_id, venue_id = excluded.venue_id, city_id = excluded.city_id,
           category = excluded.category, genre = excluded.genre, is_cancelled = excluded.is_cancelled,
           starts_at = excluded.starts_at, ends_at = excluded.ends_at, starts_on = excluded.starts_on,
           seats = excluded.seats, price_minor = excluded.price_minor, currency = excluded.currency,
           by_popularity = excluded.by_popularity, by_rating = excluded.by_rating
     WHERE search_event.* IS DISTINCT FROM excluded.*;
    PERFORM index_names_v1('event', ids);
END;
$$;

-- note_levels_gone_v1: after the update update_no of an event, no seat of these price levels is left. Whoever follows the
-- journal says so; what is older than what is known already changes nothing.
CREATE FUNCTION note_levels_gone_v1(of_event bigint, of_update_no bigint, gone text[])
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    before text[];
BEGIN
    PERFORM FROM event WHERE event.event_id = of_event FOR NO KEY UPDATE;
    SELECT levels_gone.levels INTO before FROM levels_gone WHERE levels_gone.event_id = of_event;
    INSERT INTO levels_gone (event_id, update_no, levels)
    VALUES (of_event, of_update_no, gone)
    ON CONFLICT (event_id) DO UPDATE
       SET update_no = excluded.update_no, levels = excluded.levels
     WHERE levels_gone.update_no < excluded.update_no;
    IF FOUND AND gone IS DISTINCT FROM coalesce(before, '{}') THEN
        PERFORM index_events_v1(ARRAY[of_event], is_new => false);
    END IF;
END;
$$;

-- rebuild_search_v1: all of it anew. Nothing should ever need it; a test shows that it changes nothing.
CREATE FUNCTION rebuild_search_v1()
RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
    TRUNCATE search_event, search_spelling, search_word, search_name;
    INSERT INTO search_name (owner, of_id, kind, name, said, folded)
    SELECT owner, of_id, kind, name, said, array_to_string(words_v1(said), ' ') FROM search_name_now;
    INSERT INTO search_word (word, is_stem, name_id, owner, of_id, worth)
    SELECT word, is_stem, name_id, owner, of_id, worth FROM search_word_now;
    PERFORM index_spellings_v1(ARRAY(SELECT DISTINCT said FROM search_name));
    INSERT INTO search_event SELECT * FROM search_event_now;
END;
$$;
SELECT rebuild_search_v1();

-- follow_catalogue_v1: what a change of the catalogue means for search. `changed` has the rows of the table that were
-- added, changed or taken away.
CREATE FUNCTION follow_catalogue_v1()
RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    ids bigint[];
BEGIN
    CASE TG_TABLE_NAME
        WHEN 'city' THEN
            PERFORM index_names_v1('city', ARRAY(SELECT city_id FROM changed));
            ids := ARRAY(SELECT event.event_id
                           FROM changed JOIN venue USING (city_id) JOIN hall USING (venue_id) JOIN event USING (hall_id));
        WHEN 'venue' THEN
            PERFORM index_names_v1('venue', ARRAY(SELECT venue_id FROM changed));
            ids := ARRAY(SELECT event.event_id FROM changed JOIN hall USING (venue_id) JOIN event USING (hall_id));
        WHEN 'hall' THEN
            ids := ARRAY(SELECT event.event_id FROM changed JOIN event USING (hall_id));
        WHEN 'production' THEN
            PERFORM index_names_v1('production', ARRAY(SELECT production_id FROM changed));
            ids := ARRAY(SELECT event.event_id FROM changed JOIN event USING (production_id));
        WHEN 'event' THEN
            ids := ARRAY(SELECT event_id FROM changed);
        WHEN 'price_level' THEN
            ids := ARRAY(SELECT DISTINCT event_id FROM changed);
    END CASE;
    IF cardinality(ids) > 0 THEN
        PERFORM index_events_v1(ids, is_new => TG_TABLE_NAME = 'event');
    END IF;
    RETURN NULL;
END;
$$;

-- One trigger for each table and kind of change. Ids never change, but a price may move to another event, so a changed
-- price counts for the event it was of too; a new hall has no events yet.
CREATE TRIGGER search_city_added AFTER INSERT ON city REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_city_changed AFTER UPDATE ON city REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_city_gone AFTER DELETE ON city REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_venue_added AFTER INSERT ON venue REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_venue_changed AFTER UPDATE ON venue REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_venue_gone AFTER DELETE ON venue REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_production_added AFTER INSERT ON production REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_production_changed AFTER UPDATE ON production REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_production_gone AFTER DELETE ON production REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_event_added AFTER INSERT ON event REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_event_changed AFTER UPDATE ON event REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_event_gone AFTER DELETE ON event REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_price_level_added AFTER INSERT ON price_level REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_price_level_changed AFTER UPDATE ON price_level REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_price_level_gone AFTER DELETE ON price_level REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_price_level_moved AFTER UPDATE ON price_level REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();
CREATE TRIGGER search_hall_changed AFTER UPDATE ON hall REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION follow_catalogue_v1();

-- What search asks for -----------------------------------------------------------------------------------------------------

-- What an event must be to be found; NULL: it may be anything. Times are absolute, days are those of the venue's calendar.
CREATE TYPE search_wish AS (
    ends_after    timestamptz,
    starts_after  timestamptz,  -- never NULL, nor is the next: an index is entered by them
    starts_before timestamptz,
    today         date,         -- never NULL: what is soon counts a little more
    from_on       date,
    to_on         date,
    production_id bigint,
    venue_id      bigint,
    city_id       bigint,
    category      text,
    genre         text,
    price_min     bigint,
    price_max     bigint,
    currency      text,
    with_seats    boolean       -- never NULL: whether seats must be left, which the lane says and not this row
);

-- fits_v1: whether an event is as wished for, but for the seats that are left. PostgreSQL puts it into the statement
-- that asks, so it costs no call.
CREATE FUNCTION fits_v1(event search_event, wish search_wish)
RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN (wish.ends_after    IS NULL OR event.ends_at       > wish.ends_after)
   AND (wish.from_on       IS NULL OR event.starts_on    >= wish.from_on)
   AND (wish.to_on         IS NULL OR event.starts_on    <= wish.to_on)
   AND (wish.production_id IS NULL OR event.production_id = wish.production_id)
   AND (wish.venue_id      IS NULL OR event.venue_id      = wish.venue_id)
   AND (wish.city_id       IS NULL OR event.city_id       = wish.city_id)
   AND (wish.category      IS NULL OR event.category      = wish.category)
   AND (wish.genre         IS NULL OR event.genre         = wish.genre)
   AND (wish.price_min     IS NULL OR event.price_minor  >= wish.price_min)
   AND (wish.price_max     IS NULL OR event.price_minor  <= wish.price_max)
   AND (wish.currency      IS NULL OR event.currency      = wish.currency)
   AND NOT (wish.with_seats AND event.is_cancelled);

-- matches_of_v1: those of the matches that are of one owner: the words they have, as bits, what they are worth, and whether
-- they lead to events. Matches are given as columns, owner after owner; ends[n] says where those of the n-th owner end. A
-- function only because PostgreSQL takes arrays for short and would compare each event with all of them: ROWS says that
-- they are worth a hash table.
CREATE FUNCTION matches_of_v1(
    nth integer, ends integer[], ids bigint[], words integer[], worths integer[], entering boolean[])
RETURNS TABLE (of_id bigint, has integer, worth integer, leads boolean)
LANGUAGE plpgsql STABLE ROWS 500
AS $$
DECLARE
    first_ integer := coalesce(ends[nth - 1], 0) + 1;
    last_  integer := ends[nth];
BEGIN
    IF first_ <= last_ THEN
        RETURN QUERY
        SELECT given.of_id, given.has, given.worth, given.leads
          FROM unnest(ids[first_:last_], words[first_:last_], worths[first_:last_], entering[first_:last_])
                   AS given (of_id, has, worth, leads);
    END IF;
END;
$$;

-- Invariants ---------------------------------------------------------------------------------------------------------------

-- The names that search knows are those that the catalogue has.
CREATE VIEW inv_search_name_stale AS
SELECT coalesce(search_name.owner, now_.owner) AS owner, coalesce(search_name.of_id, now_.of_id) AS of_id,
       search_name.said AS said_in_search, now_.said AS said_in_catalogue
  FROM search_name
  FULL JOIN search_name_now AS now_
    ON (now_.owner, now_.of_id, now_.kind, now_.name, now_.said)
     = (search_name.owner, search_name.of_id, search_name.kind, search_name.name, search_name.said)
 WHERE search_name.owner IS NULL OR now_.owner IS NULL;

-- The words that search knows are those of its names.
CREATE VIEW inv_search_word_stale AS
SELECT coalesce(search_word.word, now_.word) AS word, coalesce(search_word.name_id, now_.name_id) AS name_id,
       search_word.worth AS worth_in_search, now_.worth AS worth_of_name
  FROM search_word
  FULL JOIN search_word_now AS now_
    ON (now_.word, now_.is_stem, now_.name_id, now_.owner, now_.of_id, now_.worth)
     = (search_word.word, search_word.is_stem, search_word.name_id, search_word.owner, search_word.of_id, search_word.worth)
 WHERE search_word.word IS NULL OR now_.word IS NULL;

-- How every word of a name is spelt is known.
CREATE VIEW inv_search_spelling_missing AS
SELECT search_name.name_id, search_name.said, spelt.word
  FROM search_name
 CROSS JOIN LATERAL unnest(words_v1(search_name.said)) AS spelt (word)
 WHERE char_length(spelt.word) BETWEEN 4 AND 64
   AND NOT EXISTS (SELECT FROM search_spelling WHERE search_spelling.word = spelt.word);

-- The events that search knows are the public ones, as the catalogue has them.
CREATE VIEW inv_search_event_stale AS
SELECT event_id, row_to_json(search_event) AS in_search, row_to_json(now_) AS in_catalogue
  FROM search_event
  FULL JOIN search_event_now AS now_ USING (event_id)
 WHERE search_event.* IS DISTINCT FROM now_.*;

-- As far as the price levels of an event were followed, those without a seat left are the ones that are noted. A seat is
-- of its row's level, else of its section's.
CREATE VIEW inv_levels_gone_wrong AS
WITH part AS MATERIALIZED (
    SELECT seat_map.sha256 AS seat_map, opened.place, opened.row_place,
           coalesce(opened.row_ ->> 'price_level', opened.section ->> 'price_level') AS level,
           coalesce(opened.row_ ->> 'seats', opened.section ->> 'capacity')::integer AS seats
      FROM seat_map
     CROSS JOIN LATERAL (
            SELECT section.of_map AS section, section.place, rows.of_section AS row_, rows.place AS row_place
              FROM jsonb_path_query(convert_from(seat_map.document, 'UTF8')::jsonb, '$.sections[*]')
                       WITH ORDINALITY AS section (of_map, place)
              LEFT JOIN LATERAL jsonb_path_query(section.of_map, '$.rows[*]')
                       WITH ORDINALITY AS rows (of_section, place) ON true
           ) AS opened
     WHERE seat_map.sha256 IN (SELECT event.seat_map FROM levels_gone JOIN event USING (event_id))
), run AS MATERIALIZED (
    SELECT seat_map, level, seats,
           sum(seats) OVER (PARTITION BY seat_map ORDER BY place, row_place) - seats AS first_seat
      FROM part
), left_ AS (
    SELECT event.event_id, run.level, sum(run.seats)::bigint - coalesce(sum(claimed.seats), 0) AS seats
      FROM levels_gone
      JOIN lane USING (event_id, update_no)
      JOIN event USING (event_id)
      JOIN run USING (seat_map)
     CROSS JOIN LATERAL (
            SELECT count(*) AS seats
              FROM claim
             WHERE claim.event_id = event.event_id
               AND claim.seat_no >= run.first_seat AND claim.seat_no < run.first_seat + run.seats
           ) AS claimed
     GROUP BY event.event_id, run.level
)
SELECT left_.event_id, left_.level, left_.seats AS seats_left, left_.level = ANY (levels_gone.levels) AS is_noted_gone
  FROM left_
  JOIN levels_gone USING (event_id)
 WHERE (left_.seats = 0) <> (left_.level = ANY (levels_gone.levels));
