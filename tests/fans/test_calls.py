"""`POST /api/v1/sign-in` and `…/verify`: what they answer, whatever they are sent; and who a token makes one."""

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import jwt
import pytest
from starlette.types import ASGIApp
from tests.fans.counter import HERE, call, opened_service
from tests.fans.identity import AUDIENCE, ISSUER, NOW, SUBJECT, identity_service
from tests.fans.reception import ADA, BOB, SECRET, Reception, wrong
from tests.ledger.on_sale import put_on_sale
from tests.postgres.small_season import SmallSeason
from tests.postgres.watching import until
from tests.web.asking import Answer, Header, ask

from frontrow.core.catalogue import Event
from frontrow.core.fan_tokens import FAN_TOKEN_SECONDS, FanKeys
from frontrow.core.fans import CODE_SECONDS, CODES_AT_ONCE, foreign_fan
from frontrow.core.holds import FanId
from frontrow.core.sessions import SessionKeys
from frontrow.web import sign_in as calls

ASK, VERIFY = "/api/v1/sign-in", "/api/v1/sign-in/verify"


@pytest.fixture
async def event(desk: Reception, season: SmallSeason) -> Event:
    async with desk.database.pool.acquire() as connection:
        return await put_on_sale(connection, season, waiting_room=False)


def bearer(token: str) -> Header:
    return "authorization", f"Bearer {token}"


async def enter(app: ASGIApp, event: Event, *headers: Header) -> Answer:
    answer = await call(app, f"/api/v1/events/{event.event_id}/enter", b"", *headers)
    assert answer.status == 200
    return answer


async def hold(app: ASGIApp, event: Event, hold_id: str, *headers: Header, seats: tuple[int, ...] = (0, 1)) -> Answer:
    return await call(app, f"/api/v1/events/{event.event_id}/holds", {"hold_id": hold_id, "seats": seats}, *headers)


async def look_up(app: ASGIApp, hold_id: str, *headers: Header) -> Answer:
    return await ask(app, f"/api/v1/holds/{hold_id}", headers=[HERE, *headers])


async def test_from_an_address_to_a_token(app: ASGIApp, desk: Reception):
    asked = await call(app, ASK, {"email": "Ada@Example.org"})
    assert asked.status == 202
    assert asked.headers["cache-control"] == "no-store"
    in_time = datetime.fromisoformat(asked.json()["expires_at"]) - datetime.now(UTC)
    assert timedelta(0) < in_time <= timedelta(seconds=CODE_SECONDS)

    verified = await call(app, VERIFY, {"email": "ADA@example.org", "code": await desk.mailed_code(ADA)})
    assert verified.status == 200
    assert verified.headers["cache-control"] == "no-store"
    said = verified.json()
    assert set(said) == {"fan_id", "token", "expires_at", "session_token", "holds"}
    assert (said["session_token"], said["holds"]) == (None, [])
    assert FanKeys([SECRET]).fan(said["token"].encode(), now=NOW) == UUID(said["fan_id"])
    ends = jwt.decode(said["token"], options={"verify_signature": False})["exp"]
    assert datetime.fromisoformat(said["expires_at"]) == datetime.fromtimestamp(ends, UTC)
    assert abs(ends - FAN_TOKEN_SECONDS - datetime.now(UTC).timestamp()) < 60


async def test_a_wrong_code_is_a_problem(app: ASGIApp, desk: Reception):
    code = await desk.code_for(ADA)
    for email, typed in ((ADA, wrong(code)), (BOB, code), ("nobody", code), (ADA, "x" * 33), (ADA, "")):
        answer = await call(app, VERIFY, {"email": email, "code": typed})
        assert (answer.status, answer.problem()) == (401, "wrong-code"), (email, typed)
    assert (await call(app, VERIFY, {"email": ADA, "code": code})).status == 200


async def test_an_answer_does_not_tell_whom_we_know(app: ASGIApp, desk: Reception):
    await desk.fan_of(ADA)
    answers = [await call(app, ASK, {"email": email}) for email in (ADA, BOB)]
    refusals = [await call(app, VERIFY, {"email": email, "code": "0"}) for email in (ADA, BOB, "eve@example.org")]
    assert {answer.status for answer in answers} == {202}
    assert {tuple(sorted(answer.json())) for answer in answers} == {("expires_at",)}
    assert len({told_by(refusal) for refusal in refusals}) == 1


def told_by(answer: Answer) -> tuple[object, ...]:
    """All that an answer says but the id of its request."""
    said = {name: value for name, value in answer.json().items() if name != "request_id"}
    headers = {name: value for name, value in answer.headers.items() if name != "x-request-id"}
    return answer.status, json.dumps(said), json.dumps(headers)


