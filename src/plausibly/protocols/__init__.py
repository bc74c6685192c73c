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
        "pap-multiclass": "plausibly.protocols.pap:MULTICLASS",
        "pap-binary": "plausibly.protocols.pap:BINARY",
        "adept-5": "plausibly.protocols.adept:FIVE_CLASSES",
        "adept-4": "plausibly.protocols.adept:FOUR_CLASSES",
        "adept-3": "plausibly.protocols.adept:THREE_CLASSES",
    },
)

__all__ = ["PROTOCOLS", "SCHEMES"]
