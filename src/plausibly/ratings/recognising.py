"""Which program wrote a file of ratings, judged from its beginning, and the evidence for it.

A file that can be read as `long` is read as `long`. Nothing is decided by the name of a file, only
by what is in it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import TableError
from plausibly.io import read_rows, text_rows
from plausibly.io.cells import records, separator_of
from plausibly.io.decoding import as_utf8
from plausibly.io.dialect import spelling
from plausibly.io.opening import Flaw, is_stream, kind_of, read_bytes
from plausibly.io.sheets import find_sheet
from plausibly.io.titles import below_titles
from plausibly.ratings.argilla import ANSWERED
from plausibly.ratings.gorilla import EVIDENCE, TOOL, gorilla_names, is_gorilla
from plausibly.ratings.potato import MARK, is_potato
from plausibly.ratings.prolific import is_prolific
from plausibly.ratings.raters import raters_in
from plausibly.ratings.senses import NEEDED, columns_by_sense, names_items, with_time
from plausibly.ratings.several import files_in, is_several, no_files
from plausibly.ratings.tool_columns import GOOGLE_FORMS, survey_tool
from plausibly.ratings.wide_columns import looks_wide

LONG, WIDE = "long", "wide"
_HEAD = 1 << 18
_ROWS = 200
_MOST_LABELS = 25
_IMPORT_ID = "ImportId"
_NAMED_BY_COMMENTS = re.compile(rb"Columns below this comment|^#\s*1\.\s.*\n#\s*2\.\s", re.M)
TRIAL = {"trial_type", "trial_index", "time_elapsed"}  # JATOS may put other results before trials


@dataclass(frozen=True, slots=True)
class Recognised:
    """The format of a file.

    Args:
        form: Name of the format.
        tool: The program that wrote it, None if unknown.
        evidence: What shows it.
        names: From our column to the file's, where headers of another language are read by sense.
    """

    form: str
    tool: str | None = None
    evidence: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def recognised_form(path: Path, names: Mapping[str, str]) -> Recognised:
    """Return the format a file is read in where none is chosen.

    Args:
        path: The file or folder.
        names: From our column to the file's, as chosen.
    """
    if is_several(path):
        return _of_several(path, names)
    if path.suffix.lower() == ".sqlite":
        return Recognised("answers", "plausibly", "a database of answers")
    if not (path.is_file() or is_stream(path)):
        return Recognised(LONG)
    return _of_file(path, names)


def _of_several(path: Path, names: Mapping[str, str]) -> Recognised:
    """Return the format of the files in a folder or archive, which must be the same."""
    if path.is_dir() and (is_potato(path) or not files_in(path)):
        return Recognised("potato", "Potato", "a folder")
    files = files_in(path)
    forms = [_of_file(one, names) for one in files]
    if not forms:
        raise no_files(path)
    other = next((n for n, form in enumerate(forms) if form.form != forms[0].form), None)
    if other is not None:
        raise TableError(
            f"{path}: {files[0].name} is in the {forms[0].form} format and {files[other].name} in "
            f"the {forms[other].form} format. Pass one of the files."
        )
    if len(forms) == 1:
        return forms[0]
    evidence = f"{len(files)} files, each with {forms[0].evidence}" if forms[0].evidence else ""
    return replace(forms[0], evidence=evidence)


def _of_file(path: Path, names: Mapping[str, str]) -> Recognised:
    """Return the format of one file, by its content."""
    content = as_utf8(path, read_bytes(path))
    first = content[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")
    if first.startswith((b"[", b"{")):
        return _of_json(content, names)
    if first.startswith(b"#") and _NAMED_BY_COMMENTS.search(first):
        return Recognised("pcibex", "PCIbex", "a header of comment lines")
    return _of_table(path, content, names)


def _of_json(content: bytes, names: Mapping[str, str]) -> Recognised:
    """Return the format of a JSON text, by the keys of its first object."""
    objects = list(islice(_objects(content), _ROWS))
    if not objects:
        return Recognised(LONG)
    record = next((one for one in objects if {*one} >= TRIAL), objects[0])
    keys = {*record}
    if _is_long([*record], names):
        return Recognised(LONG, None, "the keys item, annotator and answer")
    for form, tool, wanted in _OBJECTS:
        if wanted <= keys and (form != "labelstudio" or _is_labelstudio(record)):
            return Recognised(form, tool, f"the keys {', '.join(sorted(wanted))}")
    if flat := [key for key in record if f"{key}.users" in keys and key.endswith(ANSWERED)]:
        return Recognised("argilla", "Argilla", f"the key {flat[0]}")
    for wanted in ({"id", "text", "label"}, {"annotation_approver"}):
        if wanted <= keys:
            shown = [key for key in ("id", "text", "label", "annotation_approver") if key in keys]
            return Recognised("doccano", "doccano", f"the keys {', '.join(shown)}")
    header = [*dict.fromkeys(name for one in objects for name in one)]
    cells = [["" if one.get(c) is None else str(one[c]) for c in header] for one in objects]
    return _of_senses(header, cells, names) or Recognised(LONG)


def _objects(content: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects at the beginning of a JSON text, which may be in lists."""
    text, decoder, place = content.decode(errors="replace"), json.JSONDecoder(), 0
    while place < len(text):
        if text[place] in "\ufeff \t\r\n,[]":
            place += 1
            continue
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        if not isinstance(value, dict):
            return
        yield value


