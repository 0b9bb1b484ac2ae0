-- What becomes of holds in checkout that are not paid in time: they end, and money that comes after that may still buy
-- the same seats. Written as the functions of the ledger before it.

-- end_checkouts_v1: holds in checkout are given up, and their seats are free: outcome is released (the fan gave the order
-- up) or expired (it was not paid in time). Answers what each hold is now; doing it again changes nothing.
CREATE FUNCTION end_checkouts_v1(of_event bigint, hold_ids uuid[], outcome text)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
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

-- sell_again_v1: money for an expired hold came late: its seats are sold after all, if every one of them is free. Answers
--   sold                        now, or before
--   unknown, held, released, …  it is no expired hold
--   not-on-sale                 the event was called off, or is over
--   limit-reached               with what the fan has or holds by now, it would be more tickets than the event allows
--   seats-taken                 with the seats that somebody else has
--
-- Holds past their time are in nobody's way, as everywhere.
CREATE FUNCTION sell_again_v1(of_event bigint, of_hold uuid)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
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
