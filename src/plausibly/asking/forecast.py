"""What asking would take, before anything is sent: queries, tokens, money."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from plausibly.errors import StudyError, option
from plausibly.ports import Query

CHARACTERS_A_TOKEN = 3
"""Italian and English texts have more characters a token, so the forecast is rather too high."""
MILLION = 1_000_000
_MONTH = re.compile(r"(19|20)\d\d-(0[1-9]|1[0-2])")


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost."""

    read: float
    written: float

    def of(self, read: int, written: int) -> float:
        """Return what so many tokens cost."""
        return (read * self.read + written * self.written) / MILLION


def parse_price(text: str | None) -> Price | None:
    """Return the price of a million tokens read and written, as `0.15,0.60`.

    >>> parse_price("0.15,0.60").of(1_000_000, 0)
    0.15
    """
    if text is None:
        return None
    try:
        read, written = (float(part) for part in text.split(","))
    except ValueError:
        read = written = -1.0
    if not (0 <= read < MILLION and 0 <= written < MILLION):
        raise StudyError(
            "price must be what a million tokens read and a million written cost, as 0.15,0.60; "
            f"got {text!r}."
        )
    return Price(read, written)


def tokens_about(query: Query) -> int:
    """Return about how many tokens a model reads of a query.

    >>> tokens_about(Query("Is tea wet?", options=(" yes",)))
    5
    """
    turns = sum(len(text) for _, text in query.messages)
    return -(-(len(query.context) + turns + sum(map(len, query.options))) // CHARACTERS_A_TOKEN)


def outlook(
    queries: Sequence[Query], missing: Sequence[Query], price: Price | None
) -> dict[str, int | float]:
    """Return what would be sent at most."""
    read = sum(map(tokens_about, missing))
    written = sum(1 if q.options else q.max_tokens for q in missing)
    different = len(dict.fromkeys(queries))
    seen: dict[str, int | float] = {
        "queries": different,
        "known": different - len(missing),
        "to_send_at_most": len(missing),
        "prompt_tokens_about": read,
        "answer_tokens_about": written,
    }
    return seen if price is None else seen | {"cost_about": price.of(read, written)}


def check_budget(seen: dict[str, int | float], budget: float | None) -> None:
    """Raise if what would be sent costs more than the budget."""
    if budget is None:
        return
    if "cost_about" not in seen:
        message = f"a budget needs a price. Name what a million tokens cost: {option('price')}."
        raise StudyError(message, parameter="budget")
    if not budget >= seen["cost_about"]:
        raise StudyError(
            f"the forecast is {seen['cost_about']:.4f}, the budget {budget:g}; nothing was sent. "
            f"Ask less ({option('limit')}, {option('prompts')}), or raise {option('budget')}."
        )


def contamination(released: str, since: str, cutoff: str | None, *, own: bool = False) -> str:
    """Return what to think of a model that may have been trained on the dataset.

    Args:
        released: When the dataset came out, in words.
        since: The first month of it, as 2024-05.
        cutoff: The month the model's training data end, as 2024-08; None if it is not known.
        own: Whether the items are not the dataset's; nobody knows then when they came out.

    >>> contamination("July 2019", "2019-07", "2019-01")[-62:]
    'end in 2019-01, before it came out, so they do not contain it.'
    """
    if cutoff is not None and not _MONTH.fullmatch(cutoff):
        raise StudyError(f"cutoff must be a month such as 2024-08; got {cutoff!r}.")
    if own:
        end = f"The model's training data end in {cutoff}. " if cutoff else ""
        return (
            f"{end}The items are your own: if they, or what they were made from, were public "
            "before a model's training data ended, it may have seen them."
        )
    if cutoff is None:
        return (
            f"The dataset came out in {released}; a model whose training data end later may have "
            "seen it."
        )
    early = f"The dataset came out in {released}; the model's training data end in {cutoff}"
    if cutoff < since:
        return f"{early}, before it came out, so they do not contain it."
    return f"{early}, not before it came out: the model may have seen it."
