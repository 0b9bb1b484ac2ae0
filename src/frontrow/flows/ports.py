"""What the flows and pages need from outside, as they need it. Adapters satisfy these by shape."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol, TypeVar

from frontrow.core.access_codes import CodeNumber
from frontrow.core.cancelling import CancelRefusal, CancelWish
from frontrow.core.catalogue import (
    City,
    CityId,
    Event,
    EventId,
    Listing,
    Place,
    Production,
    ProductionId,
    SeatMapSha,
    Venue,
    VenueId,
)
from frontrow.core.door_book import Knock, Knocked, Lockout, Strike
from frontrow.core.fans import AskLater, CodeAsked, EmailAddress, Nonce
from frontrow.core.guard import AtTheGuard, Joining, LockedOut, SlowDown
from frontrow.core.holds import Deferred, FanId, Hold, HoldAnswer, HoldId, HoldRequest, Refusal
from frontrow.core.jobs import Job, JobKind, JobTaken
from frontrow.core.line.policies import Joined, LineRules
from frontrow.core.line.terms import LineOrders, LineTerms
from frontrow.core.line.usher import Told
from frontrow.core.line.visits import AtTheDoor, Inside, InsideNow, Known, SessionState
from frontrow.core.live_seats import ClaimsSeen
from frontrow.core.mail import KeptMail, Letter, Mail, MailRefused
from frontrow.core.meaning import Match, Meaning
from frontrow.core.news import News
from frontrow.core.orders import Order, OrderAnswer, OrderId, OrderRequest, OrderState, TicketId
from frontrow.core.papers import AboutOrder, Papers
from frontrow.core.payments import (
    Attempt,
    AttemptId,
    AttemptRequest,
    MoneyCame,
    PayAnswer,
    PaymentSeen,
    ProviderAnswer,
    Refund,
    RefundId,
    RefundSeen,
    Sale,
)
from frontrow.core.price_levels import LevelsGone
from frontrow.core.proofs import ChallengeTerms, ProofWrong, Proven
from frontrow.core.search import (
    CityFound,
    Near,
    Position,
    ProductionsAsked,
    Sort,
    Spread,
    Suggestion,
    VenueInCity,
    VenuesAsked,
    Wish,
)
from frontrow.core.tickets import TicketKeyId
from frontrow.core.updates import Batch, Update

Clock = Callable[[], datetime]  # aware, UTC; for what is shown. Whether a hold has ended, PostgreSQL's clock decides.


# An open SQL transaction. Only adapters look inside; what is done with the same one is stored together or not at all.
Tx_co = TypeVar("Tx_co", covariant=True)
Tx_contra = TypeVar("Tx_contra", contravariant=True)


class Catalogue(Protocol):
    """Everything that can be visited, read only."""

    async def upcoming(self, *, now: datetime, limit: int) -> Sequence[Listing]:
        """Announced and cancelled events that have not ended at `now`, soonest first."""
        ...

    async def listings_of_productions(
        self, productions: Sequence[ProductionId], *, city_id: CityId | None, now: datetime, of_each: int
    ) -> Sequence[Listing]:
        """The same, of each production the soonest ones, in a city or anywhere."""
        ...

    async def listing(self, event_id: EventId) -> Listing | None:
        """One event, or None where the public knows of none."""
        ...

    async def listings_of(self, production_id: ProductionId, *, now: datetime, limit: int) -> Sequence[Listing]:
        """The same as `upcoming`, of one production."""
        ...

    async def event(self, event_id: EventId) -> Event | None:
        """The event behind a listing: its prices, the dearest first, its seat map and its limits."""
        ...

    async def production(self, production_id: ProductionId) -> Production | None:
        """One production, or None where the public knows of no event of it."""
        ...

    async def city(self, city_id: CityId) -> City | None: ...

    async def venue(self, venue_id: VenueId) -> Venue | None: ...

    async def seat_map(self, sha: SeatMapSha) -> bytes | None:
        """The canonical form of a seat map."""
        ...


class Ledger(Protocol):
    """Where it is decided who has which seat: a whole batch at a time, each request by itself.

    Every call may end in UnavailableError (nothing was done) or OutcomeUnknownError (ask again with the same ids).
    """

    async def hold_seats(self, event_id: EventId, requests: Sequence[HoldRequest]) -> Batch[HoldAnswer | Deferred]: ...

    async def release_holds(
        self, event_id: EventId, asked: Sequence[tuple[HoldId, FanId]]
    ) -> Batch[Hold | Refusal]: ...

    async def expire_holds(self, event_id: EventId, holds: Sequence[HoldId]) -> Batch[None]:
        """End those of the holds whose time is over."""
        ...


class HoldMoving(Protocol):
    """The part of the ledger that lets a hold go over to another fan."""

    async def move_hold(
        self, event_id: EventId, hold_id: HoldId, *, from_fan: FanId, to_fan: FanId
    ) -> Batch[Hold | Refusal]:
        """The hold, held by the other fan; or why it stays whose it is. Doing it again changes nothing."""
        ...


class Orders(Protocol):
    """Where it is decided what is paid. Every call may end in UnavailableError or OutcomeUnknownError, as the ledger's.

    `mail`: what is to be sent to those whom it concerns; None: nothing.
    """

    async def open_orders(self, event_id: EventId, requests: Sequence[OrderRequest]) -> Batch[OrderAnswer]:
        """Fans begin to pay for their holds."""
        ...

    async def sell_orders(
        self, event_id: EventId, came: Sequence[MoneyCame], *, key_id: TicketKeyId, mail: JobKind | None
    ) -> Batch[Sale]:
        """There is money for these attempts: their orders' seats are sold, and the orders are paid."""
        ...

    async def sell_late(
        self, event_id: EventId, money: MoneyCame, *, key_id: TicketKeyId, mail: JobKind | None
    ) -> Batch[Sale]:
        """There is money, and its order is not open: it buys the same seats after all, or goes back."""
        ...

    async def lapse_orders(
        self, event_id: EventId, orders: Sequence[OrderId], *, mail: JobKind | None
    ) -> Batch[OrderState]:
        """End those of the orders whose time is over."""
        ...

    async def cancel(
        self,
        order: Order,
        wish: CancelWish,
        *,
        before_seconds: int,
        mail: JobKind | None,
    ) -> Batch[CancelRefusal | None]:
        """Cancel these tickets of an order, or all there is. None: it is done, now or before."""
        ...

    async def orders_over(self, *, apart_from: Collection[EventId], limit: int) -> Mapping[EventId, Sequence[OrderId]]:
        """Open orders whose time is over, the oldest first; none of the events that are named."""
        ...

    async def order(self, order_id: OrderId, fan_id: FanId) -> Order | None:
        """One order of a fan. Others' orders are not there."""
        ...

    async def orders(self, fan_id: FanId, *, limit: int) -> Sequence[Order]:
        """The orders of a fan, the newest first."""
        ...


