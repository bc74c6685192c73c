"""`plausibly build pap` and `build custom` from the outside."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.cli.groups import below
from plausibly.datasets.lexica.language import language
from plausibly.stimuli.pap.checks import check_items
from plausibly.stimuli.realise import Realiser
from worlds.svo import invented_norms, invented_svo, write_norms

FILES = {
    "balance.json",
    "goals.json",
    "identity.json",
    "bins.json",
    "cells.json",
    "cells.parquet",
    "funnel.json",
    "items.parquet",
    "ledger.parquet",
    "lexica.json",
    "manifest.json",
    "words.json",
}
COLUMNS = [
    *("item", "text", "condition", "kind", "expected", "combination", "subject", "verb", "object"),
    *("subject_concreteness", "verb_concreteness", "object_concreteness"),
]


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    norms = invented_norms(nouns=200, verbs=60)
    invented_svo(norms, rows=3000).write_parquet(tmp_path / "svo.parquet")
    write_norms(norms, tmp_path / "norms.tsv")
    files = ["--svo", str(tmp_path / "svo.parquet"), "--norms", str(tmp_path / "norms.tsv")]
    return ["build", "pap", *files, "--seed", "1", "--min-zipf", "0", "--per-cell", "3"]


def test_all_files_are_written(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert items.columns[: len(COLUMNS)] == COLUMNS
    assert items.drop_nulls("combination").height == 2 * 27 * 3
    ledger = pl.read_parquet(tmp_path / "out" / "ledger.parquet")
    assert ledger.columns[:3] == ["candidate", "rule", "reason"]
    said = capsys.readouterr()
    assert "outside_bins" in said.out
    assert "published 12880" in said.err


def test_json_output_is_one_document(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "-o", str(tmp_path / "out"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["funnel"]["attested"][0] == {"step": "read", "rows": 3000}
    assert len(document["cells"]) == 54
    written = json.loads((tmp_path / "out" / "funnel.json").read_text())
    assert written["published"]["attested"]["read"] == 62843


def test_the_same_command_writes_the_same_bytes(command: list[str], tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run([*command, "-o", str(tmp_path / name)]) == 0
    for file in FILES:
        one, two = (tmp_path / name / file for name in ("one", "two"))
        assert one.read_bytes() == two.read_bytes(), file


def test_short_cells_are_exit_1_with_their_table_and_nothing_written(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--per-cell", "400", "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "a-m-c" in said
    assert "take-all" in said
    assert not (tmp_path / "out").exists()
    many = [*command, "--per-cell", "400", "--short-cells", "take-all"]
    assert run([*many, "-o", str(tmp_path / "out")]) == 0
    assert "cells are short" in capsys.readouterr().err


def test_events_that_name_people_by_a_group_are_printed_and_written(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, ethics statement: users should know about biases of the source."""
    svo = pl.read_parquet(tmp_path / "svo.parquet")
    common = svo["subject"].mode().sort()[0]
    renamed = pl.col("subject", "object").replace({common: "widow"})
    svo.with_columns(renamed).write_parquet(tmp_path / "svo.parquet")
    norms = (tmp_path / "norms.tsv").read_text()
    (tmp_path / "norms.tsv").write_text(re.sub(rf"(?m)^{common}\t", "widow\t", norms))
    assert run([*command, "-o", str(tmp_path / "out"), "--json"]) == 0
    said = capsys.readouterr()
    report = json.loads((tmp_path / "out" / "identity.json").read_text())
    assert json.loads(said.out)["identity"] == report
    items = pl.read_parquet(tmp_path / "out" / "items.parquet").filter(kind="item")
    named = items.filter((pl.col("subject") == "widow") | (pl.col("object") == "widow"))
    assert sum(report["terms"]["widow"].values()) == report["events"] == named.height > 0
    assert f"{named.height} events name a group of people" in said.err


