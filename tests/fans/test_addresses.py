"""E-mail addresses: two of the same letters are one, and what is no address never gets further."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontrow.core.fans import EMAIL_BYTES_MAX, LOCAL_BYTES_MAX, email_address, foreign_fan, is_foreign

SAME = [
    ("ada@example.org", "ada@example.org"),
    ("Ada@Example.ORG", "ada@example.org"),  # nobody has two mailboxes that differ by that
    ("  ada@example.org\n", "ada@example.org"),  # pasted
    ("ada.l+tickets@example.org", "ada.l+tickets@example.org"),  # whether these are one mailbox, only its server knows
    ("a%b!c@example.org", "a%b!c@example.org"),
    ("ünï@bücher.example", "ünï@xn--bcher-kva.example"),
    ("u\u0308ni\u0308@bu\u0308cher.example", "ünï@xn--bcher-kva.example"),  # the same letters, composed otherwise
    ("ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"),
    ("ada@example。org", "ada@example.org"),  # the full stop of another script
    ("\u212aada@example.org", "kada@example.org"),  # the Kelvin sign is a k: the mail goes to the k
    ("佐藤@例え.jp", "佐藤@xn--r8jz45g.jp"),
    ("x" * LOCAL_BYTES_MAX + "@example.org", "x" * LOCAL_BYTES_MAX + "@example.org"),
]


@pytest.mark.parametrize(("typed", "address"), SAME)
def test_it_has_one_form(typed: str, address: str):
    assert email_address(typed) == address
    assert email_address(address) == address


LONGEST_DOMAIN = ".".join(["x" * 63, "x" * 63, "x" * 63, "x" * (EMAIL_BYTES_MAX - 3 * 64 - len("ada@"))])

NONE = [
    "",
    "@",
    "ada",
    "ada@",
    "@example.org",
    "ada@example",  # nothing on the internet is called so
    "ada@localhost",
    "ada@@example.org",
    "ada@b@example.org",
    ".ada@example.org",
    "ada.@example.org",
    "a..da@example.org",
    "ada lovelace@example.org",
    '"ada lovelace"@example.org',
    "ada@127.0.0.1",
    "ada@[127.0.0.1]",
    "ada@-example.org",
    "ada@example_org.de",
    "ada@example.org.",
    "ada@example..org",
    "ada@" + "x" * 64 + ".org",
    "ada@xn--.example",
    "ada@exa mple.org",
    "Ada <ada@example.org>",
    "ada@example.org, bob@example.org",
    "ada@example.org\nBcc: bob@example.org",  # a header of somebody's own
    "ada\r\nBcc: bob@example.org\r\n\r\n@example.org",
    "ada\0@example.org",
    "ada\u200b@example.org",  # what nobody sees
    "ada\u202e@example.org",  # what turns the line around
    "ada\ud800@example.org",  # half a letter
    "🎟@example.org",
    "x" * (LOCAL_BYTES_MAX + 1) + "@example.org",
    "ü" * (LOCAL_BYTES_MAX // 2 + 1) + "@example.org",  # bytes count
    "ada@" + LONGEST_DOMAIN + "x",
    "a" * 1_000_000 + "@example.org",
    "@" * 1_000_000,
    "." * 500,
]


@pytest.mark.parametrize("typed", NONE, ids=lambda typed: repr(typed[:40]))
def test_it_is_none(typed: str):
    assert email_address(typed) is None


def test_control_the_longest_is_one():
    longest = "ada@" + LONGEST_DOMAIN
    assert len(longest) == EMAIL_BYTES_MAX
    assert email_address(longest) == longest


@given(st.one_of(st.text(max_size=80), st.emails()))
def test_whatever_is_typed_its_form_is_its_own_form(typed: str):
    address = email_address(typed)
    if address is not None:
        assert email_address(address) == address
        assert address == address.strip()
        assert len(address.encode()) <= EMAIL_BYTES_MAX
        assert not set(address) & set('\r\n\0 <>,;:"')


@given(st.emails(domains=st.just("example.org")))
def test_case_says_nothing(address: str):
    assert email_address(address.upper()) in {email_address(address), None}


def test_a_foreign_fan_is_the_same_wherever_they_come_and_nobody_else():
    fan_id = foreign_fan("https://id.example", "7")
    assert fan_id == foreign_fan("https://id.example", "7")
    assert is_foreign(fan_id)
    assert str(fan_id) == "072751d3-07dd-5048-ad23-587f353d9756"  # it must never change: holds are of this id
    others = [("https://id.example", "8"), ("https://id.example/", "7"), ("https://id.example\n7", "")]
    assert fan_id not in {foreign_fan(*other) for other in others}
