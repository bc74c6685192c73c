"""CoNLL-U to pairs beside its peers in one run: CPU seconds, tokens a second, peak memory.

    python benchmarks/conllu.py [--treebank FILE.conllu.gz] [--quick]

Each case runs in a process of its own with one thread, so that its peak memory is its own. Peer:
the conllu package, its sentences searched for the same pairs. The treebank is read several times
over; without one (default: EWT's training part in $PLAUSIBLY_DATA) sentences are generated. The
last lines compare `extract` on a .gz file and two workers with unpacking alone: unpacking is one
stream, so it bounds the wall clock; on a machine that does other things as well, half of the CPU
seconds is the fairer reading.
"""

from __future__ import annotations

import argparse
import gzip
import io
import os
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

DEFAULT = Path(os.environ.get("PLAUSIBLY_DATA", ".")) / "ud" / "en_ewt-ud-train.conllu.gz"
TAGS = {"NOUN": "Number=Sing", "VERB": "Mood=Ind|Tense=Past|VerbForm=Fin", "ADJ": "Degree=Pos"}


@dataclass(frozen=True)
class Run:
    """What one case cost."""

    tokens: int
    cpu: float
    wall: float
    peak: int


def generated(sentences: int) -> bytes:
    """Return random sentences with the columns and the lengths of a real treebank."""
    random, lines = Random(0), list[str]()  # noqa: S311 - nobody's secret
    for number in range(sentences):
        size = random.randint(5, 30)
        lines.append(f"# sent_id = {number}\n# text = {'word ' * size}")
        for place in range(1, size + 1):
            tag = random.choice(list(TAGS))
            deprel = random.choice(("nsubj", "obj", "amod", "det", "punct", "nmod", "root"))
            word = f"word{int(random.paretovariate(0.8)) % 20000}"
            head = random.randint(0, size)
            lines.append(
                f"{place}\t{word}s\t{word}\t{tag}\tNN\t{TAGS[tag]}\t{head}\t{deprel}"
                f"\t{head}:{deprel}\tSpaceAfter=No"
            )
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


def ours(path: Path) -> int:
    """Count the pairs of a file as one worker does."""
    from plausibly.corpus._shards import Cuts
    from plausibly.corpus._work import CountParsed
    from plausibly.corpus.relations import Patterns

    with TemporaryDirectory() as state:
        work = CountParsed(Path(state), Patterns(), "conllu")
        for shard in Cuts([path], Path(state)):
            work(shard)
    return 0


def lean(path: Path) -> int:
    """Count the pairs of a file sentence by sentence, as patterns other than the defaults do."""
    from plausibly.corpus.relations import Patterns, find
    from plausibly.io.conllu import BadLine, blocks, read_block

    counts: Counter[Any] = Counter()
    with path.open("rb") as stream:
        for block in blocks(stream, 1 << 19):
            for one in read_block(block):
                if not isinstance(one, BadLine):
                    counts.update(find(one, Patterns()).rows)
    return len(counts)


def peer(path: Path) -> int:
    """Count the same pairs with the conllu package."""
    # This file has the package's name, and its folder stands first in the path.
    sys.path = [place for place in sys.path if Path(place).resolve() != Path(__file__).parent]
    import conllu

    counts: Counter[Any] = Counter()
    with path.open(encoding="utf-8") as source:
        for sentence in conllu.parse_incr(source):
            words = {word["id"]: word for word in sentence if isinstance(word["id"], int)}
            adjectives = defaultdict(list)
            for word in words.values():
                head = words.get(word["head"])
                if head and (word["deprel"], word["upos"], head["upos"]) == ("amod", "ADJ", "NOUN"):
                    adjectives[head["id"]].append(word)
                    counts["amod", head["lemma"].lower(), word["lemma"].lower()] += 1
            for word in words.values():
                head = words.get(word["head"])
                if head is None or word["deprel"] not in ("nsubj", "obj"):
                    continue
                if (word["upos"], head["upos"]) == ("NOUN", "VERB"):
                    counts[word["deprel"], head["lemma"].lower(), word["lemma"].lower()] += 1
                    for adjective in adjectives[word["id"]]:
                        key = f"{word['deprel']}_amod"
                        counts[key, head["lemma"].lower(), adjective["lemma"].lower()] += 1
    return len(counts)


