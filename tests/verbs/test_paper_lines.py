"""Steps the papers describe, done with our commands as a reader of the paper would do them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.ratings.collection import collection_form
from plausibly.ratings.forms import Form
from plausibly.stimuli.adept.candidates import _Judge
from plausibly.stimuli.sp10k.surveys import wording
from plausibly.study import PROTOCOLS
from plausibly.verbs.build.adept import _profane_phrases

CLASSES = ("impossible", "less likely", "equally likely", "more likely", "necessarily true")
MODIFIERS = ("dead", "big", "loud", "old")


def counts_file(folder: Path) -> Path:
    """Return counts of two relations in which heads of one half have dependents of one half."""
    rows = [
        f"{relation},v{h},n{d},{1 + (h * d) % 7}"
        for relation in ("dobj", "nsubj")
        for h in range(12)
        for d in range(20)
        if (h % 2 == d % 2) == (relation == "dobj") and (h + d) % 5
    ]
    path = folder / "counts.csv"
    header = "relation,head,dependent,count"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def pairs_file(folder: Path, count: int = 40) -> Path:
    """Return pairs in ADEPT's form: the label of a pair goes with its number."""
    rows: list[dict[str, Any]] = [
        {
            "idx": n,
            "sentence1": f"A dog{n // 4} barks.",
            "sentence2": f"A {MODIFIERS[n % 4]} dog{n // 4} barks.",
            "modifier": MODIFIERS[n % 4],
            "noun": f"dog{n // 4}",
            "label": n % 5,
        }
        for n in range(count)
    ]
    path = folder / "pairs.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def said_about(folder: Path) -> Path:
    """Return predictions that are always `equally likely`."""
    pb.models_predict("majority", pairs_file(folder)).write_table(
        "predictions", folder / "p.parquet"
    )
    return folder / "p.parquet"


def test_example_sentences_along_with_predictions_right_and_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """ADEPT, section 6 and Table 6; Figures 2 and 3: confusion matrices of the best models."""
    said, pairs = str(said_about(tmp_path)), str(tmp_path / "pairs.json")
    command = ["evaluate", said, "--against", pairs, "--scheme", "adept-5", "--resamples", "0"]
    command += ["--examples", "3", "--figures", str(tmp_path / "figures"), "--json"]
    assert run(command) == 0
    cases = pl.DataFrame(json.loads(capsys.readouterr().out)["examples"])
    assert cases["right"].to_list() == [True] * 3 + [False] * 3
    assert set(cases.filter("right")["label"]) == {"equally likely"}
    assert cases.filter(~pl.col("right"))["label"].is_in(CLASSES).all()
    assert cases["text"].str.contains("barks").all()
    drawing = (tmp_path / "figures" / "confusion-majority.svg").read_text(encoding="utf-8")
    assert "<svg" in drawing
    assert all(name in drawing for name in CLASSES)
    again = pb.evaluate(said, against=pairs, scheme="adept-5", resamples=0, examples=3)
    assert again.examples is not None
    assert again.examples.drop("model").equals(cases)
    three = pb.evaluate(said, against=pairs, scheme="adept-3", resamples=0)
    assert "decrease" in three.drawings()["majority"]


def test_examples_and_matrices_are_refused_where_a_scheme_has_no_classes(tmp_path: Path) -> None:
    events = tmp_path / "events.csv"
    rows = "subject,verb,object,label\ndog,eat,bone,1\nbone,eat,dog,0\n"
    events.write_text(rows, encoding="utf-8")
    said = pb.models_predict("events-lite", events).predictions
    for options in ({"examples": 2}, {"figures": tmp_path / "f"}):
        with pytest.raises(StudyError, match=next(iter(options))):
            pb.evaluate(said, against=events, scheme="events", resamples=0, **options)


