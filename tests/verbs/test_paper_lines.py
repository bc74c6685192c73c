"""Steps the papers describe, done with our commands as a reader of the paper would do them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.protocols.adept.people import direction_table, identity_table, predictions_table
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
    figure = again.figure()
    assert (figure.name, figure.svg) == ("confusion-majority", drawing)
    assert figure.table["items"].sum() == again.as_json()["accuracy"]["n"]
    assert figure.table["equally likely"].sum() == figure.table["items"].sum()
    three = pb.evaluate(said, against=pairs, scheme="adept-3", resamples=0)
    assert "decrease" in three.figure().svg


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
    for check in (*wording("en").checks, *wording(language or "en").checks):
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
    assert "low score: 1 (table drop)" in scored.talk[0]


def test_disagreements_are_consistent_or_conflicting_assessments() -> None:
    """ADEPT, section 4.2: more likely and necessarily true, rather than less and more likely."""
    answers = {
        "same": ("more likely", "more likely"),
        "consistent": ("more likely", "necessarily true"),
        "neutral": ("equally likely", "less likely"),
        "conflicting": ("less likely", "more likely"),
    }
    rows = [
        (item, who, one)
        for item, two in answers.items()
        for who, one in zip("ab", two, strict=True)
    ]
    table = direction_table(
        pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    ).table
    assert table["times"].to_list() == [1, 1, 1, 1]
    assert table["share of disagreements"].to_list() == [None, *[pytest.approx(1 / 3)] * 3]


def test_labels_are_counted_by_identity_term() -> None:
    """ADEPT, ethical considerations: a black witness, a female doctor."""
    rows = [
        ("black", "witness", "less likely"),
        ("black", "bag", "equally likely"),
        ("female", "doctor", "equally likely"),
    ]
    labelled = pl.DataFrame(rows, schema=["modifier", "noun", "label"], orient="row")
    figure = identity_table(labelled)
    assert figure is not None
    counts = dict(figure.table.select("adjective", "pairs").iter_rows())
    assert counts == {"black": 1, "female": 1, "all that group people": 2, "all others": 1}
    assert figure.table.filter(adjective="black")["share of decreases"].item() == 1.0
    assert identity_table(labelled.filter(noun="bag")) is None


def test_a_report_prints_right_and_wrong_predictions() -> None:
    """ADEPT, Table 6."""
    both = pl.DataFrame(
        {
            "item": list("abcdefgh"),
            "label": ["equally likely"] * 4 + ["impossible"] * 4,
            "predicted": ["equally likely"] * 8,
        }
    )
    texts = both.select("item", text=pl.format("A {} barks.", "item"))
    table = predictions_table("m", both, texts, seed=1).table
    assert table["right"].to_list() == [True] * 3 + [False] * 3
    assert table["sentence"].is_not_null().all()


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("majority", ["equally likely"] * 3),
        ("normative", ["less likely", "equally likely", "equally likely"]),
        ("normative-0", ["impossible", "equally likely", "equally likely"]),
        ("backoff-modifier", ["impossible", "more likely", "equally likely"]),
        ("backoff-noun", ["equally likely", "impossible", "impossible"]),
        ("backoff", ["equally likely", "more likely", "equally likely"]),
    ],
)
def test_baselines_need_no_training(tmp_path: Path, model: str, said: list[str]) -> None:
    """ADEPT, section 5.2: the majority, the normative rule, and what a modifier mostly does."""
    train = [("fake", "gun", 0), ("fake", "door", 0), ("fake", "key", 1), ("old", "gun", 3)]
    asked = [("fake", "pot"), ("old", "gun"), ("new", "gun")]

    def written(name: str, pairs: list[tuple[Any, ...]]) -> Path:
        rows = [
            {
                "idx": n,
                "sentence1": f"A {noun} falls.",
                "sentence2": f"A {modifier} {noun} falls.",
                "modifier": modifier,
                "noun": noun,
                "label": label[0] if label else 2,
            }
            for n, (modifier, noun, *label) in enumerate(pairs)
        ]
        (tmp_path / name).write_text(json.dumps(rows), encoding="utf-8")
        return tmp_path / name

    files = written("asked.json", list(asked)), written("train.json", list(train))
    train_file = files[1] if model.startswith("backoff") else None
    table = pb.models_predict(model, files[0], train=train_file).predictions
    assert table.sort("item")["label"].to_list() == said


def test_halves_that_a_file_does_not_name_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SP-10K, Table 6, on pairs of one's own: no row without a number, nothing drawn by None."""
    pairs = [("eat", "meal", 9.0), ("eat", "idea", 0.0), ("see", "cat", 5.0), ("see", "air", 2.0)]
    lines = [f"dobj\t{head}\t{dependent}\t{score}" for head, dependent, score in pairs]
    file = tmp_path / "pairs.tsv"
    file.write_text("\n".join(["relation\thead\tdependent\tscore", *lines]), encoding="utf-8")
    said = {"item": [f"dobj|{one[0]}|{one[1]}" for one in pairs], "score": [0.9, 0.1, 0.3, 0.3]}
    text = pl.lit(None, pl.String)
    table = pl.DataFrame(said).with_columns(
        question=pl.lit("preference"), model=pl.lit("m"), label=text, distribution=text
    )
    table.write_parquet(tmp_path / "p.parquet")
    command = ["evaluate", str(tmp_path / "p.parquet"), "--against", str(file)]
    assert run([*command, "--scheme", "sp10k", "--resamples", "0", "--undefined", "zero"]) == 0
    shown = capsys.readouterr()
    assert "dobj/random " not in shown.out
    assert "1 heads undefined, counted as 0" in shown.out
    assert "dobj/random is not shown: the file does not say which pairs" in shown.err
    assert "None" not in shown.err


