"""All options of an item in one pass: places, rows and who sees whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Ids = list[int]


def common(one: Ids, other: Ids) -> int:
    """Return how many tokens two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def tree_rows(fresh: int, inner: Sequence[Ids]) -> tuple[list[int], list[list[int]]]:
    """Return the places whose predictions are needed, and which of them predict each option.

    The first token of every option is predicted by the last one of the context, kept as row 0.
    """
    rows: list[int] = []
    begins: list[list[int]] = []
    for tokens in inner:
        begins.append([0, *range(len(rows) + 1, len(rows) + 1 + len(tokens))])
        rows += range(fresh + len(rows), fresh + len(rows) + len(tokens))
    return rows, begins


def tree_mask(known: int, fresh: int, inner: Sequence[Ids], *, window: int | None = None) -> Any:
    """Return who sees whom: the context what is before it, an option the context and itself.

    Args:
        known: Tokens read before.
        fresh: Tokens of the context read now.
        inner: Per option the tokens read now.
        window: Nobody sees what lies so many places or more before.
    """
    import torch

    length = fresh + sum(map(len, inner))
    seen = torch.zeros((length, known + length), dtype=torch.bool)
    seen[:, :known] = True
    seen[:fresh, known : known + fresh] = torch.ones((fresh, fresh), dtype=torch.bool).tril()
    seen[fresh:, known : known + fresh] = True
    place = fresh
    for tokens in inner:
        size = len(tokens)
        block = torch.ones((size, size), dtype=torch.bool).tril()
        seen[place : place + size, known + place : known + place + size] = block
        place += size
    if window is not None:
        places = torch.tensor([*range(known), *places_of(known, fresh, inner)])
        seen &= places[known:, None] - places[None, :] < window
    hidden = torch.zeros((1, 1, length, known + length), dtype=torch.float32)
    return hidden.masked_fill_(~seen, torch.finfo(torch.float32).min)


def places_of(known: int, fresh: int, inner: Sequence[Ids]) -> list[int]:
    """Return the place of each token read now: every option begins where the context ends.

    >>> places_of(2, 2, [[7, 8], [9]])
    [2, 3, 4, 5, 4]
    """
    end = known + fresh
    return [*range(known, end), *(end + n for tokens in inner for n in range(len(tokens)))]
