"""PAP section 3 and appendix A: concreteness norms and the letters a, m and c."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import fsum

import polars as pl

from plausibly.analysis.events import CONSTITUENTS
from plausibly.datasets.norms import FILE, read_norms
from plausibly.replications.claims import Claim, judge
from plausibly.replications.pap_bins import CLAIMS as BINS
from plausibly.replications.pap_bins import LETTERS as LEVELS
from plausibly.replications.pap_bins import bin_numbers
from plausibly.replications.pap_release import Release
from plausibly.replications.pap_words import looked_up, rated_forms
from plausibly.replications.record import Record, Value

NO_NORMS = "The norms are not in the data folder."


def _file() -> Iterator[Claim]:
    yield Claim(
        "pap.norms.rows",
        40000,
        "rows of the norm file",
        "The text says approximately 40K.",
        digits=-3,
        about=True,
    )
    yield Claim("pap.norms.duplicates", None, "words that stand twice", "Every word stands once.")
    yield Claim("pap.norms.single_words", None, "entries of one word", "The paper uses these.")
    yield Claim("pap.norms.two_words", None, "entries of two words", "They match no constituent.")
    yield Claim(
        "pap.norms.no_pos",
        None,
        "entries with '#N/A' as part of speech",
        "A reader that takes '#N/A' for missing text turns these into nulls.",
    )
    for name, pos, printed in (("nouns", "Noun", 12880), ("verbs", "Verb", 2522)):
        yield Claim(
            f"pap.norms.{name}",
            printed,
            f"{name} by two sources, seen 10,000 times or more",
            "The filter needs the ENCOW16AX corpus, which is not released with PAP.",
        )
        yield Claim(
            f"pap.norms.{name}.before_filter",
            None,
            f"entries with Dom_Pos {pos}",
            "What the filter of appendix A.1 starts from.",
        )


def _words() -> Iterator[Claim]:
    yield Claim(
        "pap.norms.coverage",
        None,
        "constituents of all triples that are found in the norms",
        "Every constituent is found, nouns as they stand and verbs without their ending.",
    )
    yield Claim(
        "pap.norms.uninflected_verbs",
        None,
        "triples whose verb is looked up as it stands",
        "Their subjects are plural in meaning, or the verb was not inflected.",
    )
    yield Claim(
        "pap.norms.ambiguous_verbs",
        None,
        "verb forms with two bare forms in the norms",
        "The form that is mostly a verb is taken: uses is use, not us.",
    )
    yield Claim(
        "pap.norms.letter_order",
        "subject-verb-object",
        "order of places in which words differ most in concreteness by letter",
        "This is what proves that Table 1 exchanges subjects and verbs.",
    )
    for name in CONSTITUENTS:
        yield Claim(
            f"pap.norms.mean.{name}",
            None,
            f"mean concreteness of {name}s by their own letter",
            "The letter at a place orders the words at that place.",
        )
        yield Claim(
            f"pap.norms.trend.{name}",
            None,
            f"mean concreteness of {name}s under c less that under a, by place of the letter",
            "Letters at the other places say nothing about these words.",
        )


LETTERS = (
    Claim(
        "pap.letters.two_letters",
        None,
        "words with two letters at one place",
        "No word is binned in two ways at one place.",
    ),
    Claim(
        "pap.letters.both_roles",
        None,
        "nouns that are subjects and objects",
        "They could have been binned in two ways.",
    ),
    Claim(
        "pap.letters.both_roles_differ",
        None,
        "nouns with one letter as subject and another as object",
        "None is, although subjects and objects have different cut points.",
    ),
)
CLAIMS = (*_file(), *_words(), *BINS)


def norms(release: Release) -> list[Record]:
    """Return the records on norms and letters; not computable where the norms are not there."""
    records = judge(LETTERS, _letters(release.events))
    path = release.file("norms", FILE)
    if path is None:
        return [*records, *judge(CLAIMS, {}, missing=NO_NORMS)]
    table = read_norms(path)
    words = looked_up(release.events, table)
    numbers = {**_table(table), **_lookups(release.events, table, words), **_order(words, release)}
    return [*records, *judge(CLAIMS, {**numbers, **bin_numbers(words, table)})]


def _letters(events: pl.DataFrame) -> dict[str, Value]:
    seen: dict[str, dict[str, set[str]]] = {name: {} for name in CONSTITUENTS}
    for combination, *words in events.select("combination", *CONSTITUENTS).iter_rows():
        for name, word, letter in zip(CONSTITUENTS, words, combination.split("-"), strict=True):
            seen[name].setdefault(word, set()).add(letter)
    both = set(seen["subject"]) & set(seen["object"])
    return {
        "pap.letters.two_letters": sum(
            len(found) > 1 for words in seen.values() for found in words.values()
        ),
        "pap.letters.both_roles": len(both),
        "pap.letters.both_roles_differ": sum(
            seen["subject"][word] != seen["object"][word] for word in both
        ),
    }


def _table(table: pl.DataFrame) -> dict[str, Value]:
    pos = table["pos"]
    two = table["word"].str.contains(" ", literal=True)
    return {
        "pap.norms.rows": table.height,
        "pap.norms.duplicates": table.height - table["word"].n_unique(),
        "pap.norms.single_words": int((~two).sum()),
        "pap.norms.two_words": int(two.sum()),
        "pap.norms.no_pos": int((pos == "#N/A").sum()),
        "pap.norms.nouns.before_filter": int((pos == "Noun").sum()),
        "pap.norms.verbs.before_filter": int((pos == "Verb").sum()),
    }


def _lookups(events: pl.DataFrame, table: pl.DataFrame, words: pl.DataFrame) -> dict[str, Value]:
    pos = dict(table.select("word", "pos").rows())
    forms = {verb: len(rated_forms(verb, pos)) for verb in events["verb"].unique()}
    return {
        "pap.norms.coverage": words["concreteness"].count(),
        "pap.norms.uninflected_verbs": sum(forms[verb] == 0 for verb in events["verb"]),
        "pap.norms.ambiguous_verbs": sum(number > 1 for number in forms.values()),
    }


def _order(words: pl.DataFrame, release: Release) -> dict[str, Value]:
    """Return which letter orders which word: own letters do, letters of other places do not."""
    split = pl.col("combination").str.split("-")
    places = release.events.select(
        "item", **{f"at_{name}": split.list.get(i) for i, name in enumerate(CONSTITUENTS)}
    )
    placed = words.drop_nulls("concreteness").join(places, on="item")
    means: dict[tuple[str, str, str], float] = {}
    for place in CONSTITUENTS:
        grouped = placed.group_by("constituent", f"at_{place}").agg("concreteness")
        for name, letter, values in grouped.iter_rows():
            means[name, place, letter] = fsum(values) / len(values)
    trend = {
        (name, place): means.get((name, place, "c"), 0.0) - means.get((name, place, "a"), 0.0)
        for name in CONSTITUENTS
        for place in CONSTITUENTS
    }
    best = max(
        permutations(CONSTITUENTS),
        key=lambda order: sum(trend[pair] for pair in zip(order, CONSTITUENTS, strict=True)),
    )
    numbers: dict[str, Value] = {"pap.norms.letter_order": "-".join(best)}
    for name in CONSTITUENTS:
        numbers[f"pap.norms.mean.{name}"] = {
            letter: means.get((name, name, letter)) for letter in LEVELS
        }
        numbers[f"pap.norms.trend.{name}"] = {place: trend[name, place] for place in CONSTITUENTS}
    return numbers
