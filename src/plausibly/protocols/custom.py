"""A study of one's own: any table of items, any form written in study.toml."""

from __future__ import annotations

from plausibly.ratings.collection import COLLECTION
from plausibly.ratings.step import collect
from plausibly.study import Study

STUDY = Study("custom", steps=(collect(),), sections=COLLECTION["custom"])
