"""What forms, study.toml and files declare about the scales of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.errors import PlausiblyError
from plausibly.ratings.collection import collection_form
from plausibly.ratings.forms import form_of
from plausibly.ratings.questions import form_facts, questions_in, study_facts
from plausibly.study import PROTOCOLS, Study
from plausibly.study.steps import Work


def work_of(folder: Path) -> Work:
    study = Study(folder)
    settings = study.settings
    return Work(folder, {}, settings.sections, settings.seed, protocol=study.protocol)


def custom(folder: Path, more: str) -> Path:
    """Start a study of one's own and add to its study.toml."""
    pb.init("custom", folder)
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    return folder


FORM = """
[[form.questions]]
id = "fit"
type = "slider"
min = 0
max = 100
start = 50

[[form.questions]]
id = "happens"
type = "choice"
options = ["no", "yes"]

[[form.questions]]
id = "comment"
type = "text"
required = false
"""


@pytest.mark.parametrize(
    ("question", "scale"),
    [
        ({"type": "likert", "options": ["low", "high"]}, "ordinal"),
        ({"type": "choice", "options": ["red", "blue"]}, "nominal"),
        ({"type": "choice", "options": ["cold", "hot"], "scale": "ordinal"}, "ordinal"),
        ({"type": "slider", "min": 0, "max": 9, "start": 4}, "interval"),
        ({"type": "set", "options": ["red", "blue"]}, "nominal"),
        ({"type": "best-of-n"}, "nominal"),
        ({"type": "text"}, "text"),
    ],
)
def test_the_scale_follows_from_the_type_unless_the_form_declares_it(
    question: dict[str, Any], scale: str
) -> None:
    form = form_of({"questions": [{"id": "q", **question}]}, where="form")
    facts = form_facts(form)["q"]
    assert facts.scale == scale
    assert (facts.reason == "declared in the form") == ("scale" in question)


@pytest.mark.parametrize(
    ("protocol", "question", "order"),
    [
        ("adept", "effect", ("impossible", "less likely", "equally likely", "more likely")),
        ("sp10k", "preference", ("1", "2", "3", "4", "5")),
        ("iks", "comparison_b", ("RS", "BOTH", "GS")),
        ("pap", "plausible", ()),
    ],
)
def test_papers_declare_ordinal_answers(
    protocol: str, question: str, order: tuple[str, ...]
) -> None:
    declared = PROTOCOLS[protocol]
    facts = form_facts(collection_form(declared, {}, where=protocol))[question]
    assert (facts.scale, facts.reason) == ("ordinal", "declared in the form")
    assert facts.order[: len(order)] == order


def test_study_toml_overrules_the_form(tmp_path: Path) -> None:
    before = study_facts(work_of(custom(tmp_path / "a", FORM)))
    assert {name: one.scale for name, one in before.items()} == {
        "fit": "interval",
        "happens": "nominal",
        "comment": "text",
    }
    assert before["fit"].bounds == (0, 100)
    set_ = custom(tmp_path / "b", FORM + '\n[questions.fit]\nscale = "ordinal"\n')
    after = study_facts(work_of(set_))["fit"]
    assert (after.scale, after.reason, after.type) == ("ordinal", "", "slider")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('[questions.fit]\nscale = "odd"\n', "unknown scale 'odd'"),
        ('[questions.fit]\nscle = "ordinal"\n', "Did you mean 'scale'"),
        ('[questions]\nfit = "ordinal"\n', "must be a table"),
        ('[questions.fit]\nsides = "1,2|2"\n', "fit.*answer 2 lies on two sides"),
        ("[questions.fit]\nbounds = [0]\n", "bounds must be two numbers"),
    ],
)
def test_a_wrong_table_of_questions_is_refused(tmp_path: Path, more: str, message: str) -> None:
    with pytest.raises(PlausiblyError, match=message):
        work_of(custom(tmp_path / "s", more))


def test_a_question_that_the_form_does_not_ask_is_refused(tmp_path: Path) -> None:
    folder = custom(tmp_path / "s", FORM + '[questions.fitt]\nscale = "ordinal"\n')
    with pytest.raises(PlausiblyError, match="Did you mean 'fit'"):
        study_facts(work_of(folder))


def test_a_protocol_folder_declares_scales_too(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "protocol.toml").write_text('name = "own"\n[questions.colour]\nscale = "ordinal"\n')
    form = '[[questions]]\nid = "colour"\ntype = "choice"\noptions = ["pale", "dark"]\n'
    (own / "form.toml").write_text(form)
    pb.init(str(own), tmp_path / "study")
    assert study_facts(work_of(tmp_path / "study"))["colour"].scale == "ordinal"
    assert '[questions."colour"]' in (tmp_path / "study" / "study.toml").read_text()


def test_a_file_of_questions_may_be_written_in_two_ways(tmp_path: Path) -> None:
    plain, nested = tmp_path / "a.toml", tmp_path / "b.toml"
    plain.write_text('[fit]\nscale = "interval"\n')
    nested.write_text('[questions.fit]\nscale = "interval"\n')
    assert questions_in(plain) == questions_in(nested) == {"fit": {"scale": "interval"}}
