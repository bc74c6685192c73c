"""Winograd questions turned into look-ups, and answered by any model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.winograd import read_questions
from plausibly.errors import TableError
from plausibly.evaluation.winograd import parsed_lookups, winograd
from plausibly.ports import Sentence
from plausibly.verbs.score_winograd import score_winograd

# form, lemma, part of speech, head, relation
YELLED = """Jim Jim PROPN 2 nsubj|yelled yell VERB 0 root|at at ADP 4 case|Kevin Kevin PROPN 2 obl
because because SCONJ 9 mark|he he PRON 9 nsubj|was be AUX 9 cop|so so ADV 9 advmod
upset upset ADJ 2 advcl|. . PUNCT 2 punct"""
BEATEN = """Jim Jim PROPN 3 nsubj:pass|was be AUX 3 aux|beaten beat VERB 0 root|by by ADP 5 case
Kevin Kevin PROPN 3 obl|and and CCONJ 8 cc|he he PRON 8 nsubj|looked look VERB 3 conj
angry angry ADJ 8 xcomp|. . PUNCT 3 punct"""
TRIED = """Jim Jim PROPN 2 nsubj|tried try VERB 0 root|to to PART 4 mark|call call VERB 2 xcomp
Kevin Kevin PROPN 4 obj|because because SCONJ 9 mark|he he PRON 9 nsubj|was be AUX 9 cop
old old ADJ 4 advcl|and and CCONJ 11 cc|ill ill ADJ 9 conj"""


class Trees:
    """A parser that knows its texts by heart."""

    name, language = "by heart", "en"

    def __init__(self, *trees: str) -> None:
        self.trees = trees

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        for _, tree in zip(texts, self.trees, strict=True):
            rows = [row.split() for row in tree.replace("\n", "|").split("|")]
            forms, lemmas, upos, heads, deprels = zip(*rows, strict=True)
            yield [Sentence(forms, lemmas, upos, [int(head) for head in heads], deprels)]


def questions(*texts: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "question": str(number),
                **dict(zip(("before", "pronoun", "after"), text, strict=True)),
                "candidate_a": "Jim",
                "candidate_b": "Kevin",
                "answer": "A",
            }
            for number, text in enumerate(texts, start=1)
        ]
    )


def test_roles_and_the_adjective_are_found_in_the_tree() -> None:
    asked = questions(
        ("Jim yelled at Kevin because", "he", "was so upset."),
        ("Jim was beaten by Kevin and", "he", "looked angry."),
    )
    found = parsed_lookups(asked, Trees(YELLED, BEATEN)).rows()
    assert found == [
        ("1", "yell", "nsubj", "yell", "dobj", "upset", "A"),
        ("2", "beat", "dobj", "beat", "nsubj", "angry", "A"),
    ]


def test_a_pronoun_with_two_adjectives_is_not_asked_about() -> None:
    asked = questions(("Jim tried to call Kevin because", "he", "was old and ill"))
    assert parsed_lookups(asked, Trees(TRIED)).is_empty()
    one = TRIED.replace("ill ill ADJ 9 conj", "off off ADV 9 conj")
    assert parsed_lookups(asked, Trees(one)).row(0)[1:5] == ("call", "nsubj", "call", "dobj")


def write_schemas(path: Path) -> None:
    path.write_text(
        "<collection><schema><text><txt1>Jim yelled at Kevin because </txt1><pron>he</pron>"
        "<txt2> was so upset.</txt2></text><answers><answer>Jim</answer><answer>Kevin</answer>"
        "</answers><correctAnswer> A. </correctAnswer></schema></collection>",
        encoding="iso-8859-1",
    )


def test_schemas_are_read_and_broken_ones_named(tmp_path: Path) -> None:
    path = tmp_path / "schemas.xml"
    write_schemas(path)
    assert read_questions(path).row(0) == (
        *("1", "Jim yelled at Kevin because", "he", "was so upset.", "Jim", "Kevin", "A"),
    )
    path.write_text("<schema><text></text></schema>", encoding="utf-8")
    with pytest.raises(TableError, match="schema 1: expected a pronoun"):
        read_questions(path)
    path.write_text("nothing", encoding="utf-8")
    with pytest.raises(TableError, match="no <schema>"):
        read_questions(path)


def test_people_answer_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names = "question_id\thead_a\trole_a\thead_b\trole_b\tadjective\tanswer\n"
    rows = "35\tyell\tnsubj\tyell\tdobj\tupset\tA\n36\tcomfort\tnsubj\tNA\tdobj\tupset\tB\n"
    Path("lookups.tsv").write_text(names + rows, encoding="utf-8")
    scores = "nsubj_amod\tyell\tupset\t9\ndobj_amod\tyell\tupset\t4\n"
    Path("pairs.tsv").write_text("relation\thead\tdependent\tscore\n" + scores, encoding="utf-8")
    asked = ["score", "winograd", "lookups.tsv", "--model", "pairs.tsv"]
    assert run([*asked, "-o", "scores.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["correct"], found["wrong"], found["none"]) == (1, 0, 1)
    assert run(["score", "winograd", "scores.csv", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert {name: found[name] for name in again} == again
    assert score_winograd("lookups.tsv", model="pairs.tsv").as_json() == found
    Path("ids.txt").write_text("35", encoding="utf-8")
    chosen = score_winograd("lookups.tsv", model="pairs.tsv", questions="ids.txt").as_json()
    assert (chosen["correct"], chosen["wrong"], chosen["none"]) == (1, 0, 0)
    Path("ids.txt").write_text("35, 99", encoding="utf-8")
    assert run([*asked, "--questions", "ids.txt"]) == 1
    assert "not in it (first: 99)" in capsys.readouterr().err
    assert run(["score", "winograd", "scores.csv", "--questions", "ids.txt"]) == 2
    assert "pass --model as well" in capsys.readouterr().err
    assert run(["score", "winograd", "scores.csv", "-o", "again.csv"]) == 2
    assert "pass --model as well" in capsys.readouterr().err
    Path("lookups.tsv").write_text(names.replace("role_b", "role"), encoding="utf-8")
    assert run(asked) == 1
    assert "no column 'role_b'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["schemas.xml", "schemas.txt"])
def test_a_collection_is_parsed_whatever_its_file_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("plausibly.verbs.score_winograd.parser_named", lambda _: Trees(YELLED))
    write_schemas(tmp_path / name)
    pairs = tmp_path / "pairs.tsv"
    scores = "nsubj_amod\tyell\tupset\t9\ndobj_amod\tyell\tupset\t4\n"
    pairs.write_text("relation\thead\tdependent\tscore\n" + scores, encoding="utf-8")
    solved = score_winograd(tmp_path / name, model=pairs)
    assert solved.as_json()["lookups"] == "parsed"
    assert solved.as_json()["correct"] == 1


@pytest.mark.data
def test_the_look_ups_by_hand_give_the_published_row(data_folder: Path) -> None:
    place = data_folder / "sp10k" / "winograd" / "question_lookups.tsv"
    solved = score_winograd(place, model=data_folder / "sp10k")
    assert winograd(solved.answers).as_json()["correct"] == 13
    assert solved.as_json()["none"] == 59
