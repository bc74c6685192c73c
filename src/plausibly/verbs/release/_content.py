"""What a study has for a release: its tables, norms, published formats and sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.catalogue import catalogue
from plausibly.errors import StudyError
from plausibly.evaluation.in_study import ASKED_FILE, PREDICTIONS_FILE, SCORES_FILE
from plausibly.io import read_json, read_table
from plausibly.labels.norms import norms
from plausibly.measures.questions import question_scales, with_codes, without_unsure
from plausibly.ratings.costs import WORKED, cost_of
from plausibly.ratings.questions import facts_of_study
from plausibly.ratings.simulated.outlook import LEANING
from plausibly.releasing.about import About, ReleaseSource
from plausibly.releasing.content import NORMS_FILE
from plausibly.stimuli.source_sentences import KEPT, with_sentences
from plausibly.study import PROTOCOLS, Study
from plausibly.study.folder import is_folder
from plausibly.study.protocol import Finished, Protocol, ReleaseFiles
from plausibly.study.settings import read_head, read_settings
from plausibly.tables import (
    ANNOTATORS,
    EXCLUSIONS,
    ITEMS,
    LABELS,
    PREDICTIONS,
    RATINGS,
    SCORES,
    Table,
)

PLACES: dict[str, tuple[Table, tuple[str, ...]]] = {
    "items": (ITEMS, ("items.parquet",)),
    "ratings": (RATINGS, ("ratings.parquet",)),
    "labels": (LABELS, ("labels.parquet", "label/labels.parquet")),
    "annotators": (ANNOTATORS, ("annotators.parquet",)),
    "exclusions": (EXCLUSIONS, ("clean/exclusions.parquet", "exclusions.parquet")),
    "predictions": (PREDICTIONS, (PREDICTIONS_FILE, ASKED_FILE)),
    "scores": (SCORES, (SCORES_FILE,)),
}
"""Where a study keeps the tables of a release."""

STEPS = {"predictions": {"models_predict", "ask"}, "scores": {"evaluate", "score_gita"}}
"""Tables of steps that not every study has, with the steps: what a study gave up is left out."""

AGREEMENT = ("agree.json", "agreement.json")
DESCRIBED = "describe.json"
READ = "ratings.json"


def found_tables(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the tables that a study has, each with its file."""
    steps = {one.name for one in Study(folder).active.steps} if is_declared(folder) else set()
    for name, (_, places) in PLACES.items():
        if name in STEPS and not STEPS[name] & steps:
            continue
        place = next((one for one in places if (folder / one).is_file()), None)
        if place is not None:
            yield name, place


def is_declared(folder: Path) -> bool:
    """Return whether the protocol of a study is known."""
    named = str(read_head(folder)["protocol"])
    return is_folder(named) or named in PROTOCOLS


def followed_protocol(folder: Path) -> Protocol:
    """Return the protocol of a study; one that is not known says nothing."""
    name = str(read_head(folder)["protocol"])
    return Study(folder).protocol if is_declared(folder) else Protocol(name, steps=())


def tables_of(folder: Path, about: About) -> dict[str, pl.DataFrame]:
    """Return the tables of a study by name, without the columns to drop and those of a rehearsal.

    Items keep their source sentences where release.toml names the corpus and its licence.
    """
    places = dict(found_tables(folder))
    if "items" not in places:
        raise StudyError(f"{folder}: no items.parquet to release. Build items first.")
    tables = {name: read_table(folder / place, PLACES[name][0]) for name, place in places.items()}
    if any(one.use == "included" for one in about.sources):
        tables["items"] = with_sentences(tables["items"], folder / KEPT)
    known = {column for table in tables.values() for column in table.columns}
    for column in about.drop:
        needed = next((n for n in tables if column in PLACES[n][0].required), None)
        if column not in known or needed:
            what = "which no table has" if column not in known else f"which {needed} needs"
            raise StudyError(f"{folder / 'release.toml'}: drop names {column!r}, {what}.")
    return {
        name: table.drop(one for one in {*about.drop, LEANING} if one in table.columns)
        for name, table in tables.items()
    }


