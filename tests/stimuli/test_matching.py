"""Items paired across conditions: any protocol's columns, any column of one's own."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.provenance import Provenance
from plausibly.errors import PlausiblyError
from plausibly.stimuli.matching import matched_items, tolerances

ZIPF = {"old": 5.0, "fake": 4.9, "rare": 2.0, "bell": 4.0, "dog": 4.1, "mock": 2.1, "a": 7.0}
LIST = FrequencyList(
    Provenance("frequency", "test"), lambda words: [ZIPF.get(w) for w in words], lambda _: []
)


def pairs() -> pl.DataFrame:
    """Return four pairs of adjective and noun, two of each condition."""
    rows = [("1", "old", "bell", "s"), ("2", "rare", "dog", "s")]
    rows += [("3", "fake", "dog", "n"), ("4", "mock", "bell", "n")]
    frame = pl.DataFrame(rows, schema=["item", "modifier", "noun", "condition"], orient="row")
    return frame.with_columns(kind=pl.lit("item"), text=pl.format("A {} {}.", "modifier", "noun"))


def matched(items: pl.DataFrame, *asked: str, by: str = "condition") -> list[set[str]]:
    built = matched_items(items, tolerances(asked), by=by, within=None, frequency=LIST, seed=1)
    groups = built.items.group_by("match").agg("item")["item"]
    return sorted((set(one) for one in groups), key=min)


def test_adjectives_and_nouns_are_words_to_match_by() -> None:
    assert matched(pairs(), "frequency:0.3") == [{"1", "3"}, {"2", "4"}]
    assert matched(pairs(), "modifier_zipf:0.05") == []
    assert matched(pairs(), "modifier_length:0", "noun_length:0") == [{"2", "3"}]


def test_texts_without_columns_of_words_are_matched_by_the_mean() -> None:
    plain = pairs().drop("modifier", "noun")
    assert matched(plain, "frequency:0.1") == [{"1", "3"}, {"2", "4"}]
    strange = plain.with_columns(text=pl.lit("Zzz."))
    assert matched(strange.with_columns(age=pl.Series([1, 9, 1, 9])), "age:0") == [
        {"1", "3"},
        {"2", "4"},
    ]


@pytest.mark.parametrize(
    ("asked", "by", "message"),
    [
        ("concreteness:1", "condition", "needs a column 'concreteness' of numbers"),
        ("nobody:1", "condition", "unknown column to match by 'nobody'"),
        ("text:1", "condition", "column 'text' holds no numbers"),
        ("length:1", "kind", r"two conditions; got 1 \(item\). Name a column with two values"),
        ("length:1", "item", "got 4"),
    ],
)
def test_what_cannot_be_matched_says_what_could(asked: str, by: str, message: str) -> None:
    with pytest.raises(PlausiblyError, match=message):
        matched(pairs(), asked, by=by)


def test_frequency_without_a_list_says_what_brings_one() -> None:
    with pytest.raises(PlausiblyError, match=r"plausibly\[stimuli\]"):
        matched_items(
            pairs(), {"frequency": 1}, by="condition", within=None, frequency=None, seed=1
        )
