"""The line: fans who wait for an on-sale, as one number each and one number for all of them.

A fan's ticket has a key that never changes. The service publishes one number, the frontier, that only grows. A fan is
admitted when the key is not beyond it. Everything here is arithmetic about these two: no clock, no chance, no store.
"""

from frontrow.core.line.crowd import Bins, Crowd
from frontrow.core.line.draws import commitment, draw, is_promised, seed_of_tranche
from frontrow.core.line.estimates import Estimates, Room, guess_at
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.policies import Joined, LineRules, Policy, bins_of, key
from frontrow.core.line.rate import Called, Health, Inflow, Shop
from frontrow.core.line.terms import GATHERED, LineTerms, luck
from frontrow.core.line.tickets import LineTicket, TicketKeys
from frontrow.core.line.usher import Seen, Told, Usher
from frontrow.core.line.waits import Calibration, Pace, Wait

__all__ = [
    "GATHERED",
    "Bins",
    "Calibration",
    "Called",
    "Crowd",
    "Estimates",
    "Health",
    "Inflow",
    "Joined",
    "LinePhase",
    "LineRules",
    "LineTerms",
    "LineTicket",
    "Pace",
    "Policy",
    "Room",
    "Seen",
    "Shop",
    "TicketKeys",
    "Told",
    "Usher",
    "Wait",
    "bins_of",
    "commitment",
    "draw",
    "guess_at",
    "is_promised",
    "key",
    "luck",
    "seed_of_tranche",
]
