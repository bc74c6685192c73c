"""Documents are kept and left out by what is known about them; another language is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.backends.parsers import parser_named
from plausibly.corpus import Extraction, Request, Source, extract
from plausibly.corpus._language import language_of
from plausibly.corpus._wanted import wanted
from plausibly.errors import StudyError, TableError
from worlds.trees import DOG, GIRL, LineParser

ITALIAN = (
    "Il cane che era nel giardino della signora non ha inseguito il gatto, è rimasto con lei. "
)
GERMAN = "Der Hund und die Katze sind im Garten, das Haus ist nicht mit dem Zaun von dem Feld zu. "
ENGLISH = "The dog was in the garden of the lady and it is not for the cat that he was with her. "


def ran(folder: Path, source: Source, *files: Path) -> Extraction:
    engine = DuckdbEngine(workers=1)
    done = extract(files, folder / "out", Request(source), engine=engine, parser=LineParser())
    engine.close()
    return done


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        (("genre!=fic*",), 1),
        (("genre=FICTION",), 2),
        (("genre=fiction", "year!=1999"), 1),
        (("absent=x",), 0),
        (("absent!=x",), 3),
        (("tags=*sea*",), 1),
    ],
)
def test_rules_keep_and_leave_out(tmp_path: Path, rules: tuple[str, ...], kept: int) -> None:
    rows = [
        {"text": DOG, "genre": "fiction", "year": 1999},
        {"text": GIRL, "genre": "Fiction", "year": 2001, "tags": ["the sea", "x"]},
        {"text": DOG, "genre": "news", "year": 1999},
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = ran(tmp_path, Source("jsonl", documents=rules), path)
    assert done.manifest["statistics"]["documents"] == kept
    assert done.manifest["left_out"] == 3 - kept
    assert done.manifest["parameters"]["documents"] == list(rules)


def test_pages_are_chosen_by_title_and_category(tmp_path: Path) -> None:
    page = "<page><title>{}</title><ns>0</ns><id>{}</id><text>{}</text></page>"
    pages = [
        page.format("Moby Dick", 1, f"{DOG}\n\n[[Category:1851 novels|x]]"),
        page.format("Otter", 2, f"{GIRL}\n\n[[Category:Otters]]"),
    ]
    (tmp_path / "a.xml").write_text(f"<mediawiki>{''.join(pages)}</mediawiki>")
    done = ran(tmp_path, Source("dump", documents=("category!=*novels*",)), tmp_path / "a.xml")
    assert (done.manifest["documents"]["read"], done.manifest["left_out"]) == (2, 1)
    done = ran(tmp_path, Source("dump", documents=("title=moby*",)), tmp_path / "a.xml")
    assert done.manifest["left_out"] == 1


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    pl.DataFrame({"text": [DOG], "genre": ["news"]}).write_parquet(tmp_path / "a.parquet")
    done = ran(tmp_path, Source("parquet", documents=("genre=news",)), tmp_path / "a.parquet")
    assert done.manifest["statistics"]["documents"] == 1
    with pytest.raises(TableError, match=r"no column 'kind'.*documents="):
        ran(tmp_path, Source("parquet", documents=("kind=news",)), tmp_path / "a.parquet")


def test_what_is_no_rule_or_has_no_documents_is_refused() -> None:
    with pytest.raises(StudyError, match="is not a rule"):
        wanted(["fiction"])
    with pytest.raises(StudyError, match="parsed already"):
        Request(Source("conllu", documents=("title=x",)))


@pytest.mark.parametrize(
    ("text", "language"),
    [(ITALIAN, "it"), (GERMAN, "de"), (ENGLISH, "en"), ("Собака лает на кошку. ", "other")],
)
def test_small_words_tell_the_language(text: str, language: str) -> None:
    assert language_of(text * 8) == language


def test_another_language_than_the_parsers_is_said(tmp_path: Path) -> None:
    engine = DuckdbEngine(workers=1)
    for name, text in {"it": ITALIAN, "en": ENGLISH}.items():
        (tmp_path / f"{name}.txt").write_text(text * 5)
        source = Request(Source("text"))
        files = [tmp_path / f"{name}.txt"]
        parser = _Silent()
        done = extract(files, tmp_path / name, source, engine=engine, parser=parser)
        said = any("do not look English, most of them Italian" in note for note in done.notes)
        assert said == (name == "it")
        assert done.manifest["languages"] == {name: 1}
    engine.close()


class _Silent(LineParser):
    def parse(self, texts):  # type: ignore[no-untyped-def]
        yield from ([] for _ in texts)


def test_a_language_is_stanzas_to_choose() -> None:
    assert parser_named("stanza", "it").language == "it"
    assert parser_named("embedded", "en").language == "en"
    with pytest.raises(StudyError, match=r"reads 'en', not 'it'.*parser=: stanza, or spacy:NAME"):
        parser_named("embedded", "it")


def test_what_a_filter_left_out_and_a_field_nobody_has_are_said(tmp_path: Path) -> None:
    rows = [{"text": ENGLISH, "title": "One"}, {"text": ENGLISH, "title": "Two"}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    engine = DuckdbEngine(workers=1)
    for number, (rule, expected) in enumerate(
        {
            "title=one": ["1 of 2 documents were removed by the filters."],
            "kind!=novel": ["no document has the field 'kind' that a filter checks."],
        }.items()
    ):
        source = Request(Source("jsonl", documents=(rule,)))
        parser = _Silent()
        out = tmp_path / str(number)
        done = extract([tmp_path / "a.jsonl"], out, source, engine=engine, parser=parser)
        assert [note for note in done.notes if "document" in note] == expected
    engine.close()
