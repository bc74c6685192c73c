"""Asking: command and Python agree, answers outlive the run, and the scorer reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plausibly as pb
from plausibly.asking.gita import published_prompt
from plausibly.asking.journal import KeptAnswer, journal, key_of
from plausibly.asking.results import variance_split
from plausibly.cli import run
from plausibly.datasets.gita import CONFLICT, OPTIONS, STATE, STORY
from plausibly.errors import PlausiblyError, StudyError, UnknownName
from plausibly.ports import Query, Reply
from worlds.gita import data_folder as written
from worlds.wire import chat, http, wire

TIERS = {"story": STORY, "conflict": CONFLICT, "state": STATE}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path / "data", 8)


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]


def test_command_and_python_say_the_same(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = pb.ask("gita", model="mock:3", data=data, prompts="all", limit=9, output=tmp_path / "a")
    command = ["ask", "gita", "--model", "mock:3", "--data", str(data), "--prompts", "all"]
    assert run([*command, "--limit", "9", "-o", str(tmp_path / "b"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    said["account"].pop("seconds")
    own = mine.as_json()
    own["account"].pop("seconds")
    assert said == own
    for name in ("samples.jsonl", "predictions.parquet"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    manifest = json.loads((tmp_path / "a" / "manifest.json").read_text())
    assert set(manifest["prompts"]) == {line["prompt"] for line in lines(tmp_path / "a")}
    assert len(manifest["shot_sets"]["3-2.1"][STORY]) == 3
    assert manifest["account"]["queries"] == mine.account.queries
    assert len(manifest["inputs"]["gita4calamita_356.jsonl"]["sha256"]) == 64
    assert len(manifest["code"]["sha256"]) == 64


def test_what_is_said_of_an_item_does_not_depend_on_the_limit(tmp_path: Path, data: Path) -> None:
    few = pb.ask("gita", model="mock:3", data=data, limit=5, shot_sets=2)
    many = pb.ask("gita", model="mock:3", data=data, shot_sets=2)
    rows = many.predictions.join(few.predictions, on=["item", "question", "model"], how="semi")
    assert rows.equals(few.predictions)


def test_asking_again_sends_nothing_and_more_sends_what_is_missing(
    tmp_path: Path, data: Path
) -> None:
    out = tmp_path / "out"
    first = pb.ask("gita", model="mock:3", data=data, output=out)
    again = pb.ask("gita", model="mock:3", data=data, output=out)
    more = pb.ask("gita", model="mock:3", data=data, output=out, shot_sets=2)
    assert first.account.known == 0
    assert again.account.answered == 0
    assert again.account.known == first.account.queries
    # two queries per task are the options without an item, which both sets share
    assert more.account.known == first.account.queries
    assert more.account.answered == len(more.samples) - len(first.samples)


def test_the_scorer_reads_what_was_asked(tmp_path: Path, data: Path) -> None:
    one = pb.ask("gita", model="mock:3", data=data, output=tmp_path / "one")
    scored = pb.score_gita(tmp_path / "one", resamples=0).as_json()
    right = [
        sample["answer"] == sample["expected"] for sample in one.samples if sample["task"] == STORY
    ]
    assert scored["accuracy"] == pytest.approx(sum(right) / len(right))
    assert scored["consistency"] is not None
    shown = pb.score_gita(tmp_path / "one", resamples=0).text()
    always = scored["baselines"]["always_implausible"]
    assert f"always implausible   {always:.4g}" in shown
    both = pb.ask(
        "gita", model="mock:3", data=data, prompts="it-vero,en-yes", output=tmp_path / "b"
    )
    pooled = pb.score_gita(tmp_path / "b", resamples=50).as_json()
    assert set(pooled["ways"]) == {"it-vero/3-2.1", "en-yes/3-2.1"}
    mean = sum(way["consistency"] for way in pooled["ways"].values()) / 2
    assert pooled["consistency"] == pytest.approx(mean)
    assert pooled["spread"]["accuracy"]["n"] == 2
    assert len(both.samples) == 2 * len(one.samples)


def test_rules_that_count_every_line_see_what_the_chain_would_have_asked(
    tmp_path: Path, data: Path
) -> None:
    pb.ask("gita", model="mock:5", data=data, output=tmp_path / "all")
    pb.ask("gita", model="mock:5", data=data, output=tmp_path / "gated", gated=True)
    for rules in ("gita-2024", "clean"):
        whole, gated = (
            pb.score_gita(tmp_path / name, rules=rules, resamples=0).as_json()
            for name in ("all", "gated")
        )
        for metric in ("accuracy", "consistency", "verifiability", "consistency_cloze"):
            assert whole[metric] == gated[metric]


def test_gates_ask_a_later_tier_only_where_the_earlier_is_right(data: Path) -> None:
    asked = pb.ask("gita", model="mock:5", data=data, gated=True).samples
    right = {
        task: {s["item"] for s in asked if s["task"] == task and s["answer"] == s["expected"]}
        for task in (STORY, CONFLICT)
    }
    for task, before in ((CONFLICT, STORY), (STATE, CONFLICT)):
        assert {s["item"] for s in asked if s["task"] == task} <= right[before]


def test_a_model_that_is_never_right_is_asked_nothing_more(data: Path) -> None:
    asked = pb.ask("gita", model="constant:vero", data=data, gated=True, prompts="it-vero")
    assert {sample["task"] for sample in asked.samples} == {STORY}


@pytest.mark.parametrize(
    "options",
    [{"shots": "3", "shot_sets": 2}, {"shots": "0"}, {"shots": "coverage", "gated": True}],
)
def test_published_stories_in_a_file_of_ones_own_are_asked_about_alike(
    data: Path, tmp_path: Path, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    published = pb.ask("gita", model="mock:5", data=data, limit=6, **options).samples
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)
    stories = data / "gita" / "gita4calamita_356.jsonl"
    assert pb.ask("gita", model="mock:5", items=stories, limit=6, **options).samples == published
    unshown = pb.ask("gita", model="mock:5", items=stories).samples
    assert {tuple(sample["shots"]) for sample in unshown} == {()}


@pytest.mark.data
def test_the_published_protocol_asks_about_stories_of_ones_own(
    data_folder: Path, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {
        "model": "mock:5",
        "data": data_folder,
        "protocol": "gita-2024",
        "tasks": "story_class,conflict_detec",
        "limit": 12,
    }
    stories = data_folder / "gita" / "gita4calamita_356.jsonl"
    own = pb.ask("gita", items=stories, **asked).samples
    assert own == pb.ask("gita", **asked).samples


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("own.csv", {}, "A study writes them to ask/stories.jsonl"),
        ("own.jsonl", {"sentences": ["a", "b"]}, r"own.jsonl:1: the story does not have 5"),
        ("own.jsonl", {"breakpoint": None}, r"own.jsonl:1: no breakpoint"),
        ("own.jsonl", {"item": "twice"}, "24 stories are named 'twice'"),
    ],
)
def test_stories_that_do_not_say_what_is_right_are_refused(
    data: Path, tmp_path: Path, name: str, change: dict[str, Any], message: str
) -> None:
    text = (data / "gita" / "gita4calamita_356.jsonl").read_text(encoding="utf-8")
    told = [{**json.loads(line), **change} for line in text.splitlines()]
    (tmp_path / name).write_text("".join(f"{json.dumps(one)}\n" for one in told))
    with pytest.raises(PlausiblyError, match=message):
        pb.ask("gita", model="mock:1", items=tmp_path / name)


def test_no_examples_and_covering_examples(data: Path) -> None:
    bare = pb.ask("gita", model="mock:1", data=data, shots="0", limit=3)
    assert all(sample["shots"] == [] for sample in bare.samples)
    full = pb.ask("gita", model="mock:1", data=data, shots="coverage", limit=3)
    assert all(len(sample["shots"]) > 3 for sample in full.samples)
    apart = pb.ask("gita", model="mock:1", data=data, implausible="0,1,2,3", limit=3)
    assert {s["shot_set"] for s in apart.samples} == {"3-0.1", "3-1.1", "3-2.1", "3-3.1"}


def test_the_choice_is_right_by_place_only_where_the_place_is_right(data: Path) -> None:
    tasks = "story_choice,story_choice_swapped"
    asked = pb.ask("gita", model="constant:0", data=data, tasks=tasks).as_json()["tasks"]
    assert asked["story_choice"]["right"]["mean"] == 1.0
    assert asked["story_choice_swapped"]["right"]["mean"] == 0.0


def test_every_normalisation_is_stored_and_one_decides(data: Path) -> None:
    for name in ("none", "token", "character", "pmi"):
        asked = pb.ask("gita", model="mock:2", data=data, limit=4, normalise=name)
        for sample in asked.samples:
            scores = {"none": sample["loglik"], **sample["scores"]}
            assert {"none", "token", "character", "pmi"} <= set(scores)
            assert sample["answer"] == sample["answers"][name]
            assert scores[name][sample["options"].index(sample["answer"])] == max(scores[name])


def test_a_forecast_sends_nothing(tmp_path: Path, data: Path) -> None:
    seen = pb.ask("gita", model="mock:1", data=data, output=tmp_path / "out", forecast=True)
    assert seen.forecast is not None
    assert seen.forecast["to_send_at_most"] > 0
    assert not (tmp_path / "out" / "samples.jsonl").exists()
    pb.ask("gita", model="mock:1", data=data, output=tmp_path / "out")
    again = pb.ask("gita", model="mock:1", data=data, output=tmp_path / "out", forecast=True)
    assert again.forecast is not None
    assert again.forecast["to_send_at_most"] == 0


def test_recorded_answers_are_played_again(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "out"
    first = pb.ask("gita", model="mock:1", data=data, prompts="it-vero,en-true", output=out)
    again = pb.ask("gita", model=f"replay:{out}", data=data, prompts="it-vero,en-true")
    assert [s["answer"] for s in again.samples] == [s["answer"] for s in first.samples]
    assert [s["loglik"] for s in again.samples] == [s["loglik"] for s in first.samples]


def test_answers_are_ratings_of_annotators_that_are_no_people(tmp_path: Path, data: Path) -> None:
    asked = pb.ask("gita", model="mock:1", data=data, prompts="all", output=tmp_path / "out")
    assert asked.ratings.height == asked.predictions.height
    assert asked.annotators["kind"].unique().to_list() == ["model"]
    assert asked.annotators.height == 5
    written = pl.read_parquet(tmp_path / "out" / "ratings.parquet")
    assert written["answer"].to_list() == asked.ratings["answer"].to_list()
    stories = written.filter(pl.col("question") == "plausible")
    assert pb.agree(stories, resamples=0, kinds="model").as_json()["percent_agreement"]["n"] == 24


def test_a_half_written_line_is_cut_off_and_asked_again(tmp_path: Path) -> None:
    query = Query("Is tea wet?")
    with journal(tmp_path) as answers:
        answers.add(key_of("m", query), KeptAnswer(Reply(text="yes"), "here", 0.1))
    path = tmp_path / "answers.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[: len(whole) // 2])
    with journal(tmp_path) as answers:
        assert answers[key_of("m", query)].reply.text == "yes"
        answers.add(
            "other", KeptAnswer(Reply((-1.0, 0.0), (1, 2), first=(("a", -1.0),)), "here", 0.1)
        )
    with journal(tmp_path) as answers:
        assert answers["other"].reply.logliks == (-1.0, 0.0)
    path.write_bytes(b"{}\n" + whole)
    with pytest.raises(StudyError, match=r"answers.jsonl:1"), journal(tmp_path):
        pass


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "smollm3"}, "Did you mean 'smollm2'"),
        ({"model": "hf:"}, "unknown model"),
        ({"model": "replay:nowhere.jsonl"}, "no such file"),
        ({"model": "mock:1", "shots": "many"}, "whole number"),
        ({"model": "mock:1", "shots": "90"}, "Show fewer"),
        ({"model": "mock:1", "shot_sets": 0}, "at least 1"),
        ({"model": "mock:1", "limit": 0}, "at least 1"),
        ({"model": "mock:1", "concurrency": 0}, "at least 1"),
        ({"model": "mock:1", "tasks": "story"}, "unknown task"),
        ({"model": "mock:1", "implausible": "x"}, "whole numbers"),
        ({"model": "mock:1", "protocol": "gita-2025"}, "protocol= must be one of"),
        ({"model": "mock:1", "protocol": "gita-2024", "shots": "2"}, "own words"),
    ],
)
def test_a_wrong_choice_is_one_line(data: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises((StudyError, UnknownName), match=message):
        pb.ask("gita", data=data, **options)


@given(
    st.lists(
        st.lists(
            st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=2), min_size=2, max_size=2
        ),
        min_size=1,
        max_size=6,
    )
)
def test_shares_of_variance_sum_to_one(table: list[list[list[float]]]) -> None:
    ways = {
        (f"p{p}", f"s{s}"): {f"i{i}": table[i][p][s] for i in range(len(table))}
        for p in range(2)
        for s in range(2)
    }
    split = variance_split(ways)
    if split is None:
        assert len({value for item in table for row in item for value in row}) == 1
        return
    assert sum(split[name] for name in ("items", "prompts", "shots", "rest")) == pytest.approx(1.0)
    assert all(split[name] >= 0 for name in ("items", "prompts", "shots", "rest"))


def test_one_way_of_asking_has_no_shares_of_variance() -> None:
    assert variance_split({("p", "s"): {"a": 1.0, "b": 0.0}}) is None
    assert variance_split({("p", "s"): {"a": 1.0}, ("q", "s"): {"a": 0.0}}) is not None


WORDING = """
[story_class]
description = "Possible or not?"
item = "{{story}} Possible?"
options = {story}
[conflict_detec]
description = "Which sentences?"
item = "{{numbered_story}} Which?"
options = {conflict}
[physical_state]
description = "Which state?"
item = "{{story}} State?"
options = {state}
"""


PLACEHOLDER = "Which state? (The 14 descriptions follow in the paper.) Select one."


def test_the_published_protocol_refuses_a_note_in_place_of_the_descriptions(
    tmp_path: Path, data: Path
) -> None:
    options = {name: json.dumps(OPTIONS[task]) for name, task in TIERS.items()}
    wording = WORDING.format(**options).replace("Which state?", PLACEHOLDER)
    (data / "gita" / "prompts.toml").write_text(wording)
    settings: dict[str, Any] = {"data": data, "protocol": "gita-2024"}
    with pytest.raises(StudyError, match=r"14 of the 14 descriptions .*\(power, location,"):
        pb.ask("gita", model="mock:1", **settings)
    others = pb.ask("gita", model="mock:1", tasks="story_class,conflict_detec", **settings)
    assert {sample["task"] for sample in others.samples} == {STORY, CONFLICT}
    recorded = [{"task": STORY, "item": s["item"], "loglik": [0.0, -1.0]} for s in others.samples]
    record = tmp_path / "recorded.jsonl"
    record.write_text("".join(f"{json.dumps(one)}\n" for one in recorded))
    assert pb.ask("gita", model=f"replay:{record}", **settings).samples


def test_the_published_protocol_sends_the_descriptions_of_all_states(
    tmp_path: Path, data: Path
) -> None:
    options = {name: json.dumps(OPTIONS[task]) for name, task in TIERS.items()}
    wording = WORDING.format(**options).replace("Which state?", PLACEHOLDER)
    states = "".join(f'"{state}" = "Says {state}."\n' for state in OPTIONS[STATE])
    (data / "gita" / "prompts.toml").write_text(f"{wording}[physical_state.descriptions]\n{states}")
    prompt = published_prompt(data).tasks[STATE].instruction
    assert all(f"{state.capitalize()}: Says {state}." in prompt for state in OPTIONS[STATE])
    assert "follow in the paper" not in prompt
    assert pb.ask("gita", model="mock:1", data=data, protocol="gita-2024").samples


def test_examples_drawn_from_the_task_before_wait_for_all_its_answers(
    tmp_path: Path, data: Path
) -> None:
    """A story without an answer would change the draws of every later query."""
    options = {name: json.dumps(OPTIONS[task]) for name, task in TIERS.items()}
    (data / "gita" / "prompts.toml").write_text(WORDING.format(**options))
    asked: list[str] = []

    def script(body: dict[str, Any], number: int) -> list[bytes]:
        asked.append(body["messages"][0]["content"])
        if number in (3, 7):
            return [http(b"", status="400 Bad")]
        return [http(chat("false" if "Possible" in asked[-1] else "0 and 1"))]

    with wire(script) as server:
        settings: dict[str, Any] = {
            "model": f"openai:{server.url}#tiny",
            "data": data,
            "protocol": "gita-2024",
        }
        first = pb.ask("gita", **settings, output=tmp_path / "out", concurrency=1)
        assert set(asked) == {"Possible or not?"}
        assert first.account.waiting == (CONFLICT, STATE)
        assert "conflict_detec and physical_state: not asked" in first.lost[-1]
        second = pb.ask("gita", **settings, output=tmp_path / "out", concurrency=1)
    assert second.account.known == 22
    assert not second.lost
    assert [asked.count(one) for one in ("Possible or not?", "Which sentences?")] == [26, 16]
    kept = (tmp_path / "out" / "answers.jsonl").read_text().splitlines()
    assert len(kept) == second.account.queries


@pytest.mark.parametrize(
    "seconds",
    [
        *({"timeout": one} for one in (0.0, -1.0, float("nan"), float("inf"))),
        *({"max_wait": one} for one in (-1.0, float("nan"), float("inf"))),
    ],
)
def test_seconds_that_nobody_can_wait_are_refused(data: Path, seconds: dict[str, Any]) -> None:
    [name] = seconds
    with pytest.raises(StudyError, match=f"{name}=? must be (seconds|a number)"):
        pb.ask("gita", model="openai:http://127.0.0.1:9/v1#tiny", data=data, **seconds)


@pytest.mark.parametrize(
    ("dataset", "chosen", "said"),
    [
        ("gita", {"protocol": "gita-2024", "shot_sets": 2}, "its own words and examples"),
        ("gita", {"protocol": "gita-2024", "implausible": "1"}, "its own words and examples"),
        ("adept", {"protocol": "gita-2024"}, "asking about gita, not adept"),
        ("pap", {"implausible": "1"}, "Leave it out for pap"),
    ],
)
def test_a_choice_that_would_change_nothing_is_refused(
    data: Path, dataset: str, chosen: dict[str, Any], said: str
) -> None:
    with pytest.raises(StudyError, match=said):
        pb.ask(dataset, model="mock:1", data=data, **chosen)


@pytest.mark.data
@pytest.mark.parametrize(
    ("model", "printed"),
    [
        ("gemma-2-9b-it", "72.75 80.87 54.10 84.03 33.61 53.91 14.88 16.39 26.96 6.61"),
        ("Meta-Llama-3.1-8B", "60.96 70.43 60.66 52.10 26.47 33.04 20.66 11.34 13.04 9.92"),
    ],
)
def test_the_published_protocol_gives_the_published_row(
    tmp_path: Path, data_folder: Path, model: str, printed: str
) -> None:
    """Released answers, asked for again by our chain: pools, denominators and ties of Table 3."""
    recorded = data_folder / "gita" / "llm_outputs" / model
    asked = pb.ask(
        "gita",
        model=f"replay:{recorded}",
        data=data_folder,
        protocol="gita-2024",
        output=tmp_path / "out",
    )
    assert not asked.account.failed
    scored = pb.score_gita(tmp_path / "out", rules="gita-2024", resamples=0).as_json()
    metrics = ("accuracy", "accuracy_cloze", "accuracy_order", "accuracy_plausible")
    tiers = [f"{t}{g}" for t in ("consistency", "verifiability") for g in ("", "_cloze", "_order")]
    assert " ".join(f"{100 * scored[name]:.2f}" for name in (*metrics, *tiers)) == printed
    assert scored["n"]["accuracy"] == 356
    assert scored["n"]["consistency"] == 238
    assert asked.predictions.filter(pl.col("question") == "plausible").height == 356
