"""Asking models: examples from clear items, room to answer, and no answer read as its opposite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.asking.answers import written_option
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.verbs.ask import Asked
from worlds.pap import Event, write_release
from worlds.wire import Part, Script, chat, http, wire

CLEAR = {"5": "5555555", "4": "4444444", "2": "2222222", "1": "1111111"}
"""By grade, ratings that leave no doubt."""
TIED = "111555"


def events(*ratings: str) -> list[Event]:
    """Return one invented event for each string of ratings, all with different verbs."""
    return [
        Event(f"owl guards{number} lamp", "plausible", "c-c-c", each)
        for number, each in enumerate(ratings)
    ]


def shown_examples(bodies: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Return the examples of all requests: the text of the event and the grade shown for it."""
    turns = [body["messages"] for body in bodies]
    return {
        (user["content"].removeprefix("Event: "), answer["content"])
        for messages in turns
        for user, answer in pairwise(messages)
        if answer["role"] == "assistant"
    }


def five(_: dict[str, Any], __: int) -> list[Part]:
    return [http(chat("5", finish_reason="stop"))]


def ask_server(script: Script, data: Path, **options: Any) -> tuple[Asked, list[dict[str, Any]]]:
    with wire(script) as server:
        asked = pb.ask("pap", model=f"openai:{server.url}#tiny", data=data, **options)
    return asked, server.bodies


def test_examples_of_pap_are_clear_by_side(tmp_path: Path) -> None:
    world = events(*list(CLEAR.values()) * 2, *["4455112"] * 20, *["1122455"] * 20)
    write_release(tmp_path, world)
    _, bodies = ask_server(five, tmp_path, shots="4", shot_sets=3, limit=4)
    sides = {event.text: event.side for event in world}
    examples = shown_examples(bodies)
    assert examples
    assert {text for text, _ in examples if sides[text] == "unsure"} == set()


def test_an_example_shows_the_grade_on_its_side_nearest_to_the_mean(tmp_path: Path) -> None:
    # 5 is most common but the mean is 3.7; 1 is most common but the mean is 2.3
    world = events(*list(CLEAR.values()) * 2, *["5554421"] * 20, *["1112245"] * 20)
    write_release(tmp_path, world)
    _, bodies = ask_server(five, tmp_path, shots="4", shot_sets=3, limit=4)
    ratings = {event.text: event.ratings for event in world}
    nearest = {"5554421": "4", "1112245": "2", **{each: grade for grade, each in CLEAR.items()}}
    examples = shown_examples(bodies)
    assert examples
    assert examples == {(text, nearest[ratings[text]]) for text, _ in examples}


def test_a_broken_tie_is_never_right(tmp_path: Path) -> None:
    world = events(*[TIED] * 4, *[CLEAR["5"]] * 4)
    write_release(tmp_path, world)
    asked = pb.ask("pap", model="constant:1", data=tmp_path, shots="0")
    assert asked.as_json()["tasks"]["plausible"]["right"]["mean"] == 0.0


def pap_study(folder: Path) -> Path:
    folder.mkdir()
    write_settings(folder, PROTOCOLS["pap"], name="owls", overrides={})
    return folder


@pytest.fixture
def certain(tmp_path: Path) -> Path:
    """A data folder with six events that everybody rates 5."""
    write_release(tmp_path / "data", events(*[CLEAR["5"]] * 6))
    return tmp_path / "data"


def test_the_room_for_an_answer_is_an_option_and_in_the_manifest(
    certain: Path, tmp_path: Path
) -> None:
    with wire(five) as server:
        command = ["ask", "pap", "--model", f"openai:{server.url}#tiny", "--data", str(certain)]
        command += ["--shots", "0", "--max-tokens", "512", "-o", str(tmp_path / "out")]
        assert run(command) == 0
    assert {body["max_tokens"] for body in server.bodies} == {512}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["parameters"]["max_tokens"] == 512


def test_the_manifest_records_what_was_sent_by_default(certain: Path, tmp_path: Path) -> None:
    _, bodies = ask_server(five, certain, shots="0", output=tmp_path / "out")
    parameters = json.loads((tmp_path / "out" / "manifest.json").read_text())["parameters"]
    for name in ("max_tokens", "temperature"):
        assert {body[name] for body in bodies} == {parameters.get(name)}


