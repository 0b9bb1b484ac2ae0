"""The work of a challenge in a browser: in a worker, under the content policy that every page of ours has."""

import time

import pytest
from playwright.async_api import Route
from tests.browser.fans import Fan
from tests.ledger.on_sale import fan_no

from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.core.catalogue import EventId
from frontrow.core.proofs import ChallengeTerms, Level, Proven
from frontrow.web.pages.drawing import draw_problem
from frontrow.web.pages.static_files import static
from frontrow.web.problems import problem

pytestmark = pytest.mark.asyncio(loop_scope="session")

TERMS = ChallengeTerms(EventId(18), fan_no(1), is_new=False, level=Level.EASY)
PROOFS = AltchaProofs([b"a key that is for tests and for nothing else"], chance=lambda _: 0)


def challenge() -> object:
    return dict(PROOFS.challenge(TERMS, now=time.time()))


async def test_a_worker_does_it_and_the_page_says_nothing_amiss(fan: Fan):
    await fan.page.goto("/")
    asked = "async ([address, challenge]) => (await import(address)).proofOf(challenge)"
    proven = PROOFS.read(await fan.page.evaluate(asked, [static("proof.js"), challenge()]), now=time.time())
    assert isinstance(proven, Proven)
    assert (proven.terms, proven.has_waited) == (TERMS, False)
    assert fan.complaints == []


async def test_the_page_that_asks_for_it_goes_on_by_itself(fan: Fan):
    """The page as it is drawn, put where a real one would be; what it sends is looked at, and not answered."""
    page = draw_problem(problem("proof-needed", challenge=challenge()), "a request")
    sent: list[str] = []

    async def answer(route: Route) -> None:
        request = route.request
        sent.append(request.post_data or "")
        body = "gone on" if request.method == "POST" else page
        await route.fulfill(content_type="text/html", body=body)

    await fan.page.route("**/asked", answer)
    await fan.page.goto("/asked")
    await fan.page.get_by_text("gone on").wait_for()
    assert sent[0] == ""
    assert sent[1].startswith("proof=ey")
