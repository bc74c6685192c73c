"""Cleaning: rules that name suspects, the ledger of what was set aside, and the cascade."""

from plausibly.cleaning.cascade import CascadeStep, cascade
from plausibly.cleaning.presets import RULES, Preset, RuleSpec, load_preset, preset_names
from plausibly.cleaning.rule import Context, Rule
from plausibly.cleaning.runner import Cleaned, Stage, clean

__all__ = [
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
    "preset_names",
]
