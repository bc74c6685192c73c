"""Building in a study: from its own corpus or files, everything that the command writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.evaluation.in_study import GENERATED_FOLDER, SENTENCES_FILE, sentence_files
from plausibly.io import filling, make_folder
from plausibly.stimuli.iks import check_key
from plausibly.stimuli.in_study import (
    EXAMPLES_FILE,
    ITEMS_FILE,
    BuiltFrom,
    LeftToLater,
    builds,
    chosen_of,
    matches,
    vets,
)
from plausibly.study.made import may_be_source
from plausibly.study.manifest import read_manifest
from plausibly.study.results import put_document, put_table
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Places
from plausibly.tables import ITEMS
from plausibly.verbs.build import BUILDERS, build
from plausibly.verbs.build._items import ItemSet
from plausibly.verbs.build.protocol_checks import with_checks

CORPUS = "corpus"
FOLDER, DOCUMENT = "build", "build.json"
STEPS = ("build", "build_match", "build_checks")
"""Steps that write the items of a study."""
_AT_TIMES = ("matching.json", EXAMPLES_FILE, "lists.parquet")


@dataclass(frozen=True)
class _Building:
    """What a study must know about a builder; see `building`."""

    protocol: str
    begins: str
    counted: str
    further: tuple[str, ...]
    words: tuple[str, ...]
    written: str
    made_if: Mapping[str, str]
    spoken: bool

    def files(self) -> list[str]:
        """Return the arguments that may name a file, or several."""
        kinds = BUILDERS[self.protocol].declaration.kinds
        return [name for name, kind in kinds.items() if name != "return" and may_be_source(kind)]

    def chosen(self, parameters: Parameters) -> dict[str, Any]:
        """Return what is set; the counts are those of the study's corpus where none are."""
        return chosen_of(parameters, begins=self.begins, counted=self.counted)

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
    further: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    written: str = "",
    made_if: Mapping[str, str] | None = None,
    spoken: bool = False,
    **defaults: Any,
) -> InStudy:
    """Return what a study does with a builder.

    Args:
        protocol: Whose builder it is.
        begins: The key a study sets to have its items built.
        counted: The table it is where the study has extracted a corpus, empty for none.
        further: Tables that the server reads with the items.
        words: Values that are not files although files may take their place.
        written: The key that also takes the sentences that models of this study write.
        made_if: Further such tables that there are only if a key is set, with that key.
        spoken: Whether [form] language is the language of the items if [build] sets none.
        defaults: Keys whose default in a study differs from the builder's.
    """
    corpus = f"{CORPUS}/{counted}.parquet" if counted else ""
    at_times = dict(made_if or {})
    own = _Building(protocol, begins, corpus, further, words, written, at_times, spoken)
    served = tuple(f"{name}.parquet" for name in ("items", *further, *at_times))
    kept = (f"{FOLDER}/{name}" for name in (*served, "ledger.parquet", "funnel.json"))
    return InStudy(
        name="build",
        run=partial(_build, own),
        also=defaults,
        wanted=builds,
        begins=f"[build] {begins}" + (" or [extract] files" if counted else ""),
        inputs=(f"{GENERATED_FOLDER}/*/{SENTENCES_FILE}",) if written else (),
        outputs=(*served, *kept, DOCUMENT),
        naming=partial(BuiltFrom, begins=begins, counted=corpus, words=words),
        heeds=(*(["generate.model"] if written else []), *(["form.language"] if spoken else [])),
        leaves=LeftToLater(served, tuple(f"{a}:{b}" for a, b in at_times.items()), FOLDER),
    )


def _build(own: _Building, work: Work, places: Places) -> None:
    del places
    require_own_items(work, section="build", unset=own.begins)
    chosen = own.chosen(work.parameters)
    if own.written and sentence_files(work.settings):
        chosen[own.written] = [*chosen.get(own.written, []), *sentence_files(work.settings)]
    for name in own.files():
        if name in chosen:
            chosen[name] = own.placed(work, chosen[name])
    if own.spoken:
        chosen.setdefault("language", work.settings.get("form", {}).get("language") or None)
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
        then=lambda: None if key is None else key.write(key.place(work.folder)),
    )
    put_document(result.as_json(), work.path(DOCUMENT))
    if matches(work.settings) or vets(work.settings):
        return
    for name in (*own.further, *own.made_if):
        if name in result.tables:
            put_table(name, result.tables[name], work.path(f"{name}.parquet"))
        else:
            work.path(f"{name}.parquet").unlink(missing_ok=True)
    work.write(ITEMS_FILE, result.items, ITEMS)


def require_own_items(work: Work, *, section: str, unset: str) -> None:
    """Raise if items that were not built, paired or vetted here would be replaced."""
    steps: Mapping[str, Any] = read_manifest(work.folder)["steps"]
    own = any(work.has(f"{one}.json") or one in steps for one in STEPS)
    if work.has(ITEMS_FILE) and not own:
        raise StudyError(
            f"{work.path(ITEMS_FILE)}: these items were not built in this study, and [{section}] "
            f"would replace them. Move them away, or leave {unset} unset."
        )


def write_built(
    work: Work, place: str, result: ItemSet, *, then: Callable[[], None] = lambda: None
) -> None:
    """Write what the command writes into a folder of the study.

    Args:
        work: The study.
        place: Name of the folder.
        result: What was built.
        then: Called once the folder is complete, to write what goes elsewhere.
    """
    folder = work.path(place)
    make_folder(folder)
    with filling(folder) as inside:
        result.put(inside)
        written = {path.name for path in inside.iterdir()}
        then()
    for name in set(_AT_TIMES) - written:
        (folder / name).unlink(missing_ok=True)


def keep_served(work: Work, places: Places, items: pl.DataFrame) -> None:
    """Write the surveys of the build without items that are no longer asked about.

    Args:
        work: The study.
        places: Tables of the build that are served with the items.
        items: The items that are left.
    """
    for place in places.values():
        name = Path(place).stem
        table = pl.read_parquet(work.path(place))
        kinds = items.select("item", "kind")
        left = table.drop("kind").join(kinds, on="item", maintain_order="left")
        left = left.select(table.columns)
        asking = left.filter((pl.col("kind") == "item").any().over("survey"))
        put_table(name, asking, work.path(f"{name}.parquet"))
