"""A small release in the form of PAP's, written by tests: invented events, ratings and norms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ANSWERS = "1245"
OURS = {
    "events": "pap/events_with_ratings.tsv",
    "labels": "pap/mace/predicted_labels.tsv",
    "binary": "pap/mace/binary_distributions.txt",
    "multiclass": "pap/mace/multiclass_distributions.txt",
    "norms": "norms/brysbaert2014_concreteness.tsv",
}
THEIRS = {
    "events": "pap/dataset.tsv",
    "labels": "pap/mace_aggregations/aggregated_predictions.tsv",
    "binary": "pap/mace_aggregations/2-class-dist.prediction",
    "multiclass": "pap/mace_aggregations/4-class-dist.prediction",
    "norms": "norms/Concreteness_ratings_Brysbaert_et_al_BRM.txt",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One invented triple; `ratings` has one character per rating."""

    text: str
    label: str
    combination: str
    ratings: str

    @property
    def answer(self) -> str:
        """The strict multi-class majority, with whole numbers only."""
        won = [a for a in ANSWERS if 10 * self.ratings.count(a) >= 7 * len(self.ratings)]
        return won[0] if won else "unsure"

    @property
    def plausible(self) -> int:
        """How many ratings are 4 or 5."""
        return self.ratings.count("4") + self.ratings.count("5")

    @property
    def implausible(self) -> int:
        """How many ratings are 1 or 2."""
        return self.ratings.count("1") + self.ratings.count("2")

    @property
    def side(self) -> str:
        """The strict binary majority, with whole numbers only."""
        if 10 * self.plausible >= 7 * len(self.ratings):
            return "1"
        return "0" if 10 * self.implausible >= 7 * len(self.ratings) else "unsure"

    def columns(self) -> dict[str, object]:
        """Return the released columns, all of them right."""
        n = len(self.ratings)
        return {
            "event": self.text,
            "original_label": self.label,
            "abstractness_combination": self.combination,
            "rating": [int(rating) for rating in self.ratings],
            "majority_multiclass": self.answer,
            "distribution_multiclass": [self.ratings.count(a) / n * 100 for a in ANSWERS],
            "majority_binary": self.side,
            "distribution_binary": [self.plausible / n * 100, self.implausible / n * 100],
        }


WORLD = (
    Event("owl guards honour", "plausible", "c-m-a", "5555555555"),
    Event("owl carries lamp", "plausible", "c-c-c", "5555555111"),
    Event("hope guards lamp", "plausible", "a-m-c", "44442222"),
    Event("hope is honour", "plausible", "a-a-a", "11111111"),
    Event("ship carries honour", "implausible", "m-c-a", "2222222241"),
    Event("owl carry ship", "implausible", "c-c-m", "455455454"),
    Event("ship guards hope", "implausible", "m-m-a", "51515151"),
)
NORMS = {
    "owl": (4.9, "Noun"),
    "lamp": (4.8, "Noun"),
    "ship": (3.5, "Noun"),
    "honour": (1.5, "Noun"),
    "hope": (1.3, "Noun"),
    "carry": (3.9, "Verb"),
    "guard": (2.6, "Verb"),
    "be": (1.9, "Verb"),
    "night light": (4.0, "#N/A"),
}


def write_release(
    folder: Path,
    events: Sequence[Event] = WORLD,
    *,
    names: Mapping[str, str] = OURS,
    changed: Mapping[str, Mapping[str, object]] | None = None,
) -> Path:
    """Write the main file; `changed` overrides released cells as {event: {column: cell}}."""
    path = folder / names["events"]
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{**event.columns(), **(changed or {}).get(event.text, {})} for event in events]
    lines = ["\t".join(rows[0]), *("\t".join(str(cell) for cell in row.values()) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_mace(
    folder: Path,
    labels: Mapping[str, tuple[str, str]],
    events: Sequence[Event] = WORLD,
    *,
    names: Mapping[str, str] = OURS,
    most_probable: Mapping[str, tuple[str, str]] | None = None,
) -> None:
    """Write the MACE files; `labels` and `most_probable` are {event: (multi-class, binary)}."""
    original = {event.text: event.label for event in events}
    rows = [[name, original[name], *labels[name]] for name in sorted(labels)]
    header = ["event", "original_label", "multi-class_prediction", "binary_prediction"]
    _write(folder / names["labels"], ["\t".join(row) for row in [header, *rows]])
    best = {**labels, **(most_probable or {})}
    _write(folder / names["multiclass"], [_cells(best[name][0], "1245") for name in sorted(labels)])
    _write(folder / names["binary"], [_cells(best[name][1], "01") for name in sorted(labels)])


def _cells(best: str, labels: str) -> str:
    rest = [label for label in labels if label != best]
    shares = {best: 0.75, **{label: 0.25 / len(rest) for label in rest}}
    return "\t".join(f"{label}.0 {share!r}" for label, share in shares.items())


def write_norms(
    folder: Path,
    norms: Mapping[str, tuple[float, str]] = NORMS,
    *,
    names: Mapping[str, str] = OURS,
) -> None:
    """Write a norm file with carriage returns, as the source has them."""
    path = folder / names["norms"]
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ["Word\tBigram\tConc.M\tDom_Pos"]
    lines += [f"{word}\t0\t{mean}\t{pos}" for word, (mean, pos) in norms.items()]
    path.write_bytes("".join(f"{line}\r\n" for line in lines).encode())


def write_checks(folder: Path) -> None:
    """Write three invented check instances."""
    rows = ["text\texpected\twithdrawn", "a\tplausible\tno", "b\timplausible\tyes"]
    _write(folder / "pap/check_instances.tsv", [*rows, "c\timplausible\tunknown"])


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
