"""From a file, a study, a release or a dataset to what an explorer shows; no code of others."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.explorer import (
    ExplorerMaterial,
    released_material,
    tables_checksum,
    without_numbers,
)
from plausibly.analysis.methods import exclusion_rows
from plausibly.datasets.catalogue import catalogue
from plausibly.datasets.loading import LoadedSet
from plausibly.datasets.own import MANIFEST, RELEASE_FACTS, release_facts
from plausibly.datasets.schemes import scheme_of
from plausibly.errors import StudyError, option
from plausibly.evaluation.in_study import ASKED_FILE, PREDICTIONS_FILE, SCORES_FILE
from plausibly.io import read_json, read_table, read_toml
from plausibly.io.frames import Source, as_table
from plausibly.labels import METHODS
from plausibly.labels.ties import Ties, undecided, without_middles
from plausibly.measures.scales import scale_of
from plausibly.ratings.questions import asked_questions, facts_of_study
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.stimuli.source_sentences import KEPT, with_sentences
from plausibly.study.folder import Study, is_declared
from plausibly.study.manifest import version_of
from plausibly.study.parameters import accepted
from plausibly.study.settings import FILE, read_head
from plausibly.study.sources import is_study, named_set
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

PLACES: Mapping[str, tuple[str, ...]] = {
    "items": ("items.parquet",),
    "ratings": ("ratings.parquet",),
    "kept": ("clean/ratings.parquet",),
    "exclusions": ("clean/exclusions.parquet", "exclusions.parquet"),
    "labels": ("labels.parquet", "label/labels.parquet"),
    "annotators": ("annotators.parquet",),
    "predictions": (PREDICTIONS_FILE, ASKED_FILE),
    "scores": (SCORES_FILE,),
}
CONTRACTS: Mapping[str, Table] = {
    "items": ITEMS,
    "ratings": RATINGS,
    "kept": RATINGS,
    "exclusions": EXCLUSIONS,
    "labels": LABELS,
    "annotators": ANNOTATORS,
    "predictions": PREDICTIONS,
    "scores": SCORES,
}
CASCADE, RELEASE = "clean.json", "release.toml"
MADE_BY: Mapping[str, tuple[str, ...]] = {
    PREDICTIONS_FILE: ("models_predict",),
    ASKED_FILE: ("ask",),
    SCORES_FILE: ("evaluate", "score_gita"),
}
"""Files of steps that not every study has: what a study gave up is not shown."""
Tables = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class Reading:
    """How a file of ratings is read, and the tables that go with it."""

    items: Source | None = None
    labels: Source | None = None
    predictions: Source | None = None
    format: str = "long"
    columns: Mapping[str, str] | None = None
    missing: str | None = None
    methods: tuple[str, ...] = ()

    @property
    def of_a_file(self) -> dict[str, object]:
        """The options that are set about how a file of ratings is read."""
        said = {"items": self.items, "columns": self.columns, "missing": self.missing}
        return {name: one for name, one in said.items() if one is not None}

    def check_for(self, source: Ratings) -> None:
        """Raise where options are about a file of ratings and the source is not one."""
        for name in self.of_a_file:
            raise StudyError(
                f"{source}: {option(name)} is only for a file of ratings; a study or dataset has "
                "its own.",
                parameter=name,
            )

    def call(self, source: Ratings, *, is_file: bool) -> str:
        """Return the arguments with which Python gets the same rows, without folders of here."""
        home = Path(str(source)).resolve() if is_study(source) else None
        further: dict[str, object] = {"labels": self.labels, "predictions": self.predictions}
        named = {
            **self.of_a_file,
            **{name: one for name, one in further.items() if one is not None},
        }
        said = {
            name: repr(one) if name in ("columns", "missing") else _spelled(one, name, home)
            for name, one in named.items()
        }
        said |= {"format": repr(self.format)} if is_file and self.format != Reading.format else {}
        said |= {"methods": repr(",".join(self.methods))} if self.methods else {}
        start = repr(home.name) if home else _spelled(source, "ratings", None)
        return ", ".join([start, *(f"{name}={one}" for name, one in said.items())])


def study_files(folder: Path) -> dict[str, Path]:
    """Return the files of a study that an explorer reads, by table."""
    left = _given_up(folder)
    known = (
        (name, [folder / one for one in places if one not in left])
        for name, places in PLACES.items()
    )
    found = ((name, next((one for one in paths if one.is_file()), None)) for name, paths in known)
    return {name: path for name, path in found if path is not None}


def _given_up(folder: Path) -> set[str]:
    """Return files of steps that a study no longer has; a protocol from outside says nothing."""
    if not is_declared(folder):
        return set()
    study = Study(folder)
    steps = {one.name for one in study.outline.active(study.settings.sections).steps}
    return {file for file, makers in MADE_BY.items() if not steps & {*makers}}


def gathered(source: Ratings, reading: Reading, data: str | Path | None) -> ExplorerMaterial:
    """Return what there is to see."""
    loaded = named_set(source, data)
    if loaded is not None or is_study(source):
        reading.check_for(source)
    if loaded is not None:
        material = _of_set(loaded, source)
    elif isinstance(source, str | Path) and is_study(source):
        material = _of_study(Path(source))
    else:
        material = _of_ratings(source, reading)
    passed: dict[str, Any] = {
        name: as_table(one, CONTRACTS[name])
        for name, one in (("labels", reading.labels), ("predictions", reading.predictions))
        if one is not None
    }
    return replace(
        material, **passed, source=reading.call(source, is_file=material.kind == "ratings")
    )


def _spelled(source: object, name: str, home: Path | None) -> str:
    """Return how a line of Python names a table: its file, without folders of this machine.

    Args:
        source: A file or a table.
        name: What the line calls a table.
        home: The study that the line starts from, where there is one.
    """
    if not isinstance(source, str | Path):
        return name
    path = Path(source)
    if home is not None and path.resolve().is_relative_to(home):
        return repr(path.resolve().relative_to(home.parent).as_posix())
    return repr(path.name if path.is_absolute() else path.as_posix())


def _of_study(folder: Path) -> ExplorerMaterial:
    places = study_files(folder)
    if not {"items", "ratings", "labels"} & places.keys():
        raise StudyError(f"{folder}: no items, ratings or labels yet. Run: plausibly run {folder}")
    tables = {name: read_table(path, CONTRACTS[name]) for name, path in places.items()}
    head = read_head(folder)
    settings = Study(folder).settings.sections if is_declared(folder) else read_toml(folder / FILE)
    cascade = read_json(folder / CASCADE) if (folder / CASCADE).is_file() else []
    rules = exclusion_rows(tables["exclusions"], cascade) if "exclusions" in tables else []
    about = {"protocol": str(head.get("protocol", "")), "seed": str(head.get("seed", ""))}
    about["sources"] = _corpora(folder)
    if "items" in tables:
        tables["items"] = with_sentences(tables["items"], folder / KEPT)
    return _material(
        str(head.get("name") or folder.resolve().name),
        "study",
        tables,
        about=about,
        label_names=_label_names(settings),
        questions=asked_questions(folder) if is_declared(folder) else {},
        rules=rules,
        texts=declared_texts(folder),
        ties=ties_of(settings),
    )


def _corpora(folder: Path) -> str:
    """Return the sources of a study with their licences, as its release names them."""
    path = folder / RELEASE
    listed = read_toml(path).get("sources", []) if path.is_file() else []
    whole = [{"name": one} if isinstance(one, str) else one for one in listed]
    used = [one for one in whole if one.get("use") != "consulted"]
    named = ((str(one.get("name", "")), one.get("licence")) for one in used)
    return "; ".join(f"{name} ({licence})" if licence else name for name, licence in named)


def _label_names(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the words for labels, from the settings of a study or those in a release."""
    names = settings.get("report", {}).get("label_names") or {}
    return {str(label): str(name) for label, name in names.items()}


