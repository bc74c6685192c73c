"""Parsers by the names the command line knows them by."""

from __future__ import annotations

from plausibly.errors import StudyError, UnknownName, option
from plausibly.ports import Parser
from plausibly.registry import Registry

PARSERS: Registry[type[Parser]] = Registry(
    "parser",
    {
        "embedded": "plausibly.backends.spacy:EmbeddedParser",
        "stanza": "plausibly.backends.stanza:StanzaParser",
    },
    group="plausibly.parsers",
)
SPACY = "spacy:"
STANZA = "stanza"


def parser_named(name: str, language: str | None = None) -> Parser:
    """Return the parser of a name: `embedded`, `stanza`, or `spacy:` and a pipeline.

    Nothing heavy is loaded before the parser is given a text. A language is Stanza's to choose;
    any other parser reads the one it was trained on, and refuses another.

    >>> parser_named("embeded")
    Traceback (most recent call last):
    ...
    plausibly.errors.UnknownName: unknown parser 'embeded'. Did you mean 'embedded'? Known: \
embedded, spacy:NAME, stanza.
    """
    if name == STANZA:
        from plausibly.backends.stanza import StanzaParser

        return StanzaParser(language or "en")
    parser: Parser
    if name.startswith(SPACY) and name != SPACY:
        from plausibly.backends.spacy import SpacyParser

        parser = SpacyParser(name.removeprefix(SPACY))
    elif name in PARSERS and not name.startswith(SPACY):
        parser = PARSERS[name]()
    else:
        raise UnknownName("parser", name, [*PARSERS, "spacy:NAME"])
    if language is not None and parser.language != language:
        raise StudyError(
            f"parser {name!r} reads {parser.language!r}, not {language!r}. Pass a parser of that "
            f"language as {option('parser')}: stanza, or spacy:NAME."
        )
    return parser
