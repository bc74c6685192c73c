"""Write docs/results/adept.md, adept-parts.md and events.md: models that predict labels.

    python docs/make_results_labels.py --data DATA --predictions PREDICTIONS --counts COUNTS

DATA is the folder of published datasets, PREDICTIONS what `training/choose_adept.py` wrote of the
fine-tuned encoders (without it, only events.md is written), COUNTS the folder `plausibly extract`
wrote (for events; without it, the part that needs it is kept). Six minutes of one core; --only
writes one page and needs only that page's inputs. adept-minilm and the models of events need the
extra `transformers` and `plausibly models get minilm`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from results_events import kept, learnt
from results_soft import cell, soft
from results_summaries import summarised

import plausibly as pb
from plausibly.models.adept.audit import write_pairs

HERE = Path(__file__).resolve().parent / "results"
CARD = HERE.parents[1] / "src" / "plausibly" / "models" / "lite" / "shipped" / "card.json"
EFFECTS = ("majority", "normative", "normative-0", "backoff", "adept-lite", "adept-minilm")
FINE_TUNED = ("minilm", "mpnet", "pool")
OF_EFFECTS = ("accuracy", "macro_f1", "mcc", "quadratic_kappa", "adjacent_accuracy")
OF_ALL = ("balanced_accuracy", "calibration_error")
CHOICE = "chosen by the mean over kinds of events not trained on"
SCHEMES = ("adept-5", "adept-4", "adept-3")
AUDITED = ("adept-lite", "adept-minilm")
PARTS = ("subsective", "non-subsective", "privative", "plain non-subsective", "met in train", "new")
OF_EVENTS = ("auc", "accuracy", "majority_accuracy", "coverage")
WRITTEN = "Written by `python docs/make_results_labels.py --data DATA --predictions PREDICTIONS`."
NOTE = (
    f"{WRITTEN}\n"
    "95 % intervals are from 1,000 draws of nouns, each with all of its pairs, on val.json; tests\n"
    "swap two models' answers noun by noun."
)
FOLDED = '<details markdown="1"><summary>{}</summary>'
OF_EFFECTS_PAGE = """\
To judge pairs with the model that comes with the package: `plausibly models predict adept-lite
PAIRS.json`. No model was trained on val.json, but adept-lite, the fine-tuning recipes and the
pool's penalty had been tried on it, so the figures are slightly too good.

Each encoder's recipe was chosen on train.json, by the lowest cross-entropy on held-out nouns (five
folds that share no noun); four classes use the recipe of five. `adept-minilm-full` and
`adept-mpnet-full` are encoders fine-tuned on train.json, averaged over seeds; `adept-pool` is their
log-linear pool with noun and modifier alone and with adept-lite, weighted on held-out nouns. The
paper's best accuracies are 70.8 with five classes, 81.2 with four and 73.9 with three."""


def table(rows: dict[str, dict[str, Any]], metrics: tuple[str, ...]) -> list[str]:
    """Return a table of measures, a row for each model; n is above it."""
    sizes = sorted({str(found["n"]) for found in rows.values()})
    return [f"n is {' or '.join(sizes)} pairs.", "", *measured(rows, metrics), ""]


def measured(rows: dict[str, dict[str, Any]], metrics: tuple[str, ...]) -> list[str]:
    """Return a table of measures; one whose metrics end in n has it in its last column."""
    lines = ["| model | " + " | ".join(metrics) + " |", "|" + "---|" * (len(metrics) + 1)]
    for name, found in rows.items():
        cells = [str(found[one]) if one == "n" else cell(found[one]) for one in metrics]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return lines


def effects(data: Path, folder: Path) -> str:
    """Return the page of ADEPT."""
    file = data / "adept" / "val.json"
    said = {name: pb.models_predict(name, file, data=data).predictions for name in EFFECTS}
    choice = json.loads((folder / "choice.json").read_text(encoding="utf-8"))
    lines = ["# What an adjective does: ADEPT", "", NOTE]
    lines += [OF_EFFECTS_PAGE, ""]
    for scheme in SCHEMES:
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
        lines += seeds(choice[scheme])
        compared = [said["backoff"], said["adept-lite"], *tuned.values()]
        comparisons = pb.compare(compared, against=file, scheme=scheme).as_json()["comparisons"]
        lines += differences(comparisons)
        lines += ["", *held_out(choice[scheme]), *by_folds(choice[scheme])]
    return "\n".join(lines)


def differences(comparisons: list[dict[str, Any]]) -> list[str]:
    """Return a table of the difference between every two models, one column per metric."""
    cells: dict[str, list[str]] = {}
    for row in comparisons:
        cells.setdefault(f"`{row['b']}` minus `{row['a']}`", []).append(
            f"{-row['difference']:.3f} ({-row['high']:.3f} to {-row['low']:.3f}) | "
            f"{row['p']:.4f}, {row['p_holm']:.4f}"
        )
    metrics = {row["metric"]: row["test"] for row in comparisons}
    head = " | ".join(f"{name} | p, Holm ({test})" for name, test in metrics.items())
    rows = [f"| {name} | " + " | ".join(both) + " |" for name, both in cells.items()]
    return [f"| difference | {head} |", "|" + "---|" * (1 + 2 * len(metrics)), *rows]


