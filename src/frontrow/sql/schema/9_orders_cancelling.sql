-- Cancelling: an order that is not paid yet is given up; of one that is paid, all tickets or some, and their money goes back.

-- cancel_order_v1: the fan of an order gives it up, or tickets of it: ticket_ids, or all where that is NULL. of_cancel is the
-- id that the fan's device made for this wish, and the refund's: the same wish again changes nothing. Answers
--   done            now or before
--   unknown         this fan has no such order at this event
--   under-way       a payment may still bring the money: it cannot be given up at this moment
--   too-late        the event begins in less than before_seconds
--   unknown-ticket  one of them is no valid ticket of this order
--   lapsed, refunded  there is nothing left to be cancelled
--
-- Seats, tickets, books, refund and the job that asks the provider are stored together or not at all.
CREATE FUNCTION cancel_order_v1(
    of_event bigint, of_order uuid, of_fan uuid, of_cancel uuid, ticket_ids uuid[], before_seconds integer,
    mail_kind text, mail_urgency integer)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_     timestamptz := take_lane_v1(of_event);
    theirs   record;
    gone     record;
    answers  ledger_answer[];
    voided   uuid[];
    answered text := 'done';
BEGIN
    SELECT fan_order.hold_id, fan_order.state, fan_order.paid_by, fan_order.currency, event.starts_at INTO theirs
      FROM fan_order
      JOIN event USING (event_id)
     WHERE fan_order.order_id = of_order AND fan_order.event_id = of_event AND fan_order.fan_id = of_fan
       FOR NO KEY UPDATE OF fan_order;
    IF NOT FOUND THEN
        answered := 'unknown';
    ELSIF theirs.state = 'cancelled' OR EXISTS (SELECT FROM refund WHERE refund.refund_id = of_cancel) THEN
        answered := 'done';
    ELSIF theirs.state = 'open' THEN
        IF EXISTS (SELECT FROM payment_attempt AS attempt
                    WHERE attempt.order_id = of_order AND attempt.state IN ('created', 'pending', 'unknown')) THEN
            answered := 'under-way';
        ELSE
            WITH waiting AS (
                UPDATE payment_attempt AS attempt
                   SET state = 'voiding', next_url = NULL, ask_at = NULL, changed_at = now_
                 WHERE attempt.order_id = of_order AND attempt.state = 'challenged'
                RETURNING attempt.attempt_id
            )
            SELECT coalesce(array_agg(waiting.attempt_id), '{}') INTO voided FROM waiting;
            PERFORM add_job_v1('void-payment', 1, each_::text, jsonb_build_object('attempt_id', each_))
               FROM unnest(voided) AS each_;
            UPDATE fan_order SET state = 'cancelled' WHERE fan_order.order_id = of_order;
            answers := ARRAY(SELECT b FROM end_checkouts_v1(of_event, ARRAY[theirs.hold_id], 'released') AS b);
            IF answers[2].answer <> 'released' THEN
                RAISE EXCEPTION 'event %: an open order has a hold that is not in checkout', of_event;
            END IF;
        END IF;
    ELSIF theirs.state <> 'paid' THEN
        answered := theirs.state;
    ELSIF theirs.starts_at - before_seconds * interval '1 second' <= now_ THEN
        answered := 'too-late';
    ELSE
        SELECT coalesce(array_agg(ticket.ticket_id), '{}') AS ids, array_agg(ticket.seat_no) AS seats,
               coalesce(sum(ticket.price_minor), 0)::bigint AS prices, coalesce(sum(ticket.fee_minor), 0)::bigint AS fees
          INTO gone
          FROM ticket
         WHERE ticket.order_id = of_order AND ticket.state = 'valid'
           AND (ticket_ids IS NULL OR ticket.ticket_id = ANY (ticket_ids));
        IF cardinality(gone.ids) = 0 OR cardinality(gone.ids) <> cardinality(coalesce(ticket_ids, gone.ids)) THEN
            answered := 'unknown-ticket';
        ELSE
            answers := ARRAY(SELECT b FROM return_seats_v1(
                of_event, ARRAY[theirs.hold_id], array_fill(1, ARRAY[cardinality(gone.seats)]), gone.seats) AS b);
            IF cardinality(answers[1].seats) <> cardinality(gone.seats) THEN
                RAISE EXCEPTION 'order %: % tickets had % seats', of_order, cardinality(gone.seats),
                                cardinality(answers[1].seats);
            END IF;
            UPDATE ticket SET state = 'cancelled' WHERE ticket.ticket_id = ANY (gone.ids);
            UPDATE fan_order
               SET state = 'refunded'
             WHERE fan_order.order_id = of_order
               AND NOT EXISTS (SELECT FROM ticket WHERE ticket.order_id = of_order AND ticket.state = 'valid');
            PERFORM write_returned_v1(of_cancel, of_order, theirs.currency, gone.prices, gone.fees, now_);
            IF gone.prices + gone.fees > 0 THEN
                INSERT INTO refund (refund_id, attempt_id, order_id, amount_minor, reason, state, made_at, changed_at)
                VALUES (of_cancel, theirs.paid_by, of_order, gone.prices + gone.fees, 'cancelled', 'asked', now_, now_);
                PERFORM add_job_v1('refund-payment', 1, of_cancel::text, jsonb_build_object('refund_id', of_cancel));
            END IF;
            PERFORM add_job_v1(mail_kind, mail_urgency, of_cancel::text,
                               jsonb_build_object('order_id', of_order, 'refund_id', of_cancel));
        END IF;
    END IF;
    answers := coalesce(answers, ARRAY[write_update_v1(of_event, now_, '{}', '', '', NULL, 0, 0, 0)]);
    RETURN NEXT answers[1];
    RETURN NEXT (1, answered, NULL, NULL, NULL, NULL, NULL, NULL)::ledger_answer;
END;
$$;

-- write_returned_v1: into the books: tickets of these prices and fees are cancelled, and what was paid for them is owed back.
CREATE FUNCTION write_returned_v1(
    of_cancel uuid, of_order uuid, of_currency text, prices bigint, fees bigint, now_ timestamptz)
RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO money_entry (cause, cause_id, account, order_id, amount_minor, currency, at)
    SELECT 'returned', of_cancel, leg.account, of_order, leg.minor, of_currency, now_
      FROM (VALUES ('fan', -prices - fees), ('organizer', prices), ('fees', fees)) AS leg (account, minor)
     WHERE leg.minor <> 0;
$$;
