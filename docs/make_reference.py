"""Write what is derived from the code, pages and indexes: python docs/make_reference.py."""

from __future__ import annotations

import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import click
from protocol_page import protocol_page
from python_page import plain, python_page, words_of
from typed_calls import stub

import plausibly
from plausibly.cli.groups import GROUPS, HEADINGS, INDEX, command_at, index, under
from plausibly.datasets.schemes import SCHEMES
from plausibly.labels import METHODS
from plausibly.measures.agreement import NAMES
from plausibly.ratings import READERS, WRITERS
from plausibly.study import PROTOCOLS, outline
from plausibly.tables import TABLES

HERE = Path(__file__).resolve().parent / "reference"
SHARED = "../commands.md#shared-options"
OFTEN = 4  # so many commands make an option a shared one
EVERYWHERE = "--json"  # listed once, with the commands that lack it
SHORT = 6  # a text of up to so many words is repeated rather than linked
KINDS = {"String": "string", "Int64": "int64", "Float64": "float64"}


def help_of(command: click.Command, name: str) -> str:
    """Return what `--help` says about a command; what several commands have is only listed."""
    context = _context(command, name)
    usage = command.get_usage(context).removeprefix("Usage: ").replace(" [OPTIONS]", "")
    usage = " ".join(usage.split())
    parts = [f"```text\n{usage}\n```\n"] if usage != name else []
    help_text = inspect.cleandoc(command.help or "")
    parts += [f"{plain(one)}\n" for one in help_text.split("\n\n") if one.strip()]
    own: list[str] = []
    shared: list[str] = []
    elsewhere: dict[str, list[str]] = {}
    for record in _records(command, name):
        first = explained_by(record)
        if record.option == EVERYWHERE:
            continue
        if record.key in shared_options():
            usual = record.value == _usual(record.key)
            shared.append(f"`{record.option}`{'' if usual else record.value}")
        elif first != name.removeprefix("plausibly ") and len(record.text.split()) > SHORT:
            elsewhere.setdefault(first, []).append(f"`{record.option}`{record.value}")
        else:
            own.append(f"- `{record.names}`: {plain(record.text)}{record.value}")
    own += [f"- As for {_link(first)}: {', '.join(ones)}." for first, ones in elsewhere.items()]
    own += [f"- [Shared]({SHARED}): {', '.join(shared)}."] if shared else []
    parts += ["\n".join(own) + "\n"] if own else []
    examples = [line.strip() for line in (command.epilog or "").splitlines()[2:]]
    parts += ["```sh\n" + "\n".join(examples) + "\n```\n"] if examples else []
    return "\n".join(parts)


def _context(command: click.Command, name: str) -> click.Context:
    return click.Context(command, info_name=name, terminal_width=96, max_content_width=96)


def _link(words: str) -> str:
    """Return a link from one page of commands to the section of a command."""
    page = next(one for one, heads in HEADINGS.items() if words.split(maxsplit=1)[0] in heads)
    return f"[`{words}`]({page.lower()}.md#plausibly-{words.replace(' ', '-')})"


@dataclass(frozen=True)
class Record:
    """An option as `--help` shows it: its name, its name with what it takes, text and default."""

    option: str
    names: str
    text: str
    value: str

    @property
    def key(self) -> tuple[str, str]:
        """What options that mean the same have in common."""
        return self.option, self.text


def _records(command: click.Command, name: str) -> Iterator[Record]:
    """Yield the options of a command; a range is left out, as the error names it."""
    for one in command.params:
        record = one.get_help_record(_context(command, name))
        if not isinstance(one, click.Option) or record is None:
            continue
        names, text = record
        first, sign, rest = text.rpartition("  [")
        text, rest = (first, rest) if sign and text.endswith("]") else (text, "")
        kept = [part for part in rest.rstrip("]").split("; ") if part and "x" not in part[:2]]
        kept = [part for part in kept if "<=x" not in part]
        value = f" [{'; '.join(kept)}]" if kept else ""
        yield Record(one.opts[-1], names.replace("INTEGER RANGE", "INTEGER"), text, value)


@cache
def _known() -> dict[tuple[str, str], dict[str, str]]:
    """Return the commands that have an option with the same text, with its default in each."""
    places: dict[tuple[str, str], dict[str, str]] = {}
    for words in (one for heading in HEADINGS for name in under(heading) for one in _inner(name)):
        for record in _records(command_at(words), f"plausibly {words}"):
            places.setdefault(record.key, {})[words] = record.value
    return places


def _usual(key: tuple[str, str]) -> str:
    """Return the default that most commands with an option have."""
    return Counter(_known()[key].values()).most_common(1)[0][0]


def _inner(name: str) -> list[str]:
    command = command_at(name)
    if not isinstance(command, click.Group):
        return [name]
    return [f"{name} {one}" for one in command.list_commands(click.Context(command))]


def explained_by(record: Record) -> str:
    """Return the command whose section explains an option."""
    return next(iter(_known()[record.key]))


@cache
def shared_options() -> dict[tuple[str, str], int]:
    """Return the options that several commands have with the same text, and how many do."""
    often = {key: len(names) for key, names in _known().items() if len(names) >= OFTEN}
    return {key: number for key, number in often.items() if key[0] != "--output"}


