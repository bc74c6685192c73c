"""Swaps of two sentences, ranked by how likely they are to break a story."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from plausibly.datasets.gita.stories import CODES, MOVES, Block, Story, names


@dataclass(frozen=True, slots=True)
class SentenceExchange:
    """A plausible story with two sentences swapped.

    Args:
        item: The plausible story.
        pair: The sentences, from 0.
        sentences: The story after the swap.
        rank: Rank among the swaps of its story that nobody wrote; 1 is the likeliest to break it.
        same_as: The written story that is identical, if there is one.
    """

    item: str
    pair: tuple[int, int]
    sentences: tuple[str, ...]
    rank: int | None
    same_as: str | None = None

    @property
    def name(self) -> str:
        """The name of the swap."""
        return f"{self.item}-S{self.pair[0]}{self.pair[1]}"


def exchanges(named: Mapping[str, Story]) -> Iterator[SentenceExchange]:
    """Yield every swap of two sentences of every plausible story, the likeliest first."""
    written = {story.sentences: item for item, story in reversed(list(named.items()))}
    for item, story in named.items():
        if story.breaks:
            continue
        rank = 0
        for pair in sorted(combinations(range(len(story.sentences)), 2), key=_order(story)):
            swapped = exchanged(story.sentences, pair)
            same_as = written.get(swapped)
            rank += same_as is None
            yield SentenceExchange(item, pair, swapped, rank if same_as is None else None, same_as)


def exchanged(sentences: Sequence[str], pair: tuple[int, int]) -> tuple[str, ...]:
    """Return the sentences with two of them swapped.

    >>> exchanged(("a", "b", "c"), (0, 2))
    ('c', 'b', 'a')
    """
    swapped, (first, second) = list(sentences), pair
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return tuple(swapped)


def _order(story: Story) -> Callable[[tuple[int, int]], tuple[int, int, int, tuple[int, int]]]:
    """Order swaps by clashing states, by objects that both sentences name, then by distance."""
    complete = len(story.blocks) == len(story.sentences)

    def key(pair: tuple[int, int]) -> tuple[int, int, int, tuple[int, int]]:
        first, second = pair
        blocks = list(story.blocks)
        if complete:
            blocks[first], blocks[second] = blocks[second], blocks[first]
        shared = sum(
            names(name, story.sentences[first]) and names(name, story.sentences[second])
            for name in story.objects
        )
        return -count_clashes(blocks) if complete else 0, -shared, second - first, pair

    return key


def count_clashes(blocks: Iterable[Block]) -> int:
    """Return how often a sentence needs a state that the earlier sentences do not leave."""
    known: dict[tuple[str, str], bool] = {}
    clashes = 0
    for block in blocks:
        for name, pairs in block.items():
            if name in MOVES:
                continue
            for entity, code in pairs:
                before, after = CODES.get(code, (None, None))
                if before is not None and known.get((entity, name), before) != before:
                    clashes += 1
                if after is not None:
                    known[entity, name] = after
    return clashes
