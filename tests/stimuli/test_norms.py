"""Norms: reading, filtering, frequency lists and the estimator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.datasets.lexica.frequency import FrequencyList, read_frequencies
from plausibly.datasets.lexica.norms import Norms, corpus_tags, filtered, read_norms
from plausibly.datasets.lexica.predicted import Floats, Model, predict, predicted_norms
from plausibly.datasets.lexica.provenance import Provenance
from plausibly.errors import TableError
from worlds.svo import svo_of

HEADER = "Word\tBigram\tConc.M\tDom_Pos\r\n"


def written(folder: Path, rows: str) -> Path:
    path = folder / "norms.tsv"
    path.write_bytes((HEADER + rows).encode())
    return path


def norms_of(**words: str) -> Norms:
    rows = [(word, 3.0, pos) for word, pos in words.items()]
    rated = pl.DataFrame(rows, schema=["word", "concreteness", "pos"], orient="row")
    return Norms(Provenance("norms", "test"), rated)


def frequencies(**zipf: float) -> FrequencyList:
    return FrequencyList(
        Provenance("frequency", "test"),
        lambda words: [zipf.get(word) for word in words],
        lambda number: sorted(zipf, key=lambda word: -zipf[word])[:number],
    )


def test_carriage_returns_and_missing_tags_are_read_as_they_stand(tmp_path: Path) -> None:
    norms = read_norms(written(tmp_path, "tea\t0\t4.8\tNoun\r\nnope\t0\t2.5\t#N/A\r\n"))
    assert norms.rated.rows() == [("nope", 2.5, "#N/A"), ("tea", 4.8, "Noun")]
    assert norms.provenance.source == "norms.tsv"
    assert not norms.predicted


def test_the_authors_own_file_name_is_read_too(tmp_path: Path) -> None:
    path = written(tmp_path, "tea\t0\t4.8\tNoun\r\n").rename(tmp_path / "ratings.txt")
    assert read_norms(path).rated.height == 1


def test_of_two_cases_the_lower_one_counts(tmp_path: Path) -> None:
    norms = read_norms(written(tmp_path, "Turkey\t0\t4.0\tName\r\nturkey\t0\t4.9\tNoun\r\n"))
    assert norms.rated.rows() == [("turkey", 4.9, "Noun")]


def test_a_row_without_a_number_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"norms\.tsv:3: Conc\.M 'high' is not a number"):
        read_norms(written(tmp_path, "tea\t0\t4.8\tNoun\r\nsea\t0\thigh\tNoun\r\n"))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "norms.csv"
    path.write_text("Word,Conc.M\ntea,4.8\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"no column 'Dom_Pos'"):
        read_norms(path)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("", r"norms\.tsv: no words"),
        (
            "tea\t0\t4.8\t0\r\nsea\t0\t4.8\t#N/A\r\n",
            r"norms\.tsv: none of 2 rows has Noun or Verb in Dom_Pos \(found: #N/A, 0\)",
        ),
    ],
)
def test_norms_that_rate_no_noun_and_no_verb_are_refused(
    tmp_path: Path, rows: str, message: str
) -> None:
    with pytest.raises(TableError, match=message):
        read_norms(written(tmp_path, rows))


def test_two_ratings_of_one_word_are_refused_with_their_lines(tmp_path: Path) -> None:
    rows = "tea\t0\t4.8\tNoun\r\nsea\t0\t4.5\tNoun\r\ntea\t0\t1.2\tnoun\r\n"
    message = r"norms\.tsv:4: 'tea' \(noun\) is rated 1\.2 here and 4\.8 on line 2"
    with pytest.raises(TableError, match=message):
        read_norms(written(tmp_path, rows))


def test_the_same_rating_twice_is_one(tmp_path: Path) -> None:
    assert read_norms(written(tmp_path, "tea\t0\t4.8\tNoun\r\n" * 2)).rated.height == 1


def test_a_word_may_have_a_rating_as_a_noun_and_one_as_a_verb(tmp_path: Path) -> None:
    both = "milk\t0\t4.9\tNoun\r\nmilk\t0\t3.9\tVerb\r\n"
    norms = read_norms(written(tmp_path, both))
    for svo, pos, rating in (("cow give milk", "noun", 4.9), ("man milk cow", "verb", 3.9)):
        found = filtered(norms, corpus_tags(svo_of(svo)), frequency=None)
        assert found.of(pos).rows() == [("milk", rating)]


def test_norms_without_a_part_of_speech_pass_the_filter_as_nothing() -> None:
    found = filtered(
        norms_of(tea="Noun"), corpus_tags(svo_of()), frequency=None, inflected=lambda *_: False
    )
    assert found.of("verb").is_empty()


def test_two_sources_must_agree_on_the_part_of_speech() -> None:
    svo = svo_of("cook cook meal", "man cook meal", "cook milk cow", "cook see man")
    found = filtered(
        norms_of(cook="Verb", milk="Verb", man="Noun", unseen="Noun"),
        corpus_tags(svo),
        frequency=None,
    )
    # cook is a subject three times and a verb twice, so the corpus has it as a noun.
    assert found.of("verb")["word"].to_list() == ["milk"]
    assert sorted(found.of("noun")["word"]) == ["man", "unseen"]
    assert found.report["noun"]["seen_in_the_corpus"] == 1
    assert found.report["noun"]["difference"] == 2 - 12880


def test_rare_words_are_left_out() -> None:
    norms = norms_of(tea="Noun", quern="Noun", gloop="Noun")
    found = filtered(
        norms, corpus_tags(svo_of()), frequency=frequencies(tea=5.0, quern=1.0), min_zipf=2.77
    )
    assert found.of("noun")["word"].to_list() == ["tea"]
    assert found.note is None


def test_inflected_forms_are_left_out_when_they_can_be_told() -> None:
    pytest.importorskip("lemminflect")
    from plausibly.backends.english import is_inflected

    norms = norms_of(bounce="Verb", bouncing="Verb", am="Verb", gloobing="Verb", news="Noun")
    found = filtered(norms, corpus_tags(svo_of()), frequency=None, inflected=is_inflected)
    assert sorted(found.of("verb")["word"]) == ["bounce", "gloobing"]
    assert found.of("noun")["word"].to_list() == ["news"]
    assert found.report["verb"]["lemmas"] == 2


def test_a_list_of_other_words_is_not_used_and_that_is_said() -> None:
    found = filtered(
        norms_of(gatto="Noun", topo="Noun", tea="Noun"),
        corpus_tags(svo_of()),
        frequency=frequencies(tea=5.0),
    )
    assert found.of("noun").height == 3
    assert found.note is not None
    assert "knows 33% of the rated words" in found.note


def test_predicted_norms_leave_the_part_of_speech_to_the_corpus() -> None:
    norms = norms_of(cook="", tea="", unseen="")
    predicted = Norms(norms.provenance, norms.rated, predicted=True)
    found = filtered(predicted, corpus_tags(svo_of("man cook tea")), frequency=None)
    assert found.of("verb")["word"].to_list() == ["cook"]
    assert found.of("noun")["word"].to_list() == ["tea"]
    assert found.report["noun"]["difference"] is None


@pytest.mark.parametrize(
    ("unit", "values"), [("count", (900, 100)), ("per_million", (9e5, 1e5)), ("zipf", (8.9542, 8))]
)
def test_frequencies_come_in_three_units(
    tmp_path: Path, unit: str, values: tuple[float, float]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text(f"Word,{unit}\nThe,{values[0]}\ntea,{values[1]}\n", encoding="utf-8")
    found = read_frequencies(path)
    zipf = found.zipf(pl.Series(["the", "THE", "tea", "sea"])).to_list()
    assert zipf == [pytest.approx(8.954, abs=1e-3)] * 2 + [pytest.approx(8.0), None]
    assert found.most_frequent(1) == ["the"]


def test_a_frequency_list_without_numbers_says_where(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("word,count\ntea,many\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"list\.csv:2: 1 of 1 rows"):
        read_frequencies(path)
    path.write_text("word,rank\ntea,1\n", encoding="utf-8")
    with pytest.raises(TableError, match="one of zipf, per_million, count"):
        read_frequencies(path)


def test_a_frequency_list_without_words_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("word,count\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"list\.csv: no words"):
        read_frequencies(path)


def test_a_frequency_list_loses_no_row_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("word,count\ntea,3\nsea\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"list\.csv:3: 1 columns, the header has 2"):
        read_frequencies(path)


class Vectors:
    """Fifty numbers a word, from its letters."""

    name = "letters"

    def places(self, words: Sequence[str]) -> list[int]:
        return [sum(map(ord, word)) % 999 if "q" not in word else -1 for word in words]

    def rows(self, places: Sequence[int]) -> Floats:
        rows = [np.random.default_rng(place).normal(size=50) for place in places]
        return np.array(rows, dtype=np.float32).reshape(-1, 50)


def test_the_shipped_estimator_rates_every_word_with_a_vector() -> None:
    norms = predicted_norms(pl.Series(["tea", "Tea", "sea-bed", "quiz", "x2", "idea"]), Vectors())
    assert norms.rated["word"].to_list() == ["idea", "sea-bed", "tea"]
    assert norms.rated["concreteness"].is_between(1, 5).all()
    assert norms.predicted
    assert "Predicted, not rated by people" in str(norms.provenance.note)


def test_a_prediction_does_not_depend_on_the_words_beside_it() -> None:
    from plausibly.datasets.lexica.predicted import shipped_model

    model: Model = shipped_model()
    alone = predict(["tea"], Vectors(), model)
    assert predict(["sea", "tea", "idea"], Vectors(), model)[1:2] == alone
