"""A graph parser over a transformer encoder: sentences, tags and trees of passages of words.

Words are the mean of their pieces (a BiLSTM above them for the trees), arcs and labels are
biaffine (Dozat and Manning 2017), the tag is part of speech and features as one, and a word is the
first of a sentence or not. The encoder may be uncased: how a word is written is a small embedding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

PIECES_OF_A_WORD = 8
PIECES = 510
CASES = 8
DROPOUT = 0.33

Words = tuple[list[str], list[bool]]


def case_of(word: str) -> int:
    """Return how a word is written: small, capital, mixed, with figures, or no letters at all."""
    if word.islower():
        return 1
    if word.isupper():
        return 2 if len(word) > 1 else 3
    if word[:1].isupper():
        return 4
    if any(map(str.isdigit, word)):
        return 5
    return 6 if any(map(str.isalpha, word)) else 7


@dataclass
class Batch:
    """Passages as tensors; `owner` is the word of a piece, the number of words for no word's."""

    pieces: Tensor
    attention: Tensor
    owner: Tensor
    cases: Tensor
    words: Tensor


class Pieces:
    """Cuts words into pieces, each word once."""

    def __init__(self, folder: Path) -> None:
        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self._cut: dict[str, list[int]] = {}

    def of(self, word: str) -> list[int]:
        """Return the pieces of a word, at most eight."""
        if word not in self._cut:
            ids = self.tokenizer.encode(word, add_special_tokens=False)
            self._cut[word] = (ids or [self.tokenizer.unk_token_id])[:PIECES_OF_A_WORD]
        return self._cut[word]

    def batch(self, passages: Sequence[Words], device: str) -> Batch:
        """Return passages as tensors."""
        longest = max(len(forms) for forms, _ in passages)
        cut = [
            [(piece, at) for at, form in enumerate(forms) for piece in self.of(form)][:PIECES]
            for forms, _ in passages
        ]
        shape = (len(passages), max(map(len, cut)) + 2)
        pieces = torch.full(shape, self.tokenizer.pad_token_id)
        attention, owner = torch.zeros(shape, dtype=torch.long), torch.full(shape, longest)
        cases = torch.zeros(len(passages), longest, dtype=torch.long)
        words = torch.zeros(len(passages), longest, dtype=torch.bool)
        for row, (own, (forms, spaces)) in enumerate(zip(cut, passages, strict=True)):
            ids = [self.tokenizer.cls_token_id, *(p for p, _ in own), self.tokenizer.sep_token_id]
            pieces[row, : len(ids)] = torch.tensor(ids)
            attention[row, : len(ids)] = 1
            owner[row, 1 : len(ids) - 1] = torch.tensor([at for _, at in own])
            written = [
                case_of(form) + CASES * blank for form, blank in zip(forms, spaces, strict=True)
            ]
            cases[row, : len(forms)] = torch.tensor(written)
            words[row, : len(forms)] = True
        return Batch(*(one.to(device) for one in (pieces, attention, owner, cases, words)))


def _one_more(x: Tensor) -> Tensor:
    return torch.cat([x, x.new_ones(*x.shape[:-1], 1)], -1)


class Biaffine(nn.Module):  # type: ignore[misc]
    """Scores of pairs of a word and a head, one for each of `outputs`."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, width + 1, width + 1))
        nn.init.normal_(self.weight, std=1 / width)

    def all_heads(self, words: Tensor, heads: Tensor) -> Tensor:
        """Return the score of every word with every head."""
        return torch.einsum("bid,odf,bjf->boij", _one_more(words), self.weight, _one_more(heads))

    def one_head(self, words: Tensor, heads: Tensor) -> Tensor:
        """Return the scores of every word with its head."""
        return torch.einsum("bid,odf,bif->bio", _one_more(words), self.weight, _one_more(heads))


class Teacher(nn.Module):  # type: ignore[misc]
    """Arcs, labels, tags and first words of sentences of a batch of passages."""

    def __init__(self, folder: Path, labels: int, tags: int) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            folder, local_files_only=True, add_pooling_layer=False
        )
        width = self.encoder.config.hidden_size + 64
        self.cases = nn.Embedding(2 * CASES, 64)
        self.dropout = nn.Dropout(DROPOUT)
        self.lstm = nn.LSTM(width, 300, batch_first=True, bidirectional=True)
        self.root = nn.Parameter(torch.randn(1, 1, 600) * 0.02)
        self.arc_word, self.arc_head = self._view(600, 500), self._view(600, 500)
        self.label_word, self.label_head = self._view(600, 150), self._view(600, 150)
        self.arc, self.label = Biaffine(500, 1), Biaffine(150, labels)
        self.tag = nn.Sequential(*self._view(width, 400), nn.Linear(400, tags))
        self.first = nn.Linear(width, 1)

    @staticmethod
    def _view(width: int, outputs: int) -> nn.Sequential:
        return nn.Sequential(nn.Linear(width, outputs), nn.GELU(), nn.Dropout(DROPOUT))

    def _words(self, batch: Batch) -> Tensor:
        pieces = self.encoder(
            input_ids=batch.pieces, attention_mask=batch.attention
        ).last_hidden_state.float()
        rows, _, width = pieces.shape
        places = batch.cases.shape[1] + 1
        sums = pieces.new_zeros(rows, places, width)
        sums.scatter_add_(1, batch.owner[..., None].expand(-1, -1, width), pieces)
        sizes = pieces.new_zeros(rows, places)
        sizes.scatter_add_(1, batch.owner, torch.ones_like(batch.owner, dtype=pieces.dtype))
        means = (sums / sizes.clamp(min=1)[..., None])[:, :-1]
        return self.dropout(torch.cat([means, self.cases(batch.cases)], -1))

    def forward(self, batch: Batch) -> tuple[Tensor, tuple[Tensor, Tensor], Tensor, Tensor]:
        """Return arc scores (heads from 0, the root), views for labels, tag scores, first words."""
        words = self._words(batch)
        packed = nn.utils.rnn.pack_padded_sequence(
            words, batch.words.sum(1).cpu(), batch_first=True, enforce_sorted=False
        )
        hidden, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, total_length=words.shape[1]
        )
        hidden = self.dropout(hidden)
        heads = torch.cat([self.root.expand(len(hidden), 1, -1), hidden], 1)
        arcs = self.arc.all_heads(self.arc_word(hidden), self.arc_head(heads))[:, 0].float()
        there = torch.cat([batch.words.new_ones(len(hidden), 1), batch.words], 1)
        views = (self.label_word(hidden), self.label_head(heads))
        arcs = arcs.masked_fill(~there[:, None, :], -1e4)
        return arcs, views, self.tag(words).float(), self.first(words)[..., 0].float()

    def labels(self, views: tuple[Tensor, Tensor], heads: Tensor) -> Tensor:
        """Return the label scores of every word under the head it has."""
        words, all_heads = views
        chosen = all_heads.gather(1, heads[..., None].expand(-1, -1, all_heads.shape[-1]))
        return self.label.one_head(words, chosen).float()
