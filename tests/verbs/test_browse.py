"""`browse`: one page about a file, a study, a release; its rows and what it refuses."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plausibly as pb
from plausibly.analysis.explorer import page as page_module
from plausibly.analysis.explorer.material import named_columns
from plausibly.analysis.explorer.packing import STEP, Pack
from plausibly.cli import run
from plausibly.io import write_table
from plausibly.tables import ITEMS, RATINGS
from plausibly.verbs.browse import _verb
from worlds.explored import explored_items, explored_predictions, explored_ratings


def unpacked(page: str) -> dict[str, Any]:
    """Return the head of the data of a page."""
    found = re.search(r'id="data">([^<]*)<', page)
    assert found
    content = gzip.decompress(base64.b64decode(found[1]))
    size = int.from_bytes(content[:STEP], "little")
    return dict(json.loads(content[STEP : STEP + size]))


def test_rows_have_labels_of_every_method_and_what_models_predict() -> None:
    browsed = pb.browse(
        explored_ratings(),
        items=explored_items(),
        predictions=explored_predictions(),
        methods="mean,strict-majority",
    )
    row = browsed.rows.row(by_predicate=pl.col("item") == "t011", named=True)
    answers = [1 + (11 + person * 3) % 5 for person in range(6)]
    assert row["mean"] == pytest.approx(sum(answers) / 6)
    assert row["ratings"] == 6
    assert row["label:mean"] == pytest.approx(row["mean"])
    assert row["label:strict-majority"] is None
    assert row["predicted:small"] == "3"
    assert row["confidence:small"] == pytest.approx(0.61)


def test_a_wrong_model_is_wrong_differently_where_people_are_split() -> None:
    ratings = pl.DataFrame(
        {
            "item": ["sure"] * 4 + ["split"] * 4,
            "annotator": [*"abcd"] * 2,
            "answer": ["yes"] * 4 + ["yes", "yes", "no", "maybe"],
        }
    )
    said = pl.DataFrame(
        {
            "item": ["sure", "split"],
            "question": ["rating"] * 2,
            "model": ["m"] * 2,
            "label": ["no", "no"],
        }
    )
    rows = pb.browse(ratings, predictions=said).rows
    verdicts = dict(zip(rows["item"], rows["verdict:m"], strict=True))
    assert verdicts == {"sure": "wrong", "split": "wrong (split)"}


def test_the_same_tables_give_the_same_bytes() -> None:
    first, second = (
        pb.browse(explored_ratings(), predictions=explored_predictions()).page for _ in range(2)
    )
    assert first == second
    shuffled = explored_ratings().sample(fraction=1, shuffle=True, seed=1)
    rows = pb.browse(shuffled, items=explored_items()).rows
    again = pb.browse(explored_ratings(), items=explored_items()).rows
    assert rows.sort("item").equals(again.sort("item"))


def test_script_and_style_are_allowed_by_their_hash() -> None:
    page = pb.browse(explored_ratings()).page
    script = page.rpartition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "unsafe" not in page.partition("<title>")[0]
    assert len(script.encode()) <= 50_000


def test_people_are_not_counted_if_each_rating_has_its_own() -> None:
    ratings = explored_ratings().with_row_index("number")
    unlinked = ratings.select("item", "question", "answer", annotator=pl.col("number").cast(str))
    browsed = pb.browse(unlinked)
    assert browsed.as_json()["people"] == 0
    assert "people" not in unpacked(browsed.page)


def test_measures_have_the_names_of_the_report() -> None:
    material = pb.browse(explored_ratings()).material
    score = {"model": "m", "metric": "majority_accuracy", "slice": "all", "value": 0.5, "n": 9}
    page = page_module.explorer_page(replace(material, scores=pl.DataFrame([score])))
    assert unpacked(page)["scores"][0]["metric"] == "accuracy of the commonest label"


def test_a_rule_that_could_not_run_has_no_number() -> None:
    material = pb.browse(explored_ratings()).material
    ran = {"rule": "few ratings", "ratings": 0, "people": 0, "unable": None}
    rules = [ran, {**ran, "rule": "too fast", "unable": "no times: speed was not judged."}]
    shown = unpacked(page_module.explorer_page(replace(material, rules=rules)))["rules"]
    assert [one["ratings"] for one in shown] == [0, None]
    assert shown[1]["rule"] == "too fast (could not run; no times: speed was not judged)"


def test_items_only_omits_people() -> None:
    whole = unpacked(pb.browse(explored_ratings()).page)
    items_only = unpacked(pb.browse(explored_ratings(), items_only=True).page)
    assert whole["people"]["height"] == 6
    assert "people" not in items_only
    assert "a1" not in json.dumps(items_only)


def test_a_page_that_is_too_large_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_verb, "MOST_BYTES", 10_000)
    explored_ratings().write_csv(tmp_path / "ratings.csv")
    target = tmp_path / "explorer.html"
    assert run(["browse", str(tmp_path / "ratings.csv"), "-o", str(target)]) == 2
    assert "--items-only" in capsys.readouterr().err
    assert not target.exists()


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a PAP study with labels and agreement."""
    folder = tmp_path_factory.mktemp("labelled") / "otters"
    pb.init("pap", folder, example=True).run(to="agree")
    return folder


