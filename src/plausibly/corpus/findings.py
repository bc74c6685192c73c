"""Findings: what all shards together have to say about their input."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from plausibly.corpus.names import Names
from plausibly.corpus.notes import Notes
from plausibly.corpus.shards import Shard
from plausibly.corpus.tally import KEPT, Report, read_report
from plausibly.errors import SHOWN, StudyError, TableError, listed
from plausibly.io import write_text

Place = tuple[str, int, str]


def placed(file: str, line: int, what: str) -> str:
    """Return what is wrong with the place it is wrong at; pages of a dump have no line.

    >>> placed("a.conllu", 3, "not UTF-8"), placed("a.xml", 0, "page 12: not UTF-8")
    ('a.conllu:3: not UTF-8', 'a.xml: page 12: not UTF-8')
    """
    return f"{file}:{line}: {what}" if line else f"{file}: {what}"


@dataclass(slots=True)
class Findings:
    """What was read, and what was wrong with it.

    Args:
        report: The sums over all shards; its lists are left empty.
        bad: File, line and message of bad lines, in the order of the input.
        quarantined: File, line, name and error of documents set aside.
        damage: From file to why it ended early.
        empty: Files with nothing of their form in them.
        files: How many files there are.
    """

    report: Report = field(default_factory=Report)
    bad: list[Place] = field(default_factory=list)
    quarantined: list[tuple[str, int, str, str]] = field(default_factory=list)
    damage: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    files: int = 0

    def renamed(self, names: Names) -> Findings:
        """Return the same findings about files under the names a person gave them."""
        shown = cache(names.shown)
        return Findings(
            self.report,
            [(shown(file), line, what) for file, line, what in self.bad],
            [(shown(one[0]), *one[1:]) for one in self.quarantined],
            {shown(file): why for file, why in self.damage.items()},
            [shown(file) for file in self.empty],
            self.files,
        )

    def reject(self, *, max_bad_share: float, wanted: str) -> None:
        """Raise if too many lines are bad, or nothing could be read or parsed at all.

        Args:
            max_bad_share: The share of bad lines up to which they are passed over.
            wanted: What a file must hold.
        """
        bad, lines = self.report.bad_lines, self.report.lines
        if lines and bad / lines > max_bad_share:
            shown = [placed(*one) for one in self.bad[:SHOWN]]
            raise TableError(
                f"{listed(shown, total=bad, noun='bad line')} That is {bad / lines:.3g} of "
                f"{lines} lines, more than --max-bad-share {max_bad_share:g} allows. "
                "Nothing was written."
            )
        if self.empty and len(self.empty) == self.files:
            first = self.empty[0]
            others = f" nor in {self.files - 1} more" if self.files > 1 else ""
            early = f", for {self.damage[first]}" if first in self.damage else ""
            raise TableError(
                f"{first}: no {wanted} in it{others}{early}. Look at the file, or name the form "
                "it has with --from. Nothing was written."
            )
        if self.quarantined and not self.report.documents:
            file, line, _, error = self.quarantined[0]
            what = f"none of {len(self.quarantined)} documents could be parsed (first: {error})"
            raise StudyError(
                f"{placed(file, line, what)}. Try another --parser. Nothing was written."
            )

    def told(self, *, wanted: str) -> list[str]:
        """Return what a person should be told: damaged files, bad lines, documents set aside."""
        told = [
            f"{file}: {why}. What was read before that is kept."
            for file, why in self.damage.items()
        ]
        if self.empty:
            shown = [f"{file}: no {wanted} in it." for file in self.empty[:SHOWN]]
            told.append(listed(shown, total=len(self.empty), noun="empty file"))
        elif not self.report.sentences:
            told.append("no sentence was found, so the tables are empty.")
        if self.report.bad_lines:
            shown = [placed(*one) for one in self.bad[:SHOWN]]
            told.append(listed(shown, total=self.report.bad_lines, noun="bad line"))
        if self.quarantined:
            shown = [
                placed(file, line, f"{name} {error}".strip())
                for file, line, name, error in self.quarantined[:SHOWN]
            ]
            told.append(listed(shown, total=len(self.quarantined), noun="document") + " Set aside.")
        return told


def gather(files: Sequence[Path], shards: Iterable[Shard], state: Path, notes: Notes) -> Findings:
    """Return the findings of all shards, with what was noted while they were cut."""
    found = Findings(damage=dict(notes.damage), empty=list(notes.empty), files=len(files))
    found.report.lines = notes.lines
    found.report.bad_lines = len(notes.bad)
    found.bad = list(notes.bad)
    before: dict[Path, int] = {}
    full: set[Path] = set()
    for shard in sorted(shards, key=lambda shard: shard.key):
        report = read_report(shard.result(state))
        after = before.get(shard.file, 0)
        file = str(shard.file)
        found.bad += [(file, line + after, what) for line, what in report.bad]
        if report.bad_lines > KEPT:
            more = (
                f"and {report.bad_lines - KEPT} bad lines more, up to line {after + report.lines}"
            )
            found.bad.append((file, 0, more))
        found.quarantined += report.quarantined
        if report.damage:
            found.damage[file] = report.damage
        before[shard.file] = after + report.lines
        if report.sentences or report.bad_lines:
            full.add(shard.file)
        found.report += _sums(report)
    if not notes.lines:
        found.empty = found.empty or [str(file) for file in files if file not in full]
    return found


def _sums(report: Report) -> Report:
    """Return a report without its lists and texts."""
    return Report(
        sentences=report.sentences,
        words=report.words,
        lines=report.lines,
        documents=report.documents,
        triples=report.triples,
        negated=report.negated,
        bad_lines=report.bad_lines,
        left_out=report.left_out,
    )


def write_quarantine(findings: Findings, path: Path) -> int:
    """Write what was set aside, a JSON object per line, and return how many lines that is.

    A bad line has no document; a document that is no line of its file has line null.
    """
    entries: list[dict[str, Any]] = [
        {"file": file, "line": line or None, "document": None, "error": error}
        for file, line, error in findings.bad
    ]
    entries += [
        {"file": file, "line": line or None, "document": name or None, "error": error}
        for file, line, name, error in findings.quarantined
    ]
    write_text(path, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in entries))
    return len(entries)
