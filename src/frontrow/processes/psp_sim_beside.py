"""psp-sim beside a copy on one machine: `frontrow up` starts one where no payment provider is named."""

import socket
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from frontrow.engines.children import Say
from frontrow.processes.listening import listen, url_of
from frontrow.processes.supervising import Role
from frontrow.settings import Settings, handed_down

HERE: Final = "127.0.0.1"  # whoever reaches it may use it, so nobody else does
ANY_PORT: Final = 0
# What a shop does not hear anyway, as the answer to something it has asked.
TOLD_OF: Final = (
    "payment_intent.amount_capturable_updated",
    "payment_intent.succeeded",
    "payment_intent.payment_failed",
    "payment_intent.canceled",
)
WEBHOOKS_AT: Final = "/webhooks/payments/psp-sim"


@dataclass(frozen=True, slots=True)
class Beside:
    """A psp-sim that is not started yet, and whose address is taken."""

    url: str
    listening: socket.socket
    shop: Settings

    def role(self, *, environment: Mapping[str, str], say: Say) -> Role:
        """The process that answers there, and tells the shop of news."""
        port, handle = self.listening.getsockname()[1], self.listening.fileno()
        words = [
            "psp-sim",
            f"--port={port}",
            f"--listening={handle}",
            f"--webhook-url={url_of(self.shop)}{WEBHOOKS_AT}",
        ]
        words += [f"--webhook-type={kind}" for kind in TOLD_OF]
        own = handed_down({"host": HERE}, environment)
        return Role("psp-sim", words, environment=own, inherits=[handle], say=say)


@contextmanager
def psp_sim_beside(settings: Settings) -> Generator[Beside | None]:
    """Its address, taken until the end of the block. None: the settings name somebody to be asked for money."""
    if settings.stripe_api_key or settings.psp_sim_url:
        yield None
        return
    with listen(settings.model_copy(update={"host": HERE, "port": ANY_PORT})) as listening:
        yield Beside(f"http://{HERE}:{listening.getsockname()[1]}", listening, settings)
