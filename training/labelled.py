"""Text that larger parsers have read: paragraphs, their trees, and runs of them to train on."""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from spacy.training import Example
from spacy.util import registry
from training.treebank import Tree, bare_doc, forget_rare_words, gold_doc, passages, read_trees

if TYPE_CHECKING:
    from spacy.language import Language

SHORTEST_LINE = 60
FEWEST_WORDS = 8
LONGEST_SENTENCE = 80
KNOWN_WORDS = 0.25
LABELLED_WORDS = 0.1


@dataclass(frozen=True)
class Paragraph:
    """Words of one paragraph, and of each whether a blank follows it."""

    document: str
    forms: list[str]
    spaces: list[bool]


def article_paragraphs(path: Path, share: float, seed: int) -> Iterator[tuple[str, str]]:
    """Yield article and text of the long lines of a share of WikiExtractor's articles."""
    article, wanted, title = "", False, False
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = line.rstrip("\n")
            if text.startswith("<doc "):
                article = text.split('id="', 1)[1].split('"', 1)[0]
                digest = hashlib.sha256(f"{seed}:{article}".encode()).hexdigest()
                wanted, title = int(digest[:8], 16) % 100 < 100 * share, True
            elif wanted and not text.startswith("</doc"):
                if len(text) >= SHORTEST_LINE and not title:
                    yield article, text
                title = False


def tokenised(nlp: Language, texts: Iterable[tuple[str, str]]) -> Iterator[Paragraph]:
    """Yield the words of each text, as the pipeline's tokeniser cuts them; blanks are no words."""
    for document, text in texts:
        words = [token for token in nlp.make_doc(text) if not token.is_space]
        if len(words) >= FEWEST_WORDS:
            yield Paragraph(
                document, [word.text for word in words], [bool(word.whitespace_) for word in words]
            )


def write_labelled(path: Path, paragraphs: list[Paragraph], trees: dict[int, list[Tree]]) -> None:
    """Write paragraphs with their trees; `document` of a tree is its first word's place."""
    names: dict[str, dict[str, int]] = {"labels": {}, "tags": {}}

    def code(kind: str, name: str) -> int:
        return names[kind].setdefault(name, len(names[kind]))

    ordered = [(at, tree) for at in sorted(trees) for tree in trees[at]]
    tags = [
        code("tags", f"{upos}#{features}")
        for _, tree in ordered
        for upos, features in zip(tree.upos, tree.features, strict=True)
    ]
    np.savez_compressed(
        path,
        text=np.array([" ".join(one.forms) for one in paragraphs]),
        spaces=np.array(["".join("01"[blank] for blank in one.spaces) for one in paragraphs]),
        paragraph=np.array([at for at, _ in ordered], np.int32),
        place=np.array([tree.document for _, tree in ordered], np.int32),
        words=np.array([len(tree.forms) for _, tree in ordered], np.int16),
        heads=np.array([head for _, tree in ordered for head in tree.heads], np.int16),
        labels=np.array([code("labels", x) for _, t in ordered for x in t.deprels], np.uint8),
        tags=np.array(tags, np.uint16),
        label_names=np.array(list(names["labels"])),
        tag_names=np.array(list(names["tags"])),
    )


def read_labelled(path: Path) -> list[list[Tree]]:
    """Return runs of neighbouring sentences; one that is missing or very long ends its run."""
    with np.load(path) as stored:
        texts = [text.split(" ") for text in stored["text"].tolist()]
        spaces = stored["spaces"].tolist()
        label_names, tag_names = stored["label_names"].tolist(), stored["tag_names"].tolist()
        sentences = zip(
            *(stored[name].tolist() for name in ("paragraph", "place", "words")), strict=True
        )
        heads, labels, tags = (stored[name].tolist() for name in ("heads", "labels", "tags"))
        runs: list[list[Tree]] = []
        first, last = 0, (-1, -1)
        for paragraph, place, words in sentences:
            span, cut = slice(first, first + words), slice(place, place + words)
            first += words
            if words > LONGEST_SENTENCE:
                continue
            pairs = [tag_names[tag].split("#", 1) for tag in tags[span]]
            tree = Tree(
                document=paragraph,
                forms=texts[paragraph][cut],
                spaces=[blank == "1" for blank in spaces[paragraph][cut]],
                upos=[upos for upos, _ in pairs],
                features=[features for _, features in pairs],
                heads=heads[span],
                deprels=[label_names[label] for label in labels[span]],
            )
            if last != (paragraph, place):
                runs.append([])
            runs[-1].append(tree)
            last = (paragraph, place + words)
    return runs


@registry.readers("plausibly.Labelled.v1")  # type: ignore[untyped-decorator]
def labelled_reader(
    path: str, labelled: str, words: int, longest: int, seed: int
) -> Callable[[Language], Iterator[Example]]:
    """Return a reader: in every epoch the whole treebank, and so many words more of labelled text.

    Words are forgotten as `forget_rare_words` says, less often in labelled text, of which there
    is more.
    """
    trees = read_trees(Path(path))
    runs = read_labelled(Path(labelled))
    generator = Random(seed)
    generator.shuffle(runs)
    counts: Counter[int] = Counter()
    place = 0

    def example(nlp: Language, passage: list[Tree], alpha: float) -> Example:
        bare = bare_doc(nlp.vocab, passage)
        forget_rare_words(bare, counts, alpha, generator)
        return Example(bare, gold_doc(nlp.vocab, passage))

    def length() -> int:
        return generator.randint(1, longest)

    def read(nlp: Language) -> Iterator[Example]:
        nonlocal place
        if not counts:
            counts.update(token.norm for tree in trees for token in bare_doc(nlp.vocab, [tree]))
        for passage in passages(trees, length):
            yield example(nlp, passage, KNOWN_WORDS)
        left = words
        while left > 0:
            for passage in passages(runs[place % len(runs)], length):
                left -= sum(len(tree.forms) for tree in passage)
                yield example(nlp, passage, LABELLED_WORDS)
            place += 1

    return read
