"""What a source names, for a verb that takes more than ratings: a study, a release, a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import TypeGuard

from plausibly.datasets.catalogue import data_folder
from plausibly.datasets.loading import FOLDERS, LoadedSet, load_folder, load_set
from plausibly.datasets.own import is_release
from plausibly.errors import StudyError
from plausibly.io.opening import is_stream
from plausibly.study.settings import FILE

KEPT = ("clean/ratings.parquet", "ratings.parquet")
"""Where a study has the ratings it kept; the first that there is."""


def is_study(source: object) -> TypeGuard[str | Path]:
    """Return whether a source is the path of a study folder.

    >>> is_study("no-such-folder")
    False
    """
    return isinstance(source, str | Path) and (Path(source) / FILE).is_file()


def kept_ratings(folder: Path) -> Path:
    """Return the file with the ratings that a study kept."""
    kept = next((folder / name for name in KEPT if (folder / name).is_file()), None)
    if kept is None:
        raise StudyError(
            f"{folder}: no ratings yet. Collect or import them, then: plausibly run {folder}"
        )
    return kept


def is_stored(source: object) -> bool:
    """Return whether a source is a study, or the ratings in it: missing answers are left out."""
    if not isinstance(source, str | Path):
        return False
    folders = (Path(str(source).removesuffix(name)) for name in KEPT if str(source).endswith(name))
    return is_study(source) or any(is_study(one) for one in folders)


def named_set(source: object, data: str | Path | None) -> LoadedSet | None:
    """Return the dataset or release that is named; None for ratings and studies.

    Args:
        source: Ratings, or the path or name of something.
        data: Folder with the published datasets (default: PLAUSIBLY_DATA).
    """
    if not isinstance(source, str | Path) or is_stream(Path(source)):
        return None
    path = Path(source)
    if str(source) in FOLDERS and not path.exists():
        return load_set(str(source), data_folder(data))
    if not path.exists():
        raise StudyError(
            f"{path}: no such file or folder. Published datasets: {', '.join(FOLDERS)}.",
            parameter="source",
        )
    if path.is_dir() and is_release(path):
        return load_folder(path)
    if path.is_dir() and not is_study(path):
        raise StudyError(f"{path}: neither a study nor a release.", parameter="source")
    return None
