"""Building in a study: from its own corpus or files, everything that the command writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError
from plausibly.evaluation.in_study import GENERATED_FOLDER, SENTENCES_FILE, sentence_files
from plausibly.io import filling, make_folder
from plausibly.stimuli.examples import FILE as EXAMPLES
from plausibly.stimuli.iks import check_key
from plausibly.study.made import may_be_source
from plausibly.study.manifest import read_manifest
from plausibly.study.results import put_document, put_table
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Places, Sections
from plausibly.tables import ITEMS
from plausibly.verbs.build import BUILDERS, build
from plausibly.verbs.build._items import ItemSet
from plausibly.verbs.build.protocol_checks import with_checks

CORPUS = "corpus"
FOLDER, DOCUMENT, ITEMS_FILE = "build", "build.json", "items.parquet"
BEGINS = ("svo", "counts", "stories", "sources", "table")
"""Keys of [build], one of which a study sets to have its items built."""
_AT_TIMES = ("matching.json", EXAMPLES, "lists.parquet")


@dataclass(frozen=True)
class _Building:
    """What a study must know about a builder; see `building`."""

    protocol: str
    begins: str
    counted: str
    beside: tuple[str, ...]
    words: tuple[str, ...]
    written: str
    made_if: Mapping[str, str]

    def files(self) -> list[str]:
        """Return the arguments that may name a file, or several."""
        kinds = BUILDERS[self.protocol].declaration.kinds
        return [name for name, kind in kinds.items() if name != "return" and may_be_source(kind)]

    def chosen(self, parameters: Parameters) -> dict[str, Any]:
        """Return what is set; the counts are those of the study's corpus where none are."""
        empty: tuple[Any, ...] = (None, "", [])
        chosen = {name: value for name, value in parameters.items() if value not in empty}
        return chosen if not self.counted else {self.begins: self.counted, **chosen}

    def placed(self, work: Work, value: object) -> object:
        """Return a file where it is in the study; a whole path stays unchanged."""
        if isinstance(value, list):
            return [self.placed(work, one) for one in value]
        is_name = isinstance(value, str) and value not in self.words
        return work.path(str(value)) if is_name else value


def building(
    protocol: str,
    begins: str,
    *,
    counted: str = "",
    beside: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    written: str = "",
    made_if: Mapping[str, str] | None = None,
    **defaults: Any,
) -> InStudy:
    """Return what a study does with a builder.

    Args:
        protocol: Whose builder it is.
        begins: The key a study sets to have its items built.
        counted: The table it is where the study has extracted a corpus, empty for none.
        beside: Tables that the server reads with the items.
        words: Values that are not files although files may take their place.
        written: The key that also takes the sentences that models of this study write.
        made_if: Further such tables that there are only if a key is set, with that key.
        defaults: Keys whose default in a study differs from the builder's.
    """
    corpus = f"{CORPUS}/{counted}.parquet" if counted else ""
    at_times = dict(made_if or {})
    own = _Building(protocol, begins, corpus, beside, words, written, at_times)
    served = tuple(f"{name}.parquet" for name in ("items", *beside, *at_times))
    kept = (f"{FOLDER}/{name}" for name in (*served, "ledger.parquet", "funnel.json"))
    return InStudy(
        name="build",
        run=partial(_build, own),
        also=defaults,
        wanted=lambda sections, _: builds(sections),
        begins=f"[build] {begins}" + (" or [extract] files" if counted else ""),
        inputs=(f"{GENERATED_FOLDER}/*/{SENTENCES_FILE}",) if written else (),
        outputs=(*served, *kept, DOCUMENT),
        external=partial(_named, own),
        heeds=("generate.model",) if written else (),
        leaves=lambda sections: (*(served if matches(sections) else ()), *_unmade(own, sections)),
    )


