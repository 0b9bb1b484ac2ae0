"""How a change is kept: the intent or refund, the money it moves, the check, and the events that tell of it.

Whoever calls has opened `Store.whole()`: all of it is kept, or nothing.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from frontrow.psp_sim import ledger
from frontrow.psp_sim.faults import Faults
from frontrow.psp_sim.intents import Intent, Refund, RefundStatus, Status
from frontrow.psp_sim.shapes import Shape, charge_shape, event_shape, intent_shape, refund_shape
from frontrow.psp_sim.store import Store

CREATED: Final = "payment_intent.created"
TOLD: Final = {
    Status.REQUIRES_PAYMENT_METHOD: "payment_intent.payment_failed",  # it comes back to this state in no other way
    Status.REQUIRES_ACTION: "payment_intent.requires_action",
    Status.PROCESSING: "payment_intent.processing",
    Status.REQUIRES_CAPTURE: "payment_intent.amount_capturable_updated",
    Status.SUCCEEDED: "payment_intent.succeeded",
    Status.CANCELED: "payment_intent.canceled",
}

Ids = Callable[[str], str]  # a new one, of a prefix


class Cause(msgspec.Struct, frozen=True):
    """The request that a change goes back to, if any, and when it is."""

    now: float
    request_id: str | None = None
    key: str | None = None

    @property
    def at(self) -> int:
        return int(self.now)


class Books:
    """Keeps what changes."""

    def __init__(self, store: Store, faults: Faults, *, ids: Ids, bank: str, events_wanted: frozenset[str]) -> None:
        """`events_wanted`: the types that are delivered; `*` is all of them, none is no webhooks."""
        self.store = store
        self.faults = faults
        self.ids = ids
        self._bank = bank
        self._events_wanted = events_wanted

    def shape(self, intent: Intent) -> Shape:
        return intent_shape(intent, bank=self._bank)

    def make_intent(self, intent: Intent, cause: Cause) -> None:
        self.store.add_intent(intent)
        self._tell(CREATED, self.shape(intent), cause)

    def change_intent(self, before: Intent, after: Intent, cause: Cause, *, due: float | None = None) -> None:
        """`due`: when a payment that is processing comes through."""
        self.store.save_intent(after, due=due)
        self.store.move(after, ledger.moves_of_intent(before, after), at=cause.at)
        self._check(after, self.store.refunds_of(after.id) if after.amount_received else ())
        if before.status is not after.status or after.status is Status.REQUIRES_PAYMENT_METHOD:
            self._tell(TOLD[after.status], self.shape(after), cause)

    def make_refund(self, intent: Intent, refund: Refund, cause: Cause, *, due: float | None) -> None:
        self.store.add_refund(refund, due=due)
        refunds = self._moved(intent, None, refund, cause)
        self._tell("refund.created", refund_shape(refund), cause)
        self._tell("charge.refunded", charge_shape(intent, refunds), cause)

    def end_refund(self, before: Refund, after: Refund, cause: Cause) -> None:
        intent = self.store.intent(after.payment_intent)
        assert intent is not None, "a refund is of an intent"
        self.store.save_refund(after)
        self._moved(intent, before, after, cause)
        shape = refund_shape(after)
        self._tell("refund.updated", shape, cause)
        if after.status is RefundStatus.FAILED:
            self._tell("refund.failed", shape, cause)

    def _moved(self, intent: Intent, before: Refund | None, after: Refund, cause: Cause) -> list[Refund]:
        self.store.move(intent, ledger.moves_of_refund(before, after), at=cause.at)
        refunds = self.store.refunds_of(intent.id)
        self._check(intent, refunds)
        return refunds

    def _check(self, intent: Intent, refunds: Sequence[Refund]) -> None:
        ledger.check(self.store.standing(intent.id), intent, refunds)

    def _tell(self, kind: str, subject: Shape, cause: Cause) -> None:
        due_times = self.faults.due_times(kind, cause.now)
        if due_times is None:
            return
        event_id = self.ids("evt_")
        shape = event_shape(
            event_id=event_id,
            kind=kind,
            subject=subject,
            at=cause.at,
            request_id=cause.request_id,
            key=cause.key,
        )
        number = self.store.add_event(event_id, kind, msgspec.json.encode(shape), at=cause.at)
        if self._events_wanted & {kind, "*"}:
            for due in due_times:
                self.store.add_delivery(number, began=cause.now, due=due)
