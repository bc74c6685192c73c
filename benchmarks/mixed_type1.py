"""Type I error of the condition test at 5 %, over simulated ratings without an effect.

Latin square: items / 2 groups in two conditions, each person sees a group in one of them.
Between items: half of the items are in each condition. 60 people rate 20 items each.

Run: PYTHONPATH=src nice -n 15 python benchmarks/mixed_type1.py --nulls 2000 --families linear
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

import numpy as np

from plausibly.measures.mixed.model import AnswerColumns, MixedOptions, fit_mixed

CUTS = {"ordinal": (-1.5, -0.4, 0.6, 1.8), "logistic": (0.3,)}
SPREADS = {"linear": (8.0, 4.0, 10.0, 6.0), "ordinal": (0.7, 1.2, 0.9, 1.0)}


@dataclass(frozen=True)
class Design:
    """A family, where the condition varies, how many items, and whether slopes are real."""

    family: str
    layout: str
    items: int
    slopes: bool
    people: int = 60
    shown: int = 20


def simulated(design: Design, random: np.random.Generator) -> AnswerColumns:
    """Return ratings without an effect of condition."""
    latin = design.layout == "latin"
    units = design.items // 2 if latin else design.items
    person = np.repeat(np.arange(design.people), design.shown)
    unit = _shown(design, units)
    condition = (person + unit) % 2 if latin else unit % 2
    family = "linear" if design.family == "linear" else "ordinal"
    spread = np.array(SPREADS[family]) * (1, design.slopes, 1, design.slopes)
    by_person = random.normal(size=(design.people, 2)) * spread[:2]
    by_unit = random.normal(size=(units, 2)) * spread[2:]
    c = condition - 0.5
    line = by_person[person, 0] + by_person[person, 1] * c + by_unit[unit, 0]
    line += by_unit[unit, 1] * c if latin else 0.0
    groups = [f"g{u:03d}" for u in unit]
    items = [f"{g}c{k}" for g, k in zip(groups, condition, strict=True)] if latin else groups
    return AnswerColumns(
        _answers(design.family, line, random).tolist(),
        items,
        [f"p{p:03d}" for p in person],
        groups if latin else None,
        {"condition": ["ab"[k] for k in condition]},
    )


def _shown(design: Design, units: int) -> np.typing.NDArray[np.int64]:
    start = np.repeat(np.arange(design.people) * 7, design.shown)
    step = np.tile(np.arange(design.shown), design.people)
    return np.asarray((start + step) % units, dtype=np.int64)


def _answers(
    family: str, line: np.typing.NDArray[np.float64], random: np.random.Generator
) -> np.typing.NDArray[np.float64]:
    if family == "linear":
        return np.asarray(50 + line + 15 * random.normal(size=len(line)))
    latent = line + random.logistic(size=len(line))
    return np.asarray((latent[:, None] > np.array(CUTS[family])).sum(axis=1), dtype=np.float64)


def rejections(design: Design, nulls: int, seed: int) -> dict[str, object]:
    """Return the share of nulls rejected at 5 %, with what was noticed on the way."""
    ps, singular, failed, freedom = [], 0, 0, []
    start = time.process_time()
    for number in range(nulls):
        random = np.random.default_rng([seed, number, *str(design).encode()])
        columns = simulated(design, random)
        model = fit_mixed(columns, "condition", MixedOptions(family=design.family))
        found = model.terms["condition"]
        ps.append(float("nan") if found.p is None else found.p)
        freedom.append(found.df)
        singular += any("Singular" in warning for warning in model.warnings)
        failed += not model.converged
    values = np.array(ps)
    return {
        **asdict(design),
        "nulls": nulls,
        "type_1": float((values < 0.05).mean()),
        "median_df": float(np.median(freedom)),
        "singular": singular / nulls,
        "not_converged": failed,
        "no_p": int(np.isnan(values).sum()),
        "seconds_each": round((time.process_time() - start) / nulls, 3),
    }


def main() -> None:
    """Print one JSON line for each design."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nulls", type=int, default=200)
    parser.add_argument("--families", nargs="*", default=["linear", "logistic", "ordinal"])
    parser.add_argument("--layouts", nargs="*", default=["latin", "between"])
    parser.add_argument("--items", type=int, nargs="*", default=[40, 80])
    parser.add_argument("--slopes", nargs="*", choices=["real", "zero"], default=["real", "zero"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args()
    cells = product(args.families, args.layouts, args.items, args.slopes)
    for family, layout, items, slopes in cells:
        design = Design(family, layout, items, slopes == "real")
        line = json.dumps(rejections(design, args.nulls, args.seed))
        print(line, flush=True)
        if args.output:
            with args.output.open("a") as lines:
                lines.write(line + os.linesep)


if __name__ == "__main__":
    main()
