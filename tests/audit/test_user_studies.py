"""What a study of your own must report about its data: AUDIT A, findings 1 to 8."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.ratings.collection import collection_form
from plausibly.ratings.forms import Question
from plausibly.study import PROTOCOLS
from plausibly.study.runner import StepState

PEOPLE = range(6)
RULES_WITHOUT_DATA = ("too fast", "unmoved slider", "failed check")

Answer = Callable[[int, int], int]


def seven_points(item: int, person: int) -> int:
    """Return an answer from 1 to 7, at most one away from the others on the item."""
    return 2 + item * 3 % 5 + (item * person + person) % 3 - 1


def slider(item: int, person: int) -> int:
    """Return an answer from 0 to 100 that two people share on every item."""
    return 10 * ((item * 3 + person % 3) % 11)


def split(item: int, person: int) -> int:
    """Return an answer that is a tie of 3 and 6 on every third item, 4 by all on the others."""
    return (3, 6)[person % 2] if item % 3 == 0 else 4


def table_of(answer: Answer, *, items: int = 12, more: str = "") -> str:
    """Return a CSV with one answer per item and person; `more` is a constant last column."""
    name, _, value = more.partition("=")
    head, tail = (f",{name}", f",{value}") if more else ("", "")
    rows = [f"Q{i + 1},p{p},{answer(i, p)}{tail}" for i in range(items) for p in PEOPLE]
    return "\n".join([f"item,annotator,answer{head}", *rows]) + "\n"


def study_of(folder: Path, answers: str, *, settings: str = "") -> pb.Study:
    """Return a custom study that reads a file of answers and sets only what is written."""
    folder.mkdir()
    (folder / "answers.csv").write_text(answers)
    (folder / "study.toml").write_text(
        '[study]\nname = "otters"\nprotocol = "custom"\n\n'
        f'[ratings]\nsource = "answers.csv"\n\n{settings}\n'
    )
    return pb.Study(folder)


def document(study: pb.Study, name: str) -> Any:
    return json.loads((study.folder / name).read_text())


def shown(study: pb.Study, section: str = "") -> str:
    """Return the words of a section of the report, or of the whole page."""
    page = (study.folder / "report.html").read_text()
    if section:
        page = re.split(rf'<section id="{section}"[^>]*>', page)[1].split("</section>")[0]
    page = re.sub(r"<(style|script|svg).*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def notes_of(states: Iterable[StepState]) -> str:
    """Return what `run` reports besides the states of its steps, rules in words."""
    return " ".join(note for one in states for note in (*one.notes, one.reason)).replace("_", " ")


# A 1


def test_empty_sides_stay_empty(tmp_path: Path) -> None:
    study = study_of(
        tmp_path / "s",
        table_of(seven_points),
        settings='[clean]\nsides = ""\n[agree]\nsides = "1,2|4,5"\n',
    )
    assert study.settings.sections["clean"]["sides"] == ""


@pytest.mark.parametrize("answer", [seven_points, slider])
def test_headline_and_cleaning_table_agree_on_the_same_ratings(
    answer: Answer, tmp_path: Path
) -> None:
    study = study_of(tmp_path / "s", table_of(answer), settings='[clean]\nsides = ""\n')
    study.run()
    *_, last = document(study, "clean.json")
    assert last["ratings"]["total"] == document(study, "report.json")["kept"]
    headline = document(study, "agree.json")["soft_jaccard"]["value"]
    assert last["agreement"]["soft_jaccard"]["value"] == pytest.approx(headline)
    assert "1,2|4,5" not in shown(study, "cleaning")


def test_init_writes_what_is_not_set_as_a_comment(tmp_path: Path) -> None:
    written = (pb.init("custom", tmp_path / "s").folder / "study.toml").read_text()
    assert "# sides = (as in [agree] sides)" in written
    assert "# min_share = 0.7" in written
    assert "# scheme = (not set)" in written
    assert pb.Study(tmp_path / "s").settings.sections["clean"]["sides"] == ""


# A 2


def test_a_tie_is_undecided_in_a_study(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(split), settings='[label]\nmethod = "plurality"\n')
    study.run()
    labels = pl.read_parquet(study.folder / "labels.parquet")
    undecided = labels.filter(pl.col("label").is_null())["item"].to_list()
    assert sorted(undecided) == ["Q1", "Q10", "Q4", "Q7"]
    assert document(study, "report.json")["undecided"] == 4


def test_the_report_counts_ties(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(split), settings='[label]\nmethod = "plurality"\n')
    study.run()
    tie = r"\b(ties?|tied)\b"
    assert re.search(rf"\b4\b[^.;]*{tie}|{tie}[^.;]*\b4\b", shown(study, "summary"))
    assert re.search(tie, shown(study, "labels"))


# A 3

ONE_TIME = "submitted=2026-03-01T10:00:00"


def test_no_figure_of_order_where_no_order_is_known(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(seven_points, more=ONE_TIME))
    study.run()
    assert 'id="figure-order"' not in (study.folder / "report.html").read_text()


@pytest.mark.parametrize("time", [ONE_TIME, ""], ids=["one time", "no times"])
def test_the_page_reports_that_no_order_is_known(time: str, tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(seven_points, more=time))
    study.run()
    sentences = re.split(r"(?<=[.;])\s", shown(study, "ratings"))
    assert any(
        re.search(r"\b(order|place in a session)\b", one)
        and re.search(r"\b(no|not|unknown)\b", one)
        for one in sentences
    )


# A 4


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> tuple[pb.Study, str]:
    """Return a study of a file without times, sliders or checks, and what `run` reported."""
    study = study_of(tmp_path_factory.mktemp("bare") / "s", table_of(seven_points))
    return study, notes_of(study.run())


@pytest.mark.parametrize("rule", RULES_WITHOUT_DATA)
def test_a_rule_without_data_did_not_meet_nobody(rule: str, bare: tuple[pb.Study, str]) -> None:
    ran, _, unable = shown(bare[0], "methods").partition("Rules that could not run:")
    assert not re.search(rule, ran)
    assert re.search(rule, unable)


@pytest.mark.parametrize("rule", RULES_WITHOUT_DATA)
def test_run_and_report_name_the_rules_that_could_not_run(
    rule: str, bare: tuple[pb.Study, str]
) -> None:
    study, notes = bare
    assert rule in notes
    refusal = (
        r"\b(could not|cannot|did not run|not judged|not applied|no (times|sliders?|checks))\b"
    )
    for section in ("cleaning", "methods"):
        assert re.search(refusal, shown(study, section))


# A 5


def test_one_model_of_two_questions_is_refused_and_names_them() -> None:
    rows = [
        (f"t{i}", f"p{p}", question, str(answer), float(answer), ("old", "new")[i % 2])
        for i in range(8)
        for p in PEOPLE
        for question, answer in (("typical", seven_points(i, p)), ("clear", 1 + (i + p) % 2))
    ]
    columns = ["item", "annotator", "question", "answer", "value", "condition"]
    ratings = pl.DataFrame(rows, schema=columns, orient="row")
    with pytest.raises(pb.PlausiblyError, match=r"clear.*typical|typical.*clear"):
        pb.analyse(ratings, terms="condition", random="")


# A 6

FAMILIAR = ("donne", "ragazze", "macchine", "scarpe", "finestre", "chiese")
SELDOM = ("lane", "mine", "cave", "pale", "lime", "pose")
"""Words that are rarer in Italian than those above, and more frequent as English ones."""


def italian(language: str | None) -> pl.DataFrame:
    texts = [f"Nessuno ha mai visto quelle {noun}." for noun in (*FAMILIAR, *SELDOM)]
    conditions = ["familiar"] * len(FAMILIAR) + ["seldom"] * len(SELDOM)
    names = [f"t{n}" for n in range(len(texts))]
    items = pl.DataFrame({"item": names, "text": texts, "condition": conditions})
    return items if language is None else items.with_columns(language=pl.lit(language))


def difference(items: pl.DataFrame, **options: Any) -> float:
    """Return how much more frequent the words of familiar items are, in standard deviations."""
    report = pb.check_balance(items, **options).as_json()
    return float(report["standardised_differences"]["mean_zipf"])


def test_italian_frequencies_differ_in_sign_from_english_ones() -> None:
    assert difference(italian(None), language="it") > 0 > difference(italian(None), language="en")


def test_balance_uses_the_language_of_the_items() -> None:
    assert difference(italian("it")) == pytest.approx(difference(italian(None), language="it"))


def test_balance_never_assumes_english() -> None:
    outcome: float | str
    try:
        outcome = difference(italian(None))
    except pb.PlausiblyError as refusal:
        outcome = str(refusal)
    assert "lang" in outcome if isinstance(outcome, str) else outcome > 0


# A 7

SYSTEMS = ("heron", "lark", "wren")
BEST = "heron"


def write_sentences(folder: Path, *, items: int = 6) -> list[Path]:
    """Write sources and one file of candidates per system; return the sources first."""
    names = [f"e{n}" for n in range(items)]
    sources = folder / "sources.csv"
    rows = [f"{name},The {name} fell.,Nobody saw the {name}.,falling is quick" for name in names]
    sources.write_text("\n".join(["item,source_1,source_2,reference", *rows]) + "\n")
    written = []
    for system in SYSTEMS:
        path = folder / f"{system}.csv"
        lines = [f"{name},the {name} of a {len(system)}{system[0]}" for name in names]
        path.write_text("\n".join(["item,sentence", *lines]) + "\n")
        written.append(path)
    return [sources, *written]


def judged(key: pl.DataFrame) -> pl.DataFrame:
    """Return two people's answers: one system is right every time, the others never."""
    rows = [
        (item, person, "content_c", "YES" if system == BEST else "NO")
        for item, system in key.select("item", "system").iter_rows()
        for person in ("a", "b")
    ]
    rows += [
        (source, person, "content_d", candidate)
        for source, candidate in key.filter(system=BEST).select("source", "candidate").iter_rows()
        for person in ("a", "b")
    ]
    return pl.DataFrame(rows, schema=["item", "annotator", "question", "answer"], orient="row")


