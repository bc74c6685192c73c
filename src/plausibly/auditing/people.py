"""People unlike all others, and answer styles: straight lines, ends, middle, copies, speed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from plausibly.auditing.design import NO_IDS, affordable
from plausibly.auditing.findings import (
    SHOWN,
    AuditFinding,
    Numbers,
    Section,
    first,
    shown_names,
    unknown,
)
from plausibly.auditing.question import RatedQuestion
from plausibly.io.wording import plural
from plausibly.measures.coded import Floats

Marks = npt.NDArray[np.bool_]
FEWEST_PEOPLE = 5
MOST_COPIES = 4_000_000
LOSES = 0.99
SMALLEST_ERROR = 1e-3


@dataclass(frozen=True, eq=False)
class People:
    """What each person's answers are like, one number per person.

    Args:
        judged: Who has enough ratings to be judged.
        alike: Correlation with the mean of the others; for categories, agreement beyond chance.
        top: Share of the person's commonest answer.
        ends: Share of answers at the ends of the scale.
        middle: Share of answers in the middle of it.
        seconds: Median time of an answer, where times are known.
        suspects: From a kind of finding to who is suspected of it.
        typical: The median of `alike`.
    """

    judged: Marks
    alike: Floats
    top: Floats
    ends: Floats
    middle: Floats
    seconds: Floats | None
    typical: float | None
    suspects: dict[str, Marks] = field(default_factory=dict)

    @property
    def any_suspect(self) -> Marks:
        """Who is suspected of anything."""
        nobody = np.zeros(len(self.judged), np.bool_)
        return np.asarray(np.logical_or.reduce([nobody, *self.suspects.values()]))


def people_of(question: RatedQuestion, numbers: Numbers) -> People:
    """Return what each person's answers are like."""
    judged = question.per_person >= numbers["least_ratings_of_person"]
    alike, error = _alike(question)
    judgeable = judged & np.isfinite(alike)
    typical = float(np.median(alike[judgeable])) if judgeable.any() else None
    top, straight = _straight(question, judged, numbers)
    seconds = _seconds(question)
    own = People(judged, alike, top, *_places(question), seconds, typical)
    own.suspects["straight_lining"] = straight
    own.suspects["people_unlike_others"] = _unlike(own, error, numbers) & ~straight
    own.suspects["copied_answers"] = _copies(question, numbers)
    if seconds is not None:
        own.suspects["fast_answers"] = _fast(seconds, judged, numbers)
    return own


def _alike(question: RatedQuestion) -> tuple[Floats, Floats]:
    """Return how far each person answers as the others do, and its standard error."""
    return _correlations(question) if question.graded else _agreements(question)


def _correlations(question: RatedQuestion) -> tuple[Floats, Floats]:
    others, values = question.by_others, question.values
    if values is None:
        empty = np.full(question.coded.n_annotators, np.nan)
        return empty, empty
    kept = np.isfinite(others)
    person, size = question.coded.annotator[kept], question.coded.n_annotators
    x, y = values[kept], others[kept]
    n = np.bincount(person, minlength=size).astype(np.float64)

    def mean(numbers: Floats) -> Floats:
        total = np.bincount(person, weights=numbers, minlength=size)
        return np.asarray(np.divide(total, n, out=np.full(size, np.nan), where=n > 0))

    dx, dy = x - mean(x)[person], y - mean(y)[person]
    spread = np.sqrt(mean(dx * dx) * mean(dy * dy))
    r = np.divide(mean(dx * dy), spread, out=np.full(size, np.nan), where=spread > 1e-12)
    with np.errstate(invalid="ignore"):
        error = np.where(n > 4, 1 / np.sqrt(np.maximum(n - 3, 1)), np.nan)
    return np.clip(r, -0.999, 0.999), error


