"""What moves ordered answers: a cumulative-link mixed model, and its data and script for R."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.ordinal import OrdinalModel, fit_ordinal
from plausibly.analysis.ordinal_terms import Design, design, parsed_terms, with_concreteness
from plausibly.analysis.r_script import r_script
from plausibly.datasets.norms import read_norms
from plausibly.errors import StudyError, about, option
from plausibly.io import make_folder, write_frame, write_text
from plausibly.io.frames import Source, as_table
from plausibly.models.lite.words import lemmas
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.study.made import Made, making
from plausibly.study.parameters import check_value
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import ITEMS

Family = Literal["auto", "ordinal"]
SCRIPT = "model.R"
RATED = "ratings.csv"


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalAnalysis(Result):
    """What moves ordered answers.

    Args:
        model: The fitted model.
        design: What it was fitted to.
        terms: Right side of the formula.
        made: How this came about.
    """

    model: OrdinalModel
    design: Design
    terms: str
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return thresholds, effects, deviations and how much the columns explain."""
        model = self.model
        return {
            "terms": self.terms,
            "link": model.link,
            "answers": list(self.design.answers),
            "thresholds": [asdict(one) for one in model.thresholds],
            "effects": [asdict(one) for one in model.effects],
            "deviations": dict(model.deviations),
            "log_likelihood": model.log_likelihood,
            "eta_squared": dict(self.design.eta_squared),
            "ratings": model.answers,
            "left_out": self.design.left_out,
            "converged": model.converged,
        }

    def text(self) -> str:
        """Return the effects, then the deviations of the groups."""
        effects = text_table(
            ("effect", "value", "error", "low", "high", "p"),
            [(e.name, e.value, e.error, e.low, e.high, e.p) for e in self.model.effects],
        )
        rows = [(name, value) for name, value in self.model.deviations.items()]
        return f"{effects}\n{text_table(('group', 'standard deviation'), rows)}"

    @property
    def talk(self) -> tuple[str, ...]:
        """What was fitted, and whether the optimiser got there."""
        first = (
            f"{self.model.answers} ratings, {self.design.left_out} left out; "
            f"log-likelihood {self.model.log_likelihood:.2f} ({self.model.link})."
        )
        if self.model.converged:
            return (first,)
        return (first, "The optimiser did not reach a maximum: leave out a term or a group.")


