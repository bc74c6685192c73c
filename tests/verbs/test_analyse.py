"""Mixed models of answers: what the verb chooses, refuses, reports and writes for R."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.analysis.concreteness import with_concreteness
from plausibly.cli import run
from plausibly.errors import StudyError, TableError, UnknownName
from worlds.golden import SETS, golden


def golden_ratings(name: str) -> pl.DataFrame:
    """Return a golden table with item, annotator, item_group, condition and answer."""
    rows = [(i, a, g, "ab"[c > 0], y) for a, g, i, c, y in golden(*SETS[name])]
    columns = ["item", "annotator", "item_group", "condition", "answer"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def two_questions() -> pl.DataFrame:
    first = golden_ratings("g1").with_columns(question=pl.lit("fit"))
    second = golden_ratings("g1").with_columns(
        question=pl.lit("odd"), answer=(pl.col("answer") > 50).cast(pl.Int64)
    )
    return pl.concat([first, second])


@pytest.mark.parametrize(
    ("name", "family", "criterion", "value", "likelihood"),
    [
        ("g1", "linear", "REML", 10.678139, -1524.01977895),
        ("g2", "logistic", "Laplace", 0.64239433, -593.53610973),
        ("g3", "ordinal", "Laplace", 0.94089467, -1411.73028268),
    ],
)
def test_the_family_follows_from_the_answers(
    name: str, family: str, criterion: str, value: float, likelihood: float
) -> None:
    document = pb.analyse(golden_ratings(name)).as_json()
    assert (document["family"], document["criterion"]) == (family, criterion)
    assert document["terms"]["condition"]["value"] == pytest.approx(value, rel=1e-4)
    assert document["log_likelihood"] == pytest.approx(likelihood, abs=1e-4)
    assert set(document["random"]) == {"annotator", "group"}
    assert document["ratings"] == golden_ratings(name).height
    assert document["annotators"] == SETS[name][2]
    assert set(document["means"]) == {"condition=a", "condition=b"}
    assert 0 <= document["terms"]["condition"]["p"] < 0.1


def test_the_mean_of_two_answers_in_words_is_a_share() -> None:
    ratings = golden_ratings("g2").with_columns(
        answer=pl.col("answer").replace_strict({0: "no", 1: "yes"})
    )
    model = pb.analyse(ratings)
    assert model.table.answers == ("no", "yes")
    means = [one["value"] for one in model.as_json()["means"].values()]
    assert 0 < means[0] < means[1] < 1
    assert "shares of the answer 'yes'" in " ".join(model.talk)


def test_several_questions_are_named_and_one_can_be_chosen() -> None:
    with pytest.raises(StudyError, match="fit, odd"):
        pb.analyse(two_questions())
    assert pb.analyse(two_questions(), question="odd").as_json()["family"] == "logistic"
    with pytest.raises(UnknownName, match="fit"):
        pb.analyse(two_questions(), question="fitt")


def test_an_ordinal_model_of_a_slider_is_refused_and_linear_proposed() -> None:
    with pytest.raises(StudyError, match=r"at most 20 .*Choose linear with family="):
        pb.analyse(golden_ratings("g1"), family="ordinal")


def test_words_need_an_order() -> None:
    words = {1: "never", 2: "rarely", 3: "often", 4: "mostly", 5: "always"}
    ratings = golden_ratings("g3").with_columns(answer=pl.col("answer").replace_strict(words))
    with pytest.raises(StudyError, match="5 different answers without an order"):
        pb.analyse(ratings)
    model = pb.analyse(ratings, order=",".join(words.values()), slopes="")
    assert model.as_json()["answers"] == list(words.values())
    assert model.table.family == "ordinal"


def test_a_scale_that_is_set_decides_the_family(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = golden_ratings("g3")
    inferred = pb.analyse(ratings, slopes="")
    assert inferred.table.family == "ordinal"
    set_to = pb.analyse(ratings, slopes="", scale="interval").as_json()
    assert (set_to["family"], set_to["reason"]) == ("linear", "set by the user")
    table = tmp_path / "questions.toml"
    table.write_text('[rating]\nscale = "interval"\n')
    assert pb.analyse(ratings, slopes="", questions=table).as_json() == set_to
    ratings.write_csv(tmp_path / "ratings.csv")
    command = ["analyse", str(tmp_path / "ratings.csv"), "--slopes", "", "--json"]
    capsys.readouterr()
    assert run([*command, "--scale", "rating=interval"]) == 0
    assert json.loads(capsys.readouterr().out) == set_to
    exported = pb.export_r(ratings, output=tmp_path / "r", slopes="", scale="interval")
    assert "lme4::lmerControl" in exported.script
    with pytest.raises(UnknownName, match="interval, nominal, ordinal"):
        pb.analyse(ratings, scale="ordnal")
    with pytest.raises(UnknownName, match="rating"):
        pb.analyse(ratings, scale="fit=interval")
    with pytest.raises(StudyError, match="texts have no model"):
        pb.analyse(ratings, scale="text")


def test_ratings_that_do_not_show_who_gave_them_are_refused_unless_that_is_meant() -> None:
    ratings = (
        golden_ratings("g1")
        .with_row_index()
        .with_columns(annotator=pl.format("unknown-{}", "index"))
    )
    with pytest.raises(StudyError, match="without_annotators="):
        pb.analyse(ratings.drop("index"))
    model = pb.analyse(ratings.drop("index"), without_annotators=True)
    assert model.as_json()["annotators"] is None
    assert "no annotators" in model.warnings[0]


def test_slopes_and_further_columns_are_chosen_and_wrong_ones_named() -> None:
    ratings = golden_ratings("g1").with_columns(verb=pl.col("item_group").str.slice(-1))
    document = pb.analyse(ratings, slopes="annotator", random="verb").as_json()
    assert list(document["random"]["annotator"]["deviations"]) == ["intercept", "condition"]
    assert list(document["random"]["group"]["deviations"]) == ["intercept"]
    assert "verb" in document["random"]
    with pytest.raises(UnknownName, match="annotator, group"):
        pb.analyse(ratings, slopes="people")
    with pytest.raises(UnknownName, match="condition"):
        pb.analyse(ratings, terms="conditon")
    with pytest.raises(UnknownName, match="verb"):
        pb.analyse(ratings, random="verbs")


def test_three_numbers_are_a_number_and_two_are_levels() -> None:
    length = pl.col("item_group").str.slice(-1).cast(pl.Int64)
    ratings = golden_ratings("g1").with_columns(length=length, long=(length > 4).cast(pl.Int64))
    document = pb.analyse(ratings, terms="length + long", slopes="").as_json()
    assert set(document["terms"]) == {"intercept", "length", "long"}
    assert list(document["means"]) == ["long=0", "long=1"]


def test_terms_default_to_condition_by_language_where_there_are_two() -> None:
    language = pl.when(pl.col("annotator") < "p015").then(pl.lit("en")).otherwise(pl.lit("it"))
    model = pb.analyse(golden_ratings("g1").with_columns(language=language))
    assert model.table.terms == "condition * language"
    assert "condition:language" in model.model.terms


def test_ratings_without_a_value_of_a_term_are_counted() -> None:
    condition = pl.when(pl.col("item_group") != "g000").then(pl.col("condition"))
    model = pb.analyse(golden_ratings("g1").with_columns(condition=condition))
    left_out = golden_ratings("g1").filter(pl.col("item_group") == "g000").height
    assert model.as_json()["left_out"] == left_out > 0
    assert any(f"{left_out} ratings" in one for one in model.warnings)


def test_a_study_is_analysed_by_its_kept_ratings_and_its_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    (study / "clean").mkdir(parents=True)
    (study / "study.toml").write_text('[study]\nprotocol = "custom"\n', encoding="utf-8")
    ratings = pb.read(golden_ratings("g1")).ratings
    columns = ["item", "condition", "item_group"]
    items = ratings.select(columns).unique("item").with_columns(text=pl.lit("x"))
    plain = ratings.drop(columns[1:])
    plain.write_parquet(study / "ratings.parquet")
    plain.head(300).write_parquet(study / "clean" / "ratings.parquet")
    items.write_parquet(study / "items.parquet")
    model = pb.analyse(study)
    assert model.as_json()["ratings"] == 300
    assert set(model.made.inputs) == {"ratings", "items"}
    assert run(["analyse", str(study), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ratings"] == 300
    (study / "clean" / "ratings.parquet").unlink()
    (study / "ratings.parquet").unlink()
    with pytest.raises(StudyError, match="no ratings yet"):
        pb.analyse(study)


def test_a_study_reports_a_model_it_asks_for_that_cannot_be_fitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden_ratings("g1").drop("condition", "item_group").write_csv(tmp_path / "answers.csv")
    (tmp_path / "study.toml").write_text(
        '[study]\nprotocol = "custom"\n[ratings]\nsource = "answers.csv"\n'
        '[agree]\nresamples = 0\n[analyse]\nterms = "condition"\n',
        encoding="utf-8",
    )
    assert run(["run", str(tmp_path), "--to", "analyse"]) == 0
    assert "rating: no model: no rating has a number and a value" in capsys.readouterr().err


def test_the_command_prints_tables_and_what_was_done(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ratings.csv"
    golden_ratings("g3").write_csv(path)
    assert run(["analyse", str(path), "--terms", "condition"]) == 0
    shown = capsys.readouterr()
    assert "mean of" in shown.out
    assert "Laplace" in shown.err
    assert run(["analyse", str(path), "--family", "poisson"]) == 2
    assert run(["analyse", str(path), "--terms", "conditon"]) == 2


def few_groups() -> pl.DataFrame:
    """Return three conditions in so few groups that slopes by group are uncorrelated."""
    rows = [
        (f"g{g}c{c}", f"p{p}", f"g{g}", "xyz"[c], (17 * p * g + 13 * p + 7 * g * c + 5 * c) % 101)
        for p in range(20)
        for g in range(6)
        for c in ((p + g) % 3,)
    ]
    columns = ["item", "annotator", "item_group", "condition", "answer"]
    return pl.DataFrame(rows, schema=columns, orient="row")


@pytest.mark.parametrize(
    ("ratings", "fit", "formula"),
    [
        (golden_ratings("g1"), "lmer", "(1 + condition | annotator)"),
        (golden_ratings("g2"), "glmer(", "(1 + condition | item_group)"),
        (golden_ratings("g3"), "clmm(", "(1 + condition_number | item_group)"),
        (few_groups(), "lmer", "(1 | item_group:condition)"),
    ],
)
def test_r_gets_the_same_model_for_every_family(
    ratings: pl.DataFrame, fit: str, formula: str, tmp_path: Path
) -> None:
    pb.export_r(ratings, output=tmp_path / "r")
    script = (tmp_path / "r" / "model.R").read_text(encoding="utf-8")
    assert fit in script
    assert formula in script
    assert pl.read_csv(tmp_path / "r" / "ratings.csv").height == ratings.height


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="needs R with lme4")
@pytest.mark.parametrize("ratings", [golden_ratings("g1"), golden_ratings("g2"), few_groups()])
def test_r_finds_the_same_likelihood(ratings: pl.DataFrame, tmp_path: Path) -> None:
    pb.export_r(ratings, output=tmp_path / "r")
    done = subprocess.run(
        ["Rscript", "model.R"], cwd=tmp_path / "r", capture_output=True, text=True, check=False
    )
    if "there is no package" in done.stderr:
        pytest.skip("needs R with lme4")
    said = next(line for line in done.stdout.splitlines() if line.startswith("'log Lik.'"))
    expected = pb.analyse(ratings).model.log_likelihood
    assert float(said.split()[2]) == pytest.approx(expected, abs=1e-3)


def test_concreteness_is_looked_up_by_lemma_and_needs_the_words() -> None:
    items = pl.DataFrame({"subject": ["dogs", "idea"], "verb": ["eat", "is"], "object": ["x", "y"]})
    norms = {"dog": 4.8, "idea": 1.6, "eat": 4.4, "be": 1.9, "x": 2.0, "y": 3.0}

    def lemmas(word: str, verb: bool) -> list[str]:
        return ["be"] if verb else [word.removesuffix("s")]

    rated = with_concreteness(items, norms, lambda word, verb: iter(lemmas(word, verb)))
    assert rated["subject_concreteness"].to_list() == pytest.approx([0.7071, -0.7071], abs=1e-4)
    with pytest.raises(TableError, match="object"):
        with_concreteness(items.drop("object"), norms, lambda word, verb: iter(lemmas(word, verb)))


@pytest.mark.parametrize(
    ("two", "offered", "modelled"),
    [
        (("ja", "nein"), (), "ja"),
        (("ja", "nein"), ("nein", "ja"), "ja"),
        (("acceptable", "unacceptable"), ("unacceptable", "acceptable"), "acceptable"),
        (("acceptable", "unacceptable"), (), "unacceptable"),
        (("No", "YES"), (), "YES"),
    ],
)
def test_of_two_words_the_model_is_about_yes_or_the_last_that_the_form_offers(
    two: tuple[str, str], offered: tuple[str, ...], modelled: str
) -> None:
    rows = [
        (f"s{i}", f"p{p}", two[(i * 7 + p * 3) % 5 > 1 + i % 2], "xy"[i % 2])
        for i in range(12)
        for p in range(8)
    ]
    names = ["item", "annotator", "answer", "condition"]
    table = pl.DataFrame(rows, schema=names, orient="row")
    questions = {"rating": {"scale": "nominal", "order": list(offered)}} if offered else None
    result = pb.analyse(table, questions=questions, slopes="")
    assert result.as_json()["answers"][-1] == modelled
    assert f"shares of the answer {modelled!r}" in " ".join(result.talk)
    other = next(word for word in two if word != modelled)
    turned = pb.analyse(table, order=[modelled, other], slopes="")
    assert turned.as_json()["answers"][-1] == other


def test_a_question_answered_in_texts_is_no_choice() -> None:
    rows = [(f"t{i}", f"a{p}", str(1 + (i * p + p) % 5)) for i in range(8) for p in range(6)]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    said = table.head(5).with_columns(answer=pl.lit("so"), question=pl.lit("why"))
    condition = pl.when(pl.col("item") > "t3").then(pl.lit("x")).otherwise(pl.lit("y"))
    both = pl.concat([table.with_columns(question=pl.lit("fit")), said])
    both = both.with_columns(condition=condition)
    fitted = pb.analyse(both, family="linear", questions={"why": {"scale": "text"}})
    assert fitted.as_json()["question"] == "fit"
    with pytest.raises(pb.PlausiblyError, match="2 questions: fit, why"):
        pb.analyse(both, family="linear", questions={"why": {"scale": "nominal"}})
