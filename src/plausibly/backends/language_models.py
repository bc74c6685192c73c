"""Language models by name: one of ours, a folder of weights, an address, or a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from plausibly.backends.generation import Generation
from plausibly.backends.openai import Api, OpenAIModel
from plausibly.backends.scripted import ConstantModel, MockModel, ReplayModel
from plausibly.backends.weights import weights_folder
from plausibly.errors import StudyError, UnknownName
from plausibly.ports import LanguageModel

NAMED = ("smollm2", "gemma3-270m")
VLLM = (
    "vllm: no kind of model here. vLLM serves any model it knows as OpenAI does: start "
    "'vllm serve MODEL --port 8000' and ask openai:http://127.0.0.1:8000/v1 "
    "(--api completions --logprobs for log-probabilities)."
)
KINDS = (
    *NAMED,
    *("hf:DIR", "openai:URL", "anthropic:MODEL", "replay:FILE", "constant:ANSWER", "mock:SEED"),
)


LONGEST = 7 * 24 * 3600.0
"""Seconds in a week: nobody waits longer for one answer."""


@dataclass(frozen=True, slots=True)
class Reaching:
    """How a model is reached; each kind takes what concerns it.

    Args:
        api: Whether an address is sent messages or a text to continue.
        logprobs: Whether it is asked for log-probabilities.
        max_wait: Seconds a query may wait because an address asks for patience.
        timeout: Seconds an address may take for one answer.
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
                f"timeout must be seconds above 0, at most a week; got {self.timeout}."
            )
        if not 0 <= self.max_wait <= LONGEST:
            raise StudyError(f"max_wait must be seconds, at most a week; got {self.max_wait}.")


def language_model(name: str, reaching: Reaching | None = None) -> LanguageModel:
    """Return the model of a name.

    >>> language_model("constant:yes").name
    'constant:yes'
    """
    reaching = reaching or Reaching()
    kind, colon, rest = name.partition(":")
    if name in NAMED:
        return _causal(None, name, reaching.converses)
    if kind == "mock" and (not colon or rest.isdecimal()):
        return MockModel(int(rest or 0))
    if kind == "vllm":
        raise StudyError(VLLM)
    if not rest or kind not in ("hf", "openai", "anthropic", "replay", "constant"):
        raise UnknownName("model", name, KINDS)
    if kind == "constant":
        return ConstantModel(rest)
    if kind == "openai":
        url, _, model = rest.partition("#")
        settings = (reaching.api, reaching.logprobs, reaching.max_wait, reaching.timeout)
        return OpenAIModel(url.rstrip("/"), model or None, *settings, reaching.generation)
    if kind == "anthropic":
        return _anthropic(rest, reaching)
    path = _existing(kind, rest)
    return ReplayModel(path) if kind == "replay" else _causal(path, "", reaching.converses)


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


def check_model(name: str) -> None:
    """Raise where a model is unknown or its weights are not there, without reading any.

    >>> check_model("hf:nowhere")
    Traceback (most recent call last):
    plausibly.errors.StudyError: nowhere: no such file or folder. Expected hf:PATH.
    """
    if name in NAMED:
        weights_folder(name)
    elif name.startswith("hf:") and name != "hf:":
        _existing(*name.split(":", 1))
    else:
        language_model(name)


def _existing(kind: str, path: str) -> Path:
    if not Path(path).exists():
        raise StudyError(f"{path}: no such file or folder. Expected {kind}:PATH.")
    return Path(path)


@lru_cache(maxsize=2)
def _causal(folder: Path | None, name: str, converses: bool | None) -> LanguageModel:
    """Return weights, read once for all datasets a command asks about."""
    from plausibly.backends.causal import load_causal

    return load_causal(folder, name=name, converses=converses)
