"""Documents for an ethics committee follow from the study, in its languages, with blanks marked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

from plausibly.cli.ethics import command
from plausibly.errors import StudyError
from plausibly.ratings.consent import consent_version
from plausibly.web.ethics import DOCUMENTS, ethics
from plausibly.web.study import read_study
from worlds.served import items_of, study_folder

STATED = {
    "purpose": "We study how plausible events are.",
    "controller": "Language Lab, 1 Example Street",
    "storage": "On a server of the university, for ten years.",
    "contact": "lab@example.org",
    "withdraw_until": "2027-06-30",
}
PAID = {"minutes": 12, "pay": "1.50 £", "reward": 1.5, "currency": "GBP"}
PANEL = {"platform": "prolific", "platform_study": "64f0", "code": "C1", "door": "panel"}


def study_of(path: Path, **server: Any) -> Path:
    ratings = {"target": 4, "batch": 5, "checks_per_batch": 0, "failed_check": "exclude"}
    return study_folder(path, items_of(10, 1), {"server": server, "ratings": ratings})


def test_what_the_study_states_is_in_the_documents_and_the_rest_is_blank(tmp_path: Path) -> None:
    empty = ethics(study_of(tmp_path / "empty", door="links"))
    full = ethics(study_of(tmp_path / "full", **STATED, **PAID, **PANEL))
    assert list(full.texts) == [f"{name}.en.md" for name in DOCUMENTS]
    whole = "".join(full.texts.values())
    for text in (*STATED.values(), "12 minutes", "1.50 £", "Prolific"):
        assert text in whole, text
    assert full.blanks["consent.en.md"] == []
    for name, blanks in empty.blanks.items():
        assert len(blanks) > len(full.blanks[name]), name
    assert "Prolific" not in "".join(empty.texts.values())
    assert "about 8 (10 items" in full.texts["processing.en.md"]


def test_what_is_stored_follows_the_door_and_the_form(tmp_path: Path) -> None:
    by_link = ethics(study_of(tmp_path / "links", door="links")).texts["privacy.en.md"]
    panel = ethics(study_of(tmp_path / "panel", **PANEL)).texts["privacy.en.md"]
    assert "participant and submission" in panel
    assert "participant and submission" not in by_link
    assert "your personal link" in by_link


def test_the_consent_names_the_version_people_agree_to(tmp_path: Path) -> None:
    folder = study_of(tmp_path, **STATED)
    served = read_study(folder)
    version = consent_version(served.form, served.server)
    assert f"Version {version}" in ethics(folder).texts["consent.en.md"]
    assert all(
        paragraph in ethics(folder).texts["consent.en.md"] for paragraph in served.form.consent
    )


def test_every_language_of_the_study_has_its_documents(tmp_path: Path) -> None:
    items = items_of(4).with_columns(language=pl.Series(["en", "it", "en", "it"]))
    folder = study_folder(tmp_path / "both", items, {"server": {**STATED, **PANEL}})
    texts = ethics(folder).texts
    assert list(texts) == [f"{name}.{one}.md" for one in ("en", "it") for name in DOCUMENTS]
    assert "Versione" in texts["consent.it.md"]
    assert "2027-06-30" in texts["information.it.md"]


def test_a_language_without_documents_is_named_and_can_be_supplied(tmp_path: Path) -> None:
    items = items_of(4).with_columns(language=pl.Series(["en", "de", "en", "de"]))
    folder = study_folder(tmp_path / "s", items, {"server": STATED})
    (folder / "consent.de.md.jinja").write_text(
        "# Einwilligung: {{ study }}\n{{ server.purpose }}\nVersion {{ version }}\n", "utf-8"
    )
    documents = ethics(folder)
    assert documents.texts["consent.de.md"].startswith("# Einwilligung: ")
    assert STATED["purpose"] in documents.texts["consent.de.md"]
    others = [name for name in DOCUMENTS if name != "consent"]
    assert list(documents.missing) == [f"{name}.de.md.jinja" for name in others]
    outcome = CliRunner().invoke(command, [str(folder), "-o", str(tmp_path / "out")])
    assert "There are no documents for: information.de.md.jinja" in outcome.stderr
    assert not (tmp_path / "out" / "information.de.md").exists()
    (folder / "consent.de.md.jinja").write_text("a\n{{ nobody }}\n", "utf-8")
    with pytest.raises(StudyError, match=r"consent\.de\.md\.jinja.*'nobody' is undefined"):
        ethics(folder)
    (folder / "consent.de.md.jinja").write_text("a\n{% if %}\n", "utf-8")
    with pytest.raises(StudyError, match=r"consent\.de\.md\.jinja:2"):
        ethics(folder)


def test_the_command_writes_the_documents_and_lists_the_blanks(tmp_path: Path) -> None:
    folder, output = study_of(tmp_path / "study", **STATED), tmp_path / "ethics"
    outcome = CliRunner().invoke(command, [str(folder), "-o", str(output)])
    assert outcome.exit_code == 0, outcome.output
    assert {one.name for one in output.iterdir()} == set(ethics(folder).texts)
    assert "consent.en.md: complete." in outcome.stderr
    assert "«the supervisory authority»" in outcome.stderr
    assert (output / "privacy.en.md").read_text("utf-8") == ethics(folder).texts["privacy.en.md"]
