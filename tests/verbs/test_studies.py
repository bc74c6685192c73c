"""A study from Python: functions named like the commands, and the same as methods of `Study`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.cli import run


def test_a_study_runs_reports_and_releases_by_function_method_and_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = pb.init("custom", tmp_path / "otters", example=True)
    assert pb.run(study.folder, explain=True)[0].step == "ratings"
    assert pb.status(study.folder) == study.status()
    assert pb.run(study.folder, first="ratings", to="clean")[-1].step == "clean"
    pages = [pb.report(study.folder).write(tmp_path / "a"), study.report().write(tmp_path / "b")]
    assert run(["report", str(study.folder), "-o", str(tmp_path / "c")]) == 0
    for name in ("report.html", "explorer.html"):
        written = {(page / name).read_bytes() for page in [study.folder, *pages, tmp_path / "c"]}
        assert len(written) == 1, name
    whole = pb.release(study.folder, splits="train=0.5,test=0.5")
    assert study.release(splits="train=0.5,test=0.5").as_json() == whole.as_json()
    capsys.readouterr()
    assert run(["release", str(study.folder), "-o", str(tmp_path / "release")]) == 0
    assert capsys.readouterr().err.count("Read it back") == 1


def test_a_report_of_a_study_that_waits_for_people_is_an_error(tmp_path: Path) -> None:
    study = pb.init("custom", tmp_path / "otters")
    (study.folder / "items.csv").write_text("item,text\nt1,otter paints ladder\n")
    with pytest.raises(pb.PlausiblyError, match="plausibly serve"):
        pb.report(study.folder)


def test_what_ratings_cannot_support_is_in_the_report_and_the_document(tmp_path: Path) -> None:
    folder = pb.init("custom", tmp_path / "otters", example=True).folder
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(
        text.replace("# method = (not set)", 'method = "dawid-skene"'), encoding="utf-8"
    )
    page = pb.report(folder).page
    warnings = json.loads((folder / "label.json").read_text(encoding="utf-8"))["warnings"]
    for said in ("dawid-skene learns", "use ordinal"):
        assert any(said in warning for warning in warnings)
        assert said in page
    assert "Dawid and Skene&#39;s model with a pooled prior" in page
    assert "the ratings do not show how probable it is" in page
    settings.write_text(
        text.replace("# method = (not set)", 'method = "dawid-skene"\nprior = "none"')
    )
    page = pb.report(folder).page
    assert '<span data-fact="unsure">0</span>' in page
    assert "the ratings do not show how probable it is" in page


def test_cleaning_that_leaves_nothing_stops_the_study_and_names_the_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = pb.init("custom", tmp_path / "otters", example=True)
    rules = study.folder / "rules.toml"
    rules.write_text('[[rules]]\nrule = "few_ratings"\nfewer_than = 1000\n', encoding="utf-8")
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('preset = "recommended"', 'preset = "rules.toml"'))
    assert 'preset = "rules.toml"' in path.read_text(encoding="utf-8")
    assert run(["run", str(study.folder)]) == 1
    message = capsys.readouterr().err
    assert "few ratings set aside all" in message
    assert "Is this the right file" not in message
    assert (study.folder / "clean/exclusions.parquet").is_file()


def test_a_date_in_study_toml_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = pb.init("custom", tmp_path / "otters", example=True)
    study.run(to="agree")
    path = study.folder / "study.toml"
    kept = [one for one in path.read_text(encoding="utf-8").split("\n") if "measures" not in one]
    place = kept.index("[agree]") + 1
    path.write_text("\n".join([*kept[:place], "measures = 2026-01-01", *kept[place:]]))
    assert run(["status", str(study.folder)]) == 2
    assert f"study.toml:{place + 1}: [agree] measures holds a date" in capsys.readouterr().err


def test_a_report_of_forced_choices_claims_no_label_and_has_one_minus_sign(tmp_path: Path) -> None:
    """Two people always choose the other candidate, so that agreement is below chance."""
    folder = tmp_path / "pairs"
    folder.mkdir()
    items = [f"p{n},Which?,,," for n in range(6)]
    items += [f"p{n}#{name},{name} {n},p{n},{name}," for n in range(6) for name in ("a", "b")]
    lines = ["item,text,source,candidate,note", *items]
    (folder / "pairs.csv").write_text("\n".join(lines), encoding="utf-8")
    rows = [f"p{n},{who},best,{'ab'[(n + k) % 2]}" for n in range(6) for k, who in enumerate("xy")]
    answers = "\n".join(["item,annotator,question,answer", *rows])
    (folder / "answers.csv").write_text(answers, encoding="utf-8")
    (folder / "study.toml").write_text(
        '[study]\nname = "pairs"\nprotocol = "custom"\n[build]\ntable = "pairs.csv"\n'
        '[ratings]\nsource = "answers.csv"\n[form]\nid = "f"\n'
        '[[form.questions]]\nid = "best"\ntype = "best-of-n"\ntext = "Which?"\n',
        encoding="utf-8",
    )
    page = pb.report(folder).page
    assert "share of people who chose each candidate was computed" in page
    assert "No labels were made" in page
    assert "weights people by how much they seem to know" not in page
    seen = re.sub(r"(?s)<(script|style|svg).*?</\1>|<[^>]+>", " ", page)
    assert "\N{MINUS SIGN}0." in seen
    assert not re.search(r"(?<![\w.,;:/-])-\d", seen)
