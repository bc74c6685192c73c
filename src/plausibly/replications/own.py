"""Recomputes a release: runs its steps on its ratings and compares the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from plausibly.datasets.own import MANIFEST, read_release_tables
from plausibly.errors import StudyError
from plausibly.evaluation.in_study import judges
from plausibly.io import (
    content_hash,
    make_folder,
    read_json,
    read_table,
    read_text,
    write_table,
    write_text,
)
from plausibly.replications.printed import Value
from plausibly.replications.record import Record, Verdict
from plausibly.study import PROTOCOLS, Protocol, Study
from plausibly.study.protocol_folder import FOLDER, protocol_of_folder, toml_files
from plausibly.study.settings import write_settings
from plausibly.tables import ANNOTATORS, EXCLUSIONS, ITEMS, LABELS, PREDICTIONS, RATINGS, Table
from plausibly.verbs.report import DIGITS, TABLES, Report, report_of

ANSWERS = "answers.parquet"
SAID = "said.parquet"
RULES = "rules.toml"
REBUILT: dict[str, tuple[Table, str]] = {
    "exclusions": (EXCLUSIONS, "clean/exclusions.parquet"),
    "labels": (LABELS, "labels.parquet"),
}
EARLIER = (
    "extract",
    "generate",
    "build",
    "build_match",
    "build_checks",
    "surprisal",
    "models_fit",
    "models_tune",
)
"""Steps that made what is released, or models, which are not."""
FURTHER = (
    *("describe_frequency", "describe_pairs", "experts_compare", "experts_sheet", "experts_codes"),
    *("score_overlap", "score_pseudo", "score_candidates"),
)
"""Steps that may read files of a study that are not released: counts, codebooks, sheets, sets."""
OF_FILE = ("columns", "encoding", "header_row", "sheet", "decimal", "annotators")
"""Settings of [ratings] about the file that was read: a release has our columns."""
RULE = "the steps of the study, on the ratings of the release"


def rebuilt(folder: Path) -> tuple[list[Record], Report]:
    """Return what a release states next to the results of running its steps on its ratings again.

    The new report has every figure and table of the study.

    Raises:
        StudyError: If the folder is not a release, its files were changed, or it does not record
            how its tables were made.
    """
    tables = read_release_tables(folder)
    study = _study(folder)
    if "ratings" not in tables:
        raise StudyError(f"{folder}: no ratings in the release, so nothing can be recomputed.")
    with TemporaryDirectory() as place:
        work = Path(place, "study")
        work.mkdir()
        protocol = _protocol(folder, work, study["protocol"])
        _prepare(work, tables, study, replace(protocol, seed=study["seed"]))
        Study(work).run()
        again = {
            name: read_table(work / path, table)
            for name, (table, path) in REBUILT.items()
            if (work / path).is_file()
        }
        agreement = read_json(work / "agree.json") if (work / "agree.json").is_file() else {}
        report = report_of(work)
        digests = read_json(work / TABLES)
    records = [
        *_tables(tables, again),
        *_agreement(study["agreement"], agreement),
        *_report(study.get("report") or {}, digests),
    ]
    return records, report


def _study(folder: Path) -> dict[str, Any]:
    document = read_json(folder / MANIFEST)
    study = document.get("study") if isinstance(document, dict) else None
    kept = (folder / FOLDER).is_dir()
    if not isinstance(study, dict) or not (kept or study.get("protocol") in PROTOCOLS):
        raise StudyError(f"{folder / MANIFEST}: does not record how the study was run.")
    return study


def _protocol(released: Path, work: Path, name: str) -> Protocol:
    """Return the protocol of the study; a protocol folder is copied from the release."""
    kept = released / FOLDER
    if not kept.is_dir():
        return PROTOCOLS[name]
    for file in toml_files(kept):
        make_folder((work / FOLDER / file).parent)
        write_text(work / FOLDER / file, read_text(kept / file))
    return protocol_of_folder(work / FOLDER)


def _prepare(
    work: Path,
    tables: Mapping[str, pl.DataFrame],
    study: Mapping[str, Any],
    protocol: Protocol,
) -> None:
    """Write the study in its state before the first step, with the released ratings as source."""
    items = tables["items"]
    write_table(items.drop("split", strict=False), work / "items.parquet", ITEMS)
    write_table(tables["ratings"], work / ANSWERS, RATINGS)
    if "annotators" in tables:
        write_table(tables["annotators"], work / "annotators.parquet", ANNOTATORS)
    sections = {name: dict(one) for name, one in study["settings"].items()}
    for earlier in EARLIER:
        sections.pop(earlier, None)
    if study.get("rules"):
        write_text(work / RULES, study["rules"])
        sections["clean"] = {**sections["clean"], "preset": RULES}
    if "predictions" in tables:
        write_table(tables["predictions"], work / SAID, PREDICTIONS)
    several = len(judges(study["settings"])) > 1
    sections |= _judged(sections, several=several, released="predictions" in tables)
    ratings = {
        name: one for name, one in sections.get("ratings", {}).items() if name not in OF_FILE
    }
    sections["ratings"] = {**ratings, "source": ANSWERS, "format": "long"}
    for step in (protocol.step(name) for name in FURTHER if name in sections):
        named = step.external(sections[step.name]) if step.external else ()
        if any(not (work / name).exists() for name in named):
            del sections[step.name]
    write_settings(work, protocol, name=study.get("name") or "again", overrides=sections)


def _judged(
    sections: Mapping[str, dict[str, Any]], *, several: bool, released: bool
) -> dict[str, Any]:
    """Return the settings of the model steps: predictions are released, models are not."""
    evaluating = dict(sections.get("evaluate", {}))
    scheme = sections.get("compare", {}).get("scheme") or (
        evaluating.get("scheme") if several else None
    )
    if evaluating.get("train"):  # split by training data, which is not released
        evaluating |= {"scheme": "", "train": None}
    said = {"models_predict": {"files": [SAID] if released else []}, "evaluate": evaluating}
    said["compare"] = {**sections.get("compare", {}), "scheme": scheme if released else None}
    own = {name: one for name, one in said.items() if name in sections}
    return {**own, **{name: {} for name in ("ask", "score_gita") if name in sections}}


def _tables(
    released: Mapping[str, pl.DataFrame], again: Mapping[str, pl.DataFrame]
) -> Iterator[Record]:
    for name, (table, _) in REBUILT.items():
        if name not in released:
            continue
        new = again.get(name, table.empty())
        same = content_hash(released[name], table) == content_hash(new, table)
        yield _record(
            f"release.{name}.rows",
            (released[name].height, new.height),
            "exact" if same else "release fault",
            place=f"data/{name}.parquet",
            says=f"how many rows {name} has, and that all cells can be recomputed",
            note="" if same else "The rows recomputed from the ratings differ from those released.",
        )
    if "labels" in released:
        yield from _labels(released["labels"], again.get("labels", LABELS.empty()))


def _labels(released: pl.DataFrame, again: pl.DataFrame) -> Iterator[Record]:
    old, new = (_counts(one) for one in (released, again))
    for label in sorted({*old, *new}):
        pair = (old.get(label, 0), new.get(label, 0))
        yield _record(
            f"release.labels.count.{label}",
            pair,
            "exact" if pair[0] == pair[1] else "release fault",
            place="data/labels.parquet",
            says=f"how many items are labelled {label}",
        )


def _counts(labels: pl.DataFrame) -> dict[str, int]:
    named = labels.select(pl.col("label").fill_null("none")).to_series()
    return dict(named.value_counts().iter_rows())


def _agreement(released: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[Record]:
    new = dict(_values(again))
    for name, value in _values(released):
        other = new.get(name)
        same = other is not None and isclose(value, other, rel_tol=1e-9, abs_tol=1e-12)
        yield _record(
            f"release.agreement.{name}",
            (value, other),
            "exact" if same else "not computable" if other is None else "erratum",
            place="datasheet.md, manifest.json",
            says=f"the agreement of the ratings that were kept: {name}",
        )


def _report(released: Mapping[str, str], again: Mapping[str, str]) -> Iterator[Record]:
    """Yield whether each table of the report, and so each figure drawn from it, is reproduced."""
    for name, digest in released.items():
        other = again.get(name)
        yield _record(
            f"release.report.{name}",
            (digest[:DIGITS], None if other is None else other[:DIGITS]),
            "exact" if other == digest else "not computable" if other is None else "release fault",
            place=f"tables/{name}.csv of the report",
            says=f"every cell of the table {name}, and of the figure drawn from it (SHA-256)",
        )


def _values(document: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Yield every measure of a document by its dotted name."""
    for name, one in document.items():
        if not isinstance(one, Mapping):
            continue
        if isinstance(one.get("value"), int | float):
            yield f"{prefix}{name}", float(one["value"])
        else:
            yield from _values(one, f"{prefix}{name}.")


def _record(
    name: str,
    values: tuple[Value, Value],
    verdict: Verdict,
    *,
    place: str,
    says: str,
    note: str = "",
) -> Record:
    return Record(
        id=name,
        published=values[0],
        recomputed=values[1],
        verdict=verdict,
        rule=RULE,
        note=note,
        statement=name,
        place=place,
        says=says,
    )
