"""How large an explorer is and how fast it redraws: python benchmarks/explorer.py [--browser].

Ratings are made up: five answers, three models, one label method. Sizes need no browser; the
times are of one search in Chromium: filter, count, sort and lay out; the median of seven rounds.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

import plausibly as pb
from plausibly.verbs.browse import Browsed

CASES = ((2_000, 50, 0.7), (20_000, 10, 2.5))
MODELS = 3
ROUNDS = 7
SEARCHES = ("otter", "otter 1", "paints the ladder", "")
FLAGS = ["--no-sandbox", "--disable-background-networking"]
CLOCK = """(sought) => {
  const search = document.querySelector("input[type=search]");
  search.value = sought;
  const start = performance.now();
  search.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
  return performance.now() - start;
}"""


def made_up(items: int, each: int) -> Browsed:
    """Return the explorer of so many items with so many ratings each."""
    draw = np.random.default_rng(1)
    names = [f"item-{number:05}" for number in range(items)]
    verbs = np.array(["paints", "measures", "follows", "carries", "admires"])
    nouns = np.array(["ladder", "market", "river", "theory", "kettle", "harvest", "signal"])
    texts = [
        f"otter {number} {draw.choice(verbs)} the {draw.choice(nouns)}" for number in range(items)
    ]
    table = pl.DataFrame(
        {
            "item": names,
            "text": texts,
            "condition": [("attested", "perturbed")[number % 2] for number in range(items)],
        }
    )
    lean = draw.uniform(1, 5, items)
    values = np.clip(np.rint(draw.normal(np.repeat(lean, each), 1)), 1, 5).astype(int)
    people = np.concatenate([draw.choice(400, each, replace=False) for _ in range(items)])
    ratings = pl.DataFrame(
        {
            "item": np.repeat(names, each),
            "annotator": [f"p{person:03}" for person in people],
            "question": "plausible",
            "answer": values.astype(str),
        }
    )
    parts = []
    for model in range(MODELS):
        score = np.clip(draw.normal(lean / 5, 0.2), 0.01, 0.99)
        label = np.clip(np.rint(score * 5), 1, 5).astype(int).astype(str)
        shares = [
            json.dumps({one: round(float(s), 4)}) for one, s in zip(label, score, strict=True)
        ]
        columns = {"item": names, "question": "plausible", "model": f"model-{model}"}
        parts.append(
            pl.DataFrame({**columns, "label": label, "score": score, "distribution": shares})
        )
    return pb.browse(ratings, items=table, predictions=pl.concat(parts))


def redraws(path: Path) -> list[float]:
    """Return the milliseconds of each change in Chromium, the median of several rounds."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from needs import browser

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=FLAGS)
        page = chromium.new_page()
        page.goto(f"{path.as_uri()}#items?sort=-entropy")
        page.wait_for_selector("main h1")
        rounds = [
            [float(page.evaluate(CLOCK, sought)) for sought in SEARCHES] for _ in range(ROUNDS)
        ]
        chromium.close()
    return [float(one) for one in np.median(np.array(rounds), axis=0)]


def main() -> None:
    """Print one line for each case."""
    with tempfile.TemporaryDirectory() as folder:
        for items, each, most in CASES:
            explorer = made_up(items, each)
            path = Path(folder, "explorer.html")
            path.write_text(explorer.page, encoding="utf-8")
            size = path.stat().st_size / 1e6
            line = f"{items:,} items x {each} ratings: {size:.2f} MB (at most {most})"
            if "--browser" in sys.argv:
                line += "; redraw " + ", ".join(f"{one:.0f}" for one in redraws(path)) + " ms"
            print(line)


if __name__ == "__main__":
    main()
