"""The guard where fans meet it: entering a line over HTTP, in a room with real Valkey and a real ledger."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.guard import doors as stage
from tests.guard.doors import Doors
from tests.ledger.on_sale import fan_no
from tests.line.room import FANS, Room, bearer, waiting_room
from tests.web import fans
from tests.web.asking import Answer

from frontrow.adapters.postgres.pool import Database
from frontrow.adapters.proofs.solving import solved
from frontrow.core.door_book import LOCKOUT_SECONDS, STRIKES_MAX
from frontrow.core.haste import polls_max
from frontrow.core.proofs import Asked, ProofWrong


@pytest.fixture
async def doors(valkey_url: str) -> AsyncIterator[Doors]:
    async with stage.doors(valkey_url, Asked.ALWAYS) as made:
        yield made


@pytest.fixture
async def room(database: Database, valkey_url: str, doors: Doors) -> AsyncIterator[Room]:
    async with waiting_room(database, valkey_url, guard=doors.guard) as room:
        yield room


def challenge_of(answer: Answer) -> Any:  # noqa: ANN401 -- as ALTCHA has it
    assert (answer.status, answer.problem()) == (403, "proof-needed"), answer.body
    return answer.json()["challenge"]


class TestProofs:
    async def test_whoever_joins_is_asked_and_passes_with_it(self, room: Room):
        event = await room.sell(on_sale_in=600)
        proof = solved(challenge_of(await room.gate.enter(event.event_id, bearer(1))))
        joined = await room.gate.enter(event.event_id, bearer(1), proof=proof)
        assert (joined.status, joined.json()["state"]) == (202, "waiting")

    async def test_whoever_has_a_ticket_is_not_asked(self, room: Room):
        event = await room.sell(on_sale_in=600)
        proof = solved(challenge_of(await room.gate.enter(event.event_id, bearer(1))))
        ticket = (await room.gate.enter(event.event_id, bearer(1), proof=proof)).json()["line_ticket"]
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)).status == 202

    async def test_used_wrong_and_others_proofs_are_refused_and_counted(self, room: Room, doors: Doors):
        event, other = await room.sell(on_sale_in=600), await room.sell(on_sale_in=600)
        proof = solved(challenge_of(await room.gate.enter(event.event_id, bearer(1))))
        assert (await room.gate.enter(event.event_id, bearer(1), proof=proof)).status == 202
        for answer in (
            await room.gate.enter(event.event_id, bearer(1), proof=proof),
            await room.gate.enter(event.event_id, bearer(2), proof=proof),
            await room.gate.enter(other.event_id, bearer(1), proof=proof),
            await room.gate.enter(event.event_id, bearer(1), proof="garbage"),
            await room.gate.enter(event.event_id, bearer(1), proof="A" * 60_000),
        ):
            assert challenge_of(answer)
        assert doors.counts.wrongs == {ProofWrong.SPENT: 1, ProofWrong.OTHERS: 2, ProofWrong.UNREADABLE: 2}

    async def test_somebody_nameless_who_brings_nothing_but_the_proof_is_that_fan(self, room: Room):
        event = await room.sell(on_sale_in=600)
        challenge = challenge_of(await room.gate.enter(event.event_id))
        joined = (await room.gate.enter(event.event_id, proof=solved(challenge))).json()
        assert joined["fan_id"] == challenge["parameters"]["data"]["fan"]
        assert str(FANS.fan(joined["fan_token"].encode(), now=0)) == joined["fan_id"]

    async def test_control_without_a_guard_nobody_is_asked(self, database: Database, valkey_url: str):
        async with waiting_room(database, valkey_url) as room:
            event = await room.sell(on_sale_in=600)
            assert (await room.gate.enter(event.event_id, bearer(1))).status == 202


class TestLockingOut:
    async def test_forged_tickets_and_the_reason_is_said(self, room: Room):
        event = await room.sell(on_sale_in=600)
        forged = "A" * 84
        answers = [await room.gate.enter(event.event_id, bearer(1), line_ticket=forged) for _ in range(STRIKES_MAX)]
        assert [answer.problem() for answer in answers] == ["ticket-refused"] * (STRIKES_MAX - 1) + ["locked-out"]
        assert (await room.gate.enter(event.event_id, bearer(1), line_ticket=forged)).problem() == "locked-out"
        locked = await room.gate.enter(event.event_id, bearer(1))
        assert (locked.status, locked.problem(), locked.json()["reason"]) == (429, "locked-out", "forged-ticket")
        assert 0 < int(locked.headers["retry-after"]) <= LOCKOUT_SECONDS
        assert "tickets for the line that are not ours" in locked.json()["detail"]
        assert challenge_of(await room.gate.enter(event.event_id, bearer(2)))

    async def test_a_stranger_s_forged_ticket_locks_out_nobody(self, room: Room, doors: Doors):
        event = await room.sell(on_sale_in=600)
        for _ in range(STRIKES_MAX + 1):
            answer = await room.gate.enter(event.event_id, line_ticket="A" * 84)
            assert answer.problem() == "ticket-refused"
        assert not doors.counts.strikes


class TestPolling:
    async def test_sooner_than_told_is_refused_and_the_place_stays(self, room: Room, doors: Doors):
        event = await room.sell(on_sale_in=600)
        proof = solved(challenge_of(await room.gate.enter(event.event_id, bearer(1))))
        first = (await room.gate.enter(event.event_id, bearer(1), proof=proof)).json()
        ticket, most = first["line_ticket"], polls_max(2.0)
        answers = [await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket) for _ in range(most + 1)]
        assert answers[0].status == 202
        assert (answers[-1].status, answers[-1].problem()) == (429, "slow-down")
        assert int(answers[-1].headers["retry-after"]) >= 2
        doors.passed += int(answers[-1].headers["retry-after"]) + 10
        again = await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)
        assert (again.status, again.json()["line_ticket"]) == (202, ticket)

    async def test_who_polls_as_told_is_never_refused(self, room: Room, doors: Doors):
        event = await room.sell(on_sale_in=600)
        proof = solved(challenge_of(await room.gate.enter(event.event_id, bearer(1))))
        waiting = (await room.gate.enter(event.event_id, bearer(1), proof=proof)).json()
        for _ in range(30):
            doors.passed += waiting["poll_seconds"]
            answer = await room.gate.enter(event.event_id, bearer(1), line_ticket=waiting["line_ticket"])
            assert answer.status == 202
            waiting = answer.json()

    async def test_what_is_refused_stands_for_nobody_in_the_line(self, room: Room):
        """A poll counts for the time since the last: who polls a hundred times is not a hundred fans."""
        event = await room.sell(on_sale_in=600)
        proof = solved(challenge_of(await room.gate.enter(event.event_id, bearer(1))))
        ticket = (await room.gate.enter(event.event_id, bearer(1), proof=proof)).json()["line_ticket"]
        statuses = [(await room.gate.enter(event.event_id, bearer(1), line_ticket=ticket)).status for _ in range(100)]
        assert statuses.count(202) <= polls_max(2.0)


async def test_as_it_is_wired_it_answers_as_the_document_says(database: Database, database_url: str, valkey_url: str):
    async with fans.service(database, database_url, valkey_url, proof_of_work="always") as service:
        event = await service.sell(waiting_room=True)
        answer = await service.ask("POST", f"/api/v1/events/{event.event_id}/enter", headers=[fans.bearer(fan_no(1))])
        assert challenge_of(answer)["parameters"]["algorithm"] == "PBKDF2/SHA-256"
        numbers = (await service.ask("GET", "/metrics")).text
    assert 'frontrow_guard_joins_total{answer="proof-needed",level="1"} 1.0' in numbers
