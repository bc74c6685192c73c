"""ADEPT's pairs: the JSON form they are released in, and the rule that makes one from the other.

Emami et al. (2021, section 4.1) put an adjective before the noun of a sentence. How exactly is
not said; the rule here was read off the release (`PUBLISHED`), whose sentences it gives
character for character but for a handful of exceptions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from plausibly.datasets.adept import CODES, SPLITS
from plausibly.datasets.catalogue import find, locate
from plausibly.datasets.headers import spelt
from plausibly.datasets.items import is_items, judged_items
from plausibly.errors import Problem, TableError
from plausibly.io.rows import Rows, read_rows

COLUMNS = ("idx", "sentence1", "sentence2", "modifier", "noun")
VOWELS = "aeiou"
# A whole number that went through a table with gaps: 2.0 is 2.
_WHOLE = r"^(\d+)\.0+$"
_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PairRule:
    """How the modified sentence comes from the original one.

    Args:
        whole_word: Look for the noun as a word; otherwise as any run of letters.
        article: From the modifier to the article before it, `a` or `an`.
    """

    whole_word: bool
    article: Callable[[str], str]


def article_by_spelling(modifier: str) -> str:
    """Return `an` before a vowel letter, else `a`; so "an used" and "a hourly".

    >>> article_by_spelling("unique"), article_by_spelling("hourly")
    ('an', 'a')
    """
    return "an" if modifier[:1].lower() in VOWELS and modifier else "a"


PUBLISHED = PairRule(whole_word=False, article=article_by_spelling)


def modified(sentence: str, *, noun: str, modifier: str, rule: PairRule = PUBLISHED) -> str | None:
    """Return the sentence with the modifier before the first occurrence of the noun.

    An indefinite article just before the noun is made to fit the modifier. At the start of the
    sentence the modifier takes the capital. None if the noun does not occur.

    >>> modified("An ottoman is for legs.", noun="ottoman", modifier="comfortable")
    'A comfortable ottoman is for legs.'
    >>> modified("Bananas are sweet.", noun="bananas", modifier="old")
    'Old bananas are sweet.'
    """
    place = _find(sentence, noun, rule)
    if place is None:
        return None
    if place == 0:
        return f"{modifier[:1].upper()}{modifier[1:]} {sentence[:1].lower()}{sentence[1:]}"
    before = _ARTICLE.sub(lambda found: _fitted(found, rule.article(modifier)), sentence[:place])
    return f"{before}{modifier} {sentence[place:]}"


def _find(sentence: str, noun: str, rule: PairRule) -> int | None:
    if not noun:
        return None
    if sentence.isascii() and noun.isascii():
        return _place(sentence.lower(), noun.lower(), whole_word=rule.whole_word)
    pattern = re.escape(noun)
    if rule.whole_word:
        pattern = rf"(?<![\w-]){pattern}(?![\w-])"
    found = re.search(pattern, sentence, re.IGNORECASE)
    return found.start() if found else None


def _place(sentence: str, noun: str, *, whole_word: bool) -> int | None:
    """Return where a noun first stands; a pattern for each noun would cost more."""
    place = sentence.find(noun)
    while place >= 0:
        around = sentence[place - 1 : place] + sentence[place + len(noun) :][:1]
        if not whole_word or not any(one.isalnum() or one in "_-" for one in around):
            return place
        place = sentence.find(noun, place + 1)
    return None


def _fitted(found: re.Match[str], article: str) -> str:
    return (article.capitalize() if found[1][0].isupper() else article) + found[2]


def read_pairs(path: Path, *, labelled: bool = True) -> pl.DataFrame:
    """Return the pairs of a JSON array: idx, sentence1, sentence2, modifier, noun, label.

    Items of a study have their name next to it, in a column `item`; `idx` counts them then.

    Args:
        path: The file, `.json` or any other type our tables come in.
        labelled: Whether every pair must carry a label from 0 to 4, or the name of its class;
            without, `label` may be missing and is null then.

    Raises:
        TableError: With FILE:LINE for each of the first broken pairs.
    """
    rows = _numbered(judged_items(spelt(read_rows(path), (*COLUMNS, "label"))))
    if rows.frame.is_empty() and not rows.broken:
        raise TableError(f"{path}: no pairs in it. Expected objects with {', '.join(COLUMNS)}.")
    needed = (*COLUMNS, "label") if labelled else COLUMNS
    missing = [column for column in needed if column not in rows.frame.columns]
    if missing:
        found = ", ".join(rows.frame.columns) or "none"
        raise TableError(f"{path}: no field {missing[0]!r}. Fields found: {found}.")
    if "label" not in rows.frame.columns:
        rows = replace(rows, frame=rows.frame.with_columns(label=pl.lit(None, dtype=pl.String)))
    name = ["item"] if is_items(rows.frame) else []
    pairs = rows.frame.select(*COLUMNS, "label", *name).cast(pl.String)
    pairs = pairs.with_columns(pl.col("idx", "label").str.replace(_WHOLE, "$1"))
    codes = {name: code for code, name in CODES.items()}
    pairs = pairs.with_columns(pl.col("label").replace(codes))
    problems = _problems(pairs, labelled)
    rows.reject(problems, count=len({problem.row for problem in problems}))
    return pairs.with_columns(pl.col("idx", "label").cast(pl.Int64)).sort("idx")


def _numbered(rows: Rows) -> Rows:
    """Return items of a study in the form of pairs: the text is what the modifier is in."""
    frame = rows.frame
    if not is_items(frame):
        return rows
    text = pl.col("sentence2" if "sentence2" in frame.columns else "text")
    return replace(rows, frame=frame.with_columns(idx=pl.int_range(pl.len()), sentence2=text))


def _problems(pairs: pl.DataFrame, labelled: bool) -> list[Problem]:
    found: list[Problem] = []
    for column in COLUMNS:
        found += [Problem(row, f"no {column}") for row in pairs[column].is_null().arg_true()]
    whole = pairs["idx"].str.contains(r"^\d+$").fill_null(True)
    found += [
        Problem(row, f"idx {pairs['idx'][row]!r} is not a whole number")
        for row in (~whole).arg_true()
    ]
    again = ~pairs["idx"].is_first_distinct() & pairs["idx"].is_not_null()
    found += [
        Problem(row, f"more than one pair has idx {pairs['idx'][row]}") for row in again.arg_true()
    ]
    known = pairs["label"].is_in(list(CODES))
    known = known.fill_null(not labelled)
    found += [
        Problem(row, f"label {pairs['label'][row]!r} is not a whole number from 0 to 4")
        for row in (~known).arg_true()
    ]
    return found


def read_splits(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the pairs of each split that is in a data folder; raise if there are none."""
    paths = {split: find(folder, "adept", f"{split}.json") for split in SPLITS}
    if not any(paths.values()):
        locate(folder, "adept", f"{SPLITS[0]}.json")
    return {split: read_pairs(path) for split, path in paths.items() if path is not None}
