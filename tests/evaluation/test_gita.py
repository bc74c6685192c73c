"""GITA's tiers under three rule sets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.datasets.gita.answers import Answers, read_answers, read_ways
from plausibly.datasets.gita.scored import read_story_table
from plausibly.errors import UnknownName
from plausibly.evaluation.gita import GitaScores, differences, score_gita
from plausibly.evaluation.gita_rules import RULES
from plausibly.evaluation.gita_tally import METRICS
from plausibly.evaluation.gita_ways import score_ways
from worlds.gita import Doc, chain, gold, line, stories, story, write

ALL_RULES = list(RULES)


def scored(folder: Path, rules: str = "clean", resamples: int = 0) -> GitaScores:
    return score_gita(read_answers(folder), rules=rules, resamples=resamples)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_a_perfect_model_scores_one_everywhere(tmp_path: Path, rules: str) -> None:
    scores = scored(write(tmp_path, chain(stories(4))), rules)
    assert [scores.value(metric) for metric in METRICS] == [1.0] * len(METRICS)
    assert scores.value("balanced_accuracy") == scores.value("mcc") == 1.0


@pytest.mark.parametrize("rules", ALL_RULES)
def test_each_tier_loses_what_the_tier_before_got_wrong(tmp_path: Path, rules: str) -> None:
    # Rows 0, 3, 6, 9 are plausible, 1, 4, 7, 10 order and 2, 5, 8, 11 cloze stories.
    wrong = {STORY: [0, 1], CONFLICT: [2], STATE: [4, 5]}
    scores = scored(write(tmp_path, chain(stories(4), wrong)), rules)
    assert {metric: scores.right[metric] for metric in METRICS} == {
        "accuracy": 10,
        "accuracy_cloze": 4,
        "accuracy_order": 3,
        "accuracy_plausible": 3,
        "consistency": 6,
        "consistency_cloze": 3,
        "consistency_order": 3,
        "verifiability": 4,
        "verifiability_cloze": 2,
        "verifiability_order": 2,
    }
    assert scores.value("consistency") == 6 / 8
    assert scores.value("verifiability_order") == 2 / 4
    assert scores.conditional == {CONFLICT: 6 / 7, STATE: 4 / 6}


def test_gita_2024_groups_by_the_letter_and_counts_what_is_flagged(tmp_path: Path) -> None:
    docs = [
        story(0, 1, "plausible"),
        story(1, 1, "order", example_id="1"),
        story(2, 1, "cloze", example_id="1-O0"),
        story(3, 2, "order", plausible=True),
        story(4, 2, "cloze"),
    ]
    scores = scored(write(tmp_path, chain(docs)), "gita-2024")
    assert scores.out_of["accuracy_plausible"] == 2
    assert scores.out_of["accuracy_order"] == 2
    assert scores.out_of["consistency"] == 3
    assert scores.out_of["consistency_order"] == scores.out_of["consistency_cloze"] == 1


def test_calamita_groups_by_type_and_counts_what_has_one(tmp_path: Path) -> None:
    docs = [
        story(0, 1, "plausible", type="order"),
        story(1, 1, "order", type=None),
        story(2, 1, "cloze", example_id="1-O0"),
    ]
    scores = scored(write(tmp_path, chain(docs)), "calamita")
    assert scores.out_of["consistency"] == 2
    assert scores.out_of["consistency_order"] == scores.out_of["consistency_cloze"] == 1
    assert scores.right["consistency"] == 2
    assert scores.right["consistency_order"] == 0


def test_clean_puts_every_story_where_it_belongs(tmp_path: Path) -> None:
    docs = [
        story(0, 1, "plausible", type="order"),
        story(1, 1, "order", type=None, example_id="1"),
        story(2, 1, "cloze", example_id="1-O0"),
        story(3, 2, "order", plausible=True),
        story(4, 2, "cloze", type=None),
        story(5, 3, "cloze", type=None, example_id="3"),
        story(6, 3, "order"),
    ]
    lines = chain(docs)
    lines[STORY][3] = line(STORY, docs[3], "false")
    scores = scored(write(tmp_path, lines))
    assert scores.out_of["accuracy_plausible"] == 1
    assert scores.out_of["accuracy_order"] == scores.out_of["consistency_order"] + 1 == 3
    assert scores.out_of["accuracy_cloze"] == scores.out_of["verifiability_cloze"] == 3
    assert scores.out_of["consistency"] == 5  # one was right so far and never asked
    assert scores.value("accuracy") == 1.0
    assert scores.unanswered == {CONFLICT: 1, STATE: 0}


def test_a_story_whose_kind_nothing_tells_is_in_the_overall_figures_only(tmp_path: Path) -> None:
    docs = [story(0, 1, "plausible"), story(1, 1, "order", type=None, example_id="1")]
    scores = scored(write(tmp_path, chain(docs)))
    assert scores.out_of["consistency"] == 1
    assert scores.out_of["consistency_order"] == scores.out_of["consistency_cloze"] == 0
    assert scores.measures["consistency_order"].reason == "nothing is counted"
    assert any("unknown kind" in note for note in scores.notes)


def test_clean_asks_for_every_earlier_tier(tmp_path: Path) -> None:
    docs = stories(2)
    lines = chain(docs, {STORY: [1]})
    lines[CONFLICT].append(line(CONFLICT, docs[1], gold(CONFLICT, docs[1])))
    folder = write(tmp_path, lines)
    assert scored(folder, "gita-2024").right["consistency"] == 4
    assert scored(folder).right["consistency"] == 3


@pytest.mark.parametrize("rules", ALL_RULES)
def test_a_complete_folder_has_no_notes(tmp_path: Path, rules: str) -> None:
    wrong = {STORY: [0, 1], CONFLICT: [2], STATE: [4, 5]}
    assert scored(write(tmp_path, chain(stories(4), wrong)), rules).notes == ()


@pytest.mark.parametrize("rules", ALL_RULES)
def test_answers_to_stories_the_task_before_lacks_are_left_out(tmp_path: Path, rules: str) -> None:
    lines = chain(stories(4))
    lines[STORY] = lines[STORY][:3]
    scores = scored(write(tmp_path, lines), rules)
    assert (scores.right["consistency"], scores.out_of["consistency"]) == (2, 2)
    assert scores.right["verifiability"] == 2
    for later, earlier in ((CONFLICT, STORY), (STATE, CONFLICT)):
        assert f"{later}: 6 lines are about stories missing from {earlier}; left out." in (
            scores.notes
        )
    lines = chain(stories(4))
    lines[CONFLICT] = lines[CONFLICT][:3]
    scores = scored(write(tmp_path, lines), rules)
    counted = 3 if rules == "clean" else 8
    assert (scores.right["verifiability"], scores.out_of["verifiability"]) == (3, counted)
    assert any("physical_state: 5 lines are about" in note for note in scores.notes)
    assert any("conflict_detec: 5 of 8 stories right so far" in note for note in scores.notes)


@pytest.mark.parametrize("rules", ALL_RULES)
@pytest.mark.parametrize("left", [0, 3])
def test_stories_that_were_never_asked_are_noted(tmp_path: Path, rules: str, left: int) -> None:
    lines = chain(stories(4))
    lines[STATE] = lines[STATE][:left]
    scores = scored(write(tmp_path, lines), rules)
    published = rules != "clean"
    assert (scores.right["verifiability"], scores.out_of["verifiability"]) == (
        (left, 8) if published else (left, left)
    )
    how = "count as wrong by these rules" if published else "are not counted"
    silent = f"physical_state: {8 - left} of 8 stories right so far have no answer that was read"
    assert scores.notes == (f"{silent}; {8 - left} {how}.",)


@pytest.mark.parametrize("rules", ALL_RULES)
def test_an_unread_answer_is_neither_right_nor_wrong(tmp_path: Path, rules: str) -> None:
    way = {"prompt": "p", "shot_set": "0", "decided_by": "text", "scores": {}}
    written: list[dict[str, object]] = [
        {**one, **way, "answer": gold(task, one)}
        for task, lines in chain(stories(4)).items()
        for one in lines
    ]
    for place in (0, next(n for n, one in enumerate(written) if one["task"] == STATE)):
        written[place]["answer"] = None
    (tmp_path / "samples.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in written))
    ways = read_ways(tmp_path)
    assert ways is not None
    scores = score_ways(ways, rules=rules, resamples=0)
    assert {scores.value(tier) for tier in ("accuracy", "verifiability")} == {1.0}
    assert scores.out_of["accuracy"] == 11
    assert scores.unread == {STORY: 1, CONFLICT: 0, STATE: 1}


def test_files_without_a_line_give_null_with_a_note(tmp_path: Path) -> None:
    scores = scored(write(tmp_path, {STORY: [], CONFLICT: [], STATE: []}))
    assert {scores.value(metric) for metric in METRICS} == {None}
    assert scores.notes == ("story_class: no lines, so nothing is counted.",)


def test_more_right_answers_than_stories_are_no_fraction(tmp_path: Path) -> None:
    lines = chain(stories(1))
    lines[CONFLICT] += lines[CONFLICT]
    scores = scored(write(tmp_path, lines), "gita-2024")
    assert scores.value("consistency") is None
    assert "consistency: more right answers than stories that count." in scores.notes
    assert scored(tmp_path).value("consistency") == 1.0


def tied(docs: list[Doc]) -> dict[str, list[dict[str, object]]]:
    lines = chain(docs)
    lines[STORY][0] = line(STORY, docs[0], "false", "true")
    lines[STORY][1] = line(STORY, docs[1], "false", "true")
    lines[STATE][0] = line(STATE, docs[1], gold(STATE, docs[1]), "in pieces")
    return lines


def test_ties_are_reported_and_are_no_answer_in_clean(tmp_path: Path) -> None:
    folder = write(tmp_path, tied(stories(2)))
    first, clean = scored(folder, "gita-2024"), scored(folder)
    assert first.ties == clean.ties == {STORY: 2, CONFLICT: 0, STATE: 1}
    # The first option is "false": right for the order story, wrong for the plausible one.
    assert first.right["accuracy"] == 5
    assert clean.right["accuracy"] == 4
    assert clean.tie_range["accuracy"] == first.tie_range["accuracy"] == (4 / 6, 6 / 6)
    assert first.tie_range["verifiability"] == (3 / 4, 4 / 4)


def test_a_story_listed_twice_counts_once_in_clean(tmp_path: Path) -> None:
    docs = stories(2)
    lines = chain(docs)
    lines[STORY].append(lines[STORY][0])
    folder = write(tmp_path, lines)
    assert scored(folder, "gita-2024").out_of["accuracy"] == 7
    assert scored(folder).out_of["accuracy"] == 6
    assert any("1 lines repeat a story" in note for note in scored(folder).notes)


@pytest.mark.parametrize("turned", [False, True])
def test_two_lines_that_disagree_are_no_answer_in_any_order(tmp_path: Path, turned: bool) -> None:
    docs = stories(2)
    lines = chain(docs)
    lines[STORY].append(line(STORY, docs[0], "false"))
    if turned:
        lines[STORY].reverse()
    scores = scored(write(tmp_path, lines))
    assert (scores.right["accuracy"], scores.out_of["accuracy"]) == (5, 6)


def test_a_missing_task_leaves_its_keys_null_with_a_note(tmp_path: Path) -> None:
    lines = chain(stories(2))
    del lines[CONFLICT]
    document = scored(write(tmp_path, lines), "gita-2024").as_json()
    assert document["consistency"] is document["consistency_cloze"] is None
    assert document["verifiability"] == 1.0
    assert "no file for conflict_detec: scores that need it are null." in str(document["notes"])


def test_the_input_of_the_state_task_implies_the_consistency(tmp_path: Path) -> None:
    lines = chain(stories(4), {CONFLICT: [1, 2], STATE: [4]})
    del lines[CONFLICT]
    assert scored(write(tmp_path, lines), "gita-2024").implied == {
        "consistency": 6 / 8,
        "consistency_cloze": 3 / 4,
        "consistency_order": 3 / 4,
    }


def test_without_the_story_task_a_list_of_stories_says_who_counts(tmp_path: Path) -> None:
    docs = stories(3)
    lines = chain(docs, {STORY: [1]})
    write(tmp_path, {"all_stories": docs})
    told = read_story_table(tmp_path / "all_stories.jsonl")
    del lines[STORY]
    answers = read_answers(write(tmp_path, lines))
    assert score_gita(answers, resamples=0).value("consistency") is None
    for rules in ALL_RULES:
        scores = score_gita(answers, rules=rules, stories=told, resamples=0)
        assert scores.value("accuracy") is None
        assert scores.value("mcc") is None
        assert scores.value("consistency") == 5 / 6


def test_a_model_that_gets_no_implausible_story_has_zero_and_not_nothing(tmp_path: Path) -> None:
    docs = stories(2)
    lines = chain(docs, {STORY: [1, 2, 4, 5]})
    assert lines[CONFLICT] == []
    scores = scored(write(tmp_path, lines), "gita-2024")
    assert scores.value("consistency") == scores.value("verifiability_cloze") == 0
    assert scores.conditional == {CONFLICT: None, STATE: None}


def test_constant_answers_give_the_baselines(tmp_path: Path) -> None:
    scores = scored(write(tmp_path, chain(stories(4))))
    # Conflicts are (0, 1), (1, 2), (2, 3), (0, 1), twice each; the four states differ.
    assert scores.baselines == {
        "always_implausible": 8 / 12,
        "always_plausible": 4 / 12,
        "most_frequent_pair": 4 / 8,
        "most_frequent_state": 2 / 8,
    }


def test_intervals_resample_stories_and_follow_the_seed(tmp_path: Path) -> None:
    folder = write(tmp_path, chain(stories(8), {STORY: [0, 1, 5], CONFLICT: [7]}))
    answers = read_answers(folder)
    scores = score_gita(answers, resamples=200, seed=3)
    again = score_gita(answers, resamples=200, seed=3)
    for metric, measure in scores.measures.items():
        assert measure.n == scores.out_of.get(metric, 24)
        assert measure.value is not None
        assert (measure.low or 0.0) <= measure.value <= (measure.high or 0.0)
        assert again.measures[metric] == measure


def test_few_resamples_give_no_limit_that_a_score_cannot_have(tmp_path: Path) -> None:
    answers = read_answers(write(tmp_path, chain(stories(6), {STORY: [1], CONFLICT: [7]})))
    for seed in range(20):
        for measure in score_gita(answers, resamples=5, seed=seed).measures.values():
            assert measure.low is not None
            assert measure.high is not None
            assert -1.0 <= measure.low <= measure.high <= 1.0


def test_a_file_that_states_another_accuracy_is_noted(tmp_path: Path) -> None:
    lines = chain(stories(2))
    lines[STORY][0]["official_acc"] = 0
    scores = scored(write(tmp_path, lines), "gita-2024")
    assert scores.value("accuracy") == 1.0
    assert any("story_class: 1 lines state an accuracy that" in note for note in scores.notes)


def test_differences_show_every_rule_set_side_by_side(tmp_path: Path) -> None:
    table = differences(read_answers(write(tmp_path, tied(stories(2)))))
    row = next(row for row in table if row["metric"] == "accuracy")
    assert row == {
        "metric": "accuracy",
        "calamita": 5 / 6,
        "clean": 4 / 6,
        "gita-2024": 5 / 6,
        "spread": pytest.approx(1 / 6),
    }


def test_an_unknown_rule_set_is_refused_with_a_proposal() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'gita-2024'"):
        score_gita(Answers({}), rules="gita-2025")
