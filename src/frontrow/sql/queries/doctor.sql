-- What `frontrow doctor` asks a PostgreSQL beside its version.

-- name: clock
-- Its time, at this very moment.
SELECT clock_timestamp() AS at;
