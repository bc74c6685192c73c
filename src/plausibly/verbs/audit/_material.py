"""From a file, a study, a release or a dataset to what an audit looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.auditing.audit import AuditMaterial, Released
from plausibly.auditing.question import RatedQuestion
from plausibly.datasets.catalogue import catalogue, data_folder, present
from plausibly.datasets.loading import FOLDERS, NO_LICENCE, LoadedSet
from plausibly.domain import as_number
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import read_table
from plausibly.io.frames import Source, as_items
from plausibly.io.imported import Imported
from plausibly.measures.coded import numbers_of
from plausibly.measures.question_facts import NOTHING, QuestionFacts
from plausibly.measures.scales import is_unsure, scale_of
from plausibly.ratings.questions import facts_of_study
from plausibly.ratings.sources import Ratings, left_out_checks, read_ratings, without_checks
from plausibly.releasing.privacy import PERSONAL_COLUMNS
from plausibly.stimuli.balance._repeats import repeats
from plausibly.stimuli.balance.report import balance
from plausibly.study.arguments import listed
from plausibly.study.folder import is_declared
from plausibly.study.sources import is_study, kept_ratings
from plausibly.tables import ANNOTATORS

PEOPLE = "annotators.parquet"
RELEASE_FILES = ("README.md", "datasheet.md", "CITATION.cff", "LICENSE", "croissant.json")
SCALES = ("nominal", "ordinal", "interval")
TEXT = "text"
MOST_BALANCED, MOST_COMPARED = 3000, 20_000
WORDS = ("subject", "verb", "object", "head", "dependent")


@dataclass(frozen=True, slots=True)
class AuditChoices:
    """Which question is audited, and what is declared about its scale."""

    question: str | None
    scale: str | Mapping[str, str] | None
    order: tuple[str, ...]
    bounds: tuple[float, float] | None
    facts: Mapping[str, QuestionFacts] = field(default_factory=dict)

    def of(self, question: str) -> QuestionFacts:
        """Return what the study declares about a question; what the user says comes first."""
        facts = self.facts.get(question, NOTHING)
        numbered = all(as_number(one) is not None for one in facts.order)
        return replace(
            facts,
            order=self.order or (() if numbered else facts.order),
            bounds=self.bounds or facts.bounds,
        )


def declared_facts(source: Ratings) -> Mapping[str, QuestionFacts]:
    """Return what a study declares about its questions; nothing if only its code could tell."""
    if not is_study(source) or not is_declared(Path(source)):
        return {}
    return facts_of_study(Path(source))


def source_name(source: Ratings) -> str:
    if not isinstance(source, str | Path):
        return "ratings"
    return Path(source).resolve().name


def in_folder(folder: Path) -> tuple[Path, Path | None]:
    """Return the ratings of a study that were kept, and its items where there are any."""
    items = folder / "items.parquet"
    return kept_ratings(folder), items if items.is_file() else None


def read_from(source: Ratings, data: str | Path | None) -> dict[str, Path]:
    """Return the files that a name stands for: those of a dataset in the data folder."""
    folder = data_folder(data)
    if not isinstance(source, str | Path) or str(source) not in FOLDERS or not folder:
        return {}
    return present(folder, [str(source)])


def imported_ratings(
    source: Ratings,
    items: Source | None,
    *,
    format: str,
    columns: Mapping[str, str] | None,
    missing: str | None,
) -> Imported:
    """Return the ratings with the items that were passed, or that the source has."""
    notes: tuple[str, ...] = ()
    if is_study(source):
        folder = Path(source)
        kept, own = in_folder(folder)
        items = own if items is None else items
        notes = (
            f"The audit is about the ratings in {kept.relative_to(folder)}.",
            *_simulated(folder),
        )
        source = kept
    imported = read_ratings(source, format=format, columns=columns, missing=missing)
    known = imported.items if items is None else as_items(items)
    return replace(imported, items=known, notes=(*notes, *imported.notes))


def _simulated(folder: Path) -> tuple[str, ...]:
    """Return a sentence where people of a study are simulated."""
    path = folder / PEOPLE
    if not path.is_file():
        return ()
    people = read_table(path, ANNOTATORS)
    made_up = int((people["kind"] == "simulated").sum())
    if not made_up:
        return ()
    some = "The people" if made_up == people.height else f"{made_up:,} people"
    return (f"{some} of this study are simulated.",)


def of_ratings(imported: Imported, choices: AuditChoices, *, name: str, kind: str) -> AuditMaterial:
    ratings, checks = without_checks(imported.ratings, imported.items)
    left = left_out_checks(checks)
    items = _items(ratings, imported.items)
    tables = {"ratings": imported.ratings}
    for table, frame in (("items", imported.items), ("annotators", imported.annotators)):
        tables |= {} if frame is None else {table: frame}
    return AuditMaterial(
        name,
        kind,
        [*_questions(ratings, choices)],
        items=items,
        tables=tables,
        personal=PERSONAL_COLUMNS,
        missing=(sum(imported.missing.values()), len(imported.silent_items)),
        balance=_balance(items),
        notes=(*imported.notes, *left, *_unsure(ratings.drop_nulls("answer"), choices)),
    )


def of_set(loaded: LoadedSet, choices: AuditChoices, source: Ratings) -> AuditMaterial:
    """Return a dataset or release; labels stand for questions whose ratings were not released."""
    choices = _of_catalogue(choices, loaded.name)
    tables = dict(loaded.tables)
    ratings, labels, items = (tables.get(name) for name in ("ratings", "labels", "items"))
    own = None if items is None else items.filter(pl.col("kind") == "item")
    questions: list[RatedQuestion] = []
    if ratings is not None:
        questions = [*_questions(without_checks(ratings, items)[0], choices)]
    rated = {one.name for one in questions}
    released = [] if labels is None else [*_released(labels, rated, choices)]
    if not questions and not released:
        raise StudyError(f"{loaded.name}: neither ratings nor labels to audit.", parameter="source")
    folder = Path(str(source))
    named = str(source) in FOLDERS and not folder.exists()
    absent = [] if named else [one for one in RELEASE_FILES if not (folder / one).is_file()]
    licensed = loaded.licence != NO_LICENCE and not loaded.licence.startswith("none")
    return AuditMaterial(
        loaded.name,
        "dataset" if named else "release",
        questions,
        released,
        own,
        {name: frame for name, frame in tables.items() if isinstance(frame, pl.DataFrame)},
        PERSONAL_COLUMNS,
        balance=_balance(own),
        release={
            "licence": loaded.licence,
            "licensed": licensed,
            "citation": loaded.citation,
            "absent": absent,
        },
    )


def _of_catalogue(choices: AuditChoices, name: str) -> AuditChoices:
    """Return the choices, with what is known about the scale of a published dataset."""
    known = catalogue().get(name)
    if known is None:
        return choices
    low, high = known.bounds or (None, None)
    ends = None if low is None or high is None else (float(low), float(high))
    return replace(choices, scale=choices.scale or known.scale, bounds=choices.bounds or ends)


def _released(labels: pl.DataFrame, rated: set[str], choices: AuditChoices) -> Iterator[Released]:
    for name in labels["question"].unique().sort().to_list():
        if name in rated or choices.question not in (None, name):
            continue
        own = labels.filter(pl.col("question") == name)
        first = own["method"].unique().sort()[0]
        yield Released(str(name), own.filter(pl.col("method") == first), choices.bounds)


def _items(ratings: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame | None:
    """Return the items proper; without a table, what columns of the ratings tell about them."""
    if items is not None:
        return items.filter(pl.col("kind") == "item") if "kind" in items.columns else items
    known = [n for n in ("text", "condition", "item_group", "split") if n in ratings.columns]
    if not known:
        return None
    return ratings.select("item", *known).unique("item", keep="first", maintain_order=True)


def _questions(ratings: pl.DataFrame, choices: AuditChoices) -> Iterator[RatedQuestion]:
    names = sorted(ratings["question"].unique().to_list())
    if choices.question is not None and choices.question not in names:
        raise UnknownName("question", choices.question, names, parameter="question")
    for name in names if choices.question is None else [choices.question]:
        facts = choices.of(name)
        own = ratings.filter(pl.col("question") == name).drop_nulls("answer")
        own = own.filter(~pl.col("answer").is_in(facts.unsure))
        own = own if facts.order else _on_the_scale(own)
        declared = _declared(choices.scale, name) or facts.scale
        if declared == TEXT or own.is_empty():
            continue
        inferred = scale_of(own, order=facts.order, question=name)
        scale, reason = (declared, "declared") if declared else (inferred.scale, inferred.reason)
        if declared in ("ordinal", "interval"):
            _require_numbers(own, facts.order)
        if scale != TEXT:
            yield RatedQuestion(name, own, scale, reason, facts.order, facts.bounds)


def _on_the_scale(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return the ratings without words such as "not sure", where all other answers are numbers."""
    sure = ratings.filter(~is_unsure(ratings["answer"]))
    if sure.height in (0, ratings.height) or numbers_of(sure["answer"].unique()) is None:
        return ratings
    return sure


