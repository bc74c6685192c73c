"""What goes into a release, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.releasing.about import About, ReleaseSource
from plausibly.releasing.licences import Licence

TABLE_NOTES = {
    "items": "one thing to judge",
    "ratings": "one answer by one annotator to one question about one item",
    "labels": "the label that follows from an item's ratings; it is empty if people disagree",
    "annotators": "one person or system under a pseudonym",
    "exclusions": "one rating that cleaning set aside, with the rule and the reason",
    "predictions": "what one model says about one item",
    "norms": "the score of one item on one question, adjusted for who happened to rate it (best "
    "linear predictor of a mixed model with random items and annotators)",
    "scores": "how well one model agrees with people by one measure, with its 95 % interval",
}
COLUMN_NOTES = {
    "item": "name of the item",
    "text": "what was shown",
    "condition": "how the item was made",
    "item_group": "items that belong together over conditions",
    "kind": "item, check, gold, attention, retest or filler",
    "expected": "the answer a check expects",
    "annotator": "pseudonym of who answered",
    "question": "which question was answered",
    "answer": "the answer as given",
    "value": "place of the answer on the scale",
    "seconds": "time the answer took",
    "together": "number of items that were timed together; each has an equal part of the time",
    "early": "1 for an item's first answers; 0 for those asked for because the first differed",
    "label": "the label; empty where people disagree",
    "method": "how the label came about",
    "support": "share of the ratings or probability behind the label",
    "ratings": "number of ratings behind the label",
    "distribution": "probability of each label, as JSON",
    "rule": "the cleaning rule",
    "reason": "why the rule applied",
    "step": "which step of cleaning",
    "approval": "share of accepted work on the platform, 0 to 100",
    "split": "split the item is in",
    "comment": "what the annotator wrote",
    "batch": "items handed out together",
    "started": "when the item was shown",
    "submitted": "when the answer was given",
    "order": "place at which the item was shown",
    "position": "place at which the item was shown in its batch",
    "state": "accepted if the answer counts, void if it was set aside while people answered",
    "channel": "pages if the answer was given in a browser, api if a program sent it",
    "revision": "number of the answer, if it was corrected",
    "form": "version of the form that was shown",
    "language": "language of the text, as a BCP 47 code",
    "study": "study the row is from",
    "combination": "abstract, medium or concrete: subject, verb, object",
    "subject": "subject of the event",
    "verb": "verb of the event",
    "object": "object of the event",
    "sentence1": "the sentence without the modifier",
    "sentence2": "the sentence with the modifier",
    "modifier": "the adjective",
    "noun": "the noun it modifies",
    "relation": "how the two words relate",
    "head": "the word that governs",
    "dependent": "the word that depends on it",
    "source": "where the pair comes from, or the source item",
    "source_sentence": "first sentence of the corpus that the event was read from",
    "source_document": "document of the corpus with that sentence",
    "candidate": "name of a candidate; `source` is the item it belongs to",
    "story": "the story a variant belongs to",
    "sentences": "the sentences, as a JSON list",
    "model": "who predicts",
    "score": "the model's score for the item; higher is more plausible",
    "evidence": "what the prediction rests on: seen, backed-off or unknown",
    "metric": "the measure",
    "slice": "the items it is computed on",
    "low": "lower end of the interval",
    "high": "upper end of the interval",
    "n": "number of items behind the value",
    "simulated_kind": "how a simulated annotator behaves",
}
NO_SIDE = "checks"
LANGUAGE = "language"
NORMS, NORMS_FILE = "norms", "norms.csv"
OF_TABLES = {
    "annotators": {"kind": "person, model or simulated"},
    "predictions": {"label": "what the model says; empty where it gives only a score"},
    "scores": {"value": "of the measure; empty where it is not defined"},
    "norms": {
        "score": "adjusted score, in units of the answers",
        "se": "standard error of the score; empty where it cannot be computed",
        "n": "number of ratings behind the score",
    },
}


@dataclass(frozen=True, eq=False)
class ReleaseContent:
    """A release as it will be written.

    Args:
        name: Of the study.
        protocol: It follows.
        tables: By name.
        about: What the author says.
        licence: That follows from the author's choice and the sources.
        sources: What it was made from.
        forms: Files in the paper's own forms, from path to content.
        notes: What could not be done, and why.
        agreement: What `agree` measured, where it ran.
        split_by: Columns whose values are on one side of the splits.
        measures: What the protocol measures, in words; empty if it does not say.
        cost: What the collection cost, in sentences; empty if it is not known.
        norms: item, question, score, se, n; empty if no question has scores.
        pictures: From a file to its caption and its drawing.
        browsed: Whether an explorer is in the release.
        label_names: From a label to the word for it.
    """

    name: str
    protocol: str
    tables: Mapping[str, pl.DataFrame]
    about: About
    licence: Licence
    sources: Sequence[ReleaseSource] = ()
    forms: Mapping[str, pl.DataFrame | str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    agreement: Mapping[str, Any] = field(default_factory=dict)
    split_by: Sequence[str] = ()
    measures: str = ""
    cost: str = ""
    norms: pl.DataFrame = field(default_factory=pl.DataFrame)
    pictures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    browsed: bool = False
    label_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the dataset is called."""
        return self.about.title or self.name

    @property
    def simulated(self) -> bool:
        """Whether any annotator is simulated."""
        annotators = self.tables.get("annotators")
        return annotators is not None and bool((annotators["kind"] == "simulated").any())

    @property
    def described(self) -> dict[str, pl.DataFrame]:
        """The tables the card describes: those with a contract, and norms."""
        return {**self.tables, **({} if self.norms.is_empty() else {NORMS: self.norms})}

    @property
    def languages(self) -> list[str]:
        """The languages of the items; none if they do not say."""
        items = self.tables["items"]
        return sorted(items["language"].drop_nulls().unique()) if LANGUAGE in items.columns else []

    def by_language(self) -> dict[str, dict[str, pl.DataFrame]]:
        """Return from a language to the files of its items with their labels.

        Empty if the items are not in several languages.
        """
        if len(self.languages) < 2:
            return {}
        items = _with_labels(self.tables["items"], self.tables.get("labels"))
        return {
            one: {
                f"languages/{one.replace('/', '-')}/{file}": part
                for file, part in parts("items", items.filter(pl.col(LANGUAGE) == one)).items()
            }
            for one in self.languages
        }

    def files(self) -> dict[str, tuple[str, ...]]:
        """Return the files of each table: one, or one for each side of a split."""
        return {
            name: (NORMS_FILE,)
            if name == NORMS
            else tuple(f"data/{one}" for one in parts(name, table))
            for name, table in self.described.items()
        }


