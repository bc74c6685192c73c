"""A small world for every builder: files, and the options of one call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from worlds.svo import invented_norms, invented_svo, write_norms

COUNTS = "relation,head,dependent,count\n" + "".join(
    f"dobj,{verb},{noun},{20 - place}\n"
    for verb in ("eat", "see", "buy")
    for place, noun in enumerate(("apple", "egg", "cherry", "boat"))
)
STORY = {
    "story_id": 1,
    "actor": "Ada",
    "objects": "frigo, latte, tazza",
    "sentences": [
        "Ada ha aperto il frigo.",
        "Ada ha preso il latte dal frigo.",
        "Ada ha preso la tazza.",
        "Ada ha versato il latte nella tazza.",
        "Ada ha bevuto il latte.",
    ],
}


def building_world(folder: Path) -> dict[str, dict[str, Any]]:
    """Return for every builder the options of one call, its files written into a folder."""
    norms = invented_norms(nouns=200, verbs=60)
    invented_svo(norms, rows=3000).write_parquet(folder / "svo.parquet")
    write_norms(norms, folder / "norms.tsv")
    (folder / "counts.csv").write_text(COUNTS, encoding="utf-8")
    (folder / "stories.jsonl").write_text(json.dumps(STORY) + "\n", encoding="utf-8")
    (folder / "sources.csv").write_text("item,source_1,source_2\ns1,A.,B.\n", encoding="utf-8")
    for name in ("gpt", "bart"):
        (folder / f"{name}.csv").write_text(f"item,sentence\ns1,{name} says.\n", encoding="utf-8")
    (folder / "nouns.csv").write_text("noun,group\nowl,a\nhour,b\n", encoding="utf-8")
    (folder / "templates.toml").write_text(
        "[[template]]\ntext = 'It is {noun}.'\ncondition = '{group}'\n", encoding="utf-8"
    )
    rows = {"item": ["a", "b", "c"], "text": ["x", "y", "zz"], "condition": ["p", "q", "q"]}
    pl.DataFrame(rows).write_csv(folder / "items.csv")
    amod = "relation,head,dependent,count\n" + "".join(
        f"amod,bell,{word},10\n" for word in ("small", "old", "green", "unique", "fake")
    )
    (folder / "amod.csv").write_text(amod, encoding="utf-8")
    (folder / "said.tsv").write_text(
        "relation\tstart\tend\nUsedFor\tbell\tcalling people\n", encoding="utf-8"
    )
    (folder / "special.tsv").write_text("adjective\nfake\n", encoding="utf-8")
    here = {name: str(folder / name) for name in (p.name for p in folder.iterdir())}
    return {
        "pap": {
            "svo": here["svo.parquet"],
            "norms": here["norms.tsv"],
            "per_cell": 3,
            "min_zipf": 0.0,
            "seed": 1,
        },
        "sp10k": {
            "counts": here["counts.csv"],
            "relations": "dobj",
            "heads": 2,
            "per_survey": 4,
            "seed": 1,
        },
        "gita": {"stories": here["stories.jsonl"], "swaps": 3},
        "iks": {
            "sources": here["sources.csv"],
            "candidates": [here["gpt.csv"], here["bart.csv"]],
            "seed": 1,
        },
        "custom": {"table": here["nouns.csv"], "templates": here["templates.toml"]},
        "match": {"items": here["items.csv"], "match": ["length:1"], "seed": 1},
        "adept": {
            "counts": here["amod.csv"],
            "conceptnet": here["said.tsv"],
            "nonsubsective": here["special.tsv"],
            "seed": 1,
        },
    }


def typed(protocol: str, options: dict[str, Any]) -> list[str]:
    """Return the options as they are typed."""
    places = {"custom": "table", "gita": "stories", "match": "items"}
    words = ["build", protocol]
    for name, value in options.items():
        many = value if isinstance(value, list) else [value]
        for one in many:
            option = f"--{name.replace('_', '-')}"
            place = places.get(protocol) == name
            words += [str(one)] if place else [option] if one is True else [option, str(one)]
    return words
