-- The functions that decide what may happen to claims: each takes a whole batch and answers each request by itself.
--
-- Expand: everything here is new. A rule that changes is a new version of its function, beside the old one.

CREATE TYPE ledger_answer AS (
    request    integer,
    answer     text,
    seats      integer[],
    expires_at timestamptz,
    update_no  bigint,
    at         timestamptz,
    states     text,
    holders    bytea
);

-- holder_v1: who has a seat, as the journal says it: the first 8 bytes of the hold's id. Enough for a program to tell its
-- own hold from all others' without asking again.
CREATE FUNCTION holder_v1(hold_id uuid)
RETURNS bytea
LANGUAGE sql IMMUTABLE
RETURN substr(uuid_send(hold_id), 1, 8);

-- nobody_v1: so many seats that no hold has.
CREATE FUNCTION nobody_v1(seats integer[])
RETURNS bytea
LANGUAGE sql IMMUTABLE
RETURN decode(repeat('00', 8 * cardinality(seats)), 'hex');

-- take_lane_v1: become the only one who changes this event's claims, until the transaction ends. Answers the time.
--
-- Every function below begins here, so all batches of all processes form one order: none waits for a row that another
-- one has, and no clock but this one, read after the lane is ours, decides whether a hold has ended.
CREATE FUNCTION take_lane_v1(of_event bigint)
RETURNS timestamptz
LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM lane WHERE lane.event_id = of_event FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE no_data_found USING MESSAGE = format('event %s has no lane', of_event);
    END IF;
    RETURN clock_timestamp();
END;
$$;

-- write_update_v1: number a change and write it down, for everybody who follows. Only for who has the lane.
--
-- A change of no seat is no change: it takes no number. Answers the row that leads all answers of a batch.
CREATE FUNCTION write_update_v1(
    of_event bigint, at timestamptz, seats integer[], states text, holders bytea, expires_at timestamptz,
    held_more integer, sold_more integer, blocked_more integer)
RETURNS ledger_answer
LANGUAGE plpgsql
AS $$
DECLARE
    written ledger_answer := (0, 'update', seats, expires_at, NULL, at, states, holders);
BEGIN
    IF cardinality(seats) = 0 THEN
        SELECT lane.update_no INTO STRICT written.update_no FROM lane WHERE lane.event_id = of_event;
        RETURN written;
    END IF;
    UPDATE lane
       SET update_no = lane.update_no + 1,
           held      = lane.held + held_more,
           sold      = lane.sold + sold_more,
           blocked   = lane.blocked + blocked_more
     WHERE lane.event_id = of_event
    RETURNING lane.update_no INTO STRICT written.update_no;
    INSERT INTO journal (event_id, update_no, at, seats, states, holders, expires_at)
    VALUES (of_event, written.update_no, at, seats, states, holders, expires_at);
    RETURN written;
END;
$$;

-- free_holds_v1: end holds that have not been sold, and free their seats. Only for who has the lane. Answers the seats.
--
-- A seat is freed only by the hold it belongs to, and the count must match: a hold without all of its claims is a fault
-- that stops everything rather than a surprise for the next fan.
CREATE FUNCTION free_holds_v1(of_event bigint, hold_ids uuid[], outcome text)
RETURNS integer[]
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    promised integer[];
    freed    integer[];
BEGIN
    IF cardinality(hold_ids) = 0 THEN
        RETURN '{}';
    END IF;
    WITH ended AS (
        UPDATE hold
           SET state = outcome, tickets = 0
         WHERE hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event AND hold.state || '' IN ('held', 'checkout')
        RETURNING hold.seats
    )
    SELECT coalesce(array_agg(seat_no), '{}') INTO promised FROM ended, unnest(ended.seats) AS seat_no;
    WITH gone AS (
        DELETE FROM claim
         WHERE claim.event_id = of_event AND claim.seat_no = ANY (promised)
           AND claim.hold_id = ANY (hold_ids) AND claim.state = 'held'
        RETURNING claim.seat_no
    )
    SELECT coalesce(array_agg(seat_no), '{}') INTO freed FROM gone;
    IF cardinality(freed) <> cardinality(promised) THEN
        RAISE EXCEPTION 'event %: holds of % seats had claims on %', of_event, cardinality(promised), cardinality(freed);
    END IF;
    RETURN freed;
