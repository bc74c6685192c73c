"""How English nouns take articles and verbs take objects, counted in parsed Wikipedia text.

The table is made by `training/count_usage.py`. It covers some 2,700 nouns and 1,300 verbs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

# Shares of singulars with `a`, and of plurals among all, that are decisive.
COUNTED, OFTEN_PLURAL, AT_TIMES = 0.45, 0.45, 0.1
NEVER_COUNTED, HARDLY_PLURAL = 0.06, 0.1
WITH_OBJECT, WITHOUT_OBJECT, NO_OBJECT = 0.8, 0.35, 0.1
# Nouns for people lack an article as often as mass nouns: "as president", "Smith, guitarist".
_PERSON = re.compile(r"\w*(?:man|woman|er|or|ist|(?<!m)ent|ant)")
# Nouns from verbs take no article unless the counts show that they do: "overgrazing", "accounting".
_FROM_VERB = re.compile(r"\w{4,}(?<!l)(?<!k)(?<!w)(?<!str)(?<!spr)(?<!ear)(?<!herr)ing")
SELDOM_COUNTED = 0.25


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of how words are used.

    Args:
        nouns: For each noun, singulars with `a` or `an`, bare singulars, and plurals.
        verbs: For each verb, uses with an object or a clause, and uses without.
    """

    nouns: Mapping[str, tuple[int, int, int]]
    verbs: Mapping[str, tuple[int, int]]

    def countable(self, noun: str) -> bool | None:
        """Return whether a bare singular needs an article; None if both are possible.

        >>> known = usage()
        >>> [known.countable(noun) for noun in ("museum", "expertise", "competition")]
        [True, False, None]
        >>> [known.countable(noun) for noun in ("overgrazing", "meeting", "duckling")]
        [False, True, None]
        >>> [known.countable(noun) for noun in ("management", "president")]
        [False, None]
        """
        marked, bare, plural = self.nouns.get(noun, (0, 0, 0))
        action = not plural and _FROM_VERB.fullmatch(noun) is not None
        if not marked + bare:
            return False if action else None
        share, plurals = marked / (marked + bare), plural / (marked + bare + plural)
        if share >= COUNTED or (plurals >= OFTEN_PLURAL and share >= AT_TIMES):
            return True
        if action and share <= SELDOM_COUNTED:
            return False
        mass = share <= NEVER_COUNTED and plurals <= HARDLY_PLURAL
        return False if mass and _PERSON.fullmatch(noun) is None else None

    def transitive(self, verb: str) -> bool | None:
        """Return whether a verb needs an object; None if both are possible.

        >>> known = usage()
        >>> [known.transitive(verb) for verb in ("represent", "sleep", "read")]
        [True, False, None]
        """
        share = self._with_object(verb)
        if share is None or WITHOUT_OBJECT < share < WITH_OBJECT:
            return None
        return share >= WITH_OBJECT

    def forbids_object(self, verb: str) -> bool:
        """Return whether a verb hardly ever has an object: `sleep`, `result`."""
        share = self._with_object(verb)
        return share is not None and share <= NO_OBJECT

    def _with_object(self, verb: str) -> float | None:
        marked, bare = self.verbs.get(verb, (0, 0))
        return marked / (marked + bare) if marked + bare else None


@cache
def usage() -> Usage:
    """Return the table that comes with the package."""
    place = resources.files("plausibly.datasets.lexica") / "usage_en.json"
    counts = json.loads(place.read_text(encoding="utf-8"))
    return Usage(
        nouns={word: tuple(row) for word, row in counts["NOUN"].items()},
        verbs={word: tuple(row) for word, row in counts["VERB"].items()},
    )
