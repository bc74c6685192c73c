"""Run the commands of docs/coverage.csv on the example studies and the published data.

    python benchmarks/paper_commands.py [--draw 30] [--seed 31] [--only "build pap"]

Without --draw, every command is run. Needs PLAUSIBLY_DATA. Prints the exit status, the seconds and
the command; the last line counts failures.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

from plausibly.cli import run

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
GUM = "{data}/ud/en_gum-ud-dev.conllu.gz"
PAIRS = "{data}/adept/val.json"
TUNE = "models tune --items {w}/pairs.json --encoder {w}/encoder --grid {w}/grid.toml --seeds 1"
PAP = "build pap --svo {w}/counts/svo.parquet --norms {data}/norms/brysbaert2014_concreteness.tsv"
PAP += " --seed 1 --per-cell 1 --short-cells take-all -o {out}"
ADEPT = "build adept --counts {w}/amod.csv --conceptnet {w}/assertions.tsv --seed 1 -o {out}"
SP10K = "build sp10k --counts {w}/counts.csv --relations dobj --seed 1 -o {out} --heads 3"
SP10K += " --per-survey 6 --min-frequent 5"
GITA = "build gita {data}/gita/gita4calamita_356.jsonl -o {out}"
KEPT = "{adept}/clean/ratings.parquet"
CLEAN = "clean {pap}/ratings.parquet --items {pap}/items.parquet --resamples 0 -o {out}"
EVALUATE = "evaluate {w}/p.parquet --against " + PAIRS + " --scheme adept-5 --resamples 0"

OBJECTS = {"eat": "apple egg cherry", "see": "boat cat door", "buy": "car shirt hat"}
# From a command of the table to one that runs; a longer one stands in for a shorter one.
RUNS = {
    "agree": f"agree {KEPT} --resamples 0",
    "agree --by": f"agree {KEPT} --by annotator --resamples 0",
    "agree --sides": "agree {pap}/ratings.parquet --sides '1,2|4,5' --resamples 0",
    "ask": "ask gita --model constant:true --limit 4 -o {out}",
    "ask --made-for": "ask gita --model constant:true --made-for it --limit 4 -o {out}",
    "ask --prompts": "ask gita --model constant:true --prompts all --limit 4 -o {out}",
    "ask --shot-sets": "ask gita --model constant:true --shot-sets 2 --limit 4 -o {out}",
    "ask --shots": "ask gita --model constant:true --shots 3 --limit 4 -o {out}",
    "ask --tasks": "ask gita --model constant:true --tasks story_class --limit 4 -o {out}",
    "build adept": ADEPT,
    "build adept --identity": f"{ADEPT} --identity with",
    "build adept --min-count": f"{ADEPT} --min-count 10",
    "build adept --nonsubsective": f"{ADEPT} --nonsubsective {{data}}/adept/nonsubsective_60.tsv",
    "build adept --profanity-classifier": f"{ADEPT} --profanity-classifier 0.9",
    "build adept --ratio": f"{ADEPT} --ratio 4",
    "build checks": f"build checks {KEPT} --items {{adept}}/items.parquet -o {{out}}.parquet",
    "build checks --min-intended": "build checks {pap}/ratings.parquet --items {pap}/items.parquet "
    "--min-intended 0.8 --sides '1,2|4,5' --at-least 2 -o {out}.parquet",
    "build gita": GITA,
    "build gita --alone": f"{GITA} --alone {{w}}/alone.csv",
    "build gita --augment": f"{GITA} --augment 1",
    "build gita --choice": f"{GITA} --choice",
    "build gita --opposites": f"{GITA} --opposites {{w}}/opposites.csv",
    "build gita --swaps": f"{GITA} --swaps 2",
    "build iks": "build iks --sources {w}/sources.csv --candidates {w}/wrote.csv --seed 1 -o {out}",
    "build iks --blind-key": "build iks --sources {w}/sources.csv --candidates {w}/wrote.csv "
    "--seed 1 --blind-key {out}-key.parquet -o {out}",
    "build pap": PAP,
    "build pap --draw": f"{PAP} --draw type",
    "build pap --exchanged": f"{PAP} --exchanged 1",
    "build pap --feasibility": PAP.replace(" -o {out}", " --feasibility 60000"),
    "build pap --language": f"{PAP} --language en",
    "build pap --min-zipf": f"{PAP} --min-zipf 3",
    "build pap --no-fiction": f"{PAP.replace('svo.parquet', 'marked.parquet')} --no-fiction",
    "build pap --profanity": f"{PAP} --profanity {{w}}/rude.txt",
    "build pap --profanity-classifier": f"{PAP} --profanity-classifier 0.9",
    "build sp10k": SP10K,
    "build sp10k --frequency": f"{SP10K} --frequency {{w}}/words.csv",
    "build sp10k --short-heads": f"{SP10K} --short-heads take-all",
    "check adept": f"check adept {PAIRS}",
    "check gita": "check gita {data}/gita/gita4calamita_356.jsonl",
    "clean --annotators": f"{CLEAN} --preset pap --annotators {{w}}/people.csv",
    "clean --multiverse": f"{CLEAN} --preset pap --multiverse",
    "clean --preset": f"{CLEAN} --preset pap",
    "clean --top-up": f"{CLEAN} --preset pap --top-up --target 10",
    "clean --withdraw": f"{CLEAN} --preset pap --withdraw {{check}}",
    "compare": f"compare {{w}}/p.parquet {{w}}/q.parquet --against {PAIRS} --scheme adept-5",
    "counts merge": "counts merge one={w}/counts two={w}/more -o {out}",
    "describe frequency": "describe frequency {pap}/ratings.parquet --items {w}/counted.parquet",
    "describe pairs": "describe pairs {data}/sp10k -o {out}.csv",
    "describe pairs --format": "describe pairs {data}/sp10k --format sp10k",
    "evaluate": EVALUATE,
    "evaluate --examples": f"{EVALUATE} --examples 3",
    "evaluate --figures": f"{EVALUATE} --figures {{out}}",
    "evaluate --train": f"{EVALUATE} --train {{data}}/adept/train.json",
    "evaluate --undefined": "evaluate {w}/s.parquet --against {data}/sp10k/dobj.tsv --scheme sp10k "
    "--relation dobj --undefined zero --resamples 0",
    "experts codes": "experts codes {w}/anna.csv {w}/ben.csv --codebook extremes",
    "experts compare": "experts compare {w}/judged.csv --labels {adept}/labels.parquet",
    "experts compare --sides": "experts compare {w}/judged.csv --labels {adept}/labels.parquet "
    "--sides 'impossible,less likely|more likely,necessarily true'",
    "experts confident": "experts confident {adept}/labels.parquet -o {out}.parquet",
    "experts decide": "experts decide {w}/decided.csv --labels {adept}/labels.parquet "
    "--decided-by anna -o {out}.parquet",
    "experts sample": "experts sample {adept}/items.parquet --size 9 -o {out}.csv",
    "experts sheet": f"experts sheet {KEPT} --of items --labels {{adept}}/labels.parquet "
    "--labelled impossible --codebook extremes -o {out}.csv",
    "experts subset": f"experts subset {KEPT.replace('adept', 'sp10k')} --items "
    "{sp10k}/items.parquet --lowest 2 -o {out}.csv",
    "export lm-eval": "export lm-eval gita -o {out}",
    "extract": f"extract {GUM} -o {{out}} --workers 1",
    "extract --articles": "extract {w}/texts.jsonl --articles 1 -o {out} --workers 1",
    "extract --column": "extract {w}/texts.jsonl --column text -o {out} --workers 1",
    "extract --documents": "extract {w}/texts.jsonl --documents genre!=fiction -o {out} "
    "--workers 1",
    "extract --format": f"extract {GUM} --format conllu -o {{out}} --workers 1",
    "extract --min-tokens": "extract {w}/texts.jsonl --min-tokens 2 -o {out} --workers 1",
    "extract --parser": "extract {w}/texts.jsonl --parser embedded -o {out} --workers 1",
    "extract --proper-nouns": f"extract {GUM} --proper-nouns -o {{out}} --workers 1",
    "extract --relations": f"extract {GUM} --relations dobj,amod -o {{out}} --workers 1",
    "generate": "generate {w}/sources.csv --model mock:1 -o {out}",
    "label --em": "label {data}/mace/wsd.csv --format mace --method mace --em --restarts 2",
    "label --method": "label {pap}/ratings.parquet --method strict-majority --min-share 0.7",
    "label --rescale": "label {pap}/ratings.parquet --method mean --rescale '1,5|0,10'",
    "label --scheme": "label {pap}/ratings.parquet --method strict-majority --scheme pap-binary "
    "--min-share 0.7",
    "models audit": "models audit adept-lite",
    "models fit": "models fit pp --counts {w}/counts -o {out}",
    "models fit --corpus": "models fit pp --counts {w}/merged --corpus two -o {out}",
    "models fit --vectors": "models fit ds --counts {w}/counts --vectors {w}/vectors.txt -o {out}",
    "models predict": f"models predict majority {PAIRS} -o {{out}}.parquet",
    "models tune": f"{TUNE} -o {{out}}",
    "models tune --context": f"{TUNE} --context none -o {{out}}",
    "models tune --folds": f"{TUNE} --folds noun -o {{out}}",
    "models tune --frozen": f"{TUNE} --frozen -o {{out}}",
    "models tune --soft": "models tune --items {adept}/items.parquet --labels "
    "{adept}/labels.parquet --soft --encoder {w}/encoder --grid {w}/grid.toml --seeds 1 -o {out}",
    "people list": "people list {served}",
    "people objections": "people objections {served}",
    "people pay": "people pay {served} -o {out}.csv",
    "read --format": "read {data}/mace/wsd.csv --format mace -o {out}.parquet",
    "release": "release {adept} -o {out}",
    "replicate": "replicate gita --data {data}",
    "replicate --figures": "replicate pap --figures --data {data} -o {out}",
    "report": "report {adept} -o {out}",
    "run": "run {adept}",
    "score candidates": "score candidates {w}/wrote.csv --sources {w}/sources.csv -o {out}.csv",
    "score candidates --ratings": "score candidates {w}/wrote.csv --sources {w}/sources.csv "
    "--ratings {w}/rated.csv --blind-key {w}/rated-key.csv",
    "score gita": "score gita {answers} --resamples 0",
    "score gita --rules": "score gita {answers} --rules gita-2024 --resamples 0",
    "score gita-trip": "score gita-trip {trip}",
    "score iks": "score iks {iks}/clean/ratings.parquet --resamples 100",
    "score iks --items": "score iks {iks}/clean/ratings.parquet --items {iks}/items.parquet "
    "--resamples 100",
    "score iks --blind-key": "score iks {iks}/clean/ratings.parquet --resamples 100 --blind-key "
    "{w}/key.csv",
    "score overlap": "score overlap {data}/sp10k --assertions {w}/assertions.tsv -o {out}",
    "score overlap -o": "score overlap {data}/sp10k --assertions {w}/assertions.tsv -o {out}",
    "score pseudo": "score pseudo {w}/more --models pp --relation dobj",
    "score pseudo --test": "score pseudo {w}/more --test {w}/counts --models pp --relation dobj",
    "score winograd --model": "score winograd {data}/sp10k/winograd/wsc285.xml "
    "--model {data}/sp10k --questions {data}/sp10k/winograd/selected_question_ids.txt",
    "score winograd": "score winograd {winograd}",
    "score winograd --no-answer": "score winograd {winograd} --no-answer either-missing",
    "score winograd --questions": "score winograd {data}/sp10k/winograd/wsc285.xml "
    "--model {data}/sp10k --questions {data}/sp10k/winograd/selected_question_ids.txt",
    "serve": "serve {served} --port 0",
    "serve --author": "serve {gita} --author --port 0",
    "write --format": "write {iks}/ratings.parquet --format iks -o {out}.csv",
}


def main() -> int:
    """Run what was asked for, and count failures."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--draw", type=int, default=0)
    asked.add_argument("--seed", type=int, default=31)
    asked.add_argument("--only", default="")
    options = asked.parse_args()
    with (ROOT / "docs" / "coverage.csv").open(encoding="utf-8", newline="") as stream:
        listed = sorted({row["command"] for row in csv.DictReader(stream)})
    drawn = np.random.default_rng(options.seed).permutation(listed)[: options.draw or None]
    chosen = [str(one) for one in drawn if one.startswith(options.only)]
    failures = 0
    with tempfile.TemporaryDirectory() as place:
        names = prepared(Path(place))
        for number, command in enumerate(chosen):
            failures += not done(command, {**names, "out": f"{place}/out-{number}"})
    sys.stdout.write(f"{len(chosen)} commands, {failures} failed\n")
    return 1 if failures else 0


