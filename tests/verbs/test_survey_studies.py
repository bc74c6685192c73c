"""A survey file as the source of a study: what people wrote reaches the report."""

from __future__ import annotations

from pathlib import Path

import plausibly as pb

HEADER = "Zeitstempel,Semester,Wie plausibel? [Der Stein singt.],Wie plausibel? [Es regnet.]"
ROWS = "\n".join(
    f"2026/05/{day:02d} 10:00:00,{day},{1 + day % 3},{3 + day % 5},{'Satz 1!' if day == 2 else ''}"
    for day in range(1, 9)
)


def test_remarks_about_a_whole_survey_are_in_the_report(tmp_path: Path) -> None:
    file = tmp_path / "antworten.csv"
    file.write_text(f"{HEADER},Anmerkungen\n{ROWS}\n", encoding="utf-8")
    study = pb.init("custom", tmp_path / "study")
    settings = tmp_path / "study" / "study.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('"serve"', f'"{file}"', 1), encoding="utf-8")
    assert all(one.state in ("done", "run", "current") for one in study.run())
    page = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    comments = page.partition('id="comments"')[2].partition("</section>")[0]
    assert "the whole survey" in comments
    assert comments.count("Satz 1!") == 1
    assert "Semester" not in page


def test_missing_answers_are_not_counted_as_those_of_one_question(tmp_path: Path) -> None:
    rows = [f"i{i},a{a},{q},{1 + (i + a) % 5}\n" for q in "st" for i in range(4) for a in range(3)]
    text = "".join(["item,annotator,question,answer\n", *rows, "i1,a4,t,NA\n", "i2,a4,t,NA\n"])
    (tmp_path / "answers.csv").write_text(text, encoding="utf-8")
    study = pb.init("custom", tmp_path / "study")
    settings = tmp_path / "study" / "study.toml"
    toml = settings.read_text(encoding="utf-8")
    settings.write_text(toml.replace('"serve"', '"../answers.csv"', 1), encoding="utf-8")
    assert all(one.state in ("done", "run", "current") for one in study.run())
    page = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    assert "In all questions together, 2 further answers were read as missing: “NA”." in page
    assert "</span> of the ratings (<span" in page
