"""The expert pass: a sample judged again, compared with the crowd, and decided with reasons.

The study of Emami et al. (2021, section 4.2): two experts label the same random items under the
crowd's instructions; kappa between them, of the labels they agree on against the crowd's, and of
each expert against the crowd.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import polars as pl

from plausibly.domain import Measure
from plausibly.errors import StudyError
from plausibly.measures.coded import code
from plausibly.measures.cohen import cohen_kappa
from plausibly.measures.jaccard import NO_SIDE, Sides, side_of
from plausibly.measures.resampling import Resampling
from plausibly.tables import ITEMS, LABELS, RATINGS

CROWD = "crowd"
KEY = ("item", "question")
DIRECTIONS = ("same", "same side", "conflicting", "one undecided")


def sample_for_experts(items: pl.DataFrame, *, size: int, seed: int) -> pl.DataFrame:
    """Return `size` items drawn at random; probes are not drawn. Same seed, same items.

    Items go by the digest of seed and name, so that neither row order nor further columns matter.
    """
    pool = ITEMS.check(items).filter(pl.col("kind") == "item")
    if not 0 < size <= pool.height:
        raise StudyError(f"there are {pool.height} items to draw from; got a size of {size}.")
    names = sorted(pool["item"].to_list(), key=lambda item: (_digest(f"{seed}|{item}"), item))
    return ITEMS.sort(pool.filter(pl.col("item").is_in(names[:size])))


def _digest(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class ExpertStudy:
    """How far experts agree with each other and with the crowd.

    Args:
        experts: Their names.
        items: Items (and questions) all of them judged.
        between: Kappa between experts; the mean over pairs of more than two.
        agreed: Share of the items on which all experts give one answer.
        agreed_with_crowd: Kappa of these answers against the crowd's labels.
        with_crowd: Kappa of each expert against the crowd's labels.
        unlabelled: Items of them the crowd has no label for; the crowd's kappas leave them out.
        directions: For each two, how their answers lie to each other.
    """

    experts: tuple[str, ...]
    items: int
    between: Measure
    agreed: Measure
    agreed_with_crowd: Measure
    with_crowd: Mapping[str, Measure]
    unlabelled: int
    directions: Mapping[str, Mapping[str, int]]

    def as_json(self) -> dict[str, object]:
        """Return the study as `--json` prints it."""
        return {
            "experts": list(self.experts),
            "items": self.items,
            "kappa_between_experts": self.between.as_json(),
            "agreed": self.agreed.as_json(),
            "kappa_agreed_with_crowd": self.agreed_with_crowd.as_json(),
            "kappa_with_crowd": {name: m.as_json() for name, m in self.with_crowd.items()},
            "unlabelled": self.unlabelled,
            "directions": {pair: dict(counts) for pair, counts in self.directions.items()},
        }


def compare_experts(
    judgements: pl.DataFrame,
    labels: pl.DataFrame,
    *,
    sides: Sides | None = None,
) -> ExpertStudy:
    """Return how far experts agree with each other and with the crowd's labels.

    Args:
        judgements: A ratings table, the experts being its annotators.
        labels: The crowd's labels, by one method.
        sides: Groups of answers that point one way, for the direction of disagreements.
    """
    plan = Resampling(units="items")
    wide, experts = _side_by_side(judgements, labels)
    labelled = wide.drop_nulls(CROWD)
    agreed = pl.all_horizontal(pl.col(name) == pl.col(experts[0]) for name in experts)
    same = wide.filter(agreed)
    share = Measure(same.height / wide.height, wide.height)
    people = (*experts, CROWD)
    return ExpertStudy(
        experts=experts,
        items=wide.height,
        between=_kappa(wide, experts, plan),
        agreed=share,
        agreed_with_crowd=_kappa(same.drop_nulls(CROWD), (experts[0], CROWD), plan),
        with_crowd={name: _kappa(labelled, (name, CROWD), plan) for name in experts},
        unlabelled=wide.height - labelled.height,
        directions={
            f"{one} - {two}": _directions(wide.select(one, two).drop_nulls(), sides)
            for one, two in combinations(people, 2)
        },
    )


def _side_by_side(
    judgements: pl.DataFrame, labels: pl.DataFrame
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return one column per expert and one for the crowd, a row per item all experts judged."""
    judgements, labels = RATINGS.check(judgements), LABELS.check(labels)
    experts = tuple(judgements["annotator"].unique().sort().to_list())
    methods = labels["method"].unique().to_list()
    if len(experts) < 2 or CROWD in experts:
        raise StudyError(f"a comparison needs two experts or more; got {', '.join(experts)}.")
    if len(methods) > 1:
        raise StudyError(f"labels by {len(methods)} methods ({', '.join(methods)}). Pass one.")
    wide = judgements.group_by(KEY).agg(
        pl.col("answer").filter(pl.col("annotator") == name).first().alias(name) for name in experts
    )
    wide = wide.drop_nulls(list(experts)).join(
        labels.select(*KEY, pl.col("label").alias(CROWD)), on=KEY, how="left"
    )
    if wide.is_empty():
        raise StudyError(f"there is no item that all of {', '.join(experts)} judged.")
    return wide.sort(KEY), experts


def _kappa(wide: pl.DataFrame, people: tuple[str, ...], plan: Resampling) -> Measure:
    if wide.is_empty():
        return Measure(None, 0, reason="there is no such item")
    item = pl.concat_str(KEY, separator="\x1f").alias("item")
    long = wide.select(item, *people).unpivot(
        index="item", variable_name="annotator", value_name="answer"
    )
    return cohen_kappa(code(long), resampling=plan)


def _directions(pairs: pl.DataFrame, sides: Sides | None) -> dict[str, int]:
    counts = Counter(direction(one, two, sides) for one, two in pairs.iter_rows())
    return {name: counts[name] for name in DIRECTIONS}


def direction(one: str, two: str, sides: Sides | None) -> str:
    """Return how two answers lie to each other.

    >>> from plausibly.measures.jaccard import parse_sides
    >>> sides = parse_sides("0,1|3,4")
    >>> [direction(*pair, sides) for pair in ("33", "34", "13", "23")]
    ['same', 'same side', 'conflicting', 'one undecided']
    """
    if one == two:
        return "same"
    if sides is None:
        return "conflicting"
    first, second = side_of([one, two], sides).tolist()
    if NO_SIDE in (first, second):
        return "one undecided"
    return "same side" if first == second else "conflicting"


def disagreements(
    judgements: pl.DataFrame, labels: pl.DataFrame, *, sides: Sides | None = None
) -> pl.DataFrame:
    """Return the items on which experts differ, from each other or from the crowd.

    Columns: item, question, one per expert, crowd, and `direction`, the widest of the
    differences: conflicting before one undecided before same side.
    """
    wide, experts = _side_by_side(judgements, labels)
    people = (*experts, CROWD)
    widest = [
        _widest([a for a in row if a is not None], sides) for row in wide.select(people).rows()
    ]
    directed = wide.with_columns(direction=pl.Series(widest, dtype=pl.String))
    return directed.filter(pl.col("direction") != "same")


def _widest(answers: list[str], sides: Sides | None) -> str:
    found = {direction(one, two, sides) for one, two in combinations(answers, 2)}
    order = ("conflicting", "one undecided", "same side", "same")
    return next((name for name in order if name in found), "same")
