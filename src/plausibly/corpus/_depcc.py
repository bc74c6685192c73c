"""DepCC to sentences: Common Crawl parsed into Stanford dependencies with Penn Treebank tags.

Ten columns like CoNLL-U (the last is the named entity), but words may be numbered from 0 and a
root names itself as its head (Panchenko et al. 2018, "Building a Web-Scale Dependency-Parsed
Corpus from Common Crawl").
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


def read_depcc(block: bytes) -> Iterator[Sentence | BadLine]:
    r"""Yield the sentences of a block of DepCC in the labels of Universal Dependencies.

    A sentence with a bad line is left out and says why. Tags without a counterpart that matters
    to a relation become X.

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
        if not is_number(cell):
            return f"{name} {cell[:40]!r} is not a number"
    if not cells[1]:
        return "column 2 is empty, expected a form"
    return ""


def _misnumbered(rows: list[tuple[int, list[str]]]) -> Iterator[BadLine]:
    first = int(rows[0][1][0]) if rows else 0
    for place, (line, cells) in enumerate(rows, start=first):
        if int(cells[0]) != place:
            yield BadLine(line, f"id {cells[0]} where {place} was expected")
            return
        if not (_is_root(cells) or first <= int(cells[6]) < first + len(rows)):
            yield BadLine(line, f"head {cells[6]} lies outside a sentence of {len(rows)} words")


def _translated(rows: list[list[str]]) -> Sentence:
    start = int(rows[0][0])
    return Sentence(
        [row[1] for row in rows],
        [row[2] for row in rows],
        ["AUX" if row[7] in AUXILIARY else TAGS.get(row[4], "X") for row in rows],
        [0 if _is_root(row) else int(row[6]) - start + 1 for row in rows],
        [LABELS.get(row[7], row[7]) for row in rows],
    )


def _is_root(row: list[str]) -> bool:
    return row[7].lower() == "root" or row[0] == row[6]
