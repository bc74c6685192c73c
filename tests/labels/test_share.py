"""Shares and means of items, shrunk towards a common prior or a model's prediction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plausibly as pb
from plausibly.cli import run
from plausibly.labels.share import SharePrior, share
from plausibly.measures.folds import folds_of_names
from plausibly.measures.shrinkage import ItemRatings, shrunk_means
from worlds.events import study_of

ITEMS = 80


def world(each: int = 3, n: int = ITEMS) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return yes/no ratings, items in two conditions, and predictions that know something."""
    draw = np.random.default_rng(11)
    names, side = [f"t{i:03}" for i in range(n)], np.arange(n) % 2
    chance = np.clip(0.3 + 0.4 * side + draw.normal(0, 0.2, n), 0.02, 0.98)
    rows = [
        (names[i], f"p{person:02}", "yes" if draw.random() < chance[i] else "no")
        for i in range(n)
        for person in draw.choice(each + 9, each, replace=False)
    ]
    ratings = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    items = pl.DataFrame({"item": names, "text": names, "kind": "item", "chance": chance})
    items = items.with_columns(condition=pl.Series(np.where(side, "plain", "odd")))
    said = pl.DataFrame({"item": names, "question": "rating", "model": "guess"})
    said = said.with_columns(score=pl.Series(chance + draw.normal(0, 0.08, n)))
    return ratings, items, said


def labels_of(*tables: Any, **options: Any) -> pl.DataFrame:
    ratings, items = tables
    found = pb.label(ratings, method="share", answer="yes", items=items, **options)
    assert found.fitted is not None
    assert found.fitted.positions is not None
    return found.fitted.positions


def error(positions: pl.DataFrame, items: pl.DataFrame, column: str = "position") -> float:
    joined = positions.join(items, on="item")
    gap = (joined[column] - joined["chance"]).to_numpy()
    return float(np.sqrt(np.mean(gap**2)))


def test_a_prior_helps_and_a_model_that_knows_something_helps_more() -> None:
    ratings, items, said = world()
    common, model = labels_of(ratings, items), labels_of(ratings, items, prior=said)
    raw = error(common, items, "raw")
    assert error(model, items) < 0.85 * error(common, items) < 0.7 * raw
    more = world(each=5)[0]
    assert error(model, items) < error(labels_of(more, items), items)


def test_the_prior_is_that_of_the_condition_learnt_from_other_items() -> None:
    """Worked out again, without the package: moments of the four other folds."""
    ratings, items, _ = world(each=4)
    found = labels_of(ratings, items).join(items, on="item").sort("item")
    hits = ratings.with_columns(y=(pl.col("answer") == "yes").cast(pl.Float64))
    own = hits.group_by("item").agg(pl.col("y").mean(), pl.col("y").var().alias("v")).sort("item")
    mean, within = own["y"].to_numpy(), own["v"].to_numpy()
    fold = folds_of_names([f"item {name}" for name in own["item"]])
    condition = found["condition"].to_numpy()
    for place in range(0, ITEMS, 7):
        others = fold != fold[place]
        centre = {c: mean[others & (condition == c)].mean() for c in ("odd", "plain")}
        noise = within[others].mean()
        rest = mean[others] - [centre[c] for c in condition[others]]
        between = (rest**2).sum() / (others.sum() - 2) - noise / 4
        weight = 4 / (4 + noise / between)
        assert found["prior"][place] == pytest.approx(centre[condition[place]])
        assert found["weight"][place] == pytest.approx(weight)
        value = weight * mean[place] + (1 - weight) * centre[condition[place]]
        assert found["position"][place] == pytest.approx(value)


@given(
    st.lists(
        st.tuples(st.integers(0, 11), st.floats(-5, 5).map(lambda x: round(x, 2))),
        min_size=12,
        max_size=60,
    ),
    st.integers(0, 9),
)
@settings(max_examples=40, deadline=None)
def test_a_value_lies_between_the_raw_value_and_the_prior(
    pairs: list[tuple[int, float]], seed: int
) -> None:
    draw = np.random.default_rng(seed)
    item = np.unique([one for one, _ in pairs], return_inverse=True)[1].astype(np.int64)
    value = np.array([one for _, one in pairs])
    n = int(item.max()) + 1
    ends = float(value.min()), float(value.max())
    rated = ItemRatings(value, item, draw.integers(0, 3, n), np.arange(n) % 5, ends)
    for predicted in (None, draw.normal(size=n)):
        found = shrunk_means(rated, predicted)
        assert ((found.weight >= 0) & (found.weight <= 1)).all()
        low, high = np.minimum(found.raw, found.prior), np.maximum(found.raw, found.prior)
        assert (found.value >= low - 1e-9).all()
        assert (found.value <= high + 1e-9).all()
    same = shrunk_means(rated, np.full(n, 7.0))
    assert same.value == pytest.approx(shrunk_means(rated).value)
    far = shrunk_means(rated, 3 - 2 * draw.permutation(n).astype(np.float64))
    assert np.isfinite(far.value).all()


