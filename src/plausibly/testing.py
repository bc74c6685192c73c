"""Laws for code from outside: run them on your label method, measure of agreement or rule.

Call these functions in your tests. Each one generates small crowds and raises an AssertionError
that names the law and the smallest crowd that breaks it:

    from plausibly.testing import check_label_method

    def test_loudest() -> None:
        check_label_method("mylab:loudest", least=2)

They need the extra `testing`: pip install 'plausibly[testing]'.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isclose, isfinite
from random import Random
from typing import Any

import polars as pl

from plausibly.cleaning import Cleaned, Context, Rule, RuleSpec
from plausibly.cleaning import clean as apply_rules
from plausibly.cleaning.presets import Flagging, rules_passed
from plausibly.errors import MissingExtra
from plausibly.measures.checks import same
from plausibly.measures.jaccard import parse_sides
from plausibly.study.verb import declared
from plausibly.tables import ITEMS, RATINGS
from plausibly.verbs.agree import agree
from plausibly.verbs.label import Labelled, label

EXAMPLES = 25
KEY = list(RATINGS.key)
NOBODY = "-"
ORDER = "the order of rows and the names of annotators do not matter"
ANSWERS = "1245"
PEOPLE = 5

Rows = list[str]
"""One text per item: the answer of each annotator, with `-` where there is none."""


def check_label_method(
    method: str | Callable[..., Any], *, examples: int = EXAMPLES, **options: Any
) -> None:
    """Raise unless a label method obeys the laws of all label methods.

    No item is lost or added; the order of rows and the names of annotators do not matter; an
    answer that all annotators gave is kept; the same seed gives the same table.

    Args:
        method: A function, `package.module:NAME`, or the name of a method.
        examples: Crowds to generate for each law.
        options: What the method takes.
    """

    def labels_of(ratings: pl.DataFrame) -> pl.DataFrame:
        labelled: Labelled = declared(label).call(ratings, method=method, **options)
        return labelled.labels

    def laws(rows: Rows, seed: int) -> None:
        ratings = crowd(rows)
        labels = labels_of(ratings)
        key = ["item", "question"]
        expected = ratings.select(key).unique().sort(key)
        _require(labels.select(key).sort(key).equals(expected), "no item is lost or added", rows)
        _require(labels.equals(labels_of(ratings)), "the same seed gives the same table", rows)
        other = labels_of(disguised(ratings, seed))
        _require(_labels(labels) == _labels(other), ORDER, rows)

    def unanimity(rows: Rows) -> None:
        answers = [next(one for one in row if one != NOBODY) for row in rows]
        agreed = [answer * PEOPLE for answer in answers]
        labels = _labels(labels_of(crowd(agreed)))
        for place, answer in enumerate(answers):
            kept = labels[_item(place), "rating"]
            _require(
                kept is not None and same(kept, answer),
                f"unanimous answers are kept: all gave {answer!r}, the label is {kept!r}",
                agreed,
            )

    _run(laws, examples, seeded=True)
    _run(unanimity, examples)


def check_measure(measure: str | Callable[..., Any], *, examples: int = EXAMPLES) -> None:
    """Raise unless a measure of agreement obeys the laws of all measures.

    Perfect agreement on varied answers has a finite value; the order of rows and the names of
    annotators do not matter; the same ratings give the same value.

    Args:
        measure: A function, `package.module:NAME`, or the name of a measure.
        examples: Crowds to generate for each law.
    """

    def values_of(ratings: pl.DataFrame) -> dict[str, float | None]:
        scores = agree(ratings, measures=[measure], resamples=0).scores
        return dict(scores.select("measure", "value").iter_rows())

    def laws(rows: Rows, seed: int) -> None:
        ratings = crowd(rows)
        values = values_of(ratings)
        _require(_alike(values, values_of(ratings)), "the same ratings give the same value", rows)
        _require(_alike(values, values_of(disguised(ratings, seed))), ORDER, rows)

    def perfection(rows: Rows) -> None:
        del rows
        agreed = [answer * PEOPLE for answer in ANSWERS * 2]
        values = values_of(crowd(agreed))
        for name, value in values.items():
            _require(
                value is not None and isfinite(value),
                f"perfect agreement has a finite value: {name} is {value}",
                agreed,
            )

    _run(perfection, 1)
    _run(laws, examples, seeded=True)


def check_rule(rule: str | Rule | Flagging, *, examples: int = EXAMPLES, **options: Any) -> None:
    """Raise unless a cleaning rule obeys the laws of all rules.

    It flags only ratings that exist; what is kept and what is set aside are all ratings; the
    order of rows and the names of annotators do not matter.

    Args:
        rule: A rule, a function from ratings to those it flags, `package.module:NAME`, or the
            name of a rule.
        examples: Crowds to generate for each law.
        options: Parameters of a rule that was named.
    """
    own = RuleSpec(rule, options).build() if isinstance(rule, str) else _ready(rule)

    def laws(rows: Rows, seed: int) -> None:
        ratings = crowd(rows)
        cleaned = _cleaned(ratings, own)
        raw = cleaned.stages[0].ratings
        strangers = own.find(raw, cleaned.context).join(raw, on=KEY, how="anti")
        _require(strangers.is_empty(), "a rule flags only ratings that exist", rows)
        kept, aside = (frame.select(KEY) for frame in (cleaned.ratings, cleaned.exclusions))
        _require(
            pl.concat([kept, aside]).sort(KEY).equals(ratings.select(KEY).sort(KEY)),
            "kept and excluded ratings are all ratings",
            rows,
        )
        back = dict(zip(_names(seed), _names(None), strict=True))
        other = _cleaned(disguised(ratings, seed), own).ratings.select(KEY)
        other = other.with_columns(pl.col("annotator").replace(back))
        _require(other.sort(KEY).equals(kept.sort(KEY)), ORDER, rows)

    _run(laws, examples, seeded=True)


def crowd(rows: Rows) -> pl.DataFrame:
    """Return ratings with answer, value, time and seconds.

    Args:
        rows: One text per item: the answer of each annotator, with `-` where there is none.

    >>> crowd(["5-", "12"]).select("item", "annotator", "answer").rows()
    [('t0', 'a0', '5'), ('t1', 'a0', '1'), ('t1', 'a1', '2')]
    """
    answers = [
        (_item(place), _names(None)[person], answer, 1.0 + person + place)
        for place, row in enumerate(rows)
        for person, answer in enumerate(row)
        if answer != NOBODY
    ]
    frame = pl.DataFrame(answers, ["item", "annotator", "answer", "seconds"], orient="row")
    hour = (pl.col("seconds").cast(pl.Int64) % 24).cast(pl.String).str.zfill(2)
    return RATINGS.check(
        frame.with_columns(
            question=pl.lit("rating"),
            value=pl.col("answer").cast(pl.Float64),
            submitted=pl.format("2026-01-01T{}:00:00", hour),
        )
    )


def disguised(ratings: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Return the ratings in another order, under other names of annotators.

    Args:
        ratings: Ratings of `crowd`.
        seed: Decides the order and the names.
    """
    names = dict(zip(_names(None), _names(seed), strict=True))
    order = list(range(ratings.height))
    Random(seed).shuffle(order)  # noqa: S311
    return ratings[order].with_columns(pl.col("annotator").replace(names))


