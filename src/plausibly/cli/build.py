"""`plausibly build`: from counts and lexica to items, one command per protocol, made on use."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from plausibly.cli.guard import guarded

BUILDERS = {
    "adept": "Sentence pairs that differ by an adjective (Emami et al., 2021).",
    "checks": "Gold items from a pilot that everyone answered alike.",
    "custom": "Items from any table and your own templates.",
    "gita": "Variants of short stories (Pensa et al., 2024).",
    "iks": "Sentences that fill in what two sentences leave unsaid, blinded.",
    "match": "Items of two conditions paired by any column.",
    "pap": "Attested and perturbed events by abstractness (Eichel and Schulte im Walde, 2023).",
    "sp10k": "Word pairs of five relations in surveys (Zhang et al., 2019).",
}
FILE = click.Path(path_type=Path, exists=True)
# What is given without a name, by builder.
ARGUMENTS = {"custom": "table", "gita": "stories", "match": "items"}


class LazyBuilders(click.Group):
    """A group whose commands are made from the builders when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all builders."""
        del ctx
        return sorted(BUILDERS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one builder, imported now, or None for an unknown name."""
        del ctx
        if cmd_name not in BUILDERS:
            return None
        made = _checks() if cmd_name == "checks" else _command(cmd_name)
        return guarded(made, f"build {cmd_name}")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the builder, or propose the nearest name."""
        if args and args[0] not in BUILDERS and not args[0].startswith("-"):
            close = get_close_matches(args[0], BUILDERS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"no such protocol {args[0]!r}.{hint} Known: {', '.join(sorted(BUILDERS))}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of builders without importing any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(sorted(BUILDERS.items()))


@click.group("build", cls=LazyBuilders)
def command() -> None:
    """Build items from counts and lexica, with a ledger of everything that was dropped."""


def _command(protocol: str) -> click.Command:
    """Return the command of one builder, its options read from the builder's signature."""
    from plausibly.cli.options import options_of
    from plausibly.cli.show import json_option
    from plausibly.verbs.build import BUILDERS as VERBS

    verb = VERBS[protocol]
    argument = ARGUMENTS.get(protocol)
    own = OWN.get(protocol, {})
    left_out = [*([argument] if argument else []), *own, "watch"]
    decorators = [
        *([click.argument(argument, type=FILE)] if argument else []),
        *(click.option(*names, **settings) for names, settings in own.values()),
        options_of(verb, without=left_out),
        click.option("-o", "--output", type=OUT, help="New folder to write."),
        json_option,
    ]

    def run(output: Path | None, as_json: bool, **options: Any) -> None:
        _run(protocol, output, as_json, options)

    made: Any = run
    for decorate in reversed([*decorators, *MORE.get(protocol, [])]):
        made = decorate(made)
    text = (inspect.getdoc(verb) or "").partition("\nArgs:")[0].strip()
    return click.command(protocol, help=text)(made)


def _checks() -> click.Command:
    """Return the command that makes checks of a pilot's items; it reads ratings."""
    from plausibly.cli.options import options_of
    from plausibly.cli.show import json_option, show, write_file
    from plausibly.cli.source import ratings_source
    from plausibly.verbs.build.checks import build_checks

    table = click.Path(path_type=Path, dir_okay=False)

    @click.command("checks")
    @ratings_source
    @options_of(build_checks)
    @click.option("-o", "--output", type=table, help="Items table to write.")
    @json_option
    def checks(ratings: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
        """Make gold items of those in FILE that everyone answered alike.

        An item with enough annotators who all gave the same answer expects that answer from now
        on; the other items stay unchanged.
        """
        result = build_checks(ratings, **options)
        write_file(result, "items", output)
        show(result, as_json=as_json)

    return checks


def _run(protocol: str, output: Path | None, as_json: bool, options: dict[str, Any]) -> None:
    from plausibly.cli.progress import progress
    from plausibly.cli.show import show
    from plausibly.verbs.build import build
    from plausibly.verbs.build._items import ItemSet, require_free

    if output is None and not options.get("feasibility"):
        raise click.UsageError("missing option '-o' / '--output': the folder to write.")
    if output is not None:
        require_free(output)
    more = options.pop("more", ())
    chosen = {name: one for name, one in options.items() if one is not None}
    if more:
        chosen["candidates"] = (*chosen["candidates"], *more)
    with progress() as watch:
        result = build(protocol, watch=watch, **chosen)
    if isinstance(result, ItemSet) and output is not None:
        result.write(output)
    show(result, as_json=as_json, where=output)
    if isinstance(result, ItemSet) and result.key is not None and output is not None:
        click.echo(f"keep the key from annotators: {result.key.place(output)}", err=True)


OUT = click.Path(path_type=Path, file_okay=False)
# Options that are no plain files or numbers: flags by name and their settings.
OWN: dict[str, dict[str, tuple[tuple[str, ...], dict[str, Any]]]] = {
    "pap": {
        "norms": (
            ("--norms",),
            {
                "required": True,
                "metavar": "FILE|predicted",
                "help": "Norms with columns Word, Conc.M and Dom_Pos, or our own estimate.",
            },
        ),
    },
    "iks": {
        "candidates": (
            ("--candidates",),
            {
                "type": FILE,
                "required": True,
                "multiple": True,
                "help": "item, sentence[, system]; one file a model. More may follow.",
            },
        ),
        "blind_key": (
            ("--blind-key",),
            {
                "type": click.Path(path_type=Path, dir_okay=False),
                "help": "Where the key goes, outside the folder (default: beside it).",
            },
        ),
    },
}
MORE: dict[str, list[Any]] = {
    "iks": [click.argument("more", type=FILE, nargs=-1, metavar="[FILES]...")]
}
