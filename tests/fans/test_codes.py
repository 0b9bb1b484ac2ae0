"""Sign-in codes: made from a nonce by a key, right for one address, and not to be had without the key."""

from collections import Counter

from frontrow.core.fans import CODE_DIGITS, CodeKeys, EmailAddress, Nonce

ADA, BOB = EmailAddress("ada@example.org"), EmailAddress("bob@example.org")
NONCE, ANOTHER = Nonce(b"n" * 16), Nonce(b"m" * 16)
OURS, OLDER = b"k" * 32, b"o" * 32
KEYS = CodeKeys([OURS])
CODE = KEYS.code(ADA, NONCE)


def test_a_code_is_right_for_its_address_and_its_nonce_alone():
    assert KEYS.is_right(CODE, ADA, NONCE)
    assert not KEYS.is_right(CODE, BOB, NONCE)
    assert not KEYS.is_right(CODE, ADA, ANOTHER)


def test_it_has_its_digits_those_in_front_too():
    codes = [KEYS.code(ADA, Nonce(number.to_bytes(16))) for number in range(200)]
    assert {len(code) for code in codes} == {CODE_DIGITS}
    assert all(code.isascii() and code.isdecimal() for code in codes)
    assert any(code.startswith("0") for code in codes)
    assert max(Counter(codes).values()) == 1


def test_people_group_digits():
    for typed in (f"{CODE[:4]} {CODE[4:]}", f" {CODE}\u00a0", "-".join(CODE)):
        assert KEYS.is_right(typed, ADA, NONCE)


def test_what_is_no_code_is_wrong():
    nearly = str((int(CODE) + 1) % 10**CODE_DIGITS).zfill(CODE_DIGITS)
    full_width = "".join(chr(ord(digit) - ord("0") + ord("\uff10")) for digit in CODE)
    for typed in ("", " ", nearly, CODE[:-1], CODE + "0", CODE + "\n", "\ud800", full_width, "x" * 10_000):
        assert not KEYS.is_right(typed, ADA, NONCE), typed


def test_keys_change_while_codes_are_on_their_way():
    before, between, after = CodeKeys([OLDER]), CodeKeys([OURS, OLDER]), KEYS
    old, new = before.code(ADA, NONCE), between.code(ADA, NONCE)
    assert new == after.code(ADA, NONCE)  # the first key makes them
    assert [keys.is_right(old, ADA, NONCE) for keys in (before, between, after)] == [True, True, False]
    assert [keys.is_right(new, ADA, NONCE) for keys in (before, between, after)] == [False, True, True]
