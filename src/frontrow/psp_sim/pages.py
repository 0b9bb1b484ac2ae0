"""psp-sim for people: what it has, what is to go wrong, and the buyer's bank, where a challenge is met.

Whole pages from here, without a script. Whoever reaches the address may use them, so it is for machines of one's own.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.types import Receive, Scope

from frontrow.psp_sim import intents, judge
from frontrow.psp_sim.books import Books, Cause
from frontrow.psp_sim.desk import Answer, Clock
from frontrow.psp_sim.faults import FAULTS_MAX, Asked, Kind
from frontrow.psp_sim.intents import Behaviour, Intent, Status, invalid
from frontrow.psp_sim.reading import body_of, is_from_elsewhere
from frontrow.psp_sim.store import Wanted

SHOWN_MAX: Final = 50  # intents on the page, the newest
TEMPLATES: Final = Path(__file__).parent / "templates"
CHALLENGES_AT: Final = "/bank/challenges/"
KINDLY: Final[Mapping[Status, str]] = {
    Status.REQUIRES_PAYMENT_METHOD: "waits for a card",
    Status.REQUIRES_CONFIRMATION: "waits to be confirmed",
    Status.REQUIRES_ACTION: "waits at the bank",
    Status.PROCESSING: "on its way",
    Status.REQUIRES_CAPTURE: "authorised",
    Status.SUCCEEDED: "captured",
    Status.CANCELED: "let go",
}
DOES: Final[Mapping[Behaviour, str]] = {
    Behaviour.PAYS: "pays at once",
    Behaviour.DECLINES: "is declined",
    Behaviour.LACKS_FUNDS: "is declined: not enough money",
    Behaviour.CHALLENGES: "sends the buyer to the bank first",
    Behaviour.IS_SLOW: "pays, and takes five seconds for it",
    Behaviour.IS_LOST: "pays, and the answer never arrives",
    Behaviour.IS_LATE: "pays long after everybody has gone",
}
WITHOUT_CENTS: Final = frozenset({"clp", "jpy", "krw", "vnd"})


class Pages:
    """Answers everything that is not the API."""

    def __init__(self, books: Books, *, clock: Clock, changed: Callable[[], None]) -> None:
        """`changed` is called when something was kept."""
        self._books = books
        self._clock = clock
        self._changed = changed
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
        )
        self._style = (TEMPLATES / "psp-sim.css").read_bytes()

    async def answer(self, scope: Scope, receive: Receive) -> Answer:
        method, path = scope["method"], scope["path"]
        if method == "POST":
            if is_from_elsewhere(scope):
                raise invalid("This form was sent from another site.", status=403)
            form = dict(parse_qsl((await body_of(receive)).decode("latin-1")))
            if path.startswith(CHALLENGES_AT):
                return self._decided(path.removeprefix(CHALLENGES_AT), form.get("answer", ""))
            if path == "/faults":
                return self._turned(form)
        elif method in {"GET", "HEAD"}:
            if path == "/":
                return self._overview()
            if path == "/psp-sim.css":
                return Answer(200, self._style, ((b"content-type", b"text/css; charset=utf-8"),))
            if path.startswith(CHALLENGES_AT):
                return self._challenge(path.removeprefix(CHALLENGES_AT))
        return self._page("nothing.html", status=404)

    def _overview(self) -> Answer:
        store = self._books.store
        shown = store.intents(Wanted(limit=SHOWN_MAX))
        return self._page(
            "overview.html",
            intents=[(intent, KINDLY[intent.status], store.refunds_of(intent.id)) for intent in shown],
            totals=judge.totals(store),
            faults=self._books.faults.on(),
            kinds=list(Kind),
            methods=[(name, DOES[kind]) for name, kind in intents.METHODS.items() if "card" not in name],
            waiting=store.deliveries_waiting(),
            shown_max=SHOWN_MAX,
        )

    def _turned(self, form: Mapping[str, str]) -> Answer:
        """A fault switched on, or off, by the form of the page."""
        faults = self._books.faults
        with self._books.store.whole():
            if "off" in form:
                faults.switch_off(None if form["off"] == "all" else form["off"])
            elif len(faults.on()) < FAULTS_MAX:
                faults.switch_on(_asked(form))
        return _to("/")

    def _challenge(self, intent_id: str) -> Answer:
        intent = self._books.store.intent(intent_id)
        if intent is None:
            return self._page("nothing.html", status=404)
        is_open = intent.status is Status.REQUIRES_ACTION
        back = None if is_open else _way_back(intent)
        return self._page("challenge.html", way_back=intent.return_url, intent=intent, is_open=is_open, back=back)

    def _decided(self, intent_id: str, answer: str) -> Answer:
        """The buyer has answered the bank. A second answer changes nothing: it leads to where the first one led."""
        books = self._books
        intent = books.store.intent(intent_id)
        if intent is None or answer not in {"approve", "refuse"}:
            return self._page("nothing.html", status=404)
        if intent.status is Status.REQUIRES_ACTION:
            after = intents.challenged(intent, charge=books.ids("ch_"), approves=answer == "approve")
            with books.store.whole():
                books.change_intent(intent, after, Cause(self._clock.now()))
            self._changed()
            intent = after
        return _to(_way_back(intent) or f"{CHALLENGES_AT}{intent.id}")

    def _page(self, name: str, *, status: int = 200, way_back: str | None = None, **names: object) -> Answer:
        body = self._templates.get_template(name).render(money=_money, time=_time, **names).encode()
        return Answer(status, body, (*_HEADERS, (b"content-security-policy", _policy(way_back))))


_HEADERS: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
)


def _policy(way_back: str | None) -> bytes:
    """Nothing but our own style. A form may end at the shop: browsers count where a form's answer leads to."""
    shop = f" {urlsplit(way_back).scheme}://{urlsplit(way_back).netloc}" if way_back else ""
    policy = f"default-src 'none'; style-src 'self'; form-action 'self'{shop}; frame-ancestors 'none'; base-uri 'none'"
    return policy.encode("latin-1", errors="ignore")


def _to(address: str) -> Answer:
    return Answer(
        303, b"", ((b"location", address.encode("latin-1", errors="ignore")), (b"content-type", b"text/plain"))
    )


def _way_back(intent: Intent) -> str | None:
    """To the shop, with what Stripe adds to its address."""
    if intent.return_url is None:
        return None
    is_paid = intent.status in {Status.REQUIRES_CAPTURE, Status.SUCCEEDED}
    added = urlencode(
        {
            "payment_intent": intent.id,
            "payment_intent_client_secret": intent.client_secret,
            "redirect_status": "succeeded" if is_paid else "failed",
        }
    )
    plain, mark, fragment = intent.return_url.partition("#")
    return f"{plain}{'&' if '?' in plain else '?'}{added}{mark}{fragment}"


def _asked(form: Mapping[str, str]) -> Asked:
    given = {name: value for name, value in form.items() if value}
    try:
        return msgspec.convert(given, Asked, strict=False)
    except msgspec.ValidationError as error:
        raise invalid(f"This is no fault: {error}") from error


def _money(amount: int, currency: str) -> str:
    if currency in WITHOUT_CENTS:
        return f"{amount:,} {currency.upper()}"
    return f"{amount // 100:,}.{amount % 100:02d} {currency.upper()}"


def _time(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M:%S UTC")
