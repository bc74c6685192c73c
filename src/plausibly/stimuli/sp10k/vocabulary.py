"""The vocabulary of SP-10K: frequent verbs, nouns and adjectives, from a list or the counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.lexica.language import language
from plausibly.datasets.sp10k import RELATIONS, word_class
from plausibly.errors import Problem, TableError
from plausibly.io import read_rows
from plausibly.stimuli.frames import of_another_class
from plausibly.stimuli.ledger import Sieve, sieve
from plausibly.stimuli.sp10k.judging import WordJudges, supported

# The relation whose dependents act.
AGENTS = "nsubj"
_WORD = r"^\p{L}+(?:-\p{L}+)*$"
_CLASSES = {
    **dict.fromkeys(("v", "verb"), "verb"),
    **dict.fromkeys(("n", "noun"), "noun"),
    **dict.fromkeys(("j", "a", "adj", "adjective"), "adjective"),
}
_POS = "the column pos says v, n or j, or verb, noun or adjective"
_NAMES = ("word", "lemma", "lemmas")
_LARGEST_FIRST = ("zipf", "per_million", "count", "freq", "frequency")

# Section 2.2: the pairs consist of 500 verbs, 1,343 nouns and 657 adjectives. Verbs are heads
# only, and are chosen from twice as many so that each has frequent dependents.
SIZES = {"verb": 1000, "noun": 1343, "adjective": 657}


@dataclass(frozen=True, eq=False)
class SurveyVocabulary:
    """The words to build from.

    Args:
        words: class, word, rank; the most frequent of a class has rank 0.
        sieve: All words looked at, those left out with the reason.
        measures: Units and times, which are not agents.
    """

    words: pl.DataFrame
    sieve: Sieve
    measures: frozenset[str] = frozenset()

    def of(self, relations: tuple[str, ...], role: str) -> Sieve:
        """Return relation, word and rank of the words that may be in a role."""
        wanted = [(relation, word_class(relation, role)) for relation in relations]
        classes = pl.DataFrame(wanted, schema=["relation", "class"], orient="row")
        words = classes.join(self.words, on="class").select("relation", "word", "rank")
        found = sieve(words, candidate=pl.format(f"{{}} {role} {{}}", "relation", "word"))
        agent = pl.lit(role == "dependent") & (pl.col("relation") == AGENTS)
        odd = agent & pl.col("word").str.to_lowercase().is_in(self.measures)
        return found.drop("unit_or_time", where=odd, reason="a unit or a time does not act")


def read_frequency(path: Path) -> pl.DataFrame:
    """Return key (case-folded), class and rank from a frequency list, most frequent first.

    The file names its words `word` or `lemma`, their class `pos` (v, n, j or in full; without
    the column a word may be of any class), and orders them by zipf, per_million, count, freq or
    frequency, or by `rank`; without any of these the order of the file counts.
    """
    rows = read_rows(path)
    named = {column.casefold().strip(): column for column in rows.frame.columns}
    word = next((named[name] for name in _NAMES if name in named), None)
    if word is None:
        raise TableError(
            f"{path}: a frequency list needs a column 'word' or 'lemma'. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    frame = rows.frame.select(
        key=pl.col(word).cast(pl.String).str.strip_chars().str.to_lowercase(),
        order=_order(rows.frame, named),
        **{"class": _class(named)},
    )
    odd = frame.with_row_index("row").filter(~pl.col("order").is_finite().fill_null(False))["row"]
    rows.reject([Problem(row, "its frequency or rank is not a number.") for row in odd])
    frame = frame.drop_nulls("key")
    if frame.filter(pl.col("class") != "other").is_empty():
        raise TableError(f"{path}: no verb, noun or adjective in it; {_POS}.")
    frame = frame.sort("order", maintain_order=True).unique(
        ["key", "class"], keep="first", maintain_order=True
    )
    return frame.select("key", "class", rank=pl.int_range(pl.len(), dtype=pl.Int64))


def _order(frame: pl.DataFrame, named: Mapping[str, str]) -> pl.Expr:
    largest = next((named[name] for name in _LARGEST_FIRST if name in named), None)
    if largest is not None:
        return -pl.col(largest).cast(pl.Float64, strict=False)
    if "rank" in named:
        return pl.col(named["rank"]).cast(pl.Float64, strict=False)
    return pl.lit(pl.Series(range(frame.height), dtype=pl.Float64))


def _class(named: Mapping[str, str]) -> pl.Expr:
    if "pos" not in named:
        return pl.lit("any")
    return (
        pl.col(named["pos"])
        .cast(pl.String)
        .str.strip_chars()
        .str.to_lowercase()
        .replace_strict(_CLASSES, default="other", return_dtype=pl.String)
    )


def vocabulary(
    words: pl.DataFrame,
    *,
    frequency: pl.DataFrame | None,
    profane: Mapping[str, str],
    sizes: Mapping[str, int],
    grammar: frozenset[str] = frozenset(),
    judges: WordJudges | None = None,
) -> SurveyVocabulary:
    """Return the most frequent words of each class.

    Args:
        words: relation, role, word, count, as the counts have them.
        frequency: A list as `read_frequency` returns it; without one the counts decide.
        profane: Words to leave out, with the kind of offence.
        sizes: How many words of each class.
        grammar: Words of grammar to leave out as well.
        judges: What dictionaries and lists say about words; without them, nothing is judged.
    """
    judges = judges or WordJudges()
    classes = pl.concat_str("relation", "role", separator="|").replace_strict(
        {f"{r}|{role}": word_class(r, role) for r in RELATIONS for role in ("head", "dependent")},
        default=None,
        return_dtype=pl.String,
    )
    totals = words.with_columns(classes.alias("class"), key=pl.col("word").str.to_lowercase())
    totals = (
        totals.drop_nulls("class")
        .group_by("class", "key")
        .agg(
            pl.col("word").sort_by("count", "word", descending=[True, False]).first(),
            pl.col("count").sum(),
            places=pl.struct("relation", "role").n_unique(),
        )
    )
    ordered = _ranked(totals, frequency).sort("class", "order", "word", nulls_last=True)
    found = sieve(ordered, candidate=pl.concat_str("class", "word", separator=" "))
    odd = ~pl.col("word").str.contains(_WORD) | (pl.col("word").str.len_chars() < 2)
    found = found.drop("no_word", where=odd, reason="not letters alone, or only one")
    found = found.drop("grammar", where=pl.col("key").is_in(grammar), reason="a word of grammar")
    kind = pl.col("key").replace_strict(dict(profane), default=None, return_dtype=pl.String)
    listed = pl.format("in the list ({})", kind)
    found = found.drop("profane_word", where=kind.is_not_null(), reason=listed)
    found = _nouns(_adjectives(found, judges.is_adjective), judges.is_noun)
    found = supported(found, judges) if frequency is None else found
    unlisted = pl.col("order").is_null()
    found = found.drop("not_listed", where=unlisted, reason="not in the frequency list")
    place = pl.int_range(pl.len(), dtype=pl.Int64).over("class")
    found = found.with_columns(found.kept.with_columns(rank=place))
    limit = pl.col("class").replace_strict(dict(sizes), return_dtype=pl.Int64)
    beyond = pl.format("not among the {} most frequent of its class", limit)
    found = found.drop("beyond_size", where=pl.col("rank") >= limit, reason=beyond)
    return SurveyVocabulary(found.kept.select("class", "word", "rank"), found, judges.measures)


def _adjectives(found: Sieve, is_adjective: Callable[[str], bool] | None) -> Sieve:
    """Return the sieve without adjectives that are names, or that the dictionary does not have."""
    peoples = language("en").proper
    judged = pl.col("class") == "adjective"
    name = judged & pl.col("word").str.contains(r"^\p{Lu}") & ~pl.col("key").is_in(peoples)
    found = found.drop("name", where=name, reason="written with a capital")
    if is_adjective is None:
        return found
    rows = zip(found.kept["class"], found.kept["key"], strict=True)
    goes = [
        kind == "adjective" and word not in peoples and not is_adjective(word)
        for kind, word in rows
    ]
    reason = "no adjective of the dictionary"
    return found.split("no_adjective", goes=pl.Series(goes, dtype=pl.Boolean), reason=reason)


def _nouns(found: Sieve, is_noun: Callable[[str], bool] | None) -> Sieve:
    """Return the sieve without rare nouns that the dictionary has as other words only."""
    if is_noun is None:
        return found
    words = found.kept
    goes = (words["class"] == "noun") & of_another_class(words["key"], words["count"], is_noun)
    reason = "no noun of the dictionary, and rare in these counts"
    return found.split("no_noun", goes=goes, reason=reason)


def _ranked(totals: pl.DataFrame, frequency: pl.DataFrame | None) -> pl.DataFrame:
    """Return the words with what they are ordered by, smallest first."""
    if frequency is None:
        return totals.with_columns(order=-pl.col("count").cast(pl.Float64))
    of_class = frequency.filter(pl.col("class") != "any")
    of_any = frequency.filter(pl.col("class") == "any").drop("class")
    found = totals.join(of_class, on=["class", "key"], how="left")
    found = found.join(of_any, on="key", how="left", suffix="_any")
    rank = pl.coalesce("rank", "rank_any").cast(pl.Float64)
    return found.with_columns(order=rank)
