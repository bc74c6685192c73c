"""PAP: physical and abstract plausibility of events (Eichel and Schulte im Walde, 2023)."""

from __future__ import annotations

from plausibly.domain import LabelScheme

QUESTION = "plausible"

# Section 3: a triple is attested in the corpus, or its words were drawn anew.
CONDITIONS = ("attested", "perturbed")

# What the released files call the conditions; a perturbed triple is not thereby implausible.
ORIGINALS = {"plausible": "attested", "implausible": "perturbed"}

# Section 4.1: a slider from 1 to 5 that has to be moved off its middle.
SCALE = (1, 2, 3, 4, 5)
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

SIDE_NAMES = {"1": "plausible", "0": "implausible"}
"""What the binary labels mean."""

# Appendix B.3: two annotators agree when both are on the same side of the middle.
SIDES = "1,2|4,5"

# Section 5.2: a strict majority is at least 70 % of all ratings of a triple.
MIN_SHARE = 0.7

# Section 4.2: a triple stays with at least 8 ratings.
MIN_RATINGS = 8

EVENTS = "events_with_ratings.tsv"
CHECKS = "check_instances.tsv"
