"""From corpora to counts of relations, resumable, with a manifest of what went in and out."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.backends.parsers import parser_named
from plausibly.corpus import (
    PARSED,
    STATE,
    Patterns,
    Request,
    Source,
    find_files,
    form_of,
    passed_over,
    refuse_foreign,
)
from plausibly.corpus import extract as run_extract
from plausibly.corpus.extract import EXAMPLES_FILE, MANIFEST
from plausibly.corpus.relations import PROFILES, RELATIONS, relations_named
from plausibly.corpus.statistics import table_5
from plausibly.errors import StudyError, UnknownName, about, option
from plausibly.io import make_folder, replacing
from plausibly.ports import SILENCE, Watch
from plausibly.study.hooks import Listed, Set
from plausibly.study.made import described
from plausibly.study.parameters import check_value, parameters_of
from plausibly.study.results import Result, put_document, text_table
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Output, Places, verb

FOLDER = "corpus"
"""Where a study keeps what was extracted for it."""
AT_LEAST = {
    **dict.fromkeys(("seed", "min_tokens", "min_links", "examples"), 0),
    **dict.fromkeys(("articles", "min_count", "workers"), 1),
}


@dataclass(frozen=True, eq=False, repr=False)
class Extracted(Result):
    """Counts of relations, read from the folder they were written into when they are asked for.

    Args:
        counts: relation, head, dependent, count.
        svo: subject, verb, object, count, and how many of count are negated, modal, a question,
            or have a particle.
        examples: Sentences of each pair and triple, None if none were asked for.
        folder: Where the tables lie.
        document: The manifest of the run: hashes, parameters, statistics, what was wrong.
        notes: What a person should know about the input.
    """

    counts: pl.LazyFrame
    svo: pl.LazyFrame
    examples: pl.LazyFrame | None
    folder: Path
    document: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the manifest of the run, which is what `extract --json` prints."""
        return dict(self.document)

    def text(self) -> str:
        """Return occurrences and types of each relation, as in SP-10K's Table 5."""
        rows = table_5(self.document["statistics"])
        return text_table(("counted", "occurrences", "types"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What was wrong with the input, and what was written."""
        document = self.document
        rows = ", ".join(f"{one['rows']} rows in {f}" for f, one in document["outputs"].items())
        words, seconds = document["statistics"]["words"], document["seconds"]
        return (*self.notes, f"{self.folder}: {rows}; {words} words in {seconds:.1f} s.")

    @property
    def unsound(self) -> str:
        """What was wrong with the input, in one sentence; empty if nothing was."""
        document = self.document
        bad, aside = document["bad_lines"]["count"], document["quarantined"]
        cut, empty = len(document["truncated"]), len(document["empty"])
        if not (bad or aside or cut or empty):
            return ""
        return (
            f"the input is not sound: {bad} bad lines, {cut} truncated files, {empty} empty "
            f"files, {aside} documents set aside. The tables were written without them."
        )

    @property
    def noted(self) -> tuple[str, ...]:
        """What was wrong with the input, if anything was."""
        return (self.unsound,) if self.unsound else ()

    @property
    def manifest(self) -> dict[str, Any]:
        """What the tables were made from, and how many rows each has."""
        return self.as_json()

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Copy what was written into another folder, and return it.

        Args:
            folder: The folder.
            force: Overwrite files that this command did not write.
        """
        target = Path(folder)
        if target.resolve() == self.folder.resolve():
            return target
        make_folder(target)
        names = (*self.document["outputs"], MANIFEST)
        if not force:
            refuse_foreign(target, names, MANIFEST)
        for name in names:
            with replacing(target / name) as temporary:
                shutil.copyfile(self.folder / name, temporary)
        return target


def _in_study(work: Work, places: Places) -> None:
    del places
    chosen = {name: value for name, value in work.parameters.items() if value is not None}
    files = [work.path(name) for name in chosen.pop("files")]
    result = extract(files, output=work.path(FOLDER), seed=work.seed, watch=work.watch, **chosen)
    put_document(result.as_json(), work.path("extract.json"))
    work.notes.extend(result.talk)


def _late(arguments: Parameters) -> dict[str, Any]:
    """Return the corpus, hashed only when it is asked for: the run has hashed it once."""
    files = arguments["files"]
    named = [files] if isinstance(files, str | Path) else list(files)
    return {"files": partial(described, named)}


@verb(
    names={
        "format": "plausibly.corpus:FORMS",
        "profile": "plausibly.corpus.relations:PROFILES",
    },
    texts=("files",),
    output=Output(help="Folder to write into.", required=True),
    strict=True,
    sources=_late,
    in_bytes=True,
    study=InStudy(
        run=_in_study,
        also={"files": [], "format": None, "encoding": "utf-8"},
        outputs=(f"{FOLDER}/counts.parquet", f"{FOLDER}/svo.parquet", "extract.json"),
        external=Listed("files"),
        wanted=Set("extract", "files"),
        begins="[extract] files",
    ),
)
def extract(
    files: str | Path | Sequence[str | Path],
    *,
    output: str | Path,
    format: str | None = None,
    parser: str = "embedded",
    language: str | None = None,
    articles: int | None = None,
    seed: int = 1,
    min_tokens: int = 0,
    min_links: int = 0,
    few: Literal["either", "both"] = "either",
    documents: Sequence[str] = (),
    column: str = "text",
    encoding: str = "utf-8",
    relations: str | Sequence[str] | None = None,
    profile: str = "basic",
    passives: bool = False,
    conjuncts: bool = False,
    relative_clauses: bool = False,
    proper_nouns: bool = False,
    particles: bool = False,
    drop_negated: bool = False,
    drop_modal: bool = False,
    repair: Literal["on", "none"] = "on",
    min_count: int = 1,
    max_bad_share: float = 0.01,
    examples: int = 0,
    engine: str = "duckdb",
    workers: int | None = None,
    memory: str | None = None,
    strict: bool = False,
    watch: Watch = SILENCE,
) -> Extracted:
    r"""Count relations in dumps, texts and parsed corpora, and write the tables into a folder.

    Writes counts.parquet, svo.parquet, manifest.json and quarantine.jsonl, and examples.parquet
    if sentences are kept. If a run is interrupted, repeat the call to continue. The tables have
    the same bytes whatever the engine and the number of workers.

    Args:
        files: Files, folders and patterns to read.
        output: Folder to write into.
        format: Format of the files, if their endings and contents do not show it.
        parser: embedded, stanza or spacy:NAME; for texts.
        language: Language of the texts, as a code such as 'it'; Stanza parses many.
        articles: Number of documents to draw.
        seed: Seed for everything drawn at random.
        min_tokens: Leave out documents with fewer tokens.
        min_links: Leave out pages of a dump with fewer links.
        few: Leave out pages with either too few tokens or too few links, or only those with both.
        documents: Keep documents that match (FIELD=PATTERN) or do not match (FIELD!=PATTERN), by
            title, category or any column.
        column: Column with the text in JSONL and Parquet files.
        encoding: Encoding of texts, such as cp1252 or utf-16.
        relations: Relations to count, separated by commas, or as a list (default: all).
        profile: basic, or enhanced: passives, conjuncts and relative clauses together.
        passives: Count the subject of a passive as an object, and its by-phrase as a subject.
        conjuncts: Let coordinated words share their head, and coordinated verbs their subject.
        relative_clauses: Put a noun into the place of its relative pronoun.
        proper_nouns: Count proper nouns as nouns.
        particles: Also count events whose verb has a particle (put off); PAP leaves them out.
        drop_negated: Leave out what a negated verb governs.
        drop_modal: Leave out what a verb with a modal governs.
        repair: on: before counting, correct what parsers often misread in news, such as a clause
            taken for the object of "say"; none: count the trees unchanged.
        min_count: Leave out pairs that occur less often than this.
        max_bad_share: Largest share of bad lines to tolerate.
        examples: Number of sentences to keep per pair and triple, drawn at random with the seed.
        engine: duckdb, spark or spark://HOST:PORT.
        workers: Number of processes (default: one per processor).
        memory: Maximum memory of a query, such as 2GB.
        strict: Raise, after the tables are written, if anything was wrong with the input.
        watch: Receives the progress of the run.

    Examples:
        plausibly extract corpus/ -o counts
        plausibly extract dump.xml.bz2 --format dump --articles 1000 --workers 2 -o counts

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> tree = "1 Dogs dog NOUN _ _ 2 nsubj _ _|2 bark bark VERB _ _ 0 root _ _||"
    >>> _ = (folder / "a.conllu").write_text(tree.replace(" ", "\t").replace("|", "\n"))
    >>> extract(folder, output=folder / "counts", workers=1).counts.collect().row(0)
    ('nsubj', 'bark', 'dog', 1)
    """
    _check(locals())
    named = [files] if isinstance(files, str | Path) else files
    paths = [Path(one) for one in named]
    inputs = find_files(paths, format)
    form = format or form_of(inputs)
    source = Source(
        form,
        column,
        articles,
        seed,
        min_tokens,
        min_links,
        tuple(documents),
        few,
        encoding,
        entities=repair == "on",
    )
    more = _profile(profile)
    patterns = Patterns(
        _relations(relations),
        passives=passives or "passives" in more,
        conjuncts=conjuncts or "conjuncts" in more,
        relative_clauses=relative_clauses or "relative_clauses" in more,
        proper_nouns=proper_nouns,
        particles=particles,
        drop_negated=drop_negated,
        drop_modal=drop_modal,
        repair=repair,
    )
    request = Request(source, patterns, min_count, max_bad_share, examples)
    with about("parser"):
        trees = parser_named(parser, None if form in PARSED else language)
    folder = Path(output)
    scratch = folder.resolve() / STATE
    running = engine_named(engine, workers=workers, memory=memory, scratch=scratch)
    try:
        done = run_extract(
            inputs,
            folder,
            request,
            engine=running,
            parser=None if form in PARSED else trees,
            watch=watch,
        )
    finally:
        running.close()
    extracted = Extracted(
        pl.scan_parquet(folder / "counts.parquet"),
        pl.scan_parquet(folder / "svo.parquet"),
        pl.scan_parquet(folder / EXAMPLES_FILE) if examples else None,
        folder,
        done.manifest,
        (*passed_over(paths, inputs), *done.notes),
    )
    if strict and extracted.unsound:
        raise StudyError(f"extract: {extracted.unsound}")
    return extracted


def _check(asked: Mapping[str, Any]) -> None:
    """Raise at the first value that is of another kind than its keyword takes, or too small."""
    for name, one in parameters_of(extract, without=("watch",)).items():
        with about(name):
            check_value(option(name), one.kind, asked[name])
    for name, least in AT_LEAST.items():
        if asked[name] is not None and asked[name] < least:
            what = f"{option(name)} must be {least} or more; got {asked[name]}."
            raise StudyError(what, parameter=name)


def _profile(name: str) -> tuple[str, ...]:
    if name not in PROFILES:
        raise UnknownName("profile", name, PROFILES, parameter="profile")
    return PROFILES[name]


def _relations(named: str | Sequence[str] | None) -> tuple[str, ...]:
    if named is None:
        return RELATIONS
    with about("relations"):
        return relations_named(named if isinstance(named, str) else ",".join(named))
