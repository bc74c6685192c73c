"""What `replicate` returns: records, and the printed statements they decide."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import polars as pl

from plausibly.analysis.figures import write_figures
from plausibly.replications.pages import as_page, as_text
from plausibly.replications.printed import Value
from plausibly.replications.record import Record, Verdict
from plausibly.replications.rulings import Ruling, counted, rulings
from plausibly.replications.showing import tally
from plausibly.study.results import Result
from plausibly.verbs.report import Report

Form = Literal["text", "markdown", "html"]
COMMAND = "plausibly replicate"


@dataclass(frozen=True, eq=False, repr=False)
class Replicated(Result):
    """The records of one or more publications; shows itself by record or by statement.

    Args:
        records: One per number, in the order of the papers, whatever is shown of them.
        by_statement: Show every printed statement instead of findings only.
        chosen: Verdicts that are shown; empty for all.
        left_out: Folders of publications that were not there.
        report: Every figure and table of your study, where a release was run again.
        name: What was recomputed.
        form: How it prints itself.
    """

    records: tuple[Record, ...]
    by_statement: bool = False
    chosen: tuple[Verdict, ...] = ()
    left_out: tuple[str, ...] = ()
    report: Report | None = None
    name: str = ""
    form: Form = "text"

    @property
    def statements(self) -> tuple[Ruling, ...]:
        """The statements that are shown, in the order of the papers, each with its verdict."""
        return tuple(one for one in rulings(self.records) if self._shown(one.verdict))

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many statements got each verdict, each fault once, the worst first, shown or not."""
        return counted(rulings(self.records))

    def only(self, verdicts: Iterable[Verdict]) -> Replicated:
        """Return the same showing only what has one of these verdicts; without any, all."""
        return replace(self, chosen=tuple(verdicts))

    def as_json(self) -> list[dict[str, Value]]:
        """Return what `replicate --json` prints, with `--statements` if asked for."""
        if self.by_statement:
            return [one.as_json() for one in self.statements]
        return [one.as_json() for one in self.records if self._shown(one.verdict)]

    def _shown(self, verdict: Verdict) -> bool:
        return not self.chosen or verdict in self.chosen

    def text(self) -> str:
        """Return six lines on what to do, then findings, or every statement if asked for."""
        if self.form != "text":
            return self.page(self.form)
        lead, every = not self.chosen, self.by_statement or bool(self.chosen)
        return "\n".join(as_text(self.statements, every=every, lead=lead)) + "\n"

    def page(self, form: str = "markdown") -> str:
        """Return the same as a page: markdown, or html, which is one file that needs no other."""
        lead, every = not self.chosen, self.by_statement or bool(self.chosen)
        options = "".join(f" --only '{verdict}'" for verdict in self.chosen)
        command = f"{COMMAND} {self.name}{options} --format {form}"
        return as_page(self.statements, form=form, every=every, lead=lead, command=command)

    @property
    def talk(self) -> tuple[str, ...]:
        """How many statements got each verdict, and what was left out."""
        every = rulings(self.records)
        unprinted = sum(
            one.verdict == "unprinted"
            and any(record.recomputed is not None for record in one.readings)
            for one in every
        )
        return (
            *(f"{folder}: no such folder, left out." for folder in self.left_out),
            tally(every),
            f"{unprinted} more groups of numbers follow from the data but were not printed.",
        )

    @property
    def noted(self) -> tuple[str, ...]:
        """The printed statements that do not follow."""
        errata = [one for one in rulings(self.records) if one.verdict == "erratum"]
        return tuple(f"{one.statement} does not follow" for one in errata if one.fault is None)

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return where it was written."""
        return (f"Written: {folder}",)

    def put(self, folder: Path) -> None:
        """Write records, statements and pages; of a release also its report and all its figures."""
        super().put(folder)
        if self.report is not None:
            write_figures(self.report.figures, folder)

    @property
    def documents(self) -> Mapping[str, object]:
        """The JSON document and both pages."""
        return MappingProxyType(
            {
                "replicate.json": self.as_json(),
                "errata.md": self.page("markdown"),
                "errata.html": self.page("html"),
                **(self.report.documents if self.report else {}),
            }
        )

    @property
    def tables(self) -> dict[str, pl.DataFrame | pl.LazyFrame]:
        """Records and statements as tables; what is not text is JSON."""
        names = [one.name for one in fields(Record)]
        return {
            "records": _frame((one.as_json() for one in self.records), names),
            "statements": _frame(
                (one.as_json() for one in rulings(self.records)),
                ["statement", "place", "says", "published", "verdict", "severity", "fault", "note"],
            ),
        }


def _frame(rows: Iterable[Mapping[str, Value]], names: list[str]) -> pl.DataFrame:
    cells = [[_cell(row[name]) for name in names] for row in rows]
    return pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String), orient="row")


def _cell(value: Value) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)
