"""The list of people who were erased, as keyed hashes: a restored backup erases them again."""

from __future__ import annotations

from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io import read_json, write_json
from plausibly.ratings.store.copying import study_number, tombstones

Erasures = set[tuple[str, float]]


def erasures_file(database: Path) -> Path:
    """Return where the list of a database is.

    >>> str(erasures_file(Path("study/answers.sqlite")))
    'study/answers.erased.json'
    """
    return database.with_name(f"{database.stem}.erased.json")


def keep_erasures(database: Path) -> None:
    """Write the tombstones of a database into the list next to it, for when the database is lost.

    The list has keyed hashes and times: without the study's key it leads to nobody.
    """
    path, number = erasures_file(database), study_number(database)
    known = read_erasures(path, number) if path.is_file() else set()
    rows = sorted(known | tombstones(database))
    write_json(path, {"study": number, "erased": [list(row) for row in rows]})


def read_erasures(source: Path, number: str) -> Erasures:
    """Return the erasures that a list or a study folder knows of.

    Args:
        source: The list, or a folder with one, with answers, or with both.
        number: The number of the study they must belong to.
    """
    if source.is_dir():
        lists = sorted(source.glob("*.erased.json"))
        databases = [one.with_name(one.name.replace(".erased.json", ".sqlite")) for one in lists]
        databases = [one for one in {*databases, source / "answers.sqlite"} if one.is_file()]
        if not lists and not databases:
            raise StudyError(
                f"{source}: the folder has neither answers.sqlite nor a list of erasures "
                "(*.erased.json)."
            )
        rows = [read_erasures(one, number) for one in lists]
        return set().union(*rows, *(_of_database(one, number) for one in databases))
    document = read_json(source)
    if not isinstance(document, dict) or not isinstance(document.get("erased"), list):
        raise StudyError(f"{source}: not a list of erasures, such as answers.erased.json.")
    _refuse_other(source, str(document.get("study")), number)
    return {(str(person), float(made)) for person, made in document["erased"]}


def _of_database(path: Path, number: str) -> Erasures:
    _refuse_other(path, study_number(path), number)
    return tombstones(path)


def _refuse_other(path: Path, of: str, number: str) -> None:
    if of != number:
        raise StudyError(f"{path}: belongs to another study ({of}, expected {number}).")
