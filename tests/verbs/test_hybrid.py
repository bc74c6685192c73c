"""Estimates from people and a model: people first, and refused where a model would mislead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.measures import hybrid as measures
from plausibly.measures.crossed import Rated
from plausibly.measures.folds import folds_of_names
from plausibly.measures.hybrid import PredictedItems, hybrid_mean
from plausibly.measures.hybrid_contrasts import hybrid_between_items, hybrid_within_groups
from worlds.events import study_of

Tables = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]


def world(rated: int = 60, n: int = 400, noise: float = 0.5, seed: int = 4) -> Tables:
    """Return ratings of a random part of the items, all items, and predictions for all."""
    draw = np.random.default_rng(seed)
    names = [f"t{i:03}" for i in range(n)]
    level = draw.normal(0, 1, n)
    people = draw.normal(0, 0.3, 24)
    rows = []
    for i in draw.choice(n, rated, replace=False):
        for person in draw.choice(24, 4, replace=False):
            value = 50 + 12 * (level[i] + people[person] + draw.normal(0, 0.5))
            base = {"item": names[i], "annotator": f"p{person:02}"}
            rows.append({**base, "question": "fit", "answer": f"{value:.1f}"})
            happens = "yes" if value > 50 else "no"
            rows.append({**base, "question": "happens", "answer": happens})
    items = pl.DataFrame({"item": names, "text": names, "kind": "item"})
    items = items.with_columns(condition=pl.Series(["a", "b"] * (n // 2)), level=pl.Series(level))
    said = pl.DataFrame({"item": names, "model": "guess"}).with_columns(
        score=pl.Series(level + noise * draw.normal(size=n))
    )
    said = pl.concat([said.with_columns(question=pl.lit(q)) for q in ("fit", "happens")])
    return pl.DataFrame(rows), items, said


def rows_of(ratings: Any, items: Any, said: Any, question: str = "fit", **options: Any) -> Any:
    asked = {"random_sample": True, "question": question, **options}
    found = pb.describe(ratings, items=items, models=said, **asked)
    return found.as_json()["questions"][question]["rows"]


def test_a_model_that_knows_something_narrows_the_interval_after_peoples() -> None:
    ratings, items, said = world()
    for question, least in (("fit", 1.3), ("happens", 1.05)):
        for row in rows_of(ratings, items, said, question):
            hybrid = row["hybrid"]
            assert list(row).index("value") < list(row).index("hybrid")
            assert hybrid["high"] - hybrid["low"] < 0.95 * (row["high"] - row["low"])
            assert hybrid["gain"] > least
            assert hybrid["predicted"] == 400
            assert "smaller than that of people alone" in hybrid["finding"]
    alone = pb.describe(ratings, items=items, question="fit").as_json()["questions"]["fit"]
    (row,) = rows_of(ratings, items, said)
    assert {name: row[name] for name in alone["rows"][0]} == alone["rows"][0]


def test_the_estimate_is_what_the_formula_gives() -> None:
    """Worked out again without the package: one rating per item, each by another person."""
    ratings, items, said = world(rated=120)
    one = ratings.filter(question="fit").unique("item", keep="first").sort("item")
    one = one.with_columns(annotator=pl.col("item") + "p", value=pl.col("answer").cast(pl.Float64))
    (row,) = rows_of(one.drop("value"), items, said.filter(question="fit"))
    score = dict(said.filter(question="fit")["item", "score"].iter_rows())
    f, y = np.array([score[name] for name in one["item"]]), one["value"].to_numpy()
    every = np.array(list(score.values()))
    fold = folds_of_names([f"item {name}" for name in one["item"]])
    slope = np.zeros(len(y))
    for part in range(5):
        others = fold != part
        both = np.cov(y[others], f[others])
        r2 = both[0, 1] ** 2 / both[0, 0] / both[1, 1]
        certainty = 1 - (1 - r2) / (others.sum() - 2) / r2
        slope[~others] = certainty * both[0, 1] / both[1, 1]
    z = y - slope * (f - every.mean())
    error = np.sqrt(z.var(ddof=1) / len(z) + slope.mean() ** 2 * every.var(ddof=1) / len(every))
    hybrid = row["hybrid"]
    assert hybrid["value"] == pytest.approx(z.mean())
    assert hybrid["weight"] == pytest.approx(slope.mean())
    assert hybrid["rho"] == pytest.approx(np.corrcoef(y, f)[0, 1])
    half = (hybrid["high"] - hybrid["low"]) / 2
    assert half == pytest.approx(1.98 * error, rel=0.04)
    gain = y.var(ddof=1) / len(y) / error**2
    assert hybrid["gain"] == pytest.approx(gain, rel=0.05)


def test_scale_of_predictions_and_order_of_rows_do_not_matter() -> None:
    ratings, items, said = world()
    (one,) = rows_of(ratings, items, said)
    moved = said.sample(fraction=1, shuffle=True, seed=1).with_columns(
        score=9 - 4 * pl.col("score")
    )
    (other,) = rows_of(ratings.sample(fraction=1, shuffle=True, seed=2), items, moved)
    for name in ("value", "low", "high", "gain"):
        assert other["hybrid"][name] == pytest.approx(one["hybrid"][name])
    assert other["hybrid"]["rho"] == pytest.approx(-one["hybrid"]["rho"])


def test_a_useless_model_changes_little_and_is_reported_as_useless() -> None:
    widths = []
    for seed in range(8):
        ratings, items, said = world(rated=200, noise=60.0, seed=seed)
        (row,) = rows_of(ratings, items, said)
        widths.append((row["hybrid"]["high"] - row["hybrid"]["low"]) / (row["high"] - row["low"]))
        assert "the model does not help" in row["hybrid"]["finding"]
    assert np.median(widths) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rated": 19}, "19 rated items; it takes 20"),
        ({"rated": 60, "n": 60}, "every item with a prediction is rated"),
    ],
)
def test_too_little_to_go_by_is_refused_in_the_row(change: dict[str, int], reason: str) -> None:
    (row,) = rows_of(*world(**change))
    assert reason in row["hybrid"]["reason"]
    assert row["hybrid"]["value"] is None
    assert row["low"] < row["value"] < row["high"]


def test_other_reasons_are_named_in_the_row() -> None:
    ratings, items, said = world()
    first = ratings["item"][0]

    def reason(*tables: Any, **options: Any) -> str:
        return str(rows_of(*tables, **options)[0]["hybrid"]["reason"])

    lost = said.filter(pl.col("item") != first)
    assert "1 of 60 rated items have no prediction" in reason(ratings, items, lost)
    assert "all predictions are the same" in reason(ratings, items, said.with_columns(score=0.5))
    assert "every rating counts once" in reason(ratings, items, said, weigh="ratings")
    assert "not a column of the items" in reason(ratings, items, said, by="annotator")
    rare = ratings.with_columns(
        answer=pl.when(pl.col("item") == first).then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    assert "the rarer answer makes up 1.0 items" in reason(rare, items, said, question="happens")
    few = items.with_columns(item_group=pl.col("item").str.slice(0, 2))
    assert "come from 4 groups; at least 10 are needed" in reason(ratings, few, said)


def test_items_of_one_group_are_one_cluster() -> None:
    ratings, items, said = world(rated=200)
    groups = items.with_columns(item_group=pl.col("item").str.slice(0, 3))
    (one,) = rows_of(ratings, items, said)
    (other,) = rows_of(ratings, groups, said)
    assert other["hybrid"]["value"] != one["hybrid"]["value"]  # other folds
    assert other["hybrid"]["value"] == pytest.approx(one["hybrid"]["value"], abs=0.5)


def test_how_items_were_drawn_and_where_the_model_learnt_must_be_known(tmp_path: Path) -> None:
    ratings, items, said = world()
    with pytest.raises(pb.PlausiblyError, match="how the rated items were drawn"):
        rows_of(ratings, items, said, random_sample=False)
    with pytest.raises(pb.PlausiblyError, match="exclude each other"):
        rows_of(ratings, items, said, inclusion="level")
    with pytest.raises(pb.PlausiblyError, match="need a probability above 0"):
        rows_of(ratings, items, said, random_sample=False, inclusion="level")
    with pytest.raises(pb.PlausiblyError, match="learnt from these ratings"):
        rows_of(ratings, items, said, learnt="here")
    with pytest.raises(pb.PlausiblyError, match="needs models="):
        pb.describe(ratings, random_sample=True)
    ratings.write_csv(tmp_path / "r.csv")
    shrunk = pb.label(tmp_path / "r.csv", method="mean", questions={"happens": {"method": "mace"}})
    shrunk.write_table("labels", tmp_path / "p.csv")
    said.write_csv(tmp_path / "p.csv")  # predictions whose manifest names the ratings
    with pytest.raises(pb.PlausiblyError, match="its manifest names them"):
        rows_of(tmp_path / "r.csv", items, tmp_path / "p.csv")
    assert rows_of(tmp_path / "r.csv", items, tmp_path / "p.csv", learnt="cross-fitted")


def test_known_chances_of_being_rated_undo_their_bias() -> None:
    """Likely items are rated more often: people's mean is too high, the weighted one is not."""
    draw = np.random.default_rng(8)
    errors = []
    for seed in range(6):
        ratings, items, said = world(rated=400, seed=seed)
        chance = np.where(items["level"].to_numpy() > 0, 0.6, 0.15)
        kept = items.filter(pl.Series(draw.random(400) < chance)).select("item")
        items = items.with_columns(chance=pl.Series(chance))
        part = ratings.join(kept, on="item", how="semi")
        (row,) = rows_of(part, items, said, random_sample=False, inclusion="chance")
        truth = rows_of(ratings, items, said)[0]["value"]
        errors.append((row["value"] - truth, row["hybrid"]["value"] - truth))
        assert "warning" not in row["hybrid"]
    biased, corrected = np.abs(np.mean(errors, axis=0))
    assert biased > 3
    assert corrected < 1