@dataclass(frozen=True, eq=False, repr=False)
class ExportedR(Result):
    """Data and script for R.

    Args:
        ratings: The ratings with the columns of the model.
        script: Fits the model to them in R.
        folder: Where both were written.
        made: How this came about.
    """

    ratings: pl.DataFrame
    script: str
    folder: Path
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the folder and the number of ratings."""
        return {"folder": str(self.folder), "ratings": self.ratings.height}

    def text(self) -> str:
        """Return the same as a table for people."""
        return text_table(("what", "value"), list(self.as_json().items()))

    @property
    def talk(self) -> tuple[str, ...]:
        """How to fit the model."""
        return (f"{self.folder / SCRIPT}: run it there with Rscript {SCRIPT}.",)

    def put(self, folder: Path) -> None:
        """Write the ratings as R reads them, and the script."""
        write_frame(self.ratings, folder / RATED)
        write_text(folder / SCRIPT, self.script)


@verb()
def analyse(
    ratings: Ratings,
    *,
    terms: str = "condition",
    family: Family = "auto",
    random: str | None = None,
    link: str = "logit",
    items: Source | None = None,
    norms: str | Path | None = None,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> OrdinalAnalysis:
    """Report what moves ordered answers, with a cumulative-link mixed model.

    Fixed effects are columns of the ratings or of their items; items, people and words whose
    groups have several ratings vary at random. Fitted by the Laplace approximation.

    Args:
        ratings: File or table of ratings.
        terms: Fixed effects by column: 'condition + subject', a product 'a:b', 'a*b' for both.
        family: Distribution of the answers: ordinal, or auto, which means ordinal for now.
        random: Columns whose groups vary, separated by commas (default: those that fit).
        link: logit or probit.
        items: Items table whose columns the terms name.
        norms: Concreteness norms; they add subject_concreteness, verb_… and object_….
        format: Format of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA and N/A.

    Examples:
        plausibly analyse ratings.csv --items items.csv --terms 'condition*weight'
        plausibly analyse events_with_ratings.tsv --format pap --terms condition --json

    >>> table = pl.DataFrame({
    ...     "item": [f"t{n}" for n in range(8)], "annotator": [f"a{n}" for n in range(8)],
    ...     "question": ["q"] * 8, "answer": list("12211221"),
    ...     "value": [1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0], "warm": [0.0, 1.0] * 4,
    ... })
    >>> [effect.name for effect in analyse(table, terms="warm", random="").model.effects]
    ['warm']
    """
    with about("family"):
        check_value("family", Family, family)
    table = _design(ratings, terms, random, items, norms, (format, columns, missing))
    return OrdinalAnalysis(fit_ordinal(table.table, link=link), table, terms)


@verb(output=Output(help="Folder to write.", required=True))
def export_r(
    ratings: Ratings,
    *,
    output: str | Path,
    terms: str = "condition",
    random: str | None = None,
    link: str = "logit",
    items: Source | None = None,
    norms: str | Path | None = None,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    force: bool = False,
) -> ExportedR:
    """Write the data of an ordinal model and a script that fits it in R, with ordinal and brms.

    The script uses the package ordinal, and brms where it is installed and $BRMS is set.

    Args:
        ratings: File or table of ratings.
        output: Folder to write.
        terms: Fixed effects by column: 'condition + subject', a product 'a:b', 'a*b' for both.
        random: Columns whose groups vary, separated by commas (default: those that fit).
        link: logit or probit.
        items: Items table whose columns the terms name.
        norms: Concreteness norms; they add subject_concreteness, verb_… and object_….
        format: Format of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA and N/A.
        force: Overwrite files that are something else.

    Examples:
        plausibly export r ratings.csv --items items.csv --terms condition -o in-r
        plausibly export r events_with_ratings.tsv --format pap --link probit -o in-r

    >>> import tempfile
    >>> table = pl.DataFrame({
    ...     "item": [f"t{n}" for n in range(8)], "annotator": [f"a{n}" for n in range(8)],
    ...     "question": ["q"] * 8, "answer": list("12211221"),
    ...     "value": [1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0], "warm": [0.0, 1.0] * 4,
    ... })
    >>> with tempfile.TemporaryDirectory() as place:
    ...     written = export_r(table, output=place, terms="warm", random="")
    ...     sorted(path.name for path in Path(place).iterdir())
    ['manifest.json', 'model.R', 'ratings.csv']
    >>> export_r("ratings.csv", output="in-r", terms="condition +")
    Traceback (most recent call last):
    plausibly.errors.StudyError: terms: '' is no term; write 'a + b', 'a:b' or 'a*b'.
    """
    parsed = parsed_terms(terms)
    table = _design(ratings, terms, random, items, norms, (format, columns, missing))
    script = r_script(parsed, list(table.table.groups), link=link)
    result = ExportedR(table.frame, script, Path(output))
    make_folder(result.folder.parent)
    result.write(result.folder, force=force)
    return result


def _design(
    ratings: Ratings,
    terms: str,
    random: str | None,
    items: Source | None,
    norms: str | Path | None,
    reading: tuple[str, Mapping[str, str] | None, str | None],
) -> Design:
    form, columns, missing = reading
    imported = read_ratings(ratings, format=form, columns=columns, missing=missing)
    known = imported.items if items is None else as_table(items, ITEMS)
    if norms is not None:
        if known is None:
            raise StudyError(
                f"{option('norms')} describes the words of the items. Pass {option('items')} too."
            )
        known = with_concreteness(known, _concreteness(Path(norms)), _forms)
    groups = None
    if random is not None:
        groups = [name.strip() for name in random.split(",") if name.strip()]
    return design(imported.ratings, known, terms=terms, random=groups)


def _concreteness(path: Path) -> dict[str, float]:
    rated = read_norms(path).with_columns(pl.col("word").str.to_lowercase())
    return dict(
        rated.unique("word", keep="first", maintain_order=True)["word", "concreteness"].iter_rows()
    )


def _forms(word: str, verb: bool) -> Iterator[str]:
    yield from lemmas(word, verbs=verb)