def published_forms(
    protocol: Protocol, folder: Path, tables: Mapping[str, pl.DataFrame], seed: int
) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return the files in the format of the protocol's paper, or why there are none."""
    if protocol.released is None:
        return {}, ()
    kept = _kept(tables)
    if kept.is_empty():
        return {}, ("There are no ratings, so the paper's own forms are left out.",)
    labels = tables.get("labels", LABELS.empty())
    study = Finished(folder=folder, items=tables["items"], ratings=kept, labels=labels, seed=seed)
    try:
        return protocol.released(study)
    except StudyError as error:
        return {}, (f"The paper's own forms are left out: {error}",)


def norms_of(
    folder: Path, tables: Mapping[str, pl.DataFrame]
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the norms of questions on an ordinal or interval scale, or why there are none."""
    kept = _kept(tables)
    if kept.is_empty():
        return pl.DataFrame(), ()
    described = document_of(folder, (DESCRIBED,)).get("questions")
    if described is None:
        why = "the scales of the questions are not known. Run the study first"
        return pl.DataFrame(), (f"{NORMS_FILE} is left out: {why}.",)
    scales = question_scales(kept, facts=facts_of_study(folder) if is_declared(folder) else {})
    numbered = with_codes(without_unsure(kept, scales, words=True)[0], scales)
    scored, notes = norms(numbered, {name: one["scale"] for name, one in described.items()})
    if scored.is_empty() and not notes:
        why = "no question is on an ordinal or interval scale"
        return scored, (f"{NORMS_FILE} is left out: {why}.",)
    return scored, tuple(f"{NORMS_FILE}: {note}" for note in notes)


def _kept(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the ratings of items, without those that cleaning set aside."""
    ratings = tables.get("ratings", RATINGS.empty())
    if "exclusions" in tables:
        ratings = ratings.join(tables["exclusions"], on=list(RATINGS.key), how="anti")
    items = tables["items"].filter(pl.col("kind") == "item")
    return RATINGS.sort(ratings.join(items, on="item", how="semi"))


def sources_of(folder: Path, said: Sequence[ReleaseSource]) -> tuple[ReleaseSource, ...]:
    """Return what the author names, and files of known datasets that a manifest lists."""
    named = {source.name.casefold() for source in said}
    digests = {
        digest: dataset
        for dataset in catalogue().values()
        for file in dataset.files
        for digest in file.checksums
    }
    manifests = sorted({*folder.rglob("manifest.json"), *folder.rglob("*.manifest.json")})
    hashes = {digest for path in manifests for digest in _hashes(read_json(path))}
    seen = {digests[digest].name: digests[digest] for digest in hashes if digest in digests}
    found = [
        ReleaseSource(one.name, one.licence, "included", one.citation)
        for name, one in sorted(seen.items())
        if name.casefold() not in named
    ]
    return (*said, *found)


def _hashes(document: object) -> Iterator[str]:
    """Yield every text of 64 hexadecimal digits in a document, however deep."""
    if isinstance(document, str):
        if len(document) == 64:
            yield document
    elif isinstance(document, Mapping):
        for value in document.values():
            yield from _hashes(value)
    elif isinstance(document, list):
        for value in document:
            yield from _hashes(value)


def collection_cost(folder: Path) -> str:
    """Return what the collection of a study cost, in sentences; empty if it is not known."""
    worked = document_of(folder, (READ,)).get(WORKED)
    if not worked or not is_declared(folder):
        return ""
    cost = cost_of(worked, read_settings(folder, Study(folder).protocol).sections["server"])
    return "" if cost is None else cost.text()


def document_of(folder: Path, names: Sequence[str]) -> dict[str, Any]:
    """Return the first of several JSON files that exists; empty if none does."""
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    document = read_json(path) if path is not None else {}
    return document if isinstance(document, dict) else {}