def built_study(folder: Path) -> tuple[pb.Study, Path]:
    """Return an iks study whose items were built and judged, and its key."""
    folder.mkdir()
    sources, *candidates = (str(path) for path in write_sentences(folder.parent))
    (folder / "study.toml").write_text(
        '[study]\nname = "gaps"\nprotocol = "iks"\n\n[ratings]\nsource = "answers.csv"\n\n'
        f"[build]\nsources = {json.dumps(sources)}\ncandidates = {json.dumps(candidates)}\n"
    )
    study = pb.Study(folder)
    study.run(to="build")
    key = folder.parent / f"{folder.name}-key.parquet"
    judged(pl.read_parquet(key)).write_csv(folder / "answers.csv")
    return study, key


def test_a_built_study_reports_the_true_systems(tmp_path: Path) -> None:
    study, _ = built_study(tmp_path / "s")
    study.run()
    systems = document(study, "score_iks.json")["systems"]
    assert set(systems) == set(SYSTEMS)
    assert {name: one["best"]["value"] for name, one in systems.items()} == {
        name: float(name == BEST) for name in SYSTEMS
    }
    assert all(name in shown(study, "systems") for name in SYSTEMS)


def test_without_a_key_there_is_no_table_of_systems(tmp_path: Path) -> None:
    study, key = built_study(tmp_path / "s")
    key.unlink()
    study.run()
    assert '<section id="systems">' not in (study.folder / "report.html").read_text()
    assert re.search(r"\bkey\b", shown(study))


