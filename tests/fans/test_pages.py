"""The pages to sign in and out, in a browser without scripts; and the page of mails, for this machine alone."""

from urllib.parse import quote

import pytest
from starlette.types import ASGIApp
from tests.fans.counter import HERE, Browser, opened_service
from tests.fans.reception import ADA, BOB, SECRET, Reception, wrong
from tests.ledger.on_sale import put_on_sale
from tests.postgres.small_season import SmallSeason
from tests.web.asking import BROWSER, Answer, Header, ask
from tests.web.pages.reading import Page

from frontrow.core.fan_tokens import FanKeys
from frontrow.core.fans import CODES_AT_ONCE


@pytest.fixture
def browser(app: ASGIApp) -> Browser:
    return Browser(app)


async def signed_in(browser: Browser, desk: Reception, email: str = ADA) -> Answer:
    assert (await browser.send("/sign-in", {"email": email})).status == 303
    return await browser.send("/sign-in/code", {"code": await desk.mailed_code(ADA)})


def fan_token(browser: Browser) -> str:
    return browser.cookies["frontrow-fan"][0]


async def test_from_the_first_page_to_the_last(browser: Browser, desk: Reception):
    page = Page((await browser.get("/sign-in")).text)
    assert [form.attributes["action"] for form in page.all("form")] == ["/sign-in"]
    asked = await browser.send("/sign-in", {"email": " Ada@Example.org "})
    assert (asked.status, asked.headers["location"]) == (303, "/sign-in/code")
    assert "Ada@Example.org" in Page((await browser.get("/sign-in/code")).text).text
    code = await desk.mailed_code(ADA)
    entered = await browser.send("/sign-in/code", {"code": f"{code[:4]} {code[4:]}"})
    assert (entered.status, entered.headers["location"]) == (303, "/sign-in")
    assert ADA in Page((await browser.get("/sign-in")).text).text
    assert set(browser.cookies) == {"frontrow-fan", "frontrow-signed-in"}  # the address is kept no longer
    assert browser.cookies["frontrow-signed-in"][0] == "1"  # scripts read this one, and it says no name

    left = await browser.send("/sign-out", {})
    assert (left.status, left.headers["location"], browser.cookies) == (303, "/", {})
    assert "E-mail address" in Page((await browser.get("/sign-in")).text).text


async def test_nothing_of_it_is_kept_by_caches(browser: Browser, desk: Reception):
    answers = [
        await browser.get("/sign-in"),
        await browser.send("/sign-in", {"email": ADA}),
        await browser.get("/sign-in/code"),
        await browser.send("/sign-in/code", {"code": "1"}),
        await signed_in(browser, desk),
        await browser.get("/sign-in"),
        await browser.get("/mails"),
        await browser.send("/sign-out", {}),
    ]
    assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}


async def test_the_cookies_are_for_us_alone(browser: Browser, desk: Reception):
    asked = await browser.send("/sign-in", {"email": ADA})
    assert "Path=/sign-in; Max-Age=600; HttpOnly; SameSite=Lax" in asked.headers["set-cookie"]
    answer = await browser.send("/sign-in/code", {"code": await desk.mailed_code(ADA)})
    cookies = [value for name, value in answer.header_list if name == "set-cookie"]
    [fan] = [cookie for cookie in cookies if cookie.startswith("frontrow-fan=")]
    assert fan.endswith("; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax")


async def test_over_tls_they_go_no_other_way(database_url: str, valkey_url: str, desk: Reception):
    async with opened_service(database_url, valkey_url, behind_tls=True) as app:
        browser = Browser(app)
        asked = await browser.send("/sign-in", {"email": ADA}, ("origin", "https://127.0.0.1:8000"))
        entered = await browser.send(
            "/sign-in/code", {"code": await desk.mailed_code(ADA)}, ("origin", "https://127.0.0.1:8000")
        )
    cookies = [value for answer in (asked, entered) for name, value in answer.header_list if name == "set-cookie"]
    assert len(cookies) == 4
    assert all(cookie.endswith("; Secure") for cookie in cookies)


