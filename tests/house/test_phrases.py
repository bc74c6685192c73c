"""The English of what users and developers read: no phrase that reads as translated."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
THING = (
    "item|line|row|person|question|sentence|story|pair|word|annotator|label|file|study|batch|page|"
    "column|model|step"
)
SMALL = r"(?:if|for|of|in|from|to|as|on|with|by|is|after|before|than|into|at)\b"
PHRASES = {
    r"tells? (?:whether|if)": "return whether, check if",
    r"(?<!cannot be )told(?! apart)|said of": "reported, shown",
    r"beside": "next to, with, besides, and",
    r"own (?:files?|code|lists?|data|ones?|rules?|methods?|measures?|texts?|tables?)": "your, our",
    r"(?:leav(?:e|es|ing)|left) away": "omit, drop",
    r"(?<!there )is no (?!longer|more |less |better|fewer|different|one)[a-z]+": "is not a …",
    r"(?<!there )(?:is|are) none": "there are none, are missing, is not one",
    r"who (?:fails|answers|gives|rates)": "annotators who fail",
    r"(?:stands?|lies?) (?:in|there)": "is in",
    r"wants": "needs",
    r"as (?:it stands|they stand)|as it is(?=[.,;:)]|$)": "unchanged",
    r"otherwise than": "differently from, other than",
    rf"(?:one|two|three|\d+|so many) (?!{SMALL})\w+ (?-i:an?) (?:{THING})": "one … per …",
    rf"a (?:rating|label|row|line|vote|answer) (?-i:an?) (?:{THING})": "one rating per item",
    r"says (?:what|how|who|which|where|why|whether)": "reports, prints",
    r"mend(?:s|ed|ing)?": "fix",
    r"so that (?:nobody|nothing|none|no)": "to prevent",
}
CODE = re.compile(r"^ *(?:>>>|\.\.\.) .*$", re.MULTILINE)  # of examples in docstrings
ANY = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", re.IGNORECASE)
GENERATED = ("docs/reference/commands", "docs/reference/python.md")
FILES = [
    path
    for folder, endings in (
        ("src", (".py", ".toml", ".jinja")),
        ("docs", (".py", ".md")),
    )
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in endings and not path.relative_to(ROOT).as_posix().startswith(GENERATED)
    if path.name != "items.toml"  # sentences that people judge
]
FILES += [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]


def sentences(path: Path) -> Iterator[str]:
    """Yield the texts of a file that are more than one word; code is left out."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        found = [n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)]
        found = [re.sub(CODE, "", one) if isinstance(one, str) else "" for one in found]
    elif path.suffix == ".toml":
        found = list(values(tomllib.loads(text)))
    else:
        text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        text = re.sub(r"\{[%{#].*?[#}%]\}", "", text, flags=re.DOTALL)
        found = [re.sub(r"`[^`\n]*`", "``", text)]
    yield from (" ".join(one.split()) for one in found if isinstance(one, str) and " " in one)


def values(document: Any) -> Iterator[Any]:
    """Yield every value of a document, however deep."""
    if isinstance(document, dict | list):
        for one in document.values() if isinstance(document, dict) else document:
            yield from values(one)
    else:
        yield document


def phrases_in(path: Path) -> list[str]:
    """Return the phrases of a file, with a few words around each."""
    return [
        text[max(0, found.start() - 30) : found.end() + 30]
        for text in sentences(path)
        for found in ANY.finditer(text)
    ]


def test_no_file_has_such_a_phrase() -> None:
    phrases = {str(path.relative_to(ROOT)): phrases_in(path) for path in FILES}
    assert {name: texts for name, texts in phrases.items() if texts} == {}


@pytest.mark.parametrize(
    "text",
    [
        *("Tell whether a word is known.", "the manifest beside it", "one word a line"),
        *("its value is no number", "rows that are none", "the file stands in the folder"),
        *("Bring your own list.", "a story told twice", "What says where it is"),
    ],
)
def test_phrases_are_found(text: str) -> None:
    assert ANY.search(text)


@pytest.mark.parametrize(
    "text",
    [
        *("there is no file", "it is no longer there", "reports what it did", "one per item"),
        *("why there are none", "1 if a file is missing", "they cannot be told apart"),
        "the verdict is cannot be told",  # a value of the document of `audit`
    ],
)
def test_plain_english_passes(text: str) -> None:
    assert not ANY.search(text)
