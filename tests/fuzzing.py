"""Hostile calls: every command that reads or writes, with one thing about it made wrong.

A call is one line of `CALLS` in which `@NAME` is a file of a small sound world and `>NAME` what is
written. A case breaks one of its files, one of its outputs or one of its options, runs it in a
folder of its own and looks at what came of it: exit 0, 1 or 2, a word on stderr where it failed,
one JSON document where one was asked for, and after a failure no file that was not there before.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import click
import polars as pl

from plausibly.cli import app, run
from plausibly.cli.guard import UNFORESEEN
from plausibly.datasets.gita import CONFLICT, STATE, STORY
from worlds.gita import WRITTEN, chain, stories, write
from worlds.svo import invented_norms, invented_svo, write_norms

SECONDS = 120
CALLS = """
label @r.csv --method plurality --json -o >l.parquet
label @r.csv --method mean -o >means.csv
label @r.parquet --method mace --restarts 2 --json
label @m.csv --format mace --method mace --restarts 2 --controls @controls.txt --json
label @r.jsonl --method dawid-skene -o >l.json.gz
label @r.tsv --method strict-majority --scheme pap-binary --json
label @r.json --method agreed-by --at-least 2 --json
label @r.csv --method glad --iterations 5 --json
agree @r.csv --resamples 5 --sides 1,2|4,5 --json
agree @r.parquet --resamples 5 --json
agree @r.jsonl --resamples 5
clean @r.csv --preset recommended --items @i.csv --resamples 2 -o >cleaned --json
clean @r.parquet --preset @rules.toml --items @i.parquet --annotators @p.csv --resamples 2 -o >c
experts sample @i.csv --size 2 -o >s.csv
experts compare @r.csv --labels @l.csv --sides 1,2|4,5 -o >differing.csv --json
experts decide @d.csv --labels @l.csv -o >decided.parquet
experts subset @r.csv --items @i.csv --by condition --lowest 1 -o >subset.csv
read @r.csv -o >out.parquet
read @r.parquet --annotators @prolific.csv --key k -o >out.csv --write-annotators >a.csv
read @mturk.csv --format mturk -o >out.parquet --write-items >i2.csv
read @ls.json --format labelstudio -o >out.jsonl
read @potato.jsonl --format potato -o >out.tsv
read @ck.csv --format crowdkit -o >out.parquet
read @sheet.csv --format iks -o >out.parquet
read @wide.csv --format wide -o >out.parquet --write-items >i2.csv
agree @wide.csv --format wide --resamples 2 --json
read @events.tsv --format pap -o >out.parquet
write @r.csv --format labelstudio -o >x.json
write @r.csv --format mace --items @i.csv -o >x.csv
check adept @pairs.json --json
check gita @stories.json --json
check balance @i.csv --json
score gita @outputs --resamples 2 --json
score gita-trip @trip.jsonl --json
score winograd @w.csv --json
score iks @sheet.csv --format iks --resamples 2 --json
build custom @table.csv --templates @templates.toml -o >items --json
build iks --sources @sources.csv --candidates @candidates.csv --seed 1 -o >sheet
build gita @stories.json -o >gita
build sp10k --counts @counts.csv --relations dobj --heads 3 --per-survey 6 --seed 4 -o >sp
build pap --svo @svo.parquet --norms @norms.tsv --seed 1 --min-zipf 0 --per-cell 3 -o >pap --json
extract @trees.conllu --format conllu --workers 1 -o >counts --json
init pap >new
init custom >new
status @study --json
run @study --json
"""
SOUND = [line.split(" ") for line in CALLS.strip().splitlines()]
OUTPUTS = (
    *("", " ", ".", "..", "/", "x" * 300, "x" * 300 + ".csv", "no/such/folder.csv", "/dev/full"),
    *("/dev/null", "/proc/x.csv", "/dev/null/x", "r.csv/x.csv", "folder", "dangling", "loop"),
    *("a\nb.csv", "x.unknown", "-", "\udcff.csv", "r.csv", "i.csv", "l.csv"),
)
OPTIONS = ("", " ", "-1", "0", "nan", "inf", "-inf", "1e999", "9" * 30, "x", "\0", "é", "1,2|", "|")
CELLS = ("", " ", "NA", "nan", "inf", "1e999", "4,5", "-1", "x" * 200_000, "\0", "=1+1", "\r", '"')
VALUES: tuple[Any, ...] = (
    None,
    "x",
    "",
    -1,
    0,
    1.5,
    True,
    [],
    {},
    [1, {"a": 1}],
    10**400,
    "\ud800",
)
TOML = (
    '"x"',
    '""',
    "-1",
    "0",
    "nan",
    "inf",
    "[]",
    "{}",
    "[1, {a=1}]",
    "true",
    "9" * 30,
    '"yes|no"',
)
TYPES: tuple[Callable[[pl.Series], pl.Series], ...] = (
    lambda s: s.cast(pl.String).cast(pl.Categorical),
    lambda s: s.cast(pl.String).cast(pl.Binary),
    lambda s: pl.Series(s.name, [b"\xff\xfe"] * len(s)),
    lambda s: pl.Series(s.name, [[one] for one in s]),
    lambda s: pl.Series(s.name, [{"a": one} for one in s]),
    lambda s: pl.Series(s.name, [None] * len(s), dtype=pl.Null),
    lambda s: pl.Series(s.name, [True] * len(s)),
    lambda s: pl.Series(s.name, range(len(s))),
    lambda s: pl.Series(s.name, [2**64 - 1] * len(s), dtype=pl.UInt64),
    lambda s: pl.Series(s.name, range(len(s))).cast(pl.Datetime),
    lambda s: pl.Series(s.name, [float("nan")] * len(s)),
    lambda s: pl.Series(s.name, [1] * len(s)).cast(pl.Decimal(10, 2)),
    lambda s: pl.Series(s.name, [10**6] * len(s)).cast(pl.Time, strict=False),
)
BYTES = (
    *(b"", b"\n\n", b"\0" * 100, b"\xff\xfe\x00", b"PAR1", b"[" * 100_000, b"{" * 5000),
    *(b'[{"item": ' + b"1" * 5000 + b"}]", b'[{"item": "\\ud800"}]', b"{}", b"[]", b"null", b'"x"'),
    *(
        b"[1]",
        b"[[]]",
        b"[{}]",
        b"a=" + b"[" * 5000,
        b'"',
        b"\r",
        b"a,b\n1,2\r3\n",
        b"\x1f\x8b\x08",
    ),
)


@dataclass(frozen=True, slots=True)
class Case:
    """One hostile call: what was made wrong, and the words of the command line."""

    what: str
    words: tuple[str, ...]
    break_file: Callable[[Path], None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a call: its exit code, and what is wrong with that, if anything."""

    code: int | None
    fault: str


