"""PAP: physical and abstract plausibility of events (Eichel and Schulte im Walde, 2023)."""

from __future__ import annotations

from plausibly.analysis.steps import agree, report
from plausibly.cleaning.step import KEPT, LEDGER, clean
from plausibly.datasets.pap import BINARY, MIN_SHARE, SIDE_NAMES, SIDES
from plausibly.labels.step import label
from plausibly.ratings.collection import COLLECTION
from plausibly.ratings.example import write_example
from plausibly.ratings.step import collect
from plausibly.study import Study

STUDY = Study(
    "pap",
    seed=1,
    steps=(
        collect(source="Section 4.1: ten ratings a triple, batches of 24 and one check"),
        clean("pap", source="Appendix B.3, Table 3: the rules in the order of its rows"),
        label(
            "strict-majority",
            scheme=BINARY,
            min_share=MIN_SHARE,
            ratings=KEPT,
            source="Section 5.2: at least 70 % of all ratings of a triple",
        ),
        agree(sides=SIDES, ratings=KEPT, source="Appendix B.3: soft pairwise Jaccard"),
        report(ratings=KEPT, exclusions=LEDGER, label_names=SIDE_NAMES),
    ),
    sections=COLLECTION["pap"],
    example=write_example,
)
