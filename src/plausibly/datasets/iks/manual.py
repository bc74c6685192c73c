"""The rules of the implicit-knowledge annotation manual: options, skips, numbered candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plausibly.datasets.iks import PER_CANDIDATE, PER_ITEM, QUESTIONS, SCALES, SKIPPED
from plausibly.datasets.iks.sheet import SheetRow, candidate_of
from plausibly.errors import TableError, listed


@dataclass(frozen=True, slots=True)
class Candidate:
    """One generated sentence as one annotator judged it."""

    row: SheetRow
    number: str
    sentence: str
    answers: Mapping[str, str]

    @property
    def stopper(self) -> str | None:
        """The question whose answer ends the questions on this candidate, if any."""
        if self.answers.get("grammaticality") == "NO":
            return "grammaticality"
        return "coherence" if self.answers.get("coherence") == "NONSENSE" else None


@dataclass(slots=True)
class Sheet:
    """The candidates of one source item as one annotator judged them."""

    item: str
    annotator: str
    candidates: list[Candidate] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)


class Complaints:
    """The problems of a file, each with its place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[str] = []

    def about(self, row: SheetRow, question: str, what: str) -> None:
        """Add a problem of one cell, named by line and column."""
        official = QUESTIONS.get(question, question)
        header = row.headers.get(question, official)
        column = official if header == official else f"{official} ({header!r})"
        self.lines.append(f"{self.path}:{row.line}: column {column}: {what}.")

    def settle(self) -> None:
        """Raise if there are any problems."""
        if self.lines:
            shown = listed(self.lines, total=len(self.lines), noun="bad cell")
            raise TableError(f"{shown} Nothing was written.")


def judged(path: Path, rows: Sequence[SheetRow]) -> list[Sheet]:
    """Return one sheet per source item and annotator; raise naming every impossible cell."""
    complaints = Complaints(path)
    named: dict[tuple[str, str], Sheet] = {}
    sheets: list[Sheet] = []
    for row in rows:
        candidate = _candidate(row, complaints)
        annotator = row.cells.get("annotator", path.name.split(".")[0])
        if "item" in row.cells:
            key = (row.cells["item"], annotator)
            sheet = named.setdefault(key, Sheet(*key))
            if not sheet.candidates:
                sheets.append(sheet)
        else:
            if _begins(candidate, annotator, sheets):
                sheets.append(Sheet(str(len(sheets) + 1), annotator))
            sheet = sheets[-1]
        sheet.candidates.append(candidate)
    for sheet in sheets:
        _judge(sheet, complaints)
    complaints.settle()
    return sheets


def _candidate(row: SheetRow, complaints: Complaints) -> Candidate:
    written = row.cells.get("candidate", "")
    number, sentence = candidate_of(written) or ("", written)
    if not number:
        what = f"{written!r} does not begin with a candidate's number. Write '(i) …' or 'i'"
        complaints.about(row, "candidate", what)
    answers = {}
    for question in QUESTIONS:
        cell = row.cells.get(question, "")
        if cell and cell != SKIPPED:
            answers[question] = _option(row, question, cell, complaints)
    return Candidate(row, number, row.cells.get("sentence", sentence), answers)


def _option(row: SheetRow, question: str, cell: str, complaints: Complaints) -> str:
    if question not in SCALES:
        return cell
    if cell.upper() not in SCALES[question]:
        options = ", ".join(reversed(SCALES[question]))
        complaints.about(row, question, f"{cell!r} is not one of {options} or '-'")
    return cell.upper()


def _begins(candidate: Candidate, annotator: str, sheets: Sequence[Sheet]) -> bool:
    """Return whether a row without an item's name begins a new source item."""
    if not sheets or sheets[-1].annotator != annotator:
        return True
    before = sheets[-1].candidates
    if candidate.row.block != before[-1].row.block:
        return True
    return any(candidate.number == other.number for other in before)


def _judge(sheet: Sheet, complaints: Complaints) -> None:
    """Report every answer that the manual rules out; keep the answers given once per item."""
    seen: set[str] = set()
    for candidate in sheet.candidates:
        if candidate.number in seen:
            what = f"item {sheet.item!r} has two candidates ({candidate.number})"
            complaints.about(candidate.row, "candidate", what)
        seen.add(candidate.number)
        _judge_candidate(candidate, complaints)
    for question in PER_ITEM:
        _judge_item(sheet, question, complaints)


def _judge_candidate(candidate: Candidate, complaints: Complaints) -> None:
    given = [question for question in PER_CANDIDATE if question in candidate.answers]
    if given and "grammaticality" not in given:
        what = f"no answer, though {QUESTIONS[given[0]]} has one. Answer this question first"
        complaints.about(candidate.row, "grammaticality", what)
    stopper = candidate.stopper
    if stopper is None:
        return
    for question in given[given.index(stopper) + 1 :]:
        what = (
            f"answered {candidate.answers[question]} though {QUESTIONS[stopper]} is "
            f"{candidate.answers[stopper]}, which ends the questions on ({candidate.number}). "
            "Write '-'"
        )
        complaints.about(candidate.row, question, what)


def _judge_item(sheet: Sheet, question: str, complaints: Complaints) -> None:
    for candidate in sheet.candidates:
        if question not in candidate.answers:
            continue
        answer = candidate.answers[question]
        if question not in SCALES:
            answer = _named(sheet, candidate.row, question, complaints)
        before = sheet.answers.setdefault(question, answer)
        if before != answer:
            what = f"{answer!r} here and {before!r} above, but there is one answer per item"
            complaints.about(candidate.row, question, what)


def _named(sheet: Sheet, row: SheetRow, question: str, complaints: Complaints) -> str:
    """Return the candidates a cell names, in order; report impossible ones."""
    order = [candidate.number for candidate in sheet.candidates]
    skipped = {candidate.number for candidate in sheet.candidates if candidate.stopper}
    cell = row.cells[question]
    found: set[str] = set()
    for part in filter(str.strip, cell.replace(",", ";").split(";")):
        number, rest = candidate_of(part) or ("", part)
        if number not in order or rest:
            complaints.about(row, question, f"{part.strip()!r} is not one of {', '.join(order)}")
        elif number in skipped:
            complaints.about(row, question, f"names ({number}), whose questions were skipped")
        found.add(number)
    if question == "comparison_c" and len(found) > 1:
        complaints.about(row, question, f"names {len(found)} candidates ({cell}); name one")
    return ";".join(number for number in order if number in found)
