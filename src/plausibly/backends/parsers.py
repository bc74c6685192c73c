"""Parsers by the names the command line knows them by."""

from __future__ import annotations

from plausibly.errors import UnknownName
from plausibly.ports import Parser
from plausibly.registry import Registry

PARSERS: Registry[type[Parser]] = Registry(
    "parser",
    {
        "embedded": "plausibly.backends.spacy:EmbeddedParser",
        "stanza": "plausibly.backends.stanza:StanzaParser",
    },
)
SPACY = "spacy:"


def parser_named(name: str) -> Parser:
    """Return the parser of a name: `embedded`, `stanza`, or `spacy:` and a pipeline.

    Nothing heavy is loaded before the parser is given a text.

    >>> parser_named("embeded")
    Traceback (most recent call last):
    ...
    plausibly.errors.UnknownName: unknown parser 'embeded'. Did you mean 'embedded'? Known: \
embedded, spacy:NAME, stanza.
    """
    if name.startswith(SPACY) and name != SPACY:
        from plausibly.backends.spacy import SpacyParser

        return SpacyParser(name.removeprefix(SPACY))
    if name not in PARSERS:
        raise UnknownName("parser", name, [*PARSERS, "spacy:NAME"])
    return PARSERS[name]()
