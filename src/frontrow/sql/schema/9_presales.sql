-- Presales: events that sell to invited fans alone for a while, and the codes by which those are known.
--
-- A code that nobody has used is not here: it is sealed, and anybody with the key can tell that it is ours. One row says
-- whose it is from then on. That row is why a code lets in one fan: the primary key, and nothing that a process remembers.

CREATE TABLE presale (
    event_id bigint      NOT NULL CONSTRAINT presale_pkey PRIMARY KEY
                                  CONSTRAINT presale_event REFERENCES event ON DELETE CASCADE,
    until    timestamptz NOT NULL,  -- from then on everybody may enter
    CONSTRAINT presale_until_finite CHECK (isfinite(until))
);

CREATE TABLE access_code (
    event_id bigint      NOT NULL CONSTRAINT access_code_event REFERENCES event ON DELETE CASCADE,
    number   bigint      NOT NULL,  -- what is sealed in the code
    fan_id   uuid        NOT NULL,  -- with an address, or known to an identity service: nobody nameless is invited
    used_at  timestamptz NOT NULL,
    CONSTRAINT access_code_pkey         PRIMARY KEY (event_id, number),
    CONSTRAINT access_code_of_fan       UNIQUE (event_id, fan_id),  -- a second code of the same fan stays unused
    CONSTRAINT access_code_number_range CHECK (number BETWEEN 0 AND 1099511627775),
    CONSTRAINT access_code_used_finite  CHECK (isfinite(used_at))
);
