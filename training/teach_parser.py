"""Have larger parsers read text: python training/teach_parser.py --ud DIR --text FILE --out OUT.

Trains parsers of several seeds on UD English EWT over an encoder, has them read a share of
WikiExtractor's articles together, and writes OUT/labelled.npz for train_parser.py --labelled.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TypeVar

import click
import spacy
import torch
from torch import Tensor
from torch.nn import functional

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.labelled import Paragraph, article_paragraphs, tokenised, write_labelled
from training.teacher import Batch, Pieces, Teacher, Words
from training.treebank import Tree, passages, read_trees

from plausibly.backends.spacy import MODEL
from plausibly.backends.weights import encoder_folder

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LONGEST = 300
WINDOW, SHORTEST_WINDOW = 200, 40
RATES = {"encoder": 4e-5, "rest": 8e-4}
WARM_UP, CLIP = 150, 2.0
TRAIN_WORDS, READ_WORDS = 2_500, 24_000
NOTHING = -100
SEEDS, EPOCHS = (1, 2, 3), 14

One = TypeVar("One")


@dataclass(frozen=True)
class Names:
    """Labels and tags of the treebank, by number."""

    labels: list[str]
    tags: list[str]

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Names:
        """Return the names that occur, sorted."""
        tags = {tag for tree in trees for tag in tags_of(tree)}
        return cls(sorted({label for tree in trees for label in tree.deprels}), sorted(tags))


def tags_of(tree: Tree) -> list[str]:
    """Return part of speech and features of each word as one name."""
    return [f"{upos}#{more}" for upos, more in zip(tree.upos, tree.features, strict=True)]


def words_of(passage: Sequence[Tree]) -> Words:
    """Return the words of a passage."""
    forms = [form for tree in passage for form in tree.forms]
    return forms, [blank for tree in passage for blank in tree.spaces]


def batched(ones: list[One], size: list[int], words: int) -> Iterator[list[One]]:
    """Yield batches of about as many words, padding counted, of neighbours in length."""
    batch: list[One] = []
    for at in sorted(range(len(ones)), key=size.__getitem__):
        if batch and (len(batch) + 1) * size[at] > words:
            yield batch
            batch = []
        batch.append(ones[at])
    if batch:
        yield batch


def cut(trees: list[Tree], generator: Random) -> list[list[Tree]]:
    """Return passages of one to twelve sentences; very long ones are left out."""
    whole = passages(
        [tree for tree in trees if len(tree.forms) <= LONGEST], lambda: generator.randint(1, 12)
    )
    return [part for one in whole for part in _within(one)]


def _within(passage: list[Tree]) -> Iterator[list[Tree]]:
    part: list[Tree] = []
    for tree in passage:
        if part and sum(len(one.forms) for one in part) + len(tree.forms) > LONGEST:
            yield part
            part = []
        part.append(tree)
    yield part


def gold(batch: list[list[Tree]], names: Names) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return heads, labels, tags and first words of a batch."""
    label_at = {name: at for at, name in enumerate(names.labels)}
    tag_at = {name: at for at, name in enumerate(names.tags)}
    longest = max(sum(len(tree.forms) for tree in passage) for passage in batch)
    heads, labels, tags, firsts = (
        torch.full((len(batch), longest), NOTHING, device=DEVICE) for _ in range(4)
    )
    for row, passage in enumerate(batch):
        start = 0
        for tree in passage:
            span = slice(start, start + len(tree.forms))
            moved = [head + start if head else 0 for head in tree.heads]
            heads[row, span] = torch.tensor(moved, device=DEVICE)
            labels[row, span] = torch.tensor([label_at[x] for x in tree.deprels], device=DEVICE)
            tags[row, span] = torch.tensor([tag_at[x] for x in tags_of(tree)], device=DEVICE)
            firsts[row, span], firsts[row, start] = 0, 1
            start = span.stop
    return heads, labels, tags, firsts


