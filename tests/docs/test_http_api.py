"""docs/http-api.md has every call of the service, and no other; and its examples do what it shows."""

import re
import shutil
from uuid import uuid4

import httpx
import pytest
from tests.docs.calls import served
from tests.docs.examples import differs, examples_in, run
from tests.docs.pages import Page, page
from tests.processes.copies import Copy, wait_for

CALL = re.compile(r"(GET|POST|PUT|PATCH|DELETE) (/[^\s?]*)(?:\?\S*)?")
SECTION = "Stalls centre"  # of a theatre: what the examples ask for

with_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="no curl on this machine")


def documented(reference: Page) -> set[tuple[str, str]]:
    """The calls that a document names, by method and pattern."""
    return {(found[1], found[2]) for span in reference.spans if (found := CALL.fullmatch(span))}


async def test_it_has_every_call_and_no_other(
    database_url: str, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = await served(database_url, valkey_url, monkeypatch)
    assert ("POST", "/api/v1/events/{event}/holds") in calls
    assert ("GET", "/openapi.json") in calls
    assert documented(page("docs/http-api.md")) == calls


def test_control_a_call_is_known_by_its_method_and_pattern():
    told = Page("docs/http-api.md", "`GET /a/{b}?c=`, `POST /a/{b}`; not `/a/{d}`, `GET a`, `POST …/a`, or GET /e.\n")
    assert documented(told) == {("GET", "/a/{b}"), ("POST", "/a/{b}")}


@with_curl
@pytest.mark.parametrize("name", ["docs/http-api.md", "README.md"])
def test_its_examples_do_what_it_shows(name: str, up: Copy) -> None:
    examples = examples_in(page(name))
    assert examples
    instead = {
        "http://127.0.0.1:8000": up.url,
        "EVENT=18": f"EVENT={theatre(up)}",
        "events/18 ": f"events/{theatre(up)} ",
    }
    for example, said in run(examples, instead):
        assert differs(example, said) is None


@with_curl
@pytest.mark.parametrize(
    ("shown", "language"),
    [
        ('{"event_id": "1"}', "json"),  # a field that is not there
        ('{"update_no": "0", "sections": []}', "json"),  # of another type
        ('{"update_no": 0, "sections": [{"section": "Stalls", "left": 1}, …]}', "json"),  # another field, further in
        ("404", "text"),
    ],
)
def test_control_an_example_that_shows_something_else_is_seen(up: Copy, shown: str, language: str) -> None:
    asked = f"curl -s {up.url}/api/v1/events/{theatre(up)}/availability"
    [(example, said)] = run(examples_in(Page("a.md", f"```sh\n{asked}\n```\n\n```{language}\n{shown}\n```\n")), {})
    assert differs(example, said)


def test_a_snapshot_is_read_as_it_says(up: Copy) -> None:
    [formula] = page("docs/http-api.md").blocks("python")
    event = f"{up.url}/api/v1/events/{theatre(up)}"
    session = {"Frontrow-Session": httpx.post(f"{event}/enter").json()["session_token"]}
    wish = {"hold_id": str(uuid4()), "best": {"quantity": 2, "section": SECTION}}
    held = {seat["seat"] for seat in httpx.post(f"{event}/holds", json=wish, headers=session).json()["seats"]}
    wait_for(lambda: held <= {seat for seat, state in _states(event).items() if state == "held"})
    snapshot, states = httpx.get(f"{event}/seats.bin").content, _states(event)
    codes = {"available": 0, "held": 1, "sold": 2, "blocked": 3}
    read = {n: eval(formula, {"snapshot": snapshot, "n": n}) for n in states}  # noqa: S307 -- the document's own line
    assert read == {seat: codes[state] for seat, state in states.items()}


def _states(event: str) -> dict[int, str]:
    seats = httpx.get(f"{event}/seats", params={"section": SECTION}).json()["seats"]
    return {seat["seat"]: seat["state"] for seat in seats}


def theatre(copy: Copy) -> int:
    """An event in a hall that has the section of the examples, and is on sale without a waiting room."""
    for number in map(int, re.findall(r"/events/(\d+)", httpx.get(copy.url).text)):
        event = f"{copy.url}/api/v1/events/{number}"
        seats = httpx.get(f"{event}/seats", params={"section": SECTION})
        if seats.status_code == 200:
            return number
    raise AssertionError(f"no event of the demo has a section {SECTION!r}")
