"""The published protocols, each a list a reader can check against the paper."""

from plausibly.domain import LabelScheme
from plausibly.registry import Registry
from plausibly.study import Study

PROTOCOLS: Registry[Study] = Registry(
    "protocol",
    {
        "custom": "plausibly.protocols.custom:STUDY",
        "pap": "plausibly.protocols.pap:STUDY",
    },
)

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

__all__ = ["PROTOCOLS", "SCHEMES"]
