-- Jobs: made in somebody's SQL transaction; taken, ended and looked at each in a statement of its own.

-- name: add_jobs
-- Job n is of kind $1[n] and urgency $2[n], for $3[n], with $4[n] to go by. What is there already stays as it is.
INSERT INTO job (kind, urgency, job_key, payload, state, attempts, due_at, made_at)
SELECT kind, urgency, job_key, payload::jsonb, 'waiting', 0, clock_timestamp(), clock_timestamp()
  FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[]) AS given (kind, urgency, job_key, payload)
    ON CONFLICT (kind, job_key) DO NOTHING;

-- name: take_jobs
-- At most $2 jobs of the kinds $1 that are due, the most urgent first. They are ours for $3 seconds: that is when their
-- next try is due. What others are taking is passed over.
UPDATE job
   SET attempts = job.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $3)
 WHERE job.job_id = ANY (ARRAY(
        SELECT due.job_id
          FROM job AS due
         WHERE due.state = 'waiting' AND due.due_at <= statement_timestamp() AND due.kind = ANY ($1)
         ORDER BY due.urgency, due.due_at
         LIMIT $2
           FOR UPDATE SKIP LOCKED))
RETURNING job.job_id, job.kind, job.job_key, job.payload::text AS payload, job.attempts;

-- name: end_job
-- The try $2 of the job $1 did it. No row: it is not our try any more.
UPDATE job
   SET state = 'done', payload = '{}', last_error = NULL, due_at = clock_timestamp()
 WHERE job_id = $1 AND attempts = $2 AND state = 'waiting'
RETURNING job_id;

-- name: put_off_job
-- The try $2 of the job $1 failed because of $4. The next one is in $3 seconds. No row: it is not our try any more.
UPDATE job
   SET last_error = $4, due_at = clock_timestamp() + make_interval(secs => $3)
 WHERE job_id = $1 AND attempts = $2 AND state = 'waiting'
RETURNING job_id;

-- name: give_up_job
-- The job $1 is given up with its try $2, because of $3. No row: it is not our try any more.
UPDATE job
   SET state = 'dead', last_error = $3, due_at = clock_timestamp()
 WHERE job_id = $1 AND attempts = $2 AND state = 'waiting'
RETURNING job_id;

-- name: count_jobs
-- How many jobs of each kind are in each state, and since when the oldest of them is due or ended.
SELECT kind, state, count(*) AS jobs, min(due_at) AS oldest FROM job GROUP BY kind, state ORDER BY kind, state;

-- name: dead_jobs
-- The jobs that were given up, the newest $1 of them.
SELECT job_id, kind, job_key, attempts, made_at, due_at, last_error
  FROM job
 WHERE state = 'dead'
 ORDER BY job_id DESC
 LIMIT $1;

-- name: retry_jobs
-- Jobs that were given up wait again, with as many tries as a new one: those of $1, or all.
UPDATE job
   SET state = 'waiting', attempts = 0, due_at = clock_timestamp()
 WHERE state = 'dead' AND ($1::bigint[] IS NULL OR job_id = ANY ($1))
RETURNING job_id;

-- name: drop_jobs
-- Jobs $1 that were given up are not to be done.
DELETE FROM job WHERE state = 'dead' AND job_id = ANY ($1) RETURNING job_id;

-- name: forget_jobs
-- Forget at most $1 jobs that were done more than $2 seconds ago.
DELETE FROM job
 WHERE job_id = ANY (ARRAY(
        SELECT ended.job_id
          FROM job AS ended
         WHERE ended.state = 'done' AND ended.due_at < statement_timestamp() - make_interval(secs => $2)
         ORDER BY ended.due_at
         LIMIT $1
           FOR UPDATE SKIP LOCKED))
RETURNING 1 AS gone;
