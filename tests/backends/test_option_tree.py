"""The tree of options: every option can be read off it, and what is shared is held once."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.backends._option_tree import OptionTree, option_tree, places_of, tree_mask

pytestmark = pytest.mark.weights
OPTIONS = st.lists(st.lists(st.integers(0, 3), max_size=5), min_size=1, max_size=8)


def line_of(tree: OptionTree, node: int) -> list[int]:
    """Return the tokens from the context's end to a node, read up its parents."""
    if node < 0:
        return []
    return [*line_of(tree, tree.parents[node]), tree.tokens[node]]


@given(OPTIONS)
def test_each_option_is_read_off_the_tree(options: list[list[int]]) -> None:
    tree = option_tree(options)
    for option, rows in zip(options, tree.rows, strict=True):
        assert [line_of(tree, row - 1) for row in rows] == [
            option[:length] for length in range(len(option))
        ]


@given(OPTIONS)
def test_what_options_begin_with_alike_is_held_once(options: list[list[int]]) -> None:
    beginnings = {tuple(one[:length]) for one in options for length in range(1, len(one))}
    tree = option_tree(options)
    assert len(tree.tokens) == len(beginnings)
    assert {tuple(line_of(tree, node)) for node in range(len(tree.tokens))} == beginnings


@settings(max_examples=40, deadline=None)
@given(OPTIONS, st.integers(0, 3), st.integers(1, 3), st.none() | st.integers(1, 6))
def test_a_node_sees_the_context_and_its_own_line(
    options: list[list[int]], known: int, fresh: int, window: int | None
) -> None:
    tree = option_tree(options)
    mask = tree_mask(known, fresh, tree, window=window)[0, 0]
    places = [*range(known), *places_of(known, fresh, tree)]
    end = known + fresh
    for row, sees in enumerate((mask == 0).tolist(), start=known):
        line = set(range(min(row + 1, end)))
        node = row - end
        while node >= 0:
            line.add(end + node)
            node = tree.parents[node]
        near = {one for one in line if window is None or places[row] - places[one] < window}
        assert {place for place, seen in enumerate(sees) if seen} == near
