-- name: violations
-- What is not as it must be, at most $1 rows of each invariant. Nothing when all is well.
SELECT invariant, violation FROM violations_v1($1);