class _TooLong(BaseException):
    """A call did not end in time."""


def make_world(folder: Path) -> None:
    """Write the sound files every call of `CALLS` reads."""
    rows = [
        (f"i{i}", f"a{a}", "rating", str(1 + (i * a + i) % 5)) for i in range(4) for a in range(3)
    ]
    ratings = pl.DataFrame(rows, ["item", "annotator", "question", "answer"], orient="row")
    conditions = ["attested", "perturbed"] * 2
    items = pl.DataFrame({"item": [f"i{i}" for i in range(4)], "condition": conditions})
    items = items.with_columns(text=pl.lit("the ") + pl.col("item"), length=pl.Series([1, 2, 3, 4]))
    ratings.write_csv(folder / "r.csv")
    ratings.write_csv(folder / "r.tsv", separator="\t")
    ratings.with_columns(value=pl.col("answer").cast(pl.Float64)).write_parquet(
        folder / "r.parquet"
    )
    ratings.write_ndjson(folder / "r.jsonl")
    ratings.write_json(folder / "r.json")
    items.write_csv(folder / "i.csv")
    items.write_parquet(folder / "i.parquet")
    norms = invented_norms(nouns=60, verbs=30)
    invented_svo(norms, rows=1500).write_parquet(folder / "svo.parquet")
    write_norms(norms, folder / "norms.tsv")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    documents = {"pairs.json": [PAIR], "stories.json": [{"row": 4, **WRITTEN}], "ls.json": [TASK]}
    for name, document in documents.items():
        (folder / name).write_text(json.dumps(document))
    (folder / "outputs").mkdir()
    write(folder / "outputs", chain(stories(4), {STORY: [0], CONFLICT: [1], STATE: [2]}))
    (folder / "folder").mkdir()
    (folder / "dangling").symlink_to("nowhere/x.csv")
    (folder / "loop").symlink_to("loop")
    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
        run(["init", "pap", str(folder / "study"), "--example"])
    settings = folder / "study" / "study.toml"
    settings.write_text(re.sub(r"resamples = \d+", "resamples = 2", settings.read_text()))


