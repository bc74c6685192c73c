"""The balance report: it sees what sets conditions apart, and nothing where nothing does."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.norms import Norms
from plausibly.datasets.lexica.provenance import Provenance
from plausibly.errors import TableError
from plausibly.stimuli.balance._probe import auc, logistic
from plausibly.stimuli.balance.checks import check_notes
from plausibly.stimuli.balance.report import balance
from worlds.svo import invented

WORDS = invented(400)


def items(texts: dict[str, list[str]]) -> pl.DataFrame:
    rows = [
        {"item": f"{condition}-{n:03}", "text": text, "condition": condition}
        for condition, found in texts.items()
        for n, text in enumerate(found)
    ]
    return pl.DataFrame(rows)


def drawn(number: int, size: int, seed: int) -> list[str]:
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, size)) for _ in range(number)]


FAIR = items({"attested": drawn(100, 4, 1), "perturbed": drawn(100, 4, 2)})
LONGER = items({"attested": drawn(100, 4, 1), "perturbed": drawn(100, 6, 2)})


def test_a_fair_set_gives_nothing_away() -> None:
    report = balance(FAIR.with_columns(text=pl.col("text") + "."))
    accuracy = report.probe["accuracy"]
    assert accuracy.value is not None
    assert accuracy.value < 0.65
    assert report.differences["words"] == 0


def test_longer_texts_in_one_condition_are_seen() -> None:
    report = balance(LONGER)
    assert report.probe["accuracy"].value == 1.0
    assert report.probe["auc"].value == 1.0
    by_condition = {(s.variable, s.condition): s.mean for s in report.spreads}
    assert by_condition["words", "attested"] == 4.0
    assert by_condition["words", "perturbed"] == 6.0


def test_frequency_is_looked_up_by_constituent() -> None:
    rare = FrequencyList(
        Provenance("frequency", "test"),
        lambda words: [1.0 if word.startswith("b") else 6.0 for word in words],
        lambda number: ["b"] * number,
    )
    events = items({"attested": ["x y z"] * 20, "perturbed": ["x y w"] * 20}).with_columns(
        subject=pl.when(pl.col("condition") == "attested")
        .then(pl.lit("cat"))
        .otherwise(pl.lit("bat")),
        verb=pl.lit("see"),
        object=pl.lit("tree"),
    )
    report = balance(events, frequency=rare, lang="en")
    assert report.probe["accuracy"].value == 1.0
    assert {s.variable for s in report.spreads} >= {"subject_zipf", "verb_zipf", "object_zipf"}
    assert not report.notes
    assert balance(FAIR).notes


def test_norms_are_among_the_variables() -> None:
    rated = FAIR.with_columns(noun_concreteness=pl.int_range(pl.len()).cast(pl.Float64))
    assert "noun_concreteness" in balance(rated).differences


def test_norms_may_come_from_a_list() -> None:
    rated = pl.DataFrame({"word": ["dog", "idea"], "concreteness": [5.0, 1.0], "pos": [None] * 2})
    norms = Norms(Provenance("norms", "test"), rated)
    report = balance(items({"a": ["Dog and idea"], "b": ["xyz xyz"]}), norms=norms)
    told = {(s.variable, s.condition): s.mean for s in report.spreads}
    assert told["mean_concreteness", "a"] == 3.0
    assert told["least_concreteness", "a"] == 1.0
    assert told["mean_concreteness", "b"] is None
    pairs = items({"a": ["Can a dog see?"]}).with_columns(
        head=pl.lit("see"), dependent=pl.lit("dog")
    )
    by_role = {s.variable: s.mean for s in balance(pairs, norms=norms).spreads}
    assert by_role["dependent_concreteness"] == 5.0
    assert by_role["head_concreteness"] is None


def test_one_column_of_words_does_not_stand_for_the_text() -> None:
    rated = pl.DataFrame({"word": ["dog"], "concreteness": [5.0], "pos": [None]})
    norms = Norms(Provenance("norms", "test"), rated)
    told = items({"a": ["the dog barks"]}).with_columns(verb=pl.lit("bark"))
    assert "mean_concreteness" in balance(told, norms=norms).differences


def test_a_norm_that_is_no_number_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.csv"
    path.write_text("item,text,condition,subject_concreteness\na,x,x,NaN\nb,y,y,\nc,z,y,abc\n")
    assert run(["check", "balance", str(path)]) == 1
    said = capsys.readouterr().err
    assert f"{path}:2: subject_concreteness 'NaN' is not a number" in said
    assert f"{path}:4: subject_concreteness 'abc' is not a number" in said
    assert "2 bad rows" in said
    with pytest.raises(
        TableError, match=r"1 values are not valid norms \(first: row 1: x_zipf 'abc'"
    ):
        balance(FAIR.head(1).with_columns(x_zipf=pl.lit("abc")))


@pytest.mark.parametrize("row", ["", "a,x,,check\n"])
def test_a_set_without_items_is_refused(
    row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.csv"
    path.write_text(f"item,text,condition,kind\n{row}")
    assert run(["check", "balance", str(path)]) == 1
    assert f"{path}: no items to compare" in capsys.readouterr().err


def test_a_list_of_norms_may_be_given_to_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "items.csv").write_text("item,text,condition\na,dog,x\nb,idea,y\n")
    (tmp_path / "norms.tsv").write_text("Word\tConc.M\tDom_Pos\ndog\t4.8\tNoun\n")
    given = ["check", "balance", str(tmp_path / "items.csv"), "--json"]
    (tmp_path / "frequency.csv").write_text("word,zipf\ndog,4\nidea,4\n")
    given += ["--frequency", str(tmp_path / "frequency.csv")]
    assert run([*given, "--norms", str(tmp_path / "norms.tsv")]) == 0
    variables = json.loads(capsys.readouterr().out)["variables"]
    (told,) = [
        v for v in variables if (v["variable"], v["condition"]) == ("mean_concreteness", "x")
    ]
    assert (told["n"], told["mean"]) == (1, 4.8)


def test_a_template_alone_brings_no_items_near_each_other() -> None:
    told = [("eat", "bread"), ("eat", "stone"), ("drive", "car")]
    pairs = pl.DataFrame(
        {
            "item": [f"{head}-{dependent}" for head, dependent in told],
            "text": [f"Can one {head} a {dependent} now?" for head, dependent in told],
            "condition": ["frequent", "random", "random"],
        }
    )
    assert balance(pairs).repeats.near_items == 2
    heads, dependents = zip(*told, strict=True)
    named = pairs.with_columns(head=pl.Series(heads), dependent=pl.Series(dependents))
    repeats = balance(named).repeats
    assert (repeats.near_items, repeats.judged_on) == (0, ("head", "dependent"))
    assert repeats.compared == 0
    longer = named.with_columns(dependent="fresh " + pl.col("dependent"))
    assert balance(longer).repeats.near == (("eat-bread", "eat-stone"),)


def test_overlap_counts_types_and_tokens() -> None:
    report = balance(items({"a": ["dog sees cat", "dog sees dog"], "b": ["dog eats hay"]}))
    text = next(one for one in report.overlaps if one.words == "text")
    assert text.conditions == ("a", "b")
    assert text.jaccard == pytest.approx(1 / 5)
    assert list(text.shared_tokens) == pytest.approx([3 / 6, 1 / 3])


def test_the_same_text_in_two_conditions_leaks() -> None:
    report = balance(items({"a": ["Dog sees cat."], "b": ["dog sees cat", "dog sees hay"]}))
    assert report.repeats.same == (("a-000", "b-000"),)
    assert report.repeats.leaking["condition"] == (("a-000", "b-000"),)
    assert report.repeats.near_items == 3


def test_splits_are_looked_at_where_there_are_any() -> None:
    split = items({"a": ["dog sees cat", "dog sees cat", "cow eats hay"]}).with_columns(
        split=pl.Series(["train", "test", "test"])
    )
    assert balance(split).repeats.leaking["split"] == (("a-000", "a-001"),)


def test_checks_are_left_out() -> None:
    with_check = pl.concat(
        [
            FAIR.with_columns(kind=pl.lit("item")),
            FAIR.head(1).with_columns(item=pl.lit("check"), kind=pl.lit("check")),
        ]
    )
    assert balance(with_check).items == {"attested": 100, "perturbed": 100}


def test_one_condition_has_no_probe_but_a_reason() -> None:
    report = balance(items({"a": ["dog sees cat"]}))
    assert report.probe["accuracy"].value is None
    assert "two conditions" in str(report.probe["accuracy"].reason)
    assert report.as_json()["artefact_probe"]["auc"]["value"] is None


def test_three_conditions_have_an_accuracy_but_no_auc() -> None:
    report = balance(items({name: drawn(30, size, size) for size, name in enumerate("abc", 3)}))
    assert set(report.probe) == {"accuracy", "largest_condition"}


def test_logistic_regression_finds_the_maximum() -> None:
    from sklearn.linear_model import LogisticRegression

    generator = np.random.default_rng(0)
    features = generator.normal(size=(300, 3))
    target = (features @ [1.0, -2.0, 0.0] + generator.normal(size=300) > 0).astype(np.float64)
    ours = logistic(features, target)
    theirs = LogisticRegression(C=1.0, tol=1e-10).fit(features, target)
    assert ours[1:] == pytest.approx(theirs.coef_[0], abs=1e-4)
    assert ours[0] == pytest.approx(theirs.intercept_[0], abs=1e-4)


def test_auc_of_a_constant_is_one_half() -> None:
    assert auc(np.zeros(10), np.arange(10) < 3) == 0.5


@pytest.mark.parametrize(
    ("lang", "verbs"),
    [("en", ["has", "Became", "have", "runs"]), ("it", ["ha", "diventava", "avere", "corre"])],
)
def test_light_verbs_are_counted_in_every_form(lang: str, verbs: list[str]) -> None:
    rows = pl.DataFrame(
        {
            "item": [str(n) for n in range(8)],
            "text": ["x y"] * 8,
            "condition": ["one", "two"] * 4,
            "verb": [verb for verb in verbs for _ in range(2)],
        }
    )
    light = balance(rows, by="condition", lang=lang).light_verbs
    assert light == {name: {"items": 3, "share": 0.75} for name in ("one", "two")}


def test_items_of_one_noun_are_in_one_fold_and_a_probe_is_not_below_chance() -> None:
    conditions = ("colour", "size", "age", "shape")
    rows = [
        {"item": f"{noun}-{name}", "text": "x" * (noun + 3), "condition": name, "noun": f"n{noun}"}
        for noun in range(40)
        for name in conditions
    ]
    table = pl.DataFrame(rows)
    accuracy = balance(table).probe["accuracy"].value
    apart = balance(table.drop("noun")).probe["accuracy"].value
    assert accuracy is not None
    assert apart is not None
    assert apart < 0.2  # the fourth item of a noun was guessed from the other three
    assert accuracy == pytest.approx(0.25, abs=0.001)


def with_checks(texts: list[str]) -> pl.DataFrame:
    kinds = pl.lit("item").alias("kind")
    checks = pl.DataFrame(
        {"item": [f"check-{n:02}" for n in range(len(texts))], "text": texts}
    ).with_columns(kind=pl.lit("check"), condition=pl.lit(None, dtype=pl.String))
    return pl.concat([FAIR.with_columns(kinds), checks], how="diagonal")


def test_checks_of_another_length_give_themselves_away() -> None:
    report = balance(with_checks(drawn(20, 7, 3)))
    assert report.checks["auc"].value == 1.0
    assert report.as_json()["check_items"]["auc"]["value"] == 1.0
    (said,) = check_notes(report.as_json())
    assert "AUC of 1.00" in said
    (italian,) = check_notes({"languages": {"it": report.as_json(), "en": {}}})
    assert italian.startswith("Check items (it) stand out")


def test_checks_like_the_items_give_nothing_away_and_need_ten() -> None:
    fair = balance(with_checks(drawn(20, 4, 3)))
    assert fair.checks["auc"].low is not None
    assert fair.checks["auc"].low < 0.5
    assert check_notes(fair.as_json()) == []
    few = balance(with_checks(drawn(9, 7, 3)))
    assert few.checks["auc"].value is None
    assert few.checks["auc"].reason == "needs at least 10 items and 10 checks"
    assert balance(FAIR).checks == {}


def test_the_command_shows_what_checks_give_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_checks(drawn(20, 7, 3)).write_parquet(tmp_path / "items.parquet")
    assert run(["check", "balance", str(tmp_path / "items.parquet"), "--language", "en"]) == 0
    shown = capsys.readouterr()
    assert "check items" in shown.out
    assert "Check items stand out" in shown.err
