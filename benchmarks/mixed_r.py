"""Three designs fitted here and in R: estimates, standard errors and log-likelihoods compared.

R needs lme4 and ordinal. The scripts are those of `plausibly export r`.

Run: PYTHONPATH=src python benchmarks/mixed_r.py /tmp/in-r
"""

from __future__ import annotations

import argparse
import csv
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import plausibly as pb

MORE = """
write.csv(coef(summary(model)), "fit.csv")
writeLines(format(as.numeric(logLik(model)), digits = 15), "likelihood.txt")
"""


@dataclass(frozen=True)
class Compared:
    """One design: its ratings, the terms of the model, and options of `analyse`."""

    ratings: pl.DataFrame
    terms: str
    options: dict[str, Any]


def slider() -> Compared:
    """Return a Latin square of three conditions on a slider; a fifth of the answers is missing."""
    draw = np.random.default_rng(101)
    people, groups = draw.normal(size=(40, 3)), draw.normal(size=(24, 3))
    rows = []
    for p in range(40):
        for g in range(24):
            c = (p + g) % 3
            if draw.random() < 0.2:
                continue
            slopes = (3 * people[p, c] + 4 * groups[g, c]) if c else 0.0
            line = 50 + 6 * (c - 1) + 8 * people[p, 0] + 9 * groups[g, 0] + slopes
            answer = float(np.clip(round(line + 14 * draw.normal()), 0, 100))
            names = f"g{g:02d}c{c}", f"p{p:02d}", f"g{g:02d}", ("low", "mid", "top")[c]
            rows.append((*names, answer))
    columns = ["item", "annotator", "item_group", "condition", "answer"]
    return Compared(pl.DataFrame(rows, schema=columns, orient="row"), "condition", {})


def two_languages() -> Compared:
    """Return yes and no; conditions differ between items, languages between people."""
    draw = np.random.default_rng(202)
    people, items = draw.normal(size=(44, 2)), draw.normal(size=36)
    rows = []
    for p in range(44):
        for i in ((5 * p + k) % 36 for k in range(18)):
            c, spoken = i % 2 - 0.5, p % 2 - 0.5
            line = 0.2 + 0.9 * c + 0.5 * spoken + 1.2 * c * spoken
            line += 0.8 * people[p, 0] + 0.7 * people[p, 1] * c + 0.9 * items[i]
            answer = "yes" if line + draw.logistic() > 0 else "no"
            rows.append(
                (f"i{i:02d}", f"p{p:02d}", ("odd", "usual")[i % 2], ("en", "it")[p % 2], answer)
            )
    columns = ["item", "annotator", "condition", "language", "answer"]
    ratings = pl.DataFrame(rows, schema=columns, orient="row")
    return Compared(ratings, "condition * language", {})


def five_steps() -> Compared:
    """Return answers from 1 to 5 by condition and length, with slopes by annotator alone."""
    draw = np.random.default_rng(303)
    people, items = draw.normal(size=(36, 2)), draw.normal(size=30)
    lengths = draw.integers(4, 13, 30)
    rows = []
    for p in range(36):
        for i in ((7 * p + k) % 30 for k in range(20)):
            c = i % 2 - 0.5
            line = 0.8 * c + 0.12 * (lengths[i] - 8) + 0.8 * people[p, 0] + 0.8 * people[p, 1] * c
            latent = line + 0.7 * items[i] + draw.logistic()
            answer = 1 + sum(latent > cut for cut in (-1.4, -0.3, 0.7, 1.9))
            rows.append(
                (f"i{i:02d}", f"p{p:02d}", ("odd", "usual")[i % 2], int(lengths[i]), int(answer))
            )
    columns = ["item", "annotator", "condition", "length", "answer"]
    ratings = pl.DataFrame(rows, schema=columns, orient="row")
    return Compared(ratings, "condition + length", {"slopes": "annotator"})


DESIGNS: dict[str, Callable[[], Compared]] = {
    "slider": slider,
    "two languages": two_languages,
    "five steps": five_steps,
}


def fitted_in_r(folder: Path) -> tuple[list[tuple[float, float]], float]:
    """Return estimates with standard errors, and the log-likelihood, of a script's model in R."""
    script = folder / "model.R"
    script.write_text(script.read_text(encoding="utf-8") + MORE, encoding="utf-8")
    program = shutil.which("Rscript")
    if program is None:
        raise SystemExit("R is not installed: no Rscript.")
    subprocess.run([program, script.name], cwd=folder, check=True, capture_output=True)
    with (folder / "fit.csv").open(encoding="utf-8") as lines:
        rows = [(float(row["Estimate"]), float(row["Std. Error"])) for row in csv.DictReader(lines)]
    return rows, float((folder / "likelihood.txt").read_text(encoding="utf-8"))


def compared(design: Compared, folder: Path) -> dict[str, Any]:
    """Return how far the two fits of a design are apart."""
    options = {**design.options, "terms": design.terms}
    document = pb.analyse(design.ratings, **options).as_json()
    pb.export_r(design.ratings, output=folder, **options)
    rows, likelihood = fitted_in_r(folder)
    terms, thresholds = document["terms"], document["thresholds"]
    ours = [(one["value"], one["se"]) for one in (*thresholds.values(), *terms.values())]
    pairs = list(zip(ours[: len(rows)], rows, strict=True))  # the last level follows from the rest
    relative = [[abs(a - b) / abs(b) for a, b in zip(*one, strict=True)] for one in pairs]
    return {
        "family": document["family"],
        "ratings": document["ratings"],
        "estimates": max(one[0] for one in relative),
        "standard_errors": max(one[1] for one in relative),
        "log_likelihood": abs(document["log_likelihood"] - likelihood),
        "singular": sum("Singular" in one for one in document["warnings"]),
    }


def main() -> None:
    """Print one JSON line for each design."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="New folder for the scripts.")
    folder = parser.parse_args().folder
    for name, design in DESIGNS.items():
        print(json.dumps({"design": name, **compared(design(), folder / name.replace(" ", "-"))}))


if __name__ == "__main__":
    main()
