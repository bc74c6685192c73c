"""Rehearsals of known people: whom each rule removes, how subtle a spammer may be, what it costs.

python benchmarks/rehearsal.py kinds      # presets by kinds of people, three checks and one
python benchmarks/rehearsal.py curve      # recall and precision of every rule over subtlety
python benchmarks/rehearsal.py band       # between what shares, over a grid of assumptions
python benchmarks/rehearsal.py six        # all six example studies, 60 people each
python benchmarks/rehearsal.py pap        # a PAP study of full size, 900 people, twice
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import plausibly as pb
from plausibly.io import content_hash, read_table, write_table
from plausibly.protocols.pap.made_up import example_items
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.model import people_model
from plausibly.registry import PROTOCOLS
from plausibly.study import PROTOCOLS as DECLARED
from plausibly.study.results import text_table
from plausibly.tables import ITEMS, RATINGS
from plausibly.web.rehearsal import rehearse
from plausibly.web.rehearsal.band import band
from plausibly.web.rehearsal.losses import Cleaning, curve
from plausibly.web.study import read_study

SEED = 1
PEOPLE = 900
MODEL = people_model(DECLARED["pap"].sections["people"], where="pap")
SUBTLETIES = (0.0, 0.25, 0.5, 0.75, 0.9)
KINDS = (
    *("careful", "biased", "consistent-minority", "uniform-spammer", "straight-liner"),
    *("subtle-spammer", "bot", "dropout", "returning"),
)
EVERYONE = {kind: 1 / len(KINDS) for kind in KINDS}
SPAM = {
    "careful": 0.6,
    "consistent-minority": 0.1,
    "uniform-spammer": 0.1,
    "straight-liner": 0.1,
    "bot": 0.1,
}


def full_size(folder: Path) -> Path:
    """Return a PAP study of 2,160 made-up events, as many as the paper's."""
    pb.init("pap", folder, example=True, seed=SEED)
    write_table(example_items(seed=SEED, per_cell=40), folder / "items.parquet", ITEMS)
    return folder


def served_with(folder: Path, checks: int) -> tuple[Served, Cleaning]:
    """Return the study with so many checks a batch, and how it is cleaned by default."""
    served = read_study(folder)
    items = read_table(folder / "items.parquet", ITEMS)
    plan = replace(served.plan, checks_per_batch=checks)
    return replace(served, plan=plan), Cleaning("recommended", None, items, SEED)


def print_kinds(folder: Path) -> None:
    """Print the share of each kind that every rule of a preset removes."""
    for preset, checks in (
        ("pap", 1),
        ("pap", 3),
        ("recommended", 3),
        ("recommended-competence", 3),
    ):
        served, cleaning = served_with(folder, checks)
        (point,) = curve(
            served,
            replace(cleaning, preset=preset),
            subtleties=(0.0,),
            mix=EVERYONE,
            people=PEOPLE,
            model=MODEL,
        )
        rows = [
            (rule, *(cells.get(kind) for kind in KINDS), point["precision"][rule])
            for rule, cells in point["removed"].items()
        ]
        print(f"{preset}, {checks} check(s) a person, {point['people']} people, seed {SEED}")
        print(text_table(("rule", *KINDS, "precision"), rows))


def print_curve(folder: Path) -> None:
    """Print recall and precision of every rule as spammers and others grow more careful."""
    served, cleaning = served_with(folder, 3)
    for preset in ("pap", "recommended", "recommended-competence"):
        points = curve(
            served,
            replace(cleaning, preset=preset),
            subtleties=SUBTLETIES,
            mix=SPAM,
            people=PEOPLE,
            model=MODEL,
        )
        rows = [
            (
                rule,
                point["subtlety"],
                *(cells.get(kind) for kind in SPAM),
                point["precision"][rule],
            )
            for rule in points[0]["removed"]
            for point in points
            for cells in (point["removed"][rule],)
        ]
        print(f"{preset}, 3 checks a person, {points[0]['people']} people a point, seed {SEED}")
        print(text_table(("rule", "subtlety", *SPAM, "precision"), rows))


def print_band(folder: Path) -> None:
    """Print between which shares all rules remove people, whatever checks and times are."""
    for preset, checks in (("pap", 1), ("recommended", 3)):
        served, cleaning = served_with(folder, checks)
        found = band(served, replace(cleaning, preset=preset), MODEL, mix=EVERYONE, people=PEOPLE)
        spans = {**found["removed"], "precision": found["precision"]}
        rows = [(name, *(one or (None, None))) for name, one in spans.items()]
        print(f"{preset}, {checks} check(s) a person, {found['people']} people a point")
        print(text_table(("removed by all rules", "low", "high"), rows), flush=True)


def print_rehearsal(folder: Path, people: int) -> str:
    """Rehearse a study, print its table and the processor time, and return its content hash."""
    began = time.process_time()
    done = rehearse(folder, people=people, pay=12.0, seed=SEED)
    spent = time.process_time() - began
    digest = content_hash(done.ratings, RATINGS)
    print(done.text())
    print(f"{folder.name}: {done.talk[0]} {spent:.1f} s of processor time, content {digest[:16]}\n")
    return digest


def main(what: str) -> None:
    """Run one of the five."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        if what == "six":
            for name in PROTOCOLS:
                pb.init(name, root / name, example=True, seed=SEED)
                print_rehearsal(root / name, 60)
            return
        folder = full_size(root / "pap")
        if what == "pap":
            first, second = (print_rehearsal(folder, PEOPLE) for _ in range(2))
            print("same content twice" if first == second else "CONTENT DIFFERS")
        elif what == "kinds":
            print_kinds(folder)
        elif what == "band":
            print_band(folder)
        else:
            print_curve(folder)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "kinds")
