"""What may be lost is lost: Valkey is emptied or away, processes end. Every place stays, the cap holds, lines go on."""

import asyncio

from tests.line.room import Clock, Room, bearer, gate_of

from frontrow.adapters.valkey import connection


async def test_places_outlive_whatever_is_lost(room: Room):
    event = await room.sell(on_sale_in=600)
    tickets = [(await room.gate.enter(event.event_id, bearer(number))).json()["line_ticket"] for number in range(5)]
    await room.flush()
    room.gates[:] = [gate_of(room.memory, room.clock, name="another process")]
    await room.turn(1)
    for number, ticket in enumerate(tickets):
        anew = await room.gate.enter(event.event_id, bearer(number))
        shown = await room.gate.enter(event.event_id, bearer(number), line_ticket=ticket)
        assert anew.json()["line_ticket"] == shown.json()["line_ticket"] == ticket


async def test_terms_are_back_within_a_look(room: Room):
    event = await room.sell()
    await room.flush()
    await room.publish.look()
    other = gate_of(room.memory, room.clock, name="another process")
    await other.lines.look()
    assert other.lines.get(event.event_id)


async def test_sessions_are_put_back_before_anybody_new_comes_in(two_gates: Room):
    room = two_gates
    event = await room.sell(cap=4)
    await room.open(event)
    await room.call_everybody(event)
    first = [await room.gates[number % 2].enter(event.event_id, bearer(number)) for number in range(4)]
    assert {answer.status for answer in first} == {200}
    await room.flush()
    newcomers = [await room.gates[number % 2].enter(event.event_id, bearer(number)) for number in range(4, 8)]
    assert {answer.status for answer in newcomers} == {202}, "the door is shut"
    await room.turn(1, times=5)
    await room.call_everybody(event)
    assert await room.active(event) == 4
    newcomers = [await room.gates[number % 2].enter(event.event_id, bearer(number)) for number in range(4, 8)]
    assert {answer.status for answer in newcomers} == {202}, "and full, when it is open"
    again = [await room.gates[number % 2].enter(event.event_id, bearer(number)) for number in range(4)]
    assert [answer.json()["session_token"] for answer in again] == [
        answer.json()["session_token"] for answer in first
    ], "whoever was inside still is"


async def test_control_a_process_that_remembers_nothing_puts_nothing_back(two_gates: Room):
    room = two_gates
    event = await room.sell(cap=4)
    await room.open(event)
    await room.call_everybody(event)
    for number in range(4):
        assert (await room.gate.enter(event.event_id, bearer(number))).status == 200
    line = room.line(event)
    line.let_in.clear()
    await room.flush()
    await room.turn(1, times=5)
    assert await room.active(event) == 0


async def test_the_frontier_never_goes_back_whoever_ushers(two_gates: Room):
    room = two_gates
    event = await room.sell(on_sale_in=2)
    for number in range(30):
        await room.gates[number % 2].enter(event.event_id, bearer(number))
    seen: list[float] = []
    for step in range(24):
        if step == 8:  # the one who ushers is frozen, and its office ends
            await room.memory.client.delete("frontrow:lines:usher")
            room.gates.reverse()
        if step == 14:
            await room.flush()
        if step == 18:
            room.gates[:] = [gate_of(room.memory, room.clock, name=f"gate {name}") for name in "xy"]
            await room.memory.client.delete("frontrow:lines:usher")
        await room.turn(1)
        seen += [line.told.frontier for gate in room.gates if (line := gate.lines.get(event.event_id))]
    assert seen == sorted(seen)
    assert seen[-1] > 0, "it has moved at all"


async def test_a_frozen_usher_that_wakes_up_tells_nothing(two_gates: Room):
    room = two_gates
    event = await room.sell()
    await room.turn(1)
    first, second = room.gates
    await room.memory.client.delete("frontrow:lines:usher")
    await second.usher.look()
    told = {event.event_id: (room.line(event).told, True)}
    assert not await room.door.tell("gate 0", told)
    assert await room.door.tell("gate 1", told), "the control: whoever has the office is heard"
    await first.usher.look()
    assert not first.usher.is_leading


async def test_frontiers_are_stored_for_the_day_on_which_all_is_lost(room: Room):
    event = await room.sell(on_sale_in=1)
    await room.gate.enter(event.event_id, bearer(1))
    await room.turn(1, times=14)
    frontier = room.line(event).told.frontier
    assert frontier > 0
    await room.turn(1, times=11)
    await room.flush()
    room.gates[:] = [gate_of(room.memory, room.clock, name="another process")]
    await room.turn(1)
    assert room.line(event).told.frontier >= frontier


async def test_without_valkey_fans_gather_wait_and_keep_their_places(room: Room):
    event = await room.sell(on_sale_in=10)
    ticket = (await room.gate.enter(event.event_id, bearer(1))).json()["line_ticket"]
    nowhere = connection.connect("redis://127.0.0.1:1/0")
    cut_off = gate_of(nowhere, room.clock, name="cut off")
    cut_off.lines.hear([room.line(event).terms])
    try:
        assert (await cut_off.enter(event.event_id, bearer(1))).json()["line_ticket"] == ticket
        assert (await cut_off.ask("GET", event.event_id, "line")).status == 200
        room.clock.now += 60
        waiting = await cut_off.enter(event.event_id, bearer(1), line_ticket=ticket)
        assert waiting.json()["line_ticket"] == ticket
        late = await cut_off.enter(event.event_id, bearer(2))
        assert late.status == 202
        line = cut_off.lines.get(event.event_id)
        assert line
        line.hear_told(type(line.told)(at=room.clock.now, frontier=1e9))
        assert (await cut_off.enter(event.event_id, bearer(1), line_ticket=ticket)).status == 202, "nobody new comes in"
        gone = await cut_off.ask("GET", event.event_id, "session", bearer(1))
        assert (gone.status, gone.problem()) == (503, "unavailable")
    finally:
        await nowhere.close()


async def test_how_much_it_takes_does_not_depend_on_who_waits(room: Room):
    """Of an event: what Valkey keeps of a line with a crowd is what it keeps of one with nobody."""
    event = await room.sell(on_sale_in=5)
    await asyncio.gather(*(room.gate.enter(event.event_id, bearer(number)) for number in range(300)))
    await room.turn(1, times=12)
    keys = [key async for key in room.memory.client.scan_iter("frontrow:line*")]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] -- redis-py has no types for it
    taken = 0
    for key in keys:  # pyright: ignore[reportUnknownVariableType] -- the same
        taken += await room.memory.client.memory_usage(key) or 0  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType] -- the same
    assert taken < 1_000_000
    assert isinstance(room.clock, Clock)
