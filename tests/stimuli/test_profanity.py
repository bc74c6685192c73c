"""Profanity: listed words, an optional classifier, and a reason for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from plausibly.datasets.lexica.profanity import own_list, read_profanity, with_classifier
from plausibly.errors import StudyError
from worlds.svo import svo_of

ROLES = ("subject", "verb", "object")


def shouting(texts: Sequence[str]) -> list[float]:
    return [0.95 if text.isupper() else 0.1 for text in texts]


def test_our_own_list_names_the_kind_of_offence() -> None:
    reasons = own_list().reasons(svo_of("dog see cat", "Whore see cat"), ROLES).to_list()
    assert reasons == [None, "subject 'Whore' is in the profanity list (insult)"]


def test_the_first_word_that_offends_is_named() -> None:
    reasons = own_list().reasons(svo_of("dog rape moron"), ROLES)
    assert reasons[0] == "verb 'rape' is in the profanity list (violence)"


def test_our_own_list_spares_harmless_words() -> None:
    harmless = "cock screw bang donkey gay muslim jew lesbian black woman"
    assert not set(harmless.split()) & set(own_list().words)


def test_adjectives_that_offend_are_on_our_own_list() -> None:
    """ADEPT, section 4.1, moderates adjectives, which are other words than nouns and verbs."""
    assert {"bitchy", "crappy", "fucking", "retarded", "shitty", "slutty"} <= set(own_list().words)


def test_the_classifier_is_off_unless_asked_for() -> None:
    assert own_list().reasons(svo_of("DOG SEE CAT"), ROLES).to_list() == [None]


def test_the_classifier_gives_its_number_and_the_bound() -> None:
    judged = with_classifier(own_list(), shouting, at_least=0.9)
    reasons = judged.reasons(svo_of("dog see cat", "DOG SEE CAT", "BITCH SEE CAT"), ROLES)
    assert reasons.to_list() == [
        None,
        "the classifier gives 0.950; the limit is 0.9",
        "subject 'BITCH' is in the profanity list (vulgar)",
    ]


def test_a_bound_that_nothing_reaches_is_refused() -> None:
    with pytest.raises(StudyError, match=r"at_least must be in \(0, 1\]; got 1.5"):
        with_classifier(own_list(), shouting, at_least=1.5)


def test_a_list_of_lines_may_have_remarks(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("Weasel  # we do not say that\n\n# nothing\n", encoding="utf-8")
    mine = read_profanity(path)
    assert dict(mine.words) == {"weasel": "your list"}
    assert mine.provenance.entries == 1
    assert mine.reasons(pl.DataFrame({"noun": ["weasel"]}), ["noun"])[0] is not None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("mine.txt", b"\xef\xbb\xbfweasel\nstoat\n"),
        ("mine.toml", b"\xef\xbb\xbfrude = ['weasel', 'stoat']"),
    ],
)
def test_a_byte_order_mark_is_no_part_of_the_first_word(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    assert set(read_profanity(tmp_path / name).words) == {"weasel", "stoat"}


@pytest.mark.parametrize("line", ["weasel, stoat", "weasel;stoat", "weasel\tstoat", '"weasel"'])
def test_a_line_that_is_not_one_word_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(f"ferret\n\n{line}  # why\n", encoding="utf-8")
    with pytest.raises(StudyError, match=r"mine\.txt:3: .* One word per line"):
        read_profanity(path)


def test_a_word_may_have_a_blank(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("ferret\nice weasel\n", encoding="utf-8")
    assert "ice weasel" in read_profanity(path).words


def test_a_list_in_utf_16_is_read_by_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes("stoat\nferret\n".encode("utf-16"))
    assert {"stoat", "ferret"} <= set(read_profanity(path).words)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("stoat\ncaf\xe9\n".encode("latin-1"), r"mine\.txt:2: not UTF-8"),
        ("stoat\n".encode("utf-16-le"), r"mine\.txt:1: .*not text"),
        (bytes(range(128)), r"mine\.txt:1: .*not text"),
    ],
)
def test_a_list_that_is_no_text_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    with pytest.raises(StudyError, match=message):
        read_profanity(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [("m.txt", ""), ("m.txt", "# none\n\n"), ("m.toml", ""), ("m.toml", "rude = []")],
)
def test_a_list_without_words_is_refused(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match="no words"):
        read_profanity(path)


def test_a_list_in_toml_holds_words_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("rude = ['weasel', 3]", encoding="utf-8")
    with pytest.raises(StudyError, match=r"'rude' holds 3, which is not a word"):
        read_profanity(path)


def test_a_broken_list_says_where(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("rude = 3", encoding="utf-8")
    with pytest.raises(StudyError, match="'rude' must be a list"):
        read_profanity(path)


def test_the_optional_classifier_answers_for_every_text() -> None:
    pytest.importorskip("profanity_check")
    from plausibly.backends.profanity import profanity_probabilities

    polite, rude = profanity_probabilities(["dog sees cat", "you fucking asshole"])
    assert polite < 0.5 < rude
    assert profanity_probabilities([]) == []
