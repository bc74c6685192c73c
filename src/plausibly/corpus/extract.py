"""Extract: turns files into the tables `counts` and `svo`; resumable, with a manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Any

from plausibly.corpus._examples import Keep
from plausibly.corpus._language import remark as language_remark
from plausibly.corpus._names import Names, common_folder
from plausibly.corpus._outputs import MARKED_SVO, write_sorted
from plausibly.corpus._report import ShardReport, write_quarantine
from plausibly.corpus._shards import Cuts, Shard
from plausibly.corpus._staging import Source, Staging
from plausibly.corpus._state import forget, held_state, naming_output, refuse_foreign
from plausibly.corpus._statements import (
    COUNTED,
    COUNTED_TRIPLES,
    EXAMPLES_OF_PAIRS,
    EXAMPLES_OF_TRIPLES,
    filled,
)
from plausibly.corpus._tally import Tally, examples_of, read_report
from plausibly.corpus._work import CountParsed, ParseDocuments
from plausibly.corpus.inputs import HOLDS, PARSED
from plausibly.corpus.relations import SVO, Patterns
from plausibly.corpus.statistics import corpus_statistics
from plausibly.datasets.sp10k import RELATIONS as PAIRS
from plausibly.errors import PlausiblyError, StudyError, option
from plausibly.io import file_hash, write_json
from plausibly.ports import SILENCE, Engine, Parser, Watch
from plausibly.study.manifest import versions
from plausibly.tables import COUNTS, EXAMPLES

if TYPE_CHECKING:
    import pyarrow as pa

OUTPUTS = {"counts.parquet": ("counts", COUNTS), "svo.parquet": ("triples", MARKED_SVO)}
EXAMPLES_FILE = "examples.parquet"
QUARANTINE = "quarantine.jsonl"
MANIFEST = "manifest.json"
FILTERS = ("articles", "documents", "min_tokens", "min_links")
LIBRARIES = {
    "embedded": ("spacy", "lemminflect"),
    "spacy:": ("spacy",),
    "stanza": ("stanza",),
}
"""The libraries whose versions affect a parser's output."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to extract.

    Args:
        source: The format of the files, and which documents to use.
        patterns: What counts as a relation.
        min_count: Rarer pairs and triples are left out of the tables.
        max_bad_share: The share of bad lines up to which they are reported and skipped.
        examples: How many sentences to keep for each pair and triple; none by default.
    """

    source: Source
    patterns: Patterns = field(default_factory=Patterns)
    min_count: int = 1
    max_bad_share: float = 0.01
    examples: int = 0

    def __post_init__(self) -> None:
        if self.min_count < 1:
            raise StudyError(f"min_count must be at least 1; got {self.min_count}.")
        if not 0 <= self.max_bad_share <= 1:
            raise StudyError(
                f"{option('max_bad_share')} must be in [0, 1]; got {self.max_bad_share}.",
                parameter="max_bad_share",
            )
        if self.examples < 0:
            raise StudyError(f"examples must be at least 0; got {self.examples}.")
        source = self.source
        if source.form in PARSED and (source.articles or source.filters or source.documents):
            raise StudyError(
                f"articles cannot be drawn or filtered in {source.form}, which is parsed already. "
                f"Omit {', '.join(map(option, FILTERS))}.",
                parameter="articles",
            )


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of a run: its manifest, and remarks for the user."""

    manifest: dict[str, Any]
    notes: list[str]


