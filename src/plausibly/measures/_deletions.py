"""Which ratings are left out in turn, and what means over pairs of annotators are without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from plausibly.measures._crossing import Crossing
from plausibly.measures._grouping import Ints, sums
from plausibly.measures._pairs import Coratings, Pairs
from plausibly.measures._pairwise import PairMean
from plausibly.measures._sample import Sample
from plausibly.measures.coded import Floats
from plausibly.measures.resampling import Resampling

ENTRIES = 1 << 22
ROWS = 1 << 17


@dataclass(frozen=True, eq=False)
class Deletion:
    """Ratings in groups that are left out in turn.

    Args:
        kind: What a group is made of: items, annotators or ratings.
        group: The group of each rating, -1 for one that is never left out.
        size: How many groups there are.
    """

    kind: str
    group: Ints
    size: int

    def samples(self, crossing: Crossing) -> Iterator[Sample]:
        """Yield what is left without each group."""
        for one in range(self.size):
            yield Sample(crossing, self.group != one)


def deletions(crossing: Crossing, plan: Resampling) -> Iterator[Deletion]:
    """Yield what a plan leaves out, by kind of unit."""
    most = plan.resamples or 0
    generator = np.random.default_rng(plan.seed)
    coded = crossing.coded
    if plan.units != "annotators":
        paired = np.flatnonzero(crossing.ratings > 1)
        group = _grouped(paired, coded.n_items, most, generator)
        yield _deletion("items", group[coded.item])
    if plan.units != "items":
        everybody = np.arange(coded.n_annotators)
        group = _grouped(everybody, coded.n_annotators, most, generator)
        yield _deletion("annotators", group[coded.annotator])
    if plan.units == "both":
        order = np.argsort(coded.item.astype(np.int64) * coded.n_annotators + coded.annotator)
        yield _deletion("ratings", _grouped(order, coded.n_ratings, most, generator))


def _deletion(kind: str, group: Ints) -> Deletion:
    return Deletion(kind, group, int(group.max(initial=-1)) + 1)


def _grouped(members: Ints, size: int, most: int, generator: np.random.Generator) -> Ints:
    """Return the group of each unit, -1 for those that are no members: one each, or `most`."""
    group = np.full(size, -1, dtype=np.int64)
    even = np.arange(len(members)) % most
    group[members] = generator.permutation(even) if len(members) > most else even
    return group


@dataclass(frozen=True, eq=False)
class _Changed:
    """Pairs that lack something without a group; one entry a pair and group.

    Args:
        origin: Which pair it is.
        group: Which group is left out.
        pairs: What is left of each; None when nothing is.
    """

    origin: Ints
    group: Ints
    pairs: Pairs | None


def means_without(
    means: Mapping[str, PairMean], crossing: Crossing, deletion: Deletion
) -> dict[str, Floats]:
    """Return what each mean over pairs is without each group; not a number where it is undefined.

    Only pairs that lack something are worked out again, those of many groups at once.
    """
    whole = {name: mean.per_pair(crossing.pairs, crossing) for name, mean in means.items()}
    total = {name: np.nansum(values) * np.ones(deletion.size) for name, values in whole.items()}
    defined = {
        name: np.count_nonzero(~np.isnan(values)) * np.ones(deletion.size)
        for name, values in whole.items()
    }
    for changed in _all_changed(crossing, deletion) if means else ():
        for name, mean in means.items():
            before = whole[name][changed.origin]
            after = None if changed.pairs is None else mean.per_pair(changed.pairs, crossing)
            for sign, values in ((-1, before), (1, after)):
                if values is not None:
                    has_value = ~np.isnan(values)
                    group = changed.group[has_value]
                    total[name] += sign * sums(values[has_value], group, n_groups=deletion.size)
                    defined[name] += sign * np.bincount(group, minlength=deletion.size)
    return {
        name: np.where(defined[name] > 0, total[name], np.nan) / np.maximum(defined[name], 1)
        for name in means
    }


def _all_changed(crossing: Crossing, deletion: Deletion) -> Iterator[_Changed]:
    if deletion.kind == "annotators":
        yield _without_people(crossing, deletion)
        return
    rows = _Rows.of(crossing.pairs)
    coratings = crossing.coratings
    both = deletion.group[coratings.first], deletion.group[coratings.second]
    batch = max(1, deletion.size * ENTRIES // max(2 * len(both[0]), 1))
    for lowest in range(0, deletion.size, batch):
        yield from _without_ratings(coratings, rows, both, (lowest, lowest + batch))


def _without_people(crossing: Crossing, deletion: Deletion) -> _Changed:
    """Return the pairs that each group of people takes with it."""
    group = np.full(crossing.coded.n_annotators, -1, dtype=np.int64)
    group[crossing.coded.annotator] = deletion.group
    left, right = group[crossing.pairs.left], group[crossing.pairs.right]
    apart = np.flatnonzero(left != right)
    origin = np.concatenate([np.arange(len(left)), apart])
    return _Changed(origin, np.concatenate([left, right[apart]]), None)


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of pairs, those of a pair together.

    Args:
        order: The rows in this order.
        place: Where each row stands in it.
        start: Where each pair begins.
        length: How many rows each pair has.
    """

    order: Ints
    place: Ints
    start: Ints
    length: Ints

    @classmethod
    def of(cls, pairs: Pairs) -> _Rows:
        order = np.argsort(pairs.pair, kind="stable")
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        length = np.bincount(pairs.pair, minlength=len(pairs))
        return cls(order, place, np.cumsum(length) - length, length)