def test_a_study_shows_what_was_set_aside_and_runs_no_code_of_its_protocol(
    labelled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(copytree(labelled, tmp_path / "otters"))
    text = (folder / "study.toml").read_text(encoding="utf-8")
    outside = text.replace('protocol = "pap"', 'protocol = "nobody.has:this"')
    (folder / "study.toml").write_text(outside, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["browse", "otters"]) == 0
    head = unpacked((tmp_path / "explorer.html").read_text(encoding="utf-8"))
    assert head["kind"] == "study"
    assert head["methods"] == ["strict-majority"]
    assert head["labelNames"]["1"] == "plausible"
    assert any(reason.startswith("low approval") for reason in head["reasons"])
    assert head["notices"] == ["simulated"]
    assert head["words"]["en"]["simulated"] == "All 81 annotators are simulated."
    assert head["words"]["it"]["simulated"] == "Tutte le 81 persone sono simulate."
    assert str(tmp_path) not in json.dumps(head)


def test_a_release_shows_licence_version_checksum_and_words_for_labels(
    labelled: Path, tmp_path: Path
) -> None:
    folder = Path(copytree(labelled, tmp_path / "otters"))
    about = 'title = "Otters"\nversion = "1.2"\nlicence = "CC-BY-4.0"\n'
    (folder / "release.toml").write_text(about, encoding="utf-8")
    pb.release(folder).write(tmp_path / "release")
    browsed = pb.browse(tmp_path / "release")
    head = unpacked(browsed.page)
    assert head["kind"] == "release"
    assert dict(head["about"])["licence"] == "CC-BY-4.0"
    assert dict(head["about"])["version"] == "1.2"
    assert len(dict(head["about"])["checksum"]) == 64
    assert dict(head["about"])["citation"] == "Otters, version 1.2."
    assert head["source"] == "'release'"
    assert head["labelNames"]
    inside = (tmp_path / "release" / "explorer.html").read_text(encoding="utf-8")
    assert inside == browsed.page
    study = pb.browse(folder)
    assert browsed.rows.select("item", "mean").equals(study.rows.select("item", "mean"))


def test_a_release_with_splits_has_the_explorer_that_browse_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, otters: Path
) -> None:
    """Its items are in two files, read in another order than they were written."""
    (otters / "release.toml").write_text('licence = "CC-BY-4.0"\n', encoding="utf-8")
    pb.release(otters, splits="train=0.5,test=0.5").write(tmp_path / "released")
    monkeypatch.chdir(tmp_path)
    inside = (tmp_path / "released" / "explorer.html").read_text(encoding="utf-8")
    assert inside == pb.browse("released").page


@pytest.mark.parametrize("methods", ["nobody", "os:getcwd"])
def test_only_methods_of_ours_are_shown(methods: str) -> None:
    with pytest.raises(pb.PlausiblyError, match="unknown label method"):
        pb.browse(explored_ratings(), methods=methods)


