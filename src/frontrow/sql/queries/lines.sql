-- Lines of waiting rooms: what those go by who let fans in, and what operators say. Who waits is not in PostgreSQL.

-- name: lines_published
-- The terms of at most $1 lines that are not long over, those that begin last first. Lines are few, and each is found by
-- the keys of its event: nothing here grows with the crowd. Drafts have no line for anybody yet.
SELECT line.event_id, line.policy, line.tranche_seconds, line.jitter_seconds, line.tau_seconds, line.opens_seconds,
       line.cap, line.visit_seconds, line.per_second_max, line.paused, line.is_drained, line.frontier, line.seed,
       extract(epoch FROM event.on_sale_at)::float8 AS on_sale_at,
       extract(epoch FROM event.ends_at)::float8 AS ends_at,
       extract(epoch FROM presale.until)::float8 AS codes_until,
       event.publication = 'cancelled' AS is_cancelled,
       greatest(seat_map.seats - lane.sold - lane.blocked, 0) AS seats_unsold
  FROM line
  JOIN event USING (event_id)
  JOIN lane  USING (event_id)
  JOIN seat_map ON seat_map.sha256 = event.seat_map
  LEFT JOIN presale USING (event_id)
 WHERE event.waiting_room
   AND event.publication <> 'draft'
   AND event.ends_at > clock_timestamp() - interval '1 day'
 ORDER BY event.on_sale_at DESC, line.event_id
 LIMIT $1;

-- name: keep_frontiers
-- Lines $1 have come as far as $2. One that was stored further stays: a frontier never goes back.
UPDATE line
   SET frontier = heard.frontier
  FROM unnest($1::bigint[], $2::float8[]) AS heard (event_id, frontier)
 WHERE line.event_id = heard.event_id
   AND line.frontier < heard.frontier
RETURNING line.event_id;

-- name: what_is_paid
-- Of the fans $2 at the event $1: who pays at the moment, and who has bought, with when that hold was placed.
SELECT hold.fan_id, hold.state, extract(epoch FROM hold.placed_at)::float8 AS placed_at
  FROM unnest($2::uuid[]) AS inside (fan_id)
  JOIN hold ON hold.event_id = $1 AND hold.fan_id = inside.fan_id AND hold.state IN ('checkout', 'sold');

-- name: order_line
-- What an operator says of the line of the event $1: why it is paused ($2), how many may be called a second ($3), and
-- whether it is drained ($4). No row: the event has no line.
UPDATE line SET paused = $2, per_second_max = $3, is_drained = $4 WHERE event_id = $1 RETURNING event_id;

-- name: set_line
-- How the line of the event $1 is ordered and what it may hold, as long as it has not opened: keys would change. No row:
-- it has, or the event has no line.
UPDATE line
   SET policy = $2, opens_seconds = $3, tranche_seconds = $4, jitter_seconds = $5, tau_seconds = $6, cap = $7,
       visit_seconds = $8
  FROM event
 WHERE line.event_id = $1
   AND event.event_id = $1
   AND clock_timestamp() < event.on_sale_at - make_interval(secs => line.opens_seconds)
RETURNING line.event_id;

-- name: set_cap
-- How many sessions at once the event $1 may have, and how long each may be. Also while its line moves.
UPDATE line SET cap = $2, visit_seconds = $3 WHERE event_id = $1 RETURNING event_id;
