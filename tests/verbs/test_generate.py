"""Sentences models write: asked once, with and without concepts, scored beside references."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError, StudyError
from plausibly.evaluation.in_study import folder_name
from plausibly.measures.rouge import rouge_l, rouge_n
from plausibly.measures.within_items import spearman_within
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from worlds.hostile import hostile
from worlds.letters import save_letters
from worlds.wire import Part, chat, http, wire

PAIRS = pl.DataFrame(
    {
        "item": ["p1", "p2", "p3"],
        "source_1": ["It is raining.", "The soup is hot.", "Ben has no key."],
        "source_2": ["Ada takes an umbrella.", "Ada waits.", "Ben rings the bell."],
        "reference": ["Umbrellas keep people dry.", "Hot soup burns.", "A key opens a door."],
        "concepts": ["umbrella; dry", "soup; burn", "key; door"],
    }
)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    PAIRS.write_csv(path)
    return path


def test_shell_and_python_write_the_same_and_ask_once(
    tmp_path: Path, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--prompts", "all", "--constraints", "free,concepts"]
    command = ["generate", str(pairs), "--model", "mock:1", *options, "--json"]
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    own = pb.generate(pairs, model="mock:1", prompts="all", constraints="free,concepts")
    assert said["systems"] == own.as_json()["systems"]
    written = pl.read_csv(tmp_path / "out" / "candidates.csv")
    assert written.equals(own.candidates)
    assert own.candidates.height == 3 * 2 * 2
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["account"]["answered"] == 0
    assert manifest["account"]["known"] == 12


def test_concepts_are_named_only_where_they_are_asked_for(pairs: Path) -> None:
    with hostile(lambda *_: "sound") as server:
        name = f"openai:{server.url}#tiny"
        result = pb.generate(pairs, model=name, constraints="free,concepts", concurrency=2)
    texts = [json.dumps(body["messages"]) for body in server.bodies]
    assert sum("umbrella; dry" in text for text in texts) == 1
    assert result.candidates["sentence"].unique().to_list() == ["Vero."]
    assert set(server.asked.values()) == {1}
    assert server.most <= 2


def test_an_address_that_misbehaves_loses_nothing(tmp_path: Path, pairs: Path) -> None:
    out = tmp_path / "out"
    with hostile(lambda _, attempt: "empty" if attempt == 1 else "sound") as server:
        name = f"openai:{server.url}#tiny"
        with pytest.raises(StudyError, match="empty choice"):
            pb.generate(pairs, model=name, output=out)
        again = pb.generate(pairs, model=name, output=out)
    assert again.candidates.height == 3
    assert set(server.answered.values()) == {1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"constraints": "some"}, "unknown constraint"),
        ({"limit": 0}, "at least 1"),
        ({"concurrency": 0}, "at least 1"),
        ({"prompts": "it"}, "unknown prompt"),
    ],
)
def test_a_wrong_choice_is_one_line(pairs: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(pb.PlausiblyError, match=message):
        pb.generate(pairs, model="mock:1", **options)  # type: ignore[arg-type]


def test_concepts_that_are_not_there_are_asked_for(tmp_path: Path) -> None:
    PAIRS.drop("concepts").write_csv(tmp_path / "bare.csv")
    with pytest.raises(StudyError, match="column 'concepts'"):
        pb.generate(tmp_path / "bare.csv", model="mock:1", constraints="concepts")
    assert pb.generate(tmp_path / "bare.csv", model="mock:1").candidates.height == 3


def test_scores_and_their_correlation_with_people(
    tmp_path: Path, pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sentences = {
        "good": PAIRS["reference"].to_list(),
        "half": ["Umbrellas keep out.", "Hot soup is good.", "A key is small."],
        "bad": ["Cats sleep.", "Trees grow tall.", "Rivers run to seas."],
    }
    for system, texts in sentences.items():
        pl.DataFrame({"item": PAIRS["item"], "sentence": texts}).write_csv(
            tmp_path / f"{system}.csv"
        )
    files = [str(tmp_path / f"{system}.csv") for system in sentences]
    pb.build(
        "iks", sources=pairs, candidates=files, seed=1, blind_key=tmp_path / "key.parquet"
    ).write(tmp_path / "sheet")
    key = pl.read_parquet(tmp_path / "key.parquet")
    worth = {"good": ("YES", 3.0), "half": ("PARTLY", 2.0), "bad": ("NO", 1.0)}
    rows = [
        {"item": row["item"], "annotator": who, "question": "comparison_a"}
        | dict(zip(("answer", "value"), worth[row["system"]], strict=True))
        for row in key.iter_rows(named=True)
        for who in ("a", "b")
    ]
    pl.DataFrame(rows).write_parquet(tmp_path / "ratings.parquet")
    command = ["score", "candidates", *files, "--sources", str(pairs), "--json"]
    command += [
        "--ratings",
        str(tmp_path / "ratings.parquet"),
        "--blind-key",
        str(tmp_path / "key.parquet"),
    ]
    assert run(command) == 0
    said = json.loads(capsys.readouterr().out)
    systems = {row["system"]: row for row in said["systems"]}
    assert systems["good"]["bleu"] == pytest.approx(100.0)
    assert systems["good"]["rouge_l"] == 1.0
    assert systems["good"]["chrf"] > systems["half"]["chrf"] > systems["bad"]["chrf"]
    own = said["correlations"]["comparison_a"]
    assert own["chrf"]["value"] > 0.9
    assert own["chrf"]["n"] == 3
    words = pl.DataFrame(rows).drop("value")  # as a sheet has them
    asked: dict[str, Any] = {"sources": pairs, "blind_key": tmp_path / "key.parquet"}
    in_words = pb.score_candidates(files, ratings=words, **asked)
    assert in_words.as_json()["correlations"] == said["correlations"]
    with pytest.raises(StudyError, match="no answer about a candidate is a number"):
        pb.score_candidates(files, ratings=words.with_columns(answer=pl.lit("ja")), **asked)
    with pytest.raises(StudyError, match="no rating is about a candidate"):
        pb.score_candidates(files, ratings=words.with_columns(item="x" + pl.col("item")), **asked)
    with pytest.raises(StudyError, match="belong together"):
        pb.score_candidates(files, sources=pairs, blind_key=tmp_path / "key.parquet")


@given(st.lists(st.sampled_from("abcd"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=8))
def test_rouge_is_the_same_both_ways_and_one_for_the_same(one: list[str], other: list[str]) -> None:
    a, b = " ".join(one), " ".join(other)
    for score in (rouge_l(a, b), rouge_n(a, b, n=1)):
        assert 0 <= score <= 1
    assert rouge_l(a, b) == rouge_l(b, a)
    assert rouge_n(a, b, n=2) == rouge_n(b, a, n=2)
    assert rouge_l(a, b) <= rouge_n(a, b, n=1) + 1e-12
    if one:
        assert rouge_l(a, a) == 1.0


@given(st.integers(0, 10_000))
def test_what_differs_between_items_does_not_matter_within_them(seed: int) -> None:
    generator = np.random.default_rng(seed)
    table = pl.DataFrame(
        {
            "item": [f"i{n}" for n in range(4) for _ in range(3)],
            "x": generator.integers(0, 5, 12).astype(float),
            "y": generator.integers(0, 5, 12).astype(float),
        }
    )
    lift = pl.col("item").str.slice(1).cast(pl.Float64) * 100
    moved = table.with_columns(x=pl.col("x") + lift).sample(fraction=1.0, shuffle=True, seed=seed)
    first, second = (spearman_within(one, resamples=0) for one in (table, moved))
    assert (first.value is None) == (second.value is None)
    if first.value is not None:
        assert second.value == pytest.approx(first.value)
        assert -1 <= first.value <= 1


@pytest.mark.weights
def test_similarity_is_highest_for_the_same_sentence(
    tmp_path: Path, pairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With weights of the encoder's kind; nobody needs the real ones to compute a cosine."""
    import torch
    from transformers import BertConfig, BertModel

    folder = save_letters(tmp_path / "encoder")
    torch.manual_seed(1)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "intermediate_size": 64}
    BertModel(BertConfig(vocab_size=200, num_attention_heads=4, **size)).save_pretrained(folder)
    monkeypatch.setattr("plausibly.backends.sentences.encoder_folder", lambda _: folder)
    texts = [PAIRS["reference"][0], "A hot soup can burn you.", "Rivers run to seas."]
    pl.DataFrame({"item": PAIRS["item"], "sentence": texts}).write_csv(tmp_path / "m.csv")
    scored = pb.score_candidates([tmp_path / "m.csv"], sources=pairs, similarity=True)
    values = scored.sentences.sort("item")["similarity"].to_list()
    assert values[0] == pytest.approx(1.0, abs=1e-5)
    assert max(values[1:]) < 1.0
    alone = pb.score_candidates([tmp_path / "m.csv"], sources=pairs, similarity=True)
    assert alone.sentences["similarity"].to_list() == scored.sentences["similarity"].to_list()


