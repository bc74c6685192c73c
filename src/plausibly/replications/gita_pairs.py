"""The first version of GITA, scored on story pairs as TRIP is."""

from __future__ import annotations

from collections.abc import Iterator

from plausibly.datasets.gita.trip import read_pairs
from plausibly.evaluation.gita_trip import score_pairs
from plausibly.replications.claims import Claim, judge
from plausibly.replications.gita_release import Release
from plausibly.replications.record import Record, Value

# Results files of the first version's repository: accuracy, consistency, verifiability.
PUBLISHED = {"cloze": (0.7265, 0.1966, 0.0256), "order": (0.5820, 0.0164, 0.0082)}
SIZES = {"cloze": 117, "order": 122}
TIERS = ("accurate", "consistent", "verifiable")
NO_FILE = "The predictions on these pairs are not in the data folder."


def _claims() -> Iterator[Claim]:
    for kind, shares in PUBLISHED.items():
        yield Claim(f"gita.trip.{kind}.pairs", SIZES[kind], "pairs", "As printed.")
        for tier, share in zip(TIERS, shares, strict=True):
            yield Claim(
                f"gita.trip.{kind}.{tier}",
                share,
                f"{tier} pairs / pairs, from the predictions",
                "From the predictions, not from the stored flags.",
                digits=4,
            )


CLAIMS = tuple(_claims())


def pairs(release: Release) -> list[Record]:
    """Return the records on story pairs."""
    numbers: dict[str, Value] = {}
    for kind in PUBLISHED:
        names = (f"trip_style_outputs/{kind}_pairs.jsonl{end}" for end in ("", ".gz"))
        path = next((found for name in names if (found := release.file(name))), None)
        if path is not None:
            counts = score_pairs(read_pairs(path)).as_json()
            numbers[f"gita.trip.{kind}.pairs"] = counts["pairs"]
            numbers |= {
                f"gita.trip.{kind}.{tier}": counts[tier] / counts["pairs"] for tier in TIERS
            }
    return judge(CLAIMS, numbers, missing=NO_FILE)
