"""PAP's Figures 3b, 4 and 5 and its Table 1, from the ratings of any study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from plausibly.analysis.attestation import attested_means
from plausibly.analysis.events import (
    CONSTITUENTS,
    UNDECIDED,
    bins,
    constituent_proportions,
    item_values,
    label_shares,
)
from plausibly.analysis.figures import Figure, item_address, item_texts
from plausibly.analysis.figures.drawing import MOST_POINTS, Axis, draw_bars, stacked
from plausibly.analysis.figures.plots import Ranked, draw_columns, draw_curve
from plausibly.datasets.pap import BINARY, MIN_SHARE
from plausibly.labels.strict_majority import strict_majority
from plausibly.stimuli.pap.identity import identity_events
from plausibly.study.exhibits import Exhibit, omitted
from plausibly.study.protocol import Finished

EDGES = (1, 2, 3, 4, 5)
MIDDLE = 3
SCALE = Axis("median rating", 0.0, 6.0, (1.0, 2.0, 3.0, 4.0, 5.0))
CONDITIONS = ("attested", "perturbed")
COLUMNS = ("plausible", "implausible", UNDECIDED)
SIDES = {"1": "plausible", "0": "implausible"}
LEVELS = {"abstract": "a", "mid": "m", "concrete": "c"}
HEADINGS = {
    "figure-3b": "Figure 3b: medians",
    "figure-4": "Figure 4: medians and spread",
    "figure-5": "Figure 5: majorities",
    "table-1": "Table 1: constituents",
    "frequency": "Frequency in the corpus",
    "identity": "Majorities by identity term",
}

Counts = Mapping[str, Mapping[str, int]]


def exhibits(study: Finished) -> tuple[Exhibit, ...]:
    """Return what the paper draws, from the ratings that cleaning kept."""
    return tuple(_exhibits(study))


def _exhibits(study: Finished) -> Iterator[Exhibit]:
    rated = item_values(study.ratings)
    events = study.items.filter(pl.col("kind") == "item").join(rated, on="item")
    reason = _unsuitable(study, events)
    if reason:
        yield from (omitted(name, heading, reason) for name, heading in HEADINGS.items())
        return
    conditions = [name for name in CONDITIONS if name in set(events["condition"])]
    parts = {name: events.filter(pl.col("condition") == name) for name in conditions}
    filled = {name: bins(part["median"], edges=EDGES) for name, part in parts.items()}
    yield Exhibit("figure-3b", HEADINGS["figure-3b"], [medians_figure(filled)])
    curves = [curve_figure(part, name) for name, part in parts.items()]
    yield Exhibit("figure-4", HEADINGS["figure-4"], curves)
    labels = strict_majority(study.ratings, min_share=MIN_SHARE, scheme=BINARY).with_columns(
        pl.col("label").replace(SIDES)
    )
    yield _frequency(events, study.seed)
    yield _identity(events, labels)
    if "combination" not in events.columns or events["combination"].null_count():
        why = "not every item has a combination of abstractness"
        yield from (omitted(name, HEADINGS[name], why) for name in ("figure-5", "table-1"))
        return
    bars = [majority_figure(counted(part, labels), name) for name, part in parts.items()]
    yield Exhibit("figure-5", HEADINGS["figure-5"], bars)
    yield Exhibit("table-1", HEADINGS["table-1"], [_cells(events, labels, conditions)])


def _frequency(events: pl.DataFrame, seed: int) -> Exhibit:
    """Return mean ratings by how often the corpus has the triples."""
    name = "frequency"
    if "count" not in events.columns or events["count"].null_count():
        return omitted(name, HEADINGS[name], "not every item has a count in a corpus")
    rated = events.select("item", "condition", "count", "mean")
    return Exhibit(name, HEADINGS[name], [attested_means(rated, seed=seed).figure("pap-frequency")])


def _identity(events: pl.DataFrame, labels: pl.DataFrame) -> Exhibit:
    """Return the majorities of the triples that name people by a group, by term."""
    name = "identity"
    if not {"subject", "object"} <= set(events.columns):
        return omitted(name, HEADINGS[name], "the items have no columns subject and object")
    named = identity_events(events).unique(["item", "term"])
    if named.is_empty():
        return omitted(name, HEADINGS[name], "no triple names a group of people")
    sides = labels.select("item", side=pl.col("label").fill_null(UNDECIDED))
    placed = named.join(sides, on="item")
    others = sides.join(events, on="item", how="semi").join(named, on="item", how="anti")
    parts = {
        **{one: placed.filter(term=one) for one in sorted(placed["term"].unique())},
        "all that name a group of people": placed.unique("item"),
        "all others": others,
    }
    rows = [
        (one, part.height, *(part.filter(side=side).height for side in COLUMNS))
        for one, part in parts.items()
    ]
    table = pl.DataFrame(rows, schema=["term", "triples", *COLUMNS], orient="row")
    caption = (
        f"n = {events.height:,} triples. Our list of English terms; differences may come from the "
        "rest of the triple."
    )
    return Exhibit(
        name, HEADINGS[name], [Figure("pap-identity", HEADINGS[name], caption, table, "")]
    )


def _unsuitable(study: Finished, events: pl.DataFrame) -> str:
    """Return why none of it can be drawn; empty if it can."""
    if study.ratings["question"].n_unique() > 1:
        return "the study asks several questions"
    if events.is_empty():
        return "no item has answers that are numbers"
    outside = study.ratings["value"].drop_nulls().is_between(EDGES[0], EDGES[-1])
    if not outside.all():
        return f"the answers are not on a scale from {EDGES[0]} to {EDGES[-1]}"
    if not set(events["condition"]) <= set(CONDITIONS):
        return f"not every item is {' or '.join(CONDITIONS)}"
    return ""


def medians_figure(filled: Counts, *, rows: Sequence[tuple[object, ...]] = ()) -> Figure:
    """Return Figure 3b: how many triples have a median in each bin, by condition.

    Args:
        filled: From a condition to the triples in each bin.
        rows: More rows of the table: average, condition, bin, triples.
    """
    own = [
        ("median", name, bin_, triples)
        for name, each in filled.items()
        for bin_, triples in each.items()
    ]
    columns = ["average", "condition", "bin", "triples"]
    table = pl.DataFrame([*own, *rows], schema=columns, orient="row")
    names = list(filled)
    groups = {bin_: [each[bin_] for each in filled.values()] for bin_ in filled[names[0]]}
    title = "Triples by median rating"
    caption = (
        f"n = {sum(map(sum, groups.values())):,} triples; the median of an even number of ratings "
        "is the mean of the two middle ones."
    )
    drawing = draw_columns(groups, legend=names, title=title, x="median rating", y="triples")
    return Figure("pap-figure-3b", title, caption, table, drawing)


def curve_figure(events: pl.DataFrame, condition: str) -> Figure:
    """Return one half of Figure 4: medians by rank with the spread of ratings.

    Args:
        events: Those of the condition, with item, median, mean and sd.
        condition: The condition.
    """
    own = events.sort("median", "mean", "item")
    table = own.select(pl.int_range(1, pl.len() + 1).alias("rank"), "item", "median", "mean", "sd")
    title = f"Medians of {condition} triples with their spread"
    caption = (
        f"n = {own.height:,} triples in the order of their median; the band is one standard "
        f"deviation of a triple's ratings to each side, within the scale from {EDGES[0]} to "
        f"{EDGES[-1]}; the line marks the middle of the scale."
    )
    colour, few = CONDITIONS.index(condition), own.height <= MOST_POINTS
    texts = item_texts(own)
    rows = [
        Ranked(
            median,
            max(median - sd, EDGES[0]),
            min(median + sd, EDGES[-1]),
            f"{texts.get(item) or item}: median {median:g}, SD {sd:.2f}" if few else "",
            item_address(item),
        )
        for item, median, sd in table.select("item", "median", "sd").iter_rows()
    ]
    drawing = draw_curve(rows, title=title, x="triples by rank", y=SCALE, cut=MIDDLE, colour=colour)
    return Figure(f"pap-figure-4{_letter(condition)}", title, caption, table, drawing)


def counted(events: pl.DataFrame, labels: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Return from a combination to its triples by majority."""
    counts: dict[str, dict[str, int]] = {}
    shares = label_shares(events, labels, by=["combination"])
    for name, side, triples in shares.select("combination", "label", "items").iter_rows():
        counts.setdefault(name, dict.fromkeys(COLUMNS, 0))[side] = triples
    return counts


