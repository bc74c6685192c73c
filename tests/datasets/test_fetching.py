"""Fetching published files, from a server on this machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from plausibly.datasets.catalogue import DataFile, Dataset
from plausibly.datasets.fetching import Fetched, fetch
from plausibly.errors import StudyError
from worlds.web import serving

CONTENT = {"data/a_annotation.txt": b"first\n", "data/b_annotation.txt": b"second\n"}


def toy(content: dict[str, bytes]) -> Dataset:
    fetched = [
        DataFile(
            name=f"{Path(path).name[0]}.tsv",
            path=path,
            repository="someone/somewhere",
            commit="c0ffee",
            size=len(text),
            sha256=hashlib.sha256(text).hexdigest(),
        )
        for path, text in content.items()
    ]
    made = DataFile(
        name="made.tsv",
        made_from="a table of the paper",
        repository="someone/somewhere",
        commit="c0ffee",
        size=1,
        sha256=hashlib.sha256(b"m").hexdigest(),
    )
    return Dataset(
        name="toy",
        title="A toy",
        licence="none",
        citation="nobody",
        repository="someone/somewhere",
        commit="c0ffee",
        files=(*fetched, made),
    )


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    for path, text in CONTENT.items():
        target = tmp_path / "web/someone/somewhere/c0ffee" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text)
    with serving(tmp_path / "web") as address:
        yield address


def outcomes(results: Iterator[Fetched]) -> dict[str, str]:
    return {result.file: result.outcome for result in results}


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_missing_files_are_fetched_and_checked(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    found = outcomes(fetch([toy(CONTENT)], folder, host=host))
    assert found == {"a.tsv": "fetched", "b.tsv": "fetched", "made.tsv": "by hand"}
    assert files(folder) == {"a.tsv": b"first\n", "b.tsv": b"second\n"}


def test_what_is_there_and_right_is_not_fetched_again(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    list(fetch([toy(CONTENT)], folder, host=host))
    nowhere = "http://127.0.0.1:9"
    (folder / "toy/made.tsv").write_bytes(b"m")
    assert set(outcomes(fetch([toy(CONTENT)], folder, host=nowhere)).values()) == {"present"}


def test_a_file_under_the_sources_own_name_is_right_as_well(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    path = folder / "toy/data/a_annotation.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"first\n")
    assert outcomes(fetch([toy(CONTENT)], folder, host=host))["a.tsv"] == "present"


def test_a_file_with_other_bytes_is_replaced(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    (folder / "toy").mkdir(parents=True)
    (folder / "toy/a.tsv").write_bytes(b"half")
    assert outcomes(fetch([toy(CONTENT)], folder, host=host))["a.tsv"] == "replaced"
    assert (folder / "toy/a.tsv").read_bytes() == b"first\n"


def test_other_bytes_at_the_source_leave_nothing_behind(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    expected = toy({**CONTENT, "data/a_annotation.txt": b"other\n"})
    with pytest.raises(StudyError, match="does not hold the bytes it should"):
        list(fetch([expected], folder, host=host))
    assert files(folder) == {}


def test_other_bytes_at_the_source_leave_the_old_file_whole(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    (folder / "toy").mkdir(parents=True)
    (folder / "toy/a.tsv").write_bytes(b"old")
    expected = toy({**CONTENT, "data/a_annotation.txt": b"other\n"})
    with pytest.raises(StudyError, match="discarded"):
        list(fetch([expected], folder, host=host))
    assert files(folder) == {"a.tsv": b"old"}


def test_a_file_the_source_does_not_have_is_an_error(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "new" / "data"
    with pytest.raises(StudyError, match=r"c_annotation.txt cannot be fetched \(HTTPError\)"):
        list(fetch([toy({"data/c_annotation.txt": b""})], folder, host=host))
    assert not (tmp_path / "new").exists(), "a failed fetch leaves no empty folder"


def test_without_a_network_the_files_and_the_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError) as caught:
        list(fetch([toy(CONTENT)], tmp_path, host="http://127.0.0.1:9"))
    message = str(caught.value)
    assert "cannot be fetched (ConnectionError)" in message
    assert f"put these files into {tmp_path / 'toy'}:" in message
    for name in ("a.tsv or data/a_annotation.txt", "b.tsv", "made.tsv"):
        assert name in message
    assert f"plausibly data verify --data {tmp_path}" in message
    assert list(tmp_path.iterdir()) == []


def test_what_was_fetched_before_an_error_stays(tmp_path: Path, host: str) -> None:
    folder = tmp_path / "data"
    with pytest.raises(StudyError) as caught:
        list(fetch([toy({**CONTENT, "data/c_annotation.txt": b"x"})], folder, host=host))
    assert set(files(folder)) == {"a.tsv", "b.tsv"}
    assert "a.tsv" not in str(caught.value)
    assert "c.tsv or data/c_annotation.txt" in str(caught.value)
