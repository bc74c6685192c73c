"""DepCC to sentences: Common Crawl parsed into Stanford dependencies with Penn Treebank tags.

Ten columns like CoNLL-U (the last is the named entity), but words may be numbered from 0, a root
names itself as its head, words without a dependency are missing, which leaves gaps in the numbers,
and a head outside the sentence is written as -2 (Panchenko et al. 2018, "Building a Web-Scale
Dependency-Parsed Corpus from Common Crawl").
"""

from __future__ import annotations

from collections.abc import Iterator

from plausibly.io.conllu import COLUMNS, BadLine, is_number
from plausibly.ports import Sentence

LABELS = {
    "ROOT": "root",
    "dobj": "obj",
    "nn": "compound",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "prt": "compound:prt",
    "rcmod": "acl:relcl",
    "neg": "advmod",
}
TAGS = {
    "NN": "NOUN",
    "NNS": "NOUN",
    "NNP": "PROPN",
    "NNPS": "PROPN",
    "JJ": "ADJ",
    "JJR": "ADJ",
    "JJS": "ADJ",
    "MD": "AUX",
    "PRP": "PRON",
    "WP": "PRON",
    "WDT": "PRON",
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), "VERB"),
}
AUXILIARY = ("aux", "auxpass", "cop")
OUTSIDE = "-2"
"""The head of a word whose governor is not in the sentence."""


def read_depcc(block: bytes) -> Iterator[Sentence | BadLine]:
    r"""Yield the sentences of a block of DepCC in the labels of Universal Dependencies.

    A sentence with a bad line is replaced by the reason. Tags that matter to no relation become X.

    >>> rows = ["0\tDogs\tdog\tNNS\tNNS\t_\t1\tnsubj\t1:nsubj\tO",
    ...         "1\tbark\tbark\tVBP\tVBP\t_\t1\tROOT\t1:ROOT\tO"]
    >>> next(read_depcc("\n".join(rows).encode())).deprels
    ['nsubj', 'root']
    """
    line = 1
    for piece in block.replace(b"\r\n", b"\n").split(b"\n\n"):
        yield from _sentence(piece, line)
        line += piece.count(b"\n") + 2


def _sentence(piece: bytes, first: int) -> Iterator[Sentence | BadLine]:
    rows: list[tuple[int, list[str]]] = []
    bad: list[BadLine] = []
    for line, content in enumerate(piece.split(b"\n"), start=first):
        if not content or content.startswith(b"#"):
            continue
        cells = content.decode(errors="replace").split("\t")
        wrong = _wrong(cells, content)
        if wrong:
            bad.append(BadLine(line, wrong))
        else:
            rows.append((line, cells))
    bad = bad or list(_misnumbered(rows))
    if bad:
        yield from bad
    elif rows:
        yield _translated([cells for _, cells in rows])


def _wrong(cells: list[str], content: bytes) -> str:
    """Return what is wrong with the cells of one line, empty if nothing is."""
    if b"\xef\xbf\xbd" not in content and any("\ufffd" in cell for cell in cells):
        return "not UTF-8"
    if len(cells) != COLUMNS:
        return f"{len(cells)} columns separated by tabs, expected {COLUMNS}"
    for name, cell in (("id", cells[0]), ("head", cells[6])):
        if not is_number(cell) and (name, cell) != ("head", OUTSIDE):
            return f"{name} {cell[:40]!r} is not a number"
    if not cells[1]:
        return "column 2 is empty, expected a form"
    return ""


def _misnumbered(rows: list[tuple[int, list[str]]]) -> Iterator[BadLine]:
    before, last = -1, int(rows[-1][1][0]) if rows else 0
    for line, cells in rows:
        number, head = int(cells[0]), int(cells[6])
        if number <= before:
            yield BadLine(line, f"id {number} where more than {before} was expected")
            return
        before = number
        if head > last:
            yield BadLine(line, f"head {head} is outside the sentence, which ends with {last}")


def _translated(rows: list[list[str]]) -> Sentence:
    """Return a sentence; a word whose head is missing has no head and is not a root."""
    places = {row[0]: place for place, row in enumerate(rows, start=1)}
    return Sentence(
        [row[1] for row in rows],
        [row[2] for row in rows],
        ["AUX" if row[7] in AUXILIARY else TAGS.get(row[4], "X") for row in rows],
        [0 if _is_root(row) else places.get(row[6], 0) for row in rows],
        [LABELS.get(row[7], row[7]) for row in rows],
    )


def _is_root(row: list[str]) -> bool:
    return row[7].lower() == "root" or row[0] == row[6]