def majority_figure(counts: Counts, condition: str) -> Figure:
    """Return one half of Figure 5: strict majorities in each combination.

    Args:
        counts: From a combination to its triples by majority.
        condition: The condition.
    """
    bars_of = {one: [each[name] for name in COLUMNS] for one, each in sorted(counts.items())}
    rows = [(one, *each) for one, each in bars_of.items()]
    table = pl.DataFrame(rows, schema=["combination", *COLUMNS], orient="row")
    title = f"Strict majorities among {condition} triples"
    sizes = [sum(each) for each in bars_of.values()]
    spread = (
        f"{min(sizes)} to {max(sizes)} per combination ({sum(sizes) / len(sizes):.1f} on average)"
    )
    each = spread if min(sizes) < max(sizes) else f"{min(sizes)} per combination"
    caption = (
        f"n = {sum(sizes):,} triples, {each}; subject, verb and object are abstract "
        "(a), in between (m) or concrete (c). A majority is at least "
        f"{100 * MIN_SHARE:g} % of all ratings of a triple on one side."
    )
    bars = [stacked(one, COLUMNS, each) for one, each in bars_of.items()]
    drawing = draw_bars(bars, title=title, legend=COLUMNS)
    return Figure(f"pap-figure-5{_letter(condition)}", title, caption, table, drawing)


