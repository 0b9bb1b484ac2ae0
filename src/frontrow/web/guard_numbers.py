"""What Prometheus may know of the guard: what was answered to those who joined, and what it counted against anybody."""

from typing import Final

from prometheus_client import Counter

from frontrow.core.door_book import Strike
from frontrow.core.guard import Admit, AtTheGuard, LockedOut, ProofNeeded, SlowDown
from frontrow.core.proofs import Level, ProofWrong
from frontrow.web.metrics import Metrics

ANSWERS: Final = {Admit: "admitted", ProofNeeded: "proof-needed", SlowDown: "slow-down", LockedOut: "locked-out"}


class GuardNumbers:
    """Of one process."""

    def __init__(self, metrics: Metrics) -> None:
        registry = metrics.registry
        self._joined = Counter(
            "frontrow_guard_joins",
            "Who joined a line, by what they were told and the work that would be asked for (0 none, 3 the hardest)",
            ("answer", "level"),
            registry=registry,
        )
        self._wrong = Counter(
            "frontrow_guard_wrong_proofs", "Proofs that were none, by reason", ("why",), registry=registry
        )
        self._struck = Counter(
            "frontrow_guard_strikes", "What nobody does by mistake, or not often", ("why",), registry=registry
        )

    def join(self, answer: AtTheGuard, level: Level) -> None:
        self._joined.labels(ANSWERS[type(answer)], str(int(level))).inc()

    def wrong(self, why: ProofWrong) -> None:
        self._wrong.labels(why.value).inc()

    def struck(self, why: Strike) -> None:
        self._struck.labels(why.value).inc()
