"""Tokens: ours are read as they were written, and nothing else is a token."""

import secrets
from collections.abc import Iterator
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.catalogue import EventId
from frontrow.core.holds import FanId
from frontrow.core.sessions import Session, SessionKeys

FAN = FanId(UUID(int=7))
ENDS_AT = 2_000_000_000
SESSION = Session(EventId(42), FAN, number=3, ends_at=ENDS_AT)
OURS = b"k" * 32
OLDER = b"o" * 32
KEYS = SessionKeys([OURS])
TOKEN = KEYS.token(SESSION).encode()

sessions = st.builds(
    Session,
    st.integers(0, 2**63 - 1).map(EventId),
    st.uuids().map(FanId),
    number=st.integers(0, 2**63 - 1),
    ends_at=st.integers(1, 2**63 - 1),
)


@given(sessions)
def test_a_session_comes_back_as_it_went(session: Session):
    assert KEYS.session(KEYS.token(session).encode(), now=0) == session


@pytest.mark.parametrize(
    ("now", "is_over"),
    [
        (ENDS_AT - 1, False),
        (ENDS_AT - 0.000_1, False),
        (ENDS_AT, True),  # it ends at its time, not after
        (ENDS_AT + 1, True),
    ],
)
def test_a_session_ends_at_its_time(now: float, *, is_over: bool):
    assert (KEYS.session(TOKEN, now=now) is None) is is_over


def test_every_character_counts():
    """Also the last one, and also where Python's decoder takes two letters for the same."""
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .\n\x00\xff"
    for place, letter in enumerate(TOKEN):
        for other in set(letters) - {letter}:
            altered = TOKEN[:place] + bytes([other]) + TOKEN[place + 1 :]
            assert KEYS.session(altered, now=0) is None, altered


def test_a_token_is_written_in_one_way_only():
    """The same bytes in the other alphabet of base64. Without the check of letters it would be read."""
    written = next(token for token in map(_token_no, range(1_000)) if "-" in token and "_" in token)
    assert KEYS.session(written.encode(), now=0)
    for other in (written.replace("-", "+"), written.replace("_", "/")):
        assert KEYS.session(other.encode(), now=0) is None


def _token_no(number: int) -> str:
    return KEYS.token(Session(EventId(1), FAN, number, ENDS_AT))


def mangled(token: bytes) -> Iterator[bytes]:
    yield b""
    yield token[:-1]
    yield token[:-4]
    yield token + b"A"
    yield token + b"AAAA"
    yield token + b"="
    yield b" " + token
    yield token + b"\n"
    yield token * 1_000
    yield bytes(len(token))
    yield b"\xff" * len(token)
    yield b"A" * len(token)


def test_what_was_mangled_is_no_token():
    assert [token for token in mangled(TOKEN) if KEYS.session(token, now=0)] == []


@given(st.binary(max_size=100))
def test_what_anybody_sends_is_no_token(sent: bytes):
    assert KEYS.session(sent, now=0) is None


def test_another_key_opens_nothing():
    assert SessionKeys([secrets.token_bytes(32)]).session(TOKEN, now=0) is None


def test_a_seal_needs_the_secret_and_not_only_its_name():
    """Somebody who knows which key signs, and makes a seal with another."""
    forged = SessionKeys([OLDER]).token(SESSION)
    bent = KEYS.token(SESSION)[:8] + forged[8:]  # kind and name of ours, and the rest of theirs
    assert KEYS.session(bent.encode(), now=0) is None


def test_keys_change_while_tokens_live():
    before, between, after = SessionKeys([OLDER]), SessionKeys([OURS, OLDER]), SessionKeys([OURS])
    old = before.token(SESSION).encode()
    new = between.token(SESSION).encode()
    assert new == after.token(SESSION).encode()  # the first key signs
    assert [keys.session(old, now=0) for keys in (before, between, after)] == [SESSION, SESSION, None]
    assert [keys.session(new, now=0) for keys in (before, between, after)] == [None, SESSION, SESSION]


@pytest.mark.parametrize("secrets_given", [[], [b"k" * 31], [OURS, b"short"]])
def test_a_weak_key_is_a_fault(secrets_given: list[bytes]):
    with pytest.raises(AssertionError):
        SessionKeys(secrets_given)