async def test_asking_too_often_says_when_to_come_again(app: ASGIApp):
    for _ in range(CODES_AT_ONCE):
        assert (await call(app, ASK, {"email": ADA})).status == 202
    answer = await call(app, ASK, {"email": ADA})
    assert (answer.status, answer.problem()) == (429, "slow-down")
    assert 0 < int(answer.headers["retry-after"]) <= 600


async def test_a_client_that_asks_for_everybody_is_slowed_down(
    database_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
):
    """Asking and guessing count together: both are how somebody goes from address to address."""
    monkeypatch.setattr(calls, "CLIENT_AT_ONCE", 4)
    monkeypatch.setattr(calls, "CLIENT_AGAIN_SECONDS", 60.0)
    async with opened_service(database_url, valkey_url) as app:
        answers = [await call(app, ASK, {"email": f"fan{number}@example.org"}) for number in range(2)]
        answers += [await call(app, VERIFY, {"email": f"fan{number}@example.org", "code": "0"}) for number in range(3)]
    assert [answer.status for answer in answers] == [202, 202, 401, 401, 429]
    assert answers[-1].problem() == "slow-down"
    assert int(answers[-1].headers["retry-after"]) == 60


BAD: list[tuple[bytes, int, str]] = [
    (b"", 400, "bad-request"),
    (b"{", 400, "bad-request"),
    (b"\xff", 400, "bad-request"),
    (b'{"x":' + b"[" * 30_000, 400, "bad-request"),  # deeper than anybody reads
    (b"[", 422, "invalid"),
    (b"[]", 422, "invalid"),
    (b"{}", 422, "invalid"),
    (b'{"email": null}', 422, "invalid"),
    (b'{"email": 5}', 422, "invalid"),
    (b'{"email": ["ada@example.org"]}', 422, "invalid"),
    (b'{"email": ""}', 422, "invalid"),
    (b'{"email": "ada"}', 422, "invalid"),
    (b'{"email": "ada@example.org\\r\\nBcc: eve@example.org"}', 422, "invalid"),
    (b'{"email": "ada\\u0000@example.org"}', 422, "invalid"),
    (b'{"email": "' + b"a" * 60_000 + b'@example.org"}', 422, "invalid"),
    (b'{"email": "' + b"a" * 1_000_000 + b'@example.org"}', 413, "too-large"),
]


@pytest.mark.parametrize(("body", "status", "slug"), BAD, ids=lambda value: repr(value)[:40])
async def test_what_is_no_address_is_said_to_be_none(
    app: ASGIApp, desk: Reception, body: bytes, status: int, slug: str
):
    answer = await call(app, ASK, body)
    assert (answer.status, answer.problem()) == (status, slug)
    assert "Bcc" not in answer.text  # what was sent is never repeated
    assert await desk.database.pool.fetchval("SELECT count(*) FROM sign_in") == 0
    with_code = body.replace(b'"email"', b'"code": "1", "email"')
    assert (await call(app, VERIFY, with_code)).status in {status, 401}


async def test_half_a_letter_is_no_address(app: ASGIApp):
    for email in (b"\\ud800", b"\\udfff@example.org", b"a\\ud800@example.org"):
        assert (await call(app, ASK, b'{"email": "' + email + b'"}')).status in {400, 422}


async def test_held_seats_come_along_and_the_session_is_the_fan_s_own(app: ASGIApp, desk: Reception, event: Event):
    entered = (await enter(app, event)).json()
    session = ("frontrow-session", entered["session_token"])
    hold_id = str(uuid4())
    assert (await hold(app, event, hold_id, session)).status == 201

    said = (await call(app, VERIFY, {"email": ADA, "code": await desk.code_for(ADA)}, session)).json()
    assert said["holds"] == [{"hold_id": hold_id, "event_id": str(event.event_id), "state": "held"}]
    assert (await look_up(app, hold_id, bearer(said["token"]))).json()["state"] == "held"
    assert (await look_up(app, hold_id, ("frontrow-session", said["session_token"]))).status == 200
    assert (await look_up(app, hold_id, session)).status == 404  # the nameless fan has nothing any more
    assert (await look_up(app, hold_id, bearer(entered["fan_token"]))).status == 404

    keys = SessionKeys([SECRET])
    before, after = (keys.session(token.encode(), now=0) for token in (session[1], said["session_token"]))
    assert before is not None
    assert after is not None
    assert (before.event_id, before.number, before.ends_at) == (after.event_id, after.number, after.ends_at)
    assert after.fan_id == UUID(said["fan_id"])


