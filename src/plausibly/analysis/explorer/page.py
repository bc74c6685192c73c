"""One self-contained page: data, style and script, each allowed by its hash and nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
import polars as pl

from plausibly.analysis.explorer.material import (
    SPLIT,
    ExplorerMaterial,
    candidate_sets,
    explorer_rows,
    method_names,
    methods_of,
    model_names,
    named_columns,
    question_order,
    simulated,
)
from plausibly.analysis.explorer.packing import Pack
from plausibly.analysis.figures.likeness import MOST_EQUAL, likeness
from plausibly.analysis.models import words_of
from plausibly.analysis.summaries import DIGITS, UNIT, item_summaries
from plausibly.domain import as_number
from plausibly.io import parse_toml
from plausibly.measures.questions import SEPARATOR

MOST_BYTES = 10_000_000
LANGUAGES = ("en", "it")
NOT_KEPT = "not kept"
SECONDS = 1

_POLICY = (
    "default-src 'none'; script-src '{script_hash}'; style-src '{style_hash}'; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_PAGE = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{title}}</title>
<style>{{style}}</style>
</head>
<body>
<noscript>
<p>This page needs JavaScript, which is part of the file. It loads nothing else.</p>
</noscript>
<script type="text/plain" id="data">{{data}}</script>
<script>{{script}}</script>
</body>
</html>
"""

