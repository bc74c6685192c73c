"""Which ratings are left out in turn, and what means over pairs of annotators are without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from plausibly.measures._crossing import Crossing
from plausibly.measures._grouping import Ints, distinct, sums
from plausibly.measures._pairs import Coratings, Lack, Pairs
from plausibly.measures._pairwise import PairMean
from plausibly.measures._sample import Sample
from plausibly.measures.coded import Coded, Floats
from plausibly.measures.resampling import Resampling

ENTRIES = 1 << 20


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


def means_without(
    means: Mapping[str, PairMean], crossing: Crossing, deletion: Deletion
) -> dict[str, Floats]:
    """Return what each mean over pairs is without each group; not a number where undefined."""
    if deletion.kind == "annotators":
        whole = {name: mean.per_pair(crossing.pairs, crossing) for name, mean in means.items()}
        origin, group = _pairs_taken(crossing, deletion)
        return {
            name: _Means.of(values, deletion.size).less(values[origin], group).values
            for name, values in whole.items()
        }
    running = dict.fromkeys(means, _Means.of(np.empty(0), deletion.size))
    for block in crossing.coratings.blocks(ENTRIES) if means else ():
        for name, own in _of_block(means, crossing, block, deletion).items():
            running[name] = running[name].with_all(own)
    return {name: one.values for name, one in running.items()}


def _of_block(
    means: Mapping[str, PairMean], crossing: Crossing, block: Coratings, deletion: Deletion
) -> dict[str, _Means]:
    """Return what a block of pairs adds to each mean without each group."""
    additive = {
        name: mean.per_pair(block.pairs, crossing) for name, mean in means.items() if mean.additive
    }
    running = {name: _Means.of(values, deletion.size) for name, values in additive.items()}
    for lack in _lacks(crossing, block, deletion) if additive else ():
        for name, values in additive.items():
            left = means[name].per_pair(lack, crossing)
            running[name] = running[name].less(values[lack.origin], lack.group)
            running[name] = running[name].more(left, lack.group)
    ranked = {name: mean for name, mean in means.items() if not mean.additive}
    return {**running, **_recounted(ranked, crossing, block, deletion)}


@dataclass(frozen=True, eq=False)
class _Means:
    """Means of numbers, one for each group, while numbers come and go."""

    total: Floats
    n: Floats

    @classmethod
    def of(cls, values: Floats, size: int) -> _Means:
        """Return the mean of the values that are defined, the same for each group."""
        n = np.count_nonzero(~np.isnan(values))
        return cls(np.nansum(values) * np.ones(size), n * np.ones(size))

    def more(self, values: Floats, group: Ints, sign: int = 1) -> _Means:
        """Return the means with these values, those that are defined, in the groups named."""
        has_value = ~np.isnan(values)
        values, group = values[has_value], group[has_value]
        size = len(self.n)
        total = self.total + sign * sums(values, group, n_groups=size)
        return _Means(total, self.n + sign * np.bincount(group, minlength=size))

    def less(self, values: Floats, group: Ints) -> _Means:
        """Return the means without these values."""
        return self.more(values, group, -1)

    def with_all(self, other: _Means) -> _Means:
        """Return the means of the numbers of both."""
        return _Means(self.total + other.total, self.n + other.n)

    @property
    def values(self) -> Floats:
        """The means; not a number of nothing."""
        return np.where(self.n > 0, self.total, np.nan) / np.maximum(self.n, 1)


def _pairs_taken(crossing: Crossing, deletion: Deletion) -> tuple[Ints, Ints]:
    """Return the pairs that groups of people take with them, and which group does."""
    group = np.full(crossing.coded.n_annotators, -1, dtype=np.int64)
    group[crossing.coded.annotator] = deletion.group
    left, right = group[crossing.pairs.left], group[crossing.pairs.right]
    apart = np.flatnonzero(left != right)
    return np.concatenate([np.arange(len(left)), apart]), np.concatenate([left, right[apart]])


def _lacks(crossing: Crossing, block: Coratings, deletion: Deletion) -> Iterator[Lack]:
    """Yield the pairs that lack something, a few groups at once."""
    both = deletion.group[block.first], deletion.group[block.second]
    batch = max(1, deletion.size * ENTRIES // max(len(both[0]), 1))
    for lowest in range(0, deletion.size, batch):
        yield _lack(crossing.coded, block, both, (lowest, lowest + batch))


def _lack(
    coded: Coded, coratings: Coratings, both: tuple[Ints, Ints], span: tuple[int, int]
) -> Lack:
    """Return the pairs that lack something without one of the groups from one up to another."""
    first, second = both
    one = np.flatnonzero((first >= span[0]) & (first < span[1]))
    two = np.flatnonzero((second >= span[0]) & (second < span[1]) & (first != second))
    corating = np.concatenate([one, two])
    n_pairs = len(coratings.pairs)
    codes = (np.concatenate([first[one], second[two]]) - span[0]) * n_pairs
    codes += coratings.pair[corating]
    known, entry = distinct(codes, size=(span[1] - span[0]) * n_pairs)
    group, origin = np.divmod(known, max(n_pairs, 1))
    gone = Pairs(
        coratings.pairs.left[origin],
        coratings.pairs.right[origin],
        entry,
        coded.answer[coratings.first[corating]],
        coded.answer[coratings.second[corating]],
        np.ones(len(entry)),
        coded.n_answers,
    )
    return Lack(coratings.pairs, origin, group + span[0], gone, coratings.row[corating])


def _recounted(
    means: Mapping[str, PairMean], crossing: Crossing, block: Coratings, deletion: Deletion
) -> dict[str, _Means]:
    """Return means over pairs without each group, every pair counted anew."""
    pairs = block.pairs
    first, second = deletion.group[block.first], deletion.group[block.second]
    running = dict.fromkeys(means, _Means.of(np.empty(0), deletion.size))
    for one in range(deletion.size) if means else ():
        gone = block.row[(first == one) | (second == one)]
        left = pairs.recounted(pairs.count - np.bincount(gone, minlength=len(pairs.count)))
        for name, mean in means.items():
            numbers = mean.per_pair(left, crossing)
            running[name] = running[name].more(numbers, np.full(len(numbers), one))
    return running
