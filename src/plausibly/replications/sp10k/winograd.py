"""SP-10K section 6 and appendix A.2: Winograd questions answered from scores of pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from pathlib import Path

import polars as pl

from plausibly.datasets.sp10k import TWO_HOP
from plausibly.datasets.sp10k.pairs import read_pairs
from plausibly.datasets.winograd import (
    read_labels,
    read_lookups,
    read_question_ids,
    read_schemas,
    read_scores,
)
from plausibly.evaluation.winograd import Winograd, winograd
from plausibly.replications.claims import Claims
from plausibly.replications.printed import Value
from plausibly.replications.sp10k.release import Sp10kRelease

# Rows of Table 9, and one only the README of the release has, by the file of predictions.
RELEASED = {
    "table9.pp": "winograd/predictions_pp.csv",
    "table9.sp10k": "winograd/predictions_sp10k.csv",
    "winograd.all_annotated": "winograd/predictions_all_annotated.csv",
}
COUNTS = ("correct", "wrong", "none")
PRINTED_ONLY = ("table9.stanford", "table9.end2end", "table9.pp")


@dataclass(frozen=True, eq=False)
class Lookup:
    """The pair looked up for each candidate of a question, and the right answer."""

    questions: pl.DataFrame

    def scores(self, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
        """Return question, score_a, score_b and answer; a missing pair is 0."""
        known = {
            (relation, head, dependent): score
            for relation, pairs in tables.items()
            for head, dependent, score in pairs.select("head", "dependent", "score").iter_rows()
        }

        def of(row: Mapping[str, str], side: str) -> float:
            pair = (f"{row[f'role_{side}']}_amod", row[f"head_{side}"], row["adjective"])
            return float(known.get(pair, 0.0))

        rows = [
            (row["question_id"], of(row, "a"), of(row, "b"), row["answer"])
            for row in self.questions.iter_rows(named=True)
        ]
        return pl.DataFrame(rows, schema=["question", "score_a", "score_b", "answer"], orient="row")


def winograd_questions(release: Sp10kRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of the Winograd experiment."""
    numbers = _from_counts(claims)
    for row, name in RELEASED.items():
        path = release.file(name)
        if path is not None:
            numbers |= _from_file(row, path)
    table = release.file("winograd/question_lookups.tsv")
    lookup = Lookup(read_lookups(table)) if table is not None else None
    if lookup is not None and release.has(*TWO_HOP):
        numbers |= _from_pairs(release, lookup)
    return numbers | _from_schemas(release, lookup, claims)


def _from_counts(claims: Claims) -> dict[str, Value]:
    """Return A_p and A_o of the systems of which only the printed counts are available."""
    numbers: dict[str, Value] = {}
    for row in PRINTED_ONLY:
        printed = claims.numbers(f"sp10k.{row}")
        result = Winograd(*(int(printed[count]) for count in COUNTS))
        numbers |= {f"sp10k.{row}.a_p": result.a_p, f"sp10k.{row}.a_o": result.a_o}
    return numbers


def _from_file(row: str, path: Path) -> dict[str, Value]:
    scores = read_scores(path)
    result = winograd(scores)
    known = (pl.col("score_a") != 0) & (pl.col("score_b") != 0)
    answered = pl.col("score_a") != pl.col("score_b")
    return {
        **{f"sp10k.{row}.{key}": value for key, value in result.as_json().items()},
        f"sp10k.{row}.by_label": _by_label(path),
        f"sp10k.{row}.two_scores_compared": scores.filter(known & answered).height,
    }


def _by_label(path: Path) -> list[Value]:
    """Return correct, wrong and none by the label column instead of the scores."""
    said = read_labels(path)
    answered = [label == right for label, right in said if label in ("A", "B")]
    return [sum(answered), len(answered) - sum(answered), len(said) - len(answered)]


def _from_pairs(release: Sp10kRelease, lookup: Lookup) -> dict[str, Value]:
    main = {relation: release.of(relation) for relation in TWO_HOP}
    sources = {"table9.sp10k": main}
    numbers: dict[str, Value] = {}
    paths = {r: release.file(f"winograd/extra_{r}.tsv") for r in TWO_HOP}
    extra = {r: read_pairs(path, r) for r, path in paths.items() if path is not None}
    if len(extra) == len(TWO_HOP):
        sources["winograd.all_annotated"] = extra
        both = pl.concat(extra.values()).join(
            release.of(*TWO_HOP), on=["relation", "head", "dependent"], suffix="_main"
        )
        numbers |= {
            "sp10k.winograd.extra_pairs": {name: table.height for name, table in extra.items()},
            "sp10k.winograd.pairs_in_both": both.height,
            "sp10k.winograd.pairs_in_random_half": both.filter(pl.col("slot_main") >= 2).height,
        }
    for row, tables in sources.items():
        scores = lookup.scores(tables)
        result = winograd(scores)
        numbers[f"sp10k.{row}.by_pairs"] = [result.correct, result.wrong, result.none]
        path = release.file(RELEASED[row])
        if path is not None:
            filed = read_scores(path)
            numbers[f"sp10k.{row}.changed_questions"] = _changed(scores, filed)
    return numbers


def _changed(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Value]:
    both = ours.join(theirs, on="question", suffix="_filed")
    return [
        row["question"]
        for row in both.iter_rows(named=True)
        if not all(
            isclose(row[side], row[f"{side}_filed"] or 0.0, abs_tol=1e-9)
            for side in ("score_a", "score_b")
        )
    ]


def _from_schemas(release: Sp10kRelease, lookup: Lookup | None, claims: Claims) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    ids = release.file("winograd/selected_question_ids.txt")
    if ids is not None:
        chosen = read_question_ids(ids)
        numbers["sp10k.winograd.questions"] = len(chosen)
        numbers["sp10k.winograd.last_question"] = max(chosen)
        printed = claims.printed("sp10k.winograd.ids")
        listed = printed if isinstance(printed, list) else []
        numbers["sp10k.winograd.ids"] = [*sorted(chosen)[: len(listed)]]
    collection = release.file("winograd/wsc285.xml")
    schemas = read_schemas(collection) if collection is not None else []
    if schemas:
        numbers["sp10k.winograd.schemas"] = len(schemas)
    if schemas and lookup is not None:
        asked = [
            (schemas[int(question) - 1], adjective, answer)
            for question, adjective, answer in lookup.questions.select(
                "question_id", "adjective", "answer"
            ).iter_rows()
        ]
        numbers["sp10k.winograd.gold"] = sum(right == answer for (_, right), _, answer in asked)
        numbers["sp10k.winograd.adjective_elsewhere"] = sum(
            adjective.lower() not in text.lower() for (text, _), adjective, _ in asked
        )
    return numbers