END;
$$;

-- hold_seats_v1: hold every seat of a request, or none of them; for a whole batch of requests, each answered by itself.
--
-- Request n is hold_ids[n] by fan_ids[n]; seat_nos[i] is wanted by request of_request[i]. The first row answers for the
-- batch (request 0, the update that was written), then one row follows for each request, in order:
--   placed                      with the seats and their end
--   held, checkout, sold, …     this hold was placed before; what it has become, with its seats and their end
--   foreign                     another fan has a hold of this id
--   not-on-sale, no-seats, too-many-seats, unknown-seat, seat-twice, hold-exists, limit-reached
--   seats-taken                 with the seats that are taken
--   deferred                    undecided, since an earlier request of the batch has the same hold id or fan or wants
--                               the same seat: ask again in the next batch
-- Where several apply, the first of them in the CASE below is the answer.
--
-- Safe because the lane is ours: nobody else adds or takes away a claim or a hold of this event until we are done. And
-- if all of that were wrong, the primary key of claim still refuses the second claim on a seat.
CREATE FUNCTION hold_seats_v1(
    of_event bigint, hold_ids uuid[], fan_ids uuid[], of_request integer[], seat_nos integer[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_     timestamptz := take_lane_v1(of_event);
    terms    record;
    lapsed   uuid[];
    freed    integer[] := '{}';
    won      integer[];
    winners  bytea;
    left_free integer[];
    answers  ledger_answer[];
BEGIN
    SELECT event.seats_per_hold_max, event.tickets_per_fan_max, seat_map.seats,
           now_ + event.hold_seconds * interval '1 second' AS expires_at,
           event.publication = 'announced' AND event.on_sale_at <= now_ AND now_ < event.ends_at AS is_on_sale
      INTO STRICT terms
      FROM event JOIN seat_map ON seat_map.sha256 = event.seat_map
     WHERE event.event_id = of_event;

    -- A hold past its time that is in the way ends now, as a whole: a late sweeper never stops a sale.
    SELECT array_agg(found.hold_id) INTO lapsed
      FROM (SELECT claim.hold_id
              FROM unnest(seat_nos) AS given (seat_no)
             CROSS JOIN LATERAL (
                    SELECT claim.hold_id, claim.expires_at
                      FROM claim
                     WHERE claim.event_id = of_event AND claim.seat_no = given.seat_no
                    OFFSET 0) AS claim
             WHERE claim.expires_at <= now_
             UNION
            SELECT live.hold_id
              FROM unnest(fan_ids) AS given (fan_id)
             CROSS JOIN LATERAL (
                    SELECT hold.hold_id, hold.state, hold.expires_at
                      FROM hold
                     WHERE hold.event_id = of_event AND hold.fan_id = given.fan_id
                       AND hold.state IN ('held', 'checkout')
                    OFFSET 0) AS live
             WHERE live.state = 'held' AND live.expires_at <= now_) AS found;
    IF lapsed IS NOT NULL THEN
        freed := free_holds_v1(of_event, lapsed, 'expired');
    END IF;

    WITH asked AS (
        SELECT given.request::integer AS request, given.hold_id, given.fan_id,
               row_number() OVER (PARTITION BY given.hold_id ORDER BY given.request) > 1 AS same_hold_earlier,
               row_number() OVER (PARTITION BY given.fan_id ORDER BY given.request) > 1 AS same_fan_earlier
          FROM unnest(hold_ids, fan_ids) WITH ORDINALITY AS given (hold_id, fan_id, request)
    ), wanted AS (
        SELECT want.request,
               array_agg(want.seat_no ORDER BY want.seat_no) AS seats,
               count(*) AS tickets,
               count(DISTINCT want.seat_no) < count(*) AS seat_twice,
               bool_or(want.seat_no NOT BETWEEN 0 AND terms.seats - 1) AS seat_unknown,
               array_agg(claim.seat_no) FILTER (WHERE claim.seat_no IS NOT NULL) AS taken,
               bool_or(want.contested) AS contested
          FROM (SELECT request, seat_no,
                       request > first_value(request) OVER (PARTITION BY seat_no ORDER BY request) AS contested
                  FROM unnest(of_request, seat_nos) AS given (request, seat_no)) AS want
          LEFT JOIN LATERAL (
                SELECT claim.seat_no FROM claim WHERE claim.event_id = of_event AND claim.seat_no = want.seat_no OFFSET 0
               ) AS claim ON true
         GROUP BY want.request
    ), decided AS (
        SELECT asked.request, asked.hold_id, asked.fan_id, wanted.seats, wanted.taken,
               known.seats AS known_seats, known.expires_at AS known_expires_at,
               CASE
                   WHEN asked.same_hold_earlier                        THEN 'deferred'
                   WHEN known.fan_id <> asked.fan_id                   THEN 'foreign'
                   WHEN known.hold_id IS NOT NULL                      THEN known.state
                   WHEN asked.same_fan_earlier                         THEN 'deferred'
                   WHEN NOT terms.is_on_sale                           THEN 'not-on-sale'
                   WHEN wanted.request IS NULL                         THEN 'no-seats'
                   WHEN wanted.tickets > terms.seats_per_hold_max      THEN 'too-many-seats'
                   WHEN wanted.seat_unknown                            THEN 'unknown-seat'
                   WHEN wanted.seat_twice                              THEN 'seat-twice'
                   WHEN live.hold_id IS NOT NULL                       THEN 'hold-exists'
                   WHEN bought.tickets + wanted.tickets > terms.tickets_per_fan_max THEN 'limit-reached'
                   WHEN wanted.taken IS NOT NULL                       THEN 'seats-taken'
                   WHEN wanted.contested                               THEN 'deferred'
                   ELSE 'placed'
               END AS answer
          FROM asked
          LEFT JOIN wanted USING (request)
          LEFT JOIN LATERAL (
                SELECT * FROM hold WHERE hold.hold_id = asked.hold_id AND hold.event_id = of_event OFFSET 0
               ) AS known ON true
          LEFT JOIN LATERAL (
                SELECT hold.hold_id
                  FROM hold
                 WHERE hold.event_id = of_event AND hold.fan_id = asked.fan_id AND hold.state IN ('held', 'checkout')
                OFFSET 0) AS live ON true
         CROSS JOIN LATERAL (
                SELECT coalesce(sum(hold.tickets), 0) AS tickets
                  FROM hold
                 WHERE hold.event_id = of_event AND hold.fan_id = asked.fan_id AND hold.state = 'sold') AS bought
    ), placed AS (
        INSERT INTO hold (hold_id, event_id, fan_id, state, seats, tickets, placed_at, expires_at)
        SELECT hold_id, of_event, fan_id, 'held', seats, cardinality(seats), now_, terms.expires_at
          FROM decided
         WHERE answer = 'placed'
    ), claimed AS (
        INSERT INTO claim (event_id, seat_no, state, hold_id, expires_at)
        SELECT of_event, seat_no, 'held', hold_id, terms.expires_at
          FROM decided, unnest(seats) AS seat_no
         WHERE answer = 'placed'
        RETURNING seat_no, holder_v1(hold_id) AS holder
    )
    SELECT array_agg(ROW(request, answer,
                         CASE answer WHEN 'placed'      THEN seats
                                     WHEN 'seats-taken' THEN taken
                                     ELSE known_seats END,
                         CASE answer WHEN 'placed' THEN terms.expires_at ELSE known_expires_at END,
                         NULL, NULL, NULL, NULL)::ledger_answer ORDER BY request),
           (SELECT coalesce(array_agg(seat_no), '{}') FROM claimed),
           (SELECT coalesce(string_agg(holder, ''), '') FROM claimed)
      INTO answers, won, winners
      FROM decided;

    -- A seat that was freed and won in one batch is held afterwards, and that is all the journal says of it.
    left_free := ARRAY(SELECT unnest(freed) EXCEPT SELECT unnest(won));
    RETURN NEXT write_update_v1(
        of_event, now_, won || left_free, repeat('h', cardinality(won)) || repeat('a', cardinality(left_free)),
        winners || nobody_v1(left_free), CASE WHEN cardinality(won) > 0 THEN terms.expires_at END,
        cardinality(won) - cardinality(freed), 0, 0);
    RETURN QUERY SELECT * FROM unnest(answers);
END;
$$;

-- answer_holds_v1: what a hold is now, for each hold_ids[n] that fan_ids[n] asked about; no fan: whoever has it.
CREATE FUNCTION answer_holds_v1(of_event bigint, hold_ids uuid[], fan_ids uuid[])
RETURNS SETOF ledger_answer
LANGUAGE sql STABLE
AS $$
    SELECT given.request::integer,
           CASE WHEN hold.hold_id IS NULL           THEN 'unknown'
                WHEN hold.fan_id <> given.fan_id    THEN 'foreign'
                ELSE hold.state END,
           hold.seats, hold.expires_at, NULL::bigint, NULL::timestamptz, NULL::text, NULL::bytea
      FROM unnest(hold_ids, fan_ids) WITH ORDINALITY AS given (hold_id, fan_id, request)
      LEFT JOIN hold ON hold.hold_id = given.hold_id AND hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
     ORDER BY given.request;
$$;

-- expire_lapsed_v1: end those of the holds whose time is over. Only for who has the lane. Answers the freed seats.
CREATE FUNCTION expire_lapsed_v1(of_event bigint, hold_ids uuid[], now_ timestamptz)
RETURNS integer[]
LANGUAGE sql
AS $$
    SELECT free_holds_v1(of_event, ARRAY(
        SELECT hold.hold_id
          FROM hold
         WHERE hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
           AND hold.state || '' = 'held' AND hold.expires_at <= now_), 'expired');
$$;

-- release_holds_v1: the fans give their held seats back. Answers what each hold is now: released, or why not
-- (unknown, foreign, expired, checkout, sold, …). Doing it again changes nothing.
CREATE FUNCTION release_holds_v1(of_event bigint, hold_ids uuid[], fan_ids uuid[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_  timestamptz := take_lane_v1(of_event);
    freed integer[];
BEGIN
    freed := expire_lapsed_v1(of_event, hold_ids, now_) || free_holds_v1(of_event, ARRAY(
        SELECT hold.hold_id
          FROM unnest(hold_ids, fan_ids) AS given (hold_id, fan_id)
          JOIN hold USING (hold_id, fan_id)
         WHERE hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
           AND hold.state || '' = 'held' AND hold.expires_at > now_), 'released');
    RETURN NEXT write_update_v1(
        of_event, now_, freed, repeat('a', cardinality(freed)), nobody_v1(freed), NULL, -cardinality(freed), 0, 0);
    RETURN QUERY SELECT * FROM answer_holds_v1(of_event, hold_ids, fan_ids);
END;
$$;

-- expire_holds_v1: end those of the holds whose time is over, whoever found them. Two sweepers at once are harmless: the
-- second one finds nothing left. They were looked for before, so the lane is not kept while an index is read.
CREATE FUNCTION expire_holds_v1(of_event bigint, hold_ids uuid[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_  timestamptz := take_lane_v1(of_event);
    freed integer[];
BEGIN
    freed := expire_lapsed_v1(of_event, hold_ids, now_);
    RETURN NEXT write_update_v1(
        of_event, now_, freed, repeat('a', cardinality(freed)), nobody_v1(freed), NULL, -cardinality(freed), 0, 0);
END;
$$;

-- begin_checkouts_v1: paying has begun. The hold gets pay_seconds from now, once, and no sweeper ends it any more: its
-- claims have no end until the order is paid or given up. Answers what each hold is now; beginning again changes nothing.
CREATE FUNCTION begin_checkouts_v1(of_event bigint, hold_ids uuid[], fan_ids uuid[], pay_seconds integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_   timestamptz := take_lane_v1(of_event);
    freed  integer[] := expire_lapsed_v1(of_event, hold_ids, now_);
    begun  uuid[];
    theirs integer[];
    kept   integer[];
    payers bytea;
BEGIN
    WITH extended AS (
        UPDATE hold
           SET state = 'checkout', expires_at = greatest(hold.expires_at, now_ + pay_seconds * interval '1 second')
          FROM unnest(hold_ids, fan_ids) AS given (hold_id, fan_id)
         WHERE hold.hold_id = given.hold_id AND hold.fan_id = given.fan_id
           AND hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event AND hold.state || '' = 'held'
        RETURNING hold.hold_id, hold.seats
    )
    SELECT array_agg(DISTINCT extended.hold_id), coalesce(array_agg(seat_no), '{}')
      INTO begun, theirs
      FROM extended, unnest(extended.seats) AS seat_no;
    WITH endless AS (
        UPDATE claim
           SET expires_at = 'infinity'
         WHERE claim.event_id = of_event AND claim.seat_no = ANY (theirs)
           AND claim.hold_id = ANY (begun) AND claim.state = 'held'
        RETURNING claim.seat_no, holder_v1(claim.hold_id) AS holder
    )
    SELECT coalesce(array_agg(seat_no), '{}'), coalesce(string_agg(holder, ''), '') INTO kept, payers FROM endless;
    IF cardinality(kept) <> cardinality(theirs) THEN
        RAISE EXCEPTION 'event %: holds of % seats had claims on %', of_event, cardinality(theirs), cardinality(kept);
    END IF;
    RETURN NEXT write_update_v1(
        of_event, now_, kept || freed, repeat('h', cardinality(kept)) || repeat('a', cardinality(freed)),
        payers || nobody_v1(freed), CASE WHEN cardinality(kept) > 0 THEN timestamptz 'infinity' END, -cardinality(freed), 0, 0);
    RETURN QUERY SELECT * FROM answer_holds_v1(of_event, hold_ids, fan_ids);
END;
$$;

-- sell_holds_v1: the claims of holds in checkout become sold, all of a hold's or none. Answers what each hold is now:
-- sold, or what stands in the way. Selling again changes nothing.
CREATE FUNCTION sell_holds_v1(of_event bigint, hold_ids uuid[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_     timestamptz := take_lane_v1(of_event);
    paid_for uuid[];
    theirs   integer[];
    sold     integer[];
    owners   bytea;
BEGIN
    WITH ended AS (
        UPDATE hold
           SET state = 'sold'
         WHERE hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event AND hold.state || '' = 'checkout'
        RETURNING hold.hold_id, hold.seats
    )
    SELECT array_agg(DISTINCT ended.hold_id), coalesce(array_agg(seat_no), '{}')
      INTO paid_for, theirs
      FROM ended, unnest(ended.seats) AS seat_no;
    WITH taken AS (
        UPDATE claim
           SET state = 'sold'
         WHERE claim.event_id = of_event AND claim.seat_no = ANY (theirs)
           AND claim.hold_id = ANY (paid_for) AND claim.state = 'held'
        RETURNING claim.seat_no, holder_v1(claim.hold_id) AS holder
    )
    SELECT coalesce(array_agg(seat_no), '{}'), coalesce(string_agg(holder, ''), '') INTO sold, owners FROM taken;
    IF cardinality(sold) <> cardinality(theirs) THEN
        RAISE EXCEPTION 'event %: holds of % seats had claims on %', of_event, cardinality(theirs), cardinality(sold);
    END IF;
    RETURN NEXT write_update_v1(
        of_event, now_, sold, repeat('s', cardinality(sold)), owners, NULL, -cardinality(sold), cardinality(sold), 0);
    RETURN QUERY SELECT * FROM answer_holds_v1(of_event, hold_ids, NULL);
END;
$$;

-- return_seats_v1: sold seats of a hold come back on sale (an order was cancelled). seat_nos[i] is returned by request
-- of_request[i], whose hold is hold_ids[n]; all seats of a request or none. Answers what each hold is now (sold while
-- any of its seats is, returned once none is), or unknown-seat where a seat was never this hold's. Returning again
-- changes nothing.
CREATE FUNCTION return_seats_v1(of_event bigint, hold_ids uuid[], of_request integer[], seat_nos integer[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_   timestamptz := take_lane_v1(of_event);
    wrong  integer[];
    freed  integer[];
BEGIN
    SELECT array_agg(DISTINCT given.request) INTO wrong
      FROM unnest(of_request, seat_nos) AS given (request, seat_no)
      LEFT JOIN hold ON hold.hold_id = hold_ids[given.request]
                    AND hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
     WHERE NOT coalesce(given.seat_no = ANY (hold.seats), false);
    WITH gone AS (
        DELETE FROM claim
         USING unnest(of_request, seat_nos) AS given (request, seat_no)
         WHERE claim.event_id = of_event AND claim.seat_no = ANY (seat_nos) AND claim.seat_no = given.seat_no
           AND claim.hold_id = hold_ids[given.request] AND claim.state = 'sold'
           AND NOT given.request = ANY (coalesce(wrong, '{}'))
        RETURNING claim.hold_id, claim.seat_no
    ), fewer AS (
        UPDATE hold
           SET tickets = hold.tickets - counted.seats,
               state   = CASE WHEN hold.tickets = counted.seats THEN 'returned' ELSE 'sold' END
          FROM (SELECT gone.hold_id, count(*)::integer AS seats FROM gone GROUP BY gone.hold_id) AS counted
         WHERE hold.hold_id = counted.hold_id AND hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
    )
    SELECT coalesce(array_agg(seat_no), '{}') INTO freed FROM gone;
    RETURN NEXT write_update_v1(
        of_event, now_, freed, repeat('a', cardinality(freed)), nobody_v1(freed), NULL, 0, -cardinality(freed), 0);
    RETURN QUERY
    SELECT request, CASE WHEN request = ANY (wrong) AND answer <> 'unknown' THEN 'unknown-seat' ELSE answer END,
           seats, expires_at, update_no, at, states, holders
      FROM answer_holds_v1(of_event, hold_ids, NULL);
END;
$$;

-- block_seats_v1: take seats off sale; seat_nos[i] is wanted by request of_request[i], of requests 1 to requests. All
-- seats of a request or none. Answers blocked, unknown-seat, or seats-taken with the seats that fans have. What is
-- blocked already stays so.
CREATE FUNCTION block_seats_v1(of_event bigint, requests integer, of_request integer[], seat_nos integer[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_    timestamptz := take_lane_v1(of_event);
    seats_  integer;
    lapsed  uuid[];
    freed   integer[] := '{}';
    newly   integer[];
    left_free integer[];
    answers ledger_answer[];
BEGIN
    SELECT seat_map.seats INTO STRICT seats_
      FROM event JOIN seat_map ON seat_map.sha256 = event.seat_map
     WHERE event.event_id = of_event;
    SELECT array_agg(DISTINCT claim.hold_id) INTO lapsed
      FROM claim
     WHERE claim.event_id = of_event AND claim.seat_no = ANY (seat_nos) AND claim.expires_at <= now_;
    IF lapsed IS NOT NULL THEN
        freed := free_holds_v1(of_event, lapsed, 'expired');
    END IF;
    WITH decided AS (
        SELECT number AS request,
               array_agg(given.seat_no) AS seats,
               array_agg(claim.seat_no) FILTER (WHERE claim.state <> 'blocked') AS taken,
               coalesce(bool_or(given.seat_no NOT BETWEEN 0 AND seats_ - 1), false) AS seat_unknown
          FROM generate_series(1, requests) AS number
          LEFT JOIN unnest(of_request, seat_nos) AS given (request, seat_no) ON given.request = number
          LEFT JOIN claim ON claim.event_id = of_event AND claim.seat_no = ANY (seat_nos) AND claim.seat_no = given.seat_no
         GROUP BY number
    ), added AS (
        INSERT INTO claim (event_id, seat_no, state, expires_at)
        SELECT DISTINCT of_event, seat_no, 'blocked', timestamptz 'infinity'
          FROM decided, unnest(decided.seats) AS seat_no
         WHERE NOT seat_unknown AND taken IS NULL AND seat_no IS NOT NULL
        ON CONFLICT (event_id, seat_no) DO NOTHING
        RETURNING claim.seat_no
    )
    SELECT array_agg(ROW(request,
                         CASE WHEN seat_unknown          THEN 'unknown-seat'
                              WHEN taken IS NOT NULL     THEN 'seats-taken'
                              ELSE 'blocked' END,
                         CASE WHEN NOT seat_unknown THEN taken END,
                         NULL, NULL, NULL, NULL, NULL)::ledger_answer ORDER BY request),
           (SELECT coalesce(array_agg(seat_no), '{}') FROM added)
      INTO answers, newly
      FROM decided;
    left_free := ARRAY(SELECT unnest(freed) EXCEPT SELECT unnest(newly));
    RETURN NEXT write_update_v1(
        of_event, now_, newly || left_free, repeat('b', cardinality(newly)) || repeat('a', cardinality(left_free)),
        nobody_v1(newly || left_free), NULL, -cardinality(freed), 0, cardinality(newly));
    RETURN QUERY SELECT * FROM unnest(answers);
END;
$$;

-- unblock_seats_v1: put blocked seats back on sale. What is not blocked stays as it is.
CREATE FUNCTION unblock_seats_v1(of_event bigint, seat_nos integer[])
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_  timestamptz := take_lane_v1(of_event);
    freed integer[];
BEGIN
    WITH gone AS (
        DELETE FROM claim
         WHERE claim.event_id = of_event AND claim.seat_no = ANY (seat_nos) AND claim.state = 'blocked'
        RETURNING claim.seat_no
    )
    SELECT coalesce(array_agg(seat_no), '{}') INTO freed FROM gone;
    RETURN NEXT write_update_v1(
        of_event, now_, freed, repeat('a', cardinality(freed)), nobody_v1(freed), NULL, 0, 0, -cardinality(freed));
END;
$$;

-- The journal holds what these functions say of holders, and so does the invariant that folds it.

CREATE VIEW inv_journal_not_claims AS
SELECT event_id, seat_no,
       coalesce(folded.state, 'a') AS journal_state, folded.holder AS journal_holder, folded.expires_at AS journal_end,
       coalesce(left(claim.state, 1), 'a') AS claim_state, claim.hold_id, claim.expires_at AS claim_end
  FROM (SELECT DISTINCT ON (journal.event_id, told.seat_no) journal.event_id, told.seat_no, told.state,
               substr(journal.holders, 8 * told.place::integer - 7, 8) AS holder,
               CASE told.state WHEN 'h' THEN journal.expires_at END AS expires_at
          FROM journal, unnest(journal.seats, string_to_array(journal.states, NULL))
               WITH ORDINALITY AS told (seat_no, state, place)
         ORDER BY journal.event_id, told.seat_no, journal.update_no DESC) AS folded
  FULL JOIN claim USING (event_id, seat_no)
 WHERE coalesce(folded.state, 'a') <> coalesce(left(claim.state, 1), 'a')
    OR coalesce(folded.holder, nobody_v1('{0}')) <> coalesce(holder_v1(claim.hold_id), nobody_v1('{0}'))
    OR folded.expires_at IS DISTINCT FROM CASE claim.state WHEN 'held' THEN claim.expires_at END;
