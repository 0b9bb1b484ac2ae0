-- Fans, and the codes they sign in with. $1 is an address in the one form of core/fans.py, if it is not said otherwise.

-- name: ask_code
-- A new code for $1, in place of the one before: from the nonce $2, good for $3 seconds and $4 tries. No row: the address
-- has asked too often. Each time costs it $6 seconds of rest, and it may run up as many as $5 times need.
INSERT INTO sign_in (email, nonce, expires_at, tries_left, rested_at)
VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3), $4, clock_timestamp() + make_interval(secs => $6))
    ON CONFLICT (email) DO UPDATE
   SET nonce      = excluded.nonce,
       expires_at = excluded.expires_at,
       tries_left = excluded.tries_left,
       rested_at  = greatest(sign_in.rested_at, clock_timestamp()) + make_interval(secs => $6)
 WHERE sign_in.rested_at <= clock_timestamp() + make_interval(secs => ($5 - 1) * $6)
RETURNING expires_at;

-- name: wait_for_code
-- In how many seconds $1 may ask again, where it may run up $2 times of $3 seconds.
SELECT ceil(extract(epoch FROM rested_at - clock_timestamp()) - ($2 - 1) * $3)::integer AS seconds
  FROM sign_in
 WHERE email = $1;

-- name: spend_try
-- Somebody types a code for $1: one try less, whatever they typed. No row: there is no code that could be right.
UPDATE sign_in
   SET tries_left = tries_left - 1
 WHERE email = $1 AND nonce IS NOT NULL AND tries_left > 0 AND expires_at > clock_timestamp()
RETURNING nonce;

-- name: use_code
-- The code for $1 from the nonce $2 was typed; it is used up. No row: somebody was faster, or asked for another.
UPDATE sign_in SET nonce = NULL WHERE email = $1 AND nonce = $2 RETURNING email;

-- name: sign_in_fan
-- The fan of the address $1, met before or now; if now, with the id $2.
INSERT INTO fan (fan_id, email, met_at, signed_in_at)
SELECT $2, $1, now.at, now.at
  FROM (SELECT clock_timestamp() AS at) AS now
    ON CONFLICT (email) DO UPDATE SET signed_in_at = excluded.signed_in_at
RETURNING fan_id;

-- name: email_of_fan
-- The address of the fan $1. No row: they are nameless.
SELECT email FROM fan WHERE fan_id = $1;

-- name: live_holds_of_fan
-- What the fan $1 holds, at whatever events. The index hold_live_of_fan has live holds alone: those of the last minutes.
SELECT event_id, hold_id
  FROM hold
 WHERE fan_id = $1 AND state IN ('held', 'checkout')
 ORDER BY event_id;

-- name: forget_sign_ins
-- Forget at most $1 addresses whose code is over, and who may ask as often as one that never did.
DELETE FROM sign_in
 WHERE email IN (
        SELECT rested.email
          FROM sign_in AS rested
         WHERE rested.rested_at < statement_timestamp() AND rested.expires_at < statement_timestamp()
         ORDER BY rested.rested_at
         LIMIT $1
           FOR UPDATE SKIP LOCKED)
RETURNING 1 AS gone;
