"""Fetching published files from their sources, each checked before it is put in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plausibly.datasets.catalogue import DataFile, Dataset, FileState, verify
from plausibly.errors import StudyError
from plausibly.io import file_hash, replacing

HOST = "https://raw.githubusercontent.com"

FetchOutcome = Literal["present", "fetched", "replaced", "by hand"]


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of one file; `by hand` is one without a single source to fetch it from."""

    dataset: str
    file: str
    outcome: FetchOutcome
    path: Path | None
    origin: str


def fetch(datasets: Sequence[Dataset], folder: Path, *, host: str = HOST) -> Iterator[Fetched]:
    """Yield what became of every file, fetching those that are missing or have other bytes.

    Args:
        datasets: The datasets to complete.
        folder: The data folder; each dataset gets a folder of its own in it.
        host: Address of raw.githubusercontent.com, or of a mirror of it.

    Raises:
        StudyError: If a source cannot be reached or holds other bytes than it should; what was
            fetched before stays, and no broken file is left.
    """
    waiting = [
        (finding, file)
        for dataset in datasets
        for finding, file in zip(verify(folder, dataset), dataset.files, strict=True)
    ]
    for place, (finding, file) in enumerate(waiting):
        path = finding.path
        if finding.state != "ok" and file.fetched_name is not None:
            path = path or folder / finding.dataset / file.fetched_name
            try:
                _download(file, path, host)
            except StudyError as error:
                raise StudyError(f"{error}\n{_by_hand(waiting[place:], folder)}") from error
        yield Fetched(finding.dataset, file.name, _outcome(finding, file), path, file.origin)


def _outcome(finding: FileState, file: DataFile) -> FetchOutcome:
    if finding.state == "ok":
        return "present"
    if file.fetched_name is None:
        return "by hand"
    return "fetched" if finding.path is None else "replaced"


def _download(file: DataFile, path: Path, host: str) -> None:
    import pooch

    url = file.url(host) or ""
    with _folder(path.parent), replacing(path) as temporary:
        try:
            # Read whole: what is streamed keeps its socket open where the source answers 404.
            pooch.HTTPDownloader(stream=False)(url, str(temporary), None)
        except (OSError, ValueError) as error:
            raise StudyError(f"{url} cannot be fetched ({type(error).__name__}).") from error
        if file_hash(temporary) != file.fetched_sha256:
            raise StudyError(
                f"{url} does not hold the bytes it should (SHA-256 {file.fetched_sha256}); "
                "the download was discarded."
            )


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """Create a folder; if what is put into it fails, remove what was created."""
    created = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except StudyError:
        for one in created:
            one.rmdir()
        raise


def _by_hand(waiting: list[tuple[FileState, DataFile]], folder: Path) -> str:
    """Say which files to put into which folder without a network."""
    lines: list[str] = []
    for finding, file in waiting:
        if finding.state not in ("missing", "different"):
            continue
        heading = f"Without a network, put these files into {folder / finding.dataset}:"
        if heading not in lines:
            lines.append(heading)
        lines.append(f"  {' or '.join(file.names[:2])}  ({file.origin})")
    return "\n".join([*lines, f"Then check them with: plausibly data verify --data {folder}"])