def test_the_finish_reason_of_an_answer_is_stored(certain: Path) -> None:
    asked, _ = ask_server(five, certain, shots="0")
    assert {sample.get("finish_reason") for sample in asked.samples} == {"stop"}


def cut_short(body: dict[str, Any], _: int) -> list[Part]:
    """Cut off every answer about the first event, however much room there is."""
    if "guards0" in body["messages"][-1]["content"]:
        return [http(chat("<think>Owls have wings, so 1", finish_reason="length"))]
    return [http(chat("5", finish_reason="stop"))]


def test_an_answer_cut_off_by_length_is_lost_and_not_wrong(certain: Path) -> None:
    asked, _ = ask_server(cut_short, certain, shots="0")
    assert len(asked.samples) == 5
    assert asked.account.failed.total() == 1
    assert asked.as_json()["tasks"]["plausible"]["right"]["mean"] == 1.0


def test_an_answer_cut_off_by_length_is_asked_for_again(certain: Path, tmp_path: Path) -> None:
    ask_server(cut_short, certain, shots="0", output=tmp_path / "out")
    again, bodies = ask_server(five, certain, shots="0", output=tmp_path / "out")
    assert len(bodies) == 1
    assert [sample["answer"] for sample in again.samples] == ["5"] * 6


def reasons(body: dict[str, Any], _: int) -> list[Part]:
    """Need more than 100 tokens of thought before an answer."""
    if body["max_tokens"] < 100:
        return [http(chat("<think>Let me think about owls", finish_reason="length"))]
    return [http(chat("<think>Owls can guard lamps.</think>5", finish_reason="stop"))]


def test_a_model_that_reasons_gets_the_room_it_needs(certain: Path) -> None:
    asked, _ = ask_server(reasons, certain, shots="0")
    assert [sample["answer"] for sample in asked.samples] == ["5"] * 6


def test_answers_asked_for_again_are_paid_from_the_budget(certain: Path) -> None:
    def thinks(*_: object) -> list[Part]:
        used = {"prompt_tokens": 10, "completion_tokens": 100}
        return [http({**chat("<think>Owls", finish_reason="length"), "usage": used})]

    paid: dict[str, Any] = {"price": "0,1000", "budget": 0.3, "max_tokens": 1, "concurrency": 1}
    with wire(thinks) as server:
        model = f"openai:{server.url}#tiny"
        with pytest.raises(StudyError, match="asking stopped"):
            pb.ask("pap", model=model, data=certain, shots="0", **paid)
    assert len(server.bodies) == 3  # a tenth each, of a forecast far below the budget


