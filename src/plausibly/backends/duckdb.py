"""The embedded engine: DuckDB for statements, processes of this machine for shards."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb

from plausibly.backends.memory import megabytes_of
from plausibly.backends.processes import each_in_processes
from plausibly.errors import StudyError
from plausibly.ports import Outcome

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
R = TypeVar("R")

BATCH = 1 << 16


class DuckdbEngine:
    """Runs on one machine, however little memory it has; what does not fit goes to disk.

    Args:
        workers: Processes for shards and threads for statements.
        memory: The most a statement may hold, such as "2GB"; four fifths of the machine without.
        scratch: Folder for what does not fit; without one a statement may not outgrow memory.
    """

    def __init__(
        self, *, workers: int | None = None, memory: str | None = None, scratch: Path | None = None
    ) -> None:
        self.workers = workers or os.cpu_count() or 1
        settings: dict[str, str | bool | int | float | list[str]] = {"threads": self.workers}
        if memory is not None:
            settings["memory_limit"] = f"{megabytes_of(memory)}MB"
        settings["temp_directory"] = str(scratch) if scratch is not None else ""
        try:
            self._connection = duckdb.connect(config=settings)
        except duckdb.Error as error:
            raise StudyError(f"DuckDB cannot start with these settings: {error}") from error

    @property
    def name(self) -> str:
        """Return `duckdb` with its version."""
        return f"duckdb {duckdb.__version__}"

    def each(self, work: Callable[[T], R], shards: Iterable[T]) -> Iterator[Outcome[R]]:
        """Yield what the work makes of each shard, in any order."""
        return each_in_processes(work, shards, workers=self.workers)

    def register(self, name: str, files: Sequence[Path]) -> None:
        """Give Parquet files of one schema a name that statements can use."""
        with _readable_errors():
            self._connection.read_parquet([str(file) for file in files]).create_view(name)

    def rows(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a statement in their order."""
        with _readable_errors():
            yield from self._connection.sql(statement).to_arrow_reader(BATCH)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


@contextmanager
def _readable_errors() -> Iterator[None]:
    """Turn what DuckDB cannot do with the data into one error of ours."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        raise StudyError(f"DuckDB ran out of memory or disk: {error}") from error
    except duckdb.ProgrammingError:
        raise
    except duckdb.Error as error:
        what = str(error).partition("\n")[0]
        raise StudyError(f"DuckDB cannot work with the table: {what}") from error
