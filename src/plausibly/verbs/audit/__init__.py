"""What ratings can support: one page of verdicts and their evidence."""

from plausibly.verbs.audit._verb import PAGE, Audit, audit

__all__ = ["PAGE", "Audit", "audit"]
