"""The life of a line ends, and every phase is reached."""

from frontrow.core.line.phases import TRANSITIONS, LineChange, LinePhase


def test_every_phase_can_be_reached_and_every_line_ends():
    reached = {LinePhase.CLOSED}
    for _ in LinePhase:
        reached |= {after for (before, _), after in TRANSITIONS.items() if before in reached}
    assert reached == set(LinePhase)
    assert {before for before, change in TRANSITIONS if change is LineChange.END} == set(LinePhase) - {LinePhase.OVER}
    assert not [before for before, _ in TRANSITIONS if before is LinePhase.OVER]
