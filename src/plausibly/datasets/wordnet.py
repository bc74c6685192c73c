"""WordNet's nouns: the classes each word belongs to, read from the files every release has.

A folder with `index.noun` and `data.noun`: Princeton's own `dict`, Debian's package wordnet-base,
or NLTK's unpacked corpus `wordnet`. They are not in this package (licence of their own).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from plausibly.errors import StudyError, TableError, option
from plausibly.io import read_text

FILES = ("index.noun", "data.noun")
VARIABLE = "WNSEARCHDIR"
"""Where WordNet's own programs look for its files."""

ABOVE = ("@", "@i")


@dataclass(frozen=True)
class NounTree:
    """The nouns of WordNet.

    Args:
        senses: From a noun to its synsets.
        above: From a synset to those right above it.
    """

    senses: Mapping[str, tuple[int, ...]]
    above: Mapping[int, tuple[int, ...]]

    def classes(self, noun: str) -> tuple[int, ...]:
        """Return every class a noun belongs to: its synsets and all above them, sorted."""
        waiting = list(self.senses.get(noun.lower(), ()))
        reached: set[int] = set()
        while waiting:
            synset = waiting.pop()
            if synset not in reached:
                reached.add(synset)
                waiting += self.above.get(synset, ())
        return tuple(sorted(reached))


def wordnet_folder(folder: str | Path | None) -> Path:
    """Return the folder of WordNet's files: as named, or as WordNet's own variable says."""
    named = folder if folder is not None else os.environ.get(VARIABLE)
    if not named:
        raise StudyError(
            "Resnik's association needs WordNet's nouns, and no folder is named. Install WordNet "
            "(Debian's wordnet-base, or NLTK's corpus wordnet, unpacked) and pass the folder with "
            f"{' and '.join(FILES)} as {option('wordnet')}, or set {VARIABLE}."
        )
    missing = [name for name in FILES if not (Path(named) / name).is_file()]
    if missing:
        raise StudyError(
            f"{named}: no {missing[0]} in it. Name the folder that holds {' and '.join(FILES)}, "
            "such as WordNet's folder dict."
        )
    return Path(named)


def read_nouns(folder: Path) -> NounTree:
    """Return the nouns of WordNet's files in a folder."""
    senses = {
        fields[0]: tuple(int(offset) for offset in fields[-int(fields[2]) :])
        for fields in _rows(folder / "index.noun", least=7)
    }
    above = dict(_hypernyms(fields) for fields in _rows(folder / "data.noun", least=6))
    return NounTree(senses, above)


def _rows(path: Path, *, least: int) -> Iterator[list[str]]:
    """Yield the fields of every line; the licence is in front, on lines that begin blank."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line or line.startswith(" "):
            continue
        fields = line.partition(" | ")[0].split()
        if len(fields) < least or not fields[2 if path.name.startswith("index") else 0].isdigit():
            raise TableError(f"{path}:{number}: not a line of WordNet's {path.name}.")
        yield fields


def _hypernyms(fields: list[str]) -> tuple[int, tuple[int, ...]]:
    """Return a synset and those right above it: pointers come four fields each, after the words."""
    at = 4 + 2 * int(fields[3], 16)
    pointers = fields[at + 1 : at + 1 + 4 * int(fields[at])]
    above = [int(pointers[n + 1]) for n in range(0, len(pointers), 4) if pointers[n] in ABOVE]
    return int(fields[0]), tuple(above)
