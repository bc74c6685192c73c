"""Small trees written inline: `tree("Old/ADJ/2/amod dogs=dog/NOUN/3/nsubj bark/VERB/0/root")`."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from plausibly.io.conllu import write_block
from plausibly.ports import Sentence

DOG = "The/DET/2/det dog/NOUN/3/nsubj chased=chase/VERB/0/root a/DET/6/det black/ADJ/6/amod"
DOG += " cat/NOUN/3/obj"
GIRL = "Hungry/ADJ/2/amod girls=girl/NOUN/3/nsubj ate=eat/VERB/0/root apples=apple/NOUN/3/obj"
SAYS = "Firm=firm/NOUN/2/nsubj says=say/VERB/0/root tests=test/NOUN/2/obj have/AUX/5/aux"
SAYS += " shown=show/VERB/2/ccomp gold/NOUN/5/obj"
HUNDREDS = "Hundreds=hundred/NOUN/4/nsubj of/ADP/3/case dogs=dog/NOUN/1/nmod chase/VERB/0/root"
HUNDREDS += " cats=cat/NOUN/4/obj"


def tree(text: str) -> Sentence:
    """Return a sentence: form[=lemma]/upos/head/deprel for each word; the lemma is the form."""
    words = [word.split("/") for word in text.split()]
    pairs = [form.partition("=") for form, _, _, _ in words]
    return Sentence(
        tuple(form for form, _, _ in pairs),
        tuple(lemma or form for form, _, lemma in pairs),
        tuple(upos for _, upos, _, _ in words),
        tuple(int(head) for _, _, head, _ in words),
        tuple(deprel for _, _, _, deprel in words),
    )


def fixed(sentence: Sentence) -> Sentence:
    """Return a sentence with tuples for columns, so that equal sentences compare equal."""
    forms, lemmas, upos, heads, deprels = sentence
    return Sentence(tuple(forms), tuple(lemmas), tuple(upos), tuple(heads), tuple(deprels))


def conllu(*texts: str) -> bytes:
    """Return trees as CoNLL-U."""
    return write_block(tree(text) for text in texts)


@dataclass(frozen=True)
class LineParser:
    """A parser whose texts are trees, one per line; `log` gets a line per text, `pause` slows it.

    A text with the word POISON raises, as a parser may over a text it cannot take; one with the
    word DEADLY ends the process.
    """

    log: Path | None = None
    pause: float = 0.0
    name: str = "lines 1"
    language: str = "en"

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text."""
        for text in texts:
            if "POISON" in text:
                raise ValueError("this text is poison")
            if "DEADLY" in text:
                os.kill(os.getpid(), signal.SIGKILL)
            if self.log is not None:
                with self.log.open("a", encoding="utf-8") as log:
                    log.write(f"{len(text)}\n")
            time.sleep(self.pause)
            yield [tree(line) for line in text.splitlines() if line.strip()]
