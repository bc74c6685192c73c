"""Where the explorer shows what a mark of a figure stands for: the part of an address after `#`."""

from __future__ import annotations

from urllib.parse import quote, urlencode


def item_address(item: str, question: str = "") -> str:
    """Return the address of an item.

    >>> item_address("t/1", "fits")
    'item/t%2F1?question=fits'
    """
    return _address("item", item, {"question": question} if question else {})


def person_address(annotator: str) -> str:
    """Return the address of a person.

    >>> person_address("p 1")
    'person/p%201'
    """
    return _address("person", annotator, {})


def model_address(model: str) -> str:
    """Return the address of a model."""
    return _address("model", model, {})


def items_address(**filters: str | None) -> str:
    """Return the address of the items that have certain values; None stands for no value.

    >>> items_address(condition="attested", **{"label:mean": None})
    'items?condition=attested&label%3Amean='
    """
    return "items?" + urlencode({name: one or "" for name, one in filters.items()})


def _address(view: str, name: str, filters: dict[str, str]) -> str:
    tail = "?" + urlencode(filters) if filters else ""
    return f"{view}/{quote(name, safe='')}{tail}"