async def test_what_is_wrong_stands_beside_the_field_with_what_was_typed(browser: Browser, desk: Reception):
    refused = await browser.send("/sign-in", {"email": '"><script>alert(1)</script>'})
    page = Page(refused.text)
    assert refused.status == 422
    assert "That is no address that mail gets to." in page.text
    assert '"><script>alert(1)</script>' in page.values("value")
    assert "true" in page.values("aria-invalid")

    await browser.send("/sign-in", {"email": ADA})
    code = await desk.mailed_code(ADA)
    refused = await browser.send("/sign-in/code", {"code": wrong(code)})
    assert refused.status == 401
    assert "This code is not right" in Page(refused.text).text
    assert (await browser.send("/sign-in/code", {"code": code})).status == 303


async def test_asking_too_often_is_said_in_words(browser: Browser):
    for _ in range(CODES_AT_ONCE):
        await browser.send("/sign-in", {"email": ADA})
    refused = await browser.send("/sign-in", {"email": ADA})
    assert refused.status == 429
    assert int(refused.headers["retry-after"]) > 0
    assert "Use the newest one, or wait" in Page(refused.text).text


async def test_the_code_s_page_without_an_address_leads_to_the_first_one(browser: Browser):
    for answer in (await browser.get("/sign-in/code?way=/a"), await browser.send("/sign-in/code", {"way": "/a"})):
        assert (answer.status, answer.headers["location"]) == (303, "/sign-in?way=%2Fa")


async def test_one_comes_back_to_where_one_was(browser: Browser, desk: Reception):
    way = "/events/1/seats?party=2"
    assert way in Page((await browser.get(f"/sign-in?way={quote(way)}")).text).values("value")
    asked = await browser.send("/sign-in", {"email": ADA, "way": way})
    assert asked.headers["location"] == f"/sign-in/code?way={quote(way, safe='')}"
    assert way in Page((await browser.get(asked.headers["location"])).text).values("value")
    entered = await browser.send("/sign-in/code", {"code": await desk.mailed_code(ADA), "way": way})
    assert entered.headers["location"] == way


FOREIGN_WAYS = [
    "https://elsewhere.example/",
    "//elsewhere.example/",
    "/\\elsewhere.example/",
    "\\\\elsewhere.example",
    "javascript:alert(1)",
    "/\t/elsewhere.example",
    "/a\r\nset-cookie: x=1",
    "/" + "a" * 600,
    "/ü",
    "events",
]


@pytest.mark.parametrize("way", FOREIGN_WAYS, ids=lambda way: repr(way)[:30])
async def test_and_nowhere_else(browser: Browser, desk: Reception, way: str):
    assert "way" not in Page((await browser.get(f"/sign-in?way={quote(way)}")).text).values("name")
    assert (await browser.send("/sign-in", {"email": ADA, "way": way})).headers["location"] == "/sign-in/code"
    entered = await browser.send("/sign-in/code", {"code": await desk.mailed_code(ADA), "way": way})
    assert entered.headers["location"] == "/sign-in"


@pytest.mark.parametrize("header", [("origin", "https://elsewhere.example"), ("sec-fetch-site", "cross-site")])
async def test_another_site_s_form_signs_nobody_in_or_out(browser: Browser, desk: Reception, header: Header):
    await browser.send("/sign-in", {"email": ADA})
    code = await desk.mailed_code(ADA)
    for address, fields in (("/sign-in", {"email": BOB}), ("/sign-in/code", {"code": code}), ("/sign-out", {})):
        answer = await browser.send(address, fields, header)
        assert answer.status == 403, address
        assert "set-cookie" not in answer.headers
    assert (await browser.send("/sign-in/code", {"code": code})).status == 303  # the control


async def test_seats_that_did_not_come_along_are_said_before_anything_else(
    browser: Browser, desk: Reception, season: SmallSeason
):
    async with desk.database.pool.acquire() as connection:
        event = await put_on_sale(connection, season, waiting_room=False)
    elsewhere = Browser(browser.app)
    await signed_in(elsewhere, desk)
    for someone, seat in ((elsewhere, 0), (browser, 1)):
        await hold(someone, event.event_id, seat)
    answer = await signed_in(browser, desk)
    assert answer.status == 200
    assert "you have seats held for this event already" in Page(answer.text).text
    assert f"/events/{event.event_id}/seats" in Page(answer.text).values("href")


