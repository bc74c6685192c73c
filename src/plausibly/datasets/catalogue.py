"""The published datasets we know: files, sizes, checksums, licence, citation, source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import file_hash
from plausibly.io.opening import packaged_toml

NO_FOLDER = (
    f"no data folder named. Pass {option('data')} or set PLAUSIBLY_DATA; "
    "'plausibly data list' lists what belongs in it."
)
VARIABLE = "PLAUSIBLY_DATA"
State = Literal["ok", "missing", "different", "not pinned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """One file of a published dataset.

    Args:
        name: Its path inside the dataset's folder.
        repository: The GitHub repository it comes from.
        commit: The commit of that repository.
        path: Its own path there; None if it was made from several things.
        made_from: What it was made from, where it has no path of its own.
        size: Bytes; None if the file is not pinned.
        sha256: Of its bytes; None if the file is not pinned.
        source_sha256: Of the bytes at the source, where it is not packed as ours is.
    """

    name: str
    repository: str
    commit: str
    path: str | None = None
    made_from: str | None = None
    size: int | None = None
    sha256: str | None = None
    source_sha256: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name the file may lie under: ours first, then the source's own."""
        if self.path is None:
            return (self.name,)
        own = PurePosixPath(self.path)
        sibling = str(PurePosixPath(self.name).parent / own.name)
        return tuple(dict.fromkeys((self.name, self.path, sibling, own.name)))

    @property
    def checksums(self) -> frozenset[str]:
        """Every checksum that is right; none if the file is not pinned."""
        return frozenset(known for known in (self.sha256, self.source_sha256) if known)

    @property
    def fetched_name(self) -> str | None:
        """The name the file gets when it is fetched; None if it cannot be fetched and checked."""
        if self.path is None or not self.checksums:
            return None
        return PurePosixPath(self.path).name if self.source_sha256 else self.name

    @property
    def fetched_sha256(self) -> str | None:
        """The checksum of what the source holds."""
        return self.source_sha256 or self.sha256

    def url(self, host: str) -> str | None:
        """Return the address of the file at its source, or None if it has none."""
        if self.path is None:
            return None
        return f"{host.rstrip('/')}/{self.repository}/{self.commit}/{self.path}"

    @property
    def origin(self) -> str:
        """Where the file comes from, in words."""
        if self.path is None:
            return f"made from {self.made_from}"
        return f"{self.path} of github.com/{self.repository} at commit {self.commit[:10]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """One published dataset.

    Args:
        name: Of the dataset.
        title: What it is.
        licence: Under which its source gives it away.
        citation: What to cite.
        repository: Where it was published.
        commit: The version.
        files: Its files.
        scale: nominal, ordinal or interval, where the answers alone do not show it.
        bounds: Lowest and highest value of the scale.
        label_names: From a label to the word for it, where labels are codes.
        questions: From a question to what people were asked, in our words: text, options or bounds,
            words for answers, and a note on where the wording comes from.
    """

    name: str
    title: str
    licence: str
    citation: str
    repository: str
    commit: str
    files: tuple[DataFile, ...]
    scale: str | None = None
    bounds: Sequence[float] | None = None
    label_names: Mapping[str, str] = field(default_factory=dict)
    questions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of all pinned files together."""
        return sum(file.size or 0 for file in self.files)

    def file(self, name: str) -> DataFile:
        """Return one file by our name for it."""
        known = {file.name: file for file in self.files}
        if name not in known:
            raise UnknownName(f"file of {self.name}", name, known)
        return known[name]


def data_folder(data: str | Path | None = None) -> Path | None:
    """Return the folder with the published datasets, as passed or as the environment names it."""
    named = data or os.environ.get(VARIABLE)
    return Path(named) if named else None


@dataclass(frozen=True, slots=True)
class FileState:
    """How one file of a dataset is in a data folder; `path` is where it was found."""

    dataset: str
    file: str
    state: State
    path: Path | None


@cache
def catalogue() -> dict[str, Dataset]:
    """Return every dataset we know, by name."""
    return {
        name: _dataset(name, entry)
        for name, entry in packaged_toml("plausibly.datasets", "catalogue.toml").items()
    }


def _dataset(name: str, entry: dict[str, Any]) -> Dataset:
    source = {key: entry[key] for key in ("repository", "commit")}
    listed = tuple(DataFile(**{**source, **file}) for file in entry.pop("files"))
    return Dataset(name=name, files=listed, **entry)


def datasets(names: Sequence[str] = ()) -> list[Dataset]:
    """Return the named datasets, or all of them."""
    known = catalogue()
    for name in names:
        if name not in known:
            raise UnknownName("dataset", name, known)
    return [known[name] for name in names or known]


def find(folder: Path, dataset: str, file: str) -> Path | None:
    """Return where a file of a dataset lies, under our name or its source's; None if nowhere."""
    [known] = datasets([dataset])
    return _found(folder, known, known.file(file))


def locate(folder: Path, dataset: str, file: str) -> Path:
    """Return where a file of a dataset lies; raise naming the folder to fill and the command."""
    path = find(folder, dataset, file)
    if path is not None:
        return path
    [known] = datasets([dataset])
    where = folder / dataset
    what = f"no {file} in it" if where.is_dir() else "no such folder"
    wanted = known.file(file)
    raise StudyError(
        f"{where}: {what}. Put {' or '.join(wanted.names[:2])} there ({wanted.origin}), "
        f"or run: plausibly data get {dataset} --data {folder}"
    )


def present(folder: Path, names: Sequence[str]) -> dict[str, Path]:
    """Return the files of datasets that are in the data folder, as DATASET/FILE."""
    paths = {
        (one.name, file): _found(folder, one, file) for one in datasets(names) for file in one.files
    }
    return {f"{name}/{file.name}": path for (name, file), path in paths.items() if path}


def _found(folder: Path, dataset: Dataset, file: DataFile) -> Path | None:
    places = (folder / dataset.name / name for name in file.names)
    return next((place for place in places if place.is_file()), None)


def verify(folder: Path, dataset: Dataset) -> Iterator[FileState]:
    """Yield for every file of a dataset whether it is there and has the right bytes."""
    for file in dataset.files:
        path = _found(folder, dataset, file)
        yield FileState(dataset.name, file.name, _state(path, file), path)


def _state(path: Path | None, file: DataFile) -> State:
    if not file.checksums:
        return "not pinned"
    if path is None:
        return "missing"
    return "ok" if file_hash(path) in file.checksums else "different"