PAIR = {
    "sentence1": "A kettle boils water.",
    "sentence2": "An old kettle boils water.",
    "modifier": "old",
    "noun": "kettle",
    "idx": 0,
}
TASK = {
    "id": 1,
    "data": {"item": "i1", "text": "a text"},
    "annotations": [
        {
            "completed_by": 7,
            "lead_time": 3.5,
            "created_at": "2024-01-01",
            "result": [{"from_name": "q", "type": "choices", "value": {"choices": ["yes"]}}],
        }
    ],
}
TEXTS = {
    "m.csv": "1,2,1\n,2,2\n3,3,\n",
    "controls.txt": "1\n\n\n",
    "l.csv": "item,question,method,label,ratings\n"
    + "".join(f"i{i},rating,plurality,{1 + i},3\n" for i in range(4)),
    "d.csv": "item,decision,reason\ni1,2,because\n",
    "p.csv": "annotator,approval\na0,99\na1,90\na2,50\n",
    "rules.toml": 'sides = "1,2|4,5"\n[[rules]]\nrule = "few_ratings"\nfewer_than = 2\n',
    "prolific.csv": "Participant id,Status,Time taken\na0,APPROVED,100\na1,APPROVED,90\n",
    "mturk.csv": "HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,LifetimeApprovalRate,"
    "Input.item,Answer.q\nh1,W1,Approved,30,98% (49/50),i1,4\nh1,W2,Approved,31,100% (5/5),i1,5\n",
    "potato.jsonl": '{"id": "i1", "user_id": "u", "label_annotations": {"q": {"yes": "true"}}}\n',
    "ck.csv": "task,worker,label\nt1,w1,a\nt1,w2,b\n",
    "sheet.csv": "item,annotator,candidate,system,relation,Grammaticality,Coherence,Content A,"
    "Content B,Content C,Content D,Comparison A,Comparison B,Comparison C\n"
    "one,anna,i,gpt,support,YES,YES,YES,YES,YES,i;ii,YES,GS,i\n"
    "one,anna,ii,bart,support,YES,PARTLY,,YES,NEUTRAL,,NO,RS,\n"
    "one,ben,i,gpt,support,ALMOST,YES,YES,YES,YES,i,YES,BOTH,i\n"
    "one,ben,ii,bart,support,NO,-,,-,-,,-,-,\n",
    "wide.csv": "StartDate,Status,Finished,Duration (in seconds),ResponseId,Q1,Q2\n"
    "StartDate,Status,Finished,Duration,ResponseId,A dog barks.,A stone barks.\n"
    + ",".join(f'"{{""ImportId"":""QID{n}""}}"' for n in range(7))
    + "\n2024-01-01,IP Address,True,60,R_1,5,1\n2024-01-01,IP Address,True,70,R_2,4,2\n",
    "events.tsv": "event\toriginal_label\tabstractness_combination\trating\n"
    "dog eats bone\tplausible\tc-c-c\t[5, 4]\nbone eats dog\timplausible\tc-c-c\t[1, 2]\n",
    "trip.jsonl": '{"story_label": 1, "story_pred": 1, "conflict_label": [1], '
    '"conflict_pred": [1], "preconditions_label": {"cup": {"1": {"power": 1}}}, '
    '"preconditions_pred": {}, "effects_label": {}, "effects_pred": {}}\n',
    "w.csv": "1,2,1,B,A\n2,2,1,,A\n3,0,0,A,A\n",
    "table.csv": "who,do\ndog,eat\ncat,sleep\n",
    "templates.toml": '[[template]]\nname = "t"\ntext = "{who:a} {do:s(who)}"\n',
    "sources.csv": "item,source_1,source_2,reference\ns1,It is hot.,Tea is ready.,Kettles boil.\n",
    "candidates.csv": "item,system,sentence\ns1,gpt,Water boils.\ns1,bart,Tea boils.\n",
    "counts.csv": "relation,head,dependent,count\n"
    + "".join(
        f"dobj,{head},{dependent},{20 - place}\n"
        for head in ("eat", "see", "buy")
        for place, dependent in enumerate(("apple", "boat", "cat", "door", "egg"))
    ),
    "trees.conllu": "1\tDogs\tdog\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n"
    "2\teat\teat\tVERB\tVBP\t_\t0\troot\t_\t_\n3\tbones\tbone\tNOUN\tNNS\t_\t2\tobj\t_\t_\n\n",
}


