"""What `build` returns: items, ledger, funnel, further tables and documents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from plausibly.backends.frequency import WordFreq
from plausibly.datasets.lexica.frequency import FrequencyList, listed, read_frequencies
from plausibly.errors import SHOWN, MissingExtra, StudyError, option
from plausibly.io import file_hash, sparing, write_frame
from plausibly.stimuli.balance.checks import check_notes
from plausibly.stimuli.balance.report import balance
from plausibly.stimuli.built import Built
from plausibly.stimuli.examples import examples_near, sentences_behind
from plausibly.stimuli.iks import check_key
from plausibly.stimuli.in_study import EXAMPLES_FILE as FILE
from plausibly.study.results import MANIFEST, Result, text_table
from plausibly.study.verb import Output


class BlindingKey:
    """Which system wrote which candidate; shown nowhere, written for its owner alone."""

    def __init__(
        self, frame: pl.DataFrame, path: Path | None = None, *, inputs: Sequence[Path] = ()
    ) -> None:
        self._frame = frame
        self.path = path
        self.inputs = inputs

    def __repr__(self) -> str:
        return "BlindingKey(kept aside)"

    def place(self, folder: Path) -> Path:
        """Return where the key goes: as asked, or next to the folder annotators get."""
        whole = folder.resolve()
        return self.path or whole.with_name(f"{whole.name}-key.parquet")

    def write(self, path: Path) -> None:
        """Write the key so that its owner alone can read it."""
        write_frame(self._frame, path)
        path.chmod(0o600)

    def require_own(self, path: Path) -> None:
        """Raise if another file, such as the key of other items, would be overwritten."""
        if not path.is_file():
            return
        with TemporaryDirectory(prefix="plausibly-key-") as scratch:
            write_frame(self._frame, Path(scratch) / path.name)
            same = file_hash(Path(scratch) / path.name) == file_hash(path)
        if not same:
            raise StudyError(
                f"{path}: is not the key of these items, and would be overwritten. Move it away, "
                f"or pass {option('force')}."
            )

    def frame(self) -> pl.DataFrame:
        """Return the key, to whoever asks for it by name."""
        return self._frame


@dataclass(frozen=True, eq=False, repr=False)
class ItemSet(Result):
    """Items of one protocol, and everything that shows how they came about.

    Further tables (`surveys`, `states`, ...) are attributes under their own names.

    Args:
        items: The items table, check items included.
        ledger: Every candidate that did not become an item: candidate, rule, reason.
        protocol: Whose items they are.
        built: What the builder returned.
        own: Keys of `--json` that only this protocol has.
        notes: Sentences for the person at the terminal.
        key: Of blinded candidates; in no table, no document.
    """

    items: pl.DataFrame
    ledger: pl.DataFrame
    protocol: str
    built: Built
    own: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    key: BlindingKey | None = None

    def __getattr__(self, name: str) -> pl.DataFrame:
        """Return a further table by its name."""
        built = self.__dict__.get("built")
        if built is None or name not in built.tables:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        table: pl.DataFrame = built.tables[name]
        return table

    @property
    def funnel(self) -> Any:
        """Rows left after each step."""
        return self.built.funnel

    @property
    def tables(self) -> dict[str, pl.DataFrame | pl.LazyFrame]:
        """Items, ledger, and what else the protocol has."""
        return {"items": self.items, "ledger": self.ledger, **self.built.tables}

    @property
    def documents(self) -> Mapping[str, object]:
        """The funnel, and what else the protocol has."""
        return {"funnel.json": self.built.funnel, **self.built.documents}

    def as_json(self) -> dict[str, Any]:
        """Return how many items and dropped candidates there are, the funnel, and more."""
        items = self.items.filter(pl.col("kind") == "item")["condition"].fill_null("none")
        return {
            "protocol": self.protocol,
            "items": dict(sorted(Counter(items).items())),
            "ledger": dict(sorted(Counter(self.ledger["rule"]).items())),
            "funnel": self.built.funnel,
            **self.own,
        }

    def text(self) -> str:
        """Return the funnel as a table."""
        funnel = self.built.funnel
        if isinstance(funnel, dict):
            rows = [(name, s["step"], s["rows"]) for name, steps in funnel.items() for s in steps]
            return text_table(("condition", "step", "rows"), rows)
        if any("of" in step for step in funnel):
            rows = [(step.get("of", ""), step["step"], step["rows"]) for step in funnel]
            return text_table(("of", "step", "rows"), rows)
        return text_table(("step", "rows"), [(step["step"], step["rows"]) for step in funnel])

    @property
    def talk(self) -> tuple[str, ...]:
        """What a person should know, and how many items there are."""
        counted = f"{self.items.height} items, {self.ledger.height} candidates in the ledger."
        report = self.built.documents.get("balance.json", {})
        return (*self.notes, *check_notes(report), counted)

    def put(self, folder: Path) -> None:
        """Write tables and documents into a folder."""
        self.built.write(folder)

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write tables, documents and manifest into a new folder, a blinding key next to it.

        Args:
            folder: A new folder, or one that holds the same build.
            force: Write into a folder that holds something else, too; never over what was read.
        """
        target = Path(folder)
        if not force:
            require_new(target, self.manifest)
        if self.key is None:
            return super().write(target, force=force)
        place = self.key.place(target)
        check_key(place, target, inputs=self.key.inputs)
        if not force:
            self.key.require_own(place)
        with sparing(self.key.inputs):
            self.key.write(place)
            return super().write(target, force=force)

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return where the key is, which annotators must not see."""
        return (
            () if self.key is None else (f"keep the key from annotators: {self.key.place(folder)}",)
        )


COUNTED = "counts"


def read_from(table: str) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return what finds the files a builder reads: a table of a folder, the sentences next to it.

    Args:
        table: The argument that names the table, or the folder `extract` wrote.
    """

    def sources(arguments: Mapping[str, Any]) -> dict[str, Any]:
        source = arguments[table]
        examples = arguments["examples"] or examples_near(source)
        read = {table: file_in(source, f"{table}.parquet"), "examples": examples}
        more = {} if table == COUNTED else {COUNTED: counts_near(source)}
        return {**read, **{name: file for name, file in more.items() if file is not None}}

    return sources


