-- What the ledger has decided, for those who follow it: they read, and decide nothing.

-- name: hold_of_fan
-- A fan's hold by its id; of holds with one id at several events the newest. One whose time is over has ended, even if
-- nobody swept it yet. Others' holds are not there.
SELECT event_id, hold_id, CASE WHEN state = 'held' AND expires_at <= clock_timestamp() THEN 'expired' ELSE state END AS state,
       seats, expires_at
  FROM hold
 WHERE hold_id = $1 AND fan_id = $2
 ORDER BY placed_at DESC
 LIMIT 1;

-- name: live_hold_of_fan
-- What a fan holds at an event now: there is at most one such hold, and the index hold_live_of_fan has it.
SELECT hold_id, state, seats, expires_at
  FROM hold
 WHERE event_id = $1 AND fan_id = $2 AND state IN ('held', 'checkout')
   AND (state = 'checkout' OR expires_at > clock_timestamp());

-- name: holds_over
-- Holds that are held although their time is over, the oldest first, at most $2; none of the events $1. The index
-- hold_due begins with them. statement_timestamp() is a clock that an index can be asked about.
SELECT event_id, hold_id
  FROM hold
 WHERE state = 'held' AND expires_at <= statement_timestamp() AND event_id <> ALL ($1::bigint[])
 ORDER BY expires_at
 LIMIT $2;

-- name: claims_of_event
-- All claims of an event and the number of the update that led to them, seen at one moment.
SELECT lane.update_no, extract(epoch FROM clock_timestamp())::double precision AS at,
       claimed.seats, claimed.states, claimed.holders, claimed.ends
  FROM lane
 CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(claim.seat_no), '{}') AS seats,
               coalesce(string_agg(left(claim.state, 1), ''), '') AS states,
               coalesce(string_agg(coalesce(holder_v1(claim.hold_id), decode(repeat('00', 8), 'hex')), ''), '') AS holders,
               coalesce(array_agg(extract(epoch FROM claim.expires_at)::double precision), '{}') AS ends
          FROM claim
         WHERE claim.event_id = lane.event_id
       ) AS claimed
 WHERE lane.event_id = $1;

-- name: updates_after
-- What happened at the events $1 after the updates $2, in order, at most $3 updates of each.
SELECT followed.event_id, journal.update_no, journal.at, journal.seats, journal.states, journal.holders, journal.expires_at
  FROM unnest($1::bigint[], $2::bigint[]) AS followed (event_id, update_no)
 CROSS JOIN LATERAL (
        SELECT update_no, at, seats, states, holders, expires_at
          FROM journal
         WHERE journal.event_id = followed.event_id AND journal.update_no > followed.update_no
         ORDER BY journal.update_no
         LIMIT $3
       ) AS journal
 ORDER BY followed.event_id, journal.update_no;
