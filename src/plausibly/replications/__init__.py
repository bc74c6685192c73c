"""Published numbers beside what the published data says."""

from plausibly.registry import Registry
from plausibly.replications.record import Record, Replication, Value, Verdict, compared

REPLICATIONS: Registry[Replication] = Registry(
    "replication",
    {
        "adept": "plausibly.replications.adept:replicate",
        "gita": "plausibly.replications.gita:replicate",
        "pap": "plausibly.replications.pap:replicate",
        "sp10k": "plausibly.replications.sp10k:replicate",
    },
)

__all__ = ["REPLICATIONS", "Record", "Replication", "Value", "Verdict", "compared"]
