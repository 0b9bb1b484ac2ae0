-- The ledger: who has a claim on which seat, the holds that claims belong to, and the journal that all others follow.
--
-- Expand: everything here is new, except that the view listing now knows how many seats are left, and that every event
-- has a lane. sql/schema says why each table is as it is.

CREATE TABLE lane (
    event_id  bigint  NOT NULL CONSTRAINT lane_pkey PRIMARY KEY CONSTRAINT lane_event REFERENCES event,
    update_no bigint  NOT NULL DEFAULT 0,
    held      integer NOT NULL DEFAULT 0,
    sold      integer NOT NULL DEFAULT 0,
    blocked   integer NOT NULL DEFAULT 0,
    CONSTRAINT lane_update_no_counts CHECK (update_no >= 0),
    CONSTRAINT lane_counts           CHECK (held >= 0 AND sold >= 0 AND blocked >= 0)
) WITH (fillfactor = 10);
INSERT INTO lane (event_id) SELECT event_id FROM event;

CREATE TABLE hold (
    hold_id    uuid        NOT NULL,
    event_id   bigint      NOT NULL,
    fan_id     uuid        NOT NULL,
    state      text        NOT NULL,
    seats      integer[]   NOT NULL,
    tickets    integer     NOT NULL,
    placed_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT hold_pkey PRIMARY KEY (hold_id, event_id),
    CONSTRAINT hold_state_known  CHECK (state IN ('held', 'checkout', 'sold', 'released', 'expired', 'returned')),
    CONSTRAINT hold_seats_count  CHECK (cardinality(seats) BETWEEN 1 AND 10),
    CONSTRAINT hold_tickets      CHECK (CASE state
        WHEN 'held'     THEN tickets = cardinality(seats)
        WHEN 'checkout' THEN tickets = cardinality(seats)
        WHEN 'sold'     THEN tickets BETWEEN 1 AND cardinality(seats)
        ELSE tickets = 0 END),
    CONSTRAINT hold_times_finite CHECK (isfinite(placed_at) AND isfinite(expires_at))
);
CREATE UNIQUE INDEX hold_live_of_fan ON hold (event_id, fan_id) WHERE state IN ('held', 'checkout');
CREATE INDEX hold_bought_by_fan      ON hold (event_id, fan_id) INCLUDE (tickets) WHERE state = 'sold';
CREATE INDEX hold_due                ON hold (expires_at, event_id) WHERE state = 'held';

CREATE TABLE claim (
    event_id   bigint      NOT NULL,
    seat_no    integer     NOT NULL,
    state      text        NOT NULL,
    hold_id    uuid,
    expires_at timestamptz NOT NULL,
    CONSTRAINT claim_pkey PRIMARY KEY (event_id, seat_no),
    CONSTRAINT claim_state_known         CHECK (state IN ('held', 'sold', 'blocked')),
    CONSTRAINT claim_of_hold_iff_of_fan  CHECK ((state = 'blocked') = (hold_id IS NULL)),
    CONSTRAINT claim_ends_only_when_held CHECK (state = 'held' OR expires_at = 'infinity'),
    CONSTRAINT claim_seat_no_range       CHECK (seat_no >= 0)
) PARTITION BY HASH (event_id);
CREATE TABLE claim_0 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 0) WITH (fillfactor = 85);
CREATE TABLE claim_1 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 1) WITH (fillfactor = 85);
CREATE TABLE claim_2 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 2) WITH (fillfactor = 85);
CREATE TABLE claim_3 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 3) WITH (fillfactor = 85);
CREATE TABLE claim_4 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 4) WITH (fillfactor = 85);
CREATE TABLE claim_5 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 5) WITH (fillfactor = 85);
CREATE TABLE claim_6 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 6) WITH (fillfactor = 85);
CREATE TABLE claim_7 PARTITION OF claim FOR VALUES WITH (MODULUS 8, REMAINDER 7) WITH (fillfactor = 85);

