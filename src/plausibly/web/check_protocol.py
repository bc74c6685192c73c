"""A protocol checked by a whole study: started, rehearsed, cleaned, reported and released."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.cleaning.presets import preset_of
from plausibly.errors import PlausiblyError, StudyError, option
from plausibly.io import read_table, read_toml, write_table, write_text
from plausibly.ports import SILENCE, Watch
from plausibly.ratings.collection import collection_form
from plausibly.ratings.forms import Form
from plausibly.ratings.served import GROUP
from plausibly.registry import noting_outside
from plausibly.study.folder import Study, folder_named, is_folder, protocol_named
from plausibly.study.protocol import Protocol
from plausibly.study.protocol_folder import (
    CHECKS,
    COLLECTION,
    EXAMPLE,
    FORM,
    PROTOCOL,
    SOURCES,
    toml_files,
)
from plausibly.study.results import Result, text_table
from plausibly.study.settings import FILE
from plausibly.study.verb import verb
from plausibly.tables import EXCLUSIONS, ITEMS, RATINGS
from plausibly.verbs.build.protocol_checks import with_checks
from plausibly.verbs.clean import KEPT_RATINGS, LEDGER
from plausibly.verbs.init import init
from plausibly.web.study import read_study

STAGES = (
    *("files", "form", "items", "rehearse", "clean", "label", "agree"),
    *("describe", "analyse", "browse", "report", "release"),
)
COLUMNS = ("stage", "outcome", "file", "key", "message")
OK, FAILED, NOT_REACHED = "ok", "failed", "not reached"
MOST_ITEMS = 60
# The file that sets the keys of a section, and the one to look at where no key is named.
SECTIONS = {"ratings": COLLECTION, "server": COLLECTION, "form": FORM}
READ_BY = {"form": FORM, "items": FORM, "rehearse": COLLECTION}
THINGS, SURVEYS = "items.parquet", "surveys.parquet"

Work = Callable[[], Sequence[str]]


@dataclass(frozen=True, eq=False, repr=False)
class ProtocolReport(Result):
    """What became of each stage of a study with the protocol.

    Args:
        stages: One row per stage: outcome (ok, failed, not reached), and for a failure the file
            and the key to change and the message; for the others, their notes.
        protocol: The protocol that was checked.
        people: Number of simulated people.
    """

    stages: pl.DataFrame
    protocol: str
    people: int

    @property
    def ok(self) -> bool:
        """Whether every stage succeeded."""
        return not self.noted

    @property
    def noted(self) -> tuple[str, ...]:
        """The stage that failed, with file, key and message."""
        failures = self.stages.filter(pl.col("outcome") == FAILED)
        return tuple(
            f"{one['stage']}: {' '.join(filter(None, (one['file'], one['key'])))}: {one['message']}"
            for one in failures.iter_rows(named=True)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the stages, and whether all of them succeeded."""
        own = {"protocol": self.protocol, "people": self.people, "ok": self.ok}
        return {**own, "stages": self.stages.to_dicts()}

    def text(self) -> str:
        """Return the table of stages."""
        return text_table(COLUMNS, self.stages.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """Whether the protocol can be used."""
        if self.ok:
            return (f"{self.protocol}: every stage succeeded with {self.people} simulated people.",)
        return (f"{self.protocol}: {self.noted[0]}",)


@verb(strict=True)
def check_protocol(
    protocol: str, *, people: int = 30, seed: int = 1, watch: Watch = SILENCE
) -> ProtocolReport:
    """Check a protocol: run a whole study with it in a temporary folder, with simulated people.

    The items are those of the protocol's example; without an example, placeholders. The first
    failure ends the check and is shown with the file and the key to change. Like other checks, it
    exits with 0 unless --strict is given.

    Args:
        protocol: Name of the protocol, the path of a folder with its TOML files, or
            `package.module:NAME`; a path has a `/`.
        people: Number of simulated people.
        seed: Seed for everything drawn at random.
        watch: Receives the progress of the rehearsal.

    Examples:
        plausibly check protocol ./my-protocol
        plausibly check protocol ./my-protocol --strict --json

    >>> check_protocol("./no-such-folder").stages.row(0)[:3]
    ('files', 'failed', 'protocol.toml')
    """
    if people < 1:
        what = f"{option('people')} must be 1 or more; got {people}."
        raise StudyError(what, parameter="people")
    with noting_outside() as outside:
        source = folder_named(protocol)
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory(prefix="plausibly-check-") as scratch:
        named = protocol if source is None else f"{source}/"
        trial = _Trial(named, Path(scratch) / "study", people, seed, watch, tuple(outside))
        for name, work in trial.stages():
            try:
                notes = work()
            except PlausiblyError as error:
                rows.append((name, FAILED, *trial.located(error, name)))
                break
            rows.append((name, OK, "", "", " ".join(notes)))
    reached = {row[0] for row in rows}
    rows += [(name, NOT_REACHED, "", "", "") for name in STAGES if name not in reached]
    stages = pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String()), orient="row")
    return ProtocolReport(stages, protocol, people)


