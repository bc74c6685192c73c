"""Files of experiments: one row or object per trial, of which some are ratings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from typing import Any

import polars as pl

from plausibly.errors import TableError, option
from plausibly.io.dialect import spelling
from plausibly.io.layout import Role
from plausibly.ratings.headers import exact_word, word_in

_TAG = re.compile(r"<[^>]*>")
_PRACTICE = re.compile(
    r"\b(practi[cs]e|training|warm.?up|übung|uebung|prova|entra[iî]nement)\b", re.I
)
_CHECK = re.compile(r"\b(attention|catch|check|control question)\b", re.I)
_TYPES = ("type", "item_type", "trial_type", "stimulus_type", "itemtype", "trialtype", "block")
_CALLED_CHECK = r"(?i)\b(attention|catch|instructed|bot)\b|^\s*check(s|ing)?\s*$"
_PARTS = ("phase", "task", "block", "part", "trial_part", "kind", "test_part", "label", "practice")
_PEOPLE = (
    *("prolific_pid", "prolific_id", "participant_id", "participant", "subject_id", "subject"),
    *("worker_id", "workerid", "annotator", "user_id", "id", "run_id"),
)
_ITEMS = ("item", "item_id", "itemid", "item_nr", "item_number", "stimulus_id", "stim_id")
_TEXTS = ("text", "sentence", "stimulus")
_TRUE = ("true", "1", "yes", "t", "y", "ja", "wahr", "vero", "sì", "si", "sí", "vrai", "oui")
_FALSE = ("false", "0", "no", "f", "n", "nein", "falsch", "falso", "faux", "non")


def without_tags(text: str) -> str:
    """Return what a participant saw of a text in HTML.

    >>> without_tags("<p>A dog &amp; a <b>cat</b></p>")
    'A dog & a cat'
    """
    return " ".join(unescape(_TAG.sub(" ", text)).split())


def named(names: Mapping[str, str], ours: str, columns: Sequence[str], where: object) -> str | None:
    """Return the column chosen for ours; raise if there is none of that name."""
    chosen = names.get(ours)
    if chosen is not None and chosen not in columns:
        found = ", ".join(columns)
        raise TableError(f"{where}: no column {chosen!r}. Columns found: {found}.")
    return chosen


def person_column(columns: Sequence[str]) -> str | None:
    """Return the column that names the participant.

    >>> person_column(["rt", "PROLIFIC_PID", "subject"])
    'PROLIFIC_PID'
    """
    return _first(columns, _PEOPLE, "annotator")


def item_column(columns: Sequence[str]) -> str | None:
    """Return the column that names the item."""
    return _first(columns, _ITEMS, "item")


def text_column(columns: Sequence[str]) -> str | None:
    """Return the column with the text of the item."""
    return _first(columns, _TEXTS, "item")


def _first(columns: Sequence[str], usual: Iterable[str], role: Role) -> str | None:
    spelled = {spelling(name): name for name in reversed(columns)}
    known = next((spelled[word] for word in usual if word in spelled), None)
    if known is not None:
        return known
    by_sense = [name for name in columns if (word := exact_word(name)) and word.role == role]
    return by_sense[0] if len(by_sense) == 1 else None


def is_practice(trial: Mapping[str, Any]) -> bool:
    """Return whether a trial only let people get used to the task.

    >>> is_practice({"phase": "practice"}), is_practice({"practice": "true"}), is_practice({})
    (True, True, False)
    """
    for name, value in _parts(trial):
        if name == "practice" and value.lower() in _TRUE:
            return True
        if name != "practice" and _PRACTICE.search(value.replace("_", " ")):
            return True
    return False


def is_check(trial: Mapping[str, Any]) -> bool:
    """Return whether a trial checks attention."""
    return any(
        _CHECK.search(value.replace("_", " "))
        for name, value in _parts(trial)
        if name != "practice"
    )


def check_columns(trials: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the columns that mark trials as checks of attention.

    >>> check_columns([{"phase": "main", "rt": 9}, {"phase": "catch", "rt": 8}])
    {'phase'}
    """
    cells = {(name, str(value)) for trial in trials for name, value in trial.items()}
    return {name for name, value in cells if is_check({name: value})}


def marked_checks(frame: pl.DataFrame) -> tuple[str, pl.Series] | None:
    """Return the column of a table that marks rows as checks, and which rows it marks.

    It is a column such as `is_catch` with yes and no, or a type with a word such as "catch". A
    column that marks all rows or none of them tells nothing.

    >>> frame = pl.DataFrame({"item": ["t1", "c1"], "catch_trial": ["FALSE", "TRUE"]})
    >>> marked_checks(frame)[1].to_list()
    [False, True]
    """
    for name in frame.columns:
        word, cells = exact_word(name), frame[name]
        if cells.dtype.is_nested():
            continue
        is_type = spelling(name) in _TYPES
        if not is_type and (word is None or word.role != "check"):
            continue
        words = cells.cast(pl.String).str.strip_chars().str.to_lowercase().str.replace_all("_", " ")
        marked = words.str.contains(_CALLED_CHECK) if is_type else words.is_in(_TRUE)
        boolean = is_type or words.drop_nulls().is_in([*_TRUE, *_FALSE]).all()
        marked = marked.fill_null(value=False)
        if boolean and marked.any() and not marked.all():
            return name, marked
    return None


def _parts(trial: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (spelling(name), str(value))
        for name, value in trial.items()
        if spelling(name) in _PARTS and value is not None
    ]


def field_roles(columns: Sequence[str], known: Mapping[str, Role]) -> dict[str, Role]:
    """Return the role of each column: as known by its spelling, or by what its header says."""
    roles: dict[str, Role] = {}
    for name in columns:
        word = word_in(name)
        role = known.get(spelling(name)) or (word.role if word else None)
        if role is not None:
            roles[name] = role
    return roles


def no_item(where: object, columns: Sequence[str]) -> TableError:
    """Return the error for a file in which nothing names the item."""
    return TableError(
        f"{where}: no column names the item. Name it with {option('columns')} (item=COLUMN). "
        f"Columns found: {', '.join(columns)}."
    )
