"""Reasons that people read out of comments and answers: a codebook, cases, two coders or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Span, axis, draw_spans
from plausibly.analysis.showing import number
from plausibly.domain import Measure
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.io import read_rows, read_toml
from plausibly.io.opening import packaged_toml
from plausibly.io.ranks import ranks
from plausibly.measures.agreement import agreement
from plausibly.measures.coded import code as coded_answers
from plausibly.measures.cohen import cohen_kappa
from plausibly.measures.masi import masi_alpha
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import Resampling

CODEBOOKS = ("disagreement", "extremes")
SHEET = ("case", "item", "text", "question", "answers", "comment", "codes", "code", "note")
SEPARATOR = ";"
SETS = "krippendorff_alpha_masi"
MEASURES = ("krippendorff_alpha.nominal", "cohen_kappa", "percent_agreement")
YES, NO = "1", "0"
CODES_DOCUMENT = "experts_codes.json"
"""What a study keeps about codes."""


@dataclass(frozen=True)
class Code:
    """One reason: its name, what it means, and an example."""

    code: str
    description: str
    example: str = ""


def read_codebook(source: str | Path) -> tuple[Code, ...]:
    """Return the codes of a codebook: one of ours by its name, or a TOML or CSV file.

    >>> [one.code for one in read_codebook("extremes")][:2]
    ['clear', 'already']
    """
    if str(source) in CODEBOOKS:
        rows = packaged_toml("plausibly.analysis", f"codebooks/{source}.toml")["codes"]
    elif not Path(source).suffix:
        raise UnknownName("codebook", str(source), CODEBOOKS, parameter="codebook")
    elif Path(source).suffix == ".toml":
        rows = read_toml(Path(source)).get("codes", [])
    else:
        rows = read_rows(Path(source)).frame.to_dicts()
    codes = [_code(row, source) for row in rows]
    names = [one.code for one in codes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if len(codes) < 2 or twice:
        what = f"{twice!r} is there twice" if twice else "fewer than two codes"
        raise TableError(
            f"{source}: {what}. List two or more codes, each once, with description and example."
        )
    return tuple(codes)


def _code(row: Mapping[str, Any], source: str | Path) -> Code:
    known = {name: str(row.get(name) or "").strip() for name in ("code", "description", "example")}
    if not known["code"] or not known["description"] or SEPARATOR in known["code"]:
        raise TableError(
            f"{source}: every entry needs a code without {SEPARATOR!r} and a description; got "
            f"{dict(row)}."
        )
    return Code(**known)


def comment_cases(ratings: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    """Return one case per comment: the item, the answer, and what the person wrote.

    Args:
        ratings: Ratings with a column comment.
        items: Items with their texts, if known.
    """
    if "comment" not in ratings.columns:
        raise TableError("ratings: no column 'comment', so there is nothing to code.")
    wrote = ratings.filter(pl.col("comment").str.strip_chars().str.len_chars() > 0)
    one = pl.col("question", "answer").str.join(", ")
    cases = wrote.sort("item", "annotator", "question").group_by(
        "item", "annotator", "comment", maintain_order=True
    )
    table = cases.agg(one).rename({"answer": "answers"}).sort("item", "annotator", "comment")
    numbers = pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(4)
    return _with_texts(table.with_columns(case=pl.format("c{}", numbers)), items)


def item_cases(
    ratings: pl.DataFrame,
    items: pl.DataFrame | None,
    labels: pl.DataFrame,
    labelled: Sequence[str],
) -> pl.DataFrame:
    """Return one case per item: those with the labels named, or those without a label.

    Args:
        ratings: All answers about them.
        items: Items with their texts, if known.
        labels: Labels table.
        labelled: Labels whose items are coded; none for the items without a label.
    """
    known = labels["label"].drop_nulls().unique().sort().to_list()
    odd = next((name for name in labelled if name not in known), None)
    if odd is not None:
        raise UnknownName("label", odd, known, parameter="labelled")
    wanted = pl.col("label").is_in(list(labelled)) if labelled else pl.col("label").is_null()
    chosen = labels.filter(wanted).select("item", "question")
    texts = pl.col("comment") if "comment" in ratings.columns else pl.lit(None, dtype=pl.String)
    each = (
        ratings.with_columns(comment=texts.replace("", None))
        .join(chosen, on=["item", "question"])
        .sort("item", "question", "answer", "annotator")
        .group_by("item", "question", maintain_order=True)
        .agg(answers=pl.col("answer").str.join(", "), comment=_joined())
    )
    several = each["question"].n_unique() > 1
    case = pl.format("{} {}", "item", "question") if several else pl.col("item")
    return _with_texts(each.with_columns(case=case), items)


def _joined() -> pl.Expr:
    return pl.col("comment").drop_nulls().unique(maintain_order=True).str.join(" / ")


def _with_texts(cases: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    if items is None:
        return cases.with_columns(text=pl.lit(None, dtype=pl.String))
    return cases.join(items.select("item", "text"), on="item", how="left", maintain_order="left")


def coding_sheet(
    cases: pl.DataFrame, codes: Sequence[Code], *, size: int | None, seed: int
) -> pl.DataFrame:
    """Return the sheet that every coder fills in: cases in random order, code and note blank.

    Args:
        cases: What to code.
        codes: The codebook.
        size: How many cases to draw (default: all).
        seed: Random seed; the same seed gives the same cases in the same order.
    """
    if size is not None and not 0 < size <= cases.height:
        raise StudyError(
            f"there are {cases.height} cases to draw from; got a size of {size}.",
            parameter="size",
        )
    if cases.is_empty():
        raise TableError("there is no case to code.")
    ordered = cases.with_columns(place=ranks(cases["case"], seed=seed)).sort("place", "case")
    blank = pl.lit(None, dtype=pl.String)
    names = f" {SEPARATOR} ".join(one.code for one in codes)
    drawn = ordered if size is None else ordered.head(size)
    return drawn.with_columns(codes=pl.lit(names), code=blank, note=blank).select(SHEET)


def filled_sheets(sheets: Sequence[Path], codes: Sequence[Code]) -> pl.DataFrame:
    """Return case, item, text, coder and code of every case that a coder coded.

    The coder is the column coder, or the name of the file.
    """
    parts = [_filled(path, [one.code for one in codes]) for path in sheets]
    table = pl.concat(parts)
    coders = table["coder"].unique().to_list()
    if len(coders) < 2:
        raise StudyError(
            f"agreement needs two coders or more, each with a sheet; got {len(coders)}.",
            parameter="sheets",
        )
    twice = table.filter(pl.struct("case", "coder").is_duplicated())
    if twice.height:
        raise TableError(f"{twice['coder'][0]} coded {twice['case'][0]} twice.")
    return table.sort("case", "coder")


def _filled(path: Path, known: Sequence[str]) -> pl.DataFrame:
    frame = read_rows(path).frame
    absent = next((name for name in ("case", "code") if name not in frame.columns), None)
    if absent:
        raise TableError(
            f"{path}: no column {absent!r}. Expected a sheet that 'experts sheet' wrote."
        )
    for column in ("item", "text", "coder"):
        if column not in frame.columns:
            empty = path.name.partition(".")[0] if column == "coder" else None
            frame = frame.with_columns(pl.lit(empty, dtype=pl.String).alias(column))
    rows = []
    for line, row in enumerate(frame.iter_rows(named=True), start=2):
        parts = [one.strip() for one in str(row["code"] or "").split(SEPARATOR) if one.strip()]
        odd = next((one for one in parts if one not in known), None)
        if odd is not None:
            listed = ", ".join(known)
            raise TableError(f"{path}:{line}: unknown code {odd!r}. Codes: {listed}.")
        if parts:
            kept = [str(row[name] or "") for name in ("case", "item", "text", "coder")]
            rows.append((*kept, SEPARATOR.join(dict.fromkeys(sorted(parts)))))
    schema = dict.fromkeys(("case", "item", "text", "coder", "code"), pl.String)
    return pl.DataFrame(rows, schema=schema, orient="row")


def code_agreement(coded: pl.DataFrame, *, resampling: Resampling) -> dict[str, Measure]:
    """Return how far coders agree on the cases that two or more of them coded.

    Where a case has several codes, alpha compares sets (MASI).

    Args:
        coded: As `filled_sheets` returns it.
        resampling: How intervals are made.
    """
    ratings = _as_ratings(coded, pl.col("code"))
    if coded["code"].str.contains(SEPARATOR, literal=True).any():
        sets = masi_alpha(coded_answers(ratings), resampling=resampling)
        rest = agreement(ratings, resampling=resampling)["code"].measures
        return {SETS: sets, "percent_agreement": rest["percent_agreement"]}
    measures = agreement(ratings, resampling=resampling)["code"].measures
    return {name: measures[name] for name in MEASURES}


def code_table(
    coded: pl.DataFrame, codes: Sequence[Code], *, resampling: Resampling, resamples: int
) -> pl.DataFrame:
    """Return how often each coder gave each code, its share, and kappa for this code alone.

    The share is the mean over cases of the share of coders who gave the code.

    Args:
        coded: As `filled_sheets` returns it.
        codes: The codebook.
        resampling: How intervals of kappa are made.
        resamples: Number of resamples of the cases for the intervals of shares.
    """
    coders = coded["coder"].unique().sort().to_list()
    given = coded.with_columns(names=pl.col("code").str.split(SEPARATOR))
    rows = []
    for one in codes:
        has = pl.col("names").list.contains(one.code)
        counts = [given.filter(has, coder=coder).height for coder in coders]
        alike = has.all() & pl.len().eq(len(coders))
        each = given.group_by("case").agg(has.mean().alias("share"), all=alike).sort("case")
        share = ratio_bootstrap(
            each["share"].to_numpy(),
            np.ones(each.height),
            resamples=resamples,
            seed=resampling.seed,
        )
        alone = _as_ratings(given, pl.when(has).then(pl.lit(YES)).otherwise(pl.lit(NO)))
        kappa = cohen_kappa(coded_answers(alone), resampling=resampling)
        numbers = (share.value, share.low, share.high, kappa.value, kappa.low, kappa.high)
        rows.append((one.code, one.description, *counts, int(each["all"].sum()), *numbers))
    columns = ["code", "description", *coders, "all coders", "share", "low", "high"]
    columns += ["kappa", "kappa_low", "kappa_high"]
    return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)


def _as_ratings(coded: pl.DataFrame, answer: pl.Expr) -> pl.DataFrame:
    return coded.select(
        pl.col("case").alias("item"),
        pl.col("coder").alias("annotator"),
        question=pl.lit("code"),
        answer=answer,
    )


def differing_codes(coded: pl.DataFrame) -> pl.DataFrame:
    """Return the cases that coders code differently, one column per coder."""
    apart = coded.filter(pl.col("code").n_unique().over("case") > 1)
    keys = ["case", "item", "text"]
    if apart.is_empty():
        return apart.select(keys)
    first = apart.group_by("case", maintain_order=True).agg(pl.col("item", "text").first())
    wide = apart.pivot("coder", index="case", values="code", sort_columns=True)
    return first.join(wide, on="case").sort("case")


def codes_figure(table: pl.DataFrame, agreed: Mapping[str, Measure], cases: int) -> Figure:
    """Return the shares of codes as a figure with their table.

    Args:
        table: As `code_table` returns it.
        agreed: As `code_agreement` returns it.
        cases: How many cases were coded.
    """
    spans = [
        Span(row["code"], row["share"], row["low"], row["high"], f"{row['share']:.2f}")
        for row in table.iter_rows(named=True)
    ]
    title = "Codes"
    name, measure = next(iter(agreed.items()))
    alpha = number(measure.value)
    low, high = number(measure.low), number(measure.high)
    limits = "" if measure.low is None else f" (95 % CI {low} to {high})"
    kind = "of sets (MASI)" if name == SETS else "nominal"
    caption = (
        f"n = {cases:,} cases. Share: mean over cases of the share of coders who gave the code, "
        f"with a 95 % interval. Krippendorff's alpha between coders, {kind}: {alpha}{limits}."
    )
    drawing = draw_spans(spans, title=title, scale=axis("share", [0.0, 1.0]))
    return Figure("codes", title, caption, table, drawing)
