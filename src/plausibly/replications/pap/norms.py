"""PAP section 3 and appendix A: concreteness norms and the letters a, m and c."""

from __future__ import annotations

from itertools import permutations
from math import fsum

import polars as pl

from plausibly.analysis.events import CONSTITUENTS, letters
from plausibly.datasets.norms import FILE, read_norms
from plausibly.replications.claims import Claims
from plausibly.replications.pap.bins import LETTERS as LEVELS
from plausibly.replications.pap.bins import bin_numbers
from plausibly.replications.pap.release import PapRelease
from plausibly.replications.printed import Value

IRREGULAR = {"is": "be", "has": "have"}


def bare_forms(verb: str) -> list[str]:
    """Return what a verb in the third person may be a form of, the verb itself not among it.

    >>> bare_forms("carries"), bare_forms("uses"), bare_forms("has"), bare_forms("halve")
    (['carry', 'carri', 'carrie'], ['us', 'use'], ['have'], [])
    """
    if verb in IRREGULAR:
        return [IRREGULAR[verb]]
    forms = [verb[:-3] + "y"] if verb.endswith("ies") else []
    forms += [verb[:-2]] if verb.endswith("es") else []
    return [*forms, verb[:-1]] if verb.endswith("s") else forms


def rated_forms(verb: str, pos: dict[str, str]) -> list[str]:
    """Return the bare forms of a verb that have norms, those that are mostly verbs first."""
    known = [form for form in bare_forms(verb) if form in pos]
    return sorted(known, key=lambda form: pos[form] != "Verb")


def looked_up(events: pl.DataFrame, norms: pl.DataFrame) -> pl.DataFrame:
    """Return one row per constituent: item, condition, constituent, level, word, concreteness.

    Nouns are looked up unchanged, verbs without their ending; a verb of which no bare form
    has norms is looked up unchanged.
    """
    pos = dict(norms.select("word", "pos").rows())
    bare = {
        verb: next(iter(rated_forms(verb, pos)), verb) for verb in events["verb"].unique().to_list()
    }
    words = events.select(
        "item", "condition", "subject", "object", verb=pl.col("verb").replace(bare)
    ).unpivot(
        on=CONSTITUENTS,
        index=["item", "condition"],
        variable_name="constituent",
        value_name="word",
    )
    placed = words.join(letters(events), on=["item", "constituent"])
    return placed.join(norms.select("word", "concreteness"), on="word", how="left")


def norms(release: PapRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of norms and letters; of letters only where the norms are not there."""
    del claims
    letters = _letters(release.events)
    path = release.file("norms", FILE)
    if path is None:
        return letters
    table = read_norms(path)
    words = looked_up(release.events, table)
    return {
        **letters,
        **_table(table),
        **_lookups(release.events, table, words),
        **_order(words, release),
        **bin_numbers(words, table),
    }


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


def _order(words: pl.DataFrame, release: PapRelease) -> dict[str, Value]:
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