def test_both_languages_have_every_word() -> None:
    english, italian = (page_module.parse_words(name) for name in page_module.LANGUAGES)
    assert english.keys() == italian.keys()
    placed = re.compile(r"\{\w+\}")
    for key, text in english.items():
        assert sorted(placed.findall(text)) == sorted(placed.findall(italian[key])), key


@given(st.lists(st.text() | st.none(), min_size=1), st.lists(st.integers(0, 2**32 - 1)))
def test_what_is_packed_can_be_read_back(texts: list[str | None], counts: list[int]) -> None:
    pack = Pack()
    values = pack.texts("texts", pl.Series(texts, dtype=pl.String))
    pack.counts("counts", counts)
    content = gzip.decompress(base64.b64decode(pack.text({})))
    size = int.from_bytes(content[:STEP], "little")
    places = json.loads(content[STEP : STEP + size])["arrays"]

    def numbers(name: str) -> list[int]:
        kind, start, length = places[name]
        width, begin = int(kind[1]), STEP + size + start
        assert begin % STEP == 0
        parts = (content[begin + width * one : begin + width * (one + 1)] for one in range(length))
        return [int.from_bytes(part, "little") for part in parts]

    assert numbers("counts") == counts
    assert [values[code - 1] if code else None for code in numbers("texts")] == texts