def _agreements(question: RatedQuestion) -> tuple[Floats, Floats]:
    """Return each person's agreement with the others on their items, beyond chance."""
    coded = question.coded
    cell = coded.item.astype(np.int64) * coded.n_answers + coded.answer
    _, place, counts = np.unique(cell, return_inverse=True, return_counts=True)
    others = question.per_item[coded.item] - 1
    kept = others > 0
    same = (counts[place] - 1)[kept] / others[kept]
    person, size = coded.annotator[kept], coded.n_annotators
    share = np.bincount(coded.answer) / coded.n_ratings
    chance = float(np.square(share).sum())
    n = np.bincount(person, minlength=size).astype(np.float64)
    total = np.bincount(person, weights=same, minlength=size)
    mean = np.divide(total, n, out=np.full(size, np.nan), where=n > 0)
    squares = np.bincount(person, weights=np.square(same - mean[person]), minlength=size)
    spread = np.divide(squares, n - 1, out=np.full(size, np.nan), where=n > 1)
    beyond = max(1 - chance, 1e-9)
    with np.errstate(invalid="ignore"):
        error = np.sqrt(spread / np.maximum(n, 1)) / beyond
    return (mean - chance) / beyond, error


def _unlike(people: People, error: Floats, numbers: Numbers) -> Marks:
    """Mark who is far less like the others than people are, beyond chance."""
    nobody = np.zeros(len(people.judged), np.bool_)
    known = people.judged & np.isfinite(people.alike) & np.isfinite(error)
    typical = people.typical
    if known.sum() < FEWEST_PEOPLE or typical is None or typical < numbers["typical_at_least"]:
        return nobody
    z = np.arctanh(np.clip(people.alike, -LOSES, LOSES))
    middle = float(np.median(z[known]))
    above = z[known & (z >= middle)]  # suspects are below, and would widen the spread
    between = (1.4826 * float(np.median(above - middle))) ** 2
    noise = float(np.median(np.square(error[known])))
    own = np.square(np.maximum(np.where(known, error, 1.0), SMALLEST_ERROR))
    spread = np.sqrt(max(between - noise, 0.0) + own)
    far = nobody.copy()
    far[known] = _beyond_chance(ndtr((z[known] - middle) / spread[known]))
    certain = np.maximum(error[known], SMALLEST_ERROR)
    far[known] |= _like_nobody(z[known] / certain, middle / certain)
    return known & far & (people.alike < numbers["unlike_at_most"] * typical)


def _like_nobody(own: Floats, typical: Floats) -> Marks:
    """Mark who is not shown to be like the others at all, where anybody typical would be.

    Args:
        own: Each person's likeness, in standard errors.
        typical: The typical likeness, in the same standard errors.
    """
    shown = -float(ndtri(0.05))
    certain = shown - float(ndtri(0.05 / len(own)))
    return (own < shown) & (typical > certain)


def _beyond_chance(p: Floats) -> Marks:
    """Mark the p-values of which at most one in twenty is chance (Benjamini, Hochberg 1995)."""
    order = np.argsort(p)
    within = p[order] <= 0.05 * np.arange(1, len(p) + 1) / len(p)
    marks = np.zeros(len(p), np.bool_)
    if within.any():
        marks[order[: int(np.flatnonzero(within)[-1]) + 1]] = True
    return marks


def _straight(question: RatedQuestion, judged: Marks, numbers: Numbers) -> tuple[Floats, Marks]:
    """Return the share of each person's commonest answer, and who has nearly no other.

    Where nearly everyone gives the same answer, so may everyone: those are marked whose line would
    be rare if they gave that answer as often as the others did on the same items.
    """
    coded = question.coded
    own = coded.annotator.astype(np.int64) * coded.n_answers + coded.answer
    size = coded.n_annotators
    cells, counts = np.unique(own, return_counts=True)
    person, answer = cells // coded.n_answers, cells % coded.n_answers
    order = np.lexsort((-counts, person))
    firsts = order[np.unique(person[order], return_index=True)[1]]
    top, commonest = counts[firsts], answer[firsts]
    share = top / question.per_person
    usual = _usual(question, commonest)
    chance = binom.sf(top - 1, question.per_person, usual)
    rare = chance < numbers["chance_at_most"] / max(size, 1)
    return share, judged & (share >= numbers["straight_at_least"]) & rare


