"""What is wrong with a form is named by file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.errors import StudyError
from plausibly.ratings.collection import collection_form, form_texts
from plausibly.study import PROTOCOLS, read_settings

STUDY = """[study]
name = "s"
protocol = "custom"

[form]
consent = ["A text with
[[form.questions]]"]
order = "shuffled"
per_page = 1

[[form.questions]]
id = "fits"
type = "likert"
options = ["1", "2", "3"]
required = true

[[form.questions]]
id = "why"
type = "text"
longest = 100

[form.questions.skip_if]
fits = ["1"]

[[form.screening]]
text = "Where do you live?"
options = ["here", "there"]
admit = ["here"]

[[form.practice]]
text = "A sentence."
feedback = "Because."
expect = { fits = ["2"] }
""".replace('"A text with\n[[form.questions]]"', '"""A text with\n[[form.questions]]"""')


def error_of(folder: Path, text: str) -> str:
    """Return what is said about a study, after the name of the file."""
    (folder / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as caught:
        read_settings(folder, PROTOCOLS["custom"])
    return str(caught.value).removeprefix(str(folder / "study.toml"))


@pytest.mark.parametrize(
    ("right", "wrong", "begins"),
    [
        ('order = "shuffled"', 'order = "drawn"', ":8: order must be one of"),
        ("per_page = 1", "per_page = 0", ":9: per_page must"),
        ('id = "why"', 'id = "fits"', ":18: question 'fits': two questions"),
        ('type = "text"', 'type = "essay"', ":19: question 'why': unknown type 'essay'"),
        ('type = "text"', 'type = "choice"', ":17: question 'why': a choice needs 'options'"),
        ('"1", "2", "3"]', '"1", "2", "2"]', ":14: question 'fits': an option is listed twice"),
        ("required = true", 'required = "no"', ":15: question 'fits': required must be true or"),
        ("longest = 100", 'longest = "many"', ":20: question 'why': longest must be a whole"),
        ("longest = 100", "longset = 100", ":20: question 'why': unknown key 'longset'"),
        ("required = true", 'sides = "1,2|"', ":15: question 'fits': sides"),
        ('fits = ["1"]', 'fist = ["1"]', ":22: question 'why': skip_if: unknown earlier question"),
        ('admit = ["here"]', 'admit = ["her"]', ":28: screening 1: admit: unknown option 'her'"),
        ('fits = ["2"] }', 'fits = ["9"] }', ":33: practice 1: expect: unknown answer '9'"),
    ],
)
def test_an_error_of_a_form_names_line_and_key(
    tmp_path: Path, right: str, wrong: str, begins: str
) -> None:
    assert right in STUDY
    assert error_of(tmp_path, STUDY.replace(right, wrong)).startswith(begins)


def test_questions_in_one_line_are_named_by_that_line(tmp_path: Path) -> None:
    text = (
        '[study]\nname = "s"\nprotocol = "custom"\n[form]\nquestions = [{ id = "a", type = "b" }]\n'
    )
    assert error_of(tmp_path, text).startswith(":5: question 'a': unknown type")


def test_a_text_in_another_language_is_named_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    italian = tmp_path / "form.it.toml"
    italian.write_text('[questions.fits]\ntext = "?"\nlabels = ["uno"]\n', encoding="utf-8")
    custom = PROTOCOLS["custom"]
    section = read_settings(tmp_path, custom).sections["form"]
    with pytest.raises(StudyError, match=r"form\.it\.toml:3: question 'fits': 1 labels? for 3"):
        collection_form(custom, section, where=str(italian), texts=form_texts(italian))
