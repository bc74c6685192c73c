"""Reasons coded by two people or more: a sheet to fill in, and what the filled ones say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.coding import (
    CODES_DOCUMENT,
    Code,
    code_agreement,
    code_table,
    codes_figure,
    coding_sheet,
    comment_cases,
    differing_codes,
    filled_sheets,
    item_cases,
    read_codebook,
)
from plausibly.analysis.figures import Figure, write_figures
from plausibly.domain import Measure
from plausibly.errors import StudyError, option
from plausibly.io.frames import Source, as_table
from plausibly.measures.resampling import RESAMPLES, Resampling
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.study.hooks import Listed, Set
from plausibly.study.results import Result, finite, put_table, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.tables import ITEMS, LABELS

SHEET_FILE = "coding/sheet.csv"
CODES_FILE = "coding/codes.parquet"


@dataclass(frozen=True, eq=False, repr=False)
class CodingSheet(Result):
    """Cases for coders to code.

    Args:
        sheet: case, item, text, question, answers, comment, codes; code and note are blank.
        codebook: What each code means.
    """

    sheet: pl.DataFrame
    codebook: tuple[Code, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the cases and the codebook."""
        codes = {one.code: one.description for one in self.codebook}
        return {"cases": self.sheet["case"].to_list(), "codes": codes}

    def text(self) -> str:
        """Return the codebook."""
        rows = [(one.code, one.description, one.example) for one in self.codebook]
        return text_table(("code", "description", "example"), rows)

    def counted(self, name: str) -> str:
        """Return in words what the file holds."""
        del name
        return f"{self.sheet.height} cases to code"

    @property
    def talk(self) -> tuple[str, ...]:
        """How many cases there are, and what to do with them."""
        return (
            f"{self.sheet.height} cases. Give each coder a copy named after them (anna.csv); they "
            "fill in the column code, several codes separated by semicolons.",
        )


