"""Ask a language model what people are asked: the form of a study is the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from plausibly.asking.code import code_hash, libraries
from plausibly.asking.forecast import Price, check_budget, contamination, outlook, parse_price
from plausibly.asking.journal import journal
from plausibly.asking.plan import Sample
from plausibly.asking.results import sorted_samples
from plausibly.asking.running import Asker
from plausibly.asking.said import said_predictions, said_ratings, said_results
from plausibly.asking.sittings import foreseen, hold
from plausibly.asking.subjects import SUBJECTS
from plausibly.asking.wordings import FormWording, chosen_wordings
from plausibly.backends.generation import generation
from plausibly.backends.language_models import Reaching, language_model
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.ranks import rank
from plausibly.ports import LanguageModel, Query, Watch
from plausibly.study.folder import PROTOCOLS
from plausibly.study.made import Made, being_made, described
from plausibly.study.settings import FILE
from plausibly.verbs.ask._examples import ExampleSet, example_sets
from plausibly.verbs.ask._form import FormSet, form_set
from plausibly.verbs.ask._result import IN_FULL, Asked, require_answers
from plausibly.verbs.ask._talk import sittings_of

Style = Literal["base", "instruct"]
OF_DATASETS = ("implausible", "tasks", "gated", "protocol")
WRITING = ("temperature", "top_p", "reasoning_effort", "param", "seed")
SHOWN = 3
"""Queries that a dry run shows in full."""


@dataclass(frozen=True, slots=True)
class FormChoices:
    """How a form is put to a model.

    Args:
        prompts: File of wordings; None for the form itself.
        samples: How often everything is asked.
        limit: Number of items, drawn at random with the seed (default: all).
        seed: Seed for drawing them.
        max_tokens: How long a written answer may become at first.
        max_room: How long at most.
        concurrency: Maximum number of queries open at the same time.
        forecast: Show what would be sent, and send nothing.
        dry: Also show the first queries in full.
        price: What tokens cost.
        budget: What may be spent.
        cutoff: Month the model's training data end.
        temperature: How far answers may stray from the likeliest token.
        shots: How many examples are shown before an item, in words; None for none.
        shot_sets: Number of different sets of examples.
    """

    prompts: str | None
    samples: int
    limit: int | None
    seed: int
    max_tokens: int
    max_room: int
    concurrency: int
    forecast: bool
    dry: bool
    price: Price | None
    budget: float | None
    cutoff: str | None
    temperature: float
    shots: str | None
    shot_sets: int


@dataclass(frozen=True)
class FormAnswers:
    """What asking about a form brought, for the result of `ask`."""

    predictions: Any
    ratings: Any
    annotators: Any
    samples: Sequence[Sample]
    asker: Asker
    about: Mapping[str, Any]
    name: str
    forecast: Mapping[str, Any] | None
    made: Made


def ask_form(
    source: str,
    items: str | Path | None,
    model: LanguageModel,
    chosen: FormChoices,
    *,
    output: str | Path | None,
    watch: Watch,
) -> FormAnswers:
    """Put a form to one model.

    Args:
        source: A study, a protocol's folder or its name.
        items: Items; None for the study's own.
        model: The model that answers.
        chosen: How it is asked.
        output: Folder for the answers.
        watch: Follows how far asking has come.
    """
    _check(model, chosen, draws=chosen.temperature > 0)
    asked, wordings = form_set(source, items), chosen_wordings(chosen.prompts)
    only = limited(asked, chosen.limit, chosen.seed)
    examples = example_sets(
        asked,
        Path(source) if (Path(source) / FILE).is_file() else None,
        shots=shots_of(chosen.shots),
        sets=chosen.shot_sets,
        seed=chosen.seed,
    )
    settings: dict[str, Any] = {
        "samples": chosen.samples,
        "max_tokens": chosen.max_tokens,
        "only": only,
        "examples": examples,
    }
    with ExitStack() as stack:
        place = Path(output) if output is not None else Path(stack.enter_context(_temporary()))
        answers = stack.enter_context(journal(place))
        asker = Asker(
            model, answers, concurrency=chosen.concurrency, watch=watch, max_room=chosen.max_room
        )
        asker.account.price, asker.account.budget = chosen.price, chosen.budget
        expected = None
        if chosen.forecast or chosen.dry or chosen.price or chosen.budget is not None:
            sittings = list(sittings_of(asked, model, wordings, **settings))
            each = foreseen(sittings, asker, most=asked.most_questions)
            expected = _expected(asker, [query for own in each for query in own])
            check_budget(expected, chosen.budget)
            if chosen.dry:
                expected[IN_FULL] = [in_full(own[0]) for own in each[:SHOWN] if own]
        dry = chosen.forecast or chosen.dry
        samples: list[Sample] = []
        if not dry:
            sittings = list(sittings_of(asked, model, wordings, **settings))
            samples = sorted_samples(hold(sittings, asker))
    graded, values = _scales(asked)
    tables = said_ratings(samples, model=model.name, values=values)
    return FormAnswers(
        said_predictions(samples, model=model.name, graded=graded),
        *tables,
        samples,
        asker,
        {**_about(model, asked, wordings, chosen), "shot_sets": _shown_items(examples)},
        asked.name,
        expected if dry else None,
        _made(asked),
    )


def _check(model: LanguageModel, chosen: FormChoices, *, draws: bool) -> None:
    if chosen.samples < 1:
        what = f"{option('samples')} must be at least 1; got {chosen.samples}."
        raise StudyError(what, parameter="samples")
    if chosen.limit is not None and chosen.limit < 1:
        what = f"{option('limit')} must be at least 1; got {chosen.limit}."
        raise StudyError(what, parameter="limit")
    same = model.identity.startswith("constant:") or (
        model.identity.startswith("causal|") and not draws
    )
    if chosen.samples > 1 and same:
        raise StudyError(
            f"{model.name} gives the same answer every time. {option('samples')} needs a "
            f"model that samples its answers, at a {option('temperature')} above 0.",
            parameter="samples",
        )


def shots_of(text: str | None) -> int:
    """Return how many examples are asked for."""
    said = (text or "0").strip()
    if not said.isdecimal() or len(said) > 3:
        what = f"{option('shots')} must be a whole number for the form of a study; got {text!r}."
        raise StudyError(what, parameter="shots")
    return int(said)


def _shown_items(examples: Sequence[ExampleSet]) -> dict[str, dict[str, list[str]]]:
    """Return the examples of every set, by language, where none is swapped."""
    return {
        one.name: {language or "default": own.items for language, own in one.sets.items()}
        for one in examples
    }


def limited(asked: FormSet, limit: int | None, seed: int) -> list[str]:
    """Return the items to ask about, all or so many that the seed draws, in their order."""
    items = list(asked.contents)
    if limit is None or limit >= len(items):
        return items
    drawn = set(sorted(items, key=lambda item: rank(seed, f"ask|{item}"))[:limit])
    return [item for item in items if item in drawn]


def _expected(asker: Asker, queries: Sequence[Query]) -> dict[str, Any]:
    """Return what would be sent at most."""
    return dict(outlook(queries, asker.unknown(queries), asker.account.price))


def in_full(query: Query) -> str:
    """Return a query as a person can read it."""
    if query.messages:
        return "\n\n".join(f"[{role}]\n{text}" for role, text in query.messages)
    return query.context


def _scales(asked: FormSet) -> tuple[list[str], dict[str, dict[str, float]]]:
    """Return the questions with a slider, and the number of each answer on a scale of words."""
    form = next(iter(asked.forms.values()))
    graded = [one.id for one in form.questions if one.type == "slider"]
    ordered = {
        one.id: {answer: float(place) for place, answer in enumerate(one.options, 1)}
        for one in form.questions
        if one.type == "likert" and not all(_is_number(answer) for answer in one.options)
    }
    return graded, ordered


def _is_number(answer: str) -> bool:
    return answer.lstrip("-").replace(".", "", 1).isdecimal()


def _about(
    model: LanguageModel, asked: FormSet, wordings: Sequence[FormWording], chosen: FormChoices
) -> dict[str, Any]:
    return {
        "model": {
            "name": model.name,
            "identity": model.identity,
            "source": model.source,
            "converses": model.converses,
        },
        "forms": {name or "default": form.version for name, form in asked.forms.items()},
        "languages": [
            (name or form.language).partition("-")[0] for name, form in asked.forms.items()
        ],
        "prompts": {
            one.name: {"language": one.language, "about": one.about, "sha256": one.digest}
            for one in wordings
        },
        "samples": chosen.samples,
        "items": len(asked.contents),
        "contamination": contamination("", "", chosen.cutoff, own=True),
        "code": {"sha256": code_hash(), "libraries": libraries()},
    }


def _made(asked: FormSet) -> Made:
    """Return how the answers come about, with the items they are about."""
    made = being_made()
    return replace(made, inputs={**made.inputs, asked.items.name: described(asked.items)})


def _temporary() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="plausibly-ask-")


def reached_as(model: str, given: Mapping[str, Any]) -> LanguageModel:
    """Return a model, reached as the arguments of `ask` say."""
    style = given["style"]
    reaching = Reaching(
        given["api"],
        given["logprobs"],
        given["max_wait"],
        given["timeout"],
        None if style is None else style == "instruct",
        generation(*(given[name] for name in WRITING)),
    )
    return language_model(model, reaching)


def asked_form(
    dataset: str,
    *,
    model: str,
    output: str | Path | None,
    languages: Sequence[str],
    **given: Any,
) -> Asked:
    """Return what a model says about the form of a study or a protocol.

    Args:
        dataset: The study, or the protocol by its folder or name.
        model: The model.
        output: Folder for the answers.
        languages: Languages the model was made for.
        given: The other arguments of `ask`.
    """
    _require_form(dataset)
    odd = next((name for name in OF_DATASETS if given[name] not in (None, False)), None)
    if odd is not None:
        what = f"{option(odd)} is for published datasets; {dataset} is asked with its form."
        raise StudyError(what, parameter=odd)
    named = {one.name: given[one.name] for one in fields(FormChoices)}
    choices = FormChoices(**{**named, "price": parse_price(given["price"])})
    reached = reached_as(model, given)
    found = ask_form(dataset, given["items"], reached, choices, output=output, watch=given["watch"])
    if languages:
        found.about["model"]["made_for"] = list(languages)
    return _of_form(found, output)


def is_form(name: str) -> bool:
    """Return whether a name is a study, or a protocol that is asked with its form."""
    return name not in SUBJECTS and (Path(name).is_dir() or name in PROTOCOLS)


def _require_form(name: str) -> None:
    """Raise unless a name is a study, or a protocol by its name or folder."""
    if is_form(name):
        return
    raise UnknownName(
        "dataset, study or protocol", name, {*SUBJECTS, *PROTOCOLS}, parameter="dataset"
    )


def _of_form(found: FormAnswers, output: str | Path | None) -> Asked:
    """Return what was said about a form, written where it is to go."""
    account = found.asker.account
    require_answers(account, found.samples, found.asker.model.source)
    result = Asked(
        found.predictions,
        found.ratings,
        found.annotators,
        found.samples,
        account,
        found.about,
        found.name,
        found.forecast,
        results=said_results(found.samples),
        made=found.made,
    )
    if output is not None and found.forecast is None:
        result.write(output)
    return result
