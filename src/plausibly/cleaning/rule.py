"""What a cleaning rule is: it names its suspects, each with a reason, and drops nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from plausibly.errors import StudyError
from plausibly.io.duplicates import RETEST
from plausibly.measures.checks import EXPECTED_QUESTION, expected_answers, same
from plausibly.measures.jaccard import Sides
from plausibly.tables import ITEMS, RATINGS

KEY = RATINGS.key

# Kinds of items that are there to look at people, not to be labelled.
PROBES = ("check", "gold", "attention")
# Shown between the items and not analysed.
FILLER = "filler"
KINDS = ("item", RETEST, FILLER, *PROBES)

TAKEN = "taken"

Competence = Mapping[str, float] | Callable[[pl.DataFrame], Mapping[str, float]]


def _no_ratings() -> pl.DataFrame:
    return RATINGS.empty()


@dataclass(frozen=True, eq=False)
class Context:
    """What a rule may know besides the ratings.

    Args:
        items: The items table; `start` is where a slider stood, `expected` the answer of a probe.
        annotators: The annotators table, or None.
        sides: Groups of answers that count as one, the lowest first.
        competence: From annotator to competence, or the function that finds it from ratings.
        probes: Ratings of checks, gold and attention items that were not withdrawn.
        check_question: The question whose answer probes expect, where the items do not name it
            (`expected_question`). Without either, each is compared with the questions whose
            answers include the expected one.
        starts: From a question to where its slider started, as the form declares it; None if the
            form is not known.
    """

    items: pl.DataFrame
    annotators: pl.DataFrame | None = None
    sides: Sides | None = None
    competence: Competence | None = None
    probes: pl.DataFrame = field(default_factory=_no_ratings)
    check_question: str | None = None
    starts: Mapping[str, str] | None = None

    def on(self, ratings: pl.DataFrame, *columns: str) -> pl.DataFrame:
        """Return the ratings with columns of the items table next to them."""
        return ratings.drop(columns, strict=False).join(
            self.items.select("item", *columns), on="item", how="left", maintain_order="left"
        )

    def probed(self, kind: str) -> pl.DataFrame:
        """Return the answers of one kind of probe to the question that expects one, with it."""
        named = [EXPECTED_QUESTION] if EXPECTED_QUESTION in self.items.columns else []
        probes = self.on(self.probes, "kind", "expected", *named).filter(pl.col("kind") == kind)
        answered = self.check_question in self.probes["question"].unique().to_list()
        asked = pl.lit(self.check_question if answered else None, pl.String)
        asked = pl.coalesce(*named, asked) if named else asked
        alone = pl.col("question").n_unique().over("item") == 1
        known = _taking(probes)
        probes = probes.join(
            known, on=["question", "expected"], how="left", nulls_equal=True, maintain_order="left"
        )
        taken = (
            pl.when(asked.is_null())
            .then(alone | pl.col(TAKEN))
            .otherwise(pl.col("question") == asked)
        )
        return probes.filter(taken).drop(TAKEN, *named)

    def competences(self, ratings: pl.DataFrame) -> Mapping[str, float]:
        """Return the competence of every annotator."""
        if self.competence is None:
            raise StudyError(
                "a rule about competence needs competences. Pass `competence`, for instance from "
                "plausibly.labels.mace; the command line computes them itself."
            )
        return self.competence(ratings) if callable(self.competence) else self.competence


def _taking(probes: pl.DataFrame) -> pl.DataFrame:
    """Return each question with every expected answer, and whether it takes it; all if none does.

    Args:
        probes: Ratings of probes with the expected answer.
    """
    pairs = probes.select("question", "expected").unique()
    answers = probes.select("question", "expected", "answer").unique().drop_nulls()
    taking = {
        (question, expected)
        for question, expected, answer in answers.iter_rows()
        if any(same(answer, one) for one in expected_answers(expected))
    }
    taken = {expected for _, expected in taking}
    keep = [pair in taking or pair[1] not in taken for pair in pairs.iter_rows()]
    return pairs.with_columns(pl.Series(TAKEN, keep, dtype=pl.Boolean))


Find = Callable[[pl.DataFrame, Context], pl.DataFrame]
Lack = Callable[[pl.DataFrame, Context], str | None]


def _nothing(ratings: pl.DataFrame, context: Context) -> str | None:
    del ratings, context
    return None


@dataclass(frozen=True, slots=True)
class Rule:
    """A named reason to set ratings aside.

    Args:
        name: After the suspect, as in the ledger.
        find: From ratings and context to suspects: the key of each rating, and `reason`.
        lacks: What the rule would need to see and cannot, as one sentence.
        unable: Why the rule can judge nobody at all, as one sentence; None if it can.
        selects_on_agreement: Suspects are those who agree with others too little, so that
            agreement measured afterwards is higher by construction.
    """

    name: str
    find: Find
    lacks: Lack = _nothing
    unable: Lack = _nothing
    selects_on_agreement: bool = False


def known_items(ratings: pl.DataFrame, items: pl.DataFrame) -> pl.DataFrame:
    """Return the checked items table; raise at an unknown kind or a rating of an unknown item."""
    items = ITEMS.check(items)
    odd = items.filter(~pl.col("kind").is_in(KINDS))
    if odd.height:
        raise StudyError(
            f"items: {odd.height} of {items.height} rows are of an unknown kind (first: item "
            f"{odd['item'][0]!r} of kind {odd['kind'][0]!r}). Known: {', '.join(KINDS)}."
        )
    strangers = ratings.filter(~pl.col("item").is_in(items["item"].implode()))
    if strangers.height:
        raise StudyError(
            f"ratings: {strangers.height} of {ratings.height} rows are of items that are not in "
            f"the items table (first: {strangers['item'].min()!r}). Pass the table with all items, "
            "checks included."
        )
    return items


def nobody(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return no suspects at all."""
    return ratings.head(0).select(*KEY, reason="answer")


def ratings_of(people: pl.DataFrame, ratings: pl.DataFrame) -> pl.DataFrame:
    """Return all ratings of suspect people, with the person's reason next to each."""
    return ratings.select(KEY).join(
        people.select("annotator", "reason"), on="annotator", how="inner", maintain_order="left"
    )
