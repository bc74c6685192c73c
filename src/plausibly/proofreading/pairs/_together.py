"""What pairs of a set owe each other: other sentences, other idx, labels that vary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import polars as pl

from plausibly.proofreading.plain import same_key

# From so many labels on, their shares mean something; the label of most released pairs.
ENOUGH_LABELS = 20
EQUALLY = 2

Group = tuple[list[int], int, int]


@dataclass(frozen=True, slots=True, order=True)
class PairProblem:
    """One irregularity of one pair."""

    idx: int
    kind: str
    message: str

    def as_json(self) -> dict[str, int | str]:
        """Return the problem as `check adept --json` prints it."""
        return {"idx": self.idx, "kind": self.kind, "message": self.message}


def exact_groups(pairs: pl.DataFrame) -> list[Group]:
    """Return the idx of pairs with the same two sentences, and how many labels and splits."""
    again = pairs.group_by("sentence1", "sentence2").agg(
        pl.col("idx"),
        labels=pl.col("label").drop_nulls().n_unique(),
        splits=pl.col("split").n_unique(),
    )
    again = again.filter(pl.col("idx").list.len() > 1)
    again = again.sort(pl.col("idx").list.min())
    return list(again.select("idx", "labels", "splits").iter_rows())


def of_groups(groups: Iterable[Group]) -> Iterator[PairProblem]:
    """Yield what is wrong with each pair of such groups."""
    for members, labels, splits in groups:
        for place, idx in enumerate(sorted(members)):
            rest = sorted(members)
            del rest[place]
            others = ", ".join(map(str, rest))
            yield PairProblem(idx, "duplicate", f"the same two sentences as idx {others}")
            if labels > 1:
                yield PairProblem(idx, "labels_differ", f"another label than idx {others}")
            if splits > 1:
                yield PairProblem(idx, "cross_split", f"in another file as idx {others}")


def nearly(pairs: pl.DataFrame) -> Iterator[PairProblem]:
    """Yield pairs that say the same as another, except for articles, case or punctuation.

    In one file the first of them is named; in several files all are, since each may be the leak.
    """
    groups: dict[tuple[str, str], list[tuple[int, str, str, str]]] = {}
    columns = ("idx", "split", "sentence1", "sentence2")
    for idx, split, first, second in pairs.select(columns).iter_rows():
        groups.setdefault((_key(first), _key(second)), []).append((idx, split, first, second))
    for members in groups.values():
        if len({(first, second) for _, _, first, second in members}) == 1:
            continue
        splits, named = {split for _, split, _, _ in members}, sorted(one[0] for one in members)
        for place, idx in enumerate(named if len(splits) > 1 else named[:1]):
            others = ", ".join(map(str, (*named[:place], *named[place + 1 :])))
            where = " in another file" if len(splits) > 1 else ""
            what = f"says the same as idx {others}{where}, except for articles, case or punctuation"
            yield PairProblem(idx, "nearly_duplicate", what)


def _key(sentence: str) -> str:
    return " ".join(word for word in same_key(sentence).split() if word not in ("a", "an", "the"))


def of_labels(pairs: pl.DataFrame) -> Iterator[PairProblem]:
    """Yield the first pair of a split whose labels as a whole cannot be those of people."""
    for (split,), part in pairs.group_by("split", maintain_order=True):
        labels = part["label"].drop_nulls()
        if labels.len() < ENOUGH_LABELS:
            continue
        usual, times = labels.value_counts(sort=True).row(0)
        idx = int(part["idx"][0])
        if times == labels.len():
            yield PairProblem(idx, "one_label", f"every pair of {split} has the label {usual}")
        elif usual != EQUALLY and usual == EQUALLY + 1 and not (labels == 0).any():
            what = f"most pairs of {split} have the label 3 and none has 0: counted from 1?"
            yield PairProblem(idx, "labels_shifted", what)


def repeated_idx(pairs: pl.DataFrame) -> Iterator[PairProblem]:
    """Yield every idx that several pairs have."""
    again = pairs.group_by("idx").agg(pl.col("split").sort()).filter(pl.col("split").list.len() > 1)
    for idx, splits in again.sort("idx").iter_rows():
        yield PairProblem(idx, "repeated_idx", f"this idx is in {' and in '.join(splits)}")


def shared_of(pairs: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Return, for any two files in order, how many pairs of the later meet the earlier."""
    splits = pairs["split"].unique(maintain_order=True).to_list()
    shared = {}
    for place, earlier in enumerate(splits):
        first = pairs.filter(pl.col("split") == earlier)
        for later in splits[place + 1 :]:
            second = pairs.filter(pl.col("split") == later)
            shared[f"{later} in {earlier}"] = {
                name: second.join(first, on=column, how="semi").height
                for name, column in (("sentences", "sentence1"), ("nouns", "noun"))
            }
    return shared