def study_ways(source: Ratings) -> dict[str, Any]:
    """Return how a study labels: scheme of its answers, seed, and ties; empty for the rest."""
    if not isinstance(source, str | Path) or not is_study(source) or not is_declared(Path(source)):
        return {}
    settings = Study(Path(source)).settings
    scheme = settings.sections.get("label", {}).get("scheme")
    return {"scheme": scheme, "seed": settings.seed, "ties": ties_of(settings.sections)}


def ties_of(settings: Mapping[str, Any]) -> Ties:
    """Return what becomes of ties in a study."""
    return "smallest" if settings.get("label", {}).get("ties") == "smallest" else "undecided"


def _of_set(loaded: LoadedSet, source: Ratings) -> ExplorerMaterial:
    tables = {name: one for name, one in loaded.tables.items() if name in CONTRACTS}
    if not {"items", "ratings", "labels"} & tables.keys():
        raise StudyError(f"{loaded.name}: no items, ratings or labels to show.", parameter="source")
    if Path(str(source)).exists():
        return _of_release(loaded, Path(str(source)))
    about = {"title": loaded.title, "licence": loaded.licence, "citation": loaded.citation or ""}
    if "ratings" in tables and "exclusions" in tables:
        key = list(RATINGS.key)
        kept = tables["ratings"].join(tables["exclusions"], on=key, how="anti")
        tables["kept"] = RATINGS.sort(kept)
    rules = exclusion_rows(tables["exclusions"], []) if "exclusions" in tables else []
    known = catalogue().get(loaded.name)
    return _material(
        loaded.name,
        "dataset",
        tables,
        about=about,
        rules=rules,
        label_names={} if known is None else dict(known.label_names),
        questions={} if known is None else dict(known.questions),
    )