def of_parts(data: Path, folder: Path) -> str:
    """Return the page of ADEPT's parts, and of what models make of people."""
    file, train = (data / "adept" / f"{split}.json" for split in ("val", "train"))
    said: dict[str, Any] = {
        name: pb.models_predict(name, file, data=data).predictions
        for name in ("majority", "normative", "backoff", "adept-lite", "adept-minilm")
    }
    lines = [
        "# Parts of ADEPT, and what models make of people",
        "",
        WRITTEN,
        "Overall accuracy, what models were trained and tried on, and how intervals and tests are",
        "made: [ADEPT](adept.md). A pair is *met* if its sentence, or the modifier with its noun,",
        "was in train.json; nothing can leak to a *new* one.",
        "",
    ]
    for scheme in SCHEMES:
        tuned = {
            "adept-mpnet-full": folder / f"{scheme}.mpnet.parquet",
            "adept-pool": folder / f"{scheme}.pool.parquet",
        }
        rows = {
            name: pb.evaluate(one, against=file, scheme=scheme, train=train).as_json()
            for name, one in {**said, **tuned}.items()
        }
        lines += [f"## Scheme {scheme}", "", *table(rows, OF_ALL), *parts(rows)]
    return "\n".join([*lines, *audits(data)])


def parts(rows: dict[str, dict[str, Any]]) -> list[str]:
    """Return accuracy on the parts: classes of modifiers, and pairs met in train or new."""
    first = next(iter(rows.values()))
    lines = [
        "Accuracy on parts of the pairs (met: the sentence, or the modifier with its noun, is in",
        "train.json):",
        "",
        "| model | " + " | ".join(PARTS) + " |",
        "|" + "---|" * (1 + len(PARTS)),
    ]
    for name, found in rows.items():
        cells = [cell(found["slices"][part]["accuracy"]) for part in PARTS]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    most = [f"{first['slices'][part]['majority_accuracy']['value']:.3f}" for part in PARTS]
    size = [str(first["slices"][part]["accuracy"]["n"]) for part in PARTS]
    lines += ["| the part's own majority | " + " | ".join(most) + " |"]
    lines += ["| n | " + " | ".join(size) + " |", ""]
    names = first["labels"]
    lines += ["Labels by class of modifier (Figure 4), shares on val.json:", ""]
    lines += ["| class | " + " | ".join(names) + " | n |", "|" + "---|" * (2 + len(names))]
    for part in PARTS[:2]:
        counts = first["labels_by_slice"][part]
        shares = [f"{count / sum(counts):.3f}" for count in counts]
        lines.append(f"| {part} | " + " | ".join(shares) + f" | {sum(counts)} |")
    return [*lines, ""]


def seeds(choice: dict[str, Any]) -> list[str]:
    """Return which recipe every encoder stands with, and how many seeds are averaged."""
    rows = [
        f"`adept-{encoder}-full` is {own['recipe']}, {own['seeds']} seeds averaged"
        for encoder, own in choice["stands with"].items()
    ]
    return ["; ".join(rows) + ".", ""]


def by_folds(choice: dict[str, Any]) -> list[str]:
    """Return which recipe the folds choose for each encoder, and what choosing so reaches."""
    chosen = choice.get("by folds", {})
    if not chosen:
        return []
    lines = ["Recipes chosen by cross-entropy on the held-out nouns:", ""]
    for encoder, own in chosen.items():
        *first, last = own["recipes"]
        picked = own["chosen by the other folds"]
        got = own["figures of the choice"]
        others = "any four folds choose the same"
        if set(picked) != {own["best"]}:
            others = f"if the other four choose a fold's recipe ({', '.join(picked)}), accuracy is "
            others += f"{got['accuracy']:.4f}, macro-F1 {got['macro_f1']:.4f} and cross-entropy "
            others += f"{got['cross_entropy']:.4f}"
        lines.append(f"- {encoder}: {own['best']}, among {', '.join(first)} and {last}; {others}.")
    return [*lines, ""]


def audits(data: Path) -> list[str]:
    """Return what models make of people, in frames of our own."""
    lines = ["## What models make of people", ""]
    lines += ["The frames differ only in an adjective that groups people; the"]
    lines += [
        "shift is the expected step on the five classes, 0 for equally likely (`plausibly models"
    ]
    lines += [
        "audit NAME`). Below each model: the adjectives of every attribute from the lowest mean"
    ]
    lines += ["shift to the highest, then the widest differences on the same frames.", ""]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "pairs.json"
        write_pairs(place)
        for name in AUDITED:
            said = pb.models_predict(name, place, data=data).predictions
            lines += [f"### `{name}`", "", *audit_rows(pb.models_audit(said).as_json())]
    return lines


