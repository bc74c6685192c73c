"""Steps that a paper describes and a study may ask for: by command, in a study and from Python."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError
from plausibly.protocols.iks.protocol import IKS
from plausibly.registry import PROTOCOLS
from plausibly.replications.own import rebuilt
from plausibly.study.outline import outline_of
from plausibly.study.settings import write_settings
from protocols.test_models_in_studies import document, printed, told

Done = Callable[[str], Path]
OF_PAIRS = ("models_fit", "describe_pairs", "score_overlap", "score_pseudo")


def copied(done: Done, name: str, to: Path) -> Path:
    """Return a copy of an example study that was run."""
    shutil.copytree(done(name), to / name)
    return to / name


@pytest.mark.parametrize("protocol", sorted(PROTOCOLS))
def test_every_protocol_has_the_sections_of_its_papers(protocol: str) -> None:
    steps = [step.name for step in outline_of(protocol).steps]
    assert "experts_compare" in steps
    assert [name in steps for name in OF_PAIRS] == [protocol in ("sp10k", "custom")] * 4
    assert ("score_candidates" in steps) == (protocol == "iks")


@pytest.fixture
def of_pairs(done: Done, tmp_path: Path) -> Path:
    """Return a study of SP-10K with counts, assertions and norms of other people."""
    folder = copied(done, "sp10k", tmp_path)
    items = pl.read_parquet(folder / "items.parquet").filter(kind="item")
    (folder / "corpus").mkdir(exist_ok=True)
    words = items.select("relation", "head", "dependent").unique().sort(pl.all())
    counts = words.with_columns(count=pl.int_range(1, pl.len() + 1))
    counts.write_parquet(folder / "corpus" / "counts.parquet")
    known = words.head(5).select(
        pl.lit("RelatedTo").alias("relation"), start="head", end="dependent"
    )
    known.write_csv(folder / "assertions.csv")
    (folder / "mcrae.csv").write_text("verb,noun,agent,patient\neat,otter,6.5,2\neat,bun,1,6.8\n")
    return folder


def test_three_ways_of_what_sp10k_does_with_pairs_agree(
    of_pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SP-10K, sections 1, 4 and 5: Table 1, pseudo-disambiguation, PP and DS, ConceptNet."""
    fitting = {"kind": ["pp", "ds"], "counts": "corpus", "size": 2}
    asking = {"counts": "corpus", "models": "pp", "kinds": "uniform", "resamples": 20, "share": 0.4}
    told(of_pairs, models_fit=fitting, score_pseudo=asking)
    told(of_pairs, score_overlap={"assertions": "assertions.csv"})
    told(of_pairs, describe_pairs={"sets": ["items.parquet", "mcrae.csv"]})
    ran = [one.step for one in pb.Study(of_pairs).run() if one.state == "run"]
    assert {*OF_PAIRS, "models_predict", "evaluate", "compare", "report"} <= set(ran)
    items, labels = of_pairs / "items.parquet", of_pairs / "labels.parquet"
    corpus, known = of_pairs / "corpus", of_pairs / "assertions.csv"

    scored = pb.score_overlap(items, labels=labels, assertions=known)
    words: list[object] = ["score", "overlap", items, "--labels", labels, "--assertions", known]
    assert printed(capsys, *words, "--json") == scored.as_json()
    assert document(of_pairs / "score_overlap.json") == scored.as_json()
    assert scored.shares["all"]["all"]["exact"].n == pl.read_parquet(labels).height
    for name in ("matches", "drop", "add"):
        kept = pl.read_parquet(of_pairs / "score_overlap" / f"{name}.parquet")
        assert kept.equals(getattr(scored, name))
    assert (of_pairs / "score_overlap" / "relations.svg").read_text() == scored.drawing

    sets = pb.describe_pairs([items, of_pairs / "mcrae.csv"])
    assert printed(capsys, "describe", "pairs", items, of_pairs / "mcrae.csv", "--json") == (
        sets.as_json()
    )
    assert document(of_pairs / "describe_pairs.json") == sets.as_json()
    assert pl.read_parquet(of_pairs / "describe_pairs" / "pairs.parquet").equals(sets.pairs)

    seed = pb.Study(of_pairs).settings.seed
    own: dict[str, Any] = {**asking, "counts": corpus, "seed": seed}
    pseudo = pb.score_pseudo(**own).as_json()
    options = [w for key, one in asking.items() if key != "counts" for w in (f"--{key}", one)]
    words = ["score", "pseudo", corpus, *options, "--seed", seed, "--json"]
    assert printed(capsys, *words) == pseudo == document(of_pairs / "score_pseudo.json")

    fitted = document(of_pairs / "models_fit.json")["models"]
    predicted = pl.read_parquet(of_pairs / "predictions.parquet")
    for kind in ("pp", "ds"):
        model = tmp_path / f"{kind}.model"
        words = ["models", "fit", kind, "--counts", corpus, "--size", 2, "--seed", seed]
        assert printed(capsys, *words, "-o", model, "--json") == fitted[kind]
        assert model.read_bytes() == (of_pairs / "fitted" / f"{kind}.model").read_bytes()
        from_python = pb.models_fit(kind, counts=corpus, size=2, seed=seed)
        assert from_python.as_json() == fitted[kind]
        said = pb.models_predict(model, items).predictions
        assert predicted.filter(model=kind)["score"].equals(said["score"])

    page = (of_pairs / "report.html").read_text(encoding="utf-8")
    for one in ("describe-pairs", "score-overlap", "score-pseudo"):
        assert page.count(f'id="exhibit-{one}"') == 1


