"""PAP section 6 (c): the released MACE labels and distributions, and what they agree with."""

from __future__ import annotations

from itertools import pairwise

import polars as pl

from plausibly.analysis.events import UNDECIDED
from plausibly.datasets.pap import BINARY
from plausibly.datasets.pap.mace import KINDS, Mace, read_mace
from plausibly.replications.claims import Claims
from plausibly.replications.pap.release import CONDITIONS, SIDES, PapRelease
from plausibly.replications.printed import Value

LABELS_FILE = "mace/predicted_labels.tsv"
COMBINATIONS = 27
DISTRIBUTIONS = {kind: f"mace/{kind}_distributions.txt" for kind in KINDS}


def mace(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of the MACE files; none if they are not there."""
    del claims
    files = _files(release)
    if files is None:
        return {}
    events = release.events.join(files.labels.select("item", *KINDS), on="item")
    return {**_layout(files, events), **_agreement(events), **_rest(files, events)}


def mace_labels(release: PapRelease) -> pl.DataFrame | None:
    """Return item, and the label of each kind, of the MACE files; None if they are not there."""
    files = _files(release)
    return None if files is None else files.labels.select("item", *KINDS)


def _files(release: PapRelease) -> Mace | None:
    paths = [release.file("pap", name) for name in (LABELS_FILE, *DISTRIBUTIONS.values())]
    known = [path for path in paths if path is not None]
    if len(known) < len(paths):
        return None
    return read_mace(known[0], dict(zip(KINDS, known[1:], strict=True)))


def _layout(files: Mace, events: pl.DataFrame) -> dict[str, Value]:
    labels = files.labels
    numbers: dict[str, Value] = {
        "pap.mace.triples": labels.height,
        "pap.mace.triples.covered": events.height,
        "pap.design.per_combination": labels.height / (2 * COMBINATIONS),
        "pap.mace.out_of_order": sum(a > b for a, b in pairwise(labels["item"])),
        "pap.mace.sides_disagree": labels.filter(
            pl.col("multiclass").replace_strict(dict(BINARY.of)) != pl.col("binary")
        ).height,
    }
    for name in CONDITIONS:
        numbers[f"pap.mace.triples.{name}"] = labels.filter(pl.col("condition") == name).height
    for kind, lines in files.distributions.items():
        best = [max(line, key=lambda cell: cell[1]) for line in lines]
        first = sum(line[0][1] == cell[1] for line, cell in zip(lines, best, strict=True))
        wrong = sum(own != cell[0] for own, cell in zip(labels[kind], best, strict=True))
        numbers[f"pap.mace.lines.{kind}"] = len(lines)
        numbers[f"pap.mace.largest_first.{kind}"] = first
        numbers[f"pap.mace.sum_deviation.{kind}"] = max(
            abs(sum(share for _, share in line) - 1) for line in lines
        )
        numbers[f"pap.mace.labels.{kind}"] = dict(labels[kind].value_counts().sort(kind).rows())
        numbers[f"pap.mace.argmax.{kind}"] = wrong
    return numbers


def _agreement(events: pl.DataFrame) -> dict[str, Value]:
    events = events.with_columns(pl.col("binary").replace(SIDES))
    simple = (
        pl.when(pl.col("plausible") > pl.col("implausible"))
        .then(pl.lit("plausible"))
        .when(pl.col("plausible") < pl.col("implausible"))
        .then(pl.lit("implausible"))
    )
    decided = events.filter(pl.col("side") != UNDECIDED)
    untied = events.with_columns(simple=simple).drop_nulls("simple")
    turned = (pl.col("simple") == "plausible") & (pl.col("binary") == "implausible")
    return {
        "pap.mace.majority.decided": decided.height,
        "pap.mace.majority.agree": decided.filter(pl.col("side") == pl.col("binary")).height,
        **{
            f"pap.mace.majority.{own}_to_{other}": _crossed(events, own, other)
            for own in SIDES.values()
            for other in SIDES.values()
        },
        **{f"pap.mace.unsure.{side}": _crossed(events, UNDECIDED, side) for side in SIDES.values()},
        "pap.mace.simple_majority.untied": untied.height,
        "pap.mace.simple_majority.agree": untied.filter(
            pl.col("simple") == pl.col("binary")
        ).height,
        "pap.mace.simple_majority.plausible_to_implausible": untied.filter(turned).height,
    }


def _crossed(events: pl.DataFrame, own: str, other: str) -> int:
    return events.filter((pl.col("side") == own) & (pl.col("binary") == other)).height


def _rest(files: Mace, events: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    for name, column in (("", "answer"), (".released", "majority_multiclass")):
        decided = events.filter(pl.col(column) != UNDECIDED)
        agree = decided.filter(pl.col(column) == pl.col("multiclass"))
        numbers[f"pap.mace.multiclass_majority{name}.decided"] = decided.height
        numbers[f"pap.mace.multiclass_majority{name}.agree"] = agree.height
    made = (pl.col("condition") == "attested") == (pl.col("binary") == "1")
    numbers["pap.mace.original_label.released"] = events.filter(made).height
    numbers["pap.mace.original_label.all"] = files.labels.filter(made).height
    return numbers