def test_a_permutation_test_on_predictions_only_warns() -> None:
    ratings, items, said = world(rated=400)
    top = items.sort("level", descending=True).head(80).select("item")
    (row,) = rows_of(ratings.join(top, on="item", how="semi"), items, said)
    assert "check that the rated items are a random sample" in row["hybrid"]["warning"]
    assert row["hybrid"]["value"] is not None
    assert "warning" not in rows_of(*world())[0]["hybrid"]


def test_command_python_and_study_agree_and_the_report_shows_people_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings, items, said = world(rated=120)
    folder = study_of(
        tmp_path / "study",
        ratings,
        items.drop("kind", "level"),
        '[describe]\nmodels = "guess.csv"\nby = "condition"\n\n[sample]\nrandom = true\n',
    )
    said.write_csv(folder / "guess.csv")
    pb.run(folder)
    written = json.loads((folder / "describe.json").read_text(encoding="utf-8"))
    assert written["models"]["sample"] == "random"
    kept, table = folder / "clean" / "ratings.parquet", folder / "items.parquet"
    capsys.readouterr()
    options = ["--models", str(folder / "guess.csv"), "--random-sample", "--by", "condition"]
    assert run(["describe", str(kept), "--items", str(table), *options, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    described = pb.describe(
        kept, items=table, by="condition", models=folder / "guess.csv", random_sample=True
    )
    assert printed == json.loads(json.dumps(described.as_json()))
    assert printed["questions"] == written["questions"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert 0 < page.index("Mean answer by condition") < page.index("The same from people and the")
    assert "come first and do not use the model" in page
    assert 0 < page.index("between items, every item") < page.index("The same differences from")
    text = described.text()
    assert text.index("items") < text.index("people and model")
    settings = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(settings.replace("random = true", "random = false"))
    with pytest.raises(pb.PlausiblyError, match=r"\[sample\] random = true"):
        pb.run(folder)


def test_intervals_for_these_items_shrink_with_the_share_that_is_rated() -> None:
    width = {}
    for rated in (40, 190):
        ratings, items, said = world(rated=rated, n=200)
        (row,) = rows_of(ratings, items, said)
        hybrid = row["hybrid"]
        assert hybrid["these_share"] == pytest.approx(rated / 200)
        assert hybrid["these_low"] < hybrid["value"] < hybrid["these_high"]
        these = hybrid["these_high"] - hybrid["these_low"]
        people = hybrid["these_people_high"] - hybrid["these_people_low"]
        width[rated] = these / (hybrid["high"] - hybrid["low"])
        assert people < row["high"] - row["low"]
    assert width[190] < width[40] < 1
    alone = ratings.filter(pl.int_range(pl.len()).over("item", "question") == 0)
    (row,) = rows_of(alone, items, said)
    assert row["hybrid"]["these_reason"] == "some items have ratings by one annotator only"
    assert "these_low" not in row["hybrid"]
    grouped = items.with_columns(item_group=pl.int_range(pl.len()) // 4)
    (row,) = rows_of(ratings, grouped, said)
    assert row["hybrid"]["these_reason"] == "some groups of items are rated in part"
    (row,) = rows_of(
        ratings, items.with_columns(chance=0.95), said, random_sample=False, inclusion="chance"
    )
    assert row["hybrid"]["these_reason"] == "the items had different chances of being rated"


@pytest.mark.parametrize("rated", [50, 90])
def test_intervals_for_these_items_hold_their_mean(rated: int) -> None:
    draw, hits = np.random.default_rng(7), 0
    for _ in range(120):
        level = draw.normal(size=100)
        own = np.sort(draw.permutation(100)[:rated])
        item = np.repeat(np.arange(rated), 3)
        value = level[own][item] + draw.normal(size=len(item))
        ratings = Rated(value, item, np.arange(len(item)) % 90, item)
        place = np.full(100, -1)
        place[own] = np.arange(rated)
        place[place < 0] = np.arange(rated, 100)
        said = level + draw.normal(size=100)
        fold = np.arange(rated) % 5
        items = PredictedItems(said[own], fold, said, place, np.isin(np.arange(100), own))
        these = hybrid_mean(ratings, items).these
        assert these is not None
        assert these.low is not None
        assert these.high is not None
        hits += these.low <= level.mean() <= these.high
    assert 107 <= hits <= 120  # 114 of 120 on average; 3 standard deviations


def grouped(tables: Tables) -> Tables:
    """Return a world whose items come in pairs, one of each condition, both or none rated."""
    ratings, items, said = tables
    pairs = pl.int_range(pl.len()) // 2
    items = items.with_columns(item_group=pl.concat_str(pl.lit("g"), pairs.cast(pl.String)))
    rated = items.join(ratings.select("item").unique(), on="item", how="semi")["item_group"]
    both = items.filter(pl.col("item_group").is_in(rated.filter(rated.is_duplicated()).implode()))
    return ratings.join(both.select("item"), on="item", how="semi"), items, said


def contrast_of(tables: Tables, question: str = "fit", **options: Any) -> Any:
    ratings, items, said = tables
    asked = {"random_sample": True, "question": question, "by": "condition", **options}
    found = pb.describe(ratings, items=items, models=said, **asked).as_json()
    return found["questions"][question]["contrasts"][-1]


def test_a_contrast_between_items_is_the_difference_of_two_corrected_means() -> None:
    tables = world(rated=150)
    contrast = contrast_of(tables)
    rows = {row["by"]["condition"]: row for row in rows_of(*tables, by="condition")}
    plain, hybrid = (rows[one]["value"] for one in "ba"), contrast["hybrid"]
    assert (contrast["of"], contrast["against"], contrast["paired"]) == ("b", "a", False)
    assert contrast["value"] == pytest.approx(next(plain) - next(plain))
    helped = [rows[one]["hybrid"]["value"] for one in "ba"]
    assert hybrid["value"] == pytest.approx(helped[0] - helped[1])
    assert hybrid["high"] - hybrid["low"] < 0.9 * (contrast["high"] - contrast["low"])
    assert hybrid["gain"] > 1.3
    assert list(contrast).index("value") < list(contrast).index("hybrid")
    share = contrast_of(tables, "happens")
    assert (share["answer"], share["hybrid"]["gain"] > 1.05) == ("yes", True)


def test_a_contrast_within_groups_uses_predicted_differences() -> None:
    tables = grouped(world(rated=200, noise=0.3))
    contrast = contrast_of(tables)
    hybrid, groups = contrast["hybrid"], contrast["groups"]
    assert "paired" not in contrast
    assert groups >= 20
    ratings, items, said = tables
    values = ratings.filter(pl.col("question") == "fit").with_columns(pl.col("answer").cast(float))
    mean = values.group_by("item").agg(pl.col("answer").mean())
    scores = said.filter(pl.col("question") == "fit").select("item", "score")
    wide = items.join(scores, on="item").join(mean, on="item", how="left").sort("item")
    halves = [wide.filter(pl.col("condition") == one).sort("item_group") for one in "ba"]
    predicted = (halves[0]["score"] - halves[1]["score"]).to_numpy()
    people = (halves[0]["answer"] - halves[1]["answer"]).to_numpy()
    rated = np.isfinite(people.astype(float))
    fold = folds_of_names([f"group {one}" for one in halves[0]["item_group"].to_numpy()[rated]])
    x, y = predicted[rated], people[rated].astype(float)
    moved = np.zeros(len(x))
    for one in range(5):
        a, b = x[fold != one], y[fold != one]
        slope, rho = np.polyfit(a, b, 1)[0], np.corrcoef(a, b)[0, 1] ** 2
        slope *= max(1 - (1 - rho) / (len(a) - 2) / rho, 0)
        own = fold == one
        moved[own] = y[own] - slope * (x[own] - predicted.mean())
    assert contrast["value"] == pytest.approx(y.mean())
    assert hybrid["value"] == pytest.approx(moved.mean())


def test_a_model_that_knows_nothing_does_not_help_with_a_contrast() -> None:
    for tables in (world(rated=160, noise=1e6), grouped(world(rated=300, noise=1e6, seed=7))):
        contrast = contrast_of(tables)
        hybrid = contrast["hybrid"]
        width = (hybrid["high"] - hybrid["low"]) / (contrast["high"] - contrast["low"])
        assert abs(width - 1) < 0.03
        assert "the model does not help" in hybrid["finding"]


def test_contrasts_without_enough_to_go_by_have_the_reason() -> None:
    few = contrast_of(world(rated=30))["hybrid"]
    assert few["value"] is None
    assert "rated items; it takes 20" in few["reason"]
    pairs = grouped(world(rated=120))
    assert "groups have rated items in both" in contrast_of(pairs)["hybrid"]["reason"]
    ratings, items, said = grouped(world(rated=300))
    chances = items.with_columns(chance=pl.lit(0.5))
    options: dict[str, Any] = {"random_sample": False, "inclusion": "chance"}
    refused = contrast_of((ratings, chances, said), **options)["hybrid"]
    assert "need a random sample" in refused["reason"]
    gone = said.filter(pl.col("item") != ratings["item"][0])
    assert "1 of" in contrast_of((ratings, items, gone))["hybrid"]["reason"]
    by_ratings = contrast_of((ratings, items, said), weigh="ratings")["hybrid"]
    assert by_ratings["reason"] == "every rating counts once, and a model judges items"


@pytest.mark.parametrize("paired", [False, True])
def test_intervals_of_contrasts_hold_the_truth(
    paired: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measures, "PERMUTATIONS", 9)
    draw, hits, reps = np.random.default_rng(11), 0, 150
    for _ in range(reps):
        n, every, people = 40, 300, 12
        place, severity = draw.normal(size=(2, every)), draw.normal(0, 0.5, people)
        said = 0.6 * place + 0.8 * draw.normal(size=(2, every))
        item = np.repeat(np.arange(2 * n), 4)
        rater = np.argsort(draw.random((2 * n, people)), axis=1)[:, :4].ravel()
        side = item // n
        value = place[side, item % n] + severity[rater] + draw.normal(size=len(item))
        group = item % n if paired else item
        ratings = Rated(value, item, rater, group)
        first = np.arange(every) < n
        if paired:
            gap = said[1] - said[0]
            fold = folds_of_names([str(one) for one in range(n)])
            wide = PredictedItems(gap[:n], fold, gap, np.arange(every), first)
            found = hybrid_within_groups(ratings, side, wide)
        else:
            fold = folds_of_names([str(one) for one in range(n)])
            cells = [PredictedItems(one[:n], fold, one, np.arange(every), first) for one in said]
            found = hybrid_between_items(ratings, side, cells)
        assert found.low is not None
        assert found.high is not None
        hits += found.low <= 0 <= found.high
    assert 0.90 <= hits / reps <= 0.99
