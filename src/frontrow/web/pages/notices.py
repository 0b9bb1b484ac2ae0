"""What a page says first after something was refused, lost or given back: what happened, what was lost, what to do.

The words are for the person who pressed the button; those for programs are in problems.py, and the statuses too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from frontrow.core.holds import Refusal, SeatsTaken
from frontrow.core.money import Money
from frontrow.flows.at_hand import EventAtHand
from frontrow.web.pages import seat_words
from frontrow.web.pages.seat_words import Seat, seats_of
from frontrow.web.pages.visits import Door
from frontrow.web.pages.wishes import Wishes, party_max
from frontrow.web.pages.words import counted, money


@dataclass(frozen=True, slots=True)
class Notice:
    """A heading, and two or three sentences."""

    slug: str  # the problem of the catalogue that this is; empty: all is well
    title: str
    words: str


BUSY: Final = Notice(
    "slow-down",
    "Many fans at once",
    "More fans press this button than can be answered in the same second. Nothing was held or charged. "
    "What you chose is kept; try again.",
)
UNREACHED: Final = Notice(
    "unavailable",
    "Not at the moment",
    "A part of the service is away, so it is not certain whether your seats are held. Nothing was charged. "
    "What you chose is kept. Try again: you never get it twice.",
)
PAY_BUSY: Final = Notice(
    "slow-down",
    "Many fans at once",
    "More fans pay in this second than can be answered. Nothing was charged, and your seats are still held. "
    "Try again: you never pay twice.",
)
PAY_UNREACHED: Final = Notice(
    "unavailable",
    "Not at the moment",
    "A part of the service is away, so it is not certain how far your payment got. Your seats are still held. "
    "Try again: you never pay twice.",
)
MAILED_AGAIN: Final = Notice(
    "", "On its way again", "The tickets are mailed once more, to the address below. It can take a minute or two."
)

# By the provider's word for it; what is not in here is the first.
DECLINED: Final[Mapping[str, Notice]] = MappingProxyType(
    {
        "": Notice(
            "declined",
            "Your bank said no",
            "It does not tell us why. Nothing was charged, and your seats are still held. "
            "Try again, or another way to pay.",
        ),
        "insufficient_funds": Notice(
            "declined",
            "There is not enough on this card",
            "Nothing was charged, and your seats are still held. Try another way to pay.",
        ),
        "payment_intent_authentication_failure": Notice(
            "declined",
            "Your bank did not recognise you",
            "It asked whether it was you, and the answer was no, or none. Nothing was charged, and your seats are "
            "still held. Try again, or another way to pay.",
        ),
    }
)
NO_COOKIE: Final = Notice(
    "sign-in-needed",
    "We did not recognise your browser",
    "It did not send the cookie by which we keep seats for you. Nothing was held or charged. "
    "What you chose is kept; try again, and allow cookies for this site if it happens twice.",
)
NOT_LET_IN: Final = Notice(
    "not-admitted",
    "It is not your turn",
    "This event has a waiting room, and your time to choose has ended or not begun. Nothing was held or charged, and "
    "what you chose is kept here. Go to the waiting room: it lets you in when it is your turn.",
)
NOT_INVITED: Final = Notice(
    "code-needed",
    "For invited fans at the moment",
    "Your session has ended, or you have not used a code yet. Nothing was held or charged, and what you chose is kept "
    "here. Go to the event and use your code: the same one again, if you have used it before.",
)
RELEASED: Final = Notice(
    "",
    "Given back",
    "The seats you held are on sale again. Nothing was charged. They are still picked here, "
    "and yours again if you are the first to hold them.",
)

# Why nothing can be held at the moment.
CLOSED: Final[Mapping[Door, str]] = MappingProxyType(
    {
        Door.OPEN: "",
        Door.ANNOUNCED: "The sale has not begun. Look around, and decide where you would like to be.",
        Door.WAITING_ROOM: (
            "This event has a waiting room. You can look at everything here, and choose when it is your turn."
        ),
        Door.PRESALE: (
            "This sale is for invited fans at the moment. You can look at everything here, and choose with your code."
        ),
        Door.SOLD_OUT: "All seats are taken at the moment. What others hold may come back: you would see it here.",
        Door.ENDED: "This event is over.",
        Door.CANCELLED: "This event does not take place.",
    }
)

_REFUSED: Final[Mapping[Refusal, Notice]] = MappingProxyType(
    {
        Refusal.FOREIGN: Notice(
            "hold-exists",
            "Please press once more",
            "This page was opened by somebody else before. Nothing was held or charged.",
        ),
        Refusal.NOT_ON_SALE: Notice(
            "not-on-sale",
            "The sale is closed",
            "It closed while you were choosing, or has not begun. Nothing was held or charged.",
        ),
        Refusal.NO_SEATS: Notice("invalid", "No seats were picked", "Nothing was held or charged. Pick some first."),
        Refusal.UNKNOWN_SEAT: Notice(
            "unknown-seat",
            "One of these seats does not exist",
            "The plan of this event has changed since you opened the page. Nothing was held or charged. Choose again.",
        ),
        Refusal.SEAT_TWICE: Notice("invalid", "A seat was named twice", "Nothing was held or charged. Choose again."),
        Refusal.HOLD_EXISTS: Notice(
            "hold-exists",
            "You hold seats here already",
            "One fan holds seats once at a time. Those you have stay yours; hold the new ones instead of them, "
            "or go on with what you have.",
        ),
        Refusal.UNKNOWN: Notice("not-found", "There is nothing here", "Nothing was held or charged. Choose again."),
    }
)


def refused(outcome: SeatsTaken | Refusal, at_hand: EventAtHand, wishes: Wishes) -> Notice:
    """The words for a no of the ledger."""
    match outcome:
        case SeatsTaken():
            return _taken(outcome, at_hand, wishes)
        case Refusal.TOO_MANY_SEATS:
            most = counted(party_max(at_hand.event), "seat")
            words = f"One fan can hold up to {most} here. Nothing was held or charged. Choose fewer."
            return Notice("too-many-seats", "Too many at once", words)
        case Refusal.LIMIT_REACHED:
            most = counted(at_hand.event.tickets_per_fan_max, "ticket")
            words = (
                f"One fan may have up to {most} for this event, held and bought together. What you have stays yours."
            )
            return Notice("limit-reached", "That would be more than one fan may have", words)
        case _:
            return _REFUSED[outcome]


def instead(wanted: Sequence[Seat], seats: Sequence[Seat]) -> Notice:
    """The words for other seats than the wanted ones, held already."""
    lost = seat_words.words(wanted)
    words = (
        f"{lost} went to another fan first. We hold {seat_words.words(seats)} for you instead, {_price(wanted, seats)}."
    )
    return Notice(
        "", "Someone was faster, and these are as near", f"{words} Nothing is charged; you can still let them go."
    )


def _taken(outcome: SeatsTaken, at_hand: EventAtHand, wishes: Wishes) -> Notice:
    if at_hand.seats.is_sold_out:
        return Notice("sold-out", "Sold out", "The last seats have just gone. Nothing was held or charged.")
    if not wishes.seats:
        many = counted(wishes.party, "seat")
        words = (
            f"There are not {many} free as you asked for them. Nothing was held or charged. Try fewer, or elsewhere."
        )
        return Notice("seats-taken", "Not enough left together", words)
    lost = seat_words.words(seats_of(at_hand, outcome.taken or wishes.seats))
    words = (
        f"{lost} went to another fan first, and nothing like it is free. Nothing was held or charged. Choose others."
    )
    return Notice("seats-taken", "Someone was faster", words)


def _price(wanted: Sequence[Seat], seats: Sequence[Seat]) -> str:
    before, now = seat_words.total(wanted), seat_words.total(seats)
    if now == before:
        return "at the same price"
    apart = Money(abs(now.amount - before.amount), now.currency)
    return f"for {money(apart)} {'more' if before < now else 'less'} in total"