def audit_rows(found: dict[str, Any]) -> list[str]:
    """Return the audit of one model."""
    lines = ["| attribute | lowest | highest | frames lowered |", "|---|---|---|---|"]
    for attribute, own in found["attributes"].items():
        order = sorted(own, key=lambda word: own[word]["shift"]["value"])
        ends = [f"{word} {cell(own[word]['shift'])}" for word in (order[0], order[-1])]
        lowered = sum(one["lowered"]["value"] for one in own.values()) / len(own)
        lines.append(f"| {attribute} | {ends[0]} | {ends[1]} | {lowered:.3f} |")
    rows = found["comparisons"]
    apart = [row for row in rows if row["p_holm"] is not None and row["p_holm"] < 0.05]
    widest = sorted(rows, key=lambda row: -abs(row["difference"]))[:5]
    lines += ["", f"{len(apart)} of {len(rows)} pairs of adjectives differ (Holm p < .05). Widest:"]
    lines += ["", "| attribute | a | b | difference | Holm p |", "|---|---|---|---|---|"]
    for row in widest:
        gap = f"{row['difference']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
        lines.append(f"| {row['slice']} | {row['a']} | {row['b']} | {gap} | {row['p_holm']:.4f} |")
    return [*lines, ""]


def held_out(choice: dict[str, Any]) -> list[str]:
    """Return what the recipes reach on nouns of train they were not trained on."""
    recipes = choice["held-out nouns of train"]
    if not recipes:
        return []
    rows = {**recipes, "pool, weights from the other folds": {"folds": 5}}
    rows["pool, weights from the other folds"] |= choice["pool, weights from the other folds"]
    lines = [FOLDED.format("Held-out nouns of train.json, five folds by noun"), ""]
    lines += ["| recipe | folds | accuracy | macro_f1 | cross-entropy | n |", "|" + "---|" * 6]
    for name, found in rows.items():
        numbers = (
            f"{found['accuracy']:.4f} | {found['macro_f1']:.4f} | {found['cross_entropy']:.4f}"
        )
        lines.append(f"| {name} | {found['folds']} | {numbers} | {found['n']} |")
    return [*lines, "", "</details>", ""]


def events(data: Path, counts: Path | None) -> str:
    """Return the page of PAP's events; without counts, what needs them is kept unchanged."""
    file = data / "pap" / "events_with_ratings.tsv"
    said = [
        pb.models_predict(name, file).predictions for name in ("events-lite", "events-frequency")
    ]
    rows = {
        f"{one['model'][0]}, {scheme}": pb.evaluate(one, against=file, scheme=scheme).as_json()
        for scheme in ("pap-binary", "pap-perturbed")
        for one in said
    }
    lines = [
        "# How plausible an event is: PAP",
        "",
        "Written by",
        "`python docs/make_results_labels.py --only events --data DATA --counts COUNTS`.",
        "95 % intervals are from 1,000 draws of verbs, each with all of its events, and p from",
        "exchanging two models verb by verb. No model of the first table was trained on PAP, but",
        "PAP had been looked at before their recipe was chosen by the kinds below, which do not",
        "include it. The model's card reports results on unseen words.",
        "",
    ]
    compared = pb.compare(said, against=file, scheme="pap-binary").as_json()["comparisons"][0]
    gap = f"{compared['difference']:.3f} ({compared['low']:.3f} to {compared['high']:.3f})"
    lines += [*measured(rows, (*OF_EVENTS, "n")), ""]
    lines += [
        f"events-lite minus events-frequency, human label, area: {gap}, p = {compared['p']:.4f}."
    ]
    page = HERE / "events.md"
    fitted = kept(page) if counts is None else learnt(file, data, counts, said[0])
    return "\n".join([*lines, "", *kinds(), *fitted, *soft(file)])


def kinds() -> list[str]:
    """Return the areas by which the recipe of events-lite was chosen, from its card."""
    choice = json.loads(CARD.read_text(encoding="utf-8"))["events-lite"][CHOICE]
    rows = {**choice["auc"], "frequency of the words": choice["frequency"]}
    names = [*choice["frequency"], "mean"]
    lines = [
        "",
        "## How the recipe was chosen",
        "",
        "Area under the ROC curve on kinds of events it was not trained on (listed in",
        "`training/train_events.py`); the recipe with the highest mean was chosen: "
        f"{choice['chosen']}.",
        "",
        "| recipe | " + " | ".join(names) + " |",
    ]
    lines += ["|" + "---|" * (1 + len(names))]
    for name, own in rows.items():
        cells = [f"{own[key]:.3f}" if key in own else "" for key in names]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def main() -> None:
    """Write all pages, or the one asked for."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--predictions", type=Path)
    arguments.add_argument("--counts", type=Path)
    arguments.add_argument("--only", choices=("events", "adept", "parts"))
    options = arguments.parse_args()
    data = options.data
    HERE.mkdir(exist_ok=True)
    folder = options.predictions
    pages = {"events": lambda: events(data, options.counts)}
    if folder is not None:
        pages |= {"parts": lambda: of_parts(data, folder), "adept": lambda: effects(data, folder)}
    for name, page in pages.items():
        if options.only in (None, name):
            file = HERE / ("adept-parts.md" if name == "parts" else f"{name}.md")
            file.write_text(summarised(file.stem, page().rstrip()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
