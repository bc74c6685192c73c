"""The PAP replication on an invented release: every number follows from the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.errors import StudyError, TableError
from plausibly.replications import Record, Value
from plausibly.replications import replicate as run
from worlds.pap import (
    NORMS,
    OURS,
    THEIRS,
    WORLD,
    Event,
    write_checks,
    write_mace,
    write_norms,
    write_release,
)

LABELS = {
    "owl guards honour": ("5", "1"),
    "owl carries lamp": ("5", "0"),
    "hope guards lamp": ("4", "0"),
    "hope is honour": ("1", "0"),
    "ship carries honour": ("2", "1"),
    "owl carry ship": ("4", "1"),
    "ship guards hope": ("1", "1"),
    "lamp is owl": ("2", "0"),
}


def replicate(folder: Path) -> dict[str, Record]:
    records = run("pap", data=folder).records
    assert len({record.id for record in records}) == len(records)
    return {record.id: record for record in records}


def recomputed(folder: Path) -> dict[str, Value]:
    return {name: record.recomputed for name, record in replicate(folder).items()}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    write_release(tmp_path)
    events = (*WORLD, Event("lamp is owl", "implausible", "c-a-c", "1"))
    write_mace(tmp_path, LABELS, events, most_probable={"owl carries lamp": ("1", "1")})
    write_norms(tmp_path)
    write_checks(tmp_path)
    return tmp_path


def test_sizes_are_counted_in_the_file(world: Path) -> None:
    found = recomputed(world)
    assert (found["pap.triples.total"], found["pap.ratings.total"]) == (7, 63)
    assert (found["pap.triples.attested"], found["pap.triples.perturbed"]) == (4, 3)
    assert found["pap.ratings.share_plausible"] == pytest.approx(35 / 63)
    assert found["pap.mean_ratings"] == 9
    assert found["pap.ratings_per_triple.counts"] == {"8": 3, "9": 1, "10": 3}
    assert found["pap.ratings_per_triple.more_than_8"] == 4
    assert found["pap.table3.low_agreement.ratings.perturbed"] == 27


def test_earlier_rows_of_table_3_and_agreement_cannot_be_recomputed(world: Path) -> None:
    records = replicate(world)
    assert records["pap.table3.raw.ratings.total"].verdict == "not computable"
    assert records["pap.table3.low_agreement.annotators.attested"].verdict == "not computable"
    assert records["pap.iaa.soft_jaccard"].verdict == "not computable"
    assert records["pap.mace.rerun"].recomputed is None


def test_seven_of_ten_ratings_are_a_strict_majority(world: Path) -> None:
    found = recomputed(world)
    counts = [
        found[f"pap.table1.count.{condition}.{column}"]
        for condition in ("attested", "perturbed")
        for column in ("plausible", "implausible", "unsure")
    ]
    assert counts == [2, 1, 1, 1, 1, 1]
    assert found["pap.table1.count.on_the_boundary"] == 1
    more_than = found["pap.table1.count.more_than"]
    assert isinstance(more_than, dict)
    assert more_than["attested.plausible"] == 1
    assert more_than["attested.unsure"] == 2


def test_constituents_are_counted_at_their_own_place(world: Path) -> None:
    found = recomputed(world)
    cell = "pap.table1.proportion.attested.plausible"  # c-m-a and c-c-c
    assert found[f"{cell}.subject.concrete"] == pytest.approx(2 / 6)
    assert found[f"{cell}.verb.mid-range"] == pytest.approx(1 / 6)
    assert found[f"{cell}.object.abstract"] == pytest.approx(1 / 6)
    assert found[f"{cell}.subject.abstract"] == 0


def test_a_column_without_triples_has_no_proportions(tmp_path: Path) -> None:
    write_release(tmp_path, [WORLD[0], WORLD[4]])
    record = replicate(tmp_path)["pap.table1.proportion.attested.unsure.verb.abstract"]
    assert (record.recomputed, record.verdict) == (None, "not computable")


def test_right_columns_have_no_errata(world: Path) -> None:
    found = recomputed(world)
    assert found["pap.majority_multiclass.errata"] == 0
    assert found["pap.majority_binary"] == 7
    assert found["pap.distribution_multiclass"] == 7
    assert found["pap.distribution_multiclass.bit_exact"] == 7
    assert found["pap.distribution_binary"] == 7
    assert found["pap.distribution_binary.swapped"] == 0
    assert found["pap.majority_binary.unsure.ties"] == 2


def test_every_wrong_cell_of_a_released_column_is_counted(tmp_path: Path) -> None:
    changed: dict[str, dict[str, object]] = {
        "hope is honour": {"majority_multiclass": "unsure"},
        "owl carries lamp": {"majority_binary": "unsure", "distribution_binary": [30.0, 70.0]},
        "hope guards lamp": {"distribution_multiclass": [0.0, 50.0, 50.00000000001, 0.0]},
        "ship guards hope": {"distribution_multiclass": [50.0, 0.0, 50.0, 0.0]},
    }
    write_release(tmp_path, changed=changed)
    found = recomputed(tmp_path)
    assert found["pap.majority_multiclass.errata"] == 1
    assert found["pap.majority_multiclass.count.1"] == 1
    assert found["pap.majority_binary"] == 6
    assert found["pap.distribution_binary"] == 6
    assert found["pap.distribution_binary.swapped"] == 1
    assert found["pap.distribution_multiclass"] == 6
    assert found["pap.distribution_multiclass.bit_exact"] == 5


def test_figures_3_and_4_bin_medians_and_means(world: Path) -> None:
    found = recomputed(world)
    assert found["pap.figure3.a.perturbed"] == {"1": 5, "2": 8, "4": 5, "5": 9}
    medians = {"[1;2]": 1, "(2;3]": 1, "(3;4]": 0, "(4;5]": 2}
    assert found["pap.figure3.b.median.attested"] == medians
    assert found["pap.figure3.b.median.peak.attested"] == "(4;5]"
    assert found["pap.figure4.medians.perturbed"] == {"above": 1, "below": 1, "on": 1}
    assert found["pap.figure4.deviation.population.attested"] == pytest.approx(
        (0 + 4 * 0.21**0.5 + 1 + 0) / 4
    )


def test_figure_5_counts_majorities_by_combination(tmp_path: Path) -> None:
    events = [
        Event("a b c", "plausible", "c-c-m", "5555555555"),
        Event("a b d", "plausible", "c-c-m", "5555511111"),
        Event("a b e", "plausible", "c-c-m", "5555511111"),
        Event("a b f", "plausible", "a-a-a", "5555555111"),
        Event("a b g", "implausible", "a-c-c", "1111111111"),
        Event("a b h", "implausible", "m-a-m", "5555555555"),
        Event("a b i", "implausible", "c-a-c", "5555555555"),
        Event("a b j", "implausible", "c-a-c", "5555511111"),
    ]
    write_release(tmp_path, events)
    found = recomputed(tmp_path)
    assert found["pap.figure5a.combination.c-c-m"] == {
        "plausible": 1,
        "implausible": 0,
        "unsure": 2,
    }
    assert found["pap.figure5a.below_half"] == ["c-c-m"]
    assert found["pap.figure5a.below_half.more_than"] == ["a-a-a", "c-c-m"]
    assert found["pap.figure5a.mean_share.unsure"] == pytest.approx((2 / 3 + 0) / 2)
    assert found["pap.figure5a.pooled_share.unsure"] == pytest.approx(2 / 4)
    assert found["pap.figure5a.overlap"] == 2
    assert found["pap.figure5a.overlap.with_unsure"] == 1
    assert found["pap.figure5b.implausible_leads"] == ["a-c-c"]
    assert found["pap.figure5b.plausible_majority.names"] == ["m-a-m"]
    assert found["pap.figure5b.plausible_majority.exactly_half"] == ["c-a-c"]
    assert found["pap.figure5b.no_majority"] == 0
    assert found["pap.figure5b.no_majority.with_ties"] == pytest.approx(1 / 3)
    assert found["pap.combination.smallest.names.attested"] == ["a-a-a"]
    assert found["pap.combination.smallest.names.perturbed"] == ["a-c-c", "m-a-m"]


def test_agreement_pairs_ratings_of_one_triple(tmp_path: Path) -> None:
    write_release(tmp_path, [Event("a b c", "plausible", "a-a-a", "5541")])
    found = recomputed(tmp_path)
    assert found["pap.iaa.same_side"] == pytest.approx(3 / 6)
    assert found["pap.iaa.same_side.perturbed"] is None


def test_mace_labels_are_compared_with_distributions_and_majorities(world: Path) -> None:
    found = recomputed(world)
    assert found["pap.mace.triples"] == 8
    assert found["pap.mace.triples.covered"] == 7
    assert found["pap.mace.argmax.binary"] == 1
    assert found["pap.mace.argmax.multiclass"] == 1
    assert found["pap.mace.sides_disagree"] == 4
    assert found["pap.mace.labels.binary"] == {"0": 4, "1": 4}
    assert found["pap.mace.majority.decided"] == 5
    assert found["pap.mace.majority.agree"] == 3
    assert found["pap.mace.majority.plausible_to_implausible"] == 1
    assert found["pap.mace.majority.implausible_to_plausible"] == 1
    assert (found["pap.mace.unsure.plausible"], found["pap.mace.unsure.implausible"]) == (1, 1)
    assert found["pap.mace.simple_majority.untied"] == 5
    assert found["pap.mace.multiclass_majority.decided"] == 4
    assert found["pap.mace.multiclass_majority.agree"] == 4
    assert found["pap.mace.original_label.released"] == 1
    assert found["pap.mace.original_label.all"] == 2


def test_mace_files_of_different_length_are_refused(world: Path) -> None:
    path = world / OURS["binary"]
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(TableError, match=r"binary_distributions.txt: 7 lines.*has 8 rows"):
        replicate(world)


def test_a_broken_mace_cell_is_named_with_its_line(world: Path) -> None:
    path = world / OURS["multiclass"]
    path.write_text(path.read_text().replace("5.0 ", "5.0,", 1))
    with pytest.raises(TableError, match=r"multiclass_distributions.txt:1: '5.0,0.08"):
        replicate(world)


def test_words_are_looked_up_in_the_norms(world: Path) -> None:
    found = recomputed(world)
    assert found["pap.norms.rows"] == 9
    assert (found["pap.norms.two_words"], found["pap.norms.no_pos"]) == (1, 1)
    assert found["pap.norms.coverage"] == 21
    assert found["pap.norms.uninflected_verbs"] == 1
    assert found["pap.norms.letter_order"] == "subject-verb-object"
    assert found["pap.norms.mean.verb"] == pytest.approx({"a": 1.9, "m": 2.6, "c": 3.9})
    assert found["pap.norms.range.attested.subject"] == {
        "a": [1.3, 1.3],
        "m": None,
        "c": [4.9, 4.9],
    }
    assert found["pap.norms.exceptions"] == []


def test_the_form_that_is_mostly_a_verb_is_looked_up(tmp_path: Path) -> None:
    write_release(tmp_path, [Event("owl uses lamp", "plausible", "c-m-c", "5")])
    write_norms(tmp_path, {**NORMS, "us": (3.0, "Pronoun"), "use": (2.8, "Verb")})
    found = recomputed(tmp_path)
    assert found["pap.norms.ambiguous_verbs"] == 1
    assert found["pap.norms.range.attested.verb"] == {"a": None, "m": [2.8, 2.8], "c": None}


def test_a_word_outside_its_bin_is_named_with_its_plural(tmp_path: Path) -> None:
    nouns = {"x": 1.9, "y": 2.4, "s": 2.35, "z": 2.3, "t": 2.6, "u": 3.2, "v": 3.4, "w": 4.8}
    events = [
        Event(f"{noun} is {noun}", "implausible", f"{letter}-a-{letter}", "5")
        for noun, letter in zip("xysztuvw", "aaammmmc", strict=True)
    ]
    write_release(tmp_path, events)
    plural = {"zs": (3.3, "Noun")}
    rated = {noun: (mean, "Noun") for noun, mean in nouns.items()}
    write_norms(tmp_path, {**NORMS, **plural, **rated})
    found = recomputed(tmp_path)
    assert found["pap.norms.misplaced.perturbed.object"] == 1
    assert found["pap.norms.misplaced.perturbed.verb"] == 0
    assert found["pap.norms.exceptions"] == ["t", "z"]
    assert found["pap.norms.exceptions.as_plural"] == {"t": None, "z": 3.3}
    assert found["pap.norms.range.perturbed.object"] == {
        "a": [1.9, 2.4],
        "m": [3.2, 3.4],
        "c": [4.8, 4.8],
    }


def test_letters_of_one_word_are_compared_over_places(tmp_path: Path) -> None:
    events = [
        Event("owl is lamp", "plausible", "c-a-c", "5"),
        Event("owl is owl", "plausible", "m-a-c", "5"),
    ]
    write_release(tmp_path, events)
    found = recomputed(tmp_path)
    assert found["pap.letters.two_letters"] == 1
    assert (found["pap.letters.both_roles"], found["pap.letters.both_roles_differ"]) == (1, 1)


def test_check_instances_are_counted(world: Path) -> None:
    records = replicate(world)
    assert records["pap.check_instances"].recomputed == 3
    assert records["pap.check_instances.withdrawn"].verdict == "not computable"
    assert records["pap.check_instances.withdrawn.known"].recomputed == 1


def test_files_that_are_not_there_make_numbers_not_computable(world: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    write_release(bare)
    whole, few = replicate(world), replicate(bare)
    assert {n for n, r in few.items() if r.published} == {
        n for n, r in whole.items() if r.published
    }
    for name in ("pap.mace.triples", "pap.norms.rows", "pap.check_instances"):
        assert few[name].verdict == "not computable"
        assert whole[name].verdict != "not computable"
    assert "not in the data folder" in few["pap.norms.rows"].note
    assert few["pap.ratings.total"] == whole["pap.ratings.total"]


def test_the_names_of_the_sources_are_as_good_as_ours(world: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    for place, name in OURS.items():
        target = theirs / THEIRS[place]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((world / name).read_bytes())
    write_checks(theirs)
    assert recomputed(theirs) == recomputed(world)


def test_the_order_of_rows_never_matters(world: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    write_release(other, list(reversed(WORLD)))
    write_release(tmp_path / "same")
    assert recomputed(other) == recomputed(tmp_path / "same")


def test_a_missing_dataset_names_the_folder_and_the_command(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as caught:
        replicate(tmp_path)
    message = str(caught.value)
    assert f"{tmp_path / 'pap'}: no such folder" in message
    assert "events_with_ratings.tsv or dataset.tsv" in message
    assert f"plausibly data get pap --data {tmp_path}" in message


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("abstractness_combination", "a-x-c"),
        ("distribution_multiclass", "[1.0, 2.0]"),
        ("distribution_binary", "none"),
    ],
)
def test_a_broken_cell_is_named_with_its_line(tmp_path: Path, column: str, cell: str) -> None:
    path = write_release(tmp_path, changed={WORLD[2].text: {column: cell}})
    with pytest.raises(TableError, match=rf"{path}:4: {column} is not"):
        replicate(tmp_path)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = write_release(tmp_path)
    path.write_text(path.read_text().replace("majority_binary", "majority"))
    with pytest.raises(TableError, match="no column 'majority_binary'"):
        replicate(tmp_path)


def test_every_record_has_a_rule_and_one_sentence(world: Path) -> None:
    for name, record in replicate(world).items():
        assert name.startswith("pap.")
        assert record.rule
        assert record.note.endswith(".")
        json.dumps(record.as_json(), allow_nan=False)
