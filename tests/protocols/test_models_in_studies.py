"""Models inside a study: what they say, how well it goes with its people, and what follows."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.io import file_hash
from plausibly.replications.own import rebuilt
from plausibly.study.results import finite

Studies = Callable[..., Path]
SCHEMES = {"pap": "pap-binary", "adept": "adept-5", "sp10k": "sp10k"}
UNITS: dict[str, dict[str, str]] = {
    "pap": {},
    "adept": {"clusters": "item"},
    "sp10k": {"undefined": "zero", "clusters": "head"},
}


@pytest.fixture
def study(tmp_path: Path, done: Callable[[str], Path]) -> Studies:
    """Return a copy of an example study whose study.toml says more."""

    def folder(name: str, **sections: dict[str, Any]) -> Path:
        target = tmp_path / name
        shutil.copytree(done(name), target, dirs_exist_ok=True)
        told(target, **sections)
        return target

    return folder


def told(folder: Path, **sections: dict[str, Any]) -> None:
    """Write values into study.toml, in the places of those that are there."""
    text = (folder / "study.toml").read_text(encoding="utf-8")
    for section, values in sections.items():
        for key, value in values.items():
            line = re.compile(
                rf"(\[{section}\]\n(?:[^\[\n][^\n]*\n)*?)(?:# )?{key} = [^\n]*\n", re.MULTILINE
            )
            found = line.search(text)
            assert found is not None, (section, key)
            said = f"{found[1]}{key} = {json.dumps(value)}\n"
            text = text[: found.start()] + said + text[found.end() :]
    (folder / "study.toml").write_text(text, encoding="utf-8")


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> Any:
    capsys.readouterr()
    assert run([str(word) for word in words]) == 0
    return json.loads(capsys.readouterr().out)


def models_of(name: str, folder: Path) -> list[str]:
    """Return two models for a protocol; those of word pairs are fitted into the folder."""
    if name == "sp10k":
        items = pl.read_parquet(folder / "items.parquet").filter(kind="item")
        counts = items.group_by("relation", "head", "dependent").agg(
            count=pl.col("item").str.len_chars().sum().cast(pl.Int64)
        )
        counts.sort("relation", "head", "dependent").write_csv(folder / "counts.csv")
        pb.models_fit("pp", counts=folder / "counts.csv").save(folder / "pp.model")
        pb.models_fit("ppmi", counts=folder / "counts.csv").save(folder / "ppmi.model")
        return ["pp.model", "ppmi.model"]
    return {"pap": ["events-lite", "events-frequency"], "adept": ["adept-lite", "majority"]}[name]


def test_models_and_files_of_predictions_are_evaluated_together(study: Studies) -> None:
    folder = study("adept", models_predict={"models": ["adept-lite"], "files": ["theirs.parquet"]})
    own = pb.models_predict("majority", folder / "items.parquet", name="theirs")
    own.write_table("predictions", folder / "theirs.parquet")
    pb.Study(folder).run(to="models_predict")
    table = pl.read_parquet(folder / "predictions.parquet")
    assert table["model"].unique().sort().to_list() == ["adept-lite", "theirs"]
    assert table["distribution"].null_count() == 0


@pytest.mark.parametrize("name", list(SCHEMES))
def test_command_python_and_study_say_the_same(
    study: Studies, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = study(name)
    models = models_of(name, folder)
    told(folder, models_predict={"models": models}, evaluate={"resamples": 40} | UNITS[name])
    told(folder, compare={"resamples": 40, "permutations": 50} | UNITS[name])
    assert [one.step for one in pb.Study(folder).run() if one.state == "run"] == [
        *("models_predict", "evaluate", "compare", "describe", "analyse", "browse", "report")
    ]
    items, labels = folder / "items.parquet", folder / "labels.parquet"
    files = []
    for model in models:
        place = folder / model if "." in model else model
        python = pb.models_predict(place, items)
        files.append(tmp_path / f"{Path(model).stem}.parquet")
        shown = printed(capsys, "models", "predict", place, items, "-o", files[-1], "--json")
        assert (
            shown
            == python.as_json()
            == document(folder / "models_predict.json")["models"][shown["model"]]
        )
    said = pl.read_parquet(folder / "predictions.parquet")
    assert said["item"].is_in(pl.read_parquet(labels)["item"].implode()).any()
    how: dict[str, Any] = {"against": labels, "items": items, "scheme": SCHEMES[name]}
    how |= UNITS[name]
    options = [word for key, value in how.items() for word in (f"--{key}", value)]
    told_by_study = document(folder / "evaluate.json")["models"]
    for file in files:
        python_doc = pb.evaluate(file, **how, resamples=40, seed=1).as_json()
        more = ("--resamples", 40, "--seed", 1, "--json")
        assert printed(capsys, "evaluate", file, *options, *more) == finite(python_doc)
        assert told_by_study[python_doc["model"]] == finite(python_doc)
    ordered = sorted(files, key=lambda file: pl.read_parquet(file)["model"][0])
    python_pairs = pb.compare(ordered, **how, resamples=40, permutations=50, seed=1).as_json()
    drawn = ("--resamples", 40, "--permutations", 50, "--seed", 1, "--json")
    assert printed(capsys, "compare", *ordered, *options, *drawn) == finite(python_pairs)
    assert sorted(document(folder / "compare.json")["comparisons"], key=str) == sorted(
        python_pairs["comparisons"], key=str
    )


def test_a_study_without_models_has_no_steps_for_them(study: Studies) -> None:
    steps = {one.step for one in pb.Study(study("pap")).status()}
    assert not steps & {"models_predict", "evaluate", "compare"}


def test_only_what_follows_runs_again_and_a_model_that_left_is_told_of_no_more(
    study: Studies,
) -> None:
    folder = study("adept", models_predict={"models": ["majority", "normative"]})
    pb.Study(folder).run()
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Predictions by 2 models were compared" in page
    for model in ("majority", "normative"):  # ADEPT's Figures 2 and 3, for every model of a study
        assert page.count(f'id="figure-confusion-{model}"') == 1
    told(folder, models_predict={"models": ["majority"]})
    states = {one.step: one.state for one in pb.Study(folder).run()}
    assert states["label"] == states["agree"] == "done"
    assert states["models_predict"] == states["evaluate"] == states["report"] == "run"
    assert "compare" not in states
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Predictions by one model were compared" in page
    assert "figure-confusion-normative" not in page
    assert "Models compared" not in page
    told(folder, evaluate={"scheme": "adept-3"})
    states = {one.step: one.state for one in pb.Study(folder).run()}
    assert states["models_predict"] == "done"
    assert states["evaluate"] == states["report"] == "run"
    told(folder, models_predict={"models": []}, evaluate={"scheme": "adept-5"})
    assert {one.step: one.state for one in pb.Study(folder).run()}["report"] == "run"
    assert 'id="models"' not in (folder / "report.html").read_text(encoding="utf-8")
    assert "predictions" not in pb.release(folder).tables


def test_a_step_that_was_cut_off_is_done_again_with_the_same_outcome(study: Studies) -> None:
    folder = study("pap", models_predict={"models": ["events-lite", "events-frequency"]})
    told(folder, evaluate={"resamples": 20}, compare={"resamples": 20, "permutations": 20})
    pb.Study(folder).run()
    whole = {one.name: file_hash(one) for one in folder.glob("*.parquet")}
    manifest = document(folder / "manifest.json")
    for cut in ("models_predict", "evaluate", "compare"):
        steps = dict(manifest["steps"])
        del steps[cut]
        (folder / "manifest.json").write_text(json.dumps({**manifest, "steps": steps}))
        states = {one.step: one.state for one in pb.Study(folder).run()}
        assert states[cut] == "run"
        assert [name for name, state in states.items() if state == "run"] == [cut]
        assert {one.name: file_hash(one) for one in folder.glob("*.parquet")} == whole


def test_predictions_of_ones_own_stand_beside_named_models(study: Studies) -> None:
    folder = study("pap", models_predict={"models": ["events-lite"], "files": ["mine.csv"]})
    items = pl.read_parquet(folder / "items.parquet").filter(kind="item")
    items.select(
        "item",
        question=pl.lit("plausible"),
        model=pl.lit("coin"),
        score=pl.int_range(pl.len()) % 7 / 7,
    ).write_csv(folder / "mine.csv")
    pb.Study(folder).run()
    assert set(document(folder / "evaluate.json")["models"]) == {"coin", "events-lite"}
    states = {one.step: one.state for one in pb.Study(folder).run()}
    assert set(states.values()) == {"done"}
    (folder / "mine.csv").write_text((folder / "mine.csv").read_text().replace("coin", "dice"))
    assert {one.step: one.state for one in pb.Study(folder).run()}["models_predict"] == "run"
    released = pb.release(folder)
    assert set(released.content.tables["predictions"]["model"]) == {"dice", "events-lite"}


def test_soft_labels_are_held_against_the_ratings_and_perturbation_against_the_items(
    study: Studies,
) -> None:
    folder = study("pap", models_predict={"files": ["soft.csv"]}, evaluate={"scheme": "pap-soft"})
    items = pl.read_parquet(folder / "items.parquet").filter(kind="item")
    share = '{"1": 0.1, "2": 0.2, "4": 0.3, "5": 0.4}'
    items.select("item", question=pl.lit("plausible"), model=pl.lit("flat")).with_columns(
        distribution=pl.lit(share), score=pl.lit(0.7)
    ).write_csv(folder / "soft.csv")
    pb.Study(folder).run()
    ratings = folder / "clean" / "ratings.parquet"
    python = pb.evaluate(
        folder / "predictions.parquet",
        against=ratings,
        items=folder / "items.parquet",
        scheme="pap-soft",
        seed=1,
    )
    assert document(folder / "evaluate.json") == finite(python.as_json())
    assert "the ratings kept (scheme pap-soft)" in (folder / "report.html").read_text()
    told(folder, models_predict={"files": [], "models": ["events-lite"]})
    told(folder, evaluate={"scheme": "pap-perturbed"})
    pb.Study(folder).run()
    found = document(folder / "evaluate.json")
    assert found["auc"]["n"] == items.height


@pytest.mark.parametrize(
    ("name", "sections", "message"),
    [
        ("pap", {"models_predict": {"models": ["events-lit"]}}, "unknown model 'events-lit'"),
        ("pap", {"models_predict": {"models": ["gone.model"]}}, "gone.model"),
        ("pap", {"models_predict": {"files": ["gone.csv"]}}, "gone.csv"),
        (
            "pap",
            {"models_predict": {"models": [3]}},
            "[models_predict] models must be a list of texts",
        ),
        ("pap", {"models_predict": {"models": ["majority"]}}, "no field"),
        ("adept", {"models_predict": {"models": ["events-lite"]}}, "no column 'subject'"),
        ("adept", {"models_predict": {"models": ["backoff"]}}, "train.json"),
        (
            "adept",
            {"models_predict": {"models": ["majority"]}, "evaluate": {"scheme": "sp10k"}},
            "labels are not numbers",
        ),
        (
            "adept",
            {"models_predict": {"models": ["majority"]}, "evaluate": {"scheme": "adept"}},
            "unknown scheme 'adept'",
        ),
        ("custom", {"evaluate": {"scheme": "events"}}, "Name models or files in [models_predict]"),
        ("custom", {"models_predict": {"models": ["events-lite"]}}, "no column 'subject'"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(
    study: Studies,
    name: str,
    sections: dict[str, dict[str, Any]],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = study(name, **sections)
    capsys.readouterr()
    wrong_value = message.startswith("unknown") or "must be" in message
    assert run(["run", str(folder)]) == (2 if wrong_value else 1)
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert message in said


def test_a_study_of_ones_own_evaluates_where_a_scheme_fits(study: Studies) -> None:
    folder = study("custom", label={"method": "plurality"})
    pb.Study(folder).run(to="label")
    items = pl.read_parquet(folder / "items.parquet").filter(kind="item")
    labels = pl.read_parquet(folder / "labels.parquet")
    labels.drop_nulls("label").with_columns(
        label=pl.when(pl.col("label").cast(pl.Int64) > 4).then(pl.lit("1")).otherwise(pl.lit("0"))
    ).write_parquet(folder / "two.parquet")
    said = items.select(
        "item",
        question=pl.lit("natural"),
        model=pl.lit("length"),
        score=pl.col("text").str.len_chars(),
    )
    found = pb.evaluate(
        said, against=folder / "two.parquet", items=folder / "items.parquet", scheme="events"
    ).as_json()
    assert found["auc"]["n"] == labels.drop_nulls("label").height


def test_models_of_a_study_without_a_scheme_are_put_next_to_its_people(tmp_path: Path) -> None:
    """Ratings and scores that others collected, under names of theirs."""
    folder = tmp_path / "mine"
    folder.mkdir()
    rows = [
        (f"s{item}", f"p{person}", min(7, max(1, 1 + item // 2 + (item + person) % 3 - 1)))
        for item in range(12)
        for person in range(8)
    ]
    lines = [f"{item};{person};{answer},5;Satz {item}" for item, person, answer in rows]
    text = "\n".join(["Satz-Nr.;VP;Wertung;Satz", *lines])
    (folder / "antworten.csv").write_text(text, encoding="utf-8")
    said = [f"s{item},{model},{1 + item * up}" for item in range(12) for model, up in UP.items()]
    (folder / "theirs.csv").write_text("\n".join(["item,model,score", *said]), encoding="utf-8")
    columns = 'columns = { item = "Satz-Nr.", annotator = "VP", answer = "Wertung", text = "Satz" }'
    (folder / "study.toml").write_text(
        '[study]\nname = "mine"\nprotocol = "custom"\n'
        f'[ratings]\nsource = "antworten.csv"\n{columns}\n'
        '[models_predict]\nfiles = ["theirs.csv"]\n',
        encoding="utf-8",
    )
    pb.run(folder)
    scores = pl.read_parquet(folder / "scores.parquet")
    assert scores.select("metric", "model", "n").rows() == [
        ("r_with_people", "down", 12),
        ("r_with_people", "up", 12),
    ]
    assert scores["value"][0] < -0.8 < 0.8 < scores["value"][1]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Models next to people" in page
    assert "no label contains them" in page
    assert "were asked what people were asked" not in page
    assert "Way of asking" not in page
    kept, items = folder / "clean/ratings.parquet", folder / "items.parquet"
    again = pb.evaluate(folder / "theirs.csv", ratings=kept, items=items, seed=1)
    assert document(folder / "evaluate.json") == finite(again.as_json())
    pb.release(folder).write(tmp_path / "out")
    verdicts = {one.id: one.verdict for one in rebuilt(tmp_path / "out")[0]}
    assert verdicts["release.report.model-people"] == "exact"
    assert set(verdicts.values()) == {"exact"}


UP = {"up": 1, "down": -1}


def test_answers_to_stories_are_scored_inside_a_study(study: Studies) -> None:
    folder = study("gita", score_gita={"answers": "answers"})
    (folder / "answers").mkdir()
    rows = [
        {
            "story_id": number,
            "example_id": f"s{number}-{kind}",
            "type": kind,
            "plausible": kind is None,
            "breakpoint": -1 if kind is None else 3,
            "confl_sents": [] if kind is None else [1],
            "states": None,
            "loglik": [-1.0, -2.0] if number % 2 else [-2.0, -1.0],
            "options": ["true", "false"],
        }
        for number in range(6)
        for kind in (None, "cloze", "order")
    ]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "answers" / "story_class.jsonl").write_text(text)
    states = {one.step: one.state for one in pb.Study(folder).run()}
    assert states["score_gita"] == states["report"] == "run"
    python = pb.score_gita(folder / "answers", rules="clean", seed=1)
    assert document(folder / "score_gita.json") == finite(python.as_json())
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Predictions by one model were compared with what is right in the stories" in page
    assert {one.state for one in pb.Study(folder).run()} == {"done"}
    (folder / "answers" / "story_class.jsonl").write_text(text.replace("-2.0", "-3.0"))
    assert {one.step: one.state for one in pb.Study(folder).run()}["score_gita"] == "run"


def test_a_release_evaluates_again_what_it_carries(study: Studies, tmp_path: Path) -> None:
    folder = study("adept", models_predict={"models": ["majority", "normative"]})
    told(folder, evaluate={"resamples": 20}, compare={"resamples": 20, "permutations": 20})
    pb.Study(folder).run()
    pb.release(folder).write(tmp_path / "released")
    verdicts = {one.id: one.verdict for one in rebuilt(tmp_path / "released")[0]}
    tables = {name for name in verdicts if name.startswith("release.report.model-")}
    assert tables == {"release.report.model-scores", "release.report.model-comparisons"}
    assert set(verdicts.values()) == {"exact"}


def test_a_report_says_how_items_were_paired(study: Studies, tmp_path: Path) -> None:
    folder = study("custom")
    whole = pl.read_parquet(folder / "items.parquet")
    told(folder, build_match={"match": ["length:9"], "items": "all.parquet", "by": "half"})
    halves = whole.with_columns(half=pl.int_range(pl.len()) % 2)
    halves.write_parquet(folder / "all.parquet")
    (folder / "items.parquet").unlink()
    pb.Study(folder).run(to="build_match")
    paired = pl.read_parquet(folder / "items.parquet")
    answers = pl.read_csv(folder / "answers.csv", infer_schema=False)
    answers.join(paired, on="item", how="semi").write_csv(folder / "answers.csv")
    pb.Study(folder).run()
    pairs = document(folder / "build_match.json")["matching"]["length"]["matches"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert f"The items are {pairs} pairs, alike in length (within 9)." in page
    pb.release(folder).write(tmp_path / "released")
    assert {one.verdict for one in rebuilt(tmp_path / "released")[0]} == {"exact"}
