"""The report of a study: one page, its figures and tables, and the step that writes it."""

from plausibly.verbs.report._page import PAGE, Report
from plausibly.verbs.report._step import DIGITS, PUBLISHED, TABLES, report, report_of

__all__ = ["DIGITS", "PAGE", "PUBLISHED", "TABLES", "Report", "report", "report_of"]
