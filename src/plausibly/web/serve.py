"""Collect ratings in the browser and through the API, from a study folder alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from plausibly.cleaning.top_up import ROUNDS, ROUNDS_FILE
from plausibly.errors import MissingExtra, StudyError, option
from plausibly.io import read_table
from plausibly.ratings.in_study import without_checks
from plausibly.ratings.lists import LISTS
from plausibly.ratings.server import (
    door_of,
    english_pages,
    has_pages,
    is_paid,
    pages_file,
    refuse_unworkable,
)
from plausibly.study.arguments import checked
from plausibly.study.settings import FILE
from plausibly.web.locale.texts import Texts

if TYPE_CHECKING:
    from plausibly.ratings.served import Served
    from plausibly.ratings.store.changes import Change
    from plausibly.web.context import Desk

Say = Callable[[str], None]
NOTICES = {
    "open": "THE DOOR IS OPEN: anyone who can reach the address below may take part.",
    "links": "People enter with personal links; make them with: plausibly people admit.",
    "list": "People enter with a number you have listed with: plausibly people admit.",
    "panel": "People enter from the platform, with its three ids.",
}
AUTHORS = "author."  # texts of the pages on which authors write stories
MOST_NAMED = 3  # texts of a section that are named one by one
API_NOTICE = "The participant API is open: programs may take part ([server] api = true)."


def unheard(text: str) -> None:
    """Drop a message nobody listens for."""
    del text


@checked
def serve(
    study: str | Path,
    *,
    port: int = 8000,
    host: str = "127.0.0.1",
    database: str | None = None,
    workers: int = 1,
    preview: bool = False,
    author: bool = False,
    say: Say = unheard,
) -> None:
    """Collect the ratings of a study folder until the process is interrupted.

    The researcher's part of the API opens with PLAUSIBLY_TOKEN; PLAUSIBLY_KEY replaces the key
    that is otherwise kept in STUDY/answers.key.

    Args:
        study: The study folder.
        port: Port to listen on; 0 for any that is free.
        host: Address to listen on.
        database: Where answers are kept (default: STUDY/answers.sqlite).
        workers: Number of server processes.
        preview: Try the pages: nothing is stored.
        author: Write stories of a gita study, with their variants.
        say: Called with each message, such as the address people answer at.

    Examples:
        plausibly serve my-study --port 8000
        plausibly serve my-study --host 0.0.0.0 --port 80 --workers 2

    >>> serve("my-study", preview=True, workers=2)
    Traceback (most recent call last):
    plausibly.errors.StudyError: preview= stores nothing: leave out database= and workers=.
    """
    _check_choices(preview=preview, author=author, stored=database is not None or workers > 1)
    try:
        from plausibly.web.author.running import serve_author
        from plausibly.web.draining import ending_tidily
        from plausibly.web.people.desk import desk_lines, desk_links
        from plausibly.web.rehearsal.pay import check_pay
        from plausibly.web.running import listen
        from plausibly.web.running import serve as serve_on
        from plausibly.web.study import previewed, read_study
    except ImportError as error:
        raise MissingExtra("collecting ratings", "web") from error

    folder = Path(study)
    if author:
        with listen("127.0.0.1", port) as socket:
            say(f"Authors write at http://127.0.0.1:{socket.getsockname()[1]}")
            serve_author(folder, socket)
        return
    served = _with_door(read_study(folder), host, folder / FILE, preview=preview)
    paid = None if preview else check_pay(served, folder)
    with ExitStack() as stack:
        stack.enter_context(ending_tidily())
        if preview:
            served = stack.enter_context(previewed(served))
        socket = stack.enter_context(listen(host, port))
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{socket.getsockname()[1]}"

        def ready(desk: Desk, changes: Sequence[Change]) -> None:
            for line in _opening(served, address, changes, paid=paid, preview=preview):
                say(line)
            site = str(served.server["public_url"]).rstrip("/") or address
            for line in desk_lines(desk_links(desk, site)):
                say(line)

        serve_on(served, socket, database=database, workers=workers, ready=ready)


def _with_door(served: Served, host: str, settings: Path, *, preview: bool) -> Served:
    """Return a study with the door it opens; raise on settings that cannot work."""
    if not preview:
        refuse_unworkable(served, host=host, where=str(settings))
    door = "open" if preview else door_of(served.server, host)
    return replace(served, server={**served.server, "door": door})


def _check_choices(*, preview: bool, author: bool, stored: bool) -> None:
    """Raise if options contradict each other."""
    if preview and stored:
        others = f"{option('database')} and {option('workers')}"
        what = f"{option('preview')} stores nothing: leave out {others}."
        raise StudyError(what, parameter="preview")
    if author and (preview or stored):
        what = f"{option('author')} goes with {option('port')} alone."
        raise StudyError(what, parameter="author")


def _opening(
    served: Served,
    address: str,
    changes: Sequence[Change],
    *,
    paid: str | None,
    preview: bool,
) -> list[str]:
    """Return what to report once people can answer."""
    from plausibly.web.app import TOKEN

    items = sum(content.kind == "item" for content in served.contents.values())
    lines = [f"{served.name}: {items} items, {served.plan.rule} {served.plan.target} ratings each."]
    kinds = {content.kind for content in served.contents.values()}
    lines += without_checks(kinds, served.plan.checks_per_batch)
    lines += [paid] if paid else []
    if is_paid(served.server):
        lines += [f"Everyone gets one round of {served.plan.batch} items: pay is for one round."]
    lines += _topped_up(served)
    lines += unused_lists(served)
    lines += languages_read(served)
    lines += [f"Warning: {change}." for change in changes]
    lines += ["This is a preview: nothing is stored."] if preview else []
    lines += _filters(served)
    if not preview:
        lines += [f"{NOTICES[str(served.server['door'])]} Set [server] door to change this."]
        lines += [API_NOTICE] if served.server["api"] else []
    lines += [f"People answer at {address}"]
    if not os.environ.get(TOKEN):
        lines += [f"The researcher's part is closed; set {TOKEN} to open it."]
    return lines


def languages_read(served: Served) -> list[str]:
    """Return a warning for each language that people read next to another one."""
    return [*_mixed(served), *_untranslated(served)] + [
        f"Warning: there is no form.{language}.toml, so items in {language} are asked about in "
        "the words of [form]."
        for language, form in served.forms.items()
        if len(served.forms) > 1
        and form.questions == served.form.questions
        and language not in (served.form.language, served.server["interface"])
    ]


def _mixed(served: Served) -> list[str]:
    """Return a warning if texts, questions and the words around them are not in one language."""
    spoken, interface = served.form.language.partition("-")[0], str(served.server["interface"])
    if served.published and interface not in (*served.published, *served.forms):
        return [
            f"Warning: the form is written in {' and '.join(served.published)}, so its questions "
            f"are in {served.published[0]}, and the words around them (buttons, notices) in "
            f'{interface}. Set [server] interface = "{served.published[0]}", or write your form '
            "with the protocol custom."
        ]
    if spoken in ("", interface.partition("-")[0]):
        return []
    advice = f'Set [server] interface = "{spoken}".'
    if not has_pages(spoken, served.folder):
        advice = (
            f"To have them in {spoken}, translate a copy of {english_pages()}, store it as "
            f'{pages_file(Path(), spoken)} in the study, and set [server] interface = "{spoken}".'
        )
    return [
        f"Warning: the texts are in {spoken}, the words around them (buttons, notices) in "
        f"{interface}. {advice}"
    ]


def _untranslated(served: Served) -> list[str]:
    """Return a warning for each file of pages that lacks texts, or words in braces."""
    warnings = []
    for language in dict.fromkeys([str(served.server["interface"]), *served.forms]):
        if not pages_file(served.folder, language).is_file():
            continue
        texts, name = Texts(language, served.folder), pages_file(Path(), language)
        missing = [one for one in texts.missing if not one.startswith(AUTHORS)]
        if missing:
            warnings.append(
                f"Warning: {name} lacks {len(missing)} texts of the pages, which people read in "
                f"English: {_named(missing)}. Translate them from {english_pages()}."
            )
        if texts.unfilled:
            warnings.append(
                f"Warning: in {name}, a word in braces of the English text is missing in "
                f"{_named(texts.unfilled)}; people do not see what it stands for."
            )
    return warnings


def _named(texts: Sequence[str]) -> str:
    """Return names of texts; the count of a section that lacks many of them."""
    sections: dict[str, list[str]] = {}
    for name in texts:
        sections.setdefault(name.partition(".")[0], []).append(name)
    return ", ".join(
        f"{len(names)} in [{section}]" if len(names) > MOST_NAMED else ", ".join(names)
        for section, names in sections.items()
    )


def unused_lists(served: Served) -> list[str]:
    """Return a warning if the items came with lists, and the study draws items freely."""
    if served.plan.lists or not (served.folder / LISTS).is_file():
        return []
    return [
        f"Warning: {LISTS} is in the study, but [ratings] lists is not set, so items are drawn "
        'freely. To hand out these lists, set lists = "latin"; if not, delete the file.'
    ]


def _topped_up(served: Served) -> list[str]:
    """Return what cleaning asks a further round for."""
    path = served.folder / ROUNDS_FILE
    lack = read_table(path, ROUNDS) if path.is_file() else ROUNDS.empty()
    if lack.is_empty():
        return []
    return [
        f"{lack.height} items lacked {lack['wanted'].sum()} ratings after cleaning: new "
        "people get them."
    ]


def _filters(served: Served) -> list[str]:
    """Return what to set on the platform, to prevent people from being turned away later."""
    filters = [question.filter for question in served.form.screening if question.filter]
    return [f"Set on the platform: {'; '.join(filters)}."] if filters else []
