"""Write what is derived from the code, pages and indexes: python docs/make_reference.py."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
from protocol_page import protocol_page
from typed_calls import stub

import plausibly
from plausibly.cli import app
from plausibly.cli.groups import GROUPS, HEADINGS, INDEX, command_at, index, under
from plausibly.datasets.schemes import SCHEMES
from plausibly.labels import METHODS
from plausibly.measures.agreement import NAMES
from plausibly.ratings import READERS, WRITERS
from plausibly.study import PROTOCOLS, outline
from plausibly.tables import TABLES

HERE = Path(__file__).resolve().parent / "reference"
KINDS = {"String": "string", "Int64": "int64", "Float64": "float64"}


def help_of(command: click.Command, name: str) -> str:
    """Return the help page of a command as the terminal shows it at 96 columns."""
    context = click.Context(
        command,
        info_name=name,
        terminal_width=96,
        max_content_width=96,
        help_option_names=app.context_settings["help_option_names"],
    )
    return command.get_help(context)


def sections(command: click.Command, name: str, depth: int = 2) -> Iterator[str]:
    """Yield the section of a command and of each of its own commands."""
    yield f"{'#' * depth} {name}\n\n```text\n{help_of(command, name)}\n```\n"
    if isinstance(command, click.Group):
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
    parts += ["Stdout is data, stderr is talk. Exit 0 fine, 1 one of our errors, 2 usage.\n"]
    for heading in HEADINGS:
        page = f"commands/{heading.lower()}.md"
        rows = [
            f"| [`{one}`]({page}#plausibly-{one.replace(' ', '-')}) | {line} |"
            for one, line in under(heading).items()
        ]
        table = "\n".join(["| command | what it does |", "|---|---|", *rows])
        parts.append(f"## [{heading}]({page})\n\n{table}\n")
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
    written = {_words(name) for name in plain if not hasattr(places[name], "declaration")}
    words = sorted({*declared, *written, *index()} - set(GROUPS))
    own = {one: (command_at(one).help or "").strip() for one in words}
    texts = {one: text.partition("\n\n")[0].replace("\n", " ") for one, text in own.items()}
    return dict(sorted({**texts, **GROUPS}.items()))


def _words(name: str) -> str:
    """Return the words of the command of a function that is not declared as a verb."""
    head, _, rest = name.partition("_")
    return f"{head} {rest.replace('_', '-')}" if rest and head in GROUPS else name


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


def python_page() -> str:
    """Return the page of the front door: every name with its signature and what it says."""
    parts = ["# From Python\n", "Written by `docs/make_reference.py` from the front door itself.\n"]
    parts += ["```python\nimport plausibly as pb\n```\n", python_introduction()]
    for name in sorted(plausibly.__all__, key=str.lower):
        named = getattr(plausibly, name)
        kind = "class" if inspect.isclass(named) else "def"
        written = str(inspect.signature(named))
        written = re.sub(r"<(?:[\w.]+ object|function \S+) at 0x[0-9a-f]+>", "…", written)
        written = re.sub(r"((?:: |-> ))(['\"])(.*?)\2(?=[,)= ]|$)", r"\1\3", written)
        text = inspect.getdoc(named) or ""
        parts.append(f"## {name}\n\n```python\n{kind} {name}{_wrapped(written)}\n```\n")
        parts.append(f"```text\n{text}\n```\n")
    return "\n".join(parts)


def python_introduction() -> str:
    """Return what the front door says about itself, below its first line."""
    lines = (plausibly.__doc__ or "").strip().splitlines()[-3:]
    return " ".join(line.strip() for line in lines) + "\n"


def _wrapped(signature: str) -> str:
    """Return a signature; a long one has each parameter on its own line."""
    if len(signature) <= 88:
        return signature
    inner, _, result = signature[1:].rpartition(") ->")
    parts = re.split(r", (?=\w+:|\*)", inner)
    return "(\n" + "".join(f"    {part},\n" for part in parts) + f") ->{result}"


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