def _usual(question: RatedQuestion, commonest: npt.NDArray[np.int64]) -> Floats:
    """Return how often the others give each person's commonest answer to the same items."""
    coded = question.coded
    cell = coded.item.astype(np.int64) * coded.n_answers
    given = np.unique(cell + coded.answer, return_counts=True)
    wanted = cell + commonest[coded.annotator]
    place = np.minimum(np.searchsorted(given[0], wanted), len(given[0]) - 1)
    count = np.where(given[0][place] == wanted, given[1][place], 0)
    mine = coded.answer == commonest[coded.annotator]
    marginal = np.bincount(coded.answer, minlength=coded.n_answers) / coded.n_ratings
    others = question.per_item[coded.item] - 1
    share = (count - mine + marginal[commonest[coded.annotator]]) / (others + 1)
    total = np.bincount(coded.annotator, weights=share, minlength=coded.n_annotators)
    return np.clip(total / question.per_person, 1e-6, 1 - 1e-6)


def _places(question: RatedQuestion) -> tuple[Floats, Floats]:
    """Return the shares of each person's answers at the ends and in the middle of the scale."""
    values, size = question.values, question.coded.n_annotators
    if values is None or not question.graded:
        empty = np.full(size, np.nan)
        return empty, empty
    low, high = question.bounds
    at_end = (values <= low) | (values >= high)
    in_middle = np.abs(values - (low + high) / 2) < 1e-9
    person = question.coded.annotator
    shares = [
        np.bincount(person, weights=mark, minlength=size) / question.per_person
        for mark in (at_end.astype(np.float64), in_middle.astype(np.float64))
    ]
    return shares[0], shares[1]


def _seconds(question: RatedQuestion) -> Floats | None:
    if "seconds" not in question.ratings.columns or question.ratings["seconds"].count() == 0:
        return None
    frame = pl.DataFrame({"person": question.coded.annotator, "s": question.ratings["seconds"]})
    medians = frame.group_by("person").agg(pl.col("s").median()).sort("person")["s"]
    return medians.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _fast(seconds: Floats, judged: Marks, numbers: Numbers) -> Marks:
    known = judged & np.isfinite(seconds)
    if known.sum() < FEWEST_PEOPLE:
        return np.zeros(len(judged), np.bool_)
    typical = float(np.median(seconds[known]))
    with np.errstate(invalid="ignore"):
        return known & (seconds < numbers["fast_at_most"] * typical)


def _copies(question: RatedQuestion, numbers: Numbers) -> Marks:
    """Mark pairs of people who gave the same answers to all items they share, beyond chance."""
    coded = question.coded
    nobody = np.zeros(coded.n_annotators, np.bool_)
    kept = affordable(question.per_item, MOST_COPIES)[coded.item]
    columns = {"i": coded.item[kept], "p": coded.annotator[kept], "a": coded.answer[kept]}
    rows = pl.DataFrame(columns)
    pairs = rows.join(rows, on="i", suffix="_2").filter(pl.col("p") < pl.col("p_2"))
    if pairs.is_empty():
        return nobody
    usual = float((pairs["a"] == pairs["a_2"]).mean() or 0.0)  # type: ignore[arg-type]
    counted = pairs.group_by("p", "p_2").agg(n=pl.len(), same=(pl.col("a") == pl.col("a_2")).all())
    least = max(numbers["least_ratings_of_person"], _needed(usual, counted.height, numbers))
    same = counted.filter(pl.col("same") & (pl.col("n") >= least))
    nobody[same["p"].to_numpy()] = True
    nobody[same["p_2"].to_numpy()] = True
    return nobody


