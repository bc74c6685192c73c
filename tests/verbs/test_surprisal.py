"""Surprisal of words: the same bits as token by token, from every way of calling."""

from __future__ import annotations

import json
import subprocess
import sys
from math import log
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from worlds.letters import save_letters, save_pieces

pytestmark = pytest.mark.weights

TEXTS = [
    "The old otter painted a ladder.",
    "The ladder painted the otter, slowly.",
    "Perché no?",
    "The",
    "  The  otter\tsings ",
]


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_pieces(tmp_path_factory.mktemp("pieces") / "model", TEXTS * 3)


@pytest.fixture(scope="module")
def items() -> pl.DataFrame:
    return pl.DataFrame({"item": [f"i{n}" for n in range(len(TEXTS))], "text": TEXTS})


def reference(folder: Path, text: str, *, correct: bool) -> list[tuple[str, float]]:
    """Return words and bits from one pass per prefix, written from the formula."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder).double().eval()
    spaced = [n for token, n in tokenizer.get_vocab().items() if token[0] in "Ġ "]

    def next_probabilities(ids: list[int]) -> Any:
        with torch.inference_mode():
            return torch.softmax(model(torch.tensor([ids])).logits[0, -1], dim=-1)

    ids, found = [tokenizer.bos_token_id], []
    tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
    words = text.split()
    for place, token in enumerate(tokens):
        now = next_probabilities(ids)
        logarithm = log(float(now[token]))
        if correct and place and token in spaced:
            logarithm -= log(float(now[spaced].sum()))
        ids.append(token)
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if correct and (following is None or following in spaced):
            logarithm += log(float(next_probabilities(ids)[spaced].sum()))
        found.append((tokenizer.decode([token]), -logarithm / log(2)))
    sums, left = [], list(words)
    read, bits = "", 0.0
    for written, one in found:
        read, bits = read + written, bits + one
        if left and read.strip() == left[0]:
            sums.append((left.pop(0), bits))
            read, bits = "", 0.0
    assert not left
    return sums


@pytest.mark.parametrize("correct", [True, False])
def test_bits_equal_those_of_one_pass_per_prefix(
    pieces: Path, items: pl.DataFrame, correct: bool
) -> None:
    told = pb.surprisal(items[:4], model=f"hf:{pieces}", uncorrected=not correct)
    assert told.corrected is correct
    for name, text in zip(items["item"][:4], TEXTS[:4], strict=True):
        own = told.words.filter(pl.col("item") == name)
        expected = reference(pieces, text, correct=correct)
        assert own["word"].to_list() == [word for word, _ in expected]
        assert own["bits"].to_list() == pytest.approx([bits for _, bits in expected], abs=1e-4)


def test_words_are_where_the_text_has_them_and_sums_are_theirs(
    pieces: Path, items: pl.DataFrame
) -> None:
    told = pb.surprisal(items, model=f"hf:{pieces}")
    texts = dict(zip(items["item"], TEXTS, strict=True))
    for item, position, word, start, end, _, tokens in told.words.iter_rows():
        assert texts[item][start:end] == word == texts[item].split()[position - 1]
        assert tokens >= 1
    for item, total, mean in told.items.select(
        "item", "surprisal", "surprisal_per_word"
    ).iter_rows():
        bits = told.words.filter(pl.col("item") == item)["bits"]
        assert total == pytest.approx(bits.sum())
        assert mean == pytest.approx(bits.mean())


def test_bits_do_not_depend_on_the_texts_read_together(pieces: Path, items: pl.DataFrame) -> None:
    together = pb.surprisal(items, model=f"hf:{pieces}").words
    alone = [pb.surprisal(items[n : n + 1], model=f"hf:{pieces}").words for n in range(5)]
    apart = pl.concat(alone)
    assert apart.drop("bits").equals(together.drop("bits"))
    assert apart["bits"].to_list() == pytest.approx(together["bits"].to_list(), abs=1e-4)


def test_tokens_of_single_letters_are_read_too(tmp_path: Path, items: pl.DataFrame) -> None:
    folder = save_letters(tmp_path / "letters")
    own = pb.surprisal(items[:1], model=f"hf:{folder}").words
    expected = reference(folder, TEXTS[0], correct=True)
    assert own["bits"].to_list() == pytest.approx([bits for _, bits in expected], abs=1e-4)


def test_command_python_and_study_agree(pieces: Path, items: pl.DataFrame, tmp_path: Path) -> None:
    items.write_csv(tmp_path / "items.csv")
    out, sums = tmp_path / "words.csv", tmp_path / "sums.csv"
    call = [sys.executable, "-m", "plausibly", "surprisal", str(tmp_path / "items.csv")]
    call += ["--model", f"hf:{pieces}", "-o", str(out), "--sums", str(sums), "--json"]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    python = pb.surprisal(tmp_path / "items.csv", model=f"hf:{pieces}")
    assert json.loads(done.stdout) == python.as_json()
    assert pl.read_csv(out)["bits"].to_list() == pytest.approx(python.words["bits"].to_list())
    columns = pl.read_csv(sums)
    assert columns["surprisal"].to_list() == pytest.approx(python.items["surprisal"].to_list())
    study = tmp_path / "study"
    study.mkdir()
    write_settings(
        study,
        PROTOCOLS["custom"],
        name="words",
        overrides={
            "build": {"table": "texts.csv", "templates": "templates.toml", "name": "item"},
            "surprisal": {"model": f"hf:{pieces}"},
        },
    )
    (study / "texts.csv").write_bytes((tmp_path / "items.csv").read_bytes())
    (study / "templates.toml").write_text('[[template]]\ntext = "{text}"\n', encoding="utf-8")
    pb.Study(study).run(to="surprisal")
    built = pb.surprisal(study / "items.parquet", model=f"hf:{pieces}")
    for name, table in (("words", built.words), ("items", built.items)):
        assert pl.read_parquet(study / "surprisal" / f"{name}.parquet").equals(table)
    assert json.loads((study / "surprisal.json").read_text()) == built.as_json()


def test_conditions_are_compared_by_surprisal(pieces: Path) -> None:
    rows = {"item": list("abcd"), "text": TEXTS[:4], "condition": ["p", "q"] * 2}
    summed = pb.surprisal(pl.DataFrame(rows), model=f"hf:{pieces}").items
    report = pb.check_balance(summed, language="en").as_json()
    assert "surprisal" in {one["variable"] for one in report["variables"]}


def test_a_model_without_weights_or_room_is_refused(pieces: Path, items: pl.DataFrame) -> None:
    with pytest.raises(StudyError, match="needs the weights"):
        pb.surprisal(items, model="openai:http://127.0.0.1:1/v1")
    long = pl.DataFrame({"item": ["a"], "text": ["otter " * 5000]})
    with pytest.raises(StudyError, match=r"tokens, but the model reads at most 4096\. Shorten"):
        pb.surprisal(long, model=f"hf:{pieces}")
