"""Prompts: words for every option of every task, and two ways to put them."""

from __future__ import annotations

import pytest

from plausibly.asking.answers import best_option, first_token_scores, shares_of, written_option
from plausibly.asking.gita import ALL_OPTIONS, gita_prompts
from plausibly.asking.prompts import Prompt, Shot, chosen_prompts, query_for
from plausibly.datasets.gita import CHOICE, CONFLICT, STORY, SWAPPED
from plausibly.errors import UnknownName
from plausibly.study import PROTOCOLS

PROMPTS = gita_prompts(PROTOCOLS["gita"].prompts)
FIELDS = {"story": "S.", "numbered": "1. S.", "one": "A.", "other": "B."}


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=lambda prompt: prompt.name)
def test_every_task_has_words_for_every_option(prompt: Prompt) -> None:
    for task in (*ALL_OPTIONS, SWAPPED):
        wording = prompt.tasks[task]
        assert tuple(wording.options) == ALL_OPTIONS[task]
        assert len(set(wording.options.values())) == len(wording.options)
        assert wording.fields <= set(FIELDS)
        for option, word in wording.options.items():
            assert written_option(f" {word}.\n", wording.options) == option


def test_prompts_are_told_apart_by_their_words() -> None:
    assert len(PROMPTS) == 5
    assert len({prompt.digest for prompt in PROMPTS.values()}) == 5
    assert {prompt.language for prompt in PROMPTS.values()} == {"it", "en"}


def test_a_text_ends_where_the_answer_begins() -> None:
    wording = PROMPTS["it-vero"].tasks[STORY]
    shots = [Shot({"story": "Uno."}, "false")]
    query = query_for(wording, {"story": "Due."}, shots, converses=False)
    assert query.context.endswith("Storia: Due.\nTutto questo può accadere?\nRisposta:")
    assert "Storia: Uno.\nTutto questo può accadere?\nRisposta: falso\n\n" in query.context
    assert query.options == (" falso", " vero")


def test_a_conversation_takes_turns() -> None:
    wording = PROMPTS["en-true"].tasks[CONFLICT]
    shots = [Shot({"numbered": "1. Uno."}, "0 and 1")]
    query = query_for(wording, {"numbered": "1. Due."}, shots, converses=True)
    roles = [role for role, _ in query.messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert query.messages[2][1] == "1 and 2"
    asked = query.messages[3][1]
    assert asked.startswith("Story:\n1. Due.\n")
    assert asked.splitlines()[-1] == "; ".join(wording.options.values())
    assert query.context == ""


def test_the_choice_is_asked_in_both_orders() -> None:
    for prompt in PROMPTS.values():
        first, second = (prompt.tasks[t].item.format_map(FIELDS) for t in (CHOICE, SWAPPED))
        assert first.index("A.") < first.index("B.")
        assert second.index("B.") < second.index("A.")


def test_a_wrong_prompt_draws_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'it-vero'"):
        chosen_prompts(PROMPTS, "it-ver")


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("falso", "false"),
        ("Vero!", "true"),
        ("**VERO**", "true"),
        ("«vero».", "true"),
        ("[vero]", "true"),
        ('{"answer": "vero"}', "true"),
        ("Risposta: vero", "true"),
        ("**Answer:** vero", "true"),
        ("La risposta è: vero", None),
        ("vero o falso?", None),
        ("vero?", None),
        ("non so se vero o falso", None),
        ("", None),
        ("Non è vero.", None),
        ("non è una storia vera: falso", None),
        ("Falso, non vero", None),
        ("<think>Forse falso, o vero?</think>\n\nVero", "true"),
        ("Forse falso, o vero?</think>\n\nVero", "true"),
        ("<THINK>\nfalso", None),
        ("<thinking>falso", None),
        ("[THINK]falso[/THINK]vero", "true"),
        ("◁think▷falso◁/think▷vero", "true"),
        ("<|START_THINKING|>falso<|END_THINKING|>vero", "true"),
        ("<seed:think>falso</seed:think>vero", "true"),
        ("<|channel|>analysis<|message|>falso", None),
        (
            "<|channel|>analysis<|message|>falso<|end|><|start|>assistant<|channel|>final"
            "<|message|>vero<|return|>",
            "true",
        ),
        ("analysisfalso?assistantfinalvero", "true"),
    ],
)
def test_a_written_answer_is_one_option_or_unread(text: str, option: str | None) -> None:
    assert written_option(text, PROMPTS["it-vero"].tasks[STORY].options) == option


def test_an_answer_may_repeat_what_the_prompt_puts_before_it() -> None:
    wording = PROMPTS["it-domanda"].tasks[CONFLICT]
    said = "Risposta: la frase 2 impedisce la frase 5."
    assert written_option(said, wording.options, wording.answer) == "1 and 4"
    assert written_option("La 2 impedisce la 5", wording.options, wording.answer) is None


@pytest.mark.parametrize(
    ("text", "option"),
    [("4", "4"), ("4/5", None), ("Grade: 4.", "4"), ("4.5", None), ("4,5", None), ("14", None)],
)
def test_a_grade_between_two_is_neither(text: str, option: str | None) -> None:
    assert written_option(text, {grade: grade for grade in "1245"}, "Grade:") == option


@pytest.mark.parametrize("text", ["B", "b.", "(B)", "B) yes", "yes"])
def test_an_option_may_be_named_by_its_letter(text: str) -> None:
    assert written_option(text, {"false": "A) no", "true": "B) yes"}) == "true"


def test_a_letter_nobody_showed_is_unread() -> None:
    assert written_option("B", {"false": "no", "true": "yes"}) is None


def test_ties_go_to_the_first_option() -> None:
    assert best_option([-2.0, -1.0, -1.0], ["a", "b", "c"]) == "b"
    assert best_option(None, ["a"]) is None


def test_first_tokens_need_one_for_each_option() -> None:
    assert first_token_scores([["ve", -1.0]], ["falso", "vero"]) is None
    scores = first_token_scores([["Ve", -1.0], ["fal", -2.0], ["x", -0.1]], ["falso", "vero"])
    assert scores == pytest.approx([-2.0, -1.0])
    assert sum(shares_of(scores or [], ["falso", "vero"]).values()) == pytest.approx(1.0)
