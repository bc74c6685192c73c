"""What the stories of a file show about a word elsewhere: its article, and whose name it is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from plausibly.datasets.gita.stories import Story

_OF_MEN = (
    *("il", "un", "del", "al", "nel", "sul", "dal", "lo", "uno", "dello", "allo", "nello"),
    *("questo", "quel", "quello", "mio", "tuo", "suo", "nostro"),
)
_OF_WOMEN = (
    *("la", "una", "della", "alla", "nella", "sulla", "dalla"),
    *("questa", "quella", "mia", "tua", "sua", "nostra"),
)
_ARTICLE = re.compile(rf"\b({'|'.join((*_OF_MEN, *_OF_WOMEN))})\s+([^\W\d_]+)", re.IGNORECASE)
_FIRST = re.compile(r"([A-ZÀ-Ù][^\W\d_]+) [^\W\d_]")
# Articles of several that are no pronouns, before a noun that does not say how many it is.
_SEVERAL = re.compile(
    r"\b(?:i|dei|degli|delle|dai|dagli|dalle|ai|agli|alle|nei|negli|nelle|sui|sugli|sulle) "
    r"([^\W\d_]+e)\b",
    re.IGNORECASE,
)
# So often a noun stands behind them in the three stories of a family that it may be of several.
_MANY = 6
# One of so many sentences with an apostrophe has the other one by mistake.
_NEARLY_ALL = 15
# How many times more often a word has the article of the other gender.
_TIMES = 2


def other_gender(stories: Sequence[Story]) -> Iterator[tuple[Story, int, str]]:
    """Yield story, place and words of articles whose noun has the other gender elsewhere."""
    uses: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for story in stories:
        for sentence in story.sentences:
            for article, word in _articles(sentence):
                uses[word.casefold()][article.casefold() in _OF_WOMEN] += 1
    for story in stories:
        for place, sentence in enumerate(story.sentences):
            for article, word in _articles(sentence):
                counts = uses[word.casefold()]
                feminine = article.casefold() in _OF_WOMEN
                if counts[not feminine] >= _TIMES * counts[feminine]:
                    yield story, place, f"{article} {word}"


def other_apostrophe(stories: Sequence[Story]) -> Iterator[tuple[Story, int, str]]:
    """Yield story, place and sign where an apostrophe is not the one of nearly all sentences."""
    apostrophes = [
        (story, place, sign)
        for story in stories
        for place, sentence in enumerate(story.sentences)
        for sign in ("'", "\u2019")
        if sign in sentence
    ]
    uses = Counter(sign for _, _, sign in apostrophes)
    rare = [sign for sign in uses if uses[sign] * _NEARLY_ALL < uses.total()]
    yield from (one for one in apostrophes if one[2] in rare)


def other_number(
    stories: Sequence[Story], nouns: Collection[str]
) -> Iterator[tuple[Story, int, str]]:
    """Yield story, place and words of articles of several before a noun that is one elsewhere.

    Args:
        stories: Stories.
        nouns: Words that stand behind an article of one thing anywhere in them.
    """
    many = Counter(
        word.casefold()
        for story in stories
        for sentence in story.sentences
        for word in _SEVERAL.findall(sentence)
    )
    for story in stories:
        for place, sentence in enumerate(story.sentences):
            for found in _SEVERAL.finditer(sentence):
                if found[1].casefold() in nouns and many[found[1].casefold()] < _MANY:
                    yield story, place, found[0]


def _articles(sentence: str) -> list[tuple[str, str]]:
    return _ARTICLE.findall(sentence)


def actors_elsewhere(stories: Sequence[Story]) -> Iterator[tuple[Story, int, str]]:
    """Yield story, place and name where a sentence begins with the actor of other stories.

    Only where a sentence names the story's own actor: otherwise it is the actor that is wrong.
    """
    known = {name for story in stories for name in story.actors if name[:1].isupper()}
    for story in stories:
        own = {word for name in story.actors for word in name.split()}
        named = {word for sentence in story.sentences for word in re.findall(r"\w+", sentence)}
        for place, sentence in enumerate(story.sentences):
            first = _FIRST.match(sentence)
            if own & named and first and first[1] in known - own:
                yield story, place, first[1]
