"""Any items, paired across two conditions so that they are alike in the columns named."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from plausibly.backends.frequency import recognised
from plausibly.datasets.lexica.detection import item_languages, require_languages
from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.errors import StudyError
from plausibly.io.frames import Source, as_table
from plausibly.stimuli.in_study import ITEMS_FILE, builds, left_by_pairing, matches, vets
from plausibly.stimuli.matching import SPOKEN, looks_up, matched_in_languages, tolerances
from plausibly.study.hooks import Listed
from plausibly.study.results import put_document
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Places, Sections, verb
from plausibly.tables import ITEMS
from plausibly.verbs.build import build
from plausibly.verbs.build._items import NEW_FOLDER, ItemSet, frequencies_if_any
from plausibly.verbs.build._lists import balanced
from plausibly.verbs.build._study import (
    FOLDER,
    keep_served,
    require_own_items,
    write_built,
)

NAME, DOCUMENT = "build_match", "build_match.json"
BUILT = f"{FOLDER}/{ITEMS_FILE}"
WRITTEN = (ITEMS_FILE, "ledger.parquet", "funnel.json", "matching.json", "balance.json")


def _in_study(work: Work, places: Places) -> None:
    """Pair what `[build]` builds, or the items of a file; `places` has tables of the build."""
    require_own_items(work, section=NAME, unset="match")
    source = _source(work.settings)
    chosen = {name: one for name, one in work.parameters.items() if one not in (None, "")}
    chosen["items"] = work.path(source)
    result: ItemSet = build("match", watch=work.watch, seed=work.seed, **chosen)
    write_built(work, NAME, result)
    put_document(result.as_json(), work.path(DOCUMENT))
    if not vets(work.settings):
        if source == BUILT:
            keep_served(work, places, result.items)
        work.write(ITEMS_FILE, result.items, ITEMS)
    work.notes.extend(result.talk)


def _source(sections: Sections) -> str:
    """Return the file of the items to pair.

    Raises:
        StudyError: If there is none, two of them, or it is the one that is written.
    """
    named, built = str(sections[NAME]["items"] or ""), builds(sections)
    if bool(named) is built:
        both = "is not set. Name the file whose items are paired, or let [build] build them."
        if named:
            both = "is set although [build] builds the items. Remove it, or the keys of [build]."
        raise StudyError(f"[build_match] items {both}")
    if Path(named) == Path(ITEMS_FILE):
        raise StudyError(
            f"[build_match] items = {named!r} is what pairing writes. Give the file another name."
        )
    return named or BUILT


def _written(places: Places) -> tuple[str, ...]:
    """Return what the step writes: what is served, and a folder as the command writes it."""
    served = (ITEMS_FILE, *(Path(place).name for place in places.values()))
    return (*served, *(f"{NAME}/{name}" for name in WRITTEN), DOCUMENT)


@verb(
    output=NEW_FOLDER,
    study=InStudy(
        run=_in_study,
        also={"match": []},
        wanted=matches,
        begins="[build_match] match",
        inputs=(BUILT,),
        outputs=_written,
        external=Listed("items"),
        leaves=left_by_pairing,
    ),
)
def build_match(
    items: Source,
    *,
    match: Sequence[str],
    by: str = "condition",
    within: str | None = None,
    language: str | None = None,
    seed: int,
) -> ItemSet:
    """Pair items of two conditions that differ in no column by more than allowed.

    Partners are in one language, in which the frequency of their words is looked up.
    Writes items.parquet (with a column match that numbers the pairs), ledger.parquet (items
    without a partner), funnel.json, matching.json and balance.json.

    Args:
        items: Items of any protocol; frequency and length are looked up where words have columns.
        match: COLUMN:TOLERANCE, such as frequency:0.3, length:1 or any numeric column.
        by: Column whose two values are paired.
        within: Column whose values partners must share, such as combination or relation.
        language: Language of items without a value in the column language (default: recognised
            from the texts).
        seed: Seed for everything drawn at random.

    Examples:
        plausibly build match items.parquet --match frequency:0.3 --seed 1 -o matched
        plausibly build match items.csv --match length:1 --seed 2 -o matched

    >>> rows = {"item": ["a", "b", "c"], "text": ["x", "y", "z z"], "condition": ["p", "q", "q"]}
    >>> items = pl.DataFrame(rows).with_columns(weight=pl.Series([1.0, 1.2, 9.0]))
    >>> build_match(items=items, match=["weight:0.5"], seed=1).items["item"].to_list()
    ['a', 'b']
    """
    table = as_table(items, ITEMS)
    asked = tolerances(match)
    spoken, said = item_languages(table, language, known=recognised)
    if looks_up(asked, table):
        require_languages(spoken, "frequency")
    lists = cache(_listed)
    rows = table.with_columns(spoken.alias(SPOKEN))
    built = matched_in_languages(rows, asked, by=by, within=within, lists=lists, seed=seed)
    report: dict[str, Any] = built.documents["matching.json"]
    languages = dict(zip(table["item"], spoken, strict=True))
    built = balanced(built, languages, lists=lists, seed=seed)
    notes = tuple(
        f"matched by {column}: {one['matches']} pairs, differing by "
        f"{one['mean_difference']:.3g} on average and {one['largest_difference']:.3g} at most."
        for column, one in report.items()
        if one["matches"]
    )
    own = {"matching": report}
    return ItemSet(built.items, built.ledger, "match", built, own=own, notes=(*said, *notes))


def _listed(lang: str | None) -> FrequencyList | None:
    """Return how frequent the words of a language are; None if no list is available."""
    try:
        return frequencies_if_any(None, lang)
    except StudyError:  # wordfreq does not know the language
        return None
