-- Orders, the attempts to pay them, refunds, tickets and the books; and what of the ledger they need beside what is there.
--
-- Expand: everything here is new, and nothing that is there changes. sql/schema says why each table is as it is.

-- end_checkouts_v1: holds in checkout are given up, and their seats are free: outcome is released (the fan gave the order
CREATE FUNCTION end_checkouts_v1(of_event bigint, hold_ids uuid[], outcome text)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    now_  timestamptz := take_lane_v1(of_event);
    freed integer[];
BEGIN
    freed := free_holds_v1(of_event, ARRAY(
        SELECT hold.hold_id
          FROM hold
         WHERE hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event AND hold.state || '' = 'checkout'), outcome);
    RETURN NEXT write_update_v1(
        of_event, now_, freed, repeat('a', cardinality(freed)), nobody_v1(freed), NULL, -cardinality(freed), 0, 0);
    RETURN QUERY SELECT * FROM answer_holds_v1(of_event, hold_ids, NULL);
END;
$$;

-- sell_again_v1: money for an expired hold came late: its seats are sold after all, if every one of them is free.
CREATE FUNCTION sell_again_v1(of_event bigint, of_hold uuid)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    now_      timestamptz := take_lane_v1(of_event);
    late      record;
    lapsed    uuid[];
    freed     integer[] := '{}';
    taken     integer[];
    sold      integer[] := '{}';
    left_free integer[];
    answered  text;
BEGIN
    SELECT hold.seats, hold.state, hold.fan_id, hold.expires_at INTO late
      FROM hold WHERE hold.hold_id = of_hold AND hold.event_id = of_event;
    IF late.state = 'expired' THEN
        lapsed := ARRAY(
            SELECT claim.hold_id
              FROM claim
             WHERE claim.event_id = of_event AND claim.seat_no = ANY (late.seats) AND claim.expires_at <= now_
             UNION
            SELECT hold.hold_id
              FROM hold
             WHERE hold.event_id = of_event AND hold.fan_id = late.fan_id
               AND hold.state = 'held' AND hold.expires_at <= now_);
        freed := free_holds_v1(of_event, lapsed, 'expired');
    END IF;
    taken := ARRAY(
        SELECT claim.seat_no FROM claim WHERE claim.event_id = of_event AND claim.seat_no = ANY (late.seats));
    SELECT CASE
               WHEN late.state IS NULL         THEN 'unknown'
               WHEN late.state <> 'expired'    THEN late.state
               WHEN event.publication <> 'announced' OR now_ >= event.ends_at THEN 'not-on-sale'
               WHEN theirs.tickets + cardinality(late.seats) > event.tickets_per_fan_max THEN 'limit-reached'
               WHEN cardinality(taken) > 0     THEN 'seats-taken'
           END
      INTO STRICT answered
      FROM event
     CROSS JOIN LATERAL (
            SELECT coalesce(sum(hold.tickets), 0) + coalesce((
                        SELECT sum(hold.tickets) FROM hold
                         WHERE hold.event_id = of_event AND hold.fan_id = late.fan_id AND hold.state = 'sold'), 0) AS tickets
              FROM hold  -- two sums, by an index each
             WHERE hold.event_id = of_event AND hold.fan_id = late.fan_id AND hold.state IN ('held', 'checkout')) AS theirs
     WHERE event.event_id = of_event;
    IF answered IS NULL THEN
        UPDATE hold
           SET state = 'sold', tickets = cardinality(hold.seats)
         WHERE hold.hold_id = of_hold AND hold.event_id = of_event AND hold.state || '' = 'expired';
        INSERT INTO claim (event_id, seat_no, state, hold_id, expires_at)
        SELECT of_event, seat_no, 'sold', of_hold, timestamptz 'infinity' FROM unnest(late.seats) AS seat_no;
        sold := late.seats;
        answered := 'sold';
    END IF;
    left_free := ARRAY(SELECT unnest(freed) EXCEPT SELECT unnest(sold));
    RETURN NEXT write_update_v1(
        of_event, now_, sold || left_free, repeat('s', cardinality(sold)) || repeat('a', cardinality(left_free)),
        (SELECT coalesce(string_agg(holder_v1(of_hold), ''), '') FROM unnest(sold)) || nobody_v1(left_free), NULL,
        -cardinality(freed), cardinality(sold), 0);
    RETURN NEXT (1, answered, CASE answered WHEN 'seats-taken' THEN taken ELSE late.seats END, late.expires_at,
                 NULL, NULL, NULL, NULL)::ledger_answer;
END;
$$;

CREATE TABLE fan_order (
    order_id     uuid        NOT NULL CONSTRAINT fan_order_pkey PRIMARY KEY,
    event_id     bigint      NOT NULL CONSTRAINT fan_order_event REFERENCES event,
    hold_id      uuid        NOT NULL,
    fan_id       uuid        NOT NULL,
    email        text        NOT NULL,
    state        text        NOT NULL,
    seats        integer[]   NOT NULL,
    prices_minor bigint[]    NOT NULL,
    fees_minor   bigint[]    NOT NULL,
    total_minor  bigint      NOT NULL,
    currency     text        NOT NULL,
    made_at      timestamptz NOT NULL,
    pay_by       timestamptz NOT NULL,
    lapse_at     timestamptz NOT NULL,
    paid_by      uuid,
    paid_at      timestamptz,
    CONSTRAINT fan_order_of_hold     UNIQUE (event_id, hold_id),
    CONSTRAINT fan_order_email_shape CHECK (email ~ '^[^@[:space:][:cntrl:]]+@[a-z0-9.-]+$' AND octet_length(email) <= 254),
    CONSTRAINT fan_order_state_known CHECK (state IN ('open', 'paid', 'refunded', 'cancelled', 'lapsed')),
    CONSTRAINT fan_order_seats_count CHECK (cardinality(seats) BETWEEN 1 AND 10),
    CONSTRAINT fan_order_price_each  CHECK (cardinality(prices_minor) = cardinality(seats)
                                            AND cardinality(fees_minor) = cardinality(seats)),
    CONSTRAINT fan_order_total_range CHECK (total_minor BETWEEN 0 AND 2000000000),
    CONSTRAINT fan_order_currency    CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT fan_order_times       CHECK (isfinite(made_at) AND made_at <= pay_by AND pay_by <= lapse_at
                                            AND isfinite(lapse_at)),
    CONSTRAINT fan_order_paid_by     CHECK ((state IN ('paid', 'refunded')) = (paid_by IS NOT NULL)),
    CONSTRAINT fan_order_paid_at     CHECK ((paid_by IS NULL) = (paid_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX fan_order_of_fan ON fan_order (fan_id, made_at);
CREATE INDEX fan_order_due    ON fan_order (lapse_at, event_id) WHERE state = 'open';
CREATE TABLE payment_attempt (
    attempt_id     uuid        NOT NULL CONSTRAINT payment_attempt_pkey PRIMARY KEY,
    order_id       uuid        NOT NULL CONSTRAINT payment_attempt_order REFERENCES fan_order,
    provider       text        NOT NULL,
    payment_method text        NOT NULL,
    amount_minor   bigint      NOT NULL,
    currency       text        NOT NULL,
    state          text        NOT NULL,
    provider_ref   text,
    reason         text,
    next_url       text,
    made_at        timestamptz NOT NULL,
    changed_at     timestamptz NOT NULL,
    ask_at         timestamptz,
    asks           integer     NOT NULL DEFAULT 0,
    CONSTRAINT payment_attempt_provider_known CHECK (provider IN ('stripe', 'psp-sim', 'free')),
    CONSTRAINT payment_attempt_method_length  CHECK (char_length(payment_method) BETWEEN 1 AND 255),
    CONSTRAINT payment_attempt_amount_range   CHECK (amount_minor BETWEEN 0 AND 2000000000),
    CONSTRAINT payment_attempt_free           CHECK ((amount_minor = 0) = (provider = 'free')),
    CONSTRAINT payment_attempt_currency       CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT payment_attempt_state_known    CHECK (state IN (
        'created', 'challenged', 'pending', 'unknown', 'declined', 'authorized', 'captured', 'voiding', 'voided',
        'refunding', 'refunded')),
    CONSTRAINT payment_attempt_ref_length     CHECK (char_length(provider_ref) BETWEEN 1 AND 255),
    CONSTRAINT payment_attempt_reason         CHECK ((state = 'declined') = (reason IS NOT NULL)
                                                     AND char_length(reason) BETWEEN 1 AND 100),
    CONSTRAINT payment_attempt_next_url       CHECK ((state = 'challenged') = (next_url IS NOT NULL)
                                                     AND char_length(next_url) <= 2000),
    CONSTRAINT payment_attempt_asks_count     CHECK (asks >= 0)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX payment_attempt_ref  ON payment_attempt (provider, provider_ref) WHERE provider_ref IS NOT NULL;
CREATE UNIQUE INDEX payment_attempt_live ON payment_attempt (order_id)
    WHERE state IN ('created', 'challenged', 'pending', 'unknown', 'authorized', 'captured');
CREATE INDEX payment_attempt_of_order    ON payment_attempt (order_id);
CREATE INDEX payment_attempt_due         ON payment_attempt (ask_at) WHERE ask_at IS NOT NULL;
CREATE TABLE refund (
    refund_id    uuid        NOT NULL CONSTRAINT refund_pkey PRIMARY KEY,
    attempt_id   uuid        NOT NULL CONSTRAINT refund_attempt REFERENCES payment_attempt,
    order_id     uuid        NOT NULL CONSTRAINT refund_order REFERENCES fan_order,
    amount_minor bigint      NOT NULL,
    reason       text        NOT NULL,
    state        text        NOT NULL,
    provider_ref text,
    made_at      timestamptz NOT NULL,
    changed_at   timestamptz NOT NULL,
    CONSTRAINT refund_amount_positive CHECK (amount_minor > 0),
    CONSTRAINT refund_reason_known    CHECK (reason IN ('late', 'cancelled')),
    CONSTRAINT refund_state_known     CHECK (state IN ('asked', 'pending', 'arrived', 'failed')),
    CONSTRAINT refund_ref_length      CHECK (char_length(provider_ref) BETWEEN 1 AND 255)
);
CREATE INDEX refund_of_attempt ON refund (attempt_id);
CREATE INDEX refund_of_order   ON refund (order_id);
CREATE TABLE ticket (
    ticket_id    uuid     NOT NULL CONSTRAINT ticket_pkey PRIMARY KEY,
    order_id     uuid     NOT NULL CONSTRAINT ticket_order REFERENCES fan_order,
    event_id     bigint   NOT NULL,
    seat_no      integer  NOT NULL,
    serial       bigint   NOT NULL GENERATED ALWAYS AS IDENTITY CONSTRAINT ticket_serial_once UNIQUE,
    key_id       integer  NOT NULL,
    state        text     NOT NULL,
    price_minor  bigint   NOT NULL,
    fee_minor    bigint   NOT NULL,
    CONSTRAINT ticket_state_known   CHECK (state IN ('valid', 'cancelled')),
    CONSTRAINT ticket_seat_no_range CHECK (seat_no >= 0),
    CONSTRAINT ticket_key_id_range  CHECK (key_id BETWEEN 0 AND 4095),
    CONSTRAINT ticket_prices_range  CHECK (price_minor >= 0 AND fee_minor >= 0)
) WITH (fillfactor = 90);
CREATE UNIQUE INDEX ticket_of_seat ON ticket (event_id, seat_no) WHERE state = 'valid';
CREATE INDEX ticket_of_order ON ticket (order_id);
CREATE TABLE money_entry (
    cause        text        NOT NULL,
    cause_id     uuid        NOT NULL,
    account      text        NOT NULL,
    order_id     uuid        NOT NULL,
    amount_minor bigint      NOT NULL,
    currency     text        NOT NULL,
    at           timestamptz NOT NULL,
    CONSTRAINT money_entry_pkey          PRIMARY KEY (cause, cause_id, account),
    CONSTRAINT money_entry_cause_known   CHECK (cause IN ('sold', 'captured', 'returned', 'refunded')),
    CONSTRAINT money_entry_account_known CHECK (account IN ('fan', 'provider', 'organizer', 'fees')),
    CONSTRAINT money_entry_is_some       CHECK (amount_minor <> 0),
    CONSTRAINT money_entry_currency      CHECK (currency ~ '^[A-Z]{3}$')
);
CREATE INDEX money_entry_of_order ON money_entry (order_id);

CREATE VIEW inv_order_misadded AS
SELECT order_id, total_minor, added.minor
  FROM fan_order
 CROSS JOIN LATERAL (
        SELECT sum(price + fee) AS minor FROM unnest(prices_minor, fees_minor) AS each_ (price, fee)) AS added
 WHERE total_minor <> added.minor;
CREATE VIEW inv_order_not_hold AS
SELECT fan_order.order_id, fan_order.state, fan_order.event_id, fan_order.hold_id, hold.state AS hold_state
  FROM fan_order
  LEFT JOIN hold USING (hold_id, event_id)
 WHERE NOT coalesce(hold.fan_id = fan_order.fan_id AND hold.seats @> fan_order.seats AND hold.seats <@ fan_order.seats
                    AND hold.state = CASE fan_order.state WHEN 'open'      THEN 'checkout'
                                                          WHEN 'paid'      THEN 'sold'
                                                          WHEN 'refunded'  THEN 'returned'
                                                          WHEN 'cancelled' THEN 'released'
                                                          WHEN 'lapsed'    THEN 'expired' END, false);
CREATE VIEW inv_hold_without_order AS
SELECT hold.event_id, hold.hold_id, hold.state
  FROM hold
 WHERE hold.state IN ('checkout', 'sold')
   AND NOT EXISTS (SELECT FROM fan_order WHERE (fan_order.event_id, fan_order.hold_id) = (hold.event_id, hold.hold_id));
CREATE VIEW inv_ticket_not_claim AS
SELECT ticket.ticket_id, claim.event_id, claim.seat_no, ticket.state AS ticket_state, claim.state AS claim_state
  FROM (SELECT claim.* FROM claim
          JOIN fan_order USING (event_id, hold_id)
         WHERE claim.state = 'sold') AS claim
  FULL JOIN (SELECT ticket.*, fan_order.hold_id FROM ticket
               JOIN fan_order USING (order_id)
              WHERE ticket.state = 'valid') AS ticket USING (event_id, seat_no, hold_id)
 WHERE ticket.ticket_id IS NULL OR claim.state IS NULL;
CREATE VIEW inv_paid_without_money AS
SELECT fan_order.order_id, fan_order.state, fan_order.total_minor, attempt.attempt_id, attempt.state AS attempt_state
  FROM fan_order
  LEFT JOIN payment_attempt AS attempt ON attempt.attempt_id = fan_order.paid_by
 WHERE fan_order.state IN ('paid', 'refunded')
   AND NOT coalesce(attempt.order_id = fan_order.order_id AND attempt.amount_minor = fan_order.total_minor
                    AND attempt.currency = fan_order.currency
                    AND attempt.state IN ('authorized', 'captured', 'refunded'), false);
CREATE VIEW inv_money_without_order AS
SELECT attempt.attempt_id, attempt.state, fan_order.order_id, fan_order.state AS order_state
  FROM payment_attempt AS attempt
  JOIN fan_order USING (order_id)
 WHERE attempt.state IN ('authorized', 'captured') AND fan_order.paid_by IS DISTINCT FROM attempt.attempt_id
    OR attempt.state = 'refunding'
   AND attempt.amount_minor IS DISTINCT FROM (
        SELECT sum(refund.amount_minor) FROM refund WHERE refund.attempt_id = attempt.attempt_id);
CREATE VIEW inv_refund_too_large AS
SELECT attempt.attempt_id, attempt.amount_minor, sum(refund.amount_minor) AS refunds_minor
  FROM refund
  JOIN payment_attempt AS attempt USING (attempt_id)
 GROUP BY attempt.attempt_id
HAVING sum(refund.amount_minor) > attempt.amount_minor;
CREATE VIEW inv_books_unbalanced AS
SELECT cause, cause_id, currency, sum(amount_minor) AS sum_minor
  FROM money_entry
 GROUP BY cause, cause_id, currency
HAVING sum(amount_minor) <> 0;
CREATE VIEW inv_books_not_orders AS
SELECT said.order_id, said.account, coalesce(written.minor, 0) AS in_books, said.minor AS in_orders
  FROM (SELECT fan_order.order_id, each_.account, each_.minor
          FROM fan_order
         CROSS JOIN LATERAL (
                SELECT coalesce((SELECT sum(attempt.amount_minor) FROM payment_attempt AS attempt
                                  WHERE attempt.order_id = fan_order.order_id
                                    AND attempt.state IN ('captured', 'refunding', 'refunded')), 0)
                     - coalesce((SELECT sum(refund.amount_minor) FROM refund
                                  WHERE refund.order_id = fan_order.order_id AND refund.state = 'arrived'), 0) AS minor
               ) AS taken
         CROSS JOIN LATERAL (
                SELECT coalesce(sum(ticket.price_minor), 0) AS prices, coalesce(sum(ticket.fee_minor), 0) AS fees
                  FROM ticket WHERE ticket.order_id = fan_order.order_id AND ticket.state = 'valid') AS valid
         CROSS JOIN LATERAL (VALUES ('provider', taken.minor), ('organizer', -valid.prices), ('fees', -valid.fees))
                         AS each_ (account, minor)) AS said
  LEFT JOIN (SELECT money_entry.order_id, money_entry.account, sum(money_entry.amount_minor) AS minor
               FROM money_entry GROUP BY money_entry.order_id, money_entry.account) AS written USING (order_id, account)
 WHERE coalesce(written.minor, 0) <> said.minor;
CREATE VIEW inv_order_overdue AS
SELECT order_id, state, lapse_at AS due_at
  FROM fan_order
 WHERE state = 'open' AND lapse_at < statement_timestamp() - interval '5 minutes'
 UNION ALL
SELECT order_id, state, ask_at
  FROM payment_attempt
 WHERE ask_at < statement_timestamp() - interval '5 minutes';

-- ticket_id_v1: the id of the ticket for one seat of an order: the same, however often it is asked for.
CREATE FUNCTION ticket_id_v1(order_id uuid, seat_no integer)
RETURNS uuid
LANGUAGE sql IMMUTABLE
RETURN encode(substr(sha256(uuid_send(order_id) || int4send(seat_no)), 1, 16), 'hex')::uuid;
-- refund_id_v1: the id of the refund of an attempt whose money came too late: there is one at most.
CREATE FUNCTION refund_id_v1(attempt_id uuid)
RETURNS uuid
LANGUAGE sql IMMUTABLE
RETURN encode(substr(sha256('\x6c617465'::bytea || uuid_send(attempt_id)), 1, 16), 'hex')::uuid;
-- add_job_v1: something is to be done once this is stored. No kind: nothing is.
CREATE FUNCTION add_job_v1(of_kind text, of_urgency integer, of_key text, of_payload jsonb)
RETURNS void
LANGUAGE sql AS $$
    INSERT INTO job (kind, urgency, job_key, payload, state, attempts, due_at, made_at)
    SELECT of_kind, of_urgency, of_key, of_payload, 'waiting', 0, clock_timestamp(), clock_timestamp()
     WHERE of_kind IS NOT NULL
        ON CONFLICT (kind, job_key) DO NOTHING;
$$;
-- open_orders_v1: fans begin to pay for their holds. Order order_ids[n] is of the hold hold_ids[n] of fan_ids[n]; its seat
CREATE FUNCTION open_orders_v1(
    of_event bigint, order_ids uuid[], hold_ids uuid[], fan_ids uuid[], emails text[],
    of_request integer[], seat_nos integer[], levels text[], pay_seconds integer, technical_seconds integer)
RETURNS TABLE (request integer, answer text, seats integer[], expires_at timestamptz, update_no bigint, at timestamptz,
               states text, holders bytea, of_order uuid, total_minor bigint, currency text)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
    now_   timestamptz := take_lane_v1(of_event);
    terms  record;
    holds_ uuid[];
    fans_  uuid[];
    begun  ledger_answer[];
BEGIN
    SELECT event.currency, event.publication = 'announced' AND now_ < event.ends_at AS is_on INTO STRICT terms
      FROM event WHERE event.event_id = of_event;
    WITH asked AS (
        SELECT given.n::integer AS n, given.order_id, given.email, hold.hold_id, hold.fan_id, hold.seats, hold.expires_at
          FROM unnest(order_ids, hold_ids, fan_ids, emails) WITH ORDINALITY AS given (order_id, hold_id, fan_id, email, n)
          JOIN hold ON hold.hold_id = given.hold_id AND hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
         WHERE hold.fan_id = given.fan_id AND hold.state || '' = 'held' AND hold.expires_at > now_ AND terms.is_on
    ), priced AS (
        SELECT given.n, array_agg(given.seat_no ORDER BY given.seat_no) AS seats,
               array_agg(price_level.amount_minor ORDER BY given.seat_no) AS prices,
               array_agg(price_level.fee_minor ORDER BY given.seat_no) AS fees,
               sum(price_level.amount_minor + price_level.fee_minor) AS total
          FROM unnest(of_request, seat_nos, levels) AS given (n, seat_no, level)
          JOIN price_level ON price_level.event_id = of_event AND price_level.level = given.level
         GROUP BY given.n
    ), made AS (
        INSERT INTO fan_order (order_id, event_id, hold_id, fan_id, email, state, seats, prices_minor, fees_minor,
                               total_minor, currency, made_at, pay_by, lapse_at)
        SELECT asked.order_id, of_event, asked.hold_id, asked.fan_id, asked.email, 'open', priced.seats, priced.prices,
               priced.fees, priced.total, terms.currency, now_, until_.pay_by,
               until_.pay_by + technical_seconds * interval '1 second'
          FROM asked
          JOIN priced ON priced.n = asked.n AND priced.seats = asked.seats
         CROSS JOIN LATERAL (
                SELECT greatest(asked.expires_at, now_ + pay_seconds * interval '1 second') AS pay_by) AS until_
         ORDER BY asked.order_id
            ON CONFLICT DO NOTHING
        RETURNING fan_order.hold_id, fan_order.fan_id
    )
    SELECT coalesce(array_agg(made.hold_id), '{}'), coalesce(array_agg(made.fan_id), '{}') INTO holds_, fans_ FROM made;
    begun := ARRAY(SELECT b FROM begin_checkouts_v1(of_event, holds_, fans_, pay_seconds) AS b);
    IF (SELECT count(*) FROM unnest(begun) AS b WHERE b.answer = 'checkout') <> cardinality(holds_) THEN
        RAISE EXCEPTION 'event %: % orders, whose holds are not all in checkout', of_event, cardinality(holds_);
    END IF;
    RETURN QUERY
    SELECT b.request, b.answer, b.seats, b.expires_at, b.update_no, b.at, b.states, b.holders,
           NULL::uuid, NULL::bigint, NULL::text
      FROM unnest(begun) AS b
     WHERE b.request = 0;
    RETURN QUERY
    SELECT given.n::integer,
           CASE WHEN (own.fan_id, own.hold_id) = (given.fan_id, given.hold_id)    THEN own.state
                WHEN own.order_id IS NOT NULL OR other.order_id IS NOT NULL       THEN 'order-exists'
                WHEN NOT coalesce(hold.fan_id = given.fan_id, false)              THEN 'unknown'
                WHEN NOT terms.is_on                                              THEN 'not-on-sale'
                ELSE 'hold-ended' END,
           own.seats, own.pay_by, NULL::bigint, NULL::timestamptz, NULL::text, NULL::bytea,
           CASE WHEN (own.fan_id, own.hold_id) = (given.fan_id, given.hold_id) THEN own.order_id ELSE other.order_id END,
           own.total_minor, own.currency
      FROM unnest(order_ids, hold_ids, fan_ids) WITH ORDINALITY AS given (order_id, hold_id, fan_id, n)
      LEFT JOIN fan_order AS own ON own.order_id = given.order_id
      LEFT JOIN fan_order AS other ON other.event_id = of_event AND other.hold_id = given.hold_id
                                  AND other.fan_id = given.fan_id
      LEFT JOIN hold ON hold.hold_id = given.hold_id AND hold.hold_id = ANY (hold_ids) AND hold.event_id = of_event
     ORDER BY given.n;
END;
$$;

-- begin_attempts_v1: fans try to pay: attempt_ids[n] is for the order order_ids[n] of fan_ids[n], with methods[n]. Answers
CREATE FUNCTION begin_attempts_v1(
    order_ids uuid[], fan_ids uuid[], attempt_ids uuid[], methods text[], of_provider text, ask_seconds integer)
RETURNS TABLE (request integer, answer text, of_event bigint, amount_minor bigint, currency text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    now_      timestamptz;
    begun     uuid[];
    given_way uuid[];
BEGIN
    PERFORM FROM fan_order WHERE order_id = ANY (order_ids) ORDER BY order_id FOR NO KEY UPDATE;
    now_ := clock_timestamp();
    begun := ARRAY(
        SELECT given.attempt_id
          FROM unnest(order_ids, fan_ids, attempt_ids) AS given (order_id, fan_id, attempt_id)
          JOIN fan_order USING (order_id, fan_id)
         WHERE fan_order.state = 'open' AND now_ < fan_order.pay_by
           AND NOT EXISTS (SELECT FROM payment_attempt AS same WHERE same.attempt_id = given.attempt_id)
           AND NOT EXISTS (SELECT FROM payment_attempt AS live
                            WHERE live.order_id = given.order_id
                              AND live.state IN ('created', 'pending', 'unknown', 'authorized', 'captured')));
    WITH voided AS (
        UPDATE payment_attempt AS attempt
           SET state = 'voiding', next_url = NULL, ask_at = NULL, changed_at = now_
          FROM unnest(order_ids, attempt_ids) AS given (order_id, attempt_id)
         WHERE attempt.order_id = given.order_id AND attempt.state = 'challenged' AND given.attempt_id = ANY (begun)
        RETURNING attempt.attempt_id
    )
    SELECT coalesce(array_agg(voided.attempt_id), '{}') INTO given_way FROM voided;
    PERFORM add_job_v1('void-payment', 1, gone::text, jsonb_build_object('attempt_id', gone))
       FROM unnest(given_way) AS gone;
    INSERT INTO payment_attempt (attempt_id, order_id, provider, payment_method, amount_minor, currency, state, made_at,
                                 changed_at, ask_at)
    SELECT given.attempt_id, fan_order.order_id, CASE fan_order.total_minor WHEN 0 THEN 'free' ELSE of_provider END,
           given.method, fan_order.total_minor, fan_order.currency, 'created', now_, now_,
           now_ + ask_seconds * interval '1 second'
      FROM unnest(order_ids, attempt_ids, methods) AS given (order_id, attempt_id, method)
      JOIN fan_order USING (order_id)
     WHERE given.attempt_id = ANY (begun);
    RETURN QUERY
    SELECT given.n::integer,
           CASE WHEN NOT coalesce(fan_order.fan_id = given.fan_id, false) THEN 'unknown'
                WHEN given.attempt_id = ANY (begun)                       THEN 'begun'
                WHEN attempt.attempt_id IS NOT NULL                       THEN 'attempt-' || attempt.state
                WHEN fan_order.state <> 'open'                            THEN fan_order.state
                WHEN now_ >= fan_order.pay_by                             THEN 'lapsed'
                ELSE 'under-way' END,
           fan_order.event_id, fan_order.total_minor, fan_order.currency
      FROM unnest(order_ids, fan_ids, attempt_ids) WITH ORDINALITY AS given (order_id, fan_id, attempt_id, n)
      LEFT JOIN fan_order USING (order_id)
      LEFT JOIN payment_attempt AS attempt ON attempt.attempt_id = given.attempt_id
     ORDER BY given.n;
END;
$$;

-- pay_orders_v1: the seats of these orders are sold, and now the orders are paid: by attempt_ids[n], which the provider
CREATE FUNCTION pay_orders_v1(
    attempt_ids uuid[], refs text[], captured boolean[], now_ timestamptz, of_key integer, capture_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    paid integer;
BEGIN
    UPDATE payment_attempt AS attempt
       SET state        = CASE WHEN given.captured OR attempt.provider = 'free' THEN 'captured' ELSE 'authorized' END,
           provider_ref = given.ref, next_url = NULL, changed_at = now_, asks = 0,
           ask_at       = CASE WHEN NOT given.captured AND attempt.provider <> 'free'
                               THEN now_ + capture_seconds * interval '1 second' END
      FROM unnest(attempt_ids, refs, captured) AS given (attempt_id, ref, captured)
     WHERE attempt.attempt_id = given.attempt_id AND attempt.state IN ('created', 'challenged', 'pending', 'unknown');
    UPDATE fan_order
       SET state = 'paid', paid_by = attempt.attempt_id, paid_at = now_
      FROM payment_attempt AS attempt
     WHERE attempt.attempt_id = ANY (attempt_ids) AND fan_order.order_id = attempt.order_id
       AND attempt.state IN ('authorized', 'captured') AND fan_order.state IN ('open', 'lapsed');
    GET DIAGNOSTICS paid = ROW_COUNT;
    IF paid <> cardinality(attempt_ids) THEN
        RAISE EXCEPTION '% of % orders could be paid', paid, cardinality(attempt_ids);
    END IF;
    INSERT INTO ticket (ticket_id, order_id, event_id, seat_no, key_id, state, price_minor, fee_minor)
    SELECT ticket_id_v1(fan_order.order_id, sold.seat_no), fan_order.order_id, fan_order.event_id, sold.seat_no, of_key,
           'valid', sold.price, sold.fee
      FROM fan_order
     CROSS JOIN LATERAL unnest(fan_order.seats, fan_order.prices_minor, fan_order.fees_minor) AS sold (seat_no, price, fee)
     WHERE fan_order.paid_by = ANY (attempt_ids) AND fan_order.order_id IN (
            SELECT attempt.order_id FROM payment_attempt AS attempt WHERE attempt.attempt_id = ANY (attempt_ids))
     ORDER BY fan_order.order_id, sold.seat_no;
    INSERT INTO money_entry (cause, cause_id, account, order_id, amount_minor, currency, at)
    SELECT 'sold', fan_order.order_id, leg.account, fan_order.order_id, leg.minor, fan_order.currency, now_
      FROM payment_attempt AS attempt
      JOIN fan_order USING (order_id)
     CROSS JOIN LATERAL (SELECT sum(fee)::bigint AS minor FROM unnest(fan_order.fees_minor) AS fee) AS fees
     CROSS JOIN LATERAL (VALUES ('fan', fan_order.total_minor), ('organizer', fees.minor - fan_order.total_minor),
                                ('fees', -fees.minor)) AS leg (account, minor)
     WHERE attempt.attempt_id = ANY (attempt_ids) AND leg.minor <> 0;
    PERFORM write_captured_v1(ARRAY(
        SELECT attempt.attempt_id FROM payment_attempt AS attempt
         WHERE attempt.attempt_id = ANY (attempt_ids) AND attempt.state = 'captured'), now_);
    PERFORM add_job_v1(mail_kind, mail_urgency, attempt.order_id::text, jsonb_build_object('order_id', attempt.order_id))
       FROM payment_attempt AS attempt
      WHERE attempt.attempt_id = ANY (attempt_ids);
END;
$$;
-- write_captured_v1: into the books: the money of these attempts lies with the provider.
CREATE FUNCTION write_captured_v1(attempt_ids uuid[], now_ timestamptz)
RETURNS void
LANGUAGE sql AS $$
    INSERT INTO money_entry (cause, cause_id, account, order_id, amount_minor, currency, at)
    SELECT 'captured', attempt.attempt_id, leg.account, attempt.order_id, leg.minor, attempt.currency, now_
      FROM payment_attempt AS attempt
     CROSS JOIN LATERAL (VALUES ('provider', attempt.amount_minor), ('fan', -attempt.amount_minor)) AS leg (account, minor)
     WHERE attempt.attempt_id = ANY (attempt_ids) AND leg.minor <> 0;
$$;

-- sell_orders_v1: the provider keeps the money of attempt_ids[n] for us, by the name of refs[n] (or has taken it, where
CREATE FUNCTION sell_orders_v1(
    of_event bigint, attempt_ids uuid[], refs text[], captured boolean[], of_key integer, capture_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    now_     timestamptz := take_lane_v1(of_event);
    selling  uuid[];
    holds_   uuid[];
    refs_    text[];
    taken_   boolean[];
    answers  ledger_answer[];
BEGIN
    PERFORM FROM fan_order
      WHERE fan_order.order_id IN (SELECT attempt.order_id FROM payment_attempt AS attempt
                                    WHERE attempt.attempt_id = ANY (attempt_ids))
      ORDER BY fan_order.order_id FOR NO KEY UPDATE;
    SELECT coalesce(array_agg(attempt.attempt_id), '{}'), coalesce(array_agg(fan_order.hold_id), '{}'),
           array_agg(given.ref), array_agg(given.captured)
      INTO selling, holds_, refs_, taken_
      FROM unnest(attempt_ids, refs, captured) AS given (attempt_id, ref, captured)
      JOIN payment_attempt AS attempt ON attempt.attempt_id = given.attempt_id AND attempt.attempt_id = ANY (attempt_ids)
      JOIN fan_order USING (order_id)
     WHERE fan_order.event_id = of_event AND fan_order.state = 'open'
       AND attempt.state IN ('created', 'challenged', 'pending', 'unknown');
    answers := ARRAY(SELECT sold FROM sell_holds_v1(of_event, holds_) AS sold);
    IF EXISTS (SELECT FROM unnest(answers) AS sold WHERE sold.request > 0 AND sold.answer <> 'sold') THEN
        RAISE EXCEPTION 'event %: an open order has a hold that is not in checkout', of_event;
    END IF;
    IF cardinality(selling) > 0 THEN
        PERFORM pay_orders_v1(selling, refs_, taken_, now_, of_key, capture_seconds, mail_kind, mail_urgency);
    END IF;
    RETURN NEXT answers[1];
    RETURN QUERY
    SELECT given.n::integer,
           CASE WHEN fan_order.order_id IS NULL             THEN 'unknown'
                WHEN fan_order.paid_by = attempt.attempt_id THEN 'sold'
                ELSE 'late' END,
           fan_order.seats, NULL::timestamptz, NULL::bigint, NULL::timestamptz, NULL::text, NULL::bytea
      FROM unnest(attempt_ids) WITH ORDINALITY AS given (attempt_id, n)
      LEFT JOIN payment_attempt AS attempt ON attempt.attempt_id = given.attempt_id AND attempt.attempt_id = ANY (attempt_ids)
      LEFT JOIN fan_order ON fan_order.order_id = attempt.order_id AND fan_order.event_id = of_event
     ORDER BY given.n;
END;
$$;

-- sell_late_v1: money came when its order was not open any more. It buys the same seats after all, if the order lapsed and
CREATE FUNCTION sell_late_v1(
    of_event bigint, of_attempt uuid, ref text, is_captured boolean, of_key integer, capture_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    now_     timestamptz := take_lane_v1(of_event);
    late     record;
    again    ledger_answer[];
    answered text := 'let-go';
BEGIN
    SELECT fan_order.order_id, fan_order.hold_id, fan_order.state, fan_order.paid_by, attempt.state AS attempt_state,
           attempt.amount_minor, attempt.state IN ('created', 'challenged', 'pending', 'unknown') AS is_live
      INTO STRICT late
      FROM payment_attempt AS attempt
      JOIN fan_order USING (order_id)
     WHERE attempt.attempt_id = of_attempt AND fan_order.event_id = of_event
       FOR NO KEY UPDATE OF fan_order;
    IF late.paid_by = of_attempt THEN
        answered := 'sold';
    ELSIF late.is_live AND late.state = 'open' THEN
        answered := 'open';
    ELSIF late.is_live AND late.state = 'lapsed' THEN
        again := ARRAY(SELECT sold FROM sell_again_v1(of_event, late.hold_id) AS sold);
        IF again[2].answer = 'sold' THEN
            PERFORM pay_orders_v1(ARRAY[of_attempt], ARRAY[ref], ARRAY[is_captured], now_, of_key, capture_seconds,
                                  mail_kind, mail_urgency);
            answered := 'sold';
        END IF;
    END IF;
    IF answered = 'let-go' THEN
        PERFORM let_go_v1(of_attempt, ref, is_captured, now_);
    END IF;
    again := coalesce(again, ARRAY[write_update_v1(of_event, now_, '{}', '', '', NULL, 0, 0, 0)]);
    RETURN NEXT again[1];
    RETURN NEXT (1, answered, NULL, NULL, NULL, NULL, NULL, NULL)::ledger_answer;
END;
$$;

-- let_go_v1: the money of an attempt has bought nothing, and goes back. Only for who has the row of its order. Again: no
CREATE FUNCTION let_go_v1(of_attempt uuid, ref text, is_captured boolean, now_ timestamptz)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    gone record;
BEGIN
    UPDATE payment_attempt AS attempt
       SET state = CASE WHEN is_captured THEN 'refunding' ELSE 'voiding' END, provider_ref = ref, reason = NULL,
           next_url = NULL, ask_at = NULL, changed_at = now_
     WHERE attempt.attempt_id = of_attempt AND attempt.state NOT IN ('authorized', 'captured', 'refunding', 'refunded')
    RETURNING attempt.order_id, attempt.amount_minor INTO gone;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF is_captured THEN
        PERFORM write_captured_v1(ARRAY[of_attempt], now_);
        INSERT INTO refund (refund_id, attempt_id, order_id, amount_minor, reason, state, made_at, changed_at)
        VALUES (refund_id_v1(of_attempt), of_attempt, gone.order_id, gone.amount_minor, 'late', 'asked', now_, now_);
        PERFORM add_job_v1('refund-payment', 1, refund_id_v1(of_attempt)::text,
                           jsonb_build_object('refund_id', refund_id_v1(of_attempt)));
    ELSE
        PERFORM add_job_v1('void-payment', 1, of_attempt::text, jsonb_build_object('attempt_id', of_attempt));
    END IF;
END;
$$;

-- note_captured_v1: the provider has taken the money of these attempts for us. Answers those of which that is news.
CREATE FUNCTION note_captured_v1(attempt_ids uuid[])
RETURNS SETOF uuid
LANGUAGE plpgsql AS $$
DECLARE
    now_ timestamptz := clock_timestamp();
    news uuid[];
BEGIN
    WITH taken AS (
        UPDATE payment_attempt AS attempt
           SET state = 'captured', ask_at = NULL, changed_at = now_
         WHERE attempt.attempt_id IN (SELECT same.attempt_id FROM payment_attempt AS same
                                       WHERE same.attempt_id = ANY (attempt_ids) AND same.state = 'authorized'
                                       ORDER BY same.attempt_id FOR NO KEY UPDATE)
        RETURNING attempt.attempt_id
    )
    SELECT coalesce(array_agg(taken.attempt_id), '{}') INTO news FROM taken;
    PERFORM write_captured_v1(news, now_);
    RETURN QUERY SELECT * FROM unnest(news);
END;
$$;

-- lapse_orders_v1: orders that were not paid in time end, and their seats are free. Answers for each what it is now. Two
CREATE FUNCTION lapse_orders_v1(of_event bigint, order_ids uuid[], mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
    now_    timestamptz := take_lane_v1(of_event);
    holds_  uuid[];
    ended   uuid[];
    answers ledger_answer[];
BEGIN
    PERFORM FROM fan_order WHERE fan_order.order_id = ANY (order_ids) ORDER BY fan_order.order_id FOR NO KEY UPDATE;
    WITH lapsed AS (
        UPDATE fan_order
           SET state = 'lapsed'
         WHERE fan_order.order_id = ANY (order_ids) AND fan_order.event_id = of_event
           AND fan_order.state = 'open' AND fan_order.lapse_at <= now_
        RETURNING fan_order.order_id, fan_order.hold_id
    )
    SELECT coalesce(array_agg(lapsed.hold_id), '{}'), coalesce(array_agg(lapsed.order_id), '{}')
      INTO holds_, ended
      FROM lapsed;
    answers := ARRAY(SELECT gone FROM end_checkouts_v1(of_event, holds_, 'expired') AS gone);
    IF EXISTS (SELECT FROM unnest(answers) AS gone WHERE gone.request > 0 AND gone.answer <> 'expired') THEN
        RAISE EXCEPTION 'event %: an open order has a hold that is not in checkout', of_event;
    END IF;
    PERFORM add_job_v1(mail_kind, mail_urgency, order_id::text, jsonb_build_object('order_id', order_id))
       FROM unnest(ended) AS order_id;
    RETURN NEXT answers[1];
    RETURN QUERY
    SELECT given.n::integer, coalesce(fan_order.state, 'unknown'), fan_order.seats, NULL::timestamptz, NULL::bigint,
           NULL::timestamptz, NULL::text, NULL::bytea
      FROM unnest(order_ids) WITH ORDINALITY AS given (order_id, n)
      LEFT JOIN fan_order ON fan_order.order_id = given.order_id AND fan_order.event_id = of_event
     ORDER BY given.n;
END;
$$;

-- note_refund_v1: what the provider says of a refund: pending, arrived or failed, by its name of it. Answers what it is
CREATE FUNCTION note_refund_v1(of_refund uuid, ref text, outcome text)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    now_ timestamptz := clock_timestamp();
    gone record;
BEGIN
    UPDATE refund
       SET state = outcome, provider_ref = coalesce(ref, refund.provider_ref), changed_at = now_
     WHERE refund.refund_id = of_refund AND refund.state <> 'arrived'
    RETURNING refund.attempt_id, refund.order_id, refund.amount_minor INTO gone;
    IF NOT FOUND THEN
        RETURN (SELECT refund.state FROM refund WHERE refund.refund_id = of_refund);
    END IF;
    IF outcome = 'arrived' THEN
        INSERT INTO money_entry (cause, cause_id, account, order_id, amount_minor, currency, at)
        SELECT 'refunded', of_refund, leg.account, gone.order_id, leg.minor, attempt.currency, now_
          FROM payment_attempt AS attempt
         CROSS JOIN LATERAL (VALUES ('fan', gone.amount_minor), ('provider', -gone.amount_minor)) AS leg (account, minor)
         WHERE attempt.attempt_id = gone.attempt_id;
        UPDATE payment_attempt AS attempt
           SET state = 'refunded', changed_at = now_
         WHERE attempt.attempt_id = gone.attempt_id AND attempt.state IN ('captured', 'refunding')
           AND attempt.amount_minor = (SELECT sum(refund.amount_minor) FROM refund
                                        WHERE refund.attempt_id = gone.attempt_id AND refund.state = 'arrived');
    END IF;
    RETURN outcome;
END;
$$;