def test_a_seed_is_sent_and_kept_only_where_answers_are_drawn(
    certain: Path, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {"shots": "0", "output": tmp_path / "out", "limit": 2}
    _, bodies = ask_server(five, certain, seed=7, **asked)
    assert not any("seed" in body for body in bodies)
    for seed in (7, 8, 8):
        _, drawn = ask_server(five, certain, seed=seed, temperature=1.0, **asked)
        bodies += drawn
    assert [body.get("seed") for body in bodies[2:]] == [7, 7, 8, 8]  # the third time all are known


def test_a_seed_differs_between_samples(tmp_path: Path) -> None:
    items = tmp_path / "items.parquet"
    pl.DataFrame({"item": ["a"], "text": ["An owl guards a lamp."]}).write_parquet(items)
    with wire(five) as server:
        model = f"openai:{server.url}#tiny"
        more: dict[str, Any] = {"temperature": 1.0, "samples": 3, "seed": 7, "items": items}
        pb.ask(str(pap_study(tmp_path / "study")), model=model, **more)
    assert sorted(body["seed"] for body in server.bodies) == [7, 8, 9]


@pytest.mark.parametrize("refused", ["max_tokens", "temperature", "seed"])
def test_a_server_that_refuses_a_parameter_is_asked_without_it(certain: Path, refused: str) -> None:
    drawn = {"temperature": 1.0} if refused == "seed" else {}

    def script(body: dict[str, Any], number: int) -> list[Part]:
        if refused not in body:
            return five(body, number)
        error = {
            "message": f"Unsupported parameter: '{refused}' is not supported with this model.",
            "type": "invalid_request_error",
            "param": refused,
            "code": "unsupported_parameter",
        }
        return [http({"error": error}, status="400 Bad Request")]

    asked, bodies = ask_server(script, certain, shots="0", concurrency=1, **drawn)
    assert [sample["answer"] for sample in asked.samples] == ["5"] * 6
    assert sum(refused in body for body in bodies) == 1
    assert all({"max_tokens", "max_completion_tokens"} & body.keys() for body in bodies)


TRUE = {"false": "false", "true": "true"}
YES = {"false": "no", "true": "yes"}
VERO = {"false": "falso", "true": "vero"}
SI = {"false": "no", "true": "sì"}
POSSIBILE = {"false": "impossibile", "true": "possibile"}
EFFECTS = ("impossible", "less likely", "equally likely", "more likely", "necessarily true")
EFFECT = {effect: effect for effect in EFFECTS}
WORDS = {"1": "impossible", "2": "unlikely", "4": "likely", "5": "certain"}
GRADES = {grade: grade for grade in "1245"}

MISREAD = [
    (TRUE, "This can't be true.", "true"),
    (TRUE, "That couldn't possibly be true.", "true"),
    (TRUE, "There is no way this is true.", "true"),
    (TRUE, "This is not, as far as I can see, true.", "true"),
    (TRUE, "This story is far from true.", "true"),
    (TRUE, "I doubt that it is true.", "true"),
    (TRUE, "True? No, this cannot happen.", "true"),
    (TRUE, "It is anything but false.", "false"),
    (TRUE, "False is not what I would say here.", "false"),
    (TRUE, "<thinking>At first it looks true.</thinking> It cannot happen.", "true"),
    (TRUE, "[THINK]At first it looks true.[/THINK] It cannot happen.", "true"),
    (YES, "Nobody would say yes.", "true"),
    (YES, "Yes, if pigs could fly; so it cannot happen.", "true"),
    (YES, "No doubt about it, this can happen.", "false"),
    (YES, "No problem, all of it can happen.", "false"),
    (VERO, "È impossibile che sia vero.", "true"),
    (VERO, "Nessuno direbbe che è vero.", "true"),
    (VERO, "Dubito che sia vero.", "true"),
    (VERO, "È tutt'altro che vero.", "true"),
    (VERO, "Vero? Assolutamente no.", "true"),
    (VERO, "È tutto fuorché falso.", "false"),
    (VERO, "Falso problema: tutto può accadere.", "false"),
    (SI, "Sì, ma solo in sogno: nella realtà non può accadere.", "true"),
    (SI, "No, non c'è nessun problema: può accadere.", "false"),
    (POSSIBILE, "Possibile? Per niente.", "true"),
    (POSSIBILE, "È escluso che sia possibile.", "true"),
    (POSSIBILE, "Niente di tutto questo è possibile.", "true"),
    (POSSIBILE, "Nulla di impossibile.", "false"),
    (EFFECT, "It is no more likely.", "more likely"),
    (EFFECT, "It is hardly more likely.", "more likely"),
    (EFFECT, "Nothing makes it less likely.", "less likely"),
    (EFFECT, "It is by no means impossible.", "impossible"),
    (EFFECT, "It is far from necessarily true.", "necessarily true"),
    (WORDS, "It is hardly likely.", "4"),
    (WORDS, "It is far from certain.", "5"),
    (WORDS, "Nothing impossible about it.", "1"),
    (GRADES, "I can't give it a 5.", "5"),
    (GRADES, "Anything but 5.", "5"),
]
"""The options, an answer, and the option it denies."""


@pytest.mark.parametrize(("options", "text", "denied"), MISREAD)
def test_an_answer_is_never_read_as_its_opposite(
    options: Mapping[str, str], text: str, denied: str
) -> None:
    assert written_option(text, options) != denied


@pytest.mark.parametrize(
    ("options", "text", "denied"),
    [
        (TRUE, "It isn't true.", "true"),
        (TRUE, "untrue", "true"),
        (YES, "I would never say yes here.", "true"),
        (VERO, "Non è affatto falso.", "false"),
        (VERO, "Non è vero.", "true"),
        (WORDS, "Not likely.", "4"),
    ],
)
def test_a_plain_denial_stays_unread(options: Mapping[str, str], text: str, denied: str) -> None:
    assert written_option(text, options) != denied
