"""Models through inspect_ai: our words, its providers; a stand-in for the library answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from plausibly.backends import inspect as backend
from plausibly.backends.generation import Generation
from plausibly.backends.language_models import Reaching, language_model
from plausibly.errors import MissingExtra, StudyError
from plausibly.ports import Query, Unanswered

TALK = Query("", (("system", "Be brief."), ("user", "Is tea wet?")), max_tokens=16, repeat=2)


@dataclass
class Provider:
    """What a provider is asked, and what it answers in turn."""

    says: list[Any] = field(default_factory=list)
    asked: list[tuple[list[Any], dict[str, Any]]] = field(default_factory=list)

    async def generate(self, messages: list[Any], *, config: dict[str, Any]) -> Any:
        self.asked.append(([(one.role, one.content) for one in messages], config))
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


def output(text: str, stop: str = "stop") -> SimpleNamespace:
    usage = SimpleNamespace(input_tokens=9, output_tokens=3)
    choice = SimpleNamespace(stop_reason=stop)
    return SimpleNamespace(completion=text, choices=[choice], usage=usage, model="quill")


class PrerequisiteError(Exception):
    """A provider that inspect_ai does not know, or one without a key."""


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    own = Provider()

    def get_model(name: str) -> Provider:
        if name != "maker/quill":
            raise PrerequisiteError(f"no provider for {name}")
        return own

    def message(role: str) -> Any:
        return lambda content: SimpleNamespace(role=role, content=content)

    model, errors = ModuleType("inspect_ai.model"), ModuleType("inspect_ai._util.error")
    model.__dict__.update(get_model=get_model, GenerateConfig=lambda **more: more)
    for role in ("System", "User", "Assistant"):
        setattr(model, f"ChatMessage{role}", message(role.lower()))
    errors.__dict__["PrerequisiteError"] = PrerequisiteError
    for name, module in (("inspect_ai.model", model), ("inspect_ai._util.error", errors)):
        monkeypatch.setitem(sys.modules, name, module)
    backend._library.cache_clear()
    yield own
    backend._library.cache_clear()


def test_messages_and_settings_arrive_and_the_answer_comes_back(provider: Provider) -> None:
    written = Generation(0.7, top_p=0.9, more='{"user": "ada"}', seed=5)
    model = language_model("inspect:maker/quill", Reaching(generation=written))
    provider.says = [output("yes"), output("<think>", "max_tokens")]
    reply = model.answer(TALK)
    assert (reply.text, reply.prompt_tokens, reply.answer_tokens) == ("yes", 9, 3)
    assert (reply.finish_reason, reply.signed) == ("stop", None)
    messages, config = provider.asked[0]
    assert messages == list(TALK.messages)
    assert config == {
        "temperature": 0.7,
        "top_p": 0.9,
        "seed": 7,
        "max_tokens": 16,
        "timeout": 300,
        "extra_body": {"user": "ada"},
    }
    assert model.answer(TALK).finish_reason == "length"
    assert "inspect|maker/quill" in model.identity
    assert '"seed": 5' in model.identity


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (output("no", "content_filter"), "filtered answer"),
        (output(" "), "empty choice"),
        (ConnectionError("down"), "ConnectionError"),
    ],
)
def test_what_is_not_an_answer_is_lost_with_its_reason(
    provider: Provider, said: Any, reason: str
) -> None:
    provider.says = [said]
    with pytest.raises(Unanswered, match=reason):
        language_model("inspect:maker/quill").answer(TALK)


def test_a_wrong_name_is_one_line(provider: Provider) -> None:
    with pytest.raises(StudyError, match="inspect:maker/pen: no provider"):
        language_model("inspect:maker/pen").answer(TALK)
    with pytest.raises(StudyError, match="names no provider"):
        language_model("inspect:quill")
    with pytest.raises(StudyError, match="no log-probabilities"):
        language_model("inspect:maker/quill", Reaching(logprobs=True))
    assert not provider.asked


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    backend._library.cache_clear()
    with pytest.raises(MissingExtra, match=r"plausibly\[inspect\]"):
        language_model("inspect:maker/quill").answer(TALK)
