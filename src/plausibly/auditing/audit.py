"""The audit of a set of ratings: every section, the findings, and the verdicts that follow."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from plausibly.auditing.content import (
    balance_findings,
    balance_section,
    privacy_findings,
    privacy_section,
    publishing_section,
    release_findings,
    splits_section,
    text_findings,
    texts_section,
)
from plausibly.auditing.design import (
    design_findings,
    design_section,
    missing_cells,
    missing_findings,
    missing_section,
)
from plausibly.auditing.findings import AuditFinding, Section, spaced, unknown
from plausibly.auditing.ordering import order_findings, order_section
from plausibly.auditing.people import People, people_findings, people_of, people_section
from plausibly.auditing.question import RatedQuestion, counted_answers
from plausibly.auditing.support import (
    KnownItems,
    conditions_section,
    disagreement_section,
    item_means,
    items_per_group,
    labels_section,
    means_section,
    models_section,
    reliability_sections,
    support_findings,
)
from plausibly.auditing.verdicts import AuditVerdict, Rules, decide, flags_of, merged
from plausibly.domain import as_number

TEST = ("test", "testing", "eval", "evaluation")
PEOPLE_UNKNOWN = (
    "Who gave which rating is not known, so differences between people are not included."
)
FEW_PEOPLE = "With fewer than {:.0f} people, the interval is for these people only."
NOT_A_RELEASE = "Licence and card belong to a release, and this is not one."
UNSTABLE = "Another panel would change {:.0%} of the labels."
NO_MEANS = "The released labels are not means."
LABELS_UNKNOWN = "How many labels another panel would change cannot be determined."


@dataclass(frozen=True, eq=False)
class Released:
    """Labels or means of one question that were released without the ratings behind them.

    Args:
        name: Of the question.
        labels: item and label.
        ends: Lowest and highest value of the scale; by default those that occur.
    """

    name: str
    labels: pl.DataFrame
    ends: tuple[float, float] | None = None

    @cached_property
    def values(self) -> dict[str, float]:
        """From an item to its mean; empty where labels are words or numbers of categories."""
        rows = self.labels.drop_nulls("label").select("item", "label").iter_rows()
        found = {str(item): as_number(str(label)) for item, label in rows}
        known = {item: number for item, number in found.items() if number is not None}
        graded = self.ends is not None or any(not one.is_integer() for one in known.values())
        return known if graded and len(known) == len(found) else {}


@dataclass(frozen=True, eq=False)
class AuditMaterial:
    """Everything an audit looks at.

    Args:
        name: Of the file, study, release or dataset.
        kind: Which of these it is.
        questions: The ratings by question.
        released: Labels of questions without ratings.
        items: Items with texts, conditions, groups and splits, as far as they are known.
        tables: Every table, to look for personal data.
        personal: Names of columns that say who somebody is.
        missing: How many cells were read as missing, and how many items have no answer.
        balance: What `check balance` reports about the items.
        release: Licence and missing files of a release or dataset.
        notes: How it was read.
    """

    name: str
    kind: str
    questions: Sequence[RatedQuestion]
    released: Sequence[Released] = ()
    items: pl.DataFrame | None = None
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    personal: Collection[str] = ()
    missing: tuple[int, int] = (0, 0)
    balance: Mapping[str, Any] | None = None
    release: Mapping[str, Any] | None = None
    notes: Sequence[str] = ()

    @cached_property
    def labelled(self) -> KnownItems:
        """Conditions, groups and test items."""
        if self.items is None:
            return KnownItems({}, {})
        tested = self.items.head(0)
        if "split" in self.items.columns:
            lower = pl.col("split").cast(pl.String).str.to_lowercase()
            tested = self.items.filter(lower.is_in(TEST))
        names = frozenset(tested["item"].to_list())
        return KnownItems(self._of("condition"), self._of("item_group"), names)

    def _of(self, column: str) -> dict[str, str]:
        if self.items is None or column not in self.items.columns:
            return {}
        known = self.items.drop_nulls(column).select("item", pl.col(column).cast(pl.String))
        return dict(known.iter_rows())


@dataclass(frozen=True, eq=False)
class AuditOf:
    """What an audit says.

    Args:
        verdicts: One per use, over all questions.
        findings: Serious ones first.
        sections: Every number.
        people: By question, what each person's answers are like.
    """

    verdicts: tuple[AuditVerdict, ...]
    findings: tuple[AuditFinding, ...]
    sections: Section
    people: Mapping[str, People]


def audited(
    material: AuditMaterial, rules: Rules, *, difference: float | None = None, seed: int = 0
) -> AuditOf:
    """Return the audit of a material.

    Args:
        material: What is audited.
        rules: What verdicts need, and from where on something is a finding.
        difference: The difference between means that matters; a tenth of the scale by default.
        seed: Of what is drawn at random.
    """
    people = {
        one.name: people_of(one, rules.numbers) for one in material.questions if one.people_known
    }
    own = {
        one.name: _question_sections(one, material, people.get(one.name), rules, difference, seed)
        for one in material.questions
    }
    own |= {
        one.name: _released_sections(one, material, rules, difference) for one in material.released
    }
    shared = _shared_sections(material)
    findings = sorted(
        [
            *(f for one in material.questions for f in _found(one, own, people, rules)),
            *_found_in_all(shared, rules),
        ],
        key=lambda one: one.severity != "serious",
    )
    findings = [replace(one, message=spaced(one.message)) for one in findings]
    by_question = {
        name: [*_on_question(rules, name, sections, findings)] for name, sections in own.items()
    }
    verdicts = tuple(_verdicts(rules, by_question, shared, findings))
    own = {
        name: {**sections, "verdicts": [one.as_json() for one in by_question[name]]}
        for name, sections in own.items()
    }
    sections = {
        "source": {"name": material.name, "kind": material.kind, "notes": list(material.notes)},
        "questions": own,
        **shared,
    }
    return AuditOf(verdicts, tuple(findings), sections, people)


def _question_sections(
    question: RatedQuestion,
    material: AuditMaterial,
    people: People | None,
    rules: Rules,
    difference: float | None,
    seed: int,
) -> Section:
    numbers, matters = rules.numbers, difference or (question.width or 1.0) / 10
    agreement, reliability = reliability_sections(question, seed=seed)
    labels, means = labels_section(question, seed=seed), item_means(question)
    labelled = material.labelled
    tested = [item for item in means if item in labelled.tested] or list(means)
    several = _asked(material) if len(material.questions) > 1 else None
    return {
        "design": design_section(question),
        "scale": _scale(question),
        "missing": missing_section(question, asked=several),
        "agreement": agreement,
        "reliability": reliability,
        "means": means_section(question, matters),
        "labels": labels,
        "disagreement": disagreement_section(question, seed=seed),
        "models": models_section(
            items=len(tested),
            stability=labels["stability"].get("value"),
            labels=2 if question.graded else question.coded.n_answers,
            groups=items_per_group(means, labelled.group),
            numbers=numbers,
        ),
        "conditions": conditions_section(
            means, labelled, difference=matters if question.values is not None else 0.1
        ),
        "people": people_section(question, people, numbers),
        "order": order_section(question),
    }


def _asked(material: AuditMaterial) -> int:
    """Return how many pairs of item and annotator answered any question."""
    pairs = [one.ratings.select("item", "annotator") for one in material.questions]
    return pl.concat(pairs).unique().height


def _scale(question: RatedQuestion) -> Section:
    low, high = question.bounds
    counted, counts = counted_answers(question)
    return {
        "scale": question.scale,
        "reason": question.reason,
        "answers": question.coded.n_answers,
        "low": low if question.values is not None else None,
        "high": high if question.values is not None else None,
        "bounds_declared": question.ends is not None,
        "counted": counted,
        "counts": [{"answer": answer, "ratings": n} for answer, n in counts],
        "people_known": question.people_known,
    }


def _released_sections(
    released: Released, material: AuditMaterial, rules: Rules, difference: float | None
) -> Section:
    """Return what labels alone show; all else cannot be determined."""
    values, labels = released.values, released.labels.drop_nulls("label")
    spread = np.ptp(list(released.ends or values.values())) if values else 1.0
    matters = difference or float(spread or 1.0) / 10
    tested = material.labelled.tested
    items = labels["item"].to_list()
    own = [item for item in items if item in tested] or items
    kinds = labels["label"].n_unique()
    means = {"least": min(values.values()), "most": max(values.values())} if values else None
    return {
        "design": {"items": released.labels["item"].n_unique(), "ratings": None, "labels": kinds},
        "released_means": means and {**means, "ends": released.ends},
        "models": models_section(
            items=len(own),
            stability=None,
            labels=2,
            groups=items_per_group(values, material.labelled.group),
            numbers=rules.numbers,
        ),
        "conditions": conditions_section(values, material.labelled, difference=matters)
        if values
        else {"half_width_in_differences": unknown(NO_MEANS)},
    }


def _shared_sections(material: AuditMaterial) -> Section:
    repeats = None if material.balance is None else material.balance.get("repeats")
    compared = None if material.balance is None else material.balance.get("compared")
    privacy = privacy_section(material.tables, material.personal)
    ratings = sum(one.coded.n_ratings for one in material.questions)
    return {
        "missing": missing_cells(*material.missing, ratings),
        "texts": {**texts_section(material.items, repeats), "compared": compared},
        "splits": splits_section(material.items),
        "balance": balance_section(
            None
            if material.balance is None or "items" not in material.balance
            else material.balance
        ),
        "publishing": publishing_section(privacy, material.release),
    }


def _found(
    question: RatedQuestion, sections: Section, people: Mapping[str, People], rules: Rules
) -> Iterator[AuditFinding]:
    own, numbers = sections[question.name], rules.numbers
    found = [*design_findings(question, own["design"], numbers)]
    found += support_findings(own["reliability"], numbers)
    if question.name in people:
        found += people_findings(question, people[question.name], numbers)
    found += order_findings(question, own["order"], numbers)
    if question.scale == "ask":
        message = f"The scale is not clear: {question.reason}. Declare it with --scale."
        found.append(AuditFinding("unclear_scale", "minor", message, 1, (), "scale"))
    for one in found:
        yield replace(one, question=question.name)


def _found_in_all(shared: Section, rules: Rules) -> Iterator[AuditFinding]:
    yield from missing_findings(shared["missing"], rules.numbers)
    yield from text_findings(shared["texts"], shared["splits"])
    yield from balance_findings(shared["balance"], rules.numbers)
    yield from privacy_findings(
        {"found": shared["publishing"]["privacy"]},
    )
    yield from release_findings(shared["publishing"]["release"])


def _facts(sections: Section, rules: Rules) -> dict[str, str]:
    """Return what limits verdicts without being a finding."""
    design, facts = sections["design"], {}
    if design["ratings"] is None:
        facts["labels_unknown"] = LABELS_UNKNOWN
    elif not design["people_known"]:
        facts["people_unknown"] = PEOPLE_UNKNOWN
    elif design["annotators"] < rules.numbers["few_people"]:
        facts["few_people"] = FEW_PEOPLE.format(rules.numbers["few_people"])
    needed, stability = (
        rules.verdicts.get("labels"),
        sections.get("labels", {}).get("stability", {}),
    )
    if needed is not None and (stability.get("value") or 1.0) < needed.with_care:
        facts["unstable_labels"] = spaced(UNSTABLE.format(1 - stability["value"]))
    return facts


def _on_question(
    rules: Rules, name: str, sections: Section, findings: Sequence[AuditFinding]
) -> Iterator[AuditVerdict]:
    flags = {**_facts(sections, rules), **flags_of(findings, name)}
    for use, rule in rules.verdicts.items():
        if rule.scope == "question":
            answer, because = decide(rule, sections, flags)
            yield AuditVerdict(use, answer, because, rule.evidence, name)


def _verdicts(
    rules: Rules,
    by_question: Mapping[str, Sequence[AuditVerdict]],
    shared: Section,
    findings: Sequence[AuditFinding],
) -> Iterator[AuditVerdict]:
    for use, rule in rules.verdicts.items():
        if rule.scope == "question":
            each = [one for own in by_question.values() for one in own if one.use == use]
            yield merged(use, each)
        else:
            flags = flags_of(findings, None)
            if shared["publishing"]["release"] is None:
                flags["not_a_release"] = NOT_A_RELEASE
            answer, because = decide(rule, shared, flags)
            yield AuditVerdict(use, answer, because, rule.evidence)
