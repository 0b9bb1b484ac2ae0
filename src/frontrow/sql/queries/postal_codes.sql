-- Keeping postal codes. Where one of them is, search.sql asks.

-- name: keep_postal_codes
-- Postal codes, given as columns, each once: those that are there are moved to where they are now.
INSERT INTO postal_code (code, country, name, latitude, longitude)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::double precision[], $5::double precision[])
ON CONFLICT (code, country) DO UPDATE
   SET name = excluded.name, latitude = excluded.latitude, longitude = excluded.longitude
 WHERE (postal_code.name, postal_code.latitude, postal_code.longitude)
       IS DISTINCT FROM (excluded.name, excluded.latitude, excluded.longitude);
