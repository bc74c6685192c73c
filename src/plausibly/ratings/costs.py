"""What a collection cost, from what people did on the server and what the study pays."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.ratings.store.reading import version_of

WORKED = "worked"  # the part of ratings.json that counts what people did
PAID_BY = ("reward", "item_reward", "currency", "screened_reward", "platform_fee", "platform")
"""Keys of [server] that a cost follows from."""
_PEOPLE = """
SELECT people.finished, people.short, people.unpaid,
       SUM(items.kind = 'item' AND slots.revision > 0) AS done,
       MAX(slots.state = 'reserved' AND slots.expires >= ?) AS held
FROM people JOIN slots USING (annotator) JOIN items USING (item)
GROUP BY people.annotator
"""
_ROUND = """
SELECT MAX(n) FROM (SELECT SUM(kind = 'item') AS n FROM slots JOIN items USING (item)
JOIN people USING (annotator) WHERE people.short IS NULL GROUP BY annotator, batch)
"""


def work_done(path: Path) -> dict[str, Any]:
    """Return what people did, in numbers: nothing about anybody.

    Empty for answers of an earlier schema.
    """
    from plausibly.ratings.store.schema import VERSION  # which loads a library that help need not

    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        if version_of(connection) != VERSION:
            return {}
        rows = connection.execute(_PEOPLE, (time.time(),)).fetchall()
        screened = "SELECT COUNT(*) FROM screened WHERE undone IS NULL"
        counts = {
            "screened": connection.execute(screened).fetchone()[0],
            "erased": connection.execute("SELECT COUNT(*) FROM erased").fetchone()[0],
            "round": connection.execute(_ROUND).fetchone()[0] or 0,
        }
    whole = returned = working = 0
    short: dict[str, int] = {}
    part: dict[str, int] = {}
    for finished, offered, unpaid, done, held in rows:
        if not done:
            continue
        if unpaid is not None:
            returned += 1
        elif finished is not None and offered is None:
            whole += 1
        elif finished is not None:
            short[str(offered)] = short.get(str(offered), 0) + 1
        elif held:
            working += 1
        else:
            part[str(done)] = part.get(str(done), 0) + 1
    people = {"whole": whole, "short": short, "part": part}
    return {**people, "returned": returned, "working": working, **counts}


@dataclass(frozen=True, slots=True)
class CollectionCost:
    """What a collection cost, in the currency of the study.

    Args:
        base: For whole rounds.
        bonuses: For short rounds and rounds that were broken off, paid by the item.
        screened: For people who were screened out.
        fee: What the platform charges; None if the study does not declare it.
        currency: Such as GBP; may be empty.
        worked: What people did, as `work_done` counts it.
    """

    base: float
    bonuses: float
    screened: float
    fee: float | None
    currency: str
    worked: Mapping[str, Any]

    @property
    def total(self) -> float:
        """What all of it comes to."""
        return self.base + self.bonuses + self.screened + (self.fee or 0.0)

    def as_json(self) -> dict[str, Any]:
        """Return the sums."""
        parts = {"base": self.base, "bonuses": self.bonuses, "screened": self.screened}
        sums = {name: round(value, 2) for name, value in parts.items()}
        fee = None if self.fee is None else round(self.fee, 2)
        return {**sums, "fee": fee, "total": round(self.total, 2), "currency": self.currency}

    def text(self) -> str:
        """Return the sums in sentences."""
        rounds = sum(self.worked["short"].values())
        broken = sum(self.worked["part"].values())
        kinds = [
            (self.base, _many(self.worked["whole"], "whole round")),
            (self.bonuses, _listed(_many(rounds, "short round"), _many(broken, "partial round"))),
            (self.screened, f"{_many(self.worked['screened'], 'person', 'people')} screened out"),
        ]
        parts = [f"{amount:,.2f} for {what}" for amount, what in kinds if amount]
        if self.fee:
            parts.append(f"{self.fee:,.2f} in fees of the platform")
        money = f"{self.total:,.2f} {self.currency}".strip()
        detail = f" ({', '.join(parts)})" if parts else ""
        sentences = [f"The collection cost {money}{detail}."]
        if self.fee is None:
            sentences.append("Fees of the platform are not included.")
        if self.worked["working"]:
            sentences.append(f"Still at work, and not included: {self.worked['working']:,}.")
        if self.worked["erased"]:
            gone = _many(self.worked["erased"], "person", "people")
            sentences.append(f"Pay of {gone} whose data were erased is not included.")
        return " ".join(sentences)


def cost_of(worked: Mapping[str, Any], server: Mapping[str, Any]) -> CollectionCost | None:
    """Return what a collection cost; None if the study says nothing about pay as a number.

    Args:
        worked: What people did, as `work_done` counts it.
        server: The section [server].

    >>> worked = {"whole": 4, "short": {"5": 1}, "part": {"2": 1}, "screened": 3, "round": 10}
    >>> worked |= {"returned": 0, "working": 0, "erased": 0}
    >>> server = {"reward": 2.0, "currency": "GBP", "screened_reward": 0.1, "platform_fee": 0.3}
    >>> cost_of(worked, server).as_json()
    {'base': 8.0, 'bonuses': 1.4, 'screened': 0.3, 'fee': 2.91, 'total': 12.61, 'currency': 'GBP'}
    """
    reward, each = (float(server.get(name) or 0.0) for name in ("reward", "item_reward"))
    if not worked or not (reward or each):
        return None
    each = each or (reward / worked["round"] if worked["round"] else 0.0)
    short = sum(round(each * int(n), 2) * people for n, people in worked["short"].items())
    part = [(round(each * int(n), 2), people) for n, people in worked["part"].items()]
    broken = sum((min(amount, reward) if reward else amount) * people for amount, people in part)
    base = reward * int(worked["whole"])
    screened = float(server.get("screened_reward") or 0.0) * int(worked["screened"])
    share = float(server.get("platform_fee") or 0.0)
    paid = base + short + broken + screened
    fee = paid * share if share else (None if server.get("platform") else 0.0)
    return CollectionCost(
        base, short + broken, screened, fee, str(server.get("currency") or ""), worked
    )


def _many(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _listed(*parts: str) -> str:
    named = [one for one in parts if not one.startswith("0 ")]
    return " and ".join(named)
