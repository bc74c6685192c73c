"""The language a model was made for, with its answers: by command, in Python and in a study."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.backends.language_models import card_languages
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.verbs.ask import Asked

CUP = {"sentence1": "A cup holds tea.", "sentence2": "A broken cup holds tea."}
CUP2 = {"modifier": "broken", "noun": "cup", "label": 1, "idx": 7}
MODEL = "constant:less likely"
FIELDS: dict[str, object] = {
    "type": None,
    "breakpoint": -1,
    "confl_sents": [],
    "confl_pairs": [],
    "states": "open",
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "adept").mkdir()
    (tmp_path / "adept" / "val.json").write_text(json.dumps([CUP | CUP2]), encoding="utf-8")
    return tmp_path


def asked(data: Path, *made_for: str) -> Asked:
    found = pb.ask("adept", model=MODEL, data=data, shots="0", made_for=made_for)
    assert isinstance(found, Asked)
    return found


def test_the_languages_are_in_the_manifest_and_the_document(data: Path) -> None:
    found = asked(data, "en,it")
    assert found.manifest["model"]["made_for"] == ["en", "it"]
    assert found.as_json()["made_for"] == ["en", "it"]
    assert found.foreign == ()


@pytest.mark.parametrize(
    ("made_for", "note"),
    [
        ("it", "was made for Italian but asked in English"),
        ("multilingual", "is multilingual, not made for"),
    ],
)
def test_a_model_that_was_not_tailored_for_the_language_has_a_note(
    data: Path, made_for: str, note: str
) -> None:
    assert note in " ".join(asked(data, made_for).notes)


def test_without_languages_nothing_is_said(data: Path) -> None:
    assert "made_for" not in asked(data).as_json()
    assert asked(data).notes == ()


def test_a_language_is_a_code(data: Path) -> None:
    with pytest.raises(StudyError, match=r"made_for must be codes .* got 'Italian'"):
        asked(data, "Italian")


def test_the_table_of_several_models_has_a_language_for_each(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "constant:more likely"
    words = ["ask", "adept", "--model", MODEL, "--model", other]
    words += ["--data", str(data), "--shots", "0"]
    languages = ["--made-for", "multilingual", "--made-for", f"{other}=it"]
    out = ["-o", str(data / "answers")]
    assert run([*words, *languages, *out]) == 0
    line = next(one for one in capsys.readouterr().out.splitlines() if "made for" in one)
    assert line.split()[-2:] == ["multilingual", "it"]
    kept = json.loads((data / "answers" / "manifest.json").read_text(encoding="utf-8"))
    assert kept["parameters"]["made_for"] == ["multilingual", f"{other}=it"]


def test_languages_of_a_model_that_is_not_asked_are_refused(data: Path) -> None:
    with pytest.raises(UnknownName, match="unknown model 'constant:less'"):
        asked(data, "constant:less=it")


def test_the_languages_are_printed_with_the_answers_and_with_the_scores(
    data: Path, tmp_path: Path
) -> None:
    assert asked(data, "en", "it").text().splitlines()[-1] == "made for: en, it"
    story = {"story_id": 1, "example_id": "1", "sentences": ["Ada dorme."] * 5, "plausible": True}
    stories, folder = tmp_path / "stories.jsonl", tmp_path / "asked"
    stories.write_text(json.dumps(story | FIELDS), encoding="utf-8")
    pb.ask("gita", model="constant:vero", items=stories, output=folder, made_for=["it"], shots="0")
    scored = pb.score_gita(folder, resamples=0)
    assert scored.as_json()["made_for"] == ["it"]
    assert "made for: it." in scored.talk


def test_a_card_next_to_weights_names_the_languages(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.mkdir()
    assert card_languages(f"hf:{weights}") == ()
    card = weights / "README.md"
    card.write_text("---\nlanguage:\n- it\n- en\nlicense: mit\n---\n# A model\n", encoding="utf-8")
    assert card_languages(f"hf:{weights}") == ("it", "en")
    card.write_text("---\nlanguage: [it]\n---\nlanguage: fr\n", encoding="utf-8")
    assert card_languages(f"hf:{weights / 'model.gguf'}") == ("it",)
