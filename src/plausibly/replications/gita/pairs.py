"""The first version of GITA, scored on story pairs as TRIP is."""

from __future__ import annotations

from plausibly.datasets.gita.trip import read_pairs
from plausibly.evaluation.gita_trip import score_pairs
from plausibly.replications.claims import Claims
from plausibly.replications.gita.release import GitaRelease
from plausibly.replications.printed import Value

KINDS = ("cloze", "order")
TIERS = ("accurate", "consistent", "verifiable")


def pairs(release: GitaRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of story pairs."""
    del claims
    numbers: dict[str, Value] = {}
    for kind in KINDS:
        names = (f"trip_style_outputs/{kind}_pairs.jsonl{end}" for end in ("", ".gz"))
        path = next((found for name in names if (found := release.file(name))), None)
        if path is not None:
            counts = score_pairs(read_pairs(path)).as_json()
            numbers[f"gita.trip.{kind}.pairs"] = counts["pairs"]
            numbers |= {
                f"gita.trip.{kind}.{tier}": counts[tier] / counts["pairs"] for tier in TIERS
            }
    return numbers
