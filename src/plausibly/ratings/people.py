"""Names of people: pseudonyms in place of the ids of platforms.

A worker id of Mechanical Turk or a Prolific id leads to a person and to everything else they
ever did. No result needs it, so importing replaces it:

- with a key (`--key`, or PLAUSIBLY_KEY in the environment) by the first half of its HMAC-SHA256,
  `p-` and 16 hexadecimal digits: the same person has the same pseudonym in every file read with
  that key, and without the key nobody can tell who it is;
- without a key by a number, `p001`, `p002`, …: within one file only;
- with `--keep-ids` by nothing.

Every id of Mechanical Turk is treated so. In the forms of annotation tools, whose users mostly
choose a name themselves, it is the ids that look like a mail address, a Prolific id or a worker
id; with a key it is all of them. In other forms it is ids that look so, and only with a key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import polars as pl

from plausibly.io.imported import Imported
from plausibly.io.personal import personal_kind
from plausibly.tables import ANNOTATORS, RATINGS, Table


@dataclass(frozen=True, slots=True)
class Naming:
    """What becomes of people's ids.

    Args:
        key: Secret of the pseudonyms; None numbers people instead.
        keep: Leave ids as they are.
    """

    key: str | None = None
    keep: bool = False


PSEUDONYMOUS = Naming()


def looks_personal(name: str) -> bool:
    """Tell whether an id is a mail address, a Prolific id or a Mechanical Turk worker id.

    >>> looks_personal("anna@example.org"), looks_personal("A1B2C3D4E5F6G7"), looks_personal("anna")
    (True, True, False)
    """
    return "@" in name or personal_kind(name) is not None


# Forms whose ids all belong to a platform, and forms of tools that people name themselves in.
PLATFORMS = ("mturk", "prolific")
TOOLS = ("labelstudio", "potato")


def pseudonym(name: str, key: str) -> str:
    """Return the pseudonym of an id under a key.

    >>> pseudonym("A1B2C3D4E5F6G7", "one key") == pseudonym("A1B2C3D4E5F6G7", "another")
    False
    >>> len(pseudonym("A1B2C3D4E5F6G7", "one key"))
    18
    """
    return "p-" + hmac.new(key.encode(), name.encode(), hashlib.sha256).hexdigest()[:16]


def pseudonyms(names: Collection[str], naming: Naming, *, form: str) -> dict[str, str]:
    """Return what each id that changes becomes; numbers show neither order nor spelling of ids."""
    if naming.keep or not (form in PLATFORMS or form in TOOLS or naming.key is not None):
        return {}
    whole = form in PLATFORMS or (form in TOOLS and naming.key is not None)
    hidden = {name for name in names if whole or looks_personal(name)}
    if naming.key is not None:
        return {name: pseudonym(name, naming.key) for name in hidden}
    digits = max(3, len(str(len(hidden))))
    shuffled = sorted(hidden, key=lambda name: hashlib.sha256(name.encode()).digest())
    return {name: f"p{place:0{digits}d}" for place, name in enumerate(shuffled, start=1)}


def renamed_people(imported: Imported, naming: Naming, *, form: str) -> Imported:
    """Return what was imported with pseudonyms in place of personal ids."""
    tables = [t for t in (imported.ratings, imported.annotators) if t is not None]
    heard = {name for table in tables for name in table["annotator"].unique().to_list()}
    names = pseudonyms({*heard, *imported.silent_annotators}, naming, form=form)
    if not names:
        return imported
    annotators = imported.annotators
    return replace(
        imported,
        ratings=_renamed(imported.ratings, names, RATINGS),
        annotators=None if annotators is None else _renamed(annotators, names, ANNOTATORS),
        silent_annotators=tuple(names.get(name, name) for name in imported.silent_annotators),
    )


def _renamed(frame: pl.DataFrame, names: Mapping[str, str], table: Table) -> pl.DataFrame:
    return table.sort(frame.with_columns(pl.col("annotator").replace(names)))
