# noqa: INP001 -- a script, run by name
"""How many joins with a proof one process looks at in a second. Run `python bench/guard_joins.py`.

Each is a fan's own: the proof is read, and the book of the doors asked, in a Valkey beside it; HTTP is not around it.
Challenges are made and solved before, and not counted.
"""

import asyncio
import secrets
import sys
import tempfile
import time
from pathlib import Path
from types import MappingProxyType
from typing import Final
from uuid import uuid4

from frontrow.adapters.proofs.solving import solved
from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.adapters.valkey import connection
from frontrow.adapters.valkey.door_book import ValkeyDoorBook
from frontrow.core.catalogue import EventId
from frontrow.core.guard import Admit, Joining
from frontrow.core.holds import FanId
from frontrow.core.proofs import WORK, Asked, ChallengeTerms, Level, Work
from frontrow.engines import pair
from frontrow.flows.guard import Guard
from frontrow.web.guard_numbers import GuardNumbers
from frontrow.web.metrics import Metrics

EVENT: Final = EventId(1)
JOINS: Final = 12_000
AT_ONCE: Final = 64
LITTLE: Final = MappingProxyType({level: Work(0, 1, 1) for level in WORK})  # checking takes as long, whatever it was


async def measure(valkey_url: str) -> None:
    valkey = connection.connect(valkey_url)
    proofs = AltchaProofs([secrets.token_bytes(32)], chance=lambda _: 0, work=LITTLE)
    book = ValkeyDoorBook(valkey.client)
    guard = Guard(book, proofs, GuardNumbers(Metrics()), asked=Asked.ALWAYS, now=time.time, passing=time.monotonic)
    joins = iter([_join(proofs, number) for number in range(JOINS)])

    async def fans() -> int:
        return sum([isinstance(await guard.may_join(join), Admit) for join in joins])

    began, cpu_began = time.perf_counter(), time.process_time()
    admitted = sum(await asyncio.gather(*(fans() for _ in range(AT_ONCE))))
    took, cpu = time.perf_counter() - began, time.process_time() - cpu_began
    assert admitted == JOINS, "every proof is right, and nobody too fast"
    sys.stdout.write(f"{JOINS / took:,.0f} joins a second, {cpu / JOINS * 1e6:.0f} us of processor each\n")
    await valkey.close()


def _join(proofs: AltchaProofs, number: int) -> Joining:
    fan_id = FanId(uuid4())
    challenge = proofs.challenge(ChallengeTerms(EVENT, fan_id, is_new=False, level=Level.EASY), now=time.time())
    network = f"203.{number // 250}.{number % 250}.0/24"
    return Joining(event_id=EVENT, fan_id=fan_id, is_new=False, network=network, proof=solved(challenge))


def _nothing(_: str) -> None:
    pass


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        with pair.running(
            Path(folder) / "data", engine_user="nobody", url="a bench", postgres=False, say=_nothing, pause=time.sleep
        ) as engines:  # fmt: skip
            assert engines.valkey_url
            asyncio.run(measure(engines.valkey_url))


if __name__ == "__main__":
    main()
