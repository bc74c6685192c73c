"""Pages whose models are not all at hand: their rows are computed again where they are."""

from __future__ import annotations

import re
from collections.abc import Iterable

DRAWS = "nouns, each with all of its pairs, on val.json."
OLD_DRAWS = "sentences, on val.json."
KEPT = "Intervals of {names}\ndraw single sentences, because their predictions were not kept."
BY_NOUN = "Nouns drawn and exchanged together:"
FOLDED = '<details markdown="1"><summary>{}</summary>'
BY_SENTENCE = FOLDED.format("More models, single sentences drawn and exchanged")
GAPS = "| difference |"
ROW = re.compile(r"^\| `([^`]+)` \|")


def of_scheme(text: str, scheme: str) -> str:
    """Return the section of a scheme."""
    start = text.index(f"\n## Scheme {scheme}\n")
    end = text.find("\n## ", start + 1)
    return text[start : len(text) if end < 0 else end]


def with_rows(section: str, rows: Iterable[str]) -> str:
    r"""Return a section with new rows in place of those of the same model and width.

    >>> with_rows("| `a` | 1 |\n| `b` | 2 |\n| `a` | 1 | 1 |", ["| `a` | 3 |"]).split("\n")[0]
    '| `a` | 3 |'
    """
    new = {_key(row): row for row in rows if ROW.match(row)}
    lines = section.split("\n")
    return "\n".join(new.get(_key(line), line) if ROW.match(line) else line for line in lines)


def _key(row: str) -> tuple[str, int]:
    match = ROW.match(row)
    return (match[1] if match else "", row.count("|"))


def with_gaps(section: str, gaps: list[str]) -> str:
    """Return a section with a table of differences before the one that is kept."""
    if BY_NOUN in section:
        before, _, rest = section.partition(f"{BY_NOUN}\n")
        kept = rest.partition(f"{BY_SENTENCE}\n\n")[2]
    else:
        before, _, rest = section.partition(GAPS)
        rows, _, more = rest.partition("\n\n")
        kept = f"{GAPS}{rows}\n\n</details>\n\n{more}"
    return "\n".join([f"{before}{BY_NOUN}", "", *gaps, "", BY_SENTENCE, "", kept])


def with_note(text: str, names: Iterable[str]) -> str:
    """Return a page that states what its intervals draw and which rows are kept."""
    *first, last = (f"`{name}`" for name in names)
    note = KEPT.format(names=f"{', '.join(first)} and {last}")
    text = re.sub(r"\nIntervals of [^.]*? not kept\.", "", text, flags=re.DOTALL)
    return text.replace(OLD_DRAWS, DRAWS, 1).replace(DRAWS, f"{DRAWS}\n{note}", 1)
