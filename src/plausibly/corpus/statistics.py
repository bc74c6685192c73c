"""Corpus statistics: sentences and pairs as in SP-10K's Table 5, and types per function."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from plausibly.corpus._report import ShardReport
from plausibly.corpus._statements import MARKED, PAIR_STATISTICS, TOKENS, TRIPLE_STATISTICS
from plausibly.corpus.relations import SVO
from plausibly.datasets.sp10k import RELATIONS as PAIRS
from plausibly.measures.proportion import proportion
from plausibly.ports import Engine


def corpus_statistics(
    engine: Engine, report: ShardReport, relations: Iterable[str]
) -> dict[str, Any]:
    """Return how many sentences, words, pairs and types a corpus has.

    `pairs` counts every occurrence; types are counted in what was kept after `min_count`.

    Args:
        engine: Knows the tables `pairs`, `counts` and `triples`.
        report: What the shards hold together.
        relations: The relations that were looked for.
    """
    found = {row["relation"]: row["tokens"] for row in _rows(engine, TOKENS)}
    types = {row.pop("relation"): row for row in _rows(engine, PAIR_STATISTICS)}
    none = {"types": 0, "heads": 0, "dependents": 0}
    statistics: dict[str, Any] = {
        "documents": report.documents,
        "sentences": report.sentences,
        "words": report.words,
        "relations": {
            relation: {"pairs": found.get(relation, 0), **types.get(relation, none)}
            for relation in PAIRS
            if relation in set(relations)
        },
    }
    if SVO in set(relations):
        (triples,) = _rows(engine, TRIPLE_STATISTICS)
        (marked,) = _rows(engine, MARKED)
        total = marked.pop("triples")
        shares = {name: proportion(marks, total).as_json() for name, marks in marked.items()}
        statistics[SVO] = {"triples": total, **triples, **shares}
    return statistics


def _rows(engine: Engine, statement: str) -> list[dict[str, Any]]:
    return [row for batch in engine.rows(statement) for row in batch.to_pylist()]


def table_5(statistics: Mapping[str, Any]) -> list[tuple[str, int | None, int | None]]:
    """Return rows like those of SP-10K's Table 5: what is counted, occurrences, types."""
    rows: list[tuple[str, int | None, int | None]] = [("sentences", statistics["sentences"], None)]
    for relation, counted in statistics["relations"].items():
        rows.append((f"{relation} pairs", counted["pairs"], counted["types"]))
    if SVO in statistics:
        rows.append(("svo triples", statistics[SVO]["triples"], statistics[SVO]["types"]))
    return rows
