"""Reports on implicit-knowledge sentences: both worked examples of the manual come out of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
import pytest

from plausibly.analysis.iks import IksReport, analyse_iks
from plausibly.analysis.iks_profiles import Draws
from plausibly.datasets.iks import SCALES
from plausibly.errors import TableError, UnknownName
from plausibly.tables import ITEMS, RATINGS

PER_CANDIDATE = (
    *("grammaticality", "coherence", "content_b", "content_c", "comparison_a", "comparison_b"),
)
GOOD = "YES YES YES YES YES BOTH"

# The answers of the manual's two worked examples.
FIRST = {
    "i": "ALMOST YES YES YES YES BOTH",
    "ii": "YES YES YES YES PARTLY RS",
    "iii": "YES YES YES NEUTRAL NO RS",
    "iv": "YES YES NO NEUTRAL NO RS",
    "v": "NO - - - - -",
}
SECOND = {
    "i": "YES YES YES YES YES BOTH",
    "ii": "YES PARTLY NO NEUTRAL NO RS",
    "iii": "YES NONSENSE - - - -",
    "iv": "YES YES YES YES PARTLY RS",
    "v": "YES PARTLY YES NEUTRAL NO RS",
}


def sheet(
    item: str,
    candidates: Mapping[str, str],
    *,
    best: str = "i",
    closest: str = "i",
    annotator: str = "anna",
) -> pl.DataFrame:
    """Return the ratings of one sheet; "-" is a skipped question."""
    rows = [
        (f"{item}#{candidate}", annotator, question, answer)
        for candidate, answers in candidates.items()
        for question, answer in zip(PER_CANDIDATE, answers.split(), strict=True)
        if answer != "-"
    ]
    once = {"content_a": "YES", "content_d": best, "comparison_c": closest}
    rows += [(item, annotator, question, answer) for question, answer in once.items()]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "question", "answer"], orient="row")
    return RATINGS.check(frame)


def report(
    *sheets: pl.DataFrame, items: pl.DataFrame | None = None, resamples: int = 0
) -> IksReport:
    draws = Draws(resamples=resamples)
    ratings = pl.concat(sheets)
    if items is None or "system" not in items.columns:  # each number stands for one system
        ratings = ratings.with_columns(system=pl.col("item").str.extract(r"#([^#]*)$"))
    return analyse_iks(ratings, scales=SCALES, items=items, draws=draws)


def document(*sheets: pl.DataFrame, items: pl.DataFrame | None = None) -> dict[str, Any]:
    return report(*sheets, items=items).as_json()


def test_the_first_worked_example_comes_out() -> None:
    said = document(sheet("one", FIRST))
    told = said["sheets"]["one"]
    assert told["candidates"]["i"]["grammaticality"] == {"ALMOST": 1}
    assert told["candidates"]["iv"]["content_b"] == {"NO": 1}
    assert told["candidates"]["v"] == {"grammaticality": {"NO": 1}}
    assert told["best"] == told["closest"] == {"i": 1.0}
    assert told["once"]["content_a"] == {"YES": 1}
    assert told["stopped"] == {"v": {"grammaticality": 1}}
    assert said["connected"]["value"] == 1.0
    fifth = said["systems"]["v"]
    assert fifth["skipped"]["grammaticality"]["value"] == 1.0
    assert fifth["questions"]["coherence"]["skipped"]["value"] == 1.0
    assert fifth["win_rate"]["value"] is None
    assert fifth["win_rate"]["reason"] == "nothing was answered"
    assert fifth["win_rate_if_skipped_lose"]["value"] == 0.0
    assert said["systems"]["i"]["win_rate"]["value"] == 0.5


def test_the_second_worked_example_comes_out() -> None:
    said = document(sheet("two", SECOND))
    told = said["sheets"]["two"]
    assert told["stopped"] == {"iii": {"coherence": 1}}
    assert told["candidates"]["iii"] == {
        "grammaticality": {"YES": 1},
        "coherence": {"NONSENSE": 1},
    }
    assert told["candidates"]["ii"]["coherence"] == {"PARTLY": 1}
    third = said["systems"]["iii"]
    assert third["skipped"]["coherence"]["value"] == 1.0
    assert third["questions"]["coherence"]["skipped"]["value"] == 0.0
    assert third["questions"]["content_b"]["skipped"]["value"] == 1.0


def test_both_examples_together_make_profiles() -> None:
    said = document(sheet("one", FIRST), sheet("two", SECOND))
    assert (said["items"], said["candidates"], said["annotators"]) == (2, 10, 1)
    first = said["systems"]["i"]
    assert first["questions"]["grammaticality"]["shares"] == {
        "NO": 0.0,
        "ERRORS": 0.0,
        "ALMOST": 0.5,
        "YES": 0.5,
    }
    assert first["questions"]["grammaticality"]["place"]["value"] == pytest.approx(5 / 6)
    assert first["best"] == {
        "value": 1.0,
        "n": 2,
        "low": None,
        "high": None,
        "alone": 2,
        "tied": 0,
        "not_named": 0,
    }
    assert said["systems"]["v"]["skipped"]["all"]["value"] == 0.5


def test_candidates_named_together_share_the_credit() -> None:
    said = document(
        sheet("one", {"i": GOOD, "ii": GOOD, "iii": GOOD}, best="i;iii"),
        sheet("two", {"i": GOOD, "ii": GOOD, "iii": GOOD}, best="i"),
    )
    credit = {name: system["best"]["value"] for name, system in said["systems"].items()}
    assert credit == {"i": 0.75, "ii": 0.0, "iii": 0.25}
    assert said["systems"]["i"]["best"]["alone"] == said["systems"]["i"]["best"]["tied"] == 1
    assert said["tied_best"]["value"] == 0.5
    assert said["sheets"]["one"]["best"] == {"i": 0.5, "iii": 0.5}


def test_wins_against_the_reference_count_both_as_half() -> None:
    rest = "YES YES YES YES YES"
    said = document(
        *(sheet(str(n), {"i": f"{rest} {won}"}) for n, won in enumerate(("GS", "GS", "BOTH", "RS")))
    )
    wins = said["systems"]["i"]["win_rate"]
    assert (wins["value"], wins["won"], wins["tied"], wins["lost"]) == (2.5 / 4, 2, 1, 1)


def items_of(**systems: tuple[str, str, str]) -> pl.DataFrame:
    rows = [(name.replace("_", "#"), "text", *facts) for name, facts in systems.items()]
    columns = ["item", "text", "system", "relation", "genre"]
    return ITEMS.check(pl.DataFrame(rows, schema=columns, orient="row"))


def test_an_items_table_names_systems_and_slices() -> None:
    items = items_of(
        one_i=("gpt", "support", "blog"),
        one_ii=("bart", "support", "blog"),
        two_i=("bart", "attack", "news"),
        two_ii=("gpt", "attack", "news"),
    )
    both = {"i": GOOD, "ii": GOOD}
    said = document(sheet("one", both, best="i"), sheet("two", both, best="ii"), items=items)
    assert said["systems"]["gpt"]["best"]["value"] == 1.0
    assert said["systems"]["bart"]["best"]["value"] == 0.0
    assert set(said["slices"]) == {"relation", "genre"}
    assert set(said["slices"]["relation"]) == {"support", "attack"}
    assert said["slices"]["genre"]["blog"]["gpt"]["candidates"] == 1
    assert said["notes"] == []


def test_numbers_of_candidates_do_not_stand_for_systems() -> None:
    ratings = sheet("one", {"i": GOOD, "ii": GOOD})
    said = analyse_iks(ratings, scales=SCALES, draws=Draws(resamples=0)).as_json()
    assert said["systems"] == {}
    assert "no system is named" in str(said["notes"])


def test_slices_may_be_told_of_the_source_item_alone() -> None:
    items = pl.DataFrame({"item": ["one"], "text": ["a / b"], "relation": ["contradict"]})
    said = document(sheet("one", {"i": GOOD, "ii": GOOD}), items=items)
    assert set(said["slices"]["relation"]["contradict"]) == {"i", "ii"}


def test_agreement_takes_the_distance_that_fits_the_question() -> None:
    anna = [sheet("one", FIRST), sheet("two", SECOND, best="i;iv")]
    ben = [
        sheet("one", FIRST, annotator="ben"),
        sheet("two", SECOND, best="iv", annotator="ben"),
    ]
    found = report(*anna, *ben).agreement
    assert {name: measure.distance for name, measure in found.items()} == {
        "grammaticality": "ordinal",
        "coherence": "ordinal",
        "content_a": "nominal",
        "content_b": "nominal",
        "content_c": "ordinal",
        "comparison_a": "ordinal",
        "comparison_b": "nominal",
        "content_d": "masi",
        "comparison_c": "nominal",
    }
    assert found["coherence"].alpha.value == 1.0
    # Skipped questions are missing: of ten candidates nine were judged coherent or not by both.
    assert found["coherence"].alpha.n == 9
    assert found["content_a"].alpha.reason is not None
    partly = found["content_d"].alpha.value
    assert partly is not None
    assert (found["content_d"].nominal.value or 0.0) < partly < 1.0


def test_ordinal_agreement_counts_steps() -> None:
    near = dict(FIRST, ii="ALMOST YES YES YES PARTLY RS")
    far = dict(FIRST, ii="NO - - - - -")
    values = []
    for other in (near, far):
        found = report(sheet("one", FIRST), sheet("one", other, annotator="ben")).agreement
        values.append(found["grammaticality"].alpha.value or 0.0)
    assert values[0] > values[1]


def test_disagreements_are_listed_the_farthest_first() -> None:
    ben = dict(FIRST, ii="ALMOST YES YES NO YES RS", iii="YES NONSENSE - - - -")
    cases = document(sheet("one", FIRST), sheet("one", ben, best="i;ii", annotator="ben"))[
        "disagreements"
    ]
    found = [(case["item"], case["question"], round(case["distance"], 2)) for case in cases]
    assert found == [
        ("one#ii", "content_c", 1.0),
        ("one#iii", "coherence", 1.0),
        ("one#iii", "skipped", 1.0),
        ("one", "content_d", 0.67),
        ("one#ii", "comparison_a", 0.5),
        ("one#ii", "grammaticality", 0.33),
    ]
    assert cases[0]["answers"] == {"anna": "YES", "ben": "NO"}
    assert cases[2]["answers"] == {"anna": "answered", "ben": "coherence"}


def test_a_question_left_open_without_reason_is_told_from_a_skipped_one() -> None:
    open_ended = sheet("one", {"i": "YES YES YES - YES RS", "ii": "NO - - - - -"})
    said = report(open_ended).systems
    assert said["i"].questions["content_c"].unanswered == 1
    assert said["i"].questions["content_c"].skipped.value == 0.0
    assert said["ii"].questions["content_c"].unanswered == 0
    assert said["ii"].questions["content_c"].skipped.value == 1.0


def test_intervals_resample_source_items() -> None:
    sheets = [sheet(str(n), SECOND if n % 2 else FIRST) for n in range(6)]
    place = report(*sheets, resamples=200).systems["i"].questions["grammaticality"].place
    assert place.n == 6
    assert place.value == pytest.approx(5 / 6)
    assert 0.4 <= (place.low or 0) < 5 / 6 < (place.high or 0) <= 1


def test_an_unknown_question_is_refused() -> None:
    odd = sheet("one", FIRST).with_columns(pl.col("question").replace("content_a", "style"))
    with pytest.raises(UnknownName, match="unknown question 'style'"):
        report(odd)


def test_an_answer_off_the_scale_is_refused() -> None:
    odd = sheet("one", {"i": "MAYBE YES YES YES YES RS"})
    with pytest.raises(TableError, match="'MAYBE' to grammaticality about one#i"):
        report(odd)


def test_ratings_without_candidates_are_refused() -> None:
    odd = sheet("one", FIRST).filter(~pl.col("item").str.contains("#"))
    with pytest.raises(TableError, match="no item names a candidate"):
        report(odd)


def test_naming_a_candidate_nobody_judged_is_refused() -> None:
    with pytest.raises(TableError, match="'vi' in content_d of one"):
        report(sheet("one", FIRST, best="vi"))


def test_grammaticality_and_content_are_tabulated_with_their_association() -> None:
    said = document(sheet("one", FIRST), sheet("two", SECOND))
    coherence = said["grammar"]["coherence"]
    assert coherence["counts"]["YES"] == {"NONSENSE": 1, "NO": 0, "PARTLY": 2, "YES": 5}
    assert coherence["counts"]["ALMOST"] == {"NONSENSE": 0, "NO": 0, "PARTLY": 0, "YES": 1}
    assert sum(coherence["counts"]["NO"].values()) == 0  # nobody goes on after NO
    errors = {"i": "ERRORS PARTLY NO NO NO RS", "ii": "YES YES YES YES YES GS"}
    both = document(sheet("one", errors), sheet("two", errors))
    assert both["grammar"]["content_c"]["tau_b"]["value"] == 1.0
    assert both["grammar"]["content_c"]["tau_b"]["n"] == 2
