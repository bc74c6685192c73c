"""Answers in words: their order is proposed where the wording shows it, and never assumed."""

from __future__ import annotations

import itertools
import json
import shlex
from pathlib import Path

import krippendorff
import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.measures.wordings import likely_order

SCALES = [
    "very unlikely|unlikely|neither likely nor unlikely|likely|very likely",
    "Strongly disagree|Disagree|Neutral|Agree|Strongly agree",
    "not at all plausible|slightly plausible|moderately plausible|very plausible",
    "impossible|unlikely|possible|likely|certain",
    "sehr unwahrscheinlich|eher unwahrscheinlich|weder noch|eher wahrscheinlich",
    "trifft gar nicht zu|trifft eher nicht zu|trifft eher zu|trifft voll zu",
    "per niente plausibile|poco plausibile|abbastanza plausibile|molto plausibile",
    "molto improbabile|improbabile|né probabile né improbabile|probabile|molto probabile",
    "pas du tout d'accord|plutôt pas d'accord|plutôt d'accord|tout à fait d'accord",
    "muy improbable|poco probable|neutral|bastante probable|muy probable",
    "nie|selten|manchmal|oft|immer",
    "1 (gar nicht)|2 (kaum)|3 (mittel)|10 (völlig)",
    "A1|A2|A10",
]


@pytest.mark.parametrize("scale", SCALES)
def test_the_order_of_common_wordings_is_known_whatever_was_chosen(scale: str) -> None:
    words = tuple(scale.split("|"))
    for kept in itertools.combinations(words, 3):
        assert likely_order(reversed(kept)) == kept
    assert likely_order(reversed(words)) == words


@pytest.mark.parametrize(
    "words",
    [
        ["likely", "quite likely", "unlikely"],  # two with the same strength
        ["yes", "no", "not sure"],
        ["yes", "no"],
        ["physics", "meaning", "other"],
        ["Likely", "likely", "unlikely"],
        ["likely", "plausible", "possible"],  # about three different things
        [],
    ],
)
def test_words_without_one_sure_order_have_none(words: list[str]) -> None:
    assert likely_order(words) == ()


def forms(folder: Path, words: list[str]) -> tuple[Path, dict[tuple[int, int], int]]:
    """Write a form with eight people and six sentences; return also the place of each answer."""
    draw = np.random.default_rng(3)
    places = {
        (k, i): int(np.clip(round(draw.normal(3.3 if i % 2 else 1, 0.8)), 0, len(words) - 1))
        for k in range(8)
        for i in range(6)
    }
    header = ["Timestamp", "Participant code", *[f"Sentence no {i}" for i in range(6)]]
    rows = [
        [f"3/{k + 1}/2026", f"c{k}", *[words[places[k, i]] for i in range(6)]] for k in range(8)
    ]
    path = folder / "form.csv"
    path.write_text("\n".join(",".join(f'"{cell}"' for cell in row) for row in [header, *rows]))
    return path, places


def test_the_printed_commands_store_the_file_and_measure_it_as_ordinal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path, places = forms(tmp_path, SCALES[0].split("|"))
    inspection = pb.read(path).inspection
    assert inspection.as_json()["scales"]["rating"]["scale"] == "nominal"
    assert inspection.as_json()["scales"]["rating"]["proposed_order"] == SCALES[0].split("|")
    commands = [line for line in inspection.text().splitlines() if line.startswith("  plausibly ")]
    assert len(commands) == 2
    for command in commands:
        json_too = ["--json"] if "agree" in command else []
        assert run([*shlex.split(command)[1:], *json_too]) == 0
    measured = json.loads(capsys.readouterr().out)
    cells = np.array([[places[k, i] for i in range(6)] for k in range(8)], dtype=float)
    alpha = krippendorff.alpha(reliability_data=cells, level_of_measurement="ordinal")
    assert measured["krippendorff_alpha"]["ordinal"]["value"] == pytest.approx(alpha, abs=1e-9)


def test_words_with_commas_are_declared_in_a_file(tmp_path: Path) -> None:
    path, _ = forms(tmp_path, ["1: no, never", "2: well, maybe", "3: yes, always"])
    text = pb.read(path).inspection.text()
    table = text.partition("questions.toml:\n")[2].partition("and run")[0]
    file = tmp_path / "questions.toml"
    file.write_text("\n".join(line.strip() for line in table.splitlines()))
    agreed = pb.agree(path, questions=file, resamples=0)
    assert agreed.scales["rating"].scale == "ordinal"


def test_an_order_is_an_option_of_labels_and_agreement_and_fits_the_question_in_words() -> None:
    ratings = pl.DataFrame(
        [
            (f"i{i}", f"a{k}", question, answer)
            for i in range(3)
            for k in range(4)
            for question, answer in (
                ("fit", str(i + k)),
                ("odd", ["no", "maybe", "yes"][(i + k) % 3]),
            )
        ],
        schema=["item", "annotator", "question", "answer"],
        orient="row",
    )
    agreed = pb.agree(ratings, order=["no", "maybe", "yes"], resamples=0)
    assert {name: one.scale for name, one in agreed.scales.items()}["odd"] == "ordinal"
    labels = pb.label(ratings, order="no,maybe,yes").labels.filter(pl.col("question") == "odd")
    assert labels["label"].to_list() == [1.75, 2.0, 2.25]
    with pytest.raises(StudyError, match="fits no question"):
        pb.agree(ratings, order="a,b", resamples=0)


def labelled(folder: Path, answers: list[str]) -> Path:
    path = folder / "labelled.csv"
    pairs = [(item, person) for item in range(8) for person in range(5)]
    rows = [f"i{i},p{p},{answers[(i + p) % len(answers)]}" for i, p in pairs]
    path.write_text("\n".join(["item,annotator,answer", *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize("low", ["1 - gar nicht", "1 (never)", "1 = per niente", "1: pas du tout"])
def test_numbers_of_which_the_ends_have_labels_are_numbers(tmp_path: Path, low: str) -> None:
    result = pb.read(labelled(tmp_path, [low, "2", "3", "4", "5 - fully"]))
    bare = pb.read(labelled(tmp_path, ["1", "2", "3", "4", "5"]))
    assert result.ratings.equals(bare.ratings)
    assert f"{low!r} as 1, '5 - fully' as 5" in " ".join(result.notes)


@pytest.mark.parametrize(
    "answers",
    [
        ["1 - no", "2 - maybe", "3 - yes"],  # words with numbers: their order is proposed
        ["1", "2", "3", "4 - don't know"],
        ["1", "2", "3", "4 (weiß nicht)"],
        ["1", "2", "3", "9 - other"],
        ["1", "2", "3", "3 - yes"],
        ["1", "2", "very"],
        ["2 dogs", "3"],
    ],
)
def test_answers_that_may_not_be_numbers_stay_as_they_are(
    tmp_path: Path, answers: list[str]
) -> None:
    assert {*pb.read(labelled(tmp_path, answers)).ratings["answer"]} == {*answers}
