"""What the tables hold besides answers: repeated texts, leaks, give-aways, personal data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import polars as pl

from plausibly.auditing.findings import AuditFinding, Numbers, Section, first, unknown
from plausibly.io.credentials import credential_kind
from plausibly.io.personal import personal_kind
from plausibly.io.wording import plural

TRAINING = ("train", "training")
NO_TEXTS = "The data hold no texts of the items."
NO_SPLITS = "The data name no splits."
NOT_COMPARED = "No split is called train, so all splits are compared with each other."
WORDS = r"[^\p{L}\p{N}]+"
MARKS = r"@\uff20\d:(\[{-"  # one of these is in all personal data and secrets


def texts_section(items: pl.DataFrame | None, repeats: Mapping[str, Any] | None) -> Section:
    """Return texts that occur twice, and those that differ by one word.

    Args:
        items: The items, with their texts.
        repeats: Items that are one word apart, as `check balance` reports them.
    """
    if items is None or "text" not in items.columns:
        return unknown(NO_TEXTS)
    keys = ["text", *(name for name in ("relation",) if name in items.columns)]
    keys += ["condition"] if _same_by_design(items) else []
    same = _spelt(items).group_by(keys).agg(pl.col("item"), pl.len().alias("n"))
    groups = same.filter((pl.col("n") > 1) & (pl.col("text") != "")).sort("text")
    near = None if repeats is None else repeats["one_word_apart"]
    return {
        "value": None,
        "items": items.height,
        "same_text": {
            "groups": groups.height,
            "items": int(groups["n"].sum()),
            "first": [sorted(one) for one in groups["item"].head(20).to_list()],
        },
        "one_word_apart": near,
    }


def _same_by_design(items: pl.DataFrame) -> bool:
    """Return whether every text is in every condition: the conditions are not in the texts."""
    if "condition" not in items.columns or items["condition"].n_unique() < 2:
        return False
    return items["text"].n_unique() * items["condition"].n_unique() == items.height


def _spelt(items: pl.DataFrame) -> pl.DataFrame:
    """Return items with their words in lower case, without punctuation."""
    words = pl.col("text").fill_null("").str.to_lowercase().str.replace_all(WORDS, " ")
    return items.with_columns(text=words.str.strip_chars())


def splits_section(items: pl.DataFrame | None) -> Section:
    """Return which texts, or groups of items, are in two splits."""
    if items is None or "split" not in items.columns or items["split"].n_unique() < 2:
        return {"leaking_share": unknown(NO_SPLITS)}
    own = _spelt(items.drop_nulls("split")) if "text" in items.columns else items
    column = "text" if "text" in own.columns else "item"
    names = own["split"].unique().sort().to_list()
    train = [name for name in names if str(name).casefold() in TRAINING]
    inside = own.filter(pl.col("split").is_in(train)) if train else own
    outside = own.filter(~pl.col("split").is_in(train)) if train else own
    if train:
        leaks = outside.join(inside.select(column).unique(), on=column, how="semi")
    else:
        leaks = outside.filter(pl.col("split").n_unique().over(column) > 1)
    leaks = leaks.filter(pl.col(column) != "")
    share = leaks.height / max(outside.height, 1)
    what = f"No text is in {'both the training split and another' if train else 'two splits'}."
    if leaks.height:
        where = "the training split, too" if train else "another split, too"
        what = (
            f"The texts of {leaks.height:,} of {outside.height:,} items "
            f"{'outside the training split ' if train else ''}are in {where} ({share:.1%})."
        )
    return {
        "leaking_share": {
            "value": share,
            "leaks": leaks.height,
            "n": outside.height,
            "what": what,
        },
        "splits": {str(name): int((own["split"] == name).sum()) for name in names},
        "first": leaks["item"].head(20).to_list(),
        "groups_in_two_splits": _groups_in_two(own),
        **({} if train else {"note": NOT_COMPARED}),
    }


def _groups_in_two(items: pl.DataFrame) -> int | None:
    if "item_group" not in items.columns:
        return None
    sides = items.drop_nulls("item_group").group_by("item_group").agg(pl.col("split").n_unique())
    return int((sides["split"] > 1).sum())


def text_findings(texts: Section, splits: Section) -> Iterator[AuditFinding]:
    """Yield texts that occur twice and items that leak."""
    same = texts.get("same_text")
    if same and same["groups"]:
        names = [" = ".join(group) for group in same["first"]]
        what = f"{plural(same['groups'], 'text')} {'occurs' if same['groups'] == 1 else 'occur'}"
        message = f"{what} in two items or more ({same['items']:,} items)."
        yield AuditFinding(
            "duplicate_texts", "minor", message, same["items"], first(names), "texts"
        )
    leaks = splits["leaking_share"].get("leaks") or 0
    if leaks:
        verb = "has" if leaks == 1 else "have"
        message = f"{plural(leaks, 'item')} outside the training split {verb} a text that is in it."
        yield AuditFinding("leak", "serious", message, leaks, first(splits["first"]), "texts")
    groups = splits.get("groups_in_two_splits") or 0
    if groups:
        message = (
            f"{plural(groups, 'group')} of items {'is' if groups == 1 else 'are'} in two splits."
        )
        yield AuditFinding("group_leak", "minor", message, groups, (), "texts")


def balance_section(balance: Mapping[str, Any] | None) -> Section:
    """Return what gives conditions away, from what `check balance` reports."""
    if balance is None:
        return unknown("The data name no conditions, or hold no texts.")
    probes = {
        "length and words": balance["artefact_probe"],
        **{f"one word ({slot})": one for slot, one in balance["single_word"].items()},
    }
    return {
        "value": None,
        "conditions": balance["items"],
        "probes": {name: one.get("auc", one["accuracy"]) for name, one in probes.items()},
        "measure": "auc" if "auc" in balance["artefact_probe"] else "accuracy",
        "largest_condition": (balance["artefact_probe"].get("largest_condition") or {}).get(
            "value"
        ),
        "differences": balance["standardised_differences"],
    }


def balance_findings(section: Section, numbers: Numbers) -> Iterator[AuditFinding]:
    """Yield surface features that give the condition away."""
    if section.get("measure") != "auc":
        return
    for name, probe in section["probes"].items():
        low = probe.get("low")
        if low is None or low < numbers["given_away_at_least"]:
            continue
        yield AuditFinding(
            "condition_given_away",
            "serious" if low >= numbers["given_away_serious"] else "minor",
            f"The condition can be predicted from {name} alone: AUC {probe['value']:.2f} "
            f"(95 % interval {low:.2f} to {probe['high']:.2f}).",
            int(probe["n"]),
            evidence="conditions",
        )


def privacy_section(tables: Mapping[str, pl.DataFrame], named: Collection[str]) -> Section:
    """Return the columns whose cells identify a person or hold a secret.

    Args:
        tables: By name.
        named: Names of columns that say who somebody is, whatever their cells look like.
    """
    columns = [
        (table, column, frame[column])
        for table, frame in tables.items()
        for column in frame.columns
        if frame[column].dtype == pl.String
    ]
    found = [one for table, column, cells in columns for one in _in_column(table, cells, named)]
    return {
        "value": None,
        "columns": len(columns),
        "found": found,
        "obstacles": len({(one["table"], one["column"]) for one in found}),
    }


def _in_column(table: str, cells: pl.Series, named: Collection[str]) -> Iterator[Section]:
    """Yield each kind of personal data or secret in a column, with its rows; never the cells."""
    column = cells.name
    if column.casefold() in named and cells.count():
        named_so = "a column that identifies people"
        count = cells.count()
        yield {"table": table, "column": column, "kind": named_so, "cells": count, "rows": [1]}
        return
    counts = cells.drop_nulls().value_counts(name="n")
    texts = counts.filter(counts[column].str.contains(f"[{MARKS}]")).iter_rows()
    kinds: dict[str, tuple[list[str], int]] = {}
    for text, n in texts:
        kind = credential_kind(text) or personal_kind(text)
        if kind is not None:
            before, cells_before = kinds.get(kind, ([], 0))
            kinds[kind] = ([*before, text] if len(before) < 5 else before, cells_before + n)
    for kind, (some, n) in kinds.items():
        rows = (cells.is_in(some).fill_null(False).arg_true().head(5) + 1).to_list()
        yield {"table": table, "column": column, "kind": kind, "cells": n, "rows": rows}


def privacy_findings(section: Section) -> Iterator[AuditFinding]:
    """Yield columns with personal data or secrets; the cells are not repeated."""
    for one in section["found"]:
        cells = plural(one["cells"], "cell")
        yield AuditFinding(
            "secret"
            if one["kind"].startswith(("a key", "a private", "a pass"))
            else "personal_data",
            "serious",
            f"{one['table']}, column {one['column']}: {cells} with {one['kind']}.",
            one["cells"],
            tuple(f"row {row}" for row in one["rows"]),
            "publishing",
        )


def publishing_section(privacy: Section, release: Mapping[str, Any] | None) -> Section:
    """Return what prevents publishing: personal data, no licence, no card.

    Args:
        privacy: What `privacy_section` returned.
        release: Of a release or dataset: licence, citation, missing files; None for a file.
    """
    count, columns = privacy["obstacles"], privacy["columns"]
    what = f"None of {columns} columns with text holds personal data or secrets."
    if count:
        verb = "holds" if count == 1 else "hold"
        what = f"{count} of {columns} columns with text {verb} personal data or secrets."
    obstacles = {"value": count, "columns": columns, "what": what}
    return {"obstacles": obstacles, "privacy": privacy["found"], "release": release}


def release_findings(release: Mapping[str, Any] | None) -> Iterator[AuditFinding]:
    """Yield what a release lacks."""
    if release is None:
        return
    if not release["licensed"]:
        message = f"No licence is stated ({release['licence']})."
        yield AuditFinding("no_licence", "minor", message, 1, (), "publishing")
    if release["absent"]:
        names = release["absent"]
        message = f"The release lacks {', '.join(names)}."
        yield AuditFinding("no_card", "minor", message, len(names), tuple(names), "publishing")
