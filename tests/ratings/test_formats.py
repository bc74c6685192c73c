"""Forms of ratings: what they hold, what they refuse, and that writing and reading agrees."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.protocols.pap.made_up import example_items
from plausibly.ratings import export_ratings, import_ratings, read_ratings
from plausibly.tables import ITEMS
from worlds.tables import ratings_of


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_long_form_needs_item_annotator_and_answer_only(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "item,annotator,answer\nt1,a,5\nt1,b,yes\n")
    assert read_ratings(path).rows() == [
        ("t1", "a", "rating", "5", 5.0),
        ("t1", "b", "rating", "yes", None),
    ]


def test_the_long_form_takes_other_names(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "event,who,score\nt1,a,5\n")
    names = {"item": "event", "annotator": "who", "answer": "score"}
    assert read_ratings(path, names=names).row(0) == ("t1", "a", "rating", "5", 5.0)


def test_a_given_value_is_kept_beside_the_raw_answer(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "item,annotator,answer,value\nt1,a,often,4\n")
    assert read_ratings(path).row(0) == ("t1", "a", "rating", "often", 4.0)


def test_the_mace_form_names_items_by_line_and_annotators_by_column(tmp_path: Path) -> None:
    imported = import_ratings(written(tmp_path, "m.csv", "1,,2,\n\n,,3,\n"), form="mace")
    assert imported.ratings.select("item", "annotator", "answer").rows() == [
        ("0", "0", "1"),
        ("0", "2", "2"),
        ("2", "2", "3"),
    ]
    assert imported.silent_items == ("1",)
    assert imported.silent_annotators == ("1", "3")


def test_a_ragged_line_of_the_mace_form_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "m.csv", "1,2,3\n1,2\n1,2,3\n")
    with pytest.raises(TableError, match=f"{path}:2: 2 columns, most lines have 3"):
        import_ratings(path, form="mace")


def test_the_mace_form_round_trips_to_the_byte(tmp_path: Path) -> None:
    text = "1,,2\n" * 11 + ",NN VB,x\n" + "1,1,\n"
    path = written(tmp_path, "m.csv", text)
    export_ratings(read_ratings(path, form="mace"), tmp_path / "again.csv", form="mace")
    assert (tmp_path / "again.csv").read_text() == text


def test_an_item_without_answers_keeps_its_line_when_the_items_are_given(tmp_path: Path) -> None:
    items = ITEMS.check(pl.DataFrame({"item": ["0", "1", "2"], "text": ["a", "b", "c"]}))
    ratings = ratings_of({"0": "12", "2": "-3"})
    export_ratings(ratings, tmp_path / "m.csv", form="mace", items=items)
    assert import_ratings(tmp_path / "m.csv", form="mace").silent_items == ("1",)


@pytest.mark.parametrize("form", ["long", "crowdkit"])
def test_tables_round_trip(tmp_path: Path, form: str) -> None:
    ratings = ratings_of({"t1": "55-2", "t2": ["yes", "no", "-", "maybe, so"]})
    export_ratings(ratings, tmp_path / "r.csv", form=form)
    assert read_ratings(tmp_path / "r.csv", form=form).equals(ratings)


def test_the_pap_form_round_trips_events_conditions_and_ratings(tmp_path: Path) -> None:
    text = (
        "event\toriginal_label\tabstractness_combination\trating\n"
        "otter paints ladder\tplausible\tc-c-c\t[5, 4, 4]\n"
        "doubt kicks wheel\timplausible\ta-c-c\t[1, 2]\n"
    )
    imported = import_ratings(written(tmp_path, "p.tsv", text), form="pap")
    assert imported.items is not None
    assert imported.items["condition"].to_list() == ["perturbed", "attested"]
    assert imported.ratings["annotator"].n_unique() == 5
    export_ratings(imported.ratings, tmp_path / "again.tsv", form="pap", items=imported.items)
    assert (tmp_path / "again.tsv").read_text() == text


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("two words\tplausible\ta-a-a\t[5]", "event 'two words' is not three words"),
        ("a b c\tperhaps\ta-a-a\t[5]", "original_label 'perhaps' is not plausible or implausible"),
        ("a b c\tplausible\ta-a-a\t[6]", r"rating '\[6\]' is not a list of numbers from 1 to 5"),
        ("a b c\tplausible\ta-a-a\tfive", "rating 'five' is not a list"),
        ("x y z\tplausible\ta-a-a\t[5]", "more than one row for event 'x y z'"),
    ],
)
def test_a_bad_row_of_the_pap_form_is_named(tmp_path: Path, row: str, what: str) -> None:
    head = "event\toriginal_label\tabstractness_combination\trating\nx y z\tplausible\tc-c-c\t[1]\n"
    path = written(tmp_path, "p.tsv", head + row + "\n")
    with pytest.raises(TableError, match=f"{path}:3: {what}"):
        import_ratings(path, form="pap")


def test_a_form_with_one_question_refuses_two(tmp_path: Path) -> None:
    ratings = pl.concat([ratings_of({"t": "1"}), ratings_of({"t": "1"}, question="other")])
    with pytest.raises(StudyError, match="the ratings answer 2"):
        export_ratings(ratings, tmp_path / "m.csv", form="mace")


def test_the_pap_form_cannot_be_written_without_items(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="Pass the items table"):
        export_ratings(ratings_of({"t": "1"}), tmp_path / "p.tsv", form="pap")


def test_an_unknown_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'mace'"):
        read_ratings(tmp_path / "m.csv", form="mac")


def test_the_example_has_every_combination_in_both_conditions() -> None:
    items = example_items(seed=1).filter(pl.col("kind") == "item")
    cells = items.group_by("combination", "condition").len()
    assert cells.height == 54
    assert set(cells["len"].to_list()) == {3}


def test_one_line_too_long_is_the_only_bad_line_of_the_mace_form(tmp_path: Path) -> None:
    path = written(tmp_path, "m.csv", "1,2\n" * 5 + "1,2,3\n" + "2,1\n" * 5)
    with pytest.raises(TableError) as caught:
        import_ratings(path, form="mace")
    assert str(caught.value).splitlines() == [
        f"{path}:6: 3 columns, most lines have 2",
        "1 bad row. Nothing was written.",
    ]


def test_an_open_quote_in_the_mace_form_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "m.csv", '1,2\n2,"2\n1,1\n')
    with pytest.raises(TableError, match=f"{path}:2: a quote is opened and not closed"):
        import_ratings(path, form="mace")


def test_the_mace_form_may_be_separated_by_tabs(tmp_path: Path) -> None:
    imported = import_ratings(written(tmp_path, "m.tsv", "1\t2\n2\t\n"), form="mace")
    assert imported.ratings["answer"].to_list() == ["1", "2", "2"]
    with pytest.raises(TableError, match="delimited text"):
        import_ratings(written(tmp_path, "m.jsonl", "{}"), form="mace")


@pytest.mark.parametrize(
    ("condition", "item", "message"),
    [
        ("attested", "t2", "0 items are neither and 1 ratings are of items"),
        ("plausible", "t1", "1 items are neither and 0 ratings"),
        (None, "t1", "1 items are neither"),
    ],
)
def test_the_pap_form_loses_no_rating_silently(
    tmp_path: Path, condition: str | None, item: str, message: str
) -> None:
    items = ITEMS.check(
        pl.DataFrame({"item": ["t1"], "text": ["dogs eat meat"], "combination": ["ccc"]})
    ).with_columns(condition=pl.lit(condition, dtype=pl.String))
    path = tmp_path / "p.tsv"
    with pytest.raises(StudyError, match=message):
        export_ratings(ratings_of({item: "1"}), path, form="pap", items=items)
    assert not path.exists()


@pytest.mark.parametrize("text", ["1,,2\n\n,NA,3\n", '1,,2\n\n,"NA",3\n', "1,,2\r\n\r\n,NA,3\r\n"])
def test_a_mace_file_reads_the_same_quickly_and_with_care(tmp_path: Path, text: str) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(text.encode())
    imported = import_ratings(path, form="mace")
    assert imported.ratings.select("item", "annotator", "answer").rows() == [
        ("0", "0", "1"),
        ("0", "2", "2"),
        ("2", "2", "3"),
    ]
    assert (imported.silent_items, imported.silent_annotators) == (("1",), ("1",))
    assert imported.missing == {"NA": 1}


@pytest.mark.parametrize(("form", "ending"), [("labelstudio", "json"), ("potato", "jsonl")])
def test_a_form_that_is_one_type_of_file_is_named_so(
    tmp_path: Path, form: str, ending: str
) -> None:
    with pytest.raises(StudyError, match=rf"needs a name that ends in \.{ending}\."):
        export_ratings(ratings_of({"i": "12"}), tmp_path / "x.csv", form=form)
    assert list(tmp_path.iterdir()) == []
