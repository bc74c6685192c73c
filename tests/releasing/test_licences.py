"""The strictest part of a release decides its licence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.datasets.catalogue import catalogue
from plausibly.errors import StudyError
from plausibly.releasing.licences import UNSTATED, joined, licence_of, propagated

KNOWN = ("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0")


@pytest.mark.parametrize(
    ("text", "spdx"),
    [
        ("CC BY-SA 4.0", "CC-BY-SA-4.0"),
        ("cc-by-4.0", "CC-BY-4.0"),
        ("CC BY-NC-SA 4.0 for the stories as stated in the paper", "CC-BY-NC-SA-4.0"),
        ("CC BY-SA", "CC-BY-SA-4.0"),
        ("CC0", "CC0-1.0"),
        ("Apache-2.0", "Apache-2.0"),
        ("none stated by the source; do not pass it on", ""),
    ],
)
def test_a_licence_is_read_from_words(text: str, spdx: str) -> None:
    assert licence_of(text).spdx == spdx


def test_every_published_dataset_has_a_licence_we_can_read() -> None:
    for dataset in catalogue().values():
        if "GUM" not in dataset.licence:
            assert licence_of(dataset.licence) is not None


def test_an_unknown_licence_says_what_to_write() -> None:
    with pytest.raises(StudyError, match="SPDX identifier such as CC-BY"):
        licence_of("do what you like")


@pytest.mark.parametrize(
    ("parts", "spdx"),
    [
        (("CC-BY-4.0", "CC-BY-SA-4.0"), "CC-BY-SA-4.0"),
        (("CC-BY-SA-3.0", "CC-BY-SA-4.0"), "CC-BY-SA-4.0"),
        (("CC-BY-NC-4.0", "CC-BY-4.0"), "CC-BY-NC-4.0"),
        (("CC-BY-NC-4.0", "CC-BY-NC-SA-4.0"), "CC-BY-NC-SA-4.0"),
        (("CC0-1.0", "CC-BY-4.0"), "CC-BY-4.0"),
    ],
)
def test_the_strictest_part_decides(parts: tuple[str, ...], spdx: str) -> None:
    assert joined([(part, licence_of(part)) for part in parts]).spdx == spdx


@pytest.mark.parametrize("other", ["CC-BY-NC-SA-4.0", "CC-BY-NC-4.0"])
def test_share_alike_and_noncommercial_are_refused_together(other: str) -> None:
    with pytest.raises(StudyError, match="cannot be in one release"):
        joined([("wikipedia", licence_of("CC BY-SA 4.0")), ("stories", licence_of(other))])


def test_what_states_no_licence_is_not_passed_on() -> None:
    with pytest.raises(StudyError, match=r"norms states no licence.*consulted"):
        joined([("norms", UNSTATED)])
    with pytest.raises(
        StudyError, match=r"poems is under CC-BY-ND.*forbids derived works.*consulted"
    ):
        joined([("poems", licence_of("CC BY-ND 4.0"))])


def test_an_author_may_not_allow_more_than_the_sources() -> None:
    sources = [("pap", licence_of("CC-BY-SA-4.0"))]
    assert propagated(None, sources).spdx == "CC-BY-SA-4.0"
    with pytest.raises(StudyError, match="they ask for CC-BY-SA"):
        propagated(licence_of("CC-BY-4.0"), sources)
    with pytest.raises(StudyError, match="commercial"):
        propagated(licence_of("CC-BY-4.0"), [("gita", licence_of("CC-BY-NC-4.0"))])
    assert propagated(None, []) == UNSTATED


@given(st.lists(st.sampled_from(KNOWN), min_size=1, max_size=4), st.randoms())
def test_order_never_matters(parts: list[str], random: object) -> None:
    def outcome(names: list[str]) -> str:
        try:
            return joined([(name, licence_of(name)) for name in names]).spdx
        except StudyError:
            return "refused"

    shuffled = list(parts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert outcome(parts) == outcome(shuffled)