def sections(command: click.Command, name: str, depth: int = 2) -> Iterator[str]:
    """Yield the section of a command and of each of its own commands."""
    heading = f"{'#' * depth} {name}\n\n"
    if not isinstance(command, click.Group):
        yield f"{heading}{help_of(command, name)}"
        return
    yield f"{heading}{command.help}\n"
    context = click.Context(command)
    for inner in command.list_commands(context):
        found = command.get_command(context, inner)
        if found is not None:
            yield from sections(found, f"{name} {inner}", depth + 1)


def commands_page() -> str:
    """Return the index of the commands: a table per group, and the names options accept."""
    names = {
        "Forms ratings are read in (`--format`)": READERS,
        "Forms ratings are written in": WRITERS,
        "Label methods (`--method`)": METHODS,
        "Label schemes (`--scheme`)": SCHEMES,
        "Protocols": PROTOCOLS,
        "Measures of agreement": NAMES,
    }
    lists = [
        f"- {what}: {', '.join(f'`{one}`' for one in names)}." for what, names in names.items()
    ]
    parts = ["# Commands\n", "Written by `docs/make_reference.py` from the commands themselves.\n"]
    parts += [
        "Data goes to stdout, messages go to stderr. Exit status: 0 for success, 1 for an error"
    ]
    parts += [
        "with a message, 2 for wrong usage. `plausibly COMMAND --help` shows the same texts.\n"
    ]
    for heading in HEADINGS:
        page = f"commands/{heading.lower()}.md"
        rows = [
            f"| [`{one}`]({page}#plausibly-{one.replace(' ', '-')}) | {line} |"
            for one, line in under(heading).items()
        ]
        table = "\n".join(["| command | what it does |", "|---|---|", *rows])
        parts.append(f"## [{heading}]({page})\n\n{table}\n")
    options = [f"| `{key[0]}` | {plain(key[1])}{_usual(key)} |" for key in sorted(shared_options())]
    every = [one for heading in HEADINGS for name in under(heading) for one in _inner(name)]
    having = _known()[next(key for key in _known() if key[0] == EVERYWHERE)]
    lacking = ", ".join(f"`{one}`" for one in every if one not in having)
    parts.append(
        "## Shared options\n\nSeveral commands have these; `--help` shows all of a command. "
        f"All commands have `{EVERYWHERE}`, except {lacking}.\n"
    )
    parts.append("\n".join(["| option | meaning |", "|---|---|", *options]) + "\n")
    parts.append("## Names that options accept\n\n" + "\n".join(lists) + "\n")
    return "\n".join(parts)


def group_page(heading: str) -> str:
    """Return the page of the commands under one heading of `plausibly --help`."""
    parts = [f"# Commands: {heading.lower()}\n", "[All commands](../commands.md)\n"]
    for name in under(heading):
        parts += sections(command_at(name), f"plausibly {name}")
    return "\n".join(parts)


def first_lines() -> dict[str, str]:
    """Return every command with its first sentence: the verbs', those of files, the groups."""
    places = {name: getattr(plausibly, name) for name in plausibly.__all__}
    declared = {one.declaration.words for one in places.values() if hasattr(one, "declaration")}
    plain = {name for name, one in places.items() if inspect.isfunction(one)}
    written = {words_of(name) for name in plain if not hasattr(places[name], "declaration")}
    words = sorted({*declared, *written, *index()} - set(GROUPS))
    own = {one: (command_at(one).help or "").strip() for one in words}
    texts = {one: text.partition("\n\n")[0].replace("\n", " ") for one, text in own.items()}
    return dict(sorted({**texts, **GROUPS}.items()))


def tables_page() -> str:
    """Return the page of all tables."""
    parts = ["# Tables\n", "Written by `docs/make_reference.py` from the contracts themselves.\n"]
    parts += ["Parquet, sorted by key; strings, int64 and float64 only. Other columns are kept.\n"]
    for table in TABLES.values():
        parts.append(f"## {table.name}\n\n{table.row.__doc__}\n\nKey: {', '.join(table.key)}.\n")
        rows = ["| column | type | may be null |", "|---|---|---|"]
        for column, dtype in table.schema.items():
            null = "no" if column in table.required else "yes"
            rows.append(f"| `{column}` | {KINDS[str(dtype)]} | {null} |")
        for column, dtype in table.optional.items():
            rows.append(f"| `{column}` | {KINDS[str(dtype)]} | yes; may be absent |")
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)


PAGES = {
    "commands.md": commands_page,
    "tables.md": tables_page,
    "python.md": python_page,
    "protocol.md": protocol_page,
    **{f"commands/{one.lower()}.md": partial(group_page, one) for one in HEADINGS},
}
SOURCE = HERE.parents[1] / "src" / "plausibly"


def indexes() -> dict[str, str]:
    """Return what commands read instead of importing it, and what type checkers read."""
    documents = {
        f"cli/{INDEX}": first_lines(),
        f"protocols/{outline.INDEX}": outline.outlines(PROTOCOLS),
    }
    written = {
        place: json.dumps(one, indent=1, ensure_ascii=False) + "\n"
        for place, one in documents.items()
    }
    return {**written, "__init__.pyi": stub()}


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    for place, text in indexes().items():
        target = SOURCE / place if folder == HERE else folder / Path(place).name
        target.write_text(text, encoding="utf-8")
    (folder / "commands").mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")
