"""Published numbers beside what the published data says."""

from plausibly.registry import Registry
from plausibly.replications.record import Record, Replication, Value, Verdict, compared

REPLICATIONS: Registry[Replication] = Registry(
    "replication",
    {
        "pap": "plausibly.replications.pap:replicate",
    },
)

__all__ = ["REPLICATIONS", "Record", "Replication", "Value", "Verdict", "compared"]
