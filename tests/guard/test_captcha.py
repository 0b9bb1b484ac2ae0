"""Beyond the hardest work a person is asked, by a service of somebody else's: a real one in shape, on this machine."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.guard import doors as stage
from tests.guard.captcha_service import PERSON, SECRET, CaptchaService, captcha_service
from tests.guard.doors import Doors
from tests.ledger.on_sale import fan_no

from frontrow.adapters.proofs import captcha
from frontrow.adapters.proofs.captcha import TOKEN_CHARS_MAX, SiteVerify
from frontrow.adapters.proofs.solving import solved
from frontrow.core.door_book import Strike
from frontrow.core.guard import Admit, AtTheGuard, ProofNeeded
from frontrow.core.proofs import Level, ProofWrong
from frontrow.core.rates import rate
from frontrow.flows import guard as flow


@pytest.fixture
async def service() -> AsyncIterator[CaptchaService]:
    async with captcha_service() as service:
        yield service


@pytest.fixture
async def doors(valkey_url: str, service: CaptchaService, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Doors]:
    """A rush, and a fan with strikes: as much as there can be against somebody."""
    for limit in ("EVENT_CALM", "EVENT_CROWDED"):
        monkeypatch.setattr(flow, limit, rate(at_once=1, again_seconds=3_600))
    verify = SiteVerify(service.url, secret=SECRET, site_key="ours")
    async with stage.doors(valkey_url, captcha=verify) as doors:
        assert await doors.join(9) == Admit()
        for _ in range(6):
            await doors.guard.struck(fan_no(1), Strike.FORGED_TICKET)
        yield doors


def asked(answer: AtTheGuard) -> ProofNeeded:
    assert isinstance(answer, ProofNeeded)
    return answer


def level_of(answer: ProofNeeded) -> int:
    parameters: Any = answer.challenge["parameters"]
    return parameters["data"]["level"]


async def test_a_person_passes_with_the_work_done(doors: Doors):
    needed = asked(await doors.join())
    assert (level_of(needed), needed.site_key) == (Level.PERSON, "ours")
    assert await doors.join(proof=solved(needed.challenge), captcha=PERSON) == Admit()


@pytest.mark.parametrize("token", [None, "", "made up", "x" * (TOKEN_CHARS_MAX + 1)])
async def test_a_program_does_not_and_is_asked_again(doors: Doors, token: str | None):
    proof = solved(asked(await doors.join()).challenge)
    again = asked(await doors.join(proof=proof, captcha=token))
    assert (level_of(again), again.site_key) == (Level.PERSON, "ours")
    assert doors.counts.wrongs == {ProofWrong.NO_PERSON: 1}
    assert await doors.join(proof=proof, captcha=PERSON) == Admit()  # the work was not for nothing


async def test_without_the_work_a_person_is_asked_for_it(doors: Doors, service: CaptchaService):
    asked(await doors.join(captcha=PERSON))
    asked(await doors.join(captcha=PERSON, proof="garbage"))
    assert service.asked == 0


async def test_others_are_not_asked(doors: Doors):
    needed = asked(await doors.join(2))
    assert (level_of(needed), needed.site_key) == (Level.HARD, None)
    assert await doors.join(2, proof=solved(needed.challenge)) == Admit()


@pytest.mark.parametrize("trouble", ["away", "broken", "frozen"])
async def test_while_the_service_cannot_be_asked_the_work_is_enough(
    doors: Doors, service: CaptchaService, monkeypatch: pytest.MonkeyPatch, trouble: str
):
    monkeypatch.setattr(captcha, "ANSWER_SECONDS_MAX", 0.2)
    match trouble:
        case "away":
            doors.guard.captcha = SiteVerify("http://127.0.0.1:1", secret=SECRET, site_key="ours")
        case "broken":
            service.status = 500
        case _:
            service.is_frozen = True
    proof = solved(asked(await doors.join()).challenge)
    assert await doors.join(proof=proof, captcha=PERSON) == Admit()


async def test_control_without_a_service_nobody_is_asked(doors: Doors, valkey_url: str):
    async with stage.doors(valkey_url) as others:
        needed = asked(await others.join())
        assert (level_of(needed), needed.site_key) == (Level.HARDEST, None)
    assert doors
