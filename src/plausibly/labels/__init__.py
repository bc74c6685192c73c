"""Labels: one method per file, each found by the name the command line knows it by."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from plausibly.labels.results import Effort, Fitted, Silent
from plausibly.registry import Registry

Method = Callable[..., pl.DataFrame | Fitted]

METHODS: Registry[Method] = Registry(
    "label method",
    {
        "adjusted": "plausibly.labels.adjusted:adjusted",
        "agreed-by": "plausibly.labels.agreed_by:agreed_by",
        "dawid-skene": "plausibly.labels.dawid_skene:dawid_skene",
        "glad": "plausibly.labels.glad:glad",
        "mace": "plausibly.labels.mace:mace",
        "mean": "plausibly.labels.averages:mean",
        "median": "plausibly.labels.averages:median",
        "one-coin": "plausibly.labels.one_coin:one_coin",
        "ordinal": "plausibly.labels.ordinal:ordinal",
        "per-option": "plausibly.labels.sets:per_option",
        "plurality": "plausibly.labels.plurality:plurality",
        "score": "plausibly.labels.score:score",
        "share": "plausibly.labels.share:share",
        "shares": "plausibly.labels.sets:shares",
        "strict-majority": "plausibly.labels.strict_majority:strict_majority",
        "wawa": "plausibly.labels.wawa:wawa",
    },
    group="plausibly.labels",
)

__all__ = ["METHODS", "Effort", "Fitted", "Method", "Silent"]
