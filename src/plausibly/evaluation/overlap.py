"""Pairs of words in a collection of assertions (Zhang et al. 2019, section 5).

The sections that say how pairs and assertions were matched are not in any copy of the publication
at hand, only its examples; these rules give every kind of example it prints:

- Two words are the same if they are spelt alike in lower case, or one is a regular form of the
  other (`tell`, `telling`).
- A pair is matched exactly by an assertion one end of which is the head and the other end the
  dependent, nothing more, in either order, articles and `to` left out.
- It is matched partially if the head is a word of one end and the dependent a word of the other.
  An exact match is a partial one too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from plausibly.domain import Measure
from plausibly.evaluation.sp10k import GROUPS, plausibility_group
from plausibly.measures.proportion import proportion

ALL = "all"
EXACT, PARTIAL = "exact", "partial"
WAYS = (EXACT, PARTIAL)
LEFT_OUT = frozenset({"a", "an", "the", "to", "some", "your", "one"})
MATCHES = {
    "relation": pl.String(),
    "head": pl.String(),
    "dependent": pl.String(),
    "score": pl.Float64(),
    "group": pl.String(),
    "way": pl.String(),
    "asserted": pl.String(),
    "start": pl.String(),
    "end": pl.String(),
}
_VOWELS = frozenset("aeiou")


def forms_of(word: str) -> Iterator[str]:
    """Yield a word and its regular forms.

    >>> sorted(forms_of("carry"))
    ['carried', 'carries', 'carry', 'carrying']
    >>> "stopping" in set(forms_of("stop")), "making" in set(forms_of("make"))
    (True, True)
    """
    yield word
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        yield from (f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing")
    elif word.endswith("e"):
        yield from (f"{word}s", f"{word}d", f"{word[:-1]}ing")
    else:
        yield from (f"{word}{ending}" for ending in ("s", "es", "ed", "ing"))
        if len(word) > 2 and word[-1] not in _VOWELS and word[-2] in _VOWELS:
            yield from (f"{word}{word[-1]}{ending}" for ending in ("ed", "ing"))


def _lemmas(words: Iterable[str]) -> pl.DataFrame:
    """Return every form (`form`) of the words with the word it is a form of (`word`)."""
    rows = sorted({(form, word) for word in words for form in forms_of(word)})
    return pl.DataFrame(rows, schema={"form": pl.String(), "word": pl.String()}, orient="row")


def matches(pairs: pl.DataFrame, assertions: pl.DataFrame) -> pl.DataFrame:
    """Return every match of a pair and an assertion, with the way it matches.

    Args:
        pairs: relation, head, dependent, score.
        assertions: relation, start, end.
    """
    named = pairs.select(
        "relation",
        "head",
        "dependent",
        "score",
        group=plausibility_group(pl.col("score")),
        one=pl.col("head").str.to_lowercase(),
        two=pl.col("dependent").str.to_lowercase(),
    )
    known = _lemmas({*named["one"], *named["two"]})
    numbered = assertions.select("relation", "start", "end").with_row_index("row")
    ends = {side: _words_in(numbered, side, known) for side in ("start", "end")}
    both = ends["start"].join(ends["end"], on="row", suffix="_end")
    found = []
    for head, dependent in (("word", "word_end"), ("word_end", "word")):
        found.append(named.join(both, left_on=["one", "two"], right_on=[head, dependent]))
    columns = [*MATCHES]
    way = pl.when(pl.col("alone") & pl.col("alone_end")).then(pl.lit(EXACT))
    joined = pl.concat([one.select(*named.columns, "row", "alone", "alone_end") for one in found])
    matched = joined.with_columns(way=way.otherwise(pl.lit(PARTIAL))).join(
        numbered.rename({"relation": "asserted"}), on="row"
    )
    return matched.select(columns).unique().sort(columns)


def _words_in(assertions: pl.DataFrame, side: str, known: pl.DataFrame) -> pl.DataFrame:
    """Return row, word and whether it stands alone, for every known word of one end."""
    words = pl.col(side).str.to_lowercase().str.extract_all(r"[\p{L}'-]+")
    kept = words.list.eval(pl.element().filter(~pl.element().is_in(sorted(LEFT_OUT))))
    split = assertions.select("row", form=kept).with_columns(alone=pl.col("form").list.len() == 1)
    exploded = split.filter(pl.col("form").list.len() > 0).explode("form")
    return exploded.join(known, on="form").select("row", "word", "alone").unique()


def coverage(pairs: pl.DataFrame, found: pl.DataFrame) -> dict[str, dict[str, dict[str, Measure]]]:
    """Return the share of pairs that are matched, by relation and group of plausibility."""
    grouped = pairs.with_columns(group=plausibility_group(pl.col("score")))
    keys = ["relation", "head", "dependent"]
    hit = {
        EXACT: found.filter(pl.col("way") == EXACT).select(keys).unique(),
        PARTIAL: found.select(keys).unique(),
    }
    relations = [*pairs["relation"].unique(maintain_order=True), ALL]
    shares: dict[str, dict[str, dict[str, Measure]]] = {}
    for relation in relations:
        own = grouped if relation == ALL else grouped.filter(pl.col("relation") == relation)
        shares[relation] = {
            group: {way: _share(own, group, hit[way]) for way in WAYS} for group in (*GROUPS, ALL)
        }
    return shares


def _share(pairs: pl.DataFrame, group: str, hit: pl.DataFrame) -> Measure:
    own = pairs if group == ALL else pairs.filter(pl.col("group") == group)
    covered = own.join(hit, on=hit.columns, how="semi").height
    return proportion(covered, own.height)


def relation_counts(found: pl.DataFrame) -> pl.DataFrame:
    """Return how many pairs of each relation each relation of assertions matches (Figure 2)."""
    keys = ["relation", "head", "dependent", "asserted"]
    counts = [
        table.select(keys).unique().group_by("relation", "asserted").len(way)
        for way, table in ((EXACT, found.filter(pl.col("way") == EXACT)), (PARTIAL, found))
    ]
    joined = counts[1].join(counts[0], on=["relation", "asserted"], how="left")
    numbers = joined.select("relation", "asserted", pl.col(*WAYS).fill_null(0).cast(pl.Int64))
    return numbers.sort("relation", PARTIAL, "asserted", descending=[False, True, False])


def to_drop(found: pl.DataFrame) -> pl.DataFrame:
    """Return assertions that match an impossible or unusual pair exactly, the lowest score first.

    Low scores question an assertion; whether it is wrong is for a person to decide.
    """
    low = found.filter((pl.col("way") == EXACT) & pl.col("group").is_in(list(GROUPS)[-2:]))
    columns = ["asserted", "start", "end", "relation", "head", "dependent", "score"]
    return low.select(columns).sort("score", *columns[:-1])


def to_add(pairs: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """Return perfect pairs that no assertion matches, the highest score first."""
    keys = ["relation", "head", "dependent"]
    best = pairs.filter(plausibility_group(pl.col("score")) == next(iter(GROUPS)))
    missing = best.join(found.select(keys).unique(), on=keys, how="anti")
    order = pl.col("score")
    return missing.select(*keys, "score").sort(-order, *keys)


def examples(found: pl.DataFrame) -> pl.DataFrame:
    """Return one match for every way, group and relation: the pair with the highest score.

    Of several assertions the shortest stands for all; in the group `impossible` it is the pair
    with the lowest score.
    """
    length = pl.col("start").str.len_chars() + pl.col("end").str.len_chars()
    extreme = pl.when(pl.col("group") == "impossible").then(-pl.col("score")).otherwise("score")
    ordered = found.with_columns(length=length, extreme=extreme).sort(
        ["extreme", "length", *MATCHES], descending=[True, *[False] * (1 + len(MATCHES))]
    )
    first = ordered.unique(["way", "group", "relation"], keep="first", maintain_order=True)
    place = {name: number for number, name in enumerate(GROUPS)}
    order = pl.col("group").replace_strict(place, return_dtype=pl.Int64)
    return first.sort("way", order, "relation").select(list(MATCHES))
