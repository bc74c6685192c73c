"""Surveys: pairs of one relation in a seeded order, with check items among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

from plausibly.datasets.lexica.english import article, cased
from plausibly.datasets.lexica.language import Language, language
from plausibly.datasets.lexica.usage import usage
from plausibly.errors import StudyError, UnknownName
from plausibly.io.opening import packaged_toml
from plausibly.io.ranks import rank, shuffled

LANGUAGES = ("en", "it")
SCHEMA = {
    "survey": pl.String(),
    "position": pl.Int64(),
    "item": pl.String(),
    "kind": pl.String(),
}


@dataclass(frozen=True, slots=True)
class Wording:
    """The words a survey is put in.

    Args:
        lang: The language they are of.
        questions: From relation to the question, with `{head}` and `{dependent}`, or with
            `{a_head}` and `{a_dependent}` where a noun has its article.
        answers: From answer to what it says.
        checks: Easy questions: relation, head, dependent and the answer expected.
        grammar: Words of grammar, which nobody is asked about.
    """

    lang: str
    questions: Mapping[str, str]
    answers: Mapping[str, str]
    checks: tuple[Mapping[str, str], ...]
    grammar: frozenset[str]

    def question(self, relation: str, head: str, dependent: str) -> str:
        """Return the question about one pair."""
        if relation not in self.questions:
            raise UnknownName("relation", relation, self.questions)
        profile = language(self.lang)
        words = {"head": cased(head, profile), "dependent": cased(dependent, profile)}
        phrases = {f"a_{role}": _with_article(word, profile) for role, word in words.items()}
        return self.questions[relation].format(**words, **phrases)


def _with_article(word: str, profile: Language) -> str:
    bare = word in profile.mass or word in profile.plural_only or usage().countable(word) is False
    return f"'{word}'" if bare else f"{article(word, profile)} '{word}'"


def wording(lang: str) -> Wording:
    """Return the words of a language.

    >>> wording("en").question("amod", "lemon", "sour").startswith("Can a 'lemon' be 'sour'?")
    True
    """
    if lang not in LANGUAGES:
        raise UnknownName("language", lang, LANGUAGES)
    document = packaged_toml("plausibly.stimuli.sp10k", f"{lang}.toml")
    return Wording(
        lang,
        MappingProxyType(document["questions"]),
        MappingProxyType(document["answers"]),
        tuple(MappingProxyType(check) for check in document["checks"]),
        frozenset(document["grammar"]),
    )


def surveys(
    pairs: pl.DataFrame, checks: pl.DataFrame, *, per_survey: int, checks_each: int, seed: int
) -> pl.DataFrame:
    """Return survey, position, item and kind; a survey is about one relation.

    Args:
        pairs: item and relation of every pair; each is in exactly one survey.
        checks: item and relation of the check items; every survey of a relation has some.
        per_survey: Number of pairs per survey (100 in SP-10K); the last of a relation may have
            fewer.
        checks_each: Check items a survey (3 in SP-10K).
        seed: For the order of pairs and the places of checks.
    """
    if per_survey < 1 or checks_each < 0:
        raise StudyError(
            f"a survey needs pairs; got {per_survey} pairs and {checks_each} check items."
        )
    rows: list[tuple[str, int, str, str]] = []
    for relation in pairs["relation"].unique().sort().to_list():
        own = shuffled(
            pairs.filter(relation=relation), key=pl.format("survey|{}", "item"), seed=seed
        )["item"].to_list()
        easy = checks.filter(relation=relation)["item"].sort().to_list()
        if len(easy) < checks_each:
            raise StudyError(
                f"relation {relation} has {len(easy)} check items, "
                f"but a survey needs {checks_each}."
            )
        chunks = [own[start : start + per_survey] for start in range(0, len(own), per_survey)]
        width = max(2, len(str(len(chunks))))
        for number, chunk in enumerate(chunks, start=1):
            survey = f"{relation}-{number:0{width}}"
            for position, (item, kind) in enumerate(
                _mixed(chunk, easy, survey=survey, checks_each=checks_each, seed=seed), start=1
            ):
                rows.append((survey, position, item, kind))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row").sort("survey", "position")


def _mixed(
    chunk: Sequence[str], easy: Sequence[str], *, survey: str, checks_each: int, seed: int
) -> list[tuple[str, str]]:
    """Return the pairs in their order with the check items at places of the seed's choice."""
    size = len(chunk) + checks_each
    places = sorted(range(size), key=lambda place: rank(seed, f"place|{survey}|{place}"))
    chosen = sorted(easy, key=lambda item: rank(seed, f"check|{survey}|{item}"))[:checks_each]
    at = dict(zip(sorted(places[:checks_each]), chosen, strict=True))
    left = iter(chunk)
    return [(at[place], "check") if place in at else (next(left), "item") for place in range(size)]