def loss_of(teacher: Teacher, batch: Batch, truth: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
    """Return what training makes small."""
    heads, labels, tags, firsts = truth
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        arcs, views, tag_scores, first_scores = teacher(batch)
        label_scores = teacher.labels(views, heads.clamp(min=0))

    def entropy(scores: Tensor, wanted: Tensor) -> Tensor:
        return functional.cross_entropy(
            scores.flatten(0, 1), wanted.flatten(), ignore_index=NOTHING
        )

    first = functional.binary_cross_entropy_with_logits(
        first_scores[batch.words], firsts[batch.words].float()
    )
    trees = entropy(arcs, heads) + entropy(label_scores, labels)
    return trees + 0.7 * entropy(tag_scores, tags) + 0.5 * first


def train(folder: Path, trees: list[Tree], seed: int) -> Teacher:
    """Return a parser trained on the treebank."""
    torch.manual_seed(seed)
    generator = Random(seed)
    names, pieces = Names.of(trees), Pieces(folder)
    teacher = Teacher(folder, len(names.labels), len(names.tags))
    teacher.to(DEVICE).train()
    rest = [one for name, one in teacher.named_parameters() if not name.startswith("encoder.")]
    groups = [
        {"params": list(teacher.encoder.parameters()), "lr": RATES["encoder"]},
        {"params": rest, "lr": RATES["rest"]},
    ]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01)
    drawn = [_drawn(trees, generator) for _ in range(EPOCHS)]
    steps = sum(map(len, drawn))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / WARM_UP) * max(0.02, 1 - step / steps)
    )
    for epoch, batches in enumerate(drawn, start=1):
        for batch in batches:
            loss = loss_of(
                teacher, pieces.batch([*map(words_of, batch)], DEVICE), gold(batch, names)
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(teacher.parameters(), CLIP)
            optimizer.step()
            schedule.step()
        print(f"seed {seed}, epoch {epoch}: {loss.item():.3f}", flush=True)
    teacher.eval()
    return teacher


def _drawn(trees: list[Tree], generator: Random) -> list[list[list[Tree]]]:
    parts = cut(trees, generator)
    sizes = [sum(len(tree.forms) for tree in part) for part in parts]
    batches = list(batched(parts, sizes, TRAIN_WORDS))
    generator.shuffle(batches)
    return batches


def windows(paragraph: Paragraph) -> Iterator[tuple[int, int]]:
    """Yield windows of a paragraph of at most 200 words, cut after a mark where there is one."""
    start, size = 0, len(paragraph.forms)
    while start < size:
        stop = min(size, start + WINDOW)
        marks = range(stop, start + SHORTEST_WINDOW, -1) if stop < size else ()
        stop = next((at for at in marks if paragraph.forms[at - 1] in ".!?;"), stop)
        yield start, stop
        start = stop


def is_tree(heads: list[int]) -> bool:
    """Return whether heads, counted from 1, are one tree under one root.

    >>> is_tree([2, 0, 2]), is_tree([2, 1, 0]), is_tree([0, 0])
    (True, False, False)
    """
    if heads.count(0) != 1:
        return False
    settled = {0}
    for word in range(1, len(heads) + 1):
        path: list[int] = []
        at = word
        while at not in settled and at not in path:
            path.append(at)
            at = heads[at - 1]
        if at in path:
            return False
        settled.update(path)
    return True


def read(
    teachers: list[Teacher], pieces: Pieces, names: Names, paragraphs: list[Paragraph]
) -> dict[int, list[Tree]]:
    """Return the trees the teachers find together; a sentence without a tree is left out."""
    work = [(at, *span) for at, one in enumerate(paragraphs) for span in windows(one)]
    sizes = [stop - start for _, start, stop in work]
    trees: dict[int, list[Tree]] = {}
    for batch in batched(work, sizes, READ_WORDS):
        cuts = [
            (paragraphs[at].forms[start:stop], paragraphs[at].spaces[start:stop])
            for at, start, stop in batch
        ]
        for (at, start, _), words, found in zip(
            batch, cuts, _read_batch(teachers, pieces.batch(cuts, DEVICE), names), strict=True
        ):
            trees.setdefault(at, []).extend(_sentences(words, start, found, names))
    return {at: sorted(found, key=lambda tree: tree.document) for at, found in trees.items()}


def _read_batch(
    teachers: list[Teacher], batch: Batch, names: Names
) -> Iterator[tuple[list[int], list[int], list[int], list[int]]]:
    """Yield sentence, head, label and tag of every word of each passage."""
    with torch.no_grad(), torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        parts = [teacher(batch) for teacher in teachers]
    first = torch.stack([one[3] for one in parts]).sum(0) > 0
    first[:, 0] = True
    sentence = first.long().cumsum(1)
    arcs = torch.stack([one[0] for one in parts]).mean(0)
    apart = sentence[:, :, None] != sentence[:, None, :]
    arcs[:, :, 1:] = arcs[:, :, 1:].masked_fill(apart, -1e4)
    heads = arcs.argmax(-1)
    with torch.no_grad():
        scores = [
            teacher.labels((one[1][0].float(), one[1][1].float()), heads).log_softmax(-1)
            for teacher, one in zip(teachers, parts, strict=True)
        ]
    labels = torch.stack(scores).sum(0)
    root = names.labels.index("root")
    labels[..., root] = torch.where(heads == 0, 1e4, -1e4).to(labels)
    tags = torch.stack([one[2].log_softmax(-1) for one in parts]).sum(0)
    found = (sentence, heads, labels.argmax(-1), tags.argmax(-1))
    yield from zip(*(one.cpu().tolist() for one in found), strict=True)


def _sentences(
    words: Words, place: int, found: tuple[list[int], ...], names: Names
) -> Iterator[Tree]:
    forms, spaces = words
    sentence, heads, labels, tags = (one[: len(forms)] for one in found)
    start = 0
    while start < len(forms):
        stop = start + sentence[start:].count(sentence[start])
        span = slice(start, stop)
        moved = [head - start if head else 0 for head in heads[span]]
        if is_tree(moved):
            pairs = [names.tags[tag].split("#", 1) for tag in tags[span]]
            yield Tree(
                document=place + start,
                forms=forms[span],
                spaces=spaces[span],
                upos=[upos for upos, _ in pairs],
                features=[features for _, features in pairs],
                heads=moved,
                deprels=[names.labels[label] for label in labels[span]],
            )
        start = stop


@click.command()
@click.option("--ud", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--text", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--encoder", type=click.Path(exists=True, path_type=Path), help="Default: mpnet.")
@click.option("--share", default=0.36, show_default=True, help="Of the articles.")
@click.option("--sentences", type=int, help="Train on the first sentences only, to try it out.")
def main(
    ud: Path,
    text: Path,
    out: Path,
    encoder: Path | None,
    share: float,
    sentences: int | None,
) -> None:
    """Write OUT/labelled.npz."""
    folder = encoder or encoder_folder("mpnet")
    trees = read_trees(ud / "en_ewt-ud-train.conllu.gz")[:sentences]
    teachers = [train(folder, trees, seed) for seed in SEEDS]
    nlp = spacy.load(MODEL, exclude=["tok2vec", "morphologizer", "parser"])
    paragraphs = list(tokenised(nlp, article_paragraphs(text, share, 1)))
    found = read(teachers, Pieces(folder), Names.of(trees), paragraphs)
    out.mkdir(parents=True, exist_ok=True)
    write_labelled(out / "labelled.npz", paragraphs, found)
    kept = sum(len(tree.forms) for one in found.values() for tree in one)
    print(f"{kept:,} of {sum(len(one.forms) for one in paragraphs):,} words have a tree")


if __name__ == "__main__":
    main()
