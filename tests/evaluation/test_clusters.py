"""Items that belong together are drawn and exchanged together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.evaluation.clusters import alone, cluster_codes
from plausibly.measures.mid_p import PERMUTATION

VERBS, EACH = 30, 8


def events(folder: Path) -> Path:
    path = folder / "events.csv"
    lines = [f"s{n},v{verb},o{n},{n % 2}\n" for verb in range(VERBS) for n in range(EACH)]
    path.write_text("subject,verb,object,label\n" + "".join(lines), encoding="utf-8")
    return path


def predictions(model: str, seed: int) -> pl.DataFrame:
    """Return a model that is right about all events of a verb, or about none."""
    right = np.repeat(np.random.default_rng(seed).random(VERBS) < 0.7, EACH)
    truth = np.tile(np.arange(EACH) % 2, VERBS)
    said = np.where(right, truth, 1 - truth)
    items = [f"s{n} v{verb} o{n}" for verb in range(VERBS) for n in range(EACH)]
    table = pl.DataFrame({"item": items, "label": said.astype(str), "score": said.astype(float)})
    return table.with_columns(question=pl.lit("q"), model=pl.lit(model))


def test_errors_that_cluster_by_verb_widen_the_interval(tmp_path: Path) -> None:
    widths = {}
    for clusters in ("verb", "item"):
        options: dict[str, Any] = {"against": events(tmp_path), "scheme": "events"}
        document = pb.evaluate(predictions("m", 1), clusters=clusters, **options).as_json()
        assert document["clusters"] == clusters
        assert document["accuracy"]["n"] == VERBS * EACH
        widths[clusters] = document["accuracy"]["high"] - document["accuracy"]["low"]
    assert widths["verb"] > 2 * widths["item"]


def test_the_events_of_a_verb_are_exchanged_together_by_default(tmp_path: Path) -> None:
    tables = [predictions("a", 1), predictions("b", 2)]
    options: dict[str, Any] = {"against": events(tmp_path), "scheme": "events", "resamples": 0}
    by_verb = pb.compare(tables, **options, permutations=500)
    by_item = pb.compare(tables, **options, permutations=500, clusters="item")
    assert by_verb.as_json()["clusters"] == "verb"
    for first, second in zip(by_verb.pairs, by_item.pairs, strict=True):
        assert first.difference.value == second.difference.value
        assert (first.p or 0) > (second.p or 0)
        assert first.test == PERMUTATION


def test_a_column_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="neither the file nor the items have a column 'noun'"):
        pb.evaluate(predictions("m", 1), against=events(tmp_path), scheme="events", clusters="noun")


def test_an_item_without_a_cluster_is_alone() -> None:
    rows = pl.DataFrame({"item": ["a", "b", "c"], "cluster": ["a", "a", None]})
    codes = cluster_codes(rows)
    assert (codes[0] == codes[1], codes[0] == codes[2]) == (True, False)
    assert alone(cluster_codes(rows.drop("cluster")))


def test_a_comparison_reports_which_heads_count_and_what_became_of_the_others(
    tmp_path: Path,
) -> None:
    """On one of three heads both models vary, on another one, on the last neither does."""
    gold = tmp_path / "dobj.tsv"
    gold.write_text("".join(f"h{n // 2}\tw{n}\t{n}\n" for n in range(6)), encoding="utf-8")
    said = {"a": [1.0, 2.0, 4.0, 3.0, 0.0, 0.0], "b": [2.0, 1.0, 0.0, 0.0, 0.0, 0.0]}
    items = [f"dobj|h{n // 2}|w{n}" for n in range(6)]
    tables = [
        pl.DataFrame({"item": items, "score": score}).with_columns(
            question=pl.lit("plausible"), model=pl.lit(name)
        )
        for name, score in said.items()
    ]
    for undefined, difference, heads, other in (("drop", 2.0, 1, 2), ("zero", 1 / 3, 3, 2)):
        options: dict[str, Any] = {"against": gold, "scheme": "sp10k", "relation": "dobj"}
        options |= {"undefined": undefined}
        found = pb.compare(tables, **options, resamples=0, permutations=20)
        [row] = [
            one for one in found.as_json()["comparisons"] if one["metric"] == "spearman_within_head"
        ]
        assert (found.as_json()["undefined"], row["heads"]) == (undefined, heads)
        assert row["difference"] == pytest.approx(difference)
        assert row["heads_zero" if undefined == "zero" else "heads_undefined"] == other
        assert f"{heads} heads; {other} without a rho" in " ".join(found.talk)
