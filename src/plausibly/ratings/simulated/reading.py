"""How much there is to read in a text, for how long simulated people take."""

from __future__ import annotations

from unicodedata import east_asian_width


def words_in(text: str) -> int:
    """Return how many words a text has; where no spaces part them, two letters make one.

    >>> words_in("the dog eats a bone"), words_in("犬が骨を食べる。")
    (5, 4)
    """
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    narrow = "".join(" " if east_asian_width(letter) in "WF" else letter for letter in text)
    return len(narrow.split()) + (wide + 1) // 2
