"""A protocol written from the manual alone, as a folder and as an installed package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from plausibly import check_protocol, init, replicate
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.study import Study

FILES = {
    "protocol.toml": """
name = "weather"
languages = ["en", "it"]
conditions = ["usual", "odd"]
split_by = ["text"]
[sources]
label = "Our plan, section 3"
[label]
method = "strict-majority"
min_share = 0.6
[agree]
sides = "1,2|4,5"
""",
    "form.toml": """
consent = ["Your answers are stored under a code."]
instructions = ["Read the sentence.", "Move the slider and answer the question."]
[[questions]]
id = "likely"
type = "slider"
text = "How likely is it?"
min = 1
max = 5
start = 3
step = 1
labels = ["not at all", "very"]
sides = "1,2|4,5"
[[questions]]
id = "seen"
type = "choice"
text = "Have you seen it yourself?"
options = ["yes", "no"]
""",
    "form.it.toml": """
instructions = ["Legga la frase.", "Sposti il cursore e risponda alla domanda."]
[questions.likely]
text = "Quanto è probabile?"
labels = ["per niente", "molto"]
[questions.seen]
text = "L'ha visto di persona?"
""",
    "collection.toml": "[ratings]\ntarget = 4\nbatch = 6\nchecks_per_batch = 1\n",
    "rules.toml": """
[[rules]]
rule = "failed_check"
more_than = 0.5
[[rules]]
rule = "few_ratings"
fewer_than = 2
""",
    "checks.toml": """
[[checks]]
text = "Rain is wet."
expected = "4,5"
[[checks]]
text = "Choose no as your second answer."
expected = "no"
expected_question = "seen"
""",
    "words.toml": 'measured = "What is measured is likelihood."\ndatasheet = "likely weather"\n',
}
PACKAGE = """
from pathlib import Path
from plausibly.study.protocol_folder import protocol_of_folder

