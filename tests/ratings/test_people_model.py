"""The model of simulated people: one latent scale behind every question, the same at any order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.errors import StudyError
from plausibly.ratings.forms import Form, form_of
from plausibly.ratings.served import Content
from plausibly.ratings.simulated.latent import (
    Drawer,
    Floats,
    item_places,
    keyed_normals,
    positions,
)
from plausibly.ratings.simulated.model import PeopleModel, QuestionModel, people_model
from plausibly.ratings.simulated.outlook import outlook_of
from plausibly.ratings.simulated.people import SimulatedPerson
from plausibly.ratings.simulated.pilot import estimate_people
from plausibly.ratings.simulated.responses import ordinal, slid
from plausibly.study.collection import PEOPLE

FORM = form_of(
    {
        "questions": [
            {"id": "fits", "type": "slider", "min": 0, "max": 100, "start": 50},
            {"id": "happens", "type": "choice", "options": ["yes", "no"]},
            {"id": "odd", "type": "likert", "options": ["1", "2", "3", "4", "5"]},
            {"id": "why", "type": "choice", "options": ["who", "what", "where"]},
            {"id": "which", "type": "set", "options": ["a", "b", "c"]},
            {"id": "comment", "type": "text", "required": False},
        ]
    },
    where="test",
)
ITEMS = pl.DataFrame(
    [
        {"item": f"g{g}-{c}", "text": f"event {g}", "condition": c, "item_group": f"g{g}"}
        for g in range(10)
        for c in ("high", "low")
    ]
).with_columns(kind=pl.lit("item"))
PEOPLE_NAMES = [f"p{number}" for number in range(30)]


def answers(
    model: PeopleModel, kind: str = "careful", form: Form = FORM, people: int = 12
) -> dict[str, list[Any]]:
    """Return everyone's answers about every item, by question, in one order."""
    outlook = outlook_of(ITEMS, form, model, seed=1)
    found: dict[str, list[Any]] = {question.id: [] for question in form.questions}
    for name in PEOPLE_NAMES[:people]:
        person = SimulatedPerson(name, kind, 1)
        for row in ITEMS.iter_rows(named=True):
            content = Content(row["text"], condition=row["condition"], group=row["item_group"])
            given_by = person.answers(form.questions, row["item"], content, outlook=outlook)
            for question, answer in given_by.items():
                found[question].append(answer)
    return found


def numbers(texts: list[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([float(one) for one in texts])


def draw_positions(
    design: pl.DataFrame,
    items: pl.DataFrame,
    questions: Mapping[str, int],
    model: PeopleModel,
    *,
    seed: int,
) -> dict[str, Floats]:
    """Return where people place the items they see, for each question: all at once."""
    drawer = Drawer(model, seed)
    people, names = design["annotator"].to_list(), design["item"].to_list()
    everyone = sorted(set(people))
    ranks = np.searchsorted(np.array(everyone), np.array(people))
    use = np.exp(model.spread * keyed_normals(seed, "spread", everyone))
    condition = dict(zip(items["item"].to_list(), items["condition"].to_list(), strict=True))
    pairs = list(zip(people, names, strict=True))
    slopes = [f"{person}|{condition[name]}" for person, name in pairs]
    single = [f"{person}|{name}" for person, name in pairs]
    places: dict[str, Floats] = {}
    for question, known in item_places(items, list(questions), drawer).items():
        latent = np.array([known.places[name] for name in names])
        latent = latent + drawer.people(everyone, question)[ranks]
        latent = latent + drawer.slopes(slopes, question) + drawer.noise(single, question)
        places[question] = positions(questions[question] * use[ranks] * latent, known.scale)
    return places


def test_the_declared_defaults_are_those_of_the_model() -> None:
    assert people_model(PEOPLE, where="x") == PeopleModel()
    assert people_model({}, where="x") == PeopleModel()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**31), st.permutations(list("abcdef")))
def test_what_is_drawn_depends_on_the_name_and_not_on_who_else_is_there(
    seed: int, names: list[str]
) -> None:
    alone = {name: float(keyed_normals(seed, "item", [name])[0]) for name in names}
    assert keyed_normals(seed, "item", names).tolist() == [alone[name] for name in names]


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**31))
def test_all_at_once_and_in_parts_give_the_same_positions(seed: int) -> None:
    design = ITEMS.join(pl.DataFrame({"annotator": PEOPLE_NAMES}), how="cross")
    whole = draw_positions(design, ITEMS, {"fits": 1}, PeopleModel(), seed=seed)["fits"]
    part = draw_positions(design[5:25], ITEMS, {"fits": 1}, PeopleModel(), seed=seed)["fits"]
    assert np.allclose(whole[5:25], part)


