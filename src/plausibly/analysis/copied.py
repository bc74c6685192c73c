"""A part of a page as text to paste: plain, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from plausibly.analysis.showing import tex

Block = tuple[str, str]
BLOCKS = ("h3", "p", "li")


def blocks(page: str) -> list[Block]:
    """Return headings, paragraphs and entries of a list in their order, without their marks.

    >>> blocks("<h3>Labels</h3><blockquote><p>by <b>plurality</b></p></blockquote>")
    [('h3', 'Labels'), ('quote', 'by plurality')]
    """
    reader = _Reader()
    reader.feed(page)
    return [(kind, " ".join(text.split())) for kind, text in reader.found if text.strip()]


class _Reader(HTMLParser):
    """Collects blocks of text."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Block] = []
        self.open = ""
        self.quoted = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a block."""
        del attrs
        if tag == "blockquote":
            self.quoted = True
        if tag in BLOCKS:
            self.open = tag
            self.found.append(("quote" if self.quoted else tag, ""))

    def handle_endtag(self, tag: str) -> None:
        """End a block."""
        if tag == "blockquote":
            self.quoted = False
        if tag == self.open:
            self.open = ""

    def handle_data(self, data: str) -> None:
        """Add to the block that is open."""
        if self.open:
            kind, text = self.found[-1]
            self.found[-1] = (kind, text + data)


def copies(page: str) -> Mapping[str, str]:
    r"""Return a part of a page in every form it is pasted in.

    >>> copies("<h3>Labels</h3><p>30 % undecided</p>")["LaTeX"]
    '\\paragraph{Labels}\n30 \\% undecided\n'
    """
    found = blocks(page)
    return {
        "plain text": _joined(_plain(found)),
        "Markdown": _joined(_markdown(found)),
        "LaTeX": _joined(_latex(found), gap="\n"),
    }


def _joined(parts: Iterator[str], gap: str = "\n\n") -> str:
    return gap.join(parts) + "\n"


def _plain(found: list[Block]) -> Iterator[str]:
    for kind, text in found:
        yield f"    {text}" if kind == "quote" else text


def _markdown(found: list[Block]) -> Iterator[str]:
    marks = {"h3": "### ", "quote": "> ", "li": "- "}
    for kind, text in found:
        yield marks.get(kind, "") + text


def _latex(found: list[Block]) -> Iterator[str]:
    for kind, text in found:
        written = tex(text)
        if kind == "h3":
            yield rf"\paragraph{{{written}}}"
        elif kind == "quote":
            yield f"\\begin{{quote}}\n{written}\n\\end{{quote}}"
        else:
            yield written