def _item(place: int) -> str:
    return f"t{place}"


def _names(seed: int | None) -> list[str]:
    """Return the names of annotators, or other ones in an order that a seed decides."""
    if seed is None:
        return [f"a{person}" for person in range(PEOPLE)]
    names = [f"p{person}" for person in range(PEOPLE)]
    Random(seed).shuffle(names)  # noqa: S311
    return names


def _labels(labels: pl.DataFrame) -> dict[tuple[str, str], str | None]:
    return {(item, q): one for item, q, one in labels.select("item", "question", "label").rows()}


def _alike(one: Mapping[str, float | None], two: Mapping[str, float | None]) -> bool:
    def close(first: float | None, second: float | None) -> bool:
        if first is None or second is None:
            return first is second
        return isclose(first, second, rel_tol=1e-9, abs_tol=1e-9)

    return one.keys() == two.keys() and all(close(one[name], two[name]) for name in one)


def _ready(rule: Rule | Flagging) -> Rule:
    return rules_passed([rule]).rules[0].build()


def _cleaned(ratings: pl.DataFrame, rule: Rule) -> Cleaned:
    """Return what the rule leaves of a crowd whose first item is a check."""
    names = ratings["item"].unique().sort().to_list()
    items = pl.DataFrame(
        {
            "item": names,
            "text": [f"Sentence {name}." for name in names],
            "condition": ["attested" if place % 2 else "perturbed" for place in range(len(names))],
            "kind": ["check" if name == _item(0) else "item" for name in names],
            "expected": ["5" if name == _item(0) else None for name in names],
            "start": ["3"] * len(names),
        }
    )
    context = Context(ITEMS.check(items), sides=parse_sides("1,2|4,5"), competence=_even_competence)
    return apply_rules(ratings, [rule], context)


def _even_competence(ratings: pl.DataFrame) -> dict[str, float]:
    return dict.fromkeys(ratings["annotator"].unique().to_list(), 0.5)


def _require(holds: bool, law: str, rows: Rows) -> None:
    if not holds:
        raise AssertionError(f"{law}. Broken by crowd({rows}).")


def _run(law: Callable[..., None], examples: int, *, seeded: bool = False) -> None:
    """Run a law on generated crowds, the same ones each time."""
    try:
        from hypothesis import Phase, given, settings
        from hypothesis import strategies as st
    except ImportError as error:
        raise MissingExtra("generating crowds", "testing") from error
    answers = st.text(ANSWERS + NOBODY, min_size=PEOPLE, max_size=PEOPLE)
    answered = answers.filter(lambda row: set(row) != {NOBODY})
    drawn: dict[str, Any] = {"rows": st.lists(answered, min_size=1, max_size=6)}
    if seeded:
        drawn["seed"] = st.integers(0, 99)
    plan = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
    )
    plan(given(**drawn)(law))()


__all__ = ["check_label_method", "check_measure", "check_rule", "crowd", "disguised"]
