"""One matcher for what a pattern can find: patterns, kinds and messages are TOML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import islice
from typing import Any

Lists = Mapping[str, Collection[str]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One thing that a text should not have.

    Args:
        kind: What the finding is called.
        pattern: What to look for.
        message: What to report; {0} is all that was found, {1} the first group.
        example: A text in which it is found.
        lower: Look in the text in lower case.
        every: Look at every place, not at the first one alone.
        among: The list that the group `word`, or all that was found, must be in.
        unless: Lists it must not be in.
    """

    kind: str
    pattern: re.Pattern[str]
    message: str
    example: str
    lower: bool = False
    every: bool = False
    among: str = ""
    unless: tuple[str, ...] = ()

    def findings(self, text: str, lists: Lists) -> Iterator[tuple[str, str]]:
        """Yield kind and message for each place in a text where the pattern is found."""
        places = self.pattern.finditer(text.casefold() if self.lower else text)
        for found in places if self.every else islice(places, 1):
            if self._counts(found, lists):
                yield self.kind, self.message.format(found[0], *found.groups())

    def _counts(self, found: re.Match[str], lists: Lists) -> bool:
        if not self.among and not self.unless:
            return True
        word = found["word" if "word" in found.re.groupindex else 0].casefold()
        listed = not self.among or word in lists[self.among]
        return listed and not any(word in lists[name] for name in self.unless)


def matches(
    text: str, package: str, group: str, lists: Lists | None = None
) -> Iterator[tuple[str, str]]:
    """Yield kind and message of everything the patterns of a group find in a text.

    Args:
        text: A sentence.
        package: Whose patterns.toml.
        group: Which of its patterns.
        lists: The lists of words that patterns name.

    >>> list(matches("Ada opens the box , then.", "plausibly.proofreading", "untidy"))
    [('space_before_sign', 'has a space before a full stop or comma')]
    """
    for pattern in patterns(package)[group]:
        yield from pattern.findings(text, lists or {})


@cache
def patterns(package: str) -> Mapping[str, tuple[Pattern, ...]]:
    """Return the patterns of a package by group."""
    place = resources.files(package) / "patterns.toml"
    document = tomllib.loads(place.read_text(encoding="utf-8"))
    return {group: tuple(map(_pattern, rules)) for group, rules in document.items()}


def _pattern(rule: Mapping[str, Any]) -> Pattern:
    flags = re.IGNORECASE if rule.get("ignore_case") else re.NOFLAG
    more = {name: value for name, value in rule.items() if name not in ("pattern", "ignore_case")}
    more["unless"] = tuple(more.get("unless", ()))
    return Pattern(pattern=re.compile(rule["pattern"], flags), **more)
