"""ADEPT section 4.1: how the second sentence comes from the first, and what is irregular."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.adept import CLASSES
from plausibly.datasets.adept.pairs import PUBLISHED, PairRule, article_by_spelling, modified
from plausibly.replications.adept.release import AdeptRelease
from plausibly.replications.claims import Claims
from plausibly.replications.printed import Value

RULES = {
    "published": PUBLISHED,
    "whole_word": PairRule(whole_word=True, article=article_by_spelling),
}
MODALS = ("might", "may", "can", "must")


def pairs(release: AdeptRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of how pairs are made, and the labels of printed examples."""
    return {
        **_of_rules(release.pairs),
        **_of_texts(release.pairs),
        **_overlaps(release),
        **_examples(release, claims),
    }


def _examples(release: AdeptRelease, claims: Claims) -> dict[str, Value]:
    """Return the label of each printed example, found by modifier, noun and one more word.

    Those of Table 6 are from the development set.
    """
    val = release.pairs.filter(pl.col("split") == "val")
    places = {"table1": release.pairs, "section4": release.pairs, "table6": val}
    numbers: dict[str, Value] = {}
    for place, pairs in places.items():
        table = f"adept.{place}"
        for name in claims.under(table):
            modifier, noun, word = name.split("-")
            own = (pl.col("modifier") == modifier) & (pl.col("noun") == noun)
            named = pl.col("sentence1").str.to_lowercase().str.contains(word, literal=True)
            known = pairs.filter(own & named)["label"].to_list()
            numbers[f"{table}.{name}"] = CLASSES[known[0]] if known else None
    return numbers


def _of_rules(table: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {"adept.pairs.compared": table.height}
    for name, rule in RULES.items():
        failed = [
            row["idx"]
            for row in table.iter_rows(named=True)
            if modified(row["sentence1"], noun=row["noun"], modifier=row["modifier"], rule=rule)
            != row["sentence2"]
        ]
        numbers[f"adept.pairs.{name}.exact"] = table.height - len(failed)
        numbers[f"adept.pairs.{name}.exceptions"] = sorted(failed)
    return numbers


def _of_texts(table: pl.DataFrame) -> dict[str, Value]:
    first = table["sentence1"]
    again = table.group_by("sentence1", "sentence2").agg(
        pl.len(), labels=pl.col("label").n_unique(), splits=pl.col("split").n_unique()
    )
    again = again.filter(pl.col("len") > 1)
    words = pl.col("sentence1").str.to_lowercase().str.extract_all(r"[\w'-]+")
    already = table.filter(words.list.contains(pl.col("modifier")))
    lengths = first.str.split(" ").list.eval(pl.element().filter(pl.element() != "")).list.len()
    return {
        "adept.modals": int(first.str.contains(rf"\b(?i:{'|'.join(MODALS)})\b").sum()),
        "adept.duplicates": again.height,
        "adept.duplicates.labels_differ": again.filter(pl.col("labels") > 1).height,
        "adept.duplicates.across_splits": again.filter(pl.col("splits") > 1).height,
        "adept.modifier_already_there": already.height,
        "adept.modifier_already_there.necessarily_true": already.filter(
            pl.col("label") == 4
        ).height,
        "adept.double_spaces": int(first.str.contains("  ", literal=True).sum()),
        "adept.space_before_stop": int(first.str.contains(r" \.$").sum()),
        "adept.nouns": table["noun"].n_unique(),
        "adept.modifiers": table["modifier"].n_unique(),
        "adept.adjective_noun_pairs": table.select("modifier", "noun").n_unique(),
        "adept.sentences": first.n_unique(),
        "adept.words.mean": int(lengths.sum()) / table.height if table.height else None,
        "adept.words.most": max(lengths, default=None),
    }


def _overlaps(release: AdeptRelease) -> dict[str, Value]:
    train = release.of("train")
    numbers: dict[str, Value] = {}
    for split in ("val", "test"):
        own = release.of(split)
        if own is None or train is None:
            continue
        for name, column in (("sentences", "sentence1"), ("nouns", "noun")):
            shared = own[column].is_in(train[column].unique().to_list())
            numbers[f"adept.overlap.{name}.{split}"] = int(shared.sum())
    return numbers
