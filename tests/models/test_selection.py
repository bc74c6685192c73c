"""Models of selectional preference on counts small enough to work out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plausibly as pb
from plausibly.datasets.wordnet import NounTree
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.models import nn
from plausibly.models.counts import PairCounts, Vocabulary, pair_counts, read_counts
from plausibly.models.ds import Similarity
from plausibly.models.pairs import SEEN, predictions_of
from plausibly.models.pp import Posterior, best_mass
from plausibly.models.regression import fit_regression
from plausibly.models.resnik import noun_classes
from plausibly.models.selection import KINDS, NEED_VECTORS, Choices, asked, fit_pairs
from plausibly.models.stored import read_model, write_model
from plausibly.models.vectors import WordVectors, looked_up, ppmi_svd, read_vectors

SMALL = nn.Network(embedding=4, hidden=4, epochs=2, pairs=64)


def counts(*rows: tuple[str, str, int]) -> PairCounts:
    return pair_counts(pl.DataFrame(rows, schema=["head", "dependent", "count"], orient="row"))


EAT = counts(("eat", "bread", 6), ("eat", "soup", 2), ("Eat", "Bread", 2), ("read", "book", 5))


def pairs(*rows: tuple[str, str], relation: str = "dobj") -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=["head", "dependent"], orient="row")
    return frame.with_columns(relation=pl.lit(relation))


ASKED = pairs(("eat", "bread"), ("eat", "book"), ("fly", "soup"), ("fly", "kite"))


def world(heads: int = 40, seed: int = 1) -> pl.DataFrame:
    """Return counts in which verbs of one kind take nouns of the same kind."""
    generator = np.random.default_rng(seed)
    rows = [
        {
            "relation": "dobj",
            "head": f"v{head}",
            "dependent": f"n{2 * generator.integers(30) + head % 2}",
            "count": int(generator.integers(1, 9)),
        }
        for head in range(heads)
        for _ in range(12)
    ]
    frame = pl.DataFrame(rows)
    return frame.group_by("relation", "head", "dependent").agg(pl.col("count").sum()).sort(pl.all())


def test_spellings_of_one_word_are_one_word() -> None:
    assert EAT.at(EAT.heads.places(["EAT"]), EAT.dependents.places(["bread"])).tolist() == [8.0]
    assert EAT.total == 15


def test_the_published_probability_is_zero_where_nothing_was_seen() -> None:
    found = Posterior().scores(ASKED, EAT)
    assert found.score.tolist() == [0.8, 0.0, 0.0, 0.0]
    assert found.level.tolist() == [2, 0, 0, 0]


def test_a_smoothed_probability_backs_off_to_how_frequent_the_dependent_is() -> None:
    found = Posterior(10).scores(ASKED, EAT)
    shares = np.array([8, 5, 2, 1]) / 16
    expected = [(8 + 10 * shares[0]) / 20, 10 * shares[1] / 20, shares[2], shares[3]]
    np.testing.assert_allclose(found.score, expected)
    assert found.level.tolist() == [2, 1, 1, 0]


def test_the_best_mass_is_small_where_heads_are_choosy_and_large_where_not() -> None:
    rows = [(f"h{h}", f"d{h % 3}" if h % 2 else f"e{h % 3}", 40) for h in range(30)]
    choosy = counts(*rows)
    anything = counts(*((f"h{h}", f"d{d}", 2) for h in range(30) for d in range(20)))
    assert best_mass(choosy) < best_mass(anything)


@pytest.mark.parametrize("mass", [-1.0, float("nan")])
def test_a_mass_below_zero_is_refused(mass: float) -> None:
    with pytest.raises(StudyError, match="0 or more"):
        Posterior(mass)


def loop(
    head: str, dependent: str, own: PairCounts, vectors: WordVectors, chosen: Similarity
) -> float:
    """Equation 2 of the paper, one pair at a time."""
    unit, known = vectors.unit([dependent])
    place = own.heads.places([head])[0]
    if place < 0 or not known[0]:
        return 0.0
    row = own.table[[place]].tocoo()
    total, norm = 0.0, 0.0
    for column, count in zip(row.col, row.data, strict=True):
        other = own.dependents.words[column]
        vector, there = vectors.unit([other])
        if not there[0] or (chosen.leave_out and other == dependent):
            continue
        weight = count if chosen.weights == "frequency" else 1.0
        if chosen.weights == "discriminative":
            having = int((own.table[:, [column]].toarray() > 0).sum())
            weight = np.log(len(own.heads) / having + 1)
        total += weight * float(unit[0] @ vector[0])
        norm += weight
    return total / norm if norm else 0.0


@pytest.mark.parametrize("weights", ["frequency", "uniform", "discriminative"])
@pytest.mark.parametrize("leave_out", [False, True])
def test_similarity_is_the_equation_of_the_paper(weights: str, leave_out: bool) -> None:
    own = pair_counts(world())
    generator = np.random.default_rng(3)
    words = own.dependents.words[:-2]
    table = generator.normal(size=(len(words), 7)).astype(np.float32)
    vectors = WordVectors("drawn", Vocabulary(words), table)
    chosen = Similarity(weights, leave_out)  # type: ignore[arg-type]
    wanted = [(f"v{h}", own.dependents.words[d]) for h in range(0, 44, 4) for d in (0, 5, -1)]
    found = chosen.scores(pairs(*wanted), own, vectors)
    expected = [loop(h, d, own, vectors, chosen) for h, d in wanted]
    np.testing.assert_allclose(found.score, expected, atol=1e-5)


def test_a_pair_alone_has_no_others_to_be_like() -> None:
    vectors = WordVectors("two", Vocabulary(("book",)), np.ones((1, 2), dtype=np.float32))
    found = Similarity(leave_out=True).scores(pairs(("read", "book")), EAT, vectors)
    assert found.score.tolist() == [0.0]
    assert found.level.tolist() == [0]


def test_an_unknown_weight_is_named() -> None:
    with pytest.raises(UnknownName, match="frequency"):
        Similarity("idf")  # type: ignore[arg-type]


def test_vectors_of_the_counts_put_words_of_one_kind_together() -> None:
    own = {"dobj": pair_counts(world())}
    vectors = ppmi_svd(own, size=5, seed=1)
    unit, _ = vectors.unit([f"n{number}" for number in range(60)])
    alike = unit @ unit.T
    kind = np.arange(60) % 2
    same = kind[:, None] == kind[None, :]
    assert alike[same].mean() > alike[~same].mean() + 0.2


def test_the_same_seed_gives_the_same_vectors_where_few_singular_values_differ() -> None:
    own = {"dobj": counts(*((f"v{number}", f"n{number % 25}", 1) for number in range(40)))}
    first = ppmi_svd(own, size=60, seed=1).table
    assert all(np.array_equal(first, ppmi_svd(own, size=60, seed=1).table) for _ in range(4))


def test_one_pair_makes_no_vectors() -> None:
    with pytest.raises(TableError, match="too few"):
        ppmi_svd({"dobj": counts(("eat", "bread", 1))})


def test_vectors_are_read_from_text(tmp_path: Path) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text("2 3\nDog 1 0 0\ncat 0 1 0.5\n", encoding="utf-8")
    vectors = read_vectors(file)
    assert vectors.words.words == ("dog", "cat")
    assert vectors.unit(["DOG", "cow"])[1].tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [("dog 1 0\ncat 1\n", ":2: expected a word and 2 numbers"), ("dog x\n", ":1:"), ("", "no vec")],
)
def test_broken_vectors_are_named_by_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=message):
        read_vectors(file)


def test_a_network_learns_which_kind_goes_with_which() -> None:
    own = pair_counts(world(60))
    weights = nn.fit(
        own, nn.Network(embedding=8, hidden=8, epochs=30, pairs=20_000, patience=9), seed=1
    )
    every = [(f"v{h}", f"n{d}") for h in range(60) for d in range(60)]
    found = nn.scores(pairs(*every), own, weights).score.reshape(60, 60)
    kind = np.arange(60) % 2
    same = kind[:, None] == kind[None, :]
    assert np.mean(found[same]) > np.mean(found[~same]) + 0.5


def test_a_network_says_nothing_about_words_it_never_saw() -> None:
    own = pair_counts(world())
    found = nn.scores(pairs(("v1", "dragon")), own, nn.fit(own, SMALL, seed=1))
    assert np.isnan(found.score[0])
    assert found.level.tolist() == [0]


def fitted(kind: str, *, scores: pl.DataFrame | None = None, seed: int = 1) -> object:
    own = {"dobj": pair_counts(world())}
    vectors = ppmi_svd(own, size=5, seed=1) if kind in NEED_VECTORS else None
    words = [f"n{n}" for n in range(60)]
    tree = NounTree({w: (int(w[1:]) % 2,) for w in words}, {0: (2,), 1: (2,)})
    choices = Choices(network=SMALL, scores=scores, classes=noun_classes(tree), seed=seed)
    return fit_pairs(kind, own, vectors, choices)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stored_model_says_what_the_fitted_one_says(kind: str, tmp_path: Path) -> None:
    model = fitted(kind)
    write_model(model, tmp_path / "model")  # type: ignore[arg-type]
    again = read_model(tmp_path / "model")
    wanted = pairs(("v1", "n1"), ("v2", "n59"), ("v3", "dragon"), ("king", "n2"))
    first, second = (
        predictions_of(wanted, asked(one), model=kind)  # type: ignore[arg-type]
        for one in (model, again)
    )
    assert first.equals(second)
    assert first["evidence"].is_in(["seen", "backed-off", "unknown"]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_model(kind: str) -> None:
    one, other = fitted(kind), fitted(kind)
    for name, array in one.arrays.items():  # type: ignore[attr-defined]
        np.testing.assert_array_equal(array, other.arrays[name])  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "nn"])
def test_a_seen_pair_of_the_right_kind_beats_an_unseen_one_of_the_wrong_kind(kind: str) -> None:
    own = pair_counts(world())
    table = own.table.tocoo()
    seen = [
        (own.heads.words[r], own.dependents.words[c]) for r, c in zip(*table.coords, strict=True)
    ]
    wrong = [(head, f"n{int(dependent[1:]) ^ 1}") for head, dependent in seen]
    found = predictions_of(pairs(*seen, *wrong), asked(fitted(kind)), model=kind)  # type: ignore[arg-type]
    by_evidence = found.group_by("evidence").agg(pl.col("score").mean())
    means = dict(by_evidence.iter_rows())
    assert all(means[SEEN] > mean for level, mean in means.items() if level != SEEN)


def people(heads: int = 40) -> pl.DataFrame:
    generator = np.random.default_rng(5)
    rows = [
        {
            "relation": "dobj",
            "head": f"v{head}",
            "dependent": f"n{noun}",
            "score": 5.0 * (noun % 2 == head % 2) + generator.normal(0, 0.5),
        }
        for head in range(heads)
        for noun in generator.choice(60, size=4, replace=False)
    ]
    return pl.DataFrame(rows)


def test_a_combination_learns_from_people_and_predicts_heads_it_left_out() -> None:
    scores = people()
    found = predictions_of(scores, asked(fitted("combined", scores=scores)), model="m")  # type: ignore[arg-type]
    named = scores.with_columns(
        item=pl.concat_str("relation", "head", "dependent", separator="|")
    ).join(found.select("item", said="score"), on="item")
    assert np.corrcoef(named["score"], named["said"])[0, 1] > 0.5


def test_a_head_is_never_predicted_from_its_own_scores() -> None:
    scores = people()
    moved = scores.with_columns(
        score=pl.when(pl.col("head") == "v7")
        .then(pl.col("score") + 1000)
        .otherwise(pl.col("score"))
    )
    wanted = scores.filter(pl.col("head") == "v7")
    said = [
        predictions_of(wanted, asked(fitted("combined", scores=table)), model="m")["score"]  # type: ignore[arg-type]
        for table in (scores, moved)
    ]
    np.testing.assert_allclose(said[0], said[1])


def test_a_handful_of_heads_is_too_few_to_learn_from() -> None:
    with pytest.raises(TableError, match="3 heads are too few"):
        fitted("combined", scores=people(3))
    with pytest.raises(StudyError, match="numbers"):
        fit_regression([np.ones((30, 1))], np.full(30, np.nan), [f"{n}" for n in range(30)], seed=1)


def test_a_relation_the_model_never_saw_is_named() -> None:
    with pytest.raises(StudyError, match=r"no relation 'amod'.*dobj"):
        predictions_of(pairs(("a", "b"), relation="amod"), asked(fitted("pp")), model="m")  # type: ignore[arg-type]


def test_pairs_of_a_relation_the_model_never_saw_keep_the_others_predicted(tmp_path: Path) -> None:
    """SP-10K, Table 1: sets of other authors have relations that SP-10K lacks."""
    write_model(fitted("pp"), tmp_path / "pp.model")  # type: ignore[arg-type]
    table = pl.concat([ASKED, pairs(("knife", "bread"), relation="compound")])
    table.write_csv(tmp_path / "pairs.csv")
    result = pb.models_predict(tmp_path / "pp.model", tmp_path / "pairs.csv")
    assert result.predictions.height == ASKED.height
    assert result.talk == (
        "1 of 5 pairs have no prediction, because the model was not fitted on their relation "
        "(compound 1).",
    )


def test_unknown_kinds_and_missing_vectors_are_refused() -> None:
    with pytest.raises(UnknownName, match="ppmi"):
        fit_pairs("lda", {})
    with pytest.raises(StudyError, match="needs word vectors"):
        fit_pairs("ds", {"dobj": EAT})


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("no")
    for name in ("m", "missing"):
        with pytest.raises(TableError, match="model"):
            read_model(tmp_path / name)


def test_counts_are_read_from_a_folder_and_by_relation(tmp_path: Path) -> None:
    world().write_parquet(tmp_path / "counts.parquet")
    assert list(read_counts(tmp_path)) == ["dobj"]
    with pytest.raises(UnknownName, match="dobj"):
        read_counts(tmp_path / "counts.parquet", relation="amod")
    with pytest.raises(TableError, match=r"counts\.parquet"):
        read_counts(tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (world().clear(), "no counts"),
        (world().drop("head"), "no column 'head'"),
        (world().with_columns(count=pl.lit(0)), "below 1"),
    ],
)
def test_broken_counts_are_refused(tmp_path: Path, frame: pl.DataFrame, message: str) -> None:
    frame.write_parquet(tmp_path / "counts.parquet")
    with pytest.raises(TableError, match=message):
        read_counts(tmp_path)


def test_vectors_of_another_package_are_taken_for_the_words_there_are() -> None:
    def look(words: object) -> tuple[list[int], np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
        del words
        return [0], np.ones((1, 2), dtype=np.float32)

    vectors = looked_up("theirs", {"dobj": EAT}, look)
    assert vectors.words.words == ("book",)


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(8)))
def test_the_order_of_counts_does_not_matter(order: list[int]) -> None:
    rows = world(8).head(8)
    one, other = pair_counts(rows), pair_counts(rows[order])
    assert one.heads.words == other.heads.words
    np.testing.assert_array_equal(one.table.toarray(), other.table.toarray())
