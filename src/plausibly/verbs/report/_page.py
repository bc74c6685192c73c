"""The report of a study: every sentence computed from what was really done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.analysis.by_question import (
    DescribedAnswers,
    answered_in_texts,
    methods_sentences,
    question_sections,
)
from plausibly.analysis.figures import Figure, write_figures
from plausibly.analysis.in_study import shown_conditions
from plausibly.analysis.labelling import Labelling
from plausibly.analysis.material import Material
from plausibly.analysis.methods import Procedure
from plausibly.analysis.models import ModelResults
from plausibly.analysis.questions import cascade_of, chosen_question, profile_rows, question_rows
from plausibly.analysis.report import Facts, facts, figures, listings, render
from plausibly.datasets.schemes import scheme_of
from plausibly.io.frames import Source, as_table
from plausibly.labels.ties import ties
from plausibly.measures.timed import divided_times, own_times
from plausibly.ratings.sources import without_checks
from plausibly.study.made import being_made
from plausibly.study.manifest import versions
from plausibly.study.results import Result, text_table
from plausibly.tables import ANNOTATORS, EXCLUSIONS, ITEMS, LABELS, RATINGS
from plausibly.verbs.report._mace import FromAll, from_all_ratings

PAGE = "report.html"


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """The report of a study.

    Args:
        page: The whole page.
        facts: Every number of its opening sentences.
        figures: Every figure with its table, and every table without one.
        from_all: What MACE says about all ratings.
        linked: The explorer that the page leads to, by its name; empty if there is none.
    """

    page: str
    facts: Facts
    figures: tuple[Figure, ...] = field()  # required, although every result has some
    from_all: FromAll
    linked: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return every number of the opening sentences, by name."""
        return {name: getattr(self.facts, name) for name in Facts.__dataclass_fields__}

    def text(self) -> str:
        """Return the numbers of the opening sentences."""
        return text_table(("fact", "value"), self.as_json().items())

    @property
    def documents(self) -> Mapping[str, object]:
        """The page, and the explorer it leads to."""
        return MappingProxyType({PAGE: self.page, **self.linked})

    def put(self, folder: Path) -> None:
        """Write the page, figures as SVG, PNG and PDF, and tables as CSV, Markdown and LaTeX."""
        super().put(folder)
        write_figures(self.figures, folder)