def _without_ratings(
    coratings: Coratings, rows: _Rows, both: tuple[Ints, Ints], span: tuple[int, int]
) -> Iterator[_Changed]:
    """Yield what is left of the pairs that lack something, for groups from one up to another."""
    first, second = both
    one = np.flatnonzero((first >= span[0]) & (first < span[1]))
    two = np.flatnonzero((second >= span[0]) & (second < span[1]) & (first != second))
    corating = np.concatenate([one, two])
    group = np.concatenate([first[one], second[two]])
    n_pairs = len(coratings.pairs)
    codes = group * n_pairs + coratings.pair[corating]
    order = np.argsort(codes)
    known, begin = np.unique(codes[order], return_index=True)
    corating, begin = corating[order], np.append(begin, len(order))
    groups, origins = np.divmod(known, max(n_pairs, 1))
    ends = np.cumsum(rows.length[origins])
    at = 0
    while at < len(known):
        full = ends[at] - rows.length[origins[at]] + ROWS
        stop = max(at + 1, int(np.searchsorted(ends, full, side="right")))
        origin = origins[at:stop]
        gone = coratings.row[corating[begin[at] : begin[stop]]]
        owner = np.repeat(np.arange(stop - at), np.diff(begin[at : stop + 1]))
        yield _Changed(origin, groups[at:stop], _left(coratings.pairs, rows, origin, gone, owner))
        at = stop


def _left(pairs: Pairs, rows: _Rows, origin: Ints, gone: Ints, owner: Ints) -> Pairs:
    """Return copies of some pairs without some of their ratings.

    Args:
        pairs: All pairs.
        rows: Their rows.
        origin: The pair each copy is of.
        gone: Rows that count one less.
        owner: The copy each of these is in.
    """
    length, start = rows.length[origin], rows.start[origin]
    offset = np.cumsum(length) - length
    own = np.repeat(np.arange(len(origin)), length)
    row = rows.order[np.repeat(start - offset, length) + np.arange(len(own))]
    place = rows.place[gone] - start[owner] + offset[owner]
    return Pairs(
        pairs.left[origin],
        pairs.right[origin],
        own,
        pairs.left_answer[row],
        pairs.right_answer[row],
        pairs.count[row] - np.bincount(place, minlength=len(row)),
        pairs.n_answers,
    )
