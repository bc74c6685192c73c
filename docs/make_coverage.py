"""Write docs/explanation/coverage.md: every step the papers describe, with its command.

    python docs/make_coverage.py

The lines are in docs/coverage.csv. A line without a command or a test is an error, and so is a test
in a file that neither names the command nor imports code that it runs.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from coverage_links import function_name, is_about

import plausibly
from plausibly.cli.groups import command_at, index
from plausibly.registry import PROTOCOLS
from plausibly.study.outline import outline_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LINES = HERE / "coverage.csv"
PAGE = HERE / "explanation" / "coverage.md"
BEGINNING = """# What the papers describe, and where it is done

Written by `python docs/make_coverage.py` from `docs/coverage.csv`, which also names the test of
every step. Each line is a step that one of the five papers describes, in our words, with the
`plausibly` command (and option) that does it, which is also a function: `models tune` is
`pb.models_tune`. For steps that people do on web pages, it is the command that serves them.
`benchmarks/paper_commands.py` runs every command on the example studies and the published data.

In a study, the section of study.toml has the name of the function; `build …` is `[build]`, and
`read` is `[ratings]`. These take a study folder: {folder}.
These have no section: {neither}.

Out of scope: systems that resolve coreference (SP-10K, section 6, compares with two of them;
`score winograd` scores their answers), and Mechanical Turk's external question (collect by link or
on Prolific; `read --format mturk` reads what Mechanical Turk exports).

Done differently: PAP, appendix A.1, confirms the part of speech of norms with a second corpus,
ENCOW16AX. `build pap` confirms it with the corpus whose triples were counted; a list of tags from
another corpus cannot be named.
ADEPT, Table 2, puts an ordinal before a noun ("a third candidate"). `build adept` drops ordinals
and quantities; they are in the ledger under `no_adjective`.
"""
HEADER = "| place | step | command |\n|---|---|---|\n"
PROTOCOL_BUILDERS = {f"build {name}" for name in PROTOCOLS}
OF_FOLDERS = ("people list", "people objections", "people pay", "release", "run", "serve")

Line = Mapping[str, str]


def lines() -> list[Line]:
    """Return the lines of the table."""
    with LINES.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def faults(rows: list[Line]) -> Iterator[str]:
    """Yield what is wrong with lines: no command, no such option, no test, a test of another."""
    known: dict[Path, set[str]] = {}
    seen: set[tuple[str, str]] = set()
    for row in rows:
        where = f"{row['paper']}, {row['place']}: {row['line']}"
        if (row["paper"], row["line"]) in seen:
            yield f"{where}: the line is there twice"
        seen.add((row["paper"], row["line"]))
        yield from (f"{where}: {one}" for one in _command_faults(row["command"]))
        file, _, name = row["test"].partition("::")
        path = ROOT / file
        if not name or not path.is_file():
            yield f"{where}: no test file {file!r}"
            continue
        known.setdefault(path, _functions(path))
        words = _words(row)
        if name not in known[path]:
            yield f"{where}: {file} has no {name}"
        elif words in index() and not is_about(path, words):
            yield f"{where}: {file} runs nothing of {words!r}"


def _command_faults(command: str) -> Iterator[str]:
    words, _, option = command.partition(" -")
    if words not in index():
        yield f"no command {words!r}"
    elif option:
        offered = {flag for one in command_at(words).params for flag in one.opts}
        if f"-{option}" not in offered:
            yield f"{words} has no option -{option}"


def _functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}


def _section(words: str) -> str:
    """Return the section of a study that does what a command does, or that it takes a study."""
    if words in OF_FOLDERS:
        return "folder"
    verb = getattr(plausibly, function_name(words), None)
    declaration = getattr(verb, "declaration", None)
    name = declaration.section if declaration is not None else ""
    return f"`[{name}]`" if name in _steps() else ""


def _words(row: Line) -> str:
    return row["command"].partition(" -")[0]


@cache
def _steps() -> frozenset[str]:
    return frozenset(step.name for name in PROTOCOLS for step in outline_of(name).steps)


def page(rows: list[Line]) -> str:
    """Return the page."""
    sections = {words: _section(words) for words in sorted(_words(row) for row in rows)}
    named = {words: f"`[{function_name(words)}]`" for words in sections} | {"read": "`[ratings]`"}
    named |= {words: "`[build]`" for words in sections if words in PROTOCOL_BUILDERS}
    other = {one: kind for one, kind in sections.items() if kind not in ("", "folder", named[one])}
    if other:
        raise SystemExit(f"the page has to name these sections: {other}")
    lists = {
        name: ", ".join(f"`{one}`" for one, what in sections.items() if what == kind)
        for name, kind in (("folder", "folder"), ("neither", ""))
    }
    parts = [BEGINNING.format(**lists)]
    for paper in dict.fromkeys(row["paper"] for row in rows):
        own = [row for row in rows if row["paper"] == paper]
        parts += [f"\n## {paper}\n\n{len(own)} steps.\n\n{HEADER}"]
        steps: dict[tuple[str, str], list[str]] = {}
        for row in own:
            option = row["command"].removeprefix(_words(row)).strip()
            line = f"{row['line']} (`{option}`)" if option else row["line"]
            steps.setdefault((row["place"], _words(row)), []).append(line)
        for (place, words), done in steps.items():
            shown = done[0] if len(done) == 1 else f"<ul><li>{'</li><li>'.join(done)}</li></ul>"
            parts.append(f"| {place} | {shown} | `{words}` |\n")
    return "".join(parts)


def main() -> None:
    """Check the lines and write the page."""
    rows = lines()
    wrong = list(faults(rows))
    if wrong:
        raise SystemExit("\n".join(wrong))
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
