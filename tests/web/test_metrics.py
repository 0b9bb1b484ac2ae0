"""What Prometheus may know, and how little room it takes."""

import subprocess
import sys
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from tests.web.asking import ask, service

from frontrow.web.hot import Hot
from frontrow.web.metrics import Metrics


async def word(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("word")


def counted(metrics: Metrics, **labels: str) -> float | None:
    return metrics.registry.get_sample_value("frontrow_http_requests_total", labels)


@pytest.mark.parametrize("route", ["/hot/{id}", "/api/{id}", "/page/{id}"])
async def test_answers_are_counted_by_pattern(route: str):
    api, metrics = FastAPI(), Metrics()
    api.add_api_route("/api/{id}", lambda: "word")
    pages = Starlette(routes=[Route("/page/{id}", word)])
    app = service(api=api, pages=pages, hot=[Hot("GET", "/hot/{id}", PlainTextResponse("word"))], metrics=metrics)
    for number in range(3):
        await ask(app, route.replace("{id}", str(number)))
    assert counted(metrics, method="GET", route=route, status="200") == 3


async def test_strangers_make_no_labels():
    metrics = Metrics()
    app = service(pages=Starlette(routes=[Route("/page", word)]), metrics=metrics)
    for number in range(50):
        await ask(app, f"/scan/{number}.php")
        await ask(app, f"/a\x00{number}")
        await ask(app, "/page", method=f"BREW{number}")
    routes = {
        (sample.labels["method"], sample.labels["route"])
        for family in metrics.registry.collect()
        for sample in family.samples
    }
    assert routes == {("GET", "(none)"), ("other", "/page")}


async def test_the_page_is_what_prometheus_reads():
    metrics = Metrics()
    app = service(metrics=metrics)
    await ask(app, "/healthz")
    answer = await ask(app, "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'frontrow_http_requests_total{method="GET",route="/healthz",status="200"} 1.0' in answer.text
    assert 'frontrow_http_request_seconds_bucket{le="0.5",method="GET",route="/healthz"}' in answer.text


COUNTING = """
import asyncio, sys
from pathlib import Path
from frontrow.web.metrics import Metrics, share_numbers
share_numbers(Path(sys.argv[1]))
from tests.web.asking import ask, service
metrics = Metrics(Path(sys.argv[1]))
asyncio.run(ask(service(metrics=metrics), "/healthz"))
print(metrics.text().decode())
"""


def test_workers_of_one_port_add_up(tmp_path: Path):
    top = Path(__file__).parents[2]
    command = [sys.executable, "-c", COUNTING, str(tmp_path)]
    said = [subprocess.run(command, cwd=top, capture_output=True, check=True, text=True).stdout for _ in range(2)]
    name = 'frontrow_http_requests_total{method="GET",route="/healthz",status="200"}'
    assert [f"{name} {count}" in text for text, count in zip(said, ("1.0", "2.0"), strict=True)] == [True, True]
