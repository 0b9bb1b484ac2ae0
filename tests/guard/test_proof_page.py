"""What a browser is shown that has to do some work first: with a script, and without one."""

import json
import time
from typing import Any

from tests.guard.doors import KEY, LITTLE
from tests.ledger.on_sale import fan_no
from tests.web.pages.reading import Page

from frontrow.adapters.proofs.work import AltchaProofs
from frontrow.core.catalogue import EventId
from frontrow.core.proofs import ChallengeTerms, Level, ProofWrong, Proven
from frontrow.web.pages.drawing import draw_problem
from frontrow.web.problems import problem

TERMS = ChallengeTerms(EventId(18), fan_no(1), is_new=False, level=Level.HARD)


def shown() -> tuple[Page, AltchaProofs, float]:
    proofs, now = AltchaProofs([KEY], chance=lambda _: 0, work=LITTLE), time.time()
    return Page(draw_problem(problem("proof-needed", challenge=proofs.challenge(TERMS, now=now)), "id")), proofs, now


def test_without_a_script_the_form_has_the_proof_of_having_waited():
    page, proofs, now = shown()
    assert "Wait 20 seconds, then go on." in page.text
    [button] = [button for button in page.all("button") if button.words == "Go on"]
    form = page.form_of(button)
    assert form
    [(name, proof)] = page.written(form)
    assert name == "proof"
    assert proofs.read(proof, now=now + 19) is ProofWrong.TOO_EARLY
    proven = proofs.read(proof, now=now + 20)
    assert isinstance(proven, Proven)
    assert (proven.terms, proven.has_waited) == (TERMS, True)


def test_with_one_the_script_has_the_challenge():
    page, _, _ = shown()
    [form] = [form for form in page.all("form") if "data-challenge" in form.attributes]
    challenge: Any = json.loads(form.attributes["data-challenge"] or "")
    assert challenge["parameters"]["data"]["fan"] == str(fan_no(1))
    assert any("proving" in (script.attributes.get("src") or "") for script in page.all("script"))


def test_other_problems_ask_for_nothing():
    assert "data-challenge" not in draw_problem(problem("not-found"), "id")