def extract(
    files: Sequence[Path],
    output: Path,
    request: Request,
    *,
    engine: Engine,
    parser: Parser | None = None,
    watch: Watch = SILENCE,
) -> Extraction:
    """Write `counts.parquet`, `svo.parquet`, `quarantine.jsonl` and `manifest.json`.

    An interrupted run resumes where it stopped when it is started again. The tables have the same
    bytes whatever the engine and the number of workers.

    Args:
        files: What to read, in order; `inputs.find_files` finds them.
        output: Folder to write into; created if missing.
        request: What to extract.
        engine: Runs the work and the statements.
        parser: Parses texts; a parsed corpus needs none.
        watch: Receives the progress of the run.
    """
    started = monotonic()
    output = output.resolve()
    refuse_foreign(output, (*OUTPUTS, EXAMPLES_FILE, QUARANTINE, MANIFEST), MANIFEST)
    names = Names(tuple(files))
    plan = _plan(names.files, request, parser)
    run = _Run(names.files, request, engine, parser, watch)
    with naming_output(output), held_state(output, plan) as state:
        shards, report = _sound(run, names, output, state)
        finished = state / "finished"
        outputs = run.write(finished, shards, report)
        statistics = corpus_statistics(engine, report, request.patterns.relations)
        manifest = {
            **_asked(plan, names, request, engine),
            "outputs": outputs,
            "statistics": statistics,
            **report.as_json(),
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(monotonic() - started, 3),
        }
        write_json(finished / MANIFEST, manifest)
        for name in (*outputs, MANIFEST):
            (finished / name).replace(output / name)
        if not request.examples:
            (output / EXAMPLES_FILE).unlink(missing_ok=True)
        forget(output)
    remarks = report.remarks(wanted=HOLDS[request.source.form])
    if parser is not None:
        remarks += language_remark(report.languages, parser.language)
    return Extraction(manifest, _shortage(report, request.source) + remarks)


def _sound(run: _Run, names: Names, output: Path, state: Path) -> tuple[list[Shard], ShardReport]:
    """Work through all shards; if the input is bad or nothing was done, leave no trace."""
    request = run.request
    try:
        with naming_output(output):
            shards, report = run.work(state)
    except PlausiblyError:
        if not any(state.glob("*.parquet")):
            forget(output)
        raise
    report = report.renamed(names)
    try:
        report.reject(
            files=len(names.named),
            max_bad_share=request.max_bad_share,
            wanted=HOLDS[request.source.form],
        )
    except PlausiblyError:
        forget(output)
        raise
    return shards, report


