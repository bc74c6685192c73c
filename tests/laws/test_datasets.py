"""Published files are read in one place.

Hashing a file for a manifest interprets nothing and is left out; so are corpora in general forms
(CoNLL-U, text), which any file of a user's has as well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import plausibly.datasets
from plausibly.cli import run

ROOM = str(Path(plausibly.datasets.__file__).parent)
HASHING = "file_hash"

pytestmark = pytest.mark.data


class Watch:
    """Notes every read below a folder that no frame of `datasets/` is behind."""

    def __init__(self) -> None:
        self.folder: str | None = None
        self.reads = 0
        self.strays: list[str] = []

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.folder is None or event != "open" or not isinstance(arguments[0], str):
            return
        path = str(Path(arguments[0]).absolute())
        if not path.startswith(f"{self.folder}/"):
            return
        self.reads += 1
        names = [(f.f_code.co_filename, f.f_code.co_name) for f in _frames(sys._getframe(1))]
        if not any(file.startswith(ROOM) or name == HASHING for file, name in names):
            ours = [f"{file}:{name}" for file, name in names if "plausibly" in file]
            self.strays.append(f"{path} by {ours[:3]}")


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


WATCH = Watch()
sys.addaudithook(WATCH)


@contextmanager
def watching(folder: Path) -> Iterator[Watch]:
    WATCH.folder, WATCH.reads, WATCH.strays = str(folder.resolve()), 0, []
    try:
        yield WATCH
    finally:
        WATCH.folder = None


SETS = ("pap", "adept", "sp10k", "gita", "norms", "mace", "conceptnet")
COMMANDS = (
    "replicate all --data {data} --json",
    "score gita {data}/gita/llm_outputs/gemma-2-9b-it --resamples 0"
    " --stories {data}/gita/gita4calamita_356.jsonl",
    "score gita-trip {data}/gita/trip_style_outputs/order_pairs.jsonl.gz",
    "check gita {data}/gita/GITA_test.json",
    "check adept {data}/adept/val.json",
    "score winograd {data}/sp10k/winograd/predictions_sp10k.csv",
    "label {data}/mace/wsd.csv --format mace --method plurality",
    "read {data}/pap/events_with_ratings.tsv --format pap -o {out}/ratings.parquet",
    *(f"load {name} --data {{data}}" for name in SETS),
    "build pap --svo {svo} --norms {data}/norms/brysbaert2014_concreteness.tsv -o {out}/pap"
    " --per-cell 1 --short-cells take-all --seed 1",
    "build adept --counts {counts} --conceptnet {data}/conceptnet/english_assertions.tsv.gz"
    " --nonsubsective {data}/adept/nonsubsective_60.tsv -o {out}/adept --seed 1",
)
# From two lines of a corpus no items can be built; what is read is watched all the same.
SHORT = "build"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_read_of_a_published_file_goes_through_its_room(
    command: str, data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svo, counts = tmp_path / "svo.csv", tmp_path / "counts.csv"
    svo.write_text("subject,verb,object,count\ndog,eat,bone,3\nidea,change,mind,2\n")
    counts.write_text("relation,head,dependent,count\namod,dog,old,20\nnsubj,eat,dog,12\n")
    places = {"data": data_folder, "out": tmp_path, "svo": svo, "counts": counts}
    with watching(data_folder) as watch:
        code = run(command.format(**places).split())
    assert code == 0 or command.startswith(SHORT), capsys.readouterr().err
    assert watch.reads > 0
    assert watch.strays == []


def test_the_watch_sees_a_read_elsewhere(data_folder: Path) -> None:
    with watching(data_folder) as watch:
        (data_folder / "mace/wsd.key").read_bytes()
    assert len(watch.strays) == 1
