"""Resnik's association: by hand on a small tree of classes, and through the front door."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import plausibly as pb
from plausibly.cli import run
from plausibly.datasets.wordnet import read_nouns
from plausibly.errors import StudyError, TableError
from plausibly.models.resnik import associations, noun_classes, stored_classes
from plausibly.verbs.models.fit import FittedModel

# thing 1 > (food 2 > (apple 3, bread 4)), (tool 5 > hammer 6); "bread" is also money (7, under 1).
INDEX = """  1 a licence stands here
apple n 1 1 @ 1 0 00000003
bread n 2 1 @ 2 0 00000004 00000007
food n 1 1 @ 1 0 00000002
hammer n 1 1 @ 1 0 00000006
ice_cream n 1 1 @ 1 0 00000004
thing n 1 1 ~ 1 0 00000001
tool n 1 1 @ 1 0 00000005
"""
DATA = """  1 a licence stands here
00000001 03 n 01 thing 0 003 ~ 00000002 n 0000 ~ 00000005 n 0000 ~ 00000007 n 0000 | what there is
00000002 13 n 01 food 0 001 @ 00000001 n 0000 | what is eaten
00000003 13 n 01 apple 0 001 @ 00000002 n 0000 | a fruit | of a tree
00000004 13 n 02 bread 0 ice_cream 0 001 @ 00000002 n 0000 | baked
00000005 06 n 01 tool 0 001 @ 00000001 n 0000 | for work
00000006 06 n 01 hammer 0 001 @i 00000005 n 0000 | to hit with
00000007 21 n 01 bread 1 001 @ 00000001 n 0000 | money
"""
COUNTS = """relation,head,dependent,count
dobj,eat,apple,6
dobj,eat,bread,2
dobj,swing,hammer,4
dobj,swing,gizmo,3
amod,apple,ripe,5
amod,hammer,heavy,5
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    folder = tmp_path / "dict"
    folder.mkdir()
    (folder / "index.noun").write_text(INDEX, encoding="utf-8")
    (folder / "data.noun").write_text(DATA, encoding="utf-8")
    return folder


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "counts.csv"
    path.write_text(COUNTS, encoding="utf-8")
    return path


def scored(model: FittedModel, folder: Path, pairs: list[tuple[str, str, str]]) -> pl.DataFrame:
    model.save(folder / "resnik.model")
    table = pl.DataFrame(pairs, schema=["relation", "head", "dependent"], orient="row")
    table.write_csv(folder / "pairs.tsv", separator="\t")
    return pb.models_predict(folder / "resnik.model", folder / "pairs.tsv").predictions


def test_a_noun_belongs_to_its_senses_and_all_above_them(wordnet: Path) -> None:
    nouns = read_nouns(wordnet)
    assert nouns.classes("Bread") == (1, 2, 4, 7)
    assert nouns.classes("hammer") == (1, 5, 6)
    assert nouns.classes("gizmo") == ()


def test_the_association_is_what_one_computes_by_hand(
    wordnet: Path, counts: Path, tmp_path: Path
) -> None:
    fitted = pb.models_fit("resnik", counts=counts, wordnet=wordnet)
    pairs = [("dobj", "eat", "apple"), ("dobj", "eat", "food"), ("dobj", "swing", "apple")]
    table = scored(fitted, tmp_path, pairs).sort("item")
    eat = {1: 2 + 0.5, 2: 2 + 0.5, 3: 2.0, 4: 0.5, 7: 0.5}
    swing = {1: 4 / 3, 5: 4 / 3, 6: 4 / 3}
    prior = {c: eat.get(c, 0) + swing.get(c, 0) for c in {*eat, *swing}}
    whole, own = sum(prior.values()), sum(eat.values())
    gain = {c: n / own * log(n / own * whole / prior[c]) for c, n in eat.items()}
    expected = {c: value / sum(gain.values()) for c, value in gain.items()}
    best = max(expected[c] for c in (1, 2, 3))
    by_item = dict(table.select("item", "score").rows())
    assert by_item["dobj|eat|apple"] == pytest.approx(best)
    assert by_item["dobj|eat|food"] == pytest.approx(max(expected[1], expected[2]))
    assert by_item["dobj|swing|apple"] < by_item["dobj|eat|apple"]


def test_evidence_says_what_a_score_rests_on(wordnet: Path, counts: Path, tmp_path: Path) -> None:
    fitted = pb.models_fit("resnik", counts=counts, wordnet=wordnet)
    pairs = [
        ("dobj", "eat", "apple"),
        ("dobj", "eat", "tool"),
        ("dobj", "swing", "gizmo"),
        ("dobj", "sing", "apple"),
        ("amod", "tool", "heavy"),
    ]
    table = scored(fitted, tmp_path, pairs)
    evidence = dict(table.select("item", "evidence").rows())
    score = dict(table.select("item", "score").rows())
    assert evidence["dobj|eat|apple"] == "seen"
    assert evidence["dobj|eat|tool"] == evidence["amod|tool|heavy"] == "backed-off"
    assert score["amod|tool|heavy"] > 0
    for unknown in ("dobj|swing|gizmo", "dobj|sing|apple"):
        assert evidence[unknown] == "unknown"
        assert score[unknown] is None


def test_without_wordnet_it_is_said_what_to_install(
    counts: Path,
    wordnet: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    line = ["models", "fit", "resnik", "--counts", str(counts), "-o", str(tmp_path / "m")]
    assert run(line) == 1
    assert "as --wordnet, or" in capsys.readouterr().err
    monkeypatch.setenv("WNSEARCHDIR", str(wordnet))
    assert run(line) == 0
    with pytest.raises(StudyError, match=r"no index\.noun"):
        pb.models_fit("resnik", counts=counts, wordnet=tmp_path)
    with pytest.raises(StudyError, match="wordnet= is for resnik"):
        pb.models_fit("pp", counts=counts, wordnet=wordnet)
    (wordnet / "data.noun").write_text("nothing of the kind\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"data\.noun:1"):
        pb.models_fit("resnik", counts=counts, wordnet=wordnet)


def test_classes_are_stored_and_read_back(wordnet: Path) -> None:
    classes = noun_classes(read_nouns(wordnet))
    again = stored_classes(classes.arrays())
    assert again.nouns.words == classes.nouns.words
    assert "ice_cream" not in classes.nouns.words
    assert np.allclose(again.table.toarray(), classes.table.toarray())


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=2, max_size=5).filter(
        lambda rows: all(map(sum, rows))
    )
)
def test_associations_of_a_head_add_up_to_one(rows: list[list[int]]) -> None:
    table = np.array(rows, dtype=float)
    own = associations(sparse.csr_array(table), table.sum(axis=0)).toarray().sum(axis=1)
    share = table / table.sum(axis=1, keepdims=True)
    same = np.isclose(share, table.sum(axis=0) / table.sum()).all(axis=1)
    assert np.allclose(own[~same], 1.0)
