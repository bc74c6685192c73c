"""The published ways from answers to labels, by name."""

from plausibly.domain import LabelScheme
from plausibly.registry import Registry

SCHEMES: Registry[LabelScheme] = Registry(
    "scheme",
    {
        "pap-multiclass": "plausibly.datasets.pap:MULTICLASS",
        "pap-binary": "plausibly.datasets.pap:BINARY",
        "adept-5": "plausibly.datasets.adept:FIVE_CLASSES",
        "adept-4": "plausibly.datasets.adept:FOUR_CLASSES",
        "adept-3": "plausibly.datasets.adept:THREE_CLASSES",
    },
)
