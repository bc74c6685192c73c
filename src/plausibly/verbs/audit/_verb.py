"""What a file of ratings, a study, a release or a published dataset can support."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import polars as pl

from plausibly.analysis.audit_report import audit_page
from plausibly.auditing.audit import AuditMaterial, AuditOf, audited
from plausibly.auditing.findings import shown_names
from plausibly.auditing.verdicts import read_rules
from plausibly.errors import StudyError, option
from plausibly.io.frames import Source
from plausibly.ratings.sources import Ratings
from plausibly.study.arguments import ends_of, listed
from plausibly.study.hooks import Set
from plausibly.study.made import being_made
from plausibly.study.results import Result, finite, put_document
from plausibly.study.sources import is_study, named_set
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.verbs.audit._material import (
    AuditChoices,
    declared_facts,
    imported_ratings,
    in_folder,
    of_ratings,
    of_set,
    read_from,
    source_name,
)

PAGE = "audit.html"
WIDTH = 100
DOCUMENT = "audit.json"


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """What ratings can support.

    Args:
        audit: Verdicts, findings and every number behind them.
        material: What was audited.
        asks: The questions the page asks, by verdict.
    """

    audit: AuditOf
    material: AuditMaterial
    asks: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """Return verdicts, findings and sections."""
        return {
            "verdicts": [one.as_json() for one in self.audit.verdicts],
            "findings": [one.as_json() for one in self.audit.findings],
            "sections": self.audit.sections,
        }

    def text(self) -> str:
        """Return the verdicts, then the findings."""
        verdicts = [(f"{one.use:18}{one.verdict:16}", one.because) for one in self.audit.verdicts]
        rows = [(f"{one.severity:9}{one.kind:25}", one.message) for one in self.audit.findings]
        parts = ["".join(_wrapped(*row) for row in part) for part in (verdicts, rows)]
        return "\n".join(part for part in parts if part)

    @property
    def talk(self) -> tuple[str, ...]:
        """How the data were read."""
        return tuple(self.material.notes)

    @property
    def noted(self) -> tuple[str, ...]:
        """Serious findings."""
        return tuple(one.message for one in self.audit.findings if one.severity == "serious")

    @property
    def remarks(self) -> tuple[str, ...]:
        """Serious findings, for a study that was just run."""
        return tuple(f"audit: {message}" for message in self.noted)

    @property
    def page(self) -> str:
        """The page, one HTML file without outside resources."""
        return audit_page(
            self.as_json(),
            asks=self.asks,
            per_item={one.name: one.per_item.tolist() for one in self.material.questions},
            people=dict(_people(self.material, self.audit)),
        )

    @property
    def documents(self) -> Mapping[str, object]:
        """The page, and the document of `--json`."""
        return MappingProxyType({PAGE: self.page, DOCUMENT: self.as_json()})

    def put_one(self, name: str, path: Path) -> None:
        """Write the page to a file."""
        del name
        put_document(self.page, path)

    def counted(self, name: str) -> str:
        """Return in words what the page holds."""
        del name
        serious = len(self.noted)
        findings = "1 serious finding" if serious == 1 else f"{serious} serious findings"
        return f"{len(self.audit.verdicts)} verdicts, {findings}"


def _wrapped(start: str, sentence: str) -> str:
    """Return a sentence next to its heading, in lines that fit a terminal."""
    further = " " * len(start)
    lines = textwrap.wrap(sentence, WIDTH, initial_indent=start, subsequent_indent=further)
    return "".join(f"{line}\n" for line in lines)


def _people(material: AuditMaterial, audit: AuditOf) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield by question who gave how many ratings, and how far they answer as the others do."""
    for question in material.questions:
        own = audit.people.get(question.name)
        if own is None:
            continue
        likeness = np.where(own.judged, own.alike, np.nan)
        columns = {
            "annotator": [*shown_names(question.coded.annotators.to_list())],
            "ratings": question.per_person.astype(np.int64),
            "commonest_answer": own.top,
            "likeness": pl.Series(likeness).fill_nan(None),
            "suspect": own.any_suspect,
        }
        yield question.name, pl.DataFrame(columns)


