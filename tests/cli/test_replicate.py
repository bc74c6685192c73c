"""`plausibly replicate`."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from plausibly import replicate
from plausibly.cli import run
from worlds.pap import write_checks, write_norms, write_release

KEYS = ["id", "published", "recomputed", "verdict", "rule", "note"]
MORE = ["statement", "place", "says", "reading"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_release(tmp_path)
    write_norms(tmp_path)
    write_checks(tmp_path)
    return tmp_path


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["replicate", *arguments]) == 0
    return capsys.readouterr().out


def test_json_is_one_list_of_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replicate", "pap", "--data", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    records = json.loads(said.out)
    assert all(list(record)[:6] == KEYS and set(MORE) <= set(record) for record in records)
    total = {record["id"]: record for record in records}["pap.ratings.total"]
    assert (total["published"], total["recomputed"], total["verdict"]) == (15571, 63, "erratum")
    assert "printed statements:" in said.err


@pytest.mark.parametrize("statements", [False, True])
def test_the_command_prints_what_the_function_returns(
    folder: Path, capsys: pytest.CaptureFixture[str], statements: bool
) -> None:
    options = ["--statements"] if statements else []
    printed = output(capsys, "pap", "--data", str(folder), "--json", *options)
    assert json.loads(printed) == replicate("pap", data=folder, statements=statements).as_json()


def test_statements_have_one_verdict_and_their_records_below(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = output(capsys, "pap", "--data", str(folder), "--json", "--statements")
    statements = json.loads(printed)
    keys = {"statement", "place", "says", "published", "verdict", "note", "readings"}
    assert all(keys <= set(one) for one in statements)
    assert len({one["statement"] for one in statements}) == len(statements)
    records = [record for one in statements for record in one["readings"]]
    assert len(records) == len(replicate("pap", data=folder).records)


def test_the_text_opens_with_six_lines_and_goes_on_with_errata(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = output(capsys, "pap", "--data", str(folder)).splitlines()
    assert max(map(len, lines)) <= 100
    first = [line for line in lines[: lines.index("")] if not line.startswith("  ")]
    assert len(first) == 6
    assert first[0].startswith("65 printed statements")
    assert any(line.startswith("Errata of the papers") for line in lines)
    assert not any(line.startswith("Exact") for line in lines)


def test_the_rest_is_shown_on_demand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    every = output(capsys, "pap", "--data", str(folder), "--statements")
    assert "\nExact (" in every
    chosen = output(capsys, "pap", "--data", str(folder), "--only", "not computable")
    assert "\nCannot be recomputed (" in chosen
    assert "\nErrata" not in chosen
    printed = output(capsys, "pap", "--data", str(folder), "--json", "--only", "rounding")
    assert json.loads(printed) == replicate("pap", data=folder, only=["rounding"]).as_json()


def test_an_unknown_verdict_is_a_usage_error(folder: Path) -> None:
    assert run(["replicate", "pap", "--data", str(folder), "--only", "wrong"]) == 2


def test_markdown_names_place_claim_and_both_values(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = output(capsys, "pap", "--data", str(folder), "--format", "markdown")
    assert page.startswith("# ")
    block = page.partition("#### section 5.1, first paragraph\n")[2].partition("####")[0]
    for part in ("68.98 %", "- recomputed:", "**erratum, numeric**", "- how: ", "`pap.section5."):
        assert part in block
    assert "\n\n\n" not in page


class Page(HTMLParser):
    """Collects elements, and what they would fetch or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element, and every address it names."""
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and not (value or "").startswith("#"):
                self.fetched.append(value or "")


def test_the_html_page_needs_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "pap", "--data", str(folder), "--format", "html")
    page = Page(text)
    assert not page.fetched
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert "prefers-color-scheme: dark" in text
    assert "@import" not in text
    assert "url(" not in text
    assert page.tags.count("article") > 5
    assert '<html lang="en">' in text


def test_the_result_is_frozen_and_writes_itself(folder: Path, tmp_path: Path) -> None:
    result = replicate("pap", data=str(folder))
    with pytest.raises(AttributeError):
        result.records = ()  # type: ignore[misc]
    out = result.write(tmp_path / "out")
    names = {path.name for path in out.iterdir()}
    assert names == {
        *("records.parquet", "statements.parquet", "manifest.json"),
        *("replicate.json", "errata.md", "errata.html"),
    }
    assert json.loads((out / "replicate.json").read_text()) == result.as_json()
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["inputs"]["pap/events_with_ratings.tsv"]["sha256"]
    assert manifest["rows"]["records"] == len(result.records)
    assert repr(result).startswith("Replicated\n")
    assert "<pre>" in result._repr_html_()


def test_strict_makes_errata_a_failure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replicate", "pap", "--data", str(folder), "--strict", "--json"]) == 1
    assert "findings (first: pap." in capsys.readouterr().err


def test_a_missing_dataset_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "pap", "--data", str(tmp_path), "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"{tmp_path / 'pap'}: no such folder")
    assert "Traceback" not in said.err


def test_all_leaves_out_what_is_not_there_and_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "all", "--data", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    assert {record["id"].partition(".")[0] for record in json.loads(said.out)} == {"pap"}
    assert "adept: no such folder, left out" in said.err


def test_all_without_any_folder_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "all", "--data", str(tmp_path)]) == 1
    assert "none of adept, gita, pap, sp10k is here" in capsys.readouterr().err


def test_no_data_folder_is_a_usage_error(
    without_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "pap"]) == 2
    assert "PLAUSIBLY_DATA" in capsys.readouterr().err


def test_an_unknown_replication_gets_a_proposal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "papp", "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "Did you mean 'pap'?" in said
    assert "Known: adept, all, gita, pap, sp10k." in said


def test_a_mistyped_release_is_unknown_even_without_a_data_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)
    assert run(["replicate", "otters-1.O"]) == 1
    assert "unknown replication 'otters-1.O'" in capsys.readouterr().err
