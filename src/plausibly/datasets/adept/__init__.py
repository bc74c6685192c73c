"""ADEPT: how an adjective changes the plausibility of an event (Emami et al., 2021)."""

from __future__ import annotations

from collections.abc import Mapping

from plausibly.domain import LabelScheme

QUESTION = "effect"

# Section 3; the released files write the classes as 0 to 4 in this order.
CLASSES = ("impossible", "less likely", "equally likely", "more likely", "necessarily true")
CODES = {str(code): name for code, name in enumerate(CLASSES)}

# Section 5.3: impossible and less likely are one class, so are necessarily true and more likely.
CHANGES = {
    "impossible": "decrease",
    "less likely": "decrease",
    "equally likely": "equal",
    "more likely": "increase",
    "necessarily true": "increase",
}


def _by_code_and_name(classes: Mapping[str, str]) -> dict[str, str]:
    """Return the mapping of class names, for answers given as a code or as a name."""
    codes = {code: classes[name] for code, name in CODES.items() if name in classes}
    return {**codes, **classes}


FIVE_CLASSES = LabelScheme(
    "adept-5",
    labels=CLASSES,
    of=_by_code_and_name({name: name for name in CLASSES}),
    source="Emami et al. (2021), section 3",
)

# Section 4.2: the four-class task leaves out the pairs labelled impossible.
FOUR_CLASSES = LabelScheme(
    "adept-4",
    labels=CLASSES[1:],
    of=_by_code_and_name({name: name for name in CLASSES[1:]}),
    source="Emami et al. (2021), section 4.2",
)

THREE_CLASSES = LabelScheme(
    "adept-3",
    labels=("decrease", "equal", "increase"),
    of=_by_code_and_name(CHANGES),
    source="Emami et al. (2021), section 5.3",
)

SPLITS = ("train", "val", "test")
NON_SUBSECTIVE_LIST = "nonsubsective_60.tsv"
