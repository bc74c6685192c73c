"""Inputs: resolves paths, folders and patterns to the files a command reads."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from plausibly.corpus._archives import is_archive, open_file
from plausibly.errors import StudyError, TableError, UnknownName, option

SUFFIXES: dict[str, tuple[str, ...]] = {
    "conllu": (".conllu", ".conll", ".connlu"),
    "depcc": (".depcc", ".conll", ".conllu", ""),
    "text": (".txt", ".text"),
    "wikiextractor": ("", ".txt"),
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet",),
    "dump": (".xml",),
}
FORMS = tuple(SUFFIXES)
PARSED = ("conllu", "depcc")

HOLDS = {
    "conllu": "sentence in CoNLL-U",
    "depcc": "sentence in DepCC's columns",
    "text": "text",
    "wikiextractor": "article between <doc …> and </doc>",
    "jsonl": "row with a text",
    "parquet": "row with a text",
    "dump": "article of a MediaWiki dump",
}
"""What a file of each format must contain."""

_BY_ENDING = {
    ".conllu": "conllu",
    ".depcc": "depcc",
    ".txt": "text",
    ".text": "text",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".xml": "dump",
}


def begins_with_doc(path: Path) -> bool:
    """Return whether a file was written by WikiExtractor, judging by its first non-blank line."""
    if inner_suffix(path) == ".parquet" or not path.is_file() or not path.stat().st_size:
        return False
    with open_file(path) as opened:
        return opened.stream.read(_LOOKED_AT).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<doc ")


def form_of(files: Sequence[Path]) -> str:
    """Return the format shown by `<doc …>` or the endings; raise if there are none or several."""
    formats: dict[str, Path] = {}
    for path in files:
        form = "wikiextractor" if begins_with_doc(path) else _BY_ENDING.get(inner_suffix(path))
        if form is None:
            raise StudyError(
                f"{path}: the ending does not show the format of the input. "
                f"Pass {option('format')}, one of {', '.join(FORMS)}."
            )
        formats.setdefault(form, path)
    if len(formats) > 1:
        shown = ", ".join(f"{form} ({path})" for form, path in formats.items())
        raise StudyError(
            f"the endings show more than one format: {shown}. Name files of one format, or pass "
            f"{option('format')}, the format to read in a folder."
        )
    return next(iter(formats))


_LOOKED_AT = 4096


def inner_suffix(path: Path) -> str:
    """Return the ending that shows the format, without the ending of an archive.

    >>> inner_suffix(Path("pages.xml-p1p30.bz2")), inner_suffix(Path("wiki_00"))
    ('.xml', '')
    """
    suffix = Path(path.stem).suffix if is_archive(path) else path.suffix
    return ".xml" if suffix.lower().startswith(".xml-p") else suffix.lower()


def find_files(named: Sequence[Path], form: str | None = None) -> list[Path]:
    """Return the files that paths, folders and patterns (`*`, `?`, `[…]`) name, each once.

    Args:
        named: What the user named; from a folder, files of the format at any depth, sorted.
        form: One of `FORMS`; by default, files of any format shown by their ending.

    Raises:
        TableError: A file is missing, or a folder or pattern has no file of the format.
    """
    if form is not None and form not in FORMS:
        raise UnknownName("form", form, FORMS, parameter="format")
    files = [file for path in named for file in _files(path, form)]
    if not files:
        raise StudyError("no input. Name files, folders or patterns to read.")
    once: dict[Path, Path] = {}
    for file in files:
        if not file.is_file():
            raise TableError(
                f"{file}: not a regular file. Input is read more than once, so save the output "
                "of a pipe to a file first."
            )
        if not os.access(file, os.R_OK):
            raise TableError(f"{file}: no permission to read it. Change its permissions.")
        if form == "text" and begins_with_doc(file):
            raise StudyError(
                f"{file}: this is WikiExtractor's format; its markup would be counted as text. "
                f"Omit {option('format')}, or pass wikiextractor."
            )
        once.setdefault(file.resolve(), file)
    return list(once.values())


def passed_over(named: Sequence[Path], files: Sequence[Path]) -> list[str]:
    """Return a remark on files in the named folders that are not read, if there are any."""
    read = {file.resolve() for file in files}
    others = [
        path
        for folder in named
        if folder.is_dir()
        for path in _visible(folder)
        if path.resolve() not in read
    ]
    if not others:
        return []
    return [
        f"{len(others)} files in the folders are skipped because their endings belong to another "
        f"format (first: {others[0]}). Name them, or their format, to read them."
    ]


def _files(path: Path, form: str | None) -> Iterator[Path]:
    if path.is_dir():
        yield from _in_folder(path, form)
    elif path.exists():
        yield path
    elif any(mark in str(path) for mark in "*?["):
        root = Path(path.anchor)
        found = root.glob(str(path.relative_to(root)))
        matches = sorted(match for match in found if not match.name.startswith("."))
        if not matches:
            raise TableError(f"{path}: nothing matches this pattern.")
        for match in matches:
            yield from _files(match, form)
    else:
        raise TableError(f"{path}: no such file or folder.")


def _in_folder(folder: Path, form: str | None) -> Iterator[Path]:
    endings = SUFFIXES[form] if form else tuple(_BY_ENDING)
    files = [
        path
        for path in _visible(folder)
        if inner_suffix(path) in endings or (form is None and begins_with_doc(path))
    ]
    if not files:
        shown = ", ".join(ending or "no ending" for ending in endings)
        raise TableError(
            f"{folder}: no {form or 'known'} files in this folder. "
            f"Expected endings: {shown}, each also with .gz or .bz2."
        )
    yield from files


def _visible(folder: Path) -> list[Path]:
    """Return the files of a folder at any depth that are not hidden, sorted."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
