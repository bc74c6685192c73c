"""`plausibly serve`: people answer in the browser or through the API."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import say

if TYPE_CHECKING:
    from plausibly.ratings.served import Served
    from plausibly.ratings.store.changes import Change


@click.command("serve")
@click.argument("study", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--database", help="Where answers are kept (default: STUDY/answers.sqlite).")
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes."
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
    from contextlib import ExitStack

    from plausibly.errors import MissingExtra

    stored = database is not None or workers > 1
    _refuse_together(preview=preview, author=author, stored=stored)
    try:
        from plausibly.web.app import TOKEN
        from plausibly.web.author.running import serve_author
        from plausibly.web.rehearsal.pay import check_pay
        from plausibly.web.running import listen, serve
        from plausibly.web.study import previewed, read_study
    except ImportError as error:
        raise MissingExtra("collecting ratings", "web") from error

    if author:
        with listen("127.0.0.1", port) as socket:
            say(f"Authors write at http://127.0.0.1:{socket.getsockname()[1]}")
            serve_author(study, socket)
        return
    served = read_study(study)
    paid = None if preview else check_pay(served, study)
    with ExitStack() as stack:
        if preview:
            served = stack.enter_context(previewed(served))
        socket = stack.enter_context(listen(host, port))
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{socket.getsockname()[1]}"

        def ready(changes: Sequence[Change]) -> None:
            items = sum(content.kind == "item" for content in served.contents.values())
            plan = served.plan
            say(f"{served.name}: {items} items, {plan.rule} {plan.target} ratings each.")
            if paid:
                say(paid)
            for change in changes:
                say(f"Warning: {change}.")
            if preview:
                say("This is a preview: nothing is stored.")
            _say_filters(served)
            say(f"People answer at {address}")
            if not os.environ.get(TOKEN):
                say(f"The researcher's part is closed; set {TOKEN} to open it.")

        serve(served, socket, database=database, workers=workers, ready=ready)


def _refuse_together(*, preview: bool, author: bool, stored: bool) -> None:
    """Refuse options that contradict each other."""
    if preview and stored:
        raise click.UsageError("--preview stores nothing: leave out --database and --workers.")
    if author and (preview or stored):
        raise click.UsageError("--author goes with --port alone.")


def _say_filters(served: Served) -> None:
    """Say what to set on the platform, so that nobody is turned away."""
    filters = [question.filter for question in served.form.screening if question.filter]
    if filters:
        say(f"Set on the platform: {'; '.join(filters)}.")
