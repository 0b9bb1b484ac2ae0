"""The services one by one, beside engines that run: they answer, say how they are, and stop when asked."""

import dataclasses

import httpx
import pytest
from tests.processes.copies import Copy, free_port, wait_for


@pytest.mark.slow
@pytest.mark.parametrize("role", ["api", "gate", "feed"])
def test_a_service_says_how_it_is(up: Copy, role: str) -> None:
    own = dataclasses.replace(up, port=free_port())
    started = own.start(role, FRONTROW_LOG_FORMAT="json").until_says("service.started")
    try:
        answers = {path: httpx.get(own.url + path) for path in ("/healthz", "/readyz", "/metrics", "/nowhere")}
        statuses = {path: answer.status_code for path, answer in answers.items()}
        assert statuses == {"/healthz": 200, "/readyz": 200, "/metrics": 200, "/nowhere": 404}
        assert "frontrow_http_requests_total" in answers["/metrics"].text
    finally:
        assert started.stop() == 0


@pytest.mark.slow
def test_several_workers_count_together(up: Copy) -> None:
    own = dataclasses.replace(up, port=free_port())
    started = own.start("api", FRONTROW_WORKERS="2", FRONTROW_LOG_FORMAT="json")
    try:
        wait_for(lambda: started.said.count("service.started") == 2, lambda: started.said)
        for _ in range(40):
            assert own.status("/healthz") == 200  # a new connection each time, so both get some
        assert 'route="/healthz",status="200"} 40.0' in httpx.get(own.url + "/metrics").text
    finally:
        assert started.stop() == 0


def test_a_sweeper_more_does_no_harm(up: Copy) -> None:
    started = up.start("sweeper").until_says("sweeper.started")
    assert started.stop() == 0


@pytest.mark.slow
@pytest.mark.parametrize("role", ["api", "gate", "feed", "sweeper"])
def test_nothing_to_work_with(copy: Copy, role: str) -> None:
    said = copy.says(role)
    assert said.status == 1
    assert "run `frontrow up`" in said.err
    assert "Traceback" not in said.err


def test_the_gate_stands_without_valkey_and_says_so(copy: Copy) -> None:
    started = copy.start("gate", FRONTROW_VALKEY_URL="redis://127.0.0.1:1").until_says("service.started")
    try:
        assert copy.status("/healthz") == 200
        answer = httpx.get(copy.url + "/readyz")
        assert (answer.status_code, answer.json()["away"][0]["part"]) == (503, "valkey")
    finally:
        assert started.stop() == 0
