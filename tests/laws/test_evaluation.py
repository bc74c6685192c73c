"""Laws every scorer keeps: order never matters, scores are shares, perfection is 1."""

from __future__ import annotations

from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.datasets.adept.pairs import PUBLISHED, PairRule, article_by_spelling, modified
from plausibly.datasets.gita import CONFLICT, OPTIONS, STATE, STORY
from plausibly.datasets.gita.trip import StoryPair
from plausibly.datasets.winograd import SCORES
from plausibly.domain import LabelScheme
from plausibly.evaluation.adept import accuracy, backoff, majority, normative
from plausibly.evaluation.gita import GitaScores, score_gita
from plausibly.evaluation.gita_rules import RULES
from plausibly.evaluation.gita_tally import METRICS
from plausibly.evaluation.gita_trip import score_pairs
from plausibly.evaluation.sp10k import GROUPS, plausibility_group
from plausibly.evaluation.winograd import POLICIES, NoAnswer, winograd
from worlds.gita import Doc, Line, answers_of, chain, gold, line, stories

LAW = settings(max_examples=50, deadline=None)
FEW = settings(max_examples=10, deadline=None)
SHUFFLES = st.randoms(use_true_random=False)
ALL_RULES = list(RULES)

scores = st.none() | st.sampled_from([0.0, 1.0, 2.5, -1.0]) | st.floats(-10, 10)
question = st.tuples(scores, scores, st.sampled_from("AB"))


def asked(rows: list[tuple[float | None, float | None, str]]) -> pl.DataFrame:
    numbered = [(str(number), a, b, answer) for number, (a, b, answer) in enumerate(rows)]
    return pl.DataFrame(numbered, schema=SCORES, orient="row")


@pytest.mark.parametrize("policy", POLICIES)
@LAW
@given(rows=st.lists(question, min_size=1), shuffler=SHUFFLES)
def test_winograd_counts_every_question_once_in_any_order(
    policy: NoAnswer, rows: list[tuple[float | None, float | None, str]], shuffler: Random
) -> None:
    result = winograd(asked(rows), no_answer=policy)
    assert result.total == len(rows)
    assert result.a_o is not None
    assert 0 <= result.a_o <= 1
    assert result.a_p is None or 0 <= result.a_p <= 1
    shuffled = shuffler.sample(rows, len(rows))
    assert winograd(asked(shuffled), no_answer=policy) == result


@pytest.mark.parametrize("policy", POLICIES)
@LAW
@given(rows=st.lists(question, min_size=1))
def test_winograd_does_not_care_which_candidate_is_called_a(
    policy: NoAnswer, rows: list[tuple[float | None, float | None, str]]
) -> None:
    turned = [(b, a, "B" if answer == "A" else "A") for a, b, answer in rows]
    assert winograd(asked(turned), no_answer=policy) == winograd(asked(rows), no_answer=policy)


@LAW
@given(rows=st.lists(question, min_size=1))
def test_either_missing_never_answers_more_than_equal(
    rows: list[tuple[float | None, float | None, str]],
) -> None:
    strict, lenient = (winograd(asked(rows), no_answer=policy) for policy in POLICIES[::-1])
    assert strict.none >= lenient.none
    assert strict.correct <= lenient.correct


@st.composite
def answered(draw: st.DrawFn) -> dict[str, list[Line]]:
    """Return the lines of a model that says anything, ties included, and is chained."""
    docs: list[Doc] = stories(draw(st.integers(1, 4)))
    lines: dict[str, list[Line]] = {}
    for task in (STORY, CONFLICT, STATE):
        likely = st.sets(st.sampled_from(OPTIONS[task][:4]), min_size=1, max_size=2)
        lines[task] = [line(task, doc, *draw(likely)) for doc in docs]
        passed = [doc for doc, said in zip(docs, lines[task], strict=True) if said["official_acc"]]
        docs = [doc for doc in passed if not doc["plausible"]]
    return lines


def scored(lines: dict[str, list[Line]], rules: str) -> GitaScores:
    return score_gita(answers_of(lines), rules=rules, resamples=0)


@pytest.mark.parametrize("rules", ALL_RULES)
@FEW
@given(numbers=st.integers(1, 6))
def test_a_perfect_model_gets_one_under_every_rule_set(rules: str, numbers: int) -> None:
    result = scored(chain(stories(numbers)), rules)
    assert {result.value(metric) for metric in METRICS} == {1.0}
    assert result.value("balanced_accuracy") == 1.0


@pytest.mark.parametrize("rules", ALL_RULES)
@FEW
@given(lines=answered(), shuffler=SHUFFLES)
def test_the_order_of_lines_never_matters(
    rules: str, lines: dict[str, list[Line]], shuffler: Random
) -> None:
    shuffled = {task: shuffler.sample(said, len(said)) for task, said in lines.items()}
    assert scored(shuffled, rules).as_json() == scored(lines, rules).as_json()


@pytest.mark.parametrize("rules", ALL_RULES)
@FEW
@given(lines=answered())
def test_scores_are_shares_and_each_tier_asks_for_more(
    rules: str, lines: dict[str, list[Line]]
) -> None:
    result = scored(lines, rules)
    for metric in METRICS:
        value = result.value(metric)
        assert value is not None
        assert 0 <= value <= 1
        assert value == result.right[metric] / result.out_of[metric]
        low, high = result.tie_range[metric]
        assert low is not None
        assert high is not None
        assert low <= value <= high
    for group in ("", "_cloze", "_order"):
        assert result.right[f"verifiability{group}"] <= result.right[f"consistency{group}"]
    assert result.right["consistency_cloze"] <= result.right["accuracy_cloze"]