def test_pairs_from_a_corpus_are_positive_and_random_fake_pairs_negative_examples(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SP-10K, section 1: pseudo-disambiguation."""
    file = str(counts_file(tmp_path))
    assert run(["score", "pseudo", file, "--models", "pp,ppmi", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    scored = pb.score_pseudo(file, models="pp,ppmi")
    assert scored.as_json() == document
    own = scored.accuracies
    assert own.height == own["relation"].n_unique() * 2 * 3
    # PP gives pairs it has not seen 0: every held-out pair ties with its negative.
    assert set(own.filter(model="pp")["accuracy"]) == {0.5}
    smoother = pb.score_pseudo(file, models="ds", kinds="uniform", size=10).accuracies
    assert (smoother["low"] <= smoother["accuracy"]).all()
    assert (smoother["accuracy"] <= smoother["high"]).all()
    assert (smoother["accuracy"] > 0.6).all()


def test_changing_the_corpus_of_testing_changes_the_pairs_that_are_asked(tmp_path: Path) -> None:
    """SP-10K, section 1: another corpus may result in different conclusions."""
    file = counts_file(tmp_path)
    other = tmp_path / "other.csv"
    header = "relation,head,dependent,count\n"
    other.write_text(f"{header}dobj,v0,n1,2\ndobj,v2,n2,1\n", encoding="utf-8")
    scored = pb.score_pseudo(file, test=other, relation="dobj", models="ppmi", kinds="uniform")
    # (v2, n2) is in the counts the model was fitted on, so only (v0, n1) is asked about.
    assert scored.accuracies["pairs"].item() == 1
    with pytest.raises(UnknownName, match="resnik"):
        pb.score_pseudo(file, models="resnik")


def form_of(protocol: str, language: str = "", **section: Any) -> Form:
    """Return the form of a protocol, with what a study sets."""
    return collection_form(PROTOCOLS[protocol], section, where="study.toml", language=language)


def test_the_extremes_of_adept_are_defined_as_in_section_3() -> None:
    """Impossible: improbable or illogical; necessarily true: also by repetition."""
    form = form_of("adept")
    labels = dict(zip(form.questions[0].options, form.questions[0].labels, strict=True))
    assert "improbable or illogical" in labels["impossible"]
    assert "repeats itself" in labels["necessarily true"]
    assert any("improbable or illogical" in line for line in form.instructions)


@pytest.mark.parametrize("language", ["", "it"])
def test_a_changed_sense_is_a_sixth_answer_that_is_kept_out_of_the_five(language: str) -> None:
    """ADEPT, section 6: cases where modifiers alter the interpretation or the grammar."""
    effect = form_of("adept", language, arm="sixth-answer").questions[0]
    assert effect.options == (*CLASSES, "sense changed or ungrammatical")
    assert effect.unsure == ("sense changed or ungrammatical",)
    assert len(effect.labels) == 6
    assert form_of("adept", language).questions[0].options == CLASSES


@pytest.mark.parametrize("language", ["", "it"])
def test_people_are_asked_whether_a_sentence_holds_without_its_adjective(language: str) -> None:
    """ADEPT, section 2: deleting the adjective does not always result in non-entailment."""
    form = form_of("adept", language, arm="entailment")
    assert form.questions[0].options[::4] == ("certainly false", "certainly true")
    assert form.practice == ()


@pytest.mark.parametrize("language", ["", "it"])
def test_checkpoints_are_selected_from_the_worked_examples(language: str) -> None:
    """SP-10K, section 3.1."""
    guides = form_of("sp10k", language).guides
    for check in wording("en").checks:
        example = " ".join(guides[check["relation"]])
        assert check["head"] in example
        assert check["dependent"] in example


def test_people_are_to_mind_the_part_of_speech() -> None:
    """SP-10K, appendix A.1."""
    assert any("part of speech" in line for line in form_of("sp10k").instructions)
    assert any("parte del discorso" in line for line in form_of("sp10k", "it").instructions)


def test_a_survey_of_103_questions_fits_on_one_page() -> None:
    """SP-10K, appendix A.1."""
    assert form_of("sp10k", per_page=103).per_page == 103


def test_adjectives_before_nouns_are_moderated_by_a_classifier_besides_the_list() -> None:
    """ADEPT, section 4.1: preset lists and automatic moderation tools."""
    pytest.importorskip("profanity_check")
    pairs = pl.DataFrame({"noun": ["dog", "dog"], "adjective": ["Brown", "fucking"]})
    phrases = _profane_phrases(pairs, 0.9)
    assert list(phrases) == ["fucking dog"]
    assert "classifier" in phrases["fucking dog"]
    assert _profane_phrases(pairs, None) == {}
    judge = _Judge({}, phrases, *[cast(Any, None)] * 3)
    refusal = judge.refusal("dog", "fucking", "fucking")
    assert refusal is not None
    assert refusal.rule == "profane_word"


def test_low_scores_list_assertions_to_drop_and_high_ones_pairs_to_add(tmp_path: Path) -> None:
    """SP-10K, section 5: SP as a way to represent commonsense knowledge."""
    rated, known = tmp_path / "pairs.tsv", tmp_path / "assertions.tsv"
    rows = ["dobj\tsing\tsong\t9.5", "dobj\teat\tmail\t0.5", "dobj\tpeel\tpotato\t8"]
    rated.write_text("relation\thead\tdependent\tscore\n" + "\n".join(rows), encoding="utf-8")
    told = ["UsedFor\ta song\tsinging", "UsedFor\tmail\teating", "IsA\tmail order\teat cheese"]
    known.write_text("relation\tstart\tend\n" + "\n".join(told), encoding="utf-8")
    scored = pb.score_overlap(rated, assertions=known)
    assert scored.drop.select("start", "end", "score").rows() == [("mail", "eating", 0.5)]
    assert scored.add.rows() == [("dobj", "peel", "potato", 8.0)]
    assert "1 assertions" in scored.talk[0]
