"""Language models by name: one of ours, a folder of weights, an address, or a record."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from plausibly.backends.generation import Generation
from plausibly.backends.hub_cache import cached_model
from plausibly.backends.openai import Api, OpenAIModel
from plausibly.backends.scripted import ConstantModel, MockModel, ReplayModel
from plausibly.backends.weights import weights_folder
from plausibly.errors import StudyError, UnknownName
from plausibly.ports import LanguageModel
from plausibly.registry import Registry

if TYPE_CHECKING:
    from plausibly.backends.causal import CausalModel

NAMED = ("smollm2", "gemma3-270m")
LANGUAGES = {"smollm2": ("en",), "gemma3-270m": ("multilingual",)}
"""Languages the models were made for, as their cards say."""
VLLM = (
    "vllm: no kind of model here. vLLM serves any model it knows as OpenAI does: start "
    "'vllm serve MODEL --port 8000' and ask openai:http://127.0.0.1:8000/v1 "
    "(--api completions --logprobs for log-probabilities)."
)
OURS = ("hf", "openai", "anthropic", "inspect", "replay", "constant", "mock", "vllm")
KINDS = (
    *NAMED,
    *("hf:DIR|NAME", "openai:URL", "anthropic:MODEL", "inspect:PROVIDER/MODEL", "replay:FILE"),
    *("constant:ANSWER", "mock:SEED"),
)
OUTSIDE: Registry[Any] = Registry("model", {}, group="plausibly.backends")
"""Models of others: entry points, and `package.module:NAME`."""

LONGEST = 7 * 24 * 3600.0
"""Seconds in a week: nobody waits longer for one answer."""


@dataclass(frozen=True, slots=True)
class Reaching:
    """How a model is reached; each kind takes what concerns it.

    Args:
        api: Whether an address is sent messages or a text to continue.
        logprobs: Whether it is asked for log-probabilities.
        max_wait: Longest time a query may wait, in seconds, while an address limits the rate.
        timeout: Maximum number of seconds an address may take for one answer.
        converses: Whether weights are asked in a conversation; None for as they were trained.
        generation: How an address writes its answers.
    """

    api: Api = "chat"
    logprobs: bool = False
    max_wait: float = 300.0
    timeout: float = 300.0
    converses: bool | None = None
    generation: Generation = field(default_factory=Generation)

    def __post_init__(self) -> None:
        """Refuse seconds that nobody can wait."""
        if not 0 < self.timeout <= LONGEST:
            raise StudyError(
                f"timeout must be a number of seconds, from above 0 to a week; got {self.timeout}."
            )
        if not 0 <= self.max_wait <= LONGEST:
            raise StudyError(
                f"max_wait must be a number of seconds, from 0 to a week; got {self.max_wait}."
            )


def language_model(name: str, reaching: Reaching | None = None) -> LanguageModel:
    """Return the model of a name.

    >>> language_model("constant:yes").name
    'constant:yes'
    """
    reaching = reaching or Reaching()
    kind, colon, rest = name.partition(":")
    if name in NAMED:
        return _writing(_causal(None, name, reaching.converses), reaching)
    if kind not in OURS and name in OUTSIDE:
        return _outside(name)
    if kind == "mock" and (not colon or rest.isdecimal()):
        return MockModel(int(rest or 0))
    if kind == "vllm":
        raise StudyError(VLLM)
    if not rest or kind not in _MADE:
        raise UnknownName("model", name, [*KINDS, *OUTSIDE])
    return _MADE[kind](rest, reaching)


def card_languages(name: str) -> tuple[str, ...]:
    """Return the languages that the card of a model names; none if it has no card here.

    A card is `README.md` next to the weights, with `language` in its heading, as on Hugging Face.

    >>> card_languages("smollm2"), card_languages("mock")
    (('en',), ())
    """
    kind, _, rest = name.partition(":")
    if kind != "hf":
        return LANGUAGES.get(name, ())
    folder = Path(rest) if Path(rest).is_dir() else Path(rest).parent
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    heading = _HEADING.match(text)
    found = _LANGUAGE.search(heading[1]) if heading is not None else None
    return tuple(_CODE.findall(found[1])) if found is not None else ()


_HEADING = re.compile(r"---\r?\n(.*?)^---\s*$", re.DOTALL | re.MULTILINE)
_LANGUAGE = re.compile(r"^language:((?:[^\n]*\n)(?:[ \t]*-[^\n]*\n)*)", re.MULTILINE)
_CODE = re.compile(r"\b(?:multilingual|[a-z]{2,3})\b")


def _hf(rest: str, reaching: Reaching) -> LanguageModel:
    """Return weights in a folder or a file, or by their name in the hub's cache."""
    if Path(rest).exists():
        return _writing(_causal(Path(rest), "", reaching.converses), reaching)
    return _writing(_causal(cached_model(rest), f"hf:{rest}", reaching.converses), reaching)


