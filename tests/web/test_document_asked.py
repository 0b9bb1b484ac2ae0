"""Every call of the OpenAPI document is asked for what its schema allows, and for what it does not.

schemathesis looks for an answer that the document does not promise: over HTTP, of the service as it is started in
production. Half of what it asks is about an event on sale and a hold that there is, by fans who may hold seats; the
other half is about whatever comes to mind.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import servers
from tests.ledger.on_sale import fan_no, hold_no
from tests.psp_sim.program import Program
from tests.web.fans import session
from tests.web.started import started

from frontrow.core.catalogue import Event
from frontrow.web.openapi_calls import CALLS

EXAMPLES: Final = 25  # of each call: of what its schema allows, and of what it does not
TOO_PICKY: Final = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
STREAMS: Final = "/updates"  # these go on for ever
ASKED: Final = [call for call in CALLS if not call[1].endswith(STREAMS)]


@dataclass(frozen=True)
class Served:
    """A service that answers at this address, and its document."""

    url: str
    document: dict[str, Any]
    event: Event

    def ask(self, call: tuple[str, str], mode: str, document: dict[str, Any] | None = None) -> int:
        """How often it was asked. An ExceptionGroup where an answer is not as the document, or another one, says."""
        method, path = call
        operation = _module("openapi").from_dict(document or self.document)[path][method]
        unasked = [
            _module("specs.openapi.checks").positive_data_acceptance,  # what fits a schema may be sold, or no such seat
            _module("specs.openapi.checks").ignored_auth,  # takes our sessions for made-up ones; see test_enter.py
        ]
        asked = 0

        @settings(max_examples=EXAMPLES, suppress_health_check=TOO_PICKY)
        @given(data=st.data(), about=st.sampled_from(list(self._about(call, mode))), fan=st.integers(0, EXAMPLES))
        def ask(data: st.DataObject, about: dict[str, str] | None, fan: int) -> None:
            nonlocal asked
            asked += 1
            case = data.draw(operation.as_strategy(_module("generation").GenerationMode(mode), path_parameters=about))
            name, token = session(self.event.event_id, fan_no(fan))
            case.headers[name] = token
            case.call_and_validate(base_url=self.url, excluded_checks=unasked)

        ask()
        return asked

    def _about(self, call: tuple[str, str], mode: str) -> Iterator[dict[str, str] | None]:
        """About anything; and, where more than that can be right or wrong, about an event and a hold that there are."""
        yield None
        if mode == "positive" or CALLS[call].body or CALLS[call].parameters:
            known = {"event": str(self.event.event_id), "hold": str(hold_no(0))}
            yield {name: value for name, value in known.items() if "{" + name + "}" in call[1]}


def _module(name: str) -> Any:  # noqa: ANN401 -- half of its types are unknown to the checker
    """A part of schemathesis, loaded when it is needed: it takes most of a second."""
    return import_module(f"schemathesis.{name}")


@pytest.fixture(scope="module")
def psp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    program = Program(tmp_path_factory.mktemp("psp-sim"))
    program.start()
    yield program
    program.end()


@pytest.fixture(scope="module")
def served(databases: servers.Databases, valkey_of_worker: str, psp: Program) -> Iterator[Served]:
    with started(databases, valkey_of_worker, FRONTROW_PSP_SIM_URL=psp.url) as service:
        yield Served(service.url, httpx.get(f"{service.url}/openapi.json").json(), service.event)


@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("call", ASKED, ids=" ".join)
def test_no_answer_is_other_than_the_document_says(served: Served, call: tuple[str, str], mode: str):
    assert served.ask(call, mode) > 0


def no_404(responses: dict[str, Any]) -> None:
    del responses["404"]


def another_shape(responses: dict[str, Any]) -> None:
    responses["200"]["content"]["application/json"]["schema"] = {"type": "array"}


def one_header_more(responses: dict[str, Any]) -> None:
    responses["200"]["headers"]["X-Nothing"] = {"required": True}


@pytest.mark.parametrize("lie", [no_404, another_shape, one_header_more])
def test_control_what_the_document_says_is_looked_at(served: Served, lie: Callable[[dict[str, Any]], None]):
    document = deepcopy(served.document)
    method, path = call = ("GET", "/api/v1/events/{event}/availability")
    lie(document["paths"][path][method.lower()]["responses"])
    with pytest.raises(BaseExceptionGroup):
        served.ask(call, "positive", document)
