-- The ledger: claims, holds, lanes and the journal.
--
-- A seat has a row in claim only when somebody has a claim on it; every other seat is available. Whoever changes claims
-- of an event takes its lane first (take_lane_v1), so all changes of an event form one order with a number each.

-- One row for each event: whose turn it is to change claims (its row lock), how many updates there have been, and how
-- many seats are claimed, so that lists need not count. Pages are left nearly empty: this row is rewritten all the time.
CREATE TABLE lane (
    event_id  bigint  NOT NULL CONSTRAINT lane_pkey PRIMARY KEY CONSTRAINT lane_event REFERENCES event,
    update_no bigint  NOT NULL DEFAULT 0,
    held      integer NOT NULL DEFAULT 0,
    sold      integer NOT NULL DEFAULT 0,
    blocked   integer NOT NULL DEFAULT 0,
    CONSTRAINT lane_update_no_counts CHECK (update_no >= 0),
    CONSTRAINT lane_counts           CHECK (held >= 0 AND sold >= 0 AND blocked >= 0)
) WITH (fillfactor = 10);
-- Seats held for one fan, and what became of them. Its id was made by the fan's device, so sending it again finds it
-- here; (hold_id, event_id) is the key, so two events never wait for each other. tickets counts against the fan's limit:
-- the seats of this hold that are held or bought.
CREATE TABLE hold (
    hold_id    uuid        NOT NULL,
    event_id   bigint      NOT NULL,
    fan_id     uuid        NOT NULL,
    state      text        NOT NULL,  -- docs/states.md has the diagram
    seats      integer[]   NOT NULL,
    tickets    integer     NOT NULL,
    placed_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,  -- held: the end; checkout: when to have paid; afterwards: what it was
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
-- A fan has at most one live hold per event.
CREATE UNIQUE INDEX hold_live_of_fan ON hold (event_id, fan_id) WHERE state IN ('held', 'checkout');
CREATE INDEX hold_bought_by_fan      ON hold (event_id, fan_id) INCLUDE (tickets) WHERE state = 'sold';
CREATE INDEX hold_due                ON hold (expires_at, event_id) WHERE state = 'held';

-- Who has a seat. The primary key is why a seat is never sold twice; hold_id is the fencing token: nothing changes a
-- claim without naming the hold it belongs to. Split by event, which costs nothing measurable and keeps indexes small.
CREATE TABLE claim (
    event_id   bigint      NOT NULL,
    seat_no    integer     NOT NULL,
    state      text        NOT NULL,
    hold_id    uuid,
    expires_at timestamptz NOT NULL,  -- infinity unless the hold may still expire: sold, blocked, being paid
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

-- Every change of claims, written in the transaction that made it, numbered without a gap. The live map, caches and the
-- audit follow it: folded from the first row on, it is the claims.
CREATE TABLE journal (
    event_id   bigint      NOT NULL,
    update_no  bigint      NOT NULL,
    at         timestamptz NOT NULL,
    seats      integer[]   NOT NULL,
    states     text        NOT NULL,  -- a letter for each seat: available, held, sold, blocked
    holders    bytea       NOT NULL,  -- of each seat, 8 bytes: whose it is (holder_v1), zeros for nobody
    expires_at timestamptz,           -- when the held ones end; infinity: not by the clock
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
-- What has happened lately, whichever event at: for who follows them all.
CREATE INDEX journal_by_time ON journal (at);