def _unsure(ratings: pl.DataFrame, choices: AuditChoices) -> Iterator[str]:
    """Yield how many answers are not on the scale of a question."""
    for (name,), own in ratings.group_by("question", maintain_order=True):
        gone = 0 if choices.of(str(name)).order else own.height - _on_the_scale(own).height
        declared = choices.of(str(name)).scale != TEXT and choices.question in (None, name)
        if gone and declared:
            answers = "1 answer is" if gone == 1 else f"{gone:,} answers are"
            yield f"{name}: {answers} not on the scale (such as “not sure”) and left out."


def _require_numbers(ratings: pl.DataFrame, order: Sequence[str]) -> None:
    """Raise if answers are declared to be graded, but are words without an order."""
    answers = ratings["answer"].unique().sort()
    if not order and numbers_of(answers) is None:
        raise StudyError(
            f"question {ratings['question'][0]!r}: the answers are words "
            f"({', '.join(answers.head(5))}). Declare their order with {option('order')}.",
            parameter="order",
        )


def _declared(scale: str | Mapping[str, str] | None, question: str) -> str | None:
    if isinstance(scale, str) and "=" in scale:
        pairs = (part.partition("=") for part in listed(scale))
        scale = {name: one for name, _, one in pairs}
    wanted = scale.get(question) if isinstance(scale, Mapping) else scale
    if wanted is not None and wanted not in SCALES:
        raise UnknownName("scale", str(wanted), SCALES, parameter="scale")
    return wanted