class TicketOwners(Protocol):
    """Whose orders and tickets are. Others' tickets are not there."""

    async def fan_of(self, order_id: OrderId) -> FanId | None: ...

    async def order_of(self, ticket_id: TicketId, fan_id: FanId) -> OrderId | None: ...


class Attempts(Protocol):
    """What was asked of a provider, and what it said. Faults as above."""

    async def begin(self, _: EventId, requests: Sequence[AttemptRequest]) -> Batch[PayAnswer]:
        """Store these attempts, before anybody is asked for money. Whatever event they are of."""
        ...

    async def attempt(self, attempt_id: AttemptId) -> Attempt | None: ...

    async def since(self, since: datetime, *, limit: int) -> Sequence[Attempt]:
        """Those that were made since then, the newest first, at most so many."""
        ...

    async def take_due(self, *, limit: int) -> Sequence[Attempt]:
        """Attempts that the provider is to be asked about. Nobody else gets them before their next time."""
        ...

    async def note_challenged(self, attempt_id: AttemptId, *, ref: str, url: str) -> None: ...

    async def note_pending(self, attempt_id: AttemptId, *, ref: str) -> None: ...

    async def note_declined(self, attempt_id: AttemptId, *, ref: str | None, reason: str) -> None: ...

    async def note_unknown(self, attempt_id: AttemptId) -> None:
        """No answer came. Its order has a little longer, once."""
        ...

    async def note_captured(self, _: EventId, attempts: Sequence[AttemptId]) -> Batch[bool]:
        """The money of these is ours. Whether that is news, of each."""
        ...

    async def note_voided(self, attempt_id: AttemptId) -> None: ...

    async def ask_soon(self, attempt_id: AttemptId | None, *, ref: str | None) -> bool:
        """There is news of an attempt. False: of none that is undecided here."""
        ...

    async def refund(self, refund_id: RefundId) -> Refund | None: ...

    async def note_refund(self, refund_id: RefundId, seen: RefundSeen) -> None: ...