def composed_report(
    ratings: Source,
    *,
    items: Source,
    kept: Source,
    labels: Source,
    agreement: Mapping[str, Any],
    labelling: Mapping[str, Any],
    exclusions: Source | None = None,
    annotators: Source | None = None,
    label_names: Mapping[str, str] | None = None,
    sides: str | None = None,
    cascade: Sequence[Mapping[str, Any]] = (),
    rules: Sequence[str] = (),
    clean_sides: str | None = None,
    question: str | None = None,
    analysis: Mapping[str, Any] | None = None,
    built: Mapping[str, Any] | None = None,
    wording: Sequence[Mapping[str, Any]] = (),
    procedure: Procedure | None = None,
    published: Mapping[str, Any] | None = None,
    models: ModelResults | None = None,
    warnings: Sequence[str] = (),
    missing: Mapping[str, int] | None = None,
    decisions: Sequence[Mapping[str, Any]] | None = None,
    answers: DescribedAnswers | None = None,
    from_all: FromAll | None = None,
    drawn: Mapping[str, Any] | None = None,
    browsed: Mapping[str, Any] | None = None,
    name: str = "study",
    seed: int | None = None,
) -> Report:
    """Write down what the ratings of a study say, as one page without outside resources.

    Args:
        ratings: Every rating that was collected.
        items: All items, checks included.
        kept: The ratings left after cleaning.
        labels: One label per item; null is undecided.
        agreement: What `agree` says about the ratings kept (`.as_json()`).
        labelling: How the labels were made: `method` and what it was asked for.
        exclusions: The ledger of ratings set aside.
        annotators: Annotators table, which shows who is simulated.
        label_names: From label to the word the report uses.
        sides: Answers that count as one in the soft Jaccard coefficient.
        cascade: What each step of cleaning left (`clean(…).as_json()`).
        rules: The rules of cleaning in order, with their thresholds.
        clean_sides: Answers that count as one where cleaning measures agreement.
        question: The question the page is about, where several were asked (default: the first).
        analysis: What `score iks` says about the ratings kept.
        built: What `build` says about the items.
        wording: The questions as people saw them: question, text, answers.
        procedure: How people were asked, and what their answers cost.
        published: What a publication prints next to what its data say: paper, rows.
        models: How models did, from what `evaluate` and `compare` say.
        warnings: What the ratings cannot support, from what `label` reports.
        missing: How often each word was read as no answer.
        decisions: What was done while people answered, as the server's log has it: made, by, what,
            people, answers; None if there is no log.
        answers: What `describe` and `analyse` report about each question.
        from_all: What MACE says about all ratings (default: it is fitted).
        drawn: Exhibits by part of the page: exhibits (those of the protocol's paper), confusion
            (labels against predictions), attested (ratings by frequency in a corpus), coded (what
            coders found), further (steps that the study asks for).
        browsed: What `browse` reports about the page next to this one: page, models.
        name: Name of the study.
        seed: Seed of the study, for the last line.

    >>> from plausibly.verbs import agree, label
    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "answer": ["1", "1", "5"], "question": ["rating"] * 3})
    >>> items = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
    >>> labels = label.label(ratings, method="plurality").labels
    >>> agreement = agree.agree(ratings, resamples=0).as_json()
    >>> composed_report(ratings, items=items, kept=ratings, labels=labels, agreement=agreement,
    ...        labelling={"method": "plurality"}).facts.people
    3
    """
    question = chosen_question(agreement, question)
    answered = as_table(ratings, RATINGS)
    collected = own_times(answered)
    ledger = EXCLUSIONS.empty() if exclusions is None else as_table(exclusions, EXCLUSIONS)
    left, labelled = own_times(as_table(kept, RATINGS)), as_table(labels, LABELS)
    shown, crowded = shown_conditions(as_table(items, ITEMS))
    learned = from_all or from_all_ratings(
        without_checks(collected, as_table(items, ITEMS))[0],
        labelled,
        labelling,
        question=question,
        seed=1 if seed is None else seed,
    )
    material = Material(
        name=name,
        items=shown,
        collected=collected,
        kept=left,
        exclusions=ledger,
        labels=labelled,
        agreement=agreement,
        label_names=label_names or {},
        labelling=_labelling(labelling),
        made={**({} if seed is None else {"seed": seed}), **versions()},
        simulated=_simulated(collected, annotators),
        remarks=_remarks(annotators),
        sides=sides,
        cascade=cascade,
        rules=rules,
        clean_sides=clean_sides,
        question=question,
        questions=question_rows(agreement, left, labelled),
        profiles=profile_rows(analysis or {}),
        notices=[*_notices(built or {}, analysis or {}, answered), *warnings, *crowded],
        uncleaned=learned.sentence,
        competence=learned.competence,
        scheme=dict(scheme_of(str(labelling["scheme"])).of) if labelling.get("scheme") else {},
        wording=wording,
        procedure=procedure or Procedure(),
        published=published or {},
        models=models,
        missing=missing or {},
        decisions=decisions,
        **(drawn or {}),
        **_explorer(browsed or {}),
        tied=ties(labelled, open_too=labelling.get("ties") == "undecided"),
        **(
            {}
            if answers is None
            else _by_question(_with_agreement(answers, agreement, shown), question)
        ),
    )
    material = material if question is None else _about(material, question)
    tables = {"ratings": ratings, "items": items, "kept": kept, "labels": labels}
    stated = {"labelling": dict(labelling), "label_names": dict(label_names or {})}
    made = being_made().reading(tables, **stated, sides=sides, question=question)
    numbers, parts = facts(material), (*figures(material), *listings(material))
    made = replace(made, seed=seed)
    return Report(render(material, numbers, parts), numbers, parts, learned, made=made)


