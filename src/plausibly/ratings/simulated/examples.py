"""Example studies: items from a file of ours, rated by a simulated crowd, ready to be served."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io import write_frame, write_table
from plausibly.ratings.collection import collection_form, plan_of
from plausibly.ratings.served import Served, read_contents, read_surveys
from plausibly.ratings.simulated.crowd import simulate
from plausibly.ratings.simulated.model import ANY, PeopleModel
from plausibly.ratings.simulated.outlook import LEANING, outlook_of
from plausibly.study.protocol import Protocol
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

RATINGS_FILE = "answers.csv"
SURVEYS = "surveys.parquet"
# Items of examples say what they lean to, nearly always, and people differ in their kind alone.
ALIKE = PeopleModel(pace=0.0, appeal={ANY: (1.2, 1.2)})

Row = Mapping[str, Any]
Surveys = Callable[[pl.DataFrame, int], pl.DataFrame]


@dataclass(frozen=True)
class ExampleStudy:
    """Writes the example study of a protocol into a folder, from the protocol's sample.

    Args:
        phrase: From a row to the text that is shown, where rows have none.
        surveys: From the items and the seed to surveys, where the protocol has them.
    """

    phrase: Callable[[Row], str] | None = None
    surveys: Surveys | None = None

    def __call__(
        self, protocol: Protocol, folder: Path, seed: int
    ) -> Mapping[str, Mapping[str, Any]]:
        """Write items, annotators and their answers; return what study.toml says about them."""
        document = protocol.sample
        overrides = {name: dict(keys) for name, keys in document.get("study", {}).items()}
        items = self.items(document)
        write_table(items, folder / "items.parquet", ITEMS)
        if self.surveys is not None:
            write_frame(self.surveys(items, seed), folder / SURVEYS)
        served = _served(protocol, folder, overrides, seed)
        spare = max(1, round(served.plan.target / 5))
        outlook = outlook_of(items, served.form, ALIKE, seed=seed)
        crowd = simulate(served, seed=seed, spare=spare, outlook=outlook)
        write_table(crowd.annotators, folder / "annotators.parquet", ANNOTATORS)
        write_table(crowd.ratings, folder / RATINGS_FILE, RATINGS)
        return {**overrides, "ratings": {**overrides.get("ratings", {}), "source": RATINGS_FILE}}

    def items(self, document: Mapping[str, Any]) -> pl.DataFrame:
        """Return the items the file lists, its checks included."""
        rows = [
            self._row(dict(zip(table["columns"], cells, strict=True)), table)
            for table in document["tables"]
            for cells in table["rows"]
        ]
        columns = dict.fromkeys(name for row in rows for name in row)
        frame = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String()))
        return ITEMS.sort(ITEMS.check(frame))

    def _row(self, cells: dict[str, Any], table: Mapping[str, Any]) -> dict[str, str | None]:
        leaning = {name: cells.pop(name) for name in table.get("leans", ())}
        said = {name: answer for name, answer in leaning.items() if answer}
        row = {"kind": table.get("kind", "item"), **cells, "text": self._text(cells)}
        if "candidate" in row:
            row["item"] = f"{row['source']}#{row['candidate']}"
        elif "source_1" in row:
            row["source"] = row["item"]
        row.setdefault("item", _name(row, self.phrase is not None))
        if said:
            row[LEANING] = json.dumps(said)
        return {name: _cell(cell) for name, cell in row.items()}

    def _text(self, cells: Row) -> str:
        if "sentences" in cells:
            return " ".join(cells["sentences"])
        if "source_1" in cells:
            return f"{cells['source_1']} / {cells['source_2']}"
        return self.phrase(cells) if self.phrase is not None else str(cells["text"])


def _served(protocol: Protocol, folder: Path, overrides: Mapping[str, Row], seed: int) -> Served:
    sections = {
        name: {**defaults, **overrides.get(name, {})}
        for name, defaults in protocol.sections.items()
    }
    form = collection_form(protocol, sections["form"], where=protocol.name)
    return Served(
        folder=folder,
        name=protocol.name,
        plan=plan_of(sections["ratings"], seed=seed, where=protocol.name),
        form=form,
        contents=read_contents(folder / "items.parquet", form),
        server=sections["server"],
        surveys=read_surveys(folder / SURVEYS),
    )


def _name(row: Row, phrased: bool) -> str:
    """Return a name for a row: its words with dashes between, a check named as one."""
    words = [row["relation"], row["head"], row["dependent"]] if phrased else [row["text"]]
    prefix = [] if row["kind"] == "item" else [row["kind"]]
    return "-".join(re.findall(r"\w+", " ".join([*prefix, *words]).lower()))


def _cell(cell: object) -> str | None:
    return cell if cell is None or isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