def test_a_model_that_uses_other_words_than_the_labels_is_not_called_wrong() -> None:
    ratings = pl.DataFrame({"item": ["t"] * 2, "annotator": ["a", "b"], "answer": ["1", "1"]})
    said = {"item": ["t"], "question": ["rating"], "model": ["m"], "label": ["plausible"]}
    rows = pb.browse(ratings, predictions=pl.DataFrame(said)).rows
    assert rows["verdict:m"].to_list() == [None]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a study that was run."""
    folder = tmp_path_factory.mktemp("finished") / "otters"
    study = pb.init("custom", folder, example=True)
    assert [one.step for one in study.run()][-2:] == ["browse", "report"]
    return folder


@pytest.fixture
def otters(finished: Path, tmp_path: Path) -> Path:
    """Return a copy of it."""
    return Path(copytree(finished, tmp_path / "otters"))


def _set(folder: Path, browse: str) -> None:
    """Write the section [browse] of a study."""
    settings = folder / "study.toml"
    before, _, rest = settings.read_text(encoding="utf-8").partition("\n[browse]\n")
    after = rest[rest.index("\n[") :]
    settings.write_text(f"{before}\n[browse]\n{browse}\n{after}", encoding="utf-8")


def test_the_explorer_is_a_step_of_its_own_that_runs_again_only_where_content_changed(
    otters: Path,
) -> None:
    entry = json.loads((otters / "manifest.json").read_text("utf-8"))["steps"]["browse"]
    assert set(entry["outputs"]) == {"explorer.html", "browse.json"}
    assert "labels.parquet" in entry["inputs"]
    assert {one.state for one in pb.run(otters)} == {"done"}
    (otters / "explorer.html").unlink()
    assert "explorer.html" in {one.step: one.reason for one in pb.status(otters)}["browse"]
    again = {one.step: one.state for one in pb.run(otters)}
    assert (again["browse"], again["report"]) == ("run", "done")


def test_command_study_and_python_write_the_same_explorer(
    otters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(otters)
    for section, options, words in (
        ("", {}, []),
        ('methods = "mean,mace"', {"methods": "mean,mace"}, ["--methods", "mean,mace"]),
        ("items_only = true", {"items_only": True}, ["--items-only"]),
    ):
        _set(otters, section)
        assert pb.run(otters, to="browse")[-1].state == ("run" if section else "done")
        written = (otters / "explorer.html").read_bytes()
        assert pb.browse(otters, **options).page.encode() == written
        assert run(["browse", ".", *words, "-o", "../page.html"]) == 0
        assert (otters.parent / "page.html").read_bytes() == written


def test_further_methods_label_by_the_scheme_and_the_seed_of_the_study(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    pb.init("pap", folder)
    items = {"item": ["t1", "t2"], "text": ["owl reads lamp", "lamp reads owl"]}
    write_table(ITEMS.check(pl.DataFrame(items)), folder / "items.parquet", ITEMS)
    rows = [
        (item, f"a{p}", "rating", "5" if item == "t1" else "1")
        for item in items["item"]
        for p in range(4)
    ]
    rated = pl.DataFrame(rows, ("item", "annotator", "question", "answer"), orient="row")
    write_table(RATINGS.check(rated), folder / "ratings.parquet", RATINGS)
    said = pb.browse(folder, methods="mace").rows
    expected = pb.label(rated, method="mace", scheme="pap-binary", seed=1).labels
    assert said["label:mace"].to_list() == expected["label"].to_list() == ["1", "0"]


def test_an_explorer_that_would_be_too_large_ends_no_study(
    otters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_verb, "MOST_BYTES", 10_000)
    states = {one.step: one for one in pb.run(otters, first="browse")}
    assert len(states["browse"].notes) == 2
    assert states["report"].state == "run"
    document = json.loads((otters / "browse.json").read_text("utf-8"))
    assert document["page"] is None
    assert "MB" in (otters / "explorer.html").read_text("utf-8")
    assert "explorer.html" not in (otters / "report.html").read_text("utf-8")


def test_the_line_of_python_names_everything_the_rows_depend_on(tmp_path: Path) -> None:
    explored_ratings().write_csv(tmp_path / "ratings.csv")
    explored_items().write_csv(tmp_path / "items.csv")
    page = pb.browse(
        tmp_path / "ratings.csv", items=tmp_path / "items.csv", methods=["mean", "median"]
    ).page
    source = "'ratings.csv', items='items.csv', methods='mean,median'"
    assert unpacked(page)["source"] == source
    assert unpacked(pb.browse(explored_ratings()).page)["source"] == "ratings"


def test_a_study_takes_no_options_of_a_file(finished: Path) -> None:
    with pytest.raises(pb.PlausiblyError, match="for a file of ratings"):
        pb.browse(finished, items=explored_items())


def test_predictions_of_a_step_that_a_study_gave_up_are_not_shown(otters: Path) -> None:
    items = pl.read_parquet(otters / "items.parquet")["item"]
    said = {"item": items, "question": "natural", "model": "m", "label": "1"}
    pl.DataFrame(said).write_parquet(otters / "predictions.parquet")
    assert pb.browse(otters).as_json()["models"] == []
    shown = pb.browse(otters, predictions=otters / "predictions.parquet")
    assert shown.as_json()["models"] == ["m"]
    assert shown.material.source == "'otters', predictions='otters/predictions.parquet'"


def _two_questions() -> pl.DataFrame:
    """Return a slider and a question with two answers, about the same items."""
    rated = explored_ratings().with_row_index("row")
    slider = rated.with_columns(
        question=pl.lit("a slider"), answer=(pl.col("row") * 37 % 101).cast(pl.String)
    )
    seen = rated.with_columns(
        question=pl.lit("seen"),
        answer=pl.when(pl.col("row") % 3 == 0).then(pl.lit("no")).otherwise(pl.lit("yes")),
    )
    return pl.concat([slider, seen]).select("item", "annotator", "question", "answer")


def test_each_question_has_its_own_label_methods_and_verdicts() -> None:
    ratings = _two_questions()
    slider = pb.label(ratings.filter(question="a slider"), method="mean").labels.with_columns(
        pl.col("label").cast(pl.String)
    )
    seen = pb.label(ratings.filter(question="seen"), method="plurality").labels
    items = ratings["item"].unique().sort()
    said = {"item": items, "question": "seen", "model": "m", "label": "yes"}
    browsed = pb.browse(
        ratings,
        labels=pl.concat([slider.drop("distribution"), seen.drop("distribution")]),
        predictions=pl.DataFrame(said),
    )
    rows = browsed.rows.filter(question="seen")
    expected = seen.sort("item").select(
        verdict=pl.when(pl.col("label") == "yes")
        .then(pl.lit("right"))
        .when(pl.col("label").is_null())
        .then(pl.lit("no label"))
        .when(pl.col("support") < 0.7)
        .then(pl.lit("wrong (split)"))
        .otherwise(pl.lit("wrong"))
    )
    assert rows["verdict:m"].to_list() == expected["verdict"].to_list()
    assert browsed.rows.filter(question="a slider")["verdict:m"].null_count() == items.len()
    assert unpacked(browsed.page)["methodsOf"] == {"a slider": ["mean"], "seen": ["plurality"]}


def test_people_are_measured_as_the_report_measures_them() -> None:
    head = unpacked(pb.browse(_two_questions()).page)
    names = [one["name"] for one in head["people"]["columns"]]
    assert names[:5] == ["annotator", "ratings", "set_aside", "alike", "follows"]
    only = unpacked(pb.browse(_two_questions().filter(question="a slider")).page)
    assert "alike" not in [one["name"] for one in only["people"]["columns"]]


def test_a_name_is_for_the_labels_of_methods_that_know_no_others() -> None:
    ratings = pl.DataFrame(
        {"item": ["a", "b"] * 2, "annotator": ["p", "p", "q", "q"], "answer": ["1", "5"] * 2}
    )
    given = {"item": ["a", "b"] * 2, "question": ["rating"] * 4, "ratings": [2] * 4}
    labels = pl.DataFrame(
        {**given, "method": ["two"] * 2 + ["five"] * 2, "label": ["0", "1", "1", "5"]}
    )
    browsed = pb.browse(ratings, labels=labels)
    material = replace(browsed.material, label_names={"1": "plausible", "0": "implausible"})
    assert named_columns(material) == {"rating": ["label:two"]}


def test_questions_come_in_the_order_of_the_form(tmp_path: Path) -> None:
    folder = Path(pb.init("custom", tmp_path / "study").folder)
    asked = [
        ("smooth", "slider", "min = 0, max = 9, start = 4"),
        ("fine", "choice", 'options = ["yes", "no"]'),
    ]
    tables = [
        f'{{id = "{name}", type = "{kind}", text = "?", {rest}}}' for name, kind, rest in asked
    ]
    settings = (folder / "study.toml").read_text("utf-8")
    whole = settings.replace("# questions = (not set)", f"questions = [{', '.join(tables)}]", 1)
    (folder / "study.toml").write_text(whole, "utf-8")
    rated = {"annotator": ["p", "q"] * 2, "question": ["fine", "fine", "smooth", "smooth"]}
    rows = {"item": ["t1"] * 4, **rated, "answer": ["yes", "no", "3", "7"]}
    pl.DataFrame(rows).write_parquet(folder / "ratings.parquet")
    pl.DataFrame({"item": ["t1", "t2"], "text": ["a", "b"]}).write_parquet(folder / "items.parquet")
    browsed = pb.browse(folder)
    assert browsed.rows["question"].to_list() == ["smooth", "smooth", "fine"]
    head = unpacked(browsed.page)
    assert [one["question"] for one in head["questions"]] == ["smooth", "fine"]
    assert head["questions"][1]["options"] == ["yes", "no"]
    pb.release(folder).write(tmp_path / "released")
    again = unpacked((tmp_path / "released" / "explorer.html").read_text("utf-8"))
    assert again["questions"] == head["questions"]
    assert unpacked(pb.browse(tmp_path / "released").page) == again


@pytest.mark.parametrize(
    ("scores", "sure"), [((0.9, 0.2), (0.9, 0.8)), ((0.9, 0.6), None), ((-7.0, 0.6), None)]
)
def test_a_score_that_is_a_probability_is_a_confidence(
    scores: tuple[float, float], sure: tuple[float, float] | None
) -> None:
    ratings = pl.DataFrame(
        {"item": ["a", "b"] * 2, "annotator": ["p", "p", "q", "q"], "answer": ["yes", "no"] * 2}
    )
    said = {"item": ["a", "b"], "question": ["rating"] * 2, "model": ["m"] * 2}
    predictions = pl.DataFrame({**said, "label": ["yes", "no"], "score": scores})
    rows = pb.browse(ratings, predictions=predictions).rows
    expected = [None, None] if sure is None else [pytest.approx(one) for one in sure]
    assert rows["confidence:m"].to_list() == expected
