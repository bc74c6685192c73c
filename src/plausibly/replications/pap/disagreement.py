"""Where the raters of PAP disagree, and the triples on which they do not."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.analysis.events import UNDECIDED
from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Axis, Span, draw_spans
from plausibly.measures.proportion import proportion
from plausibly.replications.pap.mace import mace_labels
from plausibly.replications.pap.release import CONDITIONS, PapRelease

# An even split: neither side has more than one rating more than the other.
EVEN = 1
SHARES = (0.7, 0.8, 0.9, 1.0)


def sources(release: PapRelease) -> list[Figure]:
    """Return what the released ratings say about where disagreement comes from."""
    return [_kinds(release), _by_abstractness(release)]


def _kinds(release: PapRelease) -> Figure:
    rows = []
    for condition in CONDITIONS:
        events = release.of(condition)
        for source, sign, chosen in _signs(events, release):
            share = proportion(chosen.height, events.height)
            cells = (chosen.height, share.value, share.low, share.high, share.n)
            rows.append((condition, source, sign, *cells))
    columns = ["condition", "source", "sign in the data", "triples", "share", "low", "high", "n"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    caption = (
        "A triple may show several signs. The release has no annotator ids and no comments, so "
        "who is noisy and which items are faulty can only be guessed from MACE, which saw the "
        "ratings before cleaning."
    )
    return Figure("pap-disagreement", "Signs of disagreement", caption, table, "")


def _signs(events: pl.DataFrame, release: PapRelease) -> Iterator[tuple[str, str, pl.DataFrame]]:
    apart = (pl.col("plausible").cast(pl.Int64) - pl.col("implausible").cast(pl.Int64)).abs()
    unsure = events.filter(pl.col("side") == UNDECIDED)
    abstract = pl.col("combination").str.count_matches("a") >= 2
    yield (
        "ambiguous",
        "no majority, the sides at most one rating apart",
        unsure.filter(apart <= EVEN),
    )
    yield "leaning", "no majority, one side ahead", unsure.filter(apart > EVEN)
    yield "abstract", "no majority, two or three abstract words", unsure.filter(abstract)
    extremes = (pl.col("n1") > 0) & (pl.col("n5") > 0)
    yield "opposite", "both ends of the scale were chosen", events.filter(extremes)
    labels = mace_labels(release)
    if labels is not None:
        side = pl.col("binary").replace({"1": "plausible", "0": "implausible"})
        judged = events.filter(pl.col("side") != UNDECIDED).join(labels, on="item")
        contrary = judged.filter(side != pl.col("side"))
        yield "noisy annotator", "a majority that MACE contradicts", contrary


def _by_abstractness(release: PapRelease) -> Figure:
    counted = release.events.with_columns(
        abstract=pl.col("combination").str.count_matches("a").cast(pl.Int64)
    )
    rows, spans = [], []
    for condition in CONDITIONS:
        for words in range(4):
            own = counted.filter((pl.col("condition") == condition) & (pl.col("abstract") == words))
            share = proportion(own.filter(pl.col("side") == UNDECIDED).height, own.height)
            rows.append((condition, words, share.value, share.low, share.high, share.n))
            text = f"{share.value or 0:.2f} [{share.low or 0:.2f}, {share.high or 0:.2f}]"
            name = f"{condition}, {words} abstract (n = {own.height})"
            spans.append(Span(name, share.value, share.low, share.high, text))
    columns = ["condition", "abstract words", "share undecided", "low", "high", "n"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    title = "Triples without a majority by number of abstract words"
    scale = Axis("share without a majority", 0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
    caption = "Dots are shares, lines 95 % intervals; each row shows its number of triples."
    drawing = draw_spans(spans, title=title, scale=scale)
    return Figure("pap-disagreement-abstractness", title, caption, table, drawing)


def confident(release: PapRelease) -> list[Figure]:
    """Return how many triples are left if raters must agree more, and those all agree on."""
    most = pl.max_horizontal("plausible", "implausible")
    rows = []
    for condition in CONDITIONS:
        events = release.of(condition)
        for share in SHARES:
            left = events.filter(most >= share * pl.col("ratings") - 1e-9)
            ahead = left.filter(pl.col("plausible") > pl.col("implausible")).height
            rows.append((condition, share, left.height, ahead, left.height - ahead, events.height))
    columns = ["condition", "at least", "triples", "plausible", "implausible", "of"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    listed = (
        release.events.filter(most == pl.col("ratings"))
        .with_columns(
            side=pl.when(pl.col("implausible") == 0)
            .then(pl.lit("plausible"))
            .otherwise(pl.lit("implausible"))
        )
        .select("item", "condition", "combination", "side", "ratings")
        .sort("condition", "side", "item")
    )
    return [
        Figure(
            "pap-high-confidence",
            "Triples on which raters agree",
            "How many triples keep at least this share of their ratings on one side.",
            table,
            "",
        ),
        Figure(
            "pap-high-confidence-triples",
            "Triples all raters put on one side",
            f"n = {listed.height:,} triples.",
            listed,
            "",
        ),
    ]
