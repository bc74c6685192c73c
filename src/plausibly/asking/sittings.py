"""Sittings: one model answers one item as a person would, question after question.

A sitting is a generator. It yields what is asked next and gets the reply; what follows depends on
what was said, so later steps are later turns and skipped questions are never asked.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from plausibly.asking.answers import best_option, first_token_scores, option_scores
from plausibly.asking.plan import Sample, joined, split_query
from plausibly.asking.prompts import BETWEEN
from plausibly.asking.running import Asker
from plausibly.ports import Query, Reply


@dataclass(frozen=True)
class Put:
    """One question put to a model.

    Args:
        query: What is sent; its options are the answers to choose from, none to let it write.
        record: What the sample says of it: task, item, prompt and so on.
    """

    query: Query
    record: Sample = field(default_factory=dict)


Sitting: TypeAlias = Generator[Put, Reply, list[Sample]]


def hold(sittings: Sequence[Sitting], asker: Asker) -> list[Sample]:
    """Return the samples of all sittings; one that gets no reply ends there.

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
            if reply is not None:
                _advance(sitting, reply, open_, samples)
            else:
                sitting.close()
    return samples


def _advance(
    sitting: Sitting, reply: Reply | None, open_: list[tuple[Sitting, Put]], samples: list[Sample]
) -> None:
    try:
        put = next(sitting) if reply is None else sitting.send(reply)
    except StopIteration as end:
        samples.extend(end.value)
    else:
        open_.append((sitting, put))


def first_puts(sittings: Sequence[Sitting]) -> list[Query]:
    """Return the first query of every sitting, to look at or to count, and end them."""
    queries = []
    for sitting in sittings:
        put = next(sitting, None)
        if put is not None:
            queries.append(put.query)
        sitting.close()
    return queries


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
    """Return the option a model finds likeliest; None if it only wrote."""
    best = best_option(reply.logliks, put.query.options)
    return None if best is None else best.strip()
