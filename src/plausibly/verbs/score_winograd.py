"""Winograd questions answered by the higher of two scores: of a file, or of any model of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

import polars as pl

from plausibly.backends.parsers import parser_named
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.winograd import (
    holds_schemas,
    read_lookups,
    read_question_ids,
    read_questions,
    read_scores,
)
from plausibly.errors import StudyError, TableError, option
from plausibly.evaluation.winograd import (
    LOOKUPS,
    NoAnswer,
    Winograd,
    pairs_in,
    parsed_lookups,
    scored,
    winograd,
    with_predictions,
)
from plausibly.models.pairs import predictions_of
from plausibly.models.selection import asked
from plausibly.models.stored import read_model
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb

TABLES = (".tsv", ".csv", ".parquet", ".jsonl", ".json", ".gz")
ANSWERS = ("question", "score_a", "score_b", "predicted", "answer")
PARSED, BY_HAND = "parsed", "by hand"
Scored = Iterator[tuple[str, str, str, float | None]]


@dataclass(frozen=True, eq=False, repr=False)
class WinogradScores(Result):
    """How many questions were answered right, wrong and not at all."""

    counts: Winograd

    def as_json(self) -> dict[str, Any]:
        """Return correct, wrong, none, a_p and a_o."""
        return dict(self.counts.as_json())

    def text(self) -> str:
        """Return the counts as a table."""
        return text_table(tuple(self.as_json()), [tuple(self.as_json().values())])

    def put_one(self, name: str, path: Path) -> None:
        """Raise: there are no answers of a model to write."""
        del name, path
        raise StudyError(
            f"{option('output')} writes the scores of a model; pass {option('model')} as well.",
            parameter="output",
        )


@dataclass(frozen=True, eq=False, repr=False)
class WinogradAnswers(Result):
    """What a model answers to Winograd questions.

    Args:
        answers: question, score_a, score_b, predicted, answer: what `score_winograd` reads.
        lookups: question, and the verb, role and adjective that were looked up.
        way: How look-ups came about: parsed, or by hand.
        numbers: How many questions there were, and were asked.
        no_answer: When a question has no answer.
    """

    answers: pl.DataFrame
    lookups: pl.DataFrame
    way: str
    numbers: dict[str, int]
    no_answer: NoAnswer

    def as_json(self) -> dict[str, Any]:
        """Return correct, wrong, none, a_p and a_o, and how many questions were asked."""
        counts = winograd(self.answers, no_answer=self.no_answer)
        return {"lookups": self.way, **self.numbers, **counts.as_json()}

    def text(self) -> str:
        """Return the counts as a table."""
        return text_table(("what", "value"), list(self.as_json().items()))


@overload
def score_winograd(
    scores: str | Path, *, model: None = None, no_answer: NoAnswer = "equal"
) -> WinogradScores: ...


@overload
def score_winograd(
    scores: str | Path,
    *,
    model: str | Path,
    questions: str | Path | None = None,
    parser: str = "embedded",
    no_answer: NoAnswer = "equal",
) -> WinogradAnswers: ...


@verb(
    output=Output("answers", help="File for the model's scores, which this command can read again.")
)
def score_winograd(
    scores: str | Path,
    *,
    model: str | Path | None = None,
    questions: str | Path | None = None,
    parser: str = "embedded",
    no_answer: NoAnswer = "equal",
) -> WinogradScores | WinogradAnswers:
    r"""Count the Winograd questions answered correctly, incorrectly and not at all.

    A file of scores has columns by position: question, score of A, score of B, a label that is
    ignored, and the right answer. With a model, the file holds the questions; each has two pairs
    of a verb and an adjective, and the pair with the higher score answers it. A_p leaves
    unanswered questions out, A_o counts each as a coin flip.

    Args:
        scores: The file of scores; with a model, the XML of the collection, which is parsed (who
            does what, and what the pronoun is), or a table of look-ups made by hand: question_id,
            head_a, role_a, head_b, role_b, adjective, answer.
        model: File of a fitted model, or pairs with people's scores (a file, a folder of SP-10K).
        questions: Numbers of the questions to answer (default: all with one adjective that
            describes the pronoun).
        parser: What parses the collection: embedded (extra parse), stanza, or spacy:NAME.
        no_answer: When a question counts as unanswered: if scores are equal, or also if a pair is
            missing (0).

    Examples:
        plausibly score winograd scores.csv --no-answer either-missing --json
        plausibly score winograd WSCollection.xml --model pp.model -o scores.csv

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("q1,3,1,,A\nq2,2,2,,B\n")
    ...     score_winograd(path).as_json()["correct"]
    1
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pairs, table = Path(folder, "pairs.tsv"), Path(folder, "lookups.tsv")
    ...     _ = pairs.write_text("relation\thead\tdependent\tscore\nnsubj_amod\tyell\tupset\t9\n")
    ...     names = "question_id\thead_a\trole_a\thead_b\trole_b\tadjective\tanswer\n"
    ...     _ = table.write_text(names + "35\tyell\tnsubj\tyell\tdobj\tupset\tA\n")
    ...     score_winograd(table, model=pairs).as_json()["correct"]
    1
    """
    if model is not None:
        return _solved(Path(scores), Path(model), questions, parser, no_answer)
    if questions is not None:
        message = f"is for a model that answers questions; pass {option('model')} as well."
        raise StudyError(f"{option('questions')} {message}", parameter="questions")
    counts = winograd(read_scores(Path(scores)), no_answer=no_answer)
    return WinogradScores(counts)


def _solved(
    source: Path,
    model: Path,
    questions: str | Path | None,
    parser: str,
    no_answer: NoAnswer,
) -> WinogradAnswers:
    """Return what a model answers to the questions of a collection or of a table of look-ups."""
    wanted = None if questions is None else set(map(str, read_question_ids(Path(questions))))
    parsed = holds_schemas(source)
    if parsed:
        everything = read_questions(source)
        asked_about = everything if wanted is None else _only(everything, wanted, source)
        table = parsed_lookups(asked_about, parser_named(parser))
        numbers = {"questions": asked_about.height, "described": table.height}
        table = _with_silent(table, asked_about) if wanted is not None else table
    else:
        table = _by_hand(source)
        table = table if wanted is None else _only(table, wanted, source)
        numbers = {"questions": table.height, "described": table.height}
    if table.is_empty():
        raise TableError("no question has one adjective that describes its pronoun.")
    both = scored(table, _scores(model, pairs_in(table)))
    numbers["both"] = both.drop_nulls(["head_a", "head_b"]).height
    answers = with_predictions(both, no_answer=no_answer).select(ANSWERS)
    way = PARSED if parsed else BY_HAND
    return WinogradAnswers(answers, table, way, numbers, no_answer)


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
    """Return the look-ups with a row for every question, empty if nothing was found."""
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