async def test_seats_that_cannot_come_along_are_named(app: ASGIApp, desk: Reception, event: Event):
    fan = bearer(FanKeys([SECRET]).token(await desk.fan_of(ADA), now=datetime.now(UTC).timestamp()))
    assert (await hold(app, event, str(uuid4()), fan)).status == 201
    entered = (await enter(app, event)).json()
    left, nameless = str(uuid4()), bearer(entered["fan_token"])
    assert (await hold(app, event, left, nameless, seats=(2, 3))).status == 201
    said = (await call(app, VERIFY, {"email": ADA, "code": await desk.code_for(ADA)}, nameless)).json()
    assert said["holds"] == [{"hold_id": left, "event_id": str(event.event_id), "state": "hold-exists"}]
    assert (await look_up(app, left, nameless)).json()["state"] == "held"


async def test_another_fan_s_session_is_not_handed_over(app: ASGIApp, desk: Reception, event: Event):
    bob = FanKeys([SECRET]).token(await desk.fan_of(BOB), now=datetime.now(UTC).timestamp())
    session = (await enter(app, event, bearer(bob))).json()["session_token"]
    said = await call(app, VERIFY, {"email": ADA, "code": await desk.code_for(ADA)}, ("frontrow-session", session))
    assert said.json()["session_token"] is None


async def test_entering_gives_a_token_to_strangers_alone(app: ASGIApp, desk: Reception, event: Event):
    stranger = await enter(app, event)
    assert "frontrow-fan=" in stranger.headers["set-cookie"]
    token = stranger.json()["fan_token"]
    known = await enter(app, event, bearer(token))
    assert (known.json()["fan_id"], known.json()["fan_token"]) == (stranger.json()["fan_id"], token)
    by_session = await enter(app, event, ("frontrow-session", stranger.json()["session_token"]))
    assert by_session.json()["fan_id"] == stranger.json()["fan_id"]
    assert by_session.json()["fan_token"] is None  # an hour must not become half a year
    assert "set-cookie" not in by_session.headers
    fan_id = await desk.fan_of(ADA)
    ada = FanKeys([SECRET]).token(fan_id, now=datetime.now(UTC).timestamp())
    both = await enter(app, event, bearer(ada), ("frontrow-session", stranger.json()["session_token"]))
    assert both.json()["fan_id"] == str(fan_id)  # who signed in is that, whatever is left of before


async def test_a_token_that_is_over_makes_a_stranger(app: ASGIApp, event: Event):
    over = FanKeys([SECRET]).token(FanId(uuid4()), now=0)
    assert (await look_up(app, "h", bearer(over))).status == 401
    entered = (await enter(app, event, bearer(over))).json()
    assert entered["fan_token"] not in {None, over}


async def test_a_fan_of_an_identity_service_holds_seats_and_gets_no_token_of_ours(
    database_url: str, valkey_url: str, event: Event
):
    with identity_service() as elsewhere:
        elsewhere.make_key("rsa")
        settings = {"identity_issuer": ISSUER, "identity_audience": AUDIENCE, "identity_jwks_url": elsewhere.url}
        async with opened_service(database_url, valkey_url, **settings) as app:
            fan = bearer(elsewhere.token("rsa", exp=int(datetime.now(UTC).timestamp()) + 60).decode())
            await until(lambda: is_known(app, fan))  # the keys are fetched beside the requests
            entered = (await enter(app, event, fan)).json()
            assert entered["fan_id"] == str(foreign_fan(ISSUER, SUBJECT))
            assert entered["fan_token"] is None  # theirs may end in an hour, or be taken back
            hold_id = str(uuid4())
            assert (await hold(app, event, hold_id, fan)).status == 201
            assert (await look_up(app, hold_id, fan)).json()["state"] == "held"
            cookie = ("cookie", f"frontrow-fan={fan[1].removeprefix('Bearer ')}")
            assert (await look_up(app, hold_id, cookie)).status == 401
            forged = bearer(fan[1].removeprefix("Bearer ")[:-4] + "AAAA")
            assert (await look_up(app, hold_id, forged)).status == 401


async def is_known(app: ASGIApp, fan: Header) -> bool:
    return (await look_up(app, "h", fan)).status == 404


async def test_control_without_an_identity_service_its_tokens_are_nothing(app: ASGIApp):
    with identity_service() as elsewhere:
        elsewhere.make_key("rsa")
        fan = bearer(elsewhere.token("rsa", exp=int(datetime.now(UTC).timestamp()) + 60).decode())
        assert (await look_up(app, "h", fan)).status == 401