def test_what_pairs_are_scored_with_is_followed(of_pairs: Path) -> None:
    told(of_pairs, models_fit={"kind": "pp", "counts": "corpus"})
    told(of_pairs, models_predict={"models": ["mine"]}, compare={"resamples": 0, "permutations": 9})
    pb.models_fit("ppmi", counts=of_pairs / "corpus").save(of_pairs / "mine")
    study = pb.Study(of_pairs)
    study.run(to="models_predict")
    assert not {one.state for one in study.run(to="models_predict")} - {"done"}
    pb.models_fit("pp", counts=of_pairs / "corpus").save(of_pairs / "mine")  # fitted again
    again = [one.step for one in study.run(to="models_predict") if one.state == "run"]
    assert again == ["models_predict"]
    counts = pl.read_parquet(of_pairs / "corpus" / "counts.parquet")
    counts.with_columns(pl.col("count") + 5).write_parquet(of_pairs / "corpus" / "counts.parquet")
    again = [one.step for one in study.run(to="models_predict") if one.state == "run"]
    assert again == ["models_fit", "models_predict"]
    told(of_pairs, models_fit={"kind": "ppp"})
    with pytest.raises(PlausiblyError, match=r"unknown kind of model in \[models_fit\] 'ppp'"):
        pb.Study(of_pairs).run()


def test_a_release_with_fitted_models_can_be_done_again(of_pairs: Path, tmp_path: Path) -> None:
    told(of_pairs, models_fit={"kind": ["pp", "ppmi"], "counts": "corpus"})
    told(of_pairs, score_overlap={"assertions": "assertions.csv"})
    told(of_pairs, evaluate={"resamples": 20}, compare={"resamples": 20, "permutations": 20})
    pb.Study(of_pairs).run()
    pb.release(of_pairs).write(tmp_path / "released")
    records, _ = rebuilt(tmp_path / "released")
    verdicts = {one.id.removeprefix("release.report."): one.verdict for one in records}
    unlike = {name: one for name, one in verdicts.items() if one != "exact"}
    corpus_and_surveys = {"sp10k-table-5", "sp10k-surveys"}
    assert set(unlike.values()) == {"not computable"}
    assert set(unlike) - corpus_and_surveys == {"overlap", "overlap-add", "overlap-drop"}
    assert verdicts["model-comparisons"] == "exact"


