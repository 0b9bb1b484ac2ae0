-- Orders: those that change seats are one whole transaction each, decided inside its function (sql/schema).

-- name: open_orders
-- Orders $2 of the holds $3 of fans $4 at the event $1, tickets to $5; seat $7[i] of request $6[i] is of level $8[i]. A fan
-- has $9 seconds to begin paying, and $10 more until it must have gone through.
SELECT request, answer, seats, expires_at, update_no, at, states, holders, of_order, total_minor, currency
  FROM open_orders_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: sell_orders
-- At the event $1 there is money for the attempts $2, known to the provider as $3, taken where $4. Tickets are signed with
-- the key $5; what is not taken within $6 seconds is asked about; a mail of the kind $7, as urgent as $8, is to be sent.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM sell_orders_v1($1, $2, $3, $4, $5, $6, $7, $8);

-- name: sell_late
-- The same for one attempt $2 whose order is not open any more.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM sell_late_v1($1, $2, $3, $4, $5, $6, $7, $8);

-- name: lapse_orders
-- End those of the orders $2 of the event $1 whose time is over; a mail of the kind $3, as urgent as $4, is to be sent.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM lapse_orders_v1($1, $2, $3, $4);

-- name: cancel_order
-- The fan $3 cancels the order $2 of the event $1, or its tickets $5, by the wish $4; that is possible until $6 seconds before
-- the event begins. A mail of the kind $7, as urgent as $8, is to be sent.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM cancel_order_v1($1, $2, $3, $4, $5, $6, $7, $8);

-- name: orders_over
-- At most $2 open orders whose time is over, the oldest first; none of the events $1.
SELECT event_id, order_id
  FROM fan_order
 WHERE state = 'open' AND lapse_at <= statement_timestamp() AND event_id <> ALL ($1::bigint[])
 ORDER BY lapse_at
 LIMIT $2;

-- name: orders_of_fan
-- The orders of the fan $1, or that one of them that is $2; at most $3, the newest first.
SELECT fan_order.order_id, fan_order.event_id, fan_order.hold_id, fan_order.fan_id, fan_order.email, fan_order.state,
       fan_order.seats, fan_order.prices_minor, fan_order.fees_minor, fan_order.total_minor, fan_order.currency,
       fan_order.made_at, fan_order.pay_by, fan_order.paid_at, tried.state AS try_state, tried.reason, tried.next_url,
       theirs.ticket_ids, theirs.ticket_seats, theirs.serials, theirs.key_ids, theirs.valid, theirs.minor
  FROM fan_order
  LEFT JOIN LATERAL (
        SELECT attempt.state, attempt.reason, attempt.next_url
          FROM payment_attempt AS attempt
         WHERE attempt.order_id = fan_order.order_id
         ORDER BY attempt.attempt_id = fan_order.paid_by DESC NULLS LAST, attempt.made_at DESC
         LIMIT 1) AS tried ON true
 CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(ticket_id ORDER BY seat_no), '{}') AS ticket_ids,
               coalesce(array_agg(seat_no ORDER BY seat_no), '{}') AS ticket_seats,
               coalesce(array_agg(serial ORDER BY seat_no), '{}') AS serials,
               coalesce(array_agg(key_id ORDER BY seat_no), '{}') AS key_ids,
               coalesce(array_agg(ticket.state = 'valid' ORDER BY seat_no), '{}') AS valid,
               coalesce(array_agg(price_minor + fee_minor ORDER BY seat_no), '{}') AS minor
          FROM ticket
         WHERE ticket.order_id = fan_order.order_id) AS theirs
 WHERE fan_order.fan_id = $1 AND ($2::uuid IS NULL OR fan_order.order_id = $2)
 ORDER BY fan_order.made_at DESC, fan_order.order_id
 LIMIT $3;
