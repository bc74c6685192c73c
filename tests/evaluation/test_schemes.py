"""Predictions against people: pairs, classes, events and distributions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from plausibly.datasets.pairs import read_pair_table
from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError
from plausibly.evaluation.answers import check_predictions, probabilities
from plausibly.evaluation.classes import Classified, classify, score_classes
from plausibly.evaluation.events import event_items, judge, score_events
from plausibly.evaluation.pairs import Undefined, pair_items, score_pairs
from plausibly.evaluation.soft import Scale, floors, rating_counts, score_soft, share, split_half
from plausibly.evaluation.truth import Truth
from plausibly.measures.distances import entropy

THREE = LabelScheme("adept-3", labels=("down", "same", "up"), of={"0": "down", "1": "down"})
SCALE = Scale(("1", "2", "4", "5"), (1.0, 2.0, 4.0, 5.0))


def said(rows: Mapping[str, object], *, column: str = "score", model: str = "m") -> pl.DataFrame:
    frame = pl.DataFrame({"item": list(rows), column: list(rows.values())})
    return check_predictions(frame.with_columns(question=pl.lit("q"), model=pl.lit(model)))


def pairs(heads: int = 6, *, source: bool = True) -> pl.DataFrame:
    generator = np.random.default_rng(1)
    rows = [
        {
            "relation": "dobj",
            "head": f"h{head}",
            "dependent": f"d{place}",
            "score": float(generator.uniform(0, 10)),
            "source": ("frequent" if place < 2 else "random") if source else None,
        }
        for head in range(heads)
        for place in range(4)
    ]
    return pl.DataFrame(rows, schema_overrides={"source": pl.String})


def scored(truth: pl.DataFrame, values: object) -> pl.DataFrame:
    named = pair_items(truth)["item"].to_list()
    return said(dict(zip(named, list(values), strict=True)))  # type: ignore[call-overload]


def test_people_agree_with_themselves() -> None:
    truth = pairs()
    found = score_pairs(scored(truth, truth["score"]), truth, model="m", resamples=50, seed=1)
    document = found.as_json()["relations"]["dobj"]  # type: ignore[index]
    for half in ("all", "frequent", "random"):
        assert document[half]["spearman_within_head"]["value"] == pytest.approx(1)
        assert document[half]["spearman_pooled"]["value"] == pytest.approx(1)
        assert document[half]["coverage"]["value"] == 1
    assert document["all"]["spearman_pooled"]["n"] == 24


def test_spearman_within_heads_is_the_mean_over_heads_that_vary() -> None:
    truth = pairs(heads=5)
    values = np.random.default_rng(3).integers(0, 2, size=20).astype(float)
    found = score_pairs(scored(truth, values), truth, model="m", resamples=0, seed=1)
    blocks = [(values[n : n + 4], truth["score"][n : n + 4]) for n in range(0, 20, 4)]
    rho = [stats.spearmanr(*block).statistic for block in blocks if len(set(block[0])) > 1]
    measure = found.slices["dobj/all"]["spearman_within_head"].as_json()
    assert measure["value"] == pytest.approx(np.mean(rho))
    assert (measure["heads"], measure["heads_undefined"]) == (len(rho), 5 - len(rho))


def test_pairs_without_a_score_are_left_out_and_lower_the_coverage() -> None:
    truth = pairs()
    values = [None, *truth["score"].to_list()[1:]]
    found = score_pairs(scored(truth, values), truth, model="m", resamples=0, seed=1)
    measures = found.slices["dobj/all"]
    assert measures["coverage"].value == pytest.approx(23 / 24)
    assert measures["spearman_pooled"].value == pytest.approx(1)
    assert measures["spearman_pooled"].n == 23


def test_a_score_without_evidence_is_not_covered() -> None:
    truth = pairs()
    predictions = scored(truth, truth["score"]).with_columns(
        evidence=pl.Series(["unknown"] * 6 + ["seen"] * 18)
    )
    found = score_pairs(predictions, truth, model="m", resamples=0, seed=1)
    assert found.slices["dobj/all"]["coverage"].value == 0.75


def test_without_halves_their_measures_say_why() -> None:
    truth = pairs(source=False)
    found = score_pairs(scored(truth, truth["score"]), truth, model="m", resamples=0, seed=1)
    measure = found.slices["dobj/random"]["spearman_pooled"]
    assert measure.value is None
    assert "frequent" in str(measure.reason)


def test_only_files_as_sp10k_is_released_have_halves_by_their_order(tmp_path: Path) -> None:
    rows = [f"h{n // 4}\td{n}\t{n % 9}" for n in range(8)]
    own, released = tmp_path / "own.tsv", tmp_path / "dobj.tsv"
    own.write_text("head\tdependent\tscore\n" + "\n".join(rows), encoding="utf-8")
    released.write_text("\n".join(rows), encoding="utf-8")
    assert read_pair_table(own, relation="dobj")["source"].is_null().all()
    halves = ["frequent", "frequent", "random", "random"]
    assert read_pair_table(released)["source"].to_list() == halves * 2


def test_the_scores_table_has_every_measure() -> None:
    truth = pairs()
    found = score_pairs(scored(truth, truth["score"]), truth, model="m", resamples=0, seed=1)
    assert found.scores.height == 15
    assert set(found.scores["slice"]) == {"dobj/all", "dobj/frequent", "dobj/random"}


def truth_of(labels: list[str | None]) -> pl.DataFrame:
    items = [str(n) for n in range(len(labels))]
    return pl.DataFrame({"item": items, "label": labels, "cluster": items})


def classes(truth: list[str], labels: list[str | None]) -> Classified:
    predictions = said({str(n): label for n, label in enumerate(labels)}, column="label")
    return classify(predictions, truth_of(list(truth)), THREE, model="m")


def test_labels_are_read_by_code_and_by_name() -> None:
    found = score_classes(
        classes(["0", "1", "same", "up"], ["down", "1", "same", "same"]),
        THREE,
        model="m",
        resamples=30,
        seed=1,
    )
    document = found.as_json()
    assert document["accuracy"]["value"] == 0.75  # type: ignore[index]
    assert document["confusion"] == [[2, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert document["n"] == 4
    assert document["calibration_error"]["value"] is None  # type: ignore[index]


def test_a_distribution_is_folded_before_it_decides() -> None:
    truth = truth_of(["0", "up"])
    shares = {
        "0": json.dumps({"0": 0.3, "1": 0.3, "same": 0.4}),
        "1": json.dumps({"0": 0.1, "1": 0.1, "up": 0.8}),
    }
    found = classify(said(shares, column="distribution"), truth, THREE, model="m")
    assert found.said.tolist() == [0, 2]


def test_what_a_scheme_leaves_out_counts_neither_as_true_nor_as_said() -> None:
    two = LabelScheme("two", labels=("less", "same"))
    predictions = said({"0": "none", "1": "none", "2": "same"}, column="label")
    truth = truth_of(["none", "less", "same"])
    found = classify(predictions, truth, two, model="m", left_out={"none": "less"})
    assert found.truth.tolist() == [0, 1]
    assert found.said.tolist() == [0, 1]


def test_a_distribution_on_nothing_but_what_is_left_out_goes_to_the_nearest_label() -> None:
    two = LabelScheme("two", labels=("less", "same"))
    shares = {
        "0": json.dumps({"none": 1.0, "same": 0.0}),
        "1": json.dumps({"none": 0.9, "same": 0.1}),
    }
    found = classify(
        said(shares, column="distribution"),
        truth_of(["same", "same"]),
        two,
        model="m",
        left_out={"none": "less"},
    )
    assert found.said.tolist() == [0, 1]


def test_a_label_outside_the_scheme_is_named() -> None:
    with pytest.raises(TableError, match=r"1 of 2 labels are not in the scheme.*'sideways'"):
        classes(["0", "1"], ["down", "sideways"])
    with pytest.raises(TableError, match=r"the file: 1 of 2 labels.*'7'"):
        classes(["0", "7"], ["down", "down"])


def test_rows_that_were_not_judged_lower_the_coverage() -> None:
    found = score_classes(
        classes(["0", "1", "up"], ["down", None, "up"]), THREE, model="m", resamples=0, seed=1
    )
    assert found.slices["all"]["coverage"].value == pytest.approx(2 / 3)
    assert found.slices["all"]["accuracy"].value == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no", "not a JSON object"),
        ('{"up": 0.4}', "do not sum to 1"),
        ('{"up": -1, "down": 2}', "not a probability"),
        ('{"left": 1.0}', "'left'"),
    ],
)
def test_a_broken_distribution_is_named(text: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        classify(said({"0": text}, column="distribution"), truth_of(["0"]), THREE, model="m")


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(TableError, match=r"1 of 2 scores are NaN.*'b'"):
        said({"a": 1.0, "b": float("nan")})


def test_no_predictions_are_refused() -> None:
    with pytest.raises(TableError, match="no rows"):
        check_predictions(said({"a": 1.0}).clear())


def test_predictions_about_other_items_are_refused() -> None:
    with pytest.raises(TableError, match=r"none of the 1 items.*'z'.*'0'"):
        classify(said({"z": "up"}, column="label"), truth_of(["0"]), THREE, model="m")


def test_two_questions_cannot_be_evaluated_at_once() -> None:
    twice = pl.concat([said({"0": 1.0}), said({"0": 1.0}).with_columns(question=pl.lit("r"))])
    with pytest.raises(TableError, match=r"2 questions \(q, r\)"):
        judge(twice, truth_of(["1"]), model="m")


def events() -> pl.DataFrame:
    rows = [
        ("dog", "bark", "tree", "1"),
        ("tree", "bark", "dog", "0"),
        ("cat", "eat", "mouse", "1"),
    ]
    frame = pl.DataFrame(rows, schema=["subject", "verb", "object", "label"], orient="row")
    return event_items(frame)


def test_events_are_ranked_and_labelled() -> None:
    predictions = said({"dog bark tree": 0.9, "tree bark dog": 0.4, "cat eat mouse": 0.4})
    predictions = predictions.with_columns(label=pl.Series(["plausible", "0", "0"]))
    judged = judge(predictions, events(), model="m")
    found = score_events(judged, scheme="events", model="m", resamples=40, seed=1).as_json()
    assert found["auc"]["value"] == 0.75  # type: ignore[index]
    assert found["accuracy"]["value"] == pytest.approx(2 / 3)  # type: ignore[index]


def test_grades_are_no_labels_of_two_classes() -> None:
    predictions = said({"dog bark tree": 0.9}).with_columns(
        label=pl.lit("1"), distribution=pl.lit('{"1": 0.7, "2": 0.1, "4": 0.1, "5": 0.1}')
    )
    with pytest.raises(TableError, match="scheme= pap-soft"):
        judge(predictions, events(), model="m")


def test_an_undecided_event_is_no_event_to_judge() -> None:
    truth = events().with_columns(label=pl.Series(["1", "0", None]))
    judged = judge(said({"dog bark tree": 1.0, "tree bark dog": 0.0}), truth, model="m")
    found = score_events(judged, scheme="events", model="m", resamples=0, seed=1)
    assert found.slices["all"]["coverage"].value == 1
    assert found.slices["all"]["accuracy"].reason == "the predictions carry no labels"


def test_one_class_has_no_area() -> None:
    truth = events().with_columns(label=pl.lit("1"))
    judged = judge(said({"dog bark tree": 1.0, "tree bark dog": 0.0}), truth, model="m")
    found = score_events(judged, scheme="events", model="m", resamples=0, seed=1)
    assert found.slices["all"]["auc"].reason == "all events have the same label"


def ratings_of(rows: dict[str, str]) -> pl.DataFrame:
    return pl.DataFrame(
        [{"item": item, "answer": answer} for item, answers in rows.items() for answer in answers]
    )


@pytest.mark.parametrize("raters", [4, 9, 20])
def test_every_floor_is_what_the_truth_itself_reaches(raters: int) -> None:
    generator = np.random.default_rng(raters)
    truth = generator.dirichlet([0.9, 0.8, 1.9, 1.4], size=1200)
    counts = generator.multinomial(raters, truth).astype(float)
    distances = SCALE.distances()
    found = floors(counts, distances, seed=1, draws=20)
    for name, distance in distances.items():
        reached = float(distance(counts / raters, truth).mean())
        assert found[name] == pytest.approx(reached, rel=0.06), name
    reached = float(stats.spearmanr(entropy(counts / raters), entropy(truth)).statistic)
    assert found["entropy_correlation"] == pytest.approx(reached, abs=0.05)
    people = split_half(counts, distances, seed=1)
    assert people["manhattan"] > found["manhattan"]  # type: ignore[operator]
    assert people["entropy_correlation"] < found["entropy_correlation"]  # type: ignore[operator]


def test_soft_measures_stand_beside_their_floor() -> None:
    counts = rating_counts(ratings_of({"a": "1112", "b": "5544", "c": "1254"}), SCALE)
    shares = {
        "a": json.dumps({"1": 0.75, "2": 0.25}),
        "b": json.dumps({"4": 0.5, "5": 0.5}),
        "c": json.dumps({"1": 0.25, "2": 0.25, "4": 0.25, "5": 0.25}),
    }
    shared = share(said(shares, column="distribution"), counts, SCALE, model="m")
    found = score_soft(shared, SCALE, model="m", resamples=20, seed=1).as_json()
    assert found["manhattan"]["value"] == 0  # type: ignore[index]
    assert found["soft_accuracy"]["value"] == pytest.approx(1)  # type: ignore[index]
    assert found["entropy_correlation"]["value"] == pytest.approx(1)  # type: ignore[index]
    assert found["floor"]["manhattan"] > 0.2  # type: ignore[index]
    assert 0 < found["people"]["soft_accuracy"] < 1  # type: ignore[index]
    # With half a rating of each answer, one that two ratings lack has the share 0.5 / 4.
    assert found["people"]["cross_entropy"] <= -np.log(0.5 / 4)  # type: ignore[index]
    assert found["positions"] == {"1": 1.0, "2": 2.0, "4": 4.0, "5": 5.0}


def test_an_answer_off_the_scale_is_named() -> None:
    with pytest.raises(TableError, match=r"1 of 2 answers.*'3'"):
        rating_counts(ratings_of({"a": "13"}), SCALE)


def test_soft_measures_need_distributions() -> None:
    counts = rating_counts(ratings_of({"a": "12"}), SCALE)
    with pytest.raises(TableError, match="carry no distribution"):
        share(said({"a": 1.0}), counts, SCALE, model="m")


def test_heads_without_a_correlation_are_dropped_or_count_as_zero() -> None:
    truth = pairs(heads=4)
    values = [*truth["score"].to_list()[:4], *[0.0] * 12]
    sparse = scored(truth, values)
    means = {}
    choices: tuple[Undefined, ...] = ("drop", "zero")
    for undefined in choices:
        found = score_pairs(sparse, truth, model="m", resamples=0, seed=1, undefined=undefined)
        assert found.as_json()["undefined"] == undefined
        means[undefined] = found.slices["dobj/all"]["spearman_within_head"]
    assert means["drop"].value == pytest.approx(1)
    assert means["zero"].value == pytest.approx(0.25)
    assert (means["drop"].n, means["zero"].n) == (4, 16)
    assert means["zero"].counts == {"heads": 4, "heads_undefined": 0, "heads_zero": 3}


def test_heads_are_for_pairs_only() -> None:
    with pytest.raises(StudyError, match="undefined= is for sp10k"):
        Truth("events", truth_of(["1"])).treating("zero")


def test_a_distribution_over_other_labels_names_those_of_the_scheme() -> None:
    shares = pl.Series(['{"0": 0.4, "1": 0.6}'])
    labels = ("1", "2", "4", "5")
    with pytest.raises(TableError, match=r"names '0'.*Its labels: 1, 2, 4, 5\..*label --scheme"):
        probabilities(shares, {label: label for label in labels}, labels=labels)