MODELS = ("mock:1", "constant:Umbrellas keep off rain.")
# Options of `generate`, which together name all that a study may set.
CHOICES: list[dict[str, Any]] = [
    {},
    {"prompts": "all", "constraints": "free,concepts"},
    {"limit": 2, "api": "completions", "concurrency": 1, "max_wait": 1.0, "timeout": 2.0},
]


def generating(folder: Path, models: Sequence[str], **options: Any) -> list[str]:
    """Write a study whose candidates models write, and return the steps that run."""
    overrides = {
        "generate": {"model": list(models), **options},
        "build": {"sources": "pairs.csv", "candidates": ["theirs.csv"]},
    }
    write_settings(folder, PROTOCOLS["iks"], name="gaps", overrides=overrides)
    return [one.step for one in pb.Study(folder).run(to="build") if one.state == "run"]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "gaps"
    folder.mkdir()
    PAIRS.write_csv(folder / "pairs.csv")
    theirs = PAIRS.select("item", sentence=pl.lit("Somebody wrote this."))
    theirs.write_csv(folder / "theirs.csv")
    return folder


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_a_study_lets_models_write_what_the_command_lets_them_write(
    options: dict[str, Any], study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generating(study, MODELS, **options) == ["generate", "build"]
    told = json.loads((study / "generate.json").read_text())["models"]
    files = [study / "theirs.csv"]
    for model, own in zip(MODELS, told, strict=True):
        python = pb.generate(study / "pairs.csv", model=model, **options)
        words = [w for n, v in options.items() for w in (f"--{n.replace('_', '-')}", str(v))]
        out = tmp_path / own["model"].replace(":", "-")
        capsys.readouterr()
        command = ["generate", str(study / "pairs.csv"), "--model", model, "-o", str(out)]
        assert run([*command, *words, "--json"]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed["systems"] == own["systems"] == python.as_json()["systems"]
        files.append(study / "generate" / folder_name(model) / "candidates.csv")
        assert files[-1].read_bytes() == (out / "candidates.csv").read_bytes()
        assert pl.read_csv(files[-1]).equals(python.candidates)
    built = pb.build("iks", sources=study / "pairs.csv", candidates=files, seed=1)
    assert pl.read_parquet(study / "items.parquet").equals(built.items)
    assert built.key is not None
    assert pl.read_parquet(tmp_path / "gaps-key.parquet").equals(built.key.frame())
    texts = [one.read_text() for one in (study / "build").iterdir() if one.suffix != ".parquet"]
    assert not any("mock" in text for text in texts)
    assert generating(study, MODELS, **options) == []


def test_a_study_writes_again_what_changed_and_asks_only_what_is_missing(study: Path) -> None:
    broken = True

    def script(_: dict[str, Any], number: int) -> list[Part]:
        return [http(b"{" if broken and number == 2 else chat(f"Sentence {number}."))]

    with wire(script) as server:
        name = f"openai:{server.url}#tiny"
        with pytest.raises(StudyError, match="run the study again"):
            generating(study, [name], concurrency=1)
        assert not (study / "items.parquet").exists()
        broken = False
        assert generating(study, [name], concurrency=1) == ["generate", "build"]
        assert len(server.bodies) == 3 + 1
        assert generating(study, [name, "mock:1"], concurrency=1) == ["generate", "build"]
        assert len(server.bodies) == 3 + 1
    pairs = PAIRS.with_columns(source_1=pl.col("source_1").str.to_uppercase())
    pairs.write_csv(study / "pairs.csv")
    assert generating(study, ["mock:1"]) == ["generate", "build"]
    assert generating(study, []) == ["build"]
    assert not pl.read_parquet(study / "items.parquet")["candidate"].is_null().all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"prompts": "nobody"}, "unknown prompt"),
        ({"constraints": "concept"}, "unknown constraint"),
        ({"limit": "2"}, r"\[generate\] limit must be a whole number"),
        ({"limit": 0}, "limit must be at least 1"),
        ({"api": "post"}, r"\[generate\] api"),
        ({"sources": "nobody.csv"}, "no such file"),
    ],
)
def test_a_wrong_choice_in_a_study_is_one_line(
    changes: dict[str, Any], message: str, study: Path
) -> None:
    with pytest.raises(PlausiblyError, match=message) as caught:
        generating(study, ["mock:1"], **changes)
    assert "\n" not in str(caught.value)


def test_sentences_need_sources_to_connect(study: Path) -> None:
    overrides = {"generate": {"model": ["mock:1"]}}
    write_settings(study, PROTOCOLS["iks"], name="gaps", overrides=overrides)
    with pytest.raises(StudyError, match=r"set \[build\] sources"):
        pb.Study(study).run(to="generate")
    named = {name for call in CHOICES for name in call} | {"model", "sources"}
    assert named == set(PROTOCOLS["iks"].step("generate").parameters)
