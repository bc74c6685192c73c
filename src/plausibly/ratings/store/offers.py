"""What somebody new is offered: a whole round, or what is left as a short one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sqlalchemy import Connection, text

from plausibly.ratings.served import Served
from plausibly.ratings.store.prepared import Prepared

# Items that are open now, or could be once every reservation has run out; one of each group.
# Written as the index on open items says it; counting ends with the last that matters.
_OPEN = Prepared(
    text(
        """SELECT count(*) FROM (
            SELECT DISTINCT coalesce('g' || item_group, 'i' || item) FROM items
            WHERE kind = 'item' AND withdrawn = 0 AND round = :number AND target - taken > 0
            LIMIT :most
        )"""
    )
)
_POSSIBLE = Prepared(
    text(
        """SELECT count(*) FROM (
            SELECT DISTINCT coalesce('g' || item_group, 'i' || item) FROM items
            WHERE kind = 'item' AND withdrawn = 0 AND round = :number AND (
                target - taken > 0 OR item IN (SELECT item FROM slots WHERE state = 'reserved')
            )
            LIMIT :most
        )"""
    )
)
_LISTED = """SELECT max(places) FROM (
    SELECT count(*) AS places FROM surveys JOIN items ON items.item = surveys.item
    WHERE items.kind = 'item' AND items.withdrawn = 0 AND (
        items.exact = 0 OR items.target - items.taken > 0 {held}
    )
    GROUP BY surveys.survey
    HAVING max(CASE WHEN items.round = :number AND (items.target - items.taken > 0 {held})
        THEN 1 ELSE 0 END) = 1
)"""
_OPEN_LISTS = Prepared(text(_LISTED.format(held="")))
_POSSIBLE_LISTS = Prepared(
    text(_LISTED.format(held="OR items.item IN (SELECT item FROM slots WHERE state = 'reserved')"))
)


@dataclass(frozen=True, slots=True)
class RoundOffer:
    """What somebody new would be given.

    Args:
        items: How many items.
        short: Whether that is a short round, which is paid by the item and has a code of its own.
    """

    items: int
    short: bool = False


def least_items(served: Served) -> int:
    """Return below how many items a round is not a whole one; by default half of one."""
    whole = served.whole_round
    return min(served.plan.least or math.ceil(whole / 2), whole)


def offer(connection: Connection, served: Served, number: int) -> RoundOffer | None:
    """Return what somebody new would be given now; None if nothing, or if they should wait.

    While places that others hold could still make a whole round, nobody new gets less than
    `least` items for the pay of a whole round. Once they cannot, whoever comes gets what is left;
    where short rounds have a code, they are offered at once.
    """
    whole, least = served.whole_round, least_items(served)
    which = {"number": number, "most": whole}
    now, later = (_OPEN_LISTS, _POSSIBLE_LISTS) if served.surveys else (_OPEN, _POSSIBLE)
    places = int(now.scalar(connection, which) or 0)
    if not places:
        return None
    if not served.plan.exact and not served.surveys:
        return RoundOffer(whole)  # filled up with items that have enough
    if places >= least:
        return RoundOffer(places)
    if served.server["short_code"]:
        return RoundOffer(places, short=True)
    possible = int(later.scalar(connection, which) or 0)
    return None if possible >= least else RoundOffer(places)


def short_pay(served: Served, items: int) -> tuple[float, float]:
    """Return what a short round of so many items is paid, and what each item of it is."""
    server = served.server
    each = float(server["item_reward"]) or float(server["reward"]) / served.whole_round
    return round(each * items, 2), each