async def hold(browser: Browser, event_id: int, seat: int) -> None:
    """As whoever the browser is; a stranger becomes a fan by it."""
    address = f"/api/v1/events/{event_id}"
    if "frontrow-fan" not in browser.cookies:
        await browser.send(f"{address}/enter", {})
    cookie = ("cookie", f"frontrow-fan={fan_token(browser)}")
    body = f'{{"hold_id": "{seat}-{event_id}", "seats": [{seat}]}}'.encode()
    answer = await ask(browser.app, f"{address}/holds", method="POST", headers=[HERE, cookie], body=[body])
    assert answer.status == 201, answer.text


async def test_who_one_is_is_shown_only_to_whom_it_is(browser: Browser, desk: Reception):
    await signed_in(browser, desk)
    token = fan_token(browser)
    for forged in (token[:-3] + "AAA", "x", FanKeys([b"o" * 32]).token(await desk.fan_of(ADA), now=2e9)):
        browser.cookies["frontrow-fan"] = forged, "/"
        assert ADA not in (await browser.get("/sign-in")).text
    assert SECRET.decode() not in token


async def test_the_pages_are_whole(browser: Browser, desk: Reception):
    await browser.send("/sign-in", {"email": ADA})
    for address in ("/sign-in", "/sign-in/code", "/mails"):
        page = Page((await browser.get(address)).text)
        assert len(page.all("h1")) == 1
        assert not page.values("style")
        labels = {label.attributes.get("for") for label in page.all("label")}
        fields = [field.attributes for field in page.all("input") if field.attributes.get("type") != "hidden"]
        assert {field.get("id") for field in fields if "aria-label" not in field} == labels
        for address_of in [*page.values("src"), *(link.attributes["href"] for link in page.all("link"))]:
            assert address_of
            assert (await browser.get(address_of)).status == 200, address_of
    await signed_in(browser, desk)
    assert len(Page((await browser.get("/sign-in")).text).all("h1")) == 1


# The page of mails.


async def test_the_mails_are_there_for_this_machine(browser: Browser, desk: Reception):
    assert "There are none yet." in Page((await browser.get("/mails")).text).text
    await browser.send("/sign-in", {"email": ADA})
    assert "/mails" in Page((await browser.get("/sign-in/code")).text).values("href")
    code = await desk.mailed_code(ADA)
    page = Page((await browser.get("/mails")).text)
    assert code in page.text
    assert f"To {ADA}" in page.text
    assert "Whoever sees this page can sign in as anybody." in page.text


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "localhost"])
async def test_by_any_of_its_names(app: ASGIApp, host: str):
    assert (await ask(app, "/mails", headers=[("host", host), BROWSER])).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        [("host", "elsewhere.example")],  # whose name was turned to this machine: its page would read ours
        [("host", "127.0.0.1.elsewhere.example")],
        [("host", "10.0.0.1:8000")],
        [HERE, ("x-forwarded-for", "203.0.113.7")],  # a proxy stands in front
        [HERE, ("forwarded", "for=203.0.113.7")],
        [HERE, ("via", "1.1 proxy")],
    ],
)
async def test_and_for_nobody_else(app: ASGIApp, headers: list[Header]):
    answer = await ask(app, "/mails", headers=[*headers, BROWSER])
    assert answer.status == 404
    code_page = await ask(app, "/sign-in/code", headers=[*headers, BROWSER, ("cookie", "frontrow-sign-in=a@b.example")])
    assert code_page.status == 200
    assert "/mails" not in Page(code_page.text).values("href")


@pytest.mark.parametrize(
    "settings",
    [
        {"smtp_url": "smtp://127.0.0.1:1", "mail_from": "tickets@example.org"},
        {"behind_tls": True},
        {"host": "0.0.0.0"},  # noqa: S104 -- what must not be
        {"host": "192.0.2.1"},
    ],
)
async def test_nor_where_others_can_come(database_url: str, valkey_url: str, settings: dict[str, object]):
    async with opened_service(database_url, valkey_url, **settings) as app:
        assert (await ask(app, "/mails", headers=[HERE, BROWSER])).status == 404


async def test_what_a_mail_says_is_text(browser: Browser, desk: Reception):
    await desk.code_for(ADA)
    hostile = "<script>alert(1)</script>{{ 7 * 7654321 }}"
    await desk.database.pool.execute("UPDATE kept_mail SET subject = $1, words = $1, recipient = $1", hostile)
    text = (await browser.get("/mails")).text
    assert "<script>alert" not in text
    assert hostile in Page(text).text
    assert str(7 * 7654321) not in text
