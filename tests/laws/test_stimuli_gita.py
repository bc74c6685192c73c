"""Laws of GITA stories: variants keep actor and objects, forms survive the way back, any order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.datasets.gita.states import one_state, state_source
from plausibly.datasets.gita.stories import ATTRIBUTES, OF_ACTOR, STATES, Story, form_of, story_of
from plausibly.datasets.gita.variants import difference
from plausibly.proofreading.stories.checks import check_stories
from plausibly.stimuli.gita._exchanges import exchanged
from plausibly.stimuli.gita.conversion import first_form, revised_form
from worlds.gita import build_gita

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


conflicts: st.SearchStrategy[Any] = st.recursive(
    st.lists(st.integers(-1, 4), max_size=2), lambda inner: st.lists(inner, max_size=2)
)


@st.composite
def written(draw: st.DrawFn) -> dict[str, Any]:
    """Draw what may stand in a story besides: a conflict however nested, a row, a mark."""
    own: dict[str, Any] = {"breakpoint": draw(st.integers(-1, 5)), "confl_sents": draw(conflicts)}
    if draw(st.booleans()):
        own["confl_pairs"] = draw(conflicts)
    if draw(st.booleans()):
        own |= {"states": draw(st.one_of(st.none(), st.sampled_from(STATES)))}
        own |= draw(st.sampled_from([{}, {"states_inferred": True}]))
    return own | draw(st.sampled_from([{}, {"row": 3}]))


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


def json_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as a file gives them back."""
    written: dict[str, Any] = json.loads(json.dumps(fields))
    return written


@settings(deadline=None)
@given(told(), written())
def test_a_story_survives_the_way_to_the_other_form_and_back(
    story: Story, own: dict[str, Any]
) -> None:
    story = story_of({**story.fields, **own})
    there, back = (
        (first_form, revised_form)
        if form_of(story.fields) == "revised"
        else (revised_form, first_form)
    )
    turned = story_of(json_of(there(story)))
    assert form_of(turned.fields) != form_of(story.fields)
    assert turned.sentences == story.sentences
    assert back(turned) == dict(story.fields)
    assert there(story_of(back(turned))) == dict(turned.fields)
    assert there(turned) == dict(turned.fields)
    assert one_state(turned) == one_state(story)
    assert state_source(turned) == state_source(story)


@settings(deadline=None, max_examples=30)
@given(told(), st.integers(0, 10))
def test_every_exchange_is_an_item_or_in_the_ledger(story: Story, swaps: int) -> None:
    built = build_gita([story], swaps=swaps)
    proposed = built.items.filter(status="proposed")["item"].to_list()
    assert sorted([*proposed, *built.ledger["candidate"]]) == sorted(
        f"{story.story}-S{first}{second}" for first, second in combinations(range(5), 2)
    )
    assert built.funnel[-1]["rows"] == len(proposed)


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
