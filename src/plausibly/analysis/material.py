"""The tables a report is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.analysis.by_question import QuestionSection
from plausibly.analysis.labelling import Labelling
from plausibly.analysis.methods import Procedure
from plausibly.analysis.models import ModelResults
from plausibly.study.exhibits import Exhibit


def _no_ties() -> pl.DataFrame:
    return pl.DataFrame(schema={"item": pl.String, "question": pl.String})


@dataclass(frozen=True, eq=False)
class Material:
    """The tables a report is made of.

    Args:
        name: Name of the study.
        items: All items, checks included.
        collected: Every rating that was collected.
        kept: The ratings left after cleaning.
        exclusions: The ledger of those set aside.
        labels: One label per item; null is undecided.
        agreement: What the agreement step found, in the form of `agree --json`.
        label_names: From label to the word the report uses.
        labelling: How the labels were made.
        made: Seed and versions, for the last section.
        simulated: How many of the people are simulated.
        sides: Answers that count as one in the soft Jaccard coefficient, None for equal ones.
        cascade: What each step of cleaning left, as `clean` says it.
        rules: The rules of cleaning in order, with their thresholds.
        clean_sides: Answers that count as one where cleaning measures agreement.
        question: The question the page is about, where several were asked.
        questions: One row per question, where several were asked.
        profiles: One row per system whose sentences were judged.
        notices: What a reader must know before anything else, such as predicted norms.
        uncleaned: What a model of annotators says about the ratings before cleaning.
        remarks: What people wrote about the whole survey.
        scheme: From answer to label; empty if answers are labels.
        wording: The question as people saw it, and its answers.
        offered: The answers to the page's question, in the order of the form.
        procedure: How people were asked, and what their answers cost.
        published: What a publication prints next to what its data say, where a study has it.
        competence: From annotator to competence, where a model of annotators was fitted.
        models: How models did, where the study has any.
        tied: item, question of each label that has an equal.
        missing: How often each word was read as no answer.
        sections: What was answered to each question, with figures and models.
        unsectioned: Sentences about questions that have no section.
        means_methods: Sentences of the methods section about means and models.
        split: Columns that split the answers, in words.
        decisions: What was done while people answered, row by row; None if nobody kept a log.
        exhibits: The figures and tables of the protocol's paper, from this study's data.
        confusion: Labels against the predictions of each model.
        attested: Ratings by how often a corpus attests the items.
        coded: What coders found in comments and answers.
        further: What steps report that the study has because it asks for them.
        explorer: The page that has every item; empty if there is none.
        explored: The models on that page.
    """

    name: str
    items: pl.DataFrame
    collected: pl.DataFrame
    kept: pl.DataFrame
    exclusions: pl.DataFrame
    labels: pl.DataFrame
    agreement: Mapping[str, Any]
    label_names: Mapping[str, str]
    labelling: Labelling
    made: Mapping[str, str | int]
    simulated: int = 0
    sides: str | None = None
    cascade: Sequence[Mapping[str, Any]] = ()
    rules: Sequence[str] = ()
    clean_sides: str | None = None
    question: str | None = None
    questions: Sequence[Mapping[str, Any]] = ()
    profiles: Sequence[Mapping[str, Any]] = ()
    notices: Sequence[str] = ()
    uncleaned: str = ""
    remarks: Sequence[str] = ()
    scheme: Mapping[str, str] = field(default_factory=dict)
    wording: Sequence[Mapping[str, Any]] = ()
    offered: Sequence[str] = ()
    procedure: Procedure = field(default_factory=Procedure)
    published: Mapping[str, Any] = field(default_factory=dict)
    competence: Mapping[str, float] = field(default_factory=dict)
    models: ModelResults | None = None
    tied: pl.DataFrame = field(default_factory=_no_ties)
    missing: Mapping[str, int] = field(default_factory=dict)
    decisions: Sequence[Mapping[str, Any]] | None = None
    sections: Sequence[QuestionSection] = ()
    unsectioned: Sequence[str] = ()
    means_methods: Sequence[str] = ()
    split: str = ""
    exhibits: Sequence[Exhibit] = ()
    confusion: Sequence[Exhibit] = ()
    attested: Sequence[Exhibit] = ()
    coded: Sequence[Exhibit] = ()
    further: Sequence[Exhibit] = ()
    explorer: str = ""
    explored: Sequence[str] = ()
