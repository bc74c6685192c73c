"""ConceptNet in both forms, and the list of non-subsective adjectives."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from plausibly.datasets.adept.nonsubsective import read_nonsubsective
from plausibly.datasets.conceptnet import OMCS, read_assertions
from plausibly.errors import TableError


def line(relation: str, start: str, end: str, **told: object) -> str:
    """Return one line in ConceptNet's own form, with invented words."""
    places = [place if place.startswith("/") else f"/c/en/{place}" for place in (start, end)]
    address = f"/a/[/r/{relation}/,{places[0]}/,{places[1]}/]"
    details = {"dataset": "/d/conceptnet/4/en", "weight": 1.0} | told
    return "\t".join([address, f"/r/{relation}", *places, json.dumps(details)])


def test_the_own_form_is_read_with_surface_and_dataset(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv.gz"
    lines = [
        line("UsedFor", "red_mug", "hold_tea", surfaceText="[[a red mug]] can [[hold tea]]"),
        line("UsedFor", "jug/n", "pour", dataset="/d/wiktionary/en"),
        line("AtLocation", "jug", "shelf"),
        line("UsedFor", "/c/it/tazza", "/c/it/bere"),
        line("HasA", "jug", "/c/fr/anse"),
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert read_assertions(path).rows() == [
        ("UsedFor", "jug", "pour", None, "/d/wiktionary/en"),
        ("UsedFor", "red mug", "hold tea", "[[a red mug]] can [[hold tea]]", "/d/conceptnet/4/en"),
    ]
    assert read_assertions(path, dataset=OMCS)["start"].to_list() == ["red mug"]
    assert read_assertions(path, lang="it")["end"].to_list() == ["bere"]


def test_the_table_form_has_no_surface_and_no_dataset(tmp_path: Path) -> None:
    path = tmp_path / "assertions.tsv"
    path.write_text("relation\tstart\tend\nUsedFor\tjug\tpour\nIsA\tjug\tthing\n")
    assert read_assertions(path).rows() == [("UsedFor", "jug", "pour", None, None)]
    with pytest.raises(TableError, match="does not name the dataset"):
        read_assertions(path, dataset=OMCS)


def test_broken_files_are_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    path.write_text(line("UsedFor", "jug", "pour") + "\n/a/[/r/HasA/,/c/en/jug/]\tx\n")
    with pytest.raises(TableError, match=r"assertions.csv:2: 2 columns"):
        read_assertions(path)
    path.write_text(line("UsedFor", "jug", "pour").replace("{", ""))
    with pytest.raises(TableError, match=r"assertions.csv:1: not JSON"):
        read_assertions(path)
    path.write_text("start,end\njug,pour\n")
    with pytest.raises(TableError, match="no column 'relation'"):
        read_assertions(path)
    path.write_text("relation,start,end\nUsedFor,,pour\nUsedFor,jug,pour\n")
    with pytest.raises(TableError, match=r"assertions.csv:2: an empty cell"):
        read_assertions(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"pour", b"p\xe9ur", "not UTF-8"),
        (b"/c/en/jug\t", b"jug\t", "is not a concept"),
        (b"/c/en/jug\t", b"/c/en\t", "is not a concept"),
        (b'{"dataset"', b'[1] {"dataset"', "not JSON"),
    ],
)
def test_a_broken_line_of_the_own_form_is_named(
    tmp_path: Path, old: bytes, new: bytes, message: str
) -> None:
    path = tmp_path / "assertions.csv"
    path.write_bytes(line("UsedFor", "jug", "pour").encode().replace(old, new))
    with pytest.raises(TableError, match=rf"assertions.csv:1: .*{message}"):
        read_assertions(path)


def test_details_that_are_no_object_are_named(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    path.write_text(line("UsedFor", "jug", "pour").rpartition("\t")[0] + "\t[1]\n")
    with pytest.raises(TableError, match=r"csv:1: the fifth column is not a JSON object"):
        read_assertions(path)


def test_a_list_without_adjectives_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "adjectives.tsv"
    path.write_text("adjective\tclass\n")
    with pytest.raises(TableError, match="no adjective in it"):
        read_nonsubsective(path)
    with pytest.raises(TableError, match="no such file"):
        read_assertions(tmp_path / "missing.csv")


def test_prefixes_lose_their_hyphen_and_extras_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text("adjective\tclass\tin_nayak_60\nex-\tprivative\t1\nlate\tunlisted\t0\n")
    assert read_nonsubsective(path) == {"ex": "privative", "late": "unlisted"}
    assert read_nonsubsective(path, listed_only=True) == {"ex": "privative"}
    path.write_text("adjective\nfake\n")
    assert read_nonsubsective(path) == {"fake": "listed"}
    path.write_text("word\nfake\n")
    with pytest.raises(TableError, match="no column 'adjective'"):
        read_nonsubsective(path)


@pytest.mark.data
def test_the_sample_of_the_real_file_is_read(data_folder: Path) -> None:
    sample = read_assertions(data_folder / "conceptnet" / "assertions_format_sample.csv")
    assert sample["surface"].null_count() < sample.height
    assert sample["dataset"].str.starts_with("/d/").all()
    table = read_assertions(data_folder / "conceptnet" / "english_assertions.tsv.gz")
    assert table.filter(relation="CapableOf").height == 18_155