def test_every_annotator_has_the_mean_agreement_of_their_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, section 4.2 and appendix B.3: the average soft Jaccard of all pairs of an annotator."""
    answers = {"ann": "554", "bob": "451", "cyd": "111"}
    rows = [(f"t{n}", who, answer) for who, own in answers.items() for n, answer in enumerate(own)]
    rows += [("alone", "dan", "5")]
    names = ["item", "annotator", "answer"]
    ratings = pl.DataFrame(rows, schema=names, orient="row")
    ratings.write_csv(tmp_path / "r.csv")
    command = ["agree", str(tmp_path / "r.csv"), "--sides", "1,2|4,5", "--by", "annotator"]
    assert run([*command, "--resamples", "0", "--json"]) == 0
    each = json.loads(capsys.readouterr().out)["averaged"]["annotator"]["each"]
    shares = {who: own.get("soft_jaccard") for who, own in each.items()}
    # ann and bob are on one side in 2 of 3 items, ann and cyd in none, bob and cyd in one.
    assert shares == {
        "ann": pytest.approx(1 / 3),
        "bob": pytest.approx(1 / 2),
        "cyd": pytest.approx(1 / 6),
        "dan": None,
    }
    assert (each["ann"]["annotators"], each["dan"]["annotators"]) == (2, 0)
    agreed = pb.agree(ratings, sides="1,2|4,5", by="annotator", resamples=0)
    assert agreed.parts is not None
    assert agreed.parts["soft_jaccard"].to_list() == [shares[one] for one in sorted(shares)]
    assert "gwet_ac1" not in agreed.parts.columns


def test_agreement_time_and_means_differ_by_relation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SP-10K, sections 3.2 and 3.4: by relation and by survey."""
    rows = [
        (f"{relation}{n}", who, str(1 + (n + shift * (who == "b")) % 5), seconds)
        for relation, shift, seconds in (("amod", 0, 3.0), ("nsubj", 2, 6.0))
        for n in range(6)
        for who in "ab"
    ]
    names = ["item", "annotator", "answer", "seconds"]
    ratings = pl.DataFrame(rows, schema=names, orient="row")
    relation = pl.col("item").str.strip_chars("0123456789")
    items = ratings.select("item", text="item", relation=relation).unique(maintain_order=True)
    ratings.write_csv(tmp_path / "r.csv")
    items.write_csv(tmp_path / "i.csv")
    command = ["agree", str(tmp_path / "r.csv"), "--items", str(tmp_path / "i.csv")]
    assert run([*command, "--by", "relation", "--resamples", "0", "--json"]) == 0
    each = json.loads(capsys.readouterr().out)["averaged"]["relation"]["each"]
    assert each["amod"]["percent_agreement"] == 1.0
    assert each["nsubj"]["percent_agreement"] == 0.0
    assert (each["amod"]["seconds"], each["nsubj"]["seconds"]) == (3.0, 6.0)
    agreed = pb.agree(ratings, items=items, by="relation", resamples=0)
    assert agreed.parts is not None
    assert agreed.parts["relation"].to_list() == ["amod", "nsubj"]
    assert agreed.parts["mean"].to_list() == [each[one]["mean"] for one in ("amod", "nsubj")]
    with pytest.raises(UnknownName, match="survey"):
        pb.agree(ratings, items=items, by="survey")


SETS = {
    "fit.tsv": "eat-v_sbj\totter-n\t6.5\neat-v_obj\tbun-n\t6.8\nmop-v_pmod+with\tmop-n\t5\n",
    "mcrae.csv": "Verb,Noun,Agent,Patient\neat,otter,6.5,2.0\neat,bun,1.0,6.8\n",
    "pado.csv": "verb,role,noun,rating\neat,ARG0,otter,6.5\neat,ARG1,bun,6.8\n",
    "keller.csv": "adjective,noun,score\nfresh,bun,1.2\nloud,bun,-0.3\n",
    "ours.csv": "relation,head,dependent,score\ndobj,eat,bun,9\n",
}


def test_sets_of_other_authors_are_read_and_counted_as_in_table_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SP-10K, Table 1: relation types, words and pairs of each set."""
    for name, text in SETS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [str(tmp_path / name) for name in SETS]
    assert run(["describe", "pairs", *files, "--json"]) == 0
    sizes = json.loads(capsys.readouterr().out)["sets"]
    counts = {name: (one["relations"], one["words"], one["pairs"]) for name, one in sizes.items()}
    assert counts == {
        "fit": (3, 4, 3),
        "mcrae": (2, 3, 4),
        "pado": (2, 3, 2),
        "keller": (1, 3, 2),
        "ours": (1, 2, 1),
    }
    norms = str(tmp_path / "mcrae.csv")
    assert run(["describe", "pairs", norms, "--format", "mcrae", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sets"]["mcrae"]["pairs"] == 4
    pairs = pb.describe_pairs(files).pairs
    assert ("mcrae", "nsubj", "eat", "otter", 6.5) in pairs.rows()
    assert ("keller", "amod", "bun", "loud", -0.3) in pairs.rows()
    bad = tmp_path / "bad.csv"
    bad.write_text("verb,noun,agent\neat,otter,high\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"bad\.csv:2"):
        pb.describe_pairs([bad])
