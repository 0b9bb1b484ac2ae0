"""psp-sim: a payment provider that runs beside Frontrow, for the demo and for tests. No money moves.

It has the shape of Stripe's API for the calls that Frontrow makes, and is driven through Stripe's own client. It is a
program of its own with a store of its own: nothing of Frontrow's ledger is in here, so that it can be asked, like a
bank, where the money is.
"""
