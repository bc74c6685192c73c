"""The desk's first page while people answer, in a study with very many answers.

    PYTHONPATH=tests python -m benchmarks.desk [--answers 100000] [--people 8] [--seconds 10]

A store is filled with answers of people who finished, straight into its tables, so that a long
collection takes seconds. Then the server runs, some people answer through the API as fast as it
lets them, and the pages of the desk are opened again and again. Reported is how long each took,
from the request to its last byte, with the answers that were stored meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
from benchmarks.serve import OPEN, Person, Wire, through_api

from plausibly.io import write_table
from plausibly.tables import ITEMS
from plausibly.web.people import people_desk
from plausibly.web.study import read_study
from serving import serving
from worlds.served import items_of, study_folder

BATCH, TARGET, CHECKS = 24, 10, 4
CONDITIONS = ("attested", "perturbed", "rare")
PAGES = ("", "progress", "people", "agreement", "comments", "checks", "order", "money")
MOST = 0.3  # seconds the first page may take


def study_of(folder: Path, answers: int) -> Path:
    """Return a study whose items have room for so many answers, and for more."""
    items = items_of(-(-answers // TARGET) + 50 * BATCH, CHECKS)
    number = pl.int_range(pl.len()) % len(CONDITIONS)
    named = pl.Series("names", CONDITIONS).gather(items.select(number).to_series())
    varied = items.with_columns(
        condition=pl.when(pl.col("kind") == "item").then(named).otherwise(None)
    )
    ratings = {"target": TARGET, "batch": BATCH, "quota": BATCH}
    study = study_folder(
        folder,
        items,
        {"ratings": ratings, "server": {**OPEN, "reward": 2.4, "currency": "GBP", **BUSY}},
    )
    write_table(varied, study / "items.parquet", ITEMS)
    return study


BUSY = {
    "requests_per_minute": 1_000_000,
    "answers_per_minute": 1_000_000,
    "people_per_hour": 1_000_000,
    "held_per_address": 1_000_000,
    "burst": 1_000_000,
}


def fill(study: Path, answers: int, *, seed: int = 1) -> None:
    """Put so many answers of finished people into the store of a study."""
    served = read_study(study)
    draw = random.Random(seed)  # noqa: S311 - made-up answers
    items = [item for item, one in served.contents.items() if one.kind == "item"]
    items = items[: -(-answers // TARGET)]
    checks = [item for item, one in served.contents.items() if one.kind != "item"]
    now = time.time() - 7 * 86_400
    people, slots, sent, given = [], [], [], []
    left = [item for item in items for _ in range(TARGET)][:answers]
    # Dealt out so that nobody gets an item twice: every person takes one stretch of the items.
    left = [left[place] for start in range(TARGET) for place in range(start, len(left), TARGET)]
    for number, start in enumerate(range(0, len(left), BATCH)):
        name, batch = (
            f"p{sha256(str(number).encode()).hexdigest()[:20]}",
            left[start : start + BATCH],
        )
        joined = now + number * 60
        people.append((name, "prolific", 1, joined, joined, joined + 600, "pages", joined, joined))
        for place, item in enumerate([*batch, draw.choice(checks)], 1):
            shown = joined + 20 * place
            answer = str(draw.choice((1, 2, 4, 5)))
            comment = "Odd wording." if draw.random() < 0.002 else None
            slots.append((name, item, f"r{number}-{place}", 1, place, now))
            sent.append((name, item, 1, 1, f"k{place}", served.form.id, shown, shown + 9, comment))
            given.append((name, item, 1, 1, "plausible", "", answer, float(answer)))
    _insert(study / "answers.sqlite", people, slots, sent, given)


def _insert(
    path: Path, people: list[Any], slots: list[Any], sent: list[Any], given: list[Any]
) -> None:
    with sqlite3.connect(path) as connection:
        connection.executemany(
            "INSERT INTO people (annotator, source, round, joined, consented, finished, channel, "
            "confirmed, understood) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            people,
        )
        connection.executemany(
            "INSERT INTO slots (annotator, item, reservation, batch, position, state, expires, "
            "step, revision) VALUES (?, ?, ?, ?, ?, 'reserved', ?, 1, 0)",
            slots,
        )
        connection.execute("UPDATE slots SET state = 'answered', revision = 1, last = 1")
        connection.execute("UPDATE slots SET state = 'accepted'")
        connection.executemany(
            "INSERT INTO submissions (annotator, item, step, revision, key, form, shown, "
            "submitted, comment, together) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
            sent,
        )
        connection.executemany("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)", given)


async def look(port: int, cookie: str, page: str) -> float:
    """Return how long a page of the desk takes, from the request to its last byte."""
    wire = Wire(port)
    wire.cookie = cookie
    begun = time.perf_counter()
    status, _, _ = await wire.ask("GET", f"/desk/{page}")
    took = time.perf_counter() - begun
    wire.close()
    if status != 200:
        raise SystemExit(f"/desk/{page} answered {status}")
    return took


async def answer_on(port: int, crowd: list[Person]) -> None:
    """Let one person after the other answer their batch, as fast as the server lets them."""
    while True:
        person = Person(f"busy-{len(crowd)}", port)
        crowd.append(person)
        await through_api(person)
        if person.turned_away:
            return


async def measure(port: int, link: str, people: int, seconds: float) -> dict[str, Any]:
    """Return how long the pages take while people answer."""
    wire = Wire(port)
    await wire.ask("GET", f"/desk/enter?{link.partition('?')[2]}")
    cold = await look(port, wire.cookie, "")
    crowd: list[Person] = []
    tasks = [asyncio.create_task(answer_on(port, crowd)) for _ in range(people)]
    until, times = time.monotonic() + seconds, []
    while time.monotonic() < until:
        times.append(await look(port, wire.cookie, ""))
        await asyncio.sleep(0.2)
    others = {page: await look(port, wire.cookie, page) for page in PAGES[1:]}
    again = {page: await look(port, wire.cookie, page) for page in PAGES[1:]}
    stored = sum(len(one.ledger) for one in crowd)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    wire.close()
    return {
        "first_page_cold": cold,
        "first_page_median": median(times),
        "first_page_slowest": max(times),
        "looks": len(times),
        "answers_meanwhile": stored,
        "pages": others,
        "pages_again": again,
    }


def main() -> int:
    """Fill a store, look at its desk under load, and report the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=10.0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        study = study_of(Path(place, "study"), chosen.answers)
        with serving(study):  # which makes the store
            pass
        fill(study, chosen.answers)
        with serving(study) as server:
            link = people_desk(study).owner
            times = asyncio.run(measure(server.port, link, chosen.people, chosen.seconds))
    print(json.dumps({"answers": chosen.answers, **times}, indent=2))
    return int(times["first_page_median"] > MOST)


if __name__ == "__main__":
    sys.exit(main())
