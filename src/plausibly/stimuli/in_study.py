"""Items in a study: whether it builds, pairs and vets them, and from which files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXAMPLES_FILE, SURVEYS_FILE = "examples.parquet", "surveys.parquet"
ITEMS_FILE = "items.parquet"
BEGINS = ("svo", "counts", "stories", "sources", "table")
"""Keys of [build], one of which a study sets to have its items built."""

Parameters = Mapping[str, Any]
Sections = Mapping[str, Parameters]


def builds(sections: Sections, defaults: Parameters | None = None) -> bool:
    """Return whether a study builds its items."""
    del defaults
    own, corpus = sections.get("build", {}), sections.get("extract", {})
    return bool(any(own.get(name) for name in BEGINS) or corpus.get("files"))


def matches(sections: Sections, defaults: Parameters | None = None) -> bool:
    """Return whether a study pairs its items, which are then written by that step."""
    del defaults
    return bool(sections.get("build_match", {}).get("match"))


def vets(sections: Sections, defaults: Parameters | None = None) -> bool:
    """Return whether a pilot vets the check items, which are then written by that step."""
    del defaults
    return bool(sections.get("build_checks", {}).get("ratings"))


def unbuilt_surveys(sections: Sections) -> tuple[str, ...]:
    """Return what pairing and vetting do not write where nothing was built."""
    return () if builds(sections) else (SURVEYS_FILE,)


def left_by_pairing(sections: Sections) -> tuple[str, ...]:
    """Return what pairing does not write: what was not built, and what vetting writes."""
    return (ITEMS_FILE, SURVEYS_FILE) if vets(sections) else unbuilt_surveys(sections)


@dataclass(frozen=True)
class LeftToLater:
    """Returns what building leaves to the steps that pair its items or vet its checks.

    Args:
        tables: What is served.
        made_if: Tables that are made only if a key of [build] is set, as TABLE:KEY.
        folder: Where a study also keeps what it builds.
    """

    tables: tuple[str, ...]
    made_if: tuple[str, ...] = ()
    folder: str = ""

    def __call__(self, sections: Sections) -> tuple[str, ...]:
        """Return the tables where a study pairs or vets, and those that are not made."""
        section = sections.get("build", {})
        pairs = (one.partition(":")[::2] for one in self.made_if)
        names = [name for name, key in pairs if not section.get(key)]
        places = ("", f"{self.folder}/")
        unmade = tuple(f"{place}{name}.parquet" for name in names for place in places)
        later = matches(sections) or vets(sections)
        return (*(self.tables if later else ()), *unmade)


@dataclass(frozen=True)
class BuiltFrom:
    """Returns the files that items are built from; of a folder with counts, those that are read.

    Args:
        keys: Keys of [build] that may name a file, or several.
        begins: The key a study sets to have its items built.
        counted: The table it is where the study has extracted a corpus, empty for none.
        words: Values that are not files although files may take their place.
    """

    keys: tuple[str, ...]
    begins: str
    counted: str = ""
    words: tuple[str, ...] = ()

    def __call__(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the files that parameters name."""
        chosen = chosen_of(parameters, begins=self.begins, counted=self.counted)
        names: list[str] = []
        for key in self.keys:
            value = chosen.get(key)
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, str) and one not in self.words:
                    names += _read_of(one, f"{key}.parquet")
        return tuple(dict.fromkeys(names))


def chosen_of(parameters: Parameters, *, begins: str, counted: str) -> dict[str, Any]:
    """Return what is set; the counts are those of the study's corpus where none are."""
    empty: tuple[Any, ...] = (None, "", [])
    chosen = {name: value for name, value in parameters.items() if value not in empty}
    return chosen if not counted else {begins: counted, **chosen}


def _read_of(name: str, table: str) -> list[str]:
    place = Path(name)
    inside = [] if place.suffix else [place / one for one in (table, EXAMPLES_FILE)]
    return [name, str(place.parent / EXAMPLES_FILE), *map(str, inside)]
