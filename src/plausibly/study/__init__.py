"""The study folder: steps, the resumable runner, manifests, and what a verb returns."""

from plausibly.study.folder import PROTOCOLS, Study
from plausibly.study.protocol import Protocol
from plausibly.study.runner import StepState, run, status
from plausibly.study.settings import Settings, read_head, read_settings, write_settings
from plausibly.study.steps import Step, Work

__all__ = [
    "PROTOCOLS",
    "Protocol",
    "Settings",
    "Step",
    "StepState",
    "Study",
    "Work",
    "read_head",
    "read_settings",
    "run",
    "status",
    "write_settings",
]
