"""Parsers by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from plausibly.backends.parsers import parser_named
from plausibly.backends.spacy import EmbeddedParser, SpacyParser
from plausibly.backends.stanza import StanzaParser
from plausibly.errors import UnknownName
from plausibly.ports import Parser


@pytest.mark.parametrize(
    ("name", "kind"),
    [("embedded", EmbeddedParser), ("stanza", StanzaParser), ("spacy:en_some", SpacyParser)],
)
def test_each_name_gives_its_parser(name: str, kind: type) -> None:
    parser = parser_named(name)
    assert isinstance(parser, kind)
    assert callable(parser.parse)


def test_the_pipeline_stands_behind_the_colon() -> None:
    parser = parser_named("spacy:en_some")
    assert isinstance(parser, SpacyParser)
    assert parser.pipeline == "en_some"


@pytest.mark.parametrize("name", ["embeded", "spacy", "spacy:", ""])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownName, match=r"Known: embedded, spacy:NAME, stanza\."):
        parser_named(name)


def test_a_parser_is_known_by_the_port() -> None:
    def first_word(parser: Parser) -> str:
        return next(parser.parse(["Dogs bark."]))[0].forms[0]

    pytest.importorskip("spacy")
    assert first_word(parser_named("embedded")) == "Dogs"


def test_naming_a_parser_loads_nothing_heavy() -> None:
    code = (
        "import sys; from plausibly.backends.parsers import parser_named;"
        "[parser_named(name) for name in ('embedded', 'stanza', 'spacy:x')];"
        "sys.exit(bool({'spacy', 'stanza', 'torch', 'lemminflect'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
