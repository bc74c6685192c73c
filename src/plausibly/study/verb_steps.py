"""A step of a study that calls a verb: same function, same parameters, same document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from plausibly.study.parameters import parameters_of
from plausibly.study.results import Result, put_document, put_table
from plausibly.study.steps import Parameters, Step, Work

SEED = "seed"
READING = ("format", "columns")

Verb = Callable[..., Result]
More = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class VerbStep:
    """Makes steps that call one verb; a protocol gives them defaults and places.

    Args:
        verb: The function.
        reads: From an argument that takes a table to the table of the study it gets.
        writes: From a table of the result to where the study keeps it.
        folder: Where documents of the result are kept, "" for the study folder itself.
        paths: Parameters that may name a file of the study.
        without: Arguments that a study does not set.
        more: Further parameters the verb takes as `**options`, with defaults.
        documents: Names of the result's documents that the study keeps.
        fitting: From the parameters to the names of those that mean something beside each other;
            a default that means nothing, such as the share of a majority for a mean, is left out,
            and so is the study's seed where nothing is drawn.
        elsewhere: Parameters that other steps read too, left out in the same way although set.
    """

    verb: Verb
    reads: Mapping[str, str]
    writes: Mapping[str, str]
    folder: str = ""
    paths: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    more: More | None = None
    documents: tuple[str, ...] = ()
    fitting: Callable[[Parameters], Collection[str]] | None = None
    elsewhere: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The verb, which is also the step and its section in study.toml."""
        return self.verb.__name__

    def declared(self) -> dict[str, Any]:
        """Return every parameter study.toml may set, with its default (None: not set)."""
        left_out = {*self.reads, *self.without, *READING, SEED}
        own = parameters_of(self.verb, without=left_out)
        defaults = {
            name: None if one.default is MISSING else _stored(one.default)
            for name, one in own.items()
        }
        return {**self._positional(), **defaults, **(self.more() if self.more else {})}

    def _positional(self) -> dict[str, Any]:
        """Return what the verb also takes by place, tables aside: a preset, say."""
        return {
            name: None if one.default is one.empty else one.default
            for name, one in signature(self.verb).parameters.items()
            if one.kind is one.POSITIONAL_OR_KEYWORD and name not in self.reads
        }

    def __call__(
        self, *, source: str = "", files: Mapping[str, str] | None = None, **parameters: Any
    ) -> Step:
        """Return the step with a protocol's defaults.

        Args:
            source: Where the defaults are published.
            files: From an argument to the file of the study it reads, where that is not the
                table's own (`ratings.parquet`).
            parameters: Defaults that differ from the verb's.
        """
        places = {**{a: f"{t}.parquet" for a, t in self.reads.items()}, **(files or {})}
        declared = self.declared()
        unknown = next((name for name in parameters if name not in declared), None)
        if unknown is not None:
            raise TypeError(f"{self.name} has no parameter {unknown!r}")
        outputs = [*self.writes.values(), *map(self._placed, self.documents), f"{self.name}.json"]
        return Step(
            self.name,
            _Call(self, places, {**declared, **parameters}),
            inputs=tuple(places.values()),
            outputs=tuple(outputs),
            parameters={**declared, **parameters},
            source=source,
            external=self._named,
        )

    def _placed(self, document: str) -> str:
        return f"{self.folder}/{document}" if self.folder else document

    def _named(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the files of the study that parameters may name."""
        chosen = [parameters.get(name) for name in self.paths]
        return tuple(one for one in chosen if isinstance(one, str) and Path(one).suffix)


def _stored(default: object) -> object:
    return list(default) if isinstance(default, tuple) else default


@dataclass(frozen=True)
class _Call:
    """Calls the verb on the study's tables, and keeps what comes out."""

    step: VerbStep
    places: Mapping[str, str] = field(default_factory=dict)
    defaults: Parameters = field(default_factory=dict)

    def _chosen(self, parameters: Parameters) -> dict[str, Any]:
        chosen = {name: value for name, value in parameters.items() if value is not None}
        if self.step.fitting is None:
            return chosen
        fitting = self.step.fitting(chosen)
        meant = {n for n, v in chosen.items() if v != self.defaults.get(n)}
        meant -= set(self.step.elsewhere)
        return {n: v for n, v in chosen.items() if n in fitting or n in meant}

    def _drawn(self, chosen: Parameters) -> bool:
        """Return whether the study's seed means something beside these parameters."""
        fitting = self.step.fitting
        return SEED in parameters_of(self.step.verb) and (
            fitting is None or SEED in fitting(chosen)
        )

    def __call__(self, work: Work) -> None:
        step = self.step
        tables = {a: work.path(name) for a, name in self.places.items() if work.has(name)}
        chosen = self._chosen(work.parameters)
        for name in step.paths:
            if name in chosen and work.has(str(chosen[name])):
                chosen[name] = work.path(str(chosen[name]))
        seed = {SEED: work.seed} if self._drawn(chosen) else {}
        result = step.verb(**tables, **chosen, **seed)
        for table, name in step.writes.items():
            work.path(name).parent.mkdir(parents=True, exist_ok=True)
            put_table(table, getattr(result, table), work.path(name))
        for name in step.documents:
            place = work.path(step._placed(name))
            place.parent.mkdir(parents=True, exist_ok=True)
            put_document(result.documents[name], place)
        put_document(result.as_json(), work.path(f"{step.name}.json"))
