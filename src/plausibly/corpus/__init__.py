"""Corpus: dumps, texts and parsed corpora to counts of relations."""

from plausibly.corpus._staging import Source
from plausibly.corpus._state import FOLDER as STATE
from plausibly.corpus._state import refuse_foreign
from plausibly.corpus.extract import Extraction, Request, extract
from plausibly.corpus.inputs import FORMS, PARSED, find_files, form_of, passed_over
from plausibly.corpus.relations import RELATIONS, Patterns, find

__all__ = [
    "FORMS",
    "PARSED",
    "RELATIONS",
    "STATE",
    "Extraction",
    "Patterns",
    "Request",
    "Source",
    "extract",
    "find",
    "find_files",
    "form_of",
    "passed_over",
    "refuse_foreign",
]
