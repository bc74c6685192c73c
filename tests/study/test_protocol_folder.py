"""A folder of TOML files is a protocol: started, collected, cleaned, reported and released."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly import init
from plausibly.errors import StudyError, UnknownName
from plausibly.ratings.collection import collection_form
from plausibly.study import PROTOCOLS, Study
from plausibly.study.protocol_folder import protocol_of_folder
from plausibly.verbs.release import release

FILES = {
    "protocol.toml": """
name = "natural"
languages = ["en", "it"]
conditions = ["plain", "moved"]

[sources]
label = "Our plan, section 2"

[label]
method = "agreed-by"
at_least = 3
""",
    "form.toml": """
consent = ["Answers are stored."]
instructions = ["Read the sentence."]
[[questions]]
id = "natural"
type = "slider"
text = "How natural does it sound?"
min = 1
max = 5
start = 3
step = 1
sides = "1,2|4,5"
[[questions]]
id = "heard"
type = "choice"
text = "Have you heard it before?"
options = ["yes", "no"]
""",
    "form.it.toml": """
[questions.natural]
text = "Quanto è naturale?"
""",
    "collection.toml": "[ratings]\ntarget = 4\nbatch = 4\n",
    "rules.toml": '[[rules]]\nrule = "straight_lining"\nat_least = 5\n',
    "checks.toml": '[[checks]]\ntext = "This is a sentence."\nexpected = "4,5"\n',
    "words.toml": 'measured = "What is measured is naturalness."\ndatasheet = "how natural"\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "mine", FILES)


def written(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def started(folder: Path, study: Path) -> Study:
    """Return a study of the folder with items to build and a crowd that rehearses."""
    made = init(str(folder), study)
    rows = ["text,condition", "The otter slept.,plain", "Slept the otter.,moved"]
    (study / "words.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (study / "templates.toml").write_text('[[template]]\ntext = "{text}"\n', encoding="utf-8")
    settings = (study / "study.toml").read_text(encoding="utf-8")
    for old, new in {
        "# table = (not set)": 'table = "words.csv"',
        "# templates = (not set)": 'templates = "templates.toml"',
        'source = "serve"': 'source = "rehearse"',
        "people = 100": "people = 12",
    }.items():
        assert old in settings
        settings = settings.replace(old, new)
    (study / "study.toml").write_text(settings, encoding="utf-8")
    return made


def test_defaults_come_from_the_folder_and_the_rest_from_custom(folder: Path) -> None:
    protocol = protocol_of_folder(folder)
    custom = PROTOCOLS["custom"]
    assert [step.name for step in protocol.steps] == [step.name for step in custom.steps]
    assert protocol.step("label").parameters["at_least"] == 3
    assert protocol.step("label").source == "Our plan, section 2"
    assert protocol.step("agree").parameters == custom.step("agree").parameters
    assert protocol.sections["ratings"]["target"] == 4
    assert protocol.sections["server"] == custom.sections["server"]
    assert protocol.step("clean").parameters["preset"] == "protocol/rules.toml"


def test_participants_read_the_form_in_their_language(folder: Path) -> None:
    protocol = protocol_of_folder(folder)
    texts = {
        language: collection_form(protocol, {}, where="test", language=language).questions[0].text
        for language in ("en", "it")
    }
    assert texts == {"en": "How natural does it sound?", "it": "Quanto è naturale?"}


def test_a_study_takes_the_folder_with_it(folder: Path, tmp_path: Path) -> None:
    init(str(folder), tmp_path / "study")
    for path in folder.iterdir():
        path.unlink()
    study = Study(tmp_path / "study")
    assert 'protocol = "./protocol"' in (study.folder / "study.toml").read_text(encoding="utf-8")
    assert study.protocol.name == "natural"


def test_a_folder_goes_from_items_to_a_release(folder: Path, tmp_path: Path) -> None:
    study = started(folder, tmp_path / "study")
    assert {state.state for state in study.run()} == {"run"}
    items = pl.read_parquet(study.folder / "items.parquet")
    assert items.filter(kind="check")["text"].to_list() == ["This is a sentence."]
    page = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "What is measured is naturalness." in page
    made = release(study.folder)
    assert made.content.protocol == "natural"
    assert made.content.measures == "how natural"


def test_another_form_asks_for_the_ratings_again(folder: Path, tmp_path: Path) -> None:
    study = started(folder, tmp_path / "study")
    study.run(to="clean")
    form = study.folder / "protocol" / "form.toml"
    form.write_text(form.read_text(encoding="utf-8").replace("How natural", "How common"), "utf-8")
    states = {state.step: state.reason for state in Study(study.folder).status()}
    assert states["build"] == ""
    assert "protocol/form.toml" in states["ratings"]


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("protocol.toml", "seed = 2\n", "needs a name"),
        ("protocol.toml", 'name = "pap"\n', "is a protocol of the package"),
        ("protocol.toml", 'name = "n"\n[lable]\n', r"protocol\.toml: unknown step 'lable'.*label"),
        ("protocol.toml", 'name = "n"\n[label]\nmetod = 1\n', r"unknown key of \[label\] 'metod'"),
        ("protocol.toml", 'name = "n"\nlanguages = ["en", "de"]\n', r"no form\.de\.toml"),
        ("collection.toml", "[ratings]\ntarget = 0\n", "target must lie between"),
        ("collection.toml", "[ratings]\ntargets = 3\n", r"unknown key of \[ratings\] 'targets'"),
        ("words.toml", "mesured = 'x'\n", "unknown key 'mesured'"),
        ("form.toml", "instructions = []\n", "at least one question"),
        ("rule.toml", "", "unknown file of a protocol 'rule.toml'"),
    ],
)
def test_a_fault_names_its_file_and_key(
    folder: Path, tmp_path: Path, file: str, text: str, message: str
) -> None:
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=message):
        init(str(folder), tmp_path / "study")
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("missing", ["protocol.toml", "form.toml"])
def test_both_required_files_must_be_there(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.raises(StudyError, match=f"no {missing}"):
        protocol_of_folder(folder)


def test_a_name_without_a_slash_is_never_a_folder(tmp_path: Path) -> None:
    written(tmp_path / "natural", FILES)
    with pytest.raises(UnknownName, match="unknown protocol 'natural'"):
        init("natural", tmp_path / "study")