def _explorer(browsed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the page that has every item, and the models on it."""
    return {"explorer": browsed.get("page") or "", "explored": browsed.get("models", ())}


def _labelling(labelling: Mapping[str, Any]) -> Labelling:
    options = {key: value for key, value in labelling.items() if key != "method"}
    return Labelling(str(labelling["method"]), options)


def _simulated(collected: pl.DataFrame, annotators: Source | None) -> int:
    """Return how many of the people who answered are simulated."""
    people = ANNOTATORS.empty() if annotators is None else as_table(annotators, ANNOTATORS)
    simulated = people.filter(pl.col("kind") == "simulated").select("annotator")
    return collected.join(simulated, on="annotator", how="semi")["annotator"].n_unique()


def _remarks(annotators: Source | None) -> list[str]:
    """Return what people wrote about the whole survey."""
    people = ANNOTATORS.empty() if annotators is None else as_table(annotators, ANNOTATORS)
    if "comment" not in people.columns:
        return []
    return [text for text in people["comment"].drop_nulls().to_list() if text.strip()]


def _with_agreement(
    answers: DescribedAnswers, agreement: Mapping[str, Any], items: pl.DataFrame
) -> DescribedAnswers:
    """Return the answers with the texts of items, and how far people agree on each question.

    Of a single question, the summary says it.
    """
    texts = dict(items.select("item", "text").iter_rows())
    return replace(answers, agreement=agreement.get("questions", {}), texts=texts)


def _by_question(answers: DescribedAnswers, question: str | None) -> dict[str, Any]:
    """Return what the page has about each question."""
    alone = question or next(iter(answers.described.get("questions", {})), "")
    return {
        "offered": answers.options.get(alone, ()),
        "sections": question_sections(answers),
        "unsectioned": answered_in_texts(answers),
        "means_methods": methods_sentences(answers),
        "split": " and ".join(answers.described.get("by", ())),
    }


def _notices(
    built: Mapping[str, Any], analysis: Mapping[str, Any], ratings: pl.DataFrame
) -> list[str]:
    """Return what a reader must know about items, systems and times."""
    return [*_built(built), *_unnamed(analysis), *_divided(ratings)]


def _built(built: Mapping[str, Any]) -> list[str]:
    """Return what a reader must know about how the items came about."""
    notices = []
    if built.get("lexica", {}).get("norms", {}).get("predicted"):
        notices.append(
            "The concreteness norms of this study are predicted from word vectors; nobody "
            "rated the words. The concreteness of an item is therefore an estimate."
        )
    paired = built.get("matching") or {}
    pairs = max((one["matches"] for one in paired.values()), default=0)
    if pairs:
        near = ", ".join(f"{name} (within {one['tolerance']:g})" for name, one in paired.items())
        notices.append(f"The items are {pairs:,} pairs, alike in {near}.")
    if built.get("promoted"):
        notices.append(f"{built['promoted']:,} gold items come from a pilot that was unanimous.")
    if built.get("vetted"):
        passed = sum(bool(one["passed"]) for one in built["vetted"])
        notices.append(f"A pilot vetted {len(built['vetted']):,} check items; {passed:,} are kept.")
    return notices


def _divided(ratings: pl.DataFrame) -> list[str]:
    """Return that times are not those of answers, where a total was divided by items."""
    divided = divided_times(ratings)
    if not divided:
        return []
    return [
        f"{divided:,} of {ratings.height:,} times are totals divided by items, not times of "
        "answers: no figure shows them, and no rule judges speed by them."
    ]


def _unnamed(analysis: Mapping[str, Any]) -> list[str]:
    """Return that systems are not compared, where candidates were judged and none is named."""
    if not analysis or analysis.get("systems"):
        return []
    return [
        "Systems are not compared, because the key with their names, which building wrote next to "
        "the study, was not found."
    ]


def _about(material: Material, question: str) -> Material:
    """Return the material of one question; items nobody was asked it about are not in it."""
    own = pl.col("question") == question
    collected = material.collected.filter(own)
    return replace(
        material,
        items=material.items.join(collected, on="item", how="semi", maintain_order="left"),
        collected=collected,
        kept=material.kept.filter(own),
        exclusions=material.exclusions.filter(own),
        labels=material.labels.filter(own),
        tied=material.tied.filter(own),
        agreement=material.agreement["questions"][question],
        cascade=cascade_of(material.cascade, question),
    )
