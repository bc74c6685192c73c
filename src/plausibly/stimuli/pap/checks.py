"""Check items of PAP: drawn from a pool of our own so that they look like the items around them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.optimize import linear_sum_assignment

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.io.opening import packaged_toml
from plausibly.io.ranks import ranks
from plausibly.stimuli.pap.perturb import ROLES
from plausibly.stimuli.realise import Realiser
from plausibly.tables import ITEMS

CHECKS_EACH = 10
"""Check items of each expected answer."""

LIKE = {"plausible": "attested", "implausible": "perturbed"}
"""The condition whose items the checks of an answer are to look like."""

UNKNOWN = 2.0
"""The squared distance of a value that is not known: that of two random values, in deviations."""

UNSEEN = 0.1
"""What is added to counts, so that a word that is not in the corpus is far from one that is."""

MEASURED = tuple(f"{role}_{what}" for what in ("concreteness", "zipf", "length") for role in ROLES)
VARIABLES = (*MEASURED, *(f"{role}_seen" for role in ROLES))
_COLUMNS = {
    **ITEMS.schema,
    **dict.fromkeys(ROLES, pl.String),
    **{name: pl.Int64 if name.endswith("length") else pl.Float64 for name in MEASURED},
}

Floats = npt.NDArray[np.float64]


def check_pool(lang: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return our check items of a language by the answer expected; none if we have none.

    >>> {answer: len(triples) for answer, triples in check_pool("it").items()}
    {'plausible': 100, 'implausible': 100}
    """
    document = packaged_toml("plausibly.stimuli.pap", "checks.toml")
    return {
        answer: [(subject, verb, thing) for subject, verb, thing in triples]
        for answer, triples in document.get(lang, {}).items()
    }


def check_words(lang: str) -> set[str]:
    """Return every word of our check items of a language."""
    pool = check_pool(lang)
    return {word for triples in pool.values() for triple in triples for word in triple}


def check_items(
    realiser: Realiser,
    *,
    as_sentence: bool = False,
    concreteness: Mapping[str, float] | None = None,
    frequency: FrequencyList | None = None,
) -> pl.DataFrame:
    """Return all our check items in the language of the realiser; none if we have none.

    Args:
        realiser: Puts lemmas into words.
        as_sentence: With articles, a capital and a full stop.
        concreteness: Of words, as the items have it.
        frequency: Where the frequency of words is looked up.
    """
    say = realiser.sentence if as_sentence else realiser.event
    rows: list[dict[str, Any]] = [
        {
            "item": f"check-{expected}-{number:02}",
            "text": say(*triple),
            "condition": None,
            "kind": "check",
            "expected": expected,
            **dict(zip(ROLES, triple, strict=True)),
        }
        for expected, triples in check_pool(realiser.language.lang).items()
        for number, triple in enumerate(triples, start=1)
    ]
    pool = pl.DataFrame(rows, schema={**ITEMS.schema, **dict.fromkeys(ROLES, pl.String)})
    known = dict(concreteness or {})
    measured = {f"{r}_concreteness": _looked_up(pool[r], known) for r in ROLES}
    measured |= {
        f"{r}_zipf": pl.repeat(None, pool.height, dtype=pl.Float64, eager=True)
        if frequency is None
        else frequency.zipf(pool[r]).cast(pl.Float64)
        for r in ROLES
    }
    measured |= {f"{r}_length": pool[r].str.len_chars().cast(pl.Int64) for r in ROLES}
    return pool.with_columns(**measured).select(*_COLUMNS)


def _looked_up(words: pl.Series, known: Mapping[str, float]) -> pl.Series:
    return words.replace_strict(dict(known), default=None, return_dtype=pl.Float64)


