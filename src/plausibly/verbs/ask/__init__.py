"""What language models answer about datasets: one of each, or a table of several."""

from plausibly.verbs.ask._result import Asked
from plausibly.verbs.ask._step import step
from plausibly.verbs.ask._table import AskedTable
from plausibly.verbs.ask._verb import ask, several

__all__ = ["Asked", "AskedTable", "ask", "several", "step"]
