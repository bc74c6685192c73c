"""Which columns of a table with one row per answer are ours, by what their headers mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from plausibly.io.dialect import spelling
from plausibly.ratings.headers import HeaderWord, exact_word, is_id, is_measured, plain

NEEDED = ("item", "annotator", "answer")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
_SECONDS = re.compile(
    r"\b(s|secs?|seconds|sekunden|sek|secondi|secondes|segundos)\b|_(s|secs?|seconds)$", re.I
)
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")
_FEWEST_WORDS = 3

Table = Sequence[Sequence[str]]


def columns_by_sense(
    header: Sequence[str], rows: Table, names: Mapping[str, str]
) -> dict[str, str] | None:
    """Return the columns of the long form where each can be only one, by what headers mean.

    Args:
        header: The names of the columns.
        rows: The first rows.
        names: From our column to the file's, as chosen.

    >>> columns_by_sense(["worker", "item_id", "sentence", "rating"], [["a", "1", "So.", "4"]], {})
    {'item': 'item_id', 'annotator': 'worker', 'answer': 'rating', 'text': 'sentence'}
    """
    words = {name: exact_word(name) for name in header}
    spelled = {plain(name): name for name in header}
    by_sense = dict(names)
    for ours in (*NEEDED, "question", "order", "comment"):
        if ours in names:
            continue
        same = [spelled[ours]] if ours in spelled else []
        candidates = same or _of_role(words, ours)
        if ours == "item" and len(candidates) > 1:
            candidates = _with_text(header, rows, candidates)
        if ours == "answer" and not candidates:
            candidates = _measured(header, rows, by_sense)
        if ours == "order":
            candidates = [c for c in candidates if _orders(header, rows, c, by_sense["annotator"])]
        if len(candidates) == 1 and candidates[0] not in by_sense.values():
            by_sense[ours] = candidates[0]
        elif ours in NEEDED:
            return None
    texts = [name for name in _of_role(words, "item") if name not in by_sense.values()]
    if "text" not in {*spelled, *names} and len(texts) == 1:
        described = _describes(header, rows, by_sense["item"], texts[0])
        by_sense |= {"text": texts[0]} if described else {}
    return with_time(header, rows, by_sense)


def with_time(header: Sequence[str], rows: Table, names: Mapping[str, str]) -> dict[str, str]:
    """Return the columns known, and the one that says when answers were given, if one does."""
    spelled = {*map(spelling, header), *names}
    if {"started", "submitted"} & spelled:
        return dict(names)
    taken = "seconds" in spelled
    words = {name: exact_word(name) for name in header if name not in names.values()}
    of_time = _of_role(words, "time")
    times = [name for name in of_time if _are_dates(header, rows, name)]
    dated = {"submitted": times[0]} if len(times) == 1 else {}
    durations = [
        name for name in of_time if _SECONDS.search(name) and _are_numbers(header, rows, name)
    ]
    lasted = {"seconds": durations[0]} if len(durations) == 1 and not taken else {}
    return {**names, **dated, **lasted}


def names_items(header: Sequence[str], rows: Table, names: Mapping[str, str]) -> bool:
    """Return whether the column chosen for items names them in each row, as in the long form.

    Its header says so, or it holds sentences and people have several rows.
    """
    item = names.get("item", "")
    if item not in header:
        return False
    word = exact_word(item)
    if word is not None and word.role == "item":
        return True
    words = {name: exact_word(name) for name in header}
    who = [names["annotator"]] if "annotator" in names else _of_role(words, "annotator")
    people = [_cells(header, rows, name) for name in who]
    sentences = _are_sentences(_cells(header, rows, item))
    return sentences and any(len({*own}) < len(own) for own in people)


def _measured(header: Sequence[str], rows: Table, known: Mapping[str, str]) -> list[str]:
    """Return the columns of what is judged, as one name where there are several questions.

    A column with the same cell in all rows names the question, or nothing.
    """
    measured = [c for c in header if c not in known.values() and is_measured(c)]
    asked = [c for c in measured if "," not in c and len({*_cells(header, rows, c)} - {""}) > 1]
    return [",".join(asked)] if asked else measured


def _of_role(words: Mapping[str, HeaderWord | None], role: str) -> list[str]:
    return [name for name, word in words.items() if word is not None and word.role == role]


def _with_text(header: Sequence[str], rows: Table, candidates: Sequence[str]) -> list[str]:
    """Return the one that names items, if the other is their text; else all."""
    ids = [name for name in candidates if is_id(name)]
    ids = ids or [name for name in candidates if not _are_sentences(_cells(header, rows, name))]
    others = [name for name in candidates if name not in ids]
    alone = len(ids) == len(others) == 1 and _describes(header, rows, ids[0], others[0])
    return ids if alone else [*candidates]


def _are_sentences(cells: Sequence[str]) -> bool:
    """Return whether most cells that are not blank have several words."""
    filled = [cell for cell in cells if cell]
    return 2 * sum(len(cell.split()) >= _FEWEST_WORDS for cell in filled) > len(filled)


def _describes(header: Sequence[str], rows: Table, item: str, text: str) -> bool:
    """Return whether every item has one text in these rows."""
    pairs = zip(_cells(header, rows, item), _cells(header, rows, text), strict=True)
    texts: dict[str, set[str]] = {}
    for name, own in pairs:
        texts.setdefault(name, set()).add(own)
    return bool(texts) and all(len(own) == 1 for own in texts.values())


def _orders(header: Sequence[str], rows: Table, name: str, annotator: str) -> bool:
    """Return whether a column counts what each person was shown: whole numbers, no two alike."""
    cells = _cells(header, rows, name)
    if not all(cell.isdecimal() for cell in cells if cell):
        return False
    people = _cells(header, rows, annotator) if annotator in header else cells
    pairs = [pair for pair in zip(people, cells, strict=True) if pair[1]]
    return len({*pairs}) == len(pairs) > 0


def _are_dates(header: Sequence[str], rows: Table, name: str) -> bool:
    cells = [cell for cell in _cells(header, rows, name) if cell]
    return bool(cells) and all(_DATE.search(cell) for cell in cells)


def _are_numbers(header: Sequence[str], rows: Table, name: str) -> bool:
    cells = [cell for cell in _cells(header, rows, name) if cell]
    return bool(cells) and all(_NUMBER.fullmatch(cell) for cell in cells)


def _cells(header: Sequence[str], rows: Table, name: str) -> list[str]:
    place = [*header].index(name)
    return [row[place].strip() for row in rows if len(row) == len(header)]
