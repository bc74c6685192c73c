"""`plausibly serve`: people answer in the browser or through the API."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand
from plausibly.cli.show import say


@click.command("serve", cls=WrittenCommand)
@click.argument("study", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--database", help="Where answers are kept (default: STUDY/answers.sqlite).")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Server processes."
)
@click.option("--preview", is_flag=True, help="Try the pages: nothing is stored.")
@click.option("--author", is_flag=True, help="Write stories of a gita study, with their variants.")
def command(
    study: Path,
    *,
    port: int,
    host: str,
    database: str | None,
    workers: int,
    preview: bool,
    author: bool,
) -> None:
    """Collect the ratings of the study folder STUDY.

    The researcher's part of the API opens with PLAUSIBLY_TOKEN; PLAUSIBLY_KEY replaces the key
    that is otherwise kept in STUDY/answers.key.
    """
    from plausibly.web.serve import serve

    serve(
        study,
        port=port,
        host=host,
        database=database,
        workers=workers,
        preview=preview,
        author=author,
        say=say,
    )