def counts_near(source: object) -> Path | None:
    """Return the counts of pairs in the folder of triples, if there are any."""
    if not isinstance(source, str | Path):
        return None
    folder = Path(source) if Path(source).is_dir() else Path(source).parent
    file = folder / f"{COUNTED}.parquet"
    return file if file.is_file() else None


def file_in(source: object, name: str) -> object:
    """Return the file of a folder that is meant where a folder is given."""
    folder = isinstance(source, str | Path) and Path(source).is_dir()
    return Path(str(source)) / name if folder else source


def require_at_least(least: Mapping[str, float], asked: Mapping[str, Any]) -> None:
    """Raise at the first number that is smaller than makes sense; one not set passes.

    >>> require_at_least({"swaps": 0}, {"swaps": -1})
    Traceback (most recent call last):
    plausibly.errors.StudyError: swaps= must be 0 or more; got -1.
    """
    for name, value in least.items():
        if asked[name] is not None and asked[name] < value:
            what = f"{option(name)} must be {value:g} or more; got {asked[name]:g}."
            raise StudyError(what, parameter=name)


def guess_notes(words: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return which words, by kind, have a form that no rule or list covers, to be read again."""
    return tuple(
        f"{len(some)} {kind if len(some) > 1 else kind[:-1]} not in our lists, so the form is a "
        f"guess: {', '.join(some[:SHOWN])}. Read these items."
        for kind, some in words.items()
        if some
    )


def require_free(folder: Path) -> None:
    """Raise before any work where a build could not be written in the end."""
    if not folder.parent.is_dir():
        raise StudyError(f"{folder.parent}: no such folder to put {folder.name} into. Create it.")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise StudyError(f"{folder}: not empty. Name a new folder, or remove this one.")


NEW_FOLDER = Output(help="New folder to write.", required=True, ready=require_free)


def require_new(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Raise unless a folder is new, empty, or holds what the same call wrote."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    try:
        before = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        before = {}
    same = ("verb", "inputs", "parameters", "seed")
    if any(before.get(name) != manifest[name] for name in same):
        raise StudyError(
            f"{folder}: not empty, and holds something other than these items. "
            "Name a new folder, or remove this one."
        )


def with_balance(
    built: Built,
    *,
    frequency: FrequencyList | None,
    lang: str | None,
    seed: int = 0,
    compared: pl.DataFrame | None = None,
    **said: Any,
) -> Built:
    """Return what was built with its balance report.

    Args:
        built: The items.
        frequency: How frequent words are; None if no list is available.
        lang: Of the words; None if it is not known.
        seed: Of the probe.
        compared: The items to compare, all without.
        said: Further entries of the report.
    """
    items = built.items if compared is None else compared
    report = balance(items, frequency=frequency, lang=lang, seed=seed).as_json()
    documents = {**built.documents, "balance.json": {**report, **said}}
    return Built(built.items, built.ledger, built.funnel, built.tables, documents)


def frequencies(path: str | Path | None, lang: str) -> FrequencyList:
    """Return the user's frequency list, or wordfreq's."""
    return read_frequencies(Path(path)) if path is not None else listed(WordFreq(lang))


def frequencies_if_any(path: str | Path | None, lang: str | None) -> FrequencyList | None:
    """Return the frequency list there is; None if none is given and wordfreq has none."""
    if path is None and lang is None:
        return None
    try:
        return frequencies(path, str(lang))
    except MissingExtra:
        return None


def with_sentences(
    built: Built, attested: pl.DataFrame, examples: str | Path | None
) -> tuple[Built, tuple[str, ...]]:
    """Return what was built with the sentences behind its items, and how many items have one.

    Args:
        built: The items.
        attested: item, relation, head, dependent and, for triples, object.
        examples: Sentences kept by `extract`; None changes nothing.
    """
    if examples is None:
        return built, ()
    found = sentences_behind(attested, Path(examples))
    have = found["item"].n_unique()
    note = f"sentences: {have} of {attested.height} attested items have one or more ({FILE})."
    return replace(built, tables={**built.tables, "examples": found}), (note,)


def in_dictionary(lang: str, judge: Callable[[str], bool]) -> Callable[[str], bool] | None:
    """Return a judge of English words, if its dictionary is installed."""
    if lang != "en":
        return None
    try:
        judge("old")
    except MissingExtra:
        return None
    return judge