CREATE TABLE journal (
    event_id   bigint      NOT NULL,
    update_no  bigint      NOT NULL,
    at         timestamptz NOT NULL,
    seats      integer[]   NOT NULL,
    states     text        NOT NULL,
    holders    bytea       NOT NULL,
    expires_at timestamptz,
    CONSTRAINT journal_pkey PRIMARY KEY (event_id, update_no),
    CONSTRAINT journal_update_no_counts CHECK (update_no >= 1),
    CONSTRAINT journal_states_known     CHECK (states ~ '^[ahsb]+$'),
    CONSTRAINT journal_state_each       CHECK (char_length(states) = cardinality(seats)),
    CONSTRAINT journal_holder_each      CHECK (octet_length(holders) = 8 * cardinality(seats)),
    CONSTRAINT journal_end_iff_held     CHECK ((expires_at IS NOT NULL) = (strpos(states, 'h') > 0))
) PARTITION BY HASH (event_id);
CREATE TABLE journal_0 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE journal_1 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE journal_2 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE journal_3 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE journal_4 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE journal_5 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE journal_6 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE journal_7 PARTITION OF journal FOR VALUES WITH (MODULUS 8, REMAINDER 7);

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
       seat_map.seats - lane.held - lane.sold - lane.blocked AS seats_left
  FROM event
  JOIN lane       USING (event_id)
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

-- Invariants of the ledger.

CREATE VIEW inv_lane_missing AS
SELECT event.event_id, event.name
  FROM event
  LEFT JOIN lane USING (event_id)
 WHERE lane.event_id IS NULL;

CREATE VIEW inv_lane_miscounted AS
SELECT lane.event_id, lane.held, lane.sold, lane.blocked,
       coalesce(counted.held, 0) AS held_claims, coalesce(counted.sold, 0) AS sold_claims,
       coalesce(counted.blocked, 0) AS blocked_claims
  FROM lane
  LEFT JOIN (SELECT claim.event_id,
                    count(*) FILTER (WHERE claim.state = 'held')    AS held,
                    count(*) FILTER (WHERE claim.state = 'sold')    AS sold,
                    count(*) FILTER (WHERE claim.state = 'blocked') AS blocked
               FROM claim
              GROUP BY claim.event_id) AS counted USING (event_id)
 WHERE (lane.held, lane.sold, lane.blocked)
       IS DISTINCT FROM (coalesce(counted.held, 0), coalesce(counted.sold, 0), coalesce(counted.blocked, 0));

CREATE VIEW inv_claim_twice AS
SELECT event_id, seat_no, count(*) AS claims
  FROM claim
 GROUP BY event_id, seat_no
HAVING count(*) > 1;

CREATE VIEW inv_fan_with_two_holds AS
SELECT event_id, fan_id, count(*) AS holds
  FROM hold
 WHERE state IN ('held', 'checkout')
 GROUP BY event_id, fan_id
HAVING count(*) > 1;

CREATE VIEW inv_claim_without_hold AS
SELECT claim.event_id, claim.seat_no, claim.state, claim.hold_id, hold.state AS hold_state
  FROM claim
  LEFT JOIN hold ON hold.hold_id = claim.hold_id AND hold.event_id = claim.event_id
 WHERE claim.state <> 'blocked'
   AND NOT coalesce(claim.seat_no = ANY (hold.seats) AND CASE hold.state
           WHEN 'held'     THEN claim.state = 'held' AND claim.expires_at = hold.expires_at
           WHEN 'checkout' THEN claim.state = 'held' AND claim.expires_at = 'infinity'
           WHEN 'sold'     THEN claim.state = 'sold'
           ELSE false END, false);

CREATE VIEW inv_hold_miscounted AS
SELECT hold.event_id, hold.hold_id, hold.state, hold.tickets, coalesce(counted.claims, 0) AS claims
  FROM hold
  LEFT JOIN (SELECT claim.event_id, claim.hold_id, count(*) AS claims
               FROM claim
              WHERE claim.hold_id IS NOT NULL
              GROUP BY claim.event_id, claim.hold_id) AS counted USING (event_id, hold_id)
 WHERE hold.tickets <> coalesce(counted.claims, 0);

CREATE VIEW inv_claim_on_no_seat AS
SELECT claim.event_id, claim.seat_no, claim.state, seat_map.seats
  FROM claim
  LEFT JOIN event    USING (event_id)
  LEFT JOIN seat_map ON seat_map.sha256 = event.seat_map
 WHERE NOT coalesce(claim.seat_no < seat_map.seats, false);

CREATE VIEW inv_journal_number_missing AS
SELECT event_id, coalesce(lane.update_no, 0) AS lane_update_no,
       coalesce(written.updates, 0) AS updates, written.newest
  FROM lane
  FULL JOIN (SELECT journal.event_id, count(*) AS updates, max(journal.update_no) AS newest
               FROM journal
              GROUP BY journal.event_id) AS written USING (event_id)
 WHERE coalesce(written.updates, 0) <> coalesce(lane.update_no, 0)
    OR coalesce(written.newest, 0) <> coalesce(lane.update_no, 0);
