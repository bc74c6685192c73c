"""When ratings cannot support a posterior, and why."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.labels._layout import Layout
from plausibly.labels._ordered import fit
from plausibly.labels.results import Effort
from plausibly.measures.coded import Coded, Codes

Mask = npt.NDArray[np.bool_]

OF_CLASSES = ("dawid-skene", "glad", "mace", "one-coin")
# How far unequal ratings of an item lie apart, as a share of the distance by chance. On simulated
# crowds: .68 to .92 on scales, .95 to 1.08 for labels without an order, .52 to .90 where errors go
# to neighbouring labels.
NEIGHBOURS, PERHAPS = 0.85, 0.95
FEWEST_POINTS, FEWEST_PAIRS = 4, 50
MOST_ITEMS, MOST_RATINGS, MOST_CELLS = 200_000, 200_000, 20_000
TRIAL = Effort(iterations=20)


def n_parameters(method: str, coded: Coded) -> int | None:
    """Return how many numbers a method learns; None for a method without a count.

    Args:
        method: Name of the label method.
        coded: The ratings of one question.
    """
    people, labels = int(_rated(coded).sum()), coded.n_answers
    shares = max(labels - 1, 0)
    learnt = {
        "dawid-skene": people * labels * shares + shares,
        "one-coin": people + shares,
        "mace": people * labels,
        "glad": people + len(np.unique(coded.item)),
    }
    return learnt.get(method)


def single_raters(coded: Coded) -> pl.Series:
    """Return the annotators with exactly one rating."""
    return coded.annotators.filter(pl.Series(_ratings_of_annotators(coded) == 1))


def strangers(coded: Coded) -> pl.Series:
    """Return the annotators who share no item with anybody."""
    shared = _ratings_of_items(coded)[coded.item] > 1
    meets = np.bincount(coded.annotator[shared], minlength=coded.n_annotators) > 0
    return coded.annotators.filter(pl.Series(_rated(coded) & ~meets))


def groups(coded: Coded) -> Codes:
    """Return the group of each annotator: the first annotator it is linked to by shared items.

    Two annotators are linked if they rated the same item, or are both linked to a third.

    >>> from plausibly.measures.coded import code
    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t2", "t3", "t3"],
    ...                         "annotator": list("acbbd"), "answer": list("xxxyy")})
    >>> groups(code(ratings)).tolist()
    [0, 1, 0, 1]
    """
    group = np.arange(coded.n_annotators, dtype=np.int32)
    while True:
        of_item = np.full(coded.n_items, coded.n_annotators, dtype=np.int32)
        np.minimum.at(of_item, coded.item, group[coded.annotator])
        lower = group.copy()
        np.minimum.at(lower, coded.annotator, of_item[coded.item])
        lower = lower[lower]
        if np.array_equal(lower, group):
            return group
        group = lower


def supported(coded: Coded, *, method: str, pooled: bool, scale: bool = False) -> Mask:
    """Return whether each item's ratings can support a posterior.

    One rating cannot: nothing shows whether it is right. Neither can points of a scale that the
    method takes for classes. Unless it shrinks annotators towards the crowd, neither can ratings by
    annotators who rated nothing else, or fewer ratings than numbers to learn.

    Args:
        coded: The ratings of one question.
        method: Name of the label method.
        pooled: Whether the method shrinks annotators towards the crowd.
        scale: Whether the method takes points of a scale for classes.
    """
    several = _ratings_of_items(coded) > 1
    if scale or (_too_many(coded, method) and not pooled):
        return np.zeros_like(several)
    if pooled:
        return several
    return several & _by_known(coded)


def _by_known(coded: Coded) -> Mask:
    """Return whether each item was rated by an annotator who rated more."""
    known = _ratings_of_annotators(coded)[coded.annotator] > 1
    return np.asarray(np.bincount(coded.item[known], minlength=coded.n_items) > 0)


def doubts(
    coded: Coded, question: str, *, method: str, pooled: bool, scale: bool = False
) -> tuple[str, ...]:
    """Return what the ratings of a question cannot support, one sentence or two each.

    Args:
        coded: The ratings of one question.
        question: Its name.
        method: Name of the label method.
        pooled: Whether the method shrinks annotators towards the crowd.
        scale: Whether the method takes points of a scale for classes.
    """
    sentences = (
        *_about_annotators(coded, pooled=pooled),
        *_about_groups(coded),
        *_about_parameters(coded, method, pooled=pooled),
        *_about_items(coded, pooled=pooled),
        *(_about_scale(coded, method, pooled=pooled) if scale else ()),
    )
    return tuple(f"question {question!r}: {sentence}" for sentence in sentences)


def about_contrary(question: str, *, pooled: bool) -> Iterator[str]:
    """Yield a sentence about annotators who agree less than by chance.

    Args:
        question: Name of the question.
        pooled: Whether the method shrinks annotators towards the crowd.
    """
    instead = "Labels are those of plurality" if pooled else "Use plurality"
    yield (
        f"question {question!r}: annotators agree less than by chance, as if only items they "
        "disagree about were here. Nothing shows whose answers are right, so support is null. "
        f"{instead}; better, label these items together with the others."
    )


def _about_annotators(coded: Coded, *, pooled: bool) -> Iterator[str]:
    alone, single = strangers(coded), single_raters(coded)
    if not alone.is_empty():
        yield (
            f"{len(alone)} of {coded.n_annotators} annotators share no item with anybody "
            f"(first: {alone[0]!r}). Nothing shows how competent they are."
        )
    if not single.is_empty():
        effect = (
            "They count as average members of the crowd."
            if pooled
            else "dawid-skene and one-coin, with their prior, take them for average members."
        )
        yield (
            f"{len(single)} of {coded.n_annotators} annotators have one rating "
            f"(first: {single[0]!r}), which cannot show how competent they are. {effect}"
        )


def _about_groups(coded: Coded) -> Iterator[str]:
    sizes = np.bincount(groups(coded)[_rated(coded)], minlength=1)
    several = int((sizes > 1).sum())
    if several > 1:
        yield (
            f"the annotators fall into {several} groups that share no item (largest: "
            f"{sizes.max()} annotators). Competences of different groups cannot be compared."
        )


def _about_parameters(coded: Coded, method: str, *, pooled: bool) -> Iterator[str]:
    if not _too_many(coded, method):
        return
    effect = (
        "Annotators are shrunk towards the crowd."
        if pooled
        else "Its posteriors are too sure, so support is null: use plurality, or dawid-skene with "
        "its prior."
    )
    learnt = n_parameters(method, coded)
    yield f"{method} learns {learnt} numbers from {coded.n_ratings} ratings. {effect}"


def _too_many(coded: Coded, method: str) -> bool:
    """Return whether a method learns more numbers than there are ratings."""
    learnt = n_parameters(method, coded)
    return learnt is not None and coded.n_ratings < learnt


def _about_items(coded: Coded, *, pooled: bool) -> Iterator[str]:
    ratings = _ratings_of_items(coded)
    alone = coded.items.filter(pl.Series(ratings == 1))
    if not alone.is_empty():
        yield (
            f"{len(alone)} of {coded.n_items} items have one rating (first: {alone[0]!r}). "
            "Their support is null: nothing shows whether the rating is right."
        )
    unknown = coded.items.filter(pl.Series((ratings > 1) & ~_by_known(coded)))
    if not (pooled or unknown.is_empty()):
        yield (
            f"{len(unknown)} of {coded.n_items} items were rated only by annotators who rated "
            f"nothing else (first: {unknown[0]!r}). Their support is null."
        )


def on_scale(coded: Coded, *, below: float = NEIGHBOURS) -> bool:
    """Return whether answers are numbers, and unequal ratings of an item mostly neighbours.

    Args:
        coded: The ratings of one question.
        below: The share of the distance by chance that is small enough.
    """
    if coded.n_answers < FEWEST_POINTS:
        return False
    apart, by_chance, pairs = _distances(coded)
    return pairs >= FEWEST_PAIRS and apart < below * by_chance


def better_on_scale(coded: Coded, layout: Layout, log_likelihood: float | None) -> bool:
    """Return whether a model of a scale predicts the ratings better than a method for classes.

    Two ratings of an item between two points differ although nobody erred. A model of classes
    takes this for errors that it learns to explain, and is too sure of the item. If there are too
    many ratings to try, those that differ are only compared with chance (`on_scale`).

    Args:
        coded: The ratings of one question.
        layout: The same, laid out.
        log_likelihood: Of the ratings of items left out, under the method.
    """
    if log_likelihood is None or not on_scale(coded, below=PERHAPS):
        return False
    if _too_large(coded):
        return on_scale(coded)
    return fit(layout, TRIAL).evidence() > log_likelihood


def _too_large(coded: Coded) -> bool:
    cells = coded.n_annotators * coded.n_answers
    return coded.n_ratings > MOST_RATINGS or cells > MOST_CELLS


def _about_scale(coded: Coded, method: str, *, pooled: bool) -> Iterator[str]:
    """Yield a sentence about points of a scale that a method takes for classes."""
    apart, by_chance, _ = _distances(coded)
    sure = "too sure of items that lie between two points"
    if pooled and not _too_large(coded):
        effect = f", and ordinal predicts the ratings better than {method}. {method} is {sure}, so"
        effect += " support is null: use ordinal."
    else:
        classes = "" if pooled else ", or dawid-skene with its prior if the answers are classes"
        effect = f". If they are, {method} is {sure}. Support is null: use ordinal{classes}."
    yield (
        f"the answers look like points of a scale: ratings that differ are {apart:.2f} points "
        f"apart on average ({by_chance:.2f} by chance){effect}"
    )


def _distances(coded: Coded) -> tuple[float, float, int]:
    """Return how many points unequal ratings of an item lie apart, the same by chance, and pairs.

    Points are counted in the order of the numbers, not by their size; words have none. The first
    200,000 items are enough.
    """
    if coded.values is None:
        return 0.0, 0.0, 0
    order, size = np.argsort(np.argsort(coded.values)), coded.n_answers
    few = coded.item < MOST_ITEMS
    cells = coded.item[few].astype(np.int64) * size + order[coded.answer[few]]
    items = min(coded.n_items, MOST_ITEMS)
    counts = np.bincount(cells, minlength=items * size).reshape(-1, size).astype(float)
    together, totals = counts.T @ counts, counts.sum(axis=0)
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    unequal = distance > 0
    pairs = float(together[unequal].sum())
    if pairs == 0:
        return 0.0, 0.0, 0
    chance = np.outer(totals, totals)
    means = [float((t * distance).sum() / t[unequal].sum()) for t in (together, chance)]
    return means[0], means[1], int(pairs) // 2


def _ratings_of_items(coded: Coded) -> npt.NDArray[np.int64]:
    return np.bincount(coded.item, minlength=coded.n_items)


def _ratings_of_annotators(coded: Coded) -> npt.NDArray[np.int64]:
    return np.bincount(coded.annotator, minlength=coded.n_annotators)


def _rated(coded: Coded) -> Mask:
    return _ratings_of_annotators(coded) > 0
