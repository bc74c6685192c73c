"""The study folder: steps, the resumable runner, manifests."""

from plausibly.study.runner import Outcome, run, status
from plausibly.study.settings import Settings, read_head, read_settings, write_settings
from plausibly.study.steps import Step, Study, Work

__all__ = [
    "Outcome",
    "Settings",
    "Step",
    "Study",
    "Work",
    "read_head",
    "read_settings",
    "run",
    "status",
    "write_settings",
]
