"""A line that is played: the shop stays full and never overfull, and nobody gains by joining often."""

from dataclasses import replace

import pytest

from frontrow.core.line import LineRules, Policy
from frontrow.sim.charts import Chart, Series
from frontrow.sim.line_figures import bot_advantage, figures, waits
from frontrow.sim.line_scene import Course, Scene, gathered, play

SMALL = Scene(fans=40_000, cap=1_000, seats=20_000)


def played(scene: Scene) -> Course:
    return play(scene, processes=2)


@pytest.fixture(scope="module")
def course() -> Course:
    return played(SMALL)


def test_the_shop_is_full_and_never_overfull(course: Course):
    told = figures(SMALL, course)
    assert not told.cap_exceeded
    assert told.utilisation >= 0.95
    assert course.seconds[-1].seats_left <= 0, "it is sold out in the end"


def test_the_frontier_never_goes_back(course: Course):
    frontiers = [second.frontier for second in course.seconds]
    assert frontiers == sorted(frontiers)


@pytest.mark.slow
def test_the_same_scene_is_played_the_same_way(course: Course):
    assert played(SMALL) == course


@pytest.mark.parametrize("policy", [policy for policy in Policy if policy is not SMALL.rules.policy])
def test_every_policy_keeps_the_cap(policy: Policy):
    scene = replace(SMALL, fans=20_000, seats=4_000, rules=LineRules(policy=policy))
    course = played(scene)
    told = figures(scene, course)
    assert not told.cap_exceeded
    assert told.admitted > 0
    assert waits(scene, course, fans=200)


def test_joining_often_gains_nothing_and_without_the_binding_it_would():
    scene = replace(SMALL, bot_joins=5)
    bound, unbound = (bot_advantage(played(each), each) for each in (scene, replace(scene, is_bound=False)))
    assert bound == pytest.approx(1.0, abs=0.1)
    assert unbound > 1.5, "the control: each join is somebody new"


def test_everybody_who_gathered_is_counted_once():
    counts = gathered(SMALL, processes=2)
    assert sum(map(sum, counts)) == SMALL.fans - round(SMALL.fans * SMALL.late_share)


def test_a_chart_is_whole_whatever_is_in_it():
    for points in ([], [(0.0, 0.0)], [(1.0, 2e9), (3.0, 0.001)]):
        svg = Chart("a < b", "x", "y", [Series("one & all", points)]).svg()
        assert svg.startswith("<svg")
        assert svg.endswith("</svg>\n")
        assert "a &lt; b" in svg
        assert "one &amp; all" in svg