def test_the_scale_of_predictions_does_not_matter_and_noise_changes_little() -> None:
    ratings, items, said = world()
    model = labels_of(ratings, items, prior=said)
    moved = labels_of(ratings, items, prior=said.with_columns(score=-40 * pl.col("score") + 7))
    assert moved["position"].to_numpy() == pytest.approx(model["position"].to_numpy())
    noise = said.with_columns(score=pl.col("item").hash(3) % 1000 / 1000)
    common, useless = labels_of(ratings, items), labels_of(ratings, items, prior=noise)
    assert error(useless, items) < 1.05 * error(common, items)


def test_many_ratings_leave_the_raw_value() -> None:
    n, each = 30, 4000
    chance = np.linspace(0.2, 0.8, n)
    value = (np.arange(each) < each * chance[:, None]).astype(np.float64).ravel()
    none = np.zeros(n, dtype=np.int64)
    rated = ItemRatings(value, np.repeat(np.arange(n), each), none, np.arange(n) % 5, (0.0, 1.0))
    found = shrunk_means(rated)
    assert found.weight.min() > 0.995
    assert found.value == pytest.approx(found.raw, abs=0.002)


def test_means_of_numbers_are_shrunk_and_an_item_nobody_rated_has_no_value() -> None:
    draw = np.random.default_rng(2)
    level = draw.normal(50, 10, 40)
    rows = [(f"t{i}", f"p{p}", str(round(level[i] + draw.normal(0, 20)))) for i in range(40)
            for p in range(3)]  # fmt: skip
    silent = [("z", f"p{p}", "NA") for p in range(2)]
    table = pl.DataFrame([*rows, *silent], schema=["item", "annotator", "answer"], orient="row")
    found = pb.label(table, method="share")
    values = dict(found.labels["item", "label"].iter_rows())
    assert values["z"] is None
    means = (
        table.filter(pl.col("item") != "z")
        .group_by("item")
        .agg(pl.col("answer").cast(pl.Float64).mean())
    )
    raw, shrunk = means["answer"].std(), found.labels["label"].cast(pl.Float64).std()
    assert shrunk < 0.8 * raw  # type: ignore[operator]
    document = found.as_json()
    assert 0 < document["shrinkage"]["weight"] < 1
    assert document["positions"]["t0"]["raw_low"] < document["positions"]["t0"]["raw"]


def test_too_few_items_stay_raw_with_a_warning() -> None:
    rows = {"item": ["a", "a", "b", "b"], "annotator": list("xyxy"), "answer": [1, 2, 4, 4]}
    found = pb.label(pl.DataFrame(rows), method="share")
    assert found.labels["label"].to_list() == [1.5, 4.0]
    assert "values are raw" in found.as_json()["warnings"][0]
    assert not any("are shrunk" in sentence for sentence in found.talk)


def test_words_need_the_answer_and_several_models_need_a_name() -> None:
    ratings, items, said = world(n=12)
    with pytest.raises(pb.PlausiblyError, match="answer="):
        pb.label(ratings, method="share")
    two = pl.concat([said, said.with_columns(model=pl.lit("other"))])
    with pytest.raises(pb.PlausiblyError, match="2 models"):
        labels_of(ratings, items, prior=two)
    assert labels_of(ratings, items, prior=two, model="guess").equals(
        labels_of(ratings, items, prior=said)
    )
    with pytest.raises(pb.PlausiblyError, match="no predictions about the items"):
        labels_of(ratings, items, prior=said.with_columns(item=pl.col("item") + "x"))
    part = labels_of(ratings, items, prior=said.head(11))
    assert part["position"].is_not_null().all()


