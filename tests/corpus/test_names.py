"""Names: how a path is spelled, and where the work is done, never shows in the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any, TypeVar

import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Extraction, Request, Source, _shards, extract
from plausibly.ports import Outcome
from worlds.trees import DOG, GIRL, LineParser, conllu

T = TypeVar("T")
R = TypeVar("R")


class Elsewhere(DuckdbEngine):
    """Works in another folder, as the machines of a cluster do; may be interrupted."""

    def __init__(self, folder: Path, shards: int = 999) -> None:
        super().__init__(workers=1)
        self.folder = folder
        self.left = shards

    def each(self, work: Callable[[T], R], shards: Iterable[T]) -> Iterator[Outcome[R]]:
        """Yield what the work makes of each shard."""
        for shard in shards:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            with chdir(self.folder):
                done = work(shard)
            yield Outcome(done)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ran(files: list[Path], out: Path, source: Source, engine: DuckdbEngine) -> Extraction:
    try:
        return extract(files, out, Request(source), engine=engine, parser=LineParser())
    finally:
        engine.close()


def test_a_relative_path_is_read_by_work_done_elsewhere_and_keeps_its_name(home: Path) -> None:
    (home / "in" / "a.conllu").write_bytes(conllu(*[DOG] * 50) + b"1\tbroken\n\n")
    file = Path("in/a.conllu")
    done = ran([file], Path("out"), Source("conllu"), Elsewhere(home / "elsewhere"))
    assert done.manifest["statistics"]["sentences"] == 50
    assert list(done.manifest["inputs"]) == ["in/a.conllu"]
    assert done.manifest["bad_lines"]["first"][0].startswith("in/a.conllu:351: ")
    (entry,) = (home / "out" / "quarantine.jsonl").read_text().splitlines()
    assert json.loads(entry)["file"] == "in/a.conllu"


def test_a_run_goes_on_from_another_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shards, "SHARD", 400)
    (home / "in" / "a.conllu").write_bytes(conllu(*[DOG, GIRL] * 20))
    with pytest.raises(KeyboardInterrupt):
        ran([Path("in/a.conllu")], home / "out", Source("conllu"), Elsewhere(home, shards=3))
    monkeypatch.chdir(home / "elsewhere")
    file = Path("../in/a.conllu")
    done = ran([file], Path("../out"), Source("conllu"), DuckdbEngine(workers=1))
    assert done.manifest["shards"]["before"] == 3
    assert list(done.manifest["inputs"]) == ["../in/a.conllu"]


def test_files_in_another_order_are_another_run(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_shards, "SHARD", 400)
    (home / "in" / "a.conllu").write_bytes(conllu(*[DOG] * 20))
    (home / "in" / "b.conllu").write_bytes(conllu(*[GIRL] * 20))
    files = [Path("in/a.conllu"), Path("in/b.conllu")]
    with pytest.raises(KeyboardInterrupt):
        ran(files, Path("out"), Source("conllu"), Elsewhere(home, shards=3))
    done = ran(files[::-1], Path("out"), Source("conllu"), DuckdbEngine(workers=1))
    whole = ran(files, Path("whole"), Source("conllu"), DuckdbEngine(workers=1))
    assert done.manifest["shards"]["before"] == 0
    assert done.manifest["outputs"] == whole.manifest["outputs"]


def spellings(home: Path) -> list[tuple[Path, list[Path]]]:
    names = ("x.txt", "y.txt")
    (home / "link").symlink_to(home / "in")
    return [
        (home, [home / "in" / name for name in names]),
        (home, [Path("in") / name for name in names]),
        (home / "elsewhere", [Path("../in") / name for name in names]),
        (home, [Path("link") / name for name in names]),
    ]


def test_a_sample_does_not_depend_on_how_a_path_is_spelled(home: Path) -> None:
    for name in ("x", "y"):
        lines = [f"{name}{n}/NOUN/2/nsubj run/VERB/0/root" for n in range(30)]
        (home / "in" / f"{name}.txt").write_text("\n\n".join(lines), encoding="utf-8")
    source = Source("text", articles=6)
    seen: list[Any] = []
    for number, (folder, files) in enumerate(spellings(home)):
        with chdir(folder):
            done = ran(files, home / f"out{number}", source, DuckdbEngine(workers=1))
        seen.append(done.manifest["outputs"]["counts.parquet"])
    assert all(one == seen[0] for one in seen)


def test_rows_without_an_id_go_by_their_place(home: Path) -> None:
    rows = [{"id": None, "text": f"w{n}/NOUN/2/nsubj run/VERB/0/root"} for n in range(30)]
    lines = [json.dumps(row) for row in rows]
    (home / "a.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (home / "b.jsonl").write_text(
        "\n".join(line.replace('"id": null, ', "") for line in lines), encoding="utf-8"
    )
    outputs = []
    for name in ("a", "b"):
        (home / name).mkdir()
        file = home / name / "rows.jsonl"
        (home / f"{name}.jsonl").rename(file)
        source = Source("jsonl", articles=5)
        done = ran([file], home / f"out-{name}", source, DuckdbEngine(workers=1))
        outputs.append(done.manifest["outputs"]["counts.parquet"])
    assert outputs[0] == outputs[1]
