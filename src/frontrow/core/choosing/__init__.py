"""Choosing seats for a fan: the best together, or the nearest to those that somebody else was quicker to take.

`plan_seats` says once how good every seat of an event is, a `Supply` knows which are free, `choose` and
`alternatives` answer from it; `hot_sections` guesses what goes first. Nothing is held here: what they return is a
proposal, and the ledger decides.
"""

from frontrow.core.choosing.alternatives import alternatives
from frontrow.core.choosing.best import choose
from frontrow.core.choosing.hot import hot_sections
from frontrow.core.choosing.plan import SeatPlan, plan_seats
from frontrow.core.choosing.supply import Supply

__all__ = ["SeatPlan", "Supply", "alternatives", "choose", "hot_sections", "plan_seats"]
