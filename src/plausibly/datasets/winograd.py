"""Winograd questions: score files, the schemas they come from and the pairs looked up for them.

Zhang et al. (2019, section 6) answer questions of the Winograd Schema Challenge by comparing the
scores of two pairs; their release holds the scores, the pairs and the schemas.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import TableError, listed
from plausibly.io import read_bytes, read_cells, read_rows, read_text, suffix_of
from plausibly.io.opening import is_stream

ANSWERS = ("A", "B")
UNKNOWN = ("", "NA")
SCORES = {
    "question": pl.String(),
    "score_a": pl.Float64(),
    "score_b": pl.Float64(),
    "answer": pl.String(),
}


def read_scores(path: Path) -> pl.DataFrame:
    """Return question, score_a, score_b and answer from a file whose columns go by position.

    The columns are question, score of A, score of B, a label (ignored, and it may be left out)
    and the right answer. A header line is allowed; an empty score or NA is not known.

    Raises:
        TableError: With FILE:LINE for each of the first bad rows, and their number.
    """
    records = [record for record in _records(path) if any(record[1])]
    if records and _is_header(records[0][1]):
        records = records[1:]
    if not records:
        raise TableError(f"{path}: no questions. Expected question, score A, score B, answer.")
    widths = Counter(len(cells) for _, cells in records)
    width = max(widths, key=lambda size: (widths[size], size))
    problems: list[str] = []
    seen: set[str] = set()
    for line, cells in records:
        problem = _problem(cells, width, seen)
        if problem:
            problems.append(f"{path}:{line}: {problem}")
        seen.add(cells[0])
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return pl.DataFrame(
        [
            (cells[0], as_number(cells[1]), as_number(cells[2]), cells[-1].upper())
            for _, cells in records
        ],
        schema=SCORES,
        orient="row",
    )


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield each row's line and cells, without the spaces around them."""
    # The published score files end in .txt and hold commas.
    suffix = ".csv" if path.suffix == ".txt" else suffix_of(path)
    if suffix not in (".csv", ".tsv"):
        rows = read_rows(path)
        rows.reject([])
        lines = rows.locate(range(rows.frame.height))
        odd = next((c for c, kind in rows.frame.schema.items() if kind.is_nested()), None)
        if odd is not None:
            raise TableError(
                f"{path}: column {odd!r} holds {rows.frame[odd].dtype}, not one value per row."
            )
        for line, row in zip(lines, rows.frame.cast(pl.String).iter_rows(), strict=True):
            yield line, [(cell or "").strip() for cell in row]
        return
    yield from read_cells(path)


def _is_header(cells: Sequence[str]) -> bool:
    """Return whether a first line names columns: neither scores nor an answer are in it."""
    return (
        len(cells) > 3
        and cells[-1].upper() not in ANSWERS
        and not any(cell in UNKNOWN or as_number(cell) is not None for cell in cells[1:3])
    )


def _problem(cells: Sequence[str], width: int, seen: set[str]) -> str | None:
    """Return what is wrong with a row, or None."""
    if len(cells) not in (4, 5) or len(cells) != width:
        return f"{len(cells)} columns, expected question, score A, score B, (label,) answer"
    if not cells[0]:
        return "no question"
    if cells[0] in seen:
        return f"more than one row for question {cells[0]!r}"
    for name, cell in zip("AB", cells[1:3], strict=True):
        if cell not in UNKNOWN and as_number(cell) is None:
            return f"score {name} {cell!r} is not a number"
    if cells[-1].upper() not in ANSWERS:
        return f"answer {cells[-1]!r} is not A or B"
    return None


def read_labels(path: Path) -> list[tuple[str, str]]:
    """Return the label a released score file states and the right answer, by question."""
    lines = [line.split(",") for line in read_text(path).splitlines()[1:]]
    return [(cells[3].strip(), cells[4].strip()) for cells in lines]


def read_lookups(path: Path) -> pl.DataFrame:
    """Return the pairs looked up: question_id, adjective, head and role of A and B, answer."""
    rows = read_rows(path)
    rows.reject([])
    return rows.frame


def read_question_ids(path: Path) -> list[int]:
    """Return the numbers of the questions that were chosen."""
    return [int(number) for number in re.findall(r"\d+", read_text(path))]


def read_schemas(path: Path) -> list[tuple[str, str]]:
    """Return the text and the right answer of each schema, in file order."""
    content = read_bytes(path).decode("iso-8859-1")
    schemas: list[tuple[str, str]] = []
    for schema in re.findall(r"<schema>(.*?)</schema>", content, re.DOTALL):
        text = re.search(r"<text>(.*?)</text>", schema, re.DOTALL)
        right = re.search(r"<correctAnswer>\s*([AB])", schema)
        plain = re.sub(r"<[^>]*>", " ", text[1]) if text else ""
        schemas.append((" ".join(plain.split()), right[1] if right else ""))
    return schemas


def holds_schemas(path: Path) -> bool:
    """Return whether a file is the XML of a collection, by its name or its first character."""
    if ".xml" in path.suffixes:
        return True
    return not is_stream(path) and read_bytes(path).lstrip()[:1] == b"<"


QUESTIONS = ("question", "before", "pronoun", "after", "candidate_a", "candidate_b", "answer")
_FIELDS = {"before": "txt1", "pronoun": "pron", "after": "txt2"}


def read_questions(path: Path) -> pl.DataFrame:
    """Return the schemas of a collection as questions, numbered from 1 as the collection goes.

    Args:
        path: The XML of the collection: text in three parts, two answers and the right one.

    Raises:
        TableError: If it holds no schema, or one lacks a part.
    """
    content = read_bytes(path).decode("iso-8859-1")
    schemas = re.findall(r"<schema>(.*?)</schema>", content, re.DOTALL)
    if not schemas:
        raise TableError(f"{path}: no <schema> in it. Expected a collection of Winograd schemas.")
    rows = [_question(schema, f"{path}: schema {n}") for n, schema in enumerate(schemas, start=1)]
    numbered = [(str(n), *row) for n, row in enumerate(rows, start=1)]
    return pl.DataFrame(numbered, schema=dict.fromkeys(QUESTIONS, pl.String()), orient="row")


def _question(schema: str, where: str) -> tuple[str, ...]:
    """Return the three parts of the text, both candidates and the right answer."""
    text = re.search(r"<text>(.*?)</text>", schema, re.DOTALL)
    parts = {name: _inside(text[1] if text else "", tag) for name, tag in _FIELDS.items()}
    candidates = [_plain(one) for one in re.findall(r"<answer>(.*?)</answer>", schema, re.DOTALL)]
    right = re.search(r"<correctAnswer>\s*([AB])", schema)
    if not parts["pronoun"] or len(candidates) != len(ANSWERS) or right is None:
        raise TableError(f"{where}: expected a pronoun, two answers and the right one, A or B.")
    return (*parts.values(), *candidates, right[1])


def _inside(text: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
    return _plain(found[1]) if found else ""


def _plain(text: str) -> str:
    return " ".join(html.unescape(text).split())
