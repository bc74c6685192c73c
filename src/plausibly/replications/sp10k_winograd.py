"""SP-10K section 6 and appendix A.2: Winograd questions answered from scores of pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from plausibly.replications.claims import Claim
from plausibly.replications.record import Record, Value
from plausibly.replications.sp10k_release import Release

# Table 9: correct, wrong, NA, A_p, A_o; and the row only the release's README has.
TABLE9 = {
    "stanford": (33, 35, 4, 0.485, 0.486),
    "end2end": (36, 36, 0, 0.5, 0.5),
    "pp": (36, 19, 17, 0.655, 0.618),
    "sp10k": (13, 0, 59, 1.0, 0.59),
}
README = {"all_annotated": (45, 9, 18, 0.833, 0.75)}
ROWS = {
    **{f"table9.{name}": row for name, row in TABLE9.items()},
    **{f"winograd.{name}": row for name, row in README.items()},
}
RELEASED = {"table9.sp10k": "sp10k", "winograd.all_annotated": "all_annotated"}
QUESTIONS, SCHEMAS, LAST_QUESTION = 72, 285, 284
SAYS = {"correct": "answered rightly", "wrong": "answered wrongly", "none": "not answered"}
COIN = "An unanswered question counts as a coin flip in A_o."
NO_FILE = "The file with the predictions is not in the data folder."
NO_TABLE = "The question table or a relation it needs is not in the data folder."


def _rows() -> Iterator[Claim]:
    for name, (correct, wrong, none, a_p, a_o) in ROWS.items():
        released = name in RELEASED
        source = "from the released scores" if released else "from the printed counts"
        counts = {"correct": correct, "wrong": wrong, "none": none}
        for count, printed in counts.items():
            unchecked = "The predictions of this system are not released."
            note = "The released scores give it." if released else unchecked
            yield Claim(f"sp10k.{name}.{count}", printed, f"questions {SAYS[count]}", note)
        rule = f"correct / (correct + wrong), {source}"
        yield Claim(f"sp10k.{name}.a_p", a_p, rule, "Unanswered questions are left out.", digits=3)
        rule = f"(correct + 0.5 x none) / all, {source}"
        yield Claim(f"sp10k.{name}.a_o", a_o, rule, COIN, digits=3)


def _other_ways() -> Iterator[Claim]:
    sp10k, annotated = [13, 0, 59], [45, 9, 18]
    yield Claim(
        "sp10k.table9.sp10k.by_label", list(sp10k), "from the label column", "Same as by score."
    )
    yield Claim(
        "sp10k.table9.sp10k.by_pairs",
        list(sp10k),
        "from the pair files through the table of questions, a missing pair being 0",
        "Same as by score, though the authors changed three rows in between.",
    )
    yield Claim(
        "sp10k.table9.sp10k.changed_questions",
        None,
        "questions whose scores differ between prediction file and pair files",
        "The prediction file uses scores from before the authors changed rows.",
    )
    yield Claim(
        "sp10k.table9.sp10k.two_scores_compared",
        None,
        "answered questions for which both pairs have a score",
        "Every answer is one known pair against a missing one, so the 100 % compares no scores.",
    )
    yield Claim(
        "sp10k.winograd.all_annotated.by_label",
        list(annotated),
        "from the label column",
        "Two labels in the file do not follow from its scores.",
    )
    yield Claim(
        "sp10k.winograd.all_annotated.by_pairs",
        list(annotated),
        "from the extra pairs through the table of questions, a missing pair being 0",
        "The file leaves questions out in which one candidate is neither subject nor object.",
    )
    yield Claim(
        "sp10k.winograd.all_annotated.changed_questions",
        None,
        "questions whose scores differ between prediction file and extra pairs",
        "Most of them are the questions the file leaves out.",
    )


def _questions() -> Iterator[Claim]:
    yield Claim("sp10k.winograd.schemas", SCHEMAS, "schemas of the collection", "As printed.")
    yield Claim("sp10k.winograd.questions", QUESTIONS, "selected question ids", "As printed.")
    yield Claim(
        "sp10k.winograd.last_question",
        LAST_QUESTION,
        "largest selected question id",
        "The id list, the table of questions and both prediction files say 283, the twin of 282.",
    )
    yield Claim(
        "sp10k.winograd.gold",
        QUESTIONS,
        "questions whose right answer in the table is that of the collection",
        "All answers agree with the collection.",
    )
    yield Claim(
        "sp10k.winograd.adjective_elsewhere",
        0,
        "questions whose looked-up adjective does not occur in the sentence",
        "Antonyms and other forms were chosen by hand, which the paper does not say.",
    )
    yield Claim(
        "sp10k.winograd.extra_pairs",
        None,
        "pairs annotated for the questions, by relation",
        "The paper does not print them.",
    )
    yield Claim(
        "sp10k.winograd.pairs_in_both",
        None,
        "extra pairs that are also among the 10,000",
        "Pairs of the questions are among the 10,000.",
    )
    yield Claim(
        "sp10k.winograd.pairs_in_random_half",
        None,
        "those of them in the random half",
        "They look placed on purpose, not drawn.",
    )


CLAIMS = (*_rows(), *_other_ways(), *_questions())


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


def winograd_questions(release: Release) -> list[Record]:
    """Return the records on the Winograd experiment."""
    numbers = _from_counts()
    for row, name in RELEASED.items():
        path = release.file(f"winograd/predictions_{name}.csv")
        if path is not None:
            numbers |= _from_file(row, path)
    table = release.file("winograd/question_lookups.tsv")
    lookup = Lookup(read_lookups(table)) if table is not None else None
    if lookup is not None and release.has(*TWO_HOP):
        numbers |= _from_pairs(release, lookup)
    numbers |= _from_schemas(release, lookup)
    return [claim.judged(numbers.get(claim.id), missing=_why(claim)) for claim in CLAIMS]


def _why(claim: Claim) -> str:
    """Return why a claim could not be recomputed."""
    name, _, what = claim.id.removeprefix("sp10k.").rpartition(".")
    if name in ROWS and what in ("correct", "wrong", "none"):
        return NO_FILE if name in RELEASED else claim.note
    return NO_FILE if name in ROWS and what in ("a_p", "a_o", "by_label") else NO_TABLE


def _from_counts() -> dict[str, Value]:
    """Return A_p and A_o of the systems of which only the printed counts are left."""
    return {
        f"sp10k.{name}.{share}": value
        for name, (correct, wrong, none, *_) in ROWS.items()
        if name not in RELEASED
        for share, value in _shares(Winograd(correct, wrong, none)).items()
    }


def _shares(result: Winograd) -> dict[str, Value]:
    return {"a_p": result.a_p, "a_o": result.a_o}


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


def _from_pairs(release: Release, lookup: Lookup) -> dict[str, Value]:
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
        path = release.file(f"winograd/predictions_{RELEASED[row]}.csv")
        if path is not None:
            told = read_scores(path)
            numbers[f"sp10k.{row}.changed_questions"] = _changed(scores, told)
    return numbers


def _changed(ours: pl.DataFrame, theirs: pl.DataFrame) -> list[Value]:
    both = ours.join(theirs, on="question", suffix="_told")
    return [
        row["question"]
        for row in both.iter_rows(named=True)
        if not all(
            isclose(row[side], row[f"{side}_told"] or 0.0, abs_tol=1e-9)
            for side in ("score_a", "score_b")
        )
    ]


def _from_schemas(release: Release, lookup: Lookup | None) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    ids = release.file("winograd/selected_question_ids.txt")
    if ids is not None:
        chosen = read_question_ids(ids)
        numbers["sp10k.winograd.questions"] = len(chosen)
        numbers["sp10k.winograd.last_question"] = max(chosen)
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
