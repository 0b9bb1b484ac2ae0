-- The functions that decide about orders. Those that change seats take the lane, call the ledger's functions for it, and
-- answer as they do: a row for the update (request 0), then one for each request.

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
LANGUAGE sql
AS $$
    INSERT INTO job (kind, urgency, job_key, payload, state, attempts, due_at, made_at)
    SELECT of_kind, of_urgency, of_key, of_payload, 'waiting', 0, clock_timestamp(), clock_timestamp()
     WHERE of_kind IS NOT NULL
        ON CONFLICT (kind, job_key) DO NOTHING;
$$;

-- open_orders_v1: fans begin to pay for their holds. Order order_ids[n] is of the hold hold_ids[n] of fan_ids[n]; its seat
-- seat_nos[i] is of the price level levels[i], where of_request[i] is n. Prices are those of this moment.
--
-- Answers what each order is now (open, paid, …), with its hold's seats, pay_by and total; or
--   order-exists  the id is in use for something else; or the hold has another order, whose id is the answer's
--   unknown       this fan has no such hold
--   not-on-sale   the event was called off, or is over
--   hold-ended    and nothing is left to be paid
--
-- An order and the end of its hold's clock are stored together: the orders first, in the order of their ids, so that two
-- events where somebody uses one id at the same time cannot wait for each other in a circle.
CREATE FUNCTION open_orders_v1(
    of_event bigint, order_ids uuid[], hold_ids uuid[], fan_ids uuid[], emails text[],
    of_request integer[], seat_nos integer[], levels text[], pay_seconds integer, technical_seconds integer)
RETURNS TABLE (request integer, answer text, seats integer[], expires_at timestamptz, update_no bigint, at timestamptz,
               states text, holders bytea, of_order uuid, total_minor bigint, currency text)
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
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
--   begun             and stored: now the provider may be asked
--   attempt-…         this attempt was begun before; what it is now: attempt-created, attempt-declined, …
--   under-way         another attempt may still bring the money, or has: nothing was begun
--   unknown           this fan has no such order
--   paid, lapsed, …   the order is not open; lapsed also where its time is over and nobody has cleaned up
--
-- An attempt that waits for the fan at their bank gives way to a new one, and is voided. No seat changes, so no lane is
-- taken; the orders' rows are, in the order of their ids.
CREATE FUNCTION begin_attempts_v1(
    order_ids uuid[], fan_ids uuid[], attempt_ids uuid[], methods text[], of_provider text, ask_seconds integer)
RETURNS TABLE (request integer, answer text, of_event bigint, amount_minor bigint, currency text)
LANGUAGE plpgsql
AS $$
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
-- knows as refs[n], with the money taken already where captured[n]. With them their tickets, the books, and a mail each.
-- Only for who has the lane and the rows of the orders. What is not as promised stops everything.
CREATE FUNCTION pay_orders_v1(
    attempt_ids uuid[], refs text[], captured boolean[], now_ timestamptz, of_key integer, capture_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS void
LANGUAGE plpgsql
AS $$
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
LANGUAGE sql
AS $$
    INSERT INTO money_entry (cause, cause_id, account, order_id, amount_minor, currency, at)
    SELECT 'captured', attempt.attempt_id, leg.account, attempt.order_id, leg.minor, attempt.currency, now_
      FROM payment_attempt AS attempt
     CROSS JOIN LATERAL (VALUES ('provider', attempt.amount_minor), ('fan', -attempt.amount_minor)) AS leg (account, minor)
     WHERE attempt.attempt_id = ANY (attempt_ids) AND leg.minor <> 0;
$$;

-- sell_orders_v1: the provider keeps the money of attempt_ids[n] for us, by the name of refs[n] (or has taken it, where
-- captured[n]): the orders' seats are sold, and the orders are paid, all in one. Answers for each attempt
--   sold     now, or before by this very attempt
--   late     the order is not open any more, or the attempt is void: nothing was changed; sell_late_v1 decides
--   unknown  there is no such attempt at this event
CREATE FUNCTION sell_orders_v1(
    of_event bigint, attempt_ids uuid[], refs text[], captured boolean[], of_key integer, capture_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
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
-- they are free; else it is let go: voided while the provider only keeps it, given back once it was taken. Which of the
-- two is decided here, in the transaction that learns of the money. Answers sold, let-go, or open: ask sell_orders_v1.
CREATE FUNCTION sell_late_v1(
    of_event bigint, of_attempt uuid, ref text, is_captured boolean, of_key integer, capture_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
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
-- change.
CREATE FUNCTION let_go_v1(of_attempt uuid, ref text, is_captured boolean, now_ timestamptz)
RETURNS void
LANGUAGE plpgsql
AS $$
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
LANGUAGE plpgsql
AS $$
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
-- sweepers at once are harmless: the second one finds them lapsed.
CREATE FUNCTION lapse_orders_v1(of_event bigint, order_ids uuid[], mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
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
-- now. What has arrived stays so; it is written into the books, and an attempt of which all came back is refunded.
CREATE FUNCTION note_refund_v1(of_refund uuid, ref text, outcome text)
RETURNS text
LANGUAGE plpgsql
AS $$
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
