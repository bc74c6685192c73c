"""ADEPT section 4.1: how the second sentence comes from the first, and what is irregular."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.datasets.adept.pairs import PUBLISHED, PairRule, article_by_spelling, modified
from plausibly.replications.adept_release import Release
from plausibly.replications.claims import Claim, judge
from plausibly.replications.record import Record, Value

RULES = {
    "published": (PUBLISHED, "first occurrence of the noun's letters, a or an by spelling"),
    "whole_word": (
        PairRule(whole_word=True, article=article_by_spelling),
        "first occurrence of the noun as a word, a or an by spelling",
    ),
}
MODALS = ("might", "may", "can", "must")
OVER_PRESENT = "over all splits present"
NO_SPLIT = "A split it needs is not in the data folder."


def _construction() -> Iterator[Claim]:
    yield Claim(
        "adept.pairs.compared", None, f"pairs, {OVER_PRESENT}", "All pairs are tried on each rule."
    )
    for name, (_, rule) in RULES.items():
        note = (
            "The paper does not state the rule; this one was read off the release."
            if name == "published"
            else "What the whole-word rule misses more are nouns cut out of longer words."
        )
        yield Claim(f"adept.pairs.{name}.exact", None, f"sentence2 by the rule: {rule}", note)
        yield Claim(f"adept.pairs.{name}.exceptions", None, f"idx it fails on: {rule}", note)


def _irregular() -> Iterator[Claim]:
    none = "Nothing is said about it."
    yield Claim(
        "adept.modals",
        0,
        f"first sentences with {', '.join(MODALS)}, {OVER_PRESENT}",
        "Section 4.1 says modal verbs are replaced; some are left, some 'can' are nouns.",
    )
    yield Claim(
        "adept.duplicates",
        None,
        f"(sentence1, sentence2) pairs on several rows, {OVER_PRESENT}",
        none,
    )
    yield Claim(
        "adept.duplicates.labels_differ",
        None,
        f"of these, those with different labels, {OVER_PRESENT}",
        "The same question got two answers.",
    )
    yield Claim(
        "adept.duplicates.across_splits",
        None,
        f"of these, those in more than one split, {OVER_PRESENT}",
        "The splits are not disjoint.",
    )


def _shared() -> Iterator[Claim]:
    for split in ("val", "test"):
        yield Claim(
            f"adept.overlap.sentences.{split}",
            None,
            f"{split} pairs whose first sentence is in train",
            "The splits are not disjoint by sentence.",
        )
        yield Claim(
            f"adept.overlap.nouns.{split}",
            None,
            f"{split} pairs whose noun is in train",
            "The splits are not disjoint by noun.",
        )


def _texts() -> Iterator[Claim]:
    yield Claim(
        "adept.modifier_already_there",
        None,
        f"pairs whose modifier already stands in the first sentence, {OVER_PRESENT}",
        "Most of them are not labelled 'necessarily true'.",
    )
    yield Claim(
        "adept.modifier_already_there.necessarily_true",
        None,
        f"of these, those labelled 4, {OVER_PRESENT}",
        "Most of them are not labelled 'necessarily true'.",
    )
    for name, what in {
        "double_spaces": "first sentences with two spaces in a row",
        "space_before_stop": "first sentences with a space before the final stop",
        "nouns": "distinct nouns",
        "modifiers": "distinct modifiers",
        "adjective_noun_pairs": "distinct modifiers with their noun",
        "sentences": "distinct first sentences",
        "words.mean": "mean number of words of the first sentence",
        "words.most": "most words of a first sentence",
    }.items():
        yield Claim(
            f"adept.{name}", None, f"{what}, {OVER_PRESENT}", "The paper does not print it."
        )


CLAIMS = (*_construction(), *_irregular(), *_shared(), *_texts())


def pairs(release: Release) -> list[Record]:
    """Return the records on how pairs are made."""
    numbers = _of_rules(release.pairs) | _of_texts(release.pairs) | _overlaps(release)
    return judge(CLAIMS, numbers, missing=NO_SPLIT)


def _of_rules(table: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {"adept.pairs.compared": table.height}
    for name, (rule, _) in RULES.items():
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


def _overlaps(release: Release) -> dict[str, Value]:
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
