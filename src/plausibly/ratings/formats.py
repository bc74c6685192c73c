"""The forms ratings come in, by name, and what reading one of them yields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import polars as pl

from plausibly.errors import StudyError, TableError, option
from plausibly.io import frame_rows, reading
from plausibly.io.answers import with_retests
from plausibly.io.choices import CHOICES, ReadingChoices, choosing
from plausibly.io.imported import Imported, check_names
from plausibly.io.layout import layout_of
from plausibly.io.missing import Missing, missing_answers
from plausibly.registry import Registry

if TYPE_CHECKING:
    from plausibly.ratings.people import Naming


class Reader(Protocol):
    """Reads one form; `names` maps our columns to the file's where they differ."""

    def __call__(self, path: Path, *, names: Mapping[str, str], **missing: Missing) -> Imported:
        """Return what the file holds; forms that hold answers of any kind take `missing`."""


class Writer(Protocol):
    """Writes one form; what a form has no place for is left out."""

    def __call__(
        self, ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None
    ) -> None:
        """Write the ratings to `path`, whole or not at all."""


READERS: Registry[Reader] = Registry(
    "format",
    {
        "answers": "plausibly.ratings.collected:read_answers",
        "argilla": "plausibly.ratings.argilla:read_argilla",
        "doccano": "plausibly.ratings.doccano:read_doccano",
        "jspsych": "plausibly.ratings.jspsych:read_jspsych",
        "pcibex": "plausibly.ratings.pcibex:read_pcibex",
        "prodigy": "plausibly.ratings.prodigy:read_prodigy",
        "long": "plausibly.ratings.long:read_long",
        "mace": "plausibly.datasets.mace:read_mace",
        "crowdkit": "plausibly.ratings.crowdkit:read_crowdkit",
        "pap": "plausibly.datasets.pap.events:read_pap",
        "iks": "plausibly.datasets.iks.sheets:read_iks",
        "labelstudio": "plausibly.ratings.labelstudio:read_labelstudio",
        "mturk": "plausibly.ratings.mturk:read_mturk",
        "potato": "plausibly.ratings.potato:read_potato",
        "prolific": "plausibly.ratings.prolific_answers:read_prolific_answers",
        "wide": "plausibly.ratings.wide:read_wide",
    },
    group="plausibly.formats",
)

AUTO = "auto"
"""The name of no format: what wrote the file is found out."""

# Forms that tell themselves where there is no answer.
OWN_SIGNS = ("answers", "iks", "pap")

# Forms that are a folder themselves.
FOLDERS = ("answers", "iks", "pap", "potato")

JOIN = f"Join it to ratings: read the ratings and pass it as {option('annotators')}."

# Forms that are one type of file, whatever the name says.
ENDINGS = {"labelstudio": (".json",), "potato": (".jsonl",), "mace": (".csv", ".txt")}

WRITERS: Registry[Writer] = Registry(
    "format",
    {
        "long": "plausibly.ratings.long:write_long",
        "mace": "plausibly.datasets.mace:write_mace",
        "crowdkit": "plausibly.ratings.crowdkit:write_crowdkit",
        "pap": "plausibly.datasets.pap.events:write_pap",
        "iks": "plausibly.datasets.iks.sheets:write_iks",
        "labelstudio": "plausibly.ratings.labelstudio_tasks:write_labelstudio",
        "potato": "plausibly.ratings.potato:write_potato",
    },
)


def import_ratings(
    path: Path,
    *,
    form: str = AUTO,
    names: Mapping[str, str] | None = None,
    naming: Naming | None = None,
    missing: str | Sequence[str] | None = None,
    choices: ReadingChoices = CHOICES,
) -> Imported:
    """Return everything a file of ratings holds.

    Args:
        path: The file, or the folder where the form is one.
        form: Name of the form, one of `READERS`, or auto to find it out.
        names: From our column to the file's, for forms with named columns.
        naming: What becomes of the ids of people (see `plausibly.ratings.people`); by default
            they stay as they are.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank cells, separated by commas;
            Pass "" to treat no answer as missing. They are left out and counted.
        choices: How a file is read, whatever its form: its encoding, for example.
    """
    from plausibly.ratings.people import KEPT, renamed_people
    from plausibly.ratings.recognising import recognised_form

    with reading(path), choosing(choices) as now:
        chosen = dict(names or {})
        if form == AUTO:
            recognised = recognised_form(path, chosen)
            form, chosen = recognised.form, {**recognised.names, **chosen}
            now.facts.update(tool=recognised.tool, evidence=recognised.evidence)
        read = READERS[form]
        if form in OWN_SIGNS and missing is not None:
            what = f"the {form} format marks missing answers itself. Omit {option('missing')}."
            raise StudyError(what, parameter="missing")
        options = {} if form in OWN_SIGNS else {"missing": missing_answers(missing)}
        if READERS.is_ours(form):
            imported = _read_ours(read, path, form=form, names=chosen, options=options)
        else:
            signs = missing_answers(missing)
            imported = _read_outside(read, path, form=form, names=chosen, missing=signs)
    layout = layout_of(now, form=form, names=chosen)
    notes = tuple(dict.fromkeys((*now.notes, *imported.notes)))
    imported = replace(imported, notes=notes, layout=layout)
    may_be_empty = form == "answers" or (choices.empty and form == "prolific")
    if imported.ratings.is_empty() and not may_be_empty:
        alone = f"{path}: no answers, only facts about people. {JOIN}"
        right = f"{path}: no ratings. Is it the right file?"
        raise TableError(right if imported.annotators is None else alone)
    return renamed_people(with_retests(imported), naming or KEPT, form=form)


def _read_ours(
    read: Reader, path: Path, *, form: str, names: Mapping[str, str], options: Mapping[str, Missing]
) -> Imported:
    """Return what a file holds, or what the files of a folder or archive do."""
    from plausibly.ratings.several import files_in, is_several, no_files, read_several

    if form in FOLDERS or not is_several(path):
        return read(path, names=names, **options)
    files = files_in(path)
    if not files:
        raise no_files(path)
    return read_several(path, files, read, names=names, **options)


def _read_outside(
    read: Callable[..., object],
    path: Path,
    *,
    form: str,
    names: Mapping[str, str],
    missing: Missing,
) -> Imported:
    """Return what a reader of somebody else's finds; it takes what it has a keyword for."""
    from plausibly.ratings.long import long_ratings

    takes = signature(read).parameters
    fields = {"names": names, "missing": missing}
    if "names" not in takes:
        check_names(names, form=form)
    read_as = read(path, **{key: one for key, one in fields.items() if key in takes})
    if isinstance(read_as, Imported):
        return read_as
    if not isinstance(read_as, pl.DataFrame):
        raise StudyError(
            f"format {form!r} must return a Polars table with item, annotator and answer; got "
            f"{type(read_as).__name__}."
        )
    return long_ratings(frame_rows(path, read_as), missing=missing)


def read_ratings(
    path: Path, *, form: str = AUTO, names: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Return the ratings table a file holds."""
    return import_ratings(path, form=form, names=names).ratings


def export_ratings(
    ratings: pl.DataFrame, path: Path, *, form: str, items: pl.DataFrame | None = None
) -> None:
    """Write the ratings in the named form."""
    write = WRITERS[form]
    endings = ENDINGS.get(form)
    if endings and path.suffix.lower() not in endings:
        raise StudyError(
            f"{path}: the {form} format needs a name that ends in {endings[0]}. Rename the file."
        )
    write(ratings, path, items=items)
