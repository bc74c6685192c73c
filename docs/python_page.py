"""The reference page of the Python functions, written from what the package exports.

A function and its command have one declaration, so the page of the command explains the options.
This page adds what the function returns, the arguments that a command does not have, and an
example where it needs no files.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from textwrap import wrap
from typing import Any

import click

import plausibly
from plausibly.cli.groups import GROUPS, HEADINGS, command_at
from plausibly.study.parameters import argument_docs

START = """# From Python

Written by `docs/make_reference.py` from the functions themselves.

```python
import plausibly as pb
```

{introduction}

A function is named after its command (`pb.models_fit` is `plausibly models fit`); the link leads
to what it does. Positional arguments come first; `…` stands for the options of the command, as
keywords with the same names and defaults. Functions that return tables also take `as_`: `"polars"`,
`"pandas"` or `"arrow"`. `help(pb.label)` shows every keyword with its type, and an example. In all
functions:

{shared}
"""
# What many functions take, and commands word for a terminal.
SHARED = {
    "ratings": "File or table of ratings.",
    "format": "Format of the file of ratings (default: recognised from what it contains).",
    "columns": "Maps our column names to the file's, where they differ.",
    "missing": "Additional answers to treat as missing, separated by commas, besides NA, N/A, NaN, "
    "None and blank ones.",
    "study` or `folder": "The study folder.",
    "watch": "Receives the progress of a long run.",
    "say": "Called with each line of progress.",
    "announce": "Called with the name of each step before it runs.",
}
MEANT = {"format", "columns", "missing", "watch"}
DIFFERENT = {"model", "key", "strict"}  # what a keyword takes that its option does not
SECTION = re.compile(r"^(Args|Returns|Raises|Examples|References|Yields|Note):$", re.MULTILINE)
EXAMPLE = re.compile(r"^>>> .*", re.MULTILINE | re.DOTALL)
GUIDED = "Study"  # what else its functions do is in the how-to pages
QUOTES = "'\""
OBJECT = r"<(?:[\w.]+ object|function \S+) at 0x[0-9a-f]+>"


def python_page() -> str:
    """Return the page: tables of functions by group, then what a table cannot hold."""
    names = sorted(plausibly.__all__, key=str.lower)
    commands = {name: command_at(words_of(name)) for name in names if _is_command(name)}
    parts = [_start()]
    for page in HEADINGS:
        own = {name: one for name, one in commands.items() if _page(name) == page}
        rows = [_row(name, one) for name, one in own.items()]
        parts += [f"## {page}\n", "\n".join(["| function | returns |", "|---|---|", *rows]) + "\n"]
        more = [part for name, one in own.items() for part in _entry(name, one)]
        parts += [f"### Arguments and examples: {page.lower()}\n", *more] if more else []
    parts.append("## Others\n")
    parts += [part for name in names if name not in commands for part in _entry(name, None)]
    return "\n".join(parts)


def _is_command(name: str) -> bool:
    return name != "build" and not inspect.isclass(getattr(plausibly, name))


def _page(name: str) -> str:
    return next(one for one, heads in HEADINGS.items() if words_of(name).split()[0] in heads)


def _row(name: str, command: click.Command) -> str:
    """Return the line of a function: call and result, with a link to the options."""
    words = words_of(name)
    call, _, result = _signature(getattr(plausibly, name), command).rpartition(" -> ")
    link = f"commands/{_page(name).lower()}.md#plausibly-{words.replace(' ', '-')}"
    shown = result.replace("|", "\\|")
    return f"| [`{name}`]({link})`{' '.join(call.split())}` | `{shown}` |"


def words_of(name: str) -> str:
    """Return the words of the command of a function."""
    function = getattr(plausibly, name)
    if hasattr(function, "declaration"):
        return str(function.declaration.words)
    head, _, rest = name.partition("_")
    return f"{head} {rest.replace('_', '-')}" if rest and head in GROUPS else name


def _start() -> str:
    """Return the head of the page, with what the package's docstring says about tables."""
    introduction = (plausibly.__doc__ or "").strip().rpartition("\n\n")[2]
    shared = "\n".join(f"- `{name}`: {text}" for name, text in SHARED.items())
    return START.format(introduction=introduction, shared=shared)


