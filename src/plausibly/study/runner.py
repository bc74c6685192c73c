"""Runs the steps of a study that are not done; done means done until content changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from plausibly.errors import PlausiblyError, StudyError
from plausibly.io import sparing
from plausibly.io.choices import reporting_guesses
from plausibly.ports import SILENCE, Watch
from plausibly.registry import noting_outside
from plausibly.study import manifest
from plausibly.study.protocol import Protocol
from plausibly.study.settings import Settings, read_settings
from plausibly.study.steps import Step, Work


@dataclass(frozen=True, slots=True)
class StepState:
    """What became of a step: done before, run now, waiting for people, or still to do."""

    step: str
    state: str
    reason: str = ""
    notes: tuple[str, ...] = ()


def status(protocol: Protocol, folder: Path) -> list[StepState]:
    """Return for every step whether it is done, and if not, why not."""
    settings = read_settings(folder, protocol)
    entries = manifest.read_manifest(folder)["steps"]
    outcomes: list[StepState] = []
    for step in protocol.steps:
        reason = _stale(step, folder, settings, entries.get(step.name))
        earlier = next((o for o in outcomes if o.state == "to do"), None)
        if not reason and earlier is not None:
            reason = f"{earlier.step} comes first"
        outcomes.append(StepState(step.name, "to do" if reason else "done", reason))
    return outcomes


def run(
    protocol: Protocol,
    folder: Path,
    *,
    first: str | None = None,
    last: str | None = None,
    announce: Callable[[str], None] | None = None,
    watch: Watch = SILENCE,
) -> list[StepState]:
    """Run every step that is not done, in order, and return what became of each.

    Args:
        protocol: What the study follows.
        folder: The study folder.
        first: Step to start at, even if it is done; the steps before it must be done.
        last: Step to stop after.
        announce: Called with the name of each step before it runs.
        watch: Receives the progress of a long step.
    """
    settings = read_settings(folder, protocol)
    outcomes: list[StepState] = []
    known = _erasures(folder, settings)
    for step, forced in _chosen(protocol, folder, first, last):
        entry = manifest.read_manifest(folder)["steps"].get(step.name)
        if not forced and not _stale(step, folder, settings, entry):
            outcomes.append(StepState(step.name, "done"))
            continue
        if announce is not None:
            announce(step.name)
        try:
            waiting, notes = _execute(step, folder, settings, protocol, watch)
        finally:
            if _erasures(folder, settings) != known:
                _take_back(protocol, folder, step, outcomes)
        state = "waiting" if waiting else "run"
        outcomes.append(StepState(step.name, state, waiting or "", tuple(notes)))
        if waiting:
            break
    return outcomes


def _erasures(folder: Path, settings: Settings) -> dict[Path, bytes]:
    """Return the lists of erased people next to the study's answers.

    An erasure writes its list first and removes files after that. So either a step sees the list
    when it ends, or the erasure sees what the step wrote.
    """
    source = folder / str(settings.sections.get("ratings", {}).get("source", ""))
    places = {folder, source.parent}
    return {one: one.read_bytes() for place in places for one in place.glob("*.erased.json")}


def _take_back(protocol: Protocol, folder: Path, ended: Step, outcomes: list[StepState]) -> None:
    """Remove what this run wrote, because somebody was erased whom it may have read, and raise."""
    done = {ended.name, *(one.step for one in outcomes if one.state == "run")}
    for name in {name for step in protocol.steps if step.name in done for name in step.outputs}:
        (folder / name).unlink(missing_ok=True)
    raise StudyError(
        f"{folder}: somebody was erased while step {ended.name!r} ran, so what this run wrote is "
        "removed. Run the study again."
    )


def explain(
    protocol: Protocol, folder: Path, *, first: str | None = None, last: str | None = None
) -> list[StepState]:
    """Return what `run` would do with each step and why, and run nothing.

    A step is to `run`, to `wait` for people, `done`, or `depends`: it runs if a step before it
    writes other content than now.

    Args:
        protocol: What the study follows.
        folder: The study folder.
        first: Step to start at, even if it is done.
        last: Step to stop after.
    """
    settings = read_settings(folder, protocol)
    entries = manifest.read_manifest(folder)["steps"]
    writers: dict[str, str] = {}
    outcomes: list[StepState] = []
    for step, forced in _chosen(protocol, folder, first, last):
        parameters = settings.sections.get(step.name, {})
        stale = _stale(step, folder, settings, entries.get(step.name))
        reason = "asked for" if forced else stale
        people = step.waits(parameters) if step.waits else None
        if reason and people:
            outcomes.append(StepState(step.name, "wait", f"{people}; what follows comes after"))
            break
        moving = [name for name in step.reads(settings.sections) if name in writers]
        state = "run" if reason else "depends" if moving else "done"
        if state == "depends":
            reason = f"runs if {writers[moving[0]]} changes {moving[0]}"
        if state != "done":
            writers |= dict.fromkeys(step.outputs, step.name)
        outcomes.append(StepState(step.name, state, reason))
    return outcomes


def _chosen(
    protocol: Protocol, folder: Path, first: str | None, last: str | None
) -> Iterator[tuple[Step, bool]]:
    """Yield the steps from `first` to `last`, and whether each must run although it is done."""
    names = [step.name for step in protocol.steps]
    begin = names.index(protocol.step(first).name) if first else 0
    end = names.index(protocol.step(last).name) if last else len(names) - 1
    if begin > end:
        raise StudyError(f"step {first!r} comes after {last!r}. Exchange the two.")
    undone = next((o for o in status(protocol, folder)[:begin] if o.state != "done"), None)
    if undone is not None:
        raise StudyError(f"step {undone.step!r} is not done ({undone.reason}). Run it first.")
    for place, step in enumerate(protocol.steps[begin : end + 1], start=begin):
        yield step, first is not None and place == begin


def _execute(
    step: Step, folder: Path, settings: Settings, protocol: Protocol, watch: Watch
) -> tuple[str | None, list[str]]:
    """Run a step; return whom it waits for, if for anybody, and what a person should know."""
    parameters = settings.sections.get(step.name, {})
    inputs = step.reads(settings.sections)
    before = manifest.hashes(folder, inputs)
    started = monotonic()
    work = Work(
        folder,
        parameters,
        settings.sections,
        settings.seed,
        settings.name,
        watch,
        protocol=protocol,
    )
    read = [folder / name for name in before if name not in step.outputs]
    ended = False
    try:
        guesses: list[str] = []
        with sparing(read), reporting_guesses(guesses), noting_outside() as outside:
            waiting = step.run(work)
        work.notes[:0] = guesses
        work.notes.extend(f"{step.name} ran code from outside plausibly: {o}." for o in outside)
        ended = True
    except PlausiblyError as error:
        error.within(step.name, step.parameters)
        raise
    finally:
        if not ended:
            manifest.write_failure(folder, step.name, inputs=before, outputs=step.outputs)
    if waiting:
        return waiting, work.notes
    missing = [name for name in step.outputs if not (folder / name).is_file()]
    if missing:
        raise StudyError(f"step {step.name!r} ended without writing {missing[0]}.")
    entry = manifest.entry(
        folder,
        inputs=inputs,
        outputs=step.outputs,
        parameters=_heeded(step, settings),
        seed=settings.seed,
        seconds=monotonic() - started,
    )
    manifest.write_step(folder, step.name, {**entry, "inputs": before})
    return None, work.notes


def _heeded(step: Step, settings: Settings) -> dict[str, Any]:
    """Return what study.toml says to a step: its own section, then what else it heeds."""
    sections = {**settings.sections, "study": {"name": settings.name}}
    heeded = dict(settings.sections.get(step.name, {}))
    for place in step.heeds:
        section, _, name = place.partition(".")
        values = sections.get(section, {})
        heeded[place] = values.get(name) if name else dict(values)
    return heeded


def _stale(step: Step, folder: Path, settings: Settings, entry: dict[str, Any] | None) -> str:
    """Return why a step must run, empty if it is done; only content counts, never a date."""
    if entry is None:
        return "never run"
    if changed := _differing(entry["parameters"], _heeded(step, settings)):
        return f"its parameters changed ({changed})"
    if entry["seed"] != settings.seed:
        return f"the seed changed ({entry['seed']} to {settings.seed})"
    reads = step.reads(settings.sections)
    if changed := _differing(entry["inputs"], manifest.hashes(folder, reads)):
        return f"what it reads changed ({changed})"
    outputs = {name: record["sha256"] for name, record in entry["outputs"].items()}
    if changed := _differing(outputs, manifest.hashes(folder, step.outputs)):
        return f"what it wrote is missing or was changed ({changed})"
    return ""


def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return the names whose values differ, compared as JSON; empty if none does."""
    names = dict.fromkeys((*before, *now))
    absent = object()

    def text(values: Mapping[str, Any], name: str) -> object:
        return json.dumps(values[name], sort_keys=True) if name in values else absent

    return ", ".join(name for name in names if text(before, name) != text(now, name))
