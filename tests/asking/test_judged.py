"""ADEPT, PAP and SP-10K are asked by the same machinery, and evaluated as any predictions are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.asking import judged
from plausibly.asking.bridges import document_sets
from plausibly.asking.inquiries import AskChoices, inquiry
from plausibly.asking.prompts import prompts_of
from plausibly.asking.subjects import PAP
from plausibly.backends.scripted import MockModel
from plausibly.cli import run
from plausibly.datasets import adept, pap
from plausibly.datasets.sp10k import RELATIONS
from plausibly.errors import PlausiblyError, StudyError
from plausibly.study import PROTOCOLS
from worlds.wire import Part, chat, http, wire


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a few pairs and events of our own."""
    folder = tmp_path / "data"
    for name in ("adept", "pap", "sp10k"):
        (folder / name).mkdir(parents=True)
    pairs = [
        {
            "idx": n,
            "sentence1": f"A cup {n} is for tea.",
            "sentence2": f"A broken cup {n} is for tea.",
            "modifier": "broken",
            "noun": f"cup {n}",
            "label": n % 5,
        }
        for n in range(30)
    ]
    (folder / "adept" / "val.json").write_text(json.dumps(pairs[:15]))
    (folder / "adept" / "train.json").write_text(json.dumps(pairs[10:]))
    rows = ["event\toriginal_label\tabstractness_combination\trating"]
    for n, answer in enumerate((1, 2, 4, 5) * 4):
        rows.append(f"cup holds{n} tea\tplausible\tc-c-c\t{[answer] * 9 + [5]}")
    (folder / "pap" / "events_with_ratings.tsv").write_text("\n".join(rows) + "\n")
    for relation in RELATIONS:
        lines = [f"head{h}\tword{d}\t{(h + d) % 5 * 2.5}" for h in range(2) for d in range(4)]
        (folder / "sp10k" / f"{relation}.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_examples_of_adept_are_of_every_class_and_never_the_item_itself(data: Path) -> None:
    asked = pb.ask("adept", model="mock:1", data=data, prompts="all")
    pool = {str(row["idx"]): row for row in json.loads((data / "adept" / "train.json").read_text())}
    own = {str(row["idx"]): row for row in json.loads((data / "adept" / "val.json").read_text())}
    for sample in asked.samples:
        shown = [pool[shot] for shot in sample["shots"]]
        assert sorted(row["label"] for row in shown) == [0, 1, 2, 3, 4]
        assert own[sample["item"]]["sentence1"] not in {row["sentence1"] for row in shown}
    assert set(asked.predictions["label"]) <= set(adept.CLASSES)


def test_predictions_of_adept_are_evaluated_under_every_scheme(tmp_path: Path, data: Path) -> None:
    pb.ask("adept", model="mock:1", data=data, output=tmp_path / "out")
    for scheme in ("adept-5", "adept-4", "adept-3"):
        table = tmp_path / "out" / "predictions.parquet"
        made = pb.evaluate(table, against=data / "adept" / "val.json", scheme=scheme, resamples=0)
        assert made.as_json()["accuracy"]["n"] > 0


def test_grades_of_pap_are_a_distribution_over_the_answers_people_have(
    tmp_path: Path, data: Path
) -> None:
    asked = pb.ask("pap", model="mock:1", data=data, output=tmp_path / "out")
    for shares, score in asked.predictions.select("distribution", "score").iter_rows():
        assert tuple(shares) == pap.ANSWERS
        assert score == pytest.approx(sum(float(a) * share for a, share in shares.items()))
    against = data / "pap" / "events_with_ratings.tsv"
    table = tmp_path / "out" / "predictions.parquet"
    made = pb.evaluate(table, against=against, scheme="pap-soft", resamples=0).as_json()
    assert made["wasserstein_1"]["n"] == 16


def test_words_of_sp10k_are_scored_beyond_how_common_they_are(data: Path) -> None:
    asked = pb.ask("sp10k", model="mock:1", data=data)
    assert len(asked.samples) == 5 * 8
    for sample in asked.samples:
        assert sample["options"] == ["dependent"]
        assert sample["shots"] == []
    scores = dict(asked.predictions.select("item", "score").iter_rows())
    by_item = {sample["item"]: sample for sample in asked.samples}
    assert all(score == by_item[item]["scores"]["pmi"][0] for item, score in scores.items())
    assert asked.as_json()["tasks"]["continuation"]["right"] is None
    graded = pb.ask("sp10k", model="mock:1", data=data, tasks="rating", shots="3")
    assert graded.predictions["score"].is_between(1, 5).all()


def test_who_only_writes_grades_the_words_of_sp10k(data: Path, tmp_path: Path) -> None:
    def script(_: dict[str, Any], number: int) -> list[Part]:
        return [http(chat(str(1 + number % 5)))]

    with wire(script) as server:
        name = f"openai:{server.url}#tiny"
        asked = pb.ask("sp10k", model=[name], data=data, output=tmp_path / "out")
        with pytest.raises(StudyError, match="api= completions with logprobs="):
            pb.ask("sp10k", model=name, data=data, tasks="continuation")
    assert len(server.bodies) == 5 * 8
    assert asked.results["value"].null_count() == 0
    assert not asked.notes


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("adept", judged.ADEPT_OPTIONS),
        ("pap", judged.PAP_OPTIONS),
        ("sp10k", judged.SP10K_OPTIONS),
    ],
)
def test_every_prompt_words_every_option(name: str, options: dict[str, tuple[str, ...]]) -> None:
    prompts = prompts_of(PROTOCOLS[name].prompts, options)
    assert len(prompts) >= 2
    for prompt in prompts.values():
        assert set(prompt.tasks) == set(options)
        for task, known in options.items():
            words = prompt.tasks[task].options
            assert tuple(words) == tuple(known)
            assert len(set(words.values())) == len(words)


