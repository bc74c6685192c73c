"""What language models answer about datasets: one of each, or a table of several.

The same questions can be exported as tasks of other harnesses.
"""

from plausibly.verbs.ask._export import export_inspect, export_lm_eval
from plausibly.verbs.ask._result import Asked
from plausibly.verbs.ask._step import step
from plausibly.verbs.ask._table import AskedTable
from plausibly.verbs.ask._verb import ask, several

__all__ = ["Asked", "AskedTable", "ask", "export_inspect", "export_lm_eval", "several", "step"]
