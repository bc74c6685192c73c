"""Everything that is asked of one model: items by tasks, prompts and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plausibly.asking.answers import (
    Normalisation,
    best_option,
    first_token_scores,
    option_scores,
    written_option,
)
from plausibly.asking.cases import Case
from plausibly.asking.prompts import MAX_TOKENS, Prompt, TaskWording, bare_query, query_for
from plausibly.asking.running import Asker
from plausibly.ports import Query, Reply

Shots = Callable[[str, Sequence[Case]], list[list[Case]]]
Sample = dict[str, Any]


@dataclass(frozen=True)
class Way:
    """One way of asking: a prompt with a set of examples.

    Args:
        prompt: The words.
        shot_set: Name of the set.
        shots: From a task and the cases asked to the examples of each.
        items: From a task to the names of the examples, where they are the same for all.
        chained: Whether examples are drawn from what the task before got right.
    """

    prompt: Prompt
    shot_set: str
    shots: Shots
    items: Mapping[str, Sequence[str]] = field(default_factory=dict)
    chained: bool = False

    @property
    def name(self) -> str:
        """Return prompt and examples in one word."""
        return f"{self.prompt.name}/{self.shot_set}"


@dataclass(frozen=True)
class Inquiry:
    """What to ask.

    Args:
        dataset: Name of the dataset.
        cases: The items.
        tasks: In the order they are asked.
        variants: The ways of asking.
        gates: From a task to the one whose right answer it needs; empty to ask everything.
        normalisation: Which score of the options decides.
        max_tokens: How long a written answer may become at first.
    """

    dataset: str
    cases: Sequence[Case]
    tasks: Sequence[str]
    variants: Sequence[Way]
    gates: Mapping[str, str] = field(default_factory=dict)
    normalisation: Normalisation = "none"
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True)
class _Asked:
    """A case under a variant, with the queries its answer comes from."""

    case: Case
    variant: Way
    shots: Sequence[Case]
    wording: TaskWording
    queries: Sequence[Query]
    bare: Sequence[Query]


def first_queries(plan: Inquiry, asker: Asker) -> list[Query]:
    """Return the most that could be asked: every task of every case, whatever comes before it."""
    asked = [one for task in plan.tasks for one in _asked(plan, asker, task, None)]
    return [query for one in asked for query in (*one.queries, *one.bare)]


def rendered(plan: Inquiry, *, converses: bool = False) -> Iterator[tuple[str, Way, Case, Query]]:
    """Yield every item as a text to continue, or as messages: task, way of asking, case, query."""
    for task in plan.tasks:
        for way in plan.variants:
            wording = way.prompt.tasks[task]
            cases = [case for case in plan.cases if task in case.truth]
            for case, shots in zip(cases, way.shots(task, cases), strict=True):
                shown = [shot.as_example(task) for shot in shots]
                query = query_for(wording, case.fields, shown, converses=converses)
                yield task, way, case, query


def carry_out(plan: Inquiry, asker: Asker) -> list[Sample]:
    """Return a sample for every answer, asking for those that are not known.

    Where examples are drawn from what the task before got right, a missing answer there would
    draw others: later tasks wait for it.
    """
    samples: list[Sample] = []
    right: dict[tuple[str, str], set[str]] = {}
    for place, task in enumerate(plan.tasks):
        if not asker.settled and any(way.chained for way in plan.variants):
            asker.account.waiting = tuple(plan.tasks[place:])
            break
        asked = list(_asked(plan, asker, task, right))
        queries = [query for one in asked for query in (*one.queries, *one.bare)]
        replies = dict(zip(queries, asker.ask(queries), strict=True))
        for one in asked:
            sample = _sample(plan, task, one, replies)
            if sample is None:
                continue
            samples.append(sample)
            if sample["answer"] == one.case.truth.get(task):
                right.setdefault((task, one.variant.name), set()).add(one.case.item)
    return samples


def _asked(
    plan: Inquiry, asker: Asker, task: str, right: Mapping[tuple[str, str], set[str]] | None
) -> Iterator[_Asked]:
    converses, at_once = asker.model.converses, asker.model.options_at_once
    for variant in plan.variants:
        wording = variant.prompt.tasks[task]
        cases = [case for case in plan.cases if task in case.truth]
        gate = plan.gates.get(task)
        if gate is not None and right is not None:
            passed = right.get((gate, variant.name), set())
            cases = [case for case in cases if case.item in passed]
        for case, shots in zip(cases, variant.shots(task, cases), strict=True):
            shown = [shot.as_example(task) for shot in shots]
            query = query_for(wording, case.fields, shown, converses=converses)
            room = query.max_tokens if at_once else plan.max_tokens
            query = replace(query, names=_names(task, case, variant), max_tokens=room)
            alone = bare_query(wording, case.fields, converses=converses)
            bare = split_query(alone, at_once) if at_once else ()
            yield _Asked(case, variant, shots, wording, split_query(query, at_once), bare)


def _names(task: str, case: Case, variant: Way) -> tuple[str, ...]:
    names = (f"{task}|{case.item}|{variant.prompt.name}|{variant.shot_set}", f"{task}|{case.item}")
    return (*names, f"{task}|row {case.line['row']}") if "row" in case.line else names


def split_query(query: Query, at_once: int) -> list[Query]:
    """Return a query as often as a model needs it that takes so many options at once."""
    if at_once == 0:
        among = tuple(option.strip() for option in query.options) or query.among
        return [replace(query, options=(), among=among if len(among) > 1 else ())]
    if len(query.options) <= at_once:
        return [query]
    return [replace(query, options=(option,)) for option in query.options]


def joined(replies: Sequence[Reply | None]) -> Reply | None:
    """Return the answers to single options as one; None unless every one is there."""
    whole = [reply for reply in replies if reply is not None]
    if len(whole) < len(replies):
        return None
    if len(whole) == 1:
        return whole[0]
    logliks = [one for reply in whole for one in reply.logliks or ()]
    lengths = [one for reply in whole for one in reply.lengths or ()]
    signed = next((reply.signed for reply in whole if reply.signed), None)
    return Reply(tuple(logliks), tuple(lengths) or None, signed=signed)


def _sample(
    plan: Inquiry, task: str, one: _Asked, replies: Mapping[Query, Reply | None]
) -> Sample | None:
    reply = joined([replies[query] for query in one.queries])
    if reply is None:
        return None
    bare = joined([replies[query] for query in one.bare]) if one.bare else None
    words, options = one.wording.words(one.case.fields), list(one.wording.options)
    scores = option_scores(reply, list(words.values()), bare)
    answers = {name: best_option(values, options) for name, values in scores.items()}
    answer = answers[plan.normalisation]
    if reply.logliks is None:
        answer = written_option(reply.text or "", words, one.wording.answer)
    return {
        **one.case.line,
        "dataset": plan.dataset,
        "task": task,
        "item": one.case.item,
        "prompt": one.variant.prompt.name,
        "shot_set": one.variant.shot_set,
        "shots": [shot.item for shot in one.shots],
        "options": options,
        "loglik": scores["none"],
        "scores": {name: values for name, values in scores.items() if name != "none"}
        | {"first": first_token_scores(reply.first, list(words.values()))},
        "answers": answers,
        "decided_by": "text" if reply.logliks is None else plan.normalisation,
        "text": reply.text,
        "answer": answer,
        "expected": one.case.truth.get(task) or None,
        "note": reply.note,
        "signed": reply.signed,
        "finish_reason": reply.finish_reason,
    }
