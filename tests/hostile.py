"""Calls of every public function with one argument made wrong: none may end in a raw error."""

from __future__ import annotations

import inspect
import random
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import plausibly as pb

RATED: Any = pd.DataFrame(
    {
        "item": [10, 10, 10, 2, 2, 2, 1, 1, 1],
        "annotator": list("abc") * 3,
        "answer": [1, 2, 1, 5, 5, 4, 3, 4, 3],
    }
)
ITEMS = pd.DataFrame(
    {"item": [10, 2, 1], "text": ["one", "two", "three"], "condition": list("xyx")}
)
# What waits for people or for the network, or runs for minutes, gets no study and no real name.
LONG = ("serve", "demo", "rehearse", "replicate", "data_get", "models_get", "people_admit", "ask")
VALUES: tuple[Callable[[], Any], ...] = (
    *(lambda: None, lambda: "", lambda: " ", lambda: "\0", lambda: "x" * 5000, lambda: "😀/é"),
    *(lambda: 0, lambda: -1, lambda: 10**30, lambda: 2.5, lambda: float("nan"), lambda: True),
    *(lambda: float("inf"), lambda: np.int64(3), lambda: np.float32(0.5), lambda: np.bool_(True)),
    *(lambda: np.array([1, 2]), lambda: np.str_("mace"), lambda: pd.NA, lambda: pd.NaT),
    *(list, lambda: [[1, 2], [4, 5]], lambda: [None], lambda: [[]], lambda: ("a", 1)),
    *(dict, lambda: {"no": [1, 2], "yes": [4, 5]}, lambda: {1: 2}, lambda: {"item": "item"}),
    *(lambda: {"item": None}, lambda: {"answer": "nowhere"}, lambda: {1, 2}, lambda: b"bytes"),
    *(object, lambda: len, lambda: int, lambda: date(2026, 1, 1), lambda: 3 + 4j, lambda: range(3)),
    *(lambda: Path("no-such-file.csv"), Path, lambda: "no-such.parquet", lambda: "/"),
    *(pd.DataFrame, pl.DataFrame, lambda: RATED.head(0), lambda: RATED["item"]),
    *(lambda: RATED, lambda: pl.from_pandas(RATED).lazy(), lambda: pa.table(RATED)),
    lambda: RATED.assign(item=[1, "b", None] * 3),
    lambda: RATED.assign(answer=[1, "no", np.nan] * 3),
    lambda: RATED.assign(answer=[[1], {"a": 2}, b"x"] * 3),
    lambda: RATED.assign(answer=[float("inf"), 2, 3] * 3),
    lambda: pd.concat([RATED, RATED], axis=1),
    lambda: pd.concat([RATED, RATED]),
    lambda: RATED.astype("category"),
    lambda: RATED.astype({"item": "Int64", "annotator": "string"}),
    lambda: RATED.assign(item=pd.Timestamp("2026-01-01")),
    lambda: RATED.assign(item=pd.Interval(0, 1)),
    lambda: RATED.assign(item=3 + 4j),
    lambda: RATED.set_index("item"),
    lambda: RATED.set_index(["item", "annotator"]),
    lambda: RATED.T,
    lambda: RATED.rename(columns={"item": 3}),
    lambda: RATED.pivot(index="annotator", columns="item", values="answer"),
    *(lambda: "1,2|4,5", lambda: "mean", lambda: "mace", lambda: "custom", lambda: "pap"),
)


@dataclass(frozen=True)
class HostileCall:
    """One call.

    Args:
        name: The function.
        arguments: What is passed, by name.
    """

    name: str
    arguments: dict[str, Any]


def public_functions() -> list[str]:
    """Return every public function but the one that runs for minutes."""
    return [name for name in pb.__all__ if name not in ("PlausiblyError", "Study", "demo")]


def hostile_calls(seed: int, world: Path) -> Iterator[HostileCall]:
    """Yield calls of each public function in turn, without end."""
    drawn = random.Random(seed)  # noqa: S311
    while True:
        for name in public_functions():
            yield HostileCall(name, _arguments(name, drawn, world))


def _arguments(name: str, drawn: random.Random, world: Path) -> dict[str, Any]:
    known = inspect.signature(getattr(pb, name)).parameters
    names = [n for n, one in known.items() if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    needed = [n for n in names if known[n].default is inspect.Parameter.empty]
    usual: dict[str, Any] = {"ratings": RATED, "items": ITEMS, "method": "mean", "name": "custom"}
    if name not in LONG:
        usual |= {"folder": world / "otters", "study": world / "otters", "preset": "recommended"}
    arguments = {n: usual.get(n, f"no-such-{n}") for n in needed}
    changed = drawn.choice(
        [*names, *(["seed", "oddity"] if not names or drawn.random() < 0.2 else [])]
    )
    arguments[changed] = drawn.choice(VALUES)()
    for place in ("output", "folder"):
        if place in arguments and isinstance(arguments[place], str) and arguments[place] == "/":
            arguments[place] = str(world / "out")
    if name in LONG:
        arguments |= {n: "no-such-folder" for n in ("folder", "study") if n in arguments}
    return arguments


def raw_error(call: HostileCall) -> str:
    """Return the last lines of a raw error; empty where a call returns or raises one of ours."""
    try:
        result = getattr(pb, call.name)(**call.arguments)
        for table in getattr(result, "tables", {}):
            getattr(result, table, None)
    except pb.PlausiblyError:
        return ""
    except Exception:  # noqa: BLE001
        return "\n".join(traceback.format_exc().splitlines()[-9:])
    return ""
