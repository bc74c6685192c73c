"""Sentences that models write between two others."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from plausibly.asking.implicit import (
    CONSTRAINTS,
    Constraint,
    implicit_prompts,
    wanted_sentences,
    written_sentences,
)
from plausibly.asking.journal import journal
from plausibly.asking.prompts import chosen_prompts
from plausibly.asking.running import Account, Asker
from plausibly.backends.language_models import Reaching, language_model
from plausibly.backends.openai import Api
from plausibly.errors import StudyError, UnknownName, option
from plausibly.evaluation.in_study import sentence_files, texts
from plausibly.io import read_rows, write_frame
from plausibly.ports import SILENCE, Watch
from plausibly.stimuli.iks import read_sources
from plausibly.study.folder import PROTOCOLS
from plausibly.study.hooks import Listed, Set
from plausibly.study.parameters import check_kinds
from plausibly.study.results import Result, text_table
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Output, Places, verb

DOCUMENT = "generate.json"
SERVED = "iks"  # the protocol whose sentences are written
OPTIONS = ("prompts", "constraints", "limit", "api", "concurrency", "max_wait", "timeout")


@dataclass(frozen=True, eq=False, repr=False)
class GeneratedSentences(Result):
    """What models wrote.

    Args:
        candidates: item, system, sentence, as `build iks --candidates` reads it.
        account: What was asked, known, answered and lost.
        about: Model and prompts, for the manifest.
    """

    candidates: pl.DataFrame
    account: Account
    about: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the document of `generate --json`."""
        return {
            "model": self.about["model"]["name"],
            "systems": dict(_counts(self.candidates)),
            "account": self.account.as_json(),
        }

    def text(self) -> str:
        """Return how many sentences each system wrote."""
        return text_table(("system", "sentences"), _counts(self.candidates))

    @property
    def talk(self) -> tuple[str, ...]:
        """What was not answered, and why."""
        lost = self.account.losses("sentences were not written")
        again = ["Run the same command again: only what is missing is asked."] if lost else []
        return (*lost, *again)

    def put(self, folder: Path) -> None:
        """Write the sentences, also as a table for people and for `build iks`."""
        super().put(folder)
        write_frame(self.candidates, folder / "candidates.csv")

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked of whom with which words."""
        return {**super().manifest, **self.about, "account": self.account.as_json()}


def _in_study(work: Work, places: Places) -> None:
    del places
    chosen = {name: one for name, one in work.parameters.items() if name in OPTIONS}
    check_kinds(chosen, generate.declaration.kinds, section="generate")
    if not work.parameters["sources"]:
        raise StudyError("[generate] needs sentences to connect: set [build] sources.")
    documents = []
    for model, name in zip(_models(work.parameters), sentence_files(work.settings), strict=True):
        folder = work.path(name).parent
        result = generate(
            work.path(str(work.parameters["sources"])),
            model=model,
            output=folder,
            watch=work.watch,
            **chosen,
        )
        lost = result.account.losses("sentences were not written")
        if lost:
            raise StudyError(
                f"{folder}: {lost[0]}. What was written is kept: run the study again, and only "
                "what is missing is asked."
            )
        documents.append(result.as_json())
    work.write_json(DOCUMENT, {"models": documents})


def _models(parameters: Parameters) -> list[str]:
    return list(dict.fromkeys(texts(parameters, "model", of="generate")))


@verb(
    output=Output(help="Folder for candidates.csv, answers and manifest.", required=True),
    study=InStudy(
        run=_in_study,
        also={"model": []},
        outputs=(DOCUMENT,),
        external=Listed("sources"),
        wanted=Set("generate", "model"),
        begins="[generate] model",
    ),
)
def generate(
    sources: str | Path,
    *,
    model: str,
    output: str | Path | None = None,
    prompts: str | None = None,
    constraints: str = "free",
    limit: int | None = None,
    api: Api = "chat",
    concurrency: int = 4,
    max_wait: float = 300.0,
    timeout: float = 300.0,
    watch: Watch = SILENCE,
) -> GeneratedSentences:
    """Let a language model write the sentence that connects two others.

    Every answer is on disk before another query is sent; the same call again sends only what is
    missing. 'plausibly build iks' makes a sheet of the sentences, 'plausibly score candidates'
    scores them.

    Args:
        sources: item, source_1, source_2 and, for the constraint, concepts separated by semicolons.
        model: smollm2, gemma3-270m, hf:DIR|NAME, openai:URL[#NAME], anthropic:MODEL, replay:FILE,
            constant:ANSWER or mock:SEED.
        output: Folder for candidates.csv, answers and manifest.
        prompts: Names of prompts, separated by commas, or all (default: the first).
        constraints: free, concepts, or both as 'free,concepts': whether the prompt names concepts
            to use.
        limit: Number of pairs of sentences, the first by name (default: all).
        api: How to query a server: with chat messages, or with a text to continue.
        concurrency: Maximum number of queries open at the same time.
        max_wait: Longest time a query may wait, in seconds, while a server limits the rate.
        timeout: Maximum number of seconds a server may take for one answer.
        watch: Receives the progress of asking.

    Examples:
        plausibly generate pairs.csv --model smollm2 -o written
        plausibly generate pairs.csv --model smollm2 --constraints free,concepts -o written

    >>> generate("pairs.csv", model="mock:1", constraints="concept")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown constraint 'concept'. Did you mean 'concepts'? \
Known: concepts, free.
    """
    wished = _constraints(constraints)
    if concurrency < 1:
        what = f"{option('concurrency')} must be at least 1; got {concurrency}."
        raise StudyError(what, parameter="concurrency")
    if limit is not None and limit < 1:
        what = f"{option('limit')} must be at least 1; got {limit}."
        raise StudyError(what, parameter="limit")
    chosen = chosen_prompts(implicit_prompts(PROTOCOLS[SERVED].prompts), prompts)
    pairs = _with_concepts(Path(sources))[:limit]
    reached = language_model(model, Reaching(api, False, max_wait, timeout, None))
    wanted = list(wanted_sentences(pairs, reached, chosen, wished))
    with ExitStack() as stack:
        kept = Path(output) if output is not None else Path(stack.enter_context(_temporary()))
        answers = stack.enter_context(journal(kept))
        asker = Asker(reached, answers, concurrency=concurrency, watch=watch)
        candidates = written_sentences(wanted, asker)
    if asker.account.failed and candidates.is_empty():
        reason = next(iter(asker.account.failed))
        detail = asker.account.examples[reason]
        raise StudyError(f"{reached.source}: no sentence. {reason}: {detail}")
    about = {
        "model": {"name": reached.name, "identity": reached.identity, "source": reached.source},
        "prompts": {one.name: {"about": one.about, "sha256": one.digest} for one in chosen},
    }
    result = GeneratedSentences(candidates, asker.account, about)
    if output is not None:
        result.write(output)
    return result


def _constraints(names: str) -> list[Constraint]:
    wished = [part.strip() for part in names.split(",") if part.strip()]
    for name in wished:
        if name not in CONSTRAINTS:
            raise UnknownName("constraint", name, CONSTRAINTS, parameter="constraints")
    return [one for one in CONSTRAINTS if one in wished]


def _with_concepts(path: Path) -> pl.DataFrame:
    """Return the pairs of sentences with their concepts, null if none are named."""
    sources = read_sources(path)
    frame = read_rows(path).frame
    if "concepts" not in frame.columns:
        return sources.with_columns(concepts=pl.lit(None, dtype=pl.String))
    named = frame.select(pl.col("item").cast(pl.String), pl.col("concepts").cast(pl.String))
    return sources.join(named, on="item", how="left", maintain_order="left")


def _counts(candidates: pl.DataFrame) -> list[tuple[str, int]]:
    each = candidates.group_by("system").len().sort("system")
    return [(str(system), int(count)) for system, count in each.iter_rows()]


def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="plausibly-generate-")
