"""Cleaning: rules that name suspects, the ledger of what was set aside, and the cascade."""

from plausibly.cleaning.cascade import CascadeStep, cascade
from plausibly.cleaning.presets import PRESETS, RULES, Preset, RuleSpec, load_preset
from plausibly.cleaning.rule import Context, Rule
from plausibly.cleaning.runner import Cleaned, Stage, clean

__all__ = [
    "PRESETS",
    "RULES",
    "CascadeStep",
    "Cleaned",
    "Context",
    "Preset",
    "Rule",
    "RuleSpec",
    "Stage",
    "cascade",
    "clean",
    "load_preset",
]