def done(command: str, names: dict[str, str]) -> bool:
    """Run one command of the table, and print how it went."""
    words = command.partition(" -")[0]
    known = [one for one in RUNS if one == command or RUNS[one].startswith(words)]
    flags = command.partition(" -")[2]
    fitting = [one for one in known if one == command]
    fitting += [one for one in known if not flags or f"-{flags} " in f"{RUNS[one]} "]
    if not fitting:
        sys.stdout.write(f"none   {command}: nothing to run it with\n")
        return False
    line = RUNS[fitting[0]].format(**names)
    arguments, started = shlex.split(line), time.monotonic()
    said = io.StringIO()
    if arguments[0] == "serve":
        status = served(arguments, said)
    else:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = run(arguments)
    spent = time.monotonic() - started
    sys.stdout.write(f"exit {status} {spent:6.1f} s  {command}\n")
    if status:
        sys.stdout.write(f"{line}\n{said.getvalue()[-400:]}\n")
    sys.stdout.flush()
    return status == 0


def served(words: list[str], said: io.StringIO) -> int:
    """Start a server, wait until it prints its address, and stop it."""
    command = [sys.executable, "-m", "plausibly", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as server:
        for line in server.stdout or ():
            said.write(line.decode())
            if b"http://" in line:
                server.terminate()
                return 0
        return server.wait() or 1


def prepared(place: Path) -> dict[str, str]:
    """Return the names of what commands need: data, example studies, small files."""
    from worlds.encoders import SPECIAL, tiny_encoder

    data = os.environ["PLAUSIBLY_DATA"]
    names = {"data": data, "w": str(place)}
    for one in ("pap", "adept", "sp10k", "gita", "iks"):
        names[one] = f"{place}/{one}"
        _quietly("init", one, names[one], "--example")
        _quietly("run", names[one], "--to", "label")
    names["served"] = f"{place}/served"
    _quietly("init", "pap", names["served"], "--example")
    served(["serve", names["served"], "--port", "0"], io.StringIO())
    names["answers"] = f"{data}/gita/llm_outputs/gemma-2-9b-it"
    names["trip"] = f"{data}/gita/trip_style_outputs/order_pairs.jsonl.gz"
    names["winograd"] = f"{data}/sp10k/winograd/predictions_sp10k.csv"
    _quietly("extract", GUM.format(data=data), "-o", f"{place}/counts", "--workers", "1")
    more = f"{data}/ud/en_ewt-ud-dev.conllu.gz"
    _quietly("extract", more, "-o", f"{place}/more", "--workers", "1")
    both = (f"one={place}/counts", f"two={place}/more")
    _quietly("counts", "merge", *both, "-o", f"{place}/merged")
    svo = pl.read_parquet(place / "counts" / "svo.parquet")
    svo.with_columns(fiction=pl.lit(value=False)).write_parquet(place / "counts" / "marked.parquet")
    pairs = json.loads(Path(data, "adept", "val.json").read_text(encoding="utf-8"))[:40]
    (place / "pairs.json").write_text(json.dumps(pairs), encoding="utf-8")
    words = {word for one in pairs for word in one["sentence2"].lower().rstrip(".").split()}
    (place / "encoder").mkdir()
    tiny_encoder(place / "encoder", (*SPECIAL, ".", *sorted(words)))
    for name, model in (("p", "majority"), ("q", "normative")):
        _quietly(
            "models", "predict", model, PAIRS.format(data=data), "-o", f"{place}/{name}.parquet"
        )
    _quietly("models", "fit", "pp", "--counts", f"{place}/counts", "-o", f"{place}/pp")
    dobj = f"{data}/sp10k/dobj.tsv"
    said = ("--relation", "dobj", "-o", f"{place}/s.parquet")
    _quietly("models", "predict", f"{place}/pp", dobj, *said)
    items = pl.read_parquet(f"{names['pap']}/items.parquet")
    names["check"] = items.filter(kind="check")["item"][0]
    items.with_columns(count=pl.int_range(pl.len())).write_parquet(place / "counted.parquet")
    _small_files(place, names)
    return names


def _small_files(place: Path, names: dict[str, str]) -> None:
    """Write tables that a reader would write by hand."""
    people = pl.read_parquet(f"{names['pap']}/ratings.parquet").select("annotator").unique()
    people.with_columns(approval=pl.lit(99), approved_tasks=2000).write_csv(place / "people.csv")
    labels = pl.read_parquet(f"{names['adept']}/labels.parquet").drop_nulls("label").head(9)
    judged = [labels.select("item", annotator=pl.lit(one), answer="label") for one in ("a", "b")]
    pl.concat(judged).write_csv(place / "judged.csv")
    decided = labels.head(1).select("item", decision="label", reason=pl.lit("clear"))
    decided.write_csv(place / "decided.csv")
    for one in ("anna", "ben"):
        codes = labels.select(case="item", code=pl.lit("clear"))
        codes.with_columns(
            code=pl.when(pl.int_range(pl.len()) % 2 == 0).then("code").otherwise(pl.lit("sense"))
        ).write_csv(place / f"{one}.csv")
    rated = pl.read_parquet(f"{names['iks']}/ratings.parquet").select("item").unique()
    system = pl.col("item").str.extract(r"#(.*)$").alias("system")
    rated.with_columns(system).drop_nulls("system").write_csv(place / "key.csv")
    texts = {
        "grid.toml": "epochs = 1\nbatch = 8\nrate = 1e-3\n",
        "rated.csv": "item,annotator,question,answer\na#i,p,coherence,YES\na#ii,p,coherence,NO\n",
        "rated-key.csv": "item,source,candidate,system\na#i,a,i,one\na#ii,a,ii,two\n",
        "rude.txt": "rude\n",
        "vectors.txt": "time 0.1 0.2\npeople 0.2 0.1\nway 0.3 0.1\nplace 0.1 0.4\n",
        "opposites.csv": "verb,opposite\naprire,chiudere\n",
        "alone.csv": "text,answer\nMarco ha aperto il frigo.,yes\n",
        "words.csv": "word,pos,count\n"
        + "".join(f"{one},v,9\n" for one in ("eat", "see", "buy"))
        + "".join(f"{one},n,8\n" for one in " ".join(OBJECTS.values()).split()),
        "texts.jsonl": '{"text": "The dog chased the cat. A girl reads a long book."}\n',
        "sources.csv": "item,source_1,source_2,reference\na,It rains.,We are wet.,Rain is wet.\n",
        "wrote.csv": "item,system,sentence\na,one,Rain makes wet.\na,two,Sun is hot.\n",
        "assertions.tsv": "relation\tstart\tend\nUsedFor\tbell\tcalling people\n"
        "UsedFor\tkettle\tboiling syrup\n",
    }
    adjectives = {"small": 14, "old": 13, "green": 12, "unique": 11, "fake": 10}
    rows = [f"amod,{n},{a},{c}" for n in ("bell", "kettle") for a, c in adjectives.items()]
    texts["amod.csv"] = "\n".join(["relation,head,dependent,count", *rows, ""])
    rows = [f"dobj,{v},{n},{20 - i}" for v, o in OBJECTS.items() for i, n in enumerate(o.split())]
    texts["counts.csv"] = "\n".join(["relation,head,dependent,count", *rows, ""])
    for name, text in texts.items():
        (place / name).write_text(text, encoding="utf-8")


def _quietly(*words: str) -> None:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = run(list(words))
    if status:
        raise SystemExit(f"{' '.join(words)}: {said.getvalue()[-600:]}")


if __name__ == "__main__":
    raise SystemExit(main())
