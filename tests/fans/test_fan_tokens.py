"""Fans' tokens: JWTs that others can read, of which we accept one form and no other."""

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any
from uuid import UUID

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fans.identity import signed

from frontrow.core.catalogue import EventId
from frontrow.core.fan_tokens import AUDIENCE, FAN_TOKEN_SECONDS, ISSUER, FanKeys
from frontrow.core.holds import FanId
from frontrow.core.sessions import Session, SessionKeys

FAN = FanId(UUID(int=7))
OURS, OLDER = b"k" * 32, b"o" * 32
KEYS = FanKeys([OURS])
NOW = 1_800_000_000.5
TOKEN = KEYS.token(FAN, now=NOW).encode()
ENDS_AT = int(NOW) + FAN_TOKEN_SECONDS


@given(st.uuids().map(FanId), st.floats(0, 4e9))
def test_a_fan_comes_back_as_they_went(fan_id: FanId, now: float):
    assert KEYS.fan(KEYS.token(fan_id, now=now).encode(), now=now) == fan_id


@pytest.mark.parametrize(
    ("now", "is_over"),
    [
        (NOW, False),
        (ENDS_AT - 0.001, False),
        (ENDS_AT, True),  # it ends at its time, not after
        (ENDS_AT + 1, True),
    ],
)
def test_it_ends_at_its_time(now: float, *, is_over: bool):
    assert (KEYS.fan(TOKEN, now=now) is None) is is_over


def test_any_library_can_read_it():
    header = jwt.get_unverified_header(TOKEN)
    assert (header["alg"], header["typ"], set(header)) == ("HS256", "JWT", {"alg", "kid", "typ"})
    claims = jwt.decode(TOKEN, options={"verify_signature": False})
    assert claims == {"iss": ISSUER, "aud": AUDIENCE, "sub": str(FAN), "iat": int(NOW), "exp": ENDS_AT}


def test_every_character_counts():
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .\n\x00\xff"
    for place, letter in enumerate(TOKEN):
        for other in set(letters) - {letter}:
            altered = TOKEN[:place] + bytes([other]) + TOKEN[place + 1 :]
            assert KEYS.fan(altered, now=NOW) is None, altered


@given(st.binary(max_size=300))
def test_what_anybody_sends_is_no_token(sent: bytes):
    assert KEYS.fan(sent, now=NOW) is None


def test_what_was_mangled_is_no_token():
    header, said, seal = TOKEN.split(b".")
    mangled = [
        b"",
        b".",
        b"..",
        b"...",
        TOKEN[:-1],
        TOKEN + b"A",
        TOKEN + b"=",
        b" " + TOKEN,
        TOKEN + b"\n",
        header + b"." + said,
        header + b"." + said + b".",
        b"." + said + b"." + seal,
        TOKEN + b"." + seal,
        TOKEN * 10_000,
    ]  # fmt: skip -- a list of tokens
    assert [token for token in mangled if KEYS.fan(token, now=NOW)] == []


def forged(header: dict[str, Any], key: bytes) -> bytes:
    """What somebody makes who knows everything but the key."""
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": str(FAN), "iat": int(NOW), "exp": ENDS_AT}
    return signed({"typ": "JWT"} | header, claims, lambda said: hmac.digest(key, said, "sha256"))


def test_no_algorithm_is_chosen_by_who_sends_it():
    kid = jwt.get_unverified_header(TOKEN)["kid"]
    mine = secrets.token_bytes(64)
    for header in (
        {"alg": "none", "kid": kid},
        {"alg": "HS512", "kid": kid},
        {"alg": "HS256", "kid": kid},  # our name for the key, and another key
        {"alg": "HS256", "kid": kid, "jwk": {"kty": "oct", "k": urlsafe_b64encode(mine).decode()}},  # brings its key
        {"alg": "HS256", "kid": kid, "crit": ["b64"], "b64": False},
        {"alg": "HS256", "kid": "../../dev/null"},
    ):
        assert KEYS.fan(forged(header, mine), now=NOW) is None, header


def test_a_header_that_says_the_same_otherwise_is_not_ours():
    """Even with the right key: there is one form."""
    header, said, _ = TOKEN.split(b".")
    told = json.loads(urlsafe_b64decode(header + b"=" * (-len(header) % 4)))
    spaced = urlsafe_b64encode(json.dumps(told, indent=1).encode()).rstrip(b"=")
    assert KEYS.fan(spaced + b"." + said + b"." + TOKEN.split(b".")[2], now=NOW) is None


def test_another_key_opens_nothing():
    assert FanKeys([secrets.token_bytes(32)]).fan(TOKEN, now=NOW) is None


def test_a_session_is_no_fan_s_token_and_the_other_way_round():
    sessions = SessionKeys([OURS])
    session = sessions.token(Session(EventId(1), FAN, 1, ENDS_AT)).encode()
    assert KEYS.fan(session, now=NOW) is None
    assert sessions.session(TOKEN, now=0) is None


def test_keys_change_while_tokens_live():
    before, between, after = FanKeys([OLDER]), FanKeys([OURS, OLDER]), KEYS
    old, new = before.token(FAN, now=NOW).encode(), between.token(FAN, now=NOW).encode()
    assert new == TOKEN  # the first key signs
    assert [keys.fan(old, now=NOW) for keys in (before, between, after)] == [FAN, FAN, None]
    assert [keys.fan(new, now=NOW) for keys in (before, between, after)] == [None, FAN, FAN]


def test_without_a_key_is_a_fault():
    with pytest.raises(AssertionError):
        FanKeys([])
