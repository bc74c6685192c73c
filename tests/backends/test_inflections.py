"""lemminflect is loaded as a table of forms, without spaCy and torch behind it."""

from __future__ import annotations

import subprocess
import sys

import pytest


def in_new_process(code: str) -> int:
    return subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_asking_about_a_word_loads_no_parser() -> None:
    pytest.importorskip("lemminflect")
    code = (
        "import sys; from plausibly.backends.english import is_adjective, is_compared;"
        "assert is_adjective('broken') and is_compared('bigger');"
        "sys.exit(bool({'spacy', 'thinc', 'torch'} & set(sys.modules)))"
    )
    assert in_new_process(code) == 0


def test_spacy_can_be_loaded_afterwards_and_finders_are_as_before() -> None:
    pytest.importorskip("lemminflect")
    pytest.importorskip("spacy")
    code = (
        "import sys; before = list(sys.meta_path);"
        "from plausibly.backends.inflections import lemminflect; lemminflect('a test');"
        "assert sys.meta_path == before; import spacy"
    )
    assert in_new_process(code) == 0