def test_the_key_of_a_build_names_the_systems_of_its_ratings(tmp_path: Path) -> None:
    sources, *candidates = write_sentences(tmp_path)
    pb.build_iks(sources=sources, candidates=candidates, seed=1).write(tmp_path / "out")
    key = tmp_path / "out-key.parquet"
    ratings = judged(pl.read_parquet(key))
    report = pb.score_iks(ratings, items=key, resamples=20).as_json()
    assert {name: one["best"]["value"] for name, one in report["systems"].items()} == {
        name: float(name == BEST) for name in SYSTEMS
    }


# A 8

LANGUAGES = ("en", "it")
BOTH_SENTENCES = {"en": r"\b(both|two)\b.*\bsentences\b", "it": r"\b(entrambe|due)\b.*\bfrasi\b"}
ONE_SENTENCE = {"en": r"\bone of\b|\bonly one\b", "it": r"\buna (sola|delle)\b|\bsolo una\b"}
BY_ITSELF = {"en": "by itself", "it": "da solo"}
CONTRADICTS = {"en": "contradict", "it": "contradd"}
UNRELATED = {"en": "nothing to do", "it": "c'entra"}


def asked(question: str, language: str) -> Question:
    form = collection_form(PROTOCOLS["iks"], {}, where="study.toml", language=language)
    return next(one for one in form.questions if one.id == question)