def _has_texts(items: pl.DataFrame) -> bool:
    """Return whether items have texts; where a text is the name of its item, it is a sentence."""
    if "text" not in items.columns:
        return False
    text = items["text"].fill_null("")
    return bool((text != items["item"]).any() or text.str.contains(r"\S\s+\S").any())


def _balance(items: pl.DataFrame | None) -> dict[str, Any] | None:
    """Return what gives conditions away, and items that are one word apart."""
    if items is None or not items.height or not _has_texts(items):
        return None
    words = [name for name in WORDS if name in items.columns]
    plain = items.select("item", pl.col("text").fill_null(""), *words).head(MOST_COMPARED)
    near = {"repeats": repeats(plain).as_json(), "compared": plain.height}
    known = items.drop_nulls("condition") if "condition" in items.columns else items.head(0)
    if known.height < 2 or known["condition"].n_unique() < 2:
        return near
    spoken = pl.Series(dtype=pl.String)
    if "language" in known.columns:
        spoken = known["language"].drop_nulls().unique()
    some = known.select("item", pl.col("text").fill_null(""), "condition", *words)
    if some.height > MOST_BALANCED:
        some = some.sample(MOST_BALANCED, seed=0)
    lang = str(spoken[0]) if len(spoken) == 1 else None
    return {**balance(some, lang=lang).as_json(), **near}
