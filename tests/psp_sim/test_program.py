"""The program as it is wired: webhooks go out over the network, signed."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue

import pytest
import stripe
from tests.psp_sim.program import SECONDS_MAX, Program

Told = Queue[tuple[bytes, str]]


@contextmanager
def shop() -> Generator[tuple[str, Told]]:
    """Somebody who listens: the address, and what comes with its signature."""
    told: Told = Queue()

    class Listens(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(204)
            self.end_headers()
            told.put((body, self.headers["stripe-signature"]))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's name
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listens)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/webhooks", told
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
@pytest.mark.parametrize("secrets", [["whsec_one"], ["whsec_new", "whsec_one"]])
def test_webhooks_go_out(tmp_path: Path, secrets: list[str]):
    program = Program(tmp_path)
    with shop() as (url, told):
        words = [f"--webhook-url={url}", *(f"--webhook-secret={secret}" for secret in secrets), "--late-seconds=0"]
        program.start(*words)
        body = "amount=4500&currency=eur&confirm=true&payment_method=pm_late&payment_method_types[]=card"
        assert program.asked("POST", "/v1/payment_intents", content=body).json()["status"] == "processing"
        came = [told.get(timeout=SECONDS_MAX) for _ in range(3)]
        program.end()
    types = [stripe.Webhook.construct_event(body, header, "whsec_one").type for body, header in came]
    assert sorted(types) == [f"payment_intent.{what}" for what in ("created", "processing", "succeeded")]