def test_feasibility_writes_nothing(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--feasibility", "60000", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["of"] == 60000
    assert len(document["cells"]) == 54
    assert {path.name for path in tmp_path.iterdir()} == {"svo.parquet", "norms.tsv"}


def test_a_mark_the_table_does_not_carry_is_said(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--no-negation", "-o", str(tmp_path / "out")]) == 1
    assert "no column 'negated'" in capsys.readouterr().err


def marked(folder: Path, name: str, values: Sequence[object], column: str = "negated") -> Path:
    svo = pl.read_parquet(folder / "svo.parquet")
    filled = [values[row % len(values)] for row in range(svo.height)]
    path = folder / name
    frame = svo.with_columns(pl.Series(column, filled))
    if path.suffix == ".csv":
        frame.write_csv(path)
    else:
        frame.write_ndjson(path)
    return path


@pytest.mark.parametrize("name", ["svo.csv", "svo.jsonl"])
@pytest.mark.parametrize("values", [[True, False, False], ["yes", "No", "no"], ["1", "0", "0"]])
def test_marks_of_text_files_are_heeded(
    command: list[str], tmp_path: Path, name: str, values: list[object]
) -> None:
    svo = marked(tmp_path, name, values)
    wanted = [*command, "--svo", str(svo), "--no-negation", "--per-cell", "1"]
    assert run([*wanted, "--short-cells", "take-all", "-o", str(tmp_path / "out")]) == 0
    rules = pl.read_parquet(tmp_path / "out" / "ledger.parquet")["rule"]
    assert (rules == "negated").sum() == 1000


def test_rows_that_cannot_be_used_are_named_by_line(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svo = marked(tmp_path, "svo.csv", ["no", "perhaps"] + ["no"] * 2998)
    assert run([*command, "--svo", str(svo), "--no-negation", "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "svo.csv:3: negated 'perhaps' is neither yes nor no" in said
    assert "1 bad row." in said
    for wrong in ("0", "-3", "nan", "many", "1.5"):
        svo = marked(tmp_path, "svo.csv", ["1", wrong] + ["2"] * 2998, "count")
        assert run([*command, "--svo", str(svo), "-o", str(tmp_path / "out")]) == 1
        said = capsys.readouterr().err
        assert f"svo.csv:3: count '{wrong}' is not a whole number above 0" in said
        assert said.count("svo.csv:3") == 1
    assert not (tmp_path / "out").exists()


def test_all_that_is_wrong_with_a_file_is_said_at_once(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "svo.csv").write_text(
        "subject,verb,object,count\ndog,see,cat,0\n,see,cat,1\ndog,see,tree,\ndog,see\n",
        encoding="utf-8",
    )
    svo = str(tmp_path / "svo.csv")
    assert run([*command, "--svo", svo, "-o", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    for line, what in ((2, "count '0'"), (3, "no subject"), (4, "no count"), (5, "2 columns")):
        assert f"svo.csv:{line}: {what}" in said
    assert "4 bad rows." in said


def refused(command: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run([*command, "-o", str(folder / "out")]) == 1
    assert not (folder / "out").exists()
    return capsys.readouterr().err


def test_no_triple_to_perturb_is_said_with_file_and_reason(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("subject,verb,object,count\n", encoding="utf-8")
    said = refused([*command, "--svo", str(empty)], tmp_path, capsys)
    assert f"{empty}: no triples." in said

    other = tmp_path / "other.tsv"
    other.write_text("Word\tConc.M\tDom_Pos\ntea\t4\tNoun\nsip\t3\tVerb\n", encoding="utf-8")
    said = refused([*command, "--norms", str(other)], tmp_path, capsys)
    assert "svo.parquet: no triple to perturb. All 3000" in said
    assert "no rating for the noun" in said
    assert "nouns in other.tsv: 1 rated, 1 pass the filter, 0 of these in the triples" in said

    words = tmp_path / "words.csv"
    norms = pl.read_csv(tmp_path / "norms.tsv", separator="\t")["Word"]
    pl.DataFrame({"word": norms, "zipf": 3.0}).write_csv(words)
    rare = [*command, "--frequency", str(words), "--min-zipf", "6"]
    said = refused(rare, tmp_path, capsys)
    assert "svo.parquet: no triple to perturb." in said
    assert "Lower --min-zipf" in said


def test_norms_without_verbs_are_said_to_have_none(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    norms = (tmp_path / "norms.tsv").read_text(encoding="utf-8").replace("Verb", "Adverb")
    (tmp_path / "nouns.tsv").write_text(norms, encoding="utf-8")
    said = refused([*command, "--norms", str(tmp_path / "nouns.tsv")], tmp_path, capsys)
    assert "Take norms that rate verbs." in said


@pytest.mark.parametrize("least", ["nan", "inf"])
def test_a_minimum_frequency_is_a_number(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], least: str
) -> None:
    assert run([*command, "--min-zipf", least, "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert f"--min-zipf must be a number; got {least}" in said


def test_without_a_folder_or_feasibility_the_usage_is_wrong(command: list[str]) -> None:
    assert run(command) == 2


def test_italian_wants_norms_of_its_own(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predicted = [*command, "--norms", "predicted", "--language", "it", "-o", str(tmp_path / "out")]
    assert run(predicted) == 1
    assert "building pap in Italian needs" in capsys.readouterr().err
    assert run([*command, "--language", "it", "-o", str(tmp_path / "out")]) == 0


@pytest.mark.parametrize(("draw", "price"), [("matched", "45 of 270"), ("type", "5 of 70")])
def test_the_price_of_a_draw_is_printed_and_kept(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], draw: str, price: str
) -> None:
    assert run([*command, "--draw", draw, "-o", str(tmp_path / "out")]) == 0
    said = f"draw {draw}: in our trial {price} perturbed events were plausible on reading"
    assert said in capsys.readouterr().err
    draws = json.loads((tmp_path / "out" / "balance.json").read_text())["draws"]
    assert len(draws) == 5


def test_nothing_english_is_in_an_italian_set(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run([*command, "--language", "it", "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert "published" not in said
    assert "No profanity list was applied: ours is English." in said
    checks = pl.read_parquet(out / "items.parquet").filter(pl.col("kind") == "check")
    assert checks["expected"].value_counts().sort("expected")["count"].to_list() == [10, 10]
    assert set(checks["text"]) <= set(check_items(Realiser(language("it")))["text"])
    lexica = json.loads((out / "lexica.json").read_text())
    assert lexica["profanity"]["entries"] == 0
    assert lexica["norms"]["filter"]["noun"]["published"] is None
    assert lexica["norms"]["filter_note"] is None
    assert json.loads((out / "funnel.json").read_text())["published"] is None


def test_an_italian_list_of_the_users_own_is_applied(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    word = str(pl.read_parquet(tmp_path / "svo.parquet")["subject"][0])
    (tmp_path / "rude.txt").write_text(word, encoding="utf-8")
    wanted = [*command, "--language", "it", "--profanity", str(tmp_path / "rude.txt")]
    assert run([*wanted, "-o", str(tmp_path / "out")]) == 0
    assert "No profanity list" not in capsys.readouterr().err
    assert (pl.read_parquet(tmp_path / "out" / "ledger.parquet")["rule"] == "profane").any()


def test_italian_words_whose_form_is_a_guess_are_named(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run([*command, "--language", "it", "--sentences", "-o", str(out)]) == 0
    said = capsys.readouterr().err
    assert re.search(r"\d+ verbs not in our lists, so the form is a guess: ", said)
    assert re.search(r"\d+ nouns not in our lists, so the form is a guess: ", said)


def test_the_balance_report_shows_what_each_draw_costs(command: list[str], tmp_path: Path) -> None:
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    balance = json.loads((tmp_path / "out" / "balance.json").read_text())
    assert balance["draw"] == "matched"
    assert balance["draws"]["matched"]["plausible"] == 45


@pytest.mark.parametrize("kind", ["rated", "predicted"])
def test_tables_say_whether_norms_are_rated_or_predicted(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    from plausibly.datasets.lexica.norms import Norms, read_norms
    from plausibly.verbs.build import pap

    def norms_for(triples: pl.DataFrame, given: str) -> Norms:
        return replace(read_norms(Path(given)), predicted=kind == "predicted")

    monkeypatch.setattr(pap, "_norms", norms_for)
    out = tmp_path / "out"
    assert run([*command, "-o", str(out)]) == 0
    items = pl.read_parquet(out / "items.parquet")
    assert set(items.filter(pl.col("kind") == "item")["norms"]) == {kind}
    assert items.filter(pl.col("kind") == "check")["norms"].is_null().all()
    assert set(pl.read_parquet(out / "ledger.parquet")["norms"]) == {kind}
    assert json.loads((out / "balance.json").read_text())["norms"] == kind
    assert {one["norms"] for one in json.loads((out / "cells.json").read_text())} == {kind}
    predicted = json.loads((out / "lexica.json").read_text())["norms"]["predicted"]
    assert predicted == (kind == "predicted")


def test_names_get_no_predicted_norm() -> None:
    pytest.importorskip("lemminflect")
    from plausibly.verbs.build.pap import _plain_words

    rows = [
        ("Tolstoy", "write", "book", 3),
        ("fc", "win", "Cup", 5),
        ("dog", "win", "cup", 9),
        ("tolstoy", "See", "dog", 1),
    ]
    triples = pl.DataFrame(rows, schema=["subject", "verb", "object", "count"], orient="row")
    assert _plain_words(triples).to_list() == ["book", "cup", "dog", "win", "write"]


def test_own_lists_take_the_place_of_ours(command: list[str], tmp_path: Path) -> None:
    word = str(pl.read_parquet(tmp_path / "svo.parquet")["subject"][0])
    (tmp_path / "rude.txt").write_text(word, encoding="utf-8")
    out = tmp_path / "out"
    assert run([*command, "--profanity", str(tmp_path / "rude.txt"), "-o", str(out)]) == 0
    rules = pl.read_parquet(out / "ledger.parquet")["rule"]
    assert (rules == "profane").any()
    assert json.loads((out / "lexica.json").read_text())["profanity"]["source"] == "rude.txt"


def test_custom_items_from_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("lemminflect")
    (tmp_path / "t.csv").write_text("noun,set\nowl,a\ngravel,b\n,b\n", encoding="utf-8")
    (tmp_path / "t.toml").write_text(
        "[[template]]\ntext = 'It is {noun:a}.'\ncondition = '{set}'\n", encoding="utf-8"
    )
    paths = [str(tmp_path / "t.csv"), "--templates", str(tmp_path / "t.toml")]
    assert run(["build", "custom", *paths, "-o", str(tmp_path / "out"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["funnel"][-1]["rows"] == 2
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert items.select("text", "condition").rows() == [
        ("It is an owl.", "a"),
        ("It is gravel.", "b"),
    ]
    assert pl.read_parquet(tmp_path / "out" / "ledger.parquet")["reason"].to_list() == ["no noun"]


def test_the_balance_of_any_items_can_be_asked_for(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    (tmp_path / "words.csv").write_text("word,count\nsee,5\n", encoding="utf-8")
    capsys.readouterr()
    ask = ["check", "balance", str(tmp_path / "out" / "items.parquet")]
    ask += ["--frequency", str(tmp_path / "words.csv")]
    assert run([*ask, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["items"] == {"attested": 81, "perturbed": 81}
    assert document["artefact_probe"]["auc"]["n"] == 162
    assert run(ask) == 0
    assert "standardised difference" in capsys.readouterr().out
    assert run([*ask, "--by", "conditon"]) == 1
    assert "Did you mean 'condition'" in capsys.readouterr().err


def test_help_lists_every_builder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "--help"]) == 0
    assert all(f"\n  {name} " in capsys.readouterr().out for name in ["pap"])
    assert {"pap", "custom", "adept", "sp10k", "gita", "iks", "match", "checks"} == set(
        below("build")
    )
    assert run(["build", "papp"]) == 2
    assert "Did you mean 'pap'?" in capsys.readouterr().err
