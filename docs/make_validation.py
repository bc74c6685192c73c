"""Write docs/explanation/validation.md: what we compute next to what others compute.

    python docs/make_validation.py [--record [--mace-jar MACE.jar] [--lme4] [--language]]

All data are generated from seeds. References that are installed run; values of the others are in
validation_golden.json with the version they come from. --record replaces those of irrCAC, pingouin,
nltk and rouge-score if they are installed, and with the further options those of MACE.jar, of R's
lme4 (adjusted scores) and of lm-eval and minicons. Half a minute of one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from validation_formulas import FORMULAS, WITHOUT
from validation_labels import SCRIPT, blups, competence, crowds, numbers
from validation_measures import agreement
from validation_models import language, mixed, record_language
from validation_scores import overlaps, predictions, tests
from validation_sets import SETS, Comparison, References, as_table

PAGE = Path(__file__).resolve().parent / "explanation" / "validation.md"
HEADER = (
    "what",
    "reference",
    "data",
    "value",
    "largest difference",
    "note",
)
INTRODUCTION = """# What plausibly computes next to what others compute

Written by `python docs/make_validation.py`; do not edit. Every number below is computed by
plausibly and by a reference from the same generated data. Where there are several values, the table
prints the one nearest to their mean, and the largest difference is that of all, rounded up to a
power of ten; it is left out below 1e-7, where it is rounding. The reference's value is printed
where its first six digits differ.

irrCAC, pingouin, nltk, rouge-score, MACE.jar, lme4, ordinal, lm_eval and minicons are not needed to
rebuild the page: their values are in `docs/validation_golden.json` with the version they come from.
The others are installed with the tests and run each time.

Agreement with a reference shows that a formula is computed as published. It does not show that the
formula suits your data: see [measures](measures.md), [intervals](intervals.md),
[labels](labels.md) and [mixed models](mixed-models.md).
"""
Source = Callable[[References], Iterable[Comparison]]


def texts_and_models(references: References) -> Iterable[Comparison]:
    """Yield overlaps of texts, and what language models are asked."""
    yield from overlaps(references)
    yield from language(references)


def averaged(references: References, *, script: str | None = None) -> Iterable[Comparison]:
    """Yield labels that are numbers."""
    yield from numbers(references)
    yield blups(references, script)


SECTIONS: dict[str, Source] = {
    "Agreement": agreement,
    "Predictions": predictions,
    "Tests and shares": tests,
    "Texts and language models": texts_and_models,
    "Labels of crowds": crowds,
    "MACE": partial(competence, jar=None),
    "Labels that are numbers, and shares": averaged,
    "Mixed models": mixed,
}


def section(title: str, source: Source, references: References) -> str:
    """Return a section of the page."""
    compared = list(source(references))
    rows = [one.cells(references.versions[one.reference]) for one in compared]
    return "\n".join([f"## {title}", "", *as_table(HEADER, rows)])


def data_section() -> str:
    """Return what the data are."""
    rows = [(f"`{name}`", what) for name, what in SETS.items()]
    return "\n".join(["## Data", "", *as_table(("name", "what it is"), rows)])


def formulas_section() -> str:
    """Return the formulas with their citations."""
    rows = [
        (f"`{name}`", formula.replace("|", "\\|"), citation)
        for name, (formula, citation) in FORMULAS.items()
    ]
    header = ("what", "formula", "citation")
    return "\n".join(["## Formulas", "", *as_table(header, rows)])


def without_section() -> str:
    """Return what has no reference."""
    rows = [(name, how) for name, how in WITHOUT.items()]
    header = ("what", "how it is checked instead")
    return "\n".join(["## Without a reference", "", *as_table(header, rows)])


def page(references: References, sections: dict[str, Source]) -> str:
    """Return the page."""
    compared = [section(title, source, references) for title, source in sections.items()]
    ends = [without_section(), formulas_section(), data_section()]
    return "\n".join([INTRODUCTION, *compared, *ends]).rstrip() + "\n"


def main() -> None:
    """Write the page, and with --record the values of references."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="replace recorded values")
    parser.add_argument("--mace-jar", type=Path, help="run MACE.jar, too (needs Java)")
    parser.add_argument("--lme4", action="store_true", help="run R's lme4, too")
    parser.add_argument("--language", action="store_true", help="run lm-eval and minicons, too")
    chosen = parser.parse_args()
    references = References(record=chosen.record)
    if chosen.language:
        record_language(references)
    sections = SECTIONS | {
        "MACE": partial(competence, jar=chosen.mace_jar),
        "Labels that are numbers, and shares": partial(
            averaged, script=SCRIPT if chosen.lme4 else None
        ),
    }
    PAGE.write_text(page(references, sections), encoding="utf-8")
    if chosen.record:
        references.save()


if __name__ == "__main__":
    main()
