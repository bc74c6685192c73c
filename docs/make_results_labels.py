"""Write docs/results/adept.md and events.md: models that predict labels, on data they did not see.

    python docs/make_results_labels.py --data DATA

DATA is the folder of published datasets. A minute of one core; no extra is needed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import plausibly as pb

HERE = Path(__file__).resolve().parent / "results"
EFFECTS = ("majority", "normative", "normative-0", "backoff", "adept-lite")
OF_EFFECTS = ("accuracy", "macro_f1", "mcc", "quadratic_kappa", "adjacent_accuracy")
OF_EVENTS = ("auc", "accuracy", "majority_accuracy", "coverage")
NOTE = (
    "Written by `python docs/make_results_labels.py --data DATA`.\n"
    "95 % intervals are from 1,000 draws of "
)


def cell(measure: dict[str, Any]) -> str:
    """Return a measure with its interval."""
    if measure["value"] is None:
        return "undefined"
    if measure["low"] is None:
        return f"{measure['value']:.3f}"
    return f"{measure['value']:.3f} ({measure['low']:.3f} to {measure['high']:.3f})"


def table(rows: dict[str, dict[str, Any]], metrics: tuple[str, ...]) -> list[str]:
    """Return a table of measures, a row for each model."""
    lines = ["| model | " + " | ".join(metrics) + " | n |", "|" + "---|" * (len(metrics) + 2)]
    for name, found in rows.items():
        cells = [cell(found[metric]) for metric in metrics]
        lines.append(f"| `{name}` | " + " | ".join(cells) + f" | {found['n']} |")
    return [*lines, ""]


def effects(data: Path) -> str:
    """Return the page of ADEPT."""
    file = data / "adept" / "val.json"
    said = {name: pb.predict(name, file, data=data).predictions for name in EFFECTS}
    lines = ["# What an adjective does: ADEPT", "", NOTE + "sentences, on val.json."]
    lines += [
        "adept-lite was not trained on it, but it was looked at while the recipe was made.",
        "",
    ]
    for scheme in ("adept-5", "adept-4", "adept-3"):
        rows = {
            name: pb.evaluate(one, against=file, scheme=scheme).as_json()
            for name, one in said.items()
        }
        lines += [f"## Scheme {scheme}", "", *table(rows, OF_EFFECTS)]
        both = [said["adept-lite"], said["backoff"]]
        for row in pb.compare(both, against=file, scheme=scheme).as_json()["comparisons"]:
            lines.append(
                f"`{row['a']}` less `{row['b']}`, {row['metric']}: {row['difference']:.3f} "
                f"({row['low']:.3f} to {row['high']:.3f}), p = {row['p']:.4f} ({row['test']}).  "
            )
        lines.append("")
    return "\n".join(lines)


def events(data: Path) -> str:
    """Return the page of PAP's events."""
    file = data / "pap" / "events_with_ratings.tsv"
    said = pb.predict("events-lite", file).predictions
    rows = {
        f"events-lite, {scheme}": pb.evaluate(said, against=file, scheme=scheme).as_json()
        for scheme in ("pap-binary", "pap-perturbed")
    }
    lines = [
        "# How plausible an event is: PAP",
        "",
        NOTE + "events. PAP was not trained on, but was",
    ]
    lines += ["looked at while the recipe was made. What the model reaches on other events, and on"]
    lines += [
        "words it never met, stands in its card, beside the frequency of the words alone.",
        "",
    ]
    return "\n".join([*lines, *table(rows, OF_EVENTS)])


def main() -> None:
    """Write both pages."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    data = arguments.parse_args().data
    HERE.mkdir(exist_ok=True)
    (HERE / "events.md").write_text(events(data), encoding="utf-8")
    (HERE / "adept.md").write_text(effects(data), encoding="utf-8")


if __name__ == "__main__":
    main()