def reading(question: Question, option: str) -> str:
    """Return how a form explains an answer, in lower case."""
    return dict(zip(question.options, question.labels, strict=True))[option].lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_coherence_is_asked_with_respect_to_both_source_sentences(language: str) -> None:
    question = asked("coherence", language)
    assert re.search(BOTH_SENTENCES[language], f"{question.text} {question.hint}".lower())
    assert BY_ITSELF[language] not in reading(question, "YES")


@pytest.mark.parametrize("language", LANGUAGES)
def test_partly_coherent_includes_only_one_of_the_two_sentences(language: str) -> None:
    assert re.search(ONE_SENTENCE[language], reading(asked("coherence", language), "PARTLY"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_for_content_is_misleading_or_contradictory_and_nothing_else(language: str) -> None:
    label = reading(asked("content_c", language), "NO")
    assert CONTRADICTS[language] in label
    assert UNRELATED[language] not in label


# A 13


def test_missing_answers_are_named_once_and_counted_on_the_page(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(split))
    text = (study.folder / "study.toml").read_text()
    source = 'source = "answers.csv"'
    (study.folder / "study.toml").write_text(text.replace(source, f'{source}\nmissing = "3"'))
    study.run()
    used = document(study, "agree.json")["ratings"]
    labels = pl.read_parquet(study.folder / "labels.parquet")
    assert document(study, "report.json")["kept"] == used == labels["ratings"].sum() == 60
    assert "12 further answers were read as missing: “3”." in shown(study, "summary")
    assert "Agreement on the 60 ratings kept" in shown(study, "agreement")


def test_missing_elsewhere_than_in_ratings_is_refused(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(split), settings='[agree]\nmissing = "3"\n')
    with pytest.raises(pb.PlausiblyError, match=r"\[ratings\] missing"):
        study.run()


# A 14


def test_a_rule_that_needs_more_checks_than_anybody_answered_is_reported(tmp_path: Path) -> None:
    study = study_of(tmp_path / "s", table_of(seven_points))
    items = [(f"Q{n + 1}", f"text {n}", "check" if n == 0 else "item", "3") for n in range(12)]
    frame = pl.DataFrame(items, schema=["item", "text", "kind", "expected"], orient="row")
    frame.write_parquet(study.folder / "items.parquet")
    assert "no annotator answered more than 1 of the 3 checks" in notes_of(study.run())


@pytest.mark.parametrize("section", ["cleaning", "methods"])
def test_thresholds_are_written_in_words(section: str, bare: tuple[pb.Study, str]) -> None:
    words = shown(bare[0], section)
    assert "more than 34 %" in words
    for name in ("min checks", "attention True", "seconds below", "chance below", "min share"):
        assert name not in words
