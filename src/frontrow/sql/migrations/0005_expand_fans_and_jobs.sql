-- Fans and the codes they sign in with, jobs to be done later, mails that are kept; and a hold may go over to another fan.
--
-- Expand: everything here is new, and nothing that is there changes. sql/schema says why each table is as it is.

CREATE TABLE fan (
    fan_id       uuid        NOT NULL CONSTRAINT fan_pkey PRIMARY KEY,
    email        text        NOT NULL CONSTRAINT fan_email_once UNIQUE,
    met_at       timestamptz NOT NULL,
    signed_in_at timestamptz NOT NULL,
    CONSTRAINT fan_email_shape     CHECK (email ~ '^[^@[:space:][:cntrl:]]+@[a-z0-9.-]+$' AND octet_length(email) <= 254),
    CONSTRAINT fan_times_finite    CHECK (isfinite(met_at) AND isfinite(signed_in_at)),
    CONSTRAINT fan_met_before_seen CHECK (met_at <= signed_in_at)
);

CREATE TABLE sign_in (
    email      text        NOT NULL CONSTRAINT sign_in_pkey PRIMARY KEY,
    nonce      bytea,
    tries_left integer     NOT NULL,
    expires_at timestamptz NOT NULL,
    rested_at  timestamptz NOT NULL,
    CONSTRAINT sign_in_email_shape  CHECK (email ~ '^[^@[:space:][:cntrl:]]+@[a-z0-9.-]+$' AND octet_length(email) <= 254),
    CONSTRAINT sign_in_nonce_length CHECK (octet_length(nonce) = 16),
    CONSTRAINT sign_in_tries_range  CHECK (tries_left BETWEEN 0 AND 10),
    CONSTRAINT sign_in_times_finite CHECK (isfinite(expires_at) AND isfinite(rested_at))
);
CREATE INDEX sign_in_rested ON sign_in (rested_at);

CREATE TABLE job (
    job_id     bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT job_pkey PRIMARY KEY,
    kind       text        NOT NULL,
    job_key    text        NOT NULL,
    payload    jsonb       NOT NULL,
    state      text        NOT NULL,
    urgency    integer     NOT NULL,
    attempts   integer     NOT NULL,
    due_at     timestamptz NOT NULL,
    made_at    timestamptz NOT NULL,
    last_error text,
    CONSTRAINT job_once              UNIQUE (kind, job_key),
    CONSTRAINT job_kind_name         CHECK (kind ~ '^[a-z][a-z0-9-]{0,39}$'),
    CONSTRAINT job_key_length        CHECK (octet_length(job_key) BETWEEN 1 AND 200),
    CONSTRAINT job_payload_is_object CHECK (jsonb_typeof(payload) = 'object'),
    CONSTRAINT job_payload_size      CHECK (octet_length(payload::text) <= 65536),
    CONSTRAINT job_done_is_forgotten CHECK (state <> 'done' OR payload = '{}'),
    CONSTRAINT job_state_known       CHECK (state IN ('waiting', 'done', 'dead')),
    CONSTRAINT job_urgency_range     CHECK (urgency BETWEEN 0 AND 9),
    CONSTRAINT job_attempts_count    CHECK (attempts >= 0),
    CONSTRAINT job_times_finite      CHECK (isfinite(due_at) AND isfinite(made_at)),
    CONSTRAINT job_dead_of_something CHECK (state <> 'dead' OR last_error IS NOT NULL),
    CONSTRAINT job_error_length      CHECK (char_length(last_error) <= 500)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX job_due   ON job (urgency, due_at) WHERE state = 'waiting';
CREATE INDEX job_dead  ON job (job_id)          WHERE state = 'dead';
CREATE INDEX job_ended ON job (due_at)          WHERE state = 'done';

CREATE TABLE kept_mail (
    mail_id    bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT kept_mail_pkey PRIMARY KEY,
    message_id text        NOT NULL CONSTRAINT kept_mail_once UNIQUE,
    recipient  text        NOT NULL,
    subject    text        NOT NULL,
    words      text        NOT NULL,
    html       text        NOT NULL,
    kept_at    timestamptz NOT NULL,
    CONSTRAINT kept_mail_lengths CHECK (octet_length(message_id) <= 254 AND octet_length(recipient) <= 254
                                        AND octet_length(subject) <= 998 AND octet_length(words) <= 65536
                                        AND octet_length(html) <= 262144)
);

CREATE VIEW inv_job_overdue AS
SELECT job_id, kind, attempts, due_at
  FROM job
 WHERE state = 'waiting' AND due_at < statement_timestamp() - interval '5 minutes';

CREATE VIEW inv_job_dead AS
SELECT job_id, kind, attempts, due_at AS given_up_at, last_error
  FROM job
 WHERE state = 'dead';

-- A hold goes over from one fan to another; sql/schema has the rules.
CREATE FUNCTION move_hold_v1(of_event bigint, of_hold uuid, from_fan uuid, to_fan uuid)
RETURNS SETOF ledger_answer
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
    now_   timestamptz := take_lane_v1(of_event);
    theirs uuid[] := ARRAY(
        SELECT hold.hold_id FROM hold WHERE hold.event_id = of_event AND hold.fan_id = to_fan AND hold.state = 'held');
    freed  integer[] := expire_lapsed_v1(of_event, theirs || of_hold, now_);
    moving ledger_answer;
BEGIN
    RETURN NEXT write_update_v1(
        of_event, now_, freed, repeat('a', cardinality(freed)), nobody_v1(freed), NULL, -cardinality(freed), 0, 0);
    SELECT 1,
           CASE
               WHEN hold.hold_id IS NULL                    THEN 'unknown'
               WHEN hold.fan_id = to_fan                    THEN hold.state
               WHEN hold.fan_id <> from_fan                 THEN 'foreign'
               WHEN hold.state <> 'held'                    THEN hold.state
               WHEN live.hold_id IS NOT NULL                THEN 'hold-exists'
               WHEN bought.tickets + hold.tickets > event.tickets_per_fan_max THEN 'limit-reached'
               ELSE 'held'
           END,
           hold.seats, hold.expires_at, NULL, NULL, NULL, NULL
      INTO STRICT moving
      FROM event
      LEFT JOIN hold ON hold.hold_id = of_hold AND hold.event_id = of_event
      LEFT JOIN LATERAL (
            SELECT other.hold_id
              FROM hold AS other
             WHERE other.event_id = of_event AND other.fan_id = to_fan AND other.state IN ('held', 'checkout')
           ) AS live ON true
     CROSS JOIN LATERAL (
            SELECT coalesce(sum(other.tickets), 0) AS tickets
              FROM hold AS other
             WHERE other.event_id = of_event AND other.fan_id = to_fan AND other.state = 'sold') AS bought
     WHERE event.event_id = of_event;
    UPDATE hold
       SET fan_id = to_fan
     WHERE hold.hold_id = of_hold AND hold.event_id = of_event AND moving.answer = 'held';
    RETURN NEXT moving;
END;
$$;
