"""Tokens of an identity service: read by its published keys, which are fetched now and then, never for a request."""

import hmac
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import RSAAlgorithm
from tests.fans.identity import AUDIENCE, CLAIMS, ISSUER, NOW, SUBJECT, Service, identity_service, signed

from frontrow.adapters.identity import service as adapter
from frontrow.adapters.identity.service import KEYS_BYTES_MAX, SKEW_SECONDS, IdentityService
from frontrow.core.fans import foreign_fan

FAN = foreign_fan(ISSUER, SUBJECT)


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Service]:
    """With one key, `rsa`."""
    with identity_service() as elsewhere:
        elsewhere.make_key("rsa")
        yield elsewhere


@pytest.fixture(autouse=True)
def as_it_was(elsewhere: Service) -> Iterator[None]:
    yield
    elsewhere.status = 200
    elsewhere.publish("rsa")


async def known(elsewhere: Service) -> IdentityService:
    """The service as we know it, once its keys were fetched."""
    identity = IdentityService(elsewhere.url, issuer=ISSUER, audience=AUDIENCE)
    assert await identity.look()
    return identity


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "ES384", "EdDSA"])
async def test_a_token_says_who_somebody_is(elsewhere: Service, algorithm: str):
    elsewhere.make_key(algorithm, algorithm)
    identity = await known(elsewhere)
    assert identity.fan(elsewhere.token(algorithm), now=NOW) == FAN
    assert identity.fan(elsewhere.token(algorithm, sub="8"), now=NOW) == foreign_fan(ISSUER, "8")


# Each differs from a good token in one thing.
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("of another issuer", {"iss": "https://other.example"}),
    ("for somebody else", {"aud": "other.example"}),
    ("for nobody", {"aud": []}),
    ("of nobody", {"sub": None}),
    ("of an empty name", {"sub": ""}),
    ("of a name too long", {"sub": "x" * 256}),
    ("without an issuer", {"iss": None}),
    ("without an audience", {"aud": None}),
    ("without an end", {"exp": None}),
    ("over", {"exp": int(NOW - SKEW_SECONDS)}),
    ("not begun", {"nbf": int(NOW + SKEW_SECONDS) + 1}),
    ("naming no key", {"headers": {"kid": None}}),
    ("naming another key", {"headers": {"kid": "other"}}),
    ("naming a key by a number", {"headers": {"kid": 7}}),
    ("with something critical that we do not know", {"headers": {"crit": ["b64"], "b64": False}}),
    ("too long", {"groups": "x" * 10_000}),
]


@pytest.mark.parametrize("different", [different for _, different in WRONG], ids=[says for says, _ in WRONG])
async def test_it_is_refused(elsewhere: Service, different: dict[str, Any]):
    identity = await known(elsewhere)
    assert identity.fan(elsewhere.token("rsa", **different), now=NOW) is None
    assert identity.fan(elsewhere.token("rsa"), now=NOW) == FAN  # the control


async def test_several_audiences_with_ours_among_them(elsewhere: Service):
    assert (await known(elsewhere)).fan(elsewhere.token("rsa", aud=["other", AUDIENCE]), now=NOW) == FAN


@pytest.mark.parametrize(
    ("now", "is_good"),
    [
        (NOW + 3600 + SKEW_SECONDS - 1, True),  # clocks differ a little
        (NOW + 3600 + SKEW_SECONDS, False),
    ],
)
async def test_it_ends_at_its_time_also_when_it_was_seen_before(elsewhere: Service, now: float, *, is_good: bool):
    identity, token = await known(elsewhere), elsewhere.token("rsa")
    assert identity.fan(token, now=NOW) == FAN
    assert (identity.fan(token, now=now) is not None) is is_good


async def test_a_key_signs_with_its_own_algorithm_alone(elsewhere: Service):
    """Above all: a public key is no secret, so what is signed with it as one proves nothing."""
    identity = await known(elsewhere)
    ours = elsewhere.keys["rsa"][1]
    public = ours.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    others = rsa.generate_private_key(65537, 2048)
    forged: dict[str, Callable[[bytes], bytes]] = {
        "HS256": lambda said: hmac.digest(public, said, "sha256"),
        "none": lambda _: b"",
        "RS512": lambda said: RSAAlgorithm(RSAAlgorithm.SHA512).sign(said, ours),  # pyright: ignore[reportArgumentType] -- the key is RSA's
        "RS256": lambda said: RSAAlgorithm(RSAAlgorithm.SHA256).sign(said, others),
    }
    for algorithm, sign in forged.items():
        token = signed({"alg": algorithm, "kid": "rsa"}, CLAIMS, sign)
        assert identity.fan(token, now=NOW) is None, algorithm


async def test_what_was_mangled_is_refused(elsewhere: Service):
    identity, token = await known(elsewhere), elsewhere.token("rsa")
    for mangled in (b"", b".", b"..", token[:-5], token + b"x", token[10:], b"\xff" * 100, b"e30.e30.", token * 100):
        assert identity.fan(mangled, now=NOW) is None, mangled[:30]