def _sources(arguments: Parameters) -> dict[str, Any]:
    """Return what is read where a folder is named."""
    source = arguments.get("source")
    if not is_study(source):
        return {}
    kept, items = in_folder(Path(source))
    return {"source": kept, **({"items": items} if items and not arguments.get("items") else {})}


def _in_study(work: Work, places: Places) -> None:
    """Audit the ratings that a study kept."""
    del places
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    chosen.pop("page")
    if "verdicts" in chosen:
        chosen["verdicts"] = work.path(str(chosen["verdicts"]))
    result = audit(work.folder, seed=work.seed, **chosen)
    work.notes.extend(result.remarks)
    work.write_text(PAGE, result.page)
    work.write_json(DOCUMENT, finite(result.as_json()))


@verb(
    reads={"source": "ratings", "items": "items"},
    texts=("source",),
    output=Output("page", help="File for the page (HTML)."),
    sources=_sources,
    strict=True,
    unset=("data",),
    study=InStudy(
        run=_in_study,
        also={"page": False},
        wanted=Set("audit", "page"),
        begins="[audit] page = true",
        outputs=(PAGE, DOCUMENT),
        explained={"page": "Whether to audit the kept ratings, as a page and as JSON."},
    ),
)
def audit(
    source: Ratings,
    *,
    items: Source | None = None,
    question: str | None = None,
    difference: float | None = None,
    verdicts: str | Path | None = None,
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    bounds: str | Sequence[float] | None = None,
    seed: int = 0,
    data: str | Path | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> Audit:
    """Report what ratings can support, as one page: ten verdicts, then the evidence.

    The verdicts are about means, rankings, labels, comparing models, disagreement, conditions,
    people, comparing all items, splits and publishing. Each is yes, with care, no, or cannot
    be told. No verdict rests on agreement alone, and data that were not released do not count
    against a dataset.

    Args:
        source: File or table of ratings, a study (its kept ratings), a release, or the name of a
            published dataset.
        items: Items table, for texts, conditions, groups and splits; its check items are left out.
        question: Audit only this question.
        difference: Difference between means that matters (default: a tenth of the scale).
        verdicts: Your edited copy of verdicts.toml, whose rules and numbers replace ours.
        scale: nominal, ordinal or interval, for all questions or as 'fit=interval,odd=nominal'
            (default: inferred from the answers).
        order: Answers in ascending order, separated by commas, for ordinal questions in words.
        bounds: Lowest and highest value of the scale, as '0,100' (default: those that occur).
        seed: Seed for everything drawn at random.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas.

    Examples:
        plausibly audit ratings.csv -o audit.html
        plausibly audit my-study --difference 0.5 --json

    >>> table = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                       "answer": [1, 2, 4, 5]})
    >>> [one["for"] for one in audit(table).as_json()["verdicts"]][:3]
    ['means', 'ranking', 'labels']
    """
    if difference is not None and not difference > 0:
        what = f"{option('difference')} must be above 0; got {difference}."
        raise StudyError(what, parameter="difference")
    if seed < 0:
        raise StudyError(f"{option('seed')} must be 0 or more; got {seed}.", parameter="seed")
    rules = read_rules(None if verdicts is None else Path(verdicts))
    loaded = named_set(source, data)
    facts = declared_facts(source)
    choices = AuditChoices(question, scale, tuple(listed(order)), ends_of(bounds), facts)
    if loaded is None:
        imported = imported_ratings(source, items, format=format, columns=columns, missing=missing)
        kind = "study" if is_study(source) else "ratings"
        material = of_ratings(imported, choices, name=source_name(source), kind=kind)
    else:
        material = of_set(loaded, choices, source)
    found = audited(material, rules, difference=difference, seed=seed)
    made = being_made().reading(read_from(source, data))
    return Audit(found, material, {use: one.asks for use, one in rules.verdicts.items()}, made=made)
