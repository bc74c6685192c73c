"""PAP section 6 (c): the released MACE labels and distributions, and what they agree with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import polars as pl

from plausibly.analysis.events import UNDECIDED
from plausibly.datasets.pap import BINARY
from plausibly.datasets.pap.mace import KINDS, Mace, read_mace
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_release import CONDITIONS, SIDES, Release
from plausibly.replications.record import Record, Value

LABELS_FILE = "mace/predicted_labels.tsv"
DISTRIBUTIONS = {kind: f"mace/{kind}_distributions.txt" for kind in KINDS}
NO_FILES = "The MACE files are not in the data folder."
RAW = "MACE ran on the raw ratings of all 2,160 triples, these are the cleaned ones."


def _files() -> Iterator[Claim]:
    yield Claim(
        "pap.mace.triples", 2160, "rows of the label file", "All sampled triples, before cleaning."
    )
    for name in CONDITIONS:
        yield Claim(
            f"pap.mace.triples.{name}", 1080, f"{name} rows of the label file", "As sampled."
        )
    yield Claim(
        "pap.mace.triples.covered",
        1733,
        "triples of the main file that have MACE labels",
        "The MACE files should cover the whole release.",
    )
    yield Claim(
        "pap.mace.out_of_order",
        None,
        "rows of the label file that are not in the order of the events",
        "The file is alphabetical over both conditions, unlike the main file.",
    )
    for kind in KINDS:
        yield Claim(
            f"pap.mace.lines.{kind}", 2160, "lines of the distribution file", "One line a triple."
        )
        yield Claim(
            f"pap.mace.largest_first.{kind}",
            2160,
            "lines with the most probable label first",
            "Cells are sorted by probability.",
        )
        yield Claim(
            f"pap.mace.sum_deviation.{kind}",
            None,
            "largest distance of a line's sum from 1",
            "The distributions are whole to the last bits.",
        )
        yield Claim(
            f"pap.mace.labels.{kind}", None, "rows by label", "The paper does not print them."
        )
        yield Claim(
            f"pap.mace.argmax.{kind}",
            0,
            "rows whose label is not the most probable one of the distribution file",
            "Labels and distributions are not from the same run.",
        )
    yield Claim(
        "pap.mace.sides_disagree",
        None,
        "rows whose multi-class label is on the other side than the binary one",
        "They are two independent models.",
    )


def _majorities() -> Iterator[Claim]:
    decided = "triples with a strict binary majority"
    yield Claim("pap.mace.majority.decided", None, decided, "As in Table 1.")
    yield Claim("pap.mace.majority.agree", None, f"{decided} and the same MACE label", RAW)
    for own in SIDES.values():
        for other in SIDES.values():
            yield Claim(
                f"pap.mace.majority.{own}_to_{other}",
                None,
                f"{own} strict majorities MACE calls {other}",
                "MACE leans to implausible." if own != other else RAW,
            )
    for side in SIDES.values():
        yield Claim(
            f"pap.mace.unsure.{side}",
            None,
            f"triples without a strict majority MACE calls {side}",
            "MACE leans to implausible where people are split.",
        )
    untied = "triples with more ratings on one side than on the other"
    yield Claim("pap.mace.simple_majority.untied", None, untied, "Ties have no simple majority.")
    yield Claim("pap.mace.simple_majority.agree", None, f"{untied} and the same MACE label", RAW)
    yield Claim(
        "pap.mace.simple_majority.plausible_to_implausible",
        None,
        "simple plausible majorities MACE calls implausible",
        "They are most of the disagreements.",
    )


def _others() -> Iterator[Claim]:
    multiclass = "pap.mace.multiclass_majority"
    for name, column in (("", "recomputed"), (".released", "released")):
        yield Claim(
            f"{multiclass}{name}.decided",
            None,
            f"triples with a {column} strict multi-class majority",
            "The released column lacks every majority but those for 5.",
        )
        yield Claim(f"{multiclass}{name}.agree", None, "those with the same MACE label", RAW)
    for name, which in (("released", "triples of the main file"), ("all", "triples MACE labels")):
        yield Claim(
            f"pap.mace.original_label.{name}",
            None,
            f"{which} whose binary MACE label is their original label",
            "About a third of the triples are not rated as they were made.",
        )
    yield Claim(
        "pap.mace.rerun",
        None,
        "MACE on the raw ratings",
        "The ratings by annotator are not released, so MACE cannot be run again.",
    )


CLAIMS = (*_files(), *_majorities(), *_others())


def mace(release: Release) -> list[Record]:
    """Return the records on the MACE files; not computable where they are not there."""
    paths = [release.file("pap", name) for name in (LABELS_FILE, *DISTRIBUTIONS.values())]
    found = [path for path in paths if path is not None]
    if len(found) < len(paths):
        return judge(CLAIMS, {}, missing=NO_FILES)
    files = read_mace(found[0], dict(zip(KINDS, found[1:], strict=True)))
    events = release.events.join(files.labels.select("item", *KINDS), on="item")
    numbers = {**_layout(files, events), **_agreement(events), **_rest(files, events)}
    return judge(CLAIMS, numbers)


def _layout(files: Mace, events: pl.DataFrame) -> dict[str, Value]:
    labels = files.labels
    numbers: dict[str, Value] = {
        "pap.mace.triples": labels.height,
        "pap.mace.triples.covered": events.height,
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
