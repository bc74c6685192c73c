"""Finds singular nouns without an article, by how the rest of the set writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from plausibly.datasets.lexica.english import like_gerund
from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.usage import usage
from plausibly.proofreading.pairs._words import EnglishWords, settings

# A noun needs an article if it has `a` at least this often, and in this share of all places.
SEEN, SHARE = 5, 0.85
# A noun that Wikipedia writes without an article more often than this does not need one.
USUAL = 0.6
# After "You use", where only mass nouns are bare, this share of `a` is decisive.
USED = 0.35


def without_article(
    rows: Sequence[Mapping[str, str]], words: EnglishWords | None
) -> Iterator[tuple[int, str, str]]:
    """Yield idx, kind and message of pairs whose noun opens a sentence and needs an article.

    A noun needs one if it has `a` nearly everywhere else in the set and in Wikipedia's counts.
    """
    if words is None:
        return
    marked, bare = Counter[str](), Counter[str]()
    for row in rows:
        tokens = ["", *row["sentence1"].casefold().rstrip(" .!?").split()]
        for before, word in pairwise(tokens):
            marked[word] += before in ("a", "an")
            bare[word] += before in ("", "use")
    for row in rows:
        noun = row["noun"].casefold()
        tokens = row["sentence1"].casefold().split()
        named = {"means", "refers"} & set(tokens[1:3])  # about the word, not the thing
        if named or (tokens[:1] != [noun] and tokens[:3] != ["you", "use", noun]):
            continue
        counted = usage().nouns.get(noun, (0, 0, 0))
        here = (marked[noun], bare[noun] - 1)
        anywhere = (here[0] + counted[0], here[1] + counted[1])
        free = counted[0] < USUAL * (counted[0] + counted[1])  # "crime", "disease", "school"
        used = tokens[0] == "you" and usage().countable(noun) is True
        used = used and counted[0] >= USED * (counted[0] + counted[1])
        if ((_mostly(here) and not free) or _mostly(anywhere) or used) and _counted(noun, words):
            yield int(row["idx"]), "no_article", f"{noun!r} in the singular needs an article"
    yield from _behind_prepositions(rows, words)


def _behind_prepositions(
    rows: Sequence[Mapping[str, str]], words: EnglishWords
) -> Iterator[tuple[int, str, str]]:
    """Yield pairs that end in a preposition and a bare noun that has an article elsewhere."""
    marked, bare = Counter[str](), Counter[str]()
    tokens = {row["sentence1"]: row["sentence1"].casefold().rstrip(" .!?").split() for row in rows}
    for text in tokens.values():
        marked.update(word for before, word in pairwise(text) if before in _MARKING)
        bare.update(text[-1:] if len(text) > 2 and text[-2] in _PLACING else ())
    for row in rows:
        *_, before, last = ["", "", *tokens[row["sentence1"]]]
        phrase, own = f"{before} {last}", bare[last]
        if before not in _PLACING or phrase in settings()["set_phrase"]:
            continue
        of_a_kind = before == "of" and _KINDS & set(tokens[row["sentence1"]])
        counted = usage().nouns.get(last, (0, 0, 0))
        here = marked[last] >= FEWEST and marked[last] >= HERE * (marked[last] + own)
        usual = counted[0] > USUAL * (counted[0] + counted[1])
        noun = set(words.classes(last)) == {"NOUN"} and _counted(last, words)
        if here and usual and noun and not of_a_kind:
            yield int(row["idx"]), "no_article", f"'{phrase}' needs an article"


_MARKING = frozenset({"a", "an", "the", "your", "my", "his", "her", "its", "their"})
_PLACING = frozenset(
    {
        *("in", "by", "of", "with", "from", "on", "at", "into", "under", "near", "inside"),
        *("through", "about", "for", "behind", "over", "onto"),
    }
)
_KINDS = frozenset({"kind", "type", "sort", "form", "kinds", "types", "sorts", "forms", "piece"})
# How often, and in which share of its places, a noun must have a determiner in the set itself.
FEWEST, HERE = 3, 0.75


def _mostly(seen: tuple[int, int]) -> bool:
    marked, bare = seen
    return marked >= SEEN and marked >= SHARE * (marked + bare)


_FREE = ("mass", "bare", "both_ways", "several", "closed", "name")


def _counted(noun: str, words: EnglishWords) -> bool:
    profile, lists = language("en"), settings()
    free = noun in profile.mass or noun in profile.plural_only or noun in profile.collective
    listed = any(noun in lists[name] for name in _FREE)
    single = "NOUN" in words.classes(noun) and not words.is_plural(noun)
    return single and not free and not listed and not like_gerund(noun)
