"""A verb is one declaration: command, section, step, manifest and reference follow from it.

`@verb` goes on the function. Its signature and docstring say what can be chosen; the decorator says
only what they cannot: which tables of a study it reads and writes, and when a study has it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field
from functools import cached_property, partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast, get_type_hints

from plausibly.errors import StudyError, UnknownName, about
from plausibly.io import sparing
from plausibly.registry import resolved
from plausibly.study.calling import check_call, python_call
from plausibly.study.helping import help_text
from plausibly.study.hooks import Named
from plausibly.study.made import SECRETS, SEED, Made, made_from, may_be_source, while_making
from plausibly.study.naming import with_study
from plausibly.study.parameters import Parameter, argument_docs, check_value, parameters_of
from plausibly.study.results import put_document, put_table
from plausibly.study.settings import READING
from plausibly.study.steps import Parameters, Step, Work, inside

P = ParamSpec("P")
R = TypeVar("R")
Result_co = TypeVar("Result_co", covariant=True)

OF_A_CALL = ("announce", "force", "output", "say", "watch")
"""Arguments of one call, which a study has no use for; others that change no result it may set."""
RATINGS = "ratings"

Sections = Mapping[str, Parameters]
Places = Mapping[str, str]


@dataclass(frozen=True)
class Output:
    """What `-o` of the command writes.

    Args:
        table: The table that goes to a file, or the names of which the result has one; empty
            where the whole result goes to a folder.
        help: The option's sentence.
        required: Whether the command needs it.
        unless: An option with which nothing is written, and `-o` is not needed.
        otherwise: The argument that names the place where `-o` does not.
        ready: Raises before any work where nothing could be written in the end.
    """

    table: str | tuple[str, ...] = ""
    help: str = ""
    required: bool = False
    unless: str = ""
    otherwise: str = ""
    ready: Callable[[Path], object] | None = None


@dataclass(frozen=True)
class InStudy:
    """What a study does with a verb where that does not follow from its signature.

    Args:
        name: The section and the step, where that is not the verb's name.
        run: Does the work instead of a plain call; gets the places of what the step reads.
        keys: The arguments a study sets, where those are not all; may have other defaults.
        also: Further arguments a study sets, and those with another default in a study.
        wanted: Whether a study has the step, from all sections and the step's own defaults.
        begins: What study.toml must set for that, in words.
        inputs: Further files the step reads.
        outputs: Files the step writes instead of those declared; may follow from what it reads.
        external: From the parameters to further files the step reads; a hook, as `wanted` is.
        naming: Makes that hook from the keys that may name a file.
        heeds: What else it reads of study.toml.
        named: Entries of other sections that name a file it reads, as `people.pilot`.
        leaves: Outputs that another step writes instead, from all sections.
        waits: From the parameters to whom the step would wait for.
        supplies: Returns arguments that follow from the study; they replace what its section sets.
        explained: What keys mean that are not arguments, or mean something else in a study.
    """

    name: str = ""
    run: Callable[[Work, Places], str | None] | None = None
    keys: Mapping[str, Any] | None = None
    also: Mapping[str, Any] = field(default_factory=dict)
    wanted: Callable[[Sections, Parameters], bool] | None = None
    begins: str = ""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] | Callable[[Places], tuple[str, ...]] | None = None
    external: Callable[[Parameters], tuple[str, ...]] | None = None
    naming: Callable[[tuple[str, ...]], Callable[[Parameters], tuple[str, ...]]] = Named
    heeds: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    leaves: Callable[[Sections], tuple[str, ...]] | None = None
    waits: Callable[[Parameters], str | None] | None = None
    supplies: Callable[[Work], Parameters] | None = None
    explained: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Declaration:
    """All there is to know about a verb.

    Args:
        function: The function as written.
        words: The words of the command.
        reads: From an argument that takes a table to the table of the study it gets.
        writes: From a table of the result to where a study keeps it.
        documents: Names of the result's documents that a study keeps.
        folder: Where a study keeps those documents.
        options: What `**options` takes: everything, or what goes with the arguments chosen.
        fitting: From the parameters of a study to those that mean something together.
        elsewhere: Parameters that other steps read too, left out in the same way although set.
        unset: Arguments a study does not set.
        names: From an argument to `module:REGISTRY` of its names, and the sign of other values.
        texts: Arguments that are a name or a file.
        targets: Arguments that name a file to write, not an input.
        output: What `-o` writes.
        strict: Whether `--strict` turns the problems of a result into an error.
        places: Arguments that name a file to write; like `output`, they change no result.
        sources: From the arguments to what is read instead of what they name: the table of a
            folder, say. A function is called when the manifest is asked for.
        in_bytes: Whether progress is counted in bytes.
        study: What a study does differently.
    """

    function: Callable[..., Any]
    words: str
    reads: Mapping[str, str] = field(default_factory=dict)
    writes: Mapping[str, str] = field(default_factory=dict)
    documents: tuple[str, ...] = ()
    folder: str = ""
    options: Callable[[Parameters], Mapping[str, Parameter]] | None = None
    fitting: Callable[[Parameters], Collection[str]] | None = None
    elsewhere: tuple[str, ...] = ()
    unset: tuple[str, ...] = ()
    names: Mapping[str, str | tuple[str, str]] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    output: Output | None = None
    strict: bool = False
    places: tuple[str, ...] = ()
    sources: Callable[[Parameters], Mapping[str, Any]] | None = None
    in_bytes: bool = False
    study: InStudy = field(default_factory=InStudy)

    @property
    def name(self) -> str:
        """The name of the function: the words of the command, joined."""
        return self.words.replace(" ", "_").replace("-", "_")

    @property
    def section(self) -> str:
        """The section of study.toml and the step of a study."""
        return self.study.name or self.name

    @cached_property
    def signature(self) -> inspect.Signature:
        """The signature of the function."""
        return inspect.signature(self.function)

    @cached_property
    def kinds(self) -> dict[str, Any]:
        """From an argument to its annotation, those of `**options` included."""
        more = {name: one.kind for name, one in self._more({}).items()}
        return {**get_type_hints(self.function), **more, **dict.fromkeys(self.targets, str)}

    def _more(self, chosen: Parameters) -> Mapping[str, Parameter]:
        return self.options(chosen) if self.options else {}

    def arguments(self, *positions: Any, **keywords: Any) -> dict[str, Any]:
        """Return every argument of a call by name, defaults and those of methods included."""
        bound = self.signature.bind(*positions, **keywords)
        bound.apply_defaults()
        flat: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            if self.signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                given = {key: one for key, one in value.items() if one is not None}
                known = self._more(flat)
                flat |= {key: one.default for key, one in known.items() if not one.required}
                flat |= given
            else:
                flat[name] = value
        return flat

    def made(self, *positions: Any, **keywords: Any) -> Made:
        """Return how a call comes about, and run nothing."""
        arguments = self.arguments(*positions, **keywords)
        sources = self.sources(arguments) if self.sources else {}
        kept = {name: one for name, one in arguments.items() if name not in self.places}
        return made_from(self.words, kept, self.kinds, sources=sources)

    def keys(self) -> dict[str, Any]:
        """Return every key a study's section may set, with its default (None: not set)."""
        if self.study.keys is not None:
            return dict(self.study.keys)
        left_out = {*self.reads, *self.unset, *READING, *OF_A_CALL, *SECRETS, SEED}
        by_place = {
            name: None if one.default is one.empty else one.default
            for name, one in self.signature.parameters.items()
            if one.kind is one.POSITIONAL_OR_KEYWORD and name not in left_out
        }
        own = parameters_of(self.function, without=left_out)
        defaults = {n: None if p.default is MISSING else _stored(p.default) for n, p in own.items()}
        return {**by_place, **defaults, **dict.fromkeys(self._more({})), **self.study.also}

    def step(self, *, source: str = "", files: Places | None = None, **parameters: Any) -> Step:
        """Return the step of a study, with a protocol's defaults.

        Args:
            source: Where the defaults are published.
            files: From an argument to the file of the study it reads, where that is not the
                table's own (`ratings.parquet`).
            parameters: Defaults that differ from the verb's.
        """
        return self._step(parameters, source=source, files=files)

    def _step(self, parameters: Parameters, *, source: str, files: Places | None) -> Step:
        own, keys = self.study, self.keys()
        if unknown := next((name for name in parameters if name not in keys), None):
            raise TypeError(f"{self.name} has no parameter {unknown!r}")
        defaults = {**keys, **parameters}
        places = {**{a: f"{t}.parquet" for a, t in self.reads.items()}, **(files or {})}
        name = self.section
        kept = [*self.writes.values(), *map(self._placed, self.documents), f"{name}.json"]
        written: Any = kept if own.outputs is None else own.outputs
        missing = "missing" in self.kinds and name != RATINGS
        run: Any = self._run if own.run else partial(inside, self._run, self._paths(), self.texts)
        return Step(
            name,
            partial(run, places=places, defaults=defaults),
            inputs=(*places.values(), *own.inputs),
            outputs=tuple(written(places) if callable(written) else written),
            parameters=defaults,
            source=source,
            external=own.external or own.naming(tuple(self._paths())),
            waits=own.waits,
            wanted=own.wanted,
            heeds=(*own.heeds, *([f"{RATINGS}.missing"] if missing else [])),
            named=own.named,
            begins=own.begins,
            leaves=own.leaves,
            places=places,
            make=partial(self._step, files=files),
            explained={key: one for key, one in self._explained().items() if key in keys},
            usual={n: one.default for n, one in self._more({}).items() if not one.required},
        )

    def _explained(self) -> dict[str, str]:
        more = {name: one.doc for name, one in self._more({}).items() if one.doc}
        return {**argument_docs(self.function), **more, **self.study.explained}

    def _placed(self, document: str) -> str:
        return f"{self.folder}/{document}" if self.folder else document

    def _paths(self) -> list[str]:
        """Return the keys of the section that may name a file."""
        return [name for name in self.keys() if may_be_source(self.kinds.get(name))]

    def _chosen(self, parameters: Parameters, defaults: Parameters) -> dict[str, Any]:
        chosen = {name: value for name, value in parameters.items() if value is not None}
        if self.fitting is None:
            return chosen
        fitting = self.fitting(chosen)
        meant = {n for n, v in chosen.items() if v != defaults.get(n)} - set(self.elsewhere)
        return {n: v for n, v in chosen.items() if n in fitting or n in meant}

    def _run(self, work: Work, *, places: Places, defaults: Parameters) -> str | None:
        self._check_names(work.parameters)
        if self.study.run is not None:
            return self.study.run(work, places)
        result = self.call(**self.arguments_in(work, places, defaults))
        work.notes.extend(result.remarks)
        for table, name in self.writes.items():
            content = getattr(result, table)
            if content is None:  # one that is made only if asked for
                work.path(name).unlink(missing_ok=True)
                continue
            work.path(name).parent.mkdir(parents=True, exist_ok=True)
            put_table(table, content, work.path(name))
        for name in self.documents:
            work.path(self._placed(name)).parent.mkdir(parents=True, exist_ok=True)
            put_document(result.documents[name], work.path(self._placed(name)))
        put_document(result.as_json(), work.path(f"{self.section}.json"))
        result.require_use()
        return None

    def arguments_in(self, work: Work, places: Places, defaults: Parameters) -> dict[str, Any]:
        """Return the arguments a study passes: its tables, its section, what its form says."""
        tables = {a: work.path(name) for a, name in places.items() if work.has(name)}
        chosen = self._chosen(work.parameters, defaults)
        for name in self._paths():
            if isinstance(chosen.get(name), str) and work.has(chosen[name]):
                chosen[name] = work.path(str(chosen[name]))
        if SEED in self.signature.parameters and self._draws(chosen):
            chosen[SEED] = work.seed
        missing = work.settings.get(RATINGS, {}).get("missing")
        if "missing" in self.kinds and missing is not None:
            chosen["missing"] = missing
        supplied = self.study.supplies(work) if self.study.supplies else {}
        return {**tables, **chosen, **supplied}

    def _check_names(self, parameters: Parameters) -> None:
        """Raise at the first key that must be a known name and is not."""
        for key, names in self.names.items():
            place, unless = (names, "") if isinstance(names, str) else names
            value = parameters.get(key)
            if isinstance(value, str) and value and not (unless and unless in value):
                known = resolved(place)
                if value not in known:
                    raise UnknownName(getattr(known, "kind", key), value, known, parameter=key)

    def _draws(self, chosen: Parameters) -> bool:
        return self.fitting is None or SEED in self.fitting(chosen)

    def call(self, *positions: Any, **keywords: Any) -> Any:
        """Call the function; its result knows how it came about, and no input is overwritten."""
        positions, keywords = with_study(self, positions, keywords)
        made = self.made(*positions, **keywords)
        check_call(made.parameters, watch=keywords.get("watch"))
        with while_making(made), sparing(made.paths), self._naming_values():
            return self.function(*positions, **keywords)

    @contextmanager
    def _naming_values(self) -> Iterator[None]:
        """Make an error a wrong value where a method says that an argument `must` be otherwise."""
        try:
            yield
        except StudyError as error:
            name, _, rest = error.spelled(str).partition(" ")
            if not error.parameter and name in self.kinds and rest.startswith("must "):
                error.parameter = name
            raise

    def check(self, section: str, parameters: Parameters) -> None:
        """Raise at the first key of a section that is of another kind than the argument takes."""
        for name, value in parameters.items():
            if value is not None and name in self.kinds:
                with about(name):
                    check_value(f"[{section}] {name}", self.kinds[name], value)


