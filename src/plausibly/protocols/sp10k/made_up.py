"""The example study: how its pairs are asked about, and in which surveys."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from plausibly.stimuli.sp10k.surveys import surveys, wording


def question(pair: Mapping[str, str]) -> str:
    """Return the question about a pair of words."""
    return wording("en").question(pair["relation"], pair["head"], pair["dependent"])


def surveys_of(items: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return one survey per relation, with its three checkpoints among the pairs."""
    pairs, checks = (items.filter(kind=kind) for kind in ("item", "check"))
    return surveys(pairs, checks, per_survey=100, checks_each=3, seed=seed)