_UNWRITTEN = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}: no explorer</title>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{sentence} Browse a part of the items.</p>
</main>
</body>
</html>
"""


def explorer_page(material: ExplorerMaterial, *, items_only: bool = False) -> str:
    """Return the page of an explorer.

    Args:
        material: What it shows.
        items_only: Omit people and their single ratings; distributions stay.
    """
    script, style = _resource("explorer.js"), _resource("explorer.css")
    return _PAGE.format(
        title=escape(f"{material.name}: explorer", quote=True),
        script_hash=_digest(script),
        style_hash=_digest(style),
        style=style,
        script=script,
        data=packed(material, items_only=items_only),
    )


def unwritten_page(material: ExplorerMaterial, reason: str) -> str:
    """Return a page with the reason why there is no explorer."""
    name = escape(material.name, quote=True)
    sentence = escape(reason[:1].upper() + reason[1:], quote=True)
    return _UNWRITTEN.format(title=name, sentence=sentence)


def _resource(name: str) -> str:
    return (files("plausibly.analysis.explorer") / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def packed(material: ExplorerMaterial, *, items_only: bool = False) -> str:
    """Return the data of the page as one text."""
    rows, pack = explorer_rows(material), Pack()
    asked = rows["question"]
    head: dict[str, Any] = {
        "name": material.name,
        "kind": material.kind,
        "source": material.source,
        "split": SPLIT,
        "height": rows.height,
        "columns": [_column(pack, f"row:{name}", rows[name]) for name in rows.columns],
        "methods": method_names(material.labels),
        "methodsOf": methods_of(material.labels),
        "models": model_names(material.predictions),
        "labelNames": dict(material.label_names),
        "named": named_columns(material),
        "questions": [
            {"question": one, **_asked(material, one), **_counts(material, one)}
            for one in question_order(material, asked)
        ],
        "about": list(material.about.items()),
        "rules": [_rule(one) for one in material.rules],
        "notices": [
            *(["simulated"] if simulated(material.annotators)[0] else []),
            *material.notices,
        ],
        "scores": [] if material.scores is None else _scores(material.scores),
        "words": {name: _words(name, *simulated(material.annotators)) for name in LANGUAGES},
        "itemsOnly": items_only,
        "sets": candidate_sets(material.items),
    }
    units = rows.select(UNIT).with_row_index("unit")
    answers = _answers(material.collected)
    joint = _joint(material)
    head["answers"] = [
        [joint.get(text, text), value] for text, value in answers.select("answer", "value").rows()
    ]
    _cells(pack, material.kept, units, answers)
    if not items_only and are_people(material.collected):
        head["people"], head["reasons"] = _ratings(pack, material, units, answers)
    return pack.text(head)


def _asked(material: ExplorerMaterial, question: str) -> dict[str, Any]:
    """Return what people were asked; answers that are words show the number behind them."""
    asked = dict(material.questions.get(question, {}))
    own = material.collected.filter(pl.col("question") == question).drop_nulls(["answer", "value"])
    words = {answer: _spelled(answer, read) for answer, read in asked.get("words", {}).items()}
    for answer, value in own.select("answer", "value").unique().sort("answer").rows():
        if as_number(answer) is None:
            words[answer] = f"{words.get(answer, answer)} = {value:g}"
    return {**asked, "words": words} if words else asked


def _spelled(answer: str, read: str) -> str:
    """Return an answer with what people read for it, which may contain the answer as a word."""
    return read if re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", read) else f"{answer} ({read})"


def _counts(material: ExplorerMaterial, question: str) -> dict[str, int]:
    """Return how many ratings a question got, how many were kept, and from how many people."""
    collected = material.collected.filter(pl.col("question") == question)
    people = collected["annotator"].n_unique() if are_people(material.collected) else 0
    kept = material.kept.filter(pl.col("question") == question)
    return {"collected": collected.height, "kept": kept.height, "people": people}


def are_people(ratings: pl.DataFrame) -> bool:
    """Return whether ids connect ratings; where each has only one, nobody knows who gave which."""
    return ratings["annotator"].n_unique() < ratings.height


def parse_words(language: str) -> dict[str, str]:
    """Return the words of the page in one language."""
    document = parse_toml(_resource("words.toml"), where="words.toml")
    return {key: str(texts[language]) for key, texts in document.items()}


def _words(language: str, some: int, everybody: int) -> dict[str, str]:
    """Return the words of the page, with a sentence about the people who are simulated."""
    words = parse_words(language)
    sentence = words.pop("someSimulated" if some < everybody else "allSimulated")
    return {**words, "simulated": sentence.format(n=some, all=everybody)}


def _column(pack: Pack, place: str, series: pl.Series) -> dict[str, Any]:
    if series.dtype == pl.String:
        return {"name": series.name, "kind": "text", "values": pack.texts(place, series)}
    pack.numbers(place, series)
    known = series.drop_nulls().cast(pl.Float64)
    is_whole = bool((known == known.floor()).all()) and known.is_finite().all()
    return {"name": series.name, "kind": "whole" if is_whole else "number"}


def _rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return a rule of cleaning as the report shows it: one that could not run has no number."""
    if not rule.get("unable"):
        return dict(rule)
    name, why = rule["rule"], f"could not run; {rule['unable'].rstrip('.')})"
    name = f"{name[:-1]}; {why}" if name.endswith(")") else f"{name} ({why}"
    return {**rule, "rule": name, "ratings": None, "people": None}


def _scores(scores: pl.DataFrame) -> list[dict[str, Any]]:
    """Return scores with the measures called as in the report."""
    whole = scores.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()
    return [{**one, "metric": words_of(one["metric"])} for one in whole]


