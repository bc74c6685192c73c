"""Write docs/results/adept.md and events.md: models that predict labels, on data they did not see.

    python docs/make_results_labels.py --data DATA --predictions PREDICTIONS

DATA is the folder of published datasets, PREDICTIONS what `training/choose_adept.py` wrote of the
fine-tuned encoders. A minute of one core; adept-minilm needs the extra `transformers`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import plausibly as pb

HERE = Path(__file__).resolve().parent / "results"
EFFECTS = ("majority", "normative", "normative-0", "backoff", "adept-lite", "adept-minilm")
FINE_TUNED = ("minilm", "mpnet", "pool")
OF_EFFECTS = ("accuracy", "macro_f1", "mcc", "quadratic_kappa", "adjacent_accuracy")
OF_EVENTS = ("auc", "accuracy", "majority_accuracy", "coverage")
NOTE = (
    "Written by `python docs/make_results_labels.py --data DATA --predictions PREDICTIONS`.\n"
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


def effects(data: Path, folder: Path) -> str:
    """Return the page of ADEPT."""
    file = data / "adept" / "val.json"
    said = {name: pb.predict(name, file, data=data).predictions for name in EFFECTS}
    choice = json.loads((folder / "choice.json").read_text(encoding="utf-8"))
    lines = ["# What an adjective does: ADEPT", "", NOTE + "sentences, on val.json."]
    lines += [
        "No model was trained on it; adept-lite and the fine-tuning recipes were tried on it",
        "before, so these figures are a little too good; the recipes are fixed, not chosen by",
        "fold, and the pool was made once more, with another penalty, after its figures here",
        "were seen.",
        "`adept-minilm-full` (3 seeds averaged)",
        "and `adept-mpnet-full` (5 seeds; 3 with four classes) are encoders fine-tuned on",
        "train.json; `adept-pool` is their log-linear pool with noun and modifier alone and with",
        "adept-lite, its weights from held-out nouns of train. The publication's best are 70.8",
        "with five classes, 81.2 with four and 73.9 with three.",
        "",
    ]
    for scheme in ("adept-5", "adept-4", "adept-3"):
        tuned = {
            f"adept-{name}" + ("" if name == "pool" else "-full"): folder
            / f"{scheme}.{name}.parquet"
            for name in FINE_TUNED
        }
        rows = {
            name: pb.evaluate(one, against=file, scheme=scheme).as_json()
            for name, one in {**said, **tuned}.items()
        }
        lines += [f"## Scheme {scheme}", "", *table(rows, OF_EFFECTS)]
        both = [said["backoff"], said["adept-lite"], tuned["adept-mpnet-full"], tuned["adept-pool"]]
        for row in pb.compare(both, against=file, scheme=scheme).as_json()["comparisons"]:
            lines.append(
                f"`{row['b']}` less `{row['a']}`, {row['metric']}: {-row['difference']:.3f} "
                f"({-row['high']:.3f} to {-row['low']:.3f}), p = {row['p']:.4f}, Holm "
                f"{row['p_holm']:.4f} ({row['test']}).  "
            )
        lines += ["", *held_out(choice[scheme])]
    return "\n".join(lines)


def held_out(choice: dict[str, Any]) -> list[str]:
    """Return what the recipes reach on nouns of train they were not trained on."""
    recipes = choice["held-out nouns of train"]
    if not recipes:
        return []
    rows = {**recipes, "pool, weights from the other folds": {"folds": 5}}
    rows["pool, weights from the other folds"] |= choice["pool, weights from the other folds"]
    lines = ["Held-out nouns of train.json (five folds by noun; where not all were computed, their"]
    lines += ["number says so, and the row is not comparable with the others):", ""]
    lines += ["| recipe | folds | accuracy | macro_f1 | cross-entropy | n |", "|" + "---|" * 6]
    for name, found in rows.items():
        numbers = (
            f"{found['accuracy']:.4f} | {found['macro_f1']:.4f} | {found['cross_entropy']:.4f}"
        )
        lines.append(f"| {name} | {found['folds']} | {numbers} | {found['n']} |")
    return [*lines, ""]


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
    arguments.add_argument("--predictions", type=Path, required=True)
    options = arguments.parse_args()
    data = options.data
    HERE.mkdir(exist_ok=True)
    (HERE / "events.md").write_text(events(data), encoding="utf-8")
    (HERE / "adept.md").write_text(effects(data, options.predictions), encoding="utf-8")


if __name__ == "__main__":
    main()
