"""Models stay out of what people say, unless somebody names them; their samples are one voice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.io.imported import Imported
from plausibly.ratings.kinds import of_kinds
from plausibly.tables import RATINGS

PEOPLE = {"t1": "4455", "t2": "1122", "t3": "5544", "t4": "2211"}
SAMPLES = {"t1": "115", "t2": "554", "t3": "112", "t4": "124"}


def rows(table: dict[str, str], who: str, **more: str) -> list[dict[str, Any]]:
    return [
        {"item": item, "annotator": f"{who}{n}", "question": "fit", "answer": one}
        | {"condition": "odd" if item in ("t2", "t4") else "even", **more}
        for item, answers in table.items()
        for n, one in enumerate(answers, 1)
    ]


def mixed(*models: str) -> pl.DataFrame:
    own = rows(PEOPLE, "p")
    for model in models:
        more = {"annotator_kind": "model", "annotator_cluster": model}
        own += rows(SAMPLES, f"{model}/", **more)
    frame = pl.DataFrame(own, infer_schema_length=None)
    return RATINGS.check(frame.with_columns(value=pl.col("answer").cast(pl.Float64)))


VERBS: dict[str, Callable[..., Any]] = {
    "agree": lambda table, **more: pb.agree(table, resamples=0, **more),
    "label": lambda table, **more: pb.label(table, method="mean", **more),
    "describe": lambda table, **more: pb.describe(table, scale="interval", **more),
    "analyse": lambda table, **more: pb.analyse(table, family="linear", slopes="", **more),
}


@pytest.mark.parametrize("name", list(VERBS))
def test_models_count_only_where_they_are_named(name: str) -> None:
    people = VERBS[name](mixed()).as_json()
    without = VERBS[name](mixed("quill")).as_json()
    assert without == {**people, **({"notes": without["notes"]} if "notes" in people else {})}
    both = VERBS[name](mixed("quill"), kinds="person,model").as_json()
    assert both != without


def test_command_python_and_study_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ratings.parquet"
    mixed("quill").write_parquet(file)
    for kinds in (None, "person,model", "model"):
        more = [] if kinds is None else ["--kinds", kinds]
        assert run(["agree", str(file), *more, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed == json.loads(json.dumps(pb.agree(file, kinds=kinds).as_json()))
    assert "do not count" in " ".join(pb.agree(file).talk)


def test_the_samples_of_a_model_are_one_annotator_next_to_people() -> None:
    kept, whose = of_kinds(Imported(mixed("quill")), "person,model")
    own = kept.ratings.filter(annotator="quill")
    # Of t4's three different answers, 2 is the nearest to their mean.
    assert own.sort("item")["answer"].to_list() == ["1", "5", "1", "2"]
    assert kept.ratings["annotator"].n_unique() == 5
    assert whose.merged == {"quill": 3}
    alone, whose = of_kinds(Imported(mixed("quill")), "model")
    assert alone.ratings["annotator"].n_unique() == 3
    assert whose.only == "quill"
    assert "how consistent one model is" in whose.notes[-1]
    several, _ = of_kinds(Imported(mixed("quill", "nib")), "model")
    assert set(several.ratings["annotator"]) == {"quill", "nib"}


def test_a_tie_between_samples_is_no_answer() -> None:
    tied = mixed("quill").filter(~((pl.col("item") == "t4") & (pl.col("answer") == "4")))
    kept, whose = of_kinds(Imported(tied), "all")
    assert kept.ratings.filter(annotator="quill", item="t4").filter(
        pl.col("answer").is_in(["1", "2"])
    ).is_empty() == (whose.tied == 1)


def test_kinds_nobody_has_are_named() -> None:
    with pytest.raises(StudyError, match="no rating is by an annotator of kind robot"):
        pb.agree(mixed("quill"), kinds="robot")
    only = mixed("quill").filter(annotator_kind="model")
    with pytest.raises(StudyError, match="there are model"):
        pb.label(only, method="mean")


def test_what_ask_writes_stays_out_of_targets(tmp_path: Path) -> None:
    events = "subject,verb,object\nowl,eats,bell\nbell,eats,owl\n"
    (tmp_path / "items.csv").write_text(events, encoding="utf-8")
    asked = pb.ask("pap", model="mock:1", items=tmp_path / "items.csv")
    assert set(asked.ratings["annotator_kind"]) == {"model"}
    with pytest.raises(StudyError, match="of kind person"):
        pb.agree(asked.ratings)
