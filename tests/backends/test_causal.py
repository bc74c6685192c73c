"""Weights on this machine: one pass for all options says what a pass for each would."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import warnings
from dataclasses import replace
from pathlib import Path
from string import ascii_lowercase
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.asking.gita import gita_prompts
from plausibly.asking.prompts import Shot, query_for
from plausibly.backends.language_models import check_model, language_model
from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.errors import StudyError
from plausibly.ports import Query, Unanswered
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.tables import ITEMS
from worlds.gita import data_folder
from worlds.letters import save_letters

if TYPE_CHECKING:
    from plausibly.backends.causal import CausalModel

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def smollm2() -> CausalModel:
    from plausibly.backends.causal import load_causal

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries warn of while they load is not ours
        return load_causal(None, converses=False)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_letters(tmp_path_factory.mktemp("tiny") / "letters")


def test_a_folder_of_weights_scores_all_options_in_one_pass(tiny: Path, tmp_path: Path) -> None:
    from plausibly.backends.causal import load_causal

    model = load_causal(tiny)
    assert model._shares
    assert not model.converses
    for task in (STORY, CONFLICT, STATE):
        for query in queries(task, converses=False):
            reply = model.answer(query)
            ids = model._encoded(query.context)
            for option, loglik in zip(query.options, reply.logliks or (), strict=True):
                alone = model._alone(ids, model._encoded(option))
                assert loglik == pytest.approx(alone, abs=1e-4)
    data = data_folder(tmp_path / "data", 4)
    asked = pb.ask("gita", model=f"hf:{tiny}", data=data, shots="1", implausible="1", limit=4)
    assert not asked.account.failed
    assert asked.predictions["asked"].unique().to_list() == ["hf:letters"]


def test_layers_that_see_a_window_see_no_more_in_one_pass(tmp_path: Path) -> None:
    from plausibly.backends.causal import load_causal

    model = load_causal(save_letters(tmp_path / "gemma", window=16))
    assert model._window == 16
    assert model._shares
    for query in queries(CONFLICT, converses=False):
        logliks = model.answer(query).logliks or ()
        ids = model._encoded(query.context)
        alone = [model._alone(ids, model._encoded(option)) for option in query.options]
        assert len(ids) > 16
        assert logliks == pytest.approx(alone, abs=1e-4)
    wide = load_causal(save_letters(tmp_path / "wide", window=4000))
    assert wide.answer(query).logliks != pytest.approx(logliks, abs=1e-3)


def queries(task: str, *, converses: bool) -> list[Query]:
    wording = gita_prompts(PROTOCOLS["gita"].prompts)["it-vero"].tasks[task]
    texts = ("Ada apre il frigo.", "Ada beve il tè e poi prepara il tè.", "Ada dorme.")
    fields = [{"story": text, "numbered": f"1. {text}"} for text in texts]
    shot = Shot(fields[0], next(iter(wording.options)))
    return [query_for(wording, one, [shot], converses=converses) for one in fields]


@pytest.mark.parametrize("converses", [False, True])
@pytest.mark.parametrize("task", [STORY, CONFLICT, STATE])
def test_one_pass_is_as_good_as_many(smollm2: CausalModel, task: str, converses: bool) -> None:
    assert smollm2._shares
    for query in queries(task, converses=converses)[-1:]:
        reply = smollm2.answer(query)
        context = smollm2._context(query)
        for option, loglik in zip(query.options, reply.logliks or (), strict=True):
            ids, whole = smollm2._encoded(context), smollm2._encoded(context + option)
            alone = smollm2._alone(ids, whole[len(ids) :])
            assert loglik == pytest.approx(alone, abs=1e-3)


def test_what_was_read_before_changes_nothing(smollm2: CausalModel) -> None:
    first, second, third = queries(STORY, converses=False)
    before = smollm2.answer(third).logliks
    for query in (first, second, first):
        smollm2.answer(query)
    assert smollm2.answer(third).logliks == pytest.approx(before, abs=1e-4)


def test_it_knows_where_paris_is(smollm2: CausalModel) -> None:
    query = Query("The capital of France is", options=(" Paris", " Rome", " a banana"))
    logliks = smollm2.answer(query).logliks or ()
    assert logliks.index(max(logliks)) == 0


def test_it_writes_where_no_options_are_given(smollm2: CausalModel) -> None:
    reply = smollm2.answer(Query("The capital of France is", max_tokens=4))
    assert reply.logliks is None
    assert "Paris" in str(reply.text)


def test_a_text_longer_than_it_reads_has_a_name(smollm2: CausalModel) -> None:
    with pytest.raises(Unanswered, match="too long"):
        smollm2.answer(Query("tea " * 10_000, options=(" yes",)))


def test_a_folder_without_weights_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no causal language model"):
        language_model(f"hf:{tmp_path}")


def test_a_killed_run_of_weights_goes_on(
    tiny: Path, tmp_path: Path, plausibly_command: str
) -> None:
    data, out = data_folder(tmp_path / "data", 8), tmp_path / "out"
    command = [plausibly_command, "ask", "gita", "--model", f"hf:{tiny}", "--data", str(data)]
    command += ["--prompts", "all", "-o", str(out), "--json"]
    journal = out / "answers.jsonl"
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    began = monotonic()
    while process.poll() is None and monotonic() - began < 200:
        if journal.exists() and journal.read_bytes().count(b"\n") >= 3:
            break
        sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = journal.read_bytes().count(b"\n")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    account = json.loads(done.stdout)["account"]
    assert account["known"] == kept
    assert account["known"] + account["answered"] == account["queries"]
    keys = [json.loads(line)["key"] for line in journal.read_text().splitlines()]
    assert len(set(keys)) == len(keys) == account["queries"]
    assert pb.score_gita(out, resamples=0).as_json()["accuracy"] is not None


def test_texts_begin_as_the_file_of_the_weights_says(tiny: Path, tmp_path: Path) -> None:
    import gguf

    from plausibly.backends.causal import _begins, load_causal

    for said in (True, False, None):
        path = tmp_path / f"{said}.gguf"
        writer = gguf.GGUFWriter(path, "llama")
        if said is not None:
            writer.add_add_bos_token(said)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.close()
        assert _begins(path) is said
    plain = load_causal(tiny)
    begun = replace(plain, begins=True)
    begin = plain._tokenizer.bos_token_id
    assert begin is not None
    assert begun._encoded("abba") == [begin, *plain._encoded("abba")]
    assert begun._encoded("") == [begin]
    assert begun.identity != plain.identity


def test_a_text_cut_differently_is_another_way_of_asking(tiny: Path) -> None:
    from plausibly.backends.causal import load_causal

    model, again, other = (load_causal(tiny) for _ in range(3))
    other._tokenizer.add_tokens(["otters"])
    assert model.identity == again.identity
    assert other.identity != model.identity


def test_a_model_is_found_by_its_name_in_the_cache_of_the_hub(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    own = tmp_path / "hub" / "models--otters--letters"
    (own / "refs").mkdir(parents=True)
    (own / "refs" / "main").write_text("b2\n")
    (own / "snapshots" / "a1").mkdir(parents=True)
    (own / "snapshots" / "b2").mkdir()
    for file in tiny.iterdir():
        (own / "snapshots" / "b2" / file.name).symlink_to(file)
    model = language_model("hf:otters/letters")
    assert model.name == "hf:otters/letters"
    assert model.identity == language_model(f"hf:{tiny}").identity
    check_model("hf:otters/letters")
    (own / "refs" / "main").write_text("a1")
    with pytest.raises(StudyError, match="no complete version"):
        check_model("hf:otters/letters")
    for name in ("otters/words", "letters", "../otters"):
        with pytest.raises(StudyError, match=f"{name}: no such file .* hf download {name}"):
            language_model(f"hf:{name}")


def test_weights_are_sampled_at_a_temperature_and_draw_the_same_again(
    tiny: Path, tmp_path: Path
) -> None:
    letters: dict[str, Any] = {"id": "letter", "type": "choice", "text": "Which?"}
    letters["options"] = list(ascii_lowercase)
    study = tmp_path / "letters"
    study.mkdir()
    write_settings(
        study, PROTOCOLS["custom"], name="letters", overrides={"form": {"questions": [letters]}}
    )
    items = pl.DataFrame({"item": list("abcd"), "text": [f"Case {one}." for one in "abcd"]})
    ITEMS.check(items).write_parquet(study / "items.parquet")

    def drawn(seed: int) -> pl.DataFrame:
        options: dict[str, Any] = {
            "samples": 8,
            "temperature": 1.0,
            "max_tokens": 1,
            "max_room": 1,
            "seed": seed,
        }
        return pb.ask(str(study), model=f"hf:{tiny}", **options).ratings

    with pytest.raises(StudyError, match="same answer every time"):
        pb.ask(str(study), model=f"hf:{tiny}", samples=8)
    one = drawn(1)
    assert set(one["annotator"]) <= {f"hf:letters/{n}" for n in range(1, 9)}
    assert set(one["annotator_cluster"]) == {"hf:letters"}
    assert one["answer"].n_unique() > 4  # drawn, not the likeliest letter every time
    assert drawn(1).equals(one)
    assert not drawn(2).equals(one)
