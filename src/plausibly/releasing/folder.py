"""Writes a release: all of it, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.own import CHECKSUMS, MANIFEST, is_release, released_files
from plausibly.errors import StudyError, option
from plausibly.io import file_hash, filling, make_folder, write_frame, write_json, write_text
from plausibly.releasing.card import card
from plausibly.releasing.citation import citation, licence_text
from plausibly.releasing.content import NORMS_FILE, ReleaseContent, parts
from plausibly.releasing.croissant import croissant
from plausibly.releasing.datasheet import datasheet
from plausibly.releasing.privacy import require_anonymous


def write_release(
    content: ReleaseContent,
    folder: Path,
    *,
    manifest: Mapping[str, Any],
    documents: Mapping[str, str] | None = None,
    force: bool = False,
) -> None:
    """Write a release, whole or not at all.

    Args:
        content: What goes into it.
        folder: Where; replaced whole where it is a release already.
        manifest: What it was made from.
        documents: Further texts, such as CHANGES.md.
        force: Write into a folder that holds something else, too.

    Raises:
        StudyError: If a cell identifies a person; nothing is written then.
    """
    require_anonymous({**content.described, **_form_tables(content)})
    older = not force and _is_older_release(folder)
    target = folder.with_name(f".{folder.name}.new") if older else folder
    shutil.rmtree(folder.with_name(f".{folder.name}.new"), ignore_errors=True)
    with filling(target) as place:
        _write_files(content, place, manifest, documents or {})
    if older:
        _exchange(folder, target)


def _write_files(
    content: ReleaseContent, place: Path, manifest: Mapping[str, Any], documents: Mapping[str, str]
) -> None:
    _write_data(content, place)
    texts = {
        "README.md": card(content),
        "datasheet.md": datasheet(content),
        "CITATION.cff": citation(content),
        "LICENSE": licence_text(content),
        **documents,
    }
    for name, text in texts.items():
        make_folder((place / name).parent)
        write_text(place / name, text)
    sums = {str(path.relative_to(place)): file_hash(path) for path in _all_files(place)}
    published = datetime.now(UTC).date().isoformat()
    write_json(place / "croissant.json", croissant(content, sums, published=published))
    write_json(place / MANIFEST, {**manifest, "files": _rows(content, sums)})
    lines = [f"{file_hash(path)}  {path.relative_to(place)}\n" for path in _all_files(place)]
    write_text(place / CHECKSUMS, "".join(lines))


def _is_older_release(folder: Path) -> bool:
    """Return whether a release is there to be replaced; raise if anything else is there."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return False
    if not is_release(folder):
        raise StudyError(
            f"{folder}: not empty, and not a release. Name a new folder, or pass {option('force')}."
        )
    known = {CHECKSUMS, *released_files(folder)}
    strays = [path for path in _all_files(folder) if str(path.relative_to(folder)) not in known]
    if strays:
        raise StudyError(
            f"{strays[0]}: not a file of the release that is there. Move it away, or pass "
            f"{option('force')}."
        )
    return True


def _exchange(folder: Path, new: Path) -> None:
    """Put a new folder in the place of an old one."""
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old)


def release_files(content: ReleaseContent, documents: Mapping[str, str]) -> list[str]:
    """Return the files of a release, in the order of their names."""
    data = [file for files in content.files().values() for file in files]
    forms = [f"forms/{name}" for name in content.forms]
    texts = ("README.md", "datasheet.md", "CITATION.cff", "LICENSE", "croissant.json")
    return sorted([*data, *_in_languages(content), *forms, *texts, *documents, MANIFEST, CHECKSUMS])


def _form_tables(content: ReleaseContent) -> dict[str, pl.DataFrame]:
    return {
        f"forms/{name}": form if isinstance(form, pl.DataFrame) else _lines(form)
        for name, form in content.forms.items()
    }


def _lines(text: str) -> pl.DataFrame:
    return pl.DataFrame({"line": text.splitlines()}, schema={"line": pl.String()})


def _write_data(content: ReleaseContent, place: Path) -> None:
    for name, table in content.tables.items():
        for file, part in parts(name, table).items():
            make_folder(place / "data")
            write_frame(part, place / "data" / file)
    for file, part in _in_languages(content).items():
        make_folder((place / file).parent)
        write_frame(part, place / file)
    if not content.norms.is_empty():
        write_frame(content.norms, place / NORMS_FILE)
    for name, form in content.forms.items():
        path = place / "forms" / name
        make_folder(path.parent)
        if isinstance(form, pl.DataFrame):
            write_frame(form, path)
        else:
            write_text(path, form)


def _in_languages(content: ReleaseContent) -> dict[str, pl.DataFrame]:
    """Return the items of each language by file."""
    return {path: part for files in content.by_language().values() for path, part in files.items()}


def _rows(content: ReleaseContent, sums: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    heights = {
        f"data/{file}": part.height
        for name, table in content.tables.items()
        for file, part in parts(name, table).items()
    }
    heights |= {path: part.height for path, part in _in_languages(content).items()}
    heights[NORMS_FILE] = content.norms.height
    return {path: {"sha256": digest, "rows": heights.get(path)} for path, digest in sums.items()}


def _all_files(place: Path) -> list[Path]:
    return sorted(path for path in place.rglob("*") if path.is_file())