def test_command_python_and_study_shrink_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings, items, said = world()
    section = '[label]\nmethod = "share"\nanswer = "yes"\nprior = "guess.csv"\n'
    folder = study_of(tmp_path / "study", ratings, items, section)
    said.write_csv(folder / "guess.csv")
    pb.run(folder, to="label")
    written = json.loads((folder / "label.json").read_text(encoding="utf-8"))
    kept, table = folder / "clean" / "ratings.parquet", folder / "items.parquet"
    options = ["--method", "share", "--answer", "yes", "--prior", str(folder / "guess.csv")]
    capsys.readouterr()
    target = tmp_path / "labels.csv"
    command = ["label", str(kept), *options, "--items", str(table), "-o", str(target)]
    assert run([*command, "--json"]) == 0
    printed = capsys.readouterr()
    said_by_python = pb.label(
        kept,
        method="share",
        answer="yes",
        prior=folder / "guess.csv",
        items=table,
        ties="undecided",
    )
    assert json.loads(printed.out) == written == json.loads(json.dumps(said_by_python.as_json()))
    assert "the prior counts as much as" in printed.err
    manifest = json.loads((tmp_path / "labels.csv.manifest.json").read_text(encoding="utf-8"))
    assert manifest["inputs"]["prior"]["file"] == "guess.csv"
    (folder / "guess.csv").write_text(said.with_columns(score=1 - pl.col("score")).write_csv())
    states = {one.step: one.state for one in pb.status(folder)}
    assert states["label"] == "to do"


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("verb", ["describe", "analyse"])
def test_shrunken_values_are_neither_described_nor_modelled(
    verb: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings, items, _ = world(n=12)
    target = tmp_path / f"labels.{kind}"
    shrunk = pb.label(ratings, method="share", answer="yes", items=items)
    shrunk.write_table("labels", target)
    assert run([verb, str(target)]) == 1
    assert "these are shrunken values" in capsys.readouterr().err
    with pytest.raises(pb.PlausiblyError, match="shrunken values"):
        getattr(pb, verb)(shrunk.labels, columns={"annotator": "method", "answer": "label"})


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_shrunken_values_do_not_become_the_ratings_of_a_study(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings, items, _ = world(n=12)
    columns = {"annotator": "method", "answer": "label"}
    shrunk = pb.label(ratings, method="share", answer="yes", items=items)
    folder = pb.init("custom", tmp_path / "s").folder
    shrunk.write_table("labels", folder / f"labels.{kind}")
    (folder / "study.toml").write_text(
        '[study]\nname = "s"\nprotocol = "custom"\n'
        f'[ratings]\nsource = "labels.{kind}"\n'
        '[ratings.columns]\nannotator = "method"\nanswer = "label"\n'
    )
    with pytest.raises(pb.PlausiblyError, match="shrunken values"):
        pb.Study(folder).run()
    given = [f"--columns={ours}={theirs}" for ours, theirs in columns.items()]
    assert run(["read", str(folder / f"labels.{kind}"), *given]) == 1
    assert "these are shrunken values" in capsys.readouterr().err
    with pytest.raises(pb.PlausiblyError, match="shrunken values"):
        pb.read(shrunk.labels, columns=columns)
    with pytest.raises(pb.PlausiblyError, match="shrunken values"):
        pb.describe_frequency(shrunk.labels, items=items, columns=columns)


def test_priors_of_other_methods_keep_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    ratings = world(n=10)[0]
    one = pb.label(ratings, method="one-coin", prior="none").as_json()
    assert one != pb.label(ratings, method="one-coin").as_json()
    with pytest.raises(pb.PlausiblyError, match="prior must be 'pooled' or 'none'"):
        pb.label(ratings, method="one-coin", prior="other")


def test_the_method_alone_gives_what_the_verb_gives() -> None:
    ratings, items, _ = world(n=30)
    table = ratings.with_columns(question=pl.lit("rating"))
    alone = share(table, of=SharePrior(answer="yes"), items=items).labels
    found = pb.label(ratings, method="share", answer="yes", items=items).labels["label"]
    assert alone["label"].cast(pl.Float64).equals(found)


def test_equal_ratings_have_no_interval_of_one_point() -> None:
    rows = [("s1", k, 4) for k in "abc"] + [
        ("s2", k, n) for k, n in zip("abc", (1, 5, 3), strict=True)
    ]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    positions = pb.label(table, method="share").as_json()["positions"]
    assert positions["s1"]["raw_low"] < 4.0 < positions["s1"]["raw_high"]
    alone = pb.label(table.filter(item="s1"), method="share").as_json()["positions"]
    assert alone["s1"]["raw_low"] is alone["s1"]["raw_high"] is None
