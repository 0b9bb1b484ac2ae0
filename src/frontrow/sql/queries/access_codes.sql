-- Codes of presales: what is stored once one is used, and until when events ask for them.

-- name: use_access_code
-- The code $2 of the event $1 is the fan's $3 from now on. No row: it is somebody's already, or the fan has used one.
-- Whichever comes first of two that run at once has it: the other waits for the key, and is told that it is there.
INSERT INTO access_code (event_id, number, fan_id, used_at)
VALUES ($1, $2, $3, clock_timestamp())
ON CONFLICT DO NOTHING
RETURNING number;

-- name: access_of_fan
-- Whether the fan $2 has used a code of the event $1.
SELECT number FROM access_code WHERE event_id = $1 AND fan_id = $2;

-- name: set_presale
-- Until $2 the event $1 lets in fans with a code alone. No row: there is no such event.
INSERT INTO presale (event_id, until)
SELECT event_id, $2 FROM event WHERE event_id = $1
    ON CONFLICT ON CONSTRAINT presale_pkey DO UPDATE SET until = excluded.until
RETURNING event_id;

-- name: end_presale
-- The event $1 lets everybody in. No row: it did before.
DELETE FROM presale WHERE event_id = $1 RETURNING event_id;
