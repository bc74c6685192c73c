"""GITA4CALAMITA section 4: what the text concludes from Table 3, and whether its cells add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from plausibly.replications.claims import Claims
from plausibly.replications.gita.release import GitaRelease
from plausibly.replications.grim import by_chance, passed
from plausibly.replications.printed import Value

TOTAL = 356
UNIT = 0.0001  # two decimals of a percent
TIERS = ("accuracy", "consistency", "verifiability")
Rows = dict[str, dict[str, float]]


# Stories the authors' scorer divides by, which finds groups by the letter in example_id.
SCORER = {
    "plausible": 119,
    "order": 122,
    "cloze": 115,
    "implausible": 238,
    "implausible_order": 121,
}


def conclusions(release: GitaRelease, claims: Claims) -> dict[str, Value]:
    """Return what follows from the printed cells of Table 3 alone."""
    del release
    rows = _rows(claims)
    better = [
        row["accuracy_plausible"] < min(row["accuracy_cloze"], row["accuracy_order"])
        for row in rows.values()
    ]
    return {
        "gita.text.cloze_below_order": [*sorted(_cloze_below_order(rows))],
        "gita.text.better_than_plausible": sum(better) / len(better),
        "gita.text.gemma_falls": [*sorted(_falling(rows))],
        "gita.text.gemma_sizes": [*sorted({_size(name) for name in rows if "gemma" in name})],
        **_grim(rows, claims),
    }


def _rows(claims: Claims) -> Rows:
    rows: Rows = {}
    for name, share in claims.numbers("gita.table3").items():
        model, _, metric = name.rpartition(".")
        rows.setdefault(model, {})[metric] = share
    return rows


def _cloze_below_order(rows: Rows) -> Iterator[str]:
    for model, row in rows.items():
        for tier in TIERS:
            if row[f"{tier}_cloze"] < row[f"{tier}_order"]:
                yield f"{model} {tier}"


def _falling(rows: Rows) -> Iterator[str]:
    """Yield the sizes of Gemma 2 whose order accuracy falls with instruction tuning."""
    for model, row in rows.items():
        tuned = rows.get(f"{model}-it")
        if tuned and tuned["accuracy_order"] < row["accuracy_order"]:
            yield _size(model)


def _size(model: str) -> str:
    return model.split("-")[2].upper()


def _out_of(counts: Mapping[str, float]) -> dict[str, int]:
    """Return the number of stories each metric is out of, from the counts of stories."""
    implausible = counts.get("implausible", counts["order"] + counts["cloze"])
    sizes = {
        "accuracy": TOTAL,
        "accuracy_plausible": counts["plausible"],
        "accuracy_cloze": counts["cloze"],
        "accuracy_order": counts["order"],
    }
    for tier in TIERS[1:]:
        sizes[tier] = implausible
        sizes[f"{tier}_cloze"] = counts["cloze"]
        sizes[f"{tier}_order"] = counts.get("implausible_order", counts["order"])
    return {metric: int(n) for metric, n in sizes.items()}


def _grim(rows: Rows, claims: Claims) -> dict[str, Value]:
    """Return how many cells can be a whole number of stories out of each count of stories."""
    printed = _out_of(claims.numbers("gita.stories.by_type"))
    scorer = _out_of(SCORER)
    numbers: dict[str, Value] = {}
    for name, sizes in (("table2", printed), ("scorer", scorer)):
        cells = [(share, sizes[metric]) for row in rows.values() for metric, share in row.items()]
        numbers[f"gita.grim.{name}"] = passed(cells, unit=UNIT)
    apart = [n for metric, n in scorer.items() if n != printed[metric]]
    numbers["gita.grim.by_chance"] = max(by_chance(n, unit=UNIT) for n in apart)
    return numbers