def _of_release(loaded: LoadedSet, folder: Path) -> ExplorerMaterial:
    """Return what the release's page shows."""
    facts = release_facts(folder)
    study = read_json(folder / MANIFEST).get("study", {})
    asked = {one["question"]: one for one in study.get("questions") or []}
    return released_material(
        loaded.tables,
        name=loaded.name,
        about={name: facts[name] for name in RELEASE_FACTS if facts.get(name)},
        label_names=_label_names(study.get("settings", {})),
        questions=asked,
        source=repr(folder.resolve().name),
    )


def _of_ratings(source: Ratings, reading: Reading) -> ExplorerMaterial:
    imported = read_ratings(
        source, format=reading.format, columns=reading.columns, missing=reading.missing
    )
    items = imported.items if reading.items is None else as_table(reading.items, ITEMS)
    if items is None and "text" in imported.ratings.columns:
        own = ("item", "text", "condition", "kind")
        known = [name for name in own if name in imported.ratings.columns]
        items = ITEMS.check(imported.ratings.select(known).unique("item", keep="first"))
    tables: Tables = {"ratings": imported.ratings}
    tables |= {} if items is None else {"items": items}
    tables |= {} if imported.annotators is None else {"annotators": imported.annotators}
    name = Path(source).name if isinstance(source, str | Path) else "ratings"
    return _material(name, "ratings", tables, notices=imported.notes)


def _material(name: str, kind: str, tables: Tables, **more: Any) -> ExplorerMaterial:
    """Return what tables hold about items proper; ratings without labels get some."""
    items = tables.get("items")
    collected, _ = without_checks(tables.get("ratings", RATINGS.empty()), items)
    kept, _ = without_checks(tables.get("kept", collected), items)
    labels, texts = tables.get("labels", LABELS.empty()), more.pop("texts", frozenset())
    texts = texts or _texts(collected)
    collected, kept = (without_numbers(one, texts) for one in (collected, kept))
    ties = more.pop("ties", "smallest")
    if labels.is_empty() and kept.height:
        labels = usual_labels(kept, texts, ties)
    about = {
        **more.pop("about", {}),
        "plausibly": version_of("plausibly"),
        "checksum": tables_checksum(tables),
    }
    return ExplorerMaterial(
        name,
        kind,
        collected,
        kept,
        items=None if items is None else items.filter(pl.col("kind") == "item"),
        exclusions=tables.get("exclusions", EXCLUSIONS.empty()),
        labels=labels,
        predictions=tables.get("predictions", PREDICTIONS.empty()),
        annotators=tables.get("annotators"),
        scores=tables.get("scores"),
        about={key: text for key, text in about.items() if text},
        **more,
    )


def usual_labels(ratings: pl.DataFrame, texts: Set[str], ties: Ties) -> pl.DataFrame:
    """Return the label most people gave, for questions with answers to choose from."""
    chosen = [one for one in labelled_questions(ratings, texts) if _scale(one) != "interval"]
    return labelled(pl.concat(chosen), "plurality", ties=ties) if chosen else LABELS.empty()


def labelled_questions(ratings: pl.DataFrame, texts: Set[str]) -> list[pl.DataFrame]:
    """Return the ratings of each question, without those answered in free text."""
    questions = ratings.partition_by("question", maintain_order=True)
    return [one for one in questions if one["question"][0] not in texts and _scale(one) != "text"]


def _texts(ratings: pl.DataFrame) -> set[str]:
    """Return the questions whose answers look like free text, though some are numbers."""
    mixed = (pl.col("value").count() > 0) & (pl.col("value").null_count() > 0)
    some = ratings.filter(mixed.over("question")).partition_by("question")
    return {str(one["question"][0]) for one in some if _scale(one) == "text"}


def declared_texts(source: Ratings) -> set[str]:
    """Return the questions that a study declares to be answered in free text."""
    if not isinstance(source, str | Path) or not is_study(source) or not is_declared(Path(source)):
        return set()
    return {name for name, one in facts_of_study(Path(source)).items() if one.scale == "text"}


def _scale(ratings: pl.DataFrame) -> str:
    return scale_of(ratings, question=str(ratings["question"][0])).scale


def labelled(
    ratings: pl.DataFrame,
    method: str,
    *,
    scheme: str | None = None,
    seed: int | None = None,
    ties: Ties = "smallest",
) -> pl.DataFrame:
    """Return the labels of a method, with its usual settings, and those of the study."""
    supplied: dict[str, object] = {"scheme": scheme_of(scheme)} if scheme else {}
    supplied |= {} if seed is None else {"seed": seed}
    made = METHODS[method](ratings, **accepted({}, of=METHODS, name=method, supplied=supplied))
    labels = LABELS.check(made if isinstance(made, pl.DataFrame) else made.labels)
    if ties == "smallest":
        return labels
    return undecided(labels if scheme else without_middles(labels, ratings))
