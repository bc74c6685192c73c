"""The form is the prompt: a model is asked what people are asked, in the same words and steps."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.ports import Query, Reply, Unanswered
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.tables import ITEMS, RATINGS
from plausibly.verbs.ask import _asked_form
from worlds.steps import REFERENCES, iks_folder

QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "likely",
        "type": "slider",
        "text": "How likely is this?",
        "labels": ["never", "always"],
        "min": 0,
        "max": 100,
        "start": 50,
    },
    {"id": "seen", "type": "choice", "text": "Have you seen it?", "options": ["no", "yes"]},
    {
        "id": "where",
        "type": "choice",
        "text": "Where?",
        "options": ["1", "2"],
        "labels": ["at home", "elsewhere"],
        "skip_if": {"seen": ["no"]},
    },
    {"id": "comment", "type": "text", "text": "Any comments?", "required": False},
]
TEXTS = {"a": "An otter paints a ladder.", "b": "Un gatto beve il tè.", "c": "A cup of tea falls."}


@dataclass
class Scripted:
    """A model that only writes, and remembers what it was asked."""

    say: Callable[[str], str]
    name: str = "scripted"
    identity: str = "scripted|1"
    source: str = "here"
    converses: bool = True
    options_at_once: int = 0
    at_once: int | None = 1
    heard: list[Query] = field(default_factory=list)

    def answer(self, query: Query) -> Reply:
        self.heard.append(query)
        return Reply(text=self.say(query.messages[-1][1] if self.converses else query.context))

    def rest(self) -> None: ...

    def leave(self) -> None: ...


def study_of(folder: Path, **more: Any) -> Path:
    folder.mkdir()
    sections = {"form": {"questions": QUESTIONS, "instructions": ["Read, then answer."]}, **more}
    write_settings(folder, PROTOCOLS["custom"], name="otters", overrides=sections)
    items = pl.DataFrame({"item": list(TEXTS), "text": list(TEXTS.values())})
    ITEMS.check(items).write_parquet(folder / "items.parquet")
    return folder


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return study_of(tmp_path / "otters")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scripted]:
    def made(say: Callable[[str], str], **more: Any) -> Scripted:
        model = Scripted(say, **more)
        monkeypatch.setattr(_asked_form, "language_model", lambda *_: model)
        return model

    return made


def says(likely: str, seen: str) -> Callable[[str], str]:
    def say(asked: str) -> str:
        if "How likely" in asked:
            return likely
        return seen if "Have you seen" in asked else "2"

    return say


def test_questions_come_in_turn_and_skipped_ones_are_never_asked(
    study: Path, scripted: Callable[..., Scripted]
) -> None:
    model = scripted(says("**70**.", "No"))
    asked = pb.ask(str(study), model="scripted")
    assert len(model.heard) == 2 * len(TEXTS)
    first, second = (q for q in model.heard if TEXTS["a"] in q.messages[1][1])
    assert first.messages[0] == ("system", "Read, then answer.")
    assert "0 means “never”, 100 means “always”." in first.messages[1][1]
    assert "whole number from 0 to 100" in first.messages[1][1]
    assert second.messages[:3] == (*first.messages, ("assistant", "70"))
    assert "Have you seen it?" in second.messages[3][1]
    assert asked.ratings.select("question", "answer", "value").unique().sort("question").rows() == [
        ("likely", "70", 70.0),
        ("seen", "no", None),
    ]
    seen = scripted(says("3", "yes"))
    pb.ask(str(study), model="scripted")
    last = [one for one in seen.heard if "Where?" in one.messages[-1][1]]
    assert len(last) == len(TEXTS)
    assert "1: at home\n2: elsewhere" in last[0].messages[-1][1]


@pytest.mark.parametrize("said", ["101", "-1", "about 70", "70 or 80", "7.5", "<think>70", ""])
def test_what_a_slider_does_not_take_is_unread(
    study: Path, scripted: Callable[..., Scripted], said: str
) -> None:
    model = scripted(says(said, "yes"))
    asked = pb.ask(str(study), model="scripted")
    assert set(asked.ratings["question"]) == {"seen", "where"}
    assert asked.as_json()["tasks"]["likely"]["unread"] == len(TEXTS)
    likely = asked.predictions.filter(question="likely")
    assert likely["label"].to_list() == [None] * len(TEXTS)
    second = next(one for one in model.heard if "Have you seen" in one.messages[-1][1])
    assert [role for role, _ in second.messages] == ["system", "user"]
    assert second.messages[-1][1].startswith(tuple(TEXTS.values()))
    assert "How likely" not in second.messages[-1][1]


def test_a_constant_that_is_no_option_is_unread(study: Path) -> None:
    asked = pb.ask(str(study), model="constant:no")
    assert set(asked.ratings["question"]) == {"seen"}
    assert asked.as_json()["tasks"]["likely"]["unread"] == len(TEXTS)


def test_what_depends_on_an_unread_answer_is_not_asked(
    study: Path, scripted: Callable[..., Scripted]
) -> None:
    model = scripted(says("70", "perhaps"))
    asked = pb.ask(str(study), model="scripted")
    assert set(asked.ratings["question"]) == {"likely"}
    assert not any("Where?" in one.messages[-1][1] for one in model.heard)


def test_a_server_gets_the_range_of_a_long_slider_and_the_options_of_every_sample(
    tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    long = {**QUESTIONS[0], "max": 1000, "start": 500}
    study = study_of(tmp_path / "long", form={"questions": [long, QUESTIONS[1]]})
    model = scripted(says("640", "no"))
    asked = pb.ask(str(study), model="scripted", samples=2, temperature=1.0)
    first, second = (q for q in model.heard if TEXTS["a"] in q.messages[0][1] and not q.repeat)
    assert (first.within, first.among) == ((0.0, 1000.0, 1.0), ())
    assert (second.within, second.among) == (None, ("no", "yes"))
    assert set(asked.ratings.filter(question="likely")["value"]) == {640.0}


def test_the_reference_is_shown_in_the_second_step_only(
    tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    def say(asked: str) -> str:
        last = asked.rsplit("\n\n", maxsplit=1)[-1].splitlines()
        return "NO" if "candidate 1" in asked and "grammatical" in asked else last[-1].split(":")[0]

    model = scripted(say)
    asked = pb.ask(str(iks_folder(tmp_path)), model="scripted")
    for query in model.heard:
        told = " ".join(text for _, text in query.messages)
        second = (
            "mean the same as the reference" in told or "explains the connection better" in told
        )
        assert any(one in told for one in REFERENCES.values()) == second
    ruled_out = asked.ratings.filter(pl.col("answer") == "NO", question="grammaticality")["item"]
    assert len(ruled_out) == 2
    others = asked.ratings.filter(pl.col("question") != "grammaticality")["item"]
    assert not set(ruled_out) & set(others)
    assert {"content_d", "comparison_c"} <= set(asked.ratings["question"])


def test_items_are_asked_about_in_their_language(
    tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    rows = {"item": ["a", "b"], "text": ["It rains.", "Piove."], "language": ["en", "it"]}
    ITEMS.check(pl.DataFrame(rows)).write_parquet(tmp_path / "items.parquet")
    model = scripted(lambda _: "5")
    folder = tmp_path / "pap"
    folder.mkdir()
    write_settings(folder, PROTOCOLS["pap"], name="two", overrides={})
    asked = pb.ask(str(folder), model="scripted", items=tmp_path / "items.parquet", made_for=["en"])
    note = "The model was made for English but asked in Italian, so expect worse results."
    assert note in asked.notes
    assert asked.as_json()["foreign"] == note
    texts = {query.messages[1][1].splitlines()[0]: query.messages[1][1] for query in model.heard}
    assert "Answer with" in texts["It rains."]
    assert "Rispondi con" in texts["Piove."]


def test_every_sample_is_a_rating_and_the_same_is_never_asked_twice(
    study: Path, tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    numbers = iter(range(100))
    model = scripted(lambda asked: str(next(numbers)) if "How likely" in asked else "no")
    asked = pb.ask(str(study), model="scripted", samples=3, output=tmp_path / "out")
    assert set(asked.annotators["annotator"]) == {"scripted/1", "scripted/2", "scripted/3"}
    assert asked.annotators["kind"].unique().to_list() == ["model"]
    assert asked.ratings["batch"].unique().to_list() == ["form"]
    graded = asked.ratings.filter(question="likely")
    means = dict(graded.group_by("item").agg(pl.col("value").mean()).iter_rows())
    told = asked.predictions.filter(question="likely")
    assert dict(told.select("item", "score").iter_rows()) == pytest.approx(means)
    before = len(model.heard)
    again = pb.ask(str(study), model="scripted", samples=3, output=tmp_path / "out")
    assert len(model.heard) == before
    assert again.ratings.equals(asked.ratings)


def test_wordings_are_an_axis_and_unknown_fields_are_named(
    study: Path, tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    file = tmp_path / "wordings.toml"
    file.write_text(
        '[plain]\ntext = "{text}\\n{question}\\n{options}"\n'
        '[kind]\ntext = "Please: {instructions} {text} {question} {options}{examples}"\n',
        encoding="utf-8",
    )
    model = scripted(says("12", "yes"))
    asked = pb.ask(str(study), model="scripted", prompts=str(file))
    assert set(asked.predictions["model"]) == {"scripted/plain", "scripted/kind"}
    assert set(asked.annotators["annotator"]) == {"scripted/plain/1", "scripted/kind/1"}
    assert model.heard[0].messages[0][1].startswith(f"{TEXTS['a']}\nHow likely is this?")
    assert any(one.messages[0][1].startswith("Please: Read, then answer.") for one in model.heard)
    file.write_text('[plain]\ntext = "{text} {question} {optoins}"\n', encoding="utf-8")
    with pytest.raises(StudyError, match=r"\[plain\]: unknown field 'optoins'. Did you mean 'opti"):
        pb.ask(str(study), model="scripted", prompts=str(file))
    file.write_text('[plain]\ntext = "{text}"\n', encoding="utf-8")
    with pytest.raises(StudyError, match=r"lacks the field \{question\}"):
        pb.ask(str(study), model="scripted", prompts=str(file))


def test_a_dry_run_shows_three_queries_and_sends_none(
    study: Path, scripted: Callable[..., Scripted]
) -> None:
    model = scripted(says("1", "no"))
    asked = pb.ask(str(study), model="scripted", dry=True, price="1,2")
    assert not model.heard
    assert asked.forecast is not None
    assert len(asked.forecast["queries_in_full"]) == 3
    assert TEXTS["a"] in asked.text()
    assert asked.forecast["cost_about"] > 0
    assert run(["ask", str(study), "--model", "mock:1", "--dry"]) == 0, "nothing is written"
    assert run(["ask", str(study), "--model", "mock:1"]) == 2


def test_a_forecast_counts_what_a_server_writes_and_what_is_known(
    study: Path, tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    def forecast() -> Mapping[str, Any]:
        asked = pb.ask(str(study), model="scripted", output=tmp_path / "out", forecast=True)
        return asked.forecast or {}

    scripted(says("3", "yes"))
    before = forecast()
    assert before["to_send_at_most"] == before["queries"] == 3 * len(TEXTS)
    assert before["answer_tokens_about"] == 16 * before["queries"]
    first = pb.ask(str(study), model="scripted", limit=2, output=tmp_path / "out")
    after = forecast()
    assert after["known"] == len(first.samples)
    assert after["to_send_at_most"] == 3 * len(TEXTS) - len(first.samples)


def test_an_answer_is_kept_where_a_later_question_gets_none(
    study: Path, scripted: Callable[..., Scripted]
) -> None:
    def say(asked: str) -> str:
        if "Have you seen" in asked:
            raise Unanswered("cut off", lasting=True)
        return "70"

    scripted(say)
    asked = pb.ask(str(study), model="scripted")
    assert asked.ratings.select("item", "question").rows() == [(one, "likely") for one in TEXTS]
    assert asked.account.failed == {"cut off": len(TEXTS)}


@pytest.mark.parametrize("lasting", [True, False])
def test_a_study_goes_on_without_answers_that_would_never_come(
    tmp_path: Path, scripted: Callable[..., Scripted], lasting: bool
) -> None:
    def say(asked: str) -> str:
        if TEXTS["a"] in asked:
            raise Unanswered("filtered answer", "not about otters", lasting=lasting)
        return says("3", "yes")(asked)

    scripted(say)
    study = study_of(
        tmp_path / "study", ask={"model": ["scripted"]}, ratings={"source": "answers.csv"}
    )
    rows = {"item": list(TEXTS) * 2, "annotator": [*"pppqqq"], "answer": ["no", "yes"] * 3}
    answers = pl.DataFrame(rows).with_columns(question=pl.lit("seen"))
    answers.write_csv(study / "answers.csv")
    if not lasting:
        with pytest.raises(StudyError, match="run the study again"):
            pb.Study(study).run(to="ask")
        return
    pb.Study(study).run(to="ask")
    told = json.loads((study / "ask.json").read_text(encoding="utf-8"))["models"][0]["account"]
    assert told["failed"] == {"filtered answer": 1}
    assert set(pl.read_parquet(study / "ask" / "ratings.parquet")["item"]) == {"b", "c"}


def test_weights_that_always_say_the_same_are_not_sampled(study: Path) -> None:
    with pytest.raises(StudyError, match="same answer every time"):
        pb.ask(str(study), model="constant:no", samples=2)
    with pytest.raises(StudyError, match="samples= is for the form"):
        pb.ask("pap", model="mock:1", samples=2, data=study)
    with pytest.raises(UnknownName, match="Did you mean 'custom'"):
        pb.ask("costum", model="mock:1")
    with pytest.raises(StudyError, match="has no items of its own"):
        pb.ask("iks", model="mock:1")


def test_command_python_and_study_agree(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    call = [sys.executable, "-m", "plausibly", "ask", str(study), "--model", "mock:3"]
    done = subprocess.run(
        [*call, "-o", str(out), "--json"], capture_output=True, text=True, check=True
    )
    python = pb.ask(str(study), model="mock:3")
    document = json.loads(done.stdout)
    assert document["tasks"] == json.loads(json.dumps(python.as_json()["tasks"]))
    own = {"ask": {"model": ["mock:3"]}, "ratings": {"source": "answers.csv"}}
    other = study_of(tmp_path / "other", **own)
    rows = [
        {"item": item, "annotator": who, "question": "seen", "answer": answer}
        for item in TEXTS
        for who, answer in (("p", "no"), ("q", "yes"))
    ]
    pl.DataFrame(rows).write_csv(other / "answers.csv")
    pb.Study(other).run(to="report")
    for folder in (out, other / "ask"):
        for name in ("predictions", "ratings", "annotators"):
            table, said = pl.read_parquet(folder / f"{name}.parquet"), getattr(python, name)
            plain = pl.all().exclude("distribution")  # a mapping in Python, a text in a file
            assert table.select(plain).equals(said.select(table.columns).select(plain)), name
    told = json.loads((other / "evaluate_ratings.json").read_text(encoding="utf-8"))
    assert told["models"][0]["alternative_annotator"]["reason"]
    assert told["models"][0]["worth"]["words"]
    [apart] = told["departures"]
    [cell] = apart["cells"]
    assert (cell["answer"], cell["people"]) == ("yes", pytest.approx(0.5))
    assert cell["difference"] == pytest.approx(cell["model"] - cell["people"])
    call = [sys.executable, "-m", "plausibly", "evaluate", str(out / "predictions.parquet")]
    call += ["--ratings", str(other / "answers.csv"), "--items", str(other / "items.parquet")]
    shown = subprocess.run([*call, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(shown.stdout)["departures"] == told["departures"]
    page = (other / "report.html").read_text(encoding="utf-8")
    assert "Where models depart from people" in page


def test_a_slider_with_few_places_is_compared_by_numbers(tmp_path: Path) -> None:
    slider = {**QUESTIONS[0], "max": 40, "start": 20, "step": 10}
    own = {"ask": {"model": ["mock:1"]}, "ratings": {"source": "answers.csv"}}
    study = study_of(tmp_path / "steps", form={"questions": [slider, QUESTIONS[1]]}, **own)
    places = {"a": (0, 10, 20), "b": (10, 20, 30), "c": (30, 40, 40)}
    rows = [
        (item, f"p{n}", question, answer)
        for item, grades in places.items()
        for n, one in enumerate(grades)
        for question, answer in (("likely", str(one)), ("seen", "no" if one < 15 else "yes"))
    ]
    names = ["item", "annotator", "question", "answer"]
    pl.DataFrame(rows, schema=names, orient="row").write_csv(study / "answers.csv")
    pb.Study(study).run(to="evaluate_ratings")
    told = json.loads((study / "evaluate_ratings.json").read_text(encoding="utf-8"))
    compared = pb.evaluate(study / "ask" / "predictions.parquet", ratings=study, resamples=0)
    for models in (told["models"], compared.as_json()["models"]):
        graded = {one["question"]: one["graded"] for one in models}
        assert graded == {"likely": True, "seen": False}


def test_a_study_counts_ratings_by_models_only_where_it_names_them(tmp_path: Path) -> None:
    rows = [
        {
            "item": item,
            "annotator": who,
            "question": "seen",
            "answer": said,
            "annotator_kind": kind,
            "annotator_cluster": who[0],
        }
        for item in TEXTS
        for who, said, kind in (
            *(("p", "no", "person"), ("q", "no", "person")),
            *((f"m/{n}", "yes", "model") for n in range(1, 5)),
        )
    ]
    pl.DataFrame(rows).write_csv(tmp_path / "answers.csv")
    found = {}
    for kinds in (None, "person,model"):
        named = {} if kinds is None else {"kinds": kinds}
        own: dict[str, Any] = dict.fromkeys(("agree", "label", "describe"), named)
        own["ratings"] = {"source": "../answers.csv"}
        study = study_of(tmp_path / f"kinds-{kinds}", **own)
        pb.Study(study).run(to="describe")
        described = json.loads((study / "describe.json").read_text(encoding="utf-8"))
        [row] = [one for one in described["questions"]["seen"]["rows"] if one["answer"] == "no"]
        support = pl.read_parquet(study / "labels.parquet").filter(question="seen")["support"]
        found[kinds] = (row["value"], row["annotators"], support.mean())
    assert found[None] == pytest.approx((1.0, 2, 1.0))
    assert found["person,model"] == pytest.approx((2 / 3, 3, 2 / 3))


def test_several_models_make_a_table(study: Path, tmp_path: Path) -> None:
    table = pb.ask(str(study), model=["mock:1", "mock:2"], output=tmp_path / "out")
    assert set(table.results["model"]) == {"mock:1", "mock:2"}
    assert {"likely: mean", "seen: unread share"} <= set(table.results["metric"])
    assert (tmp_path / "out" / "otters" / "mock-1" / "ratings.parquet").exists()


def rated(folder: Path, answers: dict[str, list[int]]) -> None:
    rows = [
        {"item": item, "annotator": f"p{n}", "question": "likely", "answer": str(one)}
        for item, own in answers.items()
        for n, one in enumerate(own)
    ]
    RATINGS.check(pl.DataFrame(rows)).write_parquet(folder / "ratings.parquet")


def test_examples_are_items_people_are_clear_about(
    study: Path, tmp_path: Path, scripted: Callable[..., Scripted]
) -> None:
    extra = {f"x{n}": f"Case {n}." for n in range(4)}
    items = pl.DataFrame({"item": [*TEXTS, *extra], "text": [*TEXTS.values(), *extra.values()]})
    ITEMS.check(items).write_parquet(study / "items.parquet")
    divided = {item: [10, 20, 80, 90] for item in TEXTS}
    clear = {"x0": [90, 80, 60, 10], "x1": [70, 100, 80], "x2": [5, 10, 30, 90], "x3": [40, 20, 0]}
    rated(study, {**divided, **clear})
    shown = {"Case 0.": "60", "Case 1.": "83", "Case 2.": "34", "Case 3.": "20"}
    model = scripted(says("70", "no"))
    asked = pb.ask(str(study), model="scripted", shots="2", shot_sets=2)
    assert set(asked.predictions["shot_set"]) == {"2.1", "2.2"}
    for query in model.heard:
        turns = [one for one in query.messages if one[0] != "system"]
        examples = list(zip(turns[0:4:2], turns[1:4:2], strict=True))
        texts = {user[1].splitlines()[0]: answer[1] for user, answer in examples}
        assert len(texts) == 2
        assert set(texts.items()) <= set(shown.items())
        assert {int(grade) > 50 for grade in texts.values()} == {True, False}
        assert turns[4][1].splitlines()[0] not in texts
    plain = study.with_name("plain.toml")
    plain.write_text('[own]\ntext = "{examples}\\n\\n{text}\\n{question}\\n{options}"\n')
    model = scripted(says("70", "no"))
    pb.ask(str(study), model="scripted", shots="2", prompts=str(plain), limit=1)
    [(role, words)] = model.heard[0].messages
    assert (role, words.count("Answer: ")) == ("user", 2)


def test_without_clear_items_or_ratings_no_example_is_made_up(study: Path) -> None:
    with pytest.raises(StudyError, match="no ratings to take examples from"):
        pb.ask(str(study), model="mock:1", shots="2")
    rated(study, {item: [10, 90] for item in TEXTS})
    with pytest.raises(StudyError, match="clear items on both sides"):
        pb.ask(str(study), model="mock:1", shots="2")
    assert set(pb.ask(str(study), model="mock:1").predictions["shot_set"]) == {"0"}
