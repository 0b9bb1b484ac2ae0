-- Orders, the attempts to pay them, refunds, tickets, and the books: where every cent is.
--
-- Who changes orders of an event takes its lane first, then their rows in the order of their ids, then attempts. Whoever
-- needs no seat to change takes no lane, and the rest in the same order.

-- What a fan pays for: the seats of one hold, at the prices of the moment when the order was made. Its id was made by the
-- fan's device. prices_minor[n] and fees_minor[n] are those of seats[n].
CREATE TABLE fan_order (
    order_id     uuid        NOT NULL CONSTRAINT fan_order_pkey PRIMARY KEY,
    event_id     bigint      NOT NULL CONSTRAINT fan_order_event REFERENCES event,
    hold_id      uuid        NOT NULL,
    fan_id       uuid        NOT NULL,
    email        text        NOT NULL,  -- where tickets go; not always the fan's own
    state        text        NOT NULL,  -- docs/states.md has the diagram
    seats        integer[]   NOT NULL,
    prices_minor bigint[]    NOT NULL,
    fees_minor   bigint[]    NOT NULL,
    total_minor  bigint      NOT NULL,
    currency     text        NOT NULL,
    made_at      timestamptz NOT NULL,
    pay_by       timestamptz NOT NULL,  -- no attempt to pay begins after it
    lapse_at     timestamptz NOT NULL,  -- those that began before have until then
    paid_by      uuid,                  -- the attempt whose money it was
    paid_at      timestamptz,
    CONSTRAINT fan_order_of_hold     UNIQUE (event_id, hold_id),
    CONSTRAINT fan_order_email_shape CHECK (email ~ '^[^@[:space:][:cntrl:]]+@[a-z0-9.-]+$' AND octet_length(email) <= 254),
    CONSTRAINT fan_order_state_known CHECK (state IN ('open', 'paid', 'refunded', 'cancelled', 'lapsed')),
    CONSTRAINT fan_order_seats_count CHECK (cardinality(seats) BETWEEN 1 AND 10),
    CONSTRAINT fan_order_price_each  CHECK (cardinality(prices_minor) = cardinality(seats)
                                            AND cardinality(fees_minor) = cardinality(seats)),
    CONSTRAINT fan_order_total_range CHECK (total_minor BETWEEN 0 AND 2000000000),  -- ten of the dearest, with fees
    CONSTRAINT fan_order_currency    CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT fan_order_times       CHECK (isfinite(made_at) AND made_at <= pay_by AND pay_by <= lapse_at
                                            AND isfinite(lapse_at)),
    CONSTRAINT fan_order_paid_by     CHECK ((state IN ('paid', 'refunded')) = (paid_by IS NOT NULL)),
    CONSTRAINT fan_order_paid_at     CHECK ((paid_by IS NULL) = (paid_at IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX fan_order_of_fan ON fan_order (fan_id, made_at);
CREATE INDEX fan_order_due    ON fan_order (lapse_at, event_id) WHERE state = 'open';

-- One try to pay an order. Its row, whose id is also the key that the provider knows it by, is stored before the provider
-- is first asked; so whatever is lost on the way is found again.
CREATE TABLE payment_attempt (
    attempt_id     uuid        NOT NULL CONSTRAINT payment_attempt_pkey PRIMARY KEY,
    order_id       uuid        NOT NULL CONSTRAINT payment_attempt_order REFERENCES fan_order,
    provider       text        NOT NULL,
    payment_method text        NOT NULL,  -- as the provider names it: no card's number ever comes here
    amount_minor   bigint      NOT NULL,
    currency       text        NOT NULL,
    state          text        NOT NULL,  -- docs/states.md has the diagram
    provider_ref   text,                  -- the provider's own id, once it is known
    reason         text,                  -- declined: why
    next_url       text,                  -- challenged: where the fan's bank waits for them
    made_at        timestamptz NOT NULL,
    changed_at     timestamptz NOT NULL,
    ask_at         timestamptz,           -- when the provider is asked how it stands; NULL: there is nothing to ask
    asks           integer     NOT NULL DEFAULT 0,
    CONSTRAINT payment_attempt_provider_known CHECK (provider IN ('stripe', 'psp-sim', 'free')),
    CONSTRAINT payment_attempt_method_length  CHECK (char_length(payment_method) BETWEEN 1 AND 255),
    CONSTRAINT payment_attempt_amount_range   CHECK (amount_minor BETWEEN 0 AND 2000000000),
    CONSTRAINT payment_attempt_free           CHECK ((amount_minor = 0) = (provider = 'free')),
    CONSTRAINT payment_attempt_currency       CHECK (currency ~ '^[A-Z]{3}$'),
    CONSTRAINT payment_attempt_state_known    CHECK (state IN (
        'created', 'challenged', 'pending', 'unknown', 'declined', 'authorized', 'captured', 'voiding', 'voided',
        'refunding', 'refunded')),
    CONSTRAINT payment_attempt_ref_length     CHECK (char_length(provider_ref) BETWEEN 1 AND 255),
    CONSTRAINT payment_attempt_reason         CHECK ((state = 'declined') = (reason IS NOT NULL)
                                                     AND char_length(reason) BETWEEN 1 AND 100),
    CONSTRAINT payment_attempt_next_url       CHECK ((state = 'challenged') = (next_url IS NOT NULL)
                                                     AND char_length(next_url) <= 2000),
    CONSTRAINT payment_attempt_asks_count     CHECK (asks >= 0)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX payment_attempt_ref  ON payment_attempt (provider, provider_ref) WHERE provider_ref IS NOT NULL;
-- An order has at most one attempt that may still bring its money, or has.
CREATE UNIQUE INDEX payment_attempt_live ON payment_attempt (order_id)
    WHERE state IN ('created', 'challenged', 'pending', 'unknown', 'authorized', 'captured');
CREATE INDEX payment_attempt_of_order    ON payment_attempt (order_id);
CREATE INDEX payment_attempt_due         ON payment_attempt (ask_at) WHERE ask_at IS NOT NULL;

-- Money on its way back. Its id is the key that the provider knows it by.
CREATE TABLE refund (
    refund_id    uuid        NOT NULL CONSTRAINT refund_pkey PRIMARY KEY,
    attempt_id   uuid        NOT NULL CONSTRAINT refund_attempt REFERENCES payment_attempt,
    order_id     uuid        NOT NULL CONSTRAINT refund_order REFERENCES fan_order,
    amount_minor bigint      NOT NULL,
    reason       text        NOT NULL,
    state        text        NOT NULL,  -- docs/states.md has the diagram
    provider_ref text,
    made_at      timestamptz NOT NULL,
    changed_at   timestamptz NOT NULL,
    CONSTRAINT refund_amount_positive CHECK (amount_minor > 0),
    CONSTRAINT refund_reason_known    CHECK (reason IN ('late', 'cancelled')),
    CONSTRAINT refund_state_known     CHECK (state IN ('asked', 'pending', 'arrived', 'failed')),
    CONSTRAINT refund_ref_length      CHECK (char_length(provider_ref) BETWEEN 1 AND 255)
);
CREATE INDEX refund_of_attempt ON refund (attempt_id);
CREATE INDEX refund_of_order   ON refund (order_id);

-- One person's right to attend. Its code is made of event, seat, serial and key whenever it is shown.
CREATE TABLE ticket (
    ticket_id    uuid     NOT NULL CONSTRAINT ticket_pkey PRIMARY KEY,
    order_id     uuid     NOT NULL CONSTRAINT ticket_order REFERENCES fan_order,
    event_id     bigint   NOT NULL,
    seat_no      integer  NOT NULL,
    serial       bigint   NOT NULL GENERATED ALWAYS AS IDENTITY CONSTRAINT ticket_serial_once UNIQUE,
    key_id       integer  NOT NULL,  -- with which it is signed
    state        text     NOT NULL,
    price_minor  bigint   NOT NULL,
    fee_minor    bigint   NOT NULL,
    CONSTRAINT ticket_state_known   CHECK (state IN ('valid', 'cancelled')),
    CONSTRAINT ticket_seat_no_range CHECK (seat_no >= 0),
    CONSTRAINT ticket_key_id_range  CHECK (key_id BETWEEN 0 AND 4095),  -- twelve bits of its code
    CONSTRAINT ticket_prices_range  CHECK (price_minor >= 0 AND fee_minor >= 0)
) WITH (fillfactor = 90);
-- A seat has at most one ticket that is valid.
CREATE UNIQUE INDEX ticket_of_seat ON ticket (event_id, seat_no) WHERE state = 'valid';
CREATE INDEX ticket_of_order ON ticket (order_id);

-- The books, double entry: what happened (cause) is written as amounts on accounts that add up to nothing. What is owed to
-- us or lies with a provider is positive; what we owe, to organizers and for fees, is negative. Rows are never changed.
CREATE TABLE money_entry (
    cause        text        NOT NULL,
    cause_id     uuid        NOT NULL,  -- sold: the order; captured: the attempt; returned, refunded: the refund
    account      text        NOT NULL,
    order_id     uuid        NOT NULL,
    amount_minor bigint      NOT NULL,
    currency     text        NOT NULL,
    at           timestamptz NOT NULL,
    CONSTRAINT money_entry_pkey          PRIMARY KEY (cause, cause_id, account),
    CONSTRAINT money_entry_cause_known   CHECK (cause IN ('sold', 'captured', 'returned', 'refunded')),
    CONSTRAINT money_entry_account_known CHECK (account IN ('fan', 'provider', 'organizer', 'fees')),
    CONSTRAINT money_entry_is_some       CHECK (amount_minor <> 0),
    CONSTRAINT money_entry_currency      CHECK (currency ~ '^[A-Z]{3}$')
);
CREATE INDEX money_entry_of_order ON money_entry (order_id);

-- What must be true -------------------------------------------------------------------------------------------------------

-- What an order costs is the sum of its seats' prices and fees.
CREATE VIEW inv_order_misadded AS
SELECT order_id, total_minor, added.minor
  FROM fan_order
 CROSS JOIN LATERAL (
        SELECT sum(price + fee) AS minor FROM unnest(prices_minor, fees_minor) AS each_ (price, fee)) AS added
 WHERE total_minor <> added.minor;

-- An order and its hold tell the same story, of the same fan and seats.
CREATE VIEW inv_order_not_hold AS
SELECT fan_order.order_id, fan_order.state, fan_order.event_id, fan_order.hold_id, hold.state AS hold_state
  FROM fan_order
  LEFT JOIN hold USING (hold_id, event_id)
 WHERE NOT coalesce(hold.fan_id = fan_order.fan_id AND hold.seats @> fan_order.seats AND hold.seats <@ fan_order.seats
                    AND hold.state = CASE fan_order.state WHEN 'open'      THEN 'checkout'
                                                          WHEN 'paid'      THEN 'sold'
                                                          WHEN 'refunded'  THEN 'returned'
                                                          WHEN 'cancelled' THEN 'released'
                                                          WHEN 'lapsed'    THEN 'expired' END, false);

-- No seat is kept for a payment, or sold, without an order.
CREATE VIEW inv_hold_without_order AS
SELECT hold.event_id, hold.hold_id, hold.state
  FROM hold
 WHERE hold.state IN ('checkout', 'sold')
   AND NOT EXISTS (SELECT FROM fan_order WHERE (fan_order.event_id, fan_order.hold_id) = (hold.event_id, hold.hold_id));

-- A paid order has a valid ticket for each seat that its hold has, and no other order has one.
CREATE VIEW inv_ticket_not_claim AS
SELECT ticket.ticket_id, claim.event_id, claim.seat_no, ticket.state AS ticket_state, claim.state AS claim_state
  FROM (SELECT claim.* FROM claim
          JOIN fan_order USING (event_id, hold_id)
         WHERE claim.state = 'sold') AS claim
  FULL JOIN (SELECT ticket.*, fan_order.hold_id FROM ticket
               JOIN fan_order USING (order_id)
              WHERE ticket.state = 'valid') AS ticket USING (event_id, seat_no, hold_id)
 WHERE ticket.ticket_id IS NULL OR claim.state IS NULL;

-- A paid order was paid: its attempt has its whole amount, kept or taken.
CREATE VIEW inv_paid_without_money AS
SELECT fan_order.order_id, fan_order.state, fan_order.total_minor, attempt.attempt_id, attempt.state AS attempt_state
  FROM fan_order
  LEFT JOIN payment_attempt AS attempt ON attempt.attempt_id = fan_order.paid_by
 WHERE fan_order.state IN ('paid', 'refunded')
   AND NOT coalesce(attempt.order_id = fan_order.order_id AND attempt.amount_minor = fan_order.total_minor
                    AND attempt.currency = fan_order.currency
                    AND attempt.state IN ('authorized', 'captured', 'refunded'), false);

-- Money that was taken has a paid order, or is on its way back.
CREATE VIEW inv_money_without_order AS
SELECT attempt.attempt_id, attempt.state, fan_order.order_id, fan_order.state AS order_state
  FROM payment_attempt AS attempt
  JOIN fan_order USING (order_id)
 WHERE attempt.state IN ('authorized', 'captured') AND fan_order.paid_by IS DISTINCT FROM attempt.attempt_id
    OR attempt.state = 'refunding'
   AND attempt.amount_minor IS DISTINCT FROM (
        SELECT sum(refund.amount_minor) FROM refund WHERE refund.attempt_id = attempt.attempt_id);

-- Nobody gets back more than was taken.
CREATE VIEW inv_refund_too_large AS
SELECT attempt.attempt_id, attempt.amount_minor, sum(refund.amount_minor) AS refunds_minor
  FROM refund
  JOIN payment_attempt AS attempt USING (attempt_id)
 GROUP BY attempt.attempt_id
HAVING sum(refund.amount_minor) > attempt.amount_minor;

-- What is written into the books for one reason adds up to nothing.
CREATE VIEW inv_books_unbalanced AS
SELECT cause, cause_id, currency, sum(amount_minor) AS sum_minor
  FROM money_entry
 GROUP BY cause, cause_id, currency
HAVING sum(amount_minor) <> 0;

-- The books say of each order what its attempts, refunds and tickets say: what lies with the provider, what is owed to the
-- organizer and for fees.
CREATE VIEW inv_books_not_orders AS
SELECT said.order_id, said.account, coalesce(written.minor, 0) AS in_books, said.minor AS in_orders
  FROM (SELECT fan_order.order_id, each_.account, each_.minor
          FROM fan_order
         CROSS JOIN LATERAL (
                SELECT coalesce((SELECT sum(attempt.amount_minor) FROM payment_attempt AS attempt
                                  WHERE attempt.order_id = fan_order.order_id
                                    AND attempt.state IN ('captured', 'refunding', 'refunded')), 0)
                     - coalesce((SELECT sum(refund.amount_minor) FROM refund
                                  WHERE refund.order_id = fan_order.order_id AND refund.state = 'arrived'), 0) AS minor
               ) AS taken
         CROSS JOIN LATERAL (
                SELECT coalesce(sum(ticket.price_minor), 0) AS prices, coalesce(sum(ticket.fee_minor), 0) AS fees
                  FROM ticket WHERE ticket.order_id = fan_order.order_id AND ticket.state = 'valid') AS valid
         CROSS JOIN LATERAL (VALUES ('provider', taken.minor), ('organizer', -valid.prices), ('fees', -valid.fees))
                         AS each_ (account, minor)) AS said
  LEFT JOIN (SELECT money_entry.order_id, money_entry.account, sum(money_entry.amount_minor) AS minor
               FROM money_entry GROUP BY money_entry.order_id, money_entry.account) AS written USING (order_id, account)
 WHERE coalesce(written.minor, 0) <> said.minor;

-- No order is open long after its time, and no payment stays unasked for long. (No sweeper runs, or it cannot ask.)
CREATE VIEW inv_order_overdue AS
SELECT order_id, state, lapse_at AS due_at
  FROM fan_order
 WHERE state = 'open' AND lapse_at < statement_timestamp() - interval '5 minutes'
 UNION ALL
SELECT order_id, state, ask_at
  FROM payment_attempt
 WHERE ask_at < statement_timestamp() - interval '5 minutes';
