"""Parsing with the embedded parser: words a second, what a second process brings, counts to keep.

    python benchmarks/parse.py [--extract FILE] [--articles N]
    python benchmarks/parse.py --cache DIR

The input is text as WikiExtractor writes it (default: the extract in $PLAUSIBLY_DATA). Without
--cache, all of it, or a sample of N articles, is parsed by one process and by two. By the clock
means seconds from start to end; on a machine that does other things as well, CPU seconds of the
busiest process say how long it would take if it had a processor to itself. What the parser takes
of the one process, its model loaded, is told apart: it alone grows with the text.

With --cache, all of it is parsed once into DIR/counts.parquet and DIR/svo.parquet; what is there
already is kept, and what was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.backends.parsers import parser_named
from plausibly.corpus import Request, Source, extract
from plausibly.ports import Outcome, Parser, Sentence

T = TypeVar("T")
R = TypeVar("R")

DEFAULT = Path(os.environ.get("PLAUSIBLY_DATA", ".")) / "wikipedia" / "enwiki_extract.txt.gz"


@dataclass(frozen=True)
class Timed:
    """Work that also says which process did it, and the CPU seconds that process has had."""

    work: Callable[[object], object]

    def __call__(self, shard: object) -> tuple[object, int, float]:
        """Do the work."""
        result = self.work(shard)
        return result, os.getpid(), time.process_time()


class TimedEngine(DuckdbEngine):
    """Notes the CPU seconds of every process that works on shards."""

    def __init__(self, *, workers: int) -> None:
        super().__init__(workers=workers)
        self.processes: dict[int, float] = {}

    def each(self, work: Callable[[T], R], shards: Iterable[T]) -> Iterator[Outcome[R]]:
        """Yield what the work makes of each shard."""
        for outcome in super().each(Timed(work), shards):  # type: ignore[arg-type]
            result, process, cpu = outcome.result
            self.processes[process] = cpu
            yield Outcome(result, outcome.attempt)  # type: ignore[arg-type]


@dataclass
class TimedParser:
    """Notes the CPU seconds its texts take, without those of loading the model."""

    inner: Parser = field(default_factory=lambda: parser_named("embedded"))
    cpu: float = 0.0

    @property
    def name(self) -> str:
        """Return the parser's name."""
        return self.inner.name

    @property
    def language(self) -> str:
        """Return the parser's language."""
        return self.inner.language

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text."""
        parsed = self.inner.parse(texts)
        while True:
            started = time.process_time()
            sentences = next(parsed, None)
            self.cpu += time.process_time() - started
            if sentences is None:
                return
            yield sentences


@dataclass(frozen=True)
class Run:
    """What a run cost."""

    words: int
    wall: float
    cpu: float
    busiest: float
    parsing: float


def spent() -> float:
    """Return the CPU seconds of this process and of those it started."""
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


def measured(path: Path, source: Source, *, workers: int) -> Run:
    """Return what parsing a sample costs."""
    engine, parser = TimedEngine(workers=workers), TimedParser()
    before, own, started = spent(), time.process_time(), time.perf_counter()
    with TemporaryDirectory() as folder:
        done = extract([path], Path(folder) / "out", Request(source), engine=engine, parser=parser)
    wall = time.perf_counter() - started
    own = time.process_time() - own
    engine.close()
    busiest = own if workers == 1 else max(own, *engine.processes.values())
    words = done.manifest["statistics"]["words"]
    return Run(words, wall, spent() - before, busiest, parser.cpu)


def compare(path: Path, articles: int | None) -> None:
    """Print one process beside two."""
    source = Source("wikiextractor", articles=articles)
    runs = {workers: measured(path, source, workers=workers) for workers in (1, 2)}
    for workers, run in runs.items():
        print(
            f"workers {workers}: {run.words:,} words {run.wall:7.1f} s {run.cpu:7.1f} CPU s "
            f"{run.words / run.cpu:8,.0f} words/CPU s, busiest process {run.busiest:.1f} CPU s"
        )
    one, two = runs[1], runs[2]
    print(f"the parser alone: {one.parsing:.1f} CPU s, {one.words / one.parsing:,.0f} words/CPU s")
    print(f"two processes: {one.wall / two.wall:.2f} times one by the clock, ", end="")
    print(f"{one.busiest / two.busiest:.2f} times by the busiest process")


def cache(path: Path, folder: Path) -> None:
    """Parse all of the extract into a folder, once."""
    if (folder / "manifest.json").is_file():
        print(f"{folder}: the counts are there.")
    else:
        engine = DuckdbEngine(scratch=folder.resolve() / ".shards")
        request = Request(Source("wikiextractor"))
        parser = parser_named("embedded")
        extract([path], folder, request, engine=engine, parser=parser)
        engine.close()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    statistics = manifest["statistics"]
    print(f"{statistics['words']:,} words, {statistics['sentences']:,} sentences: ", end="")
    print(", ".join(f"{one['pairs']:,} {name}" for name, one in statistics["relations"].items()))


def main() -> None:
    """Print the comparison, or fill the cache."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--extract", type=Path, default=DEFAULT)
    parser.add_argument("--articles", type=int)
    parser.add_argument("--cache", type=Path)
    arguments = parser.parse_args()
    if not arguments.extract.is_file():
        raise SystemExit(f"{arguments.extract}: no such file. Set PLAUSIBLY_DATA or name one.")
    if arguments.cache is not None:
        cache(arguments.extract, arguments.cache)
    else:
        compare(arguments.extract, arguments.articles)


if __name__ == "__main__":
    main()
