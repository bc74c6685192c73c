"""Names of people: pseudonyms in place of the ids of platforms and of mail addresses.

A worker id of Mechanical Turk, a Prolific id or a mail address identifies a person and to
everything else they ever did. No result needs it, so `read -o` and studies replace it by the first
half of its HMAC-SHA256 under a secret, `p-` and 16 hexadecimal digits: the same person has the same
pseudonym in every file read with that secret, and without it nobody can tell who it is.

The secret is drawn anew and kept next to the table, readable by its owner alone (`OUT.key`), or
given (`--key`, PLAUSIBLY_KEY); `--keep-ids` leaves ids as they are, and so does every command that
reads a file of ratings directly. In a batch of Mechanical Turk every id is replaced, in other forms
those that look like a worker id, a Prolific id, a mail address or a phone number.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.io import read_settings, replacing
from plausibly.io.imported import Imported
from plausibly.io.personal import personal_kind
from plausibly.tables import ANNOTATORS, RATINGS, Table

# As an id, a number of ten digits and more is one, too; zeros before a counter are not.
_PHONE = re.compile(r"00?[1-9](?:[ ()/.-]{0,3}\d){7,13}|[1-9]\d{9,14}")
PLATFORMS = ("mturk", "prolific")  # forms whose ids all belong to a platform


@dataclass(frozen=True, slots=True)
class Naming:
    """What becomes of people's ids.

    Args:
        key: Secret of the pseudonyms; None leaves ids as they are.
    """

    key: str | None = field(default=None, repr=False)


KEPT = Naming()


def looks_personal(name: str) -> bool:
    """Return whether an id is a mail address, a phone number or an id of a platform.

    >>> looks_personal("anna@example.org"), looks_personal("A1B2C3D4E5F6G7"), looks_personal("anna")
    (True, True, False)
    >>> looks_personal("0170 / 1234567"), looks_personal("0007"), looks_personal("2024-11-15")
    (True, False, False)
    """
    return leads_to_person(name) or _PHONE.fullmatch(name.strip()) is not None


def leads_to_person(cell: str) -> bool:
    """Return whether a cell of any column holds what identifies a person."""
    return "@" in cell or personal_kind(cell) is not None


def pseudonym(name: str, key: str) -> str:
    """Return the pseudonym of an id under a key.

    >>> pseudonym("A1B2C3D4E5F6G7", "one key") == pseudonym("A1B2C3D4E5F6G7", "another")
    False
    >>> len(pseudonym("A1B2C3D4E5F6G7", "one key"))
    18
    """
    return "p-" + hmac.new(key.encode(), name.encode(), hashlib.sha256).hexdigest()[:16]


def pseudonyms(names: Collection[str], naming: Naming, *, form: str) -> dict[str, str]:
    """Return what each id that changes becomes."""
    if naming.key is None:
        return {}
    hidden = (name for name in names if form in PLATFORMS or looks_personal(name))
    return {name: pseudonym(name, naming.key) for name in hidden}


def renamed_people(imported: Imported, naming: Naming, *, form: str) -> Imported:
    """Return what was imported with pseudonyms in place of personal ids, and a note of how many."""
    tables = [t for t in (imported.ratings, imported.annotators) if t is not None]
    heard = {name for table in tables for name in table["annotator"].unique().to_list()}
    names = pseudonyms({*heard, *imported.silent_annotators}, naming, form=form)
    if naming.key is not None:
        imported = without_traces(imported, names)
    if not names:
        return imported
    annotators = imported.annotators
    many = f"{len(names)} ids of people were replaced by pseudonyms."
    note = "1 id of a person was replaced by a pseudonym." if len(names) == 1 else many
    return replace(
        imported,
        ratings=_renamed(imported.ratings, names, RATINGS),
        annotators=None if annotators is None else _renamed(annotators, names, ANNOTATORS),
        silent_annotators=tuple(names.get(name, name) for name in imported.silent_annotators),
        notes=(*imported.notes, note),
        hidden=len(names),
    )


def without_traces(imported: Imported, names: Collection[str]) -> Imported:
    """Return what was imported without further columns that identify a person, and a note of it.

    A pseudonym next to the mail address it replaces protects nobody: any other column of the file
    that holds an id, an address or anything else that looks personal is dropped.
    """
    ratings, first = _without(imported.ratings, RATINGS, names)
    annotators, more = imported.annotators, list[str]()
    if annotators is not None:
        annotators, more = _without(annotators, ANNOTATORS, names)
    dropped = sorted({*first, *more})
    if not dropped:
        return imported
    note = f"columns that identify people are left out: {', '.join(dropped)} (keep_ids keeps them)."
    notes = (*imported.notes, note)
    return replace(imported, ratings=ratings, annotators=annotators, notes=notes)


def _without(
    frame: pl.DataFrame, table: Table, names: Collection[str]
) -> tuple[pl.DataFrame, list[str]]:
    own = {*table.schema, *table.optional}
    texts = [name for name, kind in frame.schema.items() if kind == pl.String and name not in own]
    personal = [
        name
        for name in texts
        if any(cell in names or leads_to_person(cell) for cell in frame[name].drop_nulls().unique())
    ]
    return frame.drop(personal), personal


def _renamed(frame: pl.DataFrame, names: Mapping[str, str], table: Table) -> pl.DataFrame:
    return table.sort(frame.with_columns(pl.col("annotator").replace(names)))


def key_file(output: Path) -> Path:
    """Return where the secret of a table lies."""
    return output.with_name(f"{output.name}.key")


def new_secret() -> str:
    """Return a secret nobody has had before."""
    return secrets.token_hex(32)


def naming_of(key: str | None, *, keep_ids: bool = False) -> Naming:
    """Return the naming under a key, or one that leaves ids unchanged; both at once is an error."""
    if key is not None and keep_ids:
        what = f"{option('key')} and {option('keep_ids')} exclude each other. Pass one of them."
        raise StudyError(what, parameter="key")
    return Naming(key)


def naming_next_to(source: object) -> Naming:
    """Return the naming a table was imported with, where its secret is next to it."""
    if isinstance(source, str | Path) and key_file(Path(source)).is_file():
        return Naming(secret_of(Path(source)))
    return KEPT


def secret_of(output: Path) -> str:
    """Return the secret kept next to a table, or a new one where there is none yet."""
    path = key_file(output)
    if not path.is_file():
        return new_secret()
    secret = read_settings(path).strip()
    if not secret:
        raise StudyError(
            f"{path}: no secret in it. Remove the file to get a new one, or pass {option('key')}."
        )
    return secret


@contextmanager
def keeping_secret(output: Path, secret: str) -> Iterator[None]:
    """Keep a secret next to a table that is written meanwhile, for the eyes of its owner alone."""
    with replacing(key_file(output)) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as target:
            target.write(f"{secret}\n")
        yield
