"""Sixty answers as models write them, in English and Italian: none is read as its opposite."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from plausibly.asking.answers import written_option

YES = {"false": "no", "true": "yes"}
TRUE = {"false": "false", "true": "true"}
SI = {"false": "no", "true": "sì"}
VERO = {"false": "falso", "true": "vero"}
POSSIBILE = {"false": "impossibile", "true": "possibile"}
LIKELY = {"1": "impossible", "2": "unlikely", "4": "likely", "5": "certain"}
PROBABILE = {"1": "impossibile", "2": "improbabile", "4": "probabile", "5": "certo"}
LETTERS = {"false": "A) no", "true": "B) yes"}

# What was written, the options, what it means (None: nothing can be said), whether it must be read.
SIXTY: list[tuple[str, Mapping[str, str], str | None, bool]] = [
    ("Yes", YES, "true", True),
    ("NO.", YES, "false", True),
    ("**yes**", YES, "true", True),
    ("Answer: no", YES, "false", True),
    ("“True”", TRUE, "true", True),
    ("[false]", TRUE, "false", True),
    ("Sì.", SI, "true", True),
    ("Risposta: no", SI, "false", True),
    ("*Falso*", VERO, "false", True),
    ("«vero»", VERO, "true", True),
    ("Impossibile!", POSSIBILE, "false", True),
    ("B", LETTERS, "true", True),
    ("(a)", LETTERS, "false", True),
    ("Likely.", LIKELY, "4", True),
    ("improbabile", PROBABILE, "2", True),
    ("<think>Goats climb. No? They do.</think>\nyes", YES, "true", True),
    ("<thinking>Sembra vero</thinking> Falso", VERO, "false", True),
    ("<reasoning>yes yes yes</reasoning>no", YES, "false", True),
    (
        "<|channel|>analysis<|message|>true?<|end|><|channel|>final<|message|>false",
        TRUE,
        "false",
        True,
    ),
    ("Final answer: **unlikely**", LIKELY, "2", True),
    ("It's not true.", TRUE, "false", False),
    ("That can't be true", TRUE, "false", False),
    ("Not false", TRUE, "true", False),
    ("I would never say yes to that.", YES, "false", False),
    ("Yes, if by yes you mean no.", YES, "false", False),
    ("No doubt: yes", YES, "true", False),
    ("No way that this is false.", TRUE, "true", False),
    ("Hardly likely", LIKELY, "2", False),
    ("not at all unlikely", LIKELY, "4", False),
    ("It is far from certain.", LIKELY, "2", False),
    ("Nothing is impossible, but this is close.", LIKELY, "2", False),
    ("Anything but impossible", LIKELY, "4", False),
    ("Non è vero.", VERO, "false", False),
    ("Non direi che sia falso", VERO, "true", False),
    ("Tutt'altro che vero", VERO, "false", False),
    ("Non è affatto possibile.", POSSIBILE, "false", False),
    ("Non è impossibile", POSSIBILE, "true", False),
    ("Niente affatto probabile", PROBABILE, "2", False),
    ("Non tanto improbabile", PROBABILE, "4", False),
    ("Sì e no", SI, None, False),
    ("No, anzi sì", SI, "true", False),
    ("Sì, ma in realtà no", SI, "false", False),
    ("yes and no", YES, None, False),
    ("Either likely or certain", LIKELY, None, False),
    ("true/false", TRUE, None, False),
    ("vero o falso? Dipende", VERO, None, False),
    ("Perhaps yes", YES, "true", False),
    ("probably not", YES, "false", False),
    ("I think so", YES, "true", False),
    ("Forse vero", VERO, "true", False),
    ("Credo di no", SI, "false", False),
    ("Boh", SI, None, False),
    ("It depends on the goat.", YES, None, False),
    ("As a language model I cannot see.", YES, None, False),
    ("<think>The answer must be yes because", YES, None, False),
    ("<think>no</think", YES, None, False),
    ("[THINK] vero, no, falso", VERO, None, False),
    ("<|channel|>analysis<|message|>Surely true", TRUE, None, False),
    ("◁think▷possibile", POSSIBILE, None, False),
    ("The statement is the opposite of true", TRUE, "false", False),
]


def test_there_are_sixty() -> None:
    assert len(SIXTY) == len({said for said, *_ in SIXTY}) == 60


@pytest.mark.parametrize(("said", "options", "meant", "plain"), SIXTY)
def test_no_answer_is_read_as_its_opposite(
    said: str, options: Mapping[str, str], meant: str | None, plain: bool
) -> None:
    assert written_option(said, options) in ({meant} if plain else {meant, None})
