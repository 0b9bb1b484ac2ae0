"""The embedded default, as whoever tries Frontrow meets it: ask for a code, read it on the page of mails, sign in."""

import re

import httpx
from tests.processes.copies import Copy, wait_for


def code_for(up: Copy, email: str) -> str | None:
    mails = httpx.get(f"{up.url}/mails").text
    found = re.search(rf"<h2>(\d{{8}}) is your code[^<]*</h2>\s*<p[^>]*>To {re.escape(email)},", mails)
    return found[1] if found else None


def test_a_code_comes_to_the_page_of_mails(up: Copy) -> None:
    email = "first@example.org"
    assert httpx.post(f"{up.url}/api/v1/sign-in", json={"email": email}).status_code == 202
    wait_for(lambda: code_for(up, email))
    verified = httpx.post(f"{up.url}/api/v1/sign-in/verify", json={"email": email, "code": code_for(up, email)})
    assert verified.status_code == 200
    assert verified.json().keys() >= {"fan_id", "token", "expires_at"}
    assert up.says("audit").status == 0
