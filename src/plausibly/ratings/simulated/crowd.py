"""A simulated crowd without a server: items are dealt at random, the form defines the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import polars as pl

from plausibly.errors import StudyError
from plausibly.ratings.answers import Answer, check_answers, due_after
from plausibly.ratings.retests import RETEST
from plausibly.ratings.served import FILLER, Content, Served
from plausibly.ratings.simulated.kinds import MIX
from plausibly.ratings.simulated.outlook import Outlook
from plausibly.ratings.simulated.people import SimulatedPerson, cast
from plausibly.tables import ANNOTATORS, RATINGS


@dataclass(frozen=True, eq=False)
class Crowd:
    """Ratings a simulated crowd gave, and who gave them (`simulated_kind`)."""

    ratings: pl.DataFrame
    annotators: pl.DataFrame


def simulate(
    served: Served,
    *,
    seed: int,
    spare: int = 0,
    outlook: Outlook | None = None,
    people: Iterator[SimulatedPerson] | None = None,
) -> Crowd:
    """Return what a simulated crowd answers, each person one batch or survey of a study.

    Args:
        served: The study: plan, form and contents.
        seed: Fixes everything.
        spare: Ratings an item gets beyond the plan's target, for those that cleaning removes.
        outlook: How people answer, and where items are on their scale.
        people: Who comes, one after the other; by default a crowd of the usual mix.
    """
    generator = np.random.default_rng(seed)
    lots = list(_lots(served, served.plan.target + spare, generator))
    coming = people or cast(len(lots), MIX, seed)
    crowd = list(islice(coming, len(lots)))
    rows: list[dict[str, object]] = []
    for number, (person, lot) in enumerate(zip(crowd, lots, strict=True)):
        named = replace(person, name=f"p{number:04d}")
        for item in lot[: named.leaves_after]:
            rows += answered(named, item, served, outlook or Outlook(seed=seed))
    annotators = pl.DataFrame(
        {
            "annotator": [f"p{number:04d}" for number in range(len(crowd))],
            "kind": ["simulated"] * len(crowd),
            "approval": [None] * len(crowd),
            "simulated_kind": [person.kind for person in crowd],
        },
        schema_overrides={"approval": pl.Float64},
    )
    ratings = RATINGS.sort(RATINGS.check(pl.DataFrame(rows, infer_schema_length=None)))
    return Crowd(ratings, ANNOTATORS.check(annotators))


def answered(
    person: SimulatedPerson, item: str, served: Served, outlook: Outlook
) -> Iterator[dict[str, object]]:
    """Yield the ratings one person gives an item, all its steps, as a server stores them."""
    content, form = served.contents[item], served.form
    taken: dict[tuple[str, str], Answer] = {}
    step = 1
    while step <= form.steps:
        questions = [one for one in form.questions if one.form_step == step]
        sent = person.answers(questions, item, content, taken=taken, outlook=outlook)
        checked = check_answers(form, sent, candidates=content.names, step=step, earlier=taken)
        if checked.refusals:
            raise StudyError(
                f"{served.folder}: a simulated answer to {item!r} is refused "
                f"({checked.refusals[0].question}: {checked.refusals[0].reason}): "
                "simulated people cannot answer this form."
            )
        seconds = round(person.seconds(item, step, content, outlook), 2)
        for one in checked.answers:
            taken[one.question, one.candidate] = one
            yield {
                "item": f"{item}#{one.candidate}" if one.candidate else item,
                "annotator": person.name,
                "question": one.question,
                "answer": one.answer,
                "value": one.value,
                "seconds": seconds,
            }
        step = due_after(form, step, taken, content.names)


def _lots(served: Served, target: int, generator: np.random.Generator) -> Iterator[list[str]]:
    """Yield what each person is shown: a survey, or a batch with its checks."""
    if served.surveys:
        for _ in range(target):
            yield from (list(survey) for survey in served.surveys.values())
        return
    wanted = [item for item, one in served.contents.items() if one.kind == "item"]
    checks = sorted(
        item for item, one in served.contents.items() if one.kind not in {"item", RETEST, FILLER}
    )
    fillers = sorted(item for item, one in served.contents.items() if one.kind == FILLER)
    for batch in deal(wanted, served.contents, target, served.plan.batch, generator):
        few = generator.permutation(len(checks))[: served.plan.checks_per_batch]
        shown = [*batch, *fillers, *(checks[place] for place in few)]
        yield [shown[place] for place in generator.permutation(len(shown))]


def deal(
    items: Sequence[str],
    contents: Mapping[str, Content],
    target: int,
    size: int,
    generator: np.random.Generator,
) -> list[list[str]]:
    """Return batches in which every item stands `target` times and no group twice."""
    batches: list[list[str]] = []
    held: list[set[str]] = []
    for _ in range(target):
        for place in generator.permutation(len(items)):
            item = items[place]
            group = contents[item].group or f"item {item}"
            home = next(
                (n for n, b in enumerate(batches) if len(b) < size and group not in held[n]), None
            )
            if home is None:
                batches.append([])
                held.append(set())
                home = len(batches) - 1
            batches[home].append(item)
            held[home].add(group)
    return batches