def _needed(usual: float, pairs: int, numbers: Numbers) -> float:
    """Return how many equal answers are beyond chance in so many pairs.

    Two people who judge alike agree more often than two at random: half the way from the usual
    agreement to full agreement is granted to every pair.
    """
    granted = min((1 + usual) / 2, 0.999)
    return float(np.log(numbers["chance_at_most"] / pairs) / np.log(granted))


def _unjudged(people: People, numbers: Numbers) -> str | None:
    """Return why nobody could stand out, where that is so."""
    judged = int(people.judged.sum())
    if judged < FEWEST_PEOPLE:
        if not judged:
            return "Nobody gave enough ratings to be judged."
        return (
            f"Only {plural(judged, 'person')} gave enough ratings to be judged, too few to compare "
            "one with the others."
        )
    if people.typical is None or people.typical < numbers["typical_at_least"]:
        likeness = "not defined" if people.typical is None else f"{people.typical:.2f}"
        return f"People hardly answer alike (typical likeness {likeness}), so nobody can stand out."
    return None


def people_section(question: RatedQuestion, people: People | None, numbers: Numbers) -> Section:
    """Return people and answer styles in numbers."""
    if people is None:
        return {"known": False, "suspect_share": unknown(NO_IDS), "reason": NO_IDS}
    suspects, judged = people.any_suspect, int(people.judged.sum())
    share = float(question.per_person[suspects].sum() / question.coded.n_ratings)
    count = int(suspects.sum())
    what = f"None of the {judged:,} people who could be judged stands out."
    if count:
        what = (
            f"Of {judged:,} people who could be judged, {count:,} should be looked at before their "
            f"answers are used; {share:.1%} of the ratings are theirs."
        )
    measure: Section = {"value": share, "suspects": count, "judged": judged, "what": what}
    if not count and (reason := _unjudged(people, numbers)):
        measure = unknown(reason)
    return {
        "known": True,
        "suspect_share": measure,
        "typical_likeness": people.typical,
        "items_searched_for_copies": int(affordable(question.per_item, MOST_COPIES).sum()),
        "suspects": {kind: int(marks.sum()) for kind, marks in people.suspects.items()},
        "styles": {
            "commonest_answer": _quartiles(people.top[people.judged]),
            "ends": _quartiles(people.ends[people.judged]),
            "middle": _quartiles(people.middle[people.judged]),
            "seconds": None if people.seconds is None else _quartiles(people.seconds),
        },
    }


def _quartiles(shares: Floats) -> Section | None:
    known = shares[np.isfinite(shares)]
    if not len(known):
        return None
    names = ("least", "lower_quartile", "median", "upper_quartile", "most")
    return dict(zip(names, np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist(), strict=True))


MESSAGES = {
    "people_unlike_others": "{who} {answer} unlike all others (likeness below {least:.2f}; the "
    "typical likeness is {typical:.2f})",
    "straight_lining": "{who} gave one answer at least {line:.0%} of the time",
    "copied_answers": "{who} gave the same answers as somebody else to all items they share",
    "fast_answers": "{who} took less than {fast:.0%} of the typical time",
}


def people_findings(
    question: RatedQuestion, people: People, numbers: Numbers
) -> Iterator[AuditFinding]:
    """Yield who is suspected of what."""
    names = [*shown_names(question.coded.annotators.to_list())]
    for kind, marks in people.suspects.items():
        count = int(marks.sum())
        if not count:
            continue
        share = float(question.per_person[marks].sum() / question.coded.n_ratings)
        typical = people.typical or 0.0
        what = MESSAGES[kind].format(
            who=plural(count, "person"),
            answer="answers" if count == 1 else "answer",
            typical=typical,
            least=numbers["unlike_at_most"] * typical,
            line=numbers["straight_at_least"],
            fast=numbers["fast_at_most"],
        )
        yield AuditFinding(
            kind,
            "serious" if share >= numbers["serious_share"] else "minor",
            f"{what}; {share:.1%} of the ratings are theirs.",
            count,
            first([names[place] for place in np.flatnonzero(marks)[:SHOWN]]),
            "people",
        )