def _entry(name: str, command: click.Command | None) -> Iterator[str]:
    """Yield what a table cannot hold: the whole entry of a class, what differs from a command."""
    named = getattr(plausibly, name)
    text = inspect.getdoc(named) or ""
    example = EXAMPLE.search(text)
    body = text[: example.start()] if example else text
    guided = command is not None and _page(name) == GUIDED
    parts = [*([] if guided else _prose(body, command)), *_arguments(named, command)]
    returns = re.search(r"^Returns:\n(.*?)(?=^\w+:$|\Z)", body, re.MULTILINE | re.DOTALL)
    parts += [f"Returns: {plain(returns[1])}\n"] if returns else []
    if example and (shown := _uses(example[0])):
        parts.append(f"```python-console\n{shown}\n```\n")
    if command is None:
        kind = "class" if inspect.isclass(named) else "def"
        yield f"### {name}\n\n```python\n{kind} {name}{_signature(named, None)}\n```\n"
    elif parts:
        yield f"#### {name}\n"
    yield from parts


def _prose(body: str, command: click.Command | None) -> Iterator[str]:
    """Yield the paragraphs that the page of the command does not have."""
    first, *more = SECTION.split(body)[0].strip().split("\n\n")
    known = _line(command.help or "") if command else ""
    yield from (f"{plain(one)}\n" for one in ([] if command else [first]))
    yield from (f"{plain(one)}\n" for one in more if _line(one) not in known)


def _arguments(named: Any, command: click.Command | None) -> Iterator[str]:
    """Yield a list of the arguments that are not explained as options of the command."""
    function = named.declaration.function if hasattr(named, "declaration") else named
    options = {
        str(one.name): _line(getattr(one, "help", None) or "")
        for one in (command.params if command else ())
        if isinstance(one, click.Option)
    }
    lines = [
        f"- `{name}`: {plain(text)}"
        for name, text in argument_docs(function).items()
        if _line(text) not in (*SHARED.values(), options.get(name)) and name not in MEANT
        if name not in options or name in DIFFERENT
    ]
    if lines:
        yield "\n".join(lines) + "\n"


def _uses(example: str) -> str:
    """Return an example up to its first error; none if it needs files, which hide what it shows."""
    if "tempfile" in example or "mkdtemp" in example:
        return ""
    lines = example.partition("\n\n")[0].rstrip().splitlines()
    end = next((n for n, line in enumerate(lines) if line.startswith("Traceback")), len(lines))
    if end < len(lines):
        starts = [n for n in range(end) if lines[n].startswith(">>> ")]
        end = starts[-1] if starts else 0
    kept = "\n".join(lines[:end])
    return kept if any(not one.startswith((">>>", "...")) for one in lines[:end]) else ""


def _signature(named: Any, command: click.Command | None) -> str:
    """Return the signature; of the options of a command only those that are required.

    What an option takes is on the page of the command, and editors read types from the package.
    """
    signature = inspect.signature(named)
    if command is not None:
        options = {one.name: one for one in command.params if isinstance(one, click.Option)}
        shown = [
            one.replace(annotation=one.empty)
            for name, one in signature.parameters.items()
            if (name not in options and name not in MEANT) or one.default is one.empty
        ]
        written = re.sub(OBJECT, "…", str(signature.replace(parameters=shown)))
        inner, _, result = written.rpartition(") -> ")
        inner = inner if len(shown) == len(signature.parameters) else f"{inner}, …"
        written = f"{inner}) -> {result.strip(QUOTES)}".replace("(, ", "(")
        return "\n".join(wrap(written, 76, subsequent_indent="    ", break_on_hyphens=False))
    written = re.sub(OBJECT, "…", str(signature))
    written = re.sub(r"((?:: |-> ))(['\"])(.*?)\2(?=[,)= ]|$)", r"\1\3", written)
    if len(written) <= 88:
        return written
    inner, _, result = written[1:].rpartition(") ->")
    parts = re.split(r", (?=\w+:|\*)", inner)
    return "(\n" + "".join(f"    {part},\n" for part in parts) + f") ->{result}"


def plain(text: str) -> str:
    """Return a text on one line, with the signs that Markdown would take for its own escaped."""
    parts = " ".join(text.replace("\b", "").split()).split("`")
    for n in range(0, len(parts), 2):  # outside code
        parts[n] = re.sub(r"([*_<|])", r"\\\1", parts[n])
    return "`".join(parts)


def _line(text: str) -> str:
    return " ".join(text.split())