WEATHER = Path(__file__).parent / "weather"
BY_NAME = "weather"
LOADED = protocol_of_folder(WEATHER)
NUMBER = 3
"""


def write_files(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with its entry point: what pip would put into site-packages."""
    site = tmp_path / "site"
    write_files(site / "weatherlab" / "weather")
    (site / "weatherlab" / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    metadata = site / "weatherlab-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: weatherlab\nVersion: 1.0\n")
    points = "[plausibly.protocols]\nrainy = weatherlab:WEATHER\npap = weatherlab:WEATHER\n"
    (metadata / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.delitem(sys.modules, "weatherlab", raising=False)
    return site


def with_items(study: Path) -> Path:
    texts = [f"It rains on hill {number}." for number in range(12)]
    items = {"item": [f"t{number}" for number in range(12)], "text": texts}
    table = pl.DataFrame({**items, "condition": ["usual", "odd"] * 6, "kind": ["item"] * 12})
    table.write_parquet(study / "items.parquet")
    settings = (study / "study.toml").read_text(encoding="utf-8")
    settings = settings.replace('source = "serve"', 'source = "rehearse"')
    settings = settings.replace("people = 100", "people = 16")
    (study / "study.toml").write_text(settings, encoding="utf-8")
    return study


def type_command(folder: Path, site: Path, *arguments: str) -> str:
    places = os.pathsep.join([str(site), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-m", "plausibly", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_a_folder_from_the_manual_alone_passes_every_stage(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "weather")
    checked = check_protocol(f"{folder}", people=12)
    assert checked.ok, checked.noted
    notes = dict(checked.stages.select("stage", "message").iter_rows())
    assert notes["form"] == "Languages: en, it."
    assert notes["items"].endswith("2 of kind check.")


def test_an_unknown_rule_is_found_among_the_files(tmp_path: Path) -> None:
    folder = write_files(tmp_path / "weather")
    (folder / "rules.toml").write_text('[[rules]]\nrule = "failed_checks"\n')
    first = check_protocol(f"{folder}").stages.row(0, named=True)
    assert (first["stage"], first["outcome"], first["file"]) == ("files", "failed", "rules.toml")
    assert "Did you mean 'failed_check'?" in first["message"]


def test_an_installed_protocol_is_copied_run_released_and_replicated(
    tmp_path: Path, package: Path
) -> None:
    said = type_command(tmp_path, package, "init", "rainy", "study")
    assert "init ran code from outside plausibly: weatherlab:WEATHER." in said
    study = with_items(tmp_path / "study")
    assert {one.name for one in (study / "protocol").iterdir()} == set(FILES)
    # From here on the package is not needed: the study has its protocol.
    own = Study(study)
    states = own.run()
    assert states[-1].state == "run"
    assert states[0].notes[0].startswith("No item is a check, so no batch has one")
    assert {one.state for one in own.status()} == {"done"}
    assert "weatherlab" not in sys.modules
    page = (study / "report.html").read_text(encoding="utf-8")
    assert "What is measured is likelihood." in page
    own.release().write(tmp_path / "release")
    assert (tmp_path / "release" / "protocol" / "form.it.toml").is_file()
    assert not (tmp_path / "release" / "protocol" / "collection.toml").exists()
    again = replicate(str(tmp_path / "release"))
    assert {one.verdict for one in again.records} == {"exact"}
    words = (study / "protocol" / "words.toml").read_text(encoding="utf-8")
    (study / "protocol" / "words.toml").write_text(words.replace("likelihood", "chance"))
    assert [one.step for one in own.status() if one.state == "to do"] == ["report"]


@pytest.mark.parametrize("name", ["WEATHER", "BY_NAME", "LOADED"])
def test_a_place_is_a_path_a_folder_next_to_its_module_or_a_protocol(
    name: str, tmp_path: Path, package: Path
) -> None:
    study = init(f"weatherlab:{name}", tmp_path / "study")
    assert study.outline.name == "weather"
    assert 'protocol = "./protocol"' in (study.folder / "study.toml").read_text(encoding="utf-8")
    assert package.is_dir()


def test_what_is_not_a_folder_cannot_be_copied(tmp_path: Path, package: Path) -> None:
    with pytest.raises(StudyError, match="is not a folder of TOML files"):
        init("weatherlab:NUMBER", tmp_path / "study")
    with pytest.raises(StudyError, match="cannot be imported"):
        init("weatherlab:NOBODY", tmp_path / "study")
    with pytest.raises(UnknownName, match="unknown protocol 'rany'"):
        init("rany", tmp_path / "study")
    assert package.is_dir()


def test_a_name_of_ours_comes_before_an_entry_point(tmp_path: Path, package: Path) -> None:
    assert init("pap", tmp_path / "study").protocol.name == "pap"
    assert package.is_dir()


def test_check_protocol_takes_a_place_and_reports_the_import(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "protocol", "weatherlab:NOBODY"]) == 1
    assert "cannot be imported" in capsys.readouterr().err
    (package / "weatherlab" / "weather" / "form.toml").write_text("questions = 3\n")
    assert run(["check", "protocol", "weatherlab:WEATHER", "--json"]) == 0
    assert '"outcome": "failed"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("section", "line", "code"),
    [
        ("[label]", 'method = "mce"', 2),
        ("[label]", "min_share = 0.2", 2),
        ("[label]", 'min_shares = "x"', 2),
        ("[agree]", "sides = 3", 2),
        ("[ratings]", 'source = "nobody.csv"', 1),
    ],
)
def test_a_wrong_value_exits_with_2_and_wrong_data_with_1(
    section: str, line: str, code: int, tmp_path: Path
) -> None:
    study = init("pap", tmp_path / "s", example=True).folder
    text = (study / "study.toml").read_text(encoding="utf-8")
    key = line.partition(" =")[0]
    head, _, rest = text.partition(f"{section}\n")
    kept = [one for one in rest.split("\n\n")[0].splitlines() if not one.startswith(f"{key} =")]
    body = "\n".join([line, *kept])
    tail = rest.partition("\n\n")[2]
    (study / "study.toml").write_text(f"{head}{section}\n{body}\n\n{tail}", encoding="utf-8")
    assert run(["run", str(study), "--to", "label"]) == code