def unpack(path: Path) -> int:
    """Unpack an archive and throw its bytes away."""
    from plausibly.corpus._archives import open_file

    size = 0
    with open_file(path) as opened:
        while block := opened.stream.read(1 << 20):
            size += len(block)
    return size


def extract_two(path: Path) -> int:
    """Run the whole of `extract` with two workers."""
    from plausibly.backends.duckdb import DuckdbEngine
    from plausibly.corpus import Request, Source, extract

    with TemporaryDirectory() as folder:
        engine = DuckdbEngine(workers=2)
        extract([path], Path(folder) / "out", Request(Source("conllu")), engine=engine)
        engine.close()
    return 0


def _case(work: Callable[[Path], int], path: Path, tiny: Path, tokens: int) -> Run:
    work(tiny)
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, _CHILDREN))
    started = time.perf_counter()
    work(path)
    wall = time.perf_counter() - started
    now, later = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, _CHILDREN))
    cpu = sum(
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        for before, after in ((own, now), (children, later))
    )
    return Run(tokens, cpu, wall, max(now.ru_maxrss, later.ru_maxrss))


_CHILDREN = resource.RUSAGE_CHILDREN


def measured(work: Callable[[Path], int], path: Path, tokens: int) -> Run:
    """Return what a case costs in a fresh process, its libraries loaded beforehand."""
    tiny = path.with_name(f"tiny{''.join(path.suffixes)}")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_case, work, path, tiny, tokens).result()


def show(name: str, run: Run) -> None:
    """Print one line of the table."""
    print(
        f"{name:44} {run.cpu:8.2f} CPU s {run.wall:8.2f} s {run.tokens / run.cpu / 1e6:6.2f} M "
        f"tokens/CPU s {run.peak / 1024:6.0f} MB"
    )


def _write(path: Path, once: bytes, times: int) -> None:
    """Write a text so many times over, packed if the name says so."""
    with gzip.open(path, "wb", 6) if path.suffix == ".gz" else path.open("wb") as target:
        for _ in range(times):
            target.write(once)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--treebank", type=Path, default=DEFAULT)
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    os.environ |= {"OMP_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    known = arguments.treebank.is_file()
    once = gzip.decompress(arguments.treebank.read_bytes()) if known else generated(12_000)
    tokens = sum(line[:1].isdigit() for line in io.BytesIO(once))
    times = 1 if arguments.quick else 3
    with TemporaryDirectory() as folder:
        small, large, packed = (
            Path(folder) / f"{name}" for name in ("s.conllu", "l.conllu", "l.conllu.gz")
        )
        _write(small, once, times)
        _write(large, once, times * 16)
        _write(packed, once, times * 16)
        for path in (small, packed):
            _write(
                path.with_name(f"tiny{''.join(path.suffixes)}"), once[: once.index(b"\n\n") + 2], 1
            )
        print(f"{arguments.treebank.name if known else 'generated'}, {tokens * times:,} tokens\n")
        theirs = measured(peer, small, tokens * times)
        show("conllu package", theirs)
        for name, work in (("ours, sentence by sentence", lean), ("ours, a block at a time", ours)):
            run = measured(work, small, tokens * times)
            show(name, run)
            print(f"{'':44} {theirs.cpu / run.cpu:8.1f} times as fast per core\n")
        show("ours, sixteen times the input", measured(ours, large, tokens * times * 16))
        bound = measured(unpack, packed, tokens * times * 16)
        both = measured(extract_two, packed, tokens * times * 16)
        show("unpacking .gz alone", bound)
        show("extract .gz, two workers, all of it", both)
        print(
            f"{'':44} {both.wall / bound.wall:8.1f} times the bound by the clock, "
            f"{both.cpu / 2 / bound.cpu:.1f} by half of the CPU seconds"
        )


if __name__ == "__main__":
    main()
