-- What is to be done later, and surely: jobs, made in the transaction that they follow from.
--
-- Whoever does jobs takes some that are due and puts their next try off, in one statement, so that nobody else takes them
-- meanwhile; then does them with no transaction open; then says how it went. Who dies in between is not missed: the try
-- that was put off comes. So a job is done once at least, and mostly once.

CREATE TABLE job (
    job_id     bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT job_pkey PRIMARY KEY,
    kind       text        NOT NULL,
    job_key    text        NOT NULL,  -- what it is for: asked for twice, it is one job
    payload    jsonb       NOT NULL,  -- {} once it is done: what it was about is forgotten
    state      text        NOT NULL,  -- docs/states.md has the diagram
    urgency    integer     NOT NULL,  -- the lowest first: somebody waits for a code before a screen
    attempts   integer     NOT NULL,  -- how often it was begun
    due_at     timestamptz NOT NULL,  -- waiting: the next try; afterwards: when it ended
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

-- Mails of a copy that sends none: kept for its page of mails.
CREATE TABLE kept_mail (
    mail_id    bigint      GENERATED ALWAYS AS IDENTITY CONSTRAINT kept_mail_pkey PRIMARY KEY,
    message_id text        NOT NULL CONSTRAINT kept_mail_once UNIQUE,  -- a mail that is sent twice is kept once
    recipient  text        NOT NULL,
    subject    text        NOT NULL,
    words      text        NOT NULL,  -- the mail as text
    html       text        NOT NULL,  -- the same as HTML
    kept_at    timestamptz NOT NULL,
    CONSTRAINT kept_mail_lengths CHECK (octet_length(message_id) <= 254 AND octet_length(recipient) <= 254
                                        AND octet_length(subject) <= 998 AND octet_length(words) <= 65536
                                        AND octet_length(html) <= 262144)
);

-- What is due is done, or was tried and put off: nothing has waited for five minutes since its time. (No sweeper runs, or
-- none that knows this kind of job.)
CREATE VIEW inv_job_overdue AS
SELECT job_id, kind, attempts, due_at
  FROM job
 WHERE state = 'waiting' AND due_at < statement_timestamp() - interval '5 minutes';

-- No job has been given up. (`frontrow jobs` lists those that were, and tries them again or drops them.)
CREATE VIEW inv_job_dead AS
SELECT job_id, kind, attempts, due_at AS given_up_at, last_error
  FROM job
 WHERE state = 'dead';