def column_note(table: str, column: str, said: Mapping[str, str]) -> str:
    """Return what a column holds, as the author or we describe it; empty if nobody does."""
    known = OF_TABLES.get(table, {}).get(column) or COLUMN_NOTES.get(column, "")
    return said.get(column) or known


def undescribed_columns(content: ReleaseContent) -> list[str]:
    """Return the columns that neither the author nor we describe, in the order of the tables."""
    columns = [
        column
        for name, table in content.described.items()
        for column in table.columns
        if not column_note(name, column, content.about.columns)
    ]
    return list(dict.fromkeys(columns))


def _with_labels(items: pl.DataFrame, labels: pl.DataFrame | None) -> pl.DataFrame:
    """Return the items with a column for the label of each question; checks are not in it."""
    judged = items.filter(pl.col("kind") == "item") if "kind" in items.columns else items
    if labels is None or labels.is_empty():
        return judged
    for question in sorted(labels["question"].unique()):
        column = "label" if labels["question"].n_unique() == 1 else f"label_{question}"
        own = labels.filter(pl.col("question") == question).select("item", label="label")
        once = own.unique("item", keep="none").rename({"label": column})
        judged = judged.join(once, on="item", how="left", maintain_order="left")
    return judged


def parts(name: str, table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the files a table is written to: items by split where they have one.

    Items on no side, such as checks, have a file of their own.
    """
    if name != "items" or "split" not in table.columns:
        return {f"{name}.parquet": table}
    sided = table.with_columns(side=pl.col("split").fill_null(NO_SIDE))
    sides = sorted(sided["side"].unique().to_list(), key=lambda side: (side != "train", side))
    return {f"items-{side}.parquet": sided.filter(side=side).drop("side") for side in sides}
