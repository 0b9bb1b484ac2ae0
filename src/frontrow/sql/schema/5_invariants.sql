-- What must be true and no constraint can say, as views inv_*: each returns no row as long as the sentence above it is
-- true. `frontrow audit` reads them all.

-- The price levels that each seat map names, in a row each. Each map is opened once, however many events use it; a
-- document that is not as it should be gives no rows, never an error that would hide the other invariants.
CREATE VIEW seat_map_level AS
SELECT seat_map.sha256 AS seat_map, named.level #>> '{}' AS level
  FROM seat_map
 CROSS JOIN LATERAL jsonb_path_query(convert_from(seat_map.document, 'UTF8')::jsonb, '$.price_levels[*]') AS named (level);

-- Every event has a price for each level of its seat map. (A map names only levels that some seat is of.)
CREATE VIEW inv_price_level_missing AS
WITH named AS MATERIALIZED (SELECT seat_map, level FROM seat_map_level)
SELECT event.event_id, named.level, event.name
  FROM event
  JOIN named USING (seat_map)
  LEFT JOIN price_level USING (event_id, level)
 WHERE price_level.event_id IS NULL;

-- Every price is of a level that the event's seat map names: lists show the lowest price, and some seat must have it.
CREATE VIEW inv_price_level_unknown AS
WITH named AS MATERIALIZED (SELECT seat_map, level FROM seat_map_level)
SELECT price_level.event_id, price_level.level, event.name
  FROM price_level
  JOIN event USING (event_id)
  LEFT JOIN named USING (seat_map, level)
 WHERE named.level IS NULL;

-- seat_map.seats is what the document adds up to: the seats of all rows, and the capacity of the standing areas.
CREATE VIEW inv_seat_map_miscounted AS
SELECT seat_map.sha256, seat_map.name, seat_map.seats, counted.seats AS seats_in_document
  FROM seat_map
 CROSS JOIN LATERAL (
        SELECT coalesce(sum(number::numeric), 0) AS seats
          FROM (SELECT convert_from(seat_map.document, 'UTF8')::jsonb AS map OFFSET 0) AS opened
         CROSS JOIN LATERAL (
                SELECT jsonb_path_query(map, '$.sections[*].rows[*].seats')
                 UNION ALL
                SELECT jsonb_path_query(map, '$.sections[*].capacity')
               ) AS written (number)
         WHERE jsonb_typeof(number) = 'number'
       ) AS counted
 WHERE counted.seats <> seat_map.seats;

-- The versions of a hall's seat maps are 1, 2, 3 … without a gap: none was taken away.
CREATE VIEW inv_hall_seat_map_version_missing AS
SELECT hall_id, count(*) AS versions, max(version) AS newest
  FROM hall_seat_map
 GROUP BY hall_id
HAVING count(*) <> max(version);

-- Every event has a lane.
CREATE VIEW inv_lane_missing AS
SELECT event.event_id, event.name
  FROM event
  LEFT JOIN lane USING (event_id)
 WHERE lane.event_id IS NULL;

-- A lane counts the claims of its event.
CREATE VIEW inv_lane_miscounted AS
SELECT lane.event_id, lane.held, lane.sold, lane.blocked,
       coalesce(counted.held, 0) AS held_claims, coalesce(counted.sold, 0) AS sold_claims,
       coalesce(counted.blocked, 0) AS blocked_claims
  FROM lane
  LEFT JOIN (SELECT claim.event_id,
                    count(*) FILTER (WHERE claim.state = 'held')    AS held,
                    count(*) FILTER (WHERE claim.state = 'sold')    AS sold,
                    count(*) FILTER (WHERE claim.state = 'blocked') AS blocked
               FROM claim
              GROUP BY claim.event_id) AS counted USING (event_id)
 WHERE (lane.held, lane.sold, lane.blocked)
       IS DISTINCT FROM (coalesce(counted.held, 0), coalesce(counted.sold, 0), coalesce(counted.blocked, 0));

-- A seat has one owner. The key of claim says so too; this reads the rows, should the key's index be damaged.
CREATE VIEW inv_claim_twice AS
SELECT event_id, seat_no, count(*) AS claims
  FROM claim
 GROUP BY event_id, seat_no
HAVING count(*) > 1;

-- A fan has at most one live hold per event. So says an index, and this reads the rows.
CREATE VIEW inv_fan_with_two_holds AS
SELECT event_id, fan_id, count(*) AS holds
  FROM hold
 WHERE state IN ('held', 'checkout')
 GROUP BY event_id, fan_id
HAVING count(*) > 1;