class Provider(Protocol):
    """Who gets us the money. Every call may end in UnavailableError (nothing was asked) or OutcomeUnknownError."""

    @property
    def name(self) -> str: ...

    @property
    def is_away(self) -> bool:
        """It did not answer lately, and is let be for a while."""
        ...

    async def authorize(self, attempt: Attempt, *, return_url: str) -> ProviderAnswer:
        """Have the money kept for us. Asking again for the same attempt is the same request."""
        ...

    async def look(self, ref: str) -> ProviderAnswer:
        """How it stands."""
        ...

    def payments(self, *, since: datetime) -> AsyncIterator[PaymentSeen]:
        """All payments that were begun since then, the newest first."""
        ...

    async def find(self, attempt: Attempt) -> ProviderAnswer | None:
        """How it stands, where its name was never heard. None: there is no such payment."""
        ...

    async def capture(self, attempt_id: AttemptId, ref: str) -> ProviderAnswer:
        """Take the money that is kept. Asking twice is asking once."""
        ...

    async def void(self, attempt_id: AttemptId, ref: str) -> ProviderAnswer:
        """Let go the money that is kept. Asking twice is asking once."""
        ...

    async def refund(self, refund: Refund) -> RefundSeen:
        """Give money back, or see how that stands."""
        ...


class NewsReader(Protocol):
    """Who tells genuine news of a provider from others."""

    def read(self, body: bytes, signature: str, *, now: float) -> News | None:
        """What a webhook tells. None: it is not genuine, too old or too new, or no webhook at all."""
        ...


class Journal(Protocol):
    """What the ledger has decided, for those who follow."""

    async def claims(self, event_id: EventId) -> ClaimsSeen | None:
        """All claims of an event as they are now, or None where there is no such event."""
        ...

    async def updates_after(self, followed: Mapping[EventId, int], *, limit: int) -> Mapping[EventId, Sequence[Update]]:
        """Of each event, what came after the update of that number: in order, at most so many."""
        ...

    async def hold(self, hold_id: HoldId, fan_id: FanId) -> tuple[EventId, Hold] | None:
        """One hold of a fan. Others' holds are not there."""
        ...

    async def live_hold(self, event_id: EventId, fan_id: FanId) -> Hold | None:
        """What a fan holds at an event now: at most one hold is live."""
        ...

    async def holds_over(self, *, apart_from: Collection[EventId], limit: int) -> Mapping[EventId, Sequence[HoldId]]:
        """Holds that are held although their time is over, the oldest first; none of the events that are named."""
        ...


class Transactions(Protocol[Tx_co]):
    """Where what belongs together is stored together. Await nothing else inside.

    UnavailableError: nothing was stored. OutcomeUnknownError: it may have been.
    """

    def transaction(self) -> AbstractAsyncContextManager[Tx_co]: ...


class Fans(Protocol[Tx_contra]):
    """Who is who, by address."""

    async def ask_code(self, tx: Tx_contra, /, email: EmailAddress, nonce: Nonce) -> CodeAsked | AskLater:
        """From now on this address has the code of this nonce, and no other."""
        ...

    async def spend_try(self, email: EmailAddress) -> Nonce | None:
        """The nonce that a code for this address is made from, for one try; None: no code can be right."""
        ...

    async def sign_in(self, tx: Tx_contra, /, email: EmailAddress, nonce: Nonce, *, new_fan: FanId) -> FanId | None:
        """The fan of this address, whose code is used up by it; None: it was used before."""
        ...

    async def email_of(self, fan_id: FanId) -> EmailAddress | None:
        """A fan's address; None: they are nameless."""
        ...

    async def live_holds(self, fan_id: FanId) -> Sequence[tuple[EventId, HoldId]]:
        """What a fan holds now, at whatever events."""
        ...


