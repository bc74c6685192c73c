"""Take a file of a million slider answers from import to report, and say what each step costs.

    python -m benchmarks.sliders [--items 100000] [--each 10] [--people 1000] [--whole]

Answers lie between 0 and 100, a million different decimals, or whole numbers with --whole. Every
step is a process of its own: CPU seconds and the largest memory are those of the whole command.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl


def write_answers(path: Path, *, items: int, each: int, people: int, whole: bool) -> None:
    """Write a long table: every item has a place on the slider, people scatter around it."""
    generator = np.random.default_rng(0)
    item = np.repeat(np.arange(items), each)
    first = generator.integers(people, size=items)
    stride = max(1, people // each)
    annotator = (np.repeat(first, each) + np.tile(np.arange(each) * stride, items)) % people
    place = np.repeat(generator.uniform(0, 100, items), each)
    answer = np.clip(place + generator.normal(0, 15, len(place)), 0, 100)
    if whole:
        answer = np.rint(answer).astype(np.int64)
    else:
        answer = np.clip(answer, 0.001, 99.999) + generator.uniform(-1e-3, 1e-3, len(answer))
    columns = {"item": item, "annotator": annotator, "answer": answer}
    frame = pl.DataFrame(columns).with_columns(
        pl.format("i{}", "item").alias("item"), pl.format("p{}", "annotator").alias("annotator")
    )
    frame.write_csv(path)


def step(name: str, *words: str, folder: Path) -> None:
    """Run one command and print its exit code, CPU seconds and largest memory."""
    command = [sys.executable, "-m", "plausibly", *words]
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{name}: exit {process.returncode}, {cpu:.1f} CPU s, {memory:.0f} MB", flush=True)


def main() -> None:
    """Write the file, and run import, agree, label and a study's report on it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--steps", default="agree,mean,median,mace,report")
    asked = parser.parse_args()
    chosen = asked.steps.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        answers, ratings = folder / "answers.csv", str(folder / "ratings.parquet")
        write_answers(
            answers, items=asked.items, each=asked.each, people=asked.people, whole=asked.whole
        )
        step("read", "read", str(answers), "-o", ratings, folder=folder)
        if "agree" in chosen:
            step("agree", "agree", ratings, folder=folder)
        for method in ("mean", "median", "mace"):
            if method in chosen:
                output = str(folder / f"{method}.parquet")
                step(method, "label", ratings, "--method", method, "-o", output, folder=folder)
                print("  " + (folder / f"{method}.log").read_text().strip()[:300])
        if "report" in chosen:
            study = folder / "study"
            step("init", "init", "custom", str(study), folder=folder)
            (study / "ratings-in.parquet").write_bytes(Path(ratings).read_bytes())
            text = (study / "study.toml").read_text()
            text = text.replace('source = "serve"', 'source = "ratings-in.parquet"')
            (study / "study.toml").write_text(text.replace('"plurality"', '"mean"'))
            step("run to report", "run", str(study), folder=folder)
            print("  " + (folder / "run to report.log").read_text().strip()[-300:])


if __name__ == "__main__":
    main()