def _answers(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return the different answers with their values, from least to most; code is the place."""
    known = ratings.select("answer", "value").drop_nulls("answer").unique()
    return known.sort("value", "answer", nulls_last=True).with_row_index("code")


def _joint(material: ExplorerMaterial) -> dict[str, str]:
    """Return from answers that name several options or candidates to what a reader sees."""
    items = material.items
    known = set[str]()
    if items is not None and "candidate" in items.columns:
        known |= {*items["candidate"].drop_nulls()}
    for asked in material.questions.values():
        known |= {str(one) for one in asked.get("options") or ()}
    several = material.collected["answer"].drop_nulls().unique()
    parts = {one: one.split(SEPARATOR) for one in several if SEPARATOR in one}
    return {one: " + ".join(named) for one, named in parts.items() if known.issuperset(named)}


def _coded(ratings: pl.DataFrame, units: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    placed = ratings.drop_nulls("answer").join(units, on=UNIT, maintain_order="left")
    return placed.join(answers, on=["answer", "value"], nulls_equal=True, maintain_order="left")


def _starts(units: pl.Series, size: int) -> np.ndarray[Any, Any]:
    counts = np.bincount(units.to_numpy(), minlength=size)
    return np.concatenate([[0], np.cumsum(counts)])


def _cells(pack: Pack, kept: pl.DataFrame, units: pl.DataFrame, answers: pl.DataFrame) -> None:
    """Add how often each answer was given, and the mean of the others who rated the item."""
    means = item_summaries(kept)
    cells = _coded(kept, units, answers).group_by("unit", *UNIT, "code", "value").len("count")
    cells = cells.join(means, on=UNIT, how="left").sort("unit", "code")
    others = (pl.col("mean") * pl.col("ratings") - pl.col("value")) / (pl.col("ratings") - 1)
    several = pl.when(pl.col("ratings") > 1).then(others.round(DIGITS - 2))
    pack.counts("cells:start", _starts(cells["unit"], units.height))
    pack.counts("cells:answer", cells["code"].to_numpy())
    pack.counts("cells:count", cells["count"].to_numpy())
    pack.numbers("cells:others", cells.select(several.alias("others"))["others"])


def _ratings(
    pack: Pack, material: ExplorerMaterial, units: pl.DataFrame, answers: pl.DataFrame
) -> tuple[dict[str, Any], list[str]]:
    """Add every rating and every person; return what the head says about people, and reasons."""
    key = [*UNIT, "annotator"]
    people = material.collected.select("annotator").unique().sort("annotator")
    people = people.with_row_index("person")
    kept = material.kept.select(key).with_columns(kept=pl.lit(True))
    why = material.exclusions.unique(key, keep="first").select(
        *key,
        reason=pl.concat_str(pl.col("rule").str.replace_all("_", " "), "reason", separator=": "),
    )
    rated = _coded(material.collected, units, answers).join(kept, on=key, how="left")
    rated = rated.join(why, on=key, how="left").join(people, on="annotator")
    set_aside = pl.col("kept").is_null()
    rated = rated.with_columns(
        reason=pl.when(set_aside).then(pl.col("reason").fill_null(NOT_KEPT)), aside=set_aside
    ).sort("unit", "person")
    pack.counts("ratings:start", _starts(rated["unit"], units.height))
    pack.counts("ratings:person", rated["person"].to_numpy())
    pack.counts("ratings:answer", rated["code"].to_numpy())
    reasons = pack.texts("ratings:reason", rated["reason"])
    return {"columns": _people(pack, material, rated, people), "height": people.height}, reasons


def _people(
    pack: Pack, material: ExplorerMaterial, rated: pl.DataFrame, people: pl.DataFrame
) -> list[dict[str, Any]]:
    total = rated.group_by("annotator").agg(
        ratings=pl.len().cast(pl.Int64), set_aside=pl.col("aside").sum().cast(pl.Int64)
    )
    table = people.join(total, on="annotator", how="left")
    for alike in _alike(material.collected):
        table = table.join(alike, on="annotator", how="left")
    if "seconds" in material.collected.columns:
        middle = pl.col("seconds").median().round(SECONDS).alias("seconds")
        taken = material.collected.group_by("annotator").agg(middle)
        table = table.join(taken, on="annotator", how="left")
    if material.annotators is not None:
        own = material.annotators.select("annotator", "kind")
        table = table.join(own, on="annotator", how="left")
    table = table.sort("annotator").drop("person")
    return [_column(pack, f"person:{name}", table[name]) for name in table.columns]


def _alike(collected: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yield how people's answers go with the others', as the report measures it.

    Questions with few answers have equal ones; those with many numbers, such as a slider, rise and
    fall with the others'.
    """
    many = pl.col("answer").n_unique().over("question") > MOST_EQUAL
    for column, rated in (("alike", collected.filter(~many)), ("follows", collected.filter(many))):
        if rated.height and (column == "alike" or not rated["value"].null_count()):
            measured = likeness(rated).table
            yield measured.select("annotator", pl.col("alike").alias(column))
