"""Trees whose heads and labels can be changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from plausibly.corpus._arguments import key
from plausibly.ports import Sentence


class Labels(Protocol):
    """The relation of each word."""

    def __getitem__(self, word: int, /) -> str: ...
    def __setitem__(self, word: int, label: str, /) -> None: ...


class Tree:
    """A sentence whose heads and labels can be changed; words count from 0; -1 means no head."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.forms: Sequence[str] = [form.lower() for form in sentence.forms]
        self.upos: Sequence[str] = sentence.upos
        self.heads = [head - 1 for head in sentence.heads]
        self.deprels: Labels = list(sentence.deprels)
        self.size = len(self.heads)

    def key(self, word: int) -> str:
        """Return the lower-cased lemma of a word."""
        return key(self.sentence, word)

    def put(self, word: int, head: int, deprel: str) -> None:
        """Give a word another head and label."""
        self.heads[word], self.deprels[word] = head, deprel

    def children(self, word: int) -> list[int]:
        """Return the words that depend on a word."""
        heads, found, place = self.heads, list[int](), -1
        for _ in range(heads.count(word)):
            place = heads.index(word, place + 1)
            found.append(place)
        return found

    def end(self, word: int) -> int:
        """Return the last word of a subtree."""
        below, size = {word}, 0
        while size < len(below):
            size = len(below)
            for place, head in enumerate(self.heads):
                if head in below:
                    below.add(place)
        return max(below)

    def begin(self, word: int) -> int:
        """Return the first word of a subtree."""
        return min(place for place in range(word + 1) if self.below(place, word))

    def below(self, word: int, ancestor: int) -> bool:
        """Return whether a word is an ancestor's descendant, or the ancestor itself."""
        for _ in range(self.size):
            if word == ancestor:
                return True
            if word < 0:
                return False
            word = self.heads[word]
        return False

    def repaired(self) -> Sentence:
        """Return the sentence with the heads and labels as they are now."""
        heads = [head + 1 for head in self.heads]
        deprels = [self.deprels[word] for word in range(self.size)]
        return self.sentence._replace(heads=heads, deprels=deprels)