def _cells(events: pl.DataFrame, labels: pl.DataFrame, conditions: Sequence[str]) -> Figure:
    """Return Table 1: which constituents the triples behind each majority have."""
    sides = labels.select("item", side=pl.col("label").fill_null(UNDECIDED))
    placed = events.join(sides, on="item")
    heads = [(condition, column) for condition in conditions for column in COLUMNS]
    triples = dict.fromkeys(heads, 0)
    for condition, side, number in placed.group_by("condition", "side").len().iter_rows():
        triples[condition, side] = number
    shares = {
        (condition, side, letter, place): share
        for condition, side, place, letter, share in constituent_proportions(
            placed, by=["condition", "side"]
        )
        .select("condition", "side", "constituent", "level", "share")
        .iter_rows()
    }
    rows: list[tuple[object, ...]] = [("triples", *(float(triples[head]) for head in heads))]
    rows += [
        (f"{level} {place}s", *(shares.get((*head, letter, place)) for head in heads))
        for level, letter in LEVELS.items()
        for place in CONSTITUENTS
    ]
    names = [f"{condition} {column}" for condition, column in heads]
    return constituents_table("pap-table-1", "Constituents by majority", names, rows)


def constituents_table(
    name: str, title: str, heads: Sequence[str], rows: Sequence[tuple[object, ...]]
) -> Figure:
    """Return Table 1 from its rows.

    Args:
        name: Of its files.
        title: What it shows.
        heads: Names of its columns.
        rows: Number of triples, then the shares of each level and place.
    """
    table = pl.DataFrame(rows, schema=["constituent", *heads], orient="row", strict=False)
    caption = (
        "Share of all constituents of a column that are at a place and level; each column sums "
        "to 1. First row: triples."
    )
    return Figure(name, title, caption, table, "")


def _letter(condition: str) -> str:
    return "ab"[CONDITIONS.index(condition)]
