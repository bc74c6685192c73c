"""Sittings: one model answers one item as a person would, question after question.

A sitting is a generator. It yields what is asked next and gets the reply, or None if there is none.
What follows depends on what was said, so later steps are later turns and skipped questions are
never asked. It returns the samples up to where it ended.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from plausibly.asking.answers import best_option, first_token_scores, option_scores
from plausibly.asking.plan import Sample, joined, split_query
from plausibly.asking.prompts import BETWEEN
from plausibly.asking.running import Asker
from plausibly.ports import LanguageModel, Query, Reply


@dataclass(frozen=True)
class Put:
    """One question put to a model.

    Args:
        query: What is sent; its options are the answers to choose from, none to let it write.
        record: What the sample says of it: task, item, prompt and so on.
    """

    query: Query
    record: Sample = field(default_factory=dict)


Sitting: TypeAlias = Generator[Put, Reply | None, list[Sample]]


def hold(sittings: Sequence[Sitting], asker: Asker) -> list[Sample]:
    """Return the samples of all sittings; one that gets no reply ends there and keeps the others.

    In every round the open questions of all sittings are asked together, so that as many are
    under way as may be.
    """
    samples: list[Sample] = []
    open_: list[tuple[Sitting, Put]] = []
    for sitting in sittings:
        _advance(sitting, None, open_, samples)
    while open_:
        parts = [split_query(put.query, asker.model.options_at_once) for _, put in open_]
        queries = [query for own in parts for query in own]
        replies = iter(asker.ask(queries))
        waiting, open_ = open_, []
        for (sitting, _), own in zip(waiting, parts, strict=True):
            reply = joined([next(replies) for _ in own])
            _advance(sitting, reply, open_, samples)
    return samples


def _advance(
    sitting: Sitting, reply: Reply | None, open_: list[tuple[Sitting, Put]], samples: list[Sample]
) -> None:
    try:
        put = sitting.send(reply)  # None also begins a sitting
    except StopIteration as end:
        samples.extend(end.value)
    else:
        open_.append((sitting, put))


def foreseen(sittings: Sequence[Sitting], asker: Asker, *, most: int) -> list[list[Query]]:
    """Return what each sitting would send at most, and end it: to look at, or to count.

    Answers that are known are given; in place of others the first option is, and questions which
    that skips count as if they were asked and as long as the last.

    Args:
        sittings: Those to foresee.
        asker: Knows the answers and the model.
        most: How many questions an item has at most.
    """
    return [_foreseen(sitting, asker, most) for sitting in sittings]


def _foreseen(sitting: Sitting, asker: Asker, most: int) -> list[Query]:
    queries: list[Query] = []
    last: list[Query] = []
    put, puts, known = next(sitting, None), 0, True
    while put is not None:
        last = split_query(put.query, asker.model.options_at_once)
        queries += last
        reply = joined([asker.reply(query) for query in last])
        puts, known = puts + 1, known and reply is not None
        try:
            put = sitting.send(_first_option(put.query, asker.model) if reply is None else reply)
        except StopIteration:
            put = None
    sitting.close()
    lacking = 0 if known else most - puts
    # A number of their own keeps them apart from the last.
    return queries + [replace(one, repeat=-n) for n in range(1, lacking + 1) for one in last]


def _first_option(query: Query, model: LanguageModel) -> Reply:
    """Return a reply that names the first of the options, or the least number."""
    if model.options_at_once and query.options:
        return Reply((0.0, *(-1.0 for _ in query.options[1:])))
    least = () if query.within is None else (f"{query.within[0]:g}",)
    options = query.options or query.among or least
    return Reply(text=options[0].strip() if options else None)


def conversation(
    turns: Sequence[tuple[str, str]],
    options: Sequence[str],
    *,
    lead: str,
    converses: bool,
    **more: Any,
) -> Query:
    """Return turns as a query: as they are, or as one text for a model that continues texts.

    Args:
        turns: Roles and texts, the question last.
        options: Answers to choose from.
        lead: What stands before an answer in a text.
        converses: Whether turns are sent as they are.
        more: Further fields of the query.
    """
    if converses:
        return Query("", tuple(turns), tuple(options), **more)
    parts = [f"{lead} {said}" if role == "assistant" else said for role, said in turns]
    context = BETWEEN.join([*parts[:-1], f"{parts[-1]}\n{lead}"])
    return Query(context, (), tuple(f" {one}" for one in options), **more)


def sample_of(put: Put, reply: Reply, answer: str | None) -> Sample:
    """Return what is kept of one answer.

    Args:
        put: What was asked.
        reply: What came.
        answer: How it was read; None if it could not be.
    """
    words = [one.strip() for one in put.query.options]
    scores = option_scores(reply, words, None)
    return {
        **put.record,
        "options": words,
        "loglik": scores["none"],
        "scores": {"first": first_token_scores(reply.first, words)},
        "answers": {},
        "decided_by": "text" if reply.logliks is None else "none",
        "text": reply.text,
        "answer": answer,
        "expected": None,
        "note": reply.note,
        "signed": reply.signed,
        "finish_reason": reply.finish_reason,
    }


def likeliest(put: Put, reply: Reply) -> str | None:
    """Return the option a model finds likeliest; None if it only wrote, or prefers none."""
    if reply.logliks and len(reply.logliks) > 1 and len(set(reply.logliks)) == 1:
        return None
    best = best_option(reply.logliks, put.query.options)
    return None if best is None else best.strip()