@pytest.mark.parametrize(
    "published",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b'{"keys": []}',
        b'{"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "rsa"}]}',  # a secret that everybody knows
        b'{"keys": [{"kty": "RSA", "n": "AQAB", "e": "AQAB"}]}',  # nameless
        b'{"keys": [{"kty": "new", "kid": "rsa"}, {}, {"kty": 7}]}',
        b'{"keys": "' + b"x" * KEYS_BYTES_MAX + b'"}',
    ],
    ids=lambda published: repr(published[:40]),
)
async def test_what_is_no_set_of_keys_changes_nothing(elsewhere: Service, published: bytes):
    identity = await known(elsewhere)
    elsewhere.published = published
    assert not await identity.look()
    assert identity.fan(elsewhere.token("rsa"), now=NOW) == FAN


async def test_a_private_key_or_one_for_secrets_is_passed_over(elsewhere: Service):
    elsewhere.make_key("other")
    private = elsewhere.public("rsa") | {"d": "AQAB"}
    for told in (private, elsewhere.public("rsa") | {"use": "enc"}):
        elsewhere.published = json.dumps({"keys": [told, elsewhere.public("other")]}).encode()
        identity = await known(elsewhere)
        assert identity.fan(elsewhere.token("rsa"), now=NOW) is None
        assert identity.fan(elsewhere.token("other"), now=NOW) == FAN


async def test_while_it_is_away_the_keys_go_on(elsewhere: Service):
    identity = await known(elsewhere)
    elsewhere.status = 500
    assert not await identity.look()
    assert identity.fan(elsewhere.token("rsa"), now=NOW) == FAN


async def test_nobody_home_is_no_fault():
    identity = IdentityService("http://127.0.0.1:1/keys", issuer=ISSUER, audience=AUDIENCE)
    assert not await identity.look()
    assert identity.fan(b"e30.e30.e30", now=NOW) is None


async def test_a_key_that_is_gone_is_good_no_more_nor_what_it_signed(elsewhere: Service):
    identity, token = await known(elsewhere), elsewhere.token("rsa")
    assert identity.fan(token, now=NOW) == FAN
    elsewhere.make_key("new")
    elsewhere.publish("new")
    assert await identity.look()
    assert identity.fan(token, now=NOW) is None
    assert identity.fan(elsewhere.token("new"), now=NOW) == FAN


async def test_no_request_fetches(elsewhere: Service):
    identity = await known(elsewhere)
    asked = elsewhere.asked
    for number in range(100):
        identity.fan(elsewhere.token("rsa", sub=str(number)), now=NOW)
        identity.fan(elsewhere.token("rsa", headers={"kid": str(number)}), now=NOW)
    assert elsewhere.asked == asked


class Clock:
    """Sleeps at once, and notes for how long it would have."""

    def __init__(self, after: int) -> None:
        self.slept: list[float] = []
        self._after = after

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if len(self.slept) > self._after:
            raise StopAsyncIteration


async def test_an_unknown_key_makes_us_fetch_but_not_before_a_minute(
    elsewhere: Service, monkeypatch: pytest.MonkeyPatch
):
    """Each round sleeps the minute first; then a key that is missed is reason enough to fetch."""
    identity = IdentityService(elsewhere.url, issuer=ISSUER, audience=AUDIENCE)
    clock = Clock(after=2)
    monkeypatch.setattr(adapter.asyncio, "sleep", clock.sleep)
    asked = elsewhere.asked
    original = IdentityService.look

    async def missing(self: IdentityService) -> bool:
        is_fresh = await original(self)
        self.fan(elsewhere.token("rsa", headers={"kid": "unknown"}), now=NOW)
        return is_fresh

    monkeypatch.setattr(IdentityService, "look", missing)
    with pytest.raises(StopAsyncIteration):
        await identity.follow()
    assert clock.slept == [adapter.FETCH_AGAIN_SECONDS_MIN] * 3
    assert elsewhere.asked - asked == 3


async def test_who_was_read_once_is_remembered(elsewhere: Service, monkeypatch: pytest.MonkeyPatch):
    identity, token = await known(elsewhere), elsewhere.token("rsa")
    identity.fan(token, now=NOW)

    def no_more(*_: object) -> None:
        raise AssertionError("read again")

    monkeypatch.setattr(identity, "_read", no_more)
    assert identity.fan(token, now=NOW) == FAN


async def test_the_memory_has_an_end(elsewhere: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(adapter, "TOKENS_REMEMBERED_MAX", 3)
    identity = await known(elsewhere)
    for number in range(10):
        identity.fan(elsewhere.token("rsa", sub=str(number)), now=NOW)
    assert len(vars(identity)["_remembered"]) <= 3


async def test_a_slow_service_does_not_keep_us(elsewhere: Service, monkeypatch: pytest.MonkeyPatch):
    def slow(_: str) -> bytes:
        time.sleep(0.2)
        return elsewhere.published

    monkeypatch.setattr(adapter, "_fetched", slow)
    monkeypatch.setattr(adapter, "FETCH_SECONDS_MAX", 0.01)
    assert not await IdentityService(elsewhere.url, issuer=ISSUER, audience=AUDIENCE).look()
