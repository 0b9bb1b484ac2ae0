-- Presales: until when an event lets in invited fans alone, and the codes that were used for it.
--
-- Expand: both tables are new and empty, and nothing that is there changes. Yesterday's processes do not know them, and let
-- everybody in: no presale is to be set before the last of them has ended. sql/schema says why each is as it is.

CREATE TABLE presale (
    event_id bigint      NOT NULL CONSTRAINT presale_pkey PRIMARY KEY
                                  CONSTRAINT presale_event REFERENCES event ON DELETE CASCADE,
    until    timestamptz NOT NULL,
    CONSTRAINT presale_until_finite CHECK (isfinite(until))
);

CREATE TABLE access_code (
    event_id bigint      NOT NULL CONSTRAINT access_code_event REFERENCES event ON DELETE CASCADE,
    number   bigint      NOT NULL,
    fan_id   uuid        NOT NULL,
    used_at  timestamptz NOT NULL,
    CONSTRAINT access_code_pkey         PRIMARY KEY (event_id, number),
    CONSTRAINT access_code_of_fan       UNIQUE (event_id, fan_id),
    CONSTRAINT access_code_number_range CHECK (number BETWEEN 0 AND 1099511627775),
    CONSTRAINT access_code_used_finite  CHECK (isfinite(used_at))
);
