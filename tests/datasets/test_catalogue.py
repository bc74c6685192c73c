"""The catalogue of published datasets, and where their files lie."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from plausibly.datasets.catalogue import (
    DataFile,
    Dataset,
    catalogue,
    datasets,
    find,
    locate,
    verify,
)
from plausibly.errors import StudyError, UnknownName

# Nobody could fetch these here, so no checksum is known.
UNPINNED = {
    "sp10k": ["winograd/predictions_pp.csv"],
    "adept": ["test.json"],
    "pep3k": ["pos-all.txt", "neg-all.txt"],
    "20q": ["valid.tsv", "test.tsv"],
}


def one_file(content: bytes, **facts: object) -> Dataset:
    known: dict[str, object] = {
        "name": "table.tsv",
        "path": "data/table_annotation.txt",
        "repository": "someone/somewhere",
        "commit": "c0ffee",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    file = DataFile(**{**known, **facts})  # type: ignore[arg-type]
    return Dataset(
        name="toy",
        title="A toy",
        licence="none",
        citation="nobody",
        repository="someone/somewhere",
        commit="c0ffee",
        files=(file,),
    )


def test_the_published_datasets_are_known() -> None:
    assert {"pap", "adept", "sp10k", "gita", "norms", "mace"} <= set(catalogue())


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_dataset_says_where_it_comes_from(name: str) -> None:
    dataset = catalogue()[name]
    assert dataset.licence
    assert re.search(r"\(\d{4}\)|Wikipedia", dataset.citation)
    assert re.fullmatch(r"[0-9a-f]{40}", dataset.commit)
    assert len({file.name for file in dataset.files}) == len(dataset.files)
    assert dataset.size > 0 or not any(file.checksums for file in dataset.files)


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_every_file_is_pinned_or_says_that_it_is_not(name: str) -> None:
    for file in catalogue()[name].files:
        assert (file.path is None) != (file.made_from is None)
        assert (file.size is None) == (file.sha256 is None) == (not file.checksums)
        assert all(re.fullmatch(r"[0-9a-f]{64}", known) for known in file.checksums)
        assert re.fullmatch(r"[0-9a-f]{40}", file.commit)
        assert (file.fetched_name is None) == (file.path is None or not file.checksums)
    unpinned = [file.name for file in catalogue()[name].files if not file.checksums]
    assert unpinned == UNPINNED.get(name, [])


def test_no_two_files_of_a_dataset_answer_to_one_name() -> None:
    for dataset in catalogue().values():
        names = [name for file in dataset.files for name in file.names]
        assert len(names) == len(set(names))


def test_an_unknown_dataset_or_file_gets_a_proposal(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"unknown dataset 'papp'. Did you mean 'pap'\?"):
        datasets(["papp"])
    with pytest.raises(UnknownName, match=r"unknown file of pap 'event_with_ratings.tsv'"):
        find(tmp_path, "pap", "event_with_ratings.tsv")


@pytest.mark.parametrize(
    "name",
    [
        "mace/predicted_labels.tsv",
        "mace_aggregations/aggregated_predictions.tsv",
        "mace/aggregated_predictions.tsv",
        "aggregated_predictions.tsv",
    ],
)
def test_a_file_is_found_under_our_name_and_its_own(tmp_path: Path, name: str) -> None:
    path = tmp_path / "pap" / name
    path.parent.mkdir(parents=True)
    path.write_text("x")
    assert locate(tmp_path, "pap", "mace/predicted_labels.tsv") == path


def test_our_name_comes_before_the_sources_own(tmp_path: Path) -> None:
    (tmp_path / "pap").mkdir()
    (tmp_path / "pap/dataset.tsv").write_text("theirs")
    assert locate(tmp_path, "pap", "events_with_ratings.tsv").name == "dataset.tsv"
    (tmp_path / "pap/events_with_ratings.tsv").write_text("ours")
    assert locate(tmp_path, "pap", "events_with_ratings.tsv").read_text() == "ours"


def test_a_missing_file_names_the_folder_to_fill_and_the_command(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no such folder"):
        locate(tmp_path, "norms", "brysbaert2014_concreteness.tsv")
    (tmp_path / "norms").mkdir()
    with pytest.raises(StudyError) as caught:
        locate(tmp_path, "norms", "brysbaert2014_concreteness.tsv")
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'norms'}: no brysbaert2014_concreteness.tsv in it.")
    assert "Concreteness_ratings_Brysbaert_et_al_BRM.txt" in message
    assert message.endswith(f"plausibly data get norms --data {tmp_path}")


def test_a_folder_is_verified_file_by_file(tmp_path: Path) -> None:
    toy = one_file(b"right")
    [missing] = verify(tmp_path, toy)
    assert (missing.state, missing.path) == ("missing", None)
    path = tmp_path / "toy/table.tsv"
    path.parent.mkdir()
    path.write_bytes(b"wrong")
    [different] = verify(tmp_path, toy)
    assert (different.state, different.path) == ("different", path)
    path.write_bytes(b"right")
    [fine] = verify(tmp_path, toy)
    assert (fine.state, fine.file) == ("ok", "table.tsv")


def test_a_file_may_have_the_bytes_of_its_source(tmp_path: Path) -> None:
    unpacked = hashlib.sha256(b"unpacked").hexdigest()
    toy = one_file(b"packed", name="table.tsv.gz", path="table.tsv", source_sha256=unpacked)
    path = tmp_path / "toy/table.tsv"
    path.parent.mkdir()
    path.write_bytes(b"unpacked")
    assert [finding.state for finding in verify(tmp_path, toy)] == ["ok"]
    assert toy.files[0].fetched_name == "table.tsv"


def test_an_unpinned_file_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    toy = one_file(b"", size=None, sha256=None)
    assert [finding.state for finding in verify(tmp_path, toy)] == ["not pinned"]


@pytest.mark.data
def test_the_published_data_has_the_known_checksums(data_folder: Path) -> None:
    states = {
        (finding.dataset, finding.file): finding.state
        for dataset in datasets()
        for finding in verify(data_folder, dataset)
        if (data_folder / dataset.name).is_dir()
    }
    assert "different" not in states.values()
    assert states["pap", "events_with_ratings.tsv"] == "ok"
    for dataset in datasets(["pap", "norms"]):
        for file in dataset.files:
            assert locate(data_folder, dataset.name, file.name).stat().st_size == file.size
