"""How files are read: what is recognised, what you choose, and that proposals are right."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, TableError
from plausibly.ratings import import_ratings
from plausibly.ratings.recognising import recognised_form
from worlds.exports import google_forms, qualtrics
from worlds.served import items_of, study_folder

LONG = "item,annotator,answer\ni1,a,4\ni1,b,5\ni2,a,1\ni2,b,2\n"
OF_TOOLS = (
    *("trial_type", "trial_index", "HITId", "WorkerId", "Answer.q", "annotation_id", "lead_time"),
    *("task", "worker", "label", "ResponseId", "Finished", "submitdate", "lastpage", "seed", "id"),
    *("Participant id", "Submission id", "Timestamp", "Satz", "Bewertung", "startlanguage"),
)


def written(folder: Path, text: str, name: str = "r.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def values(path: Path, **options: Any) -> list[float | None]:
    return pb.read(path, **options).ratings["value"].to_list()


@settings(deadline=None, max_examples=60)
@given(
    more=st.lists(st.sampled_from(OF_TOOLS), unique=True),
    needed=st.permutations(["item", " Annotator", "ANSWER"]),
    order=st.randoms(use_true_random=False),
)
def test_a_table_with_the_columns_of_the_long_form_is_long_whatever_else_it_has(
    tmp_path_factory: pytest.TempPathFactory, more: list[str], needed: list[str], order: Any
) -> None:
    header = [*more, *needed]
    order.shuffle(header)
    text = ",".join(header) + "\n" + ",".join("1" for _ in header) + "\n"
    path = written(tmp_path_factory.mktemp("long"), text)
    assert recognised_form(path, {}).form == "long"


@pytest.mark.parametrize(
    ("header", "form", "names"),
    [
        ("Satz,Versuchsperson,Bewertung", "long", {"item", "annotator", "answer"}),
        (
            "frase,partecipante,giudizio,domanda",
            "long",
            {"item", "annotator", "answer", "question"},
        ),
        ("phrase,annotateur,réponse", "long", {"item", "annotator", "answer"}),
        ("oración,participante,respuesta", "long", {"item", "annotator", "answer"}),
        ("who,t1,t2", "long", set()),
        ("annotator,t1,t2", "wide", set()),
        ("sentence,stimulus,rater,rating", "long", set()),
    ],
)
def test_headers_are_read_by_their_sense_only_if_each_can_be_one_column(
    tmp_path: Path, header: str, form: str, names: set[str]
) -> None:
    width = header.count(",") + 1
    rows = "".join(",".join(str(n + k) for k in range(width)) + "\n" for n in range(3))
    recognised = recognised_form(written(tmp_path, f"{header}\n{rows}"), {})
    assert (recognised.form, {*recognised.names}) == (form, names)


@pytest.mark.parametrize(
    "text",
    [
        "id,rater,score\n1,a,4\n2,a,5\n3,b,4\n",  # the number of the row is no item
        "id,worker,question,value\n1,a,q,4\n2,a,q,5\n",
        "Task,rater,x\ni1,a,4\ni2,a,3\ni1,b,4\n",
        "text,user,label,value\ni1,a,4,9\ni1,b,4,9\ni2,a,3,9\n",
        "trial,subject,response\n1,a,4\n1,a,5\n2,a,1\n",  # one trial, two answers of a person
        "annotator,t1,t2,Age\na,1,2,30\nb,2,3,40\n",
        "item;annotator;answer\ni1;a;x\n",
    ],
)
def test_a_proposal_that_is_printed_reads_the_file_right(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    try:
        ratings = pb.read(path, format="long").ratings
    except TableError as error:
        message = str(error)
    else:
        assert ratings.height == text.count("\n") - 1
        return
    if "format= wide" in message:
        assert pb.read(path, format="wide").ratings["item"].unique().sort().to_list() == [
            "t1",
            "t2",
        ]
    proposal = re.search(r"columns=: ([^.(]*[^.( ])", message)
    assert proposal is not None
    names = dict(pair.split("=") for pair in proposal[1].split(", "))
    if "NAME" in names.values():
        return
    ratings = pb.read(path, format="long", columns=names).ratings
    assert ratings.height == text.count("\n") - 1
    assert ratings["item"].n_unique() < ratings.height


def test_columns_recognised_by_their_meaning_are_proposed_where_others_are_not(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, "Teilnehmer;Satz;wie;warum\na;s1;4;x\na;s2;5;y\nb;s1;1;z\n")
    with pytest.raises(
        TableError, match=r"item=Satz, annotator=Teilnehmer, answer=NAME .several questions: "
    ):
        pb.read(path)
    columns = {"item": "Satz", "annotator": "Teilnehmer", "answer": "wie,warum"}
    assert pb.read(path, columns=columns).ratings.height == 6


def test_what_the_long_form_keeps_is_said_to_be_stored(tmp_path: Path) -> None:
    text = "Satz;VP;Bewertung;Reihenfolge;Anmerkungen;list\n" + "s1;a;4;2;gut;A\ns1;b;5;1;;B\n"
    result = pb.read(written(tmp_path, text))
    assert all(column.stored for column in result.layout.columns)
    assert result.ratings.select("item", "order", "comment", "list").row(0) == (
        "s1",
        2,
        "gut",
        "A",
    )
    roles = [column.role for column in result.layout.columns]
    assert roles == ["item", "annotator", "answer", "order", "comment", "kept"]


def test_title_lines_are_found_or_chosen_and_lines_keep_their_number(tmp_path: Path) -> None:
    path = written(tmp_path, "Pilot, May\n\n" + LONG + "i3,,3\n")
    with pytest.raises(TableError, match=r"r\.csv:8: no annotator"):
        pb.read(path)
    good = written(tmp_path, "Pilot, May\n\n" + LONG, "good.csv")
    result = pb.read(good)
    assert result.layout.header_lines == (3,)
    assert values(good, header_row=3) == result.ratings["value"].to_list() == [4, 5, 1, 2]
    with pytest.raises(TableError, match="header_row="):
        pb.read(good, header_row=99)
    assert run(["read", str(good), "--header-row", "0"]) == 2


def test_a_decimal_sign_is_chosen_and_its_proposal_works(tmp_path: Path) -> None:
    path = written(tmp_path, 'item,annotator,answer\ni1,a,"4,5"\ni1,b,"1.234,5"\ni2,a,3\n')
    with pytest.raises(TableError, match=r"read the file with decimal= ','"):
        pb.read(path)
    assert values(path, decimal=",") == [4.5, 1234.5, 3.0]
    american = written(tmp_path, 'item,annotator,answer\ni1,a,"1,234"\ni1,b,2\n', "us.csv")
    with pytest.raises(TableError) as caught:
        pb.read(american)
    assert "decimal=" not in str(caught.value), "it would read 1.234"
    mixed = written(tmp_path, "item;annotator;answer\ni1;a;4,5\ni1;b;4.5\n", "mixed.csv")
    with pytest.raises(TableError, match="can be read in two ways"):
        pb.read(mixed, decimal=",")
    thousand = written(tmp_path, "item;annotator;answer\ni1;a;1.234\ni1;b;2\n", "dots.csv")
    assert values(thousand) == [1.234, 2.0]
    assert values(thousand, decimal=",") == [1234.0, 2.0]
    assert values(thousand, decimal=".") == [1.234, 2.0]


def test_a_sheet_is_chosen_by_name_or_number(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "About"
    book.active.append(["item", "annotator", "answer"])
    book.active.append(["x", "a", 9])
    sheet = book.create_sheet("Answers")
    for row in (["Pilot"], [], ["item", "annotator", "answer"], ["i1", "a", 4], ["i1", "b", 5.5]):
        sheet.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    assert values(path) == [9.0]
    for chosen in ("Answers", "2"):
        result = pb.read(path, sheet=chosen)
        assert result.ratings["value"].to_list() == [4.0, 5.5]
        assert (result.layout.sheet, result.layout.header_lines) == ("Answers", (3,))
    with pytest.raises(TableError, match="Sheets: About, Answers"):
        pb.read(path, sheet="3")


def test_a_rating_given_again_later_is_a_retest_unless_you_choose(tmp_path: Path) -> None:
    rows = "i1,a,4,10:00\ni1,a,5,11:00\ni1,b,3,10:30\n"
    path = written(tmp_path, "item,annotator,answer,submitted\n" + rows)
    result = pb.read(path)
    assert result.ratings.select("item", "annotator", "value", "kind").rows() == [
        ("i1", "a", 4.0, "item"),
        ("i1", "b", 3.0, "item"),
        ("i1@again", "a", 5.0, "retest"),
    ]
    assert result.as_json()["duplicates"] == {"retests": 1}
    assert pb.agree(path, resamples=0).checks == 1
    assert values(path, duplicates="mean") == [4.5, 3.0]
    assert pb.read(path, duplicates="last").as_json()["duplicates"] == {"differing": 1}
    same = written(tmp_path, "item,annotator,answer,submitted\ni1,a,4,1\ni1,a,5,1\n", "same.csv")
    with pytest.raises(TableError, match="lines 2 and 3 differ"):
        pb.read(same)


def test_every_verb_takes_the_encoding(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes("item,annotator,answer\nKäse,a,4\nKäse,b,5\nBrot,a,3\n".encode("cp437"))
    assert "Käse" in pb.read(path, encoding="cp437").ratings["item"]
    assert "Käse" in pb.label(path, method="mean", encoding="cp437").labels["item"]
    assert "Käse" in pb.clean(path, encoding="cp437").ratings["item"]
    for verb in (pb.agree, pb.describe):
        with pytest.raises(StudyError, match="unknown encoding"):
            verb(path, encoding="nothing")
        verb(path, encoding="cp437")


@pytest.mark.parametrize("make", [qualtrics, google_forms])
def test_a_study_reads_its_source_as_read_does(tmp_path: Path, make: Any) -> None:
    export = make()
    study = study_folder(tmp_path / "s", items_of(2), {"ratings": {"source": export.name}})
    (study / "items.parquet").unlink()
    path = export.written(study)
    assert run(["run", str(study), "--to", "ratings"]) == 0
    stored = pl.read_parquet(study / "ratings.parquet")
    assert stored.equals(pb.read(path).ratings)
    assert "inspection" not in (study / "ratings.json").read_text()


def test_files_of_a_folder_are_read_as_one_and_each_is_a_person_if_none_is_named(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "runs"
    (folder / "b").mkdir(parents=True)
    trial = '[{"trial_type": "html-slider-response", "trial_index": 0, "time_elapsed": 1, "item": '
    written(folder, trial + '"i1", "response": 4}]', "a.json")
    written(folder / "b", trial + '"i1", "response": 2}]', "data.json")
    result = pb.read(folder)
    assert result.ratings.select("annotator", "value").rows() == [("a", 4.0), ("b/data", 2.0)]
    assert result.layout.tool == "jsPsych"
    assert "2 files" in result.layout.evidence
    written(folder, LONG, "c.csv")
    with pytest.raises(TableError, match=r"c\.csv in the long format"):
        pb.read(folder)
    archive = tmp_path / "one.zip"
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("inner/r.csv", LONG)
    assert values(archive) == [4, 5, 1, 2]
    for content in (b"", b"no archive", archive.read_bytes()[:40]):
        (tmp_path / "bad.zip").write_bytes(content)
        with pytest.raises(TableError, match=r"bad\.zip"):
            pb.read(tmp_path / "bad.zip")


def test_tables_in_memory_and_records_are_read_by_the_sense_of_their_columns(
    tmp_path: Path,
) -> None:
    wide = pl.DataFrame({"participant": ["a", "b", "c"], "t1": [1, 2, 2], "t2": [4, 5, 4]})
    assert pb.read(wide).ratings["value"].to_list() == [1, 2, 2, 4, 5, 4]
    long = pl.DataFrame({"Rater": ["a", "b"], "Sentence": ["So.", "So."], "score": [1, 2]})
    by_sense = pb.read(long)
    assert by_sense.layout.names == {"item": "Sentence", "annotator": "Rater", "answer": "score"}
    records = [{"worker": p, "sentence": "So.", "rating": 3} for p in "ab"]
    for name, text in (
        ("r.json", json.dumps(records)),
        ("r.jsonl", "\n".join(map(json.dumps, records))),
    ):
        assert values(written(tmp_path, text, name)) == [3, 3]


def test_columns_named_with_commas_are_one_question_each(tmp_path: Path) -> None:
    text = "item,annotator,plausibility,naturalness,rt\ni1,a,4,5,9\ni1,b,3,,8\ni2,b,1,4,7\ni1,c\n"
    with pytest.raises(TableError, match=r"r\.csv:5"):
        pb.read(written(tmp_path, text))
    result = pb.read(written(tmp_path, text.replace("i1,c\n", "")))
    kept = result.ratings.filter(pl.col("item") == "i1").select("annotator", "question", "value")
    assert kept.rows() == [
        ("a", "naturalness", 5),
        ("a", "plausibility", 4),
        ("b", "plausibility", 3),
    ]
    assert result.missing == {"empty": 1}
    with pytest.raises(TableError, match="one question each"):
        pb.read(
            pl.DataFrame(
                {"item": ["i"], "annotator": ["a"], "question": ["q"], "x": [1], "y": [2]}
            ),
            columns={"answer": "x,y"},
        )


def test_an_export_of_people_alone_is_stored_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = "Submission id,Participant id,Status,Time taken,Age\n"
    path = written(tmp_path, header + "s1,5f0e2b000000000000000001,APPROVED,60,33\n", "p.csv")
    inspection = pb.read(path).inspection
    assert {column.name: (column.role, column.stored) for column in inspection.layout.columns} == {
        "Submission id": ("person", None),
        "Participant id": ("annotator", "annotators"),
        "Status": ("person", "annotators"),
        "Time taken": ("time", "annotators"),
        "Age": ("person", None),
    }
    assert inspection.command is not None
    monkeypatch.chdir(tmp_path)
    assert run(shlex.split(inspection.command)[1:]) == 0
    assert pl.read_parquet("p-annotators.parquet")["seconds"].to_list() == [60.0]


def test_without_an_output_the_other_tables_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, LONG)
    assert run(["read", str(path), "--write-items", str(tmp_path / "i.csv")]) == 2
    assert run(["read", str(path), "-o", str(tmp_path / "out.csv"), "--json"]) == 0
    assert pl.read_csv(tmp_path / "out.csv").height == 4


SENTENCES = """participant_id,item_id,sentence,rating,timestamp
p1,i1,A dog barks.,6,2024-03-05T09:00:00
p1,i2,A stone barks at night.,1,2024-03-05T09:01:00
p2,i1,A dog barks.,7,2024-03-05T10:00:00
p1,i1,A dog barks.,5,2024-03-05T09:30:00
"""


def test_an_id_is_the_item_a_sentence_its_text_and_a_later_rating_a_retest(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(SENTENCES)
    found = import_ratings(path)
    assert found.ratings.select("item", "annotator", "answer", "submitted").rows() == [
        ("i1", "p1", "6", "2024-03-05T09:00:00"),
        ("i1", "p2", "7", "2024-03-05T10:00:00"),
        ("i1@again", "p1", "5", "2024-03-05T09:30:00"),
        ("i2", "p1", "1", "2024-03-05T09:01:00"),
    ]
    assert found.items is not None
    texts = dict(found.items.select("item", "text").rows())
    assert (texts["i1"], texts["i2"]) == ("A dog barks.", "A stone barks at night.")


def test_a_number_that_several_sentences_share_is_not_taken_for_the_item(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(SENTENCES.replace("p2,i1,A dog barks.", "p2,i1,A dog sings."))
    with pytest.raises(TableError, match="Columns found: participant_id, item_id, sentence"):
        import_ratings(path)


def test_our_columns_with_a_timestamp_are_read_with_their_time(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("item,annotator,answer,timestamp\nt1,a,4,2024-03-05 09:00:00\n")
    assert import_ratings(path).ratings["submitted"].to_list() == ["2024-03-05 09:00:00"]


@pytest.mark.parametrize("header", ["Frase", "Affermazione"])
def test_sentences_named_as_items_are_never_answers_of_a_wide_table(
    tmp_path: Path, header: str
) -> None:
    path = tmp_path / "risposte.csv"
    path.write_text(
        f"Partecipante,{header},Plausibile\n"
        "a,Il cane abbaia forte,6\na,La pietra canta piano,1\n"
        "b,Il cane abbaia forte,7\nb,La pietra canta piano,2\n"
    )
    with pytest.raises(TableError, match="Columns found: Partecipante, item, Plausibile"):
        import_ratings(path, names={"item": header})