_OBJECTS: Sequence[tuple[str, str, set[str]]] = (
    ("prodigy", "Prodigy", {"_input_hash", "_task_hash"}),
    ("jspsych", "jsPsych", TRIAL),
    ("argilla", "Argilla", {"fields", "responses"}),
    ("labelstudio", "Label Studio", {"annotations", "data"}),
    ("labelstudio", "Label Studio", {"completions", "data"}),
    ("labelstudio", "Label Studio", {"annotator", "annotation_id"}),
    ("labelstudio", "Label Studio", {"annotator", "lead_time"}),
    ("potato", "Potato", {"label_annotations"}),
    ("crowdkit", "crowd-kit", {"task", "worker", "label"}),
)


def _is_labelstudio(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("data", {}), dict)


def _of_table(path: Path, content: bytes, names: Mapping[str, str]) -> Recognised:
    """Return the format of a table, by its header and its first rows."""
    header, rows = _head(path, content, names)
    return Recognised(LONG) if header is None else recognised_table(header, rows, names)


def recognised_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Recognised:
    """Return the format of a table.

    Args:
        header: The names of its columns.
        rows: Its first rows.
        names: From our column to the table's, as chosen.
    """
    if _is_long(header, names):
        evidence = "the columns item, annotator and answer"
        return _as_long(header, rows, evidence, with_time(header, rows, names))
    for recognise in (_of_platform, _of_survey, _of_senses, _of_raters, _of_rows):
        recognised = recognise(header, rows, names)
        if recognised is not None:
            return recognised
    return Recognised(LONG)


