"""Whether grammar and content were judged independently, as the manual asks."""

from __future__ import annotations

from plausibly.analysis.iks_association import association_tables, grammar_associations
from plausibly.analysis.iks_judgements import judgements
from plausibly.analysis.iks_profiles import Draws
from plausibly.datasets.iks import SCALES
from plausibly.study.exhibits import Exhibit, omitted
from plausibly.study.protocol import Finished

HEADING = "Grammar and content"


def exhibits(study: Finished) -> tuple[Exhibit, ...]:
    """Return the cross tables of grammar and content, from the ratings that cleaning kept."""
    if not study.ratings["item"].str.contains("#", literal=True).any():
        return (omitted("association", HEADING, "no rating is about a candidate"),)
    judged = judgements(study.ratings, scales=SCALES, items=study.items)
    draws = Draws(seed=study.seed)
    tables = association_tables(grammar_associations(judged, scales=SCALES, draws=draws))
    if not tables:
        why = "nobody answered both about grammar and about content"
        return (omitted("association", HEADING, why),)
    return (Exhibit("association", HEADING, tables),)