def cases(seed: int) -> Iterator[Case]:
    """Yield hostile calls without end, the same for the same seed."""
    draw = random.Random(seed)  # noqa: S311
    while True:
        words = draw.choice(SOUND)
        kinds = [_with_broken_file, _with_broken_option]
        kinds += [_with_odd_output] if any(word.startswith(">") for word in words) else []
        case = draw.choice(kinds)(words, draw)
        if case is not None:
            yield case


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word[1:] if word[:1] in ("@", ">") and word[1:] else word for word in words)


def _with_odd_output(words: Sequence[str], draw: random.Random) -> Case | None:
    place = draw.choice([n for n, word in enumerate(words) if word.startswith(">")])
    name = draw.choice(OUTPUTS)
    changed = [*_plain(words[:place]), name, *_plain(words[place + 1 :])]
    return Case(f"output {name[:40]!r}", tuple(changed))


def _with_broken_option(words: Sequence[str], draw: random.Random) -> Case | None:
    value = draw.choice(OPTIONS)
    options = [p for p in _command(words).params if isinstance(p, click.Option) and not p.is_flag]
    if not options:
        return None
    name = draw.choice(options).opts[-1]
    return Case(f"{name} {value[:40]!r}", (*_plain(words), f"{name}={value}"))


def _command(words: Sequence[str]) -> click.Command:
    command: click.Command = app
    context = click.Context(app)
    for word in words:
        if not isinstance(command, click.Group):
            break
        inner = command.get_command(context, word)
        assert inner is not None
        command = inner
    return command


def _with_broken_file(words: Sequence[str], draw: random.Random) -> Case | None:
    names = [word[1:] for word in words if word.startswith("@")]
    if not names:
        return None
    name, seed = draw.choice(names), draw.randrange(2**31)
    how = draw.choice([*_WAYS.get(Path(name).suffix, (_other_place,)), _other_place, _other_bytes])
    if Path(name).suffix == "":
        how = _broken_within

    def break_file(folder: Path) -> None:
        how(folder / name, random.Random(seed))  # noqa: S311

    return Case(f"{name}: {how.__name__.strip('_')} {seed}", _plain(words), break_file)


def _broken_within(folder: Path, draw: random.Random) -> None:
    path = draw.choice(sorted(p for p in folder.rglob("*") if p.is_file()))
    draw.choice([*_WAYS.get(path.suffix, (_other_bytes,)), _other_bytes])(path, draw)


def _other_place(path: Path, draw: random.Random) -> None:
    path.unlink()
    match draw.randrange(5):
        case 0:
            path.mkdir()
        case 1:
            path.symlink_to(path.name)
        case 2:
            path.symlink_to("/dev/null")
        case 3:
            path.symlink_to("/proc/self/mem")
        case _:
            path.symlink_to("no/such/file")


def _other_bytes(path: Path, draw: random.Random) -> None:
    content = path.read_bytes()
    at = draw.randrange(len(content) + 1)
    noise = bytes(draw.randrange(256) for _ in range(30))
    choices = (*BYTES, content[:at], content[:at] + noise + content[at:], content.decode("latin-1"))
    new = draw.choice(choices)
    path.write_bytes(new.encode("utf-16") if isinstance(new, str) else new)


def _other_cell(path: Path, draw: random.Random) -> None:
    separator = "\t" if path.suffix in (".tsv", ".conllu") else ","
    lines = [line.split(separator) for line in path.read_text().split("\n")]
    for _ in range(draw.choice([1, 1, 3])):
        line = draw.choice(lines)
        line[draw.randrange(len(line))] = draw.choice(CELLS)
    path.write_text("\n".join(separator.join(line) for line in lines), newline="")