@settings(max_examples=10, deadline=None)
@given(st.floats(0.1, 3), st.integers(0, 1000))
def test_a_shift_of_everyone_moves_every_answer_the_same_way(shift: float, seed: int) -> None:
    design = ITEMS.join(pl.DataFrame({"annotator": PEOPLE_NAMES}), how="cross")
    base = PeopleModel(effects={"condition": {"high": 0.0, "low": 0.0}})
    moved = PeopleModel(effects={"condition": {"high": shift, "low": shift}})
    before, after = (
        draw_positions(design, ITEMS, {"fits": 1}, one, seed=seed)["fits"] for one in (base, moved)
    )
    assert (after > before).all()
    assert (ordinal(after, 7, QuestionModel()) >= ordinal(before, 7, QuestionModel())).all()


def test_severity_and_slopes_have_the_declared_spread() -> None:
    names = [f"p{number}" for number in range(4000)]
    drawer = Drawer(PeopleModel(severity=0.8, slopes=0.6), 3)
    assert drawer.people(names, "q").std() == pytest.approx(0.8, rel=0.05)
    first, second = (drawer.slopes([f"{one}|{c}" for one in names], "q") for c in "ab")
    assert (first - second).std() == pytest.approx(0.6, rel=0.05)
    other = drawer.people(names, "r")
    assert np.corrcoef(drawer.people(names, "q"), other)[0, 1] == pytest.approx(0.7, abs=0.04)


def test_conditions_have_effects_and_questions_agree_with_each_other() -> None:
    found = answers(PeopleModel(effect=2.0))
    high = np.array([row == "high" for row in ITEMS["condition"]] * 12)
    fits, yes = numbers(found["fits"]), np.array(found["happens"]) == "yes"
    odd = numbers(found["odd"])
    assert fits[high].mean() - fits[~high].mean() > 15
    assert yes[high].mean() - yes[~high].mean() > 0.2
    assert np.corrcoef(fits, odd)[0, 1] > 0.4 < np.corrcoef(fits, yes)[0, 1]
    assert found["comment"] == []
    turned = answers(PeopleModel(effect=2.0, questions={"odd": QuestionModel(direction=-1)}))
    assert np.corrcoef(numbers(turned["fits"]), numbers(turned["odd"]))[0, 1] < -0.4


def test_sliders_are_used_from_end_to_end_and_rounded_by_habit() -> None:
    fits = numbers(answers(PeopleModel())["fits"])
    assert {0.0, 100.0} <= set(fits)
    assert len(set(fits)) > 30
    assert np.mean(fits % 5 == 0) > 0.6
    counts = np.unique(fits, return_counts=True)[1]
    assert counts.max() < 0.2 * fits.size
    tens = numbers(answers(PeopleModel(rounding={"10": 1.0}), people=5)["fits"])
    assert (tens % 10 == 0).all()


def test_every_option_and_several_of_a_set_are_chosen() -> None:
    found = answers(PeopleModel())
    assert set(found["why"]) == {"who", "what", "where"}
    assert {len(one) for one in found["which"]} >= {1, 2}
    first = [found["why"][place :: ITEMS.height] for place in range(ITEMS.height)]
    shares = [max(own.count(option) for option in set(own)) / len(own) for own in first]
    assert np.mean(shares) > 0.45


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        ("midpoint-responder", lambda fits: set(fits) == {50.0}),
        ("extreme-responder", lambda fits: set(fits) == {0.0, 100.0}),
        ("straight-liner", lambda fits: len(set(fits[:20])) == 1),
        ("uniform-spammer", lambda fits: len(set(fits)) > 60),
    ],
)
def test_careless_people_go_by_the_scale_and_not_by_the_item(kind: str, check: Any) -> None:
    assert check(numbers(answers(PeopleModel(), kind)["fits"]))


