"""CoNLL-U treebanks as spaCy documents, for training and for scoring."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.vocab import Vocab


@dataclass(slots=True)
class Tree:
    """One gold sentence; `heads` count words from 1 and 0 is the root.

    `spaces` says of each word whether a blank follows it. Words of a multi-word token are
    written together, and the blank after them is that of the token's range line.
    """

    text: str = ""
    document: int = 0
    paragraph: int = 0
    forms: list[str] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    upos: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    deprels: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)


def read_trees(path: Path) -> list[Tree]:
    """Return the sentences of one CoNLL-U file, plain or gzipped."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return list(_trees(lines))


def _trees(lines: Iterator[str]) -> Iterator[Tree]:
    document = paragraph = range_end = 0
    range_space = True
    tree = Tree()
    for raw in lines:
        line = raw.rstrip("\n")
        if not line:
            if tree.forms:
                yield tree
            tree, range_end = Tree(document=document, paragraph=paragraph), 0
        elif line.startswith("#"):
            document += line.startswith("# newdoc")
            paragraph += line.startswith(("# newdoc", "# newpar"))
            tree.document, tree.paragraph = document, paragraph
            if line.startswith("# text = "):
                tree.text = line[len("# text = ") :]
        else:
            cells = line.split("\t")
            space = "SpaceAfter=No" not in cells[9].split("|")
            if "-" in cells[0]:
                range_end, range_space = int(cells[0].split("-")[1]), space
            elif "." not in cells[0]:
                position = int(cells[0])
                if position <= range_end:
                    space = range_space and position == range_end
                _add(tree, cells, space=space)
    if tree.forms:
        yield tree


def _add(tree: Tree, cells: list[str], *, space: bool) -> None:
    tree.forms.append(cells[1])
    tree.lemmas.append(cells[2])
    tree.upos.append(cells[3])
    tree.features.append("" if cells[5] == "_" else cells[5])
    tree.heads.append(int(cells[6]))
    tree.deprels.append(cells[7])
    tree.spaces.append(space)


def gold_doc(vocab: Vocab, trees: list[Tree]) -> Doc:
    """Return the sentences as one annotated document."""
    heads: list[int] = []
    for tree in trees:
        first = len(heads)
        heads += [first + (head - 1 if head else at) for at, head in enumerate(tree.heads)]
    return Doc(
        vocab,
        words=[form for tree in trees for form in tree.forms],
        spaces=[space for tree in trees for space in tree.spaces],
        pos=[tag for tree in trees for tag in tree.upos],
        morphs=[features for tree in trees for features in tree.features],
        heads=heads,
        deps=["ROOT" if label == "root" else label for tree in trees for label in tree.deprels],
    )


def bare_doc(vocab: Vocab, trees: list[Tree]) -> Doc:
    """Return the words of the sentences as a document without annotation."""
    return Doc(
        vocab,
        words=[form for tree in trees for form in tree.forms],
        spaces=[space for tree in trees for space in tree.spaces],
    )


def passages(trees: list[Tree], length: Callable[[], int]) -> Iterator[list[Tree]]:
    """Yield runs of neighbouring sentences of one document, each as long as `length` says."""
    passage: list[Tree] = []
    wanted = length()
    for tree in trees:
        if passage and (len(passage) >= wanted or tree.document != passage[-1].document):
            yield passage
            passage, wanted = [], length()
        passage.append(tree)
    if passage:
        yield passage


def forget_rare_words(doc: Doc, counts: Counter[int], alpha: float, generator: Random) -> None:
    """Give some words of a document a norm never seen before, the rarer the likelier.

    A word that occurs n times in training loses its norm with probability alpha / (alpha + n)
    (Kiperwasser and Goldberg 2016, section 4.2), so that the encoder learns what to do with
    unknown words: their norm hashes to rows that mean nothing.
    """
    for token in doc:
        if generator.random() < alpha / (alpha + counts[token.norm]):
            token.norm_ = f"unknown-{generator.getrandbits(16):x}"


@registry.readers("plausibly.Passages.v1")  # type: ignore[untyped-decorator]
def passage_reader(
    path: str, shortest: int, longest: int, word_dropout: float, seed: int
) -> Callable[[Language], Iterator[Example]]:
    """Return a reader of examples: passages of changing length, cut anew in every epoch.

    With `shortest` equal to `longest` and no word dropout an epoch is always the same.
    """
    trees = read_trees(Path(path))
    generator = Random(seed)
    counts: Counter[int] = Counter()

    def read(nlp: Language) -> Iterator[Example]:
        if word_dropout and not counts:
            counts.update(token.norm for tree in trees for token in bare_doc(nlp.vocab, [tree]))
        for passage in passages(trees, lambda: generator.randint(shortest, longest)):
            given = bare_doc(nlp.vocab, passage)
            if word_dropout:
                forget_rare_words(given, counts, word_dropout, generator)
            yield Example(given, gold_doc(nlp.vocab, passage))

    return read