class FansKnown(Protocol):
    """The part of `Fans` that tells who has an address."""

    async def email_of(self, fan_id: FanId) -> EmailAddress | None:
        """A fan's address; None: they are nameless."""
        ...


class AccessBook(Protocol):
    """Codes of presales that were used. Every call may end in UnavailableError or OutcomeUnknownError."""

    async def use(self, event_id: EventId, number: CodeNumber, fan_id: FanId) -> bool:
        """The fan has access by it, or had it before. False: the code is somebody else's."""
        ...


class Identity(Protocol):
    """Somebody else who knows fans, and gives them tokens."""

    def fan(self, token: bytes, *, now: float) -> FanId | None:
        """Whose token it is, in seconds since 1970; None: it is none of theirs, or its time is over."""
        ...


class Guard(Protocol):
    """Who looks at everybody who joins a line without a ticket, before one is made, and at how often they poll then."""

    async def may_join(self, joining: Joining) -> AtTheGuard: ...

    async def may_poll(self, fan_id: FanId, poll_seconds: float) -> SlowDown | LockedOut | None:
        """Whether a fan with a ticket, who was told to wait so long between two polls, may be answered now."""
        ...

    async def struck(self, fan_id: FanId, why: Strike) -> Lockout | None:
        """A fan did what nobody does by mistake; the lockout, if that was too much."""
        ...

    def newcomer(self, proof: str | None) -> FanId | None:
        """The fan whom a challenge was made for that somebody nameless was given."""
        ...


class LineBook(Protocol):
    """Lines as they are stored. Every call may end in UnavailableError or OutcomeUnknownError."""

    async def lines(self) -> Sequence[LineTerms]:
        """What lines go by that are not long over."""
        ...

    async def keep_frontiers(self, frontiers: Mapping[EventId, float]) -> None:
        """So far lines have come; one that was further stays there."""
        ...

    async def paid(self, event_id: EventId, fans: Sequence[FanId]) -> Sequence[tuple[FanId, SessionState, float]]:
        """Of these fans: who pays now, and who has bought; with the time at which that hold was placed."""
        ...

    async def order(self, event_id: EventId, orders: LineOrders) -> bool:
        """An operator says something. False: there is no such line."""
        ...

    async def set_rules(self, event_id: EventId, rules: LineRules, *, cap: int, visit_seconds: int) -> bool:
        """How a line is ordered. False: it has opened, or there is none."""
        ...


class Door(Protocol):
    """Where fans join and come in. Every call may end in UnavailableError."""

    async def admit(self, terms: LineTerms, fan_id: FanId, *, joined_at: float, number: int, now: float) -> AtTheDoor:
        """Let a fan in if there is room, or say what session there is already. `number` is of a new session."""
        ...

    async def join(
        self, event_id: EventId, fan_id: FanId, joined: Joined, *, since: float, now: float
    ) -> Inside | Joined:
        """What a fan has who brings no ticket: a session, or a place from before; else this place is kept.

        `since`: what the seconds of the place count from.
        """
        ...

    async def session(self, event_id: EventId, fan_id: FanId) -> Known | None:
        """The last session of a fan, whatever has become of it."""
        ...

    async def mark(self, event_id: EventId, fan_id: FanId, state: SessionState, *, now: float, began_by: float) -> bool:
        """Note what has become of a session that began by then. False: there is none, or that was known."""
        ...


