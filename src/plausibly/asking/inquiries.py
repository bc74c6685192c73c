"""From what somebody chose to what is asked: items, tasks, prompts, examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.asking import gita
from plausibly.asking.answers import Normalisation
from plausibly.asking.cases import Case, limited
from plausibly.asking.plan import Inquiry
from plausibly.asking.prompts import MAX_TOKENS, chosen_prompts
from plausibly.asking.subjects import NONE, AskedSet, Showing, published_variant, variants_of
from plausibly.datasets.gita import STATE
from plausibly.datasets.gita.wording import check_wording
from plausibly.errors import StudyError, UnknownName, option

PUBLISHED = "gita-2024"
NO_DATA = (
    "the folder with the published datasets is not known. "
    f"Pass {option('data')}, or set PLAUSIBLY_DATA."
)


@dataclass(frozen=True, slots=True)
class AskChoices:
    """What somebody chose, as the command writes it.

    Args:
        prompts: Names separated by commas, or all; None for the first.
        shots: Examples shown before an item, or coverage; None for the dataset's own number.
        shot_sets: Number of different sets of examples.
        implausible: How many of GITA's examples are implausible, several separated by commas.
        tasks: Names separated by commas; None for the dataset's own.
        limit: Number of items.
        gated: A later tier only where the earlier one is right.
        protocol: The published way, by name.
        normalisation: Which score of the options decides.
        seed: Seed for drawing items and examples.
        items: A file of somebody's own items, asked about in place of the published ones.
        max_tokens: How long a written answer may become at first.
        sent: Whether a model reads the words; recorded answers need none.
    """

    prompts: str | None = None
    shots: str | None = None
    shot_sets: int = 1
    implausible: str | None = None
    tasks: str | None = None
    limit: int | None = None
    gated: bool = False
    protocol: str | None = None
    normalisation: Normalisation = "none"
    seed: int = 1
    items: Path | None = None
    max_tokens: int = MAX_TOKENS
    sent: bool = True


def inquiry(
    subject: AskedSet, folder: Path | None, chosen: AskChoices, *, wording: Mapping[str, Any]
) -> Inquiry:
    """Return what is asked about a dataset.

    Args:
        subject: The dataset.
        folder: The data folder; None if nothing published is asked or shown.
        chosen: What somebody chose.
        wording: The words of the prompts, as in `prompts.toml` of the protocol.
    """
    if chosen.implausible is not None and not subject.implausible:
        raise StudyError(
            f"{option('implausible')} is only for GITA's story task. Leave it out for "
            f"{subject.name}."
        )
    tasks = _tasks(subject, chosen.tasks)
    gates = {task: gate for task, gate in subject.gates.items() if gate in tasks}
    if _published(subject, chosen):
        return _published_inquiry(subject, _place(folder), chosen, tasks, gates)
    shots = chosen.shots or (subject.shots if chosen.items is None else NONE)
    cases, known = _cases(subject, folder, chosen, shots)
    showing = Showing(shots, chosen.shot_sets, _numbers(chosen.implausible), chosen.seed)
    prompts = chosen_prompts(subject.prompts(wording), chosen.prompts)
    ways = variants_of(subject, folder or Path(), known, prompts, showing)
    few = limited(cases, chosen.limit, seed=chosen.seed, clustered=subject.clustered)
    gates = gates if chosen.gated else {}
    settings = (chosen.normalisation, chosen.max_tokens)
    return Inquiry(subject.name, few, tasks, ways, gates, *settings)


def _cases(
    subject: AskedSet, folder: Path | None, chosen: AskChoices, shots: str
) -> tuple[list[Case], list[Case]]:
    """Return what is asked about, and what examples are taken from.

    Examples for somebody's own items are published ones; stories say what is right of themselves
    and are examples for each other, as the published ones are.
    """
    if chosen.items is None or subject.own is None:
        cases = subject.read(_place(folder))
        return cases, cases
    if chosen.gated and not subject.gates:
        raise StudyError(f"{subject.name} has one tier, so nothing can be gated. Leave out gated.")
    cases = subject.own(chosen.items)
    if shots == NONE or subject.own_shots:
        return cases, cases
    if folder is None:
        raise StudyError(f"shots={shots} shows published examples. {NO_DATA}")
    return cases, subject.read(folder)


def _place(folder: Path | None) -> Path:
    if folder is None:
        raise StudyError(NO_DATA)
    return folder


def _published_inquiry(
    subject: AskedSet,
    folder: Path,
    chosen: AskChoices,
    tasks: list[str],
    gates: Mapping[str, str],
) -> Inquiry:
    """Return what is asked as GITA's authors asked it, of their stories or somebody's own."""
    if chosen.items is None:
        cases = gita.read_cases(folder, flagged=True)
    else:
        cases = gita.own_cases(chosen.items, flagged=True)
    if chosen.sent and STATE in tasks:
        check_wording(folder)
    kept = {case.item for case in limited(cases, chosen.limit, seed=chosen.seed)}
    few = [case for case in cases if case.item in kept]
    ways = [published_variant(folder, cases)]
    settings = (chosen.normalisation, chosen.max_tokens)
    return Inquiry(subject.name, few, tasks, ways, gates, *settings)


def _tasks(subject: AskedSet, names: str | None) -> list[str]:
    chosen = _named(names)
    for task in chosen:
        if task not in subject.questions:
            raise UnknownName("task", task, subject.questions)
    return [task for task in subject.questions if task in (chosen or subject.tasks)]


def _named(names: str | None) -> list[str]:
    return [part.strip() for part in (names or "").split(",") if part.strip()]


def fitting_tasks(subject: AskedSet, names: str | None, *, writes_only: bool) -> str | None:
    """Return the tasks to ask: those named, or what a model can do that only writes.

    Raises:
        StudyError: If a task is named that only log-probabilities answer.
    """
    if not writes_only or not subject.written:
        return names
    for task in _named(names):
        if task in subject.written:
            raise StudyError(
                f"{subject.name}: {task} is answered by log-probabilities, and this model only "
                f"writes. Pass {option('api')} completions with {option('logprobs')}, or "
                f"ask the task {subject.written[task]!r}."
            )
    return names or ",".join(subject.written.get(task, task) for task in subject.tasks)


def _published(subject: AskedSet, chosen: AskChoices) -> bool:
    if chosen.protocol is None:
        return False
    if chosen.protocol != PUBLISHED:
        raise UnknownName("protocol", chosen.protocol, [PUBLISHED])
    if not subject.published:
        raise StudyError(f"protocol {PUBLISHED} is a way of asking about gita, not {subject.name}.")
    drawn = (chosen.prompts, chosen.shots, chosen.implausible)
    if any(one is not None for one in drawn) or chosen.shot_sets != 1:
        raise StudyError(
            f"{PUBLISHED} has its own words and examples. Leave prompts, shots, shot_sets and "
            "implausible out."
        )
    return True


def _numbers(text: str | None) -> tuple[int, ...]:
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    if not all(part.isdecimal() and len(part) < 4 for part in parts):
        raise StudyError(
            f"{option('implausible')} must be whole numbers separated by commas; got {text!r}."
        )
    return tuple(dict.fromkeys(int(part) for part in parts))
