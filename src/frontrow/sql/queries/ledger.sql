-- The ledger as programs use it: each statement is one whole transaction, decided inside its function (sql/schema).

-- name: hold_seats
-- Hold seats of the event $1 for a batch: holds $2 of fans $3; seat $5[i] is wanted by request $4[i].
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM hold_seats_v1($1, $2, $3, $4, $5);

-- name: release_holds
-- Fans $3 give back their holds $2.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM release_holds_v1($1, $2, $3);

-- name: begin_checkouts
-- Fans $3 begin to pay for their holds $2; each has $4 seconds from now.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM begin_checkouts_v1($1, $2, $3, $4);

-- name: sell_holds
-- The holds $2, in checkout, are paid.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM sell_holds_v1($1, $2);

-- name: end_checkouts
-- The holds $2, in checkout, are given up: released or expired, as $3 says.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM end_checkouts_v1($1, $2, $3);

-- name: sell_again
-- Money for the expired hold $2 came late.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM sell_again_v1($1, $2);

-- name: return_seats
-- Sold seats come back: seat $4[i] of request $3[i], whose hold is in $2.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM return_seats_v1($1, $2, $3, $4);

-- name: block_seats
-- Take seats off sale: $2 requests, seat $4[i] is of request $3[i].
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM block_seats_v1($1, $2, $3, $4);

-- name: unblock_seats
-- Put the seats $2 back on sale.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM unblock_seats_v1($1, $2);

-- name: expire_holds
-- End those of the holds $2 whose time is over.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM expire_holds_v1($1, $2);

-- name: move_hold
-- The hold $2 goes over from the fan $3 to the fan $4.
SELECT request, answer, seats, expires_at, update_no, at, states, holders FROM move_hold_v1($1, $2, $3, $4);