def with_seen(triples: pl.DataFrame, svo: pl.DataFrame) -> pl.DataFrame:
    """Return triples with how often the corpus has each word in its place, as a logarithm.

    Args:
        triples: Items or checks.
        svo: The triples of the corpus, with their counts.
    """
    seen = []
    for role in ROLES:
        keys = pl.col(role).str.to_lowercase()
        counts = svo.group_by(keys).agg(pl.col("count").sum())
        known = dict(counts.select(role, pl.col("count").cast(pl.Float64)).iter_rows())
        total = keys.replace_strict(known, default=0.0, return_dtype=pl.Float64)
        seen.append((total + UNSEEN).log().alias(f"{role}_seen"))
    return triples.with_columns(seen)


def matched_checks(
    pool: pl.DataFrame, sampled: Mapping[str, pl.DataFrame], *, seed: int
) -> pl.DataFrame:
    """Return the check items of each answer that are most like a random sample of the items.

    A sample of as many items is drawn from the condition that the answer belongs to. Each of them
    gets another check, so that the differences in concreteness, frequency, length and how often
    the corpus has the word in its place (`with_seen`), over all three words and in standard
    deviations of the items, are as small as possible in sum. The checks of an answer do not share
    a subject, verb or object while the pool has others.

    Args:
        pool: All check items, as `check_items` returns them.
        sampled: By condition, the triples that become items.
        seed: Of the sample.
    """
    parts = []
    drawn = pool.with_columns(ranks(pool["item"], seed=seed).alias("__rank"))
    # Where several checks are as near, the seed decides.
    shuffled = drawn.sort("expected", "__rank", "item").drop("__rank")
    for (answer,), checks in shuffled.group_by("expected", maintain_order=True):
        items = sampled.get(LIKE.get(str(answer), ""))
        some = checks.head(CHECKS_EACH)
        if items is not None and not items.is_empty():
            some = checks[_nearest(checks, items, seed=seed)]
        parts.append(some)
    return (pl.concat(parts).sort("item") if parts else pool).select(*_COLUMNS)


def _nearest(checks: pl.DataFrame, items: pl.DataFrame, *, seed: int) -> list[int]:
    """Return the rows of the checks that are nearest to a sample of the items."""
    keys = items.select(pl.concat_str(pl.lit("checks"), *ROLES, separator="|").alias("key"))["key"]
    order = items.with_columns(ranks(keys, seed=seed).alias("__rank"), keys.alias("__key"))
    targets = order.sort("__rank", "__key").head(CHECKS_EACH)
    costs = np.zeros((targets.height, checks.height))
    for name in VARIABLES:
        if name not in items.columns or name not in checks.columns:
            continue
        known = items[name].drop_nulls().to_numpy().astype(np.float64)
        spread = float(np.std(known)) if len(known) else 0.0
        if spread > 0:
            costs += _squared(targets[name], checks[name], spread)
    return sorted(_without_repeats(costs, checks))


def _without_repeats(costs: Floats, checks: pl.DataFrame) -> list[int]:
    """Return the cheapest checks for the targets in which no word fills the same place twice.

    A word that several checks share gives them away. It is repeated only if too few checks remain.
    """
    allowed = np.arange(checks.height)
    while True:
        targets, places = linear_sum_assignment(costs[:, allowed])
        rows = allowed[places]
        words: set[tuple[str, str]] = set()
        repeats = []
        for row in rows[np.argsort(costs[targets, rows], kind="stable")].tolist():
            used = {(role, checks[role][row]) for role in ROLES}
            if used & words:
                repeats.append(row)
            words |= used
        if not repeats or len(allowed) - len(repeats) < len(costs):
            return [int(row) for row in rows]
        allowed = np.setdiff1d(allowed, repeats)


def _squared(of_targets: pl.Series, of_checks: pl.Series, spread: float) -> Floats:
    """Return the squared difference of every target and check, in standard deviations."""
    one, other = (
        values.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        for values in (of_targets, of_checks)
    )
    squared: Floats = ((one[:, None] - other[None, :]) / spread) ** 2
    return np.where(np.isnan(squared), UNKNOWN, squared)
