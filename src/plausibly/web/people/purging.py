"""Deletes what withdrawn people answered, once they can no longer undo it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError
from starlette.concurrency import run_in_threadpool

from plausibly.errors import PlausiblyError
from plausibly.ratings.store.erasing import (
    Tombstone,
    clear_traces,
    erase,
    files_cleared,
    leave_uncleared,
    note_copies,
    uncleared,
)
from plausibly.ratings.store.ids import PlatformId
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.verdicts import withdrawn_for_good
from plausibly.web.context import Desk
from plausibly.web.logs import LOG
from plausibly.web.people.copies import copies_with, whole_reports
from plausibly.web.people.derived import remove_derived, remove_mentions
from plausibly.web.people.erasures import keep_erasures

DAY = 24 * 3600.0
RETRY = 60.0  # seconds until a file that was in use is rewritten


async def purge_daily(desk: Desk, database: Path, pause: float) -> None:
    """Purge after a pause and then once a day, until the server cancels it."""
    while True:
        await asyncio.sleep(pause)
        pause = await purge(desk, database)


async def purge(desk: Desk, database: Path) -> float:
    """Delete whoever is due, leaving no byte; return after how many seconds to do it again."""
    try:
        if await purge_withdrawn(desk, database):
            await run_in_threadpool(clear_traces, database)
    except (PlausiblyError, DatabaseError, OSError):  # in use, or the disk is full
        return RETRY
    return DAY


async def purge_withdrawn(desk: Desk, database: Path) -> bool:
    """Delete the rows and ids of people whose withdrawal is final; return if traces are left.

    Counts are kept in a tombstone; what the study derived from the answers is removed, also of
    people whose erasure was cut short.
    """
    now = desk.clock()

    def job(connection: Connection) -> tuple[str, ...] | None:
        due = withdrawn_for_good(connection, now=now)
        for annotator in due:
            mark = desk.keys.hashed("erased", annotator)
            erase(connection, annotator, person=mark, now=now)
        if due:
            leave_uncleared(connection, due)
        return uncleared(connection)

    gone = await desk.write(job)
    if gone:
        await _name_copies(desk, *await _forget(desk, database, gone))
    return gone is not None


async def erase_now(desk: Desk, annotator: str) -> bool:
    """Delete a person's rows and ids, and what was derived from them; return if there were any.

    The file is rewritten to leave no byte behind; where it is in use, that is tried again.
    """
    now, mark = desk.clock(), desk.keys.hashed("erased", annotator)

    def job(connection: Connection) -> Tombstone | Denied:
        outcome = erase(connection, annotator, person=mark, now=now)
        if not isinstance(outcome, Denied):
            leave_uncleared(connection, (annotator,))
        return outcome

    if isinstance(await desk.write(job), Denied):
        return False
    known, named = await _forget(desk, desk.place, (annotator,))
    for work in (_clear(desk.place), _name_copies(desk, known, named)):
        task = asyncio.create_task(work)
        desk.tasks.add(task)
        task.add_done_callback(desk.tasks.discard)
    return True


async def _forget(
    desk: Desk, database: Path, gone: tuple[str, ...]
) -> tuple[dict[str, PlatformId | None], tuple[str, ...]]:
    """Remove ids and files of people; return the ids, and which files still name them."""
    known = await run_in_threadpool(_known, desk, gone)
    _, named = await run_in_threadpool(remove_files, desk, database, gone)
    await desk.write(partial(files_cleared, annotators=gone))
    return known, named


async def _clear(database: Path) -> None:
    """Rewrite the file, as often as it takes while others use it."""
    while True:
        try:
            return await run_in_threadpool(clear_traces, database)
        except (PlausiblyError, DatabaseError, OSError):
            await asyncio.sleep(RETRY)


def _known(desk: Desk, gone: tuple[str, ...]) -> dict[str, PlatformId | None]:
    """Return what the platform calls people, as long as that is stored."""
    ids = desk.ids.of(gone)
    return {annotator: ids.get(annotator) for annotator in gone}


def remove_files(
    desk: Desk, database: Path, gone: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove ids and derived files of people whose rows are gone.

    Return the files that are gone, and others that name them.
    """
    keep_erasures(database)
    removed, named = remove_derived(desk.served.folder, database)
    for annotator in gone:
        desk.ids.forget(annotator)
        more, others = remove_mentions(desk.served.folder, database, annotator)
        removed, named = (*removed, *more), (*named, *others)
    return removed, named


async def _name_copies(
    desk: Desk, known: Mapping[str, PlatformId | None], named: tuple[str, ...]
) -> None:
    """Note for the desk, and log, which copies made earlier still have people who are gone."""

    def copies() -> tuple[str, ...]:
        folder = desk.served.folder
        each = (copies_with(folder, desk.place, who, known[who]) for who in known)
        return whole_reports({*named, *(one for some in each for one in some)}, folder)

    paths = await run_in_threadpool(copies)
    if paths:
        await desk.write(partial(note_copies, paths=paths))
        LOG.warning("files made earlier still have data of erased people: %s", ", ".join(paths))


def clear_at_the_end(database: Path) -> None:
    """Rewrite a file whose clearing was cut short by the end of the server.

    Another worker that still uses it keeps its own clearing.
    """
    with suppress(PlausiblyError, OSError):
        clear_traces(database)
