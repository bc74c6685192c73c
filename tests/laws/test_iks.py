"""Laws of reports on implicit knowledge."""

from __future__ import annotations

from random import Random

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.analysis.iks import IksReport, analyse_iks
from plausibly.analysis.iks_profiles import Draws
from plausibly.datasets.iks import SCALES
from plausibly.tables import RATINGS

LAW = settings(max_examples=15, deadline=None)
AFTER = ("content_b", "content_c", "comparison_a", "comparison_b")
CANDIDATES = ("i", "ii", "iii")


@st.composite
def candidate(draw: st.DrawFn) -> dict[str, str]:
    """Return the answers to one candidate, skipped as the manual says."""
    answers = {"grammaticality": draw(st.sampled_from(SCALES["grammaticality"]))}
    if answers["grammaticality"] != "NO":
        answers["coherence"] = draw(st.sampled_from(SCALES["coherence"]))
        if answers["coherence"] != "NONSENSE":
            answers |= {question: draw(st.sampled_from(SCALES[question])) for question in AFTER}
    return answers


@st.composite
def sheets(draw: st.DrawFn) -> pl.DataFrame:
    """Return the ratings of some items by two annotators."""
    rows = []
    for item in range(draw(st.integers(1, 3))):
        for annotator in ("anna", "ben"):
            for number in CANDIDATES:
                answers = draw(candidate())
                rows += [(f"{item}#{number}", annotator, q, a) for q, a in answers.items()]
            named = draw(st.sets(st.sampled_from(CANDIDATES), min_size=1))
            rows += [
                (str(item), annotator, "content_a", draw(st.sampled_from(SCALES["content_a"]))),
                (str(item), annotator, "content_d", ";".join(sorted(named))),
                (str(item), annotator, "comparison_c", draw(st.sampled_from(CANDIDATES))),
            ]
    columns = ["item", "annotator", "question", "answer"]
    return RATINGS.check(pl.DataFrame(rows, schema=columns, orient="row"))


def report(ratings: pl.DataFrame) -> IksReport:
    ratings = ratings.with_columns(system=pl.col("item").str.extract(r"#([^#]*)$"))
    return analyse_iks(ratings, scales=SCALES, draws=Draws(resamples=0))


@LAW
@given(ratings=sheets(), shuffler=st.randoms(use_true_random=False))
def test_the_order_of_ratings_never_matters(ratings: pl.DataFrame, shuffler: Random) -> None:
    shuffled = ratings[shuffler.sample(range(ratings.height), ratings.height)]
    assert report(shuffled).as_json() == report(ratings).as_json()


@LAW
@given(ratings=sheets())
def test_names_of_annotators_never_matter_but_in_the_list_of_cases(ratings: pl.DataFrame) -> None:
    other = ratings.with_columns(pl.col("annotator").replace({"anna": "zoe"}))
    one, two = report(ratings), report(other)
    for part in ("systems", "sheets", "connected", "tied_best"):
        assert one.as_json()[part] == two.as_json()[part]
    for question, found in one.agreement.items():
        assert two.agreement[question].alpha.value == found.alpha.value
    assert len(one.disagreements) == len(two.disagreements)


@LAW
@given(ratings=sheets())
def test_shares_add_up_and_every_choice_is_given_away_whole(ratings: pl.DataFrame) -> None:
    said = report(ratings)
    for profile in said.systems.values():
        for question in profile.questions.values():
            assert not question.shares or abs(sum(question.shares.values()) - 1) < 1e-9
            assert question.unanswered == 0
            assert question.skipped.value is not None
            assert question.skipped.value <= (profile.stopped["all"].value or 0.0)
        assert sum(profile.choices.values()) == profile.judgements
        assert profile.wins.value is None or 0 <= profile.wins.value <= 1
        assert (profile.wins_if_skipped_lose.value or 0) <= (profile.wins.value or 0)
    for measure in ("best", "closest"):
        values = [getattr(profile, measure).value for profile in said.systems.values()]
        assert abs(sum(values) - 1) < 1e-9


@LAW
@given(ratings=sheets())
def test_a_copy_of_an_annotator_agrees_with_the_original(ratings: pl.DataFrame) -> None:
    anna = ratings.filter(pl.col("annotator") == "anna")
    twice = pl.concat([anna, anna.with_columns(annotator=pl.lit("copy"))])
    said = report(twice)
    assert said.disagreements == []
    for found in said.agreement.values():
        assert found.alpha.value in (1.0, None)


@LAW
@given(ratings=sheets())
def test_every_difference_is_a_case_and_every_case_a_difference(ratings: pl.DataFrame) -> None:
    differing = ratings.group_by("item", "question").agg(pl.col("answer").n_unique())
    cases = [case for case in report(ratings).disagreements if case["question"] != "skipped"]
    assert len(cases) == differing.filter(pl.col("answer") > 1).height
    distances = [float(str(case["distance"])) for case in report(ratings).disagreements]
    assert distances == sorted(distances, reverse=True)
    assert all(0 < distance <= 1 for distance in distances)
