"""The line: fans who wait for an on-sale, as one number each and one number for all of them.

A fan's ticket has a key that never changes. The service publishes one number, the frontier, that only grows. A fan is
admitted when the key is not beyond it. Everything here is arithmetic about these two: no clock, no chance, no store.
"""

from frontrow.core.line.crowd import Bins, Crowd
from frontrow.core.line.draws import commitment, draw, is_promised, seed_of_tranche
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.policies import Joined, LineRules, Policy, bins_of, key
from frontrow.core.line.rate import Called, Health, Inflow, Shop
from frontrow.core.line.waits import Calibration, Pace, Wait

__all__ = [
    "Bins",
    "Calibration",
    "Called",
    "Crowd",
    "Health",
    "Inflow",
    "Joined",
    "LinePhase",
    "LineRules",
    "Pace",
    "Policy",
    "Shop",
    "Wait",
    "bins_of",
    "commitment",
    "draw",
    "is_promised",
    "key",
    "seed_of_tranche",
]
