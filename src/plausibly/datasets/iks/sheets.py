"""The sheet of the implicit-knowledge annotation manual: nine questions, some of them skipped.

What reading a sheet yields:

- Per candidate: item `<source item>#<candidate>` (`ex1#ii`), questions `grammaticality`,
  `coherence`, `content_b`, `content_c`, `comparison_a`, `comparison_b`.
- Once per source item: item `<source item>` (`ex1`), questions `content_a`, `content_d`
  (candidates by number between semicolons, in order: `i;iii`) and `comparison_c` (one number).
- `answer` is the option in capitals as the manual lists it; `value` its place on the scale, worst
  first from 1 (`SCALES`), null for `content_d` and `comparison_c`.
- A skipped or empty cell gives no rating. Every judged candidate has a `grammaticality` rating,
  so a question was skipped where that rating exists and the question's does not.
- Ratings also carry `source` (the source item), `candidate` (null for answers once per item) and,
  where the sheet has them, `system`, `relation` and `genre`. The items table has one row per
  candidate (its sentence) and one per source item (both source sentences), with the columns
  `source`, `candidate`, `source_1`, `source_2`, `reference` and the sheet's own.

Source items are named by the column `item`, by a title above the block, or counted from 1.
Annotators are named by the column `annotator` or else by the file. A folder of sheets is read as
one sheet per file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from plausibly.datasets.iks import PER_CANDIDATE, PER_ITEM, QUESTIONS, SCALES, SKIPPED
from plausibly.datasets.iks.manual import Sheet, judged
from plausibly.datasets.iks.sheet import roman, sheet_rows
from plausibly.errors import StudyError, TableError
from plausibly.io import write_frame
from plausibly.io.imported import Imported
from plausibly.tables import ITEMS, RATINGS

CARRIED = ("system", "relation", "genre")
_SHARED = ("source_1", "source_2", "reference", "relation", "genre")
_NOT_FACTS = (*QUESTIONS, "item", "annotator", "candidate", "sentence")


def read_iks(path: Path, *, names: Mapping[str, str]) -> Imported:
    """Return ratings and items from one sheet, or from every sheet in a folder."""
    paths = sorted(p for p in path.iterdir() if p.is_file()) if path.is_dir() else [path]
    if not paths:
        raise TableError(f"{path}: the folder holds no sheets.")
    sheets = [sheet for one in paths for sheet in judged(one, sheet_rows(one, names))]
    ratings = RATINGS.sort(RATINGS.check(_ratings(sheets)))
    return Imported(ratings, items=ITEMS.sort(ITEMS.check(_items(sheets))))


def _ratings(sheets: Iterable[Sheet]) -> pl.DataFrame:
    rows: list[dict[str, object]] = []
    for sheet in sheets:
        person = {"annotator": sheet.annotator, "source": sheet.item}
        for candidate in sheet.candidates:
            about = {
                **person,
                "item": f"{sheet.item}#{candidate.number}",
                "candidate": candidate.number,
                **{fact: candidate.row.cells.get(fact) for fact in CARRIED},
            }
            answers = {q: a for q, a in candidate.answers.items() if q in PER_CANDIDATE}
            rows += [{**about, **_answer(question, answer)} for question, answer in answers.items()]
        first = sheet.candidates[0].row.cells
        about = {
            **person,
            "item": sheet.item,
            **{f: first.get(f) for f in CARRIED if f != "system"},
        }
        rows += [
            {**about, **_answer(question, answer)} for question, answer in sheet.answers.items()
        ]
    own = {name: pl.String() for name in ("source", "candidate", *CARRIED)}
    return _without_empty(pl.DataFrame(rows, schema={**RATINGS.schema, **own}), CARRIED)


def _answer(question: str, answer: str) -> dict[str, object]:
    scale = SCALES.get(question, ())
    value = float(scale.index(answer) + 1) if answer in scale else None
    return {"question": question, "answer": answer, "value": value}


def _items(sheets: Iterable[Sheet]) -> pl.DataFrame:
    rows: dict[str, dict[str, object]] = {}
    own: dict[str, None] = dict.fromkeys(
        ("source", "candidate", "source_1", "source_2", "reference")
    )
    for sheet in sheets:
        for candidate in sheet.candidates:
            facts = {k: v for k, v in candidate.row.cells.items() if k not in _NOT_FACTS}
            own.update(dict.fromkeys(facts))
            shared = {k: v for k, v in facts.items() if k in _SHARED}
            both = " / ".join(filter(None, (facts.get("source_1"), facts.get("source_2"))))
            whole = {"item": sheet.item, "text": both or sheet.item, "source": sheet.item}
            rows.setdefault(sheet.item, {**whole, **shared})
            name = f"{sheet.item}#{candidate.number}"
            text = candidate.sentence or name
            about = {"text": text, "source": sheet.item, "candidate": candidate.number}
            rows.setdefault(name, {"item": name, **about, **facts})
    schema = {"item": pl.String(), "text": pl.String(), **dict.fromkeys(own, pl.String())}
    return pl.DataFrame(list(rows.values()), schema=schema)


def _without_empty(frame: pl.DataFrame, columns: Iterable[str]) -> pl.DataFrame:
    return frame.drop(c for c in columns if frame[c].null_count() == frame.height)


def write_iks(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write a plain table, one row per candidate; answers per item are in its first row."""
    write_frame(sheet_frame(ratings, items), path)


