"""What a model of answers reads: ratings, items and norms, from files, tables or a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.concreteness import with_concreteness
from plausibly.datasets.norms import read_norms
from plausibly.errors import StudyError, option
from plausibly.io.frames import Source, as_items
from plausibly.measures.early import first_answers
from plausibly.measures.question_facts import FACTS, NOTHING, QuestionFacts
from plausibly.models.lite.words import lemmas
from plausibly.ratings.kinds import of_kinds
from plausibly.ratings.questions import Questions, declared_in_tables, facts_of_study, questions_in
from plausibly.ratings.sources import Ratings, read_raw_ratings, without_checks
from plausibly.study.steps import Parameters

STUDY, ITEM_TABLE = "study.toml", "items.parquet"
KEPT = ("clean/ratings.parquet", "ratings.parquet")


def study_sources(arguments: Parameters) -> dict[str, Any]:
    """Return the tables of a study that are read where a folder is named."""
    ratings = arguments.get("ratings")
    if not isinstance(ratings, str | Path) or not (Path(ratings) / STUDY).is_file():
        return {}
    kept, items = _in_folder(Path(ratings))
    return {
        "ratings": kept,
        **({} if arguments.get("items") or items is None else {"items": items}),
    }


def declared_facts(
    ratings: Ratings, questions: Questions | str | Path | None
) -> dict[str, QuestionFacts]:
    """Return what is declared about questions: by the study, then by tables of questions."""
    inside = isinstance(ratings, str | Path) and (Path(ratings) / STUDY).is_file()
    facts = facts_of_study(Path(str(ratings))) if inside else {}
    for name, own in declared_in_tables(questions_in(questions)).items():
        known = facts.get(name, NOTHING)
        if own.scale:
            known = replace(known, reason="")
        fields = {key: getattr(own, key) for key in FACTS if getattr(own, key)}
        facts[name] = replace(known, **fields)
    return facts


def listed(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return names that are separated by commas, or listed."""
    parts = names.split(",") if isinstance(names, str) else names or ()
    return tuple(str(name).strip() for name in parts if str(name).strip())


def _in_folder(folder: Path) -> tuple[Path, Path | None]:
    """Return the ratings of a study that were kept, and its items where there are any."""
    kept = next((folder / name for name in KEPT if (folder / name).is_file()), None)
    if kept is None:
        raise StudyError(f"{folder}: no ratings yet. Collect or import them, then: plausibly run.")
    items = folder / ITEM_TABLE
    return kept, items if items.is_file() else None


def read_answers(
    ratings: Ratings,
    items: Source | None,
    norms: str | Path | None,
    reading: tuple[str, Mapping[str, str] | None, str | None, str | None],
) -> tuple[pl.DataFrame, pl.DataFrame | None, tuple[str, ...]]:
    """Return ratings without checks, their items, and what was noticed on the way.

    Args:
        ratings: File or table of ratings, or a study.
        items: Items table; None for that of the study or of the file.
        norms: Concreteness norms, whose columns the items then have.
        reading: Format, columns and missing answers of the file, and kinds of annotators.
    """
    form, columns, missing, kinds = reading
    if isinstance(ratings, str | Path) and (Path(ratings) / STUDY).is_file():
        ratings, own = _in_folder(Path(ratings))
        items = own if items is None else items
    imported = read_raw_ratings(ratings, format=form, columns=columns, missing=missing)
    imported, _ = of_kinds(imported, kinds)
    known = imported.items if items is None else as_items(items)
    if norms is not None:
        if known is None:
            raise StudyError(
                f"{option('norms')} describes the words of the items. Pass {option('items')} too."
            )
        known = with_concreteness(known, _concreteness(Path(norms)), _forms)
    table, checks = without_checks(imported.ratings, known)
    table, early = first_answers(table)
    left = (f"{checks} ratings of checks are dropped.",) if checks else ()
    return table, known, (*imported.notes, *left, *early)


def _concreteness(path: Path) -> dict[str, float]:
    rated = read_norms(path).with_columns(pl.col("word").str.to_lowercase())
    return dict(
        rated.unique("word", keep="first", maintain_order=True)["word", "concreteness"].iter_rows()
    )


def _forms(word: str, verb: bool) -> Iterator[str]:
    yield from lemmas(word, verbs=verb)
