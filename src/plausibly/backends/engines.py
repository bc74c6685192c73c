"""Engines by the names the command line knows them by."""

from __future__ import annotations

from pathlib import Path

from plausibly.errors import UnknownName
from plausibly.ports import Engine

SPARK_MASTER = "spark://"
NAMES = ("duckdb", "spark", "spark://HOST:PORT")


def engine_named(
    name: str, *, workers: int | None = None, memory: str | None = None, scratch: Path | None = None
) -> Engine:
    """Return the engine of a name: `duckdb`, `spark`, or the address of a Spark master.

    Args:
        name: One of `NAMES`.
        workers: How many work at once; all processors without. A cluster has its own number.
        memory: The most a statement may hold, such as "2GB".
        scratch: Folder for what does not fit, one that every worker can reach.
    """
    if name == "duckdb":
        from plausibly.backends.duckdb import DuckdbEngine

        return DuckdbEngine(workers=workers, memory=memory, scratch=scratch)
    if name == "spark" or name.startswith(SPARK_MASTER):
        from plausibly.backends.spark import SparkEngine

        return SparkEngine(name, memory=memory, scratch=scratch)
    raise UnknownName("engine", name, NAMES, parameter="engine")
