"""Norms of how well two words fit, in the forms of earlier evaluation sets.

SP-10K's Table 1 compares itself with McRae et al. (1998), Keller and Lapata (2003) and Pado et al.
(2006). Their ratings circulate as spreadsheets with one column per role (`mcrae`), as tables with a
column for the role (`pado`), as bigrams (`keller`), and without a header in the form that models of
thematic fit read: `eat-v_obj`, `bread-n`, rating (`thematic-fit`). None of them comes with us.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl

from plausibly.datasets.headers import spelt
from plausibly.datasets.pairs import read_pair_table, relation_named
from plausibly.domain import as_number
from plausibly.errors import Problem, TableError, UnknownName, listed
from plausibly.io import Rows, read_cells, read_rows, suffix_of

# From names of roles to our relations; a role that is not listed keeps its name.
ROLES: Mapping[str, str] = {
    **dict.fromkeys(("agent", "arg0", "a0", "sbj", "subj", "subject"), "nsubj"),
    **dict.fromkeys(("patient", "arg1", "a1", "obj", "object"), "dobj"),
}
RATED = ("score", "rating", "mean")
# From the columns of a bigram to its relation, the head and the dependent.
BIGRAMS: Mapping[tuple[str, str], tuple[str, str, str]] = {
    ("adjective", "noun"): ("amod", "noun", "adjective"),
    ("verb", "object"): ("dobj", "verb", "object"),
    ("noun1", "noun2"): ("compound", "noun2", "noun1"),
}
_TARGET = re.compile(r"(?P<head>.+)-[a-z]+_(?P<role>[\w+]+)")
_FILLER = re.compile(r"-[a-z]$")
SCHEMA = {**dict.fromkeys(("relation", "head", "dependent"), pl.String), "score": pl.Float64}
Pair = tuple[str, str, str, float | None]


def read_fit(path: Path, form: str = "auto") -> pl.DataFrame:
    """Return relation, head, dependent and score of a set of norms.

    Args:
        path: The file; for `sp10k` also a folder.
        form: One of `FORMS`, or auto to go by the columns.

    Raises:
        TableError: With FILE:LINE for each of the first bad rows.
    """
    if form not in FORM_NAMES:
        raise UnknownName("form of norms", form, FORM_NAMES, parameter="format")
    return FORMS[_form(path) if form == "auto" else form](path)


def _form(path: Path) -> str:
    if path.is_dir():
        return "sp10k"
    if suffix_of(path) in (".tsv", ".csv", ".txt"):
        first = next((cells for _, cells in _plain(path) if any(cells)), [])
        if len(first) == 3 and _TARGET.fullmatch(first[0]):
            return "thematic-fit"
    if suffix_of(path) == ".txt":
        raise TableError(f"{path}: not in a form we know. Known: {', '.join(FORMS)}.")
    columns = read_rows(path).frame.columns
    names = {column.strip().casefold() for column in columns}
    if {"verb", "noun"} <= names:
        return "pado" if names & {"role", "relation"} else "mcrae"
    if any(set(pair) <= names for pair in BIGRAMS):
        return "keller"
    if not {"head", "dependent"} <= names and relation_named(path) is None:
        raise TableError(
            f"{path}: not in a form we know. Expected columns relation, head, dependent and score; "
            "verb, noun and a role, such as agent; verb, role, noun and rating; or two words, "
            f"such as adjective and noun, and rating. Columns found: {', '.join(columns)}."
        )
    return "sp10k"


def _plain(path: Path) -> list[tuple[int, list[str]]]:
    return read_cells(path, separator="," if suffix_of(path) == ".csv" else "\t")


def _sp10k(path: Path) -> pl.DataFrame:
    return read_pair_table(path).select(list(SCHEMA))


def _thematic_fit(path: Path) -> pl.DataFrame:
    """Return pairs of a file such as `eat-v_obj`, `bread-n`, rating."""
    rows: list[Pair] = []
    problems = []
    for line, cells in _plain(path):
        if not any(cells):
            continue
        target = _TARGET.fullmatch(cells[0]) if len(cells) == 3 else None
        score = as_number(cells[2]) if target else None
        if target is None or score is None or not cells[1]:
            problems.append(f"{path}:{line}: not a verb with its role, a noun and a rating")
            continue
        role = target["role"]
        rows.append((ROLES.get(role, role), target["head"], _FILLER.sub("", cells[1]), score))
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return _table(path, rows)


def _mcrae(path: Path) -> pl.DataFrame:
    """Return pairs of a table with verb, noun and one column of ratings for each role."""
    rows = spelt(read_rows(path), ("verb", "noun", *ROLES))
    roles = [column for column in rows.frame.columns if column in ROLES]
    if not roles:
        known = ", ".join(ROLES)
        raise TableError(f"{path}: no column of ratings for a role. Known roles: {known}.")
    found = [
        (ROLES[role], verb, noun, score)
        for role in roles
        for verb, noun, score in _rated(rows, "verb", "noun", role)
    ]
    return _table(path, found)


def _pado(path: Path) -> pl.DataFrame:
    """Return pairs of a table with verb, role, noun and a rating."""
    rows = spelt(read_rows(path), ("verb", "noun", "role", "relation", *RATED))
    role = "role" if "role" in rows.frame.columns else "relation"
    if role not in rows.frame.columns:
        raise TableError(f"{path}: no column 'role'. Expected verb, role, noun and a rating.")
    names = rows.frame[role].cast(pl.String)
    rows.reject([Problem(row, f"no {role}") for row in names.is_null().arg_true()])
    pairs = _rated(rows, "verb", "noun", _score(rows, path))
    found = [
        (ROLES.get(name.casefold(), name), *one) for name, one in zip(names, pairs, strict=True)
    ]
    return _table(path, found)


def _keller(path: Path) -> pl.DataFrame:
    """Return bigrams of one kind: adjective and noun, verb and object, or two nouns."""
    named = tuple(dict.fromkeys(name for pair in BIGRAMS for name in pair))
    rows = spelt(read_rows(path), (*named, *RATED))
    kind = next((pair for pair in BIGRAMS if set(pair) <= set(rows.frame.columns)), None)
    if kind is None:
        forms = "; ".join(", ".join(pair) for pair in BIGRAMS)
        raise TableError(f"{path}: no bigrams. Expected one of these pairs of columns: {forms}.")
    relation, head, dependent = BIGRAMS[kind]
    score = _score(rows, path)
    return _table(path, [(relation, *one) for one in _rated(rows, head, dependent, score)])


def _score(rows: Rows, path: Path) -> str:
    name = next((one for one in RATED if one in rows.frame.columns), None)
    if name is None:
        raise TableError(f"{path}: no column of ratings. Expected one of: {', '.join(RATED)}.")
    return name


def _rated(
    rows: Rows, head: str, dependent: str, score: str
) -> Iterator[tuple[str, str, float | None]]:
    """Yield head, dependent and score of every row; raise if one is missing or not a number."""
    frame = rows.frame
    values = [None if one is None else as_number(str(one)) for one in frame[score]]
    problems = [
        Problem(row, f"{score} {frame[score][row]!r} is not a number")
        for row, value in enumerate(values)
        if value is None and frame[score][row] is not None
    ]
    for column in (head, dependent):
        problems += [Problem(row, f"no {column}") for row in frame[column].is_null().arg_true()]
    rows.reject(problems, count=len({problem.row for problem in problems}))
    words = frame.select(pl.col(head, dependent).cast(pl.String)).iter_rows()
    yield from ((*two, value) for two, value in zip(words, values, strict=True))


def _table(path: Path, rows: Sequence[Pair]) -> pl.DataFrame:
    if not rows:
        raise TableError(f"{path}: no pairs in it.")
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


FORMS: Mapping[str, Callable[[Path], pl.DataFrame]] = {
    "sp10k": _sp10k,
    "thematic-fit": _thematic_fit,
    "mcrae": _mcrae,
    "pado": _pado,
    "keller": _keller,
}
FORM_NAMES = ("auto", *FORMS)
