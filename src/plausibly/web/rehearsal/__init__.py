"""Rehearsal: people of known kinds take part over HTTP before anybody is paid."""

from plausibly.web.rehearsal.rehearse import Rehearsed, rehearse

__all__ = ["Rehearsed", "rehearse"]
