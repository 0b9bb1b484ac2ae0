"""What goes wrong on purpose: knobs for calls and for webhooks, each for so many times or a share of them.

Which fault strikes is drawn from a seed, so that a run can be repeated.
"""

import random
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, Final

import msgspec

from frontrow.psp_sim.intents import Behaviour
from frontrow.psp_sim.store import Store

SECONDS_MAX: Final = 7 * 86_400
FAULTS_MAX: Final = 100


class Kind(StrEnum):
    """Of a fault."""

    # What the buyer's bank says, whatever the payment method is. For calls that confirm.
    DECLINED = "declined"
    INSUFFICIENT = "insufficient"
    CHALLENGE = "challenge"
    LATE = "late"
    # What becomes of a call. For every call.
    SLOW = "slow"  # it takes so many seconds more, then is done and answered
    APPLY_THEN_HANG = "apply_then_hang"  # it is done, and the answer never arrives
    HANG_THEN_APPLY = "hang_then_apply"  # nothing is heard of it, and it is done after so many seconds
    DROP_BEFORE_APPLY = "drop_before_apply"  # the connection ends, and nothing is done
    RATE_LIMITED = "rate_limited"  # 429
    SERVER_ERROR = "server_error"  # 500, nothing is done; the answer is stored
    APPLY_THEN_ERROR = "apply_then_error"  # 500, yet it is done; the answer is stored
    CONFLICT = "conflict"  # 409
    # What becomes of money on its way back. For refunds.create.
    REFUND_PENDING = "refund_pending"  # it takes so many seconds
    REFUND_FAILED = "refund_failed"  # the same, and it comes back to us then
    # What becomes of a webhook. Here `call` is the type of the event.
    WEBHOOK_DUPLICATE = "webhook_duplicate"  # it comes so many times more
    WEBHOOK_DELAY = "webhook_delay"  # so many seconds later
    WEBHOOK_SHUFFLE = "webhook_shuffle"  # up to so many seconds later, each one by another time
    WEBHOOK_DROP = "webhook_drop"  # it never comes; the list of events has it
    WEBHOOK_NEVER = "webhook_never"  # it is never generated, and no list has it


BEHAVIOURS: Final = {
    Kind.DECLINED: Behaviour.DECLINES,
    Kind.INSUFFICIENT: Behaviour.LACKS_FUNDS,
    Kind.CHALLENGE: Behaviour.CHALLENGES,
    Kind.LATE: Behaviour.IS_LATE,
}
OF_CALLS: Final = frozenset(
    {
        Kind.SLOW,
        Kind.APPLY_THEN_HANG,
        Kind.HANG_THEN_APPLY,
        Kind.DROP_BEFORE_APPLY,
        Kind.RATE_LIMITED,
        Kind.SERVER_ERROR,
        Kind.APPLY_THEN_ERROR,
        Kind.CONFLICT,
    }
)
OF_REFUNDS: Final = frozenset({Kind.REFUND_PENDING, Kind.REFUND_FAILED})


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault as it is asked for."""

    kind: Kind
    call: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] = "*"  # payment_intents.capture; * is any
    times: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None  # None: until it is taken back
    share: Annotated[float, msgspec.Meta(gt=0, le=1)] = 1.0
    seconds: Annotated[float, msgspec.Meta(ge=0, le=SECONDS_MAX)] = 5.0
    copies: Annotated[int, msgspec.Meta(ge=1, le=100)] = 1


class Fault(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One that is on."""

    id: str
    struck: int = 0


class Faults:
    """Those that are on, the oldest first. They survive a restart."""

    def __init__(self, store: Store, *, chance: random.Random) -> None:
        """`chance` draws which of the calls that a share is of."""
        self._store = store
        self._chance = chance
        self._on = [msgspec.json.decode(document, type=Fault) for document in store.faults()]
        self._made = max((int(fault.id.rpartition("_")[2]) for fault in self._on), default=0)

    def on(self) -> list[Fault]:
        return list(self._on)

    def switch_on(self, asked: Asked) -> Fault:
        self._made += 1
        fault = Fault(**msgspec.structs.asdict(asked), id=f"fault_{self._made:06d}")
        self._keep(fault)
        self._on.append(fault)
        return fault

    def switch_off(self, fault_id: str | None) -> list[Fault]:
        """One of them, or all. Which they were."""
        off = [fault for fault in self._on if fault_id in {None, fault.id}]
        for fault in off:
            self._on.remove(fault)
            self._store.drop_fault(fault.id)
        return off

    def strikes(self, kinds: frozenset[Kind], what: str) -> Fault | None:
        """The first one of these kinds that strikes this call or type of event."""
        for fault in self._on:
            if fault.kind in kinds and fnmatchcase(what, fault.call) and self._chance.random() < fault.share:
                self._count(fault)
                return fault
        return None

    def due_times(self, kind: str, now: float) -> list[float] | None:
        """When an event is to be delivered, each copy of it. None: it is not even generated."""
        if not self._on:
            return [now]
        if self.strikes(frozenset({Kind.WEBHOOK_NEVER}), kind):
            return None
        if self.strikes(frozenset({Kind.WEBHOOK_DROP}), kind):
            return []
        first = now
        if delayed := self.strikes(frozenset({Kind.WEBHOOK_DELAY}), kind):
            first += delayed.seconds
        if shuffled := self.strikes(frozenset({Kind.WEBHOOK_SHUFFLE}), kind):
            first += self._chance.random() * shuffled.seconds
        repeated = self.strikes(frozenset({Kind.WEBHOOK_DUPLICATE}), kind)
        return [first] * (1 + (repeated.copies if repeated else 0))

    def _count(self, fault: Fault) -> None:
        struck = msgspec.structs.replace(fault, struck=fault.struck + 1)
        place = self._on.index(fault)
        if struck.struck == struck.times:
            del self._on[place]
            self._store.drop_fault(fault.id)
        else:
            self._on[place] = struck
            self._keep(struck)

    def _keep(self, fault: Fault) -> None:
        self._store.keep_fault(fault.id, msgspec.json.encode(fault))
