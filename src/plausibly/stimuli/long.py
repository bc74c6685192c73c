"""Items from a long table: one row per item, in its group and condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from plausibly.errors import Problem, StudyError, TableError, UnknownName, option
from plausibly.io import Rows
from plausibly.stimuli.built import Built
from plausibly.stimuli.custom import KINDS
from plausibly.stimuli.ledger import LEDGER, sieve
from plausibly.tables import ITEMS

GROUPS = ("item_group", "group")
"""Columns that name the group of a row, the first that there is."""
GROUP, CONDITION, LANGUAGE = "item_group", "condition", "language"
ROW, KIND = "__row", "kind"


@dataclass(frozen=True, slots=True)
class LongColumns:
    """Which columns of a long table say what.

    Args:
        group: The group of a row; None for items that stand alone.
        condition: The condition of a row; None if there is none.
        name: The name of a row; None to name rows by group, condition and language.
    """

    group: str | None
    condition: str | None
    name: str | None


def long_columns(
    columns: Sequence[str],
    *,
    group: str | None = None,
    condition: str | None = None,
    name: str | None = None,
) -> LongColumns:
    """Return which columns say what; a column that was asked for must be there.

    >>> long_columns(["text", "group", "condition"])
    LongColumns(group='group', condition='condition', name=None)
    """
    for asked in (group, condition, name):
        if asked is not None and asked not in columns:
            raise UnknownName("column", asked, columns)
    if "text" not in columns:
        raise StudyError(
            f"no column 'text' (columns: {', '.join(columns)}). Name the column with the text of "
            f"an item ({option('text')}); for words to put into texts, pass {option('templates')}."
        )
    usual = {
        "group": next((one for one in GROUPS if one in columns), None),
        "condition": CONDITION if CONDITION in columns else None,
        "name": "item" if "item" in columns else None,
    }
    return LongColumns(
        group or usual["group"], condition or usual["condition"], name or usual["name"]
    )


def with_usual_names(
    table: pl.DataFrame, *, text: str | None = None, factors: Sequence[str] = ()
) -> pl.DataFrame:
    """Return the table with its text as `text`, and with the cell of several factors as condition.

    The factors stay as columns, for `analyse` and `describe`.

    >>> cells = pl.DataFrame({"satz": ["Es regnet."], "verb": ["weak"], "object": ["none"]})
    >>> with_usual_names(cells, text="satz", factors=["verb", "object"])["condition"].item()
    'weak-none'
    """
    for asked in (text, *factors):
        if asked is not None and asked not in table.columns:
            raise UnknownName("column", asked, table.columns)
    news = [ours for ours, theirs in (("text", text), (CONDITION, factors)) if theirs]
    taken = [name for name in news if name in table.columns and name not in (text, *factors)]
    if taken:
        raise StudyError(
            f"the table has a column {taken[0]!r}, but you named another as {taken[0]}. Rename one."
        )
    if factors:
        cell = pl.concat_str([_filled(one) for one in factors], separator="-")
        table = table.with_columns(cell.alias(CONDITION))
    return table.rename({text: "text"}) if text else table


def check_long(rows: Rows, columns: LongColumns) -> None:
    """Raise, naming file and line, where two rows would have the same name."""
    rows.reject([])
    if rows.frame.is_empty():
        raise TableError(f"{rows.path}: no rows, only a header. Add a row for each item.")
    named = _named(rows.frame, columns)[ROW]
    whole = rows.frame.to_struct().is_first_distinct()  # copies of a row go to the ledger
    again = ~named.is_first_distinct() & ~_empty(rows.frame["text"]) & whole
    first = {name: row for row, name in reversed(list(enumerate(named)))}
    same = "the same item" if columns.name else "the same group and condition"
    rows.reject(
        [
            Problem(row, f"{same} as row {first[named[row]] + 1} ({named[row]!r})")
            for row in again.arg_true()
        ]
    )


def build_long(table: pl.DataFrame, columns: LongColumns) -> Built:
    """Return one item for every row that has a text.

    Rows without a text, and rows that repeat another in every column, go to the ledger. The other
    columns of the table stay with the items.
    """
    texts = table.with_columns(pl.exclude(pl.Float64, pl.Int64).cast(pl.String))
    found = sieve(_named(texts, columns), candidate=pl.col(ROW))
    found = found.split("empty_cell", goes=_empty(found.kept["text"]), reason="no text")
    again = ~found.kept.drop(ROW).to_struct().is_first_distinct()
    found = found.split("repeated", goes=again, reason="the same as an earlier row")
    if found.kept.is_empty():
        raise StudyError("no item can be made: no row has a text. Fill the column 'text'.")
    twice = found.kept.filter(~pl.col(ROW).is_first_distinct())[ROW].to_list()
    if twice:
        raise StudyError(
            f"two rows are called {twice[0]!r}: they have the same group and condition. Keep one "
            f"of them, or name rows by a column ({option('name')})."
        )
    made = _with_kinds(found.kept.with_columns(item=pl.col(ROW)).drop(ROW))
    for ours, theirs in ((GROUP, columns.group), (CONDITION, columns.condition)):
        if theirs is not None and theirs != ours:
            made = made.with_columns(_filled(theirs).alias(ours))
    return Built(ITEMS.sort(ITEMS.check(made)), LEDGER.sort(found.ledger), found.as_json())


def _with_kinds(made: pl.DataFrame) -> pl.DataFrame:
    """Return the items with their kind: an empty cell is an item; raise at a kind nobody knows."""
    if KIND not in made.columns:
        return made
    made = made.with_columns(_filled(KIND).str.strip_chars().fill_null("item").alias(KIND))
    strange = made.filter(~pl.col(KIND).is_in(KINDS))
    if strange.height:
        unknown = UnknownName("kind of item", strange[KIND][0], KINDS)
        raise StudyError(f"item {strange['item'][0]!r}: {unknown}") from unknown
    return made


def _named(table: pl.DataFrame, columns: LongColumns) -> pl.DataFrame:
    """Return the table with the name of every row."""
    if columns.name is not None:
        return table.with_columns(pl.col(columns.name).cast(pl.String).alias(ROW))
    parts = [one for one in (columns.group, columns.condition) if one is not None]
    if LANGUAGE in table.columns and parts:
        parts.append(LANGUAGE)
    width = len(str(max(table.height, 1)))
    number = pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(width)
    if columns.group is None:
        return table.with_columns(number.alias(ROW))
    name = pl.concat_str([_filled(one) for one in parts], separator="-", ignore_nulls=True)
    grouped = _filled(columns.group).is_not_null()
    alone = pl.concat_str([pl.lit("row"), number], separator="-")
    return table.with_columns(pl.when(grouped).then(name).otherwise(alone).alias(ROW))


def _filled(column: str) -> pl.Expr:
    text = pl.col(column).cast(pl.String)
    return pl.when(text.str.strip_chars() != "").then(text)


def _empty(texts: pl.Series) -> pl.Series:
    return texts.cast(pl.String).fill_null("").str.strip_chars() == ""


@dataclass(frozen=True, slots=True)
class GroupCrossing:
    """How groups and conditions of a set of items cross.

    Args:
        groups: Number of groups.
        conditions: The conditions.
        languages: The languages; none if items have no language.
        problems: What prevents a Latin square, one sentence each.
    """

    groups: int
    conditions: tuple[str, ...]
    languages: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def squares(self) -> bool:
        """Whether every group has each condition once, so that there is a Latin square."""
        return self.groups > 1 and len(self.conditions) > 1 and not self.problems


def crossing(items: pl.DataFrame) -> GroupCrossing | None:
    """Return how groups cross conditions, within a language; None if no item has both."""
    judged = items.filter(pl.col("kind") == "item")
    if GROUP not in items.columns or judged[GROUP].null_count() == judged.height:
        return None
    if judged["condition"].null_count() == judged.height:
        return None
    if LANGUAGE not in judged.columns:
        judged = judged.with_columns(pl.lit(None, pl.String).alias(LANGUAGE))
    conditions = tuple(sorted(judged["condition"].drop_nulls().unique()))
    languages = tuple(sorted(judged[LANGUAGE].drop_nulls().unique()))
    problems = [
        f"item {item!r} has no {name}"
        for name in (GROUP, CONDITION, *((LANGUAGE,) if languages else ()))
        for item in judged.filter(pl.col(name).is_null())["item"]
    ]
    known = judged.drop_nulls([GROUP, CONDITION])
    cells = known.group_by(LANGUAGE, GROUP, maintain_order=True).agg(pl.col(CONDITION))
    for language, group, own in cells.sort(LANGUAGE, GROUP).iter_rows():
        where = f"group {group!r}" + (f" in {language}" if language else "")
        lacks = [one for one in conditions if one not in own]
        twice = sorted({one for one in own if own.count(one) > 1})
        problems += [f"{where} lacks {', '.join(map(repr, lacks))}"] if lacks else []
        problems += [f"{where} has {twice[0]!r} more than once"] if twice else []
    return GroupCrossing(known[GROUP].n_unique(), conditions, languages, tuple(problems))
