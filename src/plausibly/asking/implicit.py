"""Implicit knowledge: a model writes the sentence that connects two others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import polars as pl

from plausibly.asking.prompts import Prompt, Shot, prompts_of, query_for
from plausibly.asking.running import Asker
from plausibly.errors import StudyError
from plausibly.ports import LanguageModel, Query

Constraint = Literal["free", "concepts"]
CONSTRAINTS: tuple[Constraint, ...] = ("free", "concepts")
LONGEST = 60
SCHEMA = {"item": pl.String(), "system": pl.String(), "sentence": pl.String()}
EXAMPLES: tuple[Mapping[str, str], ...] = (
    {
        "source_1": "The road was covered with ice.",
        "source_2": "Nora drove to work very slowly.",
        "concepts": "ice; slippery",
        "answer": "Ice makes a road slippery.",
    },
    {
        "source_1": "Schools should start later in the morning.",
        "source_2": "Many pupils fall asleep in the first lesson.",
        "concepts": "teenager; sleep",
        "answer": "Teenagers need more sleep than they get when school starts early.",
    },
)


def implicit_prompts(document: Mapping[str, Any]) -> dict[str, Prompt]:
    """Return the prompts that a document words, by name."""
    return prompts_of(document, dict.fromkeys(CONSTRAINTS, ("sentence",)))


@dataclass(frozen=True, slots=True)
class MissingSentence:
    """One sentence to be written."""

    item: str
    system: str
    query: Query


def wanted_sentences(
    sources: pl.DataFrame,
    model: LanguageModel,
    prompts: Sequence[Prompt],
    constraints: Sequence[Constraint],
) -> Iterator[MissingSentence]:
    """Yield every sentence to be written: pairs by prompts, with and without concepts.

    Args:
        sources: item, source_1, source_2 and, for the constraint, concepts.
        model: Who writes.
        prompts: In which words it is asked.
        constraints: Whether the prompt names the concepts to use.
    """
    for prompt in prompts:
        for constraint in constraints:
            wording = prompt.tasks[constraint]
            shots = [Shot(fields, "sentence") for fields in EXAMPLES]
            for row in sources.iter_rows(named=True):
                if constraint == "concepts" and not row["concepts"]:
                    raise StudyError(
                        f"sources: item {row['item']!r} has no concepts. Add a column 'concepts' "
                        "with words separated by semicolons, or ask for free constraints."
                    )
                fields = {**{k: str(v or "") for k, v in row.items()}, "answer": ""}
                query = query_for(wording, fields, shots, converses=model.converses)
                system = f"{model.name}/{prompt.name}/{constraint}"
                names = (f"iks|{row['item']}|{prompt.name}|{constraint}",)
                free = replace(query, options=(), max_tokens=LONGEST, names=names)
                yield MissingSentence(str(row["item"]), system, free)


def written_sentences(wanted: Sequence[MissingSentence], asker: Asker) -> pl.DataFrame:
    """Return item, system and sentence of what was written; what was not is left out."""
    replies = asker.ask([one.query for one in wanted])
    rows = [
        (one.item, one.system, plain_sentence(reply.text))
        for one, reply in zip(wanted, replies, strict=True)
        if reply is not None and reply.text is not None
    ]
    frame = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return frame.filter(pl.col("sentence") != "").sort("item", "system")


def plain_sentence(text: str) -> str:
    r"""Return the first line of what was written, without quotes around it.

    >>> plain_sentence(' "Ice is slippery."\nUnsaid: more')
    'Ice is slippery.'
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    first = lines[0] if lines else ""
    if len(first) > 1 and first[0] in "\"'“«" and first[-1] in "\"'”»":
        first = first[1:-1]
    return first.strip()
