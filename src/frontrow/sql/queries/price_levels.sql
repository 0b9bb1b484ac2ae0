-- Which price levels of events have no seat left, for who follows the journal to note it (flows/follow_price_levels.py).

-- name: events_changed_lately
-- Events with updates in the last twelve seconds, by PostgreSQL's clock, and their seat maps. An update is dated before it
-- is committed, and no SQL transaction of ours is open for ten seconds: a look every few seconds misses none.
SELECT event_id, seat_map
  FROM (SELECT DISTINCT event_id FROM journal WHERE at > statement_timestamp() - interval '12 seconds') AS changed
  JOIN event USING (event_id);

-- name: events_not_followed
-- Events whose lane is ahead of what was noted, at most $1. This reads every lane: it is for the beginning, and for once in a while.
SELECT event_id, seat_map
  FROM lane
  JOIN event USING (event_id)
  LEFT JOIN levels_gone USING (event_id)
 WHERE lane.update_no > coalesce(levels_gone.update_no, 0)
 LIMIT $1;

-- name: note_levels_gone
-- After the update $2 of the event $1, no seat of the levels $3 is left.
SELECT note_levels_gone_v1($1, $2, $3);
