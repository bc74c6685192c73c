"""Winograd questions answered by any model of selectional preference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.parsers import parser_named
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.winograd import read_lookups, read_question_ids, read_questions
from plausibly.errors import StudyError, TableError
from plausibly.evaluation.winograd import NoAnswer, winograd, with_predictions
from plausibly.models.pairs import predictions_of
from plausibly.models.selection import asked
from plausibly.models.stored import read_model
from plausibly.models.winograd import LOOKUPS, pairs_in, parsed_lookups, scored
from plausibly.study.results import Made, Result, text_table

TABLES = (".tsv", ".csv", ".parquet", ".jsonl", ".json", ".gz")
ANSWERS = ("question", "score_a", "score_b", "predicted", "answer")
PARSED, BY_HAND = "parsed", "by hand"
Scored = Iterator[tuple[str, str, str, float | None]]


@dataclass(frozen=True, eq=False, repr=False)
class WinogradAnswers(Result):
    """What a model answers to Winograd questions.

    Args:
        answers: question, score_a, score_b, predicted, answer: what `winograd` reads.
        lookups: question, and the verb, role and adjective that were looked up.
        way: How look-ups came about: parsed, or by hand.
        numbers: How many questions there were, and were asked.
        no_answer: When a question has no answer.
        made: How this came about.
    """

    answers: pl.DataFrame
    lookups: pl.DataFrame
    way: str
    numbers: dict[str, int]
    no_answer: NoAnswer
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return correct, wrong, none, a_p and a_o, and how many questions were asked."""
        counts = winograd(self.answers, no_answer=self.no_answer)
        return {"lookups": self.way, **self.numbers, **counts.as_json()}

    def text(self) -> str:
        """Return the counts as a table."""
        return text_table(("what", "value"), list(self.as_json().items()))


def solve_winograd(
    model: str | Path,
    *,
    schemas: str | Path | None = None,
    lookups: str | Path | None = None,
    questions: str | Path | None = None,
    parser: str = "embedded",
    no_answer: NoAnswer = "equal",
) -> WinogradAnswers:
    r"""Answer Winograd questions by the higher score of two pairs of a verb and an adjective.

    Args:
        model: File of a fitted model, or pairs with people's scores (a file, a folder of SP-10K).
        schemas: XML of the collection, which is parsed: who does what, and what the pronoun is.
        lookups: Instead, a table of look-ups made by hand: question_id, head_a, role_a,
            head_b, role_b, adjective, answer.
        questions: Numbers of the questions to answer; without, all whose pronoun one adjective
            describes.
        parser: What parses the schemas: embedded (extra parse), stanza, or spacy:NAME.
        no_answer: When a question has no answer: equal scores, or also when a pair is missing (0).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs, table = Path(folder, "pairs.tsv"), Path(folder, "lookups.tsv")
    ...     _ = pairs.write_text("relation\thead\tdependent\tscore\nnsubj_amod\tyell\tupset\t9\n")
    ...     names = "question_id\thead_a\trole_a\thead_b\trole_b\tadjective\tanswer\n"
    ...     _ = table.write_text(names + "35\tyell\tnsubj\tyell\tdobj\tupset\tA\n")
    ...     solve_winograd(pairs, lookups=table).as_json()["correct"]
    1
    """
    if (schemas is None) == (lookups is None):
        raise StudyError("Winograd questions come from --schemas or from --lookups; pass one.")
    wanted = None if questions is None else set(map(str, read_question_ids(Path(questions))))
    if schemas is not None:
        everything = read_questions(Path(schemas))
        asked_about = everything if wanted is None else _only(everything, wanted, Path(schemas))
        table = parsed_lookups(asked_about, parser_named(parser))
        numbers = {"questions": asked_about.height, "described": table.height}
        table = _with_silent(table, asked_about) if wanted is not None else table
    else:
        table = _by_hand(Path(str(lookups)))
        table = table if wanted is None else _only(table, wanted, Path(str(lookups)))
        numbers = {"questions": table.height, "described": table.height}
    if table.is_empty():
        raise TableError("no question whose pronoun one adjective describes; nothing to look up.")
    both = scored(table, _scores(Path(model), pairs_in(table)))
    numbers["both"] = both.drop_nulls(["head_a", "head_b"]).height
    made = Made(
        "solve_winograd",
        inputs={
            "model": None if Path(model).is_dir() else model,
            "schemas": schemas,
            "lookups": lookups,
            "questions": questions,
        },
        parameters={"parser": parser if schemas is not None else None, "no_answer": no_answer},
    )
    way = PARSED if schemas is not None else BY_HAND
    answers = with_predictions(both, no_answer=no_answer).select(ANSWERS)
    return WinogradAnswers(answers, table, way, numbers, no_answer, made)


def _only(table: pl.DataFrame, wanted: set[str], path: Path) -> pl.DataFrame:
    kept = table.filter(pl.col("question").is_in(list(wanted)))
    if kept.height < len(wanted):
        strangers = sorted(wanted - set(kept["question"]), key=int)
        raise TableError(
            f"{path}: {len(strangers)} of the questions asked for are not in it (first: "
            f"{strangers[0]})."
        )
    return kept


def _with_silent(table: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Return the look-ups with a row for every question, empty where nothing was found."""
    every = questions.select("question", "answer")
    joined = every.join(table.drop("answer"), on="question", how="left", maintain_order="left")
    return joined.select(list(LOOKUPS))


def _by_hand(path: Path) -> pl.DataFrame:
    frame = read_lookups(path)
    if "question" not in frame.columns and "question_id" in frame.columns:
        frame = frame.rename({"question_id": "question"})
    missing = [name for name in LOOKUPS if name not in frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Expected {', '.join(LOOKUPS)}. "
            f"Columns found: {', '.join(frame.columns)}."
        )
    odd = frame.filter(~pl.col("answer").is_in(["A", "B"]).fill_null(False))
    if not odd.is_empty():
        raise TableError(f"{path}: answer {odd['answer'][0]!r} of a question is not A or B.")
    absent = pl.col("head_a", "head_b").replace({"NA": None})
    return frame.select(pl.col(list(LOOKUPS)).cast(pl.String)).with_columns(absent)


def _scores(model: Path, pairs: pl.DataFrame) -> Scored:
    """Yield every pair with its score: of the model, or of people, where they gave one."""
    if model.is_dir() or model.suffix in TABLES:
        people = read_pair_table(model)
        names = ("relation", "head", "dependent", "score")
        yield from people.select(names).iter_rows()
        return
    said = predictions_of(pairs, asked(read_model(model)), model="asked")
    known = dict(said.select("item", "score").iter_rows())
    for relation, head, dependent in pairs.iter_rows():
        yield relation, head, dependent, known.get(f"{relation}|{head}|{dependent}")
