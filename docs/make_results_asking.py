"""Write docs/results/asking.md: released answers replayed, and small models asked.

    python docs/make_results_asking.py --data DATA --answers DIR [--model NAME …]

DATA is the folder of published datasets. DIR keeps every answer, so that a run that was cut off
goes on, and a second one asks nothing. Replaying takes a minute; asking smollm2 about the default
number of items about ten minutes of one core. What follows "Whole datasets" is kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import polars as pl

import plausibly as pb

PAGE = Path(__file__).resolve().parent / "results" / "asking.md"
KEPT = "## Whole datasets and a second model"
RELEASED = ("gemma-2-9b-it", "Meta-Llama-3.1-8B")
Rules = Literal["gita-2024", "clean"]
TIERS = ("accuracy", "consistency", "verifiability")
LIMITS = {"gita": 40, "adept": 60, "pap": 200}
WAYS = 6
PAP = {
    "wasserstein_1": "Wasserstein distance to people's shares",
    "soft_accuracy": "soft accuracy (overlap with people's shares)",
    "mean_spearman": "Spearman, mean answer",
    "mean_mae": "mean absolute error, mean answer",
    "decided_accuracy": "accuracy, events with a strict majority",
}
INTRODUCTION = """# Asking language models

Replayed answers of the paper's models reproduce GITA's Table 3 exactly. Small models that anyone
can run are close to giving one answer to everything, and which answer depends on the wording of the
prompt. To ask a model about your study, start with [Ask language models](../how-to/ask-models.md).

The first two parts are written by `python docs/make_results_asking.py --data DATA --answers DIR`.

## Released answers, replayed

The answers the authors of GITA released, with their wording and their draws of examples
(`plausibly ask gita --model replay:DATA/gita/llm_outputs/MODEL --protocol gita-2024 -o answers`,
then `plausibly score gita answers --rules RULES`):
"""
COMPARED = """
Intervals are 95 %, from 1,000 draws of stories; the last number in a cell is the number of stories
that count. Under `gita-2024` all ten figures of both models equal those in the paper's Table 3.
`clean` treats ties as no answer. All draws of examples (595 and 575 prompts with three each) match
the released ones.

The two models on the same stories (`plausibly compare`; whole stories are drawn and exchanged): the
first model minus the second. p is a mid-p.
"""
SMALL = """## Small models

Models that anybody can run, asked about items drawn by the seed
({sizes}), each with the first
prompt and one set of examples (`plausibly ask DATASET --model MODEL --limit N -o DIR`). Intervals
are 95 %; the last number in a cell is its n.
"""
APART = """
### Five prompts and three sets of examples