def sheet_frame(ratings: pl.DataFrame, items: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return the plain table of a sheet; raise if a rating has no cell in it."""
    candidate = pl.col("item").str.extract(r"#([ivxlc]+)$")
    cut = RATINGS.check(ratings).with_columns(
        source=pl.col("item").str.replace(r"#[ivxlc]+$", ""), candidate=candidate
    )
    numbers = [roman(number) for number in range(1, 400)]
    _refuse_homeless(cut, numbers)
    per_candidate = _wide(cut.filter(pl.col("candidate").is_not_null()), "candidate", PER_CANDIDATE)
    per_item = _wide(cut.filter(pl.col("candidate").is_null()), None, PER_ITEM)
    rank = pl.col("candidate").replace_strict(numbers, range(399), return_dtype=pl.Int64)
    wide = per_candidate.sort("source", "annotator", rank).join(
        per_item, on=["source", "annotator"], how="left", maintain_order="left"
    )
    first = pl.struct("source", "annotator").is_first_distinct()
    ended = (pl.col("grammaticality") == "NO") | (pl.col("coherence") == "NONSENSE")
    wide = wide.with_columns(
        *(pl.when(first).then(q).alias(q) for q in PER_ITEM),
        *(
            pl.when(ended & pl.col(q).is_null()).then(pl.lit(SKIPPED)).otherwise(q).alias(q)
            for q in PER_CANDIDATE
        ),
    )
    return _with_facts(wide, items)


def _refuse_homeless(cut: pl.DataFrame, numbers: list[str]) -> None:
    """Raise if a rating has no cell in a sheet, rather than leave it out."""
    known = pl.col("candidate").is_in(numbers)
    judged = cut.filter(known).select("source", "annotator")
    of_candidates = cut.filter(known & pl.col("question").is_in(PER_CANDIDATE))
    of_items = cut.filter(pl.col("candidate").is_null() & pl.col("question").is_in(PER_ITEM))
    placed = pl.concat(
        [of_candidates, of_items.join(judged, on=["source", "annotator"], how="semi")]
    )
    homeless = cut.join(placed, on=list(RATINGS.key), how="anti", maintain_order="left")
    if homeless.is_empty():
        return
    first = homeless.row(0, named=True)
    unknown = sorted(set(homeless["question"]) - set(QUESTIONS))
    raise StudyError(
        f"the iks format has no place for {homeless.height} of {cut.height} ratings (first: "
        f"question {first['question']!r} of item {first['item']!r})"
        + (f"; unknown questions: {', '.join(unknown)}" if unknown else "")
        + f". It holds {', '.join(PER_CANDIDATE)} of candidates (ITEM#i, ITEM#ii …) and "
        f"{', '.join(PER_ITEM)} of items with candidates. Filter the ratings, or write the long "
        f"format."
    )


def _wide(cut: pl.DataFrame, candidate: str | None, questions: tuple[str, ...]) -> pl.DataFrame:
    index = ["source", "annotator", *([candidate] if candidate else [])]
    return cut.group_by(index).agg(
        pl.col("answer").filter(pl.col("question") == q).first().alias(q) for q in questions
    )


def _with_facts(wide: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    """Return the columns of a sheet in order, with what the items table says about sentences."""
    names = [pl.col("source").alias("item"), pl.col("annotator"), pl.col("candidate")]
    facts: list[str] = []
    if items is not None:
        ours = (*ITEMS.schema, "source", "candidate")
        facts = ["sentence", *(column for column in items.columns if column not in ours)]
        described = items.rename({"text": "sentence"}).select("item", *facts)
        wide = wide.with_columns(item=pl.concat_str("source", "candidate", separator="#"))
        wide = wide.join(described, on="item", how="left", maintain_order="left")
    return wide.select(*names, *facts, *QUESTIONS)
