"""`replicate sp10k` over data folders made here."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.errors import StudyError, TableError
from plausibly.replications import Record, replicate

RELATIONS = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
PAIRS = [("eat", "soup", 9.0), ("eat", "bread", 6.0), ("eat", "door", 2.0), ("eat", "idea", 1.25)]


def data(folder: Path, relations: tuple[str, ...] = RELATIONS) -> Path:
    """Return a data folder in which every relation has one head with four dependents."""
    place = folder / "sp10k"
    (place / "winograd").mkdir(parents=True)
    for relation in relations:
        text = "".join(f"{head}\t{dependent}\t{score}\n" for head, dependent, score in PAIRS)
        (place / f"{relation}.tsv").write_text(text)
    return folder


def by_id(folder: Path) -> dict[str, Record]:
    records = replicate("sp10k", data=folder).records
    assert len({record.id for record in records}) == len(records)
    return {record.id: record for record in records}


def test_without_the_folder_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="sp10k: no such folder"):
        replicate("sp10k", data=tmp_path)


def test_pairs_heads_and_groups_are_counted(tmp_path: Path) -> None:
    records = by_id(data(tmp_path))
    assert records["sp10k.pairs.total"].recomputed == 20
    assert records["sp10k.heads.dobj"].recomputed == 1
    assert records["sp10k.dependents_per_head.dobj"].recomputed == 4
    assert records["sp10k.score.mean.amod.frequent"].recomputed == 7.5
    assert records["sp10k.groups.nsubj"].recomputed == {
        "perfect": 1,
        "good": 1,
        "normal": 0,
        "unusual": 1,
        "impossible": 1,
    }
    assert records["sp10k.groups.all.perfect"].recomputed == 5
    assert records["sp10k.groups.on_bounds"].recomputed == 10
    assert records["sp10k.groups.upper_inclusive"].recomputed == {
        "perfect": 5,
        "good": 0,
        "normal": 5,
        "unusual": 0,
        "impossible": 10,
    }


def test_a_relation_of_one_pair_has_no_random_half(tmp_path: Path) -> None:
    (data(tmp_path) / "sp10k" / "dobj.tsv").write_text("eat\tsoup\t9.0\n")
    records = by_id(tmp_path)
    assert records["sp10k.score.mean.dobj"].recomputed == 9.0
    assert records["sp10k.score.mean.dobj.random"].recomputed is None


def test_a_head_whose_rows_are_scattered_is_no_block_of_four(tmp_path: Path) -> None:
    data(tmp_path)
    path = tmp_path / "sp10k" / "dobj.tsv"
    rows = [f"{head}\tx{n}\t5.0\n" for n, head in enumerate("aaabbbba")]
    path.write_text("".join(rows))
    assert by_id(tmp_path)["sp10k.dependents_per_head.dobj"].verdict == "erratum"


def test_what_needs_a_missing_relation_is_not_computable(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, ("dobj", "amod")))
    assert records["sp10k.pairs.dobj"].recomputed == 4
    for name in ("sp10k.pairs.total", "sp10k.vocabulary.nouns", "sp10k.pairs.nsubj"):
        assert records[name].verdict == "not computable"
        assert records[name].note == "A relation that this needs is not in the data folder."


def test_lost_tables_are_listed_as_such(tmp_path: Path) -> None:
    records = by_id(data(tmp_path))
    for table in ("table3", "table4", "table6", "table7"):
        assert records[f"sp10k.{table}"].verdict == "unprinted"
        assert "not in the available text" in records[f"sp10k.{table}"].note


def test_table_9_comes_from_the_scores_and_not_from_the_labels(tmp_path: Path) -> None:
    winograd = data(tmp_path) / "sp10k" / "winograd"
    (winograd / "predictions_sp10k.csv").write_text(
        "id, a, b, label, right\n1,2,0,A,A\n2,0,0,A,A\n3,0,3,NA,A\n4,0,0,NA,B"
    )
    records = by_id(tmp_path)
    assert records["sp10k.table9.sp10k.correct"].recomputed == 1
    assert records["sp10k.table9.sp10k.a_o"].recomputed == 2 / 4
    assert records["sp10k.table9.sp10k.by_label"].recomputed == [2, 0, 2]
    assert records["sp10k.table9.sp10k.two_scores_compared"].recomputed == 0
    missing = records["sp10k.winograd.all_annotated.a_o"]
    assert (missing.verdict, missing.recomputed) == ("not computable", None)


def test_predictions_of_posterior_probability_are_read_where_they_lie(tmp_path: Path) -> None:
    experiment = data(tmp_path) / "sp10k" / "experiment"
    experiment.mkdir()
    (experiment / "PP_prediction.txt").write_text(
        "id, a, b, label, right\n1,2,0,A,A\n2,0,0,NA,A\n3,0,3,B,A\n"
    )
    records = by_id(tmp_path)
    counts = [records[f"sp10k.table9.pp.{name}"] for name in ("correct", "wrong", "none")]
    assert [record.recomputed for record in counts] == [1, 1, 1]
    assert records["sp10k.table9.pp.a_o"].recomputed == 0.5


def test_the_half_credit_formula_follows_from_the_printed_counts(tmp_path: Path) -> None:
    records = by_id(data(tmp_path))
    assert records["sp10k.table9.pp.a_o"].recomputed == (36 + 0.5 * 17) / 72
    assert records["sp10k.table9.stanford.a_p"].verdict == "exact"
    assert records["sp10k.table9.pp.correct"].verdict == "not computable"


def test_questions_are_looked_up_in_the_pair_files(tmp_path: Path) -> None:
    winograd = data(tmp_path) / "sp10k" / "winograd"
    (winograd / "question_lookups.tsv").write_text(
        "question_id\thead_a\trole_a\thead_b\trole_b\tadjective\tanswer\n"
        "1\teat\tnsubj\trun\tdobj\tsoup\tA\n"
        "2\teat\tnsubj\teat\tdobj\tsoup\tB\n"
    )
    (winograd / "predictions_sp10k.csv").write_text("1,9,0,A,A\n2,9,8,A,B\n")
    (winograd / "selected_question_ids.txt").write_text("1, 2")
    (winograd / "wsc285.xml").write_text(
        "<schema><text><txt1>Soup <pron>it</pron></txt1></text>"
        "<correctAnswer> A. </correctAnswer></schema>"
        "<schema><text>None</text><correctAnswer>A</correctAnswer></schema>"
    )
    records = by_id(tmp_path)
    assert records["sp10k.table9.sp10k.by_pairs"].recomputed == [1, 0, 1]
    assert records["sp10k.table9.sp10k.changed_questions"].recomputed == ["2"]
    assert records["sp10k.winograd.last_question"].recomputed == 2
    assert records["sp10k.winograd.schemas"].recomputed == 2
    assert records["sp10k.winograd.gold"].recomputed == 1
    assert records["sp10k.winograd.adjective_elsewhere"].recomputed == 1


def test_a_broken_pair_is_named(tmp_path: Path) -> None:
    path = data(tmp_path) / "sp10k" / "dobj.tsv"
    path.write_text("eat\tsoup\t9.0\neat\tbread\n")
    with pytest.raises(TableError, match=r"dobj\.tsv:2: not a head, a dependent and a score"):
        replicate("sp10k", data=tmp_path)