-- A seat that is not blocked is claimed by a hold that has it and is in the state the claim says, ending when the claim
-- says.
CREATE VIEW inv_claim_without_hold AS
SELECT claim.event_id, claim.seat_no, claim.state, claim.hold_id, hold.state AS hold_state
  FROM claim
  LEFT JOIN hold ON hold.hold_id = claim.hold_id AND hold.event_id = claim.event_id
 WHERE claim.state <> 'blocked'
   AND NOT coalesce(claim.seat_no = ANY (hold.seats) AND CASE hold.state
           WHEN 'held'     THEN claim.state = 'held' AND claim.expires_at = hold.expires_at
           WHEN 'checkout' THEN claim.state = 'held' AND claim.expires_at = 'infinity'
           WHEN 'sold'     THEN claim.state = 'sold'
           ELSE false END, false);

-- A hold has as many claims as it has tickets: all of its seats while it lives, none when it has ended.
CREATE VIEW inv_hold_miscounted AS
SELECT hold.event_id, hold.hold_id, hold.state, hold.tickets, coalesce(counted.claims, 0) AS claims
  FROM hold
  LEFT JOIN (SELECT claim.event_id, claim.hold_id, count(*) AS claims
               FROM claim
              WHERE claim.hold_id IS NOT NULL
              GROUP BY claim.event_id, claim.hold_id) AS counted USING (event_id, hold_id)
 WHERE hold.tickets <> coalesce(counted.claims, 0);

-- Claims are on seats that the event's seat map has.
CREATE VIEW inv_claim_on_no_seat AS
SELECT claim.event_id, claim.seat_no, claim.state, seat_map.seats
  FROM claim
  LEFT JOIN event    USING (event_id)
  LEFT JOIN seat_map ON seat_map.sha256 = event.seat_map
 WHERE NOT coalesce(claim.seat_no < seat_map.seats, false);

-- The updates of an event are numbered from 1 to its lane's number, without a gap.
CREATE VIEW inv_journal_number_missing AS
SELECT event_id, coalesce(lane.update_no, 0) AS lane_update_no,
       coalesce(written.updates, 0) AS updates, written.newest
  FROM lane
  FULL JOIN (SELECT journal.event_id, count(*) AS updates, max(journal.update_no) AS newest
               FROM journal
              GROUP BY journal.event_id) AS written USING (event_id)
 WHERE coalesce(written.updates, 0) <> coalesce(lane.update_no, 0)
    OR coalesce(written.newest, 0) <> coalesce(lane.update_no, 0);

-- The journal, folded, is the claims: the same state, the same holder, the same end.
CREATE VIEW inv_journal_not_claims AS
SELECT event_id, seat_no,
       coalesce(folded.state, 'a') AS journal_state, folded.holder AS journal_holder, folded.expires_at AS journal_end,
       coalesce(left(claim.state, 1), 'a') AS claim_state, claim.hold_id, claim.expires_at AS claim_end
  FROM (SELECT DISTINCT ON (journal.event_id, told.seat_no) journal.event_id, told.seat_no, told.state,
               substr(journal.holders, 8 * told.place::integer - 7, 8) AS holder,
               CASE told.state WHEN 'h' THEN journal.expires_at END AS expires_at
          FROM journal, unnest(journal.seats, string_to_array(journal.states, NULL))
               WITH ORDINALITY AS told (seat_no, state, place)
         ORDER BY journal.event_id, told.seat_no, journal.update_no DESC) AS folded
  FULL JOIN claim USING (event_id, seat_no)
 WHERE coalesce(folded.state, 'a') <> coalesce(left(claim.state, 1), 'a')
    OR coalesce(folded.holder, nobody_v1('{0}')) <> coalesce(holder_v1(claim.hold_id), nobody_v1('{0}'))
    OR folded.expires_at IS DISTINCT FROM CASE claim.state WHEN 'held' THEN claim.expires_at END;

-- The first migration ran here. A later one may be missing, and is run when a program has it: branches that are made at
-- the same time each have their number, whichever comes first.
CREATE VIEW inv_schema_migration_missing AS
SELECT count(*) AS migrations, max(number) AS newest
  FROM schema_migration
HAVING min(number) <> 1;

-- violations_v1: what each view inv_* returns, at most limit_per_invariant rows of each.
--
-- The row is written as column=value pairs with JSON's quoting, so it stays one line whatever a name contains.
-- A view that a migration adds takes part without being listed anywhere.
CREATE FUNCTION violations_v1(limit_per_invariant integer)
RETURNS TABLE (invariant text, violation text)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
    FOR invariant IN
        SELECT viewname FROM pg_views WHERE schemaname = current_schema() AND starts_with(viewname, 'inv_') ORDER BY 1
    LOOP
        FOR violation IN EXECUTE format(
            $query$
            SELECT (SELECT string_agg(format('%%s=%%s', key, value), ' ' ORDER BY ordinality)
                      FROM json_each(to_json(found)) WITH ORDINALITY)
              FROM %I AS found
             LIMIT $1
            $query$, invariant)
            USING limit_per_invariant
        LOOP
            RETURN NEXT;
        END LOOP;
    END LOOP;
END;
$$;
