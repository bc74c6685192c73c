"""Building as a step of a study: the builder's own parameters, and all that the command writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field
from pathlib import Path
from typing import Any, get_args

from plausibly.errors import StudyError
from plausibly.evaluation.in_study import GENERATED_FOLDER, SENTENCES_FILE, sentence_files
from plausibly.io import filling, make_folder
from plausibly.stimuli.examples import FILE as EXAMPLES
from plausibly.stimuli.iks import check_key
from plausibly.study.manifest import read_manifest
from plausibly.study.parameters import Parameter, parameters_of
from plausibly.study.results import put_document, put_table
from plausibly.study.steps import Parameters, Step, Work
from plausibly.tables import ITEMS
from plausibly.verbs.build import BUILDERS, build
from plausibly.verbs.build._items import ItemSet

CORPUS = "corpus"
FOLDER = "build"
DOCUMENT, ITEMS_FILE = "build.json", "items.parquet"
NOT_SET = ("seed", "watch", "feasibility")
"""What [build] does not set: the study's seed is in [study], and a study builds items."""
_AT_TIMES = ("matching.json", EXAMPLES)


@dataclass(frozen=True)
class BuildStep:
    """Makes the step that builds the items of one protocol.

    Args:
        protocol: Whose builder is called.
        begins: The parameter a study must set for its items to be built.
        counted: The file it is where the study has extracted a corpus, empty for none.
        beside: Tables that the server reads beside the items.
        words: Values that are no files although files may stand in their place.
        defaults: Parameters whose default in a study is another than the builder's.
        written: The parameter that also takes the sentences models of this study write.
    """

    protocol: str
    begins: str
    counted: str = ""
    beside: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    written: str = ""

    def __call__(self, *, source: str = "") -> Step:
        """Return the step.

        Args:
            source: Where the defaults are published.
        """
        written = [f"{name}.parquet" for name in ("items", *self.beside)]
        kept = [f"{FOLDER}/{name}" for name in (*written, "ledger.parquet", "funnel.json")]
        return Step(
            "build",
            self._run,
            inputs=(f"{GENERATED_FOLDER}/*/{SENTENCES_FILE}",) if self.written else (),
            outputs=(*written, *kept, DOCUMENT),
            parameters=self.declared(),
            source=source,
            external=self._named,
            wanted=self.wanted,
            heeds=("generate.model",) if self.written else (),
            leaves=lambda sections: tuple(written) if matches(sections) else (),
            begins=f"[build] {self.begins}" + (" or [extract] files" if self.counted else ""),
        )

    @property
    def known(self) -> dict[str, Parameter]:
        """The parameters of the builder that a study may set."""
        return parameters_of(BUILDERS[self.protocol], without=NOT_SET)

    def declared(self) -> dict[str, Any]:
        """Return what `[build]` may set, with defaults (None: not set)."""
        return {
            name: None if one.default is MISSING else _stored(one.default)
            for name, one in self.known.items()
        } | dict(self.defaults)

    def wanted(self, sections: Mapping[str, Parameters]) -> bool:
        """Return whether a study builds its items."""
        counted = self.counted and sections["extract"]["files"]
        return bool(sections["build"][self.begins] or counted)

    def _named(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the files that parameters name; of a folder with counts, those that are read."""
        chosen = self._chosen(parameters)
        names: list[str] = []
        for name in (name for name, one in self.known.items() if is_file(one.kind)):
            value = chosen.get(name)
            for one in value if isinstance(value, list) else [value]:
                if not isinstance(one, str) or one in self.words:
                    continue
                place = Path(one)
                tables = (f"{name}.parquet", EXAMPLES)
                inside = [] if place.suffix else [place / table for table in tables]
                names += [one, str(place.parent / EXAMPLES), *map(str, inside)]
        return tuple(dict.fromkeys(names))

    def _chosen(self, parameters: Parameters) -> dict[str, Any]:
        empty: tuple[Any, ...] = (None, "", [])
        chosen = {name: value for name, value in parameters.items() if value not in empty}
        return chosen if not self.counted else {self.begins: self.counted, **chosen}

    def _run(self, work: Work) -> None:
        require_own_items(work, section="build", unset=self.begins)
        chosen = self._chosen(work.parameters)
        if self.written and sentence_files(work.settings):
            own = chosen.get(self.written, [])
            chosen[self.written] = [*own, *sentence_files(work.settings)]
        for name, one in self.known.items():
            if name in chosen and is_file(one.kind):
                chosen[name] = self._placed(work, chosen[name])
        seed = {"seed": work.seed} if "seed" in parameters_of(BUILDERS[self.protocol]) else {}
        result = build(self.protocol, watch=work.watch, **chosen, **seed)
        if not isinstance(result, ItemSet):
            raise StudyError("[build]: a study builds items. Ask for feasibility by the command.")
        self._keep(work, result)
        work.notes.extend(result.talk)

    def _placed(self, work: Work, value: object) -> object:
        """Return a file where it lies in the study; a whole path stays as it is."""
        if isinstance(value, list):
            return [self._placed(work, one) for one in value]
        is_name = isinstance(value, str) and value not in self.words
        return work.path(str(value)) if is_name else value

    def _keep(self, work: Work, result: ItemSet) -> None:
        """Write all that the command writes into a folder, and what is served beside study.toml."""
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
        for name in self.beside:
            put_table(name, result.tables[name], work.path(f"{name}.parquet"))
        work.write(ITEMS_FILE, result.items, ITEMS)


def matches(sections: Mapping[str, Parameters]) -> bool:
    """Return whether a study pairs its items, which are then written by that step."""
    return bool(sections.get("build_match", {}).get("match"))


def require_own_items(work: Work, *, section: str, unset: str) -> None:
    """Raise where items that were not built or paired here would be replaced."""
    steps = read_manifest(work.folder)["steps"]
    own = any(work.has(f"{one}.json") or one in steps for one in ("build", "build_match"))
    if work.has(ITEMS_FILE) and not own:
        raise StudyError(
            f"{work.path(ITEMS_FILE)}: these items were not built in this study, and [{section}] "
            f"would replace them. Move them away, or leave {unset} unset."
        )


def write_built(
    work: Work, place: str, result: ItemSet, *, beside: Callable[[], None] = lambda: None
) -> None:
    """Write all that the command writes into a folder of the study.

    Args:
        work: The study.
        place: Name of the folder.
        result: What was built.
        beside: Writes what lies elsewhere, once the folder is whole.
    """
    folder = work.path(place)
    make_folder(folder)
    with filling(folder) as inside:
        result.built.write(inside)
        written = {path.name for path in inside.iterdir()}
        beside()
    for name in set(_AT_TIMES) - written:
        (folder / name).unlink(missing_ok=True)


STEPS = {
    "pap": BuildStep(
        "pap",
        begins="svo",
        counted=f"{CORPUS}/svo.parquet",
        words=("predicted",),
        defaults={"norms": "predicted"},
    ),
    "adept": BuildStep("adept", begins="counts", counted=f"{CORPUS}/counts.parquet"),
    "sp10k": BuildStep(
        "sp10k", begins="counts", counted=f"{CORPUS}/counts.parquet", beside=("surveys",)
    ),
    "gita": BuildStep("gita", begins="stories"),
    "iks": BuildStep("iks", begins="sources", written="candidates"),
    "custom": BuildStep("custom", begins="table"),
}


def _stored(default: object) -> object:
    return list(default) if isinstance(default, tuple) else default


def is_file(kind: object) -> bool:
    """Tell whether a parameter may name a file, or several."""
    inner: Callable[[object], bool] = is_file
    return kind is Path or any(map(inner, get_args(kind)))
