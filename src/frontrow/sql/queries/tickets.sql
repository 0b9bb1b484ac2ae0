-- Whose orders and tickets are: for mails, which know an order alone, and for files, which are asked for by a ticket.

-- name: fan_of_order
-- The fan of the order $1.
SELECT fan_id FROM fan_order WHERE order_id = $1;

-- name: order_of_ticket
-- The order of the fan $2 that the ticket $1 belongs to. Others' tickets are not there.
SELECT order_id
  FROM ticket
  JOIN fan_order USING (order_id)
 WHERE ticket_id = $1 AND fan_id = $2;