def _shortage(report: ShardReport, source: Source) -> list[str]:
    """Return a remark if fewer documents were drawn than requested."""
    if report.drawn is None or source.articles is None or report.drawn >= source.articles:
        return []
    passing = " that pass the filters" if source.filters else ""
    return [
        f"{report.drawn} documents were drawn, not {source.articles}: there are no more{passing}."
    ]


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of `extract`: its steps share the request."""

    files: Sequence[Path]
    request: Request
    engine: Engine
    parser: Parser | None
    watch: Watch

    def work(self, state: Path) -> tuple[list[Shard], ShardReport]:
        """Work through all shards; return them, and the report of the whole run."""
        cut, work = self._prepared(state)
        shards: list[Shard] = []

        def taken() -> Iterator[Shard]:
            for shard in cut:
                shards.append(shard)
                yield shard

        doing = ShardReport()
        self.watch.begin(
            "reading" if self.request.source.articles else "working",
            sum(file.stat().st_size for file in self.files),
        )
        for done, attempt in self.engine.each(work, taken()):
            doing.shards += 1
            doing.before += done.before and attempt == 1
            doing.retried += [done.key] if attempt > 1 and not done.before else []
            self.watch.advance(done.size)
        doing.add(cut.report)
        return shards, self._gathered(shards, state, doing)

    def _gathered(self, shards: Sequence[Shard], state: Path, total: ShardReport) -> ShardReport:
        """Return the report with the shards' reports added in order."""
        parsed = not total.lines
        lines: dict[Path, int] = {}
        full: set[Path] = set()
        for shard in sorted(shards, key=lambda shard: shard.key):
            report = read_report(shard.result(state))
            after = lines.get(shard.file, 0)
            lines[shard.file] = after + report.lines
            if report.sentences or report.bad_lines:
                full.add(shard.file)
            total.add(report.moved(str(shard.file), after))
        if parsed:
            total.empty = total.empty or [str(file) for file in self.files if file not in full]
        return total

    def _prepared(self, state: Path) -> tuple[Cuts | Staging, CountParsed | ParseDocuments]:
        """Return what splits the input into shards, and the work to be done on each."""
        source, patterns = self.request.source, self.request.patterns
        most = self.request.examples
        keep = Keep(most, source.seed, common_folder(self.files)) if most else None
        if source.form in PARSED:
            return Cuts(self.files, state), CountParsed(state, patterns, source.form, keep)
        if self.parser is None:
            raise StudyError(f"{source.form} needs a parser, such as embedded.")
        staging = Staging(self.files, source, state, watch=self.watch)
        for trail in state.glob("*.trail"):
            trail.unlink()
        work = ParseDocuments(state, patterns, self.parser, source, token_hex(8), keep)
        return staging, work

    def write(self, folder: Path, shards: Sequence[Shard], report: ShardReport) -> dict[str, Any]:
        """Write all outputs except the manifest; return the hash and row count of each."""
        folder.mkdir(exist_ok=True)
        results = [shard.result(folder.parent) for shard in shards] or [folder / "nothing.parquet"]
        if not shards:
            Tally(self.request.patterns, Keep(1) if self.request.examples else None).save(
                results[0]
            )
        self.engine.register("pairs", results)
        rows: dict[str, int] = {}
        for file, (view, table) in OUTPUTS.items():
            rows[file] = write_sorted(self._counted(view), folder / file, table)
            self.engine.register(view, [folder / file])
        if self.request.examples:
            self.engine.register("sentences", [examples_of(one) for one in results])
            rows[EXAMPLES_FILE] = write_sorted(self._examples(), folder / EXAMPLES_FILE, EXAMPLES)
        rows[QUARANTINE] = write_quarantine(report, folder / QUARANTINE)
        return {name: {"sha256": file_hash(folder / name), "rows": n} for name, n in rows.items()}

    @property
    def _pairs(self) -> list[str]:
        return sorted(set(PAIRS) & set(self.request.patterns.relations))

    def _counted(self, view: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a table in the order of its key."""
        at_least = self.request.min_count
        if view == "triples":
            yield from self.engine.rows(filled(COUNTED_TRIPLES, min_count=at_least))
            return
        for relation in self._pairs:
            yield from self.engine.rows(filled(COUNTED, relation=relation, min_count=at_least))

    def _examples(self) -> Iterator[pa.RecordBatch]:
        """Yield the sentences kept for each pair and triple, in the order of their key."""
        most = self.request.examples
        for relation in self._pairs:
            yield from self.engine.rows(filled(EXAMPLES_OF_PAIRS, relation=relation, examples=most))
        if SVO in self.request.patterns.relations:
            yield from self.engine.rows(filled(EXAMPLES_OF_TRIPLES, examples=most))


def _plan(files: Sequence[Path], request: Request, parser: Parser | None) -> dict[str, Any]:
    """Return everything that affects a shard's result, as read back from JSON."""
    plan = {
        "plausibly": versions()["plausibly"],
        "inputs": [(str(file.resolve()), file_hash(file)) for file in files],
        "source": asdict(request.source),
        "patterns": asdict(request.patterns),
        "parser": parser.name if parser is not None else None,
        "examples": request.examples,
    }
    normal: dict[str, Any] = json.loads(json.dumps(plan))
    return normal


def _asked(
    plan: Mapping[str, Any], names: Names, request: Request, engine: Engine
) -> dict[str, Any]:
    """Return the part of a manifest that shows the request and its inputs."""
    source = dict(plan["source"])
    seed, _ = source.pop("seed"), source.pop("entities")
    return {
        "command": "extract",
        "inputs": {names.shown(file): digest for file, digest in plan["inputs"]},
        "parameters": {
            **source,
            **plan["patterns"],
            "min_count": request.min_count,
            "max_bad_share": request.max_bad_share,
            "examples": request.examples,
        },
        "seed": seed,
        "parser": plan["parser"],
        "engine": engine.name,
        "versions": {**versions(), "pyarrow": version("pyarrow"), **_parsing(plan["parser"])},
    }


def _parsing(parser: str | None) -> dict[str, str]:
    """Return the versions of the libraries behind a parser, as far as they are installed."""
    found = {}
    for name, libraries in LIBRARIES.items():
        for library in libraries if parser and parser.startswith(name) else ():
            with suppress(PackageNotFoundError):
                found[library] = version(library)
    return found
