from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError, OperationalError

from plausibly.ratings.store import dialect
from plausibly.ratings.store.schema import facts
from plausibly.ratings.store.writer import HeldConnection, Job, StoreWriter, run_together
from worlds.served import served_of, store_of


def put(name: str) -> Job[str]:
    def job(connection: Connection) -> str:
        connection.execute(insert(facts).values(name=name, value="x"))
        return name

    return job


def count(connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(facts)) or 0


def test_what_arrives_together_is_answered_one_by_one(tmp_path: Path) -> None:
    engine = store_of(tmp_path, served_of(1))

    async def all_at_once() -> list[object]:
        store = StoreWriter(engine)
        jobs = [store.run(put(f"f{n}")) for n in range(200)]
        results: list[object] = list(await asyncio.gather(*jobs))
        await store.close()
        return results

    assert asyncio.run(all_at_once()) == [f"f{n}" for n in range(200)]
    with engine.begin() as connection:
        assert count(connection) == 206
    engine.dispose()


def test_a_job_that_fails_takes_no_other_with_it(tmp_path: Path) -> None:
    engine = store_of(tmp_path, served_of(1))

    def half(connection: Connection) -> None:
        connection.execute(insert(facts).values(name="half", value="x"))
        connection.execute(insert(facts).values(name="half", value="again"))

    outcomes = run_together(HeldConnection(engine), [put("a"), half, put("b")])
    assert [outcome.result for outcome in outcomes] == ["a", None, "b"]
    assert isinstance(outcomes[1].error, IntegrityError)
    with engine.begin() as connection:
        names = set(connection.scalars(select(facts.c.name)))
    assert {"a", "b"} <= names
    assert "half" not in names
    engine.dispose()


def test_a_failed_job_is_heard_by_who_asked_for_it(tmp_path: Path) -> None:
    engine = store_of(tmp_path, served_of(1))

    async def ask() -> None:
        store = StoreWriter(engine)
        await store.run(put("a"))
        with pytest.raises(IntegrityError):
            await store.run(put("a"))
        await store.close()

    asyncio.run(ask())


def test_nothing_is_acknowledged_that_cannot_be_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    holder = store_of(tmp_path, served_of(1))
    monkeypatch.setattr(dialect, "WAIT", 0.05)
    engine = dialect.connect(str(holder.url))
    held = HeldConnection(engine)
    with holder.begin():  # someone else is writing and does not stop
        (outcome,) = run_together(held, [put("late")])
    assert isinstance(outcome.error, OperationalError)
    assert outcome.result is None
    assert [one.result for one in run_together(held, [put("late")])] == ["late"]
    held.close()
    engine.dispose()
    holder.dispose()


SYNCED, UNSYNCED = 2, 1  # FULL and NORMAL, as SQLite counts them


def how_synced(connection: Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA synchronous").scalar() or 0)


def test_what_must_outlast_a_power_cut_waits_for_the_disk(tmp_path: Path) -> None:
    engine = store_of(tmp_path, served_of(1))

    async def ask() -> list[int]:
        store = StoreWriter(engine)
        alone = [await store.run(how_synced, lasting=one) for one in (True, False, True, False)]
        together = [store.run(how_synced, lasting=one) for one in (False, True, False)]
        levels = [*alone, *await asyncio.gather(*together)]
        await store.close()
        return levels

    alternating = [SYNCED, UNSYNCED, SYNCED, UNSYNCED]
    assert asyncio.run(ask()) == [*alternating, SYNCED, SYNCED, SYNCED]
