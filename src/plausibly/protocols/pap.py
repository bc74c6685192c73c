"""PAP: physical and abstract plausibility of events (Eichel and Schulte im Walde, 2023)."""

from __future__ import annotations

from plausibly.analysis.steps import agree, report
from plausibly.cleaning.step import KEPT, LEDGER, clean
from plausibly.domain import LabelScheme
from plausibly.labels.step import label
from plausibly.ratings.collection import COLLECTION
from plausibly.ratings.example import write_example
from plausibly.ratings.step import collect
from plausibly.study import Study

# Section 4.1: a slider from 1 to 5 that has to be moved off its middle.
ANSWERS = ("1", "2", "4", "5")

# Section 6: multi-class labels are the answers, binary ones are 4 and 5 against 1 and 2.
MULTICLASS = LabelScheme(
    "pap-multiclass",
    labels=ANSWERS,
    of={answer: answer for answer in ANSWERS},
    source="Eichel and Schulte im Walde (2023), section 6",
)
BINARY = LabelScheme(
    "pap-binary",
    labels=("0", "1"),
    of={"1": "0", "2": "0", "4": "1", "5": "1"},
    source="Eichel and Schulte im Walde (2023), section 6",
)

# Appendix B.3: two annotators agree when both are on the same side of the middle.
SIDES = "1,2|4,5"

# Section 5.2: a strict majority is at least 70 % of all ratings of a triple.
MIN_SHARE = 0.7

# Section 4.2: a triple stays with at least 8 ratings.
MIN_RATINGS = 8

NAMES = {"0": "implausible", "1": "plausible"}

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
        report(ratings=KEPT, exclusions=LEDGER, label_names=NAMES),
    ),
    sections=COLLECTION["pap"],
    example=write_example,
)
