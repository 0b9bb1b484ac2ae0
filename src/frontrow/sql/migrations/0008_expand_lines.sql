-- Lines of waiting rooms: how each is ordered, what it may hold, its secret seed, and what an operator has said.
--
-- Expand: the table and its trigger are new. Events that have a waiting room already get their line here, in the SQL
-- transaction that makes the trigger, so none is left out; yesterday's processes do not know the table, and the trigger
-- makes a line for what they add. sql/schema says why it is as it is.

CREATE TABLE line (
    event_id        bigint           NOT NULL CONSTRAINT line_pkey PRIMARY KEY
                                              CONSTRAINT line_event REFERENCES event ON DELETE CASCADE,
    policy          text             NOT NULL DEFAULT 'lottery',
    opens_seconds   integer          NOT NULL DEFAULT 1800,
    tranche_seconds double precision NOT NULL DEFAULT 5,
    jitter_seconds  double precision NOT NULL DEFAULT 30,
    tau_seconds     double precision NOT NULL DEFAULT 600,
    cap             integer          NOT NULL DEFAULT 5000,
    visit_seconds   integer          NOT NULL DEFAULT 900,
    per_second_max  double precision,
    paused          text,
    is_drained      boolean          NOT NULL DEFAULT false,
    frontier        double precision NOT NULL DEFAULT 0,
    seed            bytea            NOT NULL DEFAULT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
                                                          || uuid_send(gen_random_uuid())),
    CONSTRAINT line_policy_known         CHECK (policy IN ('lottery', 'tranches', 'jitter', 'probabilistic', 'first_come')),
    CONSTRAINT line_opens_seconds_range  CHECK (opens_seconds BETWEEN 1 AND 86400),
    CONSTRAINT line_tranche_range        CHECK (tranche_seconds BETWEEN 0.1 AND 3600),
    CONSTRAINT line_jitter_range         CHECK (jitter_seconds BETWEEN 0.1 AND 3600),
    CONSTRAINT line_tau_range            CHECK (tau_seconds BETWEEN 1 AND 86400),
    CONSTRAINT line_cap_range            CHECK (cap BETWEEN 1 AND 1000000),
    CONSTRAINT line_visit_seconds_range  CHECK (visit_seconds BETWEEN 10 AND 86400),
    CONSTRAINT line_per_second_max_range CHECK (per_second_max BETWEEN 0 AND 1000000),
    CONSTRAINT line_paused_length        CHECK (char_length(paused) BETWEEN 1 AND 300),
    CONSTRAINT line_frontier_range       CHECK (frontier BETWEEN 0 AND 1e12),
    CONSTRAINT line_seed_length          CHECK (octet_length(seed) = 32)
) WITH (fillfactor = 70);

-- make_line_v1: an event that has a waiting room has a line, whoever makes it and however. Its seed is drawn here, once.
CREATE FUNCTION make_line_v1() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO line (event_id) VALUES (NEW.event_id) ON CONFLICT ON CONSTRAINT line_pkey DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER event_has_line AFTER INSERT OR UPDATE OF waiting_room ON event
   FOR EACH ROW WHEN (NEW.waiting_room) EXECUTE FUNCTION make_line_v1();

INSERT INTO line (event_id) SELECT event_id FROM event WHERE waiting_room;

-- A migration that is missing below the newest is run by the program that has it, so a gap breaks nothing any more.
CREATE OR REPLACE VIEW inv_schema_migration_missing AS
SELECT count(*) AS migrations, max(number) AS newest
  FROM schema_migration
HAVING min(number) <> 1;
