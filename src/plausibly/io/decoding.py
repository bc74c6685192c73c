"""How the characters of a text file are written: as you say, or guessed and reported."""

from __future__ import annotations

import codecs
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path

from plausibly.errors import StudyError, TableError, option
from plausibly.io.choices import may_guess, noting, reading_now, report_guess

WINDOWS = "cp1252"
_MARKS = {  # the marks of UTF-32 begin like those of UTF-16
    BOM_UTF32_LE: "utf-32",
    BOM_UTF32_BE: "utf-32",
    BOM_UTF16_LE: "utf-16",
    BOM_UTF16_BE: "utf-16",
}
_NOT_TEXT = (b"PAR1", b"PK\x03\x04", b"SQLite format 3\x00")


def encoding_named(name: str) -> str:
    """Return the usual name of an encoding of text.

    >>> encoding_named("CP1252"), encoding_named("latin1")
    ('cp1252', 'iso8859-1')
    """
    try:
        "".encode(name)
        return codecs.lookup(name).name
    except (LookupError, ValueError) as error:
        raise StudyError(
            f"unknown encoding {name!r}. Use utf-8, cp1252 (Windows), latin-1, utf-16 or another "
            "encoding that Python knows."
        ) from error


def as_utf8(path: Path, content: bytes) -> bytes:
    """Return the bytes of a text in UTF-8, where it has another encoding.

    A mark at the beginning decides: spreadsheets ("Unicode text") and Qualtrics (TSV) write UTF-16.
    A file without a mark is read in the encoding chosen, else as UTF-8, else as cp1252 where that
    guess is reported. Bytes that are not a text, or whose encoding cannot be guessed, are
    unchanged.

    >>> as_utf8(Path("a.tsv"), "item".encode("utf-16"))
    b'item'
    """
    now = reading_now()
    if content.startswith(_NOT_TEXT):
        return content
    if now is not None and now.choices.encoding is not None:
        encoding = encoding_named(now.choices.encoding)
        wrong = f"not {encoding} throughout. Choose another {option('encoding')}"
        noting(encoding=encoding)
        return _recoded(path, content.removeprefix(BOM_UTF8), encoding, wrong)
    mark = next((name for sign, name in _MARKS.items() if content.startswith(sign)), None)
    if mark is not None:
        wrong = f"begins as {mark.upper()} and is not. Save the file as UTF-8"
        noting(encoding=mark)
        return _recoded(path, content, mark, wrong)
    noting(encoding="utf-8")
    if not may_guess() or not _looks_windows(content):
        return content
    noting(encoding=WINDOWS)
    remedy = "choose the encoding when you read the file" if now else "save the file as UTF-8"
    report_guess(
        f"{path}: not UTF-8, so it was read as {WINDOWS} (Windows). If letters look wrong, "
        f"{remedy}."
    )
    return content.decode(WINDOWS).encode()


def _recoded(path: Path, content: bytes, encoding: str, wrong: str) -> bytes:
    try:
        return content.decode(encoding).encode()
    except UnicodeError as error:
        raise TableError(f"{path}: {wrong}.") from error


def _looks_windows(content: bytes) -> bool:
    r"""Return whether a text can be cp1252 and is not UTF-8 with a damaged character.

    >>> _looks_windows(b"K\xe4se"), _looks_windows("Käse".encode() + b"\xe4")
    (True, False)
    """
    if content.startswith(BOM_UTF8) or b"\0" in content or _is_in(content, "utf-8"):
        return False
    text = content.decode(errors="surrogateescape")
    sound = any("\x7f" < character < "\udc80" or character > "\udcff" for character in set(text))
    return not sound and _is_in(content, WINDOWS)


def _is_in(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
