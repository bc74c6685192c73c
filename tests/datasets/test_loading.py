"""Published sets and files of one's own as tables of the contracts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.datasets.loading import FOLDERS, NO_LICENCE, load_files, load_set
from plausibly.errors import PlausiblyError, StudyError, TableError, UnknownName
from plausibly.tables import TABLES


def pep3k(folder: Path, *, positive: str = "pos-all.txt", negative: str = "neg-all.txt") -> Path:
    (folder / "pep3k" / positive).parent.mkdir(parents=True)
    (folder / "pep3k" / positive).write_text("man swallow paintball\nman hug bear\n")
    (folder / "pep3k" / negative).write_text("man swallow bed\n\nair hug knife\n")
    return folder


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        ("pos-all.txt", "neg-all.txt"),
        ("data/pos-all.txt", "data/neg-all.txt"),
        ("positive.txt", "negative.txt"),
        ("pos.tsv", "neg.tsv"),
    ],
)
def test_pep3k_is_two_files_without_header(tmp_path: Path, positive: str, negative: str) -> None:
    loaded = load_set("pep3k", pep3k(tmp_path, positive=positive, negative=negative))
    assert loaded.tables["items"].columns[-3:] == ["subject", "verb", "object"]
    labels = dict(loaded.tables["labels"].select("item", "label").iter_rows())
    assert labels == {
        "man swallow paintball": "plausible",
        "man hug bear": "plausible",
        "man swallow bed": "implausible",
        "air hug knife": "implausible",
    }
    assert "Wang" in (loaded.citation or "")


def test_pep3k_files_may_be_named_and_the_name_tells_the_side(tmp_path: Path) -> None:
    folder = pep3k(tmp_path) / "pep3k"
    loaded = load_files([folder / "neg-all.txt", folder / "pos-all.txt"], name="pep3k")
    assert loaded.tables["labels"].filter(item="man hug bear")["label"].to_list() == ["plausible"]


def test_a_line_that_is_no_event_is_named(tmp_path: Path) -> None:
    pep3k(tmp_path)
    (tmp_path / "pep3k/neg-all.txt").write_text("man swallow bed\nman bed\n")
    with pytest.raises(TableError, match=r"neg-all.txt:2: 2 words, expected subject verb object"):
        load_set("pep3k", tmp_path)


def test_an_event_on_both_sides_is_refused(tmp_path: Path) -> None:
    pep3k(tmp_path)
    (tmp_path / "pep3k/neg-all.txt").write_text("man hug bear\n")
    with pytest.raises(TableError, match="both plausible and implausible"):
        load_set("pep3k", tmp_path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("valid.csv", "subject,verb,object,label\ndog,eat,bone,1\nbone,eat,dog,0\n"),
        ("valid.tsv", "1\tdog\teat\tbone\n0\tbone\teat\tdog\n"),
        ("valid.csv", "label,subject,verb,object\nplausible,dog,eat,bone\n0,bone,eat,dog\n"),
    ],
)
def test_twenty_questions_with_and_without_header(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "20q").mkdir()
    (tmp_path / "20q" / name).write_text(text)
    loaded = load_set("20q", tmp_path)
    assert loaded.tables["labels"]["label"].to_list() == ["implausible", "plausible"]
    assert loaded.tables["items"]["split"].unique().to_list() == ["valid"]


def test_a_label_of_twenty_questions_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "20q").mkdir()
    (tmp_path / "20q/test.csv").write_text("subject,verb,object,label\ndog,eat,bone,2\n,eat,x,1\n")
    with pytest.raises(TableError) as error:
        load_set("20q", tmp_path)
    assert "test.csv:2: label '2' is not one of" in str(error.value)
    assert "test.csv:3: one of subject, verb, object is empty" in str(error.value)


def test_any_other_table_is_read_by_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "own.csv.gz"
    path.write_bytes(gzip.compress(b"ID, Text ,gold,frequency\nb,two words,yes,3\na,more,no,4\n"))
    loaded = load_files([path], names={"item": "ID", "label": "gold"})
    assert loaded.tables["items"].select("item", "text", "frequency").rows() == [
        ("a", "more", "4"),
        ("b", "two words", "3"),
    ]
    assert loaded.tables["labels"]["label"].to_list() == ["no", "yes"]
    assert loaded.licence == NO_LICENCE


def test_answers_make_ratings_and_texts_are_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    rows = [
        {"item": "t1", "text": "dog eats bone", "annotator": who, "answer": answer}
        for who, answer in (("a", 5), ("b", 4))
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    tables = load_files([path]).tables
    assert tables["items"].height == 1
    assert tables["ratings"].select("annotator", "answer", "value").rows() == [
        ("a", "5", 5.0),
        ("b", "4", 4.0),
    ]


def test_a_table_with_nothing_of_ours_says_how_to_map(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match=r"nothing to load.*columns=.*Columns found: a, b"):
        load_files([tmp_path / "x.csv"])


def test_events_without_a_name_are_named_by_their_row(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("subject,verb,object\n" + "dog,eat,bone\n" * 10)
    items = load_files([tmp_path / "x.csv"]).tables["items"]
    assert items["item"].to_list()[:2] == ["01", "02"]
    assert items["text"][0] == "dog eat bone"


@pytest.mark.parametrize(
    ("name", "place"),
    [("pep3k", "pep3k/pos-all.txt"), ("sp10k", "sp10k/dobj.tsv"), ("mace", "mace/wsd.csv")],
)
def test_a_file_that_is_no_text_is_named(tmp_path: Path, name: str, place: str) -> None:
    pep3k(tmp_path)
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_bytes(b"dog\xff eat bone\n")
    with pytest.raises(TableError, match=Path(place).name):
        load_set(name, tmp_path)


def test_every_set_is_in_the_guide() -> None:
    guide = Path(__file__).resolve().parents[2] / "docs/how-to/get-datasets.md"
    text = guide.read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in text for name in FOLDERS)


def test_wrong_names_and_missing_folders_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"unknown dataset 'papp'. Did you mean 'pap'\?"):
        load_set("papp", tmp_path)
    with pytest.raises(StudyError, match="PLAUSIBLY_DATA"):
        load_set("pap", None)
    with pytest.raises(StudyError, match="plausibly load iks SHEET"):
        load_set("iks", tmp_path)
    for name in FOLDERS:
        with pytest.raises(PlausiblyError, match="no such folder"):
            load_set(name, tmp_path)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("pap", {"items": 1733, "ratings": 15571, "labels": 4 * 1733, "checks": 20}),
        ("adept", {"items": 14503, "labels": 14503}),
        ("sp10k", {"items": 10000, "labels": 10000}),
        ("gita", {"items": 356}),
        ("norms", {"norms": 39954}),
        ("mace", {"ratings": 1770, "labels": 177}),
    ],
)
def test_published_sets_keep_the_contracts(
    data_folder: Path, name: str, sizes: dict[str, int]
) -> None:
    loaded = load_set(name, data_folder)
    heights = {table: frame.height for table, frame in loaded.tables.items()}
    assert {table: heights[table] for table in sizes} == sizes
    assert loaded.licence
    assert loaded.citation
    for table, frame in loaded.tables.items():
        if table in TABLES:
            assert TABLES[table].sort(TABLES[table].check(frame)).equals(frame)


@pytest.mark.data
def test_the_majority_that_is_released_is_the_label(data_folder: Path) -> None:
    labels = load_set("pap", data_folder).tables["labels"]
    one = labels.filter(item="ability means mobility", method="released-majority-binary")
    assert one.select("label", "support", "ratings").row(0) == ("1", 0.8, 10)
    assert json.loads(one["distribution"][0]) == {"1": 0.8, "0": 0.2}
    undecided = labels.filter(pl.col("label").is_null())
    assert set(undecided["method"]) <= {
        "released-majority-binary",
        "released-majority-multiclass",
    }


@pytest.mark.data
def test_stories_carry_what_the_three_tasks_ask(data_folder: Path) -> None:
    labels = load_set("gita", data_folder).tables["labels"]
    said = dict(labels.filter(item="0-O0").select("question", "label").iter_rows())
    assert said == {
        "plausible": "false",
        "breakpoint": "2",
        "conflict_sentence": "1",
        "state": "open",
    }
