"""Laws of GITA stories: variants keep actor and objects, forms survive the way back, any order."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.stimuli.gita import build_gita, exchanged
from plausibly.stimuli.gita_checks import check_stories
from plausibly.stimuli.gita_forms import ATTRIBUTES, OF_ACTOR, STATES, Story, story_of
from plausibly.stimuli.gita_states import first_form, revised_form
from plausibly.stimuli.gita_variants import difference

OBJECTS = ("tazza", "piatto", "scatola")

sentences = st.lists(
    st.builds(
        "Ada {} {}.".format,
        st.sampled_from(["lava", "apre", "prende", "rompe", "sposta", "guarda"]),
        st.sampled_from(OBJECTS),
    ),
    min_size=5,
    max_size=5,
    unique=True,
)
codes = st.lists(st.integers(0, 2), min_size=5, max_size=5)


@st.composite
def told(draw: st.DrawFn) -> Story:
    """Draw a plausible story in either form."""
    fields: dict[str, Any] = {
        "story_id": draw(st.integers(0, 9)),
        "type": None,
        "actor": "Ada",
        "objects": ", ".join(OBJECTS),
        "sentences": draw(sentences),
        "plausible": True,
        "breakpoint": -1,
        "confl_sents": [],
        "states": draw(st.sampled_from(STATES)),
    }
    fields["example_id"] = str(fields["story_id"])
    if draw(st.booleans()):
        fields["states"] = [
            {
                name: [[e, code] for e in (("Ada",) if name in OF_ACTOR else OBJECTS)]
                for name in ATTRIBUTES
            }
            for code in draw(codes)
        ]
    return story_of(fields)


@settings(deadline=None, max_examples=50)
@given(told())
def test_every_variant_keeps_actor_objects_and_sentences(story: Story) -> None:
    items = build_gita([story]).items
    assert items.height == 11
    assert set(items["actor"]) == {story.actor}
    assert set(items["objects"]) == {", ".join(story.objects)}
    for row in items.filter(status="proposed").iter_rows(named=True):
        variant = json.loads(row["sentences"])
        assert Counter(variant) == Counter(story.sentences)
        change = difference(story.sentences, variant)
        assert change is not None
        assert change.swap == tuple(int(place) for place in row["changed"].split(","))
    assert sorted(items["rank"].drop_nulls()) == list(range(1, 11))


@given(told())
def test_a_story_survives_the_way_to_the_other_form_and_back(story: Story) -> None:
    there = story_of(first_form(story))
    assert there.sentences == story.sentences
    assert not check_stories([there])
    if story.state is not None:
        assert revised_form(there) == dict(story.fields)
    else:
        assert first_form(there) == dict(story.fields)


@given(sentences, st.integers(0, 4), st.integers(0, 4))
def test_exchanging_twice_is_nothing(sentences: list[str], first: int, second: int) -> None:
    pair = (first, second)
    assert exchanged(exchanged(sentences, pair), pair) == tuple(sentences)


@settings(deadline=None, max_examples=30)
@given(st.lists(told(), min_size=1, max_size=4, unique_by=lambda story: story.story))
def test_findings_do_not_depend_on_the_order_of_stories(stories: list[Story]) -> None:
    def found(order: list[Story]) -> list[tuple[str, str]]:
        return sorted((finding.example, finding.kind) for finding in check_stories(order))

    assert found(stories) == found(stories[::-1])
