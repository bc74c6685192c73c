"""What models wrap answers in, in three languages: clear answers are read, all others are not."""

from __future__ import annotations

import pytest

from plausibly.asking.answers import written_number, written_option

YES = ("yes", "no")
SI = ("sì", "no")
JA = ("ja", "nein")
TRUE = ("true", "false")
PLAUSIBLE = ("plausible", "implausible")
LIKELY = ("very unlikely", "unlikely", "neither", "likely", "very likely")
PROBABILE = ("improbabile", "né l'uno né l'altro", "probabile", "molto probabile")
GRADES = ("1", "2", "3", "4", "5", "6", "7")

READ = {
    (YES, "yes"): (
        "<think>a</think><think>b</think>yes",
        "<unused94>thought\nno<unused95>yes",
        "<think>no</think><answer>yes</answer>",
        "<|START_THINKING|>no<|END_THINKING|><|START_RESPONSE|>yes<|END_RESPONSE|>",
        "◁think▷no◁/think▷yes",
        "no, hm</think>\n\nYes",
        "\\boxed{yes}",
        "```\nyes\n```",
        '{"answer": "yes"}',
        '<think>no</think>{"answer": "Yes"}',
        "- yes",
        "> yes",
        "# Yes",
    ),
    (YES, "no"): ('```json\n{"answer": "no"}\n```', "[no]", "**Answer:** No"),
    (SI, "sì"): ("Si\u0300", "<think>credo di no</think>Sì"),
    (SI, "no"): ('```json\n{"risposta": "no"}\n```', "**Risposta**: no."),
    (JA, "nein"): ("Antwort: Nein.", "**Antwort:** nein"),
    (LIKELY, "very likely"): ("**very** likely", "Very   likely."),
    (LIKELY, "very unlikely"): ("*very* unlikely",),
    (PROBABILE, "né l'uno né l'altro"): ("Né l\u2019uno né l\u2019altro.",),
    (GRADES, "5"): ('{"answer": 5}', '{"answer": "5"}', "(5)", "**5**", "5."),
}
UNREAD = {
    YES: (
        "~~yes~~",
        "~~yes~~ no",
        "[ ] yes",
        "- [ ] yes",
        "( ) yes",
        "[] yes",
        '{"answer": "yes"',
        '{"answer": ["yes", "no"]}',
        '{"answer": null}',
        '{"yes": "no"}',
        '{"yes": false}',
        '{"answer":"yes"}{"answer":"no"}',
        "<think>Definitely yes",
        "<think>yes</think>",
        "<unused94>thought\nyes",
        "<|channel|>analysis<|message|>yes",
        "¬yes",
        "-yes",
        "No.\nYes.",
        "B",
    ),
    SI: ("se", "No, anzi sì", "Non sì"),
    JA: ("Jein", "Nicht ja", "Auf keinen Fall ja"),
    TRUE: ("~true", "untrue", '{"answer": true}'),
    PLAUSIBLE: ("(im)plausible", "[im]plausible", "im plausible", "non-plausible"),
    LIKELY: ("(very) likely", '"very" likely', "neither likely nor unlikely", "very"),
    PROBABILE: ("(im)probabile", "poco probabile", "è probabile"),
    GRADES: (
        "~6",
        ">6",
        "> 5",
        "≥6",
        "~~5~~",
        "5.5",
        "5%",
        "5/7",
        "5²",
        "\u22125",
        '{"answer": 9}',
    ),
}
NUMBERS = {
    '```json\n{"answer": 75}\n```': "75",
    "\\boxed{75}": "75",
    "Antwort: 75": "75",
    "Risposta: 75,5": "75.5",
    "\u22122": "-2",
    "\\boxed{-2}": "-2",
    "“-2”": "-2",
    "7.125": "7.125",
    "0,125": "0.125",
    "1,000": None,
    "1.000": None,
    "75,000": None,
    "> 75": None,
    "> -2": None,
    "~75": None,
    "#75": None,
    "# 75": "75",
    "[ ] 75": None,
    "75%": None,
    "70-80": None,
    "—2": None,
    "1e2": None,
    "nan": None,
}


@pytest.mark.parametrize(
    ("options", "option", "text"),
    [(*key, text) for key, texts in READ.items() for text in texts],
)
def test_a_clear_answer_is_read(options: tuple[str, ...], option: str, text: str) -> None:
    assert written_option(text, {one: one for one in options}) == option


@pytest.mark.parametrize(
    ("options", "text"), [(key, text) for key, texts in UNREAD.items() for text in texts]
)
def test_anything_else_is_unread(options: tuple[str, ...], text: str) -> None:
    assert written_option(text, {one: one for one in options}) is None


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_a_number_is_read_if_it_can_be_only_one(text: str, number: str | None) -> None:
    assert written_number(text) == number


@pytest.mark.parametrize("text", ["B. no", "B: no", "(B) no", "b) No.", "B", "Answer: B."])
def test_a_letter_and_its_option_are_one_answer(text: str) -> None:
    lettered = {"true": "A) yes", "false": "B) no"}
    assert written_option(text, lettered) == "false"
    assert written_option(text.replace("B", "A").replace("b)", "a)"), lettered) in (None, "true")
