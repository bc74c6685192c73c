"""When ratings cannot support a posterior, and why."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.measures.coded import Coded, Codes

Mask = npt.NDArray[np.bool_]

OF_CLASSES = ("dawid-skene", "glad", "mace", "one-coin")
# On simulated crowds, ratings that differ lie .68 to .80 of the distance by chance apart on scales,
# and .90 to 1.05 of it without an order (.54 if labels that are confused are neighbours).
NEIGHBOURS, FEWEST_POINTS, FEWEST_PAIRS = 0.85, 4, 50
MOST_ITEMS = 200_000


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


def supported(coded: Coded, *, method: str, pooled: bool) -> Mask:
    """Return whether each item's ratings can support a posterior.

    One rating cannot: nothing shows whether it is right. Neither can ratings by annotators who
    rated nothing else, fewer ratings than numbers to learn, or points of a scale that a method
    takes for classes, unless it shrinks annotators towards the crowd.

    Args:
        coded: The ratings of one question.
        method: Name of the label method.
        pooled: Whether the method shrinks annotators towards the crowd.
    """
    several = _ratings_of_items(coded) > 1
    if pooled:
        return several
    if _too_many(coded, method) or (method in OF_CLASSES and on_scale(coded)):
        return np.zeros_like(several)
    return several & _by_known(coded)


def _by_known(coded: Coded) -> Mask:
    """Return whether each item was rated by an annotator who rated more."""
    known = _ratings_of_annotators(coded)[coded.annotator] > 1
    return np.asarray(np.bincount(coded.item[known], minlength=coded.n_items) > 0)


def doubts(coded: Coded, question: str, *, method: str, pooled: bool) -> tuple[str, ...]:
    """Return what the ratings of a question cannot support, one sentence or two each.

    Args:
        coded: The ratings of one question.
        question: Its name.
        method: Name of the label method.
        pooled: Whether the method shrinks annotators towards the crowd.
    """
    sentences = (
        *_about_annotators(coded, pooled=pooled),
        *_about_groups(coded),
        *_about_parameters(coded, method, pooled=pooled),
        *_about_items(coded, pooled=pooled),
        *_about_scale(coded, method, pooled=pooled),
    )
    return tuple(f"question {question!r}: {sentence}" for sentence in sentences)


def _about_annotators(coded: Coded, *, pooled: bool) -> Iterator[str]:
    alone, single = strangers(coded), single_raters(coded)
    if not alone.is_empty():
        yield (
            f"{len(alone)} of {coded.n_annotators} annotators share no item with anybody "
            f"(first: {alone[0]!r}). Nothing shows how competent they are."
        )
    if not single.is_empty():
        effect = "They count as average members of the crowd." if pooled else "Prefer a prior."
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


def on_scale(coded: Coded) -> bool:
    """Return whether answers are numbers, and unequal ratings of an item mostly neighbours."""
    if coded.n_answers < FEWEST_POINTS:
        return False
    apart, by_chance, pairs = _distances(coded)
    return pairs >= FEWEST_PAIRS and apart < NEIGHBOURS * by_chance


def _about_scale(coded: Coded, method: str, *, pooled: bool) -> Iterator[str]:
    """Yield a sentence if a model of classes meets points of a scale.

    Two ratings of an item between two points differ although nobody erred. A model of classes
    takes this for errors that it learns to explain, and is too sure of the item.
    """
    if method in OF_CLASSES and on_scale(coded):
        apart, by_chance, _ = _distances(coded)
        effect = ":" if pooled else ". Support is null:"
        yield (
            f"ratings that differ are mostly neighbouring numbers ({apart:.1f} points apart on "
            f"average, {by_chance:.1f} by chance). If the answers are points of a scale, {method} "
            f"is too sure of items that lie between two points{effect} use ordinal."
            f"{' If they are classes, its support is too low.' if pooled else ''}"
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
