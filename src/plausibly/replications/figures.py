"""`replicate --figures`: the figures and tables of a publication."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plausibly.analysis.figures import write_figures
from plausibly.analysis.paper import ClaimRow, PaperPage, PaperSection, render_paper
from plausibly.errors import UnknownName
from plausibly.registry import Registry
from plausibly.replications.claims import read_claims
from plausibly.replications.exhibits import Exhibit, Exhibits, Numbers
from plausibly.replications.recomputing import recomputed
from plausibly.replications.rulings import Ruling, rulings
from plausibly.replications.showing import NOTHING, entry, opening
from plausibly.study.exhibits import ExhibitPart
from plausibly.study.results import Result, text_table

PAPERS: Registry[Callable[[Path, Numbers], Exhibits]] = Registry(
    "publication",
    {
        "adept": "plausibly.replications.adept.exhibits:exhibits",
        "gita": "plausibly.replications.gita.exhibits:exhibits",
        "pap": "plausibly.replications.pap.exhibits:exhibits",
        "sp10k": "plausibly.replications.sp10k.exhibits:exhibits",
    },
)
PAGE = "report.html"
SHOWN = 4


@dataclass(frozen=True, eq=False, repr=False)
class PaperFigures(Result):
    """The figures and tables of a publication, from its released data."""

    paper: str
    page: str
    exhibits: Exhibits
    statements: tuple[Ruling, ...]

    @property
    def figures(self) -> tuple[ExhibitPart, ...]:
        """Every figure and table, in the order of the page."""
        return tuple(one for exhibit in self.exhibits.shown for one in exhibit.figures)

    @property
    def claims(self) -> list[dict[str, str]]:
        """What is printed next to what follows from the data, where the data decide it."""
        open_ = ("unprinted", "not computable")
        printed = [one for one in self.statements if one.verdict not in open_]
        return [
            {
                "claim": row.says,
                "place": row.place,
                "published": row.printed,
                "recomputed": row.recomputed,
                "verdict": row.verdict,
            }
            for one in printed
            for row in _rows(one)
        ]

    def as_json(self) -> dict[str, Any]:
        """Return every figure and table with its rows, and what the data do not decide."""
        return {
            "paper": self.paper,
            "measures": self.exhibits.kind,
            "exhibits": [
                {
                    "name": one.name,
                    "exhibit": exhibit.heading,
                    "title": one.title,
                    "caption": one.caption,
                    "drawn": bool(one.svg),
                    "rows": one.table.to_dicts(),
                }
                for exhibit in self.exhibits.shown
                for one in exhibit.figures
            ],
            "statements": [
                {"statement": one.statement, "place": one.place, "verdict": one.verdict}
                for one in self.statements
            ],
            "undecided": [{"what": what, "why": why} for what, why in self.exhibits.undecided],
        }

    def text(self) -> str:
        """Return what there is: name, title, rows."""
        rows = [
            (one.name, "drawn" if one.svg else "listed", one.table.height, one.title)
            for one in self.figures
        ]
        return text_table(("name", "form", "rows", "shows"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What printed statements come to, and what the data do not decide."""
        undecided = "; ".join(what for what, _ in self.exhibits.undecided)
        return (opening(self.statements)[0], f"Not decided by the released data: {undecided}.")

    @property
    def documents(self) -> Mapping[str, object]:
        """The page, and the JSON document."""
        return MappingProxyType({PAGE: self.page, "replicate.json": self.as_json()})

    @property
    def noted(self) -> tuple[str, ...]:
        """The printed statements that do not follow."""
        errata = [one for one in self.statements if one.verdict == "erratum"]
        return tuple(f"{one.statement} does not follow" for one in errata if one.fault is None)

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return where the page is."""
        return (f"{folder / PAGE}: with its figures and tables.",)

    def put(self, folder: Path) -> None:
        """Write the page, figures/*.svg and tables as CSV, Markdown and LaTeX."""
        super().put(folder)
        write_figures(self.figures, folder)


def paper_figures(name: str, *, data: str | PathLike[str] | None = None) -> PaperFigures:
    """Return the figures and tables of a publication from the released data in a data folder."""
    if name not in PAPERS:
        raise UnknownName("publication", name, PAPERS)
    replicated = recomputed(name, data)
    numbers = Numbers({record.id: record for record in replicated.records})
    shown = PAPERS[name](Path(str(data)), numbers)
    statements = rulings(replicated.records)
    paper = read_claims(name).paper
    page = PaperPage(
        title=paper,
        kind=shown.kind,
        opening=opening(statements),
        sections=[_section(one, statements) for one in shown.shown],
        undecided=shown.undecided,
        command=f"plausibly replicate {name} --figures",
    )
    return PaperFigures(paper, render_paper(page), shown, statements, made=replicated.made)


def _section(exhibit: Exhibit, statements: Sequence[Ruling]) -> PaperSection:
    own = [one for one in statements if _about(one, exhibit.about) and one.verdict != "unprinted"]
    return PaperSection(
        exhibit.name,
        exhibit.heading,
        exhibit.figures,
        [row for one in own for row in _rows(one)],
    )


def _about(statement: Ruling, beginnings: tuple[str, ...]) -> bool:
    names = (statement.statement, *(record.id for record in statement.deciding))
    return any(f"{name}.".startswith(f"{one}.") for name in names for one in beginnings)


def _rows(statement: Ruling) -> Iterator[ClaimRow]:
    """Yield a statement as rows of a table: one, or its numbers where few are shown."""
    shown = entry(statement)
    printed = _joined([(row.name, row.printed) for row in shown.rows])
    recomputed = _joined([(row.name, row.recomputed) for row in shown.rows])
    yield ClaimRow(shown.place, shown.says, printed, recomputed, shown.verdict, shown.note)


def _joined(cells: Sequence[tuple[str, str]]) -> str:
    """Return the first values of a statement with their names; one dash where there is none."""
    named = [f"{name}: {text}" if name else text for name, text in cells if text != NOTHING]
    more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    return "; ".join(named[:SHOWN]) + more or NOTHING