def test_one_command_fills_models_by_datasets(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["ask", "adept,pap,sp10k", "--model", "mock:1", "--model", "mock:2"]
    command += ["--data", str(data), "-o", str(tmp_path / "out"), "--json"]
    assert run(command) == 0
    said = json.loads(capsys.readouterr().out)
    mine = pb.ask(
        "adept,pap,sp10k", model=["mock:1", "mock:2"], data=data, output=tmp_path / "mine"
    )
    assert said == mine.as_json()
    cells = {(row["dataset"], row["model"]) for row in said["results"]}
    assert cells == {(d, m) for d in ("adept", "pap", "sp10k") for m in ("mock:1", "mock:2")}
    results = pl.read_parquet(tmp_path / "out" / "results.parquet")
    assert results.filter(pl.col("dataset") != "sp10k")["value"].null_count() == 0
    assert (tmp_path / "out" / "adept" / "mock-1" / "samples.jsonl").is_file()
    assert run([*command, "--tasks", "effect"]) == 2


def test_a_table_reads_every_model_once_however_many_there_are(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[str] = []

    def counted(name: str, reaching: object = None) -> MockModel:
        del reaching
        reached.append(name)
        return MockModel(int(name[-1]))

    monkeypatch.setattr("plausibly.verbs.ask._asked_form.language_model", counted)
    models = [f"mock:{seed}" for seed in range(3)]
    table = pb.ask("pap,adept", model=models, data=data, output=tmp_path / "out")
    assert reached == [model for model in models for _ in range(2)]
    cells = table.results.select("dataset", "model").unique(maintain_order=True).rows()
    assert cells == [(dataset, model) for dataset in ("pap", "adept") for model in models]


def test_a_table_of_no_dataset_is_refused(tmp_path: Path, data: Path) -> None:
    with pytest.raises(StudyError, match="no dataset named"):
        pb.ask(" , ", model=["mock:1"], data=data, output=tmp_path / "out")


def test_a_table_goes_on_without_a_model_that_never_answers(tmp_path: Path, data: Path) -> None:
    def deaf(*_: object) -> list[bytes]:
        return [http(b"", status="401 No")]

    def quick(*_: object) -> list[bytes]:
        return [http(chat("more likely"))]

    out = tmp_path / "out"
    with wire(deaf) as closed, wire(quick) as one, wire(quick) as other:
        addresses = [f"openai:{server.url}#tiny" for server in (closed, one, other)]
        address = closed.url
        table = pb.ask("adept,pap", model=addresses, data=data, output=out)
        with pytest.raises(StudyError, match=r"adept, openai:.*HTTP 401"):
            pb.ask("adept", model=addresses[:1], data=data, output=tmp_path / "none")
    assert set(table.results["model"]) == set(addresses[1:])
    assert [note for note in table.notes if "HTTP 401" in note] == [
        f"{dataset}, {addresses[0]}: {address}: no answer. HTTP 401, not allowed: "
        "Is --api chat right, and OPENAI_API_KEY set?"
        for dataset in ("adept", "pap")
    ]
    shown = table.text()
    assert all(name in shown for name in addresses[1:])


@pytest.mark.parametrize(
    ("model", "what"),
    [
        ("hf:nowhere", "no such file or folder"),
        ("replay:nowhere", "no such file or folder"),
        ("smollm3", "Did you mean 'smollm2'"),
    ],
)
def test_a_table_asks_nobody_where_a_model_is_missing(
    tmp_path: Path, data: Path, model: str, what: str
) -> None:
    with pytest.raises(PlausiblyError, match=what):
        pb.ask("adept", model=["mock:1", model], data=data, output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_people_are_divided_about_is_exported_to_no_harness(data: Path) -> None:
    path = data / "pap" / "events_with_ratings.tsv"
    path.write_text(path.read_text() + "cup holds99 tea\tplausible\tc-c-c\t[1, 1, 5, 5]\n")
    [divided] = [case for case in judged.pap_cases(data) if not case.truth[judged.PLAUSIBLE]]
    plan = inquiry(PAP, data, AskChoices(shots="4"), wording=PROTOCOLS["pap"].prompts)
    exported = [one["item"] for documents in document_sets(plan).values() for one in documents]
    assert divided.item in {case.item for case in plan.cases}
    assert divided.item not in exported
    assert len(exported) == 16
    result = pb.export_inspect("pap", data=data)
    assert result.as_json()["divided"] == {"plausible": 1}
    assert [note.startswith("plausible: 1 of 17 items are left out") for note in result.talk]
