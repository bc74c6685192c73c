"""Items we build beside published ones, shuffled, for readers who are not told which is which.

    python benchmarks/blind_reading.py draw --built DIR --seed 1 -o SHEETS
    python benchmarks/blind_reading.py tally SHEETS/key.json READER1.tsv READER2.tsv [--page FILE]

`draw` takes thirty items of PAP, ADEPT and SP-10K from the folders pap, adept and sp10k under DIR,
as `plausibly build` left them, and thirty published ones of each from $PLAUSIBLY_DATA. It writes
one sheet with an empty column `well_formed` (yes or no) and an empty column `cause`, and the key,
which no reader sees. `tally` prints the share of items each reader and both call well formed; with
--page it writes our own items, each with its verdicts, as Markdown. Published items are counted
and never written.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io.ranks import rank
from plausibly.stimuli.sp10k.surveys import wording

ITEMS = 30
PROTOCOLS = ("pap", "adept", "sp10k")
FIELDS = ("number", "protocol", "text", "well_formed", "cause")
Key = dict[str, Any]


def built_texts(folder: Path, protocol: str) -> list[str]:
    """Return the texts of all items we built, checks left out."""
    items = pl.read_parquet(folder / protocol / "items.parquet").filter(pl.col("kind") == "item")
    if protocol == "adept":
        return _pairs(items.select("sentence1", "sentence2").iter_rows())
    return items["text"].to_list()


def published_texts(data: Path, protocol: str) -> list[str]:
    """Return the texts of all published items."""
    if protocol == "pap":
        events = pl.read_csv(data / "pap" / "events_with_ratings.tsv", separator="\t")
        return events["event"].to_list()
    if protocol == "adept":
        pairs = json.loads((data / "adept" / "train.json").read_text(encoding="utf-8"))
        return _pairs((pair["sentence1"], pair["sentence2"]) for pair in pairs)
    questions = wording("en")
    texts = []
    for relation in questions.questions:
        for line in (data / "sp10k" / f"{relation}.tsv").read_text(encoding="utf-8").splitlines():
            head, dependent, _ = line.split("\t")
            texts.append(questions.question(relation, head, dependent))
    return texts


def _pairs(rows: Iterable[tuple[str, ...]]) -> list[str]:
    return [" -> ".join(row) for row in rows]


def draw(built: Path, data: Path, out: Path, seed: int) -> None:
    """Write the sheet and its key."""
    rows = []
    for protocol in PROTOCOLS:
        sources = {"built": built_texts(built, protocol)}
        sources["published"] = published_texts(data, protocol)
        for origin, texts in sources.items():
            drawn = sorted(texts, key=lambda text: rank(seed, f"drawn|{text}"))[:ITEMS]
            rows += [{"protocol": protocol, "origin": origin, "text": text} for text in drawn]
    rows.sort(key=lambda row: (PROTOCOLS.index(row["protocol"]), rank(seed, row["text"])))
    key = {str(number): row for number, row in enumerate(rows, start=1)}
    out.mkdir(parents=True, exist_ok=True)
    (out / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")
    with (out / "sheet.tsv").open("w", encoding="utf-8", newline="") as stream:
        sheet = csv.DictWriter(stream, FIELDS, delimiter="\t", lineterminator="\n")
        sheet.writeheader()
        for number, row in key.items():
            sheet.writerow({"number": number, "protocol": row["protocol"], "text": row["text"]})
    print(f"{out}: {len(key)} items")


def verdicts(path: Path) -> dict[str, tuple[bool, str]]:
    """Return what a reader said of each item: whether it is well formed, and why not."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    odd = [row["number"] for row in rows if row["well_formed"] not in ("yes", "no")]
    if odd:
        raise SystemExit(f"{path}: item {odd[0]} is neither yes nor no.")
    return {row["number"]: (row["well_formed"] == "yes", row["cause"] or "") for row in rows}


def tally(key: Key, readers: Mapping[str, dict[str, tuple[bool, str]]]) -> list[str]:
    """Return the table of shares as lines of Markdown."""
    lines = ["| protocol | items | " + " | ".join(readers) + " | both |"]
    lines.append("|" + "---|" * (len(readers) + 3))
    for protocol in PROTOCOLS:
        for origin in ("built", "published"):
            numbers = [n for n, one in key.items() if _is(one, protocol, origin)]
            said = [[told[n][0] for n in numbers] for told in readers.values()]
            both = [all(column) for column in zip(*said, strict=True)]
            shares = " | ".join(f"{sum(one)} of {len(one)}" for one in [*said, both])
            lines.append(f"| {protocol} | {origin} | {shares} |")
    return lines


def _is(one: Mapping[str, str], protocol: str, origin: str) -> bool:
    return (one["protocol"], one["origin"]) == (protocol, origin)


def own_items(key: Key, readers: Mapping[str, dict[str, tuple[bool, str]]]) -> list[str]:
    """Return our own items, each with what readers had against it, as lines of Markdown."""
    lines = []
    for protocol in PROTOCOLS:
        lines += ["", f"## {protocol}", "", "| item | rejected because |", "|---|---|"]
        for number, one in key.items():
            if _is(one, protocol, "built"):
                causes = [told[number][1] for told in readers.values() if not told[number][0]]
                lines.append(f"| {one['text']} | {'; '.join(causes)} |")
    return lines


def main() -> None:
    """Draw a sheet, or tally what readers said."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    steps = parser.add_subparsers(dest="step", required=True)
    drawing = steps.add_parser("draw")
    drawing.add_argument("--built", type=Path, required=True)
    drawing.add_argument("--data", type=Path, default=Path(os.environ.get("PLAUSIBLY_DATA", ".")))
    drawing.add_argument("--seed", type=int, required=True)
    drawing.add_argument("-o", "--output", type=Path, required=True)
    tallying = steps.add_parser("tally")
    tallying.add_argument("key", type=Path)
    tallying.add_argument("readers", type=Path, nargs="+")
    tallying.add_argument("--page", type=Path)
    given = parser.parse_args()
    if given.step == "draw":
        draw(given.built, given.data, given.output, given.seed)
        return
    key = json.loads(given.key.read_text(encoding="utf-8"))
    readers = {f"reader {n}": verdicts(path) for n, path in enumerate(given.readers, start=1)}
    table = tally(key, readers)
    print("\n".join(table))
    if given.page is not None:
        text = "\n".join([*table, *own_items(key, readers)])
        given.page.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
