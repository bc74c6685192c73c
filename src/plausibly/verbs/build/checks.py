"""Gold items from a pilot, and check items that a pilot vets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError, TableError, option
from plausibly.io.frames import Source, as_table
from plausibly.measures.checks import passed
from plausibly.measures.jaccard import parse_sides
from plausibly.ratings.in_study import LISTS_FILE
from plausibly.ratings.sources import Ratings, only_question, read_ratings, without_checks
from plausibly.stimuli.in_study import ITEMS_FILE, builds, matches, unbuilt_surveys, vets
from plausibly.stimuli.ledger import LEDGER
from plausibly.study.hooks import Named
from plausibly.study.results import Result, put_document, put_table, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, Sections, verb
from plausibly.tables import ITEMS
from plausibly.verbs.build._study import FOLDER, keep_served, require_own_items

GOLD = "gold"
FAILED = "failed_pilot"
NAME, DOCUMENT = "build_checks", "build_checks.json"
BUILT, PAIRED = f"{FOLDER}/{ITEMS_FILE}", f"build_match/{ITEMS_FILE}"
DROPPED = f"{NAME}/ledger.parquet"


@dataclass(frozen=True, eq=False, repr=False)
class GoldItems(Result):
    """Items, some of which are gold items now.

    Args:
        items: All items; those promoted are of kind gold and expect what everyone answered. Check
            items that did not pass the pilot are missing.
        promoted: Names of the items promoted.
        rated: How many items had enough ratings to be looked at.
        question: The question answered alike.
        vetted: item, text, expected, people, intended, share and passed of each check item of the
            pilot; None if they were not vetted.
        ledger: The check items that were dropped, with the reason.
    """

    items: pl.DataFrame
    promoted: tuple[str, ...]
    rated: int
    question: str
    vetted: pl.DataFrame | None = None
    ledger: pl.DataFrame | None = None

    def as_json(self) -> dict[str, Any]:
        """Return how many items were looked at, what each promoted one expects, who passed."""
        gold = self.items.filter(pl.col("item").is_in(list(self.promoted)))
        return {
            "question": self.question,
            "rated": self.rated,
            "promoted": len(self.promoted),
            "expected": dict(gold.select("item", "expected").iter_rows()),
            **({} if self.vetted is None else {"vetted": self.vetted.to_dicts()}),
        }

    def text(self) -> str:
        """Return the promoted items by what they expect, and the check items that were vetted."""
        gold = self.items.filter(pl.col("item").is_in(list(self.promoted)))
        counts = gold.group_by("expected").len().sort("expected")
        table = text_table(("expected", "items"), counts.iter_rows())
        if self.vetted is None:
            return table
        return f"{table}\n{text_table(tuple(self.vetted.columns), self.vetted.iter_rows())}"

    @property
    def talk(self) -> tuple[str, ...]:
        """How many of how many."""
        gold = f"{len(self.promoted)} of {self.rated} items with enough ratings are gold now."
        if self.vetted is None:
            return (gold,)
        kept = int(self.vetted["passed"].sum())
        return (gold, f"{kept} of {self.vetted.height} check items of the pilot are kept.")


def _in_study(work: Work, places: Places) -> None:
    """Vet the checks of what was built or paired, or of a file; `places` has what is served."""
    require_own_items(work, section=NAME, unset="ratings")
    source = _source(work.settings)
    chosen = {name: one for name, one in work.parameters.items() if one not in (None, "")}
    for name, place in {"ratings": chosen["ratings"], "items": source}.items():
        chosen[name] = work.path(str(place))
    missing = work.settings.get("ratings", {}).get("missing")
    result = build_checks(**chosen, **({} if missing is None else {"missing": missing}))
    work.path(NAME).mkdir(exist_ok=True)
    dropped = LEDGER.empty() if result.ledger is None else result.ledger
    put_table("ledger", dropped, work.path(DROPPED))
    put_document(result.as_json(), work.path(DOCUMENT))
    if builds(work.settings):
        keep_served(work, places, result.items)
        _keep_lists(work, result.items)
    work.write(ITEMS_FILE, result.items, ITEMS)
    work.notes.extend(result.talk)


def _source(sections: Sections) -> str:
    """Return the file of the items whose checks are vetted.

    Raises:
        StudyError: If there is none, two of them, or it is the one that is written.
    """
    named, earlier = str(sections[NAME]["items"] or ""), builds(sections) or matches(sections)
    if bool(named) is earlier:
        what = "Name the file whose check items are vetted, or let [build] build the items."
        both = f"is not set. {what}"
        if named:
            both = "is set although the study builds its items. Remove it, or the keys of [build]."
        raise StudyError(f"[{NAME}] items {both}")
    if named and Path(named) == Path(ITEMS_FILE):
        raise StudyError(
            f"[{NAME}] items = {named!r} is what vetting writes. Give the file another name."
        )
    return named or (PAIRED if matches(sections) else BUILT)


def _keep_lists(work: Work, items: pl.DataFrame) -> None:
    """Write the lists of the build, if it made any, without items that are left out."""
    lists = f"{FOLDER}/{LISTS_FILE}"
    if not work.has(lists) or matches(work.settings):
        work.path(LISTS_FILE).unlink(missing_ok=True)
        return
    table = pl.read_parquet(work.path(lists))
    left = table.join(items, on="item", how="semi", maintain_order="left")
    put_table("lists", left, work.path(LISTS_FILE))


def _written(places: Places) -> tuple[str, ...]:
    """Return what the step writes: what is served, and what it reports about the pilot."""
    served = (ITEMS_FILE, *(Path(place).name for place in places.values()))
    return (*served, DROPPED, DOCUMENT)


@verb(
    output=Output("items"),
    places=("ledger",),
    unset=("ledger",),
    study=InStudy(
        run=_in_study,
        wanted=vets,
        begins=f"[{NAME}] ratings",
        inputs=(BUILT, PAIRED),
        outputs=_written,
        external=Named(("ratings", "items")),
        heeds=("ratings.missing", "build_match.match", "build.lists"),
        leaves=unbuilt_surveys,
        explained={"items": "Items table (default: what [build] builds, or [build_match] pairs)."},
    ),
)
def build_checks(
    ratings: Ratings,
    *,
    items: Source,
    at_least: int = 4,
    min_intended: float | None = None,
    sides: str | None = None,
    ledger: str | Path | None = None,
    question: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> GoldItems:
    """Turn items that everyone in a pilot answered alike into gold items, and vet check items.

    An item with enough annotators who all gave the same answer expects that answer from now on;
    the other items stay unchanged. Emami et al. (2021, section 4.1) take pairs that four annotators
    of a pilot label alike. Check items that too few annotators answer as intended are dropped, as
    Eichel and Schulte im Walde (2023, appendix B.2) do afterwards.

    Args:
        ratings: File or table of ratings of the pilot.
        items: Items table.
        at_least: Number of annotators who must have given the same answer, or answered a check item
            for it to be vetted.
        min_intended: Share of annotators, such as 0.9, who must answer a check item as intended for
            it to be kept (default: check items are not vetted).
        sides: Answers that are as good as the intended one, as '1,2|4,5'; for vetting.
        ledger: File for the check items that were dropped, with the reason.
        question: Question to look at, if the ratings answer several.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, separated by commas.

    Examples:
        plausibly build checks pilot.csv --items items.parquet -o items-with-gold.parquet
        plausibly build checks pilot.csv --items items.parquet --min-intended 0.9 --json

    >>> ratings = pl.DataFrame({"item": ["t1"] * 4 + ["t2"] * 4, "annotator": list("abcd") * 2,
    ...                         "answer": ["more likely"] * 7 + ["impossible"]})
    >>> items = pl.DataFrame({"item": ["t1", "t2"], "text": ["one", "two"]})
    >>> build_checks(ratings, items=items).as_json()["expected"]
    {'t1': 'more likely'}
    """
    if at_least < 2:
        raise StudyError(
            f"{option('at_least')} must be 2 or more; got {at_least}. One answer alone cannot "
            "agree.",
            parameter="at_least",
        )
    if min_intended is not None and not 0 < min_intended <= 1:
        what = f"{option('min_intended')} must be above 0 and at most 1; got {min_intended:g}."
        raise StudyError(what, parameter="min_intended")
    known = as_table(items, ITEMS)
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    rated, _ = without_checks(imported.ratings, known)
    asked = only_question(rated if rated.height else imported.ratings, question)
    votes = (
        rated.filter(pl.col("question") == asked)
        .group_by("item")
        .agg(
            people=pl.col("annotator").n_unique(),
            answers=pl.col("answer").n_unique(),
            answer=pl.col("answer").first(),
        )
        .filter(pl.col("people") >= at_least)
    )
    alike = dict(votes.filter(pl.col("answers") == 1).select("item", "answer").iter_rows())
    chosen = pl.col("item").is_in(list(alike))
    answers = pl.col("item").replace_strict(alike, default=None, return_dtype=pl.String)
    table = known.with_columns(
        kind=pl.when(chosen).then(pl.lit(GOLD)).otherwise("kind"),
        expected=pl.when(chosen).then(answers).otherwise("expected"),
    )
    promoted = tuple(table.filter(chosen)["item"].sort())
    gold = GoldItems(ITEMS.sort(table), promoted, votes.height, asked)
    if min_intended is None:
        _refuse_idle(sides=sides, ledger=ledger)
        return gold
    pilot = imported.ratings.filter(pl.col("question") == asked)
    vetted = _vetted(known, pilot, at_least=at_least, sides=sides)
    vetted = vetted.with_columns(passed=pl.col("share") >= min_intended)
    dropped = _dropped(vetted)
    kept = gold.items.filter(~pl.col("item").is_in(dropped["candidate"].to_list()))
    result = replace(gold, items=kept, vetted=vetted, ledger=dropped)
    if ledger is not None:
        result.write_table("ledger", Path(ledger))
    return result


def _refuse_idle(**options: object) -> None:
    """Raise at an option about vetting where nothing is vetted."""
    idle = next((name for name, value in options.items() if value is not None), None)
    if idle is not None:
        what = f"{option(idle)} is about vetting, which needs {option('min_intended')}."
        raise StudyError(what, parameter=idle)


def _vetted(
    items: pl.DataFrame, ratings: pl.DataFrame, *, at_least: int, sides: str | None
) -> pl.DataFrame:
    """Return the check items that enough people answered, with the share who did as intended."""
    parsed = None if sides is None else parse_sides(sides)
    checks = items.filter((pl.col("kind") != "item") & pl.col("expected").is_not_null())
    answered = ratings.select("item", "annotator", "answer").join(
        checks.select("item", "text", "kind", "expected"), on="item"
    )
    right = [
        passed(answer, expected, kind=kind, sides=parsed)
        for answer, expected, kind in answered.select("answer", "expected", "kind").iter_rows()
    ]
    each = (
        answered.with_columns(right=pl.Series(right, dtype=pl.Boolean))
        .group_by("item", "text", "expected")
        .agg(people=pl.col("annotator").n_unique(), intended=pl.col("right").sum())
        .filter(pl.col("people") >= at_least)
    )
    if each.is_empty():
        raise TableError(f"ratings: no check item was answered by {at_least} people or more.")
    return each.with_columns(share=pl.col("intended") / pl.col("people")).sort("item")


def _dropped(vetted: pl.DataFrame) -> pl.DataFrame:
    rows = [
        (row["item"], FAILED, f"{row['intended']} of {row['people']} answered as intended")
        for row in vetted.filter(~pl.col("passed")).iter_rows(named=True)
    ]
    schema = dict.fromkeys(("candidate", "rule", "reason"), pl.String)
    return LEDGER.check(pl.DataFrame(rows, schema=schema, orient="row"))
