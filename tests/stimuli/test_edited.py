"""Texts that were edited by hand are compared with their columns."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.cli import run
from plausibly.stimuli.edited import edited_texts
from plausibly.verbs.build.match import build_match
from plausibly.verbs.check import check_balance, check_gita
from worlds.gita import WRITTEN

EVENTS = {
    "item": ["a", "b", "c", "d"],
    "text": ["Dogs chase cats.", "A man has a mouse.", "Men go home.", "A cook eats soup."],
    "condition": ["one", "one", "two", "two"],
    "subject": ["dog", "man", "man", "cook"],
    "verb": ["chase", "have", "go", "boil"],
    "object": ["cat", "mouse", "home", "soup"],
}


def test_only_a_text_that_lacks_its_words_is_reported() -> None:
    report = check_balance(pl.DataFrame(EVENTS), language="en")
    assert report.as_json()["edited"] == [{"item": "d", "column": "verb", "value": "boil"}]
    assert any(
        "does not match the text (first: d, verb 'boil')" in sentence for sentence in report.talk
    )


def test_italian_verbs_may_be_inflected() -> None:
    rows = {"item": ["a"], "text": ["Il cane va a casa."], "verb": ["andare"], "subject": ["cane"]}
    assert edited_texts(pl.DataFrame(rows), lang="it") == []


def test_the_sentences_of_a_story_are_its_text() -> None:
    rows = {"item": ["a", "b"], "text": ["Ada dorme. Ada ride.", "Ada dorme."]}
    items = pl.DataFrame(rows).with_columns(sentences=pl.lit('["Ada dorme.", "Ada ride."]'))
    assert [one.item for one in edited_texts(items, lang="it")] == ["b"]


WORD = st.text("abcdefgh", min_size=1, max_size=8)


@given(st.lists(WORD, min_size=1, max_size=4), WORD)
def test_a_text_made_of_its_columns_is_never_reported(words: list[str], head: str) -> None:
    rows = {"item": ["a"], "text": [" ".join([*words, f"{head}s"])], "head": [head]}
    assert edited_texts(pl.DataFrame(rows).with_columns(noun=pl.lit(words[0])), lang="en") == []


def test_a_missing_value_is_not_called_far_away() -> None:
    rows = {"item": list("abcd"), "text": list("wxyz"), "condition": ["p", "p", "q", "q"]}
    items = pl.DataFrame(rows).with_columns(weight=pl.Series([1.0, None, 1.1, 9.0]))
    ledger = build_match(items=items, match=["weight:0.5"], seed=1).ledger
    reasons = dict(ledger.select("candidate", "reason").iter_rows())
    assert reasons["b"] == "no value for weight, so nothing to compare"
    assert "near enough" in reasons["d"]


def test_strict_fails_on_problems_and_passes_notes(tmp_path: Path) -> None:
    file = tmp_path / "stories.jsonl"
    lines = pl.DataFrame([{**WRITTEN, "objects": f"{WRITTEN['objects']}, astronave"}])
    lines.write_ndjson(file)
    assert set(check_gita(file).findings["severity"]) == {"note"}
    assert run(["check", "gita", str(file), "--strict"]) == 0
    pl.DataFrame([{**WRITTEN, "objects": ""}]).write_ndjson(file)
    assert run(["check", "gita", str(file), "--strict"]) == 1


@pytest.mark.parametrize(
    ("text", "wrong"), [("Ada apre la sdraio.", 0), ("Ada apre il sdraio.", 1)]
)
def test_a_deckchair_is_feminine(tmp_path: Path, text: str, wrong: int) -> None:
    file = tmp_path / "stories.jsonl"
    told = [text, *WRITTEN["sentences"][1:]]
    pl.DataFrame([{**WRITTEN, "sentences": told}]).write_ndjson(file)
    assert check_gita(file).findings.filter(kind="article").height == wrong
