"""Language models asked about datasets: one of each, or a table of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload

from plausibly.asking.answers import Normalisation
from plausibly.asking.languages import check_made_for
from plausibly.asking.prompts import MAX_ROOM, MAX_TOKENS
from plausibly.backends.openai import Api
from plausibly.errors import StudyError, option
from plausibly.ports import SILENCE, Watch
from plausibly.study.verb import verb
from plausibly.verbs.ask._asked_form import Style
from plausibly.verbs.ask._one import ask_one
from plausibly.verbs.ask._result import Asked
from plausibly.verbs.ask._table import AskedTable, ask_several

ONE_ONLY = (
    "items",
    "implausible",
    "tasks",
    "protocol",
    "forecast",
    "dry",
    "price",
    "budget",
    "cutoff",
)


@overload
def ask(
    dataset: str,
    *,
    model: str,
    output: str | Path | None = None,
    data: str | Path | None = None,
    items: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    implausible: str | None = None,
    tasks: str | None = None,
    limit: int | None = None,
    gated: bool = False,
    protocol: Literal["gita-2024"] | None = None,
    normalise: Normalisation = "none",
    style: Style | None = None,
    api: Api = "chat",
    logprobs: bool = False,
    max_tokens: int = MAX_TOKENS,
    max_room: int = MAX_ROOM,
    temperature: float = 0.0,
    top_p: float | None = None,
    reasoning_effort: str | None = None,
    param: Sequence[str] = (),
    concurrency: int = 4,
    max_wait: float = 300.0,
    timeout: float = 300.0,
    samples: int = 1,
    forecast: bool = False,
    dry: bool = False,
    price: str | None = None,
    budget: float | None = None,
    cutoff: str | None = None,
    made_for: Sequence[str] = (),
    seed: int = 1,
    watch: Watch = SILENCE,
) -> Asked: ...


@overload
def ask(
    dataset: str,
    *,
    model: list[str] | tuple[str, ...],
    output: str | Path,
    data: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    limit: int | None = None,
    gated: bool = False,
    normalise: Normalisation = "none",
    style: Style | None = None,
    api: Api = "chat",
    logprobs: bool = False,
    max_tokens: int = MAX_TOKENS,
    max_room: int = MAX_ROOM,
    temperature: float = 0.0,
    top_p: float | None = None,
    reasoning_effort: str | None = None,
    param: Sequence[str] = (),
    concurrency: int = 4,
    max_wait: float = 300.0,
    timeout: float = 300.0,
    made_for: Sequence[str] = (),
    seed: int = 1,
    watch: Watch = SILENCE,
) -> AskedTable: ...


@verb(strict=True)
def ask(
    dataset: str,
    *,
    model: str | Sequence[str],
    output: str | Path | None = None,
    data: str | Path | None = None,
    items: str | Path | None = None,
    prompts: str | None = None,
    shots: str | None = None,
    shot_sets: int = 1,
    implausible: str | None = None,
    tasks: str | None = None,
    limit: int | None = None,
    gated: bool = False,
    protocol: Literal["gita-2024"] | None = None,
    normalise: Normalisation = "none",
    style: Style | None = None,
    api: Api = "chat",
    logprobs: bool = False,
    max_tokens: int = MAX_TOKENS,
    max_room: int = MAX_ROOM,
    temperature: float = 0.0,
    top_p: float | None = None,
    reasoning_effort: str | None = None,
    param: Sequence[str] = (),
    concurrency: int = 4,
    max_wait: float = 300.0,
    timeout: float = 300.0,
    samples: int = 1,
    forecast: bool = False,
    dry: bool = False,
    price: str | None = None,
    budget: float | None = None,
    cutoff: str | None = None,
    made_for: Sequence[str] = (),
    seed: int = 1,
    watch: Watch = SILENCE,
) -> Asked | AskedTable:
    """Ask language models about the items of datasets.

    Every answer is on disk before another query is sent; asking into the same folder again sends
    only what is missing. Prompts and sets of examples are crossed; each way of asking is a
    separate model in predictions.parquet. With several models or datasets, or a list of
    models, each has a folder, DIR/DATASET/MODEL, and a table compares them. `plausibly score gita
    DIR` scores the tiers of GITA.

    Args:
        dataset: adept (its validation part), gita, pap, sp10k, several separated by commas, or all;
            or a study, or a protocol's folder or name with items, whose form is the prompt.
        model: smollm2, gemma3-270m, hf:DIR|NAME, openai:URL[#NAME], anthropic:MODEL,
            inspect:PROVIDER/MODEL, replay:FILE, constant:ANSWER or mock:SEED; or a list of them.
        output: Folder for answers, predictions, samples and manifest.
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).
        items: File of your items, such as a study's items.parquet, asked like those of adept, pap
            or sp10k; or stories in a format of gita (.json, .jsonl). Examples are shown only if
            shots is set: yours for stories, otherwise published ones.
        prompts: Names of prompts, separated by commas, or all (default: the first). For a study, a
            TOML file of wordings with {instructions}, {text}, {question} and {options} (default:
            the form itself).
        shots: Number of examples shown before an item, or coverage (default: 3 for gita, 5 for
            adept, 4 for pap, 0 for sp10k and studies). Examples of a study are items on which
            people clearly agree, by the sides of its first question.
        shot_sets: Number of different sets of examples.
        implausible: How many examples of GITA's story task are implausible; several, separated
            by commas, are compared.
        tasks: Names of tasks, separated by commas (default: the dataset's tiers).
        limit: Number of items to ask about, drawn at random with the seed (default: all).
        gated: Ask a later tier only where the earlier one is right.
        protocol: Ask as the paper did: with its prompts, its way of drawing examples and its chain
            of tasks.
        normalise: Which score decides between the options; all scores are stored.
        style: Give a local model a text to continue or a conversation (default: as it was trained).
        api: How to query a server: with chat messages, or with a text to continue.
        logprobs: Ask a server for log-probabilities.
        max_tokens: Maximum number of tokens of one answer from a server. An answer cut off there
            is asked for again with twice as many.
        max_room: Maximum number of tokens when a cut-off answer is asked for again. One
            still cut off counts as missing, not as wrong.
        temperature: Temperature of a model that writes; 0 always takes the likeliest token.
        top_p: Draw from the likeliest tokens that have this share of the probability.
        reasoning_effort: How much a model thinks first, in the server's words, such as low.
        param: Further fields of a request, as KEY=VALUE; may be repeated.
        concurrency: Maximum number of queries open at the same time.
        max_wait: Longest time a query may wait, in seconds, while a server limits the rate.
        timeout: Maximum number of seconds a server may take for one answer.
        samples: How often to ask each question of a study's form; more than once needs a
            temperature above 0.
        forecast: Show what would be sent, and send nothing.
        dry: Show the forecast and the first three queries in full, and send nothing.
        price: Price of a million tokens read and a million written, as 0.15,0.60.
        budget: Maximum cost of the run. If the forecast is higher, nothing is sent; sending stops
            once the answers, including repeated ones, have cost this much.
        cutoff: Month in which the model's training data end, as 2024-08; used in the note on
            contamination.
        made_for: Languages the model was made for: codes such as 'it' or 'en,it', or multilingual;
            MODEL=it sets those of one of several models. Kept with the answers, in tables and in
            the manifest. May be repeated.
        seed: Seed for drawing items and examples; at a temperature above 0 also for the answers
            of a model behind a server that takes a seed, and of weights on this machine.
        watch: Receives the progress of asking.

    Examples:
        plausibly ask gita --model smollm2 --prompts all --shot-sets 3 --limit 20 -o answers
        plausibly ask gita --model openai:http://127.0.0.1:8080/v1 --concurrency 8 -o answers

    >>> import json, tempfile
    >>> from pathlib import Path
    >>> cup = {"sentence1": "A cup holds tea.", "sentence2": "A broken cup holds tea."}
    >>> cup |= {"modifier": "broken", "noun": "cup", "label": 1, "idx": 7}
    >>> with tempfile.TemporaryDirectory() as data:
    ...     (Path(data) / "adept").mkdir()
    ...     _ = (Path(data) / "adept" / "val.json").write_text(json.dumps([cup]))
    ...     asked = ask("adept", model="constant:less likely", data=data, shots="0")
    >>> asked.as_json()["tasks"]["effect"]["right"]["mean"]
    1.0
    >>> asked.predictions.select("item", "label", "prompt", "shot_set").rows()
    [('7', 'less likely', 'en-change', '0')]
    >>> said = ["constant:less likely", "constant:more likely"]
    >>> with tempfile.TemporaryDirectory() as data:
    ...     (Path(data) / "adept").mkdir()
    ...     _ = (Path(data) / "adept" / "val.json").write_text(json.dumps([cup]))
    ...     asked = ask("adept", model=said, data=data, shots="0", output=Path(data) / "answers")
    >>> asked.results.filter(metric="adept-5 accuracy").select("model", "value").rows()
    [('constant:less likely', 1.0), ('constant:more likely', 0.0)]
    """
    options: dict[str, Any] = locals()
    named = {name: options.pop(name) for name in ("dataset", "model", "output", "data")}
    models = [model] if isinstance(model, str) else list(model)
    check_made_for(models, made_for)
    if isinstance(model, str) and not several(dataset, models):
        return ask_one(**named, **options)
    _check_several(options)
    shared = {name: value for name, value in options.items() if name not in ONE_ONLY}
    return ask_several(dataset, models=models, output=output, data=data, options=shared)


def several(dataset: str, models: Sequence[str]) -> bool:
    """Return whether several models or datasets are named.

    >>> several("adept", ["mock:1"]), several("adept,pap", ["mock:1"]), several("all", ["mock:1"])
    (False, True, True)
    """
    return len(models) > 1 or "," in dataset or dataset.strip() == "all"


def _check_several(options: Mapping[str, Any]) -> None:
    """Raise if an option does not go with several models or datasets.

    >>> _check_several({"tasks": "effect"})
    Traceback (most recent call last):
    plausibly.errors.StudyError: tasks= is for one model and one dataset.
    """
    odd = next((name for name in ONE_ONLY if options.get(name)), None)
    if odd is not None:
        raise StudyError(f"{option(odd)} is for one model and one dataset.", parameter=odd)
