"""Extract: what is written, from what, and that neither workers nor interruptions show in it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Extraction, Patterns, Request, Source, _shards, _staging, extract
from plausibly.errors import StudyError, TableError
from plausibly.io import read_table
from plausibly.tables import COUNTS, SVO
from worlds.trees import DOG, GIRL, LineParser, conllu

CONLLU = Request(Source("conllu"))
TEXT = Request(Source("text"))


@pytest.fixture
def engine() -> Iterator[DuckdbEngine]:
    running = DuckdbEngine(workers=1)
    yield running
    running.close()


def hashes(extraction: Extraction) -> dict[str, str]:
    return {name: one["sha256"] for name, one in extraction.manifest["outputs"].items()}


def quarantine(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "quarantine.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_pairs_and_triples_are_counted_sorted_and_described(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(GIRL, DOG, DOG))
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", CONLLU, engine=engine)
    counts = read_table(tmp_path / "out" / "counts.parquet", COUNTS)
    assert counts.rows() == [
        ("amod", "cat", "black", 2),
        ("amod", "girl", "hungry", 1),
        ("dobj", "chase", "cat", 2),
        ("dobj", "eat", "apple", 1),
        ("dobj_amod", "chase", "black", 2),
        ("nsubj", "chase", "dog", 2),
        ("nsubj", "eat", "girl", 1),
        ("nsubj_amod", "eat", "hungry", 1),
    ]
    triples = read_table(tmp_path / "out" / "svo.parquet", SVO)
    assert triples.columns[4:] == ["negated", "modal", "question", "particle"]
    assert triples.rows() == [
        ("dog", "chase", "cat", 2, 0, 0, 0, 0),
        ("girl", "eat", "apple", 1, 0, 0, 0, 0),
    ]
    statistics = done.manifest["statistics"]
    assert (statistics["sentences"], statistics["words"]) == (3, 16)
    assert statistics["relations"]["amod"] == {"pairs": 3, "types": 2, "heads": 2, "dependents": 2}
    assert statistics["svo"]["subjects"] == 2
    assert statistics["svo"]["negated"]["n"] == 3
    assert json.loads((tmp_path / "out" / "manifest.json").read_text()) == done.manifest
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "counts.parquet",
        "manifest.json",
        "quarantine.jsonl",
        "svo.parquet",
    ]


def test_rare_pairs_are_left_out_but_counted(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(GIRL, DOG, DOG))
    request = Request(Source("conllu"), min_count=2)
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", request, engine=engine)
    assert read_table(tmp_path / "out" / "svo.parquet", SVO)[:, :4].rows() == [
        ("dog", "chase", "cat", 2)
    ]
    amod = done.manifest["statistics"]["relations"]["amod"]
    assert (amod["pairs"], amod["types"]) == (3, 1)


def test_relations_not_asked_for_are_not_there(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(DOG))
    request = Request(Source("conllu"), Patterns(relations=("amod",)))
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", request, engine=engine)
    assert list(done.manifest["statistics"]["relations"]) == ["amod"]
    assert "svo" not in done.manifest["statistics"]
    assert read_table(tmp_path / "out" / "svo.parquet", SVO).is_empty()


def test_workers_archives_and_cuts_do_not_show_in_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = conllu(*[DOG, GIRL, GIRL] * 40)
    (tmp_path / "a.conllu").write_bytes(content)
    (tmp_path / "a.conllu.gz").write_bytes(gzip.compress(content))
    seen = []
    for workers, size, name in [
        (1, 1 << 23, "a.conllu"),
        (2, 900, "a.conllu"),
        (4, 700, "a.conllu.gz"),
    ]:
        monkeypatch.setattr(_shards, "SHARD", size)
        engine = DuckdbEngine(workers=workers)
        out = tmp_path / f"out{workers}"
        done = extract([tmp_path / name], out, CONLLU, engine=engine)
        assert (done.manifest["shards"]["total"] > 1) == (workers > 1)
        seen.append(hashes(done))
        engine.close()
    assert seen[0] == seen[1] == seen[2]


def test_many_archives_are_unpacked_where_they_are_worked_on(
    tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for number in range(4):
        files.append(tmp_path / f"{number}.conllu.gz")
        files[-1].write_bytes(gzip.compress(conllu(DOG, GIRL)))
    files[-1].write_bytes(files[-1].read_bytes()[:-9])
    apart = extract(files, tmp_path / "apart", CONLLU, engine=engine)
    monkeypatch.setattr(_shards, "MANY_ARCHIVES", 4)
    together = extract(files, tmp_path / "together", CONLLU, engine=DuckdbEngine(workers=1))
    assert hashes(apart) == hashes(together)
    assert apart.manifest["truncated"] == together.manifest["truncated"]
    assert together.manifest["truncated"][0]["file"] == str(files[-1])


def test_few_bad_lines_are_told_with_their_place_and_passed_over(
    tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_shards, "SHARD", 300)
    content = conllu(*[DOG] * 50) + b"1\tbroken\n\n" + conllu(GIRL)
    (tmp_path / "a.conllu").write_bytes(content)
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", CONLLU, engine=engine)
    place = f"{tmp_path / 'a.conllu'}:351"
    assert done.manifest["shards"]["total"] > 3
    assert done.manifest["bad_lines"]["count"] == 1
    assert done.manifest["bad_lines"]["first"][0].startswith(place)
    assert any(note.startswith(place) for note in done.notes)
    assert quarantine(tmp_path / "out") == [
        {
            "file": str(tmp_path / "a.conllu"),
            "line": 351,
            "document": None,
            "error": "2 columns separated by tabs, expected 10",
        }
    ]
    assert done.manifest["statistics"]["sentences"] == 51


def test_bad_lines_beyond_a_thousand_are_counted_without_a_line(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(DOG) + b"broken\n\n" * 1500)
    request = Request(Source("conllu"), max_bad_share=1)
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", request, engine=engine)
    entries = quarantine(tmp_path / "out")
    assert (len(entries), done.manifest["bad_lines"]["count"]) == (1001, 1500)
    assert entries[-2]["line"] == 8 + 2 * 999
    assert entries[-1]["line"] is None
    assert entries[-1]["error"] == "and 500 more bad lines, up to line 3007"


def test_too_many_bad_lines_end_the_run_and_leave_nothing(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(DOG) + b"broken\n" * 30)
    with pytest.raises(TableError, match="max_bad_share") as caught:
        extract([tmp_path / "a.conllu"], tmp_path / "out", CONLLU, engine=engine)
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{tmp_path / 'a.conllu'}:8: 1 columns separated by tabs, expected 10"
    assert len(lines) == 21
    assert lines[20].startswith("30 bad lines. That is ")
    assert "% of " in lines[20]
    assert not (tmp_path / "out").exists()


def test_texts_are_parsed_and_counted(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.txt").write_text(f"{DOG}\n{GIRL}\n\n{DOG}\n", encoding="utf-8")
    done = extract([tmp_path / "a.txt"], tmp_path / "out", TEXT, engine=engine, parser=LineParser())
    assert done.manifest["parser"] == "lines 1"
    assert done.manifest["statistics"]["documents"] == 2
    assert read_table(tmp_path / "out" / "svo.parquet", SVO)["count"].to_list() == [2, 1]


def test_a_poisoned_document_is_set_aside_with_its_error(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    (tmp_path / "a.txt").write_text(f"{DOG}\n\nPOISON\n\n{GIRL}\n", encoding="utf-8")
    done = extract([tmp_path / "a.txt"], tmp_path / "out", TEXT, engine=engine, parser=LineParser())
    (entry,) = quarantine(tmp_path / "out")
    assert (entry["line"], entry["error"]) == (3, "ValueError: this text is poison")
    assert done.manifest["quarantined"] == 1
    assert done.manifest["statistics"]["sentences"] == 2


def test_a_document_that_ends_its_process_is_set_aside_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 150)
    parts = [DOG, GIRL, "DEADLY", DOG, "POISON", GIRL]
    (tmp_path / "a.txt").write_text("\n\n".join(parts), encoding="utf-8")
    engine = DuckdbEngine(workers=2)
    done = extract([tmp_path / "a.txt"], tmp_path / "out", TEXT, engine=engine, parser=LineParser())
    engine.close()
    errors = {entry["line"]: entry["error"] for entry in quarantine(tmp_path / "out")}
    assert errors == {5: "its parser process died", 9: "ValueError: this text is poison"}
    assert done.manifest["statistics"]["sentences"] == 4
    assert done.manifest["shards"]["retried"]


def test_a_run_in_which_nothing_can_be_parsed_fails(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.txt").write_text("POISON\n\nPOISON\n", encoding="utf-8")
    with pytest.raises(StudyError, match="none of 2 documents could be parsed"):
        extract([tmp_path / "a.txt"], tmp_path / "out", TEXT, engine=engine, parser=LineParser())
    assert not (tmp_path / "out").exists()


def test_texts_without_a_parser_are_refused(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    with pytest.raises(StudyError, match="needs a parser"):
        extract([tmp_path / "a.txt"], tmp_path / "out", TEXT, engine=engine)
    assert not (tmp_path / "out").exists()


class Failing(DuckdbEngine):
    """Fails at the second table, as a full disk would."""

    def rows(self, statement: str) -> Any:
        if "object" in statement:
            raise StudyError("no space left")
        return super().rows(statement)


def test_tables_appear_together_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_bytes(conllu(DOG))
    engine = Failing(workers=1)
    with pytest.raises(StudyError, match="no space left"):
        extract([tmp_path / "a.conllu"], tmp_path / "out", CONLLU, engine=engine)
    engine.close()
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".shards"]
    whole = DuckdbEngine(workers=1)
    done = extract([tmp_path / "a.conllu"], tmp_path / "out", CONLLU, engine=whole)
    whole.close()
    assert done.manifest["shards"]["before"] == 1


class Interrupting:
    """Lets so many texts through and then behaves like Ctrl-C."""

    name = "lines 1"
    language = "en"

    def __init__(self, log: Path, texts: int) -> None:
        self.inner = LineParser(log)
        self.left = texts

    def parse(self, texts: Any) -> Any:
        for text in texts:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield from self.inner.parse([text])


def test_an_interrupted_run_goes_on_without_parsing_anything_twice(
    tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 1)
    (tmp_path / "a.txt").write_text("\n\n".join([DOG, GIRL] * 5), encoding="utf-8")
    files, log = [tmp_path / "a.txt"], tmp_path / "log"
    whole = extract(files, tmp_path / "whole", TEXT, engine=engine, parser=LineParser())
    with pytest.raises(KeyboardInterrupt):
        extract(files, tmp_path / "out", TEXT, engine=engine, parser=Interrupting(log, 4))
    assert not (tmp_path / "out" / "counts.parquet").exists()
    again = DuckdbEngine(workers=1)
    done = extract(files, tmp_path / "out", TEXT, engine=again, parser=LineParser(log))
    again.close()
    assert len(log.read_text().splitlines()) == 10
    assert done.manifest["shards"] == {"total": 10, "before": 4, "retried": []}
    assert any("4 of 10 shards were done by an earlier run" in note for note in done.notes)
    assert hashes(done) == hashes(whole)


def test_what_another_command_left_behind_is_not_mixed_in(
    tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 1)
    (tmp_path / "a.txt").write_text("\n\n".join([DOG, GIRL] * 5), encoding="utf-8")
    files, log = [tmp_path / "a.txt"], tmp_path / "log"
    with pytest.raises(KeyboardInterrupt):
        extract(files, tmp_path / "out", TEXT, engine=engine, parser=Interrupting(log, 4))
    other = Request(Source("text"), Patterns(relations=("amod",)))
    done = extract(files, tmp_path / "out", other, engine=engine, parser=LineParser(log))
    assert done.manifest["shards"]["before"] == 0
    assert len(log.read_text().splitlines()) == 14


def test_two_runs_do_not_write_into_one_folder(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.txt").write_text(DOG, encoding="utf-8")
    files = [tmp_path / "a.txt"]

    class Meddling(LineParser):
        def parse(self, texts: Any) -> Any:
            second = DuckdbEngine(workers=1)
            with pytest.raises(StudyError, match="another process"):
                extract(files, tmp_path / "out", TEXT, engine=second, parser=LineParser())
            second.close()
            return super().parse(texts)

    done = extract(files, tmp_path / "out", TEXT, engine=engine, parser=Meddling())
    assert done.manifest["statistics"]["sentences"] == 1


def test_a_sample_is_the_same_for_any_number_of_workers_and_drawn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 60)
    records = [{"id": str(n), "text": f"w{n}/NOUN/2/nsubj run/VERB/0/root"} for n in range(40)]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    request = Request(Source("jsonl", articles=10, seed=5))
    seen = []
    for workers in (1, 2):
        engine = DuckdbEngine(workers=workers)
        out = tmp_path / f"out{workers}"
        done = extract([tmp_path / "a.jsonl"], out, request, engine=engine, parser=LineParser())
        assert done.manifest["seed"] == 5
        assert done.manifest["statistics"]["documents"] == 10
        seen.append(hashes(done))
        engine.close()
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Request(Source("conllu", articles=5)),
        lambda: Request(Source("depcc", min_tokens=5)),
        lambda: Request(Source("text", min_links=5)),
        lambda: Request(Source("text", articles=0)),
        lambda: Request(Source("text", min_tokens=-5)),
        lambda: Request(Source("dump", min_links=-1)),
        lambda: Request(Source("text"), min_count=0),
        lambda: Request(Source("text"), max_bad_share=2.0),
    ],
)
def test_requests_that_make_no_sense_are_refused(wrong: Any) -> None:
    with pytest.raises(StudyError):
        wrong()
