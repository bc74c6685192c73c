"""Words outside their frame: verbs that hardly have an object, and words of another class."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

# A word seen so often is of its class although the dictionary has it as other words only.
LEAST_SEEN = 20

# Verbs with fewer objects than this share of their subjects have one by a slip of the parser
# ("collide head"); those with fewer subjects than this are not judged.
LEAST_OBJECTS = 0.1
FEWEST_SUBJECTS = 20


def without_object(heads: pl.DataFrame, *, measured: pl.DataFrame | None = None) -> frozenset[str]:
    """Return the verbs, in lower case, that hardly ever have a direct object.

    Args:
        heads: relation, word, count of heads; `nsubj` and `dobj` are compared. Counts without
            either relation judge no verb.
        measured: word, count of verbs whose object is a unit or a time, which is an extent:
            prices fall two dollars. These objects do not count.

    >>> rows = [("nsubj", "collide", 90), ("dobj", "collide", 2)]
    >>> rows += [("nsubj", "eat", 90), ("dobj", "eat", 70), ("nsubj", "bray", 3)]
    >>> heads = pl.DataFrame(rows, schema=["relation", "word", "count"], orient="row")
    >>> sorted(without_object(heads))
    ['collide']
    >>> rise = [("nsubj", "rise", 90), ("dobj", "rise", 20)]
    >>> heads = pl.DataFrame(rise, schema=["relation", "word", "count"], orient="row")
    >>> sorted(without_object(heads, measured=pl.DataFrame({"word": ["rise"], "count": [18]})))
    ['rise']
    """
    if measured is not None:
        less = measured.select("word", relation=pl.lit("dobj"), count=-pl.col("count"))
        heads = pl.concat([heads.select("relation", "word", "count"), less], how="diagonal_relaxed")
    if not {"nsubj", "dobj"} <= set(heads["relation"]):
        return frozenset()
    seen = heads.group_by(word=pl.col("word").str.to_lowercase()).agg(
        subjects=pl.col("count").filter(pl.col("relation") == "nsubj").sum(),
        objects=pl.col("count").filter(pl.col("relation") == "dobj").sum(),
    )
    few = pl.col("objects") < LEAST_OBJECTS * pl.col("subjects")
    return frozenset(seen.filter(few & (pl.col("subjects") >= FEWEST_SUBJECTS))["word"])


def of_another_class(
    words: pl.Series, counts: pl.Series, is_of_class: Callable[[str], bool]
) -> pl.Series:
    """Return which words are rare, and in the dictionary as words of other classes only.

    >>> words = pl.Series(["boat", "portray", "google"])
    >>> of_another_class(words, pl.Series([1, 1, 20]), lambda word: word == "boat").to_list()
    [False, True, False]
    """
    rows = zip(words, counts, strict=True)
    goes = [count < LEAST_SEEN and not is_of_class(word) for word, count in rows]
    return pl.Series(goes, dtype=pl.Boolean)