class Verb(Protocol[P, Result_co]):
    """A function that was declared as a verb."""

    __name__: str
    __doc__: str | None
    declaration: Declaration
    step: Callable[..., Step]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result_co:
        """Do the work."""
        ...


def verb(words: str = "", **declared: Any) -> Callable[[Callable[P, R]], Verb[P, R]]:
    """Declare a function as a verb; see `Declaration` for what may be said.

    Args:
        words: The words of the command (default: the function's name).
        declared: Fields of the declaration.

    >>> @verb(reads={"ratings": "ratings"})
    ... def count(ratings: object, *, least: int = 1) -> int:
    ...     return least
    >>> count.declaration.made([1], least=2).parameters
    {'ratings': [1], 'least': 2}
    >>> count.step(least=3).parameters["least"]
    3
    """

    def decorate(function: Callable[P, R]) -> Verb[P, R]:
        name = getattr(function, "__name__", "")
        declaration = Declaration(function, words or name.replace("_", " "), **declared)

        @wraps(function)
        def call(*positions: P.args, **keywords: P.kwargs) -> R:
            return cast(R, python_call(declaration, *positions, **keywords))

        made = cast(Any, call)
        made.declaration, made.step = declaration, declaration.step
        if declaration.options is not None:
            made.__doc__ = help_text(function.__doc__ or "", declaration.options)
        return cast(Verb[P, R], made)

    return decorate


def declared(function: Callable[..., object]) -> Declaration:
    """Return the declaration of a verb whose type, such as that of overloads, does not show it."""
    return cast(Declaration, cast(Any, function).declaration)


def _stored(default: object) -> object:
    return list(default) if isinstance(default, tuple) else default