@FEW
@given(lines=answered())
def test_ties_are_reported_by_every_rule_set_and_credited_by_none_of_ours(
    lines: dict[str, list[Line]],
) -> None:
    tied = {
        task: sum(said["loglik"].count(max(said["loglik"])) > 1 for said in given)  # type: ignore[attr-defined, call-overload]
        for task, given in lines.items()
    }
    for rules in ALL_RULES:
        assert scored(lines, rules).ties == tied
    clean = scored(lines, "clean")
    assert clean.right["accuracy"] <= len(lines[STORY]) - tied[STORY]
    assert clean.value("accuracy") == clean.tie_range["accuracy"][0]


@FEW
@given(wrong=st.fixed_dictionaries({task: st.sets(st.integers(0, 11)) for task in OPTIONS}))
def test_on_regular_stories_without_ties_all_rule_sets_agree(wrong: dict[str, set[int]]) -> None:
    lines = chain(stories(4), {task: sorted(rows) for task, rows in wrong.items()})
    values = [[scored(lines, rules).value(metric) for metric in METRICS] for rules in ALL_RULES]
    assert values[0] == values[1] == values[2]


conflicts = st.frozensets(st.integers(0, 4), max_size=3)
states = st.dictionaries(
    st.sampled_from(["box", "lid"]),
    st.dictionaries(
        st.sampled_from("01234"),
        st.dictionaries(st.sampled_from(["open", "exist"]), st.integers(0, 2), max_size=2),
    ),
)
pairs = st.builds(
    StoryPair,
    st.tuples(st.integers(0, 1), st.integers(0, 1)),
    st.tuples(conflicts, conflicts),
    st.tuples(states, states),
    st.tuples(states, states),
)


@LAW
@given(given_pairs=st.lists(pairs))
def test_each_tier_of_trip_is_part_of_the_one_before(given_pairs: list[StoryPair]) -> None:
    counts = score_pairs(given_pairs)
    assert counts.verifiable <= counts.consistent <= counts.accurate <= counts.pairs
    assert score_pairs(given_pairs[::-1]) == counts


labels = st.lists(st.integers(0, 4), min_size=1)
FIVE = LabelScheme("five", labels=tuple("01234"), of={code: code for code in "01234"})


@LAW
@given(given_labels=labels)
def test_predicting_the_truth_is_always_right(given_labels: list[int]) -> None:
    truth = pl.Series(given_labels)
    assert accuracy(truth, truth, FIVE) == 1.0


@LAW
@given(given_labels=labels)
def test_the_majority_baseline_is_right_as_often_as_its_label_occurs(
    given_labels: list[int],
) -> None:
    table = pl.DataFrame({"label": given_labels, "modifier": ["old"] * len(given_labels)})
    share = given_labels.count(2) / len(given_labels)
    assert accuracy(table["label"], majority(table), FIVE) == share
    assert normative(table, []).to_list() == majority(table).to_list()


@LAW
@given(given_labels=labels)
def test_backoff_on_its_own_training_pairs_beats_every_constant(given_labels: list[int]) -> None:
    keys = ["old" if place % 2 else "new" for place in range(len(given_labels))]
    table = pl.DataFrame({"label": given_labels, "modifier": keys})
    learned = accuracy(table["label"], backoff(table, table, keys=["modifier"]), FIVE) or 0.0
    assert learned >= max(given_labels.count(label) for label in range(5)) / len(given_labels)


@LAW
@given(low=st.floats(0, 10), high=st.floats(0, 10))
def test_a_higher_score_is_never_in_a_lower_group(low: float, high: float) -> None:
    low, high = sorted((low, high))
    order = list(GROUPS)
    frame = pl.DataFrame({"score": [low, high]})
    for inclusive in (False, True):
        group = plausibility_group(pl.col("score"), upper_inclusive=inclusive)
        below, above = frame.select(group).to_series().to_list()
        assert order.index(above) <= order.index(below)


word = st.text("abcdefg", min_size=2, max_size=6)


@LAW
@given(
    noun=word, modifier=word, before=st.lists(word, max_size=3), after=st.lists(word, max_size=3)
)
def test_the_modifier_stands_right_before_the_noun_and_nothing_is_lost(
    noun: str, modifier: str, before: list[str], after: list[str]
) -> None:
    sentence = " ".join([*before, noun, *after])
    whole = PairRule(whole_word=True, article=article_by_spelling)
    for rule in (PUBLISHED, whole):
        made = modified(sentence, noun=noun, modifier=modifier, rule=rule)
        assert made is not None
        assert f"{modifier} {noun}" in made.lower()
        assert len(made) == len(sentence) + len(modifier) + 1


@LAW
@given(noun=word, modifier=word, other=word)
def test_a_noun_that_is_not_there_gives_no_sentence(noun: str, modifier: str, other: str) -> None:
    made = modified(f"xx {other}", noun=noun, modifier=modifier)
    assert (made is None) == (noun not in f"xx {other}")


@LAW
@given(noun=word, modifier=word)
def test_an_article_fits_the_modifier(noun: str, modifier: str) -> None:
    for article in ("a", "an"):
        made = modified(f"You use {article} {noun}.", noun=noun, modifier=modifier)
        fitting = "an" if modifier[0] in "aeiou" else "a"
        if noun not in "You use an":
            assert made == f"You use {fitting} {modifier} {noun}."


def test_gold_is_what_the_story_says() -> None:
    plausible, order, _ = stories(1)
    assert gold(STORY, plausible) == "true"
    assert gold(STORY, order) == "false"
    assert gold(CONFLICT, order) in OPTIONS[CONFLICT]
    assert gold(STATE, order) in OPTIONS[STATE]
