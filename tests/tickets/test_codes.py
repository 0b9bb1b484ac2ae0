"""Codes of tickets: ours are read as they were written, and nothing else is one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.catalogue import EventId
from frontrow.core.seats import SeatNo
from frontrow.core.tickets import (
    CODE_CHARS,
    CodeRefused,
    TicketFacts,
    TicketKeyId,
    TicketSerial,
    TicketSigner,
    key_id_of,
    read_code,
    read_keys,
    written_keys,
)

OURS, OLDER, ANOTHER = b"k" * 32, b"o" * 32, b"a" * 32
SIGNER = TicketSigner([OURS, OLDER])
KEYS = SIGNER.public_keys
FACTS = TicketFacts(EventId(18), SeatNo(412), TicketSerial(77), SIGNER.key_id)
CODE = SIGNER.code(FACTS)
ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"  # what a QR code has its shorter mode for

tickets = st.builds(
    TicketFacts,
    st.integers(1, 2**40 - 1).map(EventId),
    st.integers(0, 199_999).map(SeatNo),
    st.integers(1, 2**48 - 1).map(TicketSerial),
    st.sampled_from(sorted(KEYS)),
)


@given(tickets)
def test_a_ticket_comes_back_as_it_went(ticket: TicketFacts):
    code = SIGNER.code(ticket)
    assert read_code(code, KEYS) == ticket
    assert len(code) == CODE_CHARS
    assert set(code) <= set(ALPHANUMERIC) - set(" $%*")


def test_a_code_is_made_the_same_each_time():
    assert TicketSigner([OURS, OLDER]).code(FACTS) == CODE


def test_every_character_counts():
    """Whatever stands in its place: small letters, what looks alike, what is no character of ours at all."""
    others = set(ALPHANUMERIC + ALPHANUMERIC.lower() + "\n\0\u017f\u0663")
    for place, character in enumerate(CODE):
        for other in others - {character}:
            altered = CODE[:place] + other + CODE[place + 1 :]
            assert isinstance(read_code(altered, KEYS), CodeRefused), altered


def test_every_bit_counts():
    """All values of three characters that are no more than two bytes stand for themselves alone."""
    assert all(isinstance(read_code(_flipped(CODE, bit), KEYS), CodeRefused) for bit in range(640))


def _flipped(code: str, bit: int) -> str:
    """The code of the same bytes but for one bit."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+-./:"
    place, low = bit // 16 * 3, bit % 16
    high, middle, last = (digits.index(character) for character in code[place : place + 3])
    pair = (high * 1681 + middle * 41 + last) ^ 1 << low
    return code[:place] + digits[pair // 1681] + digits[pair // 41 % 41] + digits[pair % 41] + code[place + 3 :]


@pytest.mark.parametrize(
    ("code", "refused"),
    [
        ("", CodeRefused.NO_CODE),
        (CODE[:-1], CodeRefused.NO_CODE),
        (CODE[:-3], CodeRefused.NO_CODE),  # whole bytes, and not all of them
        (CODE + "000", CodeRefused.NO_CODE),
        (CODE.lower(), CodeRefused.NO_CODE),
        (f" {CODE[1:]}", CodeRefused.NO_CODE),
        (":::" * 40, CodeRefused.NO_CODE),  # three characters that are more than two bytes
        ("https://example.org/ticket/1", CodeRefused.NO_CODE),
        ("000" * 40, CodeRefused.UNKNOWN_VERSION),
        ("Z00" + CODE[3:], CodeRefused.UNKNOWN_VERSION),
        (TicketSigner([ANOTHER]).code(FACTS), CodeRefused.UNKNOWN_KEY),
    ],
)
def test_what_is_no_code_of_ours(code: str, refused: CodeRefused):
    assert read_code(code, KEYS) is refused


def test_another_signature_under_our_key_s_name_is_forged():
    """The guard is the signature: with the forger's key in place of ours, the same code is good."""
    forged = _signed_as(SIGNER.key_id, by=TicketSigner([ANOTHER]))
    assert read_code(forged, KEYS) is CodeRefused.FORGED


def test_control_the_same_code_is_good_by_the_forger_s_key():
    forger = TicketSigner([ANOTHER])
    code = forger.code(FACTS)
    facts = read_code(code, forger.public_keys)
    assert isinstance(facts, TicketFacts)
    assert facts.serial == FACTS.serial


def _signed_as(key_id: TicketKeyId, *, by: TicketSigner) -> str:
    """What `by` has signed, under the name of another key: the first three characters say it."""
    ours = TicketFacts(FACTS.event_id, FACTS.seat_no, FACTS.serial, key_id)
    return SIGNER.code(ours)[:24] + by.code(ours)[24:]


def test_keys_change_while_tickets_live():
    before, after = TicketSigner([OLDER]), TicketSigner([OURS, OLDER])
    old = TicketFacts(FACTS.event_id, FACTS.seat_no, FACTS.serial, before.key_id)
    assert after.key_id != before.key_id
    assert after.code(old) == before.code(old), "a ticket keeps the code that is printed somewhere"
    assert read_code(before.code(old), after.public_keys) == old


def test_with_a_key_that_is_taken_away_its_codes_go_and_the_tickets_have_new_ones():
    before, after = TicketSigner([OLDER]), TicketSigner([OURS])
    old = TicketFacts(FACTS.event_id, FACTS.seat_no, FACTS.serial, before.key_id)
    assert read_code(before.code(old), after.public_keys) is CodeRefused.UNKNOWN_KEY
    assert read_code(after.code(old), after.public_keys) == FACTS


def test_two_keys_of_one_name_are_told():
    """Found by trying: these two sign under one name, so tickets of one could not be told from those of the other."""
    assert TicketSigner(_of_one_name()).is_ambiguous
    assert not SIGNER.is_ambiguous
    assert not TicketSigner([OURS, OURS]).is_ambiguous


def _of_one_name() -> Sequence[bytes]:
    seen: dict[TicketKeyId, bytes] = {}
    for secret in (number.to_bytes(32) for number in range(4097)):
        met = seen.setdefault(TicketSigner([secret]).key_id, secret)
        if met is not secret:
            return met, secret
    raise AssertionError("there are 4,096 names")


def test_public_keys_are_passed_on_as_text():
    lines = written_keys(KEYS)
    assert read_keys(lines) == KEYS
    assert read_keys([f"  {line} \n" for line in [*lines, ""]]) == KEYS


@pytest.mark.parametrize(
    "lines",
    [
        ["nonsense"],
        ["1 AAAA"],
        [f"{SIGNER.key_id}"],
        [f"{(SIGNER.key_id + 1) % 4096} {written_keys(KEYS)[0].split()[1]}"],  # another's name
        [*written_keys(KEYS), "12 ä"],
    ],
)
def test_what_are_no_keys(lines: Sequence[str]):
    assert read_keys(lines) is None


def test_a_key_s_name_follows_from_the_key():
    assert all(key_id_of(key) == key_id for key_id, key in KEYS.items())