@dataclass(frozen=True, eq=False, repr=False)
class CodedCases(Result):
    """What coders found.

    Args:
        codes: code, description, one column per coder, all coders, share and kappa with intervals.
        cases: case, item, text, coder and code.
        disagreements: The cases coded differently, one column per coder.
        agreement: Measures of agreement by name.
    """

    codes: pl.DataFrame
    cases: pl.DataFrame
    disagreements: pl.DataFrame
    agreement: Mapping[str, Measure]

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The shares of the codes."""
        return (codes_figure(self.codes, self.agreement, self.cases["case"].n_unique()),)

    def put(self, folder: Path) -> None:
        """Write the tables, and the figure."""
        super().put(folder)
        write_figures(self.figures, folder)

    def as_json(self) -> dict[str, Any]:
        """Return agreement, codes and disagreements."""
        return {
            "cases": self.cases["case"].n_unique(),
            "coders": self.cases["coder"].unique().sort().to_list(),
            "agreement": {name: one.as_json() for name, one in self.agreement.items()},
            "codes": self.codes.to_dicts(),
            "disagreements": self.disagreements.to_dicts(),
        }

    def text(self) -> str:
        """Return agreement, then the codes."""
        rows = [(name, m.value, m.low, m.high, m.n) for name, m in self.agreement.items()]
        shown = self.codes.drop("description")
        measures = text_table(("measure", "value", "low", "high", "n"), rows)
        return f"{measures}\n{text_table(tuple(shown.columns), shown.iter_rows())}"


def _sheet_in_study(work: Work, places: Places) -> None:
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    codebook = str(chosen.pop("codebook"))
    of_items = chosen["of"] == "items"
    result = experts_sheet(
        work.path(places["ratings"]),
        codebook=work.path(codebook) if work.has(codebook) else codebook,
        items=work.path(places["items"]),
        labels=work.path(places["labels"]) if of_items else None,
        seed=work.seed,
        **chosen,
    )
    work.path(SHEET_FILE).parent.mkdir(parents=True, exist_ok=True)
    put_table("sheet", result.sheet, work.path(SHEET_FILE))
    work.write_json("experts_sheet.json", finite(result.as_json()))
    work.notes.extend(result.talk)


def _codes_in_study(work: Work, places: Places) -> None:
    del places
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    codebook = str(chosen.get("codebook", "disagreement"))
    result = experts_codes(
        [work.path(str(one)) for one in chosen["sheets"]],
        codebook=work.path(codebook) if work.has(codebook) else codebook,
        resamples=int(chosen.get("resamples", RESAMPLES)),
        seed=work.seed,
    )
    work.path(CODES_FILE).parent.mkdir(parents=True, exist_ok=True)
    put_table("codes", result.codes, work.path(CODES_FILE))
    work.write_json(CODES_DOCUMENT, finite(result.as_json()))


@verb(
    reads={"ratings": "ratings", "items": "items", "labels": "labels"},
    texts=("codebook",),
    output=Output("sheet", help="The sheet, such as sheet.csv."),
    study=InStudy(
        run=_sheet_in_study,
        also={"codebook": None},
        wanted=Set("experts_sheet", "codebook"),
        begins="[experts_sheet] codebook",
        outputs=(SHEET_FILE, "experts_sheet.json"),
    ),
)
def experts_sheet(
    ratings: Ratings,
    *,
    of: Literal["comments", "items"] = "comments",
    codebook: str | Path = "disagreement",
    items: Source | None = None,
    labels: Source | None = None,
    labelled: Sequence[str] = (),
    size: int | None = None,
    seed: int = 1,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> CodingSheet:
    """Write a sheet on which coders note why people answered as they did.

    A case is a comment, an item without a label, or an item with one of the labels you name. PAP
    asks why people disagree, and ADEPT inspects items at both ends of its scale.

    Args:
        ratings: File or table of ratings, with comments if these are coded.
        of: What to code: comments, or items (without a label, or with one of the labels you name).
        codebook: disagreement, extremes, or a TOML or CSV file with code, description and example.
        items: Items table, for the texts.
        labels: Labels table, needed to code items.
        labelled: Labels whose items are coded (default: the items without a label).
        size: How many cases to draw (default: all).
        seed: Seed for everything drawn at random.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA and N/A.

    Examples:
        plausibly experts sheet ratings.parquet --items items.parquet -o sheet.csv
        plausibly experts sheet ratings.csv --of items --labels labels.csv -o sheet.csv

    >>> rated = pl.DataFrame({"item": ["t1", "t1"], "annotator": ["a", "b"], "answer": [1, 5],
    ...                       "comment": ["depends on the law", None]})
    >>> experts_sheet(rated).as_json()["cases"]
    ['c0001']
    """
    _check(of, labels, labelled)
    codes = read_codebook(codebook)
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    known = imported.items if items is None else as_table(items, ITEMS)
    table, _ = without_checks(imported.ratings, known)
    if labels is None:
        cases = comment_cases(table, known)
    else:
        cases = item_cases(table, known, as_table(labels, LABELS), labelled)
    return CodingSheet(coding_sheet(cases, codes, size=size, seed=seed), codes)


def _check(of: str, labels: Source | None, labelled: Sequence[str]) -> None:
    """Raise if what is coded and what is passed do not go together."""
    if of == "items" and labels is None:
        raise StudyError(f"to code items, pass {option('labels')}.", parameter="labels")
    idle = "labels" if labels is not None else "labelled" if labelled else ""
    if of == "comments" and idle:
        raise StudyError(
            f"{option(idle)} is only for items: set {option('of')} to items.", parameter=idle
        )


@verb(
    texts=("codebook",),
    output=Output(help="Folder for tables and the figure."),
    study=InStudy(
        run=_codes_in_study,
        also={"sheets": []},
        wanted=Set("experts_codes", "sheets"),
        begins="[experts_codes] sheets",
        external=Listed("sheets"),
        outputs=(CODES_FILE, CODES_DOCUMENT),
    ),
)
def experts_codes(
    sheets: Sequence[str | Path],
    *,
    codebook: str | Path = "disagreement",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> CodedCases:
    """Count the codes on filled-in sheets, and measure how far the coders agree.

    Args:
        sheets: One sheet per coder; the coder is the name of the file, or a column coder.
        codebook: The codebook the sheets were made with.
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly experts codes anna.csv ben.csv
        plausibly experts codes anna.csv ben.csv --codebook extremes -o codes

    >>> experts_codes(["anna.csv"], codebook="reasons")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown codebook 'reasons'. Known: disagreement, extremes.
    """
    codes = read_codebook(codebook)
    if not sheets:
        raise StudyError("no sheet is named. Pass the sheet of each coder.", parameter="sheets")
    coded = filled_sheets([Path(one) for one in sheets], codes)
    resampling = Resampling(units="items", seed=seed)
    return CodedCases(
        code_table(coded, codes, resampling=resampling, resamples=resamples),
        coded,
        differing_codes(coded),
        code_agreement(coded, resampling=resampling),
    )
