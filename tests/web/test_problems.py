"""The catalogue of problems: complete sentences, and answers of one form."""

import pytest

from frontrow.web.problems import KINDS, Kind, of_status, problem


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.slug)
def test_each_says_what_happened_what_was_lost_and_what_to_do(kind: Kind):
    assert 400 <= kind.status <= 599
    for sentence in (kind.happened, kind.lost, kind.now):
        assert sentence[0].isupper(), sentence
        assert sentence.endswith("."), sentence
        assert "!" not in sentence


def test_fields_travel_beside_the_text_and_never_replace_it():
    document = problem("seats-taken", taken=[4], alternatives=[[5, 6]], status=200, title="Fine").document()
    assert document["taken"] == [4]
    assert document["alternatives"] == [[5, 6]]
    assert (document["status"], document["title"]) == (409, "Someone was faster")


def test_an_unknown_slug_is_a_fault_of_the_caller():
    with pytest.raises(KeyError):
        problem("no-such-thing")


@pytest.mark.parametrize(
    ("status", "slug"),
    [
        (404, "not-found"),
        (405, "method-not-allowed"),
        (413, "too-large"),
        (418, "bad-request"),  # never sent on purpose, and the client's doing
        (503, "unavailable"),
        (599, "fault"),  # never sent on purpose, and ours
    ],
)
def test_a_bare_status_means_the_plainest_problem(status: int, slug: str):
    assert of_status(status).kind.slug == slug
