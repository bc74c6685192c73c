"""Surprisal of words under a causal language model, in bits.

A tokeniser that puts the space at the beginning of a word leaves open, where a word ends, whether
it goes on. The correction of Pimentel & Meister (2024) and Oh & Schuler (2024) moves the
probability that a new word begins from the next word to the one that it ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, NamedTuple

from plausibly.backends.causal import CausalModel
from plausibly.errors import StudyError
from plausibly.ports import SILENCE, Watch

WORD = re.compile(r"\S+")
TOKENS_AT_ONCE = 1024
"""Tokens, padding included, that go through the model in one pass."""


class WordSurprisal(NamedTuple):
    """One word of a text: characters `start` to `end`, its bits and its number of tokens."""

    word: str
    start: int
    end: int
    bits: float
    tokens: int


@dataclass(frozen=True)
class _Cut:
    """One text as tokens, after the token before all texts, and the word of each."""

    text: str
    ids: list[int]
    words: list[re.Match[str]]
    owner: list[int]


@dataclass
class Surprisals:
    """Surprisal of the words of texts under one model.

    Args:
        model: The model.
        correct: Whether the probability of a leading space goes to the word before it.

    Attributes:
        corrected: Whether it does: only if tokens of this tokeniser begin with a space.
    """

    model: CausalModel
    correct: bool = True

    def __post_init__(self) -> None:
        self._tokenizer: Any = self.model._tokenizer
        self._begins = _tokens_that_begin_words(self._tokenizer) if self.correct else []
        self._beginning = frozenset(self._begins)
        self.corrected = bool(self._begins)

    def of(self, texts: Sequence[str], *, watch: Watch = SILENCE) -> list[list[WordSurprisal]]:
        """Return the words of each text, in the order of the texts.

        Raises:
            StudyError: If a text is longer than the model reads, or a token spans two words.
        """
        cuts = [self._cut(text) for text in texts]
        found: list[list[WordSurprisal]] = [[] for _ in cuts]
        watch.begin("reading texts", len(cuts))
        for places in _batches([len(one.ids) for one in cuts]):
            bits = self._bits([cuts[place].ids for place in places])
            for place, own in zip(places, bits, strict=True):
                found[place] = _by_word(cuts[place], own)
            watch.advance(len(places))
        return found

    def _cut(self, text: str) -> _Cut:
        read = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        words = list(WORD.finditer(text))
        owner = [_owner(text, words, span) for span in read["offset_mapping"]]
        ids = [self.model._before_all, *read["input_ids"]]
        longest = getattr(self.model._model.config, "max_position_embeddings", None)
        if longest is not None and len(ids) > longest:
            raise StudyError(
                f"{_shown(text)}: {len(ids)} tokens, but the model reads at most {longest}. "
                "Shorten the text."
            )
        return _Cut(text, ids, words, owner)

    def _bits(self, texts: Sequence[list[int]]) -> list[list[float]]:
        """Return the bits of every token of texts but the first."""
        import torch

        model, width = self.model._model, max(map(len, texts))
        rows = torch.tensor([[*ids, *[0] * (width - len(ids))] for ids in texts])
        seen = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in texts])
        with torch.inference_mode():
            logits = model(
                input_ids=rows.to(model.device),
                attention_mask=seen.to(model.device),
                use_cache=False,
            ).logits
            whole = torch.logsumexp(logits, dim=-1)
            wanted = rows[:, 1:, None].to(model.device)
            logs = (logits[:, :-1].gather(-1, wanted)[..., 0] - whole[:, :-1]).double()
            if self.corrected and width > 1:
                logs += self._correction(texts, logits, whole)
            bits = (logs / -log(2)).tolist()
        return [own[: len(ids) - 1] for own, ids in zip(bits, texts, strict=True)]

    def _correction(self, texts: Sequence[list[int]], logits: Any, whole: Any) -> Any:
        """Return what is added to the logarithm of each token's probability."""
        import torch

        ends = [(row, at) for row, ids in enumerate(texts) for at in self._word_ends(ids)]
        row, at = torch.tensor(ends, dtype=torch.long, device=logits.device).reshape(-1, 2).T
        begins = torch.tensor(self._begins, device=logits.device)
        begin = torch.logsumexp(logits[row, at].index_select(-1, begins), dim=-1) - whole[row, at]
        change = torch.zeros(whole.shape, dtype=torch.double, device=logits.device)
        change[row, at - 1] += begin.double()
        change[row, at] -= begin.double()  # what follows the last token is cut off by the caller
        return change[:, :-1]

    def _word_ends(self, ids: list[int]) -> list[int]:
        """Return the positions of tokens that end a word: a new word or nothing follows."""
        last = len(ids) - 1
        return [at for at in range(1, len(ids)) if at == last or ids[at + 1] in self._beginning]


def _tokens_that_begin_words(tokenizer: Any) -> list[int]:
    """Return the tokens that begin with a space, none if the tokeniser has no such token."""
    space = tokenizer(" ", add_special_tokens=False)["input_ids"]
    if not space:
        return []
    sign = tokenizer.convert_ids_to_tokens(space[0])[0]
    if tokenizer.convert_ids_to_tokens(space[0]) in tokenizer.all_special_tokens:
        return []
    found = {place for word, place in tokenizer.get_vocab().items() if word.startswith(sign)}
    added = tokenizer.added_tokens_decoder.items()
    return sorted(found | {place for place, one in added if one.lstrip})


def _owner(text: str, words: Sequence[re.Match[str]], span: tuple[int, int]) -> int:
    """Return which word a token belongs to; spaces belong to the word after them."""
    start, end = span
    first = next((at for at, one in enumerate(words) if one.end() > start), len(words) - 1)
    if first + 1 < len(words) and end > words[first + 1].start() and start < words[first].end():
        both = f"{words[first].group()!r} and {words[first + 1].group()!r}"
        raise StudyError(f"{_shown(text)}: one token of the model spans two words, {both}.")
    return first


def _by_word(cut: _Cut, bits: Sequence[float]) -> list[WordSurprisal]:
    sums = [0.0] * len(cut.words)
    counts = [0] * len(cut.words)
    for owner, one in zip(cut.owner, bits, strict=True):
        sums[owner] += one
        counts[owner] += 1
    return [
        WordSurprisal(one.group(), one.start(), one.end(), sums[at], counts[at])
        for at, one in enumerate(cut.words)
    ]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield places of texts of like length that go through the model together."""
    places = sorted(range(len(lengths)), key=lambda place: (lengths[place], place))
    batch: list[int] = []
    for place in places:
        if batch and lengths[place] * (len(batch) + 1) > TOKENS_AT_ONCE:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