def _other_columns(path: Path, draw: random.Random) -> None:
    lines = path.read_text().split("\n")
    separator = "\t" if path.suffix in (".tsv", ".conllu") else ","
    match draw.randrange(5):
        case 0:
            lines = lines[:1]
        case 1:
            lines[0] = separator.join(draw.sample(lines[0].split(separator), 1))
        case 2:
            lines[0] = lines[0].upper()
        case 3:
            lines = [line.partition(separator)[2] for line in lines]
        case _:
            lines = [f"{line}{separator}{line}" for line in lines]
    path.write_text("\n".join(lines))


def _other_value(path: Path, draw: random.Random) -> None:
    lines = path.suffix == ".jsonl"
    text = path.read_text()
    documents = [json.loads(line) for line in (text.splitlines() if lines else [text])]
    places = list(_places(documents))
    inner, key = draw.choice(places)
    inner[key] = draw.choice(VALUES)
    path.write_text("\n".join(map(_written, documents)))


def _written(document: object) -> str:
    try:
        return json.dumps(document)
    except ValueError:  # more digits than Python itself likes to write
        return "[" + "1" * 5000 + "]"


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    keys = list(document) if isinstance(document, dict) else range(len(document))
    for key in keys:
        yield document, key
        if isinstance(document[key], dict | list):
            yield from _places(document[key])


def _other_setting(path: Path, draw: random.Random) -> None:
    lines = path.read_text().split("\n")
    settings = [n for n, line in enumerate(lines) if " = " in line]
    place = draw.choice(settings)
    lines[place] = f"{lines[place].partition(' = ')[0].strip('# ')} = {draw.choice(TOML)}"
    path.write_text("\n".join(lines))


def _other_type(path: Path, draw: random.Random) -> None:
    frame = pl.read_parquet(path)
    column = draw.choice(frame.columns)
    changed = draw.choice(TYPES)(frame[column])
    path.unlink()
    frame.with_columns(changed.alias(column)).write_parquet(path)


_WAYS: dict[str, tuple[Callable[[Path, random.Random], None], ...]] = {
    **dict.fromkeys(
        (".csv", ".tsv", ".txt", ".conllu"), (_other_cell, _other_cell, _other_columns)
    ),
    **dict.fromkeys((".json", ".jsonl"), (_other_value, _other_value)),
    ".parquet": (_other_type, _other_type),
    ".toml": (_other_setting, _other_setting),
}


def outcome(case: Case, world: Path, folder: Path) -> Verdict:
    """Return what came of a case, run in a copy of the world at `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(world, folder, symlinks=True)
    if case.break_file is not None:
        case.break_file(folder)
    before = _tree(folder)
    out, err = io.StringIO(), io.StringIO()
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(SECONDS)
    try:
        with chdir(folder), redirect_stdout(out), redirect_stderr(err):
            code = run(case.words)
    except _TooLong:
        return Verdict(None, f"no answer in {SECONDS} s")
    except Exception:  # noqa: BLE001
        return Verdict(None, traceback.format_exc())
    finally:
        signal.alarm(0)
    left = _tree(folder) - before
    return Verdict(code, _fault(case, code, (out.getvalue(), err.getvalue()), left))


def _too_long(number: int, frame: FrameType | None) -> None:
    raise _TooLong


def _fault(case: Case, code: int, said: tuple[str, str], left: set[str]) -> str:
    out, err = said
    kept = "study/" if "run" in case.words else "nothing"
    leftovers = sorted(name for name in left if not name.startswith(kept))
    if not code:
        leftovers = [name for name in leftovers if re.search(r"\.tmp$|\.shards", name)]
    if code not in (0, 1, 2) or leftovers:
        return f"exit {code}, left behind: {leftovers}"
    return _unclear(case, code, out, err)


def _unclear(case: Case, code: int, out: str, err: str) -> str:
    if UNFORESEEN in err or "Traceback" in err:
        return err
    if code and not err.strip():
        return "failed without a word"
    if any(len(line) > 3000 for line in err.splitlines()) or "\0" in err:
        return f"said too much: {err[:200]!r}"
    if not code and "--json" in case.words:
        try:
            json.loads(out)
        except ValueError as error:
            return f"no JSON document: {error}"
    return ""


def _tree(folder: Path) -> set[str]:
    return {os.path.relpath(path, folder) for path in folder.rglob("*")}
