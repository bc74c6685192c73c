"""Parsing with Stanza, whose models the user brings."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from plausibly.backends.passages import parse_in_batches
from plausibly.errors import MissingExtra, StudyError
from plausibly.ports import Sentence

PROCESSORS = "tokenize,mwt,pos,lemma,depparse"
RESOURCES = "STANZA_RESOURCES_DIR"


class StanzaParser:
    """Stanza's pipeline of a language, loaded by the first text and kept for the process.

    Args:
        language: Stanza's name of the language.
        pipeline: A loaded pipeline, or anything with its `bulk_process`; without one it is loaded
            from the folder that STANZA_RESOURCES_DIR names.
    """

    def __init__(self, language: str = "en", *, pipeline: Any = None) -> None:
        self.language = language
        self._given = pipeline

    @property
    def name(self) -> str:
        """Return `stanza` with the language and the version of the library."""
        if self._given is not None:
            return f"stanza ({self.language}, given pipeline)"
        return f"stanza ({self.language} {_stanza().__version__})"

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text, in the order of the texts; none for a blank text."""
        pipeline = self._given if self._given is not None else _loaded(self.language)
        return parse_in_batches(texts, lambda batch: map(_sentences, pipeline.bulk_process(batch)))


def _sentences(document: Any) -> list[Sentence]:
    return [_sentence(sentence.words) for sentence in document.sentences]


def _sentence(words: list[Any]) -> Sentence:
    return Sentence(
        [word.text for word in words],
        [word.lemma or "" for word in words],
        [word.upos or "X" for word in words],
        [int(word.head) for word in words],
        [word.deprel for word in words],
    )


def _stanza() -> Any:
    try:
        import stanza
    except ImportError as error:
        raise MissingExtra("parsing with Stanza", "stanza") from error
    return stanza


@cache
def _loaded(language: str) -> Any:
    stanza = _stanza()
    folder = os.environ.get(RESOURCES)
    if not folder:
        message = (
            f"parsing with Stanza needs its models, and {RESOURCES} is not set. Download them with "
            f"stanza.download({language!r}) and set it to their folder, or use --parser embedded."
        )
        raise StudyError(message)
    try:
        return stanza.Pipeline(
            language, dir=folder, processors=PROCESSORS, download_method=None, verbose=False
        )
    except (OSError, ValueError, KeyError) as error:
        message = (
            f"{RESOURCES}: no models for {language!r} in the folder it names ({error}). "
            f"Download them with stanza.download({language!r})."
        )
        raise StudyError(message) from error