{ways} stories (`plausibly ask gita --model MODEL --prompts all --shot-sets 3 --limit {ways}`).
Mean, standard deviation and range are over the fifteen ways of asking; the shares are of the
variance of single answers.
"""


def cell(value: float | None, low: float | None, high: float | None, n: int) -> str:
    """Return a figure with its interval and what it is about."""
    if value is None:
        return f"none, {n}"
    span = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
    return f"{value:.3f}{span}, {n:,}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def tiers_of(folder: Path, rules: Rules) -> list[str]:
    """Return the three tiers of GITA, each as a cell."""
    found = pb.score_gita(folder, rules=rules, seed=1).as_json()["intervals"]
    return [measured(found[tier]) for tier in TIERS]


def measured(one: Mapping[str, Any]) -> str:
    """Return a measure of a report as a cell."""
    return cell(one["value"], one.get("low"), one.get("high"), one["n"])


def replayed(data: Path, answers: Path) -> str:
    """Return the table of the released answers."""
    rows: list[list[str]] = []
    for name in RELEASED:
        released, folder = data / "gita" / "llm_outputs" / name, answers / "replay" / name
        pb.ask("gita", model=f"replay:{released}", protocol="gita-2024", data=data, output=folder)
        chosen: tuple[Rules, ...] = ("gita-2024", "clean")
        rows += [[f"`{name}`", f"`{one}`", *tiers_of(folder, one)] for one in chosen]
    return table(("model", "rules", *TIERS), rows)


def compared(data: Path) -> str:
    """Return how the two released models differ."""
    folders = [data / "gita" / "llm_outputs" / name for name in RELEASED]
    found = pb.compare(folders, scheme="gita", rules="gita-2024").comparisons
    rows = [
        [
            str(row["metric"]).replace("_", ", "),
            f"{row['difference']:.3f}",
            f"{row['low']:.3f} to {row['high']:.3f}",
            f"{row['p']:.4f}",
            str(row["n"]),
        ]
        for row in found.to_dicts()
    ]
    return table(("metric", "difference", "95 % interval", "p", "n"), rows)


def answered(data: Path, answers: Path, model: str, name: str) -> tuple[Path, Any]:
    """Return the folder of what a model says about a dataset, and the answers."""
    folder = answers / model.replace(":", "-") / name
    return folder, pb.ask(name, model=model, limit=LIMITS[name], data=data, output=folder)


def small(data: Path, answers: Path, model: str) -> Iterator[list[str]]:
    """Yield the figures of one model, each with what to compare it with."""
    folder, asked = answered(data, answers, model, "gita")
    said = pb.score_gita(folder, rules="clean", seed=1).as_json()
    always = said["baselines"]["always_implausible"]
    yield [
        f"`{model}`",
        "GITA, accuracy",
        tiers_of(folder, "clean")[0],
        f'{always:.3f} "false" to all',
    ]
    for place, tier in enumerate(TIERS[1:], 1):
        yield [f"`{model}`", f"GITA, {tier}", tiers_of(folder, "clean")[place], ""]
    _, asked = answered(data, answers, model, "adept")
    for scheme, classes in (("adept-5", "five"), ("adept-3", "three")):
        against = data / "adept" / "val.json"
        found = pb.evaluate(asked.predictions, against=against, scheme=scheme).as_json()
        common = pb.evaluate(asked.predictions, against=against, scheme=scheme).scores
        most = common.filter(pl.col("metric") == "majority_accuracy", pl.col("slice") == "all")
        shown = f"{most['value'][0]:.3f} the commonest label" if most.height else ""
        yield [
            f"`{model}`",
            f"ADEPT, accuracy, {classes} classes",
            measured(found["accuracy"]),
            shown,
        ]
    _, asked = answered(data, answers, model, "pap")
    events = data / "pap" / "events_with_ratings.tsv"
    found = pb.evaluate(asked.predictions, against=events, scheme="pap-soft").as_json()
    for metric, words in PAP.items():
        people = found["people"].get(metric)
        shown = "" if people is None else f"{people:.3f} half of the people, against the other half"
        yield [f"`{model}`", f"PAP, {words}", measured(found[metric]), shown]


def spread(data: Path, answers: Path, model: str) -> Iterator[list[str]]:
    """Yield how far five prompts and three sets of examples are apart, tier by tier."""
    folder = answers / model.replace(":", "-") / "gita-ways"
    asked = pb.ask(
        "gita", model=model, prompts="all", shot_sets=3, limit=WAYS, data=data, output=folder
    )
    for task, one in asked.as_json()["tasks"].items():
        right, split = one["right"], one["variance"] or {}
        if right is None:
            continue
        parts = [split.get(name) for name in ("items", "prompts", "shots", "rest")]
        yield [
            *(f"`{model}`", f"`{task}`", f"{right['mean']:.3f}", f"{right['sd']:.3f}"),
            f"{right['lowest']:.3f} to {right['highest']:.3f}",
            *("none" if part is None else f"{part:.3f}" for part in parts),
        ]


def commonest(data: Path, answers: Path, model: str) -> str:
    """Return how far a model gives one answer to everything."""
    parts = []
    for name in LIMITS:
        _, asked = answered(data, answers, model, name)
        for task, one in asked.as_json()["tasks"].items():
            answer, share = max(one["answers"].items(), key=lambda pair: pair[1])
            share = share if share <= 1 else share / one["samples"]
            parts.append(f'"{answer}" to {100 * share:.0f} % of {one["items"]:,} ({task})')
    return f"`{model}` answers {', '.join(parts)}."


def page(data: Path, answers: Path, models: Sequence[str]) -> str:
    """Return the computed part of the page."""
    sizes = f"{LIMITS['gita']} stories, {LIMITS['adept']} validation pairs, {LIMITS['pap']} events"
    figures = [row for model in models for row in small(data, answers, model)]
    apart = [row for model in models for row in spread(data, answers, model)]
    header = ("model", "task", "mean", "sd", "lowest to highest", "items", "prompts", "examples")
    parts = [
        *(INTRODUCTION, replayed(data, answers), COMPARED, compared(data)),
        SMALL.format(sizes=sizes),
        table(("model", "figure", "value", "for comparison"), figures),
        *(commonest(data, answers, model) for model in models),
        APART.format(ways=WAYS),
        table((*header, "rest"), apart),
    ]
    return "\n".join(parts)


def main() -> None:
    """Ask what is not answered yet, and write the page."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--answers", type=Path, required=True)
    arguments.add_argument("--model", action="append", help="May be repeated (default: smollm2).")
    options = arguments.parse_args()
    _, _, kept = PAGE.read_text(encoding="utf-8").partition(KEPT)
    made = page(options.data, options.answers, options.model or ["smollm2"])
    PAGE.write_text(f"{made}\n{KEPT}{kept}", encoding="utf-8")


if __name__ == "__main__":
    main()
