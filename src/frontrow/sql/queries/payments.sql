-- Attempts to pay, and refunds: each statement is a transaction of its own.

-- name: begin_attempts
-- Fans $2 try to pay their orders $1: attempts $3 with the methods $4 of the provider $5, which is asked about them after $6
-- seconds if nobody has said by then how it went.
SELECT request, answer, of_event, amount_minor, currency FROM begin_attempts_v1($1, $2, $3, $4, $5, $6);

-- name: attempt
-- The attempt $1, or the one that the provider $2 knows as $3.
SELECT attempt.attempt_id, attempt.order_id, fan_order.event_id, attempt.state, attempt.payment_method, attempt.amount_minor,
       attempt.currency, attempt.provider_ref, attempt.made_at, attempt.reason, attempt.next_url
  FROM payment_attempt AS attempt
  JOIN fan_order USING (order_id)
 WHERE attempt.attempt_id = $1 OR (attempt.provider = $2 AND attempt.provider_ref = $3);

-- name: attempts_since
-- The attempts at the provider $1 that were made since $2, at most $3 of them, the newest first.
SELECT attempt.attempt_id, attempt.order_id, fan_order.event_id, attempt.state, attempt.payment_method, attempt.amount_minor,
       attempt.currency, attempt.provider_ref, attempt.made_at, attempt.reason, attempt.next_url
  FROM payment_attempt AS attempt
  JOIN fan_order USING (order_id)
 WHERE attempt.provider = $1 AND attempt.made_at >= $2
 ORDER BY attempt.made_at DESC
 LIMIT $3;

-- name: take_attempts
-- At most $2 attempts at the provider $1 that are due to be asked about. Nobody else gets them before their next time,
-- which is twice as far away each time, from $3 seconds to $4.
UPDATE payment_attempt AS attempt
   SET asks = attempt.asks + 1,
       ask_at = clock_timestamp() + make_interval(secs => least($4, $3 * 2.0 ^ least(attempt.asks, 30)))
  FROM fan_order
 WHERE fan_order.order_id = attempt.order_id AND attempt.attempt_id = ANY (ARRAY(
        SELECT due.attempt_id
          FROM payment_attempt AS due
         WHERE due.ask_at <= statement_timestamp() AND due.provider = $1
         ORDER BY due.ask_at
         LIMIT $2
           FOR NO KEY UPDATE SKIP LOCKED))
RETURNING attempt.attempt_id, attempt.order_id, fan_order.event_id, attempt.state, attempt.payment_method,
          attempt.amount_minor, attempt.currency, attempt.provider_ref, attempt.made_at, attempt.reason, attempt.next_url;

-- name: note_standing
-- The attempt $1 is $2 now: known to the provider as $3, declined because of $4, or challenged at $5. The provider is asked
-- about it in $6 seconds; never, if that is NULL. No row: it was decided meanwhile, and stays as it is.
UPDATE payment_attempt
   SET state = $2, provider_ref = coalesce($3, provider_ref), reason = $4, next_url = $5, changed_at = clock_timestamp(),
       ask_at = clock_timestamp() + make_interval(secs => $6)
 WHERE attempt_id = $1 AND state IN ('created', 'challenged', 'pending', 'unknown')
RETURNING attempt_id;

-- name: note_unknown
-- No answer came about the attempt $1: it is asked again in $2 seconds. The first time, its order has $3 seconds from now at
-- least. No row: it was not the first time, or was decided meanwhile.
WITH lost AS (
    UPDATE payment_attempt
       SET state = 'unknown', next_url = NULL, changed_at = clock_timestamp(),
           ask_at = clock_timestamp() + make_interval(secs => $2)
     WHERE attempt_id = $1 AND state = 'created'
    RETURNING order_id
)
UPDATE fan_order
   SET lapse_at = greatest(lapse_at, clock_timestamp() + make_interval(secs => $3))
  FROM lost
 WHERE fan_order.order_id = lost.order_id AND fan_order.state = 'open'
RETURNING fan_order.order_id;

-- name: ask_soon
-- There is news of the attempt $1 (or of the one that the provider $2 knows as $3): ask at once, if it is not decided.
UPDATE payment_attempt
   SET ask_at = clock_timestamp()
 WHERE (attempt_id = $1 OR (provider = $2 AND provider_ref = $3)) AND ask_at IS NOT NULL
RETURNING attempt_id;

-- name: note_captured
-- The provider has taken the money of the attempts $1 for us. Answers those of which that is news.
SELECT captured FROM note_captured_v1($1) AS captured;

-- name: note_voided
-- The attempt $1 was let go.
UPDATE payment_attempt
   SET state = 'voided', ask_at = NULL, changed_at = clock_timestamp()
 WHERE attempt_id = $1 AND state = 'voiding'
RETURNING attempt_id;

-- name: refund
-- The refund $1, with its attempt.
SELECT refund.refund_id, refund.amount_minor AS refund_minor, refund.state AS refund_state, refund.provider_ref AS refund_ref,
       attempt.attempt_id, attempt.order_id, fan_order.event_id, attempt.state, attempt.payment_method, attempt.amount_minor,
       attempt.currency, attempt.provider_ref, attempt.made_at, attempt.reason, attempt.next_url
  FROM refund
  JOIN payment_attempt AS attempt USING (attempt_id)
  JOIN fan_order ON fan_order.order_id = attempt.order_id
 WHERE refund.refund_id = $1;

-- name: note_refund
-- The provider says of the refund $1, by its name $2, that it is $3 now.
SELECT note_refund_v1($1, $2, $3) AS state;
