"""Items that belong together: drawn as one for an interval, exchanged as one for a test.

Errors of a model are alike for items that share a noun, a verb or a head. Items taken as
independent then make intervals too narrow and tests too ready to find a difference.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.errors import StudyError, option
from plausibly.measures._grouping import sums
from plausibly.measures.ranking import Floats, Ints

CLUSTER, ITEM, HEAD = "cluster", "item", "head"
VERB_SCHEMES = ("events", "pap-binary", "pap-perturbed", "pap-soft")


def default_clusters(scheme: str) -> str:
    """Return what items are drawn together by under a scheme.

    >>> default_clusters("adept-5"), default_clusters("sp10k"), default_clusters("events")
    ('noun', 'head', 'verb')
    """
    if scheme in VERB_SCHEMES:
        return "verb"
    return HEAD if scheme == "sp10k" else "noun"


def clustered(rows: pl.DataFrame, facts: pl.DataFrame, name: str, *, must: bool) -> pl.DataFrame:
    """Return the rows with the value of one column of the facts as their cluster.

    Args:
        rows: One row per item.
        facts: item and columns that describe it.
        name: The column; `item` leaves every item alone.
        must: Raise if there is no such column; otherwise rows keep the clusters they have.
    """
    if name == ITEM:
        return rows.with_columns(pl.lit(None, dtype=pl.String).alias(CLUSTER))
    if name not in facts.columns:
        if must:
            raise StudyError(
                f"{option('clusters')}: neither the file nor the items have a column {name!r}. "
                f"Columns found: {', '.join(facts.columns)}.",
                parameter="clusters",
            )
        return rows
    values = pl.col(name).cast(pl.String).str.to_lowercase().alias(CLUSTER)
    own = facts.select(pl.col(ITEM).cast(pl.String), values).unique(ITEM, maintain_order=True)
    bare = rows.drop(CLUSTER, strict=False)
    return bare.join(own, on=ITEM, how="left", maintain_order="left")


def cluster_codes(rows: pl.DataFrame) -> Ints:
    """Return the number of each row's cluster; a row without one is alone."""
    column = rows[CLUSTER] if CLUSTER in rows.columns else rows[ITEM]
    names = pl.select(
        pl.when(column.is_null())
        .then(pl.concat_str(pl.lit("item "), rows[ITEM]))
        .otherwise(pl.concat_str(pl.lit("cluster "), column))
    ).to_series()
    return recoded(names.to_numpy())


def recoded(codes: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Ints:
    """Return codes from 0 without gaps.

    >>> recoded(np.array([7, 2, 7])).tolist()
    [1, 0, 1]
    """
    places: Ints = np.unique(codes, return_inverse=True)[1].astype(np.int64)
    return places


def summed(values: Floats, cluster: Ints) -> Floats:
    """Return the sum of each cluster, in the order of their codes.

    >>> summed(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 0])).tolist()
    [5.0, 2.0]
    """
    return sums(values, cluster, n_groups=int(cluster.max()) + 1 if len(cluster) else 0)


def alone(cluster: Ints) -> bool:
    """Return whether every item is a cluster by itself."""
    return len(np.unique(cluster)) == len(cluster)
