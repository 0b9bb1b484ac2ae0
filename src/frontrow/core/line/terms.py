"""What a line goes by: its rules, its times, how many seats are left, and what an operator has said.

All of it comes from the catalogue and the ledger, and is known to those who let fans in, who do not ask PostgreSQL.
Times are seconds since 1970 and arrive as arguments.
"""

from dataclasses import dataclass
from math import ceil, inf
from typing import Final

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.line.draws import commitment, draw, seed_of_tranche
from frontrow.core.line.phases import LinePhase
from frontrow.core.line.policies import Joined, LineRules, Policy, key

CAP: Final = 5_000  # sessions at once: what the payment providers of most organizers bear
VISIT_SECONDS: Final = 900  # of one session: a quarter of an hour to choose and to begin to pay
SEATS_PER_VISIT: Final = 1.5  # what one who is let in takes in the mean: seven of ten buy, two or three each

DRAINED: Final = "Nobody more is let in at the moment; whoever is inside may finish."
_MS: Final = 1_000  # a ticket says when in whole milliseconds


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOrders:
    """What an operator has said of a line."""

    paused: str | None = None  # the reason, as fans are told it
    is_drained: bool = False  # nobody more comes in, those who were called included
    per_second_max: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTerms(LineOrders):
    """One line, as far as it does not depend on who waits."""

    event_id: EventId
    rules: LineRules
    seed: bytes
    opens_at: float
    on_sale_at: float
    ends_at: float
    seats_unsold: int  # free, or held and so perhaps free again
    cap: int = CAP
    visit_seconds: int = VISIT_SECONDS
    is_cancelled: bool = False
    codes_until: float | None = None  # until then fans with an access code alone may join
    frontier: float = 0.0  # as far as the line was known to have come, by what outlives everything else

    def phase(self, now: float) -> LinePhase:
        """Where the line is in its life. In order of precedence: the first that applies is the answer."""
        if self.is_cancelled or now >= self.ends_at:
            return LinePhase.OVER
        if now < self.opens_at:
            return LinePhase.CLOSED
        if now < self.on_sale_at:
            return LinePhase.GATHERING
        if self.seats_unsold == 0:
            return LinePhase.SOLD_OUT
        return LinePhase.PAUSED if self.paused or self.is_drained else LinePhase.ADMITTING

    def asks_for_code(self, now: float) -> bool:
        """Whether fans without an access code may not join yet."""
        return self.codes_until is not None and now < self.codes_until

    @property
    def message(self) -> str | None:
        """Why it does not move, if somebody has stopped it."""
        return self.paused or (DRAINED if self.is_drained else None)

    @property
    def commitment(self) -> bytes:
        return commitment(self.seed)

    @property
    def buyers_max(self) -> float:
        """Fans whom the seats that are left can still serve, those inside among them."""
        return float(ceil(self.seats_unsold / SEATS_PER_VISIT))

    @property
    def calls_per_second_max(self) -> float:
        return inf if self.per_second_max is None else self.per_second_max

    def joined(self, now: float, frontier: float) -> Joined:
        """What a ticket says of who joins now."""
        if self.rules.policy is Policy.FIRST_COME:
            return Joined(_whole(now - self.opens_at))
        if now < self.on_sale_at:
            return GATHERED
        return Joined(max(_whole(now - self.on_sale_at), 1 / _MS), frontier)

    def key(self, fan_id: FanId, joined: Joined) -> float:
        """The key of a fan's ticket."""
        return key(self.rules, joined, luck(self.rules, joined, self.seed, self.event_id, fan_id))


GATHERED: Final = Joined(0.0)


def luck(rules: LineRules, joined: Joined, seed: bytes, event_id: EventId, fan_id: FanId) -> float:
    """What a fan has drawn: once for the whole line. Joining again later draws nothing new.

    Only where a later tranche is behind every earlier one has each a draw of its own.
    """
    if rules.policy is Policy.TRANCHES:
        seed = seed_of_tranche(seed, joined.tranche(rules))
    return draw(seed, event_id, fan_id)


def _whole(seconds: float) -> float:
    return max(int(seconds * _MS), 0) / _MS
