"""GITA stories: reading both forms, building variants."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.gita.states import one_state, state_source, state_table
from plausibly.datasets.gita.stories import ATTRIBUTES, STATES, read_stories, story_of
from plausibly.errors import StudyError, TableError
from plausibly.proofreading.stories.checks import check_stories
from plausibly.stimuli.gita._exchanges import count_clashes
from plausibly.stimuli.gita.building import FATAL
from plausibly.stimuli.gita.conversion import first_form, revised_form
from worlds.boxes import TOLD, blocks, fields, stories
from worlds.gita import build_gita


def test_lines_an_array_and_the_first_form_say_the_same(tmp_path: Path) -> None:
    one = fields()
    (tmp_path / "a.jsonl").write_text(json.dumps(one) + "\n")
    (tmp_path / "b.json").write_text(json.dumps([one]))
    (tmp_path / "c.json").write_text(json.dumps({"test": {"7": one}}))
    read = [read_stories(tmp_path / name)[0] for name in ("a.jsonl", "b.json", "c.json")]
    assert len({(story.example, story.sentences, story.state) for story in read}) == 1


def test_a_file_without_stories_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "stories.json"
    path.write_text('{"test": {}}')
    with pytest.raises(TableError, match="no stories found"):
        read_stories(path)


def test_the_state_behind_a_conflict_follows_from_the_blocks() -> None:
    states = [blocks(open=("scatola", 2)), blocks(open=("scatola", 4)), *(blocks(),) * 3]
    story = story_of(fields("order", states=states))
    assert one_state(story) == "open"
    assert revised_form(story)["states"] == "open"


def test_blocks_that_do_not_clash_tell_no_state() -> None:
    assert one_state(story_of(fields("order", states=[blocks()] * 5))) is None


def test_an_inferred_state_is_marked_and_a_written_one_is_not() -> None:
    states = [blocks(open=("scatola", 2)), blocks(open=("scatola", 4)), *(blocks(),) * 3]
    told = revised_form(story_of(fields("order", states=states, confl_pairs=[[[0]], [1]])))
    assert (told["states"], told["states_inferred"]) == ("open", True)
    assert (told["confl_sents"], told["confl_pairs"]) == ([0], [0, 1])
    assert told["first"] == {"confl_sents": [0], "confl_pairs": [[[0]], [1]], "states": states}
    assert state_source(story_of(told)) == "inferred"
    assert state_source(story_of(fields("order"))) == "written"
    assert "states_inferred" not in revised_form(story_of(fields("order")))
    built = build_gita(stories(fields(), fields("order", states=states)))
    assert dict(built.items.select("item", "state_source").iter_rows())["7-O0"] == "inferred"


def test_a_state_written_after_the_conversion_is_kept_beside_the_blocks() -> None:
    states = [blocks() for _ in TOLD]
    told = revised_form(story_of(fields("order", states=states)))
    assert told["states"] is None
    back = first_form(story_of(told | {"states": "wet"}))
    assert back["states"] == states
    assert back["revised"]["states"] == "wet"
    assert state_source(story_of(back)) == "written"
    again = revised_form(story_of(back))
    assert (again["states"], again["first"]["states"]) == ("wet", states)


def test_minus_one_is_no_sentence_of_a_conflict() -> None:
    states = [blocks(open=("scatola", 2)), blocks(open=("scatola", 4)), *(blocks(),) * 3]
    story = story_of(fields("order", confl_sents=[[-1], [0]], states=states))
    assert (story.conflict, one_state(story)) == (0, "open")
    assert first_form(story_of(revised_form(story))) == dict(story.fields)


def test_a_conflict_changed_after_the_conversion_follows_into_the_other_form() -> None:
    told = revised_form(story_of(fields("cloze", states=[blocks() for _ in TOLD])))
    changed = told | {"breakpoint": 3, "confl_sents": [2], "confl_pairs": [2, 3]}
    back = first_form(story_of(changed))
    assert (back["confl_sents"], back["confl_pairs"]) == ([2], [[2], [3]])


def test_converted_stories_pass_the_checks(tmp_path: Path) -> None:
    states = [blocks(open=("scatola", 2)), blocks(open=("scatola", 4)), *(blocks(),) * 3]
    for one in (fields("order", states=states), fields("order")):
        for form in (first_form, revised_form):
            told = form(story_of(one | {"objects": "scatola", "actor": "scatola"}))
            found = {f.kind for f in check_stories([story_of(told)])}
            assert found <= {"no_original", "object_form", "no_states_told"}
    odd = revised_form(story_of(fields("order", states=states))) | {"first": 5}
    assert "wrong_type" in [f.kind for f in check_stories([story_of(odd)])]


def test_the_one_state_survives_the_way_to_blocks_and_back() -> None:
    there = first_form(story_of(fields("order")))
    assert len(there["states"]) == 5
    assert all(list(block) == list(ATTRIBUTES) for block in there["states"])
    back = revised_form(story_of(there))
    assert back == fields("order")


def test_states_become_one_row_per_sentence_entity_and_attribute() -> None:
    states = [blocks(open=("scatola", 4)), *(blocks(),) * 4]
    table = state_table({"7": story_of(fields(states=states))})
    assert table.height == 5 * len(ATTRIBUTES)
    opened = table.filter(sentence=0, attribute="open").row(0)
    assert opened == ("7", 0, "scatola", "open", 4, "false", "true")


def test_there_are_twenty_attributes_and_fourteen_states() -> None:
    assert (len(ATTRIBUTES), len(STATES)) == (20, 14)


def test_every_exchange_is_proposed_and_ranked() -> None:
    items = build_gita(stories(fields())).items
    proposed = items.filter(status="proposed").sort("rank")
    assert proposed["rank"].to_list() == list(range(1, 11))
    assert proposed["item"][0] == "7-S01"
    assert set(proposed["condition"]) == {"order"}
    assert proposed["expected"].null_count() == 10
    assert set(items["actor"]) == {"Ada"}
    assert set(items["objects"]) == {"scatola, tappo, brocca"}


def test_an_exchange_somebody_wrote_is_not_proposed_again() -> None:
    items = build_gita(stories(fields(), fields("order"))).items
    assert items.filter(condition="order", status="written")["item"].to_list() == ["7-O0"]
    assert items.filter(status="proposed").height == 9
    assert build_gita(stories(fields()), swaps=2).items.filter(status="proposed").height == 2


def test_every_exchange_that_is_not_proposed_is_in_the_ledger() -> None:
    built = build_gita(stories(fields(), fields("order")), swaps=2)
    rows = {name: (rule, reason) for name, rule, reason in built.ledger.iter_rows()}
    assert rows["7-S01"] == ("already_written", "the written story 7-O0 tells the same")
    beyond = [reason for rule, reason in rows.values() if rule == "beyond_swaps"]
    assert sorted(beyond) == [f"rank {n}; 2 per story were asked for" for n in range(3, 10)]
    assert len(rows) == 8
    assert [(step["step"], step["of"], step["rows"]) for step in built.funnel] == [
        ("read", "stories", 2),
        *((rule, "stories", 2) for rule in FATAL),
        ("exchanged", "exchanges", 10),
        ("already_written", "exchanges", 9),
        ("beyond_swaps", "exchanges", 2),
    ]


def test_clashing_states_come_before_shared_objects() -> None:
    states = [blocks() for _ in TOLD]
    states[2] = blocks(open=("scatola", 4))
    states[4] = blocks(open=("scatola", 2))
    items = build_gita(stories(fields(states=states))).items.filter(status="proposed")
    assert items.sort("rank")["changed"][0] == "2,4"
    assert count_clashes(story_of(fields(states=states)).blocks) == 0


CLOZE = {"replace": 0, "sentence": "Ada chiude la scatola.", "conflict": 0, "breakpoint": 1}


def test_an_author_writes_cloze_variants_into_the_story() -> None:
    told = CLOZE
    items = build_gita(stories(fields(cloze=[told]))).items
    row = items.filter(condition="cloze").to_dicts()[0]
    assert row["item"] == "7-C0"
    assert json.loads(row["sentences"]) == ["Ada chiude la scatola.", *TOLD[1:]]
    assert (row["expected"], row["conflict"], row["breakpoint"]) == ("implausible", 0, 1)
    built = build_gita(stories(fields(cloze=[told])))
    (written,) = [one for one in built.documents["revised.jsonl"] if one["type"]]
    assert written["confl_pairs"] == [0, 1]
    assert (written["states"], written["states_inferred"]) == ("open", True)


@pytest.mark.parametrize(
    ("cloze", "candidate", "rule", "reason"),
    [
        ([{"replace": 0}], "0|7-C0", "bad_cloze", "needs 'replace'"),
        ({"replace": 0}, "0|7-C", "bad_cloze", "Put [] around it"),
        (
            [CLOZE | {"replace": 7}],
            "0|7-C0",
            "bad_cloze",
            "replace is 7; the story has",
        ),
        ([CLOZE | {"sentence": ""}], "0|7-C0", "bad_cloze", "sentence is ''"),
        ([CLOZE | {"breakpoint": 0}], "0|7-C0", "faulty_cloze", "conflict_not_earlier"),
        ([CLOZE | {"state": "soggy"}], "0|7-C0", "faulty_cloze", "unknown_state"),
    ],
)
def test_a_variant_that_cannot_be_used_goes_to_the_ledger_and_the_story_stays(
    cloze: object, candidate: str, rule: str, reason: str
) -> None:
    built = build_gita(stories(fields(cloze=cloze)), swaps=0)
    assert built.items["item"].to_list() == ["7"]
    row = built.ledger.filter(candidate=candidate).row(0, named=True)
    assert row["rule"] == rule
    assert reason in row["reason"]


def test_opposite_verbs_give_proposals_only() -> None:
    built = build_gita(stories(fields()), opposites={"apre": "chiude", "vola": "cade"})
    row = ("7", 0, "apre", "chiude", "Ada chiude la scatola.")
    assert built.tables["proposals"].rows() == [row]
    assert built.items.filter(condition="cloze").is_empty()


def test_stories_that_cannot_be_used_are_in_the_ledger_with_their_variants() -> None:
    told = (fields(sentences=[""]), fields("order"), fields(story_id=8, example_id="8"))
    built = build_gita(stories(*told))
    assert [(c, rule) for c, rule, _ in built.ledger.iter_rows()] == [
        ("0|7", "empty_sentence"),
        ("1|7-O0", "no_original"),
    ]
    left = {step["step"]: step["rows"] for step in built.funnel}
    assert (left["read"], left["empty_sentence"], left["no_original"]) == (3, 2, 1)
    assert set(built.items["story"]) == {"8"}
    with pytest.raises(StudyError, match="no plausible story is left"):
        build_gita(stories(*told[:2]))


def test_an_author_needs_four_fields_only() -> None:
    short = {name: fields()[name] for name in ("story_id", "actor", "objects", "sentences")}
    built = build_gita(stories(short))
    assert built.ledger.is_empty()
    assert built.items.height == 11
    del short["actor"]
    with pytest.raises(StudyError, match="no plausible story is left"):
        build_gita(stories(short))


@pytest.mark.parametrize("state", [{}, {"state": "open"}])
def test_what_an_author_left_out_is_filled_in_and_building_again_adds_nothing(
    state: dict[str, str],
) -> None:
    short = {name: fields()[name] for name in ("story_id", "actor", "objects", "sentences")}
    assert not check_stories(stories(short))
    told = {"replace": 0, "sentence": "Ada chiude la scatola.", "conflict": 0, "breakpoint": 1}
    once = build_gita(stories(short | {"cloze": [told | state]}))
    assert check_stories(stories(*once.documents["revised.jsonl"])) == []
    assert check_stories(stories(*once.documents["first.json"]["test"].values())) == []
    again = build_gita(stories(*once.documents["revised.jsonl"]))
    assert again.items.equals(once.items)
    assert again.documents["revised.jsonl"] == once.documents["revised.jsonl"]


def test_each_sentence_is_read_once_by_itself() -> None:
    reading = build_gita(stories(fields(), fields("order"), fields("cloze"))).tables["reading"]
    assert reading["text"].to_list() == [*TOLD, "Ada chiude la scatola."]
    assert set(reading["ask"]) == {"Questa frase, presa da sola, è plausibile?"}
    english = build_gita(stories(fields()), lang="en").tables["reading"]
    assert set(english["ask"]) == {"Is this sentence plausible by itself?"}


def test_repeated_ids_get_names_of_their_own() -> None:
    built = build_gita(stories(fields(), fields("cloze"), fields("cloze", example_id="7-O0")))
    written = built.items.filter(status="written")["item"].to_list()
    assert written == ["7", "7-C0", "7-C1"]
    assert list(built.documents["first.json"]["test"]) == written


def test_the_command_writes_both_forms(tmp_path: Path) -> None:
    path = tmp_path / "stories.jsonl"
    path.write_text("".join(json.dumps(fields(kind)) + "\n" for kind in (None, "order")))
    table = tmp_path / "opposites.csv"
    table.write_text("verb,opposite\napre,chiude\n")
    out = tmp_path / "out"
    given = ["build", "gita", str(path), "--opposites", str(table), "-o", str(out)]
    assert run(given) == 0
    assert [story.example for story in read_stories(out / "first.json")] == ["7", "7-O0"]
    assert [story.state for story in read_stories(out / "revised.jsonl")] == ["open", "open"]
    assert pl.read_parquet(out / "proposals.parquet").height == 1
    assert json.loads((out / "funnel.json").read_text())[0]["rows"] == 2
    table.write_text("verb\napre\n")
    assert run(given) == 1


def test_both_spellings_of_the_conflict_are_read() -> None:
    told = fields("order")
    told["conflict_sents"] = told.pop("confl_sents")
    assert story_of(told).conflict == story_of(fields("order")).conflict
