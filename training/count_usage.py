"""Count how English nouns take articles and verbs take objects, in text that we parse ourselves.

    python training/count_usage.py EXTRACT.txt.gz [--every 2]

Reads text as WikiExtractor writes it, parses every n-th article with the embedded parser and writes
`usage_en.json` into the package: which nouns are countable and which verbs need an object. Counts
are facts about words; no text is kept. Some ten minutes of one core for five million words.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from plausibly.backends.parsers import parser_named
from plausibly.corpus._report import ShardReport
from plausibly.corpus.documents import Documents
from plausibly.ports import Sentence

TABLE = Path(__file__).resolve().parents[1] / "src/plausibly/datasets/lexica/usage_en.json"
COLUMNS = {"NOUN": ("marked", "bare", "plural"), "VERB": ("marked", "bare")}
AT_LEAST = 12
PLACES = ("obj", "obl", "nmod", "conj", "root")
OBJECTS = ("obj", "ccomp", "xcomp")
NO_GAP = ("root", "conj", "advcl", "xcomp", "ccomp", "parataxis")
Use = tuple[str, str, str]


def uses(sentence: Sentence) -> Iterator[Use]:
    """Yield word, class and column of every noun and verb that tells something.

    A singular noun is `marked` by `a` or `an` and `bare` without any determiner; a verb in the
    active voice is `marked` by an object or a clause and `bare` without one. Nouns with a number or
    a possessor, and verbs of relative clauses, whose object may stand elsewhere, tell nothing.
    """
    words = zip(*sentence, strict=True)
    children: dict[int, list[tuple[str, str]]] = {}
    for form, _, _, head, label in words:
        children.setdefault(head, []).append((label, form.lower()))
    for place, (form, lemma, upos, _, label) in enumerate(zip(*sentence, strict=True), start=1):
        below = children.get(place, [])
        labels = {child for child, _ in below}
        if upos == "NOUN" and label in PLACES and lemma.isalpha():
            column = _noun_use(form.lower() == lemma, below, labels)
        elif upos == "VERB" and label in NO_GAP and not _passive(labels):
            column = "marked" if labels & {*OBJECTS} else "bare"
        else:
            column = ""
        if column:
            yield lemma, upos, column


def _noun_use(singular: bool, below: list[tuple[str, str]], labels: set[str]) -> str:
    if not singular:
        return "plural"
    if any(label == "det" and form in ("a", "an") for label, form in below):
        return "marked"
    return "" if labels & {"det", "nmod:poss", "nummod", "det:predet"} else "bare"


def _passive(labels: set[str]) -> bool:
    return bool(labels & {"aux:pass", "nsubj:pass", "csubj:pass"})


def counted(texts: Iterable[str]) -> Counter[Use]:
    """Return how often each use was seen."""
    parser = parser_named("embedded")
    seen: Counter[Use] = Counter()
    for sentences in parser.parse(texts):
        for sentence in sentences:
            seen.update(uses(sentence))
    return seen


def table(seen: Counter[Use]) -> str:
    """Return the table as JSON, a word a line; words that were seen often enough."""
    parts = []
    for upos, columns in COLUMNS.items():
        words = sorted({word for word, kind, _ in seen if kind == upos and word.isascii()})
        counts = {word: [seen[word, upos, column] for column in columns] for word in words}
        often = [one for one in counts.items() if sum(one[1][:2]) >= AT_LEAST]
        lines = ",\n".join(f"  {json.dumps(word)}: {json.dumps(row)}" for word, row in often)
        parts.append(f' "{upos}": {{\n{lines}\n }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Write the table."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("extract", type=Path)
    arguments.add_argument("--every", type=int, default=2)
    arguments.add_argument("--output", type=Path, default=TABLE)
    given = arguments.parse_args()
    documents = Documents("wikiextractor", given.extract, ShardReport(), column="text")
    texts = (one.text for one in islice(documents, 0, None, given.every))
    given.output.write_text(table(counted(texts)), encoding="utf-8")


if __name__ == "__main__":
    main()
