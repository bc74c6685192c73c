"""GITA4CALAMITA's published numbers from its published data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from plausibly.datasets.gita.answers import read_answers, read_metrics
from plausibly.datasets.gita.trip import read_pairs
from plausibly.evaluation.gita import score_gita
from plausibly.evaluation.gita_trip import TripCounts, score_pairs
from plausibly.replications import Record, replicate
from plausibly.replications.gita.table3 import OFFICIAL

pytestmark = pytest.mark.data


@cache
def replicated(folder: Path) -> dict[str, Record]:
    return {record.id: record for record in replicate("gita", data=folder).records}


@pytest.fixture
def records(data_folder: Path) -> dict[str, Record]:
    return replicated(data_folder)


def test_the_official_metrics_come_out_to_the_last_digit(data_folder: Path) -> None:
    tables = sorted((data_folder / "gita" / "llm_outputs").glob("*/metrics.txt"))
    assert tables
    for path in tables:
        scores = score_gita(read_answers(path.parent), rules="gita-2024", resamples=0)
        published = {OFFICIAL[name]: value for name, value in read_metrics(path).items()}
        assert len(published) == 10
        for metric, value in published.items():
            assert scores.value(metric) == pytest.approx(value, abs=1e-12)


def test_table_3_follows_for_every_model_that_is_there(records: dict[str, Record]) -> None:
    printed = [record for name, record in records.items() if name.startswith("gita.table3.")]
    computed = [record for record in printed if record.recomputed is not None]
    assert len(computed) >= 20
    assert {record.verdict for record in computed} == {"exact"}
    assert records["gita.table3.gemma-2-9b-it.consistency"].recomputed == 80 / 238


def test_the_later_scorer_gives_other_figures(data_folder: Path) -> None:
    answers = read_answers(data_folder / "gita" / "llm_outputs" / "gemma-2-9b-it")
    scores = score_gita(answers, rules="calamita", resamples=0)
    published = {
        "accuracy_cloze": 0.8120,
        "accuracy_order": 0.5328,
        "accuracy_plausible": 0.8462,
        "consistency": 0.3347,
        "consistency_cloze": 0.5470,
        "consistency_order": 0.1311,
        "verifiability": 0.1632,
        "verifiability_cloze": 0.2650,
        "verifiability_order": 0.0656,
    }
    assert {metric: round(scores.value(metric) or 0, 4) for metric in published} == published


def test_clean_counts_117_122_117(data_folder: Path) -> None:
    answers = read_answers(data_folder / "gita" / "llm_outputs" / "gemma-2-9b-it")
    scores = score_gita(answers, resamples=0)
    for tier in ("accuracy", "consistency", "verifiability"):
        assert scores.out_of[f"{tier}_cloze"] == 117
        assert scores.out_of[f"{tier}_order"] == 122
    assert scores.out_of["accuracy_plausible"] == 117
    assert scores.out_of["consistency"] == 239


def test_ties_are_frequent_for_a_base_model(data_folder: Path) -> None:
    answers = read_answers(data_folder / "gita" / "llm_outputs" / "Meta-Llama-3.1-8B")
    scores = score_gita(answers, rules="gita-2024", resamples=0)
    assert scores.ties["story_class"] == 17


def test_story_pairs_reach_the_published_tiers(data_folder: Path) -> None:
    path = data_folder / "gita" / "trip_style_outputs" / "order_pairs.jsonl.gz"
    assert score_pairs(read_pairs(path)) == TripCounts(122, 71, 2, 1)


def test_stories_are_counted_three_ways(records: dict[str, Record]) -> None:
    def counted(name: str) -> list[object]:
        groups = ("plausible", "order", "cloze")
        return [records[f"gita.stories.{name}.{group}"].recomputed for group in groups]

    assert counted("by_type") == [117, 122, 117]
    assert counted("by_example_id") == [119, 122, 115]
    assert counted("corrected") == [117, 122, 117]
    assert records["gita.stories.by_flag.implausible"].recomputed == 238
    assert records["gita.first_version.readable"].recomputed == 355
    assert records["gita.construction.order.one_swap"].recomputed == 118
    assert records["gita.construction.cloze.one_replaced"].recomputed == 109
    assert records["gita.shots.same_story"].recomputed == 7


def test_the_cells_of_table_3_are_out_of_other_sizes_than_table_2_has(
    records: dict[str, Record],
) -> None:
    assert records["gita.grim.table2"].recomputed == 15
    assert records["gita.grim.scorer"].recomputed == 70
    chance = records["gita.grim.by_chance"].recomputed
    assert isinstance(chance, float)
    assert chance < 0.025


def test_conclusions_are_held_against_the_printed_table(records: dict[str, Record]) -> None:
    exceptions = records["gita.text.cloze_below_order"]
    assert isinstance(exceptions.recomputed, list)
    assert (len(exceptions.recomputed), exceptions.verdict) == (3, "erratum")
    assert records["gita.text.better_than_plausible"].recomputed == 4 / 7
    assert records["gita.text.gemma_falls"].recomputed == ["9B"]
    assert records["gita.effort.hours.by_hand"].recomputed == 97.5
    for name in ("rises_with_70b", "leaning.gemma-2-9b", "leaning.gemma-2-27b"):
        assert records[f"gita.text.{name}"].verdict == "exact"


def test_variants_keep_actor_and_objects_but_for_slips_in_the_fields(
    records: dict[str, Record],
) -> None:
    found = {name: records[f"gita.variants.other_{name}"] for name in ("actor", "objects")}
    assert [one.recomputed for one in found.values()] == [8, 5]
    assert {one.verdict for one in found.values()} == {"release fault"}
    pairs = records["gita.variants.no_pair"]
    assert (pairs.recomputed, pairs.verdict) == (123, "release fault")
    assert records["gita.stories.five_sentences"].verdict == "exact"
    assert records["gita.example.states"].verdict == "exact"
    assert records["gita.example.objects"].verdict == "side unknown"