def _inspect(rest: str, reaching: Reaching) -> LanguageModel:
    """Return a model that inspect_ai reaches, by provider and name."""
    from plausibly.backends.inspect import InspectModel

    if reaching.logprobs or reaching.api != "chat":
        raise StudyError("inspect: models are sent messages and give no log-probabilities.")
    if "/" not in rest.strip("/"):
        raise StudyError(f"inspect:{rest} names no provider. Write inspect:PROVIDER/MODEL.")
    return InspectModel(rest, reaching.max_wait, reaching.timeout, reaching.generation)


def _openai(rest: str, reaching: Reaching) -> LanguageModel:
    """Return a model behind an address, by the name after a `#` or the first listed there."""
    url, _, model = rest.partition("#")
    settings = (reaching.api, reaching.logprobs, reaching.max_wait, reaching.timeout)
    return OpenAIModel(url.rstrip("/"), model or None, *settings, reaching.generation)


def _anthropic(rest: str, reaching: Reaching) -> LanguageModel:
    """Return a model of Anthropic's, at its own address or at one before a `#`."""
    from plausibly.backends.anthropic import ADDRESS, AnthropicModel

    if reaching.logprobs or reaching.api != "chat":
        raise StudyError("anthropic: models are sent messages and give no log-probabilities.")
    url, _, model = rest.rpartition("#")
    return AnthropicModel(
        (url or ADDRESS).rstrip("/"),
        model,
        max_wait=reaching.max_wait,
        timeout=reaching.timeout,
        generation=reaching.generation,
    )


_MADE: dict[str, Callable[[str, Reaching], LanguageModel]] = {
    "hf": _hf,
    "openai": _openai,
    "anthropic": _anthropic,
    "inspect": _inspect,
    "replay": lambda rest, _: ReplayModel(_existing("replay", rest)),
    "constant": lambda rest, _: ConstantModel(rest),
}


def _outside(name: str) -> LanguageModel:
    """Return somebody else's model: an object that answers, or what makes one."""
    found = OUTSIDE[name]
    answers = hasattr(found, "answer") and not isinstance(found, type)
    model = found() if callable(found) and not answers else found
    if not hasattr(model, "answer") or not hasattr(model, "identity"):
        raise StudyError(
            f"model {name!r} does not answer queries. It needs what plausibly.ports.LanguageModel "
            "has, such as answer and identity."
        )
    return cast(LanguageModel, model)


def check_model(name: str) -> None:
    """Raise if a model is unknown or its weights are not there, without reading any.

    >>> check_model("hf:nowhere")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plausibly.errors.StudyError: nowhere: no such file or folder, and no model of that name in ...
    """
    if name in NAMED:
        weights_folder(name)
    elif name.startswith("hf:") and name != "hf:":
        rest = name.removeprefix("hf:")
        if not Path(rest).exists():
            cached_model(rest)
    else:
        language_model(name)


def _existing(kind: str, path: str) -> Path:
    if not Path(path).exists():
        raise StudyError(f"{path}: no such file or folder. Expected {kind}:PATH.")
    return Path(path)


def _writing(model: CausalModel, reaching: Reaching) -> LanguageModel:
    """Return weights that write as they are asked to; they are not read again."""
    return replace(model, generation=reaching.generation)


@lru_cache(maxsize=2)
def _causal(folder: Path | None, name: str, converses: bool | None) -> CausalModel:
    """Return weights, read once for all datasets a command asks about."""
    from plausibly.backends.causal import load_causal

    return load_causal(folder, name=name, converses=converses)