def _of_platform(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Recognised | None:
    """Return the format of a program that always writes the same columns."""
    if is_gorilla(header):
        return Recognised(LONG, TOOL, EVIDENCE, gorilla_names(header, rows, names))
    spelled = {spelling(name) for name in header}
    for form, tool, wanted in _TABLES:
        if wanted <= spelled and not (form == "crowdkit" and names):
            columns = [name for name in header if spelling(name) in wanted]
            return Recognised(form, tool, f"the columns {' and '.join(columns)}")
    if {"user", "instance_id"} <= spelled and any(MARK in name for name in header):
        return Recognised("potato", "Potato", f"columns with {MARK}")
    if is_prolific([*header]):
        return Recognised("prolific", "Prolific", "the columns Participant id and Status")
    return None


_TABLES: Sequence[tuple[str, str, set[str]]] = (
    ("mturk", "Mechanical Turk", {"hitid", "workerid"}),
    ("jspsych", "jsPsych", {"trial_type", "trial_index"}),
    ("crowdkit", "crowd-kit", {"task", "worker", "label"}),
    ("labelstudio", "Label Studio", {"annotator", "annotation_id"}),
    ("labelstudio", "Label Studio", {"annotator", "lead_time"}),
)


def _of_survey(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Recognised | None:
    """Return the wide format for the export of a survey tool."""
    import_ids = any(_IMPORT_ID in cell for row in rows[:3] for cell in row)
    tool = survey_tool(header, import_ids=import_ids)
    if tool is None or {"answer", "question"} & {*names}:
        return None
    if tool.name == GOOGLE_FORMS and columns_by_sense(header, rows, names) is not None:
        return None  # a timestamp may also begin a table with one row per answer
    return Recognised(WIDE, tool.name, tool.evidence)


def _of_senses(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Recognised | None:
    """Return the long format where headers mean what ours do."""
    by_sense = columns_by_sense(header, rows, names)
    if by_sense is None:
        return None
    listing = ", ".join(f"{theirs} as {ours}" for ours, theirs in by_sense.items())
    return _as_long(header, rows, f"headers recognised by their meaning: {listing}", by_sense)


def _of_raters(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Recognised | None:
    """Return the long format for a sheet with one column per annotator."""
    columns = raters_in(header, rows, names)
    if columns is None:
        return None
    return _as_long(header, rows, "one row per item, one column per annotator", columns)


def _of_rows(
    header: Sequence[str], rows: Sequence[Sequence[str]], names: Mapping[str, str]
) -> Recognised | None:
    """Return the format that the first rows show."""
    if not names and _is_matrix(header, rows):
        return Recognised("mace", "MACE", "no header, one column of labels per annotator")
    mapped = {"answer", "question"} & {*names} or names_items(header, rows, names)
    if rows and not mapped and ("item" in names or looks_wide(header, rows, names)):
        evidence = "one row per person, one column per item"
        return replace(_as_long(header, rows, evidence, {}), form=WIDE)
    return None


def _holds_ratings(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, names: Mapping[str, str]
) -> bool:
    """Return whether a sheet is in a format of ratings, not a legend or a list of items."""
    whole = [*header][: max(n for n, name in enumerate(header, start=1) if name)]
    recognised = recognised_table(whole, [[*row][: len(whole)] for row in rows], names)
    return bool(recognised.evidence or recognised.tool)


def _head(
    path: Path, content: bytes, names: Mapping[str, str]
) -> tuple[list[str] | None, list[list[str]]]:
    """Return the header of a table and its first rows; no header where it cannot be read."""
    kind = kind_of(path, content)
    if kind == ".parquet":
        return _first_columns(content), []
    if kind == ".xlsx":
        find_sheet(path, content, partial(_holds_ratings, names=names))
        frame = text_rows(read_rows(path)).frame.head(_ROWS)
        return frame.columns, [[cell or "" for cell in row] for row in frame.iter_rows()]
    usual = "\t" if kind == ".tsv" else ","
    start = below_titles(path, content[:_HEAD], quietly=True)
    lines = [row for _, row in records(start, separator_of(start, usual)) if row][: _ROWS + 1]
    if not lines or isinstance(lines[0], Flaw):
        return None, []
    return lines[0], [row for row in lines[1:] if not isinstance(row, Flaw)]


def _first_columns(content: bytes) -> list[str] | None:
    try:
        return list(pl.read_parquet_schema(io.BytesIO(content)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None  # the reader says what is wrong with it


def _is_long(header: Sequence[str], names: Mapping[str, str]) -> bool:
    """Return whether the columns of the long form are there, as mapped or under our names."""
    spelled = {spelling(name) for name in header}
    return all(names.get(ours) in header or ours in spelled for ours in NEEDED)


def _as_long(
    header: Sequence[str], rows: Sequence[Sequence[str]], evidence: str, names: Mapping[str, str]
) -> Recognised:
    """Return the long format; R, and pandas, which counts from 0, write names of rows first."""
    if header[:1] != [""]:
        return Recognised(LONG, None, evidence, names)
    tool = "pandas" if rows and rows[0][:1] == ["0"] else "R"
    return Recognised(LONG, tool, f"a first column of row names, {evidence}", names)


def _is_matrix(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first line holds labels rather than a header, like the lines below it."""
    first = [cell.strip() for cell in header]
    if len(first) < 2 or not rows or any(len(row) != len(first) for row in rows):
        return False
    labels = {cell.strip() for row in rows for cell in row} - {""}
    if not {*first} - {""} <= labels or len(labels) > _MOST_LABELS:
        return False
    filled = [cell for cell in first if cell]
    return len({*filled}) < len(filled) or len(filled) < len(first)
