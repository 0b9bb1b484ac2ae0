-- Fans who have told us an address, and the codes that prove it is theirs.
--
-- A nameless fan has no row: an id in a token is all there is of one. Signing in always leads to the fan of the address,
-- whose id nobody had a token of before, and takes the held seats along (move_hold_v1).

CREATE TABLE fan (
    fan_id       uuid        NOT NULL CONSTRAINT fan_pkey PRIMARY KEY,
    email        text        NOT NULL CONSTRAINT fan_email_once UNIQUE,  -- in the one form of core/fans.py
    met_at       timestamptz NOT NULL,
    signed_in_at timestamptz NOT NULL,  -- the last time
    CONSTRAINT fan_email_shape     CHECK (email ~ '^[^@[:space:][:cntrl:]]+@[a-z0-9.-]+$' AND octet_length(email) <= 254),
    CONSTRAINT fan_times_finite    CHECK (isfinite(met_at) AND isfinite(signed_in_at)),
    CONSTRAINT fan_met_before_seen CHECK (met_at <= signed_in_at)
);

-- Addresses that asked for a code lately, known to us or not: one row each, whose newest code is the only one that is
-- good. The code itself is not here: it follows from the nonce by a key that the database has not.
CREATE TABLE sign_in (
    email      text        NOT NULL CONSTRAINT sign_in_pkey PRIMARY KEY,
    nonce      bytea,                  -- NULL: the code was used
    tries_left integer     NOT NULL,   -- how often a code may still be typed
    expires_at timestamptz NOT NULL,
    rested_at  timestamptz NOT NULL,   -- when this address may ask as often again as one that never asked
    CONSTRAINT sign_in_email_shape  CHECK (email ~ '^[^@[:space:][:cntrl:]]+@[a-z0-9.-]+$' AND octet_length(email) <= 254),
    CONSTRAINT sign_in_nonce_length CHECK (octet_length(nonce) = 16),
    CONSTRAINT sign_in_tries_range  CHECK (tries_left BETWEEN 0 AND 10),
    CONSTRAINT sign_in_times_finite CHECK (isfinite(expires_at) AND isfinite(rested_at))
);
CREATE INDEX sign_in_rested ON sign_in (rested_at);
