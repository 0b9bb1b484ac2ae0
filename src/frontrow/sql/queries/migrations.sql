-- The bookkeeping of migrations.

-- name: take_turn
-- One migrator at a time, until the end of the SQL transaction. The number is ours by agreement; it means nothing.
SELECT pg_advisory_xact_lock(7226370011);

-- name: limit_turn_wait
-- How long to wait for another migrator.
SET LOCAL lock_timeout = '60s';

-- name: limit_migration
-- A migration that cannot have its table at once must not make everybody behind it wait: it gives up instead.
-- A file that needs longer says so itself, with a SET LOCAL of its own.
SET LOCAL lock_timeout = '5s';
SET LOCAL statement_timeout = '300s';

-- name: is_bookkeeping_there
-- False in an empty database: the first migration makes the bookkeeping too.
SELECT to_regclass('schema_migration') IS NOT NULL AS there;

-- name: applied_migrations
-- What ran here, in order.
SELECT number, name, sha256, applied_at FROM schema_migration ORDER BY number;

-- name: oldest_program
-- The oldest program that works with the database as it is.
SELECT oldest_program FROM schema_compat;

-- name: record_migration
-- A migration ran; in the same SQL transaction as the migration itself.
INSERT INTO schema_migration (number, name, sha256) VALUES ($1, $2, $3);
