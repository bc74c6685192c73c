"""What is irregular in a set of items somebody made: findings, never failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.english import LemminflectWords
from plausibly.backends.frequency import WordFreq, recognised
from plausibly.datasets.catalogue import data_folder
from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.language import story_language
from plausibly.datasets.gita.loose import read_loosely
from plausibly.datasets.gita.stories import Story, read_stories
from plausibly.datasets.lexica.detection import in_one_language
from plausibly.datasets.lexica.frequency import FrequencyList, listed, read_frequencies
from plausibly.datasets.lexica.norms import read_norms
from plausibly.datasets.loading import load_set
from plausibly.domain import Measure
from plausibly.errors import MissingExtra, StudyError, TableError, option
from plausibly.io import check_rows, read_rows
from plausibly.io.frames import Source, as_table
from plausibly.proofreading.pairs.check import PairReport, check_files
from plausibly.proofreading.stories.checks import compare_versions
from plausibly.proofreading.stories.proofread import proofread
from plausibly.stimuli.balance.checks import check_notes
from plausibly.stimuli.balance.report import Balance, norm_problems
from plausibly.stimuli.balance.report import balance as report_on
from plausibly.stimuli.edited import EditedText, edited_texts
from plausibly.stimuli.leaks import leaks as leaking
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb
from plausibly.tables import ITEMS

MOST_SHOWN = 20


@dataclass(frozen=True, eq=False, repr=False)
class CheckReport(Result):
    """What a check found.

    Args:
        findings: One row per finding.
        document: What `--json` prints.
        shown: The text for people.
        said: Sentences for the person at the terminal.
        noted: The problems among them, one sentence each; notes are not problems.
    """

    findings: pl.DataFrame
    document: Any
    shown: str = ""
    said: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()

    def as_json(self) -> Any:
        """Return the document of `check --json`."""
        return self.document

    def text(self) -> str:
        """Return the findings for people."""
        return self.shown

    @property
    def talk(self) -> tuple[str, ...]:
        """What else there is to say."""
        return self.said


@verb(strict=True)
def check_adept(*files: str | Path) -> CheckReport:
    """Check sentence pairs, one file per split: how each pair is made, and what the splits share.

    A pair is exact if its second sentence follows from the first by the rule of the release or
    by ours; the others are listed by idx.

    Args:
        files: Files of sentence pairs, one per split.

    Examples:
        plausibly check adept train.json dev.json
        plausibly check adept pairs.json --strict

    >>> import json, tempfile
    >>> pair = {"sentence1": "A bird can fly.", "sentence2": "A small bird can fly."}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "pairs.json")
    ...     more = {"modifier": "small", "noun": "bird", "label": 2, "idx": 1}
    ...     _ = file.write_text(json.dumps([pair | more]))
    ...     check_adept(file).as_json()["exact"]
    1
    """
    report = check_files([Path(one) for one in files], words=_dictionary())
    findings = pl.DataFrame(
        [(one.idx, one.kind, one.message) for one in report.problems],
        schema={"idx": pl.Int64, "kind": pl.String, "message": pl.String},
        orient="row",
    )
    shared = [
        f"{split}: {counts['sentences']} first sentences, {counts['nouns']} nouns."
        for split, counts in report.shared.items()
    ]
    noted = tuple(f"idx {one.idx}: {one.message}" for one in report.problems)
    return CheckReport(findings, report.as_json(), _shown_pairs(report), tuple(shared), noted)


def _dictionary() -> LemminflectWords | None:
    """Return the dictionary if it is installed; without it, misspelt words are not found."""
    try:
        return LemminflectWords()
    except MissingExtra:
        return None


def _shown_pairs(report: PairReport) -> str:
    document = report.as_json()
    counts = [
        (name, len(value) if isinstance(value, list) else value)
        for name, value in document.items()
        if name not in ("problems", "shared", "identity")
    ]
    counts.append(("identity", len(report.identity)))
    text = text_table(("what", "pairs"), counts)
    kinds: dict[str, list[Any]] = {}
    for problem in report.problems:
        kinds.setdefault(problem.kind, []).append(problem)
    if not kinds:
        return text
    rows = [(kind, len(of), f"idx {of[0].idx}: {of[0].message}") for kind, of in kinds.items()]
    return text + "\n" + text_table(("problem", "pairs", "first"), rows)


@verb(strict=True)
def check_gita(
    file: str | Path, *, against: str | Path | None = None, language: str | None = None
) -> CheckReport:
    """Check stories, in either released form.

    An error contradicts the schema or another field, a warning breaks a rule of construction, a
    note asks a person to look.

    Args:
        file: The stories.
        against: Another version of the same stories to compare with.
        language: Language of the stories: it or en (default: their field language, or what their
            words show).

    Examples:
        plausibly check gita stories.jsonl
        plausibly check gita stories.jsonl --json

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "stories.jsonl")
    ...     _ = file.write_text("{}")
    ...     check_gita(file).findings["severity"].unique().to_list()
    ['error']
    """
    stories, faults = read_loosely(Path(file))
    spoken, notes = story_language(stories, language, known=recognised)
    found = [
        *(StoryFinding(row, name, kind, what, "error") for row, name, kind, what in faults),
        *story_findings(stories, spoken),
        *(compare_versions(stories, read_stories(Path(against))) if against else ()),
    ]
    found.sort(key=lambda finding: finding.row)
    rows = [(f.row, f.example, f.severity, f.kind, f.message) for f in found]
    columns = ("row", "example_id", "severity", "kind", "message")
    schema = {name: pl.Int64 if name == "row" else pl.String for name in columns}
    return CheckReport(
        pl.DataFrame(rows, schema=schema, orient="row"),
        [finding.as_json() for finding in found],
        text_table(("row", "id", *columns[2:]), rows),
        (*notes, _counted(found, len(stories))),
        tuple(f"row {one.row}: {one.message}" for one in found if one.severity != "note"),
    )


def story_findings(stories: Sequence[Story], language: str) -> list[StoryFinding]:
    """Return everything there is to report on stories, with the word lists that are installed."""
    return proofread(
        stories,
        lang=language,
        frequency=_frequency_of(language),
        english=_frequency_of("en") if language != "en" else None,
        neighbours=recognised(without=language),
    )


def _frequency_of(lang: str) -> WordFreq | None:
    """Return how frequent words are, if that is installed; without it, no word is judged."""
    try:
        return WordFreq(lang)
    except MissingExtra:
        return None


def _counted(found: Sequence[StoryFinding], stories: int) -> str:
    counts = Counter(finding.severity for finding in found)
    listing = ", ".join(
        f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in counts.most_common()
    )
    return f"{stories} {'story' if stories == 1 else 'stories'}: {listing or 'nothing found'}."


@verb()
def check_balance(
    items: Source,
    *,
    by: str = "condition",
    frequency: str | Path | None = None,
    norms: str | Path | None = None,
    language: str | None = None,
    seed: int = 0,
) -> CheckReport:
    """Check that conditions of an items table do not differ in what should not matter.

    Reports length, frequency and norms by condition; words that conditions share; how well
    these variables, frequency alone or one word alone predict the condition; how well these
    variables tell check items from the others; texts that repeat each other; and texts that do
    not contain what one of their columns says.

    Args:
        items: The items table.
        by: Column to compare by.
        frequency: Frequency list (default: wordfreq).
        norms: Table of concreteness norms with the columns Word, Conc.M and Dom_Pos.
        language: Language of the texts; items in other languages are left out. Default: the column
            language, else the language recognised from the words.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly check balance items.parquet
        plausibly check balance items.csv --by condition --json

    >>> rows = {"item": ["a", "b"], "text": ["x y", "x z"], "condition": ["one", "two"]}
    >>> check_balance(pl.DataFrame(rows), language="en").as_json()["items"]
    {'one': 1, 'two': 1}
    """
    compared, spoken, note = in_one_language(_items(items), language, known=recognised)
    report = report_on(
        compared,
        frequency=_frequencies(frequency, spoken),
        norms=read_norms(Path(norms)) if norms else None,
        by=by,
        lang=spoken,
        seed=seed,
    )
    spreads = pl.DataFrame(report.as_json()["variables"])
    edited = edited_texts(compared, lang=spoken)
    document = {**report.as_json(), "edited": [asdict(one) for one in edited]}
    said = (*note, *_said(report), *_edited(edited))
    return CheckReport(spreads, document, _shown_balance(report, by), said)


def _edited(edited: Sequence[EditedText]) -> tuple[str, ...]:
    if not edited:
        return ()
    first, items = edited[0], len({one.item for one in edited})
    return (
        f"In {items} items, a column does not match the text (first: {first.item}, {first.column} "
        f"{first.value!r}). Correct the column, or build the items again.",
    )


@verb(strict=True)
def check_leaks(
    *files: str | Path, against: Sequence[str] = (), data: str | Path | None = None
) -> CheckReport:
    r"""Find items that are in two files, or in a released set as well.

    Two pairs of words match if relation, head and dependent are the same, other items if all words
    of their texts are; case and punctuation do not matter. Checks are left out.

    Args:
        files: Tables of items.
        against: Released sets to compare with: pap, adept, sp10k, gita, pep3k or 20q.
        data: Folder with the released sets (default: $PLAUSIBLY_DATA).

    Examples:
        plausibly check leaks train.parquet test.parquet --strict
        plausibly check leaks items.parquet --against pap --against pep3k

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     train, test = Path(folder, "train.csv"), Path(folder, "test.csv")
    ...     _ = train.write_text("item,text\na,Owls hoot.\n")
    ...     _ = test.write_text("item,text\nb,owls hoot\n")
    ...     check_leaks(train, test).findings["kind"].to_list()
    ['same_item']
    """
    paths = [Path(one) for one in files]
    sets = {str(path): _items(path) for path in paths}
    if len(sets) < len(paths):
        raise TableError("check leaks: the same file is named twice. Name each file once.")
    for name in against:
        sets[name] = load_set(name, data_folder(data)).tables["items"]
    if len(sets) < 2:
        raise StudyError(
            "check leaks: one set cannot be compared. Name two files, or a released set with "
            f"{option('against')}.",
            parameter="files",
        )
    found = leaking(sets)
    columns = ("first", "item", "second", "other", "kind")
    rows = [tuple(one.as_json()[name] for name in columns) for one in found]
    shared = Counter((one.first, one.second, one.kind) for one in found)
    document = {
        "items": {name: table.height for name, table in sets.items()},
        "shared": [
            dict(zip(("first", "second", "kind", "items"), (*k, n), strict=True))
            for k, n in shared.items()
        ],
        "leaks": [one.as_json() for one in found],
    }
    return CheckReport(
        pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row"),
        document,
        text_table(columns, rows[:MOST_SHOWN]),
        (f"{len(found)} leaks between {len(sets)} sets.",),
        tuple(f"{a} of {one} is {b} of {two} ({kind})" for one, a, two, b, kind in rows),
    )


def _frequencies(path: str | Path | None, lang: str) -> FrequencyList:
    return read_frequencies(Path(path)) if path is not None else listed(WordFreq(lang))


def _items(source: Source) -> pl.DataFrame:
    if not isinstance(source, str | Path):
        return as_table(source, ITEMS)
    rows = read_rows(Path(source))
    rows.reject(norm_problems(rows.frame))
    table = check_rows(rows, ITEMS)
    if table.filter(pl.col("kind") == "item").is_empty():
        raise TableError(f"{source}: no items to compare, only a header or checks. Add rows.")
    return table


def _shown_balance(report: Balance, by: str) -> str:
    spreads = [(s.variable, s.condition, s.n, s.mean, s.sd, s.low, s.high) for s in report.spreads]
    overlaps = [(one.words, " / ".join(one.conditions), one.jaccard) for one in report.overlaps]
    probes: list[tuple[object, ...]] = [
        ("all variables", name, m.value, m.low, m.high, m.n) for name, m in report.probe.items()
    ]
    probes += [("frequency only", "auc", *_auc(report.frequency_only))]
    probes += [(f"single word: {s}", "auc", *_auc(m)) for s, m in report.single_word.items()]
    probes += [("check items", "auc", *_auc(report.checks))] if report.checks else []
    words = [(w.slot, w.condition, w.word, w.items, w.share) for w in report.words]
    parts = [
        text_table(("variable", by, "n", "mean", "sd", "min", "max"), spreads),
        text_table(("variable", "standardised difference"), report.differences.items()),
        text_table(("words", "conditions", "jaccard"), overlaps),
        text_table(("probe", "measure", "value", "low", "high", "n"), probes),
    ]
    if words:
        parts.append(text_table(("slot", by, "most frequent", "items", "share"), words))
    return "\n".join(parts)


def _auc(measures: dict[str, Measure]) -> tuple[Any, Any, Any, Any]:
    auc = measures.get("auc")
    return (None, None, None, None) if auc is None else (auc.value, auc.low, auc.high, auc.n)


def _said(report: Balance) -> tuple[str, ...]:
    light = [
        f"{name}: {one['items']} items with a light verb or a copula ({one['share']:.1%})."
        for name, one in report.light_verbs.items()
    ]
    leaking = {column: len(groups) for column, groups in report.repeats.leaking.items()}
    across = ", ".join(f"{number} across {column}" for column, number in leaking.items())
    near = f"{report.repeats.near_items} items differ from another by one word"
    near = near if report.repeats.compared else "no item has enough words to be compared"
    repeated = f"{len(report.repeats.same)} groups of items share a text ({across}); {near}."
    return (*light, repeated, *check_notes(report.as_json()), *report.notes)
