"""ADEPT sections 3 and 4, Table 4: sizes, labels, agreement, and the claims about adjectives."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.datasets.adept import CLASSES
from plausibly.replications.adept_release import SPLITS, Release
from plausibly.replications.claims import Claim, judge
from plausibly.replications.record import Record, Value

# Table 4.
SIZES = {"train": 12892, "val": 1611, "test": 1612}
SHARES = dict(zip(CLASSES, (0.14, 0.12, 0.67, 0.07, 0.01), strict=True))
UNANIMOUS = dict(zip(CLASSES, (0.21, 0.16, 0.40, 0.15, 0.09), strict=True))
KEPT = {"unanimous": 5267, "majority": 10848}
NO_AGREEMENT = 3209
# Datasheet of the release: dollars for a task, mean seconds it took.
PAY, SECONDS = 0.12, 38.7
CLASS_NAMES = {"non_subsective": "non-subsective", "subsective": "subsective"}

OVER_PRESENT = "over all splits present"
NO_SPLIT = "The split is not in the data folder."
NO_LIST = "The list of non-subsective adjectives is not in the data folder."
NOT_RELEASED = "The single annotations are not released."


def _sizes() -> Iterator[Claim]:
    for split, size in SIZES.items():
        yield Claim(f"adept.size.{split}", size, "pairs of the split", "As printed.")
    yield Claim("adept.size.total", 16115, "pairs of the three splits", "As printed.")
    yield Claim(
        "adept.idx.repeated", None, f"idx on two pairs, {OVER_PRESENT}", "Every pair has its own."
    )
    yield Claim(
        "adept.label.codes",
        [0, 1, 2, 3, 4, 5],
        f"label codes, {OVER_PRESENT}",
        "The README says 0 to 5; five classes are named and five codes occur.",
    )
    for name, share in SHARES.items():
        yield Claim(
            f"adept.label.share.{_key(name)}",
            share,
            f"pairs labelled {name} / pairs, {OVER_PRESENT}",
            "The printed shares add up to 1.01 by rounding.",
            digits=2,
        )
        yield Claim(
            f"adept.label.count.{_key(name)}",
            None,
            f"pairs labelled {name}, {OVER_PRESENT}",
            "The paper prints shares only.",
        )
    for split in SPLITS:
        yield Claim(
            f"adept.label.share.{split}",
            None,
            "share of each label in the split",
            "Splits keep the distribution loosely: val has twice the share of label 4.",
        )


def _agreement() -> Iterator[Claim]:
    yield Claim(
        "adept.table4.kept",
        16115,
        "unanimous + majority, from the printed counts",
        "The counts add up to the pairs released.",
    )
    yield Claim(
        "adept.table4.unanimous_share",
        round(KEPT["unanimous"] / sum(KEPT.values()), 3),
        f"printed unanimous share of each label, weighted by its pairs, {OVER_PRESENT}",
        "Shares and counts of Table 4 fit each other.",
        digits=3,
    )
    yield Claim(
        "adept.table4.no_agreement_share",
        0.15,
        "printed items without agreement / all printed items",
        "The text says about 15 %, the counts of Table 4 give 16.6 %.",
        digits=2,
    )
    for name, kappa in {"authors": 0.82, "both": 0.74, "first": 0.77, "second": 0.64}.items():
        yield Claim(f"adept.kappa.{name}", kappa, "Cohen's kappa on 100 pairs", NOT_RELEASED)
    yield Claim(
        "adept.pay.per_hour",
        11.16,
        "0.12 dollars a task of 38.7 seconds on average",
        "The datasheet's hourly pay follows from its own figures.",
        digits=2,
    )


def _adjectives() -> Iterator[Claim]:
    yield Claim("adept.non_subsective.listed", 60, "words of the list", "As printed.")
    yield Claim(
        "adept.non_subsective.effective",
        60,
        "words of the list and what the paper treats like them",
        "'dead' is called non-subsective (Table 1) and is oversampled, but is not on the list.",
    )
    yield Claim(
        "adept.non_subsective.used",
        None,
        f"listed words that occur as a modifier, {OVER_PRESENT}",
        "The rest never occurs.",
    )
    yield Claim(
        "adept.non_subsective.ratio",
        0.25,
        f"pairs with an effective word / other pairs, {OVER_PRESENT}",
        "The text's 1 : 4 holds as one pair in four, not as a ratio.",
        digits=2,
    )
    yield Claim(
        "adept.non_subsective.share",
        None,
        f"pairs with an effective word / all pairs, {OVER_PRESENT}",
        "About one pair in four.",
    )
    yield Claim(
        "adept.dead.pairs",
        None,
        f"pairs with the modifier 'dead', {OVER_PRESENT}",
        "It is one of the three commonest modifiers.",
    )
    yield Claim(
        "adept.dead.lower_to_equal",
        1.0,
        f"'dead': pairs labelled 0 or 1 / pairs labelled 2, {OVER_PRESENT}",
        "The text says it lowers plausibility as frequently as it leaves it unchanged.",
        digits=1,
    )
    for key, words in CLASS_NAMES.items():
        yield Claim(
            f"adept.figure4.{key}",
            None,
            f"share of each label among {words} modifiers, {OVER_PRESENT}",
            "Figure 4 is a picture; its reading, a wide mix in both classes, holds.",
        )


def _key(name: str) -> str:
    return name.replace(" ", "_")


PRINTED_ONLY = tuple(_agreement())
OF_PAIRS = tuple(_sizes())
OF_ADJECTIVES = tuple(_adjectives())


def labels(release: Release) -> list[Record]:
    """Return the records on sizes, labels, agreement and adjectives."""
    return [
        *judge(OF_PAIRS, _of_pairs(release), missing=NO_SPLIT),
        *judge(PRINTED_ONLY, _of_agreement(release)),
        *judge(OF_ADJECTIVES, _of_adjectives(release), missing=NO_LIST),
    ]


def _of_pairs(release: Release) -> dict[str, Value]:
    pairs = release.pairs
    shares = _shares(pairs)
    numbers: dict[str, Value] = {
        "adept.idx.repeated": pairs.height - pairs["idx"].n_unique(),
        "adept.label.codes": pairs["label"].unique().sort().to_list(),
    }
    for code, name in enumerate(CLASSES):
        numbers[f"adept.label.share.{_key(name)}"] = shares[code]
        numbers[f"adept.label.count.{_key(name)}"] = pairs.filter(pl.col("label") == code).height
    for split in SPLITS:
        own = release.of(split)
        if own is not None:
            numbers[f"adept.size.{split}"] = own.height
            numbers[f"adept.label.share.{split}"] = list(_shares(own))
    if release.whole:
        numbers["adept.size.total"] = pairs.height
    return numbers


def _shares(pairs: pl.DataFrame) -> list[float]:
    counts = [pairs.filter(pl.col("label") == code).height for code in range(len(CLASSES))]
    return [count / pairs.height for count in counts] if pairs.height else [0.0] * len(CLASSES)


def _of_agreement(release: Release) -> dict[str, Value]:
    kept = sum(KEPT.values())
    weighted = sum(
        share * UNANIMOUS[name] for name, share in zip(CLASSES, _shares(release.pairs), strict=True)
    )
    return {
        "adept.table4.kept": kept,
        "adept.table4.unanimous_share": weighted,
        "adept.table4.no_agreement_share": NO_AGREEMENT / (kept + NO_AGREEMENT),
        "adept.pay.per_hour": PAY * 3600 / SECONDS,
    }


def _of_adjectives(release: Release) -> dict[str, Value]:
    dead = release.pairs.filter(pl.col("modifier") == "dead")
    lower, equal = dead.filter(pl.col("label") < 2).height, dead.filter(pl.col("label") == 2).height
    numbers: dict[str, Value] = {
        "adept.dead.pairs": dead.height,
        "adept.dead.lower_to_equal": lower / equal if equal else None,
    }
    if release.listed is None or release.effective is None:
        return numbers
    used = set(release.pairs["modifier"])
    on_list = pl.col("modifier").is_in(list(release.effective))
    strange, plain = release.pairs.filter(on_list), release.pairs.filter(~on_list)
    return numbers | {
        "adept.non_subsective.listed": len(release.listed),
        "adept.non_subsective.effective": len(release.effective),
        "adept.non_subsective.used": len(release.listed & used),
        "adept.non_subsective.ratio": strange.height / plain.height if plain.height else None,
        "adept.non_subsective.share": strange.height / release.pairs.height,
        "adept.figure4.non_subsective": list(_shares(strange)),
        "adept.figure4.subsective": list(_shares(plain)),
    }
