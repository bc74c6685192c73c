"""What language models answer about datasets: one of each, or a table of several."""

from plausibly.verbs.ask._one import Asked, ask
from plausibly.verbs.ask._step import ask_step
from plausibly.verbs.ask._table import AskedTable, ask_table

__all__ = ["Asked", "AskedTable", "ask", "ask_step", "ask_table"]
