"""Implicit knowledge: two source sentences, a reference, and candidates of models, blinded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from plausibly.datasets.iks import RELATIONS
from plausibly.errors import Problem, StudyError, TableError
from plausibly.io import Rows, read_rows, suffix_of
from plausibly.io.ranks import rank
from plausibly.stimuli.built import Built
from plausibly.stimuli.ledger import LEDGER, sieve
from plausibly.tables import ITEMS

_SOURCES = {
    "item": ("item", "id", "instance", "pair"),
    "source_1": ("source_1", "source_sentence_1", "sentence_1", "source1"),
    "source_2": ("source_2", "source_sentence_2", "sentence_2", "source2"),
    "reference": ("reference", "reference_sentence"),
    "relation": ("relation", "stance"),
    "genre": ("genre", "domain"),
}
_CANDIDATES = {
    "item": _SOURCES["item"],
    "sentence": ("sentence", "generated_sentence", "generated", "candidate", "text"),
    "system": ("system", "model"),
}
# The ledger is stored with the items, so it names no system; the key does.
_REASONS = {
    "no_candidate": "a system has no sentence for this item; the key shows which",
    "empty_candidate": "the sentence a system has for this item is empty; the key shows which",
}
_OPTIONAL = ("reference", "relation", "genre", "system")
_KEY = {
    "item": pl.String(),
    "candidate": pl.String(),
    "system": pl.String(),
    "source": pl.String(),
    "missing": pl.String(),
}


def read_sources(path: Path) -> pl.DataFrame:
    """Return item, source_1, source_2, reference, relation and genre of the sources in a file.

    Raises:
        TableError: With FILE:LINE for rows without a sentence or with an unknown relation.
    """
    rows, frame = _read(path, _SOURCES)
    problems = _empty(frame, ("item", "source_1", "source_2"))
    again = ~frame["item"].is_first_distinct() & frame["item"].is_not_null()
    problems += [
        Problem(row, f"more than one row for item={frame['item'][row]!r}")
        for row in again.arg_true()
    ]
    frame = frame.with_columns(pl.col("relation").str.to_lowercase())
    odd = ~frame["relation"].is_in(RELATIONS) & frame["relation"].is_not_null()
    problems += [
        Problem(row, f"relation {frame['relation'][row]!r} is not one of {', '.join(RELATIONS)}")
        for row in odd.arg_true()
    ]
    rows.reject(problems, count=len({problem.row for problem in problems}))
    return frame.sort("item")


def read_candidates(paths: Sequence[Path]) -> pl.DataFrame:
    """Return item, system and sentence from models' files; a file's name may be the system."""
    parts = []
    for path in paths:
        rows, frame = _read(path, _CANDIDATES)
        rows.reject(_empty(frame, ("item",)))
        name = path.name.removesuffix(".gz").rpartition(".")[0]
        parts.append(frame.with_columns(pl.col("system").fill_null(name)))
    candidates = pl.concat(parts).select("item", "system", "sentence").sort("item", "system")
    again = candidates.filter(pl.struct("item", "system").is_duplicated())
    if not again.is_empty():
        item, system, _ = again.row(0)
        raise TableError(
            f"candidates: more than one sentence of system {system!r} for item {item!r}. "
            "Name systems in a column 'system', or in the names of the files."
        )
    return candidates


def _read(path: Path, columns: Mapping[str, tuple[str, ...]]) -> tuple[Rows, pl.DataFrame]:
    rows = read_rows(path)
    if rows.frame.is_empty():
        rows.reject([])
        raise TableError(f"{path}: no rows, only a header. Add a row for each sentence.")
    there = {column.strip().casefold().replace(" ", "_"): column for column in rows.frame.columns}
    selected: dict[str, pl.Expr] = {}
    for ours, theirs in columns.items():
        found = next((there[name] for name in theirs if name in there), None)
        if found is None and ours not in _OPTIONAL:
            raise TableError(
                f"{path}: no column {ours!r}. Columns found: {', '.join(rows.frame.columns)}."
            )
        selected[ours] = (
            pl.lit(None, dtype=pl.String)
            if found is None
            else pl.col(found).cast(pl.String).str.strip_chars().replace("", None)
        )
    return rows, rows.frame.select(**selected)


def _empty(frame: pl.DataFrame, columns: Sequence[str]) -> list[Problem]:
    return [
        Problem(row, f"no {column}")
        for column in columns
        for row in frame[column].is_null().arg_true()
    ]


def build_iks(
    sources: pl.DataFrame, candidates: pl.DataFrame, *, number: Callable[[int], str], seed: int
) -> tuple[Built, pl.DataFrame]:
    """Return the items with candidates under blind numbers, and a key.

    The key shows which system wrote which candidate, and why one is missing; keep it away from
    annotators. `sheet.csv` has one row per candidate in reading order, without the reference;
    `references.csv` has the reference of every source item, for the second step.

    Args:
        sources: item, source_1, source_2, reference, relation, genre.
        candidates: item, system, sentence.
        number: Turns 1, 2, 3 into the names of candidates: i, ii, iii.
        seed: Determines the order of items, and of candidates within each item.
    """
    _all_known(sources, candidates)
    systems = candidates["system"].unique().sort().to_list()
    given = {(item, system): sentence for item, system, sentence in candidates.iter_rows()}
    rows: list[dict[str, str | None]] = []
    for source in sources.iter_rows(named=True):
        item = source["item"]

        def place(system: str, item: str = item) -> tuple[bool, str, str]:
            return not given.get((item, system)), rank(seed, f"candidate|{item}|{system}"), system

        for count, system in enumerate(sorted(systems, key=place), start=1):
            sentence = given.get((item, system))
            rows.append(
                {
                    **source,
                    "candidate": number(count),
                    "sentence": sentence,
                    "system": system,
                    "missing": None if sentence else _rule(item, system, given),
                }
            )
    texts = dict.fromkeys((*_SOURCES, *_KEY, "sentence"), pl.String())
    return _built(pl.DataFrame(rows, schema_overrides=texts), seed)


def _built(every: pl.DataFrame, seed: int) -> tuple[Built, pl.DataFrame]:
    """Return the tables of all candidates; those without a sentence go to the ledger."""
    found = sieve(every, candidate=_name(), step="asked_for")
    for rule, reason in _REASONS.items():
        found = found.drop(rule, where=pl.col("missing") == rule, reason=reason)
    frame = found.kept
    if frame.is_empty():
        raise StudyError("no source item has a candidate. Do the files name the same items?")
    order = {item: rank(seed, f"item|{item}") for item in frame["item"].unique()}
    sheet = frame.sort(
        pl.col("item").replace_strict(order, return_dtype=pl.String), "item", maintain_order=True
    )
    shown = sheet.select(
        *("item", "candidate", "sentence", "source_1", "source_2", "relation", "genre")
    )
    references = sheet.select("item", "reference").unique(maintain_order=True)
    built = Built(
        items=_items(frame),
        ledger=LEDGER.sort(found.ledger),
        funnel=found.as_json(),
        documents={"sheet.csv": shown, "references.csv": references},
    )
    return built, _key(every)


def _all_known(sources: pl.DataFrame, candidates: pl.DataFrame) -> None:
    strange = candidates.join(sources, on="item", how="anti")["item"].unique().sort()
    if strange.len():
        raise TableError(
            f"candidates: {strange.len()} items are not among the sources (first: {strange[0]!r}). "
            "Name the item that each candidate was written for."
        )


def _rule(item: str, system: str, given: Mapping[tuple[str, str], str | None]) -> str:
    return "empty_candidate" if (item, system) in given else "no_candidate"


def _name() -> pl.Expr:
    return pl.concat_str("item", "candidate", separator="#")


def _items(frame: pl.DataFrame) -> pl.DataFrame:
    shared = ("source_1", "source_2", "reference", "relation", "genre")
    each = frame.select(_name().alias("item"), *shared, "candidate", text="sentence", source="item")
    whole = frame.unique("item", maintain_order=True).select(
        "item",
        *shared,
        pl.lit(None, dtype=pl.String).alias("candidate"),
        text=pl.concat_str("source_1", "source_2", separator=" / "),
        source="item",
    )
    both = pl.concat([whole, each], how="diagonal").with_columns(condition="relation")
    return ITEMS.sort(ITEMS.check(both))


def _key(frame: pl.DataFrame) -> pl.DataFrame:
    key = frame.select(
        _name().alias("item"), "candidate", "system", "missing", source=pl.col("item")
    )
    return key.select(*_KEY).sort("item")


def check_key(key: Path, folder: Path, *, inputs: Sequence[Path] = ()) -> None:
    """Raise if a key cannot be written, or would be where annotators can see it."""
    suffix_of(key)
    if key.resolve().is_relative_to(folder.resolve()):
        raise StudyError(
            f"{key}: the key would be in {folder}, which annotators get. Name a file outside it."
        )
    if key.resolve() in [path.resolve() for path in inputs]:
        raise StudyError(
            f"{key}: the key would overwrite a file it is made from. Choose another file."
        )
    if not key.parent.is_dir():
        raise StudyError(f"{key.parent}: no such folder to write {key.name} into. Create it.")
    older = folder / "key.parquet"
    if older.exists():
        raise StudyError(
            f"{older}: an older key, for another order, is where annotators can see it. "
            "Move it away, or write into another folder."
        )


def identical_candidates(items: pl.DataFrame) -> list[tuple[str, list[str]]]:
    """Return candidates of one item that differ at most in capitals, spaces or full stops.

    >>> rows = {"item": ["i1#i", "i1#ii"], "source": ["i1", "i1"], "candidate": ["i", "ii"]}
    >>> identical_candidates(pl.DataFrame({**rows, "text": ["Rain is wet.", "rain is wet"]}))
    [('i1', ['i', 'ii'])]
    """
    plain = pl.col("text").str.to_lowercase().str.replace_all(r"\s+", " ")
    alike = (
        items.filter(pl.col("candidate").is_not_null())
        .with_columns(plain=plain.str.strip_chars(" .!?"))
        .group_by("source", "plain", maintain_order=True)
        .agg("candidate")
        .filter(pl.col("candidate").list.len() > 1)
    )
    return list(alike.select("source", "candidate").iter_rows())