def _unmade(own: _Building, sections: Sections) -> tuple[str, ...]:
    """Return the files of tables that are not made because their key is not set."""
    section = sections.get("build", {})
    names = [name for name, key in own.made_if.items() if not section.get(key)]
    return tuple(f"{place}{name}.parquet" for name in names for place in ("", f"{FOLDER}/"))


def builds(sections: Sections) -> bool:
    """Return whether a study builds its items."""
    own, corpus = sections.get("build", {}), sections.get("extract", {})
    return bool(any(own.get(name) for name in BEGINS) or corpus.get("files"))


def matches(sections: Sections) -> bool:
    """Return whether a study pairs its items, which are then written by that step."""
    return bool(sections.get("build_match", {}).get("match"))


def _named(own: _Building, parameters: Parameters) -> tuple[str, ...]:
    """Return the files that parameters name; of a folder with counts, those that are read."""
    chosen = own.chosen(parameters)
    names: list[str] = []
    for name in own.files():
        value = chosen.get(name)
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, str) or one in own.words:
                continue
            place = Path(one)
            tables = (f"{name}.parquet", EXAMPLES)
            inside = [] if place.suffix else [place / table for table in tables]
            names += [one, str(place.parent / EXAMPLES), *map(str, inside)]
    return tuple(dict.fromkeys(names))


def _build(own: _Building, work: Work, places: Places) -> None:
    del places
    require_own_items(work, section="build", unset=own.begins)
    chosen = own.chosen(work.parameters)
    if own.written and sentence_files(work.settings):
        chosen[own.written] = [*chosen.get(own.written, []), *sentence_files(work.settings)]
    for name in own.files():
        if name in chosen:
            chosen[name] = own.placed(work, chosen[name])
    takes_seed = "seed" in BUILDERS[own.protocol].declaration.signature.parameters
    seed = {"seed": work.seed} if takes_seed else {}
    result: ItemSet = build(own.protocol, watch=work.watch, **chosen, **seed)
    checks = {} if work.protocol is None else work.protocol.checks
    if checks:
        result = replace(result, items=with_checks(result.items, checks))
    _keep(own, work, result)
    work.notes.extend(result.talk)


def _keep(own: _Building, work: Work, result: ItemSet) -> None:
    """Write what the command writes into a folder, and what is served next to study.toml."""
    key = result.key
    if key is not None:
        check_key(key.place(work.folder), work.folder, inputs=key.inputs)
    write_built(
        work,
        FOLDER,
        result,
        beside=lambda: None if key is None else key.write(key.place(work.folder)),
    )
    put_document(result.as_json(), work.path(DOCUMENT))
    if matches(work.settings):
        return
    for name in (*own.beside, *own.made_if):
        if name in result.tables:
            put_table(name, result.tables[name], work.path(f"{name}.parquet"))
        else:
            work.path(f"{name}.parquet").unlink(missing_ok=True)
    work.write(ITEMS_FILE, result.items, ITEMS)


def require_own_items(work: Work, *, section: str, unset: str) -> None:
    """Raise where items that were not built or paired here would be replaced."""
    steps: Mapping[str, Any] = read_manifest(work.folder)["steps"]
    own = any(work.has(f"{one}.json") or one in steps for one in ("build", "build_match"))
    if work.has(ITEMS_FILE) and not own:
        raise StudyError(
            f"{work.path(ITEMS_FILE)}: these items were not built in this study, and [{section}] "
            f"would replace them. Move them away, or leave {unset} unset."
        )


def write_built(
    work: Work, place: str, result: ItemSet, *, beside: Callable[[], None] = lambda: None
) -> None:
    """Write what the command writes into a folder of the study.

    Args:
        work: The study.
        place: Name of the folder.
        result: What was built.
        beside: Writes what goes elsewhere, once the folder is complete.
    """
    folder = work.path(place)
    make_folder(folder)
    with filling(folder) as inside:
        result.put(inside)
        written = {path.name for path in inside.iterdir()}
        beside()
    for name in set(_AT_TIMES) - written:
        (folder / name).unlink(missing_ok=True)
