"""Press Ctrl-C in the middle of long commands and print how long each takes to end.

    python -m benchmarks.interrupt [NAME …]

Every command runs in a session of its own, as in a terminal; the key is pressed some seconds after
it began with its work. It must end within two seconds, with exit code 130 (a server: 0) and one
line that says how to go on, and leave no process behind.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

import polars as pl

SECONDS = 2.0
PORT = 8931
SENTENCE = "The old otter carries a heavy ladder to the quiet river near the village. "
TREE = (
    "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\teat\teat\tVERB\tVBP\t_\t0\troot\t_\t_\n"
    "3\tbones\tbone\tNOUN\tNNS\t_\t2\tobj\t_\t_\n\n"
)


def _texts(folder: Path) -> list[str]:
    corpus = folder / "corpus"
    corpus.mkdir()
    for number in range(8):
        (corpus / f"{number}.txt").write_text(SENTENCE * 60_000)
    return ["extract", str(corpus), "--format", "text", "--workers", "2", "-o", str(folder / "out")]


def _spark(folder: Path) -> list[str]:
    (folder / "trees.conllu").write_text(TREE * 1_000_000)
    out = str(folder / "out")
    return ["extract", str(folder / "trees.conllu"), "--engine", "spark", "-o", out]


def _ratings(items: int, people: int) -> pl.DataFrame:
    frame = pl.select(item=pl.int_range(items)).join(
        pl.select(annotator=pl.int_range(people)), how="cross"
    )
    answer = (pl.col("item") * 7919 + pl.col("annotator") * 104729) % 11 % 5
    return frame.select(
        item=pl.format("i{}", "item"), annotator=pl.format("a{}", "annotator"), answer=answer
    )


def _study(folder: Path) -> list[str]:
    study = folder / "study"
    subprocess.run([sys.executable, "-m", "plausibly", "init", "custom", str(study)], check=True)
    _ratings(20_000, 40).write_csv(study / "answers.csv")
    settings = (study / "study.toml").read_text()
    settings = settings.replace('source = "serve"', 'source = "answers.csv"')
    (study / "study.toml").write_text(settings)
    return ["run", str(study)]


def _fit(folder: Path) -> list[str]:
    _ratings(40_000, 50).write_csv(folder / "r.csv")
    method = ["--method", "mace", "--restarts", "100"]
    return ["label", str(folder / "r.csv"), *method, "-o", str(folder / "labels.parquet")]


def _server(folder: Path) -> list[str]:
    study = folder / "study"
    init = [sys.executable, "-m", "plausibly", "init", "pap", str(study), "--example"]
    subprocess.run(init, check=True, capture_output=True)
    return ["serve", str(study), "--port", str(PORT)]


COMMANDS: dict[str, tuple[Callable[[Path], list[str]], float]] = {
    "extract --workers 2": (_texts, 20),
    "extract --engine spark": (_spark, 25),
    "serve": (_server, 12),
    "run": (_study, 12),
    "label": (_fit, 12),
}


def _group(session: int) -> Iterator[int]:
    """Yield the processes of a session that are still there."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                yield int(entry.name)


def pressed(words: Sequence[str], after: float) -> tuple[float, int, str, int]:
    """Return the seconds a command took to end, its exit code, its last words and who is left."""
    begun = monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "plausibly", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    connection = None
    while monotonic() - begun < after:
        sleep(0.2)
        if process.poll() is not None:
            raise SystemExit(f"{' '.join(words)} ended before the key was pressed.")
    if words[0] == "serve":
        connection = urlopen(f"http://127.0.0.1:{PORT}/healthz")  # kept open, as browsers do
    start = monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, talk = process.communicate(timeout=120)
    seconds = monotonic() - start
    if connection is not None:
        connection.close()
    sleep(1)
    left = len(list(_group(process.pid)))
    return seconds, process.returncode, (talk.strip().splitlines() or [""])[-1], left


def main() -> None:
    """Print one line for each command; exit 1 if one was slow, wordless or left somebody."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*COMMANDS, []])
    bad = 0
    for name in parser.parse_args().names or COMMANDS:
        make, after = COMMANDS[name]
        with tempfile.TemporaryDirectory() as folder:
            seconds, code, word, left = pressed(make(Path(folder)), after)
        bad += seconds > SECONDS or not word or left > 0
        print(f"{name}: {seconds:.2f} s, exit {code}, {left} left, said: {word}", flush=True)
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
