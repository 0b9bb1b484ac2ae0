"""`frontrow codes`: made without a server, asked for by an event of a copy that runs."""

import re

from tests.cli.test_jobs import ask
from tests.processes.copies import Copy

from frontrow.core.access_codes import AccessCodes
from frontrow.core.catalogue import EventId

KEY = "a key that is for tests and for nothing else"
CODE = re.compile(r"([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}")


def test_they_are_made_by_whoever_has_the_key(copy: Copy) -> None:
    said = copy.says("codes", "make", "--event", "18", "--count", "50", FRONTROW_SIGNING_KEYS=KEY)
    codes = said.out.splitlines()
    assert (said.status, len(set(codes))) == (0, 50)
    assert all(CODE.fullmatch(code) for code in codes)
    ours = AccessCodes([KEY.encode()])
    assert None not in {ours.number(EventId(18), code) for code in codes}
    assert {ours.number(EventId(19), code) for code in codes} == {None}


def test_an_event_asks_for_them_until_a_time_and_no_more(up: Copy) -> None:
    [first] = ask(up, "SELECT min(event_id) AS event_id FROM event WHERE publication = 'announced'")
    event = ("--event", str(first["event_id"]))
    said = up.says("codes", "require", *event, "--until", "2099-03-01T10:00:00Z")
    assert said.out == f"event {event[1]}: with a code alone, until 2099-03-01T10:00:00+00:00\n"
    assert len(ask(up, "SELECT FROM presale")) == 1
    assert up.says("codes", "free", *event).out == f"event {event[1]}: everybody may enter\n"
    assert up.says("codes", "free", *event).out == f"event {event[1]}: everybody may enter, as before\n"
    assert ask(up, "SELECT FROM presale") == []


def test_what_cannot_be_is_said_in_one_line(copy: Copy) -> None:
    for until, why in (("tomorrow", "is no time"), ("2099-03-01T10:00:00", "has no zone")):
        said = copy.says("codes", "require", "--event", "18", "--until", until)
        assert (said.status, said.out) == (1, "")
        assert why in said.err
        assert len(said.err.splitlines()) == 1


def test_an_event_that_is_not_there(up: Copy) -> None:
    said = up.says("codes", "require", "--event", "987654321", "--until", "2099-03-01T10:00:00Z")
    assert (said.status, said.err) == (1, "frontrow: there is no event 987654321\n")
