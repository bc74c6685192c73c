"""Words outside their frame: verbs that counts hardly show with an object."""

from __future__ import annotations

import polars as pl

# Verbs with fewer objects than this share of their subjects have one by a slip of the parser
# ("collide head"); those with fewer subjects than this are not judged.
LEAST_OBJECTS = 0.1
FEWEST_SUBJECTS = 20


def without_object(heads: pl.DataFrame) -> frozenset[str]:
    """Return the verbs, in lower case, that hardly ever have a direct object.

    Args:
        heads: relation, word, count of heads; `nsubj` and `dobj` are compared. Counts without
            either relation judge no verb.

    >>> rows = [("nsubj", "collide", 90), ("dobj", "collide", 2)]
    >>> rows += [("nsubj", "eat", 90), ("dobj", "eat", 70), ("nsubj", "bray", 3)]
    >>> heads = pl.DataFrame(rows, schema=["relation", "word", "count"], orient="row")
    >>> sorted(without_object(heads))
    ['collide']
    """
    if not {"nsubj", "dobj"} <= set(heads["relation"]):
        return frozenset()
    seen = heads.group_by(word=pl.col("word").str.to_lowercase()).agg(
        subjects=pl.col("count").filter(pl.col("relation") == "nsubj").sum(),
        objects=pl.col("count").filter(pl.col("relation") == "dobj").sum(),
    )
    few = pl.col("objects") < LEAST_OBJECTS * pl.col("subjects")
    return frozenset(seen.filter(few & (pl.col("subjects") >= FEWEST_SUBJECTS))["word"])
