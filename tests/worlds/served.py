"""Small studies written inline, in memory and as folders, and clocks that stand still."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection, Engine

from plausibly.io import write_table
from plausibly.ratings.collection import collection_form, plan_of
from plausibly.ratings.served import Content, Served
from plausibly.ratings.store.allocation import Joined, Shown, join, next_item
from plausibly.ratings.store.answering import Saved, Sent, answer
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.opening import prepare
from plausibly.study import PROTOCOLS
from plausibly.tables import ITEMS

NOW = 1_000_000.0
OPENED: dict[str, Any] = {}  # what [server] says unless a test does; see tests/web/conftest.py


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


def served_of(items: int, *, checks: int = 0, protocol: str = "pap", **ratings: Any) -> Served:
    """Return a study with so many items and checks; keywords override [ratings]."""
    sections = PROTOCOLS[protocol].sections
    contents = {f"t{n:03}": Content(f"otter {n} paints ladder") for n in range(items)}
    for n in range(checks):
        expected = ("plausible", "implausible")[n % 2]
        contents[f"c{n:03}"] = Content(f"check {n}", kind="check", expected=expected)
    return Served(
        folder=Path(),
        name="otters",
        plan=plan_of({**sections["ratings"], **ratings}, seed=1, where="test"),
        form=collection_form(PROTOCOLS[protocol], sections["form"], where="test"),
        contents=contents,
        server=sections["server"],
    )


def store_of(path: Path, served: Served) -> Engine:
    """Return the prepared database of a study."""
    engine = connect(f"sqlite:///{path / 'answers.sqlite'}")
    prepare(engine, served, now=NOW)
    return engine


def joined(connection: Connection, name: str, served: Served, *, now: float = NOW) -> bool:
    """Tell whether a person could join."""
    found = join(connection, Person(name, "link"), served=served, now=now)
    return isinstance(found, Joined)


def shown(connection: Connection, name: str, served: Served, *, now: float = NOW) -> Shown | None:
    """Return what a person is to answer now, None if nothing is."""
    found = next_item(connection, name, served=served, now=now)
    return found if isinstance(found, Shown) else None


def answered(
    connection: Connection, name: str, served: Served, *, given: str = "5", now: float = NOW
) -> str | None:
    """Answer a person's next item and return it, None if there was none."""
    slot = shown(connection, name, served, now=now)
    if slot is None:
        return None
    sent = Sent(slot.reservation, {"plausible": given}, f"{slot.reservation}-1")
    assert answer(connection, name, sent, served=served, now=now) == Saved(1, new=True)
    return slot.item


def works_through(
    connection: Connection, name: str, served: Served, *, given: str = "5", now: float = NOW
) -> list[str]:
    """Join, answer everything there is, and return the items in order."""
    joined(connection, name, served, now=now)
    items = []
    while (item := answered(connection, name, served, given=given, now=now)) is not None:
        items.append(item)
    return items


def study_folder(
    path: Path,
    items: pl.DataFrame,
    sections: Mapping[str, Mapping[str, Any]],
    *,
    protocol: str = "pap",
) -> Path:
    """Write a study folder and return it; tests of `web` open it to all unless they say more."""
    sections = {**sections, "server": {**OPENED, **sections.get("server", {})}}
    path.mkdir(parents=True, exist_ok=True)
    lines = ["[study]", 'name = "otters"', f'protocol = "{protocol}"']
    for section, values in sections.items():
        lines += [f"[{section}]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    (path / "study.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write_table(items, path / "items.parquet", ITEMS)
    return path


def items_of(items: int, checks: int = 0) -> pl.DataFrame:
    """Return so many items and checks, the checks plausible and implausible in turn."""
    rows: list[dict[str, str | None]] = [
        {"item": f"t{n:04}", "text": f"otter {n} paints ladder", "condition": "attested"}
        for n in range(items)
    ]
    checked = [
        {
            "item": f"c{n:03}",
            "text": f"cook {n} stirs soup",
            "condition": None,
            "kind": "check",
            "expected": ("plausible", "implausible")[n % 2],
        }
        for n in range(checks)
    ]
    return ITEMS.check(
        pl.DataFrame(
            [{"kind": "item", "expected": None, **row} for row in rows] + checked,
            schema=ITEMS.schema,
        )
    )


def form_address(page: str) -> str:
    """Return where the page of an item sends its answers."""
    address = re.search(r'<form method="post" action="(/work/[^"]+)"', page)
    assert address is not None
    return address.group(1)


def joins(
    client: Any, person: str, *, headers: Mapping[str, str] | None = None, **more: Any
) -> Any:
    """Return the answer to a person who agrees, is eligible and joins through the API."""
    asked = client.get("/api/v1/consent").json()
    said = {one["id"]: one["options"][0] for one in asked["questions"]}
    sent = {"person": person, "consent": asked["version"], "screening": said, **more}
    return client.post("/api/v1/join", json=sent, headers=dict(headers or {}))


def token_of(client: Any, person: str) -> dict[str, str]:
    """Return the headers of someone who has kept the token they joined with."""
    keys = client.app.state.desk.keys
    return {"Authorization": f"Bearer {keys.token(keys.annotator(person))}"}
