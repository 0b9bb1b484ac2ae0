-- What lists show, joined from the catalogue and the ledger.

-- Which price levels of an event have no seat left, as of an update: who follows the journal notes it, so that lists can
-- show the lowest price that is still to be had. An event that nobody ever held a seat of is not in it.
CREATE TABLE levels_gone (
    event_id  bigint NOT NULL CONSTRAINT levels_gone_pkey PRIMARY KEY
                              CONSTRAINT levels_gone_event REFERENCES event ON DELETE CASCADE,
    update_no bigint NOT NULL,
    levels    text[] NOT NULL,
    CONSTRAINT levels_gone_update_no_counts CHECK (update_no >= 0)
) WITH (fillfactor = 50);  -- the number is rewritten while an event sells

-- An event as lists show it. Drafts are in it: whoever reads it says whose eyes it is for. An event without prices is
-- not (and inv_price_level_missing reports it).
CREATE VIEW listing AS
SELECT event.event_id,
       event.name,
       production.production_id,
       production.name AS production,
       production.performers,
       production.category,
       production.genre,
       venue.venue_id,
       venue.name AS venue,
       hall.name AS hall,
       city.city_id,
       city.name AS city,
       city.country,
       city.time_zone,
       event.publication,
       event.on_sale_at,
       event.starts_at,
       event.ends_at,
       event.waiting_room,
       price.all_in_minor AS price_from_minor,
       event.currency,
       seat_map.seats,
       seat_map.seats - lane.held - lane.sold - lane.blocked AS seats_left,
       production.rating
  FROM event
  JOIN lane       USING (event_id)
  JOIN production USING (production_id)
  JOIN hall       USING (hall_id)
  JOIN venue      USING (venue_id)
  JOIN city       USING (city_id)
  JOIN seat_map   ON seat_map.sha256 = event.seat_map
  LEFT JOIN levels_gone ON levels_gone.event_id = event.event_id
 CROSS JOIN LATERAL (
        SELECT price_level.amount_minor + price_level.fee_minor AS all_in_minor
          FROM price_level
         WHERE price_level.event_id = event.event_id
         ORDER BY price_level.level = ANY (levels_gone.levels) IS TRUE, all_in_minor
         LIMIT 1
       ) AS price;
