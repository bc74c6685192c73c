"""The report of a shard, of reading the input, or of a whole run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from plausibly.corpus._names import Names
from plausibly.corpus._repair import RULES
from plausibly.errors import SHOWN, StudyError, TableError, listed, option
from plausibly.io import write_text

Place = tuple[str, int, str]


def placed(file: str, line: int, what: str) -> str:
    """Return a problem preceded by its place; pages of a dump have no line.

    >>> placed("a.conllu", 3, "not UTF-8"), placed("a.xml", 0, "page 12: not UTF-8")
    ('a.conllu:3: not UTF-8', 'a.xml: page 12: not UTF-8')
    """
    return f"{file}:{line}: {what}" if line else f"{file}: {what}"


@dataclass(slots=True)
class ShardReport:
    """What was read and what was wrong with it; reports can be added up.

    Args:
        sentences: Sentences counted.
        words: Words in them.
        lines: Lines, rows or pages read, bad and blank ones included.
        documents: Documents parsed; 0 for a corpus that is parsed already.
        left_out: Documents removed by a filter.
        read: Documents read, including those left out.
        drawn: How many of them were drawn; None if there was no sample.
        languages: How many documents seem to be in each language.
        bad_lines: How many lines are bad.
        bad: File, line and problem: the first thousand of a shard, counted from its beginning.
        quarantined: Documents that could not be parsed: file, line, name, error.
        damage: Why a file ended early, by file.
        empty: Files without any content in their format, not even a bad line.
        shards: How many shards there are.
        before: How many of them an earlier run had finished.
        retried: Shards that were run again after their worker was lost.
        without: How many documents lack a field they are chosen by, by field.
        repaired: How often each rule of `_repair` changed a tree or a text.
    """

    sentences: int = 0
    words: int = 0
    lines: int = 0
    documents: int = 0
    left_out: int = 0
    read: int = 0
    drawn: int | None = None
    languages: dict[str, int] = field(default_factory=dict)
    bad_lines: int = 0
    bad: list[Place] = field(default_factory=list)
    quarantined: list[tuple[str, int, str, str]] = field(default_factory=list)
    damage: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    shards: int = 0
    before: int = 0
    retried: list[str] = field(default_factory=list)
    without: dict[str, int] = field(default_factory=dict)
    repaired: dict[str, int] = field(default_factory=dict)

    def reject_line(self, file: str, line: int, what: str) -> None:
        """Note a bad line."""
        self.bad_lines += 1
        self.bad.append((file, line, what))

    def hear(self, language: str | None) -> None:
        """Note the language a document seems to be in, if it was recognised."""
        if language is not None:
            self.languages[language] = self.languages.get(language, 0) + 1

    def add(self, other: ShardReport) -> None:
        """Add the figures of another report."""
        for name in (one.name for one in fields(ShardReport)):
            mine, theirs = getattr(self, name), getattr(other, name)
            if name in ("languages", "without", "repaired"):
                mine.update({one: n + mine.get(one, 0) for one, n in theirs.items()})
            elif isinstance(mine, dict):
                mine.update(theirs)
            elif theirs is not None:
                setattr(self, name, theirs if mine is None else mine + theirs)

    def moved(self, file: str, after: int) -> ShardReport:
        """Return the report of a shard that begins `after` lines down its file."""
        bad = [(name, line + after, what) for name, line, what in self.bad]
        if self.bad_lines > len(bad):
            more = f"and {self.bad_lines - len(bad)} more bad lines, up to line"
            bad.append((file, 0, f"{more} {after + self.lines}"))
        return replace(self, bad=bad)

    def renamed(self, names: Names) -> ShardReport:
        """Return the report with each file under the name the user gave it."""
        shown = cache(names.shown)
        return replace(
            self,
            bad=[(shown(file), line, what) for file, line, what in self.bad],
            quarantined=[(shown(one[0]), *one[1:]) for one in self.quarantined],
            damage={shown(file): why for file, why in self.damage.items()},
            empty=[shown(file) for file in self.empty],
        )

    def reject(self, *, files: int, max_bad_share: float, wanted: str) -> None:
        """Raise if too many lines are bad, or nothing could be read or parsed at all.

        Args:
            files: How many files there are.
            max_bad_share: The share of bad lines up to which they are skipped.
            wanted: What a file must contain.
        """
        bad, lines = self.bad_lines, self.lines
        if lines and bad / lines > max_bad_share:
            shown = [placed(*one) for one in self.bad[:SHOWN]]
            raise TableError(
                f"{listed(shown, total=bad, noun='bad line')} That is {bad / lines:.1%} of "
                f"{lines} lines, more than {max_bad_share:.3g} ({option('max_bad_share')}). "
                f"{_encoding_hint(self.bad)}Nothing was written."
            )
        if self.empty and len(self.empty) == files:
            first = self.empty[0]
            others = f" nor in {files - 1} more" if files > 1 else ""
            early = f" ({self.damage[first]})" if first in self.damage else ""
            raise TableError(
                f"{first}: no {wanted} in it{others}{early}. Look at the file, or name its "
                f"format with {option('format')}. Nothing was written."
            )
        if self.quarantined and not self.documents:
            file, line, _, error = self.quarantined[0]
            what = f"none of {len(self.quarantined)} documents could be parsed (first: {error})"
            raise StudyError(
                f"{placed(file, line, what)}. Try another parser ({option('parser')}). "
                "Nothing was written."
            )

    def remarks(self, *, wanted: str) -> list[str]:
        """Return remarks for the user: on shards, damaged files, bad lines and documents."""
        remarks = []
        if self.before:
            remarks.append(f"{self.before} of {self.shards} shards were done by an earlier run.")
        remarks += [f"shard {key} was run again after its worker was lost." for key in self.retried]
        remarks += [
            f"{file}: {why}. The part read before that is kept."
            for file, why in self.damage.items()
        ]
        if self.empty:
            shown = [f"{file}: no {wanted} in it." for file in self.empty[:SHOWN]]
            remarks.append(listed(shown, total=len(self.empty), noun="empty file"))
        elif not self.sentences:
            remarks.append("no sentence was found, so the tables are empty.")
        if self.left_out:
            remarks.append(f"{self.left_out} of {self.read} documents were removed by the filters.")
        remarks += [
            f"no document has the field {field!r} that a filter checks."
            for field, lacking in self.without.items()
            if lacking == self.read
        ]
        if self.bad_lines:
            shown = [placed(*one) for one in self.bad[:SHOWN]]
            remarks.append(listed(shown, total=self.bad_lines, noun="bad line"))
        if self.quarantined:
            shown = [
                placed(file, line, f"{name} {error}".strip())
                for file, line, name, error in self.quarantined[:SHOWN]
            ]
            lines = listed(shown, total=len(self.quarantined), noun="document")
            remarks.append(f"{lines} Set aside.")
        return remarks

    def as_json(self) -> dict[str, Any]:
        """Return the part of a manifest that shows what was read and what was wrong with it."""
        return {
            "bad_lines": {
                "count": self.bad_lines,
                "lines": self.lines,
                "share": self.bad_lines / self.lines if self.lines else 0.0,
                "first": [placed(*one) for one in self.bad[:SHOWN]],
            },
            "truncated": [{"file": file, "why": why} for file, why in self.damage.items()],
            "empty": self.empty,
            "quarantined": len(self.quarantined),
            "left_out": self.left_out,
            "documents": {"read": self.read, "drawn": self.drawn},
            "languages": dict(sorted(self.languages.items())),
            "repaired": {rule: self.repaired.get(rule, 0) for rule in RULES},
            "shards": {"total": self.shards, "before": self.before, "retried": self.retried},
        }

    def dumped(self) -> str:
        """Return the report as text that `report_of` reads."""
        return json.dumps(asdict(self))


def _encoding_hint(bad: list[Place]) -> str:
    if not any(what == "not UTF-8" for _, _, what in bad):
        return ""
    return f"If the text has another encoding, name it with {option('encoding')}. "


def report_of(text: str | bytes) -> ShardReport:
    """Return the report `dumped` as this text."""
    kept: dict[str, Any] = json.loads(text)
    for name in ("bad", "quarantined"):
        kept[name] = [tuple(entry) for entry in kept[name]]
    return ShardReport(**kept)


def write_quarantine(report: ShardReport, path: Path) -> int:
    """Write the quarantined lines and documents as JSON lines; return how many there are.

    A bad line has no document; the line is null for a document that is not one line of its file.
    """
    entries = [(file, line, "", error) for file, line, error in report.bad] + report.quarantined
    rows = (
        {"file": file, "line": line or None, "document": name or None, "error": error}
        for file, line, name, error in entries
    )
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return len(entries)