class LineNews(Protocol):
    """What those who let fans in hear, and what they say. Every call may end in UnavailableError."""

    async def published(self) -> tuple[Sequence[LineTerms], Sequence[tuple[EventId, Told]], bool]:
        """Terms, what was told of each line, and whether all is well where seats are sold."""
        ...

    async def inside_news(self, since: Mapping[EventId, float]) -> Mapping[EventId, tuple[bytes | None, Sequence[int]]]:
        """Of each line: which opening of its door this is, and which sessions have ended early from a moment on."""
        ...

    async def say(self, beats: Mapping[EventId, bytes]) -> None:
        """Tell the usher who waits."""
        ...

    async def restore(self, event_id: EventId, sessions: Mapping[FanId, Known], *, today: int) -> int:
        """Put back sessions that are not there any more. Answers how many."""
        ...


class Lobby(Protocol):
    """What an usher looks at, and where he tells how far lines have come. Every call may end in UnavailableError."""

    async def lead(self, who: str, *, seconds: float) -> bool:
        """Be the usher for so long. False: somebody else is."""
        ...

    async def look(self, event_id: EventId, *, now: float) -> InsideNow: ...

    async def beats(self, event_id: EventId) -> Sequence[bytes]:
        """What was said since the last time of those who wait."""
        ...

    async def tell(self, who: str, told: Mapping[EventId, tuple[Told, bool]]) -> bool:
        """Tell what lines go by, and whether doors are to be open. False: somebody else is the usher by now."""
        ...

    async def keep_crowd(self, event_id: EventId, weights: Sequence[float]) -> None:
        """For the usher who takes over."""
        ...

    async def crowd(self, event_id: EventId) -> Sequence[float]:
        """Those who waited, bin by bin; nobody where that is lost."""
        ...


class LinePublishing(Protocol):
    """Where it is published what lines go by. Every call may end in UnavailableError."""

    async def publish(self, lines: Sequence[LineTerms], *, is_well: bool) -> None: ...

    async def published(self) -> tuple[Sequence[LineTerms], Sequence[tuple[EventId, Told]], bool]: ...

    async def inside(self, event_id: EventId, *, now: float) -> Sequence[FanId]:
        """Everybody who has a session."""
        ...

    async def mark(
        self, event_id: EventId, fan_id: FanId, state: SessionState, *, now: float, began_by: float
    ) -> bool: ...


class DoorBook(Protocol):
    """What all processes note together of those who knock. Every call may end in UnavailableError."""

    async def knock(self, knock: Knock) -> Knocked: ...

    async def strike(self, who: str, why: Strike) -> Lockout | None:
        """Note what somebody did; the lockout, if that was too much."""
        ...


class Proofs(Protocol):
    """Challenges, and what was made of them."""

    def challenge(self, terms: ChallengeTerms, *, now: float) -> Mapping[str, object]:
        """As a device is given it."""
        ...

    def read(self, proof: str, *, now: float) -> Proven | ProofWrong:
        """What it proves. Whether it was used before is not looked at."""
        ...


class Captcha(Protocol):
    """A service that tells people from programs."""

    @property
    def site_key(self) -> str:
        """By which a page has it ask."""
        ...

    async def passed(self, token: str) -> bool | None:
        """Whether a person has answered; None: it cannot be asked."""
        ...


class NewJobs(Protocol[Tx_contra]):
    """Where what is to be done later is put down, together with what it follows from."""

    async def add(self, tx: Tx_contra, /, jobs: Sequence[Job]) -> None:
        """These are to be done once the transaction is stored. The same kind and key again is the same job."""
        ...


class Inbox(Protocol):
    """Where what others have told us is kept, to be acted on later."""

    async def put(self, jobs: Sequence[Job]) -> None:
        """These are to be done, in a transaction of their own. The same kind and key again is the same job."""
        ...


class Jobs(Protocol):
    """What waits to be done. Every call may end in UnavailableError or OutcomeUnknownError."""

    async def take(self, kinds: Collection[str], *, limit: int, lease_seconds: float) -> Sequence[JobTaken]:
        """Jobs of these kinds that are due. Nobody else gets them before the lease is over."""
        ...

    async def end(self, job: JobTaken) -> bool:
        """It is done. False: the lease was over, and another has it."""
        ...

    async def put_off(self, job: JobTaken, *, seconds: float, why: str) -> bool:
        """It failed, and is to be tried again."""
        ...

    async def give_up(self, job: JobTaken, *, why: str) -> bool:
        """It is not tried again before a person says so."""
        ...


