"""`replicate gita` over data folders made here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.errors import StudyError
from plausibly.replications import Record, replicate
from worlds.gita import Doc, chain, stories, story, write

METRICS = """|      Metric       |n-shot|   Metric value    |
|-------------------|-----:|------------------:|
|Accuracy           |     3|{accuracy}|
|Order Consistency  |     3|{order}|
"""


def told(doc: Doc, *sentences: str) -> Doc:
    return doc | {"sentences": list(sentences)}


def data(folder: Path, docs: list[Doc]) -> Path:
    """Return a data folder with these stories."""
    gita = folder / "gita"
    gita.mkdir()
    lines = [doc if "sentences" in doc else told(doc, *"abcde") for doc in docs]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (gita / "gita4calamita_356.jsonl").write_text(text)
    return folder


def answered(folder: Path, model: str, docs: list[Doc], wrong: dict[str, list[int]]) -> Path:
    place = folder / "gita" / "llm_outputs" / model
    place.mkdir(parents=True)
    write(place, chain(docs, wrong))
    return place


def by_id(folder: Path) -> dict[str, Record]:
    records = replicate("gita", data=folder).records
    assert len({record.id for record in records}) == len(records)
    return {record.id: record for record in records}


def test_without_the_folder_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="gita: no such folder"):
        replicate("gita", data=tmp_path)


def test_a_model_in_the_folder_is_scored_and_the_others_are_not_computable(tmp_path: Path) -> None:
    docs = stories(4)
    answered(data(tmp_path, docs), "gemma-2-9b-it", docs, {STORY: [1], CONFLICT: [2]})
    records = by_id(tmp_path)
    mine = records["gita.table3.gemma-2-9b-it.consistency"]
    assert (mine.recomputed, mine.published, mine.verdict) == (6 / 8, 0.3361, "erratum")
    other = records["gita.table3.gemma-2-27b.accuracy"]
    assert (other.recomputed, other.verdict) == (None, "not computable")
    assert records["gita.rules.gemma-2-9b-it.clean"].recomputed is not None


def test_a_model_the_paper_does_not_have_is_scored_too(tmp_path: Path) -> None:
    docs = stories(2)
    answered(data(tmp_path, docs), "my-own-model", docs, {})
    assert by_id(tmp_path)["gita.table3.my-own-model.accuracy"].recomputed == 1.0


def test_the_official_metrics_are_read_beside_the_answers(tmp_path: Path) -> None:
    docs = stories(3)
    place = answered(data(tmp_path, docs), "m", docs, {CONFLICT: [1]})
    (place / "metrics.txt").write_text(METRICS.format(accuracy=1.0, order=0.6))
    records = by_id(tmp_path)
    assert records["gita.metrics.m.accuracy"].verdict == "exact"
    wrong = records["gita.metrics.m.consistency_order"]
    assert (wrong.published, wrong.recomputed, wrong.verdict) == (0.6, 2 / 3, "release fault")


def test_a_missing_conflict_file_is_read_off_the_state_task(tmp_path: Path) -> None:
    docs = stories(4)
    place = answered(data(tmp_path, docs), "gemma-2-9b", docs, {CONFLICT: [1, 2], STATE: [4]})
    (place / "conflict_detec.jsonl").unlink()
    record = by_id(tmp_path)["gita.table3.gemma-2-9b.consistency"]
    assert record.recomputed == 6 / 8
    assert "input of the state task" in record.note


def test_the_sources_own_layout_is_found(tmp_path: Path) -> None:
    docs = stories(2)
    data(tmp_path, docs)
    nested = tmp_path / "gita" / "results" / "gemma-2-9b" / "google__gemma-2-9b"
    nested.mkdir(parents=True)
    write(nested, chain(docs))
    assert by_id(tmp_path)["gita.table3.gemma-2-9b.accuracy"].recomputed == 1.0


def test_stories_are_counted_by_three_definitions(tmp_path: Path) -> None:
    docs = [
        told(story(0, 1, "plausible"), *"abcde"),
        told(story(1, 1, "order", example_id="1"), *"bacde"),
        told(story(2, 1, "cloze", example_id="1-O0"), *"axcde"),
        told(story(3, 2, "plausible"), *"fghij"),
        told(story(4, 2, "order", plausible=True), *"fgjih"),
        told(story(5, 2, "cloze"), *"fxyij"),
    ]
    records = by_id(data(tmp_path, docs))

    def counted(name: str) -> list[object]:
        groups = ("plausible", "order", "cloze")
        return [records[f"gita.stories.{name}.{group}"].recomputed for group in groups]

    assert counted("by_type") == [2, 2, 2]
    assert counted("by_example_id") == [3, 2, 1]
    assert counted("corrected") == [2, 2, 2]
    assert records["gita.stories.by_flag.plausible"].recomputed == 3
    assert records["gita.construction.order.one_swap"].recomputed == 2
    assert records["gita.construction.order.adjacent"].recomputed == 1
    assert records["gita.construction.cloze.one_replaced"].recomputed == 1
    assert records["gita.irregular.repeated_ids"].recomputed == ["1"]
    assert records["gita.irregular.plausible_with_breakpoint"].recomputed == ["2-O0"]


def test_a_key_written_twice_in_the_first_version_is_noticed(tmp_path: Path) -> None:
    data(tmp_path, stories(1))
    block = '{"open": [["box", 0]]}'
    one = f'{{"sentences": ["a", "b", "c", "d", " "], "states": [{", ".join([block] * 5)}]}}'
    (tmp_path / "gita" / "GITA_test.json").write_text(
        f'{{"test": {{"1": {one}, "2": {one}, "1": {one}}}}}'
    )
    records = by_id(tmp_path)
    assert records["gita.first_version.written"].recomputed == 3
    assert records["gita.first_version.readable"].recomputed == 2
    assert records["gita.first_version.repeated_keys"].recomputed == ["1"]
    assert records["gita.first_version.empty_sentences"].recomputed == ["1", "2", "1"]


@pytest.mark.parametrize(
    "story",
    [
        '{"sentences": ["a"]}',
        '{"sentences": [2], "states": [3]}',
        '{"sentences": null, "states": 1}',
    ],
)
def test_a_story_of_the_first_version_without_its_lists_is_counted(
    tmp_path: Path, story: str
) -> None:
    data(tmp_path, stories(1))
    (tmp_path / "gita" / "GITA_test.json").write_text(f'{{"test": {{"1": {story}}}}}')
    records = by_id(tmp_path)
    assert records["gita.first_version.written"].recomputed == 1
    assert records["gita.first_version.state_blocks"].recomputed == ["1"]


def test_the_examples_shown_are_counted(tmp_path: Path) -> None:
    docs = stories(2)
    place = answered(data(tmp_path, docs), "m", docs, {})
    path = place / "story_class.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    shots = [[1, 4], [3, 0], [3, 4], [4, 5], [0, 3], [0, 2]]
    path.write_text(
        "".join(
            json.dumps(line | {"shots": s}) + "\n" for line, s in zip(lines, shots, strict=True)
        )
    )
    records = by_id(tmp_path)
    assert records["gita.shots.self"].recomputed == 0
    assert records["gita.shots.same_story"].recomputed == 4
    assert records["gita.shots.implausible"].recomputed == {"0": 2, "1": 2, "2": 2}


def test_the_order_accuracy_of_the_large_llama_is_held_against_its_base_model(
    tmp_path: Path,
) -> None:
    docs = stories(4)
    assert by_id(data(tmp_path, docs))["gita.text.llama_70b_order"].verdict == "not computable"
    answered(tmp_path, "Meta-Llama-3.1-70B", docs, {STORY: [1]})
    record = by_id(tmp_path)["gita.text.llama_70b_order"]
    assert (record.recomputed, record.verdict) == ("rises", "erratum")


def test_conclusions_on_size_and_tuning_are_counted_in_the_printed_table(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, stories(2)))
    assert records["gita.text.larger_worse"].verdict == "exact"
    larger = records["gita.text.larger"].recomputed
    assert larger["Meta-Llama-3.1-70B-Instruct"] == {"above": 8, "below": 2}  # type: ignore
    assert records["gita.text.instructed_better"].recomputed == 1.0


def test_how_stories_were_made_is_no_printed_count(tmp_path: Path) -> None:
    record = by_id(data(tmp_path, stories(2)))["gita.construction.cloze.one_replaced"]
    assert (record.published, record.verdict) == (None, "unprinted")


def test_a_variant_with_another_actor_or_other_objects_is_named(tmp_path: Path) -> None:
    docs = [doc | {"actor": "Ada", "objects": "cup, milk"} for doc in stories(3)]
    docs[1] |= {"actor": "Bea"}
    docs[5] |= {"objects": "milk"}
    docs[7] |= {"objects": "Milk, cup"}
    records = by_id(data(tmp_path, docs))
    for name, story_id in (("actor", "0-O0"), ("objects", "1-C0")):
        number = records[f"gita.variants.other_{name}"]
        assert (number.recomputed, number.verdict) == (1, "release fault")
        assert records[f"gita.variants.other_{name}.ids"].recomputed == [story_id]