def test_three_ways_of_comparing_experts_with_the_crowd_agree(
    done: Done, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ADEPT, section 4.2: two experts label a random sample; kappas and direction."""
    folder = copied(done, "adept", tmp_path)
    labels = pl.read_parquet(folder / "labels.parquet").drop_nulls("label").sort("item")
    ordered = labels["label"].unique().sort().to_list()
    judged = [
        {"item": item, "annotator": who, "answer": ordered[n % 2] if who == "ben" else label}
        for n, (item, label) in enumerate(labels.select("item", "label").iter_rows())
        for who in ("anna", "ben")
    ]
    pl.DataFrame(judged).write_csv(folder / "judged.csv")
    sides = f"{ordered[0]}|{ordered[-1]}"
    told(folder, experts_compare={"ratings": "judged.csv", "sides": sides})
    pb.Study(folder).run()
    place = folder / "labels.parquet"
    own = pb.experts_compare(folder / "judged.csv", labels=place, sides=sides)
    assert own.as_json()["kappa_with_crowd"]["anna"]["value"] == 1.0
    words = ["experts", "compare", folder / "judged.csv", "--labels", place, "--sides", sides]
    assert printed(capsys, *words, "--json") == own.as_json()
    assert document(folder / "experts_compare.json") == own.as_json()
    kept = pl.read_parquet(folder / "experts_compare" / "disagreements.parquet")
    assert kept.equals(own.disagreements)
    assert 'id="table-experts"' in (folder / "report.html").read_text(encoding="utf-8")


def test_three_ways_of_scoring_sentences_against_references_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The manual: candidates next to a reference, and what people say about them."""
    folder = tmp_path / "study"
    folder.mkdir()
    pairs = [f"i{n},It rains {n}.,We stay in.,Rain {n} is wet." for n in range(4)]
    (folder / "pairs.csv").write_text("\n".join(["item,source_1,source_2,reference", *pairs, ""]))
    wrote = [
        f"i{n},{s},{t}" for n in range(4) for s, t in (("a", f"Rain {n} is wet."), ("b", "No."))
    ]
    (folder / "wrote.csv").write_text("\n".join(["item,system,sentence", *wrote, ""]))
    sections: dict[str, dict[str, Any]] = {
        "build": {"sources": "pairs.csv", "candidates": ["wrote.csv"]},
        "score_candidates": {"candidates": ["wrote.csv"], "resamples": 20},
        "ratings": {"source": "answers.csv", "format": "long"},
    }
    write_settings(folder, IKS, name="study", overrides=sections)
    study = pb.Study(folder)
    study.run(to="build")
    key = tmp_path / "study-key.parquet"
    named = pl.read_parquet(key).select("item", "system")
    rated = [
        {"item": item, "annotator": who, "question": "coherence", "answer": answer}
        for item, system in named.iter_rows()
        for who in "xy"
        for answer in ["YES" if system == "a" else "NO"]
    ]
    pl.DataFrame(rated).write_csv(folder / "answers.csv")
    study.run(to="score_candidates")
    written = document(folder / "score_candidates.json")
    files: dict[str, Any] = {"sources": folder / "pairs.csv"}
    files["ratings"] = folder / "clean" / "ratings.parquet"
    own = pb.score_candidates(
        [folder / "wrote.csv"], blind_key=key, resamples=20, seed=study.settings.seed, **files
    )
    assert own.as_json() == written
    assert written["correlations"]["coherence"]["bleu"]["value"] == 1.0
    words: list[object] = ["score", "candidates", folder / "wrote.csv"]
    words += [w for name, one in files.items() for w in (f"--{name}", one)]
    words += ["--blind-key", key, "--resamples", 20, "--seed", study.settings.seed]
    assert printed(capsys, *words, "--json") == written
    kept = pl.read_parquet(folder / "score_candidates" / "sentences.parquet")
    assert kept.equals(own.sentences)
    assert run([*map(str, words), "-o", str(tmp_path / "scored.parquet")]) == 0
    assert pl.read_parquet(tmp_path / "scored.parquet").equals(own.sentences)


def test_a_file_of_a_step_is_looked_for_in_the_study_alone(
    of_pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(of_pairs / "assertions.csv", tmp_path / "elsewhere" / "other.csv")
    monkeypatch.chdir(tmp_path / "elsewhere")
    told(of_pairs, score_overlap={"assertions": "other.csv"})
    with pytest.raises(PlausiblyError, match=r"other\.csv"):
        pb.Study(of_pairs).run(to="score_overlap")
    assert run(["status", str(of_pairs)]) == 0


@pytest.mark.parametrize("protocol", ["adept", "gita", "iks", "pap", "sp10k"])
def test_the_example_study_is_released_in_the_form_of_its_paper(
    done: Done, protocol: str, tmp_path: Path
) -> None:
    released = pb.release(done(protocol))
    released.write(tmp_path / "out")
    assert not [one for one in released.talk if "forms are left out" in one]
    forms = [one for one in (tmp_path / "out" / "forms").rglob("*") if one.is_file()]
    assert forms
    leaning = "leans_to"  # an input of rehearsals
    assert leaning not in pl.read_parquet(tmp_path / "out" / "data" / "items.parquet").columns
    if protocol == "adept":
        assert leaning in pl.read_parquet(done(protocol) / "items.parquet").columns
        checked = pb.check_adept(forms[0]).as_json()
        assert checked["pairs"] == checked["exact"] > 0


def test_what_is_wrong_with_a_section_of_pairs_is_named(of_pairs: Path) -> None:
    (of_pairs / "odd.csv").write_text("relation,kopf,score\ndobj,eat,3\n", encoding="utf-8")
    settings = (of_pairs / "study.toml").read_text(encoding="utf-8")
    asserted = "assertions.csv"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"describe_pairs": {"sets": ["odd.csv"]}}, r"odd\.csv: not in a form we know.*kopf"),
        (
            {"describe_pairs": {"sets": ["mcrae.csv"], "format": "pado"}},
            r"mcrae\.csv: no column 'role'",
        ),
        (
            {"score_overlap": {"assertions": asserted, "dataset": "omc"}},
            r"\[score_overlap\] dataset 'omc'. Did you mean 'omcs'",
        ),
        ({"models_fit": {"kind": "ppp", "counts": "corpus"}}, r"\[models_fit\] 'ppp'"),
        (
            {"score_pseudo": {"counts": "corpus", "share": 1.5}},
            r"\[score_pseudo\] share must be in",
        ),
    ]
    for sections, message in wrong:
        (of_pairs / "study.toml").write_text(settings, encoding="utf-8")
        told(of_pairs, **sections)
        with pytest.raises(PlausiblyError, match=message):
            pb.Study(of_pairs).run()


def test_columns_of_experts_are_named_in_their_section(done: Done, tmp_path: Path) -> None:
    study = copied(done, "adept", tmp_path)
    items = pl.read_parquet(study / "labels.parquet").drop_nulls("label")["item"].head(4)
    rows = [f"{item},{who},{2 + place % 2}" for who in "ab" for place, item in enumerate(items)]
    (study / "judged.csv").write_text("\n".join(["item,who,answer", *rows]), encoding="utf-8")
    told(study, experts_compare={"ratings": "judged.csv"})
    with pytest.raises(PlausiblyError, match=r"\[experts_compare\] columns: annotator=who"):
        pb.Study(study).run()
    settings = (study / "study.toml").read_text(encoding="utf-8")
    before, _, after = settings.partition("[experts_compare]")
    after = after.replace("columns = {  }", 'columns = { annotator = "who" }', 1)
    (study / "study.toml").write_text(f"{before}[experts_compare]{after}", encoding="utf-8")
    assert "experts_compare" in [one.step for one in pb.Study(study).run() if one.state == "run"]