class Letters(Protocol):
    """What mails say."""

    def sign_in_code(self, code: str) -> Letter: ...

    def tickets(self, papers: Papers) -> Letter: ...

    def lapsed(self, about: AboutOrder) -> Letter: ...


class Printer(Protocol):
    """How tickets get on paper: a page for each, in one file. There is at least one."""

    async def pdf(self, papers: Papers) -> bytes: ...


class Mailer(Protocol):
    """How mails get to people."""

    async def send(self, mail: Mail) -> MailRefused | None:
        """None: it is somebody else's to deliver now. UnavailableError: it is not; OutcomeUnknownError: it may be."""
        ...


class Mailbox(Protocol):
    """Where mails are kept that nobody sends."""

    async def newest(self, *, limit: int) -> Sequence[KeptMail]: ...


class SearchIndex(Protocol):
    """Where events are found. Every call may end in UnavailableError: it is away, or too many search at once."""

    async def meaning(self, text: str, mended: Mapping[str, Sequence[str]], *, whole: bool) -> Meaning:
        """What the words of a text are in names; for some words, others that may have been meant.

        `whole`: with names that have only some of the words, and lead to nothing that has all of them.
        """
        ...

    async def alike(self, words: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Of each word, the words of names that look a little like it."""
        ...

    async def venues_near(self, near: Near) -> Mapping[VenueId, int]:
        """The venues within reach, and how many metres each is away."""
        ...

    async def place_of_postal_code(self, codes: Sequence[str], country: str | None) -> Place | None:
        """Where the first of these codes that is known is brought to."""
        ...

    async def found_by_matches(
        self,
        wish: Wish,
        matches: Sequence[Match],
        *,
        required: int,
        sort: Sort,
        after: Position,
        limit: int,
        with_spread: bool,
    ) -> tuple[Sequence[Position], Mapping[EventId, int], Spread]:
        """Events that fit the wish and that the matches lead to; or, where none leads, that the wish itself does.

        With them how many metres each is away, and how all of them are spread.
        """
        ...

    async def found_in_order(self, wish: Wish, *, sort: Sort, after: Position, limit: int) -> Sequence[Position]:
        """Events that fit the wish, read in an order that an index has. There is none for distances."""
        ...

    async def spread(self, wish: Wish, *, now: datetime) -> Spread:
        """How all events that fit the wish are spread."""
        ...

    async def listings(self, events: Sequence[EventId]) -> Mapping[EventId, Listing]:
        """Those of the events that the public knows of."""
        ...

    async def cities(self, *, now: datetime) -> Mapping[CityFound, int]:
        """Cities where something is on, by name, and how many events there are."""
        ...

    async def productions(self, asked: ProductionsAsked, *, now: datetime, limit: int) -> Sequence[Production]:
        """Productions with something on, the most popular first."""
        ...

    async def venues(self, asked: VenuesAsked, *, now: datetime, limit: int) -> Sequence[VenueInCity]:
        """Venues with something on, by name."""
        ...

    async def names_begun(
        self, typed: str, mended: Mapping[str, Sequence[str]], *, now: datetime, limit: int, left_out: int = 0
    ) -> Sequence[Suggestion]:
        """Names that somebody who has typed this may be typing, the likeliest first.

        With so many of its words left out, at most.
        """
        ...


class PriceLevels(Protocol):
    """Which price levels of which events have no seat left, noted for lists and searches."""

    async def not_followed(self, *, limit: int) -> Mapping[EventId, SeatMapSha]:
        """Events of which the journal has more than was followed, however long ago; at most so many."""
        ...

    async def changed_lately(self) -> Mapping[EventId, SeatMapSha]:
        """Events with updates in the last seconds; so many that a look every few seconds misses none."""
        ...

    async def note_gone(self, gone: LevelsGone) -> None:
        """Note it, unless something newer is noted."""
        ...


class Part(Protocol):
    """A part that /readyz asks: PostgreSQL, Valkey."""

    @property
    def name(self) -> str: ...

    async def trouble(self) -> str | None:
        """What is wrong with it, in one line, or None. Never raises; answers within 2 s."""
        ...
