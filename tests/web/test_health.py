"""Liveness and readiness."""

import asyncio
from dataclasses import dataclass, field

import pytest
from tests.web.asking import ask, service

from frontrow.web import health
from frontrow.web.health import Readiness


@dataclass
class StubPart:
    """A part that says what it is told to, and counts how often it is asked."""

    name: str
    why: str | None = None
    asked: int = field(default=0)

    async def trouble(self) -> str | None:
        self.asked += 1
        await asyncio.sleep(0)
        return self.why


class HangingPart:
    name = "frozen"

    async def trouble(self) -> str | None:
        await asyncio.Event().wait()


class BrokenPart:
    name = "broken"

    async def trouble(self) -> str | None:
        raise OSError("password=secret")


async def test_the_living_answer():
    answer = await ask(service(), "/healthz")
    assert (answer.status, answer.text) == (200, "ok\n")
    assert answer.headers["cache-control"] == "no-store"


async def test_ready_when_all_parts_are_well():
    answer = await ask(service(readiness=Readiness(needed=[StubPart("postgres")])), "/readyz")
    assert (answer.status, answer.json()) == (200, {"ready": True, "missed": []})


async def test_a_needed_part_that_is_away_is_named():
    readiness = Readiness(needed=[StubPart("postgres", "refused"), StubPart("mail")], useful=[StubPart("valkey")])
    answer = await ask(service(readiness=readiness), "/readyz")
    assert answer.status == 503
    assert answer.problem() == "unavailable"
    assert answer.headers["retry-after"] == "2"
    assert answer.json()["away"] == [{"part": "postgres", "why": "refused"}]


async def test_a_useful_part_is_missed_and_no_more():
    readiness = Readiness(needed=[StubPart("postgres")], useful=[StubPart("valkey", "refused")])
    answer = await ask(service(readiness=readiness), "/readyz")
    assert (answer.status, answer.json()["missed"]) == (200, [{"part": "valkey", "why": "refused"}])


async def test_a_part_that_hangs_is_away(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "ANSWER_SECONDS_MAX", 0.02)
    answer = await ask(service(readiness=Readiness(needed=[HangingPart()])), "/readyz")
    assert answer.json()["away"] == [{"part": "frozen", "why": "no answer within 0.02 s"}]


async def test_a_part_that_breaks_is_away_and_keeps_its_secrets():
    answer = await ask(service(readiness=Readiness(needed=[BrokenPart()])), "/readyz")
    assert answer.status == 503
    assert "secret" not in answer.text


async def test_those_who_ask_together_share_one_answer():
    part = StubPart("postgres")
    readiness = Readiness(needed=[part])
    await asyncio.gather(*(readiness.report() for _ in range(100)))
    assert part.asked == 1
    await readiness.report()
    assert part.asked == 2  # and the next one is a new one
