"""ADEPT sections 3 and 4, Table 4: sizes, labels, agreement, and the claims about adjectives."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.adept import CLASSES
from plausibly.replications.adept.release import SPLITS, AdeptRelease
from plausibly.replications.claims import Claims
from plausibly.replications.printed import Value

LESS_LIKELY, EQUALLY_LIKELY = (pl.col("label") == code for code in (1, 2))


def labels(release: AdeptRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of sizes, labels, agreement and adjectives."""
    return {
        **_of_pairs(release),
        **_of_agreement(release, claims),
        **_of_collection(claims),
        **_of_adjectives(release),
    }


def _key(name: str) -> str:
    return name.replace(" ", "_")


def _of_pairs(release: AdeptRelease) -> dict[str, Value]:
    pairs = release.pairs
    shares = _shares(pairs)
    numbers: dict[str, Value] = {
        "adept.idx.repeated": pairs.height - pairs["idx"].n_unique(),
        "adept.label.codes": pairs["label"].unique().sort().to_list(),
    }
    for code, name in enumerate(CLASSES):
        numbers[f"adept.label.share.{_key(name)}"] = shares[code] if release.whole else None
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


def _of_agreement(release: AdeptRelease, claims: Claims) -> dict[str, Value]:
    """Return what the printed counts and shares of Table 4 imply for each other."""
    counts = claims.numbers("adept.table4.count")
    unanimous = claims.numbers("adept.table4.unanimous")
    kept = counts["unanimous"] + counts["majority"]
    checks = claims.number("adept.quality_checks")
    labelled = kept + counts["no_agreement"]
    cap = claims.number("adept.cap.tasks")
    weighted = zip(_shares(release.pairs), CLASSES, strict=True)
    return {
        "adept.table4.kept": int(kept),
        **{
            f"adept.table4.sums.{name}": share + claims.number(f"adept.table4.majority.{name}")
            for name, share in unanimous.items()
        },
        "adept.table4.unanimous_share": sum(s * unanimous[_key(name)] for s, name in weighted),
        "adept.table4.no_agreement_share": counts["no_agreement"] / labelled,
        "adept.table4.no_agreement_share.with_checks": counts["no_agreement"] / (labelled + checks),
        "adept.cap.share": cap / kept,
        "adept.cap.share.labelled": cap / labelled,
        "adept.cap.share.with_checks": cap / (labelled + checks),
    }


def _of_collection(claims: Claims) -> dict[str, Value]:
    """Return what other printed figures imply for each other."""
    printed = claims.number
    agreed, kappa = printed("adept.authors_agree"), printed("adept.kappa.authors")
    shares = claims.numbers("adept.label.share")
    chance = sum(share**2 for share in shares.values())
    steps = claims.numbers("adept.pairs_extracted")
    return {
        "adept.kappa.authors.chance_needed": (agreed - kappa) / (1 - kappa),
        "adept.kappa.authors.chance_of_labels": chance,
        "adept.kappa.authors.unweighted": (agreed - chance) / (1 - chance),
        "adept.pairs_extracted.added_up": int(steps["wikipedia"] + steps["common_crawl"]),
        "adept.pay.per_hour": printed("adept.pay.task") * 3600 / printed("adept.pay.seconds"),
    }


def _of_adjectives(release: AdeptRelease) -> dict[str, Value]:
    dead = release.pairs.filter(pl.col("modifier") == "dead")
    numbers: dict[str, Value] = {
        "adept.dead.pairs": dead.height,
        "adept.dead.lower_to_equal": _lower_to_equal(dead),
        "adept.dead.lower_to_equal.less_likely": _ratio(dead, LESS_LIKELY, EQUALLY_LIKELY),
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
        "adept.non_subsective.ratio.released": strange.height / plain.height
        if plain.height
        else None,
        "adept.non_subsective.share": strange.height / release.pairs.height,
        "adept.dead.lower_to_equal.class": _lower_to_equal(strange),
        "adept.figure4.non_subsective": list(_shares(strange)),
        "adept.figure4.subsective": list(_shares(plain)),
    }


def _lower_to_equal(pairs: pl.DataFrame) -> float | None:
    """Return how often plausibility is lowered for each time it is unchanged."""
    return _ratio(pairs, pl.col("label") < 2, EQUALLY_LIKELY)


def _ratio(pairs: pl.DataFrame, first: pl.Expr, second: pl.Expr) -> float | None:
    """Return the ratio of pairs that meet the first rule to those that meet the second."""
    above, below = (pairs.filter(rule).height for rule in (first, second))
    return above / below if below else None
