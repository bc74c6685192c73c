"""`plausibly build`: from counts and lexica to items, one module per protocol, loaded on use."""

from __future__ import annotations

from importlib import import_module

import click

from plausibly.cli.guard import guarded

BUILDERS = {
    "adept": "Sentence pairs that differ by an adjective (Emami et al., 2021).",
    "custom": "Items from any table and your own templates.",
    "gita": "Variants of short stories (Pensa et al., 2024).",
    "iks": "Sentences that fill in what two sentences leave unsaid, blinded.",
    "pap": "Attested and perturbed events by abstractness (Eichel and Schulte im Walde, 2023).",
    "sp10k": "Word pairs of five relations in surveys (Zhang et al., 2019).",
}


class LazyBuilders(click.Group):
    """A group whose commands lie in `build_NAME.py` and are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all builders."""
        del ctx
        return sorted(BUILDERS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return one builder, imported now, or None for an unknown name."""
        del ctx
        if cmd_name not in BUILDERS:
            return None
        command = import_module(f"plausibly.cli.build_{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"plausibly.cli.build_{cmd_name}.command is not a click command")
        return guarded(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of builders without importing any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(sorted(BUILDERS.items()))


@click.group("build", cls=LazyBuilders)
def command() -> None:
    """Build items from counts and lexica, with a ledger of everything that was dropped."""
