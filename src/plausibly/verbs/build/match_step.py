"""Pairing items as a step of a study: those it builds, or those of a file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.study.parameters import parameters_of
from plausibly.study.results import put_document, put_table
from plausibly.study.steps import Parameters, Step, Work
from plausibly.tables import ITEMS
from plausibly.verbs.build import BUILDERS, build
from plausibly.verbs.build._items import ItemSet
from plausibly.verbs.build.step import (
    FOLDER,
    ITEMS_FILE,
    NOT_SET,
    STEPS,
    matches,
    require_own_items,
    write_built,
)

BUILDER, NAME, DOCUMENT = "match", "build_match", "build_match.json"
BUILT = f"{FOLDER}/{ITEMS_FILE}"
WRITTEN = ("ledger.parquet", "funnel.json", "matching.json", "balance.json")


def match_step(protocol: str) -> Step:
    """Return the step that pairs items of two conditions, as `build match` does.

    A study has it where `[build_match] match` names a column. It pairs what `[build]` builds, or
    the items of the file that `[build_match] items` names; what it writes is served.

    Args:
        protocol: Whose study it is.
    """
    beside = tuple(f"{name}.parquet" for name in STEPS[protocol].beside)
    return Step(
        NAME,
        partial(_in_study, protocol=protocol),
        inputs=(BUILT, *(f"{FOLDER}/{name}" for name in beside)),
        outputs=(ITEMS_FILE, *beside, *(f"{NAME}/{name}" for name in WRITTEN), DOCUMENT),
        parameters=declared(protocol),
        external=_named,
        wanted=matches,
        leaves=lambda sections: () if STEPS[protocol].wanted(sections) else beside,
        begins="[build_match] match",
    )


def declared(protocol: str) -> dict[str, Any]:
    """Return what `[build_match]` may set, with defaults (None: not set)."""
    known = parameters_of(BUILDERS[BUILDER], without=NOT_SET)
    own = {name: None if one.required else one.default for name, one in known.items()}
    language = STEPS[protocol].declared().get("language")
    return own | {"match": []} | ({"language": language} if language else {})


def _named(parameters: Parameters) -> tuple[str, ...]:
    """Return the file of items, where one is named."""
    return (str(parameters["items"]),) if parameters["items"] else ()


def _in_study(work: Work, protocol: str) -> None:
    require_own_items(work, section=NAME, unset=BUILDER)
    source = _source(work.settings, protocol)
    chosen = {name: one for name, one in work.parameters.items() if one not in (None, "")}
    chosen["items"] = work.path(source)
    result: ItemSet = build(BUILDER, watch=work.watch, seed=work.seed, **chosen)
    write_built(work, NAME, result)
    if source == BUILT:
        for name in STEPS[protocol].beside:
            _keep_paired(work, name, result.items)
    put_document(result.as_json(), work.path(DOCUMENT))
    work.write(ITEMS_FILE, result.items, ITEMS)
    work.notes.extend(result.talk)


def _source(sections: Mapping[str, Parameters], protocol: str) -> str:
    """Return the file of the items to pair.

    Raises:
        StudyError: If there is none, two of them, or it is the one that is written.
    """
    named, built = str(sections[NAME]["items"] or ""), STEPS[protocol].wanted(sections)
    if bool(named) is built:
        both = "is set although [build] builds the items" if named else "is not set"
        raise StudyError(
            f"[build_match] items {both}. Pair what [build] builds, or name a file of items."
        )
    if Path(named) == Path(ITEMS_FILE):
        raise StudyError(
            f"[build_match] items = {named!r} is what pairing writes. Give the file another name."
        )
    return named or BUILT


def _keep_paired(work: Work, name: str, items: pl.DataFrame) -> None:
    """Write the surveys of the build without the items that have no partner."""
    table = pl.read_parquet(work.path(f"{FOLDER}/{name}.parquet"))
    paired = table.join(items, on="item", how="semi", maintain_order="left")
    asking = paired.filter((pl.col("kind") == "item").any().over("survey"))
    put_table(name, asking, work.path(f"{name}.parquet"))