@dataclass(frozen=True)
class _Trial:
    """A study with the protocol, in a folder that is gone afterwards."""

    protocol: str
    folder: Path
    people: int
    seed: int
    watch: Watch
    outside: tuple[str, ...] = ()

    def stages(self) -> Iterator[tuple[str, Work]]:
        """Yield each stage and its work; a stage is asked for when those before it are done."""
        yield "files", self._files
        yield "form", self._form
        yield "items", self._items
        for step in Study(self.folder).active.steps:
            name = "rehearse" if step.name == "ratings" else step.name
            yield name, lambda step=step.name: self._step(step)  # type: ignore[misc]
        yield "release", self._release

    def _files(self) -> list[str]:
        """Read every file of the protocol and start a study."""
        declared = protocol_named(self.protocol)
        names = toml_files(Path(self.protocol)) if is_folder(self.protocol) else []
        for document in (declared.form, declared.checks, declared.prompts, declared.sample):
            len(document)  # a file is read on first use
        for document in declared.translations.values():
            len(document)
        for variant, rules in declared.rules.items():
            name = ".".join(filter(None, ("rules", variant, "toml")))
            with naming(name):
                preset_of(rules, name=declared.name)
        init(self.protocol, self.folder, example=declared.example is not None, seed=self.seed)
        settings = (self.folder / FILE).read_text(encoding="utf-8")
        for key, value in (("source", '"rehearse"'), ("people", self.people)):
            pattern = rf"(?ms)(^\[ratings\]$.*?)^{key} = [^\n]*$"
            settings = re.sub(pattern, rf"\g<1>{key} = {value}", settings, count=1)
        write_text(self.folder / FILE, settings)
        code = [f"Ran code from outside plausibly: {one}." for one in self.outside]
        return [*([f"{len(names)} files."] if names else []), *code]

    def _form(self) -> list[str]:
        """Read the form in every language."""
        study = Study(self.folder)
        languages = study.protocol.languages or ("",)
        for language in languages:
            self._spoken(study, language)
        return [f"Languages: {', '.join(languages)}."] if languages[0] else []

    def _spoken(self, study: Study, language: str) -> Form:
        section, where = study.settings.sections["form"], str(self.folder / FILE)
        return collection_form(study.protocol, section, where=where, language=language)

    def _items(self) -> list[str]:
        """Write placeholders unless the example has items, add the checks, and read them back."""
        study = Study(self.folder)
        place = self.folder / THINGS
        wanted = self._wanted(study)
        if place.is_file():
            whole = (self.folder / SURVEYS).is_file()
            items = read_table(place, ITEMS)
            items = items if whole else fewer(items, wanted)
        else:
            form = self._spoken(study, "")
            items = placeholders(study.protocol, form, min(MOST_ITEMS, wanted))
        if study.protocol.checks:
            items = with_checks(items, study.protocol.checks)
        write_table(items, place, ITEMS)
        read_study(self.folder)
        kinds = items.group_by("kind").len().sort("kind", descending=True)
        return [", ".join(f"{count} of kind {kind}" for kind, count in kinds.iter_rows()) + "."]

    def _wanted(self, study: Study) -> int:
        """Return how many items the people can rate as often as the study asks for."""
        ratings = study.settings.sections["ratings"]
        return self.people * int(ratings["batch"]) // max(1, int(ratings["target"]))

    def _step(self, name: str) -> list[str]:
        """Run one step; a step that waits for people counts as failed."""
        state = Study(self.folder).run(to=name, watch=self.watch)[-1]
        if state.state not in ("run", "done"):
            raise StudyError(f"{name} {state.state}: {state.reason}")
        return [*(self._kept() if name == "clean" else ()), *state.notes]

    def _kept(self) -> list[str]:
        """Return how much cleaning keeps; nothing at all counts as failed."""
        kept = read_table(self.folder / KEPT_RATINGS, RATINGS).height
        total = kept + read_table(self.folder / LEDGER, EXCLUSIONS).height
        if not kept:
            raise StudyError("clean: the rules set every rating aside. Loosen them.")
        return [f"{kept} of {total} ratings kept."]

    def _release(self) -> list[str]:
        written = Study(self.folder).release().write(self.folder.parent / "release")
        return [f"{sum(one.is_file() for one in written.rglob('*'))} files."]

    def located(self, error: PlausiblyError, stage: str) -> tuple[str, str, str]:
        """Return the file and the key that an error is about, and its message without our paths."""
        message = str(error)
        for place in (f"{self.folder}/protocol", str(self.folder), self.protocol.rstrip("/")):
            message = message.replace(f"{place}/", "").replace(f"{place}: ", "")
        named = [one for one in re.findall(r"[\w./]+\.toml", message) if one != FILE]
        file, key = self._set(error, message, stage)
        file = named[0] if named else file
        return file, key, message.removeprefix(f"{file}: ")

    def _set(self, error: PlausiblyError, message: str, stage: str) -> tuple[str, str]:
        """Return the key of the protocol's files that a message is about, with its file."""
        if quoted := re.search(r"(question|check|gold|attention) '([^']+)'", message):
            return FORM if quoted[1] == "question" else self._probes(), quoted[2]
        if table := re.search(r"\[(\w+)\] '?([\w.]+)", message):
            return SECTIONS.get(table[1], PROTOCOL), f"[{table[1]}] {table[2]}"
        if stage == "files":  # which of them can be read is not known
            return PROTOCOL, error.parameter
        words = [error.parameter, *re.findall(r"\w+", message)]
        own = [one for one in self._keys() if one[2] in words]
        own.sort(key=lambda one: (one[1] != stage, words.index(one[2])))
        if own:
            file, section, key = own[0]
            return file, f"[{section}] {key}"
        return READ_BY.get(stage, PROTOCOL), error.parameter

    def _keys(self) -> list[tuple[str, str, str]]:
        """Return every key that the files of the protocol set, with file and table."""
        tables: list[tuple[str, str, str]] = []
        for file in (PROTOCOL, COLLECTION):
            place = Path(self.protocol) / file
            if not is_folder(self.protocol) or not place.is_file():
                continue
            for section, keys in read_toml(place).items():
                if isinstance(keys, dict) and section != SOURCES:
                    tables += [(file, section, key) for key in keys]
        return tables

    def _probes(self) -> str:
        """Return the file that lists the checks."""
        return CHECKS if (Path(self.protocol) / CHECKS).is_file() else EXAMPLE


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Name the file in an error that is about what it says."""
    try:
        yield
    except PlausiblyError as error:
        raise StudyError(f"{file}: {error}", parameter=error.parameter) from error


def fewer(items: pl.DataFrame, wanted: int) -> pl.DataFrame:
    """Return at most so many items, as many of each condition, with all checks and candidates.

    Args:
        items: The items of an example.
        wanted: How many there may be.
    """
    candidate = pl.col("candidate").is_not_null() if "candidate" in items.columns else pl.lit(False)
    judged = (pl.col("kind") == "item") & ~candidate
    each = max(1, wanted // max(1, items.filter(judged)["condition"].n_unique()))
    place = judged.cum_sum().over("condition")
    kept = items.filter(~judged | (place <= each))
    if "candidate" not in items.columns:
        return kept
    return kept.filter(~candidate | pl.col("source").is_in(kept["item"].implode()))


def placeholders(protocol: Protocol, form: Form, wanted: int) -> pl.DataFrame:
    """Return items that stand for those of a study, with the columns that a form shows."""
    conditions = protocol.conditions or (None,)
    groups = max(2, wanted // len(conditions))
    later = [name for names in form.reveal.values() for name in names]
    sorts = list(form.guides) or ["placeholder"]
    rows: list[dict[str, str | None]] = []
    for group in range(groups):
        for place, condition in enumerate(conditions):
            name = f"item-{group + 1:02}-{place + 1}"
            text = f"Placeholder {group + 1}, version {place + 1}."
            more: dict[str, str | None] = {
                column: f"{column} {group + 1}" for column in (*form.show, *form.lines, *later)
            }
            if form.numbered:
                more[form.numbered] = json.dumps([text, "It ends here."])
            if form.guided_by:
                more[form.guided_by] = sorts[group % len(sorts)]
            if len(conditions) > 1:
                more[GROUP] = f"group-{group + 1:02}"
            own = {"item": name, "text": text, "condition": condition, "kind": "item", **more}
            rows.append(own)
            for candidate in ("a", "b", "c") if form.compares else ():
                one = {"item": f"{name}#{candidate}", "source": name, "candidate": candidate}
                rows.append({**own, **one, "text": f"Candidate {candidate}."})
    columns = dict.fromkeys(name for row in rows for name in row)
    return ITEMS.check(pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String())))


__all__ = ["ProtocolReport", "check_protocol"]