def test_a_biased_person_is_above_and_a_minority_opposed() -> None:
    model = PeopleModel(effect=2.0)
    fits = numbers(answers(model)["fits"])
    assert numbers(answers(model, "biased")["fits"]).mean() > fits.mean() + 10
    opposed = numbers(answers(model, "consistent-minority")["fits"])
    assert np.corrcoef(fits, opposed)[0, 1] < -0.9


def test_ends_and_shares_can_be_declared() -> None:
    position = np.linspace(0.001, 0.999, 1000)
    wide = slid(position, np.ones(1000), (0, 100), PeopleModel(ends=0.2))
    assert np.mean((wide == 0) | (wide == 100)) == pytest.approx(0.4, abs=0.01)
    places = ordinal(position, 3, QuestionModel(shares=(0.7, 0.2, 0.1)))
    assert np.bincount(places) / 1000 == pytest.approx([0.7, 0.2, 0.1], abs=0.01)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ({"severty": 1.0}, "Did you mean 'severity'"),
        ({"severity": -1.0}, "severity must lie between 0 and 10"),
        ({"rounding": {"10": 0.4}}, "must sum to 1"),
        ({"effects": {"condition": 1.0}}, "maps a column to its levels"),
        ({"effects": {"condition:language": {"a": 1.0}}}, "must name one level for each"),
        ({"appeal": {"a": [1.0]}}, "Beta distribution"),
        ({"questions": {"fits": {"shares": [0.5, 0.1]}}}, "sum to 1"),
        ({"questions": {"fits": {"direction": 2}}}, "direction is 1 or -1"),
        ({"questions": {"fits": {"colour": 2}}}, "unknown key 'colour'"),
    ],
)
def test_what_makes_no_model_is_named(section: Mapping[str, Any], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        people_model(section, where="study.toml")


def test_a_column_that_no_item_has_is_named() -> None:
    model = people_model({"effects": {"langage": {"it": 1.0}}}, where="x")
    with pytest.raises(StudyError, match="unknown column of the items 'langage'"):
        outlook_of(ITEMS, FORM, model, seed=1)


def test_a_pilot_gives_the_model_it_was_drawn_from() -> None:
    truth = PeopleModel(
        effects={"condition": {"high": 0.8, "low": -0.8}},
        items=0.6,
        groups=0.5,
        group_slopes=0.0,
        severity=0.7,
        slopes=0.5,
        spread=0.0,
    )
    items = pl.DataFrame(
        [
            {"item": f"g{g}-{c}", "text": f"event {g}", "condition": c, "item_group": f"g{g}"}
            for g in range(60)
            for c in ("high", "low")
        ]
    ).with_columns(kind=pl.lit("item"))
    people = pl.DataFrame({"annotator": [f"p{number}" for number in range(80)]})
    design = items.join(people, how="cross")
    places = draw_positions(design, items, {"odd": 1, "happens": -1}, truth, seed=5)
    texts = {
        "odd": [str(one + 1) for one in ordinal(places["odd"], 5, QuestionModel())],
        "happens": [("yes", "no")[one] for one in ordinal(places["happens"], 2, QuestionModel())],
    }
    ratings = pl.concat(
        design.select("item", "annotator").with_columns(
            question=pl.lit(name), answer=pl.Series(given_by)
        )
        for name, given_by in texts.items()
    )
    found = estimate_people(ratings.filter(pl.col("question") == "odd"), items, FORM)
    shift = found.of("odd").effects["condition"]
    assert shift["high"] - shift["low"] == pytest.approx(1.6, rel=0.3)
    assert found.severity == pytest.approx(0.7, rel=0.2)
    assert found.slopes == pytest.approx(0.5, rel=0.25)
    assert np.hypot(found.items, found.groups) == pytest.approx(np.hypot(0.6, 0.5), rel=0.2)
    shares = [texts["odd"].count(str(one)) / design.height for one in range(1, 6)]
    assert found.of("odd").shares == pytest.approx(shares)
    both = estimate_people(ratings, items, FORM)
    assert both.of("happens").direction == -both.of("odd").direction
    kept = people_model({**PEOPLE, "severity": 2.0}, where="x", start=both)
    assert (kept.severity, kept.items) == (2.0, both.items)
    with pytest.raises(StudyError, match="needs ratings of at least 3 items"):
        estimate_people(ratings.filter(pl.col("annotator") == "p1"), items, FORM)
