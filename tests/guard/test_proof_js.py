"""The solver of our pages, as browsers run it: what it makes is a proof, and it is small."""

import json
import subprocess
import time
from pathlib import Path
from typing import Final

import pytest
from tests.codec.javascript import TOP, node
from tests.guard.doors import KEY, LITTLE
from tests.ledger.on_sale import fan_no

from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.core.catalogue import EventId
from frontrow.core.proofs import ChallengeTerms, Level, Proven

SOLVER: Final = TOP / "src/frontrow/web/pages/static/proof.js"
SCRIPT: Final = Path(__file__).with_name("solve_in_node.mjs")
BYTES_MAX: Final = 4_096


def solved_by_script(challenge: object) -> str:
    run = subprocess.run(
        [node(), SCRIPT, SOLVER.as_uri()],
        input=json.dumps(challenge), capture_output=True, check=True, encoding="utf-8",
    )  # fmt: skip
    return run.stdout


@pytest.mark.parametrize("draws", [0, 60])  # solved in the first go, and in a later one
def test_what_it_makes_is_a_proof(draws: int):
    proofs = AltchaProofs([KEY], chance=lambda _: draws, work=LITTLE)
    terms = ChallengeTerms(EventId(18), fan_no(1), is_new=False, level=Level.EASY)
    proven = proofs.read(solved_by_script(proofs.challenge(terms, now=time.time())), now=time.time())
    assert isinstance(proven, Proven)
    assert proven.terms == terms


def test_it_is_small():
    assert SOLVER.stat().st_size < BYTES_MAX
