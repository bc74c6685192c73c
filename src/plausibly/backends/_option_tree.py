"""All options of an item in one pass: a tree of their tokens, and who sees whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Ids = list[int]


@dataclass(frozen=True, slots=True)
class OptionTree:
    """The tokens of all options but their last, each beginning that options share held once.

    Args:
        tokens: The token of each node.
        parents: The node before each, -1 if it is the end of the context; always a lower one.
        depths: How many nodes come before each in its option.
        rows: Per option which row predicts each token: 0 the context's end, n + 1 node n.
    """

    tokens: Ids
    parents: list[int]
    depths: list[int]
    rows: list[list[int]]


def option_tree(options: Sequence[Ids]) -> OptionTree:
    """Return the tree of the options' tokens; the last of an option is predicted, never read.

    >>> option_tree([[7, 8, 1], [7, 8, 2], [7, 9, 3], [4]])
    OptionTree(tokens=[7, 8, 9], parents=[-1, 0, 0], depths=[0, 1, 1], \
rows=[[0, 1, 2], [0, 1, 2], [0, 1, 3], [0]])
    """
    tree = OptionTree([], [], [], [])
    nodes: dict[tuple[int, int], int] = {}
    for option in options:
        node, rows = -1, [0][: len(option)]
        for depth, token in enumerate(option[:-1]):
            step = (node, token)
            if step not in nodes:
                nodes[step] = len(tree.tokens)
                tree.tokens.append(token)
                tree.parents.append(node)
                tree.depths.append(depth)
            node = nodes[step]
            rows.append(node + 1)
        tree.rows.append(rows)
    return tree


def common(one: Ids, other: Ids) -> int:
    """Return how many tokens two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def tree_mask(known: int, fresh: int, tree: OptionTree, *, window: int | None = None) -> Any:
    """Return who sees whom: the context what is before it, a node the context and its own line.

    Args:
        known: Tokens read before.
        fresh: Tokens of the context read now.
        tree: The tokens of the options read now.
        window: Nobody sees what lies so many places or more before.
    """
    import torch

    nodes = len(tree.tokens)
    length = fresh + nodes
    seen = torch.zeros((length, known + length), dtype=torch.bool)
    seen[:, :known] = True
    seen[:fresh, known : known + fresh] = torch.ones((fresh, fresh), dtype=torch.bool).tril()
    seen[fresh:, known : known + fresh] = True
    line = torch.eye(nodes, dtype=torch.bool)
    for node, parent in enumerate(tree.parents):
        if parent >= 0:
            line[node] |= line[parent]
    seen[fresh:, known + fresh :] = line
    if window is not None:
        places = torch.tensor([*range(known), *places_of(known, fresh, tree)])
        seen &= places[known:, None] - places[None, :] < window
    hidden = torch.zeros((1, 1, length, known + length), dtype=torch.float32)
    return hidden.masked_fill_(~seen, torch.finfo(torch.float32).min)


def places_of(known: int, fresh: int, tree: OptionTree) -> list[int]:
    """Return the place of each token read now: every option begins where the context ends.

    >>> places_of(2, 2, option_tree([[7, 8, 1], [9, 1]]))
    [2, 3, 4, 5, 4]
    """
    end = known + fresh
    return [*range(known, end), *(end + depth for depth in tree.depths)]
